"""§§8.1–8.2: Poincaré's equations in a basis of D, and in one aligned with the symmetry."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, identity, worst
from nonholo_papers.macdonnell import _affine as affine
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._fields import along, brackets, lie, rate, table
from nonholo_papers.macdonnell._so3_bundle import cut, places
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "8.1 Reduction to TQ/G, 8.2 Introducing the symmetry")
section.rest("restates (4.6) and (4.7)", 276, 277)
section.rest("definition of the quasi-velocities", 278, 287)
section.rest("notation; ζ_i printed with a dot", 283)
section.rest("the ζ_i are in D", 285)
WORDS = "four coordinates, a generic basis of D, M; rates by the multiplier witness"
MIX = table((("1 + q2/4", "q3/5"), ("sin(q1)/4", "1 - q4/6")), affine.NAMES)


def basis(q: Array) -> Array:
    """ζ_1, ζ_2: a basis of D, one in a row."""
    rows = affine.functions(True).rows(q)
    plain = []
    for way in np.eye(2):
        rest = np.linalg.solve(rows[:, [1, 3]], -rows[:, [0, 2]] @ way)
        plain.append([way[0], rest[0], way[1], rest[1]])
    return MIX(q) @ np.array(plain)


@lru_cache
def states() -> tuple[SimpleNamespace, ...]:
    """States with β = 0 and M, with θ and all that (8.1) and (8.2) are made of."""
    f = affine.functions(True)
    fields = [lambda q, i=i: basis(q)[i] for i in range(2)]
    found = []
    for p in affine.states(True, False):
        s = SimpleNamespace(**vars(p))
        s.zeta, s.metric = basis(p.q), f.metric(p.q)
        s.theta = np.linalg.lstsq(s.zeta.T, p.v, rcond=None)[0]
        s.momenta_rate = rate(lambda q, v: basis(q) @ f.metric(q) @ v, p.q, p.v, p.a)
        s.lie = np.stack([s.zeta @ lie(f.metric, z, p.q) @ s.zeta.T for z in fields])
        s.KB = np.einsum("ijn,nm,km->ijk", brackets(fields, fields, p.q), s.metric, s.zeta)
        s.gram_slopes = np.stack([along(lambda q: basis(q) @ f.metric(q) @ basis(q).T, p.q, w) for w in s.zeta])
        s.turning = s.zeta @ p.field @ p.v
        s.rise = np.array([float(along(f.potential, p.q, w)[0]) for w in s.zeta])
        found.append(s)
    return tuple(found)


def _with_brackets(s: SimpleNamespace, sign: int) -> list[Any]:
    k = s.KB
    return [
        s.momenta_rate,
        sign * np.einsum("ijk,j,k->i", k, s.theta, s.theta) / 2,
        sign * np.einsum("ikj,j,k->i", k, s.theta, s.theta) / 2,
        -sign * np.einsum("ijk,j,k->i", s.gram_slopes, s.theta, s.theta) / 2,
        -s.turning,
        s.rise,
    ]


def _with_lie(s: SimpleNamespace) -> list[Any]:
    return [s.momenta_rate, -np.einsum("ijk,j,k->i", s.lie, s.theta, s.theta) / 2, -s.turning, s.rise]


@section.confirmed("§8.1, the constraints in a basis with ζ in D", 279)
def constraints() -> Evidence:
    """⟨B^i, χ_j⟩{ϖ^j(τ) − ϖ^j(β)} = 0; the matrix is not singular, so that ϖ is that of β, and 0 for β = 0."""
    chi = np.array([[0.2, 1.0, 0.3, 0.1], [-0.3, 0.2, 0.1, 1.0]])

    def terms(p: SimpleNamespace) -> list[Any]:
        whole = np.vstack([basis(p.q), chi])
        drift = np.linalg.pinv(p.rows) @ p.values  # β, up to D
        one, two = (np.linalg.solve(whole.T, e)[2:] for e in (p.v, drift))
        block = p.rows @ chi.T
        return [block @ one, -block @ two]

    found = identity(affine.states(True), terms, words="affine constraints; β = B⁺b")
    least = min(abs(float(np.linalg.det(p.rows @ chi.T))) for p in affine.states(True))
    return Evidence(worst(found.printed, float(least < 1e-3)), None, found.mutant, found.words)


@section.confirmed("(8.1)", 280)
def with_lie() -> Evidence:
    """{K(ζ_i, ζ_j)θ^j}' − ½(L_{ζ_i}K)(ζ_j, ζ_k)θ^jθ^k − M(ζ_i, ζ_j)θ^j + ζ_iU = 0."""
    return identity(states(), _with_lie, words=WORDS)


