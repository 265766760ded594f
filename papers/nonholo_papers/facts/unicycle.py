"""Unicycle (driven and steered wheel): published facts and closed forms, with their tests."""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import flows, largest


def equations(exhibit: Exhibit) -> Finding:
    """At generic states and torques."""
    gaps = []
    for s, r in flows(exhibit.system, exhibit.parameters):
        gaps += [(s.m + s.I / s.R**2) * r.v - s.drive / s.R, s.J * r.omega - s.steer, s.v - s.R * s.psidot]
    return bounded("(m + I/R²) v' = drive/R, J ω' = steer", largest(gaps), 1e-11)


def ground(exhibit: Exhibit) -> Finding:
    """The force at the contact is ``m a``: ``m v̇`` along the heading and ``m v ω`` across it."""
    from nonholo.derive.laws.reactions import reactions

    found = reactions(exhibit.system)
    gaps = []
    for s, r in flows(exhibit.system, exhibit.parameters, 3):
        names = ("x", "y", "theta", "psi", "v", "omega", "drive", "steer")
        at = found.at({n: getattr(s, n) for n in names}, exhibit.parameters)
        force = at["x"] + 1j * at["y"]
        gaps.append(abs(force * np.exp(-1j * s.theta) - s.m * (r.v + 1j * s.v * s.omega)))
        gaps.append(abs(at["psi"] + s.R * s.m * r.v))
    return bounded("contact force m (v' + i v ω)", largest(gaps), 1e-10)


def growth(exhibit: Exhibit) -> Finding:
    """[drive, steer] slides sideways, and one more bracket turns the wheel in place."""
    from nonholo.geometry.distributions.distribution import Distribution, growth_vector
    from nonholo.model.velocities.admissible import constraint_rows

    system = exhibit.system
    found = growth_vector(Distribution(system.frame, rows=constraint_rows(system).slopes, parameters=tuple(system.parameters)))
    return Finding("growth vector (2, 3, 4)", "holds" if found == (2, 3, 4) else "fails", found, "Lie brackets")


def _run(exhibit: Exhibit, start: dict[str, float], until: float, **inputs: Any) -> Any:
    from nonholo.integrate.motion.simulate import simulate

    return simulate(exhibit.system, start, until, exhibit.parameters, inputs=inputs, rtol=1e-12, atol=1e-13).data


def spiral(exhibit: Exhibit) -> Finding:
    """``θ = ½ (steer/J) t²`` at constant v: ``x + i y = v ∫ exp(iθ) dt``, Fresnel's integrals."""
    from scipy.special import fresnel

    v, steer = 0.8, 0.3
    data = _run(exhibit, {"v": v}, 8.0, drive=0.0, steer=steer)
    scale = sqrt(pi * exhibit.parameters["J"] / steer)
    sine, cosine = fresnel(data["t"].values / scale)
    gap = largest([data["x"].values - v * scale * cosine, data["y"].values - v * scale * sine])
    return bounded("Euler's spiral", gap, 1e-9)


def flat(exhibit: Exhibit) -> Finding:
    """The oval ``x = 2 sin t, y = 1 − cos t``: heading, speed and both torques from its derivatives."""
    p = exhibit.parameters
    speed = "sqrt(4*cos(t)**2 + sin(t)**2)"
    # v v̇ = ẋẍ + ẏÿ; ω = (ẋÿ − ẏẍ)/v² = 2/v², so ω̇ = −4 v̇/v³
    push = f"(-3*sin(t)*cos(t)/{speed})"
    drive = f"{p['R'] * (p['m'] + p['I'] / p['R'] ** 2)}*{push}"
    steer = f"{p['J']}*(-4)*{push}/{speed}**3"
    data = _run(exhibit, {"v": 2.0, "omega": 0.5}, 2 * pi, drive=drive, steer=steer)
    t = data["t"].values
    gap = largest([data["x"].values - 2 * np.sin(t), data["y"].values - 1 + np.cos(t)])
    return bounded("the path that was asked for", gap, 1e-8)


def circle(exhibit: Exhibit) -> Finding:
    """``x + i y = (v/iω)(e^{iωt} − 1)``, and the wheel turns by v t/R."""
    v, w = 0.9, -0.7
    data = _run(exhibit, {"v": v, "omega": w}, 2 * pi / abs(w), drive=0.0, steer=0.0)
    exact = v / (1j * w) * (np.exp(1j * w * data["t"].values) - 1)
    rolled = data["psi"].values - v * data["t"].values / exhibit.parameters["R"]
    return bounded("a circle", largest([data["x"].values + 1j * data["y"].values - exact, rolled]), 1e-9)


FACTS = (
    Fact("(m + I/R²) v̇ = drive/R and J ω̇ = steer", "balance of power, by hand", equations),
    Fact("the ground pushes with m v ω sideways and m v̇ along", "Newton, by hand", ground),
    Fact("two speeds, four coordinates: growth vector (2, 3, 4)", "Lie brackets; Brockett 1983", growth),
    Fact("a steady torque on the steering draws Euler's spiral", "Fresnel integrals", spiral),
    Fact("flat: torques computed from a path drive it along that path", "Fliess and others 1995", flat),
    Fact("without torques it goes around a circle of radius v/ω", "closed form", circle),
)
