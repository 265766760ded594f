"""Balanced sleigh (skate): published facts and closed forms, with their tests."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import at_states, flows, largest, largest_gap, largest_rate

Vector = Any


def body_momenta(exhibit: Exhibit) -> Finding:
    """``ω̇ = v̇ = 0``."""
    rate = largest_rate(flows(exhibit.system, exhibit.parameters), lambda s: s.omega, lambda s: s.v)
    return bounded("ω and v are constant", rate, 1e-13)


def circles(exhibit: Exhibit) -> Finding:
    """``(x − (v/ω) sin θ, y + (v/ω) cos θ)`` does not move."""

    def centre(s: Any) -> Vector:
        return np.array([s.x - s.v / s.omega * np.sin(s.theta), s.y + s.v / s.omega * np.cos(s.theta)])

    gap = largest_gap(flows(exhibit.system, exhibit.parameters), centre, lambda s, r: np.zeros(2))
    return bounded("the centre of the circle is fixed", gap, 1e-12)


def closed(exhibit: Exhibit) -> Finding:
    """``θ = θ0 + ω t`` and the circle through the start."""
    from nonholo.integrate.motion.simulate import simulate

    first = exhibit.start
    run = simulate(exhibit.system, first, exhibit.until, exhibit.parameters, rtol=1e-12, atol=1e-13).data
    t = run["t"].values
    theta = first["theta"] + first["omega"] * t
    radius = first["v"] / first["omega"]
    x = first["x"] + radius * (np.sin(theta) - np.sin(first["theta"]))
    y = first["y"] - radius * (np.cos(theta) - np.cos(first["theta"]))
    gaps = [run["theta"].values - theta, run["x"].values - x, run["y"].values - y]
    return bounded("a circle at constant pace", largest(gaps), 1e-9, f"{exhibit.until:g} s")


def push(exhibit: Exhibit) -> Finding:
    """``λ = m v ω``, from Newton's law across the edge."""
    from nonholo.derive.laws.reactions import reactions

    forces = reactions(exhibit.system)
    gaps = []
    for s, _ in flows(exhibit.system, exhibit.parameters):
        state = {n: getattr(s, n) for n in ("theta", "x", "y", "omega", "v")}
        gaps.append(forces.at(state, exhibit.parameters)["lambda1"] - s.m * s.v * s.omega)
    return bounded("λ = m v ω", largest(gaps), 1e-12)


def spatial(exhibit: Exhibit) -> Finding:
    """``μ̇ = m v ω a^R``: zero when going straight, and also when turning in place, where θ is not constant."""

    def momenta(s: Any) -> Vector:
        return np.array([s.J * s.thetadot + s.m * (s.x * s.ydot - s.y * s.xdot), s.m * s.xdot, s.m * s.ydot])

    def expected(s: Any, r: Any) -> Vector:
        c, d = np.cos(s.theta), np.sin(s.theta)
        return s.m * s.v * s.omega * np.array([s.x * c + s.y * d, -d, c])

    gap = largest_gap(flows(exhibit.system, exhibit.parameters), momenta, expected)
    in_place = at_states(
        exhibit.system, exhibit.parameters, [{"theta": 0.7, "x": 0.3, "y": 1.1, "omega": 0.9, "v": 0.0}]
    )
    still = largest_gap(in_place, momenta, lambda s, r: np.zeros(3))
    return bounded("μ' = m v ω a^R", max(gap, still), 1e-12, "generic states, and turning in place")


FACTS = (
    Fact("the body momenta are constant", "BMZ 2009 §6.2; Notices 2005, after (19)", body_momenta),
    Fact("the edge keeps a fixed centre, v/ω away", "closed form", circles),
    Fact("the motion in closed form", "closed form", closed),
    Fact("the edge pushes with m v ω towards the centre", "Newton", push),
    Fact("the spatial momentum changes, unless ω v = 0", "BMZ 2009 §6.2 as corrected", spatial),
)
