"""§§2.1–2.2: frames, brackets and Hamel's equations."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.bmz._generic_frame import N, frame
from nonholo_papers.bmz.s5_suslov import planar_body
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import gap, identity, moving, symbolic, together
from nonholo_papers.section import Section

section = Section("bmz", "2.1 Equations of motion, 2.2 The virtual displacement principle")
section.rest("definition", 2, 3, 4, 5, 6, 7, 11)


@section.confirmed("(2.1)", 1, exhibits=("euler-top",))
def euler_lagrange() -> Evidence:
    """The Euler–Lagrange equations give the motion (spherical pendulum: Newton's law on the sphere, by its tension)."""
    th, ph, om, nu, g, m, l = se.symbols("th ph om nu g m l")
    lagrangian = m * l**2 / 2 * (om**2 + se.sin(th) ** 2 * nu**2) + m * g * l * se.cos(th)
    place = [l * se.sin(th) * se.cos(ph), l * se.sin(th) * se.sin(ph), -l * se.cos(th)]
    one, two = se.symbols("one two")  # second derivatives

    def dt(e: Any) -> Any:
        e = se.sympify(e)
        return e.diff(th) * om + e.diff(ph) * nu + e.diff(om) * one + e.diff(nu) * two

    def second(x: Any) -> Any:
        """The second derivative along the motion, by the chain rule."""
        squares = sum(x.diff(a).diff(b) * s * t for a, s in ((th, om), (ph, nu)) for b, t in ((th, om), (ph, nu)))
        return squares + x.diff(th) * one + x.diff(ph) * two

    force = [m * second(x) - f for x, f in zip(place, (0, 0, -m * g))]
    equations = []
    for angle, speed in ((th, om), (ph, nu)):
        newton = sum(f * x.diff(angle) for f, x in zip(force, place))  # Newton's law along the sphere
        equations.append([dt(lagrangian.diff(speed)), -lagrangian.diff(angle), -newton])
    return symbolic([equations[0], [equations[1][0], equations[1][2]]])


@section.refuted(
    "§2.1, u_i on TQ by the vertical lift",
    printed="u_i as vector fields on TQ whose fibre components equal 0 are their vertical lifts",
    right="the lift that keeps v: base components ψ_i^j, fibre components 0 in the coordinates (q, v)",
    reason="The vertical lift of u_i has base components 0 and fibre components ψ_i: it differentiates l along "
    "v, not along q, "
    "and with it (2.5) fails.",
    harm=2,
    breaks="Hamel's equations: ∂l/∂v would stand where u_i[l] is needed, and the potential would drop out.",
    kind="convention",
)
def vertical_lift() -> Evidence:
    """The derivative u_i[l] of (2.5) is along the vertical lift of u_i."""
    f = frame()
    terms, wrong = [], []
    for i in N:
        left = sum(f.lagrange[j] * f.psi[i][j] for j in N)
        rest = [f.along(f.momenta[i]), -sum(f.c[j][i][m] * f.momenta[m] * f.v[j] for j in N for m in N)]
        terms.append([*rest, -f.u(i, f.l), -left])
        # the vertical lift of u_i acts on a function of (q, q̇) by ψ_i^j ∂/∂q̇^j, that is by ∂/∂v^i
        wrong.append([*rest, -f.l.diff(f.v[i]), -left])
    found = symbolic(wrong, terms)
    return Evidence(
        found.printed, found.right, found.mutant, "with (2.5) along arbitrary curves, a generic frame and Lagrangian"
    )


@section.refuted(
    "§2.1, each T_qQ is isomorphic to the Lie algebra V_q",
    printed="[·,·]_q makes each tangent space a Lie algebra, TU a Lie algebra bundle",
    right="Jacobi's identity holds with derivatives, cyc(c_ij^m c_mk^l − u_k[c_ij^l]) = 0",
    reason="With c frozen at a point Jacobi's identity fails where c varies.",
    harm=2,
    breaks="Any test or algorithm that assumes Jacobi's identity for the structure functions of a frame at a point.",
    exhibits=("chaplygin-sleigh",),
    kind="error",
)
def jacobi_at_a_point() -> Evidence:
    """The bracket [·,·]_q satisfies Jacobi's identity at each q."""
    f = frame()
    printed, right = [], []
    for l in N:
        frozen = [sum(f.c[i][j][m] * f.c[m][k][l] for m in N) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
        slopes = [f.u(k, f.c[i][j][l]) for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1))]
        printed.append(frozen)
        right.append([sum(frozen), -sum(slopes)])
    return symbolic(printed, right, words="a generic frame on three coordinates, 40 digits")


