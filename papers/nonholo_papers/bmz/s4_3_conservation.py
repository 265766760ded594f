"""§4.3: conserved momenta in a frame that depends on the shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.bmz._se2_bundle import S
from nonholo_papers.bmz.s4_1_reduced import _along, _tau, places
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving, vanish
from nonholo_papers.section import Section

section = Section("bmz", "4.3 Momentum conservation relative to the body frame")
section.rest("a constrained Lagrangian system, given", 104, 105)


@section.refuted(
    "Theorem 4.4 (i), Corollary 4.5: τ exact",
    "Theorem 4.4",
    printed="the form τ is exact",
    right=r"d\tau + \tau\wedge\tau = 0, \text{ in the order of (4.12): the connection is flat}",
    reason="Exactness is enough only for one momentum or where the τ_α commute; for one shape variable the "
    "condition is empty.",
    harm=3,
    breaks="Conservation laws are claimed that do not exist (and, for flat forms that are not exact, missed).",
    exhibits=("rolling-disk", "gauge-momentum"),
    kind="error",
)
def exactness() -> Evidence:
    """An exact τ ensures fields η with dη = −⟨τ, η⟩."""
    from scipy.linalg import expm

    x, y = np.array([[0.3, 1.1], [0.4, -0.2]]), np.array([[0.5, -0.7], [0.9, 0.1]])
    r1, r2 = 0.4, -0.3
    # τ = X dr1 + Y dr2 with constant matrices is exact; η is carried along two sides of a rectangle, in both orders
    printed = float(np.max(np.abs(expm(-r2 * y) @ expm(-r1 * x) - expm(-r1 * x) @ expm(-r2 * y))))
    # τ = h⁻¹ dh with h = exp(r1 X) exp(r2 Y) is flat and not closed: τ_1 = exp(−r2 Y) X exp(r2 Y), τ_2 = Y
    turned = expm(-r2 * y) @ x @ expm(r2 * y)
    flat = float(np.max(np.abs(expm(-r2 * y) @ expm(-r1 * x) - expm(-r1 * turned) @ expm(-r2 * y))))
    return Evidence(
        printed,
        flat,
        None,
        "η carried along two paths: an exact τ of constant matrices, and a flat one that is not exact",
    )


def _derivative(t: Any, push: Any, eta: Any, tau: Any) -> list[Any]:
    """The terms of d/dt⟨p, η⟩ for a constant η."""
    quadratic = np.einsum("cab,c,a->b", t.E, t.carried, t.rdot)[S]
    return [t.pdot @ eta, -_along(t, push) @ eta, -tau @ eta, -quadratic @ eta]


@section.misprint(
    "Theorem 4.4 (ii) and its proof, Corollary 4.5",
    (99, 100),
    right=r"\left\langle [\text{ad}_{\mathcal{I}_S^{-1}p}^* (p + \mathcal{I}_{\mathcal{U}S}\mathcal{I}_S^{-1}p) + \langle "
    r"\mathbf{i}_{\dot r} \Lambda, \mathbf{i}_{\dot r} \mathcal{E} \rangle]_S, \eta(r) \right\rangle = 0",
    harm=4,
    breaks="By the printed condition the body momentum of the unbalanced sleigh would be conserved.",
    exhibits=("chaplygin-sleigh",),
    kind="error",
    because=(
        "It follows from (4.7). For the sleigh the printed condition holds for every constant η, and yet p₁ "
        "and p₂ change by (6.1)."
    ),
)
def second_condition() -> Evidence:
    """The rate of ⟨p, η⟩ contains ad*_{ℐ_S⁻¹p} p (the inverse printed T_S⁻¹), without ℐ_US ℐ_S⁻¹ p."""
    eta = np.array([0.8, -0.6])
    return identity(
        places(),
        lambda t: _derivative(t, np.concatenate([t.p, [0.0]]), eta, _tau(t)),
        lambda t: _derivative(t, t.full, eta, _tau(t)),
        words="d/dt⟨p, η⟩ with constant η on R² × SE(2)",
    )


def b(s: Any) -> Any:
    """The exhibit's b(r)."""
    return s.b0 + s.b1 * np.sin(s.r)


