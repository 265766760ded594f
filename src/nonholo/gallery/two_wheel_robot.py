"""A robot with two driven wheels and a caster: differential drive, with the inertia of everything that turns."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, ahead, heading, rolling
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Two-wheel robot with a caster"
GROUP = "Robots and vehicles"
PAPERS = "Campion, Bastin, d'Andréa-Novel 1996; Fierro and Lewis 1997"

VALUES = {
    "m": 9.0, "J": 0.5, "a": 0.12, "b": 0.25, "R": 0.1, "I": 0.02, "c": 0.4, "d": 0.08, "rc": 0.04, "Jc": 0.01, "Ic": 0.0004,
}  # fmt: skip
"""Body: mass, moment about its centre of mass, which is a ahead of the axle. Wheels: half track b, radius R, spin I.
Caster: pivot c ahead of the axle, contact d behind the pivot, radius rc, swivel moment Jc, spin Ic."""
LAGRANGIAN = (
    "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
    " + I/2*(rightdot**2 + leftdot**2) + Jc/2*(thetadot + betadot)**2 + Ic/2*chidot**2"
)
PIVOT = ("(xdot - c*thetadot*sin(theta))", "(ydot + c*thetadot*cos(theta))")


def exhibit() -> Exhibit:
    """Coordinates: axle's middle (x, y), heading θ, wheel angles, caster swivel β against the body and its spin χ."""
    return Exhibit(
        name="two-wheel-robot",
        title=TITLE,
        group=GROUP,
        system=robot(),
        parameters=VALUES,
        start={"v": -0.6, "beta": 0.05},
        until=12.0,
        references=(
            "Campion, Bastin, d'Andréa-Novel 1996, Structural properties and classification of wheeled mobile robots",
            "Fierro and Lewis 1997, Control of a nonholonomic mobile robot: backstepping kinematics into dynamics",
        ),
        units={
            "m": "kg", "J": "kg m²", "a": "m", "b": "m", "R": "m", "I": "kg m²", "c": "m", "d": "m", "rc": "m", "Jc": "kg m²",
            "Ic": "kg m²", "x": "m", "y": "m", "theta": "rad", "right": "rad", "left": "rad", "beta": "rad", "chi": "rad",
            "v": "m/s", "omega": "rad/s", "torque_r": "N m", "torque_l": "N m",
        },
        inputs={"torque_r": "0.3*exp(-t/4)*(1 + sin(t))", "torque_l": "0.3*exp(-t/4)*(1 - sin(t))"},
        starts={"turning on the spot": {"omega": 2.0}, "ahead": {"v": 1.0, "beta": 2.5}},
        drawing=_drawing(),
        story=(
            "The robot vacuum: two motors, two wheels, and a little wheel that is dragged along. Steering is the "
            "difference of the wheels; whenever the robot changes its mind the caster has to swing around first, and its "
            "swing can be felt in the heading."
        ),
    )


def robot() -> System:
    """Four rolling constraints and one slide-free caster leave v and ω."""
    side = "(xdot*cos(theta) + ydot*sin(theta))"
    swivel = "(theta + beta)"
    return System(
        name="two-wheel robot with a caster",
        coordinates="x y theta right left beta chi",
        parameters=list(VALUES),
        inputs="torque_r torque_l",
        lagrangian=LAGRANGIAN,
        constraints=[
            "ydot*cos(theta) - xdot*sin(theta)",
            f"{side} + b*thetadot - R*rightdot",
            f"{side} - b*thetadot - R*leftdot",
            f"{PIVOT[1]}*cos{swivel} - {PIVOT[0]}*sin{swivel} - d*(thetadot + betadot)",
            f"{PIVOT[0]}*cos{swivel} + {PIVOT[1]}*sin{swivel} - rc*chidot",
        ],
        quasivelocities={"v": "xdot*cos(theta) + ydot*sin(theta)", "omega": "thetadot"},
        forces={"right": "torque_r", "left": "torque_l"},
        symmetry=planar_motion("x", "y", "theta"),
    )


def _drawing() -> Drawing:
    contact = ("x + c*cos(theta) - d*cos(theta + beta)", "y + c*sin(theta) - d*sin(theta + beta)", "rc")
    driven, dragged = {"radius": "R", "width": "R/4"}, {"radius": "rc", "width": "rc/3"}
    return Drawing(
        bodies=(
            Body(
                "box", ahead("a", "0", "R"), heading("theta"), {"x": "2*a + c", "y": "1.6*b", "z": "R/2"}, label="body"
            ),
            Body("wheel", ahead("0", "b", "R"), rolling("theta"), driven, colour="black", label="left wheel"),
            Body("wheel", ahead("0", "-b", "R"), rolling("theta"), driven, colour="black", label="right wheel"),
            Body("wheel", contact, rolling("theta + beta"), dragged, colour="firebrick", label="caster"),
        ),
        traces=(Trace(("x", "y", "0"), "axle"), Trace((contact[0], contact[1], "0"), "caster", "grey")),
        plots=(("x", "y"), ("t", "v"), ("t", "omega"), ("t", "beta")),
    )
