"""All affine symmetries of a system by linear algebra at random states.

A field ``ξ = A x + b`` on the coordinates is a symmetry when its lift leaves the Lagrangian alone, maps admissible
velocities to admissible ones and carries the forces along. Each of these is linear in ``(A, b)``: at random states they
are so many equations, and their null space is the whole algebra.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, gradient, jacobian, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.gauss_newton import together
from nonholo.algebra.linear_equations import evaluate_all
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import onto, sample
from nonholo.model.declared_words import Parametric
from nonholo.model.system import System, force_covector, known_parameters
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.symmetry.exact.modular_states import NoPoints, motion_of
from nonholo.symmetry.group.coordinate_blocks import blocks_of, turns_of
from nonholo.symmetry.group.shift_turn_algebra import rational_algebra

VELOCITIES = 2
"""How many velocities are tried at each configuration."""
ZERO_PART = 1e-9
"""Singular values below this part of the largest are zero."""
MOST = 14
"""With more plain coordinates than this the ansatz has shifts and rotations of pairs only."""


@dataclass(frozen=True, eq=False)
class Affine:
    """The elementary fields of the ansatz, as matrices on ``(x, 1)``, and the algebra: rows of rational coefficients."""

    matrices: tuple[Numbers, ...]
    algebra: Numbers

    def matrix(self, row: Any) -> Numbers:
        """The matrix on ``(x, 1)`` of a combination."""
        return np.asarray(np.tensordot(np.asarray(row, dtype=float), np.stack(self.matrices), axes=1))

    @property
    def fields(self) -> tuple[Numbers, ...]:
        """The matrices of the algebra's basis."""
        return tuple(self.matrix(row) for row in self.algebra)


def elementary(system: System) -> tuple[Numbers, ...]:
    """The ansatz: left and right rotations of each attitude; all affine maps of the other coordinates, translations first."""
    names = system.coordinates
    size = len(names) + 1
    blocks = blocks_of(system.frame)
    inside = {c for block in blocks for c in block.coordinates}
    plain = [k for k, c in enumerate(names) if c not in inside]
    result = []
    for k in plain:
        shift = np.zeros((size, size))
        shift[k, -1] = 1.0
        result.append(shift)
    for block in blocks:
        places = [names.index(c) for c in block.coordinates]
        for _, turn in turns_of(block):
            whole = np.zeros((size, size))
            whole[np.ix_(places, places)] = turn
            result.append(whole)
    for i in plain:
        for j in plain:
            part = np.zeros((size, size))
            part[i, j] = 1.0
            if len(plain) <= MOST:
                result.append(part)
            elif i < j:
                part[j, i], part[i, j] = 1.0, -1.0
                result.append(part)
    return tuple(result)


def affine_symmetries(system: System) -> Affine:
    """The algebra of affine symmetries that hold for every value of the parameters."""
    matrices = elementary(system)
    if not matrices:
        return Affine((), np.zeros((0, 0)))
    exact = _exact_algebra(system, matrices)
    if exact is not None:
        return Affine(matrices, exact)
    rows = _equations(system, matrices)
    triangle = np.linalg.qr(rows, mode="r") if len(rows) > rows.shape[1] else rows  # the same null space, and small
    _, sizes, directions = np.linalg.svd(triangle, full_matrices=True)
    rank = int(np.sum(sizes > ZERO_PART * max(1e-300, float(sizes[0]) if len(sizes) else 0.0)))
    found = rational_rows(directions[rank:])
    kept = [row for row in found if np.max(np.abs(rows @ row)) < 1e-7 * np.max(np.abs(row))]
    return Affine(matrices, np.array(kept).reshape(len(kept), len(matrices)))


def _exact_algebra(system: System, matrices: Sequence[Numbers]) -> Numbers | None:
    """The combinations that are symmetries of the equations, modulo a prime; None where these are beyond exact arithmetic."""
    if system.frame.relations and not system.frame.recipe:
        return None
    x = (*symbols(system.coordinates), ONE)
    fields = [tuple(sum((_fraction(e) * s for e, s in zip(row, x) if e), ZERO) for row in m[:-1]) for m in matrices]
    try:
        found = rational_algebra(motion_of(system), fields)
    except NoPoints:
        return None
    return None if found is None else np.array(found, dtype=float).reshape(len(found), len(matrices))


