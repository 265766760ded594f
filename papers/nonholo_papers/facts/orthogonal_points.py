"""Two points with velocities orthogonal to their segment: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.model.system import varied
from nonholo_papers.facts._random_states import flows, largest, largest_gap, largest_rate

SOURCE = "Benenti 2008"
SEGMENT = "rigid segment (8.2), parametric (46)"


def distance(exhibit: Exhibit) -> Finding:
    """``ρ ρ̇ = 0``: a consequence of the two constraints."""
    systems = (exhibit.system, exhibit.variants["coaxial rolling discs (Remark 7)"])
    values = {**exhibit.parameters, "R": 0.3, "A": 0.05, "C": 0.08}
    worst = max(largest(r.rho for _, r in flows(s, {n: values[n] for n in s.parameters})) for s in systems)
    apart = largest_rate(
        flows(exhibit.variants["four Cartesian coordinates"], exhibit.parameters),
        lambda s: (s.x2 - s.x1) ** 2 + (s.y2 - s.y1) ** 2,
    )
    return bounded("ρ' = 0 in all coordinates", max(worst, apart), 1e-12)


def metric(exhibit: Exhibit) -> Finding:
    """``G₁₂ = g₁₃ ψ¹₁ ψ³₂ + g₂₃ ψ²₁ ψ³₂ = −m₂ρ``; the paper counts it twice."""
    from nonholo.algebra.linear_equations import evaluate_matrix
    from nonholo.derive.hamel import hamel

    mass = hamel(exhibit.variants[SEGMENT]).mass
    values = {"m1": 1.3, "m2": 0.7, "g": 0.0, "rho": 0.6, "x": 0.1, "y": 0.2, "theta": 0.7, "v": 0.4, "omega": -0.8}
    exact = [[2.0, -0.7 * 0.6], [-0.7 * 0.6, 0.7 * 0.36]]
    return bounded("G = [[m, −m₂ρ], [−m₂ρ, m₂ρ²]]", largest([evaluate_matrix(mass, values) - np.array(exact)]), 1e-12)


def any_forces(exhibit: Exhibit) -> Finding:
    """``v̇ = (Z₁ + Z₂/ρ)/m₁``, ``ω̇ = (Z₁ + (m/m₂) Z₂/ρ)/(m₁ρ)`` with ``Z₁ = A_x sin θ − A_y cos θ``, ``Z₂ = A_θ``."""
    from nonholo.derive.hamel import hamel

    pushed = varied(exhibit.variants[SEGMENT], inputs="Ax Ay At", forces={"x": "Ax", "y": "Ay", "theta": "At"})
    equations = hamel(pushed)
    m1, m2, rho = 1.3, 0.7, 0.6
    worst = 0.0
    for theta, (ax, ay, at) in ((0.7, (0.4, -1.1, 0.8)), (2.2, (-0.9, 0.3, -1.4))):
        state = {"x": 0.1, "y": -0.3, "theta": theta, "v": 0.9, "omega": -1.2, "Ax": ax, "Ay": ay, "At": at}
        found = equations.rates(state, {"m1": m1, "m2": m2, "g": 0.0, "rho": rho})
        across = ax * sin(theta) - ay * cos(theta)
        exact = ((across + at / rho) / m1, (across + (m1 + m2) / m2 * at / rho) / (m1 * rho))
        worst = max(worst, abs(found["v"] - exact[0]), abs(found["omega"] - exact[1]))
    return bounded("(49) with G₁₂ = −m₂ρ", worst, 1e-12)


def kinetic(exhibit: Exhibit) -> Finding:
    """``½ m (ẋ² + ẏ²) + ½ m₂ ρ (ρ θ̇² − 2 sin θ ẋ θ̇ + 2 cos θ ẏ θ̇)`` for all velocities."""
    from nonholo.algebra.linear_equations import evaluate

    random = np.random.default_rng(2)
    names = ("m1", "m2", "rho", "x", "theta", "xdot", "ydot", "thetadot")
    gaps = []
    for _ in range(5):
        m1, m2, rho, _, theta, xdot, ydot, turning = numbers = random.uniform(0.2, 1.5, 8)
        exact = (m1 + m2) / 2 * (xdot**2 + ydot**2)
        exact += m2 / 2 * rho * (rho * turning**2 - 2 * sin(theta) * xdot * turning + 2 * cos(theta) * ydot * turning)
        gaps.append(evaluate([exhibit.variants[SEGMENT].lagrangian], {**dict(zip(names, numbers)), "g": 0.0})[0] - exact)
    return bounded("(48)", largest(gaps), 1e-12)


def disguise(exhibit: Exhibit) -> Finding:
    """``v₁ ⟂ P₁P₂`` and ``v₁ × v₂ = 0``, with Chetaev's virtual displacements, against the two linear constraints.

    Only where ``v₁ ≠ 0``: the quadratic constraint has a second branch, ``v₁ = 0`` with any ``v₂``.
    """
    from nonholo.derive.hamel import hamel
    from nonholo.derive.multipliers import multipliers

    cartesian = exhibit.variants["four Cartesian coordinates"]
    zekovich = varied(cartesian, constraints=[cartesian.constraints[0], "x1dot*y2dot - x2dot*y1dot"])
    linear = multipliers(cartesian)
    gaps = []
    for angle, one, two in ((0.6, 0.9, -1.4), (2.0, -0.5, -0.8)):
        state = {"x1": 0.2, "y1": 0.1, "x2": 0.2 + 1.2 * cos(angle), "y2": 0.1 + 1.2 * sin(angle)}
        for i, speed in ((1, one), (2, two)):
            state |= {f"x{i}dot": speed * sin(angle), f"y{i}dot": -speed * cos(angle)}
        found, exact = (e.rates(state, exhibit.parameters) for e in (hamel(zekovich, at=state), linear))
        gaps += [found[n] - exact[n] for n in ("x1dot", "y1dot", "x2dot", "y2dot")]
    return bounded("same accelerations", largest(gaps), 1e-11)


def rigid(exhibit: Exhibit) -> Finding:
    """§8.2 has the accelerations of §8.1 at the same ρ."""
    from nonholo.derive.hamel import hamel

    free, bound = hamel(exhibit.system), hamel(exhibit.variants[SEGMENT])
    gaps = []
    for theta, v, omega in ((0.7, 0.4, -0.8), (2.5, -1.3, 0.6)):
        state = {"x": 0.3, "y": -0.2, "theta": theta, "v": v, "omega": omega}
        one = free.rates({**state, "rho": 0.6}, exhibit.parameters)
        two = bound.rates(state, {**exhibit.parameters, "rho": 0.6})
        gaps += [one[n] - two[n] for n in ("x", "y", "theta", "v", "omega")]
    return bounded("same rates as with ρ free", largest(gaps), 1e-12)


def discs(exhibit: Exhibit) -> Finding:
    """``Σ (mᵢ + C/R²) vᵢ²/2 + A ω²`` with ``v₁ = v``, ``v₂ = v − ρω``; by hand ``d/dt ∂K/∂v = −∂U`` along each speed."""
    values = {**exhibit.parameters, "R": 0.3, "A": 0.05, "C": 0.08}
    added = values["C"] / values["R"] ** 2
    one, two = values["m1"] + added, values["m2"] + added
    moving = flows(exhibit.variants["coaxial rolling discs (Remark 7)"], values)
    forward = largest_gap(
        moving,
        lambda s: one * s.v + two * (s.v - s.rho * s.omega),
        lambda s, r: (s.m1 + s.m2) * s.g * np.sin(s.theta),
    )
    turning = largest_gap(
        moving,
        lambda s: -two * s.rho * (s.v - s.rho * s.omega) + 2 * s.A * s.omega,
        lambda s, r: -s.m2 * s.g * s.rho * np.sin(s.theta),
    )
    return bounded("as points of mass m + C/R²", max(forward, turning), 1e-11)


def on_the_slope(exhibit: Exhibit) -> Finding:
    """``v = v₀ − (g/ω)(cos θ − cos θ₀)`` and ``ẋ = v sin θ``, ``ẏ = −v cos θ`` integrated over θ."""
    from nonholo.integrate.motion.simulate import simulate

    s, g = exhibit.start, exhibit.parameters["g"]
    data = simulate(exhibit.system, s, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13).data
    w, start = s["omega"], s["theta"]
    theta = start + w * data["t"].values
    base = s["v"] + g / w * cos(start)
    x = (-base * (np.cos(theta) - cos(start)) - g / w * (np.sin(theta) ** 2 - sin(start) ** 2) / 2) / w
    half = (theta - start) / 2 + (np.sin(2 * theta) - sin(2 * start)) / 4
    y = (-base * (np.sin(theta) - sin(start)) + g / w * half) / w
    exact = {"x": x, "y": y, "theta": theta, "v": base - g / w * np.cos(theta)}
    gap = largest(data[n].values - e for n, e in exact.items())
    return bounded("x, y, θ, v at all times", gap, 1e-9)


def circles(exhibit: Exhibit) -> Finding:
    """With g = 0: P₁ on a circle of radius v/ω, P₂ on one of radius v/ω − ρ, both about ``P₁ + (v/ω)(cos θ, sin θ)``."""
    from nonholo.integrate.motion.simulate import simulate

    s = exhibit.start
    data = simulate(exhibit.system, s, 7.0, {**exhibit.parameters, "g": 0.0}, rtol=1e-12, atol=1e-13).data
    radius = s["v"] / s["omega"]
    centre = radius * np.exp(1j * s["theta"])
    one = data["x"].values + 1j * data["y"].values
    two = one + data["rho"].values * np.exp(1j * data["theta"].values)
    gap = largest([abs(one - centre) - radius, abs(two - centre) - abs(radius - s["rho"])])
    speeds = largest([data["v"].values - s["v"], data["omega"].values - s["omega"]])
    return bounded("two concentric circles", max(gap, speeds) / sqrt(1 + radius**2), 1e-9)


FACTS = (
    Fact("ρ is constant on every motion", f"{SOURCE} §8.1", distance),
    Fact("G = [[m, −m₂ρ], [−m₂ρ, m₂ρ²]]", f"{SOURCE} §8.1, corrected", metric),
    Fact("the equations for any active forces", f"{SOURCE} (49), corrected", any_forces),
    Fact("the kinetic energy in (x, y, θ)", f"{SOURCE} (48)", kinetic),
    Fact("the quadratic constraint gives the same motion: it is linear in disguise", f"{SOURCE} §8.1", disguise),
    Fact("a rigid segment changes nothing", f"{SOURCE} §8.2", rigid),
    Fact("two coaxial discs move as points of mass m + C/R²", f"{SOURCE} Remark 7", discs),
    Fact("on the slope: ω = const, v̇ = g sin θ, the path in closed form", "from (49), corrected", on_the_slope),
    Fact("on the level both points go around one centre", "closed form", circles),
)
