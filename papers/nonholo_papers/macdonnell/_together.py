"""Several equations of one derivation in one piece of evidence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import Form, identity


def joined(*found: Evidence, words: str = "") -> Evidence:
    """The worst of several: the largest residuals of the printed and of the right forms, the least of the mutants."""
    right = [e.right for e in found if e.right is not None]
    mutant = [e.mutant for e in found if e.mutant is not None]
    return Evidence(
        _largest([e.printed for e in found]),
        _largest(right) if right else None,
        min(mutant) if mutant else None,
        words or found[0].words,
    )


def together(points: Iterable[Any], *forms: Form, words: str = "") -> Evidence:
    """Each form gives the terms of an equation; every one is mutated by itself."""
    places = list(points)
    return joined(*(identity(places, form) for form in forms), words=words)


def equal(points: Iterable[Any], *chains: Callable[[Any], Sequence[Any]], words: str = "") -> Evidence:
    """Each chain gives quantities that are all the same, ``a = b = c = …``; every link is mutated by itself."""
    places = list(points)
    found: list[Evidence] = []
    for chain in chains:
        found += [identity(places, _link(chain, k)) for k in range(len(chain(places[0])) - 1)]
    return joined(*found, words=words)


def corrected(points: Iterable[Any], *pairs: tuple[Form, Form], words: str = "") -> Evidence:
    """Pairs (printed, right) of forms: each printed form must fail by itself, so the least of their residuals counts."""
    places = list(points)
    found = [identity(places, printed, right) for printed, right in pairs]
    whole = joined(*found, words=words)
    return Evidence(min(e.printed for e in found), whole.right, whole.mutant, whole.words)


def _link(chain: Callable[[Any], Sequence[Any]], k: int) -> Form:
    return lambda p: [chain(p)[k], -chain(p)[k + 1]]


def _largest(residuals: Sequence[float]) -> float:
    return float("nan") if any(r != r for r in residuals) else max(residuals)
