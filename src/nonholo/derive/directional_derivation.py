"""Derive (M, F) of systems with many velocities from directional derivatives of the Lagrangian.

`nonholo.derive.hamel` forms ``G = ∂²l/∂v²`` and projects it. Of n velocities that has n² entries of up to n terms each, n³ in
all; few speeds need few directions of it. With ``w_α = ∂V/∂z^α`` held while the rest moves,

    M_αβ = D_v(D_v l · w_α) · w_β
    F_α  = D_x l · (ψ w_α) + (c_ij^a p_a v^i + Q_j) w_α^j − d/dt|_z (D_v l · w_α)

each is one pass over the graph of ``l`` for every direction, and sums that stand in ``l`` (velocities of points) stay sums:
partial velocities, as in Kane's method, without being told of the points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import symengine as se

from nonholo.algebra.calculus import ONE, along, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot, transpose
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import Admissible

WIDE = 12
"""With more velocities than this the matrix ``∂²l/∂v²`` is not formed; below, its entries cancel and it is shorter."""
FEW = 3
"""Nor where the speeds are more than one in this many velocities: every pair of speeds is a pass of its own."""


def few_directions(velocities: int, speeds: int) -> bool:
    """Whether the pair is made along the admissible directions.

    >>> few_directions(18, 2), few_directions(18, 18), few_directions(5, 1)
    (True, False, False)
    """
    return velocities > WIDE and FEW * speeds <= velocities


def projected(
    system: System,
    allowed: Admissible,
    lagrangian: Expr,
    covector: Sequence[Expr],
    drift: Sequence[Expr],
    on_shell: Mapping[Expr, Expr],
) -> tuple[Matrix, tuple[Expr, ...]]:
    """``M`` and ``F`` for explicit admissible velocities.

    ``covector`` is ``c_ij^a p_a v^i + Q_j`` in ``(x, v, t)``, ``drift`` the change of ``V`` while the speeds stay. All is
    substituted in one pass: copies of a deep graph would be compared as trees.
    """
    x, v = symbols(system.coordinates), symbols(system.velocities)
    virtual = transpose(allowed.basis)
    held = [tuple(se.Dummy() for _ in v) for _ in virtual]
    change = tuple(se.Dummy() for _ in v)
    momenta = [along([lagrangian], dict(zip(v, w)))[0] for w in held]
    moving = {**dict(zip(x, system.frame.rates)), TIME: ONE, **dict(zip(v, change))}
    slopes = [along([lagrangian], {s: dot(row, w) for s, row in zip(x, system.frame.anchor)})[0] for w in held]
    force = [slope + dot(covector, w) - transport for slope, w, transport in zip(slopes, held, along(momenta, moving))]
    upper = [along(momenta[a:], dict(zip(v, w))) for a, w in enumerate(held)]
    table = {**on_shell, **dict(zip(change, drift))}
    for w, direction in zip(held, virtual):
        table |= dict(zip(w, direction))
    flat = substitute([*force, *(entry for row in upper for entry in row)], table)
    size = len(held)
    entries = iter(flat[size:])
    rows = [[next(entries) for _ in row] for row in upper]
    mass = tuple(tuple(rows[min(a, b)][abs(a - b)] for b in range(size)) for a in range(size))
    return mass, flat[:size]
