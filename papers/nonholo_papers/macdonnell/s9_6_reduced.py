"""§9.6: the reduced kinetic energy and potential of the rolling body, for Routh's and the Lagrange top."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, moving
from nonholo_papers.macdonnell._body import (
    at,
    centre,
    fields,
    first,
    inertia,
    inner,
    omega,
    place,
    second,
    states,
    tops,
    turning,
)
from nonholo_papers.macdonnell._together import corrected, equal, joined
from nonholo_papers.macdonnell._turning import LEVEL, UP, body, pack, pair
from nonholo_papers.section import Section
from nonholo_papers.so3 import matrix

Array = Any
BODY, ROUTH, LAGRANGE = ("rolling-body",), ("routh-top",), ("lagrange-top",)
WITNESS = "along the multiplier form"
section = Section("macdonnell", "9.6 Axially symmetric rolling body: reduced energy")
section.rest("restatement of Lemmas 8.4.1 and 8.4.2", 501, 502)
section.rest("restatement of (9.1), §9.3 and (9.6)", 504, 506, 507, 508, 509)
section.rest("restatement of the solutions of §9.5", 513, 514, 533, 534)
section.rest("definition", 516)


def _energy(s: Any) -> Any:
    """The whole energy of a rolling state."""
    v = s.dot(centre)
    return omega(s) @ inertia(s) @ omega(s) / 2 + s.m * v @ v / 2 + s.m * s.g * centre(s)[2]


def _inertia(c: SimpleNamespace, s: Any) -> Any:
    """K̄(∂θ, ∂θ) as printed."""
    return s.J1 + s.m * (c.a**2 + 2 * c.a * c.r * c.c + c.r**2)


@section.confirmed("§9.6, K̄ and Ω", (503, 505, 510, 511, 512), exhibits=BODY)
def reduced() -> Evidence:
    """U = mg(r + a cos θ); Ω = ϖ3γ1 + Ω2(−cos θ γ1 + γ2); K̄(∂θ, ∂θ) = K(κ, κ)/sin²θ = J1 + m(a² + 2ar cos θ + r²); E =
    ½K̄θ̇² + U + ½K(Ω, Ω).
    """

    def inertias(s: Any) -> list[Any]:
        c, q = at(s), place(s)
        kappa = fields(s)[2](q)
        sum_ = c.a**2 * (1 - c.c**2) + 2 * c.a * c.r * (c.c - c.c**3) + c.r**2 * (-(c.c**2) + 1)
        return [inner(s, q, kappa, kappa) / c.s**2, (s.J1 * c.s**2 + s.m * sum_) / c.s**2, _inertia(c, s)]

    def kappas(s: Any) -> list[Any]:
        c, up = at(s), matrix(s) @ UP
        return [
            fields(s)[2](place(s))[9:],
            -(c.a + c.r * c.c) * UP + (c.r + c.a * c.c) * up,
            c.a * (-UP + c.c * up) + c.r * (-c.c * UP + up),
        ]

    def drift(s: Any) -> list[Any]:
        f, q, c = fields(s), place(s), at(s)
        tangent = pack(s.dot(matrix), s.dot(centre))
        return [
            tangent - turning(s) / c.s * f[2](q),
            (s.w3 - c.c * second(s)) * f[0](q) + second(s) * f[1](q),
            s.w3 * f[0](q) + second(s) * (-c.c * f[0](q) + f[1](q)),
        ]

    def whole(s: Any) -> list[Any]:
        part = drift(s)[1]
        return [
            _energy(s),
            -_inertia(at(s), s) * turning(s) ** 2 / 2,
            -s.m * s.g * (at(s).r + at(s).a * at(s).c),
            -inner(s, place(s), part, part) / 2,
        ]

    return joined(
        equal(states(), inertias, kappas, drift), identity(states(), whole), words="K of the fields, the energy"
    )


def _constants(s: Any) -> SimpleNamespace:
    """C1, C2 and what the formulas for Routh's top are made of, at a state."""
    c, reach = at(s), s.a + s.r * s.R33
    root = s.J1 * (s.J3 + s.m * s.r**2 * c.s**2) + s.m * s.J3 * reach**2
    one = reach * s.J3 * s.w3 + s.r * c.s**2 * s.J1 * second(s)
    rest = s.J1 * s.r**2 * c.s**2 + s.J3 * reach**2
    two, beta = s.w3 * np.sqrt(root), 1 / np.sqrt(root)
    return SimpleNamespace(C1=one, C2=two, d=reach, root=root, beta=beta, rest=rest, c=c.c, s=c.s)