@section.misprint(
    "(8.2)",
    281,
    right=r"\{K(\zeta_i, \zeta_j)\theta^j\}' + \frac{1}{2}\{K([\zeta_i, \zeta_j], \zeta_k) + K(\zeta_j, [\zeta_i, \zeta_k]) - "
    r"\zeta_i\{K(\zeta_j, \zeta_k)\}\}\theta^j\theta^k - M(\zeta_i, \zeta_j)\theta^j + \zeta_iU = 0",
    harm=5,
    breaks="Every motion; as (4.4), from which it is copied. (8.5) and (8.6) have the right sign.",
    exhibits=("constrained-particle",),
    kind="error",
    because="As (4.4): −½L_{ζ_i}K of (8.1) is +½ before the braces.",
)
def with_brackets() -> Evidence:
    """The equations with brackets: −½ is printed for +½."""
    return identity(states(), lambda s: _with_brackets(s, -1), lambda s: _with_brackets(s, 1), words=WORDS)


@section.conditional(
    "Lemma 8.1.1",
    "Lemma 8.1.1",
    printed=r"\text{(8.1), or (8.2), for all local bases of } D \text{ determines the same trajectory as Lagrange's equations}",
    right="(8.1) is taken, or (8.2) with the right sign",
    reason="(8.2) as printed has −½ for +½ and determines other trajectories.",
    harm=4,
    breaks="Accelerations found from (8.2) as printed.",
)
def same() -> Evidence:
    """The accelerations that (8.1), and (8.2), determine are those of Lagrange's equations."""
    f = affine.functions(True)

    def acceleration(s: SimpleNamespace, form: Any) -> Array:
        # q̈ = θ̇ ζ + θ ζ'; the rate of K(ζ_i, q̇) is linear in θ̇
        drift = s.theta @ along(basis, s.q, s.v)
        still = rate(lambda q, v: basis(q) @ f.metric(q) @ v, s.q, s.v, drift)
        rest = sum(form(s)[1:])
        theta = np.linalg.solve(s.zeta @ s.metric @ s.zeta.T, -rest - still)
        return theta @ s.zeta + drift

    wrong = worst(gap(acceleration(s, lambda p: _with_brackets(p, -1)), s.a) for s in states())
    good = worst(
        gap(acceleration(s, form), s.a) for s in states() for form in (_with_lie, lambda p: _with_brackets(p, 1))
    )
    return Evidence(wrong, good, None, f"{WORDS}: accelerations")


@section.confirmed("Lemma 8.1.1, proof, the constraints", 282)
def kept() -> Evidence:
    """B_i^j q̇^i = ⟨B^j, θ^iζ_i⟩ = 0 for q̇ in the span of the ζ (the third line has θ^k for θ^i)."""

    def terms(s: SimpleNamespace) -> list[Any]:
        pieces = s.rows * s.v
        return [pieces[:, :2].sum(1), pieces[:, 2:].sum(1)]

    found = identity(states(), terms, words="terms with q₁, q₂ and q₃, q₄")
    spanned = worst(gap(s.theta @ s.zeta, s.v) for s in states())
    return Evidence(worst(found.printed, spanned), None, found.mutant, found.words)


def _lagrange(s: SimpleNamespace, right: bool) -> list[Any]:
    """(K q̇)', −½∂K q̇q̇ (not printed), −M q̇, ∓∂U."""
    f = affine.functions(True)
    pull = np.array([float(along(f.potential, s.q, e)[0]) for e in np.eye(4)])
    slopes = np.array([s.v @ along(f.metric, s.q, e) @ s.v for e in np.eye(4)])
    first = rate(lambda q, v: f.metric(q) @ v, s.q, s.v, s.a)
    return [first, -slopes / 2, -s.field @ s.v, pull] if right else [first, -s.field @ s.v, -pull]


