"""§9.5, examples: the rolling disk, Routh's top and Jellett's integral, the Lagrange top."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic, identity, moving, slope
from nonholo_papers.macdonnell._body import (
    at,
    disks,
    fields,
    inertia,
    omega,
    place,
    second,
    shape,
    tops,
    turning,
)
from nonholo_papers.macdonnell._together import equal, joined, together
from nonholo_papers.macdonnell._turning import LEVEL, UP, pair
from nonholo_papers.section import Section
from nonholo_papers.so3 import hat, matrix, turn

Array = Any
WITNESS = "along the multiplier form"
section = Section("macdonnell", "9.5 Axially symmetric rolling body: examples")
section.rest("notation: the flow, given in the words after it", 490)
section.rest("restatement of (9.1)", 491)


@section.confirmed("§9.5, the rolling disk: a and r", tuple(range(466, 473)), exhibits=("rolling-disk",))
def disk_shape() -> Evidence:
    """da/dθ = ρ/sin²θ, dr/dθ = −ρ cos θ/sin²θ, a + r cos θ = 0, r + a cos θ = ρ sin θ, r sin θ = ρ."""

    def derivatives(p: Any) -> list[Any]:
        def both(t: Array) -> Array:
            return np.array([-p.rho * np.cos(t[0]) / np.sin(t[0]), p.rho / np.sin(t[0])])

        c, s = np.cos(p.theta), np.sin(p.theta)
        return [slope(both, np.array([p.theta]))[:, 0], np.array([p.rho / s**2, -p.rho * c / s**2])]

    def found(p: Any) -> SimpleNamespace:
        return shape(p.theta, SimpleNamespace(rho=p.rho))

    return joined(
        equal(
            generic("rho theta"),
            derivatives,
            lambda p: [found(p).r + found(p).a * np.cos(p.theta), p.rho * np.sin(p.theta)],
            lambda p: [found(p).r * np.sin(p.theta), p.rho],
        ),
        identity(generic("rho theta"), lambda p: [found(p).a, found(p).r * np.cos(p.theta)]),
        words="at generic θ and ρ",
    )


@section.confirmed("§9.5, the rolling disk: Legendre's equation", (473, 474, 475), exhibits=("rolling-disk",))
def disk() -> Evidence:
    """d{J1 sin²θ Ω2} = J3 sin θ ϖ3, (J3 + mρ²)ϖ3' = mρ² sin θ Ω2, the equation of second order in θ, and in p = cos θ."""

    def arm(s: Any) -> Any:
        return s.m * s.rho**2

    def steep(z: Any) -> Any:
        """dϖ3/dθ, by the second equation."""
        return arm(z) * at(z).s * second(z) / (z.J3 + arm(z))

    def in_cosine(s: Any) -> list[Any]:
        slope_p = s.dot(lambda z: (1 - z.R33**2) * (-steep(z) / at(z).s))
        return [slope_p, -s.J3 * arm(s) / (s.J1 * (s.J3 + arm(s))) * s.w3 * s.dot(lambda z: z.R33)]

    return together(
        disks(),
        lambda s: [s.dot(lambda z: z.J1 * at(z).s ** 2 * second(z)), -s.J3 * at(s).s * s.w3 * turning(s)],
        lambda s: [(s.J3 + arm(s)) * s.rate("w3"), -arm(s) * at(s).s * second(s) * turning(s)],
        lambda s: [
            s.J1 * (s.J3 + arm(s)) * s.dot(lambda z: at(z).s * steep(z)),
            -arm(s) * s.J3 * at(s).s * s.w3 * turning(s),
        ],
        in_cosine,
        words=f"Ω2, ϖ3 {WITNESS}",
    )


def _reach(z: Any) -> Any:
    """a + r cos θ."""
    return z.a + z.r * z.R33


def _root(z: Any) -> Any:
    """J1(J3 + mr² sin²θ) + mJ3(a + r cos θ)²."""
    return z.J1 * (z.J3 + z.m * z.r**2 * (1 - z.R33**2)) + z.m * z.J3 * _reach(z) ** 2


def _jellett(z: Any) -> Any:
    return _reach(z) * z.J3 * z.w3 + z.r * (1 - z.R33**2) * z.J1 * second(z)


