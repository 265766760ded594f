"""The degenerate sleigh: a blade without moment of inertia, whose motion its start does not determine.

``DETERMINED = False`` says so to whoever runs all exhibits: `hamel` refuses this system, `check` reports that the
accelerations are not unique, and `simulate` has nothing to simulate. The variant with a prescribed heading can move.
"""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Degenerate sleigh (motion not determined)"
GROUP = "Blades"
PAPERS = "Zenkov 2016 Example 4.1"

DETERMINED = False
"""The start does not determine the motion; laws about motion do not apply."""
SOURCE = "Zenkov 2016"
STEERED = "heading prescribed by its rate u"


def exhibit() -> Exhibit:
    """``l = ½ ξ ξ̄`` with ``ξ = e^{−iθ} ż`` real: a blade with mass, and nothing that turns."""
    return Exhibit(
        name="degenerate-sleigh",
        title=TITLE,
        group=GROUP,
        system=blade(""),
        parameters={"m": 1.0},
        start={"theta": 0.3, "v": 1.2},
        until=6.0,
        references=(f"{SOURCE}, Example 4.1, after (4.6)",),
        units={"m": "kg", "theta": "rad", "x": "m", "y": "m", "v": "m/s", "omega": "rad/s"},
        drawing=Drawing(
            bodies=(Body("blade", ("x", "y", "0"), heading("theta"), {"length": "0.4"}, colour="black", label="blade"),),
            traces=(Trace(("x", "y", "0"), "path"),),
            plots=(("x", "y"), ("t", "v")),
        ),
        variants={STEERED: blade("u")},
        story=(
            "A skate without any resistance to turning. Its speed stays what it was, but its heading may do anything at "
            "any moment, at no cost: the laws of mechanics do not say where it goes. A program that drew a path here "
            "would be making it up, so this one says why there is none."
        ),
    )


def blade(inputs: str) -> System:
    """The blade with its heading free, or with its rate as an input."""
    return System(
        name="degenerate sleigh" + (", steered" if inputs else ""),
        coordinates="theta x y",
        parameters="m",
        inputs=inputs,
        lagrangian="m/2*(xdot**2 + ydot**2)",
        constraints=["ydot*cos(theta) - xdot*sin(theta)", *(f"thetadot - {name}" for name in inputs.split())],
        quasivelocities={"v": "xdot*cos(theta) + ydot*sin(theta)", "omega": "thetadot"},
        symmetry=planar_motion("x", "y", "theta"),
    )
