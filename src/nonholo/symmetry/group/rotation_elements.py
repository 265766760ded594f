"""Group elements of rotations that a group turns in every direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, transpose
from nonholo.symmetry.group.affine_symmetries import Numbers
from nonholo.symmetry.group.coordinate_blocks import Block


def triple(fields: Sequence[Numbers], places: Sequence[int], targets: Sequence[Numbers]) -> list[Numbers] | None:
    """Combinations of the fields that turn a block about its three axes and close among themselves."""
    if len(fields) < 3:
        return None
    table = np.stack([m[np.ix_(places, places)].ravel() for m in fields], axis=1)
    result = []
    for target in targets:
        weights = np.linalg.lstsq(table, target.ravel(), rcond=None)[0]
        if np.max(np.abs(table @ weights - target.ravel())) > 1e-8:
            return None
        result.append(np.asarray(np.round(np.tensordot(weights, np.stack(fields), axes=1), 12), dtype=np.float64))
    one, two, three = result
    closes = min(np.max(np.abs(one @ two - two @ one - s * three)) for s in (1, -1))
    return result if closes < 1e-8 else None


def whole_turn(
    hats: Sequence[Expr], block: Block, places: Sequence[int], stem: str, three: Sequence[Numbers]
) -> tuple[Matrix, Matrix] | None:
    """The map of all coordinates by the rotation itself, forth and back; None when it turns them in another way."""
    size = len(hats) + 1
    forth = [[ONE if i == j else ZERO for j in range(size)] for i in range(size)]
    if block.kind == "matrix":
        R = [[hats[places[3 * i + j]] for j in range(3)] for i in range(3)]
        U: Any = R if stem == "turn" else transpose(R)
        done: set[int] = set()
        back = [list(row) for row in forth]
    else:
        q = [hats[p] for p in places]
        U = _rotation(q) if stem == "turn" else None
        done = set(places)
        back = [list(row) for row in forth]
        inverse = [q[0], -q[1], -q[2], -q[3]]
        for i in range(4):
            for j in range(4):
                forth[places[i]][places[j]] = _multiplication(q, stem)[i][j]
                back[places[i]][places[j]] = _multiplication(inverse, stem)[i][j]
    moved = [i for i in range(size - 1) if any(np.any(m[i]) for m in three) and i not in done]
    for first in moved:
        if first in done or np.any(three[0][first]):
            continue
        second = [j for j in moved if three[2][first, j] == -1]
        third = [j for j in moved if three[1][first, j] == 1]
        if len(second) != 1 or len(third) != 1:
            return None
        triple = [first, second[0], third[0]]
        if U is None or not all(_standard(m, triple, k) for k, m in enumerate(three)):
            return None
        for a, i in enumerate(triple):
            for b, j in enumerate(triple):
                forth[i][j], back[i][j] = U[a][b], U[b][a]
        done |= set(triple)
    if set(moved) - done:
        return None
    return tuple(map(tuple, forth)), tuple(map(tuple, back))


def _standard(matrix: Numbers, triple: Sequence[int], axis: int) -> bool:
    """Whether the field turns three coordinates like a vector, about the axis."""
    wanted = np.zeros_like(matrix[list(triple)])
    i, j = (axis + 1) % 3, (axis + 2) % 3
    wanted[i, triple[j]], wanted[j, triple[i]] = -1.0, 1.0
    return bool(np.max(np.abs(matrix[list(triple)] - wanted)) < 1e-9)


def _multiplication(q: Sequence[Expr], stem: str) -> list[list[Expr]]:
    """The matrix of ``p → q p`` (turn) or ``p → p q`` (spin)."""
    a, b, c, d = q
    s = 1 if stem == "turn" else -1
    return [[a, -b, -c, -d], [b, a, -s * d, s * c], [c, s * d, a, -s * b], [d, -s * c, s * b, a]]


def _rotation(q: Sequence[Expr]) -> list[list[Expr]]:
    a, b, c, d = q
    return [
        [a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)],
        [2 * (b * c + a * d), a * a - b * b + c * c - d * d, 2 * (c * d - a * b)],
        [2 * (b * d - a * c), 2 * (c * d + a * b), a * a - b * b - c * c + d * d],
    ]
