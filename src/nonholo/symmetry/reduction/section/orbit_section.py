"""Invariant fields by their values on a section Σ through the orbits.

With generators ``[ξ_a, ξ_b] = k_ab^c ξ_c`` that act freely near Σ, fields ``X_i = s_i^A ∂_A + a_i^a ξ_a`` given on Σ have
invariant extensions, and on Σ

    [X_i, X_j] = (s_i·∂ s_j − s_j·∂ s_i)^A ∂_A + ((s_i·∂ a_j − s_j·∂ a_i)^c − k_ab^c a_i^a a_j^b) ξ_c

so that metric, brackets, momentum equation and curvature need nothing from outside Σ.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, gradient, jacobian, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    dot,
    evaluate,
    evaluate_all,
    evaluate_matrix,
    identity,
    multiply,
    solve,
    transpose,
)
from nonholo.algebra.subspaces import column_order
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.geometry.frames.frame import Frame, sample
from nonholo.geometry.groups.one_parameter_groups import exact
from nonholo.model.system import System, known_names
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.group.coordinate_blocks import Block, blocks_of, completed_rotation
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.section.moving_frame import Moving, moving_frame
from nonholo.symmetry.reduction.section.shape_space import Shape

MOST_RELATIONS = 6
"""Relations between shape variables: a rotation matrix has six; with more the formulas grow beyond use."""


@dataclass(frozen=True, eq=False)
class OrbitSection:
    """Σ as a shape with everything that lives on it; fields on Σ are by components in the system's frame."""

    shape: Shape
    moving: Moving
    tangents: Matrix
    """Columns ``∂_A``, one for each shape variable."""
    generators: Matrix
    """Columns ``ξ_a``."""
    constants: Mapping[tuple[int, int, int], Expr]
    """``k_ab^c`` as exact numbers."""
    samples: tuple[dict[str, float], ...]
    """Shapes with values of the parameters, inputs and time."""
    inverse: Matrix
    """From rates of the coordinates to the frame's velocities, on Q."""
    along: Matrix
    """``s`` of the frame's velocities: how each moves the shape."""
    around: Matrix
    """``a`` of the frame's velocities: what of each is along the generators."""

    def parts(self, columns: Matrix) -> tuple[Matrix, Matrix]:
        """``s`` and ``a`` of fields on Σ, by columns."""
        return shorten_matrix(multiply(self.along, columns)), shorten_matrix(multiply(self.around, columns))

    def whole(self, s: Sequence[Expr], a: Sequence[Expr]) -> tuple[Expr, ...]:
        """``s^A ∂_A + a^a ξ_a``."""
        return tuple(dot(p, s) + dot(g, a) for p, g in zip(self._rows(self.tangents), self._rows(self.generators)))

    def _rows(self, matrix: Matrix) -> Sequence[Sequence[Expr]]:
        return matrix if matrix else [()] * len(self.inverse)

    def bracket(self, one: tuple[Any, Any], two: tuple[Any, Any]) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
        """The bracket of two invariant fields, each by its parts (s, a)."""
        r = symbols(self.shape.names)

        def moved(speed: Sequence[Expr], exprs: Sequence[Expr]) -> list[Expr]:
            return [dot(gradient(e, r), speed) for e in exprs]

        along = [p - q for p, q in zip(moved(one[0], two[0]), moved(two[0], one[0]))]
        around = [p - q for p, q in zip(moved(one[0], two[1]), moved(two[0], one[1]))]
        for (a, b, c), k in self.constants.items():
            around[c] = around[c] - k * (one[1][a] * two[1][b] - one[1][b] * two[1][a])
        return tuple(map(shorten, along)), tuple(map(shorten, around))

    def lifted(self, frame: Frame, columns: Matrix) -> Matrix:
        """The invariant extensions on Q of fields on Σ, by columns in the system's frame."""
        size = len(frame.coordinates)
        anchor = [self.shape.reduce(row) for row in frame.anchor]
        on_section = multiply(anchor, columns)
        here = tuple(self.shape.lift(row) for row in on_section)
        turned = multiply(tuple(row[:size] for row in self.moving.matrix[:size]), here)
        return shorten_matrix(multiply(self.inverse, turned))


def section_of(system: System, group: Action, at: Mapping[str, float] | None = None) -> OrbitSection:
    """The section that the moving frame brings every configuration to; a ModelError when there is none."""
    if group.rank < len(group.names):
        raise ModelError(
            f"{system.name}: the {len(group.names)} generators {', '.join(group.names)} have orbits of dimension "
            f"{group.rank}: the "
            "action is not free; leave out generators until it is, or declare quasivelocities that do not change "
            "along the orbits."
        )
    moving = moving_frame(system, group.on_coordinates, at)
    shape = section_shape(system, group, moving)
    if len(shape.names) - shape.size > MOST_RELATIONS:
        raise ModelError(
            f"{system.name}: what {', '.join(group.names)} leave alone would be {len(shape.names)} variables with "
            f"{len(shape.names) - shape.size} relations between them, which is too many; write the system in fewer coordinates."
        )
    samples = shape_samples(system, shape, at)
    inverse = velocities_of(system.frame)
    here = [shape.reduce(row) for row in inverse]
    r = symbols(shape.names)
    x = symbols(system.coordinates)
    points = [substitute([s], shape.section)[0] for s in x]
    slopes = [gradient(p, r) for p in points]
    tangents = shorten_matrix(multiply(here, slopes)) if r else ()
    generators = shorten_matrix(transpose([shape.reduce(f) for f in group.fields]))
    anchor = [shape.reduce(row) for row in system.frame.anchor]
    hats = [shape.reduce(row) for row in jacobian(shape.functions, x)]
    along = shorten_matrix(multiply(hats, anchor)) if r else ()
    if along and not np.all(np.isfinite(evaluate_matrix(along, samples[0]))):  # 0/0 on Σ in a function that is smooth there
        along = _shape_part(tangents, generators, samples) or along
    around = _group_part(system, group, tangents, generators, along, samples)
    constants = {
        (a, b, c): exact(float(group.constants[a][b][c]))
        for a in range(len(group.names))
        for b in range(a + 1, len(group.names))
        for c in range(len(group.names))
        if group.constants[a][b][c]
    }
    found = OrbitSection(shape, moving, tangents, generators, constants, tuple(samples), inverse, along, around)
    _check(system, found)
    return found


