"""The rattleback: an ellipsoid on a plane whose axes of inertia are turned against its axes of symmetry."""

from __future__ import annotations

from math import atan2, cos, sin, sqrt

import symengine as se

from nonholo.algebra.calculus import symbols
from nonholo.gallery._rolling import (
    SPATIAL_UNITS,
    VERTICAL,
    contact_trace,
    place_of,
    rolling_body,
    turned_inertia,
)
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of

TITLE = "Rattleback (wobblestone, celtic stone)"
GROUP = "Balls and rolling bodies"
PAPERS = "Notices 2005 (The Rattleback); BMZ 2009 §4.2"


def exhibit() -> Exhibit:
    """An ellipsoid with semi-axes a, b, c; its centre is h above the centre of mass; inertia turned by δ."""
    a, b, c, h, one, two, three, delta = symbols(("a", "b", "c", "h", "I1", "I2", "I3", "delta"))
    support = se.sqrt(sum(s**2 * v**2 for s, v in zip((a, b, c), VERTICAL)))
    reach = [-(s**2) * v / support for s, v in zip((a, b, c), VERTICAL)]
    contact = (reach[0], reach[1], reach[2] + h)
    system = rolling_body("rattleback", "m g a b c h I1 I2 I3 delta", contact, turned_inertia((one, two, three), delta))
    tilt = 0.01
    start = {"R22": cos(tilt), "R23": -sin(tilt), "R32": sin(tilt), "R33": cos(tilt), "w3": -5.0}
    return Exhibit(
        name="rattleback",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters=_values(),
        start=start,
        starts={"other sense": {**start, "w3": 5.0}, "tapped": {**start, "w3": 0.0, "w2": 0.6}},
        until=5.0,
        references=(
            "Notices 2005, The Rattleback",
            "Walker 1896",
            "Bondi 1986",
            "Kane and Levinson 1982 (the values)",
            "Garcia and Hubbard 1988",
        ),
        units={
            **SPATIAL_UNITS,
            "a": "m",
            "b": "m",
            "c": "m",
            "h": "m",
            "I1": "kg m²",
            "I2": "kg m²",
            "I3": "kg m²",
            "delta": "rad",
        },
        drawing=Drawing(
            bodies=(
                Body(
                    "ellipsoid",
                    place_of((se.Integer(0), se.Integer(0), h), contact),
                    matrix_of("R"),
                    {"a": "a", "b": "b", "c": "c"},
                    label="stone",
                ),
                Body(
                    "rod",
                    place_of((se.Integer(0), se.Integer(0), h), contact),
                    matrix_of("R"),
                    {"length": "2*a"},
                    colour="black",
                    label="long axis",
                ),
            ),
            traces=(
                Trace(contact_trace(contact), "contact"),
                Trace(place_of((a, se.Integer(0), h), contact), "tip", "grey"),
            ),
            plots=(("t", "w3"), ("t", "w1"), ("t", "w2"), ("x", "y")),
        ),
        story=(
            "Spin this stone the wrong way and it starts to rattle, stops, and spins back, with no friction and no loss "
            "of energy. The twist between its shape and its inertia makes one sense of spin attracting: rolling does not "
            "keep the volume of phase space."
        ),
    )


def _values() -> dict[str, float]:
    """The stone of Kane and Levinson 1982: moments of inertia A, B, C and a product of inertia D, in SI units."""
    big_a, big_b, big_c, product = 2.0e-4, 16.0e-4, 17.0e-4, -0.2e-4
    middle, half = (big_a + big_b) / 2, sqrt(((big_a - big_b) / 2) ** 2 + product**2)
    delta = atan2(-product, -(big_a - big_b) / 2) / 2
    return {
        "m": 1.0,
        "g": 9.81,
        "a": 0.2,
        "b": 0.03,
        "c": 0.02,
        "h": 0.01,
        "I1": middle - half,
        "I2": middle + half,
        "I3": big_c,
        "delta": delta,
    }
