"""Runs the checks of claims and says whether they agree with the recorded verdicts."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

from nonholo_papers.claim import KINDS, VERDICTS, Claim, Evidence, disagreement

SAME = ("confirmed", "not checkable")


@dataclass(frozen=True)
class Result:
    """A claim, what its check gave, and why that does not bear out its verdict (empty when it does)."""

    claim: Claim
    evidence: Evidence | None
    trouble: str
    seconds: float = 0.0

    @property
    def agrees(self) -> bool:
        """Whether the recorded verdict stands."""
        return not self.trouble


def run(claims: Iterable[Claim], told: Callable[[str], None] = lambda _: None) -> tuple[Result, ...]:
    """Every check, one after the other; an error in a check is a disagreement with its words."""
    return tuple(run_one(claim, told) for claim in claims)


def run_one(claim: Claim, told: Callable[[str], None] = lambda _: None) -> Result:
    """The check of one claim."""
    told(f"{claim.paper} {claim.label}")
    begun = time.process_time()
    evidence: Evidence | None = None
    trouble = ""
    if claim.check is not None:
        try:
            evidence = claim.check()
        except Exception as problem:
            trouble = f"the check fails: {type(problem).__name__}: {problem}"
    return Result(claim, evidence, trouble or disagreement(claim, evidence), time.process_time() - begun)


def row(result: Result) -> dict[str, Any]:
    """A result as plain data."""
    c, e = result.claim, result.evidence
    return {
        "paper": c.paper,
        "label": c.label,
        "statement": c.statement,
        "printed": c.printed,
        "right": c.right,
        "verdict": c.verdict,
        "kind": c.kind,
        "because": c.because,
        "residual_printed": _plain(e.printed if e else None),
        "residual_right": _plain(e.right if e else None),
        "residual_mutant": _plain(e.mutant if e else None),
        "evidence": e.words if e else c.reason,
        "reason": c.reason,
        "harm": c.harm,
        "breaks": c.breaks,
        "displays": list(c.displays),
        "exhibits": list(c.exhibits),
        "agrees": result.agrees,
        "trouble": result.trouble,
    }


def counts(claims: Iterable[Claim]) -> dict[str, int]:
    """How many claims have each verdict."""
    found = Counter(c.verdict for c in claims)
    return {v: found.get(v, 0) for v in VERDICTS}  # type: ignore[call-overload]


def kinds(claims: Iterable[Claim]) -> dict[str, int]:
    """How many entries of the errata there are of each kind."""
    found = Counter(c.kind for c in claims)
    return {kind: found.get(kind, 0) for kind in KINDS}  # type: ignore[call-overload]


def summary(claims: Iterable[Claim]) -> str:
    """Counts in words: what is confirmed, the entries of the errata by kind, what no machine can tell.

    >>> from nonholo_papers import claims
    >>> summary(claims("notices")[:3])
    '1 confirmed, 2 not checkable'
    """
    known = list(claims)
    by_verdict = counts(known)
    found = {"confirmed": by_verdict["confirmed"], **kinds(known), "not checkable": by_verdict["not checkable"]}
    return ", ".join(f"{n} {word if word in SAME or n == 1 else word + 's'}" for word, n in found.items() if n)


def _plain(value: float | None) -> float | None:
    return value if value is None or isfinite(value) else 1e300
