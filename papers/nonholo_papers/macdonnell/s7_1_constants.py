"""§§7.1–7.2: group invariant constants of the motion, the flatness conditions."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, share, together, vanish, worst
from nonholo_papers.macdonnell import _mixed as mixed
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._action import acted, pushed
from nonholo_papers.macdonnell._fields import bracket, column, lie
from nonholo_papers.macdonnell._so3_bundle import along, cut, places
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "7.1 Restrictions on the vector field, 7.2 The flatness conditions")
section.rest("definition", 209, 221, 222, "Definition 7.2.1")
section.rest(
    "the condition on σ, on D and on pairs of its basis, and without the term that vanishes by display 217",
    215,
    216,
    218,
)
section.rest("restates display 202 and the basis of §6.3", 231, 232)
WORDS = "two shape variables times SO(3), S of dimension 2, generic and not flat"


def swapped(array: Array) -> Array:
    """``x_ijk + x_ikj``: K([i, j], k) + K(j, [i, k])."""
    return array + np.einsum("ikj->ijk", array)


@section.confirmed("(7.1)", (210, 211, 212, 213, 214))
def invariant() -> Evidence:
    """C = ⟨FL, σ⟩ is group invariant if σ is; for a field that is not it is not."""
    bundle = systems.GENERIC
    crooked = column(["1", "r2", "sin(a)", "cos(b)/2", "c/3"], bundle.coordinates)

    def value(q: Array, v: Array, field: Any) -> float:
        return float(v @ bundle.metric(q) @ field(q))

    def terms(s: SimpleNamespace, field: Any) -> list[Any]:
        return [value(acted(s.q), pushed(s.q, s.v), field), -value(s.q, s.v, field)]

    return identity(
        mixed.states(),
        lambda s: terms(s, s.sigma_field),
        mutants=[lambda s: terms(s, crooked)],
        words="one generic g of SO(3)",
    )


@section.confirmed("§7.1, the Lie derivative of K along σ", 217)
def leibniz() -> Evidence:
    """(L_σK)(α, ρ) = σ(K(α, ρ)) − K([σ, α], ρ) − K(α, [σ, ρ]), where σ(K(α, ρ)) = 0 for σ vertical and α, ρ invariant."""
    bundle = systems.GENERIC

    def terms(s: SimpleNamespace) -> list[Any]:
        inside = s.kappa + s.gamma
        derivative = np.array([f(s.q) for f in inside]) @ lie(bundle.metric, s.sigma_field, s.q)
        derivative = derivative @ np.array([f(s.q) for f in inside]).T
        return [derivative, mixed.pairs(s, s.sigma_field, inside, inside)]

    found = identity(mixed.states(), terms, words=WORDS)
    crooked = column(["r1*sin(a)", "cos(b)", "r2", "1", "c/2"], bundle.coordinates)

    def general(s: SimpleNamespace) -> list[Any]:
        """With a field that is not invariant the first term does not vanish, and is needed."""
        alpha, rho = crooked, s.kappa[0]
        grown = along(lambda q: alpha(q) @ bundle.metric(q) @ rho(q), s.q, s.sigma_field(s.q))
        one = mixed.product(s, bracket(s.sigma_field, alpha, s.q), rho(s.q))
        two = mixed.product(s, alpha(s.q), bracket(s.sigma_field, rho, s.q))
        return [
            float(alpha(s.q) @ lie(bundle.metric, s.sigma_field, s.q) @ rho(s.q)),
            -float(grown),
            float(one),
            float(two),
        ]

    more = identity(mixed.states(), general)
    still = worst(
        float(np.max(np.abs(along(bundle.height, s.q, s.sigma_field(s.q))))) for s in mixed.states()
    )  # σU = 0
    return Evidence(worst(found.printed, more.printed, still), None, min(found.mutant or 0, more.mutant or 0), WORDS)


@section.confirmed("§7.2, the conditions on pairs from S and from H", (219, 220))
def conditions() -> Evidence:
    """For σ = σ^iγ_i the terms with γ_jσ^i and with K(γ, κ) vanish, and σ^i(K([γ_i, ·], ·) + K(·, [γ_i, ·])) is left."""

    def terms(s: SimpleNamespace, first: list[Any], places_of: Array) -> list[Any]:
        whole = mixed.pairs(s, s.sigma_field, first, first)
        return [whole, -np.einsum("i,ijk->jk", s.sigma, swapped(cut(s.KB, s.s, places_of, places_of)))]

    found = [
        identity(mixed.states(), lambda s: terms(s, s.gamma, s.s)),
        identity(mixed.states(), lambda s: terms(s, s.kappa, s.h)),
    ]
    return together(found, WORDS)


@section.conditional(
    "§7.2, a non-zero σ needs flatness",
    printed=r"\text{if we hope to find a non-zero vector field } \sigma, \text{ we are led to the conditions (7.2), (7.3)}",
    right="dim S = 1, or there are to be dim S independent σ",
    reason="With several γ_i a combination of the left sides of (7.2), (7.3) must vanish, not each of them.",
    harm=2,
    breaks="A system that is not flat may have such constants: here is one with a free coordinate beside the rest.",
)
def necessary() -> Evidence:
    """A non-zero invariant σ in S that preserves K on D exists only where (7.2) and (7.3) hold."""
    names = ("x", "s", "n", "r")
    # G = R³ shifts x, s, n; the constraint is ṅ = f(r)ṡ + u(r)ṙ; x is free of everything
    free = column(["1", "0", "0", "0"], names)
    gamma = column(["0", "1", "1/3 + r/2", "0"], names)

    def kappa(q: Array) -> Array:
        across = np.array([0 * q[3], 0 * q[3], 0.7 + 0.2 * q[3] ** 2, 1 + 0 * q[3]])
        return across - gamma(q) * (across @ gamma(q)) / (gamma(q) @ gamma(q))

    metric = np.eye(4)
    q = np.array([0.2, 0.5, -0.3, 0.6])
    fields = [free, gamma, kappa]
    kept = vanish(
        [(a, b) for a in fields for b in fields],
        lambda p: bracket(free, p[0], q) @ metric @ p[1](q) + p[0](q) @ metric @ bracket(free, p[1], q),
    ).printed
    broken = abs(float(2 * bracket(gamma, kappa, q) @ metric @ kappa(q)))
    one = systems.tilting()  # dim S = 1 and a σ exists
    skew = worst(float(np.max(np.abs(swapped(cut(s.KB, s.s, s.h, s.h))))) for s in places(one))
    size = min(float(np.max(np.abs(cut(s.KB, s.s, s.h, s.h)))) for s in places(one))
    return Evidence(
        broken if kept < 1e-14 else 0.0,
        share(skew, size),
        None,
        "σ = ∂/∂x preserves K on D while K([γ, κ], κ) ≠ 0; dim S = 1 with a σ is flat",
    )


@section.confirmed("Proposition 7.2.1", (223, 224, 226, "Proposition 7.2.1"))
def tensorial() -> Evidence:
    """[γ̄_i, γ̄_j] = b_i^k b_j^m[γ_k, γ_m], and the left sides of (7.2), (7.3) change as tensors with a and b."""

    def inner(s: SimpleNamespace) -> list[Any]:
        found = np.array([[bracket(x, y, s.q) for y in s.other_gamma] for x in s.other_gamma])
        return [found, -np.einsum("ik,jm,kmn->ijn", s.b, s.b, cut(s.brackets, s.s, s.s, np.arange(5)))]

    def first(s: SimpleNamespace) -> list[Any]:
        new = np.array([mixed.pairs(s, x, s.other_gamma, s.other_gamma) for x in s.other_gamma])
        return [new, -np.einsum("im,jn,kp,mnp->ijk", s.b, s.b, s.b, swapped(cut(s.KB, s.s, s.s, s.s)))]

    def second(s: SimpleNamespace) -> list[Any]:
        new = np.array([mixed.pairs(s, x, s.other_kappa, s.other_kappa) for x in s.other_gamma])
        return [new, -np.einsum("im,jn,kp,mnp->ijk", s.b, s.a, s.a, swapped(cut(s.KB, s.s, s.h, s.h)))]

    found = [identity(mixed.states(), form) for form in (inner, first, second)]
    return together(found, f"{WORDS}; a and b generic")


@section.misprint(
    "Proposition 7.2.1, proof, [γ̄_i, κ̄_j]",
    225,
    right=r"[\overline{\gamma}_i, \overline{\kappa}_j] = b_i^k a_j^m [\gamma_k, \kappa_m] - a_j^m (\kappa_m b_i^k) \gamma_k",
    harm=1,
    breaks="The second line has the bracket of two γ for that of γ and κ.",
    kind="slip",
)
def mixed_bracket() -> Evidence:
    """[γ̄_i, κ̄_j] in terms of [γ_k, κ_m], printed [γ_k, γ_m] in the second line."""

    def terms(s: SimpleNamespace, second: Array) -> list[Any]:
        found = np.array([[bracket(x, y, s.q) for y in s.other_kappa] for x in s.other_gamma])
        turned = np.einsum("ik,jm,kmn->ijn", s.b, s.a, cut(s.brackets, s.s, second, np.arange(5)))
        return [found, -turned, np.einsum("jm,mik,kn->ijn", s.a, s.slopes_b, s.rows[s.s])]

    return identity(mixed.states(), lambda s: terms(s, s.s), lambda s: terms(s, s.h), words=f"{WORDS}; a and b generic")


@section.confirmed("§7.2, the Lie derivatives in the place of brackets", 227)
def restated() -> Evidence:
    """0 = γ_i(K(γ_j, γ_k)) = (L_{γ_i}K)(γ_j, γ_k) + K([γ_i, γ_j], γ_k) + K(γ_j, [γ_i, γ_k])."""

    def terms(s: SimpleNamespace) -> list[Any]:
        k = cut(s.KB, s.s, s.s, s.s)
        return [cut(s.lie, s.s, s.s, s.s), k, np.einsum("ikj->ijk", k)]

    found = identity(mixed.states(), terms, words=WORDS)
    still = worst(float(np.max(np.abs(s.gram_slopes[s.s]))) for s in mixed.states())
    return Evidence(worst(found.printed, still), None, found.mutant, WORDS)


@section.misprint(
    "§7.2, the same for κ",
    228,
    right=r"0 = \gamma_i(K(\kappa_j, \kappa_k)) = (\mathcal{L}_{\gamma_i}K)(\kappa_j, \kappa_k) + K([\gamma_i, \kappa_j], "
    r"\kappa_k) + K(\kappa_j, [\gamma_i, \kappa_k])",
    harm=1,
    breaks="The last term has γ and κ exchanged.",
    kind="slip",
)
def restated_h() -> Evidence:
    """The last term is K(κ_j, [γ_i, κ_k]), printed K(γ_j, [κ_i, κ_k])."""

    def printed(s: SimpleNamespace) -> list[Any]:
        last = np.einsum("ikj->ijk", cut(s.KB, s.h, s.h, s.s))  # K(γ_j, [κ_i, κ_k])
        return [cut(s.lie, s.s, s.h, s.h), cut(s.KB, s.s, s.h, s.h), last]

    def right(s: SimpleNamespace) -> list[Any]:
        k = cut(s.KB, s.s, s.h, s.h)
        return [cut(s.lie, s.s, s.h, s.h), k, np.einsum("ikj->ijk", k)]

    return identity(mixed.states(), printed, right, words=WORDS)


@section.misprint(
    "(7.4), (7.5)",
    (229, 230),
    right=r"(\mathcal{L}_{\gamma_i} K)(\gamma_j, \gamma_k) = 0, \quad (\mathcal{L}_{\gamma_i} K)(\kappa_j, \kappa_k) = 0",
    harm=2,
    breaks="With γ_k the conditions are weaker: only those pairs that contain the field itself. §8.3 has them right.",
    kind="slip",
)
def flatness() -> Evidence:
    """The flatness conditions (7.2), (7.3) with Lie derivatives along γ_i, printed along γ_k."""

    def terms(s: SimpleNamespace, right: bool) -> list[Any]:
        rows = []
        for inside in (s.s, s.h):
            derivative = cut(s.lie, s.s, inside, inside)
            if not right:
                derivative = np.broadcast_to(np.einsum("kjk->jk", derivative), derivative.shape)
            rows.append((swapped(cut(s.KB, s.s, inside, inside)), derivative))
        return [np.stack([e[0] for e in rows]), np.stack([e[1] for e in rows])]

    return identity(
        mixed.states(), lambda s: terms(s, False), lambda s: terms(s, True), words=f"{WORDS}: against (7.2), (7.3)"
    )


@section.confirmed("§7.2, the constrained particle is flat", (233, 234), exhibits=("constrained-particle",))
def particle() -> Evidence:
    """[γ₁, κ₁] = (0, 0, −1) for γ₁ = (1, 0, y), κ₁ = (0, 1, 0), and K([γ₁, κ₁], κ₁) = 0."""
    gamma, kappa = column(["1", "0", "y"], ("x", "y", "z")), column(["0", "1", "0"], ("x", "y", "z"))
    q = np.array([0.3, 0.8, -0.5])
    found = bracket(gamma, kappa, q)
    gaps = [float(np.max(np.abs(found - [0, 0, -1]))), abs(float(2 * found @ kappa(q)))]
    leaning = column(["0", "1", "1/2"], ("x", "y", "z"))  # a κ that is not orthogonal to N
    wrong = abs(float(2 * bracket(gamma, leaning, q) @ leaning(q)))
    return Evidence(worst(gaps), None, wrong, "brackets by differentiation; the mutant has κ with a component along z")