def _fraction(value: float) -> Expr:
    found = Fraction(float(value)).limit_denominator(24)
    return se.Rational(found.numerator, found.denominator)


def echelon(rows: Numbers, small: float) -> Numbers:
    """The same span in reduced echelon form; pivots below ``small`` count as zero.

    >>> (echelon(np.array([[2.0, 4.0, 2.0], [1.0, 2.0, 3.0], [3.0, 6.0, 5.0]]), 1e-9) + 0.0).tolist()
    [[1.0, 2.0, 0.0], [0.0, 0.0, 1.0]]
    """
    table = np.array(rows, dtype=float)
    lead = 0
    for column in range(table.shape[1] if len(table) else 0):
        if lead == len(table):
            break
        best = lead + int(np.argmax(np.abs(table[lead:, column])))
        if abs(table[best, column]) < small:
            continue
        table[[lead, best]] = table[[best, lead]]
        table[lead] /= table[lead, column]
        for other in range(len(table)):
            if other != lead:
                table[other] -= table[other, column] * table[lead]
        lead += 1
    return table[:lead]


def rational_rows(rows: Numbers) -> list[Numbers]:
    """The same span in reduced echelon form, with small fractions where the numbers are such; other rows are left out."""
    result = []
    for row in echelon(rows, 1e-7):
        clean = np.array([float(Fraction(float(e)).limit_denominator(12)) for e in row])
        if np.max(np.abs(clean - row)) < 1e-6:
            result.append(clean)
    return result


def places_of(system: System, count: int) -> list[dict[str, float]]:
    """Random configurations on all relations, with random parameters, inputs and time."""
    relations = (*system.frame.relations, *system.holonomic)
    result = []
    near = {n: e for n, e in system.start.items() if n in system.coordinates}
    for k in range(count):
        random = np.random.default_rng(4000 + k)
        others = (*system.parameters, *system.inputs, "t")
        values = dict(zip(others, random.uniform(0.6, 1.6, len(others)).tolist()))
        try:
            values |= sample(system.frame, 50 + k)
        except ModelError:
            continue
        if k % 2 and not relations:  # half of them near the start, where the user's formulas make sense
            home = dict(zip(system.coordinates, system.frame.home)) | near
            values |= {n: home[n] + 0.3 * float(random.uniform(-1, 1)) for n in system.coordinates}
            values |= {n: e * float(random.uniform(0.9, 1.1)) for n, e in known_parameters(system).items()}
        if system.holonomic:
            point = np.array([values[c] for c in system.coordinates])
            point = onto(system.frame, relations, point, values)
            values |= dict(zip(system.coordinates, point.tolist()))
        result.append(values)
    return result


