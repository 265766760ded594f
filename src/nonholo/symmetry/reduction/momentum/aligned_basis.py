"""Basis of D aligned with the symmetry: horizontal fields κ and fields γ along the orbits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, substitute
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    determinant,
    dot,
    evaluate,
    evaluate_matrix,
    identity,
    multiply,
    solve,
    transpose,
)
from nonholo.algebra.subspaces import column_order, null_space
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.model.system import System
from nonholo.symmetry.reduction.quotient_data import Quotient, changed, force_terms, is_small


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
