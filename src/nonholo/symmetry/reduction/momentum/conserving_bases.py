"""Bases of S in which the momentum is conserved [BMZ 2009 §4.3].

With ``ṗ_a = τ_aα^c p_c ṙ^α + (terms in pp and ṙṙ)``, the momentum ``η^a(r) p_a`` is conserved for every motion when
``dη = −η τ`` and the other terms vanish along η. Theorem 4.4 asks that τ be exact; what is needed is that it be flat,
``dτ + τ∧τ = 0``, which is the same for one momentum and always true for one shape variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations, product
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, along, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    determinant,
    dot,
    evaluate,
    evaluate_all,
    evaluate_matrix,
    identity,
    multiply,
    solve,
    transpose,
)
from nonholo.algebra.subspaces import column_order, null_space
from nonholo.errors import ModelError
from nonholo.finding import Finding, Property, bounded
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.model.system import System
from nonholo.symmetry.reduction.quotient_data import Cube, Quotient, changed, force_terms, is_small

LIMIT = 1e-9


def adjoint_matrices(frame: Aligned) -> Cube:
    """``N[j][a][c]`` of ``κ_j p_a = N_ja^c p_c`` [the adjoint equation, MacDonnell 1997 (7.11)], from brackets inside D."""
    T, h, m = frame.data.brackets, frame.horizontal, frame.vertical
    return tuple(
        multiply([[T[j][h + a][h + b] + T[h + b][h + a][j] for b in range(m)] for a in range(m)], frame.inverse_inertia)
        for j in range(h)
    )


def transport_form(frame: Aligned) -> Cube:
    """``τ[α][a][c]``: the coefficient of ``p_c ṙ^α`` in ``ṗ_a`` [BMZ 2009 (4.7)]: the matrices of the adjoint equation."""
    return tuple(map(shorten_matrix, adjoint_matrices(frame)))


def along_shape(frame: Aligned, which: int, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
    """``κ_j`` of functions of the shape."""
    r = symbols(frame.data.shape.names)
    return along(list(exprs), {s: row[which] for s, row in zip(r, frame.data.slopes) if row[which] != 0})


def curvature_terms(frame: Aligned, N: Cube) -> list[tuple[Expr, list[Expr]]]:
    """``κ_i N_j − κ_j N_i + [N_j, N_i]`` entry by entry, each with the terms that it is the sum of."""
    h, m = frame.horizontal, frame.vertical
    moved = {(i, j): [along_shape(frame, i, row) for row in N[j]] for i in range(h) for j in range(h) if i != j}
    result = []
    for (i, j), a, c in product(combinations(range(h), 2), range(m), range(m)):
        ones = [N[j][a][b] * N[i][b][c] for b in range(m)] + [moved[i, j][a][c]]
        twos = [N[i][a][b] * N[j][b][c] for b in range(m)] + [moved[j, i][a][c]]
        result.append((sum(ones, ZERO) - sum(twos, ZERO), [*ones, *twos]))
    return result


def metric_changes(frame: Aligned, inside: range) -> list[tuple[Expr, list[Expr]]]:
    """``(L_γa K)(Y_i, Y_j) = −T_aij − T_aji`` on S or on H, each with its terms; where all vanish γ preserves K there."""
    T, h = frame.data.brackets, frame.horizontal
    pairs = [(i, j) for i in inside for j in inside if i <= j]
    orbit = range(h, h + frame.vertical)
    return [(-T[a][i][j] - T[a][j][i], [T[a][i][j], T[a][j][i]]) for a in orbit for i, j in pairs]


def theorem_4_4(frame: Aligned, inputs: Sequence[str] = ()) -> tuple[Finding, ...]:
    """The terms of the momentum equation, and the conditions of Theorem 4.4 of BMZ 2009 in their right form, at random shapes.

    The theorem is about natural systems; forces along S push the momenta, which is said.
    """
    h, m = frame.horizontal, frame.vertical
    if not m or frame.data.driven or frame.cross:
        return ()
    flat = bounded(
        Property("τ is flat, dτ + τ∧τ = 0", "τ is not flat"),
        largest(tau_curvature(frame), frame),
        LIMIT,
        "[BMZ 2009, 4.4 (i), corrected]",
    )
    quadratic, free = ([e for e, _ in metric_changes(frame, part)] for part in (range(h, h + m), range(h)))
    straight = bounded(
        Property(
            "the momentum equation has no terms quadratic in p: the matrix C I_S⁻¹ is skew",
            "the momentum equation has terms quadratic in p: the matrix C I_S⁻¹ is not skew",
        ),
        largest(quadratic, frame),
        LIMIT,
        "[BMZ 2009, 4.2; Zenkov, Bloch and Marsden 1998]",
    )
    unforced = bounded(
        Property(
            "the momentum equation has no terms quadratic in ṙ",
            "the momentum equation has terms quadratic in ṙ, which often bring asymptotic stability",
        ),
        largest(free, frame),
        LIMIT,
        "[BMZ 2009, 4.2; Zenkov, Bloch and Marsden 1998]",
    )
    still = straight and unforced
    pushed, when = _pushed(frame, inputs)
    fine = bool(flat and still and not pushed)
    reason = "forces act along S" if pushed else "one of the conditions fails"
    whole = Finding(
        Property(
            f"a basis of S exists in which all momenta of S are conserved{when if fine else ''}",
            "no basis of S conserves all momenta of S",
        ),
        "holds" if fine else "fails",
        None,
        "Corollary 4.5 of BMZ 2009: both conditions hold" if fine else reason,
    )
    return (flat, straight, unforced, whole)


def _pushed(frame: Aligned, inputs: Sequence[str]) -> tuple[bool, str]:
    """Whether forces act along S, and what must be said when only inputs do."""
    along = list(frame.data.forces[frame.horizontal :])
    random = np.random.default_rng(21)
    names = [str(s) for s in frame.data.velocities]
    places = [{**p, **{n: float(random.uniform(-1, 1)) for n in names}} for p in frame.data.samples]
    quiet = [{**p, **dict.fromkeys(inputs, 0.0)} for p in places]
    if float(np.max(np.abs(evaluate_all(along, quiet)), initial=0.0)) > LIMIT:
        return True, ""
    only = float(np.max(np.abs(evaluate_all(along, places)), initial=0.0)) > LIMIT
    return False, " when the inputs are zero" if only else ""


def largest(exprs: Any, frame: Aligned) -> float:
    listed = list(exprs)
    if not listed:
        return 0.0
    metric = [e for row in frame.data.metric for e in row]
    numbers = np.abs(evaluate_all([*listed, *metric], frame.data.samples))
    return float(np.max(numbers[:, : len(listed)]) / (1e-300 + np.max(numbers[:, len(listed) :])))


def tau_curvature(frame: Aligned) -> list[Expr]:
    """``∂_α τ_β − ∂_β τ_α + τ_β τ_α − τ_α τ_β``, the integrability of ``∂_α η = −η τ_α``."""
    return [e for e, _ in curvature_terms(frame, transport_form(frame))]


@dataclass(frozen=True)
class Aligned:
    """``κ_α`` (H = D ∩ S^⊥) and ``γ_a`` (S = D ∩ V) in the invariant basis of D, and the reduced data in them.

    ``matrix`` has the columns κ_1 … κ_h γ_1 … γ_m; ``rows`` are the shape variables whose rates are the horizontal
    velocities, ``ṙ = v``. ``data`` is block diagonal, ``K(κ, γ) = 0``, unless the user chose another connection.
    """

    matrix: Matrix
    rows: tuple[int, ...]
    horizontal: int
    vertical: int
    data: Quotient
    inverse_inertia: Matrix
    """``I_S^{ab}``."""
    cross: Matrix = ()
    """``K(γ_a, κ_α)`` by rows of a, for a connection that is not orthogonal; empty when it vanishes."""

    @property
    def shape_metric(self) -> Matrix:
        """``G_c``: the metric on shape velocities less what the momenta carry, the same for every connection."""
        h = self.horizontal
        own = tuple(row[:h] for row in self.data.metric[:h])
        if not self.cross:
            return own
        lowered = multiply(transpose(self.cross), multiply(self.inverse_inertia, self.cross))
        return tuple(tuple(shorten(a - b) for a, b in zip(*rows)) for rows in zip(own, lowered))


def aligned(system: System, data: Quotient, at: Any = None, along: Sequence[Sequence[Expr]] | None = None) -> Aligned:
    """S from the shape's slopes (fields that do not change the shape) or as given, H orthogonal to it."""
    count = len(data.velocities)
    samples = [{**s, **dict(at)} if at and k == 0 else dict(s) for k, s in enumerate(data.samples)]
    rows = _independent(data, samples)
    chosen = [data.slopes[c] for c in rows]
    columns_s = _kernel(chosen, count, samples) if along is None else [tuple(c) for c in along]
    lowered = [tuple(dot(row, s) for row in data.metric) for s in columns_s]
    inertia = [[shorten(dot(a, b)) for b in lowered] for a in columns_s]
    try:
        inverse = solve(inertia, identity(len(columns_s)), samples) if columns_s else ()
        # κ_α by its properties, ṙ = e_α and K(κ, γ) = 0: regular wherever the shape can move
        sides = (*identity(len(rows)), *[(ZERO,) * len(rows)] * len(columns_s))
        lifted = solve([*chosen, *lowered], sides, samples) if rows else ()
    except DependentRows:
        raise ModelError(
            f"{system.name}: reduction needs kinetic energy along every admissible direction of the orbits; the inertia of S is "
            "singular (a massless direction)."
        ) from None
    inverse = shorten_matrix(inverse)
    horizontal = [tuple(shorten(row[k]) for row in lifted) for k in range(len(rows))]
    matrix = transpose([*horizontal, *columns_s])
    found = changed(data, matrix)
    h, m = len(rows), len(columns_s)
    metric = tuple(
        tuple(ZERO if (i < h) != (j < h) else e for j, e in enumerate(row)) for i, row in enumerate(found.metric)
    )
    clean = replace(found, slopes=_unit_slopes(found, rows, h), metric=metric, samples=data.samples)
    return Aligned(matrix, tuple(rows), h, m, clean, inverse)


