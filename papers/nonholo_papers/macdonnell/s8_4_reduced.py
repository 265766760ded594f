"""§8.4: reduction to Q/G, the lemmas."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, identity, worst
from nonholo_papers.macdonnell import _systems as systems
from nonholo_papers.macdonnell._action import acted
from nonholo_papers.macdonnell._fields import bracket, lie, table
from nonholo_papers.macdonnell._so3_bundle import along, combined, cut, places
from nonholo_papers.section import Section

Array = Any
section = Section("macdonnell", "8.4 Reduction to Q/G, the lemmas")
section.rest("definition", "Definition 8.4.1", "Definition 8.4.2")
WORDS = "two flat systems of two shape variables times SO(3), dim S = 2 and 1; rates by the multiplier witness"


def potential(s: SimpleNamespace, q: Array) -> Any:
    """Ū = U + ½K(Ω, Ω)."""
    return s.bundle.height(q) + s.Omega(q) @ s.bundle.metric(q) @ s.Omega(q) / 2


def small_metric(s: SimpleNamespace, r: Array) -> Array:
    """K̄ in the coordinates r of Q/G: of the lifts of ∂/∂r to H ⊕ R."""
    return lifts_metric(s.bundle, np.concatenate([r, s.q[len(r) :]]))


def lifts_metric(bundle: Any, q: Array) -> Array:
    """The same at any attitude."""
    m = len(bundle.shape)
    rows = bundle.rows(q)[[*bundle.indices("H"), *bundle.indices("R")]]
    back = np.linalg.inv(rows[:, :m])
    return back @ rows @ bundle.metric(q) @ rows.T @ back.T


def form(s: SimpleNamespace, first: Any, second: Any) -> float:
    """M(τ, ρ) = (L_τK)(ρ, Ω)."""
    return float(second(s.q) @ lie(s.bundle.metric, first, s.q) @ s.Omega(s.q))


def forms(s: SimpleNamespace) -> Array:
    """M(κ_i, κ_j)."""
    fields = s.bundle.part("H")
    return np.array([[form(s, x, y) for y in fields] for x in fields])


def missing(s: SimpleNamespace) -> Array:
    """K([κ_i, κ_j]_N, κ_k): the N part of the bracket does not vanish under TΛ∘K."""
    inside = cut(s.components, s.h, s.h, s.n)
    return np.einsum("ijn,nk->ijk", inside, cut(s.gram, s.n, s.h))


def small_lie(s: SimpleNamespace) -> Array:
    """(L_{κ̄_i}K̄)(κ̄_j, κ̄_k) on Q/G."""
    m = len(s.bundle.shape)

    def field(i: int) -> Any:
        return lambda r: s.bundle.rows(np.concatenate([r, s.q[m:]]))[i, :m]

    rows = np.array([field(i)(s.q[:m]) for i in s.h])
    return np.stack([rows @ lie(lambda r: small_metric(s, r), field(i), s.q[:m]) @ rows.T for i in s.h])


@section.misprint(
    "§8.4, the supposition",
    printed=r"\text{the trajectory satisfies } \hat{q} = \Omega \circ q",
    right=r"\dot{q}_S = \Omega \circ q",
    harm=1,
    breaks="Ω is the S part of the velocity; with q̇ itself nothing would move in Q/G.",
    kind="reading",
)
def supposed() -> Evidence:
    """The S part of q̇ is Ω∘q."""
    return identity(
        systems.reduced(),
        lambda s: [s.v, -s.Omega(s.q)],
        lambda s: [s.v, -s.rates[s.h] @ s.rows[s.h], -s.Omega(s.q)],
        words=WORDS,
    )


@section.misprint(
    "§8.4, (8.4) with Ω",
    (306, 307, 308, 309, 310),
    right=r"\{ K(\kappa_i, \kappa_j) v^j \}' - \frac{1}{2} (\mathcal{L}_{\kappa_i} K)(\kappa_j, \kappa_k) v^j v^k - \frac{1}{2} "
    r"(\mathcal{L}_{\kappa_i} K)(\Omega, \Omega) - (\mathcal{L}_{\kappa_i} K)(\kappa_j, \Omega) v^j + \kappa_i U = 0",
    harm=2,
    breaks="Three minus signs stand as equality signs in the text.",
    kind="reading",
)
def with_omega() -> Evidence:
    """(8.4) for q̇_S = Ω; as printed each line would equal the next."""

    def parts(s: SimpleNamespace) -> list[Any]:
        v = s.rates[s.h]
        own = [lie(s.bundle.metric, k, s.q) for k in s.bundle.part("H")]
        one = np.einsum("ijk,j,k->i", cut(s.lie, s.h, s.h, s.h), v, v) / 2
        two = np.array([s.Omega(s.q) @ k @ s.Omega(s.q) for k in own]) / 2
        return [s.momentum_rate[s.h], one, two, forms(s) @ v, s.rise[s.h]]

    def right(s: SimpleNamespace) -> list[Any]:
        first, one, two, three, rise = parts(s)
        return [first, -one, -two, -three, rise]

    return identity(systems.reduced(), lambda s: [parts(s)[0], -parts(s)[1]], right, words=WORDS)


@section.confirmed("(8.11)", 311)
def equation() -> Evidence:
    """{K(κ_i, κ_j)v^j}' − ½(L_{κ_i}K)(κ_j, κ_k)v^jv^k − (L_{κ_i}K)(κ_j, Ω)v^j + κ_i{U + ½K(Ω, Ω)} = 0."""

    def terms(s: SimpleNamespace) -> list[Any]:
        v = s.rates[s.h]
        rise = np.array([float(along(lambda q: potential(s, q), s.q, w)) for w in s.rows[s.h]])
        one = np.einsum("ijk,j,k->i", cut(s.lie, s.h, s.h, s.h), v, v) / 2
        return [s.momentum_rate[s.h], -one, -forms(s) @ v, rise]

    return identity(systems.reduced(), terms, words=WORDS)


