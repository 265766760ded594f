"""Pairs of functions that a field rotates like (cos, sin)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, expand
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import Matrix, dot, transpose
from nonholo.geometry.groups.one_parameter_groups import exact
from nonholo.model.system import System
from nonholo.symmetry.group.coordinate_blocks import Block, blocks_of


@dataclass(frozen=True, eq=False)
class TurningPair:
    """``ξ[f] = −ω g``, ``ξ[g] = ω f`` for ``f = first · x``, ``g = second · x``."""

    first: Numbers
    second: Numbers
    frequency: float
    block: str = ""
    kind: str = ""
    """For entries of a rotation matrix: "sum k" and "difference k" (radius 1 ± R_kk), "column k l", "row k l"."""
    side: str = ""
    """Whether the field turns the matrix from the left (rows mix) or the right."""
    entry: int = -1
    """The coordinate that the radius is made of, for a rotation matrix."""

    def functions(self, hats: Sequence[Expr]) -> tuple[Expr, Expr]:
        """f and g, of coordinates given as expressions."""
        return _linear(self.first, hats), _linear(self.second, hats)

    def radius(self, hats: Sequence[Expr]) -> Expr:
        """``√(f² + g²)``, in the form that has no root where there is one."""
        word = self.kind.split(" ")[0]
        if word == "sum":
            return 1 + hats[self.entry]
        if word == "difference":
            return 1 - hats[self.entry]
        if word in ("row", "column"):
            return se.sqrt(1 - hats[self.entry] ** 2)
        f, g = self.functions(hats)
        return se.sqrt(expand(f**2 + g**2))


def _linear(row: Numbers, hats: Sequence[Expr]) -> Expr:
    return dot([exact(e) for e in row], list(hats))


def pairs_of(
    system: System, matrix: Numbers, points: Numbers, fixed: Mapping[int, Any], turned: Mapping[str, Any]
) -> Iterator[TurningPair]:
    """All pairs that the field turns on the part of the section that is reached."""
    names = system.coordinates
    blocks = blocks_of(system.frame)
    inside = {c for b in blocks if b.kind == "matrix" for c in b.coordinates}
    free = [i for i, c in enumerate(names) if c not in inside and i not in fixed]
    size = len(names)
    for i, j in combinations(free, 2):
        frequency = float(matrix[j, i])
        second = _unit(size, j, float(np.sign(frequency)))
        if frequency and _turns(matrix, points, _unit(size, i), second, abs(frequency)):
            yield TurningPair(_unit(size, i), second, abs(frequency))
    for block in blocks:
        if block.kind == "matrix" and not any(names.index(c) in fixed for c in block.coordinates):
            yield from _matrix_pairs(names, block, matrix, points, turned.get(block.name, ()))


def _unit(size: int, index: int, sign: float = 1.0) -> Numbers:
    found = np.zeros(size)
    found[index] = sign
    return found


def _turns(matrix: Numbers, points: Numbers, first: Numbers, second: Numbers, frequency: float) -> bool:
    f, g = points[:, :-1] @ first, points[:, :-1] @ second
    df, dg = points @ (first @ matrix[:-1]), points @ (second @ matrix[:-1])
    return bool(np.max(np.abs(df + frequency * g)) < 1e-8 and np.max(np.abs(dg - frequency * f)) < 1e-8)


def _matrix_pairs(
    names: Sequence[str], block: Block, matrix: Numbers, points: Numbers, before: Sequence[TurningPair]
) -> Iterator[TurningPair]:
    size = len(names)
    at = [[names.index(block.coordinates[3 * i + j]) for j in range(3)] for i in range(3)]
    options: list[tuple[Numbers, Numbers, str, int]] = []
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        if not before:
            one, two, three, four = (_unit(size, at[a][b]) for a, b in ((i, i), (j, j), (j, i), (i, j)))
            options.append((one + two, three - four, f"sum {k}", at[k][k]))
            options.append((one - two, three + four, f"difference {k}", at[k][k]))
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        for l in range(3):
            options.append((_unit(size, at[i][l]), _unit(size, at[j][l]), f"column {k} {l}", at[k][l]))
            options.append((_unit(size, at[l][i]), _unit(size, at[l][j]), f"row {l} {k}", at[l][k]))
    for first, second, kind, entry in options:
        for sign in (1.0, -1.0):
            df = points @ (first @ matrix[:-1])
            g = points[:, :-1] @ (sign * second)
            weights = np.linalg.lstsq(g[:, None], -df, rcond=None)[0]
            frequency = float(weights[0])
            if frequency > 1e-6 and _turns(matrix, points, first, sign * second, frequency):
                left = np.any(np.abs(matrix[at[0][0], [at[1][0], at[2][0]]]) > 0) or np.any(
                    np.abs(matrix[at[1][0], [at[2][0]]]) > 0
                )
                yield TurningPair(first, sign * second, frequency, block.name, kind, "left" if left else "right", entry)


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