def _unit_slopes(found: Quotient, rows: Sequence[int], h: int) -> Matrix:
    """The slopes of the shape, exactly 1 and 0 where the basis makes them so."""
    return tuple(
        tuple(ZERO if j >= h else (ONE if c == rows[j] else ZERO) if c in rows else e for j, e in enumerate(row))
        for c, row in enumerate(found.slopes)
    )


def tilted(data: Quotient, frame: Aligned, horizontal: Sequence[Sequence[Expr]]) -> Aligned:
    """The same S with other horizontal fields, by columns in the invariant basis of D; they must move the shape alike."""
    h = frame.horizontal
    matrix = transpose([*horizontal, *transpose(frame.matrix)[h:]])
    found = changed(data, matrix)
    clean = replace(found, slopes=_unit_slopes(found, frame.rows, h), samples=data.samples)
    cross = tuple(row[:h] for row in clean.metric[h:])
    if is_small([e for row in cross for e in row], data.samples):
        return replace(frame, matrix=matrix)
    return Aligned(matrix, frame.rows, h, frame.vertical, clean, frame.inverse_inertia, cross)


def _kernel(rows: Sequence[Sequence[Expr]], count: int, samples: Any) -> list[tuple[Expr, ...]]:
    """Fields that do not change the shape; a single one by cofactors, which need no pivot."""
    if rows and len(rows) == count - 1:
        minors = [[[e for j, e in enumerate(row) if j != k] for row in rows] for k in range(count)]
        field = [shorten((-1) ** k * determinant(minor)) for k, minor in enumerate(minors)]
        numbers = evaluate(field, samples[0])
        sign = 1 if numbers[int(np.argmax(np.abs(numbers)))] > 0 else -1
        return [tuple(sign * e for e in field)]
    return list(null_space(rows, count, samples)[1])


