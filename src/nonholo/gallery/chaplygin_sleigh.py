"""The Chaplygin sleigh: a body on a plane with one knife edge, its centre of mass ahead of the edge."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, ahead, heading
from nonholo.geometry.frames.frame import Frame
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Chaplygin sleigh (unbalanced)"
GROUP = "Blades"
PAPERS = "BMZ 2009 §6.2, (6.1)–(6.4); Notices 2005 (19)"

LAGRANGIAN = "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"


def exhibit() -> Exhibit:
    """The sleigh of BMZ 2009 §6.2: body and spatial momenta, the frame that conserves, and the closed motion."""
    system = System(
        name="Chaplygin sleigh",
        coordinates="theta x y",
        parameters="m J a",
        lagrangian=LAGRANGIAN,
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},
        symmetry=planar_motion("x", "y", "theta"),
    )
    return Exhibit(
        name="chaplygin-sleigh",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 1.3, "J": 0.7, "a": 0.4},
        start={"omega": 1.5, "v": -1.0},
        until=12.0,
        references=("BMZ 2009, §5, §6.2, (6.1)–(6.4)", "Notices 2005, (19)", "Chaplygin 1911"),
        units={"m": "kg", "J": "kg m²", "a": "m", "x": "m", "y": "m", "theta": "rad", "omega": "rad/s", "v": "m/s"},
        variants={"conserving frame": in_conserving_frame()},
        drawing=Drawing(
            bodies=(
                Body(
                    "box",
                    ("x + a*cos(theta)", "y + a*sin(theta)", "a/3"),
                    heading("theta"),
                    {"x": "3*a/2", "y": "a", "z": "a/6"},
                    label="body",
                ),
                Body("blade", ("x", "y", "0"), heading("theta"), {"length": "a"}, colour="black", label="edge"),
                *(
                    Body("sphere", ahead("3*a/2", side, "a/8"), size={"radius": "a/8"}, colour="grey", label="leg")
                    for side in ("a/3", "-a/3")
                ),
            ),
            traces=(
                Trace(("x", "y", "0"), "edge"),
                Trace(("x + a*cos(theta)", "y + a*sin(theta)", "0"), "centre of mass", "grey"),
            ),
            plots=(("x", "y"), ("t", "omega"), ("t", "v"), ("omega", "v")),
        ),
        story=(
            "A sleigh that slides freely except across its blade. It keeps its energy, and yet it always ends up going "
            "straight with the centre of mass in front: a system without friction with an attracting motion."
        ),
    )


def in_conserving_frame() -> System:
    """The same sleigh in the frame (6.2)–(6.4), with ``k = sqrt(m a²/(J + m a²))``."""
    k = "sqrt(m*a**2/(J + m*a**2))"
    cos_k, sin_k = f"cos({k}*theta)", f"sin({k}*theta)"
    frame = Frame(
        "theta x y",
        velocities="xi1 xi2 xi3",
        parameters="m J a",
        anchor=[
            [cos_k, f"-{k}/a*{sin_k}", "0"],
            [f"a/{k}*{sin_k}*cos(theta)", f"{cos_k}*cos(theta)", "-sin(theta)"],
            [f"a/{k}*{sin_k}*sin(theta)", f"{cos_k}*sin(theta)", "cos(theta)"],
        ],
    )
    return System(
        name="Chaplygin sleigh, conserving frame",
        frame=frame,
        parameters="m J a",
        lagrangian=LAGRANGIAN,
        constraints=["xi3"],
    )
