"""Routh's top: an axially symmetric body with a spherical foot rolls on a plane, and keeps two linear integrals."""

from __future__ import annotations

import symengine as se

from nonholo.gallery._axisymmetric import along_axis, axisymmetric, contact, profile
from nonholo.gallery._rolling import SPATIAL_UNITS, attitude, contact_trace, place_of
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of

TITLE = "Routh's top (spherical foot)"
GROUP = "Balls and rolling bodies"
PAPERS = "MacDonnell 1997 §§9.5–9.7"

SOURCE = "MacDonnell 1997"
SHAPE = profile("r + a*cos(theta)", "a", "a r")


def exhibit() -> Exhibit:
    """The foot is a sphere of radius r whose centre is a below the centre of mass."""
    system = axisymmetric("Routh top", SHAPE)
    touch = contact(SHAPE)
    a, none = se.Symbol("a"), se.Integer(0)
    tip, foot, rotor = (place_of((none, none, k * a), touch) for k in (0.7, -1, 0))
    mark = place_of((0.6 * a, none, none), touch)
    return Exhibit(
        name="routh-top",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 0.4, "g": 9.81, "J1": 0.0007, "J3": 0.0005, "a": 0.05, "r": 0.012},
        start={**attitude(0.0, 0.5, 0.0), "w3": 130.0},
        starts={
            "sleeping": {**attitude(0.0, 0.002, 0.0), "w3": 150.0},
            "rolling low": {**attitude(0.0, 2.2, 0.0), "w2": 3.0, "w3": 20.0},
        },
        until=3.0,
        references=(f"{SOURCE}, §§9.5–9.7", "Routh 1905, Articles 241–244", "Jellett 1872"),
        units={**SPATIAL_UNITS, "J1": "kg m²", "J3": "kg m²", "a": "m", "r": "m"},
        drawing=Drawing(
            bodies=(
                Body("sphere", foot, matrix_of("R"), {"radius": "r"}, colour="black", label="foot"),
                Body("disc", rotor, matrix_of("R"), {"radius": "0.6*a", "width": "0.2*a"}, label="rotor"),
                Body("rod", place_of((none, none, -0.15 * a), touch), along_axis(), {"length": "1.7*a"}, colour="grey"),
                Body("sphere", mark, size={"radius": "0.07*a"}, colour="firebrick", label="mark"),
            ),
            traces=(Trace(contact_trace(touch), "contact"), Trace(tip, "tip", "grey")),
            plots=(("t", "R33"), ("t", "w3"), ("x", "y"), ("R13", "R23")),
        ),
        story=(
            "A top with a round foot that rolls instead of standing on a point. It has two integrals linear in the "
            "velocities, one found by Jellett and one by Routh, and so moves like a point in a potential; it cannot rise."
        ),
    )
