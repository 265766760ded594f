"""The Chaplygin sleigh: a body on a plane with one knife edge, its centre of mass ahead of the edge."""

from __future__ import annotations

from math import cosh, pi, sqrt, tanh

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Trace, heading
from nonholo.model.symmetry import planar_motion
from nonholo.model.system import System

TITLE = "Chaplygin sleigh (unbalanced)"
GROUP = "Bloch–Marsden–Zenkov"
PAPERS = "BMZ 2009 §6.1; Notices 2005 (19)"


def exhibit() -> Exhibit:
    """The sleigh of BMZ 2009 §6.1, with body momenta and the closed motion."""
    system = System(
        name="Chaplygin sleigh",
        coordinates="theta x y",
        parameters="m J a",
        lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},
        symmetry=planar_motion("x", "y", "theta"),
    )
    return Exhibit(
        name="chaplygin-sleigh",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 1.3, "J": 0.7, "a": 0.4},
        start={"omega": 1.5, "v": -1.0},
        until=12.0,
        references=("BMZ 2009, §6.1, (6.1)–(6.4)", "Notices 2005, (19)", "Chaplygin 1911"),
        units={"m": "kg", "J": "kg m²", "a": "m", "x": "m", "y": "m", "theta": "rad", "omega": "rad/s", "v": "m/s"},
        facts=(
            Fact("the edge's speed grows by a ω²", "Notices 2005 (19)", speeds_up),
            Fact("v = V tanh(κ t + δ), ω = W sech(κ t + δ)", "closed form", tanh_sech),
        ),
        drawing=Drawing(
            bodies=(
                Body(
                    "box",
                    ("x + a/2*cos(theta)", "y + a/2*sin(theta)", "0.1"),
                    heading("theta"),
                    {"x": "2*a", "y": "a", "z": "0.1"},
                    label="body",
                ),
                Body("blade", ("x", "y", "0"), heading("theta"), {"length": "a/2"}, colour="black", label="edge"),
            ),
            traces=(
                Trace(("x", "y", "0"), "edge"),
                Trace(("x + a*cos(theta)", "y + a*sin(theta)", "0"), "centre of mass", "grey"),
            ),
            plots=(("x", "y"), ("t", "omega"), ("t", "v"), ("omega", "v")),
        ),
        story=(
            "A sleigh that slides freely except across its blade. It keeps its energy, and yet it always ends up going "
            "straight with the centre of mass in front: a system without friction with an attracting motion."
        ),
    )


def speeds_up(exhibit: Exhibit) -> Finding:
    """``v̇ = a ω²``, ``ω̇ = −m a ω v/(J + m a²)`` at generic states."""
    from nonholo.derive.hamel import hamel

    m, J, a = (exhibit.parameters[n] for n in "mJa")
    equations = hamel(exhibit.system)
    worst = 0.0
    for omega, v, theta in ((1.3, -0.4, 0.7), (-0.6, 2.1, 2.0), (0.2, 0.9, -1.1)):
        found = equations.rates({"theta": theta, "x": 0.3, "y": -0.2, "omega": omega, "v": v}, exhibit.parameters)
        worst = max(worst, abs(found["v"] - a * omega**2), abs(found["omega"] + m * a * omega * v / (J + m * a**2)))
    return bounded("v' = a ω² and ω' = −m a ω v/(J + m a²)", worst, 1e-12)


def tanh_sech(exhibit: Exhibit) -> Finding:
    """The whole motion in closed form, from the conserved energy ``m v² + (J + m a²) ω² = m V²``."""
    from nonholo.integrate.simulate import simulate

    m, J, a = (exhibit.parameters[n] for n in "mJa")
    omega, v = exhibit.start["omega"], exhibit.start["v"]
    run = simulate(exhibit.system, exhibit.start, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13)
    inertia = J + m * a**2
    top = sqrt(v**2 + inertia / m * omega**2)
    rate = m * a * top / inertia
    shift = np.arctanh(v / top)
    t = run.data["t"].values
    exact_v = np.array([top * tanh(rate * s + shift) for s in t])
    exact_omega = np.array([omega * cosh(shift) / cosh(rate * s + shift) for s in t])
    gap = max(np.max(np.abs(run.data["v"].values - exact_v)), np.max(np.abs(run.data["omega"].values - exact_omega)))
    return bounded("v = V tanh(κ t + δ) and ω = W sech(κ t + δ)", float(gap), 1e-9)


def total_turn(exhibit: Exhibit) -> float:
    """The heading's whole change from t = −∞ to ∞, ``π sqrt(1 + J/(m a²))`` [BMZ 2009 §6.1]."""
    m, J, a = (exhibit.parameters[n] for n in "mJa")
    return pi * sqrt(1 + J / (m * a**2))
