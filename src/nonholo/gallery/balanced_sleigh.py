"""The balanced sleigh: a knife edge below the centre of mass; it moves on circles."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Balanced sleigh (skate)"
GROUP = "Blades"
PAPERS = "BMZ 2009 §6.2 (a = 0); Notices 2005, after (19)"


def exhibit() -> Exhibit:
    """The Chaplygin sleigh with a = 0, in its body velocities ω and v."""
    system = System(
        name="balanced sleigh",
        coordinates="theta x y",
        parameters="m J",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},
        symmetry=planar_motion("x", "y", "theta"),
    )
    return Exhibit(
        name="balanced-sleigh",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 1.3, "J": 0.7},
        start={"theta": 0.4, "x": 0.3, "y": -0.2, "omega": 0.9, "v": 1.2},
        starts={"straight": {"theta": 0.4, "v": 1.2}, "in place": {"omega": 0.9}},
        until=10.0,
        references=("BMZ 2009, §6.2", "Notices 2005, after (19)"),
        units={"m": "kg", "J": "kg m²", "x": "m", "y": "m", "theta": "rad", "omega": "rad/s", "v": "m/s"},
        drawing=Drawing(
            bodies=(
                Body("box", ("x", "y", "0.13"), heading("theta"), {"x": "0.5", "y": "0.26", "z": "0.08"}, label="body"),
                Body("blade", ("x", "y", "0"), heading("theta"), {"length": "0.8"}, colour="black", label="edge"),
            ),
            traces=(Trace(("x", "y", "0"), "edge"),),
            plots=(("x", "y"), ("t", "theta"), ("t", "lambda1")),
        ),
        story=(
            "A skate whose blade is under its centre of mass. Turning and sliding keep their pace, so it runs on a circle "
            "for ever; its momentum is constant as the skate sees it, not as the ice does."
        ),
    )
