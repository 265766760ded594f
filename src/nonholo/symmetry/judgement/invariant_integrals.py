"""Integrals on parts of the state: those that the symmetries leave alone live on the reduced state; how many are independent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, gradient, symbols
from nonholo.algebra.expression_types import Expr, Quantity
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.errors import ModelError
from nonholo.finding import Finding, FirstIntegral
from nonholo.model.system import System
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, on_shell
from nonholo.symmetry.exact.null_space_search import ATTEMPTS, Sought
from nonholo.symmetry.group.shift_turn_algebra import Elementary, Generator, lifted
from nonholo.symmetry.integrals.ode.numeric_momentum import NumericMomentum
from nonholo.symmetry.judgement.autonomous_part import (
    Part,
    generic_state,
    independent_count,
    living_on,
    slopes_at,
    timed,
)
from nonholo.symmetry.measure.equilibrium_trace import lift_of
from nonholo.symmetry.vector_fields import components

FEW = 6
"""States at which roots exist, for a test."""


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


@dataclass(frozen=True)
class Counted:
    """The integrals that live on a part of the state, how many of them are independent, and whether all are formulas."""

    integrals: tuple[Quantity, ...]
    count: int
    exact: bool


def is_local(finding: Finding) -> bool:
    """Whether an integral is a function only locally, and tells nothing of the dimension that a motion fills."""
    return isinstance(finding.data, FirstIntegral) and bool(finding.data.local)


def single_valued(motion: Motion, integrals: Sequence[Finding]) -> list[Finding]:
    """The integrals that are functions on the states."""
    return [f for f in integrals if f and f.expression is not None and not timed(motion, f.expression) and not is_local(f)]


def counted(
    motion: Motion,
    group: Sequence[Generator],
    spaces: Sequence[Part],
    kept: Sequence[Finding],
    values: Mapping[str, float],
) -> list[Counted]:
    """For each part the number of independent integrals on it."""
    exprs = [f.expression for f in kept]
    held, slopes = slopes_at(motion, exprs, generic_state(motion, values))
    quiet, lifts = Sought(motion, {}, True), lifts_of(motion.system, group)
    result = []
    for part in spaces:
        here = living_on(motion, part, exprs, lambda e, g: is_invariant(quiet, lifts, e))
        exact = all(not isinstance(e, NumericMomentum) for e in here)
        chosen = [slope for e, slope in zip(exprs, slopes) if any(e is other for other in here)]
        result.append(Counted(tuple(here), independent_count(held, chosen), exact))
    return result


def descends(motion: Motion, density: Expr, part: Part, group: Mapping[str, Generator]) -> bool:
    """Whether the density holds no other coordinate, the rest of the coordinates does not spread, and the symmetries that the
    part is taken modulo leave the measure alone: ``ξ[ln f] + div ξ = 0``.

    A wheel that counts the way gives a sleigh the density ``exp(c o)``, which is none of the sleigh's own.
    """
    quiet = Sought(motion, {}, True)
    f = se.sympify(density).xreplace(dict(motion.constants))
    others = [c for c in motion.equations.coordinates if c not in set(part.coordinates)]
    steps = dict(zip(motion.equations.coordinates, motion.equations.kinematics))
    spread = sum((steps[c].diff(c) for c in others), ZERO)
    if f.free_symbols & set(others) or (spread != 0 and not vanishes(quiet, spread)):
        return False
    for word, field in group.items() if part.group else ():
        try:
            lift = lift_of(motion, word, field)
        except ModelError:
            return False
        moved = dict(zip(symbols(motion.system.coordinates), lift.steps)) | dict(zip(motion.equations.speeds, lift.speeds))
        if not vanishes(quiet, along([se.log(f)], moved)[0] + lift.divergence):
            return False
    return True


def vanishes(quiet: Sought, expr: Expr) -> bool:
    """Whether an expression is zero at random states: roots of parameters may exist at none of them, which tells nothing."""
    for attempt in range(ATTEMPTS):
        try:
            places = quiet.states(4 * FEW, 15 + attempt)
            found = places.value(expr)
        except (NoPoints, Unsupported):
            return False
        if np.sum(places.good) >= FEW:
            return not np.any(found[places.good])
    return False
