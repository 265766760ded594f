"""Terms linear in the velocities without what the motion does not see: ``A·q̇`` as the 2-form ``dA``.

``L + dF/dt`` has the same motions as L, but is not left alone by the same maps; and a constant field B written by a potential,
``B(xẏ − yẋ)/2``, hides the shifts.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, gradient, larger_than, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.model.system import TIME, System
from nonholo.symmetry.exact.modular_states import NoPoints, motion_of
from nonholo.symmetry.group.shift_turn_algebra import symmetry_algebra

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
    linear = sum((a * b for a, b in zip(potential, v)), ZERO).expand()
    own = [e.expand() if all(p.xreplace(still) == p for p in gradient(e, v)) else e for e in _terms(lagrangian)]
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
    """The system without gauge terms where it has more symmetries that way, or none of them is left; else as it is."""
    other = without_gauge(system)
    if other is system:
        return system
    if not other.magnetic:
        return other
    try:
        return other if len(symmetry_algebra(motion_of(other))) > len(symmetry_algebra(motion_of(system))) else system
    except NoPoints:
        return system