def _bars(s: Any) -> tuple[Array, Array]:
    """γ̄1 and γ̄2 of Routh's top as tangent vectors."""
    k, f, q = _constants(s), fields(s), place(s)
    bar = -k.c * f[0](q) + f[1](q)
    return bar, s.J1 * s.r * k.s**2 * f[0](q) - s.J3 * k.d * bar


def _last(s: Any) -> Any:
    """R, by K(γ̄2, γ̄2)."""
    k, (_, two) = _constants(s), _bars(s)
    return k.beta**2 * inner(s, place(s), two, two) / k.s**2


@section.confirmed("§9.6, Routh's top: P and Q", (515, *range(517, 527), 527, 530), exhibits=ROUTH)
def coefficients() -> Evidence:
    """Ω by γ̄1, γ̄2, their components, and P, Q, R in ½K(Ω, Ω) = {C1²P + 2C1C2Q + C2²R}/(2r²J1² sin²θ)."""

    def drift(s: Any) -> list[Any]:
        k, (one, two) = _constants(s), _bars(s)
        f, q = fields(s), place(s)
        return [first(s) * f[0](q) + second(s) * f[1](q), (k.C1 * one + k.C2 * k.beta * two) / (s.J1 * s.r * k.s**2)]

    def parts(s: Any) -> list[Any]:
        k, up, y = _constants(s), matrix(s).T @ UP, LEVEL @ matrix(s) @ UP
        second_spin = s.J1 * s.r * k.s**2 * UP + s.J3 * k.d * (k.c * UP - up)
        return [
            np.array([pair(place(s), e) for e in _bars(s)]),
            np.array([[*(-k.c * UP + up), *(k.d * y)], [*second_spin, *(-k.rest * y)]]),
        ]

    def p(s: Any) -> list[Any]:
        k, (one, _) = _constants(s), _bars(s)
        return [
            inner(s, place(s), one, one) / k.s**2,
            (s.J1 * k.s**2 + s.m * k.s**2 * k.d**2) / k.s**2,
            s.J1 + s.m * k.d**2,
        ]

    def q(s: Any) -> list[Any]:
        k, (one, two) = _constants(s), _bars(s)
        return [
            k.beta * inner(s, place(s), one, two) / k.s**2,
            k.beta / k.s**2 * (-s.J1 * s.J3 * k.d * k.s**2 - s.m * k.s**2 * k.d * k.rest),
            -k.beta * k.d * (s.J1 * (s.J3 + s.m * s.r**2 * k.s**2) + s.m * s.J3 * k.d**2),
            -k.d * np.sqrt(k.root),
        ]

    def r(s: Any) -> list[Any]:
        return [_last(s), _constants(s).rest]

    def whole(s: Any) -> list[Any]:
        k, f, place_ = _constants(s), fields(s), place(s)
        part = first(s) * f[0](place_) + second(s) * f[1](place_)
        mixed = k.C1**2 * (s.J1 + s.m * k.d**2) - 2 * k.C1 * k.C2 * k.d * np.sqrt(k.root) + k.C2**2 * k.rest
        return [inner(s, place_, part, part) / 2, mixed / (2 * s.r**2 * s.J1**2 * k.s**2)]

    return equal(tops(), drift, parts, p, q, r, whole, words="K of the fields, C1 and C2 of rolling states")


