"""§4.2, second half: the reduced equations in coordinates, (4.9)–(4.11), and what is said of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz._se2_bundle import S, U, nonholonomic
from nonholo_papers.bmz.s2_5_poincare import lagrangian
from nonholo_papers.bmz.s4_1_reduced import WORDS, places
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, share, slope
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "4.2 The reduced equations in coordinates")
section.rest("transformation, tested with Proposition 4.3", 98)


def coefficients(t: Any) -> SimpleNamespace:
    """ℬ, 𝒟 and 𝒦 of (4.11), from their printed formulas (ℬ with C on the left, where c is printed)."""
    b = t.curl + np.einsum("abc,xa,yb->cxy", t.C, t.A, t.A) + t.gammas  # −C_BA^C A_α^A A_β^B
    ratio = t.IU @ t.Itop[U, S]  # ℐ^U_{c'a'} ℐ^{a'c}
    c_s, c_u = t.C[:, S, S], t.C[:, S, U]  # C_Ab^c, C_Ab^c'
    gamma_s = np.einsum("bca->bca", t.gamma[S, S])
    gamma_u = t.gamma[S, U]
    first = -np.einsum("abc,xa->bcx", c_s - np.einsum("abd,dc->abc", c_u, ratio), t.A)
    second = np.einsum("abd,xd,ac->bcx", t.C[S, S, U], t.Lambda, t.inverse)
    third = gamma_s - np.einsum("bdx,dc->bcx", gamma_u, ratio)
    dd = np.einsum("yd,bdx->bxy", t.Lambda, gamma_u - np.einsum("abd,xa->bdx", c_u, t.A))
    return SimpleNamespace(
        B=b,
        D=first + second + third,  # D[b, c, α]
        DD=dd,  # D[b, α, β]
        K=np.einsum("zd,dxy->xyz", t.Lambda, b[U]),
        ratio=ratio,
    )


def _shape(t: Any, turned: bool) -> list[Any]:
    k = coefficients(t)
    inside = slope(lambda z: lagrangian(z, t.rdot, t.inside, nonholonomic), t.r)
    dd = np.einsum("bax,bc->cax" if not turned else "bxa,bc->cax", k.DD, t.inverse)
    return [
        t.constrained_force,
        -inside,
        np.einsum("bca,bd,c,d->a", k.D, t.inverse, t.p, t.p),
        np.einsum("abc,b,c->a", k.K, t.rdot, t.rdot),
        np.einsum("cab,c,b->a", k.B[S], t.p, t.rdot),
        -np.einsum("dc,dab,c,b->a", k.ratio, k.B[U], t.p, t.rdot),
        np.einsum("cab,c,b->a", dd, t.p, t.rdot),
    ]


@section.misprint(
    "(4.9)",
    95,
    right=r"\ldots - (\mathcal{B}_{\alpha\beta}^c - \mathcal{I}_{c'a'}^{\mathcal{U}} \mathcal{I}^{a'c} "
    r"\mathcal{B}_{\alpha\beta}^{c'} + \mathcal{D}_{b\alpha\beta} \mathcal{I}_S^{bc}) p_c \dot{r}^\beta",
    harm=5,
    breaks="The shape equation of every system with two or more shape variables and Λ ≠ 0; energy does not show it.",
    exhibits=("snakeboard",),
    kind="slip",
    because=(
        "The term comes from ⟨i_ṙΛ, ⟨ℰ, ℐ_S⁻¹p⟩⟩ of (4.6): ṙ^β goes with Λ_c′β, the free index α with ℰ. By "
        "(4.11) that is 𝒟_bαβ."
    ),
)
def shape_equation() -> Evidence:
    """The shape equation with 𝒟_bβα ℐ_S^bc p_c ṙ^β."""
    return identity(places(), lambda t: _shape(t, True), lambda t: _shape(t, False), words=WORDS)


@section.confirmed("(4.10)", 96)
def momentum_equation() -> Evidence:
    """ṗ_a = (C^c_ba − C^c'_ba ℐ^U ℐ^a'c) ℐ_S^bd p_c p_d + 𝒟^c_aα p_c ṙ^α + 𝒟_aαβ ṙ^α ṙ^β."""

    def terms(t: Any) -> list[Any]:
        k = coefficients(t)
        return [
            t.pdot,
            -np.einsum("bac,bd,c,d->a", t.C[S, S, S], t.inverse, t.p, t.p),
            np.einsum("bae,ec,bd,c,d->a", t.C[S, S, U], k.ratio, t.inverse, t.p, t.p),
            -np.einsum("acx,c,x->a", k.D, t.p, t.rdot),
            -np.einsum("axy,x,y->a", k.DD, t.rdot, t.rdot),
        ]

    return identity(places(), terms, words=WORDS)


@section.confirmed(
    "(4.11), first formula",
    "97a",
    printed=r"\mathcal{B}_{\alpha\beta}^c = \frac{\partial \mathcal{A}_\alpha^C}{\partial r^\beta} - \ldots",
)
def curvature() -> Evidence:
    """ℬ^C_αβ with the γ terms, for all directions C of the algebra (printed c on the left): brackets of the horizontal fields."""

    def terms(t: Any) -> list[Any]:
        turned = np.einsum("bcx,ab->cax", t.gamma, t.A)  # γ^C_Bβ A^B_α
        return [t.horizontal, -t.curl, -t.square, -turned, np.einsum("cab->cba", turned)]

    return identity(places(), terms, words="brackets of the fields (2.12)")


@section.conditional(
    "ℬ of (4.11) and ℬ before (2.18)",
    printed="ℬ_αβ is one symbol for the curvature before (2.18) and for (4.11)",
    right="e does not depend on r, so that γ = 0",
    reason="(4.11) includes the γ terms, the formula before (2.18) does not; (4.2) and (4.6) add them to the first, "
    "(4.9) uses the second.",
    harm=3,
    breaks="γ terms counted twice, or not at all, by one who takes ℬ from the other section.",
)
def two_curvatures() -> Evidence:
    """ℬ of (4.11) equals ℬ of §2.5."""

    def terms(t: Any, b: Array) -> list[Any]:
        return [coefficients(t).B, -b]

    return identity(
        places(),
        lambda t: terms(t, t.B),
        lambda t: [*terms(t, t.B), -t.gammas],
        words="their difference is the γ terms",
    )


@section.confirmed(
    "(4.11), 𝒟^c_bα, 𝒟_bαβ, 𝒦_αβγ",
    "97b",
    printed=r"\mathcal{D}_{b\alpha}^c = \ldots, \mathcal{D}_{b\alpha\beta} = \ldots, "
    r"\mathcal{K}_{\alpha\beta\gamma} = \ldots",
)
def the_coefficients() -> Evidence:
    """𝒟^c_bα is τ, 𝒟_bαβ is ⟨Λ, ℰ⟩ and 𝒦_αβγ is ⟨Λ, ℬ⟩: the bilinear and quadratic parts of (4.3) and (4.2)."""

    def terms(t: Any) -> list[Any]:
        k = coefficients(t)

        def side(rdot: Array, omega: Array) -> Array:
            push = t.I @ omega + rdot @ t.K - rdot @ t.A @ t.I
            return (np.einsum("abc,a,c->b", t.C, omega, push) + np.einsum("cab,c,a->b", t.E, push, rdot))[S]

        def forces(rdot: Array) -> Array:
            push = rdot @ t.K - rdot @ t.A @ t.I
            return np.einsum("cab,c,b->a", t.gyro, push, rdot)

        bilinear = side(t.rdot, t.inside) - side(t.rdot, 0 * t.inside) - side(0 * t.rdot, t.inside)
        return [
            np.concatenate([bilinear, side(t.rdot, 0 * t.inside), forces(t.rdot)]),
            -np.concatenate(
                [
                    np.einsum("acx,c,x->a", k.D, t.p, t.rdot),
                    np.einsum("axy,x,y->a", k.DD, t.rdot, t.rdot),
                    np.einsum("abc,b,c->a", k.K, t.rdot, t.rdot),
                ]
            ),
        ]

    def swapped(t: Any) -> list[Any]:
        one, two = terms(t)
        k = coefficients(t)
        other = two.copy()
        other[2:4] = -np.einsum("axy,y->ax", k.DD, t.rdot) @ (t.rdot[::-1])
        return [one, other]

    return identity(places(), terms, mutants=[swapped], words="polarisation of (4.2) and (4.3)")


@section.misprint(
    "§4.2, ℐ_S^bd are the components of ℐ_D⁻¹",
    printed=r"\mathcal{I}_S^{bd} \text{ are the components of } \mathcal{I}_D^{-1}",
    right=r"\mathcal{I}_S^{bd} \text{ are the components of } \mathcal{I}_S^{-1}",
    harm=1,
    breaks="ℐ_D is not defined; the inverse of the metric on D would bring the shape directions in.",
    kind="slip",
)
def which_inverse() -> Evidence:
    """The coefficients ℐ_S^bd of (4.9), (4.10) are those of the inverse of the metric on all of D."""

    def terms(t: Any, inverse: Array) -> list[Any]:
        return [t.omega[S], -inverse @ t.p]

    def on_d(t: Any) -> Array:
        """The block of the inverse of the metric on D in the basis (∂_r, e_a) that the coefficients (4.5) use."""
        whole = np.block([[t.G, t.K[:, S]], [t.K[:, S].T, t.I[S, S]]])
        return np.linalg.inv(whole)[2:, 2:]

    return identity(places(), lambda t: terms(t, on_d(t)), lambda t: terms(t, t.inverse), words="Ω^S = ℐ_S^-1 p")


@section.confirmed("Proposition 4.3", "Proposition 4.3", exhibits=("chaplygin-sleigh",))
def reversible() -> Evidence:
    """t → −t, p → −p, ṙ → −ṙ leaves (4.9), (4.10) as they are: accelerations and ṗ are even in (ṙ, p), witness included."""

    def rates(t: Any, sign: float) -> tuple[Array, Array]:
        """Velocities and accelerations."""
        from nonholo.derive.multipliers import multipliers
        from nonholo_papers.bmz._se2_bundle import _system

        s = t.state
        names = ("r1", "r2", "theta", "x", "y")
        state = {n: getattr(s, n) for n in names} | {f"{n}dot": sign * getattr(s, f"{n}dot") for n in names}
        found = multipliers(_system(True)).rates(state, {})
        return np.array([state[f"{n}dot"] for n in names]), np.array([found[f"{n}dot"] for n in names])

    def terms(t: Any) -> list[Any]:
        """Accelerations at opposite velocities."""
        (_, one), (velocity, two) = rates(t, 1.0), rates(t, -1.0)
        given = np.array([getattr(t.state, f"{n}dot") for n in ("r1", "r2", "theta", "x", "y")])
        return [np.append(one, given), -np.append(two, -velocity)]

    return identity(places()[:2], terms, words="the accelerations of the witness are even in the velocities")


@section.confirmed("§4.2, energy is always preserved")
def energy() -> Evidence:
    """d/dt(½⟨G_c ṙ, ṙ⟩ + ½⟨p, ℐ_S⁻¹ p⟩ + V) = 0 along the witness's motion."""
    from nonholo_papers.bmz import _se2_bundle as bundle

    def kinetic(s: Any) -> Any:
        r, d, xi = bundle.shape(s), bundle.shape_rate(s), bundle.body(s)
        return d @ bundle.table("metric", r) @ d / 2 + d @ bundle.mixed(r) @ xi + xi @ bundle.inertia(r) @ xi / 2

    def potential(s: Any) -> Any:
        return bundle.table("potential", bundle.shape(s))[0, 0]

    return identity(places(), lambda t: [t.state.dot(kinetic), t.state.dot(potential)], words=WORDS)


