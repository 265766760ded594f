"""Two points whose velocities are orthogonal to the line that joins them; the same as two discs on an axle."""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._along import flows, largest, largest_gap, largest_rate
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Rotation, Trace, heading
from nonholo.model.system import System, varied

TITLE = "Two points with velocities orthogonal to their segment"
GROUP = "Benenti"
PAPERS = "Benenti 2008 §§8.1, 8.2, Remark 7; Zekovich 1991"

SOURCE = "Benenti 2008"
SECOND = (
    "(xdot + rhodot*cos(theta) - rho*sin(theta)*thetadot)**2"
    " + (ydot + rhodot*sin(theta) + rho*cos(theta)*thetadot)**2"
)
FALL = "g*(m1*x + m2*(x + rho*cos(theta)))"
FIRST = "x1dot*(x2 - x1) + y1dot*(y2 - y1)"
SPEEDS = {"v": "xdot*sin(theta) - ydot*cos(theta)", "omega": "thetadot"}
EDGE: Rotation = (("sin(theta)", "0", "cos(theta)"), ("-cos(theta)", "0", "sin(theta)"), ("0", "-1", "0"))
"""A wheel that rolls along the velocities: its axis (body z) lies along the segment."""


def exhibit() -> Exhibit:
    """§8.1 in the coordinates (x, y, θ, ρ) of the paper, on a plane that slopes down along x."""
    return Exhibit(
        name="orthogonal-points",
        title=TITLE,
        group=GROUP,
        system=System(
            name="two points orthogonal to their segment",
            coordinates="x y theta rho",
            parameters="m1 m2 g",
            lagrangian=f"m1/2*(xdot**2 + ydot**2) + m2/2*({SECOND}) + {FALL}",
            constraints=["rho*(xdot*cos(theta) + ydot*sin(theta))", "rho*(xdot*cos(theta) + ydot*sin(theta) + rhodot)"],
            quasivelocities=SPEEDS,
        ),
        parameters={"m1": 1.3, "m2": 0.7, "g": 1.1},
        start={"rho": 0.8, "theta": 0.4, "omega": 0.9, "v": 1.0},
        until=14.0,
        references=(f"{SOURCE}, §§8.1, 8.2, (46)–(49), Remark 7", "Zekovich 1991, Moscow Univ. Math. Bull. 46, 44"),
        units={
            "m1": "kg", "m2": "kg", "g": "m/s²", "x": "m", "y": "m", "theta": "rad", "rho": "m", "v": "m/s",
            "omega": "rad/s",
        },
        starts={"without turning": {"rho": 0.8, "theta": 0.4, "v": 1.0}},
        facts=(
            Fact("ρ is constant on every motion", f"{SOURCE} §8.1", distance),
            Fact("G = [[m, −m₂ρ], [−m₂ρ, m₂ρ²]]", f"{SOURCE} §8.1, corrected", metric),
            Fact("the equations for any active forces", f"{SOURCE} (49), corrected", any_forces),
            Fact("the kinetic energy in (x, y, θ)", f"{SOURCE} (48)", kinetic),
            Fact("the quadratic constraint gives the same motion: it is linear in disguise", f"{SOURCE} §8.1", disguise),
            Fact("a rigid segment changes nothing", f"{SOURCE} §8.2", rigid),
            Fact("two coaxial discs move as points of mass m + C/R²", f"{SOURCE} Remark 7", discs),
            Fact("on the slope: ω = const, v̇ = g sin θ, the path in closed form", "from (49), corrected", on_the_slope),
            Fact("on the level both points go around one centre", "closed form", circles),
        ),
        drawing=_drawing(),
        variants={
            "four Cartesian coordinates": cartesian(FIRST, "x2dot*(x2 - x1) + y2dot*(y2 - y1)"),
            "rigid segment (8.2), parametric (46)": segment(),
            "coaxial rolling discs (Remark 7)": coaxial(),
        },
        story=(
            "Each point may move only across the line to the other. That sounds like a quadratic rule, and was once taken "
            "for one, but it is two plain linear ones: the distance never changes and the pair is a pair of wheels on an "
            "axle."
        ),
    )


