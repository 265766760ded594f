"""Methods that keep the energy to rounding: a discrete gradient in the adapted frame, and its symmetric composition."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nonholo.integrate.methods.method_record import register
from nonholo.integrate.methods.scheme_methods import Implicit

SUZUKI = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
"""Five parts (s, s, 1 − 4s, s, s) of a symmetric method of order 2 make one of order 4. [Suzuki, Physics Letters A 146
(1990) 319]"""


@register
@dataclass(frozen=True)
class EnergyExact(Implicit):
    """The mean-value discrete gradient in the adapted frame: energy and constraints to rounding, symmetric, order 2.

    The equations are in `nonholo.compile.schemes.discrete_gradient`, those for nonlinear constraints in
    `nonholo.compile.schemes.chetaev`. The step counts the work of forces as the motion does. ``compensated`` carries the
    rounding error of one step to the next.

    >>> EnergyExact(step=0.01).order
    2
    """

    compensated: bool = True

    name: ClassVar[str] = "energy_exact"
    principle: ClassVar[str] = "energy_exact"
    properties: ClassVar[tuple[str, ...]] = ("implicit", "symmetric", "constant step", "keeps the energy")


@register
@dataclass(frozen=True)
class EnergyExact4(EnergyExact):
    """`EnergyExact` in five parts of a step, of which the middle goes back: order 4, symmetric, energy to rounding.

    >>> round(sum(part for part, _ in EnergyExact4.composition), 15)
    1.0
    """

    name: ClassVar[str] = "energy_exact4"
    order: ClassVar[int] = 4
    composition: ClassVar[tuple[tuple[float, float], ...]] = tuple(
        (part, 0.5) for part in (SUZUKI, SUZUKI, 1.0 - 4.0 * SUZUKI, SUZUKI, SUZUKI)
    )
