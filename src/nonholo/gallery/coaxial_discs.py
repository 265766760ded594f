"""Two coaxial rolling discs whose centres may slide along their common axle [Benenti 2008, Remark 7 and figure 3].

The discs stand upright on one straight axle and roll without slipping, each at its own pace; the centres are free to run
along the axle. A disc that does not slip sideways cannot be moved along the axle by it: the distance stays what it was,
although nothing holds it, and the pair moves like two points whose velocities are orthogonal to their segment.
"""

from __future__ import annotations

from typing import Any

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace
from nonholo.gallery.vertical_disk import upright_wheel
from nonholo.model.symmetry_declaration import planar_motion, rotation
from nonholo.model.system import System

TITLE = "Coaxial rolling discs"
GROUP = "Wheels and disks"
PAPERS = "Benenti 2008, Remark 7 and Fig. 3"
SOURCE = "Benenti 2008"

ALONG = ("xdot*cos(phi) + ydot*sin(phi)", "xdot*cos(phi) + ydot*sin(phi) + rhodot")
ACROSS = ("ydot*cos(phi) - xdot*sin(phi)", "ydot*cos(phi) - xdot*sin(phi) + rho*phidot")
"""The velocities of the centres P₁ = (x, y) and P₂ = P₁ + ρ (cos φ, sin φ), along the axle and across it."""


def exhibit() -> Exhibit:
    """P₁ = (x, y), the axle's direction φ, the distance ρ of the centres, the angles a₁ and a₂ that the discs have rolled."""
    return Exhibit(
        name="coaxial-discs",
        title=TITLE,
        group=GROUP,
        system=discs(),
        parameters={"m1": 1.2, "m2": 0.7, "r": 0.35, "I": 0.06, "J": 0.03},
        start={"phi": 0.4, "rho": 0.9, "a1dot": 2.0, "a2dot": 3.1},
        starts={"about the first disc": {"phi": 0.4, "rho": 0.9, "a2dot": 3.1}},
        until=10.0,
        references=(f"{SOURCE}, §8.2, Remark 7 and Fig. 3", f"{SOURCE}, (46)–(49), corrected"),
        units={
            "m1": "kg", "m2": "kg", "r": "m", "I": "kg m²", "J": "kg m²", "x": "m", "y": "m", "phi": "rad", "rho": "m",
            "a1": "rad", "a2": "rad",
        },
        drawing=Drawing(
            bodies=(
                Body("rod", _place("rho/2"), _axle(), {"length": "rho + r"}, colour="grey", label="axle"),
                _disc("0", "a1", "firebrick", "disc 1"),
                _disc("rho", "a2", "steelblue", "disc 2"),
                _mark("0", "a1"),
                _mark("rho", "a2"),
            ),
            traces=(
                Trace(("x", "y", "0"), "P1"),
                Trace(("x + rho*cos(phi)", "y + rho*sin(phi)", "0"), "P2", "steelblue"),
            ),
            plots=(("x", "y"), ("t", "rho"), ("t", "phi")),
        ),
        story=(
            "Two wheels on one smooth axle, free to slide along it towards each other or apart. They never do: a wheel that "
            "does not skid sideways stays where it is on the axle, so the loose pair drives like a rigid one, in circles."
        ),
    )


def _place(offset: str) -> tuple[str, str, str]:
    return (f"x + ({offset})*cos(phi)", f"y + ({offset})*sin(phi)", "r")


def _axle() -> Any:
    c, s = "cos(phi)", "sin(phi)"
    return ((c, f"-{s}", "0"), (s, c, "0"), ("0", "0", "1"))


def _disc(offset: str, angle: str, colour: str, label: str) -> Body:
    size = {"radius": "r", "width": "r/8"}
    return Body("disc", _place(offset), upright_wheel("phi + pi/2", angle), size, colour=colour, label=label)


def _mark(offset: str, angle: str) -> Body:
    return Body("rod", _place(offset), upright_wheel("phi + pi/2", angle), {"length": "1.9*r"}, colour="black")


def discs() -> System:
    """All six velocities free in L; four rolling conditions: no slip along and across the axle for each disc."""
    return System(
        name="coaxial rolling discs",
        coordinates="x y phi rho a1 a2",
        parameters="m1 m2 r I J",
        lagrangian=(
            f"m1/2*(xdot**2 + ydot**2) + m2/2*(({ALONG[1]})**2 + ({ACROSS[1]})**2) + I/2*(a1dot**2 + a2dot**2) + J*phidot**2"
        ),
        constraints=[*ALONG, f"{ACROSS[0]} - r*a1dot", f"{ACROSS[1]} - r*a2dot"],
        symmetry=planar_motion("x", "y", "phi") * rotation("a1") * rotation("a2"),
    )
