"""Decide whether an invariant density descends to a part of the state or to its quotient."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.errors import ModelError
from nonholo.symmetry.exact.modular_states import Motion, NoPoints
from nonholo.symmetry.exact.null_space_search import ATTEMPTS, Sought
from nonholo.symmetry.group.shift_turn_algebra import Generator
from nonholo.symmetry.judgement.autonomous_part import Part
from nonholo.symmetry.measure.equilibrium_trace import lift_of

FEW = 6
"""States at which roots exist, for a test."""


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