@section.confirmed("(2.5)", 8)
def hamel() -> Evidence:
    """Hamel's equations: d/dt ∂l/∂v = [v, ∂l/∂v]* + u[l] is Lagrange's expression along the frame, on every curve."""
    f = frame()
    return symbolic(
        [
            [
                f.along(f.momenta[i]),
                # ⟨[v, p]*, e_i⟩ = ⟨p, [v, e_i]_q⟩, with the bracket of the fields themselves
                -sum(f.v[j] * f.brackets[j][i][k] * f.inverse[k, m] * f.momenta[m] for j in N for k in N for m in N),
                -f.u(i, f.l),
                -sum(f.lagrange[j] * f.psi[i][j] for j in N),
            ]
            for i in N
        ]
    )


@section.confirmed("(2.6)", 9, exhibits=("chaplygin-sleigh",))
def virtual_displacements() -> Evidence:
    """Virtual displacements that are independent give (2.1); those in D give the constrained motion, which the
    witness has.
    """

    def sides(s: Any) -> tuple[Any, Any]:
        """d/dt ∂L/∂q̇ and ∂L/∂q."""
        momenta = s.dot(
            lambda z: np.array(
                [
                    (z.J + z.m * z.a**2) * z.thetadot
                    + z.m * z.a * (z.ydot * np.cos(z.theta) - z.xdot * np.sin(z.theta)),
                    z.m * (z.xdot - z.a * z.thetadot * np.sin(z.theta)),
                    z.m * (z.ydot + z.a * z.thetadot * np.cos(z.theta)),
                ]
            )
        )
        turn = -s.m * s.a * s.thetadot * (s.xdot * np.cos(s.theta) + s.ydot * np.sin(s.theta))
        return momenta, np.array([turn, 0, 0])

    def terms(s: Any) -> list[Any]:
        within = np.array([[1, 0, 0], [0, np.cos(s.theta), np.sin(s.theta)]])
        momenta, force = sides(s)
        return [within @ momenta, -within @ force]

    def free(s: Any) -> list[Any]:
        momenta, force = sides(s)
        return [momenta, -force]

    return together(
        [identity(moving("chaplygin-sleigh"), terms), identity(planar_body(), free)],
        "sleigh: the displacements of D; a free body: all; rates by the multiplier witness",
    )


@section.confirmed("§2.2, u_i[l] and ∂l/∂v^k", 10)
def chain_rules() -> Evidence:
    """u_i[l] = ∂L/∂q^j ψ_i^j + ∂L/∂q̇^k ∂(v^l ψ_l^k)/∂q^j ψ_i^j and ∂l/∂v^k = ∂L/∂q̇^i ψ_k^i."""
    f = frame()
    first = [
        [
            f.u(i, f.l),
            -sum(f.on(f.L.diff(f.q[j])) * f.psi[i][j] for j in N),
            -sum(f.on(f.L.diff(f.rate[k])) * f.qdot[k].diff(f.q[j]) * f.psi[i][j] for j in N for k in N),
        ]
        for i in N
    ]
    second = [[f.momenta[k], -sum(f.on(f.L.diff(f.rate[i])) * f.psi[k][i] for i in N)] for k in N]
    return symbolic(first + second)


@section.confirmed("§2.2, c_il^m by ψ", 12)
def structure_functions() -> Evidence:
    """c_il^m = (ψ⁻¹)_k^m [∂ψ_l^k/∂q^j ψ_i^j − ∂ψ_i^k/∂q^j ψ_l^j] are the components of the fields' brackets."""
    f = frame()
    equations, swapped = [], []
    for i, l, k in product((0,), (1, 2), N):
        printed = [
            [
                sum(
                    f.inverse[n, m] * f.psi[l][n].diff(f.q[j]) * f.psi[i][j] * f.psi[m][k]
                    for n in N
                    for m in N
                    for j in N
                ),
                -sum(
                    f.inverse[n, m] * f.psi[i][n].diff(f.q[j]) * f.psi[l][j] * f.psi[m][k]
                    for n in N
                    for m in N
                    for j in N
                ),
            ]
        ][0]
        # [u_i, u_l] of the fields, acting on the function q^k twice
        field = f.u(i, f.psi[l][k]) - f.u(l, f.psi[i][k])
        equations.append([*printed, -field])
        swapped.append([*printed, field])
    return symbolic(equations, mutants=[swapped])


