"""Statements about control systems, each with its data, and their sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from nonholo.finding.sentences import Verdict, writes
from nonholo.finding.statements import FindingData


class Where(Enum):
    """The states a statement is about."""

    GENERIC = "at almost every state"
    REST = "at rest at almost every configuration"
    STATE = "at the given state"


@dataclass(frozen=True)
class Accessible(FindingData):
    """Whether brackets of drift and input fields span all directions; ``growth`` are their dimensions by length."""

    where: Where
    dimension: int
    growth: tuple[int, ...]
    brackets: tuple[str, ...] = ()

    @property
    def rank(self) -> int:
        return self.growth[-1] if self.growth else 0


@writes(Accessible)
def _accessible(data: Accessible, verdict: Verdict) -> str:
    grows = f"brackets span {', '.join(map(str, data.growth))} of {data.dimension} dimensions"
    words = {"holds": "accessible", "fails": "not accessible", "unknown": "not decided whether it is accessible"}[verdict]
    return f"{words} {data.where.value}: {grows}"


@dataclass(frozen=True)
class LocallyControllable(FindingData):
    """Whether all states near a state are reached in any short time without going far (small-time local controllability)."""

    where: Where


@writes(LocallyControllable)
def _local(data: LocallyControllable, verdict: Verdict) -> str:
    words = {
        "holds": "small-time locally controllable",
        "fails": "not small-time locally controllable",
        "unknown": "not decided whether it is small-time locally controllable",
    }[verdict]
    return f"{words} {data.where.value}"


@dataclass(frozen=True)
class BadBracket(FindingData):
    """Whether a bad bracket is in the span of brackets of smaller weight."""

    where: Where
    bracket: str
    weights: tuple[int, ...]
    """Of the drift and of each input field."""


@writes(BadBracket)
def _bad(data: BadBracket, verdict: Verdict) -> str:
    state = "is neutralised" if verdict == "holds" else "is not neutralised"
    return f"bad bracket {data.bracket} {state} {data.where.value} (weights {', '.join(map(str, data.weights))})"


@dataclass(frozen=True)
class Moves(FindingData):
    """Whether constant inputs can hold a state."""

    where: Where


@writes(Moves)
def _moves(data: Moves, verdict: Verdict) -> str:
    words = {"holds": "the drift carries the system away", "fails": "constant inputs hold the system"}
    return f"{words.get(verdict, 'not decided whether constant inputs hold the system')} {data.where.value}"


@dataclass(frozen=True)
class LinearlyControllable(FindingData):
    """Whether the linearisation is controllable (Kalman); ``stuck`` are eigenvalues of modes that no input reaches (Hautus)."""

    where: Where
    rank: int
    dimension: int
    stuck: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    """Ignorable coordinates that were left out."""


@writes(LinearlyControllable)
def _linear(data: LinearlyControllable, verdict: Verdict) -> str:
    if verdict == "unknown":
        return f"no linearisation {data.where.value}"
    without = f" without the ignorable {', '.join(data.ignored)}" if data.ignored else ""
    which = f"; no input reaches the mode{'s' if len(data.stuck) > 1 else ''} {', '.join(data.stuck)}" if data.stuck else ""
    word = "controllable" if verdict == "holds" else "not controllable"
    return f"the linearisation{without} is {word} {data.where.value}: rank {data.rank} of {data.dimension}{which}"


@dataclass(frozen=True)
class Stabilisable(FindingData):
    """Whether linear feedback makes a state asymptotically stable."""

    where: Where
    stuck: tuple[str, ...] = ()


@writes(Stabilisable)
def _stabilisable(data: Stabilisable, verdict: Verdict) -> str:
    if verdict == "unknown":
        return f"not decided by the linearisation whether feedback stabilises the system {data.where.value}"
    if verdict == "holds":
        return f"linear feedback stabilises the system {data.where.value}"
    return f"no smooth feedback stabilises the system {data.where.value}: the mode {', '.join(data.stuck)} grows out of reach"


@dataclass(frozen=True)
class SmoothStabiliser(FindingData):
    """Brockett's condition: whether ``(x, u) ↦ f + Σ u_i g_i`` is onto a neighbourhood of zero, as smooth stabilisation needs."""

    where: Where


@writes(SmoothStabiliser)
def _brockett(data: SmoothStabiliser, verdict: Verdict) -> str:
    return {
        "holds": f"Brockett's necessary condition for smooth static feedback is met {data.where.value}",
        "fails": f"no continuous static state feedback stabilises the system {data.where.value}: Brockett's condition fails",
        "unknown": f"not decided whether Brockett's condition is met {data.where.value}",
    }[verdict]


