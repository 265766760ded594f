"""§§2.4–2.5: the Euler–Lagrange–Poincaré equations, on R² × SE(2) with a basis that turns with the shape."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz import _se2_bundle as bundle
from nonholo_papers.bmz._se2_bundle import ALGEBRA, body, shape, shape_rate, table, tensors
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.facts._random_states import bracket
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "2.4 Systems with symmetry, 2.5 The Euler–Lagrange–Poincaré equations")
section.rest("definition", 28, 29, "Definition 2.2", "Definition 2.4")


def lagrangian(r: Array, rdot: Array, omega: Array, connection: Callable[[Array], Array]) -> Any:
    """``l(r, ṙ, Ω)`` with ξ = Ω − 𝒜ṙ, in the turning basis."""
    xi = omega - rdot @ connection(r)
    kinetic = rdot @ table("metric", r) @ rdot / 2 + rdot @ bundle.mixed(r) @ xi + xi @ bundle.inertia(r) @ xi / 2
    return kinetic - table("potential", r)[0, 0]


def derivatives(s: Any, connection: Callable[[Array], Array]) -> tuple[Array, Array]:
    """``∂l/∂ṙ`` and ``∂l/∂Ω`` as functions of the state (analytic, for complex steps in time)."""
    r, rdot, xi = shape(s), shape_rate(s), body(s)
    a = connection(r)
    push = rdot @ bundle.mixed(r) + bundle.inertia(r) @ xi
    return table("metric", r) @ rdot + bundle.mixed(r) @ xi - a @ push, push


@lru_cache
def places(kind: str) -> tuple[SimpleNamespace, ...]:
    """Free motions (no constraint) of the bundle with all tensors of one connection."""
    connection = {"any": bundle.any_connection, "mechanical": bundle.mechanical}[kind]
    found = []
    for s in bundle.states(False):
        r, rdot = shape(s), shape_rate(s)
        t = tensors(r, connection)
        omega = body(s) + rdot @ t.A
        t.__dict__.update(
            r=r,
            rdot=rdot,
            omega=omega,
            p=derivatives(s, connection)[1],
            shape_force=s.dot(lambda z, f=connection: derivatives(z, f)[0]),
            momentum_rate=s.dot(lambda z, f=connection: derivatives(z, f)[1]),
            slope=slope(lambda z, f=connection, d=rdot, o=omega: lagrangian(z, d, o, f), r),
            state=s,
            connection=connection,
        )
        found.append(t)
    return tuple(found)


@section.confirmed("§2.5, components of q̇ in the basis (2.12)", 30)
def components() -> Evidence:
    """q̇ = ṙ^α u_α + Ω^a u_{σ+a} with Ω^a = ξ^a + A^a_α ṙ^α."""

    def terms(t: Any) -> list[Any]:
        fixed = t.e.T @ body(t.state)  # the group velocity in the fixed basis
        horizontal = -t.rdot @ t.A @ t.e
        return [fixed, -horizontal, -((body(t.state) + t.rdot @ t.A) @ t.e)]

    return identity(places("any"), terms)


@section.confirmed("§2.5, A_s(v, w) = Ad_g(w_b + Av) is a principal connection, and (2.12) horizontal for it")
def principal_connection() -> Evidence:
    """A_s of the generator of an algebra element (a left action, so u = ζg) is that element, and A_s(u_α) = 0."""

    def form(t: Any, rdot: Array, w_b: Array) -> Array:
        """In the fixed basis; Ad_g of SE(2)."""
        s = t.state
        c, d = np.cos(s.theta), np.sin(s.theta)
        adjoint = np.array([[1, 0, 0], [s.y, c, -d], [-s.x, d, c]])
        return adjoint @ (w_b + rdot @ t.A @ t.e)

    def terms(t: Any) -> list[Any]:
        s = t.state
        zeta = np.array([0.7, -0.4, 1.1])
        # the generator of ζ at (θ, x, y), seen from the body
        velocity = np.array([zeta[0], zeta[1] - s.y * zeta[0], zeta[2] + s.x * zeta[0]])
        c, d = np.cos(s.theta), np.sin(s.theta)
        seen = np.array([velocity[0], velocity[1] * c + velocity[2] * d, velocity[2] * c - velocity[1] * d])
        return [form(t, np.zeros(2), seen), -zeta]

    flat = max(float(np.max(np.abs(form(t, t.rdot, -t.rdot @ t.A @ t.e)))) for t in places("any"))
    found = identity(places("any"), terms)
    return Evidence(
        max(found.printed, flat), None, found.mutant, "generators of the left action of SE(2) and horizontal lifts"
    )


@section.confirmed("Theorem 2.3: (2.13), (2.14) do not depend on g")
def independent_of_the_group() -> Evidence:
    """The witness's r̈ and ξ' are the same after a motion of SE(2), and others at another shape."""
    from nonholo.derive.multipliers import multipliers

    equations = multipliers(bundle._system(False))

    def rates(s: Any, turn: float, shift: Array, other: Array) -> Array:
        c, d = np.cos(turn), np.sin(turn)
        state = {
            "r1": s.r1 + other[0],
            "r2": s.r2 + other[1],
            "theta": s.theta + turn,
            "r1dot": s.r1dot,
            "r2dot": s.r2dot,
        }
        state |= {"x": c * s.x - d * s.y + shift[0], "y": d * s.x + c * s.y + shift[1], "thetadot": s.thetadot}
        state |= {"xdot": c * s.xdot - d * s.ydot, "ydot": d * s.xdot + c * s.ydot}
        found = equations.rates(state, {})
        x, y = found["xdot"], found["ydot"]
        return np.array([found["r1dot"], found["r2dot"], found["thetadot"], c * x + d * y, c * y - d * x])

    still, away = np.zeros(2), np.array([0.3, -0.2])
    return identity(
        bundle.states(False)[:2],
        lambda s: [rates(s, 0.0, still, still), -rates(s, 0.8, away, still)],
        mutants=[lambda s: [rates(s, 0.0, still, still), -rates(s, 0.8, away, away)]],
        words="accelerations of the witness, turned back",
    )


def _shape_equation(t: Any, curvature: Array) -> list[Any]:
    gammas = np.einsum("cab,c,b->a", t.gammas, t.p, t.rdot)
    across = np.einsum("cab,c,b->a", t.E, t.p, t.omega)
    return [t.shape_force, -t.slope, np.einsum("cab,c,b->a", curvature, t.p, t.rdot), gammas, across]


@section.conditional(
    "Theorem 2.3, (2.13)",
    (31, "Theorem 2.3"),
    reason="i_ṙ B must mean B_αβ ṙ^β, contraction in the second place (as the coordinate form has it), and B the right "
    "curvature, with + C^c_ab A^a_α A^b_β.",
    harm=4,
    breaks="With the usual i_ṙ B = B(ṙ, ·) the gyroscopic force of the curvature has the wrong sign; energy is "
    "kept all the same.",
    kind="convention",
)
def shape_equation() -> Evidence:
    """d/dt ∂l/∂ṙ − ∂l/∂r = −⟨∂l/∂Ω, i_ṙ B + ⟨i_ṙ γ, A⟩ − ⟨γ, i_ṙ A⟩ + ⟨ℰ, Ω⟩⟩ with i_ṙ B = B(ṙ, ·)."""
    return identity(
        places("any"),
        lambda t: _shape_equation(t, -t.B),
        lambda t: _shape_equation(t, t.B),
        words="free motion on R² × SE(2), a generic connection and basis e(r), rates by the witness",
    )


@section.confirmed("(2.14)", 32)
def vertical_equation() -> Evidence:
    """d/dt ∂l/∂Ω = ad*_Ω ∂l/∂Ω + ⟨∂l/∂Ω, i_ṙ ℰ⟩."""
    return identity(
        places("any"),
        lambda t: [
            t.momentum_rate,
            -np.einsum("abc,a,c->b", t.C, t.omega, t.p),
            -np.einsum("cab,c,a->b", t.E, t.p, t.rdot),
        ],
        words="free motion on R² × SE(2), a generic connection and basis e(r), rates by the witness",
    )


@section.confirmed("(2.15)", 33)
def reconstruction() -> Evidence:
    """ġ = g(Ω − i_ṙ A): the group's velocity as a matrix."""

    def group(s: Any) -> Array:
        c, d = np.cos(s.theta), np.sin(s.theta)
        return np.array([[c, -d, s.x], [d, c, s.y], [0 * c, 0 * c, 1 + 0 * c]])

    def hat(z: Array) -> Array:
        return np.array([[0, -z[0], z[1]], [z[0], 0, z[2]], [0, 0, 0]])

    return identity(
        places("any"),
        lambda t: [
            t.state.dot(group),
            -group(t.state) @ hat(t.omega @ t.e),
            group(t.state) @ hat(t.rdot @ t.A @ t.e),
        ],
    )