def _equations(system: System, matrices: Sequence[Numbers]) -> Numbers:
    """The invariance conditions: one column for each elementary field, one row for each condition at a random state."""
    frame = system.frame
    x, v = symbols(system.coordinates), symbols(system.velocities)
    l = lagrangian_in_frame(system)
    rows = constraint_rows(system)
    forces = force_covector(system)
    pushed = any(e != 0 for e in forces)
    places = places_of(system, (len(matrices) + 24) // VELOCITIES + 6)
    states = []
    for k, place in enumerate(places):
        for j in range(VELOCITIES):
            random = np.random.default_rng(9000 + 10 * k + j)
            states.append({**place, **dict(zip(system.velocities, random.uniform(-1, 1, len(v)).tolist()))})
    anchor = _Anchor(system, states)
    blocks: list[Numbers] = []

    def changes(exprs: Sequence[Expr], at: Any, lifted: Any) -> tuple[Numbers, Numbers]:
        """``ξ^C[f]`` of every function (states, functions, fields), and the sizes of its terms."""
        flat = [e for f in exprs for e in (*gradient(f, x), *gradient(f, v))]
        slopes = evaluate_all(flat, at).reshape(len(at), len(exprs), len(x) + len(v))
        return np.einsum("sfc,sec->sfe", slopes, lifted), np.max(np.abs(slopes), axis=2)

    lifted, gaps = anchor.lift(matrices)
    found, sizes = changes([l], states, lifted)
    _add(blocks, found, sizes)
    if frame.relations:
        _add(blocks, gaps, np.ones(gaps.shape[:2]))
    if rows.residuals or pushed:
        inside = onto_constraints(system, rows, states)
        kept = _Anchor(system, inside)
        lifted, _ = kept.lift(matrices)
        if rows.residuals:
            found, sizes = changes(rows.residuals, inside, lifted)
            _add(blocks, found, sizes)
        if pushed:
            found, sizes = changes(forces, inside, lifted)
            values = evaluate_all(list(forces), inside)
            turned = kept.turned(matrices)  # N with δv = −N v: the forces must be carried by N
            _add(blocks, found - np.einsum("sj,seji->sie", values, turned), sizes + np.abs(values))
    if system.parametric is not None:
        blocks.append(parametric_changes(system, system.parametric, states, matrices))
    if system.holonomic:
        flat = [e for row in jacobian(system.holonomic, x) for e in row]
        slopes = evaluate_all(flat, states).reshape(len(states), len(system.holonomic), len(x))
        _add(
            blocks,
            np.einsum("sfc,sec->sfe", slopes, lifted_positions(matrices, anchor)),
            np.max(np.abs(slopes), axis=2),
        )
    whole = np.concatenate([b.reshape(-1, len(matrices)) for b in blocks])
    return np.asarray(whole[np.all(np.isfinite(whole), axis=1)])


def _add(blocks: list[Numbers], found: Numbers, sizes: Numbers) -> None:
    """Append equations of one kind, scaled by the largest of their kind at the same state."""
    with np.errstate(all="ignore"):
        largest = np.max(sizes, axis=1, initial=0.0)
        usual = largest[np.isfinite(largest) & (largest > 0)]
        least = 1e-3 * float(np.median(usual)) if usual.size else 1.0
        blocks.append(found / np.maximum(largest, least)[:, None, None])


def lifted_positions(matrices: Sequence[Numbers], anchor: _Anchor) -> Numbers:
    """``ξ(x)`` of every field at every state."""
    return np.asarray(np.einsum("enm,sm->sen", np.stack(matrices)[:, :-1, :], anchor.points))


def parametric_changes(
    system: System, parametric: Parametric, states: Sequence[dict[str, float]], matrices: Sequence[Numbers]
) -> Numbers:
    """The part of ``δv − ∂_ξ ψ`` across the span of ``∂ψ/∂z``: zero where a lifted field preserves the velocities ``ψ(q, z)``."""
    names, table = parametric
    velocity = [table[u] for u in system.velocities]
    chosen = []
    for k, state in enumerate(states):
        random = np.random.default_rng(700 + k)
        place = {**state, **dict(zip(names, random.uniform(0.3, 1.3, len(names)).tolist()))}
        chosen.append({**place, **dict(zip(system.velocities, evaluate_all(velocity, [place])[0].tolist()))})
    anchor = _Anchor(system, chosen)
    lifted, _ = anchor.lift(matrices)
    n, count = len(velocity), len(system.coordinates)
    places = evaluate_all([e for row in jacobian(velocity, symbols(system.coordinates)) for e in row], chosen)
    spans = evaluate_all([e for row in jacobian(velocity, symbols(names)) for e in row], chosen)
    result = []
    for move, slope, span in zip(lifted, places.reshape(-1, n, count), spans.reshape(-1, n, len(names))):
        gap = (move[:, count:] - move[:, :count] @ slope.T).T
        result.append(
            gap - span @ np.linalg.lstsq(span, gap, rcond=None)[0] if np.all(np.isfinite(span)) else gap * np.nan
        )
    return np.stack(result)


class _Anchor:
    """The frame as numbers at the states: ``ψ``, its slopes, and how fields on the coordinates move velocities."""

    def __init__(self, system: System, states: Sequence[dict[str, float]]) -> None:
        frame, names = system.frame, system.coordinates
        self.count, self.n = len(names), len(system.velocities)
        self.plain = bool(frame.plain)
        self.points = np.array([[*(s[c] for c in names), 1.0] for s in states])
        self.speeds = np.array([[s[u] for u in system.velocities] for s in states])
        self.blocks = [
            ([names.index(c) for c in b.coordinates], [system.velocities.index(u) for u in b.velocities])
            for b in blocks_of(frame)
            if b.kind == "vertical"
        ]
        if not self.plain:
            flat = [e for row in frame.anchor for e in row]
            slopes = [e for f in flat for e in gradient(f, symbols(names))]
            shape = (len(states), self.count, self.n)
            self.anchor = evaluate_all(flat, states).reshape(shape)
            self.slopes = evaluate_all(slopes, states).reshape(*shape, self.count)
            with np.errstate(all="ignore"):
                self.back = np.stack([_inverse(a) for a in self.anchor])

    def turned(self, matrices: Sequence[Numbers]) -> Numbers:
        """``N`` (states, fields, n, n) with ``δv = −N v``."""
        stack = np.stack(matrices)[:, :-1, :-1]
        if self.plain:
            return np.broadcast_to(-stack[None], (len(self.points), *stack.shape))
        moved = np.einsum("eij,sjk->seik", stack, self.anchor)
        moved -= np.einsum("snkc,sec->senk", self.slopes, lifted_positions(matrices, self))
        found = -np.einsum("sji,seik->sejk", self.back, moved)
        for places, speeds in self.blocks:
            # the velocities of a vertical turn with it; they do not follow from its rates
            for e, matrix in enumerate(np.stack(matrices)):
                found[:, e][np.ix_(range(len(found)), speeds, speeds)] = -matrix[np.ix_(places, places)]
        return np.asarray(found)

    def lift(self, matrices: Sequence[Numbers]) -> tuple[Numbers, Numbers]:
        """``(ξ, δv)`` (states, fields, N + n), and how far each field is from tangent (states, N, fields)."""
        positions = lifted_positions(matrices, self)
        turned = self.turned(matrices)
        speeds = -np.einsum("sejk,sk->sej", turned, self.speeds)
        gaps = np.zeros((len(self.points), 0, len(matrices)))
        if not self.plain and not self.blocks:
            moved = np.einsum("eij,sjk,sk->sei", np.stack(matrices)[:, :-1, :-1], self.anchor, self.speeds)
            moved -= np.einsum("snkc,sk,sec->sen", self.slopes, self.speeds, positions)
            tangent = positions - np.einsum("sik,skj,sej->sei", self.anchor, self.back, positions)
            moved = moved - np.einsum("sik,sek->sei", self.anchor, speeds)
            gaps = np.concatenate([np.swapaxes(tangent, 1, 2), np.swapaxes(moved, 1, 2)], axis=1)
        return np.concatenate([positions, speeds], axis=2), gaps


def _inverse(matrix: Numbers) -> Numbers:
    if not np.all(np.isfinite(matrix)):
        return np.full(matrix.T.shape, np.nan)
    return np.asarray(np.linalg.pinv(matrix, rcond=1e-9), dtype=np.float64)


def onto_constraints(system: System, rows: Any, states: Sequence[dict[str, float]]) -> list[dict[str, float]]:
    """The states with velocities that the constraints allow: nearest ones, by Newton's method where they are nonlinear."""
    if not rows.residuals:
        return list(states)
    v = system.velocities
    flat = [*rows.residuals, *(e for row in rows.slopes for e in row)]
    height = len(rows.residuals)

    def moved(speeds: Numbers) -> list[dict[str, float]]:
        return [{**state, **dict(zip(v, row.tolist()))} for state, row in zip(states, speeds)]

    def residuals(speeds: Numbers) -> tuple[Numbers, Numbers]:
        numbers = evaluate_all(flat, moved(speeds))
        return numbers[:, :height], numbers[:, height:].reshape(len(states), height, len(v))

    start = np.array([[state[n] for n in v] for state in states])
    return moved(together(residuals, start, 1e-15, 1 if rows.linear else 40))
