"""§§4.1–4.2: the reduced equations and the nonholonomic connection, on R² × SE(2) with one constraint."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz import _se2_bundle as bundle
from nonholo_papers.bmz._se2_bundle import S, U, body, nonholonomic, shape, shape_rate, table, tensors
from nonholo_papers.bmz.s2_5_poincare import derivatives, lagrangian
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import Moving, identity, slope
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "4.1 Reduced dynamics, 4.2 The moving body frame and nonholonomic connection")
section.rest("definition", 67, 68, 75, 78, 80, 81, 82, 89, 91, 92, "Definition 4.2")
section.rest(
    "the constraints in the adapted frame, by the choice of the connection's U part; used in every check below", 69, 79
)
WORDS = "R² × SE(2), two shape variables, two momenta, one constraint, basis e(r); rates by the witness"


def _constrained_shape(s: Any) -> Array:
    """``∂l_c/∂ṙ = G_c ṙ`` as a function of the state."""
    r = shape(s)
    a = nonholonomic(r)
    g = table("metric", r) - bundle.mixed(r) @ a.T - a @ bundle.mixed(r).T + a @ bundle.inertia(r) @ a.T
    return g @ shape_rate(s)


def _omega(s: Any) -> Array:
    return body(s) + shape_rate(s) @ nonholonomic(shape(s))


def momentum(s: Any) -> Array:
    """``p = ∂l_c/∂Ω^S = ℐ_S Ω^S``."""
    return bundle.inertia(shape(s))[S, S] @ _omega(s)[S]


def _inverse(r: Array) -> Array:
    return np.linalg.inv(bundle.inertia(r)[S, S])


@lru_cache
def places() -> tuple[SimpleNamespace, ...]:
    """States with every tensor of §4."""
    found = []
    for s in bundle.states(True):
        r, rdot = shape(s), shape_rate(s)
        t = tensors(r, nonholonomic)
        omega = _omega(s)
        i, k, a = t.I, t.K, t.A
        small = k[:, U] - a[:, S] @ i[S, U] - a[:, U] @ i[U, U]  # Λ[α, a']
        inverse = np.linalg.inv(i[S, S])
        p = i[S, S] @ omega[S]
        p_across = i[U, S] @ inverse @ p
        t.__dict__.update(
            state=s,
            r=r,
            rdot=rdot,
            omega=omega,
            inside=np.concatenate([omega[S], [0.0]]),
            push=derivatives(s, nonholonomic)[1],
            p=p,
            Lambda=small,
            full=np.concatenate([p, p_across]),  # p + I_US I_S⁻¹ p
            carried=np.concatenate([np.zeros(2), rdot @ small]),  # i_ṙ Λ
            inverse=inverse,
            shape_force=s.dot(lambda z: derivatives(z, nonholonomic)[0]),
            momentum_rate=s.dot(lambda z: derivatives(z, nonholonomic)[1]),
            slope=slope(lambda z, d=rdot, o=omega: lagrangian(z, d, o, nonholonomic), r),
            constrained_force=s.dot(_constrained_shape),
            pdot=s.dot(momentum),
            inverse_slope=slope(_inverse, r),
        )
        t.gyro = t.B + t.gammas
        t.Itop = np.linalg.inv(i)  # the inverse of the whole ℐ, upper indices
        t.IU = np.linalg.inv(t.Itop[U, U])  # ℐ^U_{a'c'}
        found.append(t)
    return tuple(found)


def _right_side(t: Any, push: Array, sign: int = 1) -> list[Any]:
    """The three parts of ⟨push, i_ṙ B + γ terms + ⟨ℰ, Ω^S⟩⟩."""
    return [
        sign * np.einsum("cab,c,b->a", t.B, push, t.rdot),
        np.einsum("cab,c,b->a", t.gammas, push, t.rdot),
        np.einsum("cab,c,b->a", t.E, push, t.inside),
    ]


@section.confirmed("§4.1, Ω^U = 0 for admissible motions, dimension assumption")
def admissible() -> Evidence:
    """With the nonholonomic connection the constraint is Ω^U = 0, and D with the orbit spans all velocities."""
    zero = max(abs(float(t.omega[2])) for t in places())
    size = min(abs(float(body(t.state)[2])) for t in places())
    return Evidence(zero, mutant=size, words="Ω³ and, for comparison, ξ³")


@section.conditional(
    "Theorem 4.1, (4.2)",
    (70, "Theorem 4.1"),
    reason="i_ṙ B = B_αβ ṙ^β, contraction in the second place, and B with + C A A, as for (2.13).",
    harm=4,
    breaks="The gyroscopic force of the shape equation, with two or more shape variables.",
    kind="convention",
)
def shape_equation() -> Evidence:
    """d/dt ∂l/∂ṙ − ∂l/∂r = −⟨∂l/∂Ω, i_ṙ B + … + ⟨ℰ, Ω^S⟩⟩ with i_ṙ B = B(ṙ, ·)."""
    return identity(
        places(),
        lambda t: [t.shape_force, -t.slope, *_right_side(t, t.push, -1)],
        lambda t: [t.shape_force, -t.slope, *_right_side(t, t.push)],
        words=WORDS,
    )


@section.confirmed("(4.3)", 71)
def momentum_equation() -> Evidence:
    """[d/dt ∂l/∂Ω]_S = [ad*_{Ω^S} ∂l/∂Ω + ⟨∂l/∂Ω, i_ṙ ℰ⟩]_S, all of ∂l/∂Ω before Ω = Ω^S."""

    def terms(t: Any) -> list[Any]:
        turned = np.einsum("abc,a,c->b", t.C, t.inside, t.push)
        return [t.momentum_rate[S], -turned[S], -np.einsum("cab,c,a->b", t.E, t.push, t.rdot)[S]]

    def late(t: Any) -> list[Any]:
        """∂l_c/∂Ω^S in the place of ∂l/∂Ω."""
        only = np.concatenate([t.p, [0.0]])
        turned = np.einsum("abc,a,c->b", t.C, t.inside, only)
        return [t.momentum_rate[S], -turned[S], -np.einsum("cab,c,a->b", t.E, only, t.rdot)[S]]

    return identity(places(), terms, mutants=[late], words=WORDS)


@section.confirmed("§4.1, the same with l_c", 72)
def with_constrained_lagrangian() -> Evidence:
    """Left sides with l_c, right sides with ∂l/∂Ω (i_ṙ B as in (4.2))."""

    def terms(t: Any) -> list[Any]:
        inside = slope(lambda z: lagrangian(z, t.rdot, t.inside, nonholonomic), t.r)  # ∂l_c/∂r at fixed ṙ and Ω^S
        turned = np.einsum("abc,a,c->b", t.C, t.inside, t.push)[S]
        carried = np.einsum("cab,c,a->b", t.E, t.push, t.rdot)[S]
        zero = np.zeros(2)
        return [
            np.concatenate([t.constrained_force, t.pdot]),
            -np.concatenate([inside, zero]),
            *(np.concatenate([e, zero]) for e in _right_side(t, t.push)),
            -np.concatenate([zero, turned]),
            -np.concatenate([zero, carried]),
        ]

    return identity(places(), terms, words=WORDS)


@section.confirmed("§4.1, derivatives of l_c and of l", 73)
def derivatives_agree() -> Evidence:
    """∂l_c/∂ṙ, its rate, ∂l_c/∂r and ∂l_c/∂Ω^S are those of l at Ω = Ω^S."""

    def terms(t: Any) -> list[Any]:
        own = derivatives(t.state, nonholonomic)
        constrained = slope(lambda z: lagrangian(z, t.rdot, t.inside, nonholonomic), t.r)
        one = [_constrained_shape(t.state), t.constrained_force, constrained, t.p]
        two = [own[0], t.shape_force, t.slope, own[1][S]]
        return [np.concatenate(one), -np.concatenate(two)]

    return identity(places(), terms)


@section.confirmed("§4.1, ∂l_c/∂Ω^S ≠ ∂l/∂Ω in general", 74)
def derivatives_differ() -> Evidence:
    """∂l/∂Ω has a component across b^S, which ∂l_c/∂Ω^S has not."""
    across = min(abs(float(t.push[2])) for t in places())
    same = max(float(np.max(np.abs(t.push[S] - t.p))) for t in places())
    return Evidence(same, mutant=across, words="components within b^S agree, the one across does not vanish")


@section.confirmed("§4.2, vertical and horizontal components", (76, 77))
def components() -> Evidence:
    """q̇ = (0, ξ + Aṙ) + (ṙ, −Aṙ): the second is in D and orthogonal to b^S in the kinetic metric."""

    def terms(t: Any) -> list[Any]:
        xi = -t.rdot @ t.A
        product = t.rdot @ t.K[:, S] + xi @ t.I[:, S]
        return [t.rdot @ t.K[:, S], xi @ t.I[:, S], -product * 0]

    zero = max(abs(float((-t.rdot @ t.A)[2] + t.rdot @ table("constraint", t.r).T[:, 0])) for t in places())
    found = identity(places(), lambda t: terms(t)[:2])
    return Evidence(
        max(found.printed, zero), None, found.mutant, "orthogonality to b^S and Ω^U = 0 of the horizontal part"
    )


@section.confirmed("§4.2, the constrained metric is block-diagonal", 83)
def block_diagonal() -> Evidence:
    """On D the kinetic metric is ⟨G_c ṙ, ṙ⟩ + ⟨ℐ_S Ω^S, Ω^S⟩."""

    def terms(t: Any) -> list[Any]:
        xi = body(t.state)
        whole = t.rdot @ t.G @ t.rdot + 2 * t.rdot @ t.K @ xi + xi @ t.I @ xi
        return [whole, -_constrained_shape(t.state) @ t.rdot, -t.omega[S] @ t.I[S, S] @ t.omega[S]]

    return identity(places(), terms)


@section.confirmed("§4.2, (4.5) with ξ = Ω^S − Aṙ", 84)
def substituted() -> Evidence:
    """The cross terms are 2⟨𝒦_S ṙ, Ω^S⟩ − 2⟨ℐ_S A^S ṙ, Ω^S⟩ − 2⟨ℐ_SU A^U ṙ, Ω^S⟩, for any S part of A."""

    def terms(t: Any) -> list[Any]:
        a = t.A + np.array([[0.3, -0.2, 0], [0.1, 0.4, 0]])  # another S part: the expansion does not need orthogonality
        omega = np.array([0.7, -0.5, 0])
        xi = omega - t.rdot @ a
        whole = t.rdot @ t.G @ t.rdot + 2 * t.rdot @ t.K @ xi + xi @ t.I @ xi
        g = t.G - t.K @ a.T - a @ t.K.T + a @ t.I @ a.T
        o = omega[S]
        return [
            whole,
            -t.rdot @ g @ t.rdot,
            -2 * t.rdot @ t.K[:, S] @ o,
            -o @ t.I[S, S] @ o,
            2 * t.rdot @ a[:, S] @ t.I[S, S] @ o,
            2 * t.rdot @ a[:, U] @ t.I[U, S] @ o,
        ]

    return identity(places(), terms)


@section.confirmed("§4.2, A^S and its components A^a_α", (85, 86))
def connection() -> Evidence:
    """A^S = ℐ_S⁻¹𝒦_S − ℐ_S⁻¹ℐ_SU A^U: horizontal vectors are orthogonal to b^S."""

    def product(t: Any, a: Array) -> Array:
        return t.K[:, S] - a @ t.I[:, S]  # ⟨⟨(∂_α, −A_α), (0, e_b)⟩⟩

    def printed(t: Any) -> Array:
        along = (t.inverse @ t.K[:, S].T - t.inverse @ t.I[S, U] @ t.A[:, U].T).T
        return np.concatenate([along, t.A[:, U]], axis=1)

    found = max(float(np.max(np.abs(product(t, printed(t))))) for t in places())
    wrong = min(
        float(np.max(np.abs(product(t, np.concatenate([t.K[:, S] @ t.inverse, t.A[:, U]], axis=1))))) for t in places()
    )
    return Evidence(found, mutant=wrong, words="orthogonality of (∂_α, −A_α) and b^S; without the second term it fails")


@section.confirmed("§4.2, ℐ_S^ab ≠ ℐ^ab; ℐ^U_a'c' ≠ ℐ_a'c'")
def inverses_differ() -> Evidence:
    """The inverse of the block is not the block of the inverse, unless ℐ_SU = 0."""
    t = places()[0]
    straight = t.I.copy()
    straight[S, U], straight[U, S] = 0, 0
    same = np.max(np.abs(np.linalg.inv(straight)[S, S] - np.linalg.inv(straight[S, S])))
    other = min(np.max(np.abs(t.Itop[S, S] - t.inverse)), np.max(np.abs(t.IU - t.I[U, U])))
    return Evidence(float(same), mutant=float(other), words="equal without ℐ_SU, different with it")


@section.conditional(
    "(4.6)",
    87,
    reason="i_ṙ B = B_αβ ṙ^β, as for (2.13); then the equation holds, with l_c(r, ṙ, p) as the remark after it explains.",
    harm=4,
    breaks="The gyroscopic force of the shape equation, with two or more shape variables.",
    kind="convention",
)
def shape_equation_in_momenta() -> Evidence:
    """The shape equation in (r, ṙ, p), with i_ṙ B = B(ṙ, ·)."""

    def terms(t: Any, sign: int) -> list[Any]:
        def constrained(z: Array) -> Any:
            """``l_c(r, ṙ, p)`` at fixed p."""
            omega = np.concatenate([np.linalg.solve(bundle.inertia(z)[S, S], t.p), [0.0]])
            return lagrangian(z, t.rdot, omega, nonholonomic)

        push = t.full + t.carried
        quadratic = np.einsum("a,abx,b->x", t.p, t.inverse_slope, t.p)
        return [t.constrained_force, -slope(constrained, t.r), quadratic, *_right_side(t, push, sign)]

    return identity(places(), lambda t: terms(t, -1), lambda t: terms(t, 1), words=WORDS)


@section.confirmed("§4.2, remark on the first term of (4.6)", "Remark after (4.7)")
def remark() -> Evidence:
    """½⟨∂ℐ_S ℐ_S⁻¹p, ℐ_S⁻¹p⟩ = ½⟨ℐ_S⁻¹ ∂ℐ_S ℐ_S⁻¹p, p⟩ = −½⟨p, ∂ℐ_S⁻¹ p⟩."""

    def terms(t: Any) -> list[Any]:
        slopes = slope(lambda z: bundle.inertia(z)[S, S], t.r)
        o = t.inverse @ t.p
        one = np.einsum("a,abx,b->x", o, slopes, o) / 2
        two = np.einsum("a,ab,bcx,cd,d->x", t.p, t.inverse, slopes, t.inverse, t.p) / 2
        three = np.einsum("a,abx,b->x", t.p, t.inverse_slope, t.p) / 2
        return [np.concatenate([one, two]), np.concatenate([three, three])]

    return identity(places(), terms)


def _along(t: Any, covector: Array) -> Array:
    return np.einsum("abc,a,c->b", t.C, t.inside, covector)[S]


def _tau(t: Any) -> Array:
    """``⟨p, i_ṙ τ⟩`` by its definition."""
    return _along(t, t.carried) + np.einsum("cab,c,a->b", t.E, t.full, t.rdot)[S]


@section.misprint(
    "(4.7)",
    88,
    right=r"\dot{p} = \left[\text{ad}_{\mathcal{I}_S^{-1} p}^* (p + \mathcal{I}_{\mathcal{U}S} \mathcal{I}_S^{-1} p) + "
    r"\langle p, \mathbf{i}_{\dot{r}} \tau \rangle + \langle \mathbf{i}_{\dot{r}} \Lambda, "
    r"\mathbf{i}_{\dot{r}} \mathcal{E} \rangle \right]_S",
    harm=5,
    breaks="The momentum equation of every system whose ℐ_US does not vanish: the unbalanced sleigh gets ṗ = 0.",
    exhibits=("chaplygin-sleigh",),
    kind="error",
    because=(
        "For the sleigh ∂l/∂Ω has the component maΩ¹ outside (b^S)*, which ad* takes into it; without it "
        "(4.7) gives ṗ = 0, while the paper's own (6.1) does not."
    ),
)
def momentum_equation_in_body_frame() -> Evidence:
    """ṗ = [ad*_{ℐ_S⁻¹p} p + ⟨p, i_ṙ τ⟩ + ⟨i_ṙ Λ, i_ṙ ℰ⟩]_S."""

    def terms(t: Any, push: Array) -> list[Any]:
        quadratic = np.einsum("cab,c,a->b", t.E, t.carried, t.rdot)[S]
        return [t.pdot, -_along(t, push), -_tau(t), -quadratic]

    return identity(
        places(),
        lambda t: terms(t, np.concatenate([t.p, [0.0]])),
        lambda t: terms(t, t.full),
        words=WORDS,
    )


@section.confirmed("§4.2, Λ and τ", 90)
def forms() -> Evidence:
    """⟨p, i_ṙ τ⟩ = [ad*_{ℐ_S⁻¹p} i_ṙ Λ + ⟨p + ℐ_US ℐ_S⁻¹ p, i_ṙ ℰ⟩]_S is the part of ṗ linear in p and in ṙ."""

    def part(t: Any) -> Array:
        """The bilinear part of the true right side of (4.3), as a function of (ṙ, Ω^S)."""

        def side(rdot: Array, omega: Array) -> Array:
            push = t.I @ omega + rdot @ t.K - rdot @ t.A @ t.I
            return (np.einsum("abc,a,c->b", t.C, omega, push) + np.einsum("cab,c,a->b", t.E, push, rdot))[S]

        return side(t.rdot, t.inside) - side(t.rdot, 0 * t.inside) - side(0 * t.rdot, t.inside)

    return identity(
        places(),
        lambda t: [part(t), -_along(t, t.carried), -np.einsum("cab,c,a->b", t.E, t.full, t.rdot)[S]],
        words="the bilinear part of (4.3), by polarisation",
    )


@section.confirmed("§4.2, ℐ^US ℐ_S + ℐ^U ℐ_US maps b^S to 0", (93, 94))
def blocks() -> Evidence:
    """(ℐ^U)⁻¹ℐ^US + ℐ_US ℐ_S⁻¹ = 0, so that −(ℐ^U)⁻¹ℐ^US p may stand for ℐ_US ℐ_S⁻¹ p."""

    def terms(t: Any) -> list[Any]:
        one = [t.Itop[U, S] @ t.I[S, S], t.IU @ t.Itop[U, S]]
        two = [t.Itop[U, U] @ t.I[U, S], t.I[U, S] @ t.inverse]
        return [np.concatenate(one), np.concatenate(two)]

    return identity(places(), terms)


def states() -> tuple[Moving, ...]:
    """For other sections."""
    return bundle.states(True)


section.uncheckable(
    "§4.1, Orb(q) = S_q ⊕ U_q",
    (),
    "A slip of notation: the sum is that of the tangent space, T_q Orb(q) = S_q ⊕ U_q, as the line before it has it.",
    "Subspaces U_q of the orbit complete S_q.",
)