@section.confirmed("(2.16)", (34, 35))
def turning_basis() -> Evidence:
    """∂e_a/∂r^α = γ^b_aα e_b: so are [∂_α, e_a] on R² × SE(2), in coordinates (r, θ, x, y); [e_a, e_b] = C_ab^c e_c."""

    def along(x: int) -> Callable[[Array], Array]:
        """∂_α."""
        return lambda q: np.eye(5)[x]

    def field(a: int) -> Callable[[Array], Array]:
        """e_a(r) as a left-invariant field of SE(2)."""

        def at(q: Array) -> Array:
            (turn, along, across), c, s = bundle.table("basis", q[:2])[a], np.cos(q[2]), np.sin(q[2])
            return np.array([0 * turn, 0 * turn, turn, along * c - across * s, along * s + across * c])

        return at

    def terms(t: Any) -> list[Any]:
        q = np.array([*t.r, 0.7, -0.4, 1.1])
        basis = np.array([field(b)(q) for b in range(3)])
        found = [[bracket(one, field(a), q) for a in range(3)] for one in (along(0), along(1), field(0), field(1), field(2))]
        inner = np.einsum("abc,ck->abk", t.C, basis)
        return [np.array(found), -np.concatenate([np.einsum("bcx,ck->xbk", t.gamma, basis), inner])]

    def swapped(t: Any) -> list[Any]:
        return terms(SimpleNamespace(r=t.r, C=t.C, gamma=np.einsum("bcx->cbx", t.gamma)))

    return identity(places("any"), terms, mutants=[swapped], words="brackets in coordinates; a mutant has the indices exchanged")