def slope(s: Any) -> Any:
    """b′(r)."""
    return s.b1 * np.cos(s.r)


def _gauge() -> list[Any]:
    return moving("gauge-momentum")


@section.confirmed("Theorem 4.4, proof: ⟨p, ⟨i_ṙ τ, η⟩ + η̇⟩; (4.12)", (101, 102), exhibits=("gauge-momentum",))
def parallel_fields() -> Evidence:
    """d/dt⟨p, η⟩ = ⟨p, ⟨i_ṙ τ, η⟩ + η̇⟩, for any η(r), and dη = −⟨τ, η⟩ makes it vanish (τ = b b′ dr)."""

    def terms(s: Any) -> list[Any]:
        tau = b(s) * slope(s) * s.rdot
        other = [s.dot(lambda z: z.s1dot * np.cos(z.r)), -s.s1dot * tau * np.cos(s.r), s.s1dot * np.sin(s.r) * s.rdot]
        eta = np.exp(-(b(s) ** 2) / 2)
        own = [0.0, -s.s1dot * tau * eta, -s.s1dot * s.dot(lambda z: np.exp(-(b(z) ** 2) / 2))]
        return [np.array(pair) for pair in zip(other, own)]

    return identity(
        _gauge(), terms, words="gauge momentum, η = cos r and η = exp(−b²/2), rates by the multiplier witness"
    )


@section.confirmed("Corollary 4.5", (103, "Corollary 4.5"), exhibits=("gauge-momentum",))
def zero_rate() -> Evidence:
    """In the frame η the momentum equation is ṗ = 0 (one shape variable, one momentum; conditions as corrected)."""
    return vanish(
        _gauge(),
        lambda s: s.dot(lambda z: z.s1dot * np.exp(-(b(z) ** 2) / 2)),
        [lambda s: s.dot(lambda z: z.s1dot * np.exp(b(z) ** 2 / 2))],
        words="exp(−b²/2) p, rates by the witness; exp(+b²/2) p is not",
    )


@section.confirmed("§4.3, example: b^S is spanned by ∂_s1 + b ∂_s2", 106, exhibits=("gauge-momentum",))
def span() -> Evidence:
    """D ∩ T Orb is one-dimensional and spanned by this field (the kernel of the constraint and of dr, by SVD)."""
    gaps, mutants = [], []
    for s in _gauge():
        rows = np.array([[1.0, 0, 0], [0, -b(s), 1]])
        kernel = np.linalg.svd(rows)[2][2]
        gaps.append(abs(kernel[2] - b(s) * kernel[1]) + abs(kernel[0]))
        mutants.append(abs(kernel[2] + b(s) * kernel[1]))
    return Evidence(float(max(gaps)), mutant=float(min(mutants)), words="the kernel at generic r")


@section.misprint(
    "§4.3, example: the momentum equation",
    107,
    right=r"\dot{p} = b(r)b'(r)p\dot{r}",
    harm=2,
    breaks="Momentum would change without any motion of the shape; the next line has the right form.",
    exhibits=("gauge-momentum",),
    kind="reading",
)
def momentum_equation() -> Evidence:
    """ṗ = b b′ p r."""

    def terms(s: Any, factor: Any) -> list[Any]:
        return [s.dot(lambda z: z.s1dot), -b(s) * slope(s) * s.s1dot * factor]

    return identity(
        _gauge(), lambda s: terms(s, s.r), lambda s: terms(s, s.rdot), words="p = ṡ1, rates by the multiplier witness"
    )


@section.confirmed("§4.3, example: η and the frame u1, u2, u3", (108, 109), exhibits=("gauge-momentum",))
def stretched_frame() -> Evidence:
    """Along η = exp(−b²/2)(∂_s1 + b ∂_s2) the momentum ∂L/∂q̇·η is constant."""

    def one(z: Any) -> Any:
        return np.exp(-(b(z) ** 2) / 2) * (1 - b(z) ** 2) * z.s1dot

    def two(z: Any) -> Any:
        return np.exp(-(b(z) ** 2) / 2) * b(z) * z.s2dot

    return identity(
        _gauge(),
        lambda s: [s.dot(one), s.dot(two)],
        words="the two parts of the momentum along η, rates by the witness",
    )
