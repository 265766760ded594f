"""The record every derivation returns: motion as a pair (M, F), never inverted symbolically."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from nonholo.algebra.frozen import FrozenMap

Expr = Any
Symbol = Any


@dataclass(frozen=True)
class Equations:
    """Equations of motion ``ẋ = kinematics(x, z, t)``, ``mass · (ż, unknowns) = force``.

    ``coordinates`` are ``x``, ``speeds`` are ``z`` (quasi-velocities, rates or momenta), ``unknowns`` are
    solved together with ``ż`` but are not part of the state (Lagrange multipliers). Every expression is in the
    symbols of ``coordinates``, ``speeds``, ``time``, ``inputs`` and ``parameters``.
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

    @property
    def state(self) -> tuple[str, ...]:
        """The names of the state variables, coordinates first."""
        return tuple(str(s) for s in (*self.coordinates, *self.speeds))