def _drawing() -> Drawing:
    wheel = {"radius": "0.2", "width": "0.05"}
    first = {"x": "xdot/2", "y": "ydot/2", "z": "0"}
    second = {"x": "(xdot - rho*thetadot*sin(theta))/2", "y": "(ydot + rho*thetadot*cos(theta))/2", "z": "0"}
    across, along = "x + rho*cos(theta)", "y + rho*sin(theta)"
    return Drawing(
        bodies=(
            Body(
                "rod",
                (f"(x + {across})/2", f"(y + {along})/2", "0.2"),
                heading("theta"),
                {"length": "rho"},
                colour="grey",
            ),
            Body("wheel", ("x", "y", "0.2"), EDGE, wheel, colour="black", label="P1"),
            Body("wheel", (across, along, "0.2"), EDGE, wheel, colour="black", label="P2"),
            Body("arrow", ("x", "y", "0.2"), size=first, colour="firebrick", label="velocity of P1"),
            Body("arrow", (across, along, "0.2"), size=second, colour="steelblue", label="velocity of P2"),
        ),
        traces=(Trace(("x", "y", "0"), "P1"), Trace((across, along, "0"), "P2", "steelblue")),
        plots=(("x", "y"), ("t", "v"), ("t", "rho")),
    )


def cartesian(*constraints: str) -> System:
    """In (x₁, y₁, x₂, y₂)."""
    return System(
        name="two points orthogonal to their segment, Cartesian",
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2 g",
        lagrangian="m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2) + g*(m1*x1 + m2*x2)",
        constraints=constraints,
    )


def segment() -> System:
    """§8.2: points joined by a rigid segment ρ, in the parametric form (46)."""
    return System(
        name="rigid segment moving across itself",
        coordinates="x y theta",
        parameters="m1 m2 g rho",
        lagrangian=f"m1/2*(xdot**2 + ydot**2) + m2/2*({SECOND.replace('rhodot', '0')}) + {FALL}",
        parametric=("v omega", {"xdot": "v*sin(theta)", "ydot": "-v*cos(theta)", "thetadot": "omega"}),
    )


def coaxial() -> System:
    """Remark 7: two rolling discs of radius R that may slide along their common axle; spins ψ₁, ψ₂ about it."""
    across = "xdot*sin(theta) - ydot*cos(theta)"
    turning = "A*thetadot**2 + C/2*(psi1dot**2 + psi2dot**2)"
    return System(
        name="coaxial rolling discs",
        coordinates="x y theta rho psi1 psi2",
        parameters="m1 m2 g R A C",
        lagrangian=f"m1/2*(xdot**2 + ydot**2) + m2/2*({SECOND}) + {turning} + {FALL}",
        constraints=[
            "xdot*cos(theta) + ydot*sin(theta)",
            "xdot*cos(theta) + ydot*sin(theta) + rhodot",
            f"{across} - R*psi1dot",
            f"{across} - rho*thetadot - R*psi2dot",
        ],
        quasivelocities=SPEEDS,
    )


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

    mass = hamel(segment()).mass
    values = {"m1": 1.3, "m2": 0.7, "g": 0.0, "rho": 0.6, "x": 0.1, "y": 0.2, "theta": 0.7, "v": 0.4, "omega": -0.8}
    exact = [[2.0, -0.7 * 0.6], [-0.7 * 0.6, 0.7 * 0.36]]
    return bounded("G = [[m, −m₂ρ], [−m₂ρ, m₂ρ²]]", largest([evaluate_matrix(mass, values) - np.array(exact)]), 1e-12)


def any_forces(exhibit: Exhibit) -> Finding:
    """``v̇ = (Z₁ + Z₂/ρ)/m₁``, ``ω̇ = (Z₁ + (m/m₂) Z₂/ρ)/(m₁ρ)`` with ``Z₁ = A_x sin θ − A_y cos θ``, ``Z₂ = A_θ``."""
    from nonholo.derive.hamel import hamel

    pushed = varied(segment(), inputs="Ax Ay At", forces={"x": "Ax", "y": "Ay", "theta": "At"})
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
        gaps.append(evaluate([segment().lagrangian], {**dict(zip(names, numbers)), "g": 0.0})[0] - exact)
    return bounded("(48)", largest(gaps), 1e-12)


def disguise(exhibit: Exhibit) -> Finding:
    """``v₁ ⟂ P₁P₂`` and ``v₁ × v₂ = 0``, with Chetaev's virtual displacements, against the two linear constraints.

    Only where ``v₁ ≠ 0``: the quadratic constraint has a second branch, ``v₁ = 0`` with any ``v₂``.
    """
    from nonholo.derive.hamel import hamel
    from nonholo.derive.multipliers import multipliers

    zekovich = cartesian(FIRST, "x1dot*y2dot - x2dot*y1dot")
    linear = multipliers(exhibit.variants["four Cartesian coordinates"])
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

    free, bound = hamel(exhibit.system), hamel(segment())
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
