"""Prove that no density of the configuration exists: conditions ``X_b[ln f] = −Θ_b`` that contradict each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, gradient, larger_than, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import determinant, dot, transpose
from nonholo.algebra.prime.modular_arithmetic import rank
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.derive.hamel import lagrangian_in_frame, unconstrained
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups, put_on_leaf
from nonholo.model.system import TIME
from nonholo.symmetry.exact.modular_states import Motion, settle
from nonholo.symmetry.vector_fields import bracket, derivatives, divergence

MOST = 3
"""Absence is decided for at most so many speeds: the metric is inverted by hand."""
DEEP = 3
"""How often brackets are taken."""
NODES = 1500
BRACKETS = 1500
"""Longer expressions are left alone, and brackets that are longer together."""


def contradicted(motion: Motion) -> bool:
    """Whether it is proved that no density of the configuration is preserved, for linear constraints without forces."""
    system = motion.system
    forced = system.forces or system.magnetic or system.inputs
    if forced or len(motion.allowed.speeds) > MOST or not _homogeneous(motion):
        return False
    try:
        pairs = _conditions(motion)
        if larger_than([e for field, value in pairs for e in (*field, value)], NODES):
            return False
        return _contradiction(motion, pairs)
    except (NoPoints, Unsupported):
        return False


def kinetic(motion: Motion) -> bool:
    """Whether the rates of the speeds are quadratic in them: kinetic energy alone, linear constraints, no forces."""
    system, speeds = motion.system, symbols(motion.system.velocities)
    if system.forces or system.magnetic or system.inputs or not _homogeneous(motion):
        return False
    energy = lagrangian_in_frame(system)
    still = dict.fromkeys(speeds, ZERO)
    slopes = gradient(energy, speeds)
    flat = [e for row in unconstrained(system)[0] for e in row]
    low = [energy.xreplace(still), *(e.xreplace(still) for e in slopes)]
    return all(e.expand() == 0 for e in low) and not any(e.free_symbols & {*speeds, TIME} for e in flat)


def _homogeneous(motion: Motion) -> bool:
    """Whether the constraints are linear in the velocities, without a term of order zero."""
    allowed, speeds = motion.allowed, set(motion.equations.speeds)
    linear = motion.system.parametric is None and allowed.rows.linear and all(e == 0 for e in allowed.rows.sides)
    return linear and not any(e.free_symbols & {*speeds, TIME} for row in allowed.basis for e in row)


def _conditions(motion: Motion) -> list[tuple[tuple[Expr, ...], Expr]]:
    """The admissible fields and ``Θ_b = div X_b − c_ab^a``, with the bracket projected on D by the metric."""
    system, allowed = motion.system, motion.allowed
    frame = system.frame
    fields = transpose(allowed.basis)
    still = dict.fromkeys(motion.equations.speeds, ZERO)
    metric = [[e.xreplace(still) for e in row] for row in motion.equations.mass]
    size = len(fields)
    whole = determinant(metric)
    inverse = [[_cofactor(metric, j, i) / whole for j in range(size)] for i in range(size)]
    l = _metric(motion)
    result = []
    for b in range(size):
        total = divergence(frame, fields[b])
        for a in range(size):
            inner = bracket(frame, fields[a], fields[b])
            lowered = [dot(f, [dot(row, inner) for row in l]) for f in fields]
            total -= dot(inverse[a], lowered)
        result.append((tuple(fields[b]), total))
    return result


def _metric(motion: Motion) -> list[list[Expr]]:
    still = dict.fromkeys(symbols(motion.system.velocities), ZERO)
    return [[e.xreplace(still) for e in row] for row in unconstrained(motion.system)[0]]


def _cofactor(matrix: Sequence[Sequence[Expr]], i: int, j: int) -> Expr:
    rest = [[e for n, e in enumerate(row) if n != j] for k, row in enumerate(matrix) if k != i]
    return (determinant(rest) if rest else ONE) * (-1) ** (i + j)


def _contradiction(motion: Motion, pairs: list[tuple[tuple[Expr, ...], Expr]]) -> bool:
    """Whether fields that depend on each other at a random place have values that do not."""
    system = motion.system
    frame = system.frame
    first = list(pairs)
    for _ in range(DEEP + 1):
        if _disagree(motion, pairs):
            return True
        more = []
        for field, value in pairs[-6:]:
            for own, other in first:
                new = bracket(frame, own, field)
                slope = derivatives(frame, own, [value])[0] - derivatives(frame, field, [other])[0]
                if slope == 0 and all(e == 0 for e in new):
                    continue  # fields that commute may still need a value that is not zero
                if not larger_than([*new, slope], NODES):
                    more.append((new, slope))
        if not more or larger_than([e for field, value in more for e in (*field, value)], BRACKETS):
            return False
        pairs = [*pairs, *more]
    return _disagree(motion, pairs)


def _disagree(motion: Motion, pairs: Sequence[tuple[tuple[Expr, ...], Expr]]) -> bool:
    system = motion.system
    for attempt in range(8):
        points = Points(6, 41 + attempt)
        settle(points, motion, 41 + attempt)
        place_groups(points, system.frame)
        put_on_leaf(points, system.frame, system.holonomic)
        moved = [[dot(row, field) for row in system.frame.anchor] for field, _ in pairs]
        rows = np.array([points.values([*steps, value]) for steps, (_, value) in zip(moved, pairs)])
        if points.opaque:
            return False  # what is unknown here may make the two values one
        if not np.any(points.good):
            continue
        k = int(np.flatnonzero(points.good)[0])
        return rank(rows[:, :, k]) > rank(rows[:, :-1, k])
    return False
