"""Heisenberg system (nonholonomic integrator): published facts and closed forms, with their tests."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import bracket, flows, largest, largest_rate

Vector = Any


def straight(exhibit: Exhibit) -> Finding:
    """``λ = −λ (x² + y²) c`` forces λ = 0, so ẍ = ÿ = z̈ = 0 whatever m and c."""
    from nonholo.derive.multipliers import multipliers
    from nonholo.derive.states.equation_values import solution

    moving = flows(exhibit.system, exhibit.parameters)
    gaps = [np.array(largest_rate(moving, lambda s: s.xdot, lambda s: s.ydot, lambda s: s.zdot))]
    equations = multipliers(exhibit.system)
    for s, _ in moving:
        state = {n: getattr(s, n) for n in ("x", "y", "z", "xdot", "ydot", "zdot")}
        gaps.append(np.array(list(solution(equations, state, exhibit.parameters).unknowns.values())))
    return bounded("straight lines and λ = 0", largest(gaps), 1e-12)


def area(exhibit: Exhibit) -> Finding:
    """Along the start's straight line: ``z(t) = (x0 ẏ0 − y0 ẋ0) t``, the area of the triangles swept, twice."""
    from nonholo.integrate.motion.simulate import simulate

    s = exhibit.start
    run = simulate(exhibit.system, s, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13).data
    t = run["t"].values
    gaps = [
        run["z"].values - (s["x"] * s["ydot"] - s["y"] * s["xdot"]) * t,
        run["x"].values - s["x"] - s["xdot"] * t,
        run["y"].values - s["y"] - s["ydot"] * t,
    ]
    return bounded("z = 2 × area", largest(gaps), 1e-9, f"{exhibit.until:g} s")


def brackets(exhibit: Exhibit) -> Finding:
    """``[∂x − y ∂z, ∂y + x ∂z] = 2 ∂z``, and both fields are allowed."""
    import symengine as se

    def one(q: Vector) -> Vector:
        return np.array([1, 0, -q[1]])

    def two(q: Vector) -> Vector:
        return np.array([0, 1, q[0]])

    q = np.array([0.4, -1.2, 0.7])
    gaps = [bracket(one, two, q) - np.array([0, 0, 2])]
    for field in (one, two):
        numbers = dict(zip(("x", "y", "z", "xdot", "ydot", "zdot"), (*q, *field(q))))
        residual = exhibit.system.constraints[0].xreplace(
            {se.Symbol(n): se.RealDouble(float(e)) for n, e in numbers.items()}
        )
        gaps.append(np.array(float(residual)))
    return bounded("[X, Y] = 2 ∂z", largest(gaps), 1e-13)


def _geodesic(exhibit: Exhibit, speed: float, mu: float, until: float) -> Any:
    """The variational motion from the origin with multiplier μ."""
    from nonholo.derive.vakonomic import vakonomic
    from nonholo.integrate.motion.simulate import simulate

    equations = vakonomic(exhibit.variants["sub-Riemannian"])
    start = {"x": 0.0, "y": 0.0, "z": 0.0, "xdot": speed, "ydot": 0.0, "zdot": 0.0, "mu1": mu}
    return simulate(equations, start, until, {"m": exhibit.parameters["m"]}, rtol=1e-12, atol=1e-13).data


def geodesics(exhibit: Exhibit) -> Finding:
    """``ẍ = −(2μ/m) ẏ``, ``ÿ = (2μ/m) ẋ``: a circle of radius ``ρ = v m/(2μ)``, and ``z = ρ² (φ − sin φ)``."""
    speed, mu, until = 0.8, 0.9, 5.0
    run = _geodesic(exhibit, speed, mu, until)
    rate = 2 * mu / exhibit.parameters["m"]
    radius, angle = speed / rate, rate * run["t"].values
    gaps = [
        run["x"].values - radius * np.sin(angle),
        run["y"].values - radius * (1 - np.cos(angle)),
        run["z"].values - radius**2 * (angle - np.sin(angle)),
        run["mu1"].values - mu,
    ]
    return bounded("circles with z = ρ² (φ − sin φ)", largest(gaps), 1e-9, f"{until:g} s")


def brockett_cost(exhibit: Exhibit) -> Finding:
    """From 0 to (0, 0, a) in unit time: one full circle of area a/2, so ``½∫(u² + v²) dt = ½ (2πρ)² = π a`` with ``a = 2πρ²``."""
    from scipy.integrate import simpson

    a = 0.7
    radius = sqrt(a / (2 * pi))
    speed = 2 * pi * radius
    run = _geodesic(exhibit, speed, pi * exhibit.parameters["m"], 1.0)
    cost = float(simpson((run["xdot"].values ** 2 + run["ydot"].values ** 2) / 2, x=run["t"].values))
    ends = [float(run[n].values[-1]) for n in ("x", "y", "z")]
    return bounded("from 0 to (0, 0, a) at cost π a", largest([np.array(ends) - [0, 0, a], cost - pi * a]), 1e-9)


def different(exhibit: Exhibit) -> Finding:
    """From the same place and velocity: the same motion for μ = 0, a different one for every other μ."""
    from nonholo.derive.hamel import hamel
    from nonholo.derive.vakonomic import vakonomic

    system, values = exhibit.variants["sub-Riemannian"], {"m": exhibit.parameters["m"]}
    start = {"x": 0.5, "y": -0.3, "z": 0.1, "xdot": 0.4, "ydot": 0.9, "zdot": 0.5 * 0.9 + 0.3 * 0.4}
    mechanics = hamel(system)
    one = mechanics.rates({n: start[n] for n in (*("x", "y", "z"), *map(str, mechanics.speeds))}, values)
    gaps = []
    for mu in (0.0, 0.7):
        two = vakonomic(system).rates({**start, "mu1": mu}, values)
        gaps.append(max(abs(one[n] - two[n]) for n in ("xdot", "ydot")))
    holds = gaps[0] < 1e-12 and abs(gaps[1] - 2 * 0.7 / values["m"] * 0.9) < 1e-12
    return Finding(
        "they differ unless μ = 0", "holds" if holds else "fails", gaps[1], "difference of accelerations for μ = 0.7"
    )


FACTS = (
    Fact("mechanical motions are straight lines, without reaction", "closed form", straight),
    Fact("z rises by twice the area that the shadow sweeps", "Stokes", area),
    Fact("the allowed directions bracket to 2 ∂z", "Heisenberg algebra", brackets),
    Fact("variational motions are circles, with pace 2μ/m", "Brockett 1981", geodesics),
    Fact("the cheapest way to rise by a costs π a", "Brockett 1981", brockett_cost),
    Fact("mechanical and variational motions differ", "Notices 2005, history and Further Topics", different),
)