@section.misprint(
    "Lemma 8.1.1, proof, the calculation",
    284,
    printed=r"\left\{ \left(K\left(\frac{\partial}{\partial q^k}, \frac{\partial}{\partial q^j}\right) \dot{q}^j\right)' - "
    r"M\left(\frac{\partial}{\partial q^k}, \frac{\partial}{\partial q^j}\right) \dot{q}^j - \frac{\partial U}{\partial q^k} "
    r"\right\} \zeta_i^k = \{ K(\zeta_i, \zeta_j) \theta^j \}' - \frac{1}{2} \{ K([\zeta_i, \zeta_j], \zeta_k) + K(\zeta_j, "
    r"[\zeta_i, \zeta_k]) - \zeta_i \{ K(\zeta_j, \zeta_k) \} \} \theta^j \theta^k - M(\zeta_i, \zeta_j) \theta^j + \zeta_i U "
    r"= 0",
    right=r"\left\{ \left(K_{kj} \dot{q}^j \right)' - \frac12\frac{\partial K_{jm}}{\partial q^k}\dot q^j\dot q^m - M_{kj}"
    r"\dot{q}^j + \frac{\partial U}{\partial q^k} \right\} \zeta_i^k = \{ K(\zeta_i, \zeta_j) \theta^j \}' + \frac{1}{2} \{ "
    r"K([\zeta_i, \zeta_j], \zeta_k) + K(\zeta_j, [\zeta_i, \zeta_k]) - \zeta_i \{ K(\zeta_j, \zeta_k) \} \} \theta^j \theta^k "
    r"- M(\zeta_i, \zeta_j) \theta^j + \zeta_i U",
    harm=2,
    breaks="The derivative of K is missing, the signs of U and of ½ are wrong.",
    kind="error",
    because=(
        "One coordinate, L = ½k(q)q̇² − U: Lagrange's expression is (kq̇)′ − ½k′(q)q̇² + U′(q); the display "
        "has (kq̇)′ − U′(q)."
    ),
)
def calculation() -> Evidence:
    """Lagrange's expression along ζ_i is the left side of (8.2), both with the right terms."""
    def off(s: SimpleNamespace) -> SimpleNamespace:
        """The state with another acceleration: on the motion both sides vanish."""
        more = np.array([0.3, -0.2, 0.5, 0.4])
        return SimpleNamespace(**{**vars(s), "a": s.a + more, "momenta_rate": s.momenta_rate + s.zeta @ s.metric @ more})

    return identity(
        map(off, states()),
        lambda s: [*(s.zeta @ e for e in _lagrange(s, False)), *(-e for e in _with_brackets(s, -1))],
        lambda s: [*(s.zeta @ e for e in _lagrange(s, True)), *(-e for e in _with_brackets(s, 1))],
        words=WORDS,
    )


@section.misprint(
    "Lemma 8.1.1, proof, the last display",
    286,
    right=r"\left\{ K_{kj} \dot{q}^j \right\}' - \frac12\frac{\partial K_{jm}}{\partial q^k}\dot q^j\dot q^m - M_{kj}\dot{q}^j + "
    r"\frac{\partial U}{\partial q^k} = \lambda_j B_k^j",
    harm=2,
    breaks="It is not (3.1), as the text says: the derivative of K is missing and the sign of U is wrong.",
    kind="slip",
    because=(
        "One coordinate, L = ½k(q)q̇² − U: (3.1) is (kq̇)′ − ½k′(q)q̇² + U′(q) = λ; the display has (kq̇)′ − "
        "U′(q) = λ."
    ),
)
def last() -> Evidence:
    """(3.1) for L = ½K − U, printed without the derivative of K and with −∂U/∂q."""

    def terms(s: SimpleNamespace, right: bool) -> list[Any]:
        parts = _lagrange(s, right)
        lambdas = np.linalg.lstsq(s.rows.T, sum(parts), rcond=None)[0]
        return [*parts, *(-e * row for e, row in zip(lambdas, s.rows))]

    return identity(
        states(), lambda s: terms(s, False), lambda s: terms(s, True), words=f"{WORDS}; the best λ for each"
    )


