"""A knife edge on an inclined plane: it slides along a cycloid and never gets down."""

from __future__ import annotations

from math import pi

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Point, Rotation, Trace
from nonholo.model.symmetry_declaration import translation
from nonholo.model.system import System

TITLE = "Knife edge on an inclined plane"
GROUP = "Blades"
PAPERS = "Neimark and Fufaev 1972; Bloch 2003; Arnold, Kozlov, Neishtadt 2006"


def exhibit() -> Exhibit:
    """x points down the slope, y across it, φ is the edge's heading from x."""
    system = System(
        name="knife edge on an incline",
        coordinates="x y phi",
        parameters="m J g alpha",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*phidot**2 + m*g*sin(alpha)*x",
        constraints=["xdot*sin(phi) - ydot*cos(phi)"],
        quasivelocities={"omega": "phidot", "v": "xdot*cos(phi) + ydot*sin(phi)"},
        symmetry=translation("y"),
    )
    turned: Rotation = (
        ("cos(alpha)*cos(phi)", "-cos(alpha)*sin(phi)", "sin(alpha)"),
        ("sin(phi)", "cos(phi)", "0"),
        ("-sin(alpha)*cos(phi)", "sin(alpha)*sin(phi)", "cos(alpha)"),
    )
    extent = {"s0": "-0.7", "s1": "1.5", "r0": "-0.7", "r1": "8"}
    slope: Point = ("s*cos(alpha)", "r", "-s*sin(alpha)")
    place: Point = ("x*cos(alpha)", "y", "-x*sin(alpha)")
    return Exhibit(
        name="knife-edge",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 0.8, "J": 0.05, "g": 9.81, "alpha": 0.35},
        start={"phi": 0.0, "omega": 1.7, "v": 0.0},
        until=4 * pi / 1.7,
        references=(
            "Neimark and Fufaev 1972, Dynamics of Nonholonomic Systems",
            "Bloch 2003, Nonholonomic Mechanics and Control, §1.6",
            "Arnold, Kozlov, Neishtadt 2006, Mathematical Aspects of Classical and Celestial Mechanics, Chapter 1, §4",
        ),
        units={
            "m": "kg", "J": "kg m²", "g": "m/s²", "alpha": "rad", "x": "m", "y": "m", "phi": "rad", "omega": "rad/s",
            "v": "m/s",
        },
        starts={
            "pushed across the slope": {"phi": pi / 2, "omega": 1.7, "v": 1.0},
            "not turning": {"phi": 0.6, "v": -1.0},
        },
        drawing=Drawing(
            bodies=(
                Body("surface", size=extent, points=slope, colour="wheat", label="slope"),
                Body("blade", place, turned, {"length": "0.8"}, colour="black", label="edge"),
            ),
            traces=(Trace(place, "path"),),
            ground="none",
            plots=(("y", "x"), ("t", "v"), ("t", "x")),
        ),
        story=(
            "A skate on a tilted rink, spinning as it lets go. It rushes down, turns, climbs back to the height it came "
            "from, and starts again: a cycloid across the slope, on and on, that never gets a step further down."
        ),
    )
