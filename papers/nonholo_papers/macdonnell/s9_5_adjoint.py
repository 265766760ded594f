"""§9.5: the adjoint equation of the rolling body."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity
from nonholo_papers.macdonnell._body import at, fields, first, inertia, inner, omega, place, second, states, turning
from nonholo_papers.macdonnell._fields import bracket
from nonholo_papers.macdonnell._together import corrected, equal, joined, together
from nonholo_papers.macdonnell._turning import LEVEL, UP
from nonholo_papers.section import Section
from nonholo_papers.so3 import AXES, matrix

Array = Any
BODY = ("rolling-body",)
WITNESS = "Ω1, Ω2 and θ along the multiplier form"
section = Section("macdonnell", "9.5 Axially symmetric rolling body: adjoint equation")
section.rest("restatement of (7.11)", 435)
section.rest("restatement of (9.6) to (9.9)", 436, 437, 438, 439, 440, 441, 442, 443, 444)


def _mixed(z: Any) -> Any:
    """K(γ1, γ2) as printed."""
    c = at(z)
    return z.J3 * c.c - z.m * c.a * c.r * c.s**2


def _momenta(z: Any) -> tuple[Any, Any]:
    """The braces of (9.10) and (9.11)."""
    c = at(z)
    last = z.J3 * c.c**2 + (z.J1 + z.m * c.a**2) * c.s**2
    one, two = first(z), second(z)
    return (z.J3 + z.m * c.r**2 * c.s**2) * one + _mixed(z) * two, _mixed(z) * one + last * two


@section.confirmed(
    "Proposition 9.5.1, (9.10), (9.11)",
    (445, 447, 448, 449, 450, "Proposition 9.5.1", "Corollary 9.5.1"),
    exhibits=BODY,
)
def adjoint() -> Evidence:
    """The adjoint equation, along κ and, since κθ = sin θ, along θ: (9.10), (9.11)."""

    def one(s: Any) -> list[Any]:
        c = at(s)
        return [
            s.dot(lambda z: _momenta(z)[0]),
            -s.m * c.r * c.s * (c.dr * c.s + c.r * c.c) * first(s) * turning(s),
            s.m * c.s * c.a * c.dr * c.s * second(s) * turning(s),
            -s.m * c.s * c.r**2 * second(s) * turning(s),
        ]

    def two(s: Any) -> list[Any]:
        c = at(s)
        return [
            s.dot(lambda z: _momenta(z)[1]),
            s.m * c.r * c.s * (c.da * c.s + c.a * c.c) * first(s) * turning(s),
            -s.m * c.a * c.s * (c.da * c.s - c.r) * second(s) * turning(s),
        ]

    return together(states(), one, two, words=WITNESS)


def _products(s: Any) -> Array:
    """K(γ_i, γ_j), K([κ, γ_i], γ_j), K(κ, [γ1, γ2]) by the fields."""
    q, f = place(s), fields(s)
    own = [inner(s, q, f[i](q), f[j](q)) for i, j in ((0, 0), (0, 1), (1, 1))]
    mixed = [inner(s, q, bracket(f[2], f[i], q), f[j](q)) for i, j in ((0, 0), (0, 1), (1, 0), (1, 1))]
    return np.array([*own, *mixed, inner(s, q, f[2](q), bracket(f[0], f[1], q))])


@section.misprint(
    "Proposition 9.5.1, proof, the products",
    446,
    right=r"K(\gamma_2,\gamma_2) = \epsilon_3^TWJW^T\epsilon_3 + ma^2\sin^2\theta = J_3\cos^2\theta + (J_1 + ma^2)\sin^2\theta,\ "
    r"K([\kappa,\gamma_1],\gamma_1) = mr(r'\sin\theta + r\cos\theta)\sin^2\theta,\ K([\kappa,\gamma_1],\gamma_2) = "
    r"-ma(r'\sin\theta + r\cos\theta)\sin^2\theta,\ K([\kappa,\gamma_2],\gamma_1) = -mr(a'\sin\theta - r)\sin^2\theta,\ "
    r"K([\kappa,\gamma_2],\gamma_2) = ma(a'\sin\theta - r)\sin^2\theta,\ K(\kappa,[\gamma_1,\gamma_2]) = "
    r"-mr(r + a\cos\theta)\sin^2\theta",
    harm=1,
    breaks="Lines are lost and repeated in the text: K(γ2, γ2) loses J1 sin²θ, and heads of four products are missing.",
    exhibits=BODY,
    kind="reading",
)
def products() -> Evidence:
    """The products of γ1, γ2 and of the brackets; the first, second and last are printed right."""

    def right(s: Any) -> Array:
        c = at(s)
        lean, slide = c.dr * c.s + c.r * c.c, c.da * c.s - c.r
        return np.array(
            [
                s.J3 + s.m * c.r**2 * c.s**2,
                _mixed(s),
                s.J3 * c.c**2 + (s.J1 + s.m * c.a**2) * c.s**2,
                s.m * c.r * lean * c.s**2,
                -s.m * c.a * lean * c.s**2,
                -s.m * c.r * slide * c.s**2,
                s.m * c.a * slide * c.s**2,
                -s.m * c.r * (c.r + c.a * c.c) * c.s**2,
            ]
        )

    def vertical(s: Any) -> Any:
        """The second line of K(γ2, γ2)."""
        c = at(s)
        return UP @ matrix(s) @ inertia(s) @ ((UP @ matrix(s).T @ UP) * UP) + s.m * c.a**2 * c.s**2

    def spin(s: Any) -> Any:
        """The second line of K([κ, γ1], γ1)."""
        c, y = at(s), LEVEL @ matrix(s) @ UP
        return s.m * c.r * (c.dr * c.s + c.r * c.c) * y @ (c.a * y)

    every = together(states(), *(lambda s, k=k: [_products(s)[k], -right(s)[k]] for k in range(8)))
    found = corrected(
        states(),
        (lambda s: [_products(s)[2], -vertical(s)], lambda s: [_products(s)[2], -right(s)[2]]),
        (lambda s: [_products(s)[3], -spin(s)], lambda s: [_products(s)[3], -right(s)[3]]),
        words="K and brackets by complex steps",
    )
    return Evidence(
        found.printed, max(found.right or 0, every.printed), min(found.mutant or 0, every.mutant or 0), found.words
    )


@section.confirmed("Lemma 9.5.1", (451, 452, 453, 454, 455, 456, 457, 458, "Lemma 9.5.1"), exhibits=BODY)
def rates() -> Evidence:
    """The motion is Ω1γ1 + Ω2γ2 + vκ: ω by Ω1, Ω2, v, sin²θ Ω2 = (e3·We1)ω1 + (e3·We2)ω2 and ϖ3 = Ω1 + cos θ Ω2 = ω3 (π
    in the text is ϖ).
    """

    def parts(s: Any) -> Array:
        rows = np.array([f(place(s)) for f in fields(s)])
        tangent = np.concatenate([s.dot(matrix).reshape(-1), s.dot(lambda z: np.array([z.x, z.y, at(z).h]))])
        found: Array = np.linalg.lstsq(rows.T, tangent, rcond=None)[0]
        return found

    def spins(s: Any) -> list[Any]:
        one, two, v = parts(s)
        W, y = matrix(s), matrix(s).T @ UP
        return [
            omega(s),
            np.array(
                [
                    two * y[0] + v * AXES[0] @ np.cross(y, UP),
                    two * y[1] + v * AXES[1] @ np.cross(y, UP),
                    one + two * y[2],
                ]
            ),
            np.array([two * y[0] + v * y[1], two * y[1] - v * y[0], one + two * y[2]]),
            np.array([two * W[2, 0] + v * W[2, 1], two * W[2, 1] - v * W[2, 0], one + at(s).c * two]),
        ]

    def lean(s: Any) -> list[Any]:
        W, two = matrix(s), parts(s)[1]
        return [
            W[2, 0] * s.w1 + W[2, 1] * s.w2,
            two * (W[2, 0] ** 2 + W[2, 1] ** 2),
            two * (1 - W[2, 2] ** 2),
            at(s).s ** 2 * two,
        ]

    return equal(
        states(),
        spins,
        lean,
        lambda s: [parts(s)[0] + at(s).c * parts(s)[1], s.w3],
        words="the motion's parts along γ1, γ2, κ",
    )


@section.confirmed("Corollary 9.5.2, (9.12), (9.13)", (*range(459, 466), "Corollary 9.5.2"), exhibits=BODY)
def in_spin() -> Evidence:
    """(9.12) and (9.13) in ϖ3 and Ω2, and every step from (9.10), (9.11)."""

    def slide(z: Any) -> Any:
        """rΩ1 − aΩ2."""
        return at(z).r * first(z) - at(z).a * second(z)

    def lean(z: Any) -> Any:
        return z.J3 * at(z).c * z.w3 + z.J1 * at(z).s ** 2 * second(z)

    def spin(z: Any) -> Any:
        return z.J3 * z.w3

    def jellett(s: Any) -> list[Any]:
        return [at(s).a * s.dot(spin), at(s).r * s.dot(lean)]

    def routh(s: Any) -> list[Any]:
        c = at(s)
        moved = s.dot(lambda z: at(z).s * (at(z).r * z.w3 - (at(z).a + at(z).r * at(z).c) * second(z)))
        side = s.m * c.r * c.s * (c.r + c.a * c.c) * second(s) * turning(s)
        return [s.dot(spin), s.m * c.r * c.s * moved, -side]

    def begun(s: Any) -> list[Any]:
        c = at(s)
        return [
            c.a * s.dot(spin),
            s.m * c.a * s.dot(lambda z: at(z).r * at(z).s ** 2 * slide(z)),
            c.r * s.dot(lean),
            -s.m * c.r * s.dot(lambda z: at(z).a * at(z).s ** 2 * slide(z)),
            -s.m * c.s**2 * (c.a * c.dr - c.r * c.da) * slide(s) * turning(s),
        ]

    def one(s: Any) -> list[Any]:
        c = at(s)
        return [
            s.dot(spin),
            s.m * s.dot(lambda z: at(z).r * at(z).s ** 2 * slide(z)),
            -s.m * c.s**2 * c.dr * slide(s) * turning(s),
            -s.m * c.r**2 * c.s * (c.c * first(s) + second(s)) * turning(s),
        ]

    def two(s: Any) -> list[Any]:
        c = at(s)
        return [
            s.dot(spin),
            s.m * c.r * s.dot(lambda z: at(z).s ** 2 * slide(z)),
            -s.m * c.r**2 * c.s * (c.c * first(s) + second(s)) * turning(s),
        ]

    def three(s: Any) -> list[Any]:
        c = at(s)
        side = s.m * c.r * c.s * (c.r + c.a * c.c) * second(s) * turning(s)
        return [s.dot(spin), s.m * c.r * c.s * s.dot(lambda z: at(z).s * slide(z)), -side]

    return joined(
        together(states(), jellett, routh, begun, one, two, three),
        identity(states(), lambda s: [turning(s), s.dot(lambda z: z.R33) / at(s).s]),
        words=WITNESS,
    )
