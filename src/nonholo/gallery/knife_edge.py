"""A knife edge on an inclined plane: it slides along a cycloid and never gets down."""

from __future__ import annotations

from math import pi
from typing import Any

import numpy as np

from nonholo.finding import Finding, bounded
from nonholo.gallery._along import flows, largest
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Fact, Point, Rotation, Trace
from nonholo.model.symmetry_declaration import translation
from nonholo.model.system import System

TITLE = "Knife edge on an inclined plane"
GROUP = "Classics"
PAPERS = "Neimark and Fufaev 1972; Bloch 2003; Arnold, Kozlov, Neishtadt 2006"


def exhibit() -> Exhibit:
    """x points down the slope, y across it, φ is the edge's heading from x."""
    system = System(
        name="knife edge on an incline",
        coordinates="x y phi",
        parameters="m J g alpha",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*phidot**2 + m*g*sin(alpha)*x",
        constraints=["xdot*sin(phi) - ydot*cos(phi)"],
        quasivelocities={"omega": "phidot", "v": "xdot*cos(phi) + ydot*sin(phi)"},
        symmetry=translation("y"),
    )
    turned: Rotation = (
        ("cos(alpha)*cos(phi)", "-cos(alpha)*sin(phi)", "sin(alpha)"),
        ("sin(phi)", "cos(phi)", "0"),
        ("-sin(alpha)*cos(phi)", "sin(alpha)*sin(phi)", "cos(alpha)"),
    )
    extent = {"s0": "-0.7", "s1": "1.5", "r0": "-0.7", "r1": "8"}
    slope: Point = ("s*cos(alpha)", "r", "-s*sin(alpha)")
    place: Point = ("x*cos(alpha)", "y", "-x*sin(alpha)")
    return Exhibit(
        name="knife-edge",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 0.8, "J": 0.05, "g": 9.81, "alpha": 0.35},
        start={"phi": 0.0, "omega": 1.7, "v": 0.0},
        until=4 * pi / 1.7,
        references=(
            "Neimark and Fufaev 1972, Dynamics of Nonholonomic Systems",
            "Bloch 2003, Nonholonomic Mechanics and Control, §1.6",
            "Arnold, Kozlov, Neishtadt 2006, Mathematical Aspects of Classical and Celestial Mechanics, Chapter 1, §4",
        ),
        units={
            "m": "kg", "J": "kg m²", "g": "m/s²", "alpha": "rad", "x": "m", "y": "m", "phi": "rad", "omega": "rad/s",
            "v": "m/s",
        },
        starts={
            "pushed across the slope": {"phi": pi / 2, "omega": 1.7, "v": 1.0},
            "not turning": {"phi": 0.6, "v": -1.0},
        },
        facts=(
            Fact("v̇ = g sin α cos φ and ω̇ = 0", "balance along the edge and about it", rates),
            Fact("the whole motion from any start", "closed form", closed_form),
            Fact("from rest a cycloid: down g sin α/(2ω²), back, and g sin α/(2ω) across", "Bloch 2003 §1.6", cycloid),
            Fact("without turning it slides straight, as on a rail", "closed form with ω = 0", rail),
            Fact("the vakonomic skate with the same start does get down", "Arnold, Kozlov, Neishtadt 2006", vakonomic_differs),
        ),
        drawing=Drawing(
            bodies=(
                Body("surface", size=extent, points=slope, colour="wheat", label="slope"),
                Body("blade", place, turned, {"length": "0.8"}, colour="black", label="edge"),
            ),
            traces=(Trace(place, "path"),),
            ground="none",
            plots=(("y", "x"), ("t", "v"), ("t", "x")),
        ),
        story=(
            "A skate on a tilted rink, spinning as it lets go. It rushes down, turns, climbs back to the height it came "
            "from, and starts again: a cycloid across the slope, on and on, that never gets a step further down."
        ),
    )


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
