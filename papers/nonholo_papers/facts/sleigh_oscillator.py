"""Chaplygin sleigh with an oscillator: published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import flows, largest, largest_gap

Vector = Any


def _first(s: Any) -> tuple[Any, Any]:
    """``p1 = (J + m r²) ξ1``, ``p2 = (M + m) Ω2``, from the plain rates."""
    along = s.xdot * np.cos(s.theta) + s.ydot * np.sin(s.theta)
    return (s.J + s.m * s.r**2) * s.thetadot, (s.M + s.m) * along + s.m * s.rdot


def _second(s: Any) -> tuple[Any, Any]:
    """The same along ``e1 = (J + m r²)^(−m/(2(M + m)))``."""
    one, two = _first(s)
    return one * (s.J + s.m * s.r**2) ** (-s.m / (2 * (s.M + s.m))), two


def _moving(exhibit: Exhibit) -> list[Any]:
    return [
        *flows(exhibit.system, exhibit.parameters, 4),
        *flows(exhibit.variants["second frame"], exhibit.parameters, 4),
    ]


def printed_lagrangian(exhibit: Exhibit) -> Finding:
    """l(r, ṙ, ξ), l(r, ṙ, Ω) and the second frame's l (cross term with exponent −m/(2(M + m))), off the constraint."""
    from nonholo.algebra.linear_equations import evaluate

    v = exhibit.parameters
    m, big, J, k = (v[n] for n in ("m", "M", "J", "k"))
    random = np.random.default_rng(8)
    gaps = []
    for _ in range(4):
        r, rdot, one, two, three, theta = random.uniform(-1, 1, 6)
        c, s = np.cos(theta), np.sin(theta)
        rates = {"rdot": rdot, "thetadot": one, "xdot": two * c - three * s, "ydot": two * s + three * c}
        doubled = 2 * evaluate([exhibit.system.lagrangian], {**v, "r": r, "theta": theta, "x": 0.1, "y": 0.2, **rates})
        inertia, total = J + m * r**2, big + m
        first = (
            m * rdot**2 + 2 * m * rdot * two + inertia * one**2 + 2 * m * r * one * three + total * (two**2 + three**2)
        )
        both = two + m / total * rdot
        second = big * m / total * rdot**2 + inertia * one**2 + 2 * m * r * one * three + total * (both**2 + three**2)
        scaled = one * inertia ** (m / (2 * total))
        third = big * m / total * rdot**2 + inertia ** (big / total) * scaled**2 + total * (both**2 + three**2)
        third += 2 * m * r * inertia ** (-m / (2 * total)) * scaled * three
        gaps += [doubled - (form - k * r**2) for form in (first, second, third)]
    return bounded("the three forms of the Lagrangian", largest(gaps), 1e-12)


def connection(exhibit: Exhibit) -> Finding:
    """``A = (0, m/(M + m), 0)``: with Ω = ξ + A ṙ the constrained kinetic energy has no cross term, here in our own metric."""
    from nonholo.algebra.linear_equations import evaluate_matrix
    from nonholo.derive.hamel import hamel

    equations = hamel(exhibit.system)
    names = [str(s) for s in equations.speeds]
    values = {**exhibit.parameters, "r": 0.37, "theta": 1.1, "x": 0.2, "y": -0.4, **dict.fromkeys(names, 0.3)}
    mass = evaluate_matrix(equations.mass, values)
    v = exhibit.parameters
    total = v["M"] + v["m"]
    wanted = {"u": v["M"] * v["m"] / total, "Omega1": v["J"] + v["m"] * 0.37**2, "Omega2": total}
    return bounded(
        "the constrained metric is block diagonal", largest([mass - np.diag([wanted[n] for n in names])]), 1e-12
    )


def first_frame(exhibit: Exhibit) -> Finding:
    """(6.5) for r, p1, p2."""

    def expected(s: Any, rates: Any) -> Vector:
        one, two = _first(s)
        inertia, total = s.J + s.m * s.r**2, s.M + s.m
        shape = (s.M * s.m * s.r / (total * inertia**2) * one**2 - s.k * s.r) * total / (s.M * s.m)
        turn = -s.m * s.r / (total * inertia) * one * two + s.m**2 * s.r / (total * inertia) * one * s.rdot
        return np.array([shape, turn, s.m * s.r / inertia**2 * one**2])

    gap = largest_gap(_moving(exhibit), lambda s: np.array([s.rdot, *_first(s)]), expected)
    return bounded("(6.5)", gap, 1e-11, "4 generic states in each frame")


