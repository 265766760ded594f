"""Methods that discretise d'Alembert's principle and not the equations: discrete Hamel, discrete Lagrange–d'Alembert."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from nonholo.errors import StateError
from nonholo.integrate.methods.method_record import register
from nonholo.integrate.methods.scheme_methods import Implicit, within


@dataclass(frozen=True)
class WithPlace(Implicit):
    """A step, and the place ``τ`` in it where the Lagrangian is taken; 1/2 gives order 2, other places order 1."""

    tau: float = 0.5

    def __post_init__(self) -> None:
        super().__post_init__()
        within(self, "tau", self.tau)


KINEMATICS = {
    "straight": "hamel",
    "averaged": "hamel averaged",
    "exponential": "hamel exponential",
    "cayley": "hamel cayley",
}
"""How configurations follow from velocities, and the scheme that does so."""


@register
@dataclass(frozen=True)
class DiscreteHamel(WithPlace):
    """The constrained discrete Hamel equations. [Zenkov 2016 (5.11), Theorem 5.2]

    For linear and affine constraints, in any frame; for others by Chetaev's rule (`nonholo.compile.schemes.chetaev`), with
    straight kinematics. With ``tau = 1/2`` it is symmetric in time and keeps what is quadratic in the coordinates, as
    ``RᵀR = 1`` is; for systems without constraints it is symplectic.

    ``kinematics`` chooses how configurations follow from velocities, which the principle leaves open: ``"straight"`` lines in the
    coordinates; ``"averaged"`` velocities of two steps between their middles, as (6.7) has it for the spherical pendulum;
    ``"exponential"`` or ``"cayley"`` increments on the group of the frame, which stay on it for every ``tau``.
    ``compensated`` adds what rounding loses in one step to the next.

    >>> DiscreteHamel(step=0.01).tau
    0.5
    """

    kinematics: str = "straight"
    name: ClassVar[str] = "hamel"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.kinematics not in KINEMATICS:
            raise StateError(
                f"method hamel: kinematics = {self.kinematics!r} is not known; choose one of {', '.join(KINEMATICS)}."
            )

    @property
    def principle(self) -> str:  # type: ignore[override]
        """The scheme of its step."""
        return KINEMATICS[self.kinematics]


PLACES = {"tau": "dlagrange_dalembert", **{n: f"cortes_martinez {n}" for n in ("begin", "middle", "end", "nodes")}}
"""Where the discrete constraint is taken, and the scheme that does so."""


@register
@dataclass(frozen=True)
class DiscreteLagrangeDAlembert(WithPlace):
    """The discrete Lagrange–d'Alembert principle of Cortés and Martínez. [Nonlinearity 14 (2001) 1365; Zenkov 2016 §5.3]

    ``L_d = h L(q_τ, (q' − q)/h)``, with the constraint at the same place and virtual displacements in D at the nodes; in
    plain coordinates. ``constraint`` takes it elsewhere: at the ``"begin"``, the ``"middle"`` or the ``"end"`` of the step,
    or the mean of both
    ``"nodes"`` (`nonholo.compile.schemes.discrete_principles`). It may change relative equilibria and their stability, which
    `DiscreteHamel` does not
    [Lynch and Zenkov 2009].
    """

    constraint: str = "tau"
    name: ClassVar[str] = "dlagrange_dalembert"

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.constraint not in PLACES:
            raise StateError(
                f"method dlagrange_dalembert: constraint = {self.constraint!r} is not known; choose one of {', '.join(PLACES)}."
            )

    @property
    def principle(self) -> str:  # type: ignore[override]
        """The scheme of its step."""
        return PLACES[self.constraint]


@register
@dataclass(frozen=True)
class Verlet(Implicit):
    """The method of Störmer and Verlet: half a step of the discrete Lagrange–d'Alembert principle with ``τ = 0``, half with 1.

    Without constraints, and with a potential, it is kick, drift, kick; with constraints the first half satisfies them where
    the step begins and the second where it ends, symmetric in time. [Hairer, Lubich, Wanner, Acta Numerica 12 (2003) 399; for
    constraints cf. McLachlan and Perlmutter, J. Nonlinear Science 16 (2006) 283]

    >>> Verlet(step=0.01).principle
    'dlagrange_dalembert'
    """

    name: ClassVar[str] = "verlet"
    principle: ClassVar[str] = "dlagrange_dalembert"
    properties: ClassVar[tuple[str, ...]] = ("symmetric", "constant step", "discrete Lagrange–d'Alembert principle")
    composition: ClassVar[tuple[tuple[float, float], ...]] = ((0.5, 0.0), (0.5, 1.0))
