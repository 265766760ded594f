"""A mathematical answer: what was asked, its verdict, and the evidence."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Literal

from nonholo.algebra.expression_types import is_expression
from nonholo.finding.conclusions import Conclusion
from nonholo.finding.sentences import Verdict, almost_all_words, because, lasting_words, sentence
from nonholo.finding.statements import (
    AlmostAll,
    Counterexample,
    Defect,
    Evidence,
    Exact,
    FindingData,
    FirstIntegral,
    Hint,
    Lasting,
    Measured,
    Proved,
    Reason,
    Statement,
)

if TYPE_CHECKING:
    from nonholo.algebra.expression_types import Expr, Quantity

Value = float | str | tuple[int, ...] | None
"""A number, a growth vector, or words."""
Mark = Literal["holds", "fails", "unknown", "fact"]
SIGNS: dict[Mark, str] = {"holds": "✓", "fails": "✗", "unknown": "?", "fact": "–"}
COLOURS: dict[Mark, str] = {"holds": "#009E73", "fails": "#D55E00", "unknown": "#8a8a8a", "fact": "#5d6770"}


@dataclass(frozen=True, init=False, repr=False)
class Finding:
    """What was asked, what came out, and why one should believe it.

    ``data`` is a record of the kind of statement, ``basis`` records of the evidence; `claim` and `evidence` are their sentences.
    Text given for either stands for a plain statement, and for something proved, measured or left open as the other words say.
    An integral of motion has its ``expression`` in the system's own names, or an object with ``along(run)``.

    >>> found = Finding("energy is conserved", "holds", 1e-13, "relative change along 5 random states")
    >>> print(found)
    ✓ energy is conserved: 1e-13 (relative change along 5 random states)
    >>> from nonholo.finding import Freedom
    >>> Finding(Freedom(3, 2), "holds", proved=True).as_json()["data"]
    {'velocities': 3, 'free': 2}
    """

    data: FindingData
    verdict: Verdict
    value: Value
    basis: tuple[Evidence, ...]
    expression: Quantity | None
    method: str

    def __init__(
        self,
        data: FindingData | str,
        verdict: Verdict,
        value: Value = None,
        evidence: str | Evidence | tuple[Evidence, ...] = (),
        expression: Quantity | None = None,
        method: str = "",
        proved: bool = False,
        *,
        basis: tuple[Evidence, ...] = (),
    ) -> None:
        if isinstance(evidence, str):
            kind = Proved if proved else Reason if verdict == "unknown" else Measured
            evidence = (kind(evidence),) if evidence or proved else ()
        given = evidence if isinstance(evidence, tuple) else (evidence,)
        given = (*basis, *given)
        if proved and not any(isinstance(one, Proved) for one in given):
            given = (Proved(), *given)
        for name, item in (
            ("data", Statement(data) if isinstance(data, str) else data),
            ("verdict", verdict),
            ("value", value),
            ("basis", given),
            ("expression", expression),
            ("method", method),
        ):
            object.__setattr__(self, name, item)

    @property
    def claim(self) -> str:
        """What is said, in a sentence."""
        words = [almost_all_words(e) for e in self.basis if isinstance(e, AlmostAll)]
        words += [lasting_words(e) for e in self.basis if isinstance(e, Lasting)]
        return sentence(self.data, self.verdict) + "".join(words)

    @property
    def evidence(self) -> str:
        """Why one should believe it, in words."""
        return because(self.basis)

    @property
    def proved(self) -> bool:
        """Whether the claim follows by an exact computation that a certificate lets another program repeat."""
        return any(isinstance(one, Proved) for one in self.basis)

    @property
    def exact(self) -> bool:
        """Whether the claim follows by exact computation, with a certificate or without; otherwise it was measured."""
        return any(isinstance(one, (Proved, Exact)) for one in self.basis)

    @property
    def counterexample(self) -> Counterexample | None:
        """A state at which the claim fails, where one is known."""
        return next((one for one in self.basis if isinstance(one, Counterexample)), None)

    @property
    def kind(self) -> str:
        """The kind of statement, as a word for programs: ``first_integral``, ``motion_fills`` …"""
        return kind_name(self.data)

    def as_json(self) -> dict[str, object]:
        """Plain data for a program: kind, data, verdict, evidence by kind, and the sentences for people."""
        from nonholo.notation.write import to_text

        formula = self.formula
        return {
            "kind": self.kind,
            "data": plain(self.data),
            "verdict": self.verdict,
            "proved": self.proved,
            "value": self.value,
            "claim": self.claim,
            "evidence": self.evidence,
            "basis": [{"kind": kind_name(one), **plain(one)} for one in self.basis],
            "expression": None if formula is None else to_text(formula),
            "method": self.method,
        }

    def __bool__(self) -> bool:
        return self.verdict == "holds"

    @property
    def mark(self) -> Mark:
        """``holds``, ``fails`` or ``unknown``; ``fact`` where something is not so and that is no failure of a check."""
        return "fact" if self.verdict == "fails" and not self.data.check else self.verdict

    @property
    def sign(self) -> str:
        """✓, ✗, – or ?; ✗ marks failures of checks alone."""
        return SIGNS[self.mark]

    @property
    def colour(self) -> str:
        """The colour of the sign: red for failures of checks alone."""
        return COLOURS[self.mark]

    @property
    def details(self) -> tuple[str, ...]:
        """What an expert wants to know beyond the sentence: the evidence and the method."""
        return tuple(words for words in (self.evidence, f"method: {self.method}" if self.method else "") if words)

    def _repr_html_(self) -> str:
        from html import escape

        return f'<span style="color:{self.colour}">{self.sign}</span> {escape(self._line())}'

    def __repr__(self) -> str:
        proof = ", proved" if self.proved else ""
        return f"<Finding {self.kind}: {self.verdict}{proof}: {self.claim}>"

    def __str__(self) -> str:
        return f"{self.sign} {self._line()}"

    def _line(self) -> str:
        shown = f"{self.value:.3g}" if isinstance(self.value, float) else str(self.value)
        why = f" ({self.evidence})" if self.evidence else ""
        return f"{self.claim}{'' if self.value is None else f': {shown}'}{why}"

    def along(self, run: Any) -> Any:
        """The values of the expression along a motion (a Trajectory), as an array."""
        return self.followed(run)[0]

    @property
    def formula(self) -> Expr | None:
        """The expression where it is a formula; None where only numbers along a trajectory are known."""
        return self.expression if is_expression(self.expression) else None

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


def bounded(claim: FindingData | str, value: float, limit: float, evidence: str = "") -> Finding:
    """A finding that holds when ``value <= limit`` (and never when it is not a number)."""
    return Finding(claim, "holds" if value <= limit else "fails", float(value), evidence or f"limit {limit:g}")


def while_lasting(finding: Finding, condition: Lasting) -> Finding:
    """The finding under the condition that contacts keep their mode; hints and defects are not about motions."""
    if not condition or isinstance(finding.data, (Hint, Defect)):
        return finding
    return replace(finding, basis=(*finding.basis, condition))


def for_almost_all(finding: Finding, parameters: Sequence[str]) -> Finding:
    """The finding for almost all values of parameters that have none; what is open needs no condition.

    >>> for_almost_all(Finding("the ranks agree", "holds", proved=True), ["m"]).claim
    'the ranks agree, for almost all values of m'
    """
    condition = AlmostAll(parameters=tuple(parameters))
    if not condition or finding.verdict == "unknown" or isinstance(finding.data, (Hint, Defect)):
        return finding
    return replace(finding, basis=(*finding.basis, condition))


def is_energy(finding: Finding) -> bool:
    """Whether a finding is about the energy being constant."""
    return isinstance(finding.data, FirstIntegral) and finding.data.energy


def integral_name(finding: Finding) -> str:
    """What to call an integral in a list: the energy by its name, others by their formula."""
    return finding.data.name if isinstance(finding.data, FirstIntegral) else finding.claim


def plain(record: FindingData | Evidence | Conclusion) -> dict[str, object]:
    """The fields of a record as JSON knows them: tuples as lists, members of an enumeration by name."""
    return {name: _plain(item) for name, item in asdict(record).items()}


def _plain(item: object) -> object:
    if isinstance(item, Enum):
        return item.name.lower()
    if isinstance(item, dict):
        return {name: _plain(part) for name, part in item.items()}
    return [_plain(part) for part in item] if isinstance(item, tuple) else item


def kind_name(record: object) -> str:
    """The class of a record as a word for programs.

    >>> kind_name(Statement("x"))
    'statement'
    """
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(record).__name__).lower()


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

    from nonholo.algebra.calculus import atoms
    from nonholo.algebra.numeric_functions import numeric_function

    count, known = len(run.times), run.parameters

    def along(exprs: Sequence[Expr], held: Mapping[Expr, Any]) -> Any:
        names = sorted({str(s) for e in exprs for s in e.free_symbols} - set(map(str, held)))
        columns = [np.full(count, float(known[n])) if n in known else np.asarray(run[n], dtype=float) for n in names]
        arguments = [*map(se.Symbol, names), *held] or [se.Symbol("_none")]
        given = np.column_stack([*columns, *held.values()]) if names or held else np.zeros((count, 1))
        with np.errstate(all="ignore"):
            made = numeric_function(arguments, [*exprs, se.Integer(1)], "lambda")(given)
        return np.asarray(made, dtype=float).reshape(count, -1)[:, :-1]

    whole = se.sympify(expression)
    angles = {e: se.Symbol(f"_angle{k}") for k, e in enumerate(sorted(atoms([whole], se.atan2), key=str))}
    turns = np.unwrap(along(list(angles), {}), axis=0).T if angles else ()  # the angle of a vector is counted beyond a turn
    whole = whole.xreplace(angles) if angles else whole
    terms = list(whole.args) if isinstance(whole, se.Add) else [whole]
    numbers = along(terms, dict(zip(angles.values(), turns)))
    return numbers.sum(axis=1), float(np.max(np.sum(np.abs(numbers), axis=1))) if count else 0.0