@section.confirmed("§9.5, Routh's top: the equations", tuple(range(476, 484)), exhibits=("routh-top",))
def routh() -> Evidence:
    """Jellett's integral C1; (9.13) with a and r constant in its three forms, and with Ω2 eliminated."""

    def start(s: Any) -> list[Any]:
        c = at(s)
        return [
            (s.J3 + s.m * s.r**2 * c.s**2) * s.rate("w3"),
            s.m * s.r**2 * c.s * c.c * s.w3 * turning(s),
        ]

    def one(s: Any) -> list[Any]:
        c, w = at(s), second(s) * turning(s)
        return [
            *start(s),
            -s.m * s.r * c.s * c.c * _reach(s) * w,
            s.m * s.r**2 * c.s**3 * w,
            -s.m * s.r * c.s**2 * _reach(s) * s.dot(second),
            -s.m * s.r * c.s * (s.r + s.a * c.c) * w,
        ]

    def two(s: Any) -> list[Any]:
        c, w = at(s), second(s) * turning(s)
        return [*start(s), -s.m * s.r * c.s**2 * _reach(s) * s.dot(second), -2 * s.m * s.r * c.s * c.c * _reach(s) * w]

    def three(s: Any) -> list[Any]:
        return [*start(s), -s.m * s.r * _reach(s) * s.dot(lambda z: (1 - z.R33**2) * second(z))]

    def alone(s: Any) -> list[Any]:
        return [*(s.J1 * e for e in start(s)), s.m * _reach(s) * s.J3 * s.dot(lambda z: _reach(z) * z.w3)]

    still = max(abs(float(s.dot(_jellett))) for s in tops())
    found = together(tops(), one, two, three, alone)
    return Evidence(max(found.printed, still), None, found.mutant, f"Ω2, ϖ3 {WITNESS}")


@section.confirmed("§9.5, Routh's top: the solution", (484, 485, 486), exhibits=("routh-top",))
def solution() -> Evidence:
    """ϖ3² times J1(J3 + mr² sin²θ) + mJ3(a + r cos θ)² is constant, which gives ϖ3, and with C1 Ω2; ϖ3 keeps its sign."""
    still = [abs(float(s.dot(lambda z: _root(z) * z.w3**2))) for s in tops()]
    positive = float(min(_root(s) for s in tops()) <= 0)

    def formula(s: Any) -> list[Any]:
        one, two = _jellett(s), s.w3 * np.sqrt(_root(s))
        return [second(s) * s.r * s.J1 * at(s).s ** 2, -one, two * s.J3 * _reach(s) / np.sqrt(_root(s))]

    found = identity(tops(), formula)
    wrong = min(abs(float(s.dot(lambda z: z.w3**2))) for s in tops())
    return Evidence(max(found.printed, positive, *still), None, min(found.mutant or 0, wrong), f"C2 {WITNESS}")


@section.confirmed("§9.5, what Jellett's integral is", (487, 488, 489, 492), exhibits=("routh-top",))
def jellett() -> Evidence:
    """C1 = a w3·WJω + r e3·WJω = K(τ, σ), σ = aγ1 + rγ2 = (ae3 + rWᵀe3, 0), whose flow W → R₃(rs)WR₃(as) keeps x and L."""

    def body(s: Any) -> Array:
        return matrix(s) @ inertia(s) @ omega(s)

    def upright(s: Any) -> list[Any]:
        W, c = matrix(s), at(s)
        return [
            UP @ body(s),
            UP @ W @ np.array([s.J1 * s.w1, s.J1 * s.w2, s.J3 * s.w3]),
            s.J3 * c.c * s.w3 + s.J1 * (W[2, 0] * s.w1 + W[2, 1] * s.w2),
            s.J3 * c.c * s.w3 + s.J1 * c.s**2 * second(s),
        ]

    def field(s: Any) -> list[Any]:
        f, q = fields(s), place(s)
        flow = slope(lambda t: turn(3, s.r * t[0]) @ matrix(s) @ turn(3, s.a * t[0]), np.zeros(1))[..., 0]
        spin = pair(q, np.concatenate([flow.reshape(-1), np.zeros(3)]))
        return [
            pair(q, s.a * f[0](q) + s.r * f[1](q)),
            np.array([*(s.a * UP + s.r * matrix(s).T @ UP), 0, 0, 0]),
            spin,
        ]

    def moved(s: Any) -> list[Any]:
        turned = turn(3, 0.3 * s.r) @ matrix(s) @ turn(3, 0.3 * s.a)
        skew = turned.T @ s.dot(lambda z: turn(3, 0.3 * s.r) @ matrix(z) @ turn(3, 0.3 * s.a))
        spin = np.array([skew[2, 1], skew[0, 2], skew[1, 0]])
        return [spin, turn(3, 0.3 * s.a).T @ omega(s)]

    return equal(
        tops(),
        lambda s: [matrix(s)[:, 2] @ body(s), UP @ inertia(s) @ omega(s), s.J3 * s.w3],
        upright,
        lambda s: [
            s.a * matrix(s)[:, 2] @ body(s) + s.r * UP @ body(s),
            omega(s) @ inertia(s) @ (s.a * UP + s.r * matrix(s).T @ UP),
            _jellett(s),
        ],
        field,
        moved,
        lambda s: [omega(s) @ inertia(s) @ omega(s), moved(s)[0] @ inertia(s) @ moved(s)[0]],
        words=f"rates {WITNESS}",
    )


