"""The kinds of statement a finding can make, each with its own data; `sentences` writes them in English.

What a program reads stands here as a field. A statement that only people read is a `Statement` with its text.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
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
    branches: bool = False
    """Between the jumps of inverse functions such as ``atan2``."""

    def __bool__(self) -> bool:
        return self != Condition()


@dataclass(frozen=True)
class FirstIntegral(FindingData):
    """A quantity that is constant along every motion: ``formula`` in the system's names, or a description of a long one."""

    formula: str = ""
    energy: bool = False
    when: Condition = Condition()
    local: tuple[str, ...] = ()
    """Angles round which it is not single valued: a local integral."""

    @property
    def name(self) -> str:
        """What to call it in a list: the energy by its name, others by their formula."""
        return "energy" if self.energy else self.formula


@dataclass(frozen=True)
class FurtherIntegrals(FindingData):
    """Whether there are integrals beyond those that were found; polynomials were tried up to ``degree``."""

    degree: int = 0


@dataclass(frozen=True)
class LinearMomenta(FindingData):
    """Whether there are integrals linear in the velocities with coefficients of these variables alone, and how many."""

    variables: tuple[str, ...]
    along: str = ""
    """The fields along which they are sought, where these were chosen."""
    count: int | None = None
    further: bool = False
    """Beyond those that were found."""
    fields: tuple[tuple[str, ...], ...] = ()
    """These fields by their components along the coordinates, where a certificate needs them."""


class Part(Enum):
    """A part of a system that a symmetry must leave as it is."""

    KINETIC = "kinetic energy"
    POTENTIAL = "potential energy"
    CONSTRAINTS = "constraints"
    FORCES = "forces"


@dataclass(frozen=True)
class Invariance(FindingData):
    """Whether generators of a group leave parts of a system as they are; ``row`` is the one that changes most, counted from 1."""

    check: ClassVar[bool] = True
    parts: tuple[Part, ...]
    generators: tuple[str, ...]
    row: int | None = None


@dataclass(frozen=True)
class FieldInside(FindingData):
    """Whether a field σ lies in the distribution of virtual velocities: ``field`` are its components in the frame."""

    field: tuple[str, ...]


@dataclass(frozen=True)
class FieldPreserves(FindingData):
    """Whether a field σ leaves the Lagrangian as it is: ``fully`` at any velocity, or where the constraints hold."""

    field: tuple[str, ...]
    fully: bool = True


@dataclass(frozen=True)
class Unimodular(FindingData):
    """Whether ``Tr ad_ξ = 0`` for every ξ of a Lie algebra."""


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
    fields: tuple[tuple[str, ...], ...] = ()
    """What each adds to the coordinates, as text."""
    values: bool = False
    """For the given values of the parameters only."""


class Density(Enum):
    """On what the density of a measure may depend."""

    CONFIGURATION = "configuration"
    VELOCITIES = "configuration and velocities"
    PHASE = "configuration and phase of periodic forces"
    TIME = "configuration and time"
    FINITE = "any, of a finite measure on the states and the phase of periodic forces"
    SMOOTH = "any, smooth and positive"
    INVARIANT = "any, smooth, positive and invariant under the symmetries"
    SHAPE_MOMENTA = "shape, with all momenta"
    SHAPE = "shape"


@dataclass(frozen=True)
class Measure(FindingData):
    """Whether the motion preserves a measure with a density of the given kind."""

    density: Density
    rate: str = ""
    """The rate at which volumes contract, where that is the same everywhere."""
    volume: str = ""
    """The density of these volumes."""
    values: bool = False
    """For the given values of the parameters only."""
    speeds: tuple[str, ...] = ()
    """Those to which the density belongs, where they are chosen for these values and not for the system as it stands."""


@dataclass(frozen=True)
class TimeReversible(FindingData):
    """Whether every motion, run backwards, is a motion of the system."""


@dataclass(frozen=True)
class ReducedHamiltonian(FindingData):
    """Whether the reduced motion is Hamiltonian, perhaps after a change of time with the factor ``clock``."""

    theorem: str = ""
    clock: str = ""
    new_time: bool = True
    """Whether changes of time are allowed."""


