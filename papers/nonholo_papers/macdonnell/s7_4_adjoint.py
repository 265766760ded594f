"""§§7.4–7.5: the vertical component of the velocity, and the adjoint equation."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving, together, worst
from nonholo_papers.macdonnell import _euler as euler
from nonholo_papers.macdonnell import _mixed as mixed
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._action import acted, pushed
from nonholo_papers.macdonnell._fields import bracket
from nonholo_papers.macdonnell._so3_bundle import along, cut, rate
from nonholo_papers.section import Section
from nonholo_papers.spectral import slope as slope_along

Array = Any
section = Section("macdonnell", "7.4 Vertical component of trajectory, 7.5 Adjoint equation")
section.rest("definition", 250, 251, 254, 255, "Definition 7.5.1")
section.rest("restates display 202 and the basis of §6.3", 265, 266)
section.rest("restates displays 244, 245, 246", 267, 268, 269)
WORDS = "two flat systems of two shape variables times SO(3), dim S = 2 and 1, whose adjoint equation is solved in closed form"


def omega_components(s: SimpleNamespace) -> Array:
    """Ω^k at the place."""
    return np.linalg.solve(s.rows.T, s.Omega(s.q))[s.s]


def momentum_slopes(s: SimpleNamespace) -> Array:
    """``κ_j(K(γ_i, Ω))``, indices i, j."""
    inside = list(s.s)

    def momenta(q: Array) -> Array:
        return s.bundle.rows(q)[inside] @ s.bundle.metric(q) @ s.Omega(q)

    return np.column_stack([along(momenta, s.q, w) for w in s.rows[s.h]])


def dual(s: SimpleNamespace, k: int) -> Any:
    """The field σ_k of S with K(Ω_a, σ_k) = δ_ak for the basis Ω_a of solutions."""
    bundle, inside = s.bundle, list(s.s)
    basis = [systems.omega(bundle, e) for e in np.eye(len(inside))]

    def field(q: Array) -> Array:
        rows = bundle.rows(q)[inside]
        matrix = np.array([b(q) @ bundle.metric(q) @ rows.T for b in basis])
        return np.linalg.solve(matrix, np.eye(len(inside))[k]) @ rows

    return field


@section.confirmed("§7.4, Ω is group invariant", 252)
def equivariant() -> Evidence:
    """K(Tl_gΩ(J, q), σ_i(gq)) = J_i = K(Ω(J, gq), σ_i(gq)) for σ_i invariant."""

    def terms(s: SimpleNamespace) -> list[Any]:
        there = acted(s.q)
        sigmas = [dual(s, k) for k in range(len(s.s))]
        carried = pushed(s.q, s.Omega(s.q))
        metric = s.bundle.metric(there)
        one = [float(carried @ metric @ f(there)) for f in sigmas]
        two = [float(s.Omega(s.q) @ s.metric @ f(s.q)) for f in sigmas]
        three = [float(s.Omega(there) @ metric @ f(there)) for f in sigmas]
        return [np.array([one, three]), -np.array([two, two])]

    return identity(systems.reduced()[:3], terms, words=WORDS)


@section.misprint(
    "§7.4, the invariance of Ω",
    253,
    right=r"\Omega(J, gq) = Tl_g \circ \Omega(J, q)",
    harm=1,
    breaks="l_q stands for l_g, here and at other places of chapter 6.",
    kind="reading",
)
def invariance() -> Evidence:
    """Ω(J, gq) = Tl_gΩ(J, q), printed Tl_q (read as the translation by the group part of q)."""

    def printed(s: SimpleNamespace) -> list[Any]:
        turned = euler.attitude(s.q[2:])

        def moved(h: float) -> Array:
            q = s.q + h * s.Omega(s.q)
            return np.concatenate([q[:2], euler.angles_of(turned @ euler.attitude(q[2:]))])

        return [s.Omega(acted(s.q)), -slope_along(moved, 0.02, 12)]

    return identity(
        systems.reduced(), printed, lambda s: [s.Omega(acted(s.q)), -pushed(s.q, s.Omega(s.q))], words=WORDS
    )


@section.confirmed("§7.4, q̇_S = Ω(J, q)", 256)
def vertical() -> Evidence:
    """J_i = K(q̇, σ_i) is constant along the motion, and the Ω with these J is the S part of q̇."""

    def terms(s: SimpleNamespace) -> list[Any]:
        sigmas = [dual(s, k) for k in range(len(s.s))]
        constants = np.array([float(s.v @ s.metric @ f(s.q)) for f in sigmas])
        basis = np.array([systems.omega(s.bundle, e)(s.q) for e in np.eye(len(s.s))])
        gramian = np.array([[float(b @ s.metric @ f(s.q)) for b in basis] for f in sigmas])
        return [np.linalg.solve(gramian, constants) @ basis, -s.rates[s.s] @ s.rows[s.s]]

    def drift(s: SimpleNamespace, sigma: Any) -> float:
        return float(np.max(np.abs(rate(lambda q, v: v @ s.bundle.metric(q) @ sigma(q), s))))

    found = identity(systems.reduced(), terms)
    kept = worst(drift(s, dual(s, k)) / float(s.v @ s.metric @ s.v) for s in systems.reduced() for k in range(len(s.s)))
    lost = worst(drift(s, s.bundle.field(int(s.s[0]))) / float(s.v @ s.metric @ s.v) for s in systems.reduced())
    return Evidence(
        worst(found.printed, kept), None, min(found.mutant or 0, lost), f"{WORDS}; rates by the multiplier witness"
    )


@section.confirmed("§7.5, the derivation of the adjoint equation", 257)
def derivation() -> Evidence:
    """0 = κ_m(K(Ω, σ_i)) = σ_i^j{κ_m(K(γ_j, Ω)) − (L_{γ_j}K)(κ_m, Ω)}, by (7.8) with γ_i."""

    def terms(s: SimpleNamespace, line: int) -> list[Any]:
        sigma = dual(s, 0)
        inside, omega = list(s.s), omega_components(s)

        def components(q: Array) -> Array:
            return np.linalg.solve(s.bundle.rows(q).T, sigma(q))[inside]

        size = components(s.q)
        slopes = np.column_stack([along(components, s.q, w) for w in s.rows[s.h]])  # κ_m σ^j
        derivative = np.einsum("jkm,k->jm", cut(s.lie, s.s, s.s, s.h), omega)
        first = size @ momentum_slopes(s)
        if line == 2:
            return [first, np.einsum("k,kj,jm->m", omega, cut(s.gram, s.s, s.s), slopes)]
        return [first, -size @ derivative]

    found = [identity(systems.reduced(), partial(terms, line=k)) for k in (2, 3)]
    return together(found, WORDS)


@section.misprint(
    "(7.9)",
    258,
    right=r"\kappa_j(K(\gamma_i, \Omega)) = (\mathcal{L}_{\gamma_i} K)(\kappa_j, \Omega)",
    harm=2,
    breaks="The derivative is along κ_j; (8.8) has it right.",
    kind="slip",
)
def adjoint() -> Evidence:
    """The adjoint equation, with κ_i printed for κ_j."""

    def terms(s: SimpleNamespace, right: bool) -> list[Any]:
        slopes = momentum_slopes(s)
        left = slopes if right else np.broadcast_to(np.diag(slopes)[:, None], slopes.shape)
        return [left, -np.einsum("ijk,k->ij", cut(s.lie, s.s, s.h, s.s), omega_components(s))]

    both = systems.reduced()[:3]  # dim S = dim H = 2, so that κ_i and γ_i have the same indices
    return identity(both, lambda s: terms(s, False), lambda s: terms(s, True), words=WORDS)


@section.confirmed("(7.10), (7.11)", (259, 260, 261))
def with_brackets() -> Evidence:
    """κ_j(K(γ_i, Ω)) + K([γ_i, κ_j], Ω) + K(κ_j, [γ_i, Ω]) = 0, and the same with the components Ω^k."""

    def fields(s: SimpleNamespace) -> list[Any]:
        gamma, kappa = s.bundle.part("S"), s.bundle.part("H")
        one = [[bracket(g, k, s.q) @ s.metric @ s.Omega(s.q) for k in kappa] for g in gamma]
        two = [[k(s.q) @ s.metric @ bracket(g, s.Omega, s.q) for k in kappa] for g in gamma]
        return [momentum_slopes(s), np.array(one), np.array(two)]

    def components(s: SimpleNamespace) -> list[Any]:
        omega = omega_components(s)
        one = np.einsum("ijk,k->ij", cut(s.KB, s.s, s.h, s.s), omega)
        return [momentum_slopes(s), one, np.einsum("ikj,k->ij", cut(s.KB, s.s, s.s, s.h), omega)]

    def lie_form(s: SimpleNamespace) -> list[Any]:
        omega = omega_components(s)
        parts = components(s)[1:]
        return [np.einsum("ijk,k->ij", cut(s.lie, s.s, s.h, s.s), omega), *parts]

    found = [identity(systems.reduced(), form) for form in (fields, components, lie_form)]
    return together(found, WORDS)


def _sides(s: SimpleNamespace, gamma: list[Any], kappa: list[Any]) -> tuple[Array, Array]:
    """κ_j(K(γ_i, Ω)), and K([γ_i, κ_j], Ω) + K(κ_j, [γ_i, Ω]), for any bases and any Ω."""
    bundle, omega = s.bundle, s.omega_field

    def momenta(q: Array) -> Array:
        return np.array([g(q) for g in gamma]) @ bundle.metric(q) @ omega(q)

    first = np.column_stack([along(momenta, s.q, k(s.q)) for k in kappa])
    second = [
        [bracket(g, k, s.q) @ s.metric @ omega(s.q) + k(s.q) @ s.metric @ bracket(g, omega, s.q) for k in kappa]
        for g in gamma
    ]
    return first, np.array(second)


@section.confirmed("Proposition 7.5.1", (262, 263, 264, "Proposition 7.5.1"))
def tensorial() -> Evidence:
    """The two parts of (7.10) change by ±a(κb)K(γ, Ω) with the bases, their sum as a tensor."""

    def terms(s: SimpleNamespace, part: int) -> list[Any]:
        new, old = _sides(s, s.other_gamma, s.other_kappa), _sides(s, s.gamma, s.kappa)
        momenta = np.array([g(s.q) @ s.metric @ s.omega_field(s.q) for g in s.gamma])
        extra = np.einsum("jn,nim,m->ij", s.a, s.slopes_b, momenta)
        turned = [s.b @ e @ s.a.T for e in old]
        if part == 2:
            return [new[0] + new[1], -(turned[0] + turned[1])]
        return [new[part], -turned[part], -extra if part == 0 else extra]

    def equation(s: SimpleNamespace) -> list[Any]:
        """(7.10) itself, for its solutions."""
        own = SimpleNamespace(bundle=s.bundle, omega_field=s.Omega, q=s.q, metric=s.metric)
        return list(_sides(own, s.bundle.part("S"), s.bundle.part("H")))

    found = [identity(mixed.states(), partial(terms, part=k)) for k in range(3)]
    found.append(identity(systems.reduced()[:3], equation))
    return together(
        found,
        "generic bases and Ω on a system that is not flat",
    )


@section.confirmed(
    "§7.5, σ from solutions Ω",
    printed=r"K(\Omega_i(q), \sigma) = J_i, \ \sigma \in S \text{ gives solutions of (7.6)}",
)
def reverse() -> Evidence:
    """The fields σ of S with constant products with the solutions of (7.10) satisfy (7.6); γ itself does not."""

    def terms(s: SimpleNamespace, sigma: Any) -> list[Any]:
        gamma, kappa = s.bundle.part("S"), s.bundle.part("H")
        one = [[bracket(sigma, g, s.q) @ s.metric @ k(s.q) for k in kappa] for g in gamma]
        two = [[g(s.q) @ s.metric @ bracket(sigma, k, s.q) for k in kappa] for g in gamma]
        return [np.array(one), np.array(two)]

    states = systems.reduced()[:3]
    return identity(
        states, lambda s: terms(s, dual(s, 0)), mutants=[lambda s: terms(s, s.bundle.part("S")[0])], words=WORDS
    )


@section.confirmed(
    "§7.5, Ω of the constrained particle", (270, 271, 272, 273, 274, 275), exhibits=("constrained-particle",)
)
def particle() -> Evidence:
    """d/dy{(1 + y²)Ω} = yΩ is solved by C/√(1 + y²); ẋ = C/√(1 + y²), ż = Cy/√(1 + y²) with C = (ẋ + yż)/√(1 + y²)."""

    def omega(y: Any) -> Any:
        return 1 / np.sqrt(1 + y**2)

    def equation(y: float) -> list[float]:
        return [float(slope_along(lambda h: (1 + (y + h) ** 2) * omega(y + h), 0.1, 14)), -y * float(omega(y))]

    def along_motion(s: Any) -> list[Any]:
        constant = (s.xdot + s.y * s.zdot) / np.sqrt(1 + s.y**2)
        rates = np.array([s.rate("xdot"), s.rate("zdot")])
        # ẋ and ż as functions of y at this C, differentiated
        slopes = slope_along(lambda h: constant * omega(s.y + h) * np.array([1.0, s.y + h]), 0.1, 14)
        return [
            np.array([s.xdot, s.zdot, *rates]),
            -np.array([constant * omega(s.y), constant * s.y * omega(s.y), *(slopes * s.ydot)]),
        ]

    found = [identity([-1.3, 0.4, 2.1], equation), identity(moving("constrained-particle"), along_motion)]
    return together(found, "and along the multiplier witness")