@section.misprint(
    "§9.6, Routh's top: the steps to R",
    (528, 529),
    right=r"R = \beta^2\frac{1}{\sin^2\theta}\{J_3J_1^2r^2\sin^4\theta + J_1J_3^2\sin^2\theta(a + r\cos\theta)^2 + "
    r"m\sin^2\theta[J_1r^2\sin^2\theta + J_3(a + r\cos\theta)^2]^2\} = \beta^2[J_1r^2\sin^2\theta + J_3(a + r\cos\theta)^2]"
    r"\{J_1(J_3 + mr^2\sin^2\theta) + mJ_3(a + r\cos\theta)^2\}",
    harm=2,
    breaks="The term with m and the last factor are lost in the text; R itself, in the next line, is right.",
    exhibits=ROUTH,
    kind="reading",
)
def steps() -> Evidence:
    """K(γ̄2, γ̄2) has a term with m, and its factors are [J1r² sin²θ + J3(a + r cos θ)²] and 1/β²; both lost."""

    def second_line(s: Any, mass: float) -> Any:
        k = _constants(s)
        spin = s.J3 * s.J1**2 * s.r**2 * k.s**4 + s.J1 * s.J3**2 * k.s**2 * k.d**2
        return k.beta**2 / k.s**2 * (spin + mass * k.s**2 * k.rest**2)

    def third_line(s: Any, factor: Any) -> Any:
        return _constants(s).beta ** 2 * _constants(s).rest * factor

    return corrected(
        tops(),
        (lambda s: [_last(s), -second_line(s, 0.0)], lambda s: [_last(s), -second_line(s, s.m)]),
        (lambda s: [_last(s), -third_line(s, 1.0)], lambda s: [_last(s), -third_line(s, _constants(s).root)]),
    )


def hill(theta: Any, p: Any, one: Any, two: Any, squared: bool) -> Any:
    """Ū of Routh's top, in its first form or with the square."""
    c, s = np.cos(theta), np.sin(theta)
    d = p.a + p.r * c
    root = np.sqrt(p.J1 * (p.J3 + p.m * p.r**2 * s**2) + p.m * p.J3 * d**2)
    weight = p.m * p.g * (p.r + p.a * c)
    if squared:
        level = (two**2 - p.m * one**2 / p.J3) / (2 * p.J1)
        return level + weight + (one * root - two * p.J3 * d) ** 2 / (2 * p.r**2 * p.J1**2 * p.J3 * s**2)
    parts = one**2 * (p.J1 + p.m * d**2) - 2 * one * two * d * root + two**2 * (p.J1 * p.r**2 * s**2 + p.J3 * d**2)
    return weight + parts / (2 * p.r**2 * p.J1**2 * s**2)


@section.confirmed("§9.6, Routh's top: Ū and E", (531, 532), exhibits=ROUTH)
def potential() -> Evidence:
    """Ū in both forms, E = ½{J1 + m(a² + 2ar cos θ + r²)}θ̇² + Ū, and θ moves in it: (K̄θ̇)˙ − ½K̄'θ̇² = −Ū'."""

    def value(s: Any, squared: bool) -> Any:
        k = _constants(s)
        return hill(np.arccos(s.R33), s, k.C1, k.C2, squared)

    def motion(s: Any) -> list[Any]:
        k, theta = _constants(s), np.arccos(s.R33)
        pull = np.imag(hill(theta + 1e-30j, s, k.C1, k.C2, True)) / 1e-30
        moved = s.dot(lambda z: _inertia(at(z), z) * turning(z))
        return [moved, s.m * s.a * s.r * k.s * turning(s) ** 2, pull]

    return joined(
        equal(
            tops(),
            lambda s: [value(s, False), value(s, True), _energy(s) - _inertia(at(s), s) * turning(s) ** 2 / 2],
        ),
        identity(tops(), motion),
        words=f"the energy, and θ̈ {WITNESS}",
    )


def _lagrange() -> list[Any]:
    return moving("lagrange-top", parameters={"m": 0.9, "g": 1.3, "a": 0.7, "J1": 0.6, "J3": 0.85})


