"""A basketball on its hoop: it can go round below the rim and come out again."""

from __future__ import annotations

from math import pi

from nonholo.gallery._ball import UNITS, ball, curve, drawing
from nonholo.gallery.exhibit import Exhibit

TITLE = "Basketball on its hoop"
GROUP = "Balls and rolling bodies"
PAPERS = "MacDonnell 1997 §11"

SOURCE = "MacDonnell 1997"
PATH = curve("u - v*cos(psi)", "v*sin(psi)", "u v", "psi", "v")
COLOURS = ("firebrick", "darkorange")
INCH = 0.0254
SPIN, AROUND = -40.0, 100.0
"""C1 = −40 and C2 = 1 of figures 11.7 and 11.8; the thesis has Ω2 in 1/(cm s), here it is in 1/(m s)."""


def exhibit() -> Exhibit:
    """A ball of 30 inches around, on a hoop 18 inches wide inside and 3/4 inch thick; its mass is in its skin."""
    rho = 30 * INCH / (2 * pi)
    mass = 0.62
    values = {"m": mass, "J": 2 * mass * rho**2 / 3, "rho": rho, "g": 9.8066}
    values |= {"u": (18 + 0.75) / 2 * INCH, "v": rho + 0.375 * INCH}
    start = {"psi": 0.0, "Omega1": -20.0, "Omega2": AROUND, "roll": -4.6}
    return Exhibit(
        name="basketball",
        title=TITLE,
        group=GROUP,
        system=ball("basketball on a hoop", PATH),
        parameters=values,
        start=start,
        starts={
            "figure 11.7": {**start, "Omega1": SPIN, "roll": -7.4},
            "falls through": {**start, "roll": -5.2},
            "no spin": {"psi": 0.8, "Omega2": 20.0},
        },
        until=0.46,
        references=(f"{SOURCE}, §11, (11.1), figures 11.1–11.8",),
        units={**UNITS, "u": "m", "v": "m", "psi": "rad"},
        drawing=drawing(
            PATH, ("0", "2*pi"), (("t", "psi"), ("psi", "psidot"), ("t", "Omega1"), ("theta", "psi")), COLOURS
        ),
        story=(
            "Every player has seen it: the ball goes round the rim, sinks below it, and pops out again. Spin about the "
            "normal and going round are exchanged as it sinks, which builds a hill in its potential below the horizontal."
        ),
    )
