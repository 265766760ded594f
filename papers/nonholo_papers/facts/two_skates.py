"""Two skates with a common heading: what the device does, by closed forms and by its own conservation law."""

from __future__ import annotations

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo.integrate.motion.simulate import simulate

SOURCE = "Benenti 2008"


def parallel(exhibit: Exhibit) -> Finding:
    """v₁ × v₂ = 0 along a motion."""
    run = simulate(exhibit.system, exhibit.start, 8.0, exhibit.parameters, progress=False)
    cross = run["x1dot"] * run["y2dot"] - run["x2dot"] * run["y1dot"]
    return bounded("v₁ × v₂ = 0", float(np.max(np.abs(cross))), 1e-12)


def steady_heading(exhibit: Exhibit) -> Finding:
    """No reaction and no spring acts on θ: J θ̈ = 0."""
    run = simulate(exhibit.system, exhibit.start, 8.0, exhibit.parameters, progress=False)
    line = exhibit.start["theta"] + exhibit.start["omega"] * np.asarray(run["t"])
    return bounded("θ = θ₀ + ω₀ t", float(np.max(np.abs(run["theta"] - line))), 1e-8)


def two_lines(exhibit: Exhibit) -> Finding:
    """With the heading at rest the loads run along parallel lines; along these they are two masses on a spring."""
    p, start = exhibit.parameters, exhibit.starts["heading at rest"]
    run = simulate(exhibit.system, start, 6.0, p, progress=False)
    t, way = np.asarray(run["t"]), np.array([np.cos(start["theta"]), np.sin(start["theta"])])
    gap = way[0] * (start["x2"] - start["x1"])
    speed, mu = start["v2"] - start["v1"], p["m1"] * p["m2"] / (p["m1"] + p["m2"])
    rate = np.sqrt(p["k"] / mu)
    exact = gap * np.cos(rate * t) + speed / rate * np.sin(rate * t)
    found = way[0] * (run["x2"] - run["x1"]) + way[1] * (run["y2"] - run["y1"])
    return bounded("(P₂ − P₁)·e = a cos ωt + b sin ωt, ω² = k/μ", float(np.max(np.abs(found - exact))), 1e-7)


FACTS = (
    Fact("the velocities of the two loads stay parallel", f"{SOURCE} §9", parallel),
    Fact("the common heading turns at a constant rate, whatever the spring does", "closed form", steady_heading),
    Fact("with the heading at rest the loads swing along parallel lines", "closed form", two_lines),
)
