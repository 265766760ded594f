"""Zenkov 2016, §§3.1, 3.2: Hamel's formalism and Hamilton's principle, with Theorem 3.1 and its proof."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.section import Section
from nonholo_papers.spectral import Vector, along, slopes
from nonholo_papers.zenkov import _numeric_frame as frame
from nonholo_papers.zenkov import _string as string

section = Section("zenkov", "3.1, 3.2 Hamel's formalism and Hamilton's principle")
section.rest("definition", 22, 23, 24, 26, 27, 28, 29, 30, 42)
section.rest("the principle itself; Theorem 3.1 says what it is equivalent to", 21, 31, 34, 35)


def _curves() -> list[SimpleNamespace]:
    return [frame.curve(seed) for seed in (1, 2, 3)]


@section.misprint(
    "§3.2, the Jacobi identity",
    25,
    right=r"\mathrm{cyc}\,\bigl(c_{ij}^m c_{mk}^l - u_k[c_{ij}^l]\bigr) = 0",
    harm=3,
    breaks="whoever treats W with [·,·]_q as a Lie algebra (adjoint action, Casimirs, Lie–Poisson bracket at fixed q) is wrong "
    "wherever the c vary",
    kind="error",
    because=(
        "[Ψξ, Ψη] = Ψ(c(q)ξη) with coefficients that vary with q: its bracket with Ψζ has the derivative of "
        "c along Ψζ besides."
    ),
)
def jacobi() -> Evidence:
    """W with [·,·]_q is a Lie algebra at each q; but [Ψξ, Ψη] is Ψ of a field that varies, so derivatives of c are missing."""
    points = np.random.default_rng(3).uniform(-0.6, 0.6, (4, 3))
    order = (("i", "j", "k"), ("j", "k", "i"), ("k", "i", "j"))

    def products(q: Vector) -> list[Vector]:
        c = frame.brackets(q)
        return [np.einsum(f"{a}{b}m,m{e}l->ijkl".replace(" ", ""), c, c) for a, b, e in order]

    def derivatives(q: Vector) -> list[Vector]:
        psi = frame.operator(q)
        shift = 1e-3
        # differences of eighth order: the brackets already hold a complex step
        weights = {1: 4 / 5, 2: -1 / 5, 3: 4 / 105, 4: -1 / 280}
        rates = []
        for e in np.eye(3):
            total = sum(
                w * (frame.brackets(q + n * shift * e) - frame.brackets(q - n * shift * e)) for n, w in weights.items()
            )
            rates.append(total / shift)
        change = np.einsum("rijl,rk->ijlk", np.stack(rates), psi)
        return [-np.einsum(f"{a}{b}l{e}->ijkl", change) for a, b, e in order]

    return identity(
        points,
        products,
        right=lambda q: [*products(q), *derivatives(q)],
        words="brackets of a generic frame of R³ at four points; for c that do not vary, as of the string (3.15), it is right",
    )


@section.confirmed("(3.5), (3.6) and the integration by parts", (32, 33, 39))
def weak() -> Evidence:
    """δ∫L dt = ∫⟨δL/δq − d/dt δL/δq̇, δq⟩dt, for a system of infinitely many degrees of freedom: the string with given tension."""

    def terms(seed: int) -> list[float]:
        p = string.film(seed)
        push = string.SPACE.d(p.tension[:, None] * string.SPACE.d(p.z))
        return [
            string.varied_action(p),
            -string.over_all(push * np.conj(p.shift)),
            string.over_all(string.twice(p.z) * np.conj(p.shift)),
        ]

    return identity(
        (1, 2), terms, words="numeric functional derivative on 22 × 22 Chebyshev points in s and t; λ = 0 at the ends"
    )


@section.confirmed("Theorem 3.1, proof: the contradiction", (40, 41))
def contradiction() -> Evidence:
    """If δL/δq − d/dt δL/δq̇ is not zero, some variation changes the action: that along it, cut off at the ends."""

    def terms(c: SimpleNamespace) -> list[float]:
        slopes_ = [frame.gradient(frame.lagrangian, c.q, c.dot, k) for k in (0, 1)]
        rest = slopes_[0] - frame.INTERVAL.d(slopes_[1])
        cut = (c.t * (1 - c.t))[:, None]
        moved = SimpleNamespace(q=c.q, shift=cut * rest)
        return [frame.variation(moved), -frame.pair(cut * rest, rest)]

    return identity(_curves(), terms, words="δ∫L dt = ∫ t(1−t)|…|² dt > 0")


def _shifted(c: SimpleNamespace, tau: Any) -> Vector:
    return c.q + tau * c.shift


@section.confirmed("(3.8), (3.9)", 36)
def velocity_variation() -> Evidence:
    """δξ = η̇ + [ξ, η]_q for variations δq = Ψ_q η."""

    def velocity(c: SimpleNamespace, tau: Any) -> Vector:
        q = _shifted(c, tau)
        return np.einsum("tik,tk->ti", np.linalg.inv(frame.operator(q)), frame.INTERVAL.d(q))

    def terms(c: SimpleNamespace) -> list[Vector]:
        change = along(lambda tau: velocity(c, tau), (np.array(0.0),), (np.array(1.0),))
        return [change, -frame.INTERVAL.d(c.eta), -frame.bracket(c.c, c.xi, c.eta)]

    return identity(
        [frame.curve(k, vanish=False) for k in (1, 2)], terms, words="a generic frame of R³, by complex steps"
    )


@section.confirmed("(3.10), (3.11), Theorem 3.1", (37, 38, "Theorem 3.1"))
def hamel() -> Evidence:
    """Hamel's equations, weak and strong: δ∫l dt = ∫⟨Ψ*δl/δq + [ξ, δl/δξ]* − d/dt δl/δξ, η⟩dt."""
    return identity(
        _curves(),
        lambda c: [
            frame.variation(c),
            -frame.pair(frame.directional(c), c.eta),
            -frame.pair(frame.dual(c.c, c.xi, frame.momenta(c)), c.eta),
            frame.pair(frame.INTERVAL.d(frame.momenta(c)), c.eta),
        ],
        words="δ∫L dt in coordinates against the equations in a generic frame of R³; the string (3.17) is their case of a field",
    )


