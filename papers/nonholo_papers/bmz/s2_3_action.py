"""§2.3: the principle of critical action, on a curve with a variation, both arbitrary."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo_papers.bmz._generic_frame import N, frame
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, symbolic
from nonholo_papers.section import Section

section = Section("bmz", "2.3 The principle of critical action")
section.rest("definition", 16, 17, 19, 23)


@lru_cache
def family() -> SimpleNamespace:
    """Curves ``q(t, s)`` with fixed ends at t = 0 and 1, their velocity and variation in the frame, all as
    functions of t, s.
    """
    f = frame()
    t, s = se.symbols("t s")
    bump = se.sin(se.pi * t)
    place = [
        se.Rational(2, 5) + t / 3 + s * bump * (1 + t) + s**2 * bump,
        se.Rational(-3, 10) + t**2 / 2 - s * bump * (1 - t / 2),
        se.Rational(1, 5) + se.cos(t) / 3 + s * bump * t * (3 - t),
    ]
    on = dict(zip(f.q, place))
    inverse = [[f.inverse[k, m].subs(on) for m in N] for k in N]
    rate, slope = [x.diff(t) for x in place], [x.diff(s) for x in place]
    v = [sum(rate[k] * inverse[k][m] for k in N) for m in N]
    w = [sum(slope[k] * inverse[k][m] for k in N) for m in N]
    return SimpleNamespace(t=t, s=s, on=on, rate=rate, slope=slope, v=v, w=w, inverse=inverse)


def at_start(expr: Expr) -> Expr:
    """On the curve itself, s = 0."""
    return se.sympify(expr).subs({family().s: 0})


def integral(exprs: Sequence[Expr]) -> np.ndarray[Any, Any]:
    """Integrals over t from 0 to 1, by 40 Gauss nodes."""
    nodes, weights = np.polynomial.legendre.leggauss(40)
    function = se.Lambdify([family().t], [se.sympify(e) for e in exprs])
    values = np.array([np.asarray(function(np.array([x]))).reshape(-1) for x in (nodes + 1) / 2])
    return np.asarray(weights @ values / 2)


def _pulled(expr: Expr) -> Expr:
    """A function of (q, q̇) or (q, v) along the family."""
    f, c = frame(), family()
    table = {**c.on, **dict(zip(f.rate, c.rate)), **dict(zip(f.v, c.v))}
    return se.sympify(expr).subs(table)


def _covector(expr: Expr) -> Expr:
    """A function of (q, v, v̇) on the curve itself."""
    f, c = frame(), family()
    table = {**c.on, **dict(zip(f.v, c.v)), **dict(zip(f.a, [e.diff(c.t) for e in c.v]))}
    return at_start(se.sympify(expr).subs(table))


@section.confirmed("§2.3, δ∫L dt", 22)
def action_in_coordinates() -> Evidence:
    """δ∫L dt = ∫(∂L/∂q δq + ∂L/∂q̇ δq̇) dt = ∫(∂L/∂q − d/dt ∂L/∂q̇) δq dt for fixed ends."""
    f, c = frame(), family()
    parts = [
        at_start(_pulled(f.L).diff(c.s)),
        at_start(sum(_pulled(f.L.diff(f.q[j])) * c.slope[j] for j in N)),
        at_start(sum(_pulled(f.L.diff(f.rate[j])) * c.slope[j].diff(c.t) for j in N)),
        at_start(sum(_pulled(f.L.diff(f.q[j])) * c.slope[j] for j in N)),
        at_start(sum(_pulled(f.L.diff(f.rate[j])).diff(c.t) * c.slope[j] for j in N)),
    ]
    whole, *rest = integral(parts)
    return identity(
        [rest],
        lambda r: [np.array([whole, whole]), np.array([-r[0], -r[2]]), np.array([-r[1], r[3]])],
        words="an arbitrary curve and variation, 40 Gauss nodes",
    )


@section.confirmed("Theorem 2.1 (i)–(iv)", (18, 21, "Theorem 2.1"))
def equivalent_principles() -> Evidence:
    """Critical action, Lagrange's equations, critical reduced action and Hamel's equations: one functional
    derivative in two forms.
    """
    f, c = frame(), family()
    lagrange = sum(_covector(f.lagrange[j]) * at_start(c.slope[j]) for j in N)
    hamel = [
        f.along(f.momenta[i]) - sum(f.c[j][i][m] * f.momenta[m] * f.v[j] for j in N for m in N) - f.u(i, f.l) for i in N
    ]
    reduced = sum(_covector(hamel[i]) * at_start(c.w[i]) for i in N)
    slopes = [at_start(_pulled(f.L).diff(c.s)), at_start(_pulled(f.l).diff(c.s))]
    values = integral([*slopes, se.sympify(lagrange), se.sympify(reduced)])
    return identity(
        [values],
        lambda r: [np.array([r[0], r[1]]), np.array([r[2], r[3]])],
        words="δ∫L, δ∫l, ∫(Lagrange)·δq and ∫(Hamel)·w along an arbitrary curve",
    )


@section.confirmed("§2.3, δq̇ and d(δq)/dt", 24)
def two_rates() -> Evidence:
    """δ(v^i u_i) = δv^i u_i + v^i ∂u_i/∂q^j δq^j, and d/dt(w^i u_i) = ẇ^i u_i + w^i ∂u_i/∂q^j q̇^j."""
    f, c = frame(), family()
    psi = [[e.subs(c.on) for e in row] for row in f.psi]
    slopes = [[[e.diff(x).subs(c.on) for x in f.q] for e in row] for row in f.psi]
    equations = []
    for k in N:
        equations.append(
            [
                c.rate[k].diff(c.s),
                -sum(c.v[i].diff(c.s) * psi[i][k] for i in N),
                -sum(c.v[i] * slopes[i][k][j] * c.slope[j] for i in N for j in N),
            ]
        )
        equations.append(
            [
                c.slope[k].diff(c.t),
                -sum(c.w[i].diff(c.t) * psi[i][k] for i in N),
                -sum(c.w[i] * slopes[i][k][j] * c.rate[j] for i in N for j in N),
            ]
        )
    return symbolic([[at_start(t) for t in e] for e in equations])


def _variation(table: Any) -> list[list[Expr]]:
    """``δv^i − ẇ^i − table(k, l, i) v^k w^l``, on the curve."""
    c = family()
    return [
        [
            at_start(c.v[i].diff(c.s)),
            -at_start(c.w[i].diff(c.t)),
            -at_start(sum(table(k, l, i) * c.v[k] * c.w[l] for k in N for l in N)),
        ]
        for i in N
    ]


@section.misprint(
    "§2.3, δv^i u_i, second line",
    25,
    right=r"\left(\dot{w}^i(t) + c_{kl}^i(q(t)) v^k(t) w^l(t)\right) u_i(q(t))",
    harm=1,
    breaks="The variation of v: j is a free index on one side only, and read as c_ki^j summed over all its "
    "letters it is no vector.",
    kind="slip",
)
def indices_of_the_variation() -> Evidence:
    """The variation of v has the components ẇ^i + c_ki^j v^k w^l."""
    f, c = frame(), family()
    numbers = [[[f.c[a][b][m].subs(c.on) for m in N] for b in N] for a in N]
    # the one reading of c_ki^j v^k w^l with i free: j and l summed
    printed = _variation(lambda k, l, i: sum(numbers[k][i][j] for j in N))
    return symbolic(printed, _variation(lambda k, l, i: numbers[k][l][i]))


@section.confirmed("Theorem 2.1 (iii), §2.3 δv = ẇ + [v, w]_q", (20, 26))
def variation_of_quasivelocities() -> Evidence:
    """Variations of a curve with components w give δv = ẇ + [v, w]_q."""
    f, c = frame(), family()
    numbers = [[[f.c[a][b][m].subs(c.on) for m in N] for b in N] for a in N]
    return symbolic(
        _variation(lambda k, l, i: numbers[k][l][i]), mutants=[_variation(lambda k, l, i: numbers[l][k][i])]
    )


@section.confirmed("§2.3, δ∫l dt, four lines", 27)
def reduced_action() -> Evidence:
    """Each of the four lines of the variational derivative of ∫l dt has the same value."""
    f, c = frame(), family()
    momenta = [_pulled(p) for p in f.momenta]
    numbers = [[[f.c[a][b][m].subs(c.on) for m in N] for b in N] for a in N]
    turned = [sum(numbers[k][l][i] * c.v[k] * c.w[l] for k in N for l in N) for i in N]
    slope = sum(_pulled(f.l.diff(f.q[j])) * c.slope[j] for j in N)
    directional = sum(_pulled(f.u(i, f.l)) * c.w[i] for i in N)
    push = sum(momenta[i] * turned[i] for i in N)
    inertia = sum(momenta[i].diff(c.t) * c.w[i] for i in N)
    dual = sum(sum(numbers[k][l][i] * c.v[k] * momenta[i] for k in N for i in N) * c.w[l] for l in N)
    parts = [
        _pulled(f.l).diff(c.s),
        slope,
        sum(momenta[i] * c.v[i].diff(c.s) for i in N),
        sum(momenta[i] * c.w[i].diff(c.t) for i in N),
        push,
        directional,
        inertia,
        dual,
    ]
    whole, one, vary, wdot, bracket, along, rate, starred = integral([at_start(e) for e in parts])
    return identity(
        [0],
        lambda _: [
            np.array([whole] * 4),
            -np.array([one, one, along, along]),
            -np.array([vary, wdot, bracket, starred]),
            np.array([0, -bracket, rate, rate]),
        ],
        words="an arbitrary curve and variation, 40 Gauss nodes",
    )
