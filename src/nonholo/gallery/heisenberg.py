"""Brockett's nonholonomic integrator: a point that lifts by the area its shadow sweeps."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, velocity_arrow
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System

TITLE = "Heisenberg system (nonholonomic integrator)"
GROUP = "Particles"
PAPERS = "Notices 2005, Further Topics; Brockett 1981"

LIFT = "zdot - x*ydot + y*xdot"


def exhibit() -> Exhibit:
    """``ż = x ẏ − y ẋ`` with a mass m in the plane and c m upwards; ``c = 0`` is the sub-Riemannian problem."""
    return Exhibit(
        name="heisenberg",
        title=TITLE,
        group=GROUP,
        system=System(
            name="Heisenberg system",
            coordinates="x y z",
            parameters="m c",
            lagrangian="m/2*(xdot**2 + ydot**2 + c*zdot**2)",
            constraints=[LIFT],
            symmetry=Symmetry(
                {"turn": {"x": "-y", "y": "x"}, "shift_z": {"z": "1"}},
                "turns about z and shifts along z",
            ),
        ),
        parameters={"m": 1.3, "c": 0.6},
        start={"x": 0.5, "y": -0.3, "xdot": 0.4, "ydot": 0.9},
        until=6.0,
        references=("Notices 2005, Further Topics", "Brockett 1981", "Bloch 2003", "Montgomery 2002"),
        units={"m": "kg", "c": "1", "x": "1", "y": "1", "z": "1"},
        variants={
            "sub-Riemannian": System(
                name="Heisenberg geodesics",
                coordinates="x y z",
                parameters="m",
                lagrangian="m/2*(xdot**2 + ydot**2)",
                constraints=[LIFT],
            )
        },
        drawing=Drawing(
            bodies=(
                Body("sphere", ("x", "y", "z"), size={"radius": "0.12"}, label="point"),
                velocity_arrow(("x", "y", "z"), ("xdot", "ydot", "zdot")),
            ),
            traces=(Trace(("x", "y", "z"), "path"), Trace(("x", "y", "0"), "shadow", "grey")),
            plots=(("x", "y"), ("t", "z")),
        ),
        story=(
            "The simplest nonintegrable constraint: moving round a loop in the plane lifts the point by twice the loop's area. "
            "Left alone it goes straight; asked for the shortest way up it goes in circles: mechanics is not least action."
        ),
    )