@section.misprint(
    "(2.17), with B_s = dA_s(hor ·, hor ·)",
    36,
    right=r"\mathcal{B}_s((v_1, w_1), (v_2, w_2)) = -\text{Ad}_g\left((\mathcal{B}_{\alpha\beta}^c + \gamma_{b\beta}^c "
    r"\mathcal{A}_\alpha^b - \gamma_{b\alpha}^c \mathcal{A}_\beta^b) v_1^\alpha v_2^\beta e_c\right)",
    harm=3,
    breaks="The sign of the curvature against that of the brackets (2.19), and, in a basis that turns with r, its γ terms.",
    kind="convention",
    reason="The sign of ℬ is that of the formula after (2.17), ℬ(X, Y) = −dA(hor X, hor Y) with the usual d: so it stands in "
    "(2.13), (2.19), (4.9) and (4.11). Where the basis e depends on r, the γ terms of (2.19) belong to it.",
)
def local_curvature() -> Evidence:
    """The curvature dA_s(hor X, hor Y) of A_s = Ad_g(ξ + A ṙ) is Ad_g B(v1, v2) with the B of (2.19)."""

    def curvature(t: Any) -> Array:
        """``dA_s`` on the horizontal lifts of ∂_1, ∂_2, by complex steps of the form itself on R² × SE(2)."""
        s = t.state
        q = np.array([s.r1, s.r2, s.theta, s.x, s.y])

        def form(z: Array) -> Array:
            """A_s as a 3 × 5 matrix in the spatial basis of se(2), fixed components."""
            e, a = table("basis", z[:2]), t.connection(z[:2])
            c, d = np.cos(z[2]), np.sin(z[2])
            left = np.array([[1, 0, 0], [0, c, d], [0, -d, c]])  # ξ = left (θ', x', y')
            adjoint = np.array([[1 + 0 * c, 0 * c, 0 * c], [z[4], c, -d], [-z[3], d, c]])
            return adjoint @ np.concatenate([(a @ e).T, left], axis=1)

        slopes = slope(form, q)  # [component, index of the form, derivative]
        outer = np.einsum("cij->cji", slopes) - slopes  # dω(X, Y) = ∂_i ω_j X^i Y^j − …, as [c, i, j]
        c, d = np.cos(q[2]), np.sin(q[2])
        frame = np.array([[1, 0, 0], [0, c, -d], [0, d, c]])  # (θ', x', y') = frame ξ
        lifts = [np.concatenate([unit, frame @ -(unit @ t.A @ t.e)]) for unit in np.eye(2)]
        spatial = np.einsum("cij,i,j->c", outer, *lifts)
        adjoint = np.array([[1, 0, 0], [q[4], c, -d], [-q[3], d, c]])
        return np.append(np.linalg.solve(adjoint, spatial) @ t.back, form(q) @ np.array(lifts).T)  # and A_s on the lifts, 0

    return identity(
        places("any"),
        lambda t: [curvature(t), -np.append(t.B[:, 0, 1], np.zeros(6))],
        lambda t: [curvature(t), np.append(t.B[:, 0, 1], np.zeros(6)), np.append(t.gammas[:, 0, 1], np.zeros(6))],
        words="dA_s on horizontal lifts, by complex steps of the form on R² × SE(2)",
    )


