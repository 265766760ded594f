"""What follows from the lines of a judgement, as data; `sentences` writes it in English."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True)
class Conclusion:
    """What follows: one frozen subclass for each answer."""

    decided: ClassVar[bool] = True
    """Whether the question is answered."""


@dataclass(frozen=True)
class Integrable(Conclusion):
    """On a space of ``dimension`` there are so many independent integrals, all of them formulas when ``exact``."""

    space: str
    dimension: int
    integrals: int
    exact: bool = True


@dataclass(frozen=True)
class IntegrableByQuadratures(Integrable):
    """The integrals leave curves; the coordinates ``rest`` follow from these, one quadrature after the other.

    Where there are local integrals among them, this holds with the angles ``around`` counted beyond a turn.
    """

    rest: tuple[str, ...] = ()
    around: tuple[str, ...] = ()


@dataclass(frozen=True)
class IntegrableByEulerJacobi(Integrable):
    """The integrals leave surfaces, and there is an invariant measure."""


@dataclass(frozen=True)
class General(Conclusion):
    """No structure is left: a motion fills ``fills`` of the ``left`` dimensions that the known integrals leave."""

    left: int
    fills: float


@dataclass(frozen=True)
class Attracted(Conclusion):
    """A motion ends on an attractor: volumes of neighbouring states shrink along it at the rate ``shrinks``."""

    left: int
    fills: float | None
    """Its dimension, where that is clear."""
    shrinks: float


@dataclass(frozen=True)
class Open(Conclusion):
    """Not decided: ``left`` dimensions remain, of which a motion fills ``fills`` where that was measured."""

    decided: ClassVar[bool] = False
    left: int
    fills: float | None = None


@dataclass(frozen=True)
class OpenBeyondTests(Conclusion):
    """Not decided: the equations are beyond the exact tests; so many integrals are known."""

    decided: ClassVar[bool] = False
    integrals: int


@dataclass(frozen=True)
class OpenByInputs(Conclusion):
    """Not decided: the motion depends on the inputs."""

    decided: ClassVar[bool] = False
