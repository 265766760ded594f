"""The Chaplygin sphere: a balanced ball with three different moments of inertia rolls on a plane."""

from __future__ import annotations

from nonholo.gallery._rolling import PLANE_SYMMETRY, attitude
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import SO3
from nonholo.model.system import System

TITLE = "Chaplygin sphere"
GROUP = "Balls and rolling bodies"
PAPERS = "MacDonnell 1997 §13"

SOURCE = "MacDonnell 1997"


def exhibit() -> Exhibit:
    """The sphere of MacDonnell 1997 §13: rotation matrix R (his W), body rates w, centre above (x, y)."""
    system = System(
        name="Chaplygin sphere",
        frame=SO3("R", rates="w1 w2 w3") * Euclidean("x y"),
        parameters="m r J1 J2 J3",
        lagrangian="(J1*w1**2 + J2*w2**2 + J3*w3**2)/2 + m/2*(xdot**2 + ydot**2)",
        constraints=["xdot - r*(R21*w1 + R22*w2 + R23*w3)", "ydot + r*(R11*w1 + R12*w2 + R13*w3)"],
        symmetry=PLANE_SYMMETRY,
    )
    centre = ("x", "y", "r")
    spots = {"first axis": "1", "second axis": "2", "third axis": "3"}
    colours = ("firebrick", "seagreen", "black")
    # the marks are let into the ball, or they would pierce the ground
    ends = [(f"x + 0.88*r*R1{k}", f"y + 0.88*r*R2{k}", f"r + 0.88*r*R3{k}") for k in spots.values()]
    third = ("x + r*R13", "y + r*R23", "r + r*R33")
    return Exhibit(
        name="chaplygin-sphere",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 1.2, "r": 0.5, "J1": 0.07, "J2": 0.11, "J3": 0.15},
        start={**attitude(0.3, 0.9, -0.4), "w1": 0.4, "w2": 2.0, "w3": -0.3},
        starts={"tumbling": {"w1": 0.02, "w2": 2.5}, "steady": {"w3": 2.0}},
        until=20.0,
        references=(f"{SOURCE}, §§13.1–13.6, (13.1), (13.2)", "Chaplygin 1903", "Borisov and Mamaev 2001"),
        units={"m": "kg", "r": "m", "J1": "kg m²", "J2": "kg m²", "J3": "kg m²", "x": "m", "y": "m"}
        | dict.fromkeys(("w1", "w2", "w3"), "rad/s"),
        drawing=Drawing(
            bodies=(
                Body("sphere", centre, matrix_of("R"), {"radius": "r"}, label="ball"),
                *(
                    Body("sphere", end, size={"radius": "0.15*r"}, colour=c, label=n)
                    for (n, _), end, c in zip(spots.items(), ends, colours)
                ),
            ),
            traces=(Trace(("x", "y", "0"), "contact"), Trace(third, "third axis", "grey")),
            plots=(("x", "y"), ("t", "w1"), ("t", "w2"), ("t", "w3"), ("R31", "R32")),
        ),
        story=(
            "A ball with its centre of mass in the middle but unequal moments of inertia rolls like no ordinary ball: it "
            "wanders and turns. Chaplygin solved it in 1903, and only a change of time makes its reduced motion Hamiltonian."
        ),
    )
