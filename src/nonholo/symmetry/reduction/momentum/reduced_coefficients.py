"""The coefficients of the reduced equations (4.9)–(4.11) of BMZ 2009, with the printed errors put right.

With ``J = I_US I_S^{-1}`` (printed as ``−(I^U)^{-1} I^{US}``, its equal):

    D_aα^c = E_αa^c + E_αa^{c'} J_{c'}^c + C_ba^{c'} Λ_{c'α} I^{bc}        (also the form τ of (4.7))
    D_aαβ = Λ_{c'β} E_αa^{c'},    K_αβγ = Λ_{c'γ} B_αβ^{c'}

    ṗ_a = (C_ba^c + C_ba^{c'} J_{c'}^c) I^{bd} p_c p_d + D_aα^c p_c ṙ^α + D_aαβ ṙ^α ṙ^β
    d/dt ∂l_c/∂ṙ^α − ∂l_c/∂r^α = −D_bα^c I^{bd} p_c p_d − K_αβγ ṙ^β ṙ^γ − (B_αβ^c + B_αβ^{c'} J_{c'}^c + D_bαβ I^{bc}) p_c ṙ^β
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, multiply
from nonholo.geometry.frames.brackets import shorten
from nonholo.symmetry.reduction.momentum.connection import Connection
from nonholo.symmetry.reduction.quotient_data import Cube


@dataclass(frozen=True)
class Coefficients:
    """What stands in (4.9)–(4.11)."""

    quadratic: Cube
    """``[a][c][d]``: the coefficient of ``p_c p_d`` in ``ṗ_a``."""
    linear: Cube
    """``D[a][α][c]``, equally the form ``τ``."""
    free: Cube
    """``D[a][α][β]``."""
    gyroscopic: Cube
    """``K[α][β][γ]``."""
    bending: Cube
    """``[α][β][c]``: ``B_αβ^c + B_αβ^{c'} J_{c'}^c``."""
    inverse: Matrix
    """``I_S^{ab}``."""


def coefficients(found: Connection, inverse: Matrix) -> Coefficients:
    """(4.11), in the corrected form."""
    m = found.momenta
    count = len(found.inertia)
    shapes = len(found.curvature)
    others = range(m, count)
    lean = multiply(found.inertia_us, inverse) if count > m and m else ()

    def carried(vector: Sequence[Expr], c: int) -> Expr:
        """A vertical vector seen by p: its S part and what U adds through I_US."""
        return vector[c] + sum((vector[o] * lean[o - m][c] for o in others), ZERO)

    C, E, B, L = found.structure, found.mixed, found.curvature, found.leaning
    quadratic = tuple(
        tuple(
            tuple(shorten(sum((carried(C[b][a], c) * inverse[b][d] for b in range(m)), ZERO)) for d in range(m))
            for c in range(m)
        )
        for a in range(m)
    )
    linear = tuple(
        tuple(
            tuple(
                shorten(
                    carried(E[x][a], c)
                    + sum((C[b][a][o] * L[o - m][x] * inverse[b][c] for b in range(m) for o in others), ZERO)
                )
                for c in range(m)
            )
            for x in range(shapes)
        )
        for a in range(m)
    )
    free = tuple(
        tuple(
            tuple(shorten(sum((L[o - m][y] * E[x][a][o] for o in others), ZERO)) for y in range(shapes))
            for x in range(shapes)
        )
        for a in range(m)
    )
    gyroscopic = tuple(
        tuple(
            tuple(shorten(sum((L[o - m][z] * B[x][y][o] for o in others), ZERO)) for z in range(shapes))
            for y in range(shapes)
        )
        for x in range(shapes)
    )
    bending = tuple(
        tuple(tuple(shorten(carried(B[x][y], c)) for c in range(m)) for y in range(shapes)) for x in range(shapes)
    )
    return Coefficients(quadratic, linear, free, gyroscopic, bending, inverse)


def momentum_side(found: Coefficients, momenta: Sequence[Expr], rates: Sequence[Expr]) -> tuple[Expr, ...]:
    """``ṗ_a`` by (4.10)."""
    m, shapes = len(momenta), len(rates)
    return tuple(
        sum((found.quadratic[a][c][d] * momenta[c] * momenta[d] for c in range(m) for d in range(m)), ZERO)
        + sum((found.linear[a][x][c] * momenta[c] * rates[x] for x in range(shapes) for c in range(m)), ZERO)
        + sum((found.free[a][x][y] * rates[x] * rates[y] for x in range(shapes) for y in range(shapes)), ZERO)
        for a in range(m)
    )


def shape_side(found: Coefficients, momenta: Sequence[Expr], rates: Sequence[Expr]) -> tuple[Expr, ...]:
    """The right side of the shape equation (4.9)."""
    m, shapes = len(momenta), len(rates)
    result = []
    for x in range(shapes):
        total = -sum(
            (
                found.linear[b][x][c] * found.inverse[b][d] * momenta[c] * momenta[d]
                for b in range(m)
                for c in range(m)
                for d in range(m)
            ),
            ZERO,
        )
        for y in range(shapes):
            for z in range(shapes):
                total -= found.gyroscopic[x][y][z] * rates[y] * rates[z]
            for c in range(m):
                weight = found.bending[x][y][c] + sum(
                    (found.free[b][x][y] * found.inverse[b][c] for b in range(m)), ZERO
                )
                total -= weight * momenta[c] * rates[y]
        result.append(total)
    return tuple(result)
