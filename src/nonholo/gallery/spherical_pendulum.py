"""The spherical pendulum as a degenerate rigid body: a heavy Suslov top in the vertical γ, with no poles."""

from __future__ import annotations

from math import sqrt

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace
from nonholo.geometry.groups.matrix_groups import SO3, Vertical
from nonholo.model.symmetry_declaration import rotation
from nonholo.model.system import System

TITLE = "Spherical pendulum without poles"
GROUP = "Tops and pendulums"
PAPERS = "Zenkov 2016 §6"

SOURCE = "Zenkov 2016"
BODY = "m*r**2/2*(xi1**2 + xi2**2)"


def exhibit() -> Exhibit:
    """Zenkov 2016 (6.3)–(6.5): the vertical γ seen from the pendulum, and the constraint ξ₃ = 0."""
    top = -sqrt(1 - 0.3**2 - 0.2**2)
    vertical = ("r*gamma1", "r*gamma2", "r*gamma3")
    return Exhibit(
        name="spherical-pendulum",
        title=TITLE,
        group=GROUP,
        system=System(
            name="spherical pendulum",
            frame=Vertical("gamma", rates="xi1 xi2 xi3"),
            parameters="m r g",
            lagrangian=f"{BODY} - m*g*r*gamma3",
            constraints=["xi3"],
        ),
        parameters={"m": 1.0, "r": 9.8, "g": 9.8},
        start={"gamma1": 0.3, "gamma2": 0.2, "gamma3": top, "xi1": 0.6, "xi2": 0.0},
        until=40.0,
        references=(f"{SOURCE}, §6, (6.1)–(6.7), Theorem 6.1", "Zenkov, Leok, Bloch 2012, Proc. CDC 51, 7504"),
        units={
            "m": "kg", "r": "m", "g": "m/s²", "gamma1": "1", "gamma2": "1", "gamma3": "1", "xi1": "rad/s", "xi2": "rad/s",
            "xi3": "rad/s",
        },
        starts={
            "across the equator": {"gamma1": 0.3, "gamma2": 0.2, "gamma3": top, "xi1": 1.9, "xi2": 0.4},
            "over the top": {"gamma1": 0.0, "gamma2": 0.0, "gamma3": -1.0, "xi1": 2.3, "xi2": 0.0},
        },
        drawing=Drawing(
            bodies=(
                Body("sphere", ("0", "0", "0"), size={"radius": "r"}, colour="lightgrey", label="sphere"),
                Body("arrow", size=dict(zip("xyz", vertical)), colour="black"),
                Body("point", vertical, colour="firebrick", label="the vertical, seen from the pendulum"),
            ),
            traces=(Trace(vertical, "path of γ"),),
            ground="none",
            plots=(("gamma1", "gamma2"), ("t", "gamma3"), ("t", "xi1")),
        ),
        variants={
            "rotation matrix": System(
                name="spherical pendulum by rotation matrix",
                frame=SO3("R", rates="xi1 xi2 xi3"),
                parameters="m r g",
                lagrangian=f"{BODY} - m*g*r*R33",
                constraints=["xi3"],
            ),
            "point on a sphere": point(),
            "spherical coordinates, with poles": angles(),
        },
        story=(
            "A weight on a rod, swinging every way. In angles its equations divide by zero whenever it hangs straight down; "
            "seen as a body that may not spin about its rod, with the vertical γ as its coordinate, nothing ever does."
        ),
    )


def point() -> System:
    """A mass point kept on the sphere by a holonomic constraint."""
    return System(
        name="point on a sphere",
        coordinates="x y z",
        parameters="m r g",
        lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z",
        holonomic=["x**2 + y**2 + z**2 - r**2"],
    )


def angles() -> System:
    """θ from the upward vertical and φ about it: singular where sin θ = 0."""
    return System(
        name="spherical pendulum in angles",
        coordinates="theta phi",
        parameters="m r g",
        lagrangian="m*r**2/2*(thetadot**2 + sin(theta)**2*phidot**2) - m*g*r*cos(theta)",
        symmetry=rotation("phi"),
    )