def _shape_part(tangents: Matrix, generators: Matrix, samples: Any) -> Matrix | None:
    """``s`` of each velocity of the frame without slopes: 1 along its own ``∂_A``, 0 along the others and the generators."""
    whole = [[*row, *other] for row, other in zip(tangents, generators)]
    if len(whole) != len(whole[0]):
        return None
    unit = [[ONE if i == j else ZERO for j in range(len(whole))] for i in range(len(whole))]
    try:
        return shorten_matrix(solve(whole, unit, samples)[: len(tangents[0])])
    except DependentRows:
        return None


def _group_part(
    system: System, group: Action, tangents: Matrix, generators: Matrix, along: Matrix, samples: Any
) -> Matrix:
    """``a`` with ``ξ_a a^a = v − ∂_A s^A`` for each velocity of the frame, from as many rows as there are generators."""
    count, size = len(group.names), len(system.velocities)
    numbers = np.min([np.abs(evaluate_matrix(generators, p)) for p in samples], axis=0)
    signed = evaluate_matrix(generators, samples[0])
    if np.linalg.matrix_rank(signed, tol=1e-9) < count:
        raise ModelError(
            f"{system.name}: the section through the orbits is singular; start away from where {', '.join(group.names)} hold a "
            "configuration still."
        )
    steady = [all(e.is_Number for e in row) and float(np.max(n)) > 0 for row, n in zip(generators, numbers)]
    order = column_order((signed * np.where(steady, 30.0, 1.0)[:, None]).T)
    kept = sorted(order[:count])
    rest = [[ONE if i == j else ZERO for j in range(size)] for i in kept]
    if along:
        carried = multiply([tangents[i] for i in kept], along)
        rest = [[e - c for e, c in zip(row, other)] for row, other in zip(rest, carried)]
    try:
        return shorten_matrix(solve([generators[i] for i in kept], rest, samples))
    except DependentRows:
        raise ModelError(f"{system.name}: the section through the orbits is singular.") from None


def velocities_of(frame: Frame) -> Matrix:
    """``Λ`` with ``v = Λ ẋ``: the frame's velocities from the rates of the coordinates, as functions on Q."""
    size = len(frame.coordinates)
    if frame.plain:
        return identity(size)
    columns = transpose(frame.anchor)
    hidden = {frame.velocities.index(v) for b in blocks_of(frame) if b.kind == "vertical" for v in b.velocities}
    places = [sample(frame, k) for k in range(3)]
    gram = multiply(columns, frame.anchor)
    others = [i for i in range(frame.size) if i not in hidden]
    inner = [[gram[i][j] for j in others] for i in others]
    numbers = [evaluate_matrix(inner, p) for p in places] if others else []
    result: list[tuple[Expr, ...]] = [columns[i] for i in range(frame.size)]
    if all(np.allclose(g, np.diag(np.diag(numbers[0])), atol=1e-12) for g in numbers):
        for i, length in zip(others, np.diag(numbers[0]) if numbers else ()):
            result[i] = tuple(e / exact(float(length)) for e in columns[i])
    else:
        found = solve(inner, [columns[i] for i in others], places)
        for i, row in zip(others, found):
            result[i] = row
    return tuple(result)


def shape_samples(system: System, shape: Shape, at: Mapping[str, float] | None = None) -> list[dict[str, float]]:
    """Generic shapes with values of the parameters, inputs and time; the first at ``at`` where it is given."""
    result: list[dict[str, float]] = []
    for k, place in enumerate(samples_of(system, at, count=6)):
        if k == 0 and at:
            place = {**place, **at}
        values = dict(zip(shape.names, evaluate(list(shape.functions), place).tolist())) if shape.names else {}
        if all(np.isfinite(e) for e in values.values()) and len(result) < 3:
            result.append({**{n: place[n] for n in (*system.parameters, *system.inputs, "t")}, **values})
    return result


def _check(system: System, found: OrbitSection) -> None:
    """The moving frame must bring every configuration to the section and back."""
    shape, moving = found.shape, found.moving
    x = symbols(system.coordinates)
    points = shape.lift(substitute(x, shape.section))
    back = [row[0] for row in multiply(moving.matrix, [[e] for e in (*points, ONE)])][: len(x)]
    gaps = evaluate_all([b - s for b, s in zip(back, x)], samples_of(system, count=4))
    gaps = gaps[np.all(np.isfinite(gaps), axis=1)]
    if not len(gaps) or np.max(np.abs(gaps)) > 1e-8:
        raise ModelError(
            f"{system.name}: the section through the orbits does not meet all of them near generic configurations; "
            "write the system in other coordinates."
        )


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
        rows = completed_rotation(third, k, word == "sum")
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
        "that it turns about axes of space or of the body."
    )


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