def second_frame(exhibit: Exhibit) -> Finding:
    """(6.6)–(6.8); the system's own Ω1 in that frame belongs to the same momentum."""

    def expected(s: Any, rates: Any) -> Vector:
        one, two = _second(s)
        inertia, total = s.J + s.m * s.r**2, s.M + s.m
        power = inertia ** (s.M / total + 1)
        shape = (s.M * s.m * s.r / (total * power) * one**2 - s.k * s.r) * total / (s.M * s.m)
        return np.array([shape, -s.m * s.r / (total * inertia) * one * two, s.m * s.r / power * one**2])

    gap = largest_gap(_moving(exhibit), lambda s: np.array([s.rdot, *_second(s)]), expected)
    own = [
        s.Omega1 * (s.J + s.m * s.r**2) ** (s.M / (s.M + s.m)) - _second(s)[0]
        for s, _ in flows(exhibit.variants["second frame"], exhibit.parameters, 4)
    ]
    return bounded("(6.6)–(6.8)", max(gap, largest(own)), 1e-11, "4 generic states in each frame")


def _reduced_flow(exhibit: Exhibit) -> Any:
    """``(r, ṙ, p1, p2) ↦`` its rate in the second frame, from hamel's equations there."""
    from nonholo.derive.hamel import hamel

    v = exhibit.parameters
    m, big, J = v["m"], v["M"], v["J"]
    equations = hamel(exhibit.variants["second frame"])

    def flow(z: Vector) -> Vector:
        r, rdot, one, two = z
        inertia = (J + m * r**2) ** (big / (big + m))
        slope = big / (big + m) * inertia / (J + m * r**2) * 2 * m * r * rdot
        state = {
            "r": r,
            "theta": 0.3,
            "x": 0.1,
            "y": 0.2,
            "rdot": rdot,
            "Omega1": one / inertia,
            "Omega2": two / (big + m),
        }
        found = equations.rates(state, v)
        return np.array(
            [rdot, found["u"], inertia * found["Omega1"] + slope * state["Omega1"], (big + m) * found["Omega2"]]
        )

    return flow


def equilibria(exhibit: Exhibit) -> Finding:
    """At ``r = 0, ṙ = 0`` nothing changes for any p; away from r = 0 something does."""
    flow = _reduced_flow(exhibit)
    rest = largest([flow(np.array([0.0, 0.0, one, two])) for one, two in ((0.7, -0.3), (0.0, 1.2), (-1.1, 0.0))])
    away = min(
        float(np.max(np.abs(flow(np.array([r, 0.0, one, 0.4]))))) for r in (-0.5, 0.2, 1.3) for one in (0.0, 0.9, 2.5)
    )
    evidence = f"smallest change with r ≠ 0: {away:.2g}"
    return Finding(
        "relative equilibria are exactly r = 0", "holds" if rest < 1e-13 and away > 1e-3 else "fails", rest, evidence
    )


def discrete_symmetries(exhibit: Exhibit) -> Finding:
    """(i)–(iv): with ``S`` the change of (r, ṙ, p1, p2) and σ = ±1 of time, ``f(S z) = σ S f(z)``."""
    flow = _reduced_flow(exhibit)
    changes = {
        "(i)": (1, (1, 1, -1, 1)),
        "(ii)": (1, (-1, -1, 1, -1)),
        "(iii)": (-1, (-1, 1, 1, 1)),
        "(iv)": (-1, (1, -1, 1, -1)),
    }
    gaps = []
    for z in (np.array([0.4, -0.7, 0.9, 0.3]), np.array([-1.1, 0.2, -0.5, 1.4])):
        for time, signs in changes.values():
            gaps.append(flow(np.array(signs) * z) - time * np.array(signs) * flow(z))
    return bounded("invariant under (i)–(iv)", largest(gaps), 1e-12, "2 generic states")