def _independent(data: Quotient, samples: Any) -> list[int]:
    """Shape variables whose rates are independent on D, best conditioned at the first sample."""
    if not data.slopes:
        return []
    numbers = [evaluate_matrix(data.slopes, s) for s in samples]
    if not np.all(np.isfinite(numbers[0])):
        raise ModelError(
            "reduction: rates of shape variables have no finite value at this configuration (a pole of the section); choose "
            "another configuration."
        )
    rank = max(int(np.linalg.matrix_rank(n, tol=1e-9)) for n in numbers if np.all(np.isfinite(n)))
    if int(np.linalg.matrix_rank(numbers[0], tol=1e-9)) < rank:
        raise ModelError(
            "reduction: at this configuration fewer shape variables can change than nearby (a singular point of the constraints "
            "or of the group's orbits); choose another configuration."
        )
    if rank == 0:
        return []
    order = column_order(numbers[0].T)
    return sorted(order[:rank])


def momentum_and_shape(frame: Aligned, momenta: Any, speeds: Any) -> tuple[tuple[Expr, ...], tuple[Expr, ...]]:
    """The right sides of ``G_αβ v̇^β = …`` and ``ṗ_a = …`` in ``(r, v, p)``.

    The shape equation is d/dt(G v) minus what the change of G contributes; the momentum equation is (4.7) of BMZ 2009
    in the corrected form, here as ``ṗ_a = T_JaL w^J w^L + Q_a``.
    """
    data, h = frame.data, frame.horizontal
    w = data.velocities
    force = list(force_terms(data))
    metric = frame.shape_metric
    carried = data.carried([e for row in metric for e in row], w)
    for i in range(h):
        force[i] -= dot(carried[i * h : (i + 1) * h], w[:h])
    if frame.cross:
        # π = G_c w + N (p − b) + b with N = crossᵀ I_S⁻¹: its rate less that of G_c w
        lean = shorten_matrix(multiply(transpose(frame.cross), frame.inverse_inertia))
        own = [dot(row, w) for row in data.metric[h:]]
        turned = data.carried([e for row in lean for e in row], w)
        pulled = [f - b for f, b in zip(force[h:], data.carried(data.linear[h:], w))] if data.linear else force[h:]
        for i in range(h):
            force[i] -= dot(turned[i * len(own) : (i + 1) * len(own)], own) + dot(lean[i], pulled)
    if data.linear:
        force[:h] = [f - b for f, b in zip(force, data.carried(data.linear[:h], w))]
    if data.drift:
        swept = data.carried([data.drift[c] for c in frame.rows], w)
        force[:h] = [f + dot(row, swept) for f, row in zip(force[:h], metric)]
    found = substitute(force, dict(zip(w, velocities_in(frame, momenta, speeds))))
    return found[:h], found[h:]


def velocities_in(frame: Aligned, momenta: Any, speeds: Any) -> tuple[Expr, ...]:
    """``w`` by the rates of the shape and the momenta: ``ṙ − X_0[r]`` and ``I_S⁻¹ (p − b − cross (ṙ − X_0[r]))``."""
    data, h = frame.data, frame.horizontal
    own = [p - b for p, b in zip(momenta, data.linear[h:])] if data.linear else list(momenta)
    rates = [s - data.drift[c] for s, c in zip(speeds, frame.rows)] if data.drift else list(speeds)
    if frame.cross:
        own = [p - dot(row, rates) for p, row in zip(own, frame.cross)]
    return (*rates, *(dot(row, own) for row in frame.inverse_inertia))
