"""§8.3: the vertical component as a field Ω on Q; (8.10)."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, identity, together, worst
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._fields import bracket, lie
from nonholo_papers.macdonnell._so3_bundle import along, cut
from nonholo_papers.macdonnell.s7_4_adjoint import momentum_slopes, omega_components
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "8.3 The vertical component")
section.rest("restates the flatness conditions (7.2), (7.3), and (7.4), (7.5) with the right indices", 292, 293)
section.rest("definition", 300, 301)
WORDS = "two flat systems of two shape variables times SO(3), dim S = 2 and 1; rates by the multiplier witness"


def _right(s: SimpleNamespace) -> Array:
    """(L_{γ_i}K)(κ_j, γ_k)v^jΩ^k."""
    return np.einsum("ijk,j,k->i", cut(s.lie, s.s, s.h, s.s), s.rates[s.h], s.rates[s.s])


@section.confirmed("§8.3, the equations along S of a flat system", 294)
def flat() -> Evidence:
    """{K(γ_i, γ_k)Ω^k}' = (L_{γ_i}K)(κ_j, γ_k)v^jΩ^k along the motion."""
    return identity(systems.reduced(), lambda s: [s.momentum_rate[s.s], -_right(s)], words=WORDS)


def _slopes(s: SimpleNamespace) -> list[Array]:
    """v^jκ_j{K(γ_i, Ω)}, and Ω^mγ_m{K(γ_i, Ω)}."""
    inside = list(s.s)

    def momenta(q: Array) -> Array:
        return s.bundle.rows(q)[inside] @ s.bundle.metric(q) @ s.Omega(q)

    return [along(momenta, s.q, s.rates[p] @ s.rows[p]) for p in (s.h, s.s)]


@section.misprint(
    "§8.3, the equation as a PDE",
    295,
    right=r"v^{j}\kappa_{j}\{K(\gamma_{i},\gamma_{k})\Omega^{k}\} + \Omega^{m}\gamma_{m}\{K(\gamma_{i},\gamma_{k})\Omega^{k}\} = "
    r"(\mathcal{L}_{\gamma_{i}}K)(\kappa_{j},\gamma_{k})v^{j}\Omega^{k}",
    harm=1,
    breaks="The Lie derivative is along γ_i, as in the displays before and after.",
    kind="slip",
)
def pde() -> Evidence:
    """The rate of K(γ_i, Ω) along the motion, with the Lie derivative printed along γ_k."""

    def terms(s: SimpleNamespace, right: bool) -> list[Any]:
        derivative = cut(s.lie, s.s, s.h, s.s)  # [i, j, k]
        printed = np.einsum("kjk,j,k->", derivative, s.rates[s.h], s.rates[s.s])
        return [sum(_slopes(s)), -_right(s) if right else -np.full(len(s.s), printed)]

    both = systems.reduced()[:3]
    return identity(both, lambda s: terms(s, False), lambda s: terms(s, True), words=WORDS)


@section.confirmed("§8.3, the same for an invariant Ω; (8.7), (8.8), (8.9)", (296, 297, 298, 299))
def adjoint() -> Evidence:
    """With γ_m{…} = 0 the equation holds for all v by κ_j{K(γ_i, Ω)} = (L_{γ_i}K)(κ_j, Ω), which is (7.9); (8.9) is (7.10)."""

    def contracted(s: SimpleNamespace) -> list[Any]:
        return [_slopes(s)[0], -_right(s)]

    def components(s: SimpleNamespace) -> list[Any]:
        return [momentum_slopes(s), -np.einsum("ijk,k->ij", cut(s.lie, s.s, s.h, s.s), omega_components(s))]

    def whole(s: SimpleNamespace) -> list[Any]:
        derivative = [s.rows[s.h] @ lie(s.bundle.metric, g, s.q) @ s.Omega(s.q) for g in s.bundle.part("S")]
        return [momentum_slopes(s), -np.array(derivative)]

    def with_brackets(s: SimpleNamespace) -> list[Any]:
        gamma, kappa = s.bundle.part("S"), s.bundle.part("H")
        one = [[bracket(g, k, s.q) @ s.metric @ s.Omega(s.q) for k in kappa] for g in gamma]
        two = [[k(s.q) @ s.metric @ bracket(g, s.Omega, s.q) for k in kappa] for g in gamma]
        return [momentum_slopes(s), np.array(one), np.array(two)]

    found = [identity(systems.reduced(), form) for form in (contracted, components, whole, with_brackets)]
    still = worst(float(np.max(np.abs(_slopes(s)[1]))) for s in systems.reduced())
    return Evidence(worst(still, *(e.printed for e in found)), None, min(e.mutant or 0 for e in found), WORDS)


