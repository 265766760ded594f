"""§2.5, end: the mechanical connection, the equations in coordinates, the generalized rigid body."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz._se2_bundle import body
from nonholo_papers.bmz.s2_5_poincare import places
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving
from nonholo_papers.section import Section

section = Section("bmz", "2.5 The mechanical connection, the equations in coordinates")


@section.confirmed("§2.5, the metric is block-diagonal with the mechanical connection", 43)
def block_diagonal() -> Evidence:
    """⟨⟨q̇, q̇⟩⟩ has no term ṙΩ when Ω = ξ + A^mech ṙ."""

    def terms(t: Any) -> list[Any]:
        xi = body(t.state)
        whole = t.rdot @ t.G @ t.rdot + 2 * t.rdot @ t.K @ xi + xi @ t.I @ xi
        omega = xi + t.rdot @ t.A
        horizontal = t.rdot @ (t.G - t.A @ t.I @ t.A.T) @ t.rdot
        return [whole, -horizontal, -omega @ t.I @ omega]

    other = places("any")

    return identity(places("mechanical"), terms, mutants=[lambda t: terms(other[0])])


@section.confirmed("§2.5, the Euler–Lagrange–Poincaré equations in coordinates", 44)
def in_coordinates() -> Evidence:
    """The shape equation with B_αβ ṙ^β and γ terms, and ṗ_b = C^c_ab p_c Ω^a + ℰ^c_αb p_c ṙ^α, with the mechanical
    connection.
    """

    def terms(t: Any) -> list[Any]:
        zero = np.zeros(2)
        return [
            np.concatenate([t.shape_force - t.slope, t.momentum_rate]),
            np.concatenate([np.einsum("cab,c,b->a", t.B, t.p, t.rdot), np.zeros(3)]),
            np.concatenate([np.einsum("cab,c,b->a", t.gammas, t.p, t.rdot), np.zeros(3)]),
            np.concatenate([np.einsum("cab,c,b->a", t.E, t.p, t.omega), np.zeros(3)]),
            np.concatenate([zero, -np.einsum("abc,a,c->b", t.C, t.omega, t.p)]),
            np.concatenate([zero, -np.einsum("cab,c,a->b", t.E, t.p, t.rdot)]),
        ]

    return identity(
        places("mechanical"), terms, words="free motion on R² × SE(2), rates by the witness; B with + C A A"
    )


@section.confirmed("(2.23), footnote 3", 45, exhibits=("euler-top",))
def euler_poincare() -> Evidence:
    """d/dt ∂l/∂ξ = ad*_ξ ∂l/∂ξ; for SO(3) it is ∂l/∂ξ × ξ (Euler top, by the witness in angles)."""
    cyclic = np.zeros((3, 3, 3))
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        cyclic[i, j, k], cyclic[j, i, k] = 1, -1

    def terms(s: Any) -> list[Any]:
        spin = np.array([s.w1, s.w2, s.w3])
        moments = np.array([s.I1, s.I2, s.I3])
        rate = moments * np.array([s.rate("w1"), s.rate("w2"), s.rate("w3")])
        dual = np.einsum("abc,a,c->b", cyclic, spin, moments * spin)
        return [np.array([rate, rate]), -np.array([dual, np.cross(moments * spin, spin)])]

    return identity(moving("euler-top"), terms, words="Euler top, rates by the multiplier witness in Cardan angles")
