"""Routh's sphere: a ball with its centre of mass off the middle, rolling on a plane."""

from __future__ import annotations

from nonholo.algebra.calculus import symbol
from nonholo.gallery._rolling import (
    AXIAL_SYMMETRY,
    SPHERE_UNITS,
    attitude,
    diagonal,
    offset_sphere,
    rolling_body,
    sphere_drawing,
)
from nonholo.gallery.exhibit import Exhibit

TITLE = "Routh sphere"
GROUP = "Balls and rolling bodies"
PAPERS = "Notices 2005 (history, Further Topics); Routh 1860"


def exhibit() -> Exhibit:
    """A sphere of radius r, centre of mass a below the middle, moments A, A, C; rolling without sliding."""
    a, c = symbol("A"), symbol("C")
    return Exhibit(
        name="routh-sphere",
        title=TITLE,
        group=GROUP,
        system=rolling_body("Routh sphere", "m g r a A C", offset_sphere(), diagonal(a, a, c), AXIAL_SYMMETRY),
        parameters={"m": 1.3, "g": 9.81, "r": 0.5, "a": 0.12, "A": 0.11, "C": 0.14},
        start={**attitude(0.2, 0.9, 0.4), "w1": 1.1, "w2": -0.6, "w3": 4.0},
        starts={"sleeping": {"w3": 6.0}, "rocking": {**attitude(0.0, 0.7, 0.0)}},
        until=10.0,
        references=("Notices 2005, history", "Routh 1860", "Jellett 1872", "Chaplygin 1897"),
        units=SPHERE_UNITS,
        drawing=sphere_drawing((("x", "y"), ("t", "R33"), ("t", "w3"))),
        story=(
            "A loaded ball rolls in loops, rocking as it goes. Two hidden quantities, found by Jellett and by Routh, are "
            "constant besides the energy, so its whole motion comes down to one angle in a potential."
        ),
    )
