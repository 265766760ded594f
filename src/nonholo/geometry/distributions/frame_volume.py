"""The divergence of a frame's vector fields on the configurations.

The volume is ``dx``, or ``dx/dφ`` where relations ``φ`` hold. On a group in redundant coordinates, whose fields are independent,
it is that of the dual forms, ``θ^1 ∧ … ∧ θ^n``, for which ``div u_j = −c_jk^k``. A Lie algebra alone has no configurations, and
one that acts on few coordinates has dependent fields: there the brackets tell nothing of the volume.
"""

from __future__ import annotations

import numpy as np

from nonholo.algebra.calculus import ZERO, along, expand, jacobian, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import DependentRows, multiply, solve, transpose
from nonholo.algebra.prime.modular_arithmetic import rank
from nonholo.algebra.prime.random_points import Points
from nonholo.errors import ModelError
from nonholo.geometry.distributions.random_configurations import place_groups
from nonholo.geometry.frames.brackets import columns_of, sample, structure_functions
from nonholo.geometry.frames.frame_record import Frame


def divergences(frame: Frame) -> tuple[Expr, ...]:
    """``div u_j`` of every field of the frame; a ModelError where the relations are dependent and not invariant exactly.

    >>> from nonholo.geometry.frames.frame_constructions import Euclidean
    >>> from nonholo.geometry.groups.lie_algebra import LieAlgebra
    >>> divergences(LieAlgebra({("a", "b"): "b"}) * Euclidean("x"))
    (0, 0, 0)
    >>> divergences(Frame("x y", "a b", [["1", "0"], ["0", "exp(x)"]]))
    (0, 0)
    """
    total = [ZERO] * frame.size
    table = structure_functions(frame)
    for velocities, places in _factors(frame):
        if _redundant(frame, velocities, places):
            for (i, k, a), c in table.items():
                if i in velocities:  # c_jk^k for both orders of the pair
                    total[i] -= c if a == k else ZERO
                    total[k] += c if a == i else ZERO
        else:
            for j in velocities:
                total[j] = _in_coordinates(frame, j, places)
    return tuple(total)


def _factors(frame: Frame) -> list[tuple[list[int], list[int]]]:
    """The frame as a product: velocities and coordinates that have nothing to do with the others."""
    size = frame.size
    group = list(range(size + len(frame.coordinates)))

    def join(members: set[int]) -> None:
        kinds = {group[m] for m in members}
        group[:] = [min(kinds) if g in kinds else g for g in group]

    place = {s: size + k for k, s in enumerate(symbols(frame.coordinates))}

    def held(expr: Expr) -> set[int]:
        return {place[s] for s in expr.free_symbols if s in place}

    for k, row in enumerate(frame.anchor):
        for j, e in enumerate(row):
            if e != 0:
                join({j, size + k, *held(e)})
    for key, c in structure_functions(frame).items():
        join({*key, *held(c)})
    for e in frame.relations:
        join(held(e))
    found = []
    for kind in dict.fromkeys(group):
        members = [m for m, g in enumerate(group) if g == kind]
        found.append(([m for m in members if m < size], [m - size for m in members if m >= size]))
    return found


def _redundant(frame: Frame, velocities: list[int], places: list[int]) -> bool:
    """Whether there are more coordinates than fields, and the fields are independent at a generic configuration."""
    if len(places) <= len(velocities) or not velocities:
        return False
    points = Points(4, seed=29)
    place_groups(points, frame)
    numbers = np.array([[points.value(frame.anchor[k][j]) for j in velocities] for k in places])
    return any(rank(numbers[:, :, n]) == len(velocities) for n in np.flatnonzero(points.good))


def _in_coordinates(frame: Frame, j: int, places: list[int]) -> Expr:
    """``∂_k ψ_j^k − tr M`` with ``u_j[φ] = M φ``: the divergence for ``dx/dφ``."""
    x = symbols(frame.coordinates)
    column = columns_of(frame)[j]
    total = sum((column[k].diff(x[k]) for k in places), ZERO)
    own = {x[k] for k in places}
    relations = [e for e in frame.relations if e.free_symbols & own]
    moved = along(relations, dict(zip(x, column)))
    if all(expand(e) == 0 for e in moved):
        return total
    normals, changes = jacobian(relations, x), jacobian(moved, x)
    gram = multiply(normals, transpose(normals))
    sides = multiply(normals, transpose(changes))
    try:
        shares = solve(gram, sides, [sample(frame, k) for k in range(2)])
    except DependentRows:
        raise ModelError(
            f"frame: the relations {', '.join(map(str, relations))} depend on each other; leave out those that follow."
        ) from None
    return total - sum((row[a] for a, row in enumerate(shares)), ZERO)
