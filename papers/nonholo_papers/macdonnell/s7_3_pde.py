"""§7.3: the equation for σ, and the elementary case."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving, share, worst
from nonholo_papers.macdonnell import _mixed as mixed
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._action import acted
from nonholo_papers.macdonnell._so3_bundle import along, at, cut
from nonholo_papers.section import Section
from nonholo_papers.spectral import slope as slope_along

Array = Any
section = Section("macdonnell", "7.3 The PDE")
section.rest("definition", 235, "Definition 7.3.1")
section.rest("restates display 202 and the basis of §6.3", 242, 243)
WORDS = "two shape variables times SO(3), S of dimension 2, generic and not flat"


def crossed(s: SimpleNamespace) -> Array:
    """K([γ_i, γ_j], κ_k) + K(γ_j, [γ_i, κ_k])."""
    return cut(s.KB, s.s, s.s, s.h) + np.einsum("ikj->ijk", cut(s.KB, s.s, s.h, s.s))


@section.confirmed("Proposition 7.3.1", (236, "Proposition 7.3.1"))
def tensorial() -> Evidence:
    """The left side of (7.6) changes as a tensor with a and b."""

    def terms(s: SimpleNamespace) -> list[Any]:
        new = mixed.pairs(s, s.sigma_field, s.other_gamma, s.other_kappa)
        return [new, -s.b @ mixed.pairs(s, s.sigma_field, s.gamma, s.kappa) @ s.a.T]

    return identity(mixed.states(), terms, words=f"{WORDS}; a and b generic")


@section.confirmed("(7.7) and the calculation before it", (237, 238))
def equation() -> Evidence:
    """K([σ, γ_j], κ_k) + K(γ_j, [σ, κ_k]) = −K(γ_j, γ_i)(κ_kσ^i) + σ^i(K([γ_i, γ_j], κ_k) + K(γ_j, [γ_i, κ_k]))."""

    def terms(s: SimpleNamespace) -> list[Any]:
        derivative = np.einsum("ji,ki->jk", cut(s.gram, s.s, s.s), s.slopes_sigma)
        return [
            mixed.pairs(s, s.sigma_field, s.gamma, s.kappa),
            derivative,
            -np.einsum("i,ijk->jk", s.sigma, cut(s.KB, s.s, s.s, s.h)),
            -np.einsum("i,ikj->jk", s.sigma, cut(s.KB, s.s, s.h, s.s)),
        ]

    return identity(mixed.states(), terms, words=WORDS)


@section.confirmed("§7.3, κ_kσ^i is group invariant", 239)
def invariant() -> Evidence:
    """κ_k(gq)σ^i = κ_k(q)σ^i, so (7.7) is an equation on Q/G (where σ̄^i lives, not on Q as printed); K(γ_j, γ_i) is positive."""
    bundle = systems.GENERIC

    def derivative(q: Array) -> Array:
        rows = bundle.rows(q)[list(bundle.indices("H"))]
        return np.array([along(lambda z: mixed.SIGMA(z[:2])[0], q, w) for w in rows])

    def crooked(q: Array) -> Array:
        rows = bundle.rows(q)[list(bundle.indices("H"))]
        return np.array([along(lambda z: np.sin(z[2]) + z[3], q, w) for w in rows])  # a function of the attitude

    least = min(float(np.min(np.linalg.eigvalsh(cut(s.gram, s.s, s.s)))) for s in mixed.states())
    found = identity(
        mixed.states(),
        lambda s: [derivative(acted(s.q)), -derivative(s.q)],
        mutants=[lambda s: [crooked(acted(s.q)), -crooked(s.q)]],
    )
    return Evidence(worst(found.printed, float(least < 0.1)), None, found.mutant, "one generic g of SO(3)")


@section.confirmed(
    "Proposition 7.3.2",
    "Proposition 7.3.2",
    printed=r"\text{in the elementary case there are } \dim S \text{ independent solutions of (7.6)}",
)
def solutions() -> Evidence:
    """(7.7) integrated over the shape gives two σ, and K(q̇, σ) is constant along a motion integrated by itself."""
    from scipy.integrate import solve_ivp

    from nonholo_papers.motion import integrated

    bundle = systems.ELEMENTARY
    start = {"r1": 0.2, "a": 0.4, "b": 1.2, "c": -0.3, "r1dot": 0.9, "adot": 0.5, "bdot": -0.4}
    times = np.linspace(0, 1.2, 9)
    run = integrated(bundle.system(), start, times)

    def matrix(r: float) -> Array:
        s = at(bundle, np.array([r, 0.4, 1.2, -0.3]), np.zeros(4), np.zeros(4))
        return np.linalg.solve(cut(s.gram, s.s, s.s), np.einsum("ijk->jik", crossed(s))[:, :, 0])

    whole = solve_ivp(
        lambda r, y: (matrix(r) @ y.reshape(2, 2)).ravel(), (0.2, 2.2), np.eye(2).ravel(), "DOP853",
        rtol=1e-12, atol=1e-13, dense_output=True,
    ).sol  # fmt: skip

    def constants(k: int, moving_sigma: bool) -> Array:
        q = np.array([getattr(run, n)[k] for n in bundle.coordinates])
        v = np.array([getattr(run, f"{n}dot")[k] for n in bundle.coordinates])
        sigma = whole(q[0]).reshape(2, 2) if moving_sigma else np.eye(2)
        momenta = (bundle.rows(q) @ bundle.metric(q) @ v)[1:3]
        return momenta @ sigma

    found = np.array([constants(k, True) for k in range(len(times))])
    other = np.array([constants(k, False) for k in range(len(times))])
    drift = [share(e - e[0], e) for e in (found, other)]
    independent = abs(float(np.linalg.det(whole(float(run.r1[-1])).reshape(2, 2)))) > 1e-3
    return Evidence(
        drift[0] if independent else 1.0, None, drift[1],
        "SO(3) with one shape variable, dim S = 2; drift of two constants over a motion; the mutant has σ constant",
    )  # fmt: skip


@section.confirmed("§7.3, the Lie derivative in the place of brackets", 240)
def restated() -> Evidence:
    """0 = γ_i(K(γ_j, κ_k)) = (L_{γ_i}K)(γ_j, κ_k) + K([γ_i, γ_j], κ_k) + K(γ_j, [γ_i, κ_k])."""

    def terms(s: SimpleNamespace) -> list[Any]:
        return [
            cut(s.lie, s.s, s.s, s.h),
            cut(s.KB, s.s, s.s, s.h),
            np.einsum("ikj->ijk", cut(s.KB, s.s, s.h, s.s)),
        ]

    still = worst(float(np.max(np.abs(s.gram_slopes[s.s]))) for s in mixed.states())
    found = identity(mixed.states(), terms, words=WORDS)
    return Evidence(worst(found.printed, still), None, found.mutant, WORDS)


@section.misprint(
    "(7.8)",
    241,
    right=r"K(\gamma_j,\gamma_i)(\kappa_k\sigma^i) + \sigma^i(\mathcal{L}_{\gamma_i}K)(\gamma_j,\kappa_k) = 0",
    harm=3,
    breaks="The equation for σ, and so the constants of the motion.",
    kind="slip",
)
def with_lie() -> Evidence:
    """(7.7) with the Lie derivative along γ_i, printed along γ_k."""

    def terms(s: SimpleNamespace, right: bool) -> list[Any]:
        derivative = np.einsum("ji,ki->jk", cut(s.gram, s.s, s.s), s.slopes_sigma)
        along_i = np.einsum("i,ijk->jk", s.sigma, cut(s.lie, s.s, s.s, s.h))
        along_k = np.sum(s.sigma) * np.einsum("kjk->jk", cut(s.lie, s.s, s.s, s.h))
        return [mixed.pairs(s, s.sigma_field, s.gamma, s.kappa), derivative, along_i if right else along_k]

    return identity(
        mixed.states(),
        lambda s: terms(s, False),
        lambda s: terms(s, True),
        words=f"{WORDS}: against the left side of (7.6)",
    )


@section.confirmed(
    "§7.3, σ of the constrained particle and its constant",
    (244, 245, 246, 247, 248, 249),
    exhibits=("constrained-particle",),
)
def particle() -> Evidence:
    """[γ, κ] = (0,0,−1), K(γ, γ) = 1 + y², K(γ, [γ, κ]) = −y; (1 + y²)dσ/dy = −yσ; σ = 1/√(1 + y²); (ẋ + yż)/√(1 + y²)."""

    def sigma(y: Any) -> Any:
        return 1 / np.sqrt(1 + y**2)

    def equation(y: float) -> list[float]:
        gamma, bracket = np.array([1.0, 0, y]), np.array([0, 0, -1.0])
        derivative = float(slope_along(lambda h: sigma(y + h), 0.1, 14))
        return [float(gamma @ gamma) * derivative, -float(gamma @ bracket) * float(sigma(y))]

    found = identity([-1.3, 0.4, 2.1], equation)

    def constant(s: Any) -> Any:
        return (s.xdot + s.y * s.zdot) * sigma(s.y)

    states = moving("constrained-particle")
    kept = worst(abs(float(s.dot(constant))) for s in states)
    lost = min(abs(float(s.dot(lambda z: z.xdot + z.y * z.zdot))) for s in states)
    return Evidence(
        worst(found.printed, kept), None, min(found.mutant or 0, lost), "the equation, and the rate along the witness"
    )