@dataclass(frozen=True)
class MotionFills(FindingData):
    """The dimension of what one long motion fills, inside a space of ``space`` dimensions; no number when it was not measured."""

    dimension: float | None = None
    error: float = 0.0
    space: int = 0
    clear: bool = False
    """Whether the dimension is near a whole number."""
    shrinks: float | None = None
    """The rate at which volumes of neighbouring states shrink along the motion, where they do: it is on an attractor."""

    @property
    def integrals(self) -> int:
        """So many independent integrals would explain it."""
        return max(0, self.space - max(1, round(self.dimension or 0.0)))


@dataclass(frozen=True)
class MotionFillsCurve(FindingData):
    """The known integrals leave curves in this space, so that a motion fills no more of it."""

    space: str


@dataclass(frozen=True)
class WindingTorus(FindingData):
    """A motion winds round a torus of ``dimension``, with the frequencies of these angles in rad/s."""

    dimension: int
    frequencies: tuple[tuple[str, float], ...]


@dataclass(frozen=True)
class Stable(FindingData):
    """Whether an equilibrium, a steady motion or a periodic orbit is stable; ``degree`` is the verdict in its own words."""

    degree: str
    orbit: bool = False


@dataclass(frozen=True)
class Property(FindingData):
    """A property that a system may have or not, neither of which is a failure: ``text`` if it has it, else ``otherwise``."""

    text: str
    otherwise: str


@dataclass(frozen=True)
class Hint(FindingData):
    """What looks like a slip of the user: ``text`` is what the system says as it stands."""

    text: str
    key: tuple[str | int, ...] = ()
    """The entry of the user's table that it is about, as in errors."""


@dataclass(frozen=True)
class Defect(FindingData):
    """A claim whose proof a computed motion contradicts: a mistake of this program, with the system that shows it."""

    check: ClassVar[bool] = True
    contradicted: str
    """The kind of the claim."""
    text: str
    """The sentence that was about to be called proved."""
    system: str
    """The system as a TOML file."""


@dataclass(frozen=True)
class Evidence:
    """One piece of evidence; ``words`` say what it is, for a person."""

    words: str = ""


@dataclass(frozen=True)
class Proved(Evidence):
    """An exact computation or a theorem; ``words`` name it. A certificate lets another program repeat it."""


@dataclass(frozen=True)
class Exact(Evidence):
    """An exact computation without a certificate: ranks and identities modulo a prime."""


@dataclass(frozen=True)
class Measured(Evidence):
    """Numbers at states or along motions; ``words`` say how they were found."""


@dataclass(frozen=True)
class Searched(Evidence):
    """A bounded search that found nothing; ``bounds`` say how far it went."""

    bounds: tuple[str, ...] = ()


@dataclass(frozen=True)
class Reason(Evidence):
    """Why something was not decided or does not apply."""


@dataclass(frozen=True)
class Counterexample(Evidence):
    """A state, with the parameters, at which what was asked fails; ``rate`` is how fast the quantity changes there."""

    state: tuple[tuple[str, float], ...] = ()
    parameters: tuple[tuple[str, float], ...] = ()
    rate: float = 0.0


@dataclass(frozen=True)
class Lasting(Evidence):
    """The claim is about motions during which contacts keep their mode; empty: about all motions.

    >>> bool(Lasting()), bool(Lasting(rolling=("wheel",)))
    (False, True)
    """

    rolling: tuple[str, ...] = ()
    """These roll: they could slip."""
    closed: tuple[str, ...] = ()
    """These stay closed: they could lift."""
    resisting: tuple[str, ...] = ()
    """The resistance of these to rolling and spin is left out."""

    def __bool__(self) -> bool:
        return self != Lasting()


@dataclass(frozen=True)
class AlmostAll(Evidence):
    """The claim is about almost all values of these parameters: it may fail for special ones; empty: about all values.

    >>> bool(AlmostAll()), bool(AlmostAll(parameters=("m",)))
    (False, True)
    """

    parameters: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.parameters)


ALWAYS = Lasting()
"""No contact can leave its mode."""
