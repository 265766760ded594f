"""§6.4: asymptotic behaviour of momentum integrals: Wronskians over several shape variables."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import analytic, identity, slope
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "6.4 Asymptotic behavior of momentum integrals")
section.rest("definition", 181, "Definition 6.2")
SHAPE = ("r1", "r2")
_fields = analytic((("2 + sin(r1)*r2", "r1/3 + r2**2/4"), ("r1*r2/5 - 1/4", "1 + cos(r2)/3 + r1**2/6")), SHAPE)
"""η^b_a: column a is the field η_a over two shape variables."""


def coefficients(r: Array) -> Array:
    """``𝒟[b, a, α]`` of the flat connection whose parallel fields these are: ``dη = −𝒟η``."""
    return -np.einsum("bca,cd->bda", slope(_fields, r), np.linalg.inv(_fields(r)))


@lru_cache
def places() -> tuple[SimpleNamespace, ...]:
    """Generic shapes with η, 𝒟 and generic momenta and rates."""
    random = np.random.default_rng(8)
    found = []
    for _ in range(3):
        r = random.uniform(-0.8, 0.8, 2)
        found.append(
            SimpleNamespace(
                r=r, eta=_fields(r), D=coefficients(r), rdot=random.uniform(-1, 1, 2), p=random.uniform(-1, 1, 2)
            )
        )
    return tuple(found)


@section.confirmed("(6.13)", 180)
def parallel_fields() -> Evidence:
    """dη^b = −𝒟^b_aα η^a dr^α makes ⟨p, η⟩ constant when ṗ_a = 𝒟^c_aα p_c ṙ^α is the momentum equation (4.10)."""

    def terms(t: Any, order: str = "bax,b,x->a") -> list[Any]:
        pdot = np.einsum(order, t.D, t.p, t.rdot)
        etadot = np.einsum("bax,x->ba", slope(_fields, t.r), t.rdot)
        return [pdot @ t.eta, t.p @ etadot]

    return identity(
        places(), terms, mutants=[lambda t: terms(t, "abx,b,x->a")], words="two momenta, two shape variables"
    )


@section.conditional(
    "§6.4, the integral manifolds form an m-dimensional vector space",
    printed="the integral manifolds of (6.13) form a vector space of dimension m",
    right="the connection is flat, dτ + τ ∧ τ = 0",
    reason="The mixed derivatives of η agree just where (dτ + τ ∧ τ)η = 0; else there are fewer solutions, in general "
    "only η = 0.",
    harm=2,
    breaks="Counting conserved momenta: for an exact, not flat, τ there need be none.",
)
def dimension() -> Evidence:
    """For every 𝒟 (here an exact one) the mixed derivatives of η agree, so that there are m independent solutions."""
    x, y = np.array([[0.3, 1.1], [0.4, -0.2]]), np.array([[0.5, -0.7], [0.9, 0.1]])
    exact = float(np.max(np.abs(x @ y - y @ x)))  # ∂_2 𝒟_1 − ∂_1 𝒟_2 + [𝒟_1, 𝒟_2] for 𝒟 = X dr1 + Y dr2

    def curvature(r: Array) -> float:
        step = 1e-4
        d = coefficients(r)

        def at(k: int, a: int) -> Array:
            moved = np.array([step if k == 0 else 0, step if k == 1 else 0])
            two = 8 * (coefficients(r + moved)[:, :, a] - coefficients(r - moved)[:, :, a])
            return (two - coefficients(r + 2 * moved)[:, :, a] + coefficients(r - 2 * moved)[:, :, a]) / (12 * step)

        return float(np.max(np.abs(at(1, 0) - at(0, 1) - d[:, :, 0] @ d[:, :, 1] + d[:, :, 1] @ d[:, :, 0])))

    return Evidence(
        exact, max(curvature(t.r) for t in places()), None, "[X, Y] of an exact form; the curvature of a flat one"
    )


@section.confirmed("Theorem 6.3, (6.15)", (182, "Theorem 6.3"))
def logarithm() -> Evidence:
    """d ln W = −Tr τ = −𝒟^a_aα dr^α."""

    def terms(t: Any) -> list[Any]:
        found = slope(lambda r: np.log(np.linalg.det(_fields(r)).reshape(1)), t.r)[0]
        return [found, np.einsum("aax->x", t.D)]

    return identity(places(), terms, words="two momenta, two shape variables")


@section.confirmed("Theorem 6.3, proof", (183, 184))
def derivative() -> Evidence:
    """∂W/∂r^α = −W 𝒟^a_aα, so dW = −W Tr τ."""

    def terms(t: Any) -> list[Any]:
        found = slope(lambda r: np.linalg.det(_fields(r)).reshape(1), t.r)[0]
        w = np.linalg.det(t.eta)
        trace = np.einsum("aax->x", t.D)
        return [np.append(found, found @ t.rdot), w * np.append(trace, trace @ t.rdot)]

    return identity(places(), terms)


def _integral(path: Any) -> float:
    """``∫ Tr τ`` along a path r(s), s from 0 to 1, by 40 Gauss nodes."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    total = 0.0
    for s, w in zip((nodes + 1) / 2, weights / 2):
        rate = np.imag(path(s + 1e-30j)) / 1e-30
        total += w * float(np.einsum("aax,x->", coefficients(np.real(path(s))), rate))
    return total


def _straight(s: Any) -> Array:
    return np.array([-0.3, 0.4]) + s * np.array([0.9, -0.7])


def _bent(s: Any) -> Array:
    return np.add(_straight(s), _detour(s))


def _detour(s: Any) -> Array:
    return np.sin(np.pi * s) * np.array([0.4, 0.3])


@section.misprint(
    "Corollary 6.4, (6.16)",
    (185, "Corollary 6.4"),
    right=r"W(r) = W(r_0) \exp\left(-\int_{r_0}^r \text{Tr } \tau\right)",
    harm=3,
    breaks="The Wronskian of the disk would grow like 1/cos θ, and the proof that it does not fall would fail.",
    exhibits=("rolling-disk",),
    kind="slip",
)
def closed_form() -> Evidence:
    """W(r) = W(r0) exp ∫ Tr τ."""
    ratio = float(np.linalg.det(_fields(_straight(1.0))) / np.linalg.det(_fields(_straight(0.0))))
    total = _integral(_straight)
    return identity(
        [0],
        lambda _: [ratio, -np.exp(total)],
        lambda _: [ratio, -np.exp(-total)],
        words="a path in two shape variables",
    )


@section.confirmed("Corollary 6.4: the integral does not depend on the path")
def path_independence() -> Evidence:
    """∫ Tr τ along a straight and a bent path agree (flat connection); for a form that is not closed they do not."""

    def other(path: Any) -> float:
        nodes, weights = np.polynomial.legendre.leggauss(40)
        return float(
            sum(
                w / 2 * (np.real(path(s))[1] * np.imag(path(s + 1e-30j))[0] / 1e-30)
                for s, w in zip((nodes + 1) / 2, weights)
            )
        )

    gap = abs(_integral(_straight) - _integral(_bent))
    return Evidence(gap, mutant=abs(other(_straight) - other(_bent)), words="40 Gauss nodes; r2 dr1 for comparison")