@section.confirmed("§2.2, brackets in components", 13)
def components() -> Evidence:
    """([v1, v2]_q)^m = c_ij^m v1^i v2^j and ([v, α]*_q)_j = c_ij^m v^i α_m, for constant components v."""
    f = frame()
    pairs = list(product(N, N))
    equations = []
    for m in N:
        # the bracket of the fields v^i u_i and w^j u_j, component m, without c
        one = [sum(f.v[i] * f.psi[i][k] for i in N) for k in N]
        two = [sum(f.w[i] * f.psi[i][k] for i in N) for k in N]
        field = [sum(one[j] * two[k].diff(f.q[j]) - two[j] * one[k].diff(f.q[j]) for j in N) for k in N]
        equations.append(
            [sum(f.c[i][j][m] * f.v[i] * f.w[j] for i, j in pairs), -sum(field[k] * f.inverse[k, m] for k in N)]
        )
    # the dual, paired with w: ⟨[v, α]*, w⟩ = ⟨α, [v, w]_q⟩ with α = a
    dual = sum(f.c[i][j][m] * f.v[i] * f.a[m] * f.w[j] for i, j in pairs for m in N)
    equations.append([dual, sum(f.a[m] * equations[m][1] for m in N)])
    return symbolic(equations)


@section.confirmed("§2.2, the principle in the frame, five lines", 14)
def five_lines() -> Evidence:
    """Each of the five lines equals (d/dt ∂L/∂q̇ − ∂L/∂q) δq with δq = w^i u_i."""
    f = frame()
    force = [f.on(f.L.diff(f.q[j])) for j in N]
    push = [f.on(f.L.diff(f.rate[j])) for j in N]
    start = sum(f.lagrange[j] * f.psi[i][j] * f.w[i] for i in N for j in N)

    def total(of: Any) -> Any:
        return sum(of(i) * f.w[i] for i in N)

    def curl(i: int, k: int, l: int) -> Any:
        return sum(f.psi[l][k].diff(f.q[j]) * f.psi[i][j] - f.psi[i][k].diff(f.q[j]) * f.psi[l][j] for j in N)

    inner = total(lambda i: f.along(f.momenta[i]))
    slope = total(lambda i: f.u(i, f.l))
    lines = [
        [
            total(lambda i: sum(f.along(push[j]) * f.psi[i][j] for j in N)),
            -total(lambda i: sum(force[j] * f.psi[i][j] for j in N)),
        ],
        [
            total(lambda i: f.along(sum(push[j] * f.psi[i][j] for j in N))),
            -total(lambda i: sum(push[j] * f.along(f.psi[i][j]) for j in N)),
            -slope,
            total(lambda i: sum(push[k] * f.qdot[k].diff(f.q[j]) * f.psi[i][j] for j in N for k in N)),
        ],
        [inner, -slope, total(lambda i: sum(push[k] * curl(i, k, l) * f.v[l] for k in N for l in N))],
        [
            inner,
            -slope,
            total(
                lambda i: sum(f.momenta[m] * f.inverse[k, m] * curl(i, k, l) * f.v[l] for m in N for k in N for l in N)
            ),
        ],
        [inner, -slope, total(lambda i: sum(f.momenta[m] * f.c[i][l][m] * f.v[l] for m in N for l in N))],
    ]
    return symbolic([[*line, -start] for line in lines])


@section.confirmed("(2.8)", 15)
def coordinate_form() -> Evidence:
    """Hamel's equations in coordinates, with c_ji^m, are Lagrange's along the frame."""
    f = frame()

    def equations(order: int) -> list[list[Any]]:
        table = [[[f.c[j][i][m] if order else f.c[i][j][m] for m in N] for j in N] for i in N]
        return [
            [
                f.along(f.momenta[i]),
                -sum(table[i][j][m] * f.momenta[m] * f.v[j] for j in N for m in N),
                -f.u(i, f.l),
                -sum(f.lagrange[j] * f.psi[i][j] for j in N),
            ]
            for i in N
        ]

    return symbolic(equations(1), mutants=[equations(0)])


@section.confirmed("§1, the Hamel equations contain Euler's for the rigid body", exhibits=("euler-top",))
def contains_euler() -> Evidence:
    """In the body frame of SO(3) Hamel's equations are IΩ' = IΩ × Ω (Euler top, by the witness in angles)."""
    states = moving("euler-top")
    names = [n for n in ("w1", "w2", "w3") if hasattr(states[0], n)]
    moments = [n for n in ("I1", "I2", "I3") if hasattr(states[0], n)]

    def both(flip: int) -> list[float]:
        result = []
        for s in states:
            spin = np.array([getattr(s, n) for n in names])
            inertia = np.array([getattr(s, n) for n in moments])
            rate = np.array([s.rate(n) for n in names])
            result.append(gap(inertia * rate, flip * np.cross(inertia * spin, spin)))
        return result

    return Evidence(
        max(both(1)), mutant=min(both(-1)), words="Euler top, rates by the multiplier witness in Cardan angles"
    )


section.uncheckable(
    "§2.1, vector fields on TQ",
    (),
    "A slip of words: the bracket of (2.7) is that of vector fields on Q (sections of TQ), as its use in (2.7) shows.",
    "[·,·] is the Jacobi–Lie bracket of vector fields on TQ.",
)