def _lagrange() -> list[Any]:
    return moving("lagrange-top", parameters={"m": 0.9, "g": 1.3, "a": 0.7, "J1": 0.6, "J3": 0.85})


@section.confirmed("§9.5, the Lagrange top: the constants", (493, 494, 495, 496, 497), exhibits=("lagrange-top",))
def lagrange() -> Evidence:
    """ϖ3 = C2, J3 cos θ ϖ3 + (J1 + ma²) sin²θ Ω2 = C1: the angular momentum about the contact, along the axis (J3C2) and
    the vertical.
    """

    def whole(z: Any) -> Any:
        return z.J3 * z.R33 * z.w3 + (z.J1 + z.m * z.a**2) * (1 - z.R33**2) * second(z)

    def axis(s: Any) -> list[Any]:
        x = s.a * matrix(s) @ UP
        P = s.m * hat(x) @ (s.a * s.dot(matrix) @ UP) + matrix(s) @ inertia(s) @ omega(s)
        return [matrix(s)[:, 2] @ P, s.J3 * s.w3]

    def upright(s: Any) -> list[Any]:
        W, w, arm, c = matrix(s), omega(s), s.m * s.a**2, s.R33
        x = s.a * W @ UP
        P = s.m * hat(x) @ (s.a * s.dot(matrix) @ UP) + W @ inertia(s) @ w
        own = UP @ W @ inertia(s) @ w
        return [
            UP @ P,
            arm * UP @ hat(W @ UP) @ W @ hat(w) @ UP + own,
            -arm * UP @ W @ LEVEL @ LEVEL @ w + own,
            -arm * c * s.w3 + UP @ W @ (inertia(s) + arm * np.eye(3)) @ w,
            s.J3 * c * s.w3 + (s.J1 + arm) * (W[2, 0] * s.w1 + W[2, 1] * s.w2),
            whole(s),
        ]

    found = joined(
        equal(_lagrange(), axis, upright),
        identity(
            _lagrange(),
            lambda s: [
                second(s) * (s.J1 + s.m * s.a**2) * (1 - s.R33**2),
                -whole(s),
                s.w3 * s.J3 * s.R33,
            ],
        ),
    )
    still = max(abs(float(s.dot(q))) for s in _lagrange() for q in (whole, lambda z: z.w3))
    wrong = max(
        abs(float(s.dot(lambda z: z.J3 * z.R33 * z.w3 + z.J1 * (1 - z.R33**2) * second(z)))) for s in _lagrange()
    )
    return Evidence(
        max(found.printed, still), None, min(found.mutant or 0, wrong), f"{WITNESS}; a mutant has J1 for J1 + ma²"
    )


@section.confirmed("§9.5, the Lagrange top as a limit", (498, 499, 500), exhibits=("routh-top", "lagrange-top"))
def limit() -> Evidence:
    """With C1, C2 chosen so by C̄1, C̄2, Routh's solution tends to Lagrange's as r → 0, and ϖ3, Ω2 at π/2 do not depend
    on r.
    """
    import mpmath

    m, J1, J3, a, one, two = (mpmath.mpf(e) for e in ("0.9", "0.6", "0.85", "0.7", "1.1", "-0.8"))

    def routh(theta: Any, r: Any, swap: int = 1) -> tuple[Any, Any]:
        c1 = r * J1 / (J1 + m * a**2) * one + swap * a * J3 * two
        c2 = mpmath.sqrt(J1 * J3 + J1 * m * r**2 + J3 * m * a**2) * two
        reach = a + r * mpmath.cos(theta)
        root = mpmath.sqrt(J1 * (J3 + m * r**2 * mpmath.sin(theta) ** 2) + m * J3 * reach**2)
        return c2 / root, (c1 - c2 * J3 * reach / root) / (r * J1 * mpmath.sin(theta) ** 2)

    def top(theta: Any) -> tuple[Any, Any]:
        return two, (one - two * J3 * mpmath.cos(theta)) / ((J1 + m * a**2) * mpmath.sin(theta) ** 2)

    with mpmath.workdps(60):
        small = mpmath.mpf(10) ** -15
        gaps = [abs(x - y) for t in (0.6, 1.3, 2.2) for x, y in zip(routh(t, small), top(t))]
        wrong = [abs(x - y) for t in (0.6, 2.2) for x, y in zip(routh(t, small, -1), top(t))]
        right = mpmath.pi / 2
        gaps += [
            abs(x - y) for r in (mpmath.mpf("0.3"), mpmath.mpf("1.7")) for x, y in zip(routh(right, r), top(right))
        ]
    return Evidence(float(max(gaps)), None, float(max(wrong)), "r = 1e-15 with 60 digits; r = 0.3 and 1.7 at π/2")
