"""The roller racer: two carts on a hinge, driven by nothing but the swing of the handlebar."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, ahead, heading, rolling
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Roller racer"
GROUP = "Robots and vehicles"
PAPERS = "Krishnaprasad and Tsakiris 2001; Bloch 2003 §1.10"

SOURCE = "Krishnaprasad and Tsakiris 2001"
DRIVE = "-40*(phi - 0.6*cos(3*t)) - 6*(phidot + 1.8*sin(3*t))"
"""A rider: the handlebar is pulled towards a swing of 0.6 rad."""
VALUES = {"m": 3.0, "I1": 0.3, "I2": 0.35, "d1": 0.6, "d2": 0.15}


def exhibit() -> Exhibit:
    """Axle 1 at (x, y) with heading θ, the hinge d₁ ahead of it, axle 2 another d₂ ahead at the heading θ + φ."""
    hinge = ("x + d1*cos(theta)", "y + d1*sin(theta)")
    front = (f"{hinge[0]} + d2*cos(theta + phi)", f"{hinge[1]} + d2*sin(theta + phi)")
    middle, seat, axle = ahead("d1/2", z="d1/6"), ahead("d1/10", z="9*d1/40"), ahead("0", z="d1/10")
    post = ahead("d2/2", z="d1/10", angle="theta + phi", x=hinge[0], y=hinge[1])
    return Exhibit(
        name="roller-racer",
        title=TITLE,
        group=GROUP,
        system=racer(),
        parameters=VALUES,
        start={"phi": 0.6},
        until=20.0,
        references=(
            f"{SOURCE}, Oscillations, SE(2)-snakes and motion control: a study of the roller racer",
            "Bloch 2003, Nonholonomic Mechanics and Control, §1.10",
        ),
        units={
            "m": "kg", "I1": "kg m²", "I2": "kg m²", "d1": "m", "d2": "m", "x": "m", "y": "m", "theta": "rad",
            "phi": "rad", "v": "m/s", "omega": "rad/s", "phidot": "rad/s", "tau": "N m",
        },
        inputs={"tau": DRIVE},
        starts={"already moving": {"phi": 0.5, "v": 1.0}},
        drawing=Drawing(
            bodies=(
                Body("box", middle, heading("theta"), {"x": "d1", "y": "d1/8", "z": "d1/16"}, label="beam"),
                Body("box", seat, heading("theta"), {"x": "d1/2", "y": "d1/3", "z": "d1/16"}, label="seat"),
                Body("rod", axle, heading("theta + pi/2"), {"length": "d1/2"}, colour="grey"),
                Body("rod", (*front, "d1/10"), heading("theta + phi + pi/2"), {"length": "d1/3"}, colour="grey"),
                Body("rod", post, heading("theta + phi"), {"length": "d2"}, colour="grey"),
                Body(
                    "rod",
                    (*hinge, "d1/4"),
                    heading("theta + phi + pi/2"),
                    {"length": "d1"},
                    colour="firebrick",
                    label="bar",
                ),
                *(_wheel(("x", "y"), "theta", out) for out in ("d1/4", "-d1/4")),
                *(_wheel(front, "theta + phi", out) for out in ("d1/6", "-d1/6")),
            ),
            traces=(Trace(("x", "y", "0"), "rear axle"), Trace((*front, "0"), "front axle", "grey")),
            plots=(("x", "y"), ("t", "v"), ("t", "phi"), ("phi", "v")),
        ),
        story=(
            "A child's toy with no pedals: wiggle the handlebar and it goes. All forces are inside; what pushes is the "
            "sideways grip of four wheels, which turns the swing of the bar into a momentum that grows with its square."
        ),
    )


def racer() -> System:
    """The front cart's mass counts only by its moment of inertia, as in the paper; the rider's torque τ acts on φ."""
    return System(
        name="roller racer",
        coordinates="x y theta phi",
        parameters="m I1 I2 d1 d2",
        inputs="tau",
        lagrangian="m/2*(xdot**2 + ydot**2) + I1/2*thetadot**2 + I2/2*(thetadot + phidot)**2",
        constraints=[
            "ydot*cos(theta) - xdot*sin(theta)",
            "(ydot + d1*thetadot*cos(theta) + d2*(thetadot + phidot)*cos(theta + phi))*cos(theta + phi)"
            " - (xdot - d1*thetadot*sin(theta) - d2*(thetadot + phidot)*sin(theta + phi))*sin(theta + phi)",
        ],
        quasivelocities={"v": "xdot*cos(theta) + ydot*sin(theta)", "omega": "thetadot"},
        forces={"phi": "tau"},
        symmetry=planar_motion("x", "y", "theta"),
    )


def _wheel(axle: tuple[str, str], angle: str, out: str) -> Body:
    place = ahead("0", out, "d1/10", angle, *axle)
    return Body("wheel", place, rolling(angle), {"radius": "d1/10", "width": "d1/24"}, colour="black")