@section.confirmed("(3.12)", 43)
def operator_variation() -> Evidence:
    """δΨ_q = δq[Ψ_q] = (Ψ_q η)[Ψ_q]."""

    def terms(c: SimpleNamespace) -> list[Vector]:
        change = along(
            lambda tau: frame.operator(c.q * (1 + 0 * tau) + np.sin(tau) * c.shift), (np.array(0.0),), (np.array(1.0),)
        )
        return [change, -np.einsum("tkil,tl->tki", slopes(frame.operator, c.q), frame.velocity_of(c.q, c.eta))]

    return identity(_curves(), terms)


@section.confirmed("Theorem 3.1, proof: dΨ/dt", 44)
def operator_rate() -> Evidence:
    """d/dt Ψ_q = (Ψ_q ξ)[Ψ_q] along a curve."""

    def terms(c: SimpleNamespace) -> list[Vector]:
        moved = np.einsum("tkil,tl->tki", slopes(frame.operator, c.q), frame.velocity_of(c.q, c.xi))
        return [frame.INTERVAL.d(frame.operator(c.q)), -moved]

    return identity(_curves(), terms)


@section.confirmed("Theorem 3.1, proof: δq̇ and d(δq)/dt", 45)
def both_orders() -> Evidence:
    """δq̇ = (Ψη)[Ψ]ξ + Ψδξ and d/dt δq = (Ψξ)[Ψ]η + Ψη̇, with δξ found by varying ξ = Ψ⁻¹q̇."""

    def terms(c: SimpleNamespace) -> list[Vector]:
        zero, one = (np.array(0.0),), (np.array(1.0),)
        dot = along(lambda tau: frame.INTERVAL.d(_shifted(c, tau)), zero, one)

        def velocity(tau: Any) -> Vector:
            q = _shifted(c, tau)
            return np.einsum("tik,tk->ti", np.linalg.inv(frame.operator(q)), frame.INTERVAL.d(q))

        change = slopes(frame.operator, c.q)
        turned = [np.einsum("tkil,tl,ti->tk", change, a, b) for a, b in ((c.shift, c.xi), (c.dot, c.eta))]
        straight = [np.einsum("tki,ti->tk", c.psi, e) for e in (along(velocity, zero, one), frame.INTERVAL.d(c.eta))]
        return [np.stack([dot, frame.INTERVAL.d(c.shift)]), -np.stack(turned), -np.stack(straight)]

    return identity(_curves(), terms)


