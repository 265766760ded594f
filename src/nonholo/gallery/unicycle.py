"""The unicycle of robotics: one driven, steered wheel that may not slide sideways."""

from __future__ import annotations

from nonholo.gallery.exhibit import UPWARD, Body, Drawing, Exhibit, Rotation, Trace
from nonholo.model.symmetry_declaration import planar_motion, rotation
from nonholo.model.system import System

TITLE = "Unicycle (driven and steered wheel)"
GROUP = "Wheels and disks"
PAPERS = "Brockett 1983; Fliess, Lévine, Martin, Rouchon 1995; d'Andréa-Novel, Campion, Bastin 1995"


def exhibit() -> Exhibit:
    """A wheel of radius R that carries a mass m; torques ``drive`` about its axle and ``steer`` about the vertical."""
    turned: Rotation = (
        ("cos(theta)*cos(psi)", "-cos(theta)*sin(psi)", "-sin(theta)"),
        ("sin(theta)*cos(psi)", "-sin(theta)*sin(psi)", "cos(theta)"),
        ("-sin(psi)", "-cos(psi)", "0"),
    )
    return Exhibit(
        name="unicycle",
        title=TITLE,
        group=GROUP,
        system=System(
            name="unicycle",
            coordinates="x y theta psi",
            parameters="m I J R",
            inputs="drive steer",
            lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + I/2*psidot**2",
            constraints=["xdot - R*cos(theta)*psidot", "ydot - R*sin(theta)*psidot"],
            quasivelocities={"v": "xdot*cos(theta) + ydot*sin(theta)", "omega": "thetadot"},
            forces={"psi": "drive", "theta": "steer"},
            symmetry=planar_motion("x", "y", "theta") * rotation("psi"),
        ),
        parameters={"m": 8.0, "I": 0.09, "J": 0.4, "R": 0.25},
        start={"v": 0.5, "omega": 0.0},
        until=16.0,
        references=(
            "Brockett 1983, Asymptotic stability and feedback stabilization",
            "Fliess, Lévine, Martin, Rouchon 1995, Flatness and defect of non-linear systems",
            "d'Andréa-Novel, Campion, Bastin 1995, Control of nonholonomic wheeled mobile robots",
        ),
        units={
            "m": "kg", "I": "kg m²", "J": "kg m²", "R": "m", "x": "m", "y": "m", "theta": "rad", "psi": "rad", "v": "m/s",
            "omega": "rad/s", "drive": "N m", "steer": "N m",
        },
        inputs={"drive": "0.3*cos(t/2)", "steer": "0.25*cos(t)"},
        drawing=Drawing(
            bodies=(
                Body("wheel", ("x", "y", "R"), turned, {"radius": "R", "width": "R/6"}, label="wheel"),
                Body("rod", ("x", "y", "2*R"), UPWARD, {"length": "2*R"}, colour="grey"),
                Body("sphere", ("x", "y", "3*R"), size={"radius": "R/3"}, colour="firebrick", label="load"),
            ),
            traces=(Trace(("x", "y", "0"), "path"),),
            plots=(("x", "y"), ("t", "v"), ("t", "omega")),
        ),
        story=(
            "The simplest robot that cannot go sideways, and yet can get anywhere. It goes where it points, so the path "
            "alone tells everything else: heading, speeds, and the torques that drive it."
        ),
    )