@section.misprint(
    "curvature before (2.18)",
    37,
    right=r"\mathcal{B}_{\alpha\beta}^c = \frac{\partial \mathcal{A}_\alpha^c}{\partial r^\beta} - \frac{\partial "
    r"\mathcal{A}_\beta^c}{\partial r^\alpha} + C_{ab}^c \mathcal{A}_\alpha^a \mathcal{A}_\beta^b",
    harm=5,
    breaks="Every reduced equation of a system with a noncommutative group and two or more shape variables; "
    "energy does not show it.",
    exhibits=("snakeboard",),
    kind="slip",
    because=(
        "[∂_α − A_α, ∂_β − A_β] = ∂_βA_α − ∂_αA_β + C^c_ab A^a_α A^b_β e_c for left-invariant fields e_a: "
        "with this order of the derivatives the quadratic term has the plus sign, as in (4.11)."
    ),
)
def curvature_components() -> Evidence:
    """B^c_αβ = ∂A^c_α/∂r^β − ∂A^c_β/∂r^α − C^c_ab A^a_α A^b_β are the components in (2.19)."""
    return identity(
        places("any"),
        lambda t: [t.horizontal, -t.curl, t.square, -t.gammas],
        lambda t: [t.horizontal, -t.curl, -t.square, -t.gammas],
        words="brackets of the fields (2.12) with a generic A(r)",
    )


@section.misprint(
    "(2.18), the coordinates of ℰ",
    printed=r"\mathcal{E}_{ab}^c = \gamma_{b\alpha}^c - C_{ab}^c \mathcal{A}_\alpha^a",
    right=r"\mathcal{E}_{\alpha b}^c = \gamma_{b\alpha}^c - C_{ab}^c \mathcal{A}_\alpha^a",
    harm=1,
    breaks="Nothing for a reader who sees that α is free on the right and a is summed; a program that copies it has no α.",
    kind="slip",
)
def index_of_the_form() -> Evidence:
    """The components of ℰ are indexed by two directions of the group."""

    def as_printed(t: Any) -> list[Any]:
        # a free on the left and summed on the right: the only array with the printed indices repeats one shape direction
        wrong = np.repeat(t.E[:, :1, :], 2, axis=1)
        return [t.crossed, -wrong]

    return identity(places("any"), as_printed, lambda t: [t.crossed, -t.E])