@section.confirmed("Lemma 8.4.1", (312, "Lemma 8.4.1"))
def potential_invariant() -> Evidence:
    """U + ½K(Ω, Ω) is group invariant, and so a function on Q/G; with the velocity's components kept in coordinates it is not."""

    def terms(s: SimpleNamespace) -> list[Any]:
        return [float(potential(s, acted(s.q))), -float(potential(s, s.q))]

    def crooked(s: SimpleNamespace) -> list[Any]:
        fixed = s.Omega(s.q)
        there = s.bundle.metric(acted(s.q))
        return [float(fixed @ there @ fixed), -float(fixed @ s.metric @ fixed)]

    return identity(systems.reduced(), terms, mutants=[crooked], words="one generic g of SO(3)")


@section.confirmed(
    "Lemma 8.4.2",
    "Lemma 8.4.2",
    printed=r"\overline{K}(T\Lambda(\tau), T\Lambda(\tau)) = K(\tau, \tau), \forall \tau \in H \oplus R",
)
def metric() -> Evidence:
    """K on H ⊕ R is the same over one point of Q/G at all attitudes, and positive definite; K of fixed coordinates is not."""
    states = (*systems.reduced(), *places(systems.GENERIC), *places(systems.LEANING))
    largest, least, mutant = 0.0, 1.0, 0.0
    for s in states:
        m = len(s.bundle.shape)
        here, there = lifts_metric(s.bundle, s.q), lifts_metric(s.bundle, acted(s.q))
        largest = worst(largest, gap(here, there))
        least = min(least, float(np.min(np.linalg.eigvalsh(here))))
        slanted = [s.bundle.metric(q)[-1:, -2:] for q in (s.q, acted(s.q))]
        mutant = worst(mutant, gap(*slanted))
        largest = worst(largest, float(np.linalg.matrix_rank(s.rows[[*s.h, *s.r]][:, :m]) != m))
    return Evidence(worst(largest, float(least <= 0)), None, mutant, "four systems, one with R ≠ 0, one generic g")


@section.confirmed("Lemma 8.4.3", (313, "Lemma 8.4.3"))
def projected() -> Evidence:
    """TΛ∘κ_i depends on the place in Q/G alone: it is the same at q and at gq."""
    states = (*systems.reduced(), *places(systems.GENERIC), *places(systems.LEANING))

    def difference(s: SimpleNamespace, part: slice) -> float:
        return gap(s.rows[s.h][:, part], s.bundle.rows(acted(s.q))[s.h][:, part])

    shapes = worst(difference(s, slice(0, len(s.bundle.shape))) for s in states)
    return Evidence(
        shapes,
        None,
        worst(difference(s, slice(-3, None)) for s in states),
        "the mutant takes the components along the angles",
    )


