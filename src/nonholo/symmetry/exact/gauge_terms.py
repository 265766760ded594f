"""Terms linear in the velocities up to total derivatives: ``A·q̇`` by the 2-form ``dA``.

``L + dF/dt`` has the same motions as L, but is not left alone by the same maps; and a constant field B written by a potential,
``B(xẏ − yẋ)/2``, hides the shifts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, expand, gradient, larger_than, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.prime.random_points import Points, Unsupported, vanishes
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.model.system import TIME, System, varied
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, exact_states, motion_of
from nonholo.symmetry.group.symmetry_group import group_of
from nonholo.symmetry.vector_fields import complete_lift

LONG = 600
"""Longer Lagrangians are left as they are."""


def without_gauge(system: System) -> System:
    """A system in plain coordinates with ``M_ij = ∂_i A_j − ∂_j A_i`` for the part ``A·q̇`` of L; else as it is.

    >>> skate = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 + 2*x*y*xdot + x**2*ydot")
    >>> found = without_gauge(skate)
    >>> found.lagrangian, dict(found.magnetic)
    ((1/2)*(xdot**2 + ydot**2), {})
    """
    if not system.frame.plain or system.parametric is not None:
        return system
    lagrangian = lagrangian_in_frame(system)
    if larger_than([lagrangian], LONG):
        return system
    x, v = symbols(system.coordinates), symbols(system.velocities)
    still = dict.fromkeys(v, ZERO)
    potential = substitute(gradient(lagrangian, v), still)
    changing = {TIME, *symbols(system.inputs)}  # their rates are forces
    if all(e == 0 for e in potential) or any(e.free_symbols & changing for e in potential):
        return system
    field = {
        (str(a), str(b)): potential[j].diff(a) - potential[i].diff(b)
        for (i, a), (j, b) in combinations(list(enumerate(x)), 2)
    }
    magnetic = dict(system.magnetic)
    for (a, b), e in field.items():
        if _vanishes(e):
            continue
        if (b, a) in magnetic:
            magnetic[b, a] = magnetic[b, a] - e
        else:
            magnetic[a, b] = magnetic.get((a, b), ZERO) + e
    linear = expand(sum((a * b for a, b in zip(potential, v)), ZERO))
    own = [expand(e) if all(p.xreplace(still) == p for p in gradient(e, v)) else e for e in _terms(lagrangian)]
    terms = [*(e for whole in own for e in _terms(whole)), *(-e for e in _terms(linear))]
    return replace(system, lagrangian=se.Add(*terms), magnetic=FrozenMap(magnetic))


def _terms(expr: Expr) -> tuple[Expr, ...]:
    return tuple(expr.args) if isinstance(expr, se.Add) else (expr,)


def _vanishes(expr: Expr) -> bool:
    if expr == 0:
        return True
    try:
        return not np.any(Points(8, 61).value(expr))
    except Unsupported:
        return False


def freest(system: System) -> System:
    """The system without gauge terms where a symmetry of its equations changes them, or none of them is left; else as it is."""
    other = without_gauge(system)
    if other is system or not other.magnetic:
        return other
    return with_magnetic_form(system, list(group_of(system).plain.values()))


def with_magnetic_form(system: System, fields: Sequence[Sequence[Expr]]) -> System:
    """`without_gauge` where the fields, symmetries of the equations, change the terms linear in the velocities; else as it is."""
    try:
        motion = motion_of(system)
        return without_gauge(system) if changes(motion, _linear_part(motion.system), fields) else system
    except (NoPoints, Unsupported):
        return system


def with_invariant_potential(system: System, fields: Sequence[Sequence[Expr]]) -> System:
    """The same motions with a potential that the fields, symmetries of the equations, leave alone: other terms become forces.

    >>> weight = System(coordinates="u f", lagrangian="(udot**2 + (1 + u**2)*fdot**2)/2 - u**2 - 3*f")
    >>> found = with_invariant_potential(weight, [(ZERO, ONE)])
    >>> dict(found.forces), found.lagrangian.diff(se.Symbol("f"))
    ({'f': -3}, 0)
    """
    (rest,) = substitute([lagrangian_in_frame(system)], dict.fromkeys(symbols(system.velocities), ZERO))
    terms = [e for e in _terms(expand(rest)) if e.free_symbols & set(symbols(system.coordinates))]
    try:
        motion = motion_of(system)
        if not terms or not changes(motion, rest, fields):
            return system
        moved = [e for e in terms if changes(motion, e, fields)]
        evenly = [e for e in moved if _changes_evenly(motion, e, fields)]
        whole = se.Add(*(moved if changes(motion, rest - se.Add(*evenly), fields) else evenly))
    except (NoPoints, Unsupported):
        return system
    forces = {n: se.sympify(e) for n, e in system.forces.items()}
    for c in system.coordinates:
        slope = whole.diff(symbol(c))
        if slope != 0:
            forces[c] = forces.get(c, ZERO) + slope
    return varied(system, lagrangian=se.Add(*_terms(system.lagrangian), *(-e for e in _terms(whole))), forces=forces)


def _linear_part(system: System) -> Expr:
    v = symbols(system.velocities)
    slopes = substitute(gradient(lagrangian_in_frame(system), v), dict.fromkeys(v, ZERO))
    return sum((a * b for a, b in zip(slopes, v)), ZERO)


def _change(motion: Motion, expr: Expr, field: Sequence[Expr]) -> Expr:
    """``ξ^C[f]``."""
    return along([expr.xreplace(dict(motion.constants))], complete_lift(motion.system, field))[0]


def changes(motion: Motion, expr: Expr, fields: Sequence[Sequence[Expr]]) -> bool:
    """Whether a field changes a function at some configuration of the leaf, with any velocities."""
    if not expr.free_symbols:
        return False
    points = exact_states(motion, 8, 61).points
    points = points.copy_with({s: points.random() for s in symbols(motion.system.velocities)})
    return not all(vanishes([_change(motion, expr, field)], points) for field in fields)


def _changes_evenly(motion: Motion, expr: Expr, fields: Sequence[Sequence[Expr]]) -> bool:
    """Whether every field changes a function by the same at all configurations."""
    x = symbols(motion.system.coordinates)
    points = exact_states(motion, 8, 67).points
    return all(vanishes(list(gradient(_change(motion, expr, field), x)), points) for field in fields)


__all__ = ["ONE", "freest", "with_invariant_potential", "with_magnetic_form", "without_gauge"]