@dataclass(frozen=True)
class DecouplingField(FindingData):
    """Whether the system can follow a field at any speed, from rest to rest (a kinematic reduction of rank one)."""

    field: str
    varies: bool = False
    """Whether its weights vary with the configuration."""
    family: int = 0
    """The dimension of the family of such fields, as directions at a configuration; 0 for a single one."""


@writes(DecouplingField)
def _decoupling(data: DecouplingField, verdict: Verdict) -> str:
    which = data.field
    if data.family:
        which += f", with weights on a cone of dimension {data.family + 1}{' that varies with the configuration' * data.varies},"
    elif data.varies:
        which += ", with a weight that varies with the configuration,"
    if verdict == "unknown":
        return f"{which} is a decoupling field where its weight is real"
    return f"{which} is {'a' if verdict == 'holds' else 'no'} decoupling field: {_KINEMATIC[verdict]}"


def mixture(weights: Sequence[int]) -> str:
    """A sum of input fields in words.

    >>> mixture((1, -2))
    'g1 - 2 g2'
    """
    parts = [f"{'-' if w < 0 else '+'} {'' if abs(w) == 1 else f'{abs(w)} '}g{k}" for k, w in enumerate(weights, 1) if w]
    return " ".join(parts).removeprefix("+ ")


_KINEMATIC = {
    "holds": "the system can follow it at any speed",
    "fails": "to follow it at varying speed needs forces that the inputs do not have",
    "unknown": "not decided",
}


@dataclass(frozen=True)
class KinematicallyControllable(FindingData):
    """Whether motions along decoupling fields, one after the other, reach every configuration; or all inputs at once do."""

    rank: int
    dimension: int
    maximal: bool = False
    """Maximally reducible: every motion along the input fields can be followed."""


@writes(KinematicallyControllable)
def _kinematic(data: KinematicallyControllable, verdict: Verdict) -> str:
    if data.maximal:
        if verdict == "holds":
            return "maximally reducible: every curve tangent to the input fields can be followed at any speed"
        return "not maximally reducible to a kinematic system"
    word = {"holds": "", "fails": "not ", "unknown": "not decided whether it is "}[verdict]
    return f"{word}kinematically controllable: brackets of decoupling fields span {data.rank} of {data.dimension} dimensions"


@dataclass(frozen=True)
class FibreControllable(FindingData):
    """Whether brackets reach all directions of a symmetry group: any displacement by the group, whatever the shape."""

    where: Where
    generators: tuple[str, ...]
    reached: int


@writes(FibreControllable)
def _fibre(data: FibreControllable, verdict: Verdict) -> str:
    words = {"holds": "fibre controllable", "fails": "not fibre controllable", "unknown": "fibre controllability not decided"}
    count = f"{data.reached} of {len(data.generators)} directions of {', '.join(data.generators)} are reached"
    return f"{words[verdict]} {data.where.value}: {count}"


@dataclass(frozen=True)
class Leaves(FindingData):
    """What confines the system: functions of the state that no input changes; ``codimension`` counts them."""

    check: ClassVar[bool] = False
    codimension: int
    functions: tuple[str, ...] = ()
    inside: bool | None = None
    """Whether it is locally controllable inside a leaf; None where that is not decided."""


@writes(Leaves)
def _leaves(data: Leaves, verdict: Verdict) -> str:
    which = " and ".join(f"{f} = const" for f in data.functions) or f"leaves of codimension {data.codimension}"
    inside = {True: "controllable on", False: "not locally controllable even on", None: "confined to"}[data.inside]
    return f"{inside} {which}"


@dataclass(frozen=True)
class NonintegrabilitySuffices(FindingData):
    """Whether fields that are not integrable make a system without drift controllable. [Bloch, Marsden, Zenkov 2005]"""

    rank: int
    """Of the input fields."""
    reached: int
    dimension: int


@writes(NonintegrabilitySuffices)
def _nonintegrability(data: NonintegrabilitySuffices, verdict: Verdict) -> str:
    return (
        f"the {data.rank} input fields are not integrable, and brackets stop at {data.reached} of {data.dimension} dimensions: "
        "nonintegrability alone does not give controllability, as Bloch, Marsden and Zenkov (Notices of the AMS 52, 2005) say"
    )


@dataclass(frozen=True)
class InsideLeaf(FindingData):
    """Whether the system is small-time locally controllable among the states that its holonomic constraints allow."""

    where: Where


@writes(InsideLeaf)
def _inside(data: InsideLeaf, verdict: Verdict) -> str:
    return f"small-time locally controllable on its leaf {data.where.value}"
