"""How momentum moves a system beside its shape, over a grid of shapes: what a page needs to integrate a drawn loop.

Admissible velocities at the identity are ``ξ = A(r) ṙ + S(r) w``: the horizontal lift, and the symmetric admissible directions
with the speeds ``w``, which are what some group coordinates move by beyond the lift. As the lift is orthogonal to ``S``, no
``r̈`` enters the equation of these speeds, and ``ẇ`` is a polynomial of second degree in ``(ṙ, w)`` wherever the forces are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.numeric_functions import Formulas
from nonholo.algebra.subspaces import kernel
from nonholo.control.gaits.horizontal_lift import HorizontalLift
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import force_covector

Array = NDArray[np.float64]
LEAST = 1e-2
"""The smallest part of a symmetric direction that its speeds may be."""
CLOSE = 1e-6
"""A polynomial through some velocities must hold at others to this part."""


@dataclass(frozen=True, eq=False)
class MomentumTables:
    """Directions and growth of the speeds ``w`` on a grid of two shape variables."""

    speeds: tuple[str, ...]
    """The group coordinates whose velocities beyond the lift are the speeds."""
    directions: Array
    """(first, second, group, speed): velocity of each group coordinate per unit speed, at the identity."""
    growth: Array
    """(first, second, speed, monomial): ``ẇ`` by the products of `monomials` of the shape rates and the speeds."""
    monomials: tuple[tuple[int, ...], ...]
    """Products of shape rates (0, 1) and speeds (2, …): ``()`` is one, ``(0, 2)`` the first rate times the first speed."""


def momentum_tables(
    lift: HorizontalLift, axes: Sequence[Array], frame: str | None, pose: Sequence[str]
) -> MomentumTables | None:
    """The tables over two shape variables; None without momentum, without a frame, or where forces are no such polynomial."""
    names = lift.coordinates
    places = [[_at_shape(lift, (a, b)) for b in axes[1]] for a in axes[0]]
    bases = [[_symmetric(lift, q) for q in row] for row in places]
    counts = {basis.shape[1] for row in bases for basis in row}
    if frame is None or len(counts) != 1 or not (count := counts.pop()):
        return None
    group = [names.index(c) for c in lift.others]
    chosen = max(
        combinations(range(len(group)), count),
        key=lambda some: min(abs(np.linalg.det(basis[[group[k] for k in some]])) for row in bases for basis in row),
    )
    pivots = [group[k] for k in chosen]
    if min(abs(np.linalg.det(basis[pivots])) for row in bases for basis in row) < LEAST:
        return None
    monomials = tuple(m for degree in range(3) for m in combinations_with_replacement(range(2 + count), degree))
    push = Formulas(
        (*names, *(rate(c) for c in names), *lift.system.parameters, *lift.system.inputs, "t"), list(force_covector(lift.system))
    )
    random = np.random.default_rng(5)
    samples = random.uniform(-1.0, 1.0, (len(monomials) + 2, 2 + count))
    design = np.array([[np.prod([y[i] for i in m]) for m in monomials] for y in samples])
    directions = np.empty((*map(len, axes), len(group), count))
    growth = np.empty((*map(len, axes), count, len(monomials)))
    for i, row in enumerate(places):
        for j, q in enumerate(row):
            basis = bases[i][j] @ np.linalg.inv(bases[i][j][pivots])
            values = np.array([_speed_rates(lift, push, q, basis, pivots, y, pose) for y in samples])
            found, *_ = np.linalg.lstsq(design[: len(monomials)], values[: len(monomials)], rcond=None)
            if not np.allclose(design @ found, values, rtol=CLOSE, atol=CLOSE * (1.0 + np.max(np.abs(values)))):
                return None
            directions[i, j], growth[i, j] = basis[group], found.T
    sizes = np.max(np.abs(growth), axis=(0, 1, 2))
    kept = np.flatnonzero(sizes > CLOSE * CLOSE * np.max(sizes, initial=0.0))
    return MomentumTables(tuple(names[k] for k in pivots), directions, growth[..., kept], tuple(monomials[k] for k in kept))


def _at_shape(lift: HorizontalLift, shape: Sequence[float]) -> Array:
    q = lift.identity.copy()
    for name, value in zip(lift.shape, shape):
        q[lift.coordinates.index(name)] = value
    return q


def _symmetric(lift: HorizontalLift, q: Array) -> Array:
    """An orthonormal basis of the admissible velocities that leave the shape."""
    n = len(lift.coordinates)
    return kernel(lift.bordered(q)[0][n:, :n])


def _speed_rates(
    lift: HorizontalLift, push: Formulas, q: Array, basis: Array, pivots: Sequence[int], y: Array, pose: Sequence[str]
) -> Array:
    """``ẇ`` at shape rates and speeds ``y``: Lagrange's equations with multipliers while the shape moves uniformly."""
    n = len(q)
    matrix, slopes = lift.bordered(q)
    full = lift.solved(matrix)
    velocity = full[:n] @ y[:2] + basis @ y[2:]
    change = np.einsum("i,ijk->jk", velocity, slopes)
    given = [*q, *velocity, *lift.numbers, *[0.0] * (len(lift.system.inputs) + 1)]
    forces = push.rows(np.array([given]))[0]
    side = np.zeros(len(matrix))
    side[:n] = forces - change[:n, :n] @ velocity + 0.5 * np.einsum("j,ijk,k->i", velocity, slopes[:, :n, :n], velocity)
    side[n : n + lift.rows] = -change[n : n + lift.rows, :n] @ velocity
    turning = np.linalg.lstsq(matrix, side, rcond=None)[0][:n]
    if pose:  # velocities in the axes of the body
        x, z, angle = (lift.coordinates.index(c) for c in pose)
        turning[x], turning[z] = turning[x] + velocity[angle] * velocity[z], turning[z] - velocity[angle] * velocity[x]
    moved = -np.linalg.lstsq(matrix, change @ full, rcond=None)[0][:n] @ y[:2]
    return np.asarray((turning - moved)[list(pivots)])
