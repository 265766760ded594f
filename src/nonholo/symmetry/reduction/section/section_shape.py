"""Shape variables of a section."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError
from nonholo.model.system import System, known_names
from nonholo.symmetry.group.coordinate_blocks import Block, blocks_of
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.section.moving_frame import Moving
from nonholo.symmetry.reduction.section.shape_space import Shape


def section_shape(system: System, group: Action, moving: Moving) -> Shape:
    """Names for what is left on the section."""
    coordinates = system.coordinates
    blocks = {b.name: b for b in blocks_of(system.frame)}
    names: list[str] = []
    functions: list[Expr] = []
    section: dict[Any, Expr] = {symbol(coordinates[i]): e for i, e in moving.fixed.items()}
    relations: list[Expr] = []
    taken = set(known_names(system)) - set(coordinates)
    done = set(moving.fixed)

    def named(index: int) -> Any:
        c = coordinates[index]
        hat = moving.hats[index]
        if hat == symbol(c):
            word = c
        elif index in moving.radii:
            word = "".join(coordinates[k] for k in moving.radii[index]) + "_radius"
        else:
            word = f"{c}_rel"
        while word in taken:
            word += "_"
        names.append(word)
        functions.append(hat)
        return symbol(word)

    closed: set[str] = set()
    for name, pairs in moving.turned.items():
        block = blocks[name]
        places = [coordinates.index(c) for c in block.coordinates]
        values, relation = _matrix_section(system, block, places, pairs, named)
        section |= {symbol(coordinates[p]): e for p, e in zip(places, values)}
        relations += relation
        closed |= set(block.coordinates)
        done |= set(places)
    for i, c in enumerate(coordinates):
        if i not in done:
            section[symbol(c)] = named(i)
    inside = set(symbols(names))
    for e in system.frame.relations:
        if {str(s) for s in e.free_symbols} & closed:
            continue
        (left,) = substitute([e], section)
        if left.free_symbols & inside:
            relations.append(left)
    section = {s: e for s, e in section.items() if s != e}
    return Shape(tuple(names), tuple(functions), section, tuple(relations), len(system.velocities) - group.rank)


def _matrix_section(
    system: System, block: Block, places: Sequence[int], pairs: Sequence[Any], named: Callable[[int], Any]
) -> tuple[list[Expr], list[Expr]]:
    """A rotation through each orbit: with a given row or column, or with one given entry."""
    if len(pairs) == 1 and pairs[0].kind.split()[0] in ("sum", "difference"):
        word, axis = pairs[0].kind.split()
        k = int(axis)
        left = pairs[0].side == "left"
        kept = [places[3 * k + j] if left else places[3 * j + k] for j in range(3)]
        third = [named(p) for p in kept]
        rows = _completed(third, k, word == "sum")
        values = [rows[i][j] if left else rows[j][i] for i in range(3) for j in range(3)]
        return values, [se.Add(*(s**2 for s in third)) - 1]
    if len(pairs) == 2:
        entry = pairs[-1].entry
        where = list(places).index(entry)
        c = named(entry)
        found = _with_entry(system, places, pairs, where // 3, where % 3, c)
        if found is not None:
            return found, []
    raise ModelError(
        f"{system.name}: the symmetry turns {block.name} in a way for which no section was found; write the system so "
        "that it turns "
        "about axes of space or of the body."
    )


def _completed(third: Sequence[Expr], axis: int, plus: bool) -> list[list[Expr]]:
    """A rotation with this row ``axis``; regular but where it points straight down (plus) or up."""
    i, j, k = (axis + 1) % 3, (axis + 2) % 3, axis
    a, b, c = third[i], third[j], third[k]
    sign = 1 if plus else -1
    weight = 1 / (1 + sign * c)
    rows = [[ZERO] * 3 for _ in range(3)]
    rows[i][i], rows[i][j], rows[i][k] = 1 - a * a * weight, -a * b * weight, -sign * a
    rows[j][i], rows[j][j], rows[j][k] = -sign * a * b * weight, sign * (1 - b * b * weight), -b
    rows[k][i], rows[k][j], rows[k][k] = a, b, c
    return rows


def _with_entry(
    system: System, places: Sequence[int], pairs: Sequence[Any], k: int, l: int, c: Expr
) -> list[Expr] | None:
    """A rotation with entry (k, l) given that obeys the conditions of both pairs."""
    s = se.sqrt(1 - c**2)
    value = 0.3
    for m, p in product([i for i in range(3) if i != k], [j for j in range(3) if j != l]):
        j, z = 3 - k - m, 3 - l - p
        for one, two, three, four in product((1, -1), repeat=4):
            numbers = np.zeros((3, 3))
            root = float(np.sqrt(1 - value**2))
            numbers[k, l], numbers[k, p], numbers[m, l] = value, one * root, two * root
            numbers[j, z], numbers[m, p] = three, four * value
            if np.max(np.abs(numbers @ numbers.T - np.eye(3))) > 1e-12 or np.linalg.det(numbers) < 0:
                continue
            point = np.zeros(len(system.coordinates))
            point[list(places)] = numbers.ravel()
            if all(abs(pair.second @ point) < 1e-12 and pair.first @ point > 0 for pair in pairs):
                rows = [[ZERO] * 3 for _ in range(3)]
                rows[k][l], rows[k][p], rows[m][l] = c, one * s, two * s
                rows[j][z], rows[m][p] = ONE * three, four * c
                return [e for row in rows for e in row]
    return None
