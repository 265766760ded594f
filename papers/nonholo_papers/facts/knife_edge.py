"""Knife edge on an inclined plane: published facts and closed forms, with their tests."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery.exhibit import Exhibit, Fact
from nonholo_papers.facts._random_states import flows, largest


def pull(exhibit: Exhibit) -> float:
    """``g sin α``."""
    return float(exhibit.parameters["g"] * np.sin(exhibit.parameters["alpha"]))


def rates(exhibit: Exhibit) -> Finding:
    """Gravity's part along the edge drives it; nothing turns it."""
    moving = flows(exhibit.system, exhibit.parameters)
    worst = largest((r.v - pull(exhibit) * np.cos(s.phi), r.omega) for s, r in moving)
    return bounded("v' = g sin α cos φ, ω' = 0", worst, 1e-12)


def _run(exhibit: Exhibit, start: dict[str, float], until: float) -> Any:
    from nonholo.integrate.motion.simulate import simulate

    return simulate(exhibit.system, start, until, exhibit.parameters, rtol=1e-12, atol=1e-13).data


def closed_form(exhibit: Exhibit) -> Finding:
    """``v = v₀ + (g sin α/ω)(sin φ − sin φ₀)``, and ``x``, ``y`` by integrating ``v cos φ``, ``v sin φ`` over φ."""
    a, w, v0, start = pull(exhibit), 1.3, -0.9, 0.8
    data = _run(exhibit, {"phi": start, "omega": w, "v": v0, "x": 0.2, "y": -0.4}, 9.0)
    phi = start + w * data["t"].values
    base = v0 - a / w * np.sin(start)
    x = 0.2 + base / w * (np.sin(phi) - np.sin(start)) + a / (2 * w**2) * (np.sin(phi) ** 2 - np.sin(start) ** 2)
    half = (phi - start) / 2 - (np.sin(2 * phi) - np.sin(2 * start)) / 4
    y = -0.4 - base / w * (np.cos(phi) - np.cos(start)) + a / w**2 * half
    speed = base + a / w * np.sin(phi)
    gap = largest(data[n].values - e for n, e in (("x", x), ("y", y), ("v", speed), ("phi", phi)))
    return bounded("x, y, v, φ at all times", gap, 1e-9)


def cycloid(exhibit: Exhibit) -> Finding:
    """``x = R (1 − cos 2ωt)``, ``y = R (2ωt − sin 2ωt)`` with ``R = g sin α/(4 ω²)``: a wheel of radius R rolling across."""
    w = exhibit.start["omega"]
    radius = pull(exhibit) / (4 * w**2)
    data = _run(exhibit, dict(exhibit.start), 2 * pi / w)
    rolled = 2 * w * data["t"].values
    x, y = radius * (1 - np.cos(rolled)), radius * (rolled - np.sin(rolled))
    gap = largest([data["x"].values - x, data["y"].values - y])
    end = largest([data["x"].values[-1], data["y"].values[-1] - pull(exhibit) / (2 * w) * 2 * pi / w])
    return bounded("x = R(1 − cos 2ωt), y = R(2ωt − sin 2ωt)", max(gap, end), 1e-9)


def rail(exhibit: Exhibit) -> Finding:
    """``ω = 0``: ``v = v₀ + g sin α cos φ t`` along the edge."""
    v0, phi = -1.0, 0.6
    data = _run(exhibit, {"phi": phi, "v": v0}, 2.0)
    t = data["t"].values
    along = v0 * t + pull(exhibit) * np.cos(phi) * t**2 / 2
    gap = largest([data["x"].values - along * np.cos(phi), data["y"].values - along * np.sin(phi)])
    return bounded("uniform acceleration along the edge", gap, 1e-9)


def vakonomic_differs(exhibit: Exhibit) -> Finding:
    """The stationary curves of the action on admissible curves, with the multiplier 0 at the start, are not motions."""
    from nonholo.derive.vakonomic import vakonomic
    from nonholo.integrate.motion.simulate import simulate

    until = 2 * pi / exhibit.start["omega"]
    motion = _run(exhibit, dict(exhibit.start), until)
    start = dict.fromkeys(("x", "y", "xdot", "ydot", "mu1"), 0.0) | {"phi": 0.0, "phidot": exhibit.start["omega"]}
    other = simulate(vakonomic(exhibit.system), start, until, exhibit.parameters, rtol=1e-10, atol=1e-12).data
    deepest = pull(exhibit) / (2 * exhibit.start["omega"] ** 2)
    gap = abs(float(motion["x"].max()) - deepest)
    below = float(other["x"][-1]) / deepest
    good = gap < 1e-3 * deepest and below > 2
    evidence = "depth after one turn, in depths of the cycloid"
    return Finding("the vakonomic skate goes on downhill", "holds" if good else "fails", below, evidence)


FACTS = (
    Fact("v̇ = g sin α cos φ and ω̇ = 0", "balance along the edge and about it", rates),
    Fact("the whole motion from any start", "closed form", closed_form),
    Fact("from rest a cycloid: down g sin α/(2ω²), back, and g sin α/(2ω) across", "Bloch 2003 §1.6", cycloid),
    Fact("without turning it slides straight, as on a rail", "closed form with ω = 0", rail),
    Fact("the vakonomic skate with the same start does get down", "Arnold, Kozlov, Neishtadt 2006", vakonomic_differs),
)
