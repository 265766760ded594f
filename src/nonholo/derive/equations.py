"""The record every derivation returns: motion as a pair (M, F), never inverted symbolically."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from nonholo.algebra.frozen import FrozenMap
from nonholo.algebra.kinds import Expr, Symbol
from nonholo.model.system import System


@dataclass(frozen=True)
class Covectors:
    """What a discrete principle pairs with virtual displacements: momenta, forces, and the directions (see `discrete`).

    Without a ``basis`` momenta and forces have one component for each speed; with one they have one for each velocity of
    the frame, and column α of the basis is the virtual displacement α.
    """

    principle: str
    momenta: tuple[Expr, ...]
    forces: tuple[Expr, ...]
    basis: tuple[tuple[Expr, ...], ...] = ()
    residuals: tuple[Expr, ...] = ()
    """The velocity constraints themselves, for principles that solve for their reactions."""
    whole: bool = False
    """The principle wants the mass matrix whole: it is bordered by the constraints."""


@dataclass(frozen=True, repr=False)
class Equations:
    """Equations of motion ``ẋ = kinematics(x, z, t)``, ``mass · (ż, unknowns) = force``.

    ``coordinates`` are ``x``, ``speeds`` are ``z`` (quasi-velocities, rates or momenta), ``unknowns`` are
    solved together with ``ż`` but are not part of the state (Lagrange multipliers). Every expression is in the
    symbols of ``coordinates``, ``speeds``, ``time``, ``inputs`` and ``parameters``.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> eqs = nh.hamel(sleigh.system)
    >>> eqs.state
    ('theta', 'x', 'y', 'omega', 'v')
    >>> rates = eqs.rates({**dict.fromkeys(eqs.state, 0.0), "omega": 1.0, "v": 2.0}, {"m": 1, "J": 1, "a": 1})
    >>> rates["v"]
    1.0
    """

    name: str
    origin: str
    coordinates: tuple[Symbol, ...]
    speeds: tuple[Symbol, ...]
    kinematics: tuple[Expr, ...]
    mass: tuple[tuple[Expr, ...], ...]
    force: tuple[Expr, ...]
    energy: Expr
    time: Symbol
    unknowns: tuple[Symbol, ...] = ()
    parameters: tuple[Symbol, ...] = ()
    inputs: tuple[Symbol, ...] = ()
    symmetric: bool = True
    outputs: FrozenMap[str, Expr] = field(default_factory=FrozenMap)
    """Every other name of the system (rates, dependent quasi-velocities) as an expression of the state."""
    invariants: FrozenMap[str, Expr] = field(default_factory=FrozenMap)
    """Expressions that are zero on every true motion (holonomic constraints, RᵀR = 1, nonlinear constraints)."""
    covectors: Covectors | None = None
    """For methods that discretise a variational principle and not the equations."""
    system: System | None = field(default=None, compare=False)
    """The system they were derived from; None for equations by hand."""

    def rates(self, state: Mapping[str, Any], parameters: Mapping[str, Any] | None = None) -> dict[str, float]:
        """The time derivative of every named quantity: ``rates["x"]`` is ẋ, ``rates["xdot"]`` is ẍ, ``rates["omega"]`` is ω̇.

        ``state`` names at least the state variables, or enough other velocities of the system to find them; it
        also holds ``t`` (0 unless given) and the inputs.
        """
        from nonholo.derive.evaluate import rates

        return rates(self, state, parameters)

    def latex(self, budget: float = 5.0) -> str:
        """The equations as LaTeX, as a person would write them; ``budget`` units of work (about a second each) go into
        shortening them."""
        from nonholo.derive.display import latex

        return latex(self, budget)

    def __str__(self) -> str:
        from nonholo.derive.display import text

        return text(self)

    def __repr__(self) -> str:
        return f"<Equations of {self.name} ({self.origin}) in {', '.join(self.state)}; print them to read them>"

    def _repr_pretty_(self, page: Any, cycle: bool) -> None:
        page.text(str(self))

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    @property
    def state(self) -> tuple[str, ...]:
        """The names of the state variables, coordinates first."""
        return tuple(str(s) for s in (*self.coordinates, *self.speeds))