@section.confirmed("§8.3, q̇_S(t) = Ω∘q(t)", 302)
def along_the_motion() -> Evidence:
    """The solution Ω of (8.8) with Ω(q(t₀)) = q̇_S(t₀) is q̇_S at all later times of an integrated motion."""
    from nonholo_papers.motion import integrated

    largest, wrong = 0.0, 1.0
    for s in (systems.reduced()[0], systems.reduced()[3]):
        names = s.bundle.coordinates
        start = dict(zip(names, s.q)) | {f"{n}dot": x for n, x in zip(names, s.v)}
        run = integrated(s.bundle.system(), start, np.linspace(0, 0.4, 5))
        for k in (2, 4):
            q = np.array([getattr(run, n)[k] for n in names])
            v = np.array([getattr(run, f"{n}dot")[k] for n in names])
            rows = s.bundle.rows(q)
            upright = np.linalg.solve(rows.T, v)[s.s] @ rows[s.s]
            largest = worst(largest, gap(s.Omega(q), upright))
            wrong = min(wrong, gap(s.rates[s.s] @ rows[s.s], upright))
    return Evidence(largest, None, wrong, f"{WORDS}, integrated; the mutant keeps the components of Ω")


def _chain(s: SimpleNamespace) -> dict[str, Array]:
    """The lines of the calculation of κ_j(K(Ω, Ω)), indices j."""
    bundle, omega = s.bundle, s.Omega
    inside = list(s.s)
    size, value = omega_components(s), omega(s.q)

    def components(q: Array) -> Array:
        return np.linalg.solve(bundle.rows(q).T, omega(q))[inside]

    slopes = np.column_stack([along(components, s.q, w) for w in s.rows[s.h]])  # κ_jΩ^i, [i, j]
    momenta = s.rows[s.s] @ s.metric @ value
    first = momenta @ slopes
    gamma, kappa = bundle.part("S"), bundle.part("H")
    one = np.array([[bracket(g, k, s.q) @ s.metric @ value for k in kappa] for g in gamma])
    two = np.array([[k(s.q) @ s.metric @ bracket(g, omega, s.q) for k in kappa] for g in gamma])
    turned = np.array([bracket(omega, k, s.q) @ s.metric @ value for k in kappa])
    return {
        "left": np.array([float(along(lambda q: omega(q) @ bundle.metric(q) @ omega(q), s.q, w)) for w in s.rows[s.h]]),
        "first": first + size @ momentum_slopes(s),
        "second": first - size @ (one + two),
        "fourth": first - turned - first,
        "last": np.array([bracket(k, omega, s.q) @ s.metric @ value for k in kappa]),
    }


@section.misprint(
    "§8.3, the derivative of K(Ω, Ω), the left side",
    "303a",
    printed=r"\kappa_i(K(\Omega,\Omega)) = K([\kappa_j,\Omega],\Omega)",
    right=r"\kappa_j(K(\Omega,\Omega)) = K([\kappa_j,\Omega],\Omega)",
    harm=1,
    breaks="The index of κ on the left is j.",
    kind="slip",
)
def left_index() -> Evidence:
    """κ_j(K(Ω, Ω)) = K([κ_j, Ω], Ω), printed κ_i with j on the right."""
    return identity(
        systems.reduced(),
        lambda s: [_chain(s)["left"][::-1], -_chain(s)["last"]],
        lambda s: [_chain(s)["left"], -_chain(s)["last"]],
        words=f"{WORDS}; i ≠ j",
    )


@section.confirmed(
    "§8.3, the derivative of K(Ω, Ω)",
    "303b",
    printed=r"\ldots = (\kappa_j\Omega^i)K(\gamma_i,\Omega) + \Omega^i\kappa_j\{K(\gamma_i,\Omega)\} = \ldots = "
    r"K([\kappa_j,\Omega],\Omega)",
)
def chain() -> Evidence:
    """The lines of the calculation, by (8.9), agree."""

    def terms(s: SimpleNamespace) -> list[Any]:
        lines = _chain(s)
        return [np.array([lines["left"]] * 4), -np.array([lines[k] for k in ("first", "second", "fourth", "last")])]

    return identity(systems.reduced(), terms, words=WORDS)


@section.confirmed("(8.10) and the display before it", (304, 305))
def lie_along() -> Evidence:
    """(L_{κ_i}K)(Ω, Ω) = κ_i{K(Ω, Ω)} − 2K([κ_i, Ω], Ω) = −κ_i{K(Ω, Ω)}."""

    def derivative(s: SimpleNamespace) -> Array:
        fields = s.bundle.part("H")
        return np.array([s.Omega(s.q) @ lie(s.bundle.metric, k, s.q) @ s.Omega(s.q) for k in fields])

    def before(s: SimpleNamespace) -> list[Any]:
        return [derivative(s), -_chain(s)["left"], 2 * _chain(s)["last"]]

    found = [identity(systems.reduced(), form) for form in (before, lambda s: [derivative(s), _chain(s)["left"]])]
    return together(found, WORDS)
