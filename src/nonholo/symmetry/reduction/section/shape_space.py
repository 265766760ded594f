"""Coordinates of the shape space Q/G and a section through the orbits.

An invariant function of the configuration is found as a function of the shape by its values on the section alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, atoms, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix
from nonholo.algebra.subspaces import independent_rows
from nonholo.errors import ModelError
from nonholo.geometry.groups.one_parameter_groups import exact
from nonholo.model.system import System
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.group.coordinate_blocks import completed_rotation, hat
from nonholo.symmetry.group.group_action import Action

LIMIT = 1e-9


@dataclass(frozen=True)
class Shape:
    """Shape variables ``r``: their names, what they are on Q, and the section ``q = section(r)``."""

    names: tuple[str, ...]
    functions: tuple[Expr, ...]
    section: Mapping[Symbol, Expr]
    """Coordinate symbol -> expression in the shape variables."""
    relations: tuple[Expr, ...]
    """Zero on the shapes, where there are more variables than dimensions (``|γ|² − 1``)."""
    size: int
    """σ, the dimension of Q/G."""

    @property
    def redundant(self) -> bool:
        """Whether there are more variables than dimensions."""
        return len(self.names) > self.size

    def reduce(self, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Invariant functions on Q as functions of the shape."""
        found = substitute(exprs, self.section)
        radii = [symbol(n) for n, f in zip(self.names, self.functions) if f.is_Pow and n.endswith("_radius")]
        return _rooted(found, radii) if radii else found

    def lift(self, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Functions of the shape as functions on Q."""
        return substitute(exprs, dict(zip(symbols(self.names), self.functions)))


def _rooted(exprs: Sequence[Expr], radii: Sequence[Any]) -> tuple[Expr, ...]:
    """``√(r²)`` is ``r`` for a radius."""
    squares = {r**2: r for r in radii}
    table = {
        p: squares[p.args[0]] ** (2 * p.args[1])
        for e in exprs
        for p in atoms([e], se.Pow)
        if p.args[0] in squares and p.args[1].is_Number
    }
    return substitute(exprs, table) if table else tuple(exprs)


def shape_of(system: System, group: Action) -> Shape:
    """Invariants among the coordinates, their differences and radii; a ModelError when they do not suffice."""
    names: list[str] = []
    functions: list[Expr] = []
    section: dict[Any, Expr] = {}
    rotations = _rotation_blocks(system)
    turned = {c for block in rotations for row in block for c in row}
    for block in rotations:
        _rotation_shape(system, group, block, names, functions, section)
    plain = [c for c in system.coordinates if c not in turned]
    _plain_shape(system, group, plain, names, functions, section)
    relations = tuple(
        e for e in system.frame.relations if e.free_symbols <= {*symbols(names), *symbols(system.parameters)}
    )
    relations += tuple(_row_relations(rotations, names))
    shape = Shape(tuple(names), tuple(functions), section, relations, len(system.velocities) - group.rank)
    _check(system, group, shape)
    return shape


def _check(system: System, group: Action, shape: Shape) -> None:
    x = symbols(system.coordinates)
    slopes = [gradient(f, x) for f in shape.functions]
    places = samples_of(system, count=3)
    for name, field in zip(group.names, group.on_coordinates):
        for place in places:
            moved = evaluate([dot(s, field) for s in slopes], place)
            if np.max(np.abs(moved), initial=0.0) > LIMIT:
                what = shape.names[int(np.argmax(np.abs(moved)))]
                raise ModelError(
                    f"{system.name}: the generator {name!r} moves {what}, so no shape variable was found for it; write the "
                    "system in coordinates of which some are left alone by the group (relative angles, distances)."
                )
    columns = list(zip(*system.frame.anchor)) if x else []
    rank = (
        max(
            (
                int(np.linalg.matrix_rank(evaluate_matrix([[dot(s, c) for c in columns] for s in slopes], p), tol=1e-9))
                for p in places
            ),
            default=0,
        )
        if shape.names
        else 0
    )
    if rank != shape.size:
        raise ModelError(
            f"{system.name}: the orbits of {', '.join(group.names)} have dimension {group.rank}, so {shape.size} shape "
            f"variables are needed, but among the coordinates only {rank} independent invariants were found "
            f"({', '.join(shape.names) or 'none'}); write the system in coordinates of which that many are left "
            "alone by the group."
        )


def _rotation_blocks(system: System) -> list[list[list[str]]]:
    """The names R11 … R33 of each rotation matrix among the coordinates, found by their relations RᵀR = 1."""
    blocks = []
    names = set(system.coordinates)
    for c in system.coordinates:
        if c.endswith("11"):
            block = [[f"{c[:-2]}{i}{j}" for j in (1, 2, 3)] for i in (1, 2, 3)]
            if all(n in names for row in block for n in row):
                blocks.append(block)
    return blocks


def rotation_axes(system: System, group: Action, block: Sequence[Sequence[str]]) -> tuple[Any, Any]:
    """For each generator the axes ``a, b`` with ``ξ(R) = â R + R b̂``, in rows; a ModelError when it is not so."""
    place = samples_of(system, count=4)
    index = {c: k for k, c in enumerate(system.coordinates)}
    left, right = [], []
    for name, field in zip(group.names, group.on_coordinates):
        rows, sides = [], []
        for values in place:
            R = np.array([[values[n] for n in row] for row in block])
            moved = evaluate([field[index[n]] for row in block for n in row], values)
            units = [hat(e) for e in np.eye(3)]
            rows.append(np.stack([(u @ R).ravel() for u in units] + [(R @ u).ravel() for u in units], axis=1))
            sides.append(moved)
        matrix, side = np.concatenate(rows), np.concatenate(sides)
        found, *_ = np.linalg.lstsq(matrix, side, rcond=None)
        if np.max(np.abs(matrix @ found - side)) > LIMIT:
            raise ModelError(
                f"{system.name}: the generator {name!r} does not turn the rotation {block[0][0][:-2]} from the left or the right "
                "with constant axes; write it so."
            )
        left.append(found[:3])
        right.append(found[3:])
    return np.array(left), np.array(right)


def _rotation_shape(
    system: System,
    group: Action,
    block: Sequence[Sequence[str]],
    names: list[str],
    functions: list[Expr],
    section: dict[Any, Expr],
) -> None:
    """Rows, columns or the one entry that the group leaves alone, and a rotation through each orbit."""
    left, right = rotation_axes(system, group, block)
    ranks = (
        int(np.linalg.matrix_rank(left, tol=1e-9)),
        int(np.linalg.matrix_rank(right, tol=1e-9)),
    )
    flat = [n for row in block for n in row]
    if ranks == (0, 0):
        names += flat
        functions += symbols(flat)
        return
    if ranks[0] == 3 or ranks[1] == 3:
        section.update({symbol(n): ONE if k % 4 == 0 else ZERO for k, n in enumerate(flat)})
        return
    upright = np.max(np.abs(left[:, :2]), initial=0.0) < LIMIT and np.max(np.abs(right[:, :2]), initial=0.0) < LIMIT
    if max(ranks) > 1 or not upright:
        raise ModelError(
            f"{system.name}: the group turns {block[0][0][:-2]} about other axes than the third; write the system so that its "
            "symmetry turns about the third axis of space or body."
        )
    if ranks == (1, 1) and np.linalg.matrix_rank(np.stack([left[:, 2], right[:, 2]], axis=1), tol=1e-9) < 2:
        raise ModelError(
            f"{system.name}: a generator turns {block[0][0][:-2]} about the vertical and about its own axis at once; declare "
            "the two turns apart, or write the system in angles."
        )
    if ranks == (1, 1):
        cosine = symbol(block[2][2])
        sine = se.sqrt(1 - cosine**2)
        values = [cosine, ZERO, sine, ZERO, ONE, ZERO, -sine, ZERO, cosine]
        names.append(block[2][2])
        functions.append(cosine)
    else:
        kept = block[2] if ranks[0] else [row[2] for row in block]
        names += kept
        functions += symbols(kept)
        rows = completed_rotation(symbols(kept))
        values = [rows[i][j] if ranks[0] else rows[j][i] for i in range(3) for j in range(3)]
    section.update({symbol(n): e for n, e in zip(flat, values) if symbol(n) != e})


def _row_relations(blocks: Sequence[Sequence[Sequence[str]]], names: Sequence[str]) -> list[Expr]:
    result = []
    for block in blocks:
        for kept in (block[2], [row[2] for row in block]):
            inside = sum(n in names for row in block for n in row)
            if inside == 3 and all(n in names for n in kept):
                result.append(se.Add(*(s**2 for s in symbols(kept))) - 1)
    return result


def _plain_shape(
    system: System,
    group: Action,
    plain: Sequence[str],
    names: list[str],
    functions: list[Expr],
    section: dict[Any, Expr],
) -> None:
    """Coordinates left alone, differences of coordinates that the group shifts alike, radii of those it turns."""
    index = {c: k for k, c in enumerate(system.coordinates)}
    rates = {c: [field[index[c]] for field in group.on_coordinates] for c in plain}
    moved = [c for c in plain if any(e != 0 for e in rates[c])]
    for c in plain:
        if c not in moved:
            names.append(c)
            functions.append(symbol(c))
    steady = [c for c in moved if all(e.is_Number for e in rates[c])]
    turning = [c for c in moved if c not in steady]
    table = np.array([[float(e) for e in rates[c]] for c in steady]).reshape(len(steady), len(group.names))
    rows = independent_rows(table, 1e-9)
    basis = [steady[k] for k in rows]
    section.update(dict.fromkeys(symbols(basis), ZERO))
    for k, c in enumerate(steady):
        if c in basis:
            continue
        weights, *_ = np.linalg.lstsq(table[rows].T, table[k], rcond=None)
        relative = symbol(c) - se.Add(*(exact(w) * symbol(b) for w, b in zip(weights, basis)))
        name = f"{c}_rel"
        names.append(name)
        functions.append(relative)
        section[symbol(c)] = symbol(name)
    _turning_shape(system, group, turning, rates, names, functions, section)


def _turning_shape(
    system: System,
    group: Action,
    turning: Sequence[str],
    rates: Any,
    names: list[str],
    functions: list[Expr],
    section: dict[Any, Expr],
) -> None:
    """Positions: at the origin of the section when the group shifts them, at their radius when it only turns them."""
    left = list(turning)
    for c in turning:
        if any(e.is_Number and e != 0 for e in rates[c]):
            section[symbol(c)] = ZERO
            left.remove(c)
    while left:
        c = left.pop(0)
        turned = [(sign, d) for sign in (-1, 1) for d in left for a, b in zip(rates[c], rates[d])
                  if a == sign * symbol(d) and b == -sign * symbol(c)]  # fmt: skip
        partner = turned[0][1] if turned else None
        if partner is None:
            raise ModelError(
                f"{system.name}: the group moves {c} in a way no shape variable was found for; write the system in coordinates "
                "that the group shifts or turns."
            )
        left.remove(partner)
        name = f"{c}{partner}_radius"
        names.append(name)
        functions.append(se.sqrt(symbol(c) ** 2 + symbol(partner) ** 2))
        section[symbol(c)], section[symbol(partner)] = symbol(name), ZERO
