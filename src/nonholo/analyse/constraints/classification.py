"""Record of a classification of constraints, and its sentences."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Literal

from nonholo.algebra.expression_types import Expr
from nonholo.finding import Finding
from nonholo.finding.html_tables import finding_cells, html_table
from nonholo.finding.sentences import headline
from nonholo.notation.write import to_text

Kind = Literal[
    "unconstrained", "holonomic", "holonomic in disguise", "partly holonomic", "nonholonomic", "nonlinear", "branches",
    "impossible",
]  # fmt: skip
_COUNTS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}


@dataclass(frozen=True)
class Classification:
    """The answer of `classify`; ``print`` it for a sentence.

    ``rank`` independent velocities of ``dimension`` are left; ``holonomic`` constraints were declared as such,
    ``disguised`` are holonomic although written in velocities, ``nonholonomic`` are neither (of the linear ones, when some
    are ``nonlinear``). ``integrals`` are functions
    that stay constant because of the disguised ones. When ``with_time`` the growth vector counts time as a coordinate.

    >>> import nonholo as nh
    >>> nh.classify(nh.System(coordinates="x y z", lagrangian="xdot**2/2", constraints=["zdot - y*xdot"])).growth
    (2, 3)
    """

    name: str
    kind: Kind
    form: Literal["none", "linear", "affine", "nonlinear"]
    dimension: int
    rank: int
    constraints: tuple[Expr, ...] = ()
    growth: tuple[int, ...] = ()
    complete: bool = True
    with_time: bool = False
    holonomic: int = 0
    disguised: int = 0
    nonholonomic: int = 0
    nonlinear: int = 0
    integrals: tuple[Expr, ...] = ()
    linear_equivalents: tuple[Expr, ...] = ()
    branches: tuple[Classification, ...] = ()
    homogeneous: bool | None = None
    remarks: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        return "; ".join((*_sentences(self), *self.remarks))

    def __repr__(self) -> str:
        return f"<Classification of {self.name}: {self}>"

    def _repr_html_(self) -> str:
        """The sentence, the numbers of velocities and constraints, and the findings, for a notebook."""
        counts = {
            "velocities": f"{self.dimension}, {self.rank} of them free",
            "holonomic": self.holonomic,
            "holonomic, written in velocities": self.disguised,
            "nonholonomic": self.nonholonomic,
            "nonlinear": self.nonlinear,
            "growth vector": self.growth,
            "constant by the constraints": ", ".join(map(to_text, self.integrals)),
        }
        rows = [[escape(name), escape(str(value))] for name, value in counts.items() if value]
        found = html_table(map(finding_cells, self.findings)) if self.findings else ""
        return f"<p>{escape(headline(str(self)))}</p>{html_table(rows, caption=self.name)}{found}"


def _sentences(what: Classification) -> list[str]:
    if what.kind == "impossible":
        return ["no velocity satisfies the constraints"]
    if what.kind == "unconstrained" and not what.linear_equivalents:
        return [f"no constraints: {_velocities(what.dimension)} free"]
    said = []
    if what.linear_equivalents:
        kind = "affine" if what.form == "affine" else "linear"
        said.append(f"apparently nonlinear, but equivalent to these {kind} ones: {_equations(what.linear_equivalents)}")
    if what.kind == "branches":
        return [*said, _branches(what)]
    if what.holonomic:
        said.append(f"{_counted(what.holonomic, 'holonomic constraint')} (declared)")
    if what.disguised:
        said.append(_disguised(what))
    if what.kind == "nonlinear":
        said.append(_nonlinear(what))
    elif what.nonholonomic:
        affine = "affine " if what.form == "affine" else ""
        total = what.dimension - what.rank - what.holonomic
        text = _counted(what.nonholonomic, f"{affine}nonholonomic constraint")
        if not what.complete and what.nonholonomic < total:
            text = f"{_counted(total, f'{affine}constraint')}, at least {what.nonholonomic} nonholonomic"
        said.append(f"{text}, {_growth(what)}")
    return said


def _growth(what: Classification) -> str:
    inner = ", ".join(map(str, what.growth)) + ("" if what.complete else ", …")
    place = " on configurations and time" if what.with_time else ""
    return f"growth vector ({inner}){place}" + ("" if what.complete else ", not followed further")


def _disguised(what: Classification) -> str:
    total = what.disguised + what.nonholonomic
    if total == what.disguised:
        head = "holonomic in disguise"
    else:
        verb = "is" if what.disguised == 1 else "are"
        head = f"{what.disguised} of {total} constraints {verb} holonomic in disguise"
    known = " and ".join(f"{to_text(f)} = const" for f in what.integrals)
    missing = what.disguised - len(what.integrals)
    if not known:
        return f"{head}: integrable, but no closed form found"
    text = f"{head}: {known} would be {'an integral' if len(what.integrals) == 1 else 'integrals'}"
    return text + (f" ({missing} more integrable, but no closed form found)" if missing else "")


def _nonlinear(what: Classification) -> str:
    beside = what.disguised + what.nonholonomic
    number = _counted(what.nonlinear, "constraint") + (f", beside {_counted(beside, 'linear one')}" if beside else "")
    if what.homogeneous is None:
        return f"nonlinear: {number}"
    if what.homogeneous:
        return f"nonlinear, homogeneous (the reaction does no work): {number}"
    return f"nonlinear, not homogeneous (the reaction may do work): {number}"


def _branches(what: Classification) -> str:
    kind = "linear " if all(b.form in ("linear", "none") for b in what.branches) else ""
    kind = kind or ("affine " if all(b.form in ("linear", "affine", "none") for b in what.branches) else "")
    count = _COUNTS.get(len(what.branches), str(len(what.branches)))
    told = []
    for k, branch in enumerate(what.branches):
        label = chr(ord("A") + k) if k < 26 else str(k + 1)
        told.append(f"{label}: {_equations(branch.constraints)} ({branch})")
    return f"factors into {count} {kind}branches: {', '.join(told)}"


def _equations(residuals: tuple[Expr, ...]) -> str:
    return ", ".join(f"{to_text(r)} = 0" for r in residuals)


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}{'s' if number != 1 else ''}"


def _velocities(number: int) -> str:
    return f"all {number} velocities are" if number != 1 else "the velocity is"
