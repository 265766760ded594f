"""A mathematical answer: a claim, its verdict, and the evidence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Verdict = Literal["holds", "fails", "unknown"]


@dataclass(frozen=True)
class Finding:
    """What was asked, what came out, and why one should believe it.

    >>> print(Finding("energy is conserved", "holds", 1e-13, "relative change along 5 random states"))
    ✓ energy is conserved: 1e-13 (relative change along 5 random states)
    """

    claim: str
    verdict: Verdict
    value: Any = None
    evidence: str = ""
    expression: Any = None
    method: str = ""

    def __bool__(self) -> bool:
        return self.verdict == "holds"

    def __str__(self) -> str:
        sign = {"holds": "✓", "fails": "✗", "unknown": "?"}[self.verdict]
        value = (
            f": {self.value:.3g}"
            if isinstance(self.value, float)
            else f": {self.value}"
            if self.value is not None
            else ""
        )
        return f"{sign} {self.claim}{value}" + (f" ({self.evidence})" if self.evidence else "")


def bounded(claim: str, value: float, limit: float, evidence: str = "") -> Finding:
    """A finding that holds when ``value <= limit`` (and never when it is not a number)."""
    return Finding(claim, "holds" if value <= limit else "fails", float(value), evidence or f"limit {limit:g}")
