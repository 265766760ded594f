"""A mathematical answer: a claim, its verdict, and the evidence."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from nonholo.algebra.kinds import Expr

Verdict = Literal["holds", "fails", "unknown"]


@dataclass(frozen=True)
class Finding:
    """What was asked, what came out, and why one should believe it.

    An integral of motion has its ``expression`` in the system's own names, or an object with ``along(run)``.

    >>> print(Finding("energy is conserved", "holds", 1e-13, "relative change along 5 random states"))
    ✓ energy is conserved: 1e-13 (relative change along 5 random states)
    """

    claim: str
    verdict: Verdict
    value: float | str | tuple[int, ...] | None = None
    """A number, a growth vector, or words."""
    evidence: str = ""
    expression: Expr | None = None
    method: str = ""
    proved: bool = False
    """Whether the claim follows by exact computation; otherwise it was measured."""

    def __bool__(self) -> bool:
        return self.verdict == "holds"

    def _repr_html_(self) -> str:
        from html import escape

        colour = {"holds": "#009E73", "fails": "#D55E00", "unknown": "#8a8a8a"}[self.verdict]
        sign, rest = str(self).split(" ", 1)
        return f'<span style="color:{colour}">{sign}</span> {escape(rest)}'

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

    def along(self, run: Any) -> Any:
        """The values of the expression along a motion (a Trajectory), as an array."""
        return self.followed(run)[0]

    @property
    def number(self) -> float:
        """The value as a number; not a number where it is none."""
        return float(self.value) if isinstance(self.value, (int, float)) else math.nan

    def followed(self, run: Any) -> tuple[Any, float]:
        """The values along a motion, and the largest size of the terms that are added up there."""
        return _values(self, run)

    def drift(self, run: Any) -> float:
        """The largest departure from the start along a motion, relative to the size of what is added up there.

        For a sum the size is that of its terms, so that an integral which happens to be near zero is not blamed for it.
        """
        import numpy as np

        values, size = self.followed(run)
        if len(values) < 2:  # nothing to depart from
            return float("nan")
        change = float(np.max(np.abs(values - values[0])))
        return change / size if size > 1e-12 else change


def bounded(claim: str, value: float, limit: float, evidence: str = "") -> Finding:
    """A finding that holds when ``value <= limit`` (and never when it is not a number)."""
    return Finding(claim, "holds" if value <= limit else "fails", float(value), evidence or f"limit {limit:g}")


def _values(finding: Finding, run: Any) -> tuple[Any, float]:
    """Values along the motion and the size of their terms."""
    import numpy as np

    expression = finding.expression
    if expression is None:
        raise ValueError(f"{finding.claim}: there is no expression to follow along a motion.")
    if hasattr(expression, "along"):
        values = np.asarray(expression.along(run))
        return values, float(np.max(np.abs(values))) if len(values) else 0.0
    import symengine as se

    from nonholo.algebra.numeric import numeric_function

    whole = se.sympify(expression)
    terms = list(whole.args) if isinstance(whole, se.Add) else [whole]
    known = run.parameters
    names = sorted({str(s) for s in whole.free_symbols})
    count = len(run.times)
    columns = [np.full(count, float(known[n])) if n in known else np.asarray(run[n], dtype=float) for n in names]
    function = numeric_function([se.Symbol(n) for n in names] or [se.Symbol("_none")], [*terms, se.Integer(1)], "lambda")
    given = np.column_stack(columns) if columns else np.zeros((count, 1))
    with np.errstate(all="ignore"):
        numbers = np.asarray(function(given), dtype=float).reshape(count, -1)[:, :-1]
    return numbers.sum(axis=1), float(np.max(np.sum(np.abs(numbers), axis=1))) if count else 0.0