def straight(exhibit: Exhibit) -> Finding:
    """``r = (ṙ0/ω) sin ω t``, θ constant, ``p2`` constant."""
    from nonholo.integrate.motion.simulate import simulate

    v = exhibit.parameters
    start = exhibit.starts["straight"]
    run = simulate(exhibit.system, start, 12.0, v, rtol=1e-12, atol=1e-13).data
    rate = np.sqrt(v["k"] * (v["M"] + v["m"]) / (v["M"] * v["m"]))
    wanted = start["u"] / rate * np.sin(rate * run["t"].values)
    gaps = [run["r"].values - wanted, run["theta"].values, run["Omega2"].values - start["Omega2"]]
    return bounded("the mass oscillates with ω", largest(gaps), 1e-9, f"ω = {rate:.6g} 1/s, 12 s")


def _period(exhibit: Exhibit, start: Any) -> float:
    """2τ: the second return of r to 0, found as an event."""
    from nonholo.integrate.motion.simulate import simulate

    run = simulate(exhibit.system, start, 20.0, exhibit.parameters, rtol=1e-12, atol=1e-13, events=["r"])
    times = [t for t in next(iter(run.events.values())) if t > 1e-6]
    return float(times[1])


def integrable(exhibit: Exhibit) -> Finding:
    """From ``r(0) = 0``: r is odd and p even in time, and after two zeros of r the reduced state is back, ten times over."""
    from nonholo.integrate.motion.simulate import simulate

    v = exhibit.parameters
    period = _period(exhibit, exhibit.start)
    names = ("r", "rdot", "Omega1", "Omega2")
    times = np.arange(11) * period
    run = simulate(exhibit.system, exhibit.start, times[-1], v, rtol=1e-12, atol=1e-13, t_eval=times).data
    gaps = [run[n].values - run[n].values[0] for n in names]
    ahead, behind = (
        simulate(exhibit.system, exhibit.start, side * period / 3, v, rtol=1e-12, atol=1e-13, t_eval="end").final
        for side in (1, -1)
    )
    gaps += [ahead[n] - sign * behind[n] for n, sign in zip(names, (-1, 1, 1, 1))]
    return bounded("the reduced motion returns after 2τ", largest(gaps), 1e-7, f"2τ = {period:.8g} s, ten periods")


def group_element(exhibit: Exhibit) -> Finding:
    """``g(t + 2τ) g(t)⁻¹`` is the same element of SE(2) at every t."""
    from nonholo.integrate.motion.simulate import simulate

    period = _period(exhibit, exhibit.start)
    parts = np.linspace(0, 1, 6)[:-1] * period
    times = np.sort(np.concatenate([parts, parts + period]))
    run = simulate(
        exhibit.system, exhibit.start, times[-1], exhibit.parameters, rtol=1e-12, atol=1e-13, t_eval=times
    ).data

    def element(k: int) -> Vector:
        theta, x, y = (float(run[n].values[k]) for n in ("theta", "x", "y"))
        return np.array([[np.cos(theta), -np.sin(theta), x], [np.sin(theta), np.cos(theta), y], [0, 0, 1]])

    found = [element(k + len(parts)) @ np.linalg.inv(element(k)) for k in range(len(parts))]
    return bounded("one h carries every period to the next", largest([h - found[0] for h in found]), 1e-7)


FACTS = (
    Fact("the printed reduced Lagrangian", "BMZ 2009 §6.3", printed_lagrangian),
    Fact("the nonholonomic connection", "BMZ 2009 §6.3, Definition 4.2", connection),
    Fact("the reduced dynamics in the first frame", "BMZ 2009 (6.5)", first_frame),
    Fact("the reduced dynamics in the second frame", "BMZ 2009 (6.6)–(6.8)", second_frame),
    Fact("the relative equilibria are r = 0", "BMZ 2009 §6.3", equilibria),
    Fact("the four discrete symmetries", "BMZ 2009 §6.3, (i)–(iv)", discrete_symmetries),
    Fact("going straight, the mass oscillates with ω² = k (M + m)/(M m)", "BMZ 2009 (6.11)", straight),
    Fact("the reduced motion has period 2τ", "BMZ 2009 §6.3", integrable),
    Fact("g(t + 2τ) = h g(t) with one h", "BMZ 2009, after Theorem 6.1", group_element),
)
