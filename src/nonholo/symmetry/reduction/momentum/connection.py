"""The nonholonomic connection and its relatives in a local trivialization [BMZ 2009 §2.5, §4.2; Notices 2005].

``u_α = ∂_α − A_α^a e_a(r)`` are horizontal, ``e_1 … e_m`` span S and ``e_{m+1} … e_k`` a complement U of it in the
orbits' directions. Everything is read off brackets and inner products of invariant fields.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    dot,
    evaluate_matrix,
    identity,
    multiply,
    solve,
    transpose,
)
from nonholo.algebra.subspaces import column_order, independent_rows
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.model.system import System
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.momentum.conserving_bases import Aligned
from nonholo.symmetry.reduction.quotient_data import Cube, natural_parts
from nonholo.symmetry.reduction.section.invariant_basis import Basis, frame_matrix
from nonholo.symmetry.reduction.section.orbit_section import OrbitSection
from nonholo.symmetry.reduction.section.shape_space import Shape
from nonholo.symmetry.vector_fields import bracket, derivatives

EMPTY: Matrix = ()


@dataclass(frozen=True)
class Connection:
    """Components as functions of the shape; indices ``a`` run over S first, then U; ``α`` over the shape.

    With it ``Ω = ξ + A ṙ`` and the constraints are ``Ω^U = 0``.
    """

    fields: Matrix
    """The invariant fields ``E_i`` that the bases are written in, by columns in the system's frame."""
    basis: Matrix
    """Columns ``e_1 … e_k`` in these fields."""
    reference: Matrix
    """Columns ``∂_α`` of the trivialization in these fields."""
    momenta: int
    """m, how many of the ``e_a`` span S."""
    components: Matrix
    """``A[a][α]``."""
    curvature: Cube
    """``B[α][β][c]`` with ``[u_α, u_β] = B_αβ^c e_c`` [(2.19), the tensor of (4.11)]."""
    structure: Cube
    """``C[a][b][c]`` with ``[e_a, e_b] = C_ab^c e_c`` [(2.21)]."""
    motion: Cube
    """``γ[a][α][b]`` with ``∂e_a/∂r^α = γ_aα^b e_b`` [(2.16)]."""
    mixed: Cube
    """``E[α][b][c]`` with ``[u_α, e_b] = E_αb^c e_c`` [(2.18), (2.20)]."""
    inertia: Matrix
    """``I_ab = K(e_a, e_b)``, the locked inertia in the basis; its blocks are I_S, I_US, I_U."""
    leaning: Matrix
    """``Λ[a'][α] = K(e_a', u_α)`` for a' in U."""
    cross: Matrix = ()
    """``K(e_a, u_α)`` for a in S: zero for the nonholonomic connection, whose horizontal space is orthogonal to S."""

    @property
    def inertia_s(self) -> Matrix:
        """I_S."""
        m = self.momenta
        return tuple(row[:m] for row in self.inertia[:m])

    @property
    def inertia_us(self) -> Matrix:
        """I_US."""
        m = self.momenta
        return tuple(row[:m] for row in self.inertia[m:])

    @property
    def inertia_u(self) -> Matrix:
        """I_U."""
        m = self.momenta
        return tuple(row[m:] for row in self.inertia[m:])


def connection(
    system: System,
    group: Action,
    basis: Basis,
    shape: Shape,
    frame: Aligned,
    section: OrbitSection | None = None,
    complement: Sequence[Sequence[Expr]] | None = None,
) -> Connection | None:
    """The connection of a frame, or None without dimension assumption; U is spanned by the ``complement``, fields in the frame.

    Definition 4.2: the horizontal space of the nonholonomic connection (the mechanical one without constraints) is the part of D
    orthogonal to S [BMZ 2009].
    """
    if frame.horizontal != shape.size or shape.redundant:
        return None
    samples = list(frame.data.samples)
    try:
        found = _invariant_frame(system, group, shape, samples) if section is None else _section_frame(system, section)
        return None if found is None else _connection(system, group, basis, shape, frame, found, samples, complement)
    except DependentRows:
        return None


@dataclass(frozen=True)
class InvariantFrame:
    """A frame of all velocities that commutes with the group: on Q, on the section, how it moves the shape, its brackets."""

    columns: Matrix
    here: Matrix
    slopes: Matrix
    brackets: Mapping[tuple[int, int], tuple[Expr, ...]]