SYMMETRIC = "two shape variables times SO(3), with and without R, S of dimension 2; rates by the multiplier witness"


def _all() -> tuple[SimpleNamespace, ...]:
    return places(systems.GENERIC)


def lies(s: SimpleNamespace, first: Array) -> list[Any]:
    """½(L_iK)(κ, κ)vv, ½(L_iK)(γ, γ)ΩΩ, (L_iK)(κ, γ)vΩ, for i in the first indices."""
    v, omega = s.rates[s.h], s.rates[s.s]
    return [
        np.einsum("ijk,j,k->i", cut(s.lie, first, s.h, s.h), v, v) / 2,
        np.einsum("ijk,j,k->i", cut(s.lie, first, s.s, s.s), omega, omega) / 2,
        np.einsum("ijk,j,k->i", cut(s.lie, first, s.h, s.s), v, omega),
    ]


@section.misprint(
    "(8.3)",
    288,
    right=r"\{K(\gamma_i, \gamma_j)\Omega^j\}' - \frac{1}{2}(\mathcal{L}_{\gamma_i}K)(\kappa_j, \kappa_k)v^jv^k - \frac{1}{2}"
    r"(\mathcal{L}_{\gamma_i}K)(\gamma_j, \gamma_k)\Omega^j\Omega^k - (\mathcal{L}_{\gamma_i}K)(\kappa_j, \gamma_k)v^j\Omega^k "
    r"= 0",
    harm=2,
    breaks="An equality sign stands for the first minus.",
    kind="reading",
)
def vertical() -> Evidence:
    """(8.1) along S; as printed, with two equality signs, the other two terms have the wrong sign."""

    def printed(s: SimpleNamespace) -> list[Any]:
        one, two, three = lies(s, s.s)
        return [s.momentum_rate[s.s], -one, two, three]

    return identity(
        (*_all(), *places(systems.LEANING)),
        printed,
        lambda s: [s.momentum_rate[s.s], *(-e for e in lies(s, s.s))],
        words=SYMMETRIC,
    )


@section.confirmed("(8.4)", 289)
def horizontal() -> Evidence:
    """(8.1) along H."""
    return identity(
        (*_all(), *places(systems.LEANING)),
        lambda s: [s.momentum_rate[s.h], *(-e for e in lies(s, s.h)), s.rise[s.h]],
        words=SYMMETRIC,
    )


def _brackets(s: SimpleNamespace, first: Array) -> list[Any]:
    """The brackets' terms of (8.5) and (8.6)."""
    v, omega = s.rates[s.h], s.rates[s.s]
    hh, ss = cut(s.KB, first, s.h, s.h), cut(s.KB, first, s.s, s.s)
    return [
        np.einsum("ijk,j,k->i", hh, v, v) / 2,
        np.einsum("ikj,j,k->i", hh, v, v) / 2,
        np.einsum("ijk,j,k->i", ss, omega, omega) / 2,
        np.einsum("ikj,j,k->i", ss, omega, omega) / 2,
        np.einsum("ijk,j,k->i", cut(s.KB, first, s.h, s.s), v, omega),
        np.einsum("ikj,j,k->i", cut(s.KB, first, s.s, s.h), v, omega),
    ]


@section.confirmed("(8.5)", 290)
def vertical_brackets() -> Evidence:
    """The equations along S with brackets, + signs."""
    return identity(_all(), lambda s: [s.momentum_rate[s.s], *_brackets(s, s.s)], words=SYMMETRIC)


@section.confirmed("(8.6)", 291)
def horizontal_brackets() -> Evidence:
    """The equations along H with brackets, + signs, and the derivatives of K(κ, κ) and K(γ, γ) (U printed 𝒞)."""

    def terms(s: SimpleNamespace) -> list[Any]:
        v, omega = s.rates[s.h], s.rates[s.s]
        grown = [-np.einsum("ijk,j,k->i", cut(s.gram_slopes, s.h, p, p), w, w) / 2 for p, w in ((s.h, v), (s.s, omega))]
        return [s.momentum_rate[s.h], *_brackets(s, s.h), s.rise[s.h], *grown]

    return identity(_all(), terms, words=SYMMETRIC)
