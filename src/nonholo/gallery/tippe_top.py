"""The tippe top: a loaded ball that slides a little, and so turns over; rolling, it never would."""

from __future__ import annotations

from nonholo.algebra.calculus import symbol
from nonholo.gallery._rolling import (
    AXIAL_SYMMETRY,
    SPHERE_UNITS,
    attitude,
    diagonal,
    offset_sphere,
    rolling_body,
    sliding_body,
    sphere_drawing,
)
from nonholo.gallery.exhibit import Exhibit

TITLE = "Tippe top (sliding, and rolling that cannot invert)"
GROUP = "Balls and rolling bodies"
PAPERS = "Notices 2005 (Toys and Warnings); Bou-Rabee, Marsden, Romero 2004"


def exhibit() -> Exhibit:
    """Routh's sphere with friction ``−c`` times the slip of the contact point; the variant rolls instead."""
    inertia = diagonal(symbol("A"), symbol("A"), symbol("C"))
    start = {**attitude(0.0, 0.1, 0.0), "w3": 150.0}
    # spinning in place: the centre of mass at rest, so the contact point slips
    start |= {"xdot": 0.0, "ydot": 0.0}
    return Exhibit(
        name="tippe-top",
        title=TITLE,
        group=GROUP,
        system=sliding_body("tippe top", "m g r a A C c", offset_sphere(), inertia, symbol("c"), AXIAL_SYMMETRY),
        parameters={"m": 0.02, "g": 9.81, "r": 0.02, "a": 0.004, "A": 3.1e-6, "C": 3.2e-6, "c": 0.1},
        start=start,
        until=12.0,
        references=("Notices 2005, Toys and Warnings, Figure 1", "Bou-Rabee, Marsden and Romero 2004", "Jellett 1872"),
        units={**SPHERE_UNITS, "c": "kg/s", "s1": "m/s", "s2": "m/s"},
        variants={"rolling": rolling_body("rolling tippe top", "m g r a A C", offset_sphere(), inertia, AXIAL_SYMMETRY)},
        drawing=sphere_drawing((("t", "R33"), ("t", "w3"), ("x", "y"))),
        story=(
            "Spin this half ball fast and it climbs onto its stem, lifting its own centre of mass. It needs sliding friction "
            "for that: the tidy model that rolls keeps its tilt for ever, a warning against modelling too neatly."
        ),
    )