@section.misprint(
    "Lemma 8.4.4",
    (314, 315, "Lemma 8.4.4"),
    right=r"(\mathcal{L}_{\kappa_i} K)(\kappa_j, \kappa_k) = \{ (\mathcal{L}_{\overline{\kappa}_i} \overline{K})"
    r"(\overline{\kappa}_j, \overline{\kappa}_k) \} \circ \Lambda - K([\kappa_i,\kappa_j]_N, \kappa_k) - K(\kappa_j, "
    r"[\kappa_i,\kappa_k]_N)",
    harm=5,
    breaks="K([κ_i, κ_j], κ_k) is not K̄ of the projections: [κ_i, κ_j] has a part in N, which is not orthogonal to H. So the "
    "reduced equations lack a term with two or more shape variables.",
    exhibits=("chaplygin-sphere",),
    kind="error",
    because=(
        "K(X, κ_k) = K̄(TΛX, κ̄_k) holds for X in H + S. [κ_i, κ_j] has a part in N, which TΛ takes to 0 and "
        "which is not orthogonal to H."
    ),
)
def lie_projected() -> Evidence:
    """(L_{κ_i}K)(κ_j, κ_k) is that of K̄ on Q/G, less the terms with the N part of [κ_i, κ_j], which are not printed."""

    def printed(s: SimpleNamespace) -> list[Any]:
        return [cut(s.lie, s.h, s.h, s.h), -small_lie(s)]

    def right(s: SimpleNamespace) -> list[Any]:
        lost = missing(s)
        return [*printed(s), lost, np.einsum("ikj->ijk", lost)]

    return identity(
        (*systems.reduced(), *places(systems.GENERIC)), printed, right, words="two flat systems and one that is not"
    )


TAU = table((("1 + r1*r2/3", "r2/4 - 1/2"), ("sin(r1)/3 + 1/5", "1 - r1/5")), ("r1", "r2"))


def _skew(s: SimpleNamespace) -> list[Any]:
    tau, rho = combined(s.bundle, "H", TAU)
    return [form(s, tau, rho), form(s, rho, tau)]


@section.confirmed("Lemma 8.4.5", (316, 317, 318, 319, 320, "Lemma 8.4.5"))
def two_form() -> Evidence:
    """M(τ, ρ) = (L_τK)(ρ, Ω) = −K([τ, ρ], Ω) − K(ρ, [τ, Ω]) is bilinear in invariant τ, ρ of H and skew, by flatness."""

    def split(s: SimpleNamespace) -> list[Any]:
        tau, rho = combined(s.bundle, "H", TAU)
        one = bracket(tau, rho, s.q) @ s.metric @ s.Omega(s.q)
        two = rho(s.q) @ s.metric @ bracket(tau, s.Omega, s.q)
        return [form(s, tau, rho), float(one), float(two)]

    def linear(s: SimpleNamespace) -> list[Any]:
        tau, rho = combined(s.bundle, "H", TAU)
        t, p = TAU(s.q[:2])
        omega = np.linalg.solve(s.rows.T, s.Omega(s.q))[s.s]
        first = np.einsum("ijk,k->ij", cut(s.KB, s.h, s.h, s.s), omega)
        second = np.einsum("jki,k->ij", cut(s.KB, s.h, s.s, s.h), omega)  # Ω^kK(κ_i, [κ_j, γ_k])
        one = bracket(tau, rho, s.q) @ s.metric @ s.Omega(s.q)
        two = rho(s.q) @ s.metric @ bracket(tau, s.Omega, s.q)
        return [np.array([float(one), float(two)]), -np.array([t @ first @ p, p @ second @ t])]

    tilted = systems.reduced()[3:]
    found = [identity(tilted, split), identity(systems.reduced(), linear), identity(tilted, _skew)]
    same = worst(abs(forms(s)[0, 1] - _carried(s)) for s in tilted)
    crooked = []
    for s in places(systems.GENERIC):  # not flat: any Ω in S
        p = SimpleNamespace(**{**vars(s), "Omega": s.bundle.field(int(s.s[0]))})
        terms = _skew(p)
        crooked.append(abs(sum(terms)) / worst(map(abs, terms)))
    return Evidence(
        worst(same, *(e.printed for e in found)), None, min(*(e.mutant or 0 for e in found), *crooked),
        "two flat systems, τ and ρ with generic invariant coefficients; not skew in a system that is not flat",
    )  # fmt: skip


def _carried(s: SimpleNamespace) -> float:
    """M(κ_1, κ_2) at gq: group invariance."""
    there = acted(s.q)
    first, second = (s.bundle.field(int(k)) for k in s.h[:2])
    return float(second(there) @ lie(s.bundle.metric, first, there) @ s.Omega(there))