@section.confirmed("§9.6, the Lagrange top: P, Q, R", tuple(range(535, 545)), exhibits=LAGRANGE)
def lagrange() -> Evidence:
    """Ω by γ̄1, γ̄2, and P = J1 + ma², Q = −J3 cos θ(J1 + ma²), R = (J1 + ma²){J3 sin²θ(J1 + ma²) + J3² cos²θ}."""

    def both(s: Any) -> tuple[Array, Array, Array, Array]:
        """γ̄1, γ̄2, γ1, γ2 with r = 0 at a state of the top."""
        q = pack(matrix(s), s.a * matrix(s) @ UP)
        one = body(lambda W, x: UP + 0 * x, lambda W, x: 0 * x)(q)
        two = body(lambda W, x: W.T @ UP, lambda W, x: s.a * LEVEL @ W @ UP)(q)
        bar = -s.R33 * one + two
        arm = s.J1 + s.m * s.a**2
        return bar, arm * (1 - s.R33**2) * one - s.J3 * s.R33 * bar, one, two

    def constants(s: Any) -> tuple[Any, Any, Any]:
        arm = s.J1 + s.m * s.a**2
        return s.J3 * s.R33 * s.w3 + arm * (1 - s.R33**2) * second(s), s.w3, arm

    def drift(s: Any) -> list[Any]:
        (C1, C2, arm), (bar, other, one, two) = constants(s), both(s)
        return [first(s) * one + second(s) * two, (C1 * bar + C2 * other) / (arm * (1 - s.R33**2))]

    def parts(s: Any) -> list[Any]:
        q, up, y = pack(matrix(s), s.a * matrix(s) @ UP), matrix(s).T @ UP, LEVEL @ matrix(s) @ UP
        arm, s2 = s.J1 + s.m * s.a**2, 1 - s.R33**2
        spin = arm * s2 * UP + s.J3 * s.R33 * (s.R33 * UP - up)
        return [
            np.array([pair(q, e) for e in both(s)[:2]]),
            np.array([[*(-s.R33 * UP + up), *(s.a * y)], [*spin, *(-s.J3 * s.a * s.R33 * y)]]),
        ]

    def products(s: Any) -> list[Any]:
        q, (bar, other, _, _) = pack(matrix(s), s.a * matrix(s) @ UP), both(s)
        arm, c, s2 = s.J1 + s.m * s.a**2, s.R33, 1 - s.R33**2
        found = [inner(s, q, x, y) / s2 for x, y in ((bar, bar), (bar, other), (other, other))]
        middle = [
            (s.J1 * s2 + s.m * s.a**2 * s2) / s2,
            (-s.J1 * s.J3 * c * s2 - s.m * s.J3 * s.a**2 * c * s2) / s2,
            (s.J3 * arm**2 * s2**2 + s.J1 * s.J3**2 * c**2 * s2 + s.m * s.J3**2 * s.a**2 * c**2 * s2) / s2,
        ]
        return [
            np.array(found),
            np.array(middle),
            np.array([arm, -s.J3 * c * arm, arm * (s.J3 * s2 * arm + s.J3**2 * c**2)]),
        ]

    return equal(_lagrange(), drift, parts, products, words="K of the fields, C1 and C2 of states of the top")


@section.confirmed("§9.6, the Lagrange top: Ū and E", (545, 546), exhibits=LAGRANGE)
def lagrange_energy() -> Evidence:
    """Ū in both forms, and E = ½(J1 + ma²)θ̇² + ½C2²J3 + mga cos θ + (C1 − C2J3 cos θ)²/(2(J1 + ma²) sin²θ)."""

    def forms(s: Any) -> list[Any]:
        arm, c, s2 = s.J1 + s.m * s.a**2, s.R33, 1 - s.R33**2
        C1, C2 = s.J3 * c * s.w3 + arm * s2 * second(s), s.w3
        v = s.a * s.dot(matrix) @ UP
        energy = omega(s) @ inertia(s) @ omega(s) / 2 + s.m * v @ v / 2 + s.m * s.g * s.a * c
        parts = C1**2 - 2 * C1 * C2 * s.J3 * c + C2**2 * (s.J3 * s2 * arm + s.J3**2 * c**2)
        return [
            energy - arm * turning(s) ** 2 / 2,
            s.m * s.g * s.a * c + parts / (2 * arm * s2),
            C2**2 * s.J3 / 2 + s.m * s.g * s.a * c + (C1 - C2 * s.J3 * c) ** 2 / (2 * arm * s2),
        ]

    return equal(_lagrange(), forms, words="the energy of states of the top")
