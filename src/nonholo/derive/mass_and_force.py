"""The pair (M, F) of a derivation as a record."""

from __future__ import annotations

from dataclasses import dataclass, field

from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError
from nonholo.model.rotation_axes import Axis
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
class MassAndForce:
    """Mass and force with the symbols they are written in; `Equations` adds the methods that evaluate and print them."""

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
    saddle: str = ""
    """With unknowns: ``positive`` where the mass of the speeds is positive definite, so that the unknowns follow from its Schur
    complement; ``redundant`` where moreover rows depend on each other, and the unknowns are the least ones."""
    covectors: Covectors | None = None
    """For methods that discretise a variational principle and not the equations."""
    system: System | None = field(default=None, compare=False)
    """The system they were derived from; None for equations by hand."""
    axes: tuple[Axis, ...] = field(default=(), compare=False)
    """Letters for rows or columns of rotation matrices, of equations that have no system of their own."""

    @property
    def state(self) -> tuple[str, ...]:
        """The names of the state variables, coordinates first."""
        return tuple(str(s) for s in (*self.coordinates, *self.speeds))


def covectors_of(pair: MassAndForce) -> Covectors:
    """The covectors of equations that were derived for a discrete principle; others have none to give.

    >>> import nonholo as nh
    >>> covectors_of(nh.hamel(nh.System(coordinates="q", lagrangian="qdot**2/2")))
    Traceback (most recent call last):
    nonholo.errors.ModelError: system: these equations (hamel) carry no momenta for a discrete principle; give simulate the \
system itself and the method by name.
    """
    if pair.covectors is None:
        raise ModelError(
            f"{pair.name}: these equations ({pair.origin}) carry no momenta for a discrete principle; give simulate the "
            "system itself and the method by name."
        )
    return pair.covectors
