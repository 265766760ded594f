"""The Chaplygin top: a ball with three different moments of inertia and its centre of mass off the middle rolls on a plane."""

from __future__ import annotations

import symengine as se

from nonholo.algebra.calculus import symbols
from nonholo.gallery._rolling import SPATIAL_UNITS, VERTICAL, attitude, contact_trace, diagonal, place_of, rolling_body
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of

TITLE = "Chaplygin top (unbalanced ball)"
GROUP = "Balls and rolling bodies"
PAPERS = "Borisov, Kazakov and Sataev 2014"

OFFSET = ("a1", "a2", "a3")
MOMENTS = ("I1", "I2", "I3")
ATTRACTOR = (1.7702, -1.3987, -6.5924, 3.5844, 1.9861)
CYCLE = (1.9598, -2.3551, -3.4061, -9.3874, -8.3947)
"""Tilt and direction of the vertical in the body, and spins, at states on the strange attractor (energy 506) and near what is
regular and attracts at energy 520."""


def exhibit() -> Exhibit:
    """A ball of radius r whose centre of mass is at (a1, a2, a3) from its middle, in the axes of inertia."""
    arms, moments = symbols(OFFSET), symbols(MOMENTS)
    (radius,) = symbols(("r",))
    contact = tuple(-radius * v - a for v, a in zip(VERTICAL, arms))
    middle = tuple(-a for a in arms)
    none = se.Integer(0)
    colours = ("firebrick", "seagreen", "black")
    # the marks are let into the ball, or they would pierce the ground
    marks = [tuple(m + (0.88 * radius if k == i else none) for i, m in enumerate(middle)) for k in range(3)]
    return Exhibit(
        name="chaplygin-top",
        title=TITLE,
        group=GROUP,
        system=rolling_body("Chaplygin top", "m g r a1 a2 a3 I1 I2 I3", contact, diagonal(*moments)),
        parameters={"m": 1.0, "g": 100.0, "r": 3.0, "a1": 1.7, "a2": 2.0, "a3": 0.8, "I1": 11.0, "I2": 1.5, "I3": 10.0},
        start=_start_attitude(*ATTRACTOR),
        starts={"regular attractor": _start_attitude(*CYCLE), "let go with a spin": {"w1": 0.5, "w2": 0.3, "w3": 5.0}},
        until=20.0,
        references=("Borisov, Kazakov and Sataev 2014", "Chaplygin 1903", "Gonchenko, Gonchenko and Kazakov 2013"),
        units={**SPATIAL_UNITS, "r": "m", **dict.fromkeys(OFFSET, "m"), **dict.fromkeys(MOMENTS, "kg m²")},
        drawing=Drawing(
            bodies=(
                Body("sphere", place_of(middle, contact), matrix_of("R"), {"radius": "r"}, label="ball"),
                *(
                    Body("sphere", place_of(mark, contact), matrix_of("R"), {"radius": "0.12*r"}, colour=c, label=f"axis {k + 1}")
                    for k, (mark, c) in enumerate(zip(marks, colours))
                ),
                Body("point", place_of((none, none, none), contact), matrix_of("R"), colour="firebrick", label="centre of mass"),
            ),
            traces=(Trace(contact_trace(contact), "contact"),),
            plots=(("t", "w3"), ("x", "y"), ("R31", "R32"), ("t", "R33")),
        ),
        chaos="w1",
        story=(
            "A loaded ball with three different moments of inertia: nothing but its energy is constant. Rolling keeps no volume: "
            "with no friction at all motions are drawn to a set that they never leave and on which neighbours part, a strange "
            "attractor. A little more energy, and they are drawn to a regular motion."
        ),
    )


def _start_attitude(tilt: float, direction: float, *spins: float) -> dict[str, float]:
    """A start by the tilt and direction of the vertical in the body."""
    return {**attitude(0.0, tilt, direction), **dict(zip(("w1", "w2", "w3"), spins))}
