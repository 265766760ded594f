"""The vertical rolling disk, or penny: it rolls and turns but cannot tilt."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Rotation, Trace
from nonholo.model.symmetry_declaration import planar_motion, rotation
from nonholo.model.system import System

TITLE = "Vertical rolling disk (penny)"
GROUP = "Wheels and disks"
PAPERS = "BMZ 2009 §4.2; Notices 2005 (4)–(7)"


def upright_wheel(heading: str, roll: str) -> Rotation:
    """A wheel rolling forwards along the heading; its axis, the body's third, is horizontal to the right."""
    c, s, cr, sr = f"cos({heading})", f"sin({heading})", f"cos({roll})", f"sin({roll})"
    return ((f"{c}*{cr}", f"{c}*{sr}", s), (f"{s}*{cr}", f"{s}*{sr}", f"-{c}"), (f"-{sr}", cr, "0"))


def exhibit() -> Exhibit:
    """Contact point (x, y), heading φ, rolling angle θ; ẋ = r θ̇ cos φ, ẏ = r θ̇ sin φ."""
    system = System(
        name="vertical disk",
        coordinates="x y phi theta",
        parameters="m r I J",
        lagrangian="m/2*(xdot**2 + ydot**2) + I/2*thetadot**2 + J/2*phidot**2",
        constraints=["xdot - r*thetadot*cos(phi)", "ydot - r*thetadot*sin(phi)"],
        quasivelocities={"rolling": "thetadot", "turning": "phidot"},
        symmetry=planar_motion("x", "y", "phi") * rotation("theta"),
    )
    return Exhibit(
        name="vertical-disk",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 1.3, "r": 0.4, "I": 0.11, "J": 0.06},
        start={"phi": 0.3, "rolling": 3.0, "turning": 0.8},
        starts={"straight": {"phi": 0.3, "rolling": 3.0}},
        until=8.0,
        references=("BMZ 2009, §4.2", "Notices 2005, (1)–(7)", "Bloch, Krishnaprasad, Marsden and Murray 1996"),
        units={"m": "kg", "r": "m", "I": "kg m²", "J": "kg m²", "x": "m", "y": "m", "phi": "rad", "theta": "rad"},
        drawing=Drawing(
            bodies=(
                Body(
                    "disc",
                    ("x", "y", "r"),
                    upright_wheel("phi", "theta"),
                    {"radius": "r", "width": "r/20"},
                    label="disk",
                ),
                Body(
                    "rod",
                    ("x", "y", "r"),
                    upright_wheel("phi", "theta"),
                    {"length": "2*r"},
                    colour="black",
                    label="mark",
                ),
            ),
            traces=(Trace(("x", "y", "0"), "contact"),),
            plots=(("x", "y"), ("t", "phi"), ("t", "lambda1")),
        ),
        story=(
            "A coin that stays upright. It rolls in circles at an even pace; the simplest system whose directions are "
            "limited but whose places are not, and where the laws of mechanics and of least action part company."
        ),
    )