@section.confirmed(
    "§4.2, terms quadratic in ṙ: absent for the penny, present for the rattleback",
    exhibits=("rolling-disk", "rattleback"),
    slow=True,
)
def quadratic_terms() -> Evidence:
    """The momentum equation of the rolling disk has no terms quadratic in the shape's rates; the rattleback's has."""
    from nonholo import gallery
    from nonholo.algebra.linear_equations import evaluate
    from nonholo.symmetry.reduction.reduce import reduce

    sizes = []
    for name in ("rolling-disk", "rattleback"):
        exhibit = gallery.get(name)
        equations = reduce(exhibit.system).momentum_equation
        names = sorted({str(s) for e in equations.values() for s in e.free_symbols} - set(exhibit.parameters))
        random = np.random.default_rng(4)
        values = {n: 0.0 if n in equations else float(random.uniform(0.2, 0.6)) for n in names}
        at_rest = evaluate(list(equations.values()), {**exhibit.parameters, **values})
        moved = evaluate(list(equations.values()), {**exhibit.parameters, **values, **dict.fromkeys(equations, 0.5)})
        sizes.append(share(at_rest, moved))
    return Evidence(
        sizes[0], mutant=sizes[1], words="ṗ at p = 0, relative to ṗ at p = 0.5, for the same shape and velocity"
    )
