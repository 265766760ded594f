"""Whether integrals are the same along the orbits of a symmetry group, so that they live on the reduced state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import along, gradient, symbols
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError
from nonholo.model.system import System
from nonholo.symmetry.exact.modular_states import on_shell
from nonholo.symmetry.exact.null_space_search import Sought
from nonholo.symmetry.group.shift_turn_algebra import Elementary, Generator, lifted
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.measure.density_descent import vanishes
from nonholo.symmetry.vector_fields import components


def lifts_of(system: System, group: Sequence[Generator]) -> list[tuple[Generator, list[Any]]] | None:
    """The fields of the group with the changes of the velocities that go with them; None where these are not known."""
    try:
        inner = [Elementary("", field, components(system.frame, field, system.name)) for field in group]
    except ModelError:
        return None
    return [(one.field, lifted(system, one)) for one in inner]


def is_invariant(quiet: Sought, lifts: Sequence[tuple[Generator, list[Any]]] | None, expr: Any) -> bool:
    """Whether an integral is the same along the orbits of the group, exactly."""
    motion = quiet.motion
    system = motion.system
    if isinstance(expr, NumericMomentum):
        return True  # its coefficients depend on a shape variable, along invariant fields
    if lifts is None:
        return False
    x, v = symbols(system.coordinates), symbols(system.velocities)
    (inner,) = [se.sympify(expr).xreplace(dict(motion.constants))]
    slopes = gradient(inner, v)
    for field, moved in lifts:
        (change,) = on_shell(motion, [along([inner], dict(zip(x, field)))[0] + dot(slopes, moved)])
        if not vanishes(quiet, change):
            return False
    return True