def _invariant_frame(system: System, group: Action, shape: Shape, places: Any) -> InvariantFrame | None:
    change = frame_matrix(system, group)
    if change is None:
        return None
    here = tuple(shape.reduce(row) for row in change)
    fields = transpose(change)
    base = system.frame
    slopes = transpose([shape.reduce(derivatives(base, f, shape.functions)) for f in fields]) if shape.names else EMPTY
    return InvariantFrame(change, here, slopes, _brackets(base, fields, shape, here, places))


def _section_frame(system: System, section: OrbitSection) -> InvariantFrame:
    """The frame's own velocities on the section, carried along by the group."""
    size = len(system.velocities)
    unit = identity(size)
    s, a = section.parts(unit)
    parts = list(zip(transpose(s) if s else [()] * size, transpose(a)))
    table = {}
    for i in range(size):
        for j in range(i + 1, size):
            found = tuple(shorten(e) for e in section.whole(*section.bracket(parts[i], parts[j])))
            if any(e != 0 for e in found):
                table[(i, j)] = found
    return InvariantFrame(section.lifted(system.frame, unit), unit, s, table)


def _connection(
    system: System,
    group: Action,
    basis: Basis,
    shape: Shape,
    frame: Aligned,
    known: InvariantFrame,
    samples: Sequence[dict[str, float]],
    complement: Sequence[Sequence[Expr]] | None = None,
) -> Connection:
    here, slopes, brackets = known.here, known.slopes, known.brackets
    names, places = symbols(shape.names), list(samples)
    metric = natural_parts(system)[0]
    metric = tuple(shape.reduce(row) for row in metric)
    metric = multiply(transpose(here), multiply(metric, here))

    orbit = _orbit_basis(group, shape, here, places)
    inside = multiply(tuple(shape.reduce(row) for row in basis.columns), frame.matrix)
    inside = shorten_matrix(solve(here, inside, places))
    horizontal = tuple(row[: frame.horizontal] for row in inside)
    along = tuple(row[frame.horizontal :] for row in inside)
    if complement is None:
        vertical = _completed(along, orbit, places)
    else:
        others = shorten_matrix(solve(here, transpose([shape.reduce(field) for field in complement]), places))
        vertical = tuple((*one, *two) for one, two in zip(along, others))
    outside = _reference(vertical, slopes, frame, places)
    whole = tuple((*h, *v) for h, v in zip(outside, vertical))
    count, shapes = group.rank, frame.horizontal

    def parts(columns: Matrix) -> Matrix:
        return shorten_matrix(solve(whole, columns, places))

    inner = parts(horizontal)
    potential = tuple(tuple(-e for e in row) for row in inner[shapes:])
    aligned = tuple((*h, *v) for h, v in zip(horizontal, vertical))
    cube = _structure(aligned, brackets, slopes, names, places)
    reference = _structure(whole, brackets, slopes, names, places)
    lowered = multiply(metric, aligned)
    products = shorten_matrix(multiply(transpose(aligned), lowered))
    return Connection(
        fields=known.columns,
        basis=vertical,
        reference=outside,
        momenta=frame.vertical,
        components=potential,
        curvature=_part(cube, range(shapes), range(shapes), range(shapes, shapes + count)),
        structure=_part(
            cube, range(shapes, shapes + count), range(shapes, shapes + count), range(shapes, shapes + count)
        ),
        motion=tuple(
            tuple(tuple(reference[a][b][c] for c in range(shapes, shapes + count)) for a in range(shapes))
            for b in range(shapes, shapes + count)
        ),
        mixed=_part(cube, range(shapes), range(shapes, shapes + count), range(shapes, shapes + count)),
        inertia=tuple(row[shapes:] for row in products[shapes:]),
        leaning=tuple(row[:shapes] for row in products[shapes + frame.vertical :]),
        cross=tuple(row[:shapes] for row in products[shapes : shapes + frame.vertical]) if frame.cross else (),
    )


def _part(cube: Any, one: range, two: range, three: range) -> Cube:
    return tuple(tuple(tuple(cube[i][j][k] for k in three) for j in two) for i in one)


