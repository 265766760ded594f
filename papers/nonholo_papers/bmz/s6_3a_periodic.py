"""§6.3: relative equilibria, symmetries and periodic motions of the sleigh with an oscillator."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.bmz.s6_3_oscillator import OSCILLATOR, VALUES
from nonholo_papers.claim import Evidence
from nonholo_papers.evidence import generic
from nonholo_papers.section import Section

Array = Any
section = Section("bmz", "6.3 Discrete symmetries and integrability")
section.rest("initial conditions, given", 177, 178)


def flow(y: Array, v: Any = SimpleNamespace(**VALUES)) -> Array:  # noqa: B008
    """(6.6)–(6.8) as printed, for y = (r, ṙ, p1, p2)."""
    r, rdot, p1, p2 = y
    i, whole = v.J + v.m * r**2, v.M + v.m
    power = i ** (v.M / whole + 1)
    force = v.M * v.m * r / (whole * power) * p1**2 - v.k * r
    return np.array([rdot, force * whole / (v.M * v.m), -v.m * r / (whole * i) * p1 * p2, v.m * r / power * p1**2])


@section.confirmed("§6.3, relative equilibria", 168, exhibits=OSCILLATOR)
def relative_equilibria() -> Evidence:
    """Equilibria of (6.6)–(6.8) are r = 0 with any p: (6.8) asks for r p1 = 0, (6.6) then for r = 0."""
    still = max(float(np.max(np.abs(flow(np.array([0.0, 0.0, p.a, p.b]))))) for p in generic("", signed="a b"))
    off = min(
        float(np.max(np.abs(flow(np.array([p.r, 0.0, p.a, p.b]))))) for p in generic("", signed="a b r", count=12)
    )
    straight = min(float(np.max(np.abs(flow(np.array([p.r, 0.0, 0.0, p.b]))))) for p in generic("", signed="b r"))
    return Evidence(still, mutant=min(off, straight), words="rates at r = 0 and elsewhere")


@section.confirmed("§6.3, discrete symmetries (i)–(iv)", (169, 170), exhibits=OSCILLATOR)
def discrete_symmetries() -> Evidence:
    """(r, −p1, p2), (−r, p1, −p2), and with time reversed (−r, p) and (r, p1, −p2)."""
    maps = {
        "i": (1, np.array([1, 1, -1, 1])),
        "ii": (1, np.array([-1, -1, 1, -1])),
        "iii": (-1, np.array([-1, 1, 1, 1])),
        "iv": (-1, np.array([1, -1, 1, -1])),
    }
    wrong = (1, np.array([-1, -1, 1, 1]))

    def size(sign: int, matrix: Array) -> float:
        points = [np.array([p.a, p.b, p.c, p.d]) for p in generic("", signed="a b c d")]
        return max(float(np.max(np.abs(flow(matrix * y) - sign * matrix * flow(y)))) for y in points)

    return Evidence(
        max(size(*m) for m in maps.values()),
        mutant=size(*wrong),
        words="the printed vector field; (−r, p1, p2) is no symmetry",
    )


def _solution(start: Array, until: float = 10.0) -> Any:
    from scipy.integrate import solve_ivp

    return solve_ivp(lambda _, y: flow(y), (0, until), start, rtol=1e-12, atol=1e-13, dense_output=True).sol


START = np.array([0.0, 0.7, 0.9, 0.5])


@section.confirmed("§6.3, (6.9), (6.10): r odd, p even", (171, 172, 173), exhibits=OSCILLATOR)
def parity() -> Evidence:
    """From r(0) = 0: r(−t) = −r(t), p(−t) = p(t), by integrating both ways."""
    forward, backward = _solution(START, 6.0), _solution(START, -6.0)
    times = np.linspace(0.3, 5.9, 7)
    one, two = forward(times), backward(-times)
    gap = max(
        float(np.max(np.abs(one[0] + two[0]))),
        float(np.max(np.abs(one[2:] - two[2:]))),
        float(np.max(np.abs(one[1] - two[1]))),
    )
    return Evidence(gap, mutant=float(np.max(np.abs(one[0] - two[0]))), words="(6.6)–(6.8) integrated from 0 to ±6 s")


@section.confirmed("§6.3, p1 = 0: harmonic r, (6.11)", (174, 175, 176), exhibits=OSCILLATOR)
def straight() -> Evidence:
    """With p1 = 0, p2 is constant and r = A cos ωt + B sin ωt, ω² = k(M + m)/(Mm); from r(0) = 0, r = ṙ0/ω sin ωt."""
    v = SimpleNamespace(**VALUES)
    frequency = np.sqrt(v.k * (v.M + v.m) / (v.M * v.m))
    times = np.linspace(0.4, 9.7, 6)
    run = _solution(np.array([0.3, 0.7, 0.0, 0.5]), 10.0)(times)
    own = _solution(np.array([0.0, 0.7, 0.0, 0.5]), 10.0)(times)

    def gap(w: float) -> float:
        closed = 0.3 * np.cos(w * times) + 0.7 / w * np.sin(w * times)
        start = 0.7 / w * np.sin(w * times)
        return float(
            max(np.max(np.abs(run[0] - closed)), np.max(np.abs(own[0] - start)), np.max(np.abs(run[2:] - [[0], [0.5]])))
        )

    return Evidence(
        gap(frequency), mutant=gap(np.sqrt(v.k / (v.M + v.m))), words="integrated to 10 s against the closed form"
    )


@lru_cache
def half_period(p1: float, rdot: float = 0.7, p2: float = 0.5) -> float:
    """The first τ > 0 with r(τ) = 0."""
    from scipy.integrate import solve_ivp

    def crossing(t: float, y: Array) -> float:
        return float(y[0])

    crossing.direction = -1.0  # type: ignore[attr-defined]
    crossing.terminal = True  # type: ignore[attr-defined]
    run = solve_ivp(lambda _, y: flow(y), (0, 400), [0, rdot, p1, p2], rtol=1e-12, atol=1e-13, events=crossing)
    return float(run.t_events[0][0])


@section.confirmed("§6.3, r(τ) = 0: the reduced motion has period 2τ", 179, exhibits=OSCILLATOR)
def periodic() -> Evidence:
    """Motions from r = 0 return to r = 0 at a τ, and r, p1, p2 are 2τ-periodic (also for p1 that are not small)."""
    gaps, halves = [], []
    for p1, rdot, p2 in ((0.05, 0.7, 0.5), (0.9, 0.7, 0.5), (4.0, 1.1, -0.8)):
        tau = half_period(p1, rdot, p2)
        start = np.array([0.0, rdot, p1, p2])
        run, period = _solution(start), 2 * tau
        gaps.append(float(np.max(np.abs(run(period) - start))))
        halves.append(float(np.max(np.abs(run(period / 2) - start))))
    return Evidence(max(gaps), mutant=min(halves), words="three starts, integrated over 2τ")


@section.confirmed("§6.3, figure 6.3: closed curves in (r, p1, p2)", "Figure 6.3", exhibits=OSCILLATOR)
def closed_curve() -> Evidence:
    """A generic reduced trajectory is a closed curve in the product of the shape and momentum spaces."""
    run, period = _solution(START), 2 * half_period(0.9)
    times = np.linspace(0.1, 2.9, 7)
    one, half, two = run(times), run(times + period / 2), run(times + period)
    spread = float(np.min(np.ptp(one[[0, 2, 3]], axis=1)))
    return Evidence(
        float(np.max(np.abs(one - two))),
        mutant=min(spread, float(np.max(np.abs(one - half)))),
        words="the second turn lies on the first; the curve is not a point",
    )


def _reconstructed(p1: float, rdot: float, p2: float) -> tuple[Array, ...]:
    """Group positions at 0, 2τ, 0.7τ, 2.7τ, τ and 1.7τ, by ġ = g(Ω − 𝒜ṙ)."""
    from scipy.integrate import solve_ivp

    v = SimpleNamespace(**VALUES)
    tau = half_period(p1, rdot, p2)

    def rates(_: float, y: Array) -> Array:
        r, d, one, two = y[:4]
        old = one * (v.J + v.m * r**2) ** (v.m / (2 * (v.M + v.m)))
        spin = old / (v.J + v.m * r**2)
        speed = two / (v.M + v.m) - v.m / (v.M + v.m) * d
        return np.concatenate([flow(y[:4]), [spin, speed * np.cos(y[4]), speed * np.sin(y[4])]])

    start = [0, rdot, p1, p2, 0.3, 0.1, -0.2]
    run = solve_ivp(rates, (0, 10.0), start, rtol=1e-12, atol=1e-13, dense_output=True).sol
    return tuple(_group(run(t * tau)[4:]) for t in (0.0, 2.0, 0.7, 2.7, 1.0, 1.7))


def _group(q: Array) -> Array:
    c, d = np.cos(q[0]), np.sin(q[0])
    return np.array([[c, -d, q[1]], [d, c, q[2]], [0, 0, 1]])


@section.confirmed("§6.3, figure 6.4: g(t + 2τ) = h g(t)", "Figure 6.4", exhibits=OSCILLATOR)
def pattern() -> Evidence:
    """One group element h carries every point of the trajectory to the point a period later."""
    g0, g2, ga, gb, g1, gc = _reconstructed(0.9, 0.7, 0.5)
    one, two = g2 @ np.linalg.inv(g0), gb @ np.linalg.inv(ga)
    right_action = float(np.max(np.abs(np.linalg.inv(g0) @ g2 - np.linalg.inv(ga) @ gb)))
    half = float(np.max(np.abs(g1 @ np.linalg.inv(g0) - gc @ np.linalg.inv(ga))))
    return Evidence(
        float(np.max(np.abs(one - two))),
        mutant=min(right_action, half),
        words="h from t = 0 and from t = 0.7τ; g⁻¹(t) g(t + 2τ) varies, and so does g(t + τ) g⁻¹(t)",
    )


@section.conditional(
    "Theorem 6.1",
    "Theorem 6.1",
    printed="generic motions are quasi-periodic, on tori of dimension two",
    reason="p1 ≠ 0: then θ turns by a fixed angle each period, h is a rotation, and the motion closes up to it. "
    "The motions with p1 = 0 "
    "(a set of codimension one) drift away along a line.",
    harm=1,
    breaks="Nothing for generic starts; the straight motions (6.11) are unbounded.",
    exhibits=OSCILLATOR,
    kind="convention",
)
def tori() -> Evidence:
    """Motions stay bounded: h is a rotation about a fixed point."""

    def offset(p1: float) -> float:
        g0, g2, *_ = _reconstructed(p1, 0.7, 0.5)
        h = g2 @ np.linalg.inv(g0)
        return float(np.hypot(1 - h[0, 0], h[1, 0]))  # 0 for a translation

    def returns(p1: float) -> float:
        """How far h is from turning about a fixed centre."""
        g0, g2, *_ = _reconstructed(p1, 0.7, 0.5)
        h = g2 @ np.linalg.inv(g0)
        if offset(p1) < 1e-9:
            return float(np.hypot(h[0, 2], h[1, 2]))
        centre = np.linalg.solve(np.eye(2) - h[:2, :2], h[:2, 2])
        return float(np.max(np.abs(h[:2, :2] @ centre + h[:2, 2] - centre)))

    return Evidence(
        returns(0.0),
        max(returns(0.9), returns(4.0)),
        None,
        "p1 = 0.9 and 4: a rotation; p1 = 0: a translation each period",
    )