@section.confirmed("Theorem 3.1, proof: the bracket", 46)
def bracket() -> Evidence:
    """Ψ(δξ − η̇) = (Ψξ)[Ψη] − (Ψη)[Ψξ] = [Ψξ, Ψη] = Ψ[ξ, η]_q, the fields with ξ and η frozen."""

    def terms(c: SimpleNamespace) -> list[Vector]:
        def velocity(tau: Any) -> Vector:
            q = _shifted(c, tau)
            return np.einsum("tik,tk->ti", np.linalg.inv(frame.operator(q)), frame.INTERVAL.d(q))

        rest = along(velocity, (np.array(0.0),), (np.array(1.0),)) - frame.INTERVAL.d(c.eta)
        change = slopes(frame.operator, c.q)
        one = np.einsum("tkil,tl,ti->tk", change, c.dot, c.eta)
        two = np.einsum("tkil,tl,ti->tk", change, c.shift, c.xi)
        left = np.einsum("tki,ti->tk", c.psi, rest)
        whole = np.einsum("tki,ti->tk", c.psi, frame.bracket(c.c, c.xi, c.eta))
        return [np.stack([left, whole]), -np.stack([one, one]), np.stack([two, two])]

    return identity(_curves(), terms)


@section.confirmed("Theorem 3.1, proof: the variation of the action (3.7)", (47, 48, 49))
def action_variation() -> Evidence:
    """δ∫l = ∫⟨δl/δq, Ψη⟩ + ⟨δl/δξ, η̇ + [ξ, η]⟩ = ∫⟨Ψ*δl/δq + [ξ, δl/δξ]* − d/dt δl/δξ, η⟩ for η = 0 at the ends."""

    def terms(c: SimpleNamespace) -> list[Vector]:
        p, push = frame.momenta(c), frame.directional(c)
        change = frame.bracket(c.c, c.xi, c.eta)
        return [
            np.array([frame.variation(c)] * 2),
            -np.array([frame.pair(push, c.eta)] * 2),
            -np.array([frame.pair(p, change), frame.pair(frame.dual(c.c, c.xi, p), c.eta)]),
            -np.array([frame.pair(p, frame.INTERVAL.d(c.eta)), -frame.pair(frame.INTERVAL.d(p), c.eta)]),
        ]

    return identity(_curves(), terms, words="the second line and the third, each against δ∫L dt in coordinates")


section.uncheckable(
    "Theorem 3.1 (ii), (iv), hypotheses",
    (),
    "functional analysis of an unspecified space; the text asks δL/δq ∈ T*M in (ii), in the proof and in §4, "
    "but δl/δq ∈ T*M in (iv)",
    "The strong form follows from the weak one when δL/δq ∈ T*M and i_*TQ is dense in TM.",
)
section.uncheckable(
    "§3.1, (3.1), Banach manifolds",
    (),
    "existence and regularity in infinite dimension, for which the paper refers to [30, 44]",
    "The results hold for Banach manifolds and for convenient spaces; Q is usually not a submanifold of M.",
)
