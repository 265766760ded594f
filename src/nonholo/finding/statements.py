"""The kinds of statement a finding can make, each with its own data; `sentences` writes them in English.

What a program reads stands here as a field. A statement that only people read is a `Statement` with its text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class FindingData:
    """What a finding is about: one frozen subclass for each kind of statement."""

    check: ClassVar[bool] = False
    """Whether its failure is a mistake (✗, red). Otherwise both answers are facts, and neither is marked as a failure."""


@dataclass(frozen=True)
class Statement(FindingData):
    """A statement that only people read."""

    check: ClassVar[bool] = True
    text: str


@dataclass(frozen=True)
class Condition:
    """When an integral is constant; empty: always."""

    idle: bool = False
    """While all inputs are zero."""
    zero: tuple[str, ...] = ()
    """While these inputs are zero."""
    steady: tuple[str, ...] = ()
    """While these inputs are constant."""
    values: bool = False
    """For the given values of the parameters only."""

    def __bool__(self) -> bool:
        return self != Condition()


@dataclass(frozen=True)
class FirstIntegral(FindingData):
    """A quantity that is constant along every motion: ``formula`` in the system's names, or a description of a long one."""

    formula: str = ""
    energy: bool = False
    when: Condition = Condition()

    @property
    def name(self) -> str:
        """What to call it in a list: the energy by its name, others by their formula."""
        return "energy" if self.energy else self.formula


@dataclass(frozen=True)
class FurtherIntegrals(FindingData):
    """Whether there are integrals beyond those that were found."""


@dataclass(frozen=True)
class Invariance(FindingData):
    """Whether a generator of a group leaves a part of the system as it is."""

    check: ClassVar[bool] = True
    part: str
    generator: str


@dataclass(frozen=True)
class Agreement(FindingData):
    """Whether two derivations of the same thing give the same numbers."""

    check: ClassVar[bool] = True
    one: str
    other: str


@dataclass(frozen=True)
class AccelerationsUnique(FindingData):
    """Whether the equations determine the accelerations."""

    check: ClassVar[bool] = True


@dataclass(frozen=True)
class Involutive(FindingData):
    """Whether the admissible velocities are closed under brackets: then the constraints are holonomic."""


@dataclass(frozen=True)
class Freedom(FindingData):
    """How many velocities there are, and how many of them the constraints leave free."""

    velocities: int
    free: int


@dataclass(frozen=True)
class Symmetries(FindingData):
    """The fields that leave the system as it is, by name; ``hidden`` ones with their formula."""

    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class Measure(FindingData):
    """Whether the motion preserves a measure; ``which`` says what kind of density is meant."""

    which: str = ""


@dataclass(frozen=True)
class ReducedHamiltonian(FindingData):
    """Whether the reduced motion is Hamiltonian, perhaps after a change of time with the factor ``clock``."""

    theorem: str = ""
    clock: str = ""


@dataclass(frozen=True)
class MotionFills(FindingData):
    """The dimension of what one long motion fills, inside a space of ``space`` dimensions; no number when it was not measured."""

    dimension: float | None = None
    error: float = 0.0
    space: int = 0
    clear: bool = False
    """Whether the dimension is near a whole number."""

    @property
    def integrals(self) -> int:
        """So many independent integrals would explain it."""
        return max(0, self.space - max(1, round(self.dimension or 0.0)))
