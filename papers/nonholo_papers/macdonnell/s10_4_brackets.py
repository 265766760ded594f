"""§10.4: group invariance and the flatness conditions of the sphere on a surface."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import identity, slope
from nonholo_papers.macdonnell._ball import at, beta, centre, eta, field, product, rates, seen, states, tau
from nonholo_papers.macdonnell._fields import bracket
from nonholo_papers.macdonnell._together import equal, joined, together
from nonholo_papers.macdonnell._turning import UP
from nonholo_papers.section import Section
from nonholo_papers.so3 import AXES, hat, matrix, turn

Array = Any
BALL = ("ball-on-surface",)
WORDS = "brackets by complex steps on (W, s, θ)"
ANGLE = 0.8
section = Section("macdonnell", "10.4 Sphere on a surface of revolution: flatness")


def _pushed(s: Any, kind: int, first: Any = None) -> list[Array]:
    """A field at a moved place, and the field moved there; ``first`` changes ν of the field."""
    own = turn(1, 0.5) @ turn(2, -0.7) @ turn(3, 1.1)
    about, W = turn(3, ANGLE), matrix(s)
    place = np.array([*(about @ W @ own.T).reshape(-1), s.s, s.theta + ANGLE])
    found = rates(kind, place, s)
    if first is not None:
        found = np.array([*first, *found[3:]])
    spin = hat(found[:3]) @ place[:9].reshape(3, 3)
    moved = field(kind, s)(s.q)
    turned = about @ moved[:9].reshape(3, 3) @ own.T
    return [np.array([*spin.reshape(-1), *found[3:]]), np.array([*turned.reshape(-1), *moved[9:]])]


@section.confirmed("(10.9), Proposition 10.4.1", (620, 621, 622, 623, 624, "Proposition 10.4.1"), exhibits=BALL)
def invariant() -> Evidence:
    """γ1, γ2 and κ, as operators on (W, s, θ), are group invariant; in the text κ is applied to (W, s, 0)."""

    def operators(s: Any) -> list[Any]:
        W, c = matrix(s), at(s)
        whole = np.array([field(k, s)(s.q) for k in range(3)])
        spins = (beta(s.s, s.theta, s), c.a * eta(s.s, s.theta, s), tau(s.theta))
        ends = ((0, 0), (0, -s.r), (s.r, 0))
        return [whole, np.array([[*(hat(y) @ W).reshape(-1), *e] for y, e in zip(spins, ends)])]

    return equal(
        states(),
        operators,
        *(lambda s, k=k: _pushed(s, k) for k in range(3)),
        words="fields pushed forward by a generic element of SO(2) × SO(3)",
    )


@section.misprint(
    "Proposition 10.4.1, proof, the case of κ",
    625,
    right=r"\kappa(\overline{W}, \overline{s}, \overline{\theta}) = (R_3(\psi)A(\tau)WM^T, r, 0) = "
    r"(A(\overline{\tau})\overline{W}, r, 0)",
    harm=2,
    breaks="κ = (τ, r, 0) by (10.9); (η, r, 0) breaks the constraint ṡ = rτ·ν, since τ·η = 0.",
    exhibits=BALL,
    kind="slip",
)
def last_case() -> Evidence:
    """κ at the moved place turns about τ̄, printed η̄ (and κ for τ before it)."""

    def printed(s: Any) -> list[Any]:
        one, two = _pushed(s, 2, eta(s.s, s.theta + ANGLE, s))
        return [one, -two]

    def right(s: Any) -> list[Any]:
        one, two = _pushed(s, 2)
        return [one, -two]

    return identity(states(), printed, right, words="κ pushed forward by a generic element")


def _bracket(s: Any, one: int, two: int) -> Array:
    """(ν, ṡ, θ̇) of the bracket of two fields."""
    return seen(s.q, bracket(field(one, s), field(two, s), s.q))


def _along(function: Any, x: float) -> Array:
    return slope(lambda y: function(y[0]), np.array([x]))[..., 0]


@section.confirmed(
    "Lemma 10.4.1, (10.10), (10.11), (10.12)",
    (626, 627, 628, 629, 630, 631, 632, 633, 634, 635, 636, "Lemma 10.4.1"),
    exhibits=BALL,
)
def brackets() -> Evidence:
    """[γ1, γ2] = −(a + rz')τ, [κ, γ1] = −(1 + rφ')η, [κ, γ2] = ra'η + a(1 + rφ')β − rR₃(θ)e1 in ν, nothing in s and θ;
    every step.
    """

    def first(s: Any) -> list[Any]:
        c, n, t, b = at(s), eta(s.s, s.theta, s), tau(s.theta), beta(s.s, s.theta, s)
        turned = _along(lambda x: beta(s.s, x, s), s.theta)
        return [
            _bracket(s, 0, 1)[:3],
            c.a * hat(n) @ b + s.r * turned,
            -c.a * t + s.r * hat(UP) @ b,
            -c.a * t + s.r * (t @ hat(UP) @ b) * t,
            -c.a * t + s.r * (-UP @ n) * t,
            -(c.a + s.r * c.dz) * t,
        ]

    def second(s: Any) -> list[Any]:
        c, n, t, b = at(s), eta(s.s, s.theta, s), tau(s.theta), beta(s.s, s.theta, s)
        moved = _along(lambda x: beta(x, s.theta, s), s.s)
        bent = _along(lambda x: eta(x, s.theta, s), s.s)
        return [
            _bracket(s, 2, 0)[:3],
            s.r * moved + hat(b) @ t,
            s.r * (n @ moved) * n - n,
            -(1 + s.r * b @ bent) * n,
            -(1 + s.r * c.turn) * n,
        ]

    def third(s: Any) -> list[Any]:
        c, n, t, b = at(s), eta(s.s, s.theta, s), tau(s.theta), beta(s.s, s.theta, s)
        bent = _along(lambda x: eta(x, s.theta, s), s.s)
        return [
            _bracket(s, 2, 1)[:3],
            s.r * c.da * n + c.a * s.r * bent + s.r * _along(tau, s.theta) + c.a * hat(n) @ t,
            s.r * c.da * n + c.a * s.r * (b @ bent) * b + s.r * hat(UP) @ t + c.a * b,
            s.r * c.da * n + c.a * (1 + s.r * c.turn) * b - s.r * turn(3, s.theta) @ AXES[0],
        ]

    found = equal(states(), first, second, third, words=WORDS)
    ends = max(float(np.max(np.abs(_bracket(s, *p)[3:]))) for s in states() for p in ((0, 1), (2, 0), (2, 1)))
    return Evidence(max(found.printed, ends), None, found.mutant, WORDS)


@section.confirmed("§10.4, the virtual motions", exhibits=BALL)
def motions() -> Evidence:
    """γ1 keeps the centre, γ2 moves it on a circle at its height with θ̇ = −r wherever it is, κ in the cross-section at
    the speed r.
    """

    def centre_rate(s: Any, kind: int) -> Array:
        _, _, _, along, around = rates(kind, s.q, s)
        both = slope(lambda y: centre(y[0], y[1], s), np.array([s.s, s.theta]))
        return both @ np.array([along, around])

    still = max(float(np.max(np.abs(centre_rate(s, 0)))) for s in states())
    level = max(abs(float(centre_rate(s, 1)[2])) for s in states())
    plane = max(abs(float(centre_rate(s, 2) @ tau(s.theta))) for s in states())
    found = equal(
        states(),
        lambda s: [centre_rate(s, 1), -s.r * at(s).a * tau(s.theta)],
        lambda s: [centre_rate(s, 2), s.r * eta(s.s, s.theta, s)],
    )
    return Evidence(
        max(found.printed, still, level, plane), None, found.mutant, "the centre's velocity under each field"
    )


@section.confirmed("Proposition 10.4.2", (637, 638, "Proposition 10.4.2"), exhibits=BALL)
def flat() -> Evidence:
    """K(γ1, [γ1, γ2]) = K(γ2, [γ1, γ2]) = K(κ, [κ, γ1]) = K(κ, [κ, γ2]) = 0 (σ' in the text is φ')."""

    def pairing(s: Any, kind: int, one: int, two: int) -> float:
        return abs(float(product(s, rates(kind, s.q, s), _bracket(s, one, two), at(s).a)))

    worst = max(pairing(s, *way) for s in states() for way in ((0, 0, 1), (1, 0, 1), (2, 2, 0), (2, 2, 1)))
    other = min(pairing(s, *way) for s in states() for way in ((2, 0, 1), (1, 2, 0), (0, 2, 1)))
    return Evidence(worst, None, other, f"{WORDS}; the mutants are the other products, as K(κ, [γ1, γ2])")


def _table(s: Any) -> tuple[Array, Array]:
    """K(γ_i, γ_j), K([κ, γ_i], γ_j) and K(κ, [γ1, γ2]): by the brackets, and as printed."""
    c, a = at(s), at(s).a
    gammas = [rates(k, s.q, s) for k in (0, 1)]
    own = [[product(s, x, y, a) for y in gammas] for x in gammas]
    mixed = [[product(s, _bracket(s, 2, i), y, a) for y in gammas] for i in (0, 1)]
    last = product(s, rates(2, s.q, s), _bracket(s, 0, 1), a)
    found = np.array([own[0][0], own[1][1], mixed[0][1], mixed[1][0], last, own[0][1], mixed[0][0], mixed[1][1]])
    bent = a * (1 + s.r * c.turn)
    printed = [
        s.J,
        a**2 * (s.J + s.m * s.r**2),
        -s.J * bent,
        s.J * (bent + s.r * c.dz),
        -s.J * (a + s.r * c.dz),
        0,
        0,
        0,
    ]
    return found, np.array(printed)


@section.confirmed("Proposition 10.5.1, proof, the products", 646, exhibits=BALL)
def products() -> Evidence:
    """K(γ1, γ1) = J, K(γ2, γ2) = a²(J + mr²), K([κ, γ1], γ2) = −aJ(1 + rφ'), K([κ, γ2], γ1) = J{a(1 + rφ') + rz'}, and
    the rest.
    """

    def steps(s: Any) -> list[Any]:
        c, n, b = at(s), eta(s.s, s.theta, s), beta(s.s, s.theta, s)
        whole = s.r * c.da * n + c.a * (1 + s.r * c.turn) * b - s.r * turn(3, s.theta) @ AXES[0]
        flat = turn(3, s.theta).T @ b
        return [s.J * whole @ b, s.J * (c.a * (1 + s.r * c.turn) - s.r * flat[0]), _table(s)[1][3]]

    one = together(states(), *(lambda s, k=k: [_table(s)[0][k], -_table(s)[1][k]] for k in range(5)))
    zero = max(float(np.max(np.abs(_table(s)[0][5:]))) for s in states())
    found = joined(one, equal(states(), steps), words=WORDS)
    return Evidence(max(found.printed, zero), None, found.mutant, WORDS)
