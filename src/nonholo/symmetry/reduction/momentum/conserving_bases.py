"""Bases of S in which the momentum is conserved [BMZ 2009 §4.3].

With ``ṗ_a = τ_aα^c p_c ṙ^α + (terms in pp and ṙṙ)``, the momentum ``η^a(r) p_a`` is conserved for every motion when
``dη = −η τ`` and the other terms vanish along η. Theorem 4.4 asks that τ be exact; what is needed is that it be flat,
``dτ + τ∧τ = 0``, which is the same for one momentum and always true for one shape variable.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, product
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, along, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate_all, multiply
from nonholo.finding import Finding, Property, bounded
from nonholo.geometry.frames.brackets import shorten_matrix
from nonholo.symmetry.reduction.momentum.aligned_basis import Aligned
from nonholo.symmetry.reduction.quotient_data import Cube

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
