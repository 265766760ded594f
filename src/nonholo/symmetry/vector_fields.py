"""Vector fields as components in a system's frame: derivatives, brackets, the components of a field on the coordinates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, expand, gradient, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import DependentRows, dot, evaluate, evaluate_matrix, multiply, solve, transpose
from nonholo.errors import ModelError
from nonholo.geometry.distributions.frame_volume import divergences
from nonholo.geometry.frames.brackets import shorten
from nonholo.geometry.frames.frame import Frame, sample, structure_functions
from nonholo.geometry.groups.one_parameter_groups import exact
from nonholo.model.system import System
from nonholo.model.velocities.admissible import admissible, constraint_rows
from nonholo.symmetry.group.coordinate_blocks import Block, blocks_of

Field = tuple[Expr, ...]
"""A vector field ``X = X^i u_i`` by its components in a frame."""
SAMPLES = 3
ROUNDING = 1e-9


def derivatives(frame: Frame, field: Sequence[Expr], functions: Sequence[Expr]) -> tuple[Expr, ...]:
    """``X[f]`` of every function."""
    x = symbols(frame.coordinates)
    return along(functions, dict(zip(x, (dot(row, field) for row in frame.anchor))))


def bracket(frame: Frame, one: Sequence[Expr], two: Sequence[Expr]) -> Field:
    """``[X, Y]^m = X[Y^m] − Y[X^m] + c_ij^m X^i Y^j``."""
    total = [f - b for f, b in zip(derivatives(frame, one, two), derivatives(frame, two, one))]
    for (i, j, m), c in structure_functions(frame).items():
        minor = one[i] * two[j] - one[j] * two[i]
        if minor != 0:
            total[m] += c * minor
    return tuple(total)


def divergence(frame: Frame, field: Sequence[Expr]) -> Expr:
    """``div X = u_j[X^j] + X^j div u_j`` on the configurations."""
    total: Expr = dot(field, divergences(frame))
    for j, e in enumerate(field):
        total += derivatives(frame, [ONE if i == j else ZERO for i in range(frame.size)], [e])[0]
    return total


def velocity_lift(system: System, field: Sequence[Expr]) -> Field:
    """``δv^j = v^i u_i[η^j] + c_ik^j v^i η^k``: how the complete lift of the field ``η^k u_k`` moves the velocities."""
    frame, v = system.frame, symbols(system.velocities)
    moved = list(along(field, dict(zip(symbols(frame.coordinates), frame.rates))))
    for (i, k, j), c in structure_functions(frame).items():
        moved[j] += c * (v[i] * field[k] - v[k] * field[i])
    return tuple(moved)


def complete_lift(system: System, field: Sequence[Expr]) -> dict[Symbol, Expr]:
    """``ξ^C`` of a field on the coordinates: what it adds to each coordinate and velocity."""
    moved = velocity_lift(system, components(system.frame, field, system.name))
    return dict(zip(symbols((*system.coordinates, *system.velocities)), (*field, *moved)))


def components(frame: Frame, field: Sequence[Expr], where: str) -> Field:
    """The components in the frame of a field given on the coordinates, ``ψ X = ξ``; a ModelError when it is not tangent."""
    if not frame.coordinates:
        return (ZERO,) * frame.size
    free = sorted({str(s) for e in field for s in e.free_symbols} - set(frame.coordinates))
    # parameters may stand in a field: generic numbers for them
    places = [{**{n: 0.7 + 0.31 * i + 0.17 * k for i, n in enumerate(free)}, **sample(frame, k)} for k in range(SAMPLES)]
    columns = transpose(frame.anchor)
    verticals = [b for b in blocks_of(frame) if b.kind == "vertical"]
    if frame.plain:
        result = tuple(field)
    elif verticals:
        result = _beside_verticals(frame, field, verticals, where)
    else:
        lengths = [np.array(evaluate_matrix(multiply(columns, frame.anchor), p)) for p in places]
        mixed = [dot(column, field) for column in columns]
        if all(np.allclose(g, np.diag(np.diag(lengths[0])), atol=1e-12) for g in lengths):
            # the columns of a rotation's frame have the same length everywhere
            result = tuple(m / exact(float(g)) for m, g in zip(mixed, np.diag(lengths[0])))
        else:
            try:
                found = solve(multiply(columns, frame.anchor), [[m] for m in mixed], places)
            except DependentRows:
                raise ModelError(f"{where}: the frame's velocities do not follow from the rates.") from None
            result = tuple(row[0] for row in found)
    for place in places:
        off = evaluate([dot(row, result) - e for row, e in zip(frame.anchor, field)], place)
        size = 1 + np.max(np.abs(evaluate(list(field), place)))
        if not np.all(np.abs(off) < ROUNDING * size):
            worst = frame.coordinates[int(np.argmax(np.abs(off)))]
            raise ModelError(
                f"{where} leaves the configurations: its part along {worst} is off by {np.max(np.abs(off)):.2g}; give a field "
                "that is tangent to them."
            )
    return tuple(shorten(e) for e in result)


def _beside_verticals(frame: Frame, field: Sequence[Expr], verticals: Sequence[Block], where: str) -> Field:
    """As `components`; the velocities of a vertical ``γ̇ = b × γ`` are ``−b``, which its rates alone do not tell."""
    result = [ZERO] * frame.size
    inside = {c for b in verticals for c in b.coordinates}
    hidden = {v for b in verticals for v in b.velocities}
    for block in verticals:
        gamma = symbols(block.coordinates)
        moved = [field[frame.coordinates.index(c)] for c in block.coordinates]
        slopes = [gradient(e, gamma) for e in moved]
        axis = (slopes[2][1], slopes[0][2], slopes[1][0])
        if any(expand(p + q) != 0 for row, column in zip(slopes, zip(*slopes)) for p, q in zip(row, column)):
            raise ModelError(f"{where}: it does not turn the vertical {block.name} about an axis of the body; write it so.")
        for v, e in zip(block.velocities, axis):
            result[frame.velocities.index(v)] = -e
    others = [i for i, c in enumerate(frame.coordinates) if c not in inside]
    left = [j for j, v in enumerate(frame.velocities) if v not in hidden]
    if others and left:
        table = [[frame.anchor[i][j] for j in left] for i in others]
        gram = multiply(transpose(table), table)
        sides = [[dot(column, [field[i] for i in others])] for column in transpose(table)]
        for j, row in zip(left, solve(gram, sides, [sample(frame, k) for k in range(SAMPLES)])):
            result[j] = row[0]
    return tuple(result)


def field_from_table(system: System, table: Mapping[str, Expr], where: str) -> Field | None:
    """The components in the frame of a field given along coordinates, along the system's speeds, or along frame velocities.

    A field given along speeds lies in D. None where the names are others, or of several kinds.
    """
    if set(table) <= set(system.coordinates):
        return components(system.frame, [table.get(c, ZERO) for c in system.coordinates], where)
    allowed = admissible(system) if system.parametric is not None or constraint_rows(system).linear else None
    if allowed is not None and set(table) <= set(map(str, allowed.speeds)):
        weights = [table.get(str(s), ZERO) for s in allowed.speeds]
        return tuple(shorten(dot(row, weights)) for row in allowed.basis)
    if set(table) <= set(system.velocities):
        return tuple(table.get(n, ZERO) for n in system.velocities)
    return None


def constants(table: Sequence[Expr], places: Sequence[dict[str, float]]) -> tuple[Expr, ...] | None:
    """The expressions as exact numbers when they are the same small fractions everywhere, else None."""
    rows = np.array([evaluate(list(table), p) for p in places])
    if not np.all(np.isfinite(rows)) or np.max(np.abs(rows - rows[0]), initial=0.0) > ROUNDING:
        return None
    if np.max(np.abs(2 * rows[0] - np.round(2 * rows[0])), initial=0.0) > ROUNDING:
        return None
    return tuple(exact(float(e)) for e in rows[0])