@section.confirmed("(2.18), ℰ = γ − ad_A", 38)
def the_form() -> Evidence:
    """ℰ = γ − ad_A: i_ṙ ℰ acts on Ω as γ(ṙ) Ω − [Aṙ, Ω], the bracket of u_α ṙ^α with Ω."""
    return identity(
        places("any"),
        lambda t: [
            np.einsum("cab,a,b->c", t.crossed, t.rdot, t.omega),
            -np.einsum("bca,a,b->c", t.gamma, t.rdot, t.omega),
            np.einsum("abc,a,b->c", t.C, t.rdot @ t.A, t.omega),
        ],
    )


@section.confirmed("(2.19)", 39)
def horizontal_brackets() -> Evidence:
    """[u_α, u_β] = (B^c_αβ + γ^c_bβ A^b_α − γ^c_bα A^b_β) u_{σ+c}, with B the curvature with + C A A."""
    return identity(places("any"), lambda t: [t.horizontal, -t.B, -t.gammas])


@section.confirmed("(2.20)", 40)
def crossed_brackets() -> Evidence:
    """[u_α, u_{σ+b}] = ℰ^c_αb u_{σ+c}."""
    return identity(places("any"), lambda t: [t.crossed, -t.E])


@section.confirmed("(2.21)", 41)
def vertical_brackets() -> Evidence:
    """[u_{σ+a}, u_{σ+b}] = C^c_ab u_{σ+c}: left-invariant fields of SE(2) in coordinates, the C of the basis e(r)."""

    def terms(t: Any) -> list[Any]:
        q = np.array([t.state.theta, t.state.x, t.state.y])

        def fields(z: Array) -> Array:
            c, d = np.cos(z[0]), np.sin(z[0])
            return t.e @ np.array([[1, 0, 0], [0, c, d], [0, -d, c]])

        slopes = slope(fields, q)  # [a, k, j]
        bracket = np.einsum("aj,bkj->abk", fields(q), slopes)
        bracket = bracket - np.einsum("abk->bak", bracket)
        return [bracket, -np.einsum("abc,ck->abk", t.C, fields(q))]

    return identity(places("any"), terms)


@section.conditional(
    "§2.5, C^c_ab are the structure constants",
    printed="C_{ab}^c are the structure constants of the Lie algebra",
    right="the basis e does not depend on r, or moves by automorphisms",
    reason="In a basis e(r) that turns with the shape they are functions of r.",
    harm=2, breaks="A program that computes C once, at one shape, and uses it along the motion.",
)
def structure_constants() -> Evidence:
    """C^c_ab of the equations do not depend on r."""
    here = places("any")

    def terms(t: Any, basis: Array) -> list[Any]:
        c = np.einsum("ai,bj,ijk,kc->abc", basis, basis, ALGEBRA, np.linalg.inv(basis))
        return [c, -here[0].C if basis is t.e else -ALGEBRA]

    return identity(here[1:], lambda t: terms(t, t.e), lambda t: terms(t, np.eye(3)), words="(2.21) at two shapes")


@section.confirmed("(2.22)", 42)
def bracket_in_the_algebra() -> Evidence:
    """[·,·]_q of (ṙ1, 0), (ṙ2, 0), of (ṙ, 0), (0, Ω) and of (0, Ω1), (0, Ω2)."""
    random = np.random.default_rng(3)
    first, second = random.uniform(-1, 1, (2, 2))
    one, two = random.uniform(-1, 1, (2, 3))

    def terms(t: Any) -> list[Any]:
        found = [
            np.einsum("cab,a,b->c", t.horizontal, first, second),
            np.einsum("cab,a,b->c", t.crossed, first, one),
            np.einsum("ai,bj,ijk,kc,a,b->c", t.e, t.e, ALGEBRA, t.back, one, two),
        ]
        gamma_one = np.einsum("bca,a,b->c", t.gamma, first, second @ t.A)
        gamma_two = np.einsum("bca,a,b->c", t.gamma, second, first @ t.A)
        zero = 0 * gamma_one
        return [
            np.array(found),
            -np.array([np.einsum("cab,a,b->c", t.B, first, second), zero, zero]),
            np.array([gamma_one, zero, zero]),
            -np.array([gamma_two, zero, zero]),
            -np.array([zero, np.einsum("cab,a,b->c", t.E, first, one), np.einsum("abc,a,b->c", t.C, one, two)]),
        ]

    return identity(places("any"), terms)
