"""The falling rolling disk: a coin that rolls, tilts and turns on a plane."""

from __future__ import annotations

from collections.abc import Mapping
from math import pi

import numpy as np
import symengine as se

from nonholo.algebra.calculus import symbols
from nonholo.gallery._rolling import (
    AXIAL_SYMMETRY,
    SPATIAL_UNITS,
    VERTICAL,
    attitude,
    contact_trace,
    diagonal,
    place_of,
    rolling_body,
)
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of
from nonholo.model.symmetry_declaration import planar_motion, rotation
from nonholo.model.system import System

TITLE = "Falling rolling disk"
GROUP = "Wheels and disks"
PAPERS = "BMZ 2009 §6.5, (6.13)–(6.18); Notices 2005 (The Falling Rolling Disk)"

VALUES = {"m": 1.3, "g": 9.81, "r": 0.4, "A": 0.055, "B": 0.1}


def exhibit() -> Exhibit:
    """A disk of radius r with moments A about a diameter and B about its axis, by rotation matrix; no angle, no pole."""
    one, two, _ = VERTICAL
    r, a, b = symbols(("r", "A", "B"))
    across = se.sqrt(one**2 + two**2)
    contact = (-r * one / across, -r * two / across, se.Integer(0))
    system = rolling_body("rolling disk", "m g r A B", contact, diagonal(a, a, b), AXIAL_SYMMETRY)
    centre = (se.Integer(0), se.Integer(0), se.Integer(0))
    return Exhibit(
        name="rolling-disk",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters=VALUES,
        start={**attitude(0.3, pi / 2 - 0.25, 0.0), "w1": 0.2, "w2": 0.6, "w3": 3.0},
        starts={
            "steady circle": _steady_circle(VALUES, tilt=0.5, turning=1.4),
            "nearly flat": {**attitude(0.0, pi / 2 - 1.1, 0.0), "w1": 0.3, "w2": 5.0, "w3": 3.0},
        },
        until=8.0,
        references=(
            "BMZ 2009, §6.4, §6.5",
            "Notices 2005, Figure 2",
            "Vierkandt 1892",
            "Chaplygin 1897",
            "Appel 1900",
            "Korteweg 1899",
            "Kolesnikov 1985",
        ),
        units={**SPATIAL_UNITS, "r": "m", "A": "kg m²", "B": "kg m²"},
        variants={"angles": in_printed_angles()},
        drawing=Drawing(
            bodies=(
                Body("disc", place_of(centre, contact), matrix_of("R"), {"radius": "r", "width": "r/20"}, label="disk"),
                Body(
                    "rod",
                    place_of(centre, contact),
                    matrix_of("R"),
                    {"length": "2*r"},
                    colour="black",
                    label="diameter",
                ),
            ),
            traces=(Trace(contact_trace(contact), "contact"), Trace(place_of(centre, contact), "centre", "grey")),
            plots=(("x", "y"), ("t", "R33"), ("t", "w3")),
        ),
        story=(
            "A coin set rolling tilts and curls, nearly falls, and rises again: for almost every start it never touches the "
            "ground. Its two momenta are not constant, but their values are known functions of the tilt alone."
        ),
    )


def in_printed_angles() -> System:
    """The same disk as BMZ 2009 §6.5 prints it: tilt θ, rotation ψ, heading φ, contact point (x, y)."""
    along, across = "(xdot*cos(phi) + ydot*sin(phi) + r*psidot)", "(-xdot*sin(phi) + ydot*cos(phi))"
    return System(
        name="rolling disk in angles",
        coordinates="theta psi phi x y",
        parameters="m g r A B",
        lagrangian=(
            f"m/2*(({along} - r*(phidot*sin(theta) + psidot))**2 + {across}**2*sin(theta)**2"
            f" + ({across}*cos(theta) + r*thetadot)**2)"
            " + (A*(thetadot**2 + phidot**2*cos(theta)**2) + B*(phidot*sin(theta) + psidot)**2)/2 - m*g*r*cos(theta)"
        ),
        constraints=["xdot + r*psidot*cos(phi)", "ydot + r*psidot*sin(phi)"],
        symmetry=planar_motion("x", "y", "phi") * rotation("psi"),
    )


def _steady_circle(v: Mapping[str, float], tilt: float, turning: float) -> dict[str, float]:
    """A start on a steady circle: ``dU_c/dθ = 0`` gives ``p2 = p1 tan θ − A m g r sin θ/p1``."""
    p1 = v["A"] * turning * np.cos(tilt)
    p2 = p1 * np.tan(tilt) - v["A"] * v["m"] * v["g"] * v["r"] * np.sin(tilt) / p1
    spin = p2 / (v["m"] * v["r"] ** 2 + v["B"])
    return {**attitude(0.0, pi / 2 - tilt, 0.0), "w1": 0.0, "w2": float(turning * np.cos(tilt)), "w3": float(spin)}