def _brackets(
    base: Any, fields: Matrix, shape: Shape, here: Matrix, places: Any
) -> dict[tuple[int, int], tuple[Expr, ...]]:
    """``[E_i, E_j]`` in the fields ``E``, as functions of the shape."""
    table = {}
    for i in range(len(fields)):
        for j in range(i + 1, len(fields)):
            found = shape.reduce(bracket(base, fields[i], fields[j]))
            if any(e != 0 for e in found):
                table[(i, j)] = found
    if not table:
        return {}
    solved = shorten_matrix(solve(here, transpose(list(table.values())), places))
    return {pair: tuple(row[k] for row in solved) for k, pair in enumerate(table)}


def _orbit_basis(group: Action, shape: Shape, here: Matrix, places: Any) -> Matrix:
    """The orbits' directions in the invariant fields, in echelon form: these components are invariant functions."""
    columns = transpose([shape.reduce(field) for field in group.fields])
    found = solve(here, columns, places)
    numbers = evaluate_matrix(found, places[0])
    order = column_order(numbers)
    kept = sorted(order[: group.rank])
    found = tuple(tuple(row[c] for c in kept) for row in found)
    numbers = numbers[:, kept]
    pivots = independent_rows(numbers, 1e-6, len(kept))  # entries that are the same everywhere come first
    square = [found[i] for i in pivots]
    return shorten_matrix(multiply(found, solve(square, identity(len(kept)), places)))


def _completed(along: Matrix, orbit: Matrix, places: Any) -> Matrix:
    """S first, then as many of the orbits' echelon fields as make a basis of the orbits' directions."""
    count = len(orbit[0]) if orbit and orbit[0] else 0
    chosen: list[int] = []
    height = len(along[0]) if along else 0
    for c in range(count):
        trial = tuple((*row, *(orbit[i][k] for k in (*chosen, c))) for i, row in enumerate(along))
        ranks = [np.linalg.matrix_rank(evaluate_matrix(trial, p), tol=1e-7) for p in places]
        if len(chosen) + height < count and min(ranks) == height + len(chosen) + 1:
            chosen.append(c)
    return tuple((*row, *(orbit[i][k] for k in chosen)) for i, row in enumerate(along))


def _reference(vertical: Matrix, slopes: Matrix, frame: Aligned, places: Any) -> Matrix:
    """Fields of the trivialization: ``∂_α r^β = δ`` for the shape variables chosen, from fields off the orbits."""
    size, count = len(vertical), frame.horizontal
    chosen: list[int] = []
    numbers = [evaluate_matrix(vertical, p) for p in places]
    for c in range(size):
        if len(chosen) < count:
            ranks = [
                np.linalg.matrix_rank(np.concatenate([n, np.eye(size)[:, [*chosen, c]]], axis=1), tol=1e-7)
                for n in numbers
            ]
            if min(ranks) == len(vertical[0]) + len(chosen) + 1:
                chosen.append(c)
    if not count:
        return tuple(() for _ in range(size))
    square = [[slopes[row][c] for c in chosen] for row in frame.rows]
    weights = solve(square, identity(count), places)
    result = [[ZERO] * count for _ in range(size)]
    for k, c in enumerate(chosen):
        for a in range(count):
            result[c][a] = shorten(weights[k][a])
    return tuple(tuple(row) for row in result)


def _structure(columns: Matrix, brackets: Any, slopes: Matrix, names: Any, places: Any) -> Any:
    """``[F_i, F_j]`` in the frame F itself, for fields ``F_i = E_k F_i^k(r)``."""
    parts = transpose(columns)
    size = len(parts)
    speeds = [[dot(row, part) for row in slopes] for part in parts]
    table = {}
    for i in range(size):
        for j in range(i + 1, size):
            total = [
                dot(gradient(b, names), speeds[i]) - dot(gradient(a, names), speeds[j])
                for a, b in zip(parts[i], parts[j])
            ]
            for (p, q), field in brackets.items():
                minor = parts[i][p] * parts[j][q] - parts[i][q] * parts[j][p]
                if minor != 0:
                    total = [t + minor * e for t, e in zip(total, field)]
            table[(i, j)] = total
    cube = [[[ZERO] * size for _ in range(size)] for _ in range(size)]
    if table:
        solved = shorten_matrix(solve(columns, transpose(list(table.values())), places))
        for n, (i, j) in enumerate(table):
            for k in range(size):
                cube[i][j][k], cube[j][i][k] = solved[k][n], -solved[k][n]
    return cube
