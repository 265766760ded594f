"""The divergence of the flow on the manifold of its invariants, and orthonormal bases of its tangent spaces."""

from __future__ import annotations

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.system_kernel import on_rows
from nonholo.integrate.results.named_quantities import solved_rows

DEPENDENT = 1e-9
"""Singular values of the invariants' slopes below this part of the largest count as zero."""
SAFELY = 1e-4
"""Pivots of the squares of these slopes that differ by less than this leave no doubt that they are independent."""


def divergence_of(initial: InitialValue, rows: Numbers, compiled: bool) -> Numbers:
    """``tr Pᵀ (∂f/∂y) P`` with P an orthonormal basis of the manifold's tangent space, at every input vector."""
    n = len(initial.equations.state)
    solved = solved_rows(initial.kernel, rows)[1]
    slopes = (_compiled_slopes(initial, rows, solved) if compiled else initial.kernel.slopes(rows, solved))[:, :n, :n]
    whole = np.trace(slopes, axis1=1, axis2=2)
    if not initial.kernel.invariants:
        return np.asarray(whole)
    return np.asarray(whole - _normal_trace(_slopes(initial, rows), slopes))


def _compiled_slopes(initial: InitialValue, rows: Numbers, solved: Numbers) -> Numbers:
    """The derivatives of the rates by the state on every row, by their own machine code (not that of the tangents)."""
    kernel, code = initial.kernel, initial.kernel.jacobian.code
    fixed = code.constants(rows[0]) if code.constants.outputs else np.empty(0)
    found = on_rows(code.code, np.hstack([rows, solved, np.tile(fixed, (len(rows), 1))]))
    n = len(kernel.equations.state)
    slopes = found[:, :-1].reshape(len(rows), -1, n)
    hard = np.flatnonzero(~(found[:, -1] > 0.0))
    if len(hard):
        slopes[hard] = kernel.slopes(rows[hard], solved[hard])[:, :, :n]
    return np.asarray(slopes)


def _slopes(initial: InitialValue, rows: Numbers) -> Numbers:
    kernel, n = initial.kernel, len(initial.equations.state)
    table = kernel.invariant_slopes
    if table is None:
        return np.zeros((len(rows), 0, n))
    return np.asarray(table(rows).reshape(len(rows), len(kernel.invariants), -1)[:, :, :n])


def tangent_basis(initial: InitialValue, rows: Numbers) -> Numbers:
    """Orthonormal bases of the kernel of the invariants' slopes at input vectors: (rows, state, dimension)."""
    slopes = _slopes(initial, rows)
    if not slopes.shape[1]:
        return np.broadcast_to(np.eye(slopes.shape[2]), (len(rows), slopes.shape[2], slopes.shape[2]))
    _, sizes, turns = np.linalg.svd(slopes)
    return np.moveaxis(turns[:, _rank(sizes) :, :], 1, 2)


def _normal_trace(bound: Numbers, slopes: Numbers) -> Numbers:
    """``tr(N A)`` on every row, N the projection on the span of the invariants' slopes G: ``tr((G Gᵀ)⁻¹ G A Gᵀ)``."""
    across = bound.swapaxes(1, 2)
    squares, seen = bound @ across, bound @ slopes @ across
    try:
        pivots = np.diagonal(np.linalg.cholesky(squares), axis1=1, axis2=2)
        independent = bool(np.all(np.min(pivots, axis=1) > SAFELY * np.max(pivots, axis=1)))
    except np.linalg.LinAlgError:
        independent = False
    if independent:
        return np.asarray(np.trace(np.linalg.solve(squares, seen), axis1=1, axis2=2))
    _, sizes, turns = np.linalg.svd(bound, full_matrices=False)
    normal = turns[:, : _rank(sizes), :]
    return np.asarray(np.sum((normal @ slopes) * normal, axis=(1, 2)))


def _rank(sizes: Numbers) -> int:
    return int(np.max(np.sum(sizes > DEPENDENT * np.maximum(sizes[:, :1], 1e-300), axis=1), initial=0))
