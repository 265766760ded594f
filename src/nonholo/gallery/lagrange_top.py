"""The Lagrange top: a symmetric body that turns about a point of its axis, by itself and as the limit of a rolling top."""

from __future__ import annotations

from nonholo.gallery._axisymmetric import along_axis, axisymmetric, profile
from nonholo.gallery._rolling import attitude
from nonholo.gallery.exhibit import UPWARD, Body, Drawing, Exhibit, Trace, matrix_of
from nonholo.geometry.groups.matrix_groups import SO3, Vertical
from nonholo.model.symmetry_declaration import Symmetry, rotation
from nonholo.model.system import System

TITLE = "Lagrange top"
GROUP = "Tops and pendulums"
PAPERS = "MacDonnell 1997 §§9.1, 9.5, 9.6"

SOURCE = "MacDonnell 1997"
KINETIC = "(J1 + m*a**2)*(w1**2 + w2**2)/2 + J3*w3**2/2"
SPIN = {f"R{k}1": f"-R{k}2" for k in (1, 2, 3)} | {f"R{k}2": f"R{k}1" for k in (1, 2, 3)}
TURN = {f"R1{k}": f"-R2{k}" for k in (1, 2, 3)} | {f"R2{k}": f"R1{k}" for k in (1, 2, 3)}


def exhibit() -> Exhibit:
    """J1 and J3 are about the centre of mass, which is at distance a from the fixed point."""
    names = "m g a J1 J3"
    system = System(
        name="Lagrange top",
        frame=SO3("R", rates="w1 w2 w3"),
        parameters=names,
        lagrangian=f"{KINETIC} - m*g*a*R33",
        symmetry=Symmetry({"turn": TURN, "spin": SPIN}, "SO(2) x SO(2)"),
    )
    tip = ("1.6*a*R13", "1.6*a*R23", "1.6*a*R33")
    return Exhibit(
        name="lagrange-top",
        title=TITLE,
        group=GROUP,
        system=system,
        parameters={"m": 0.5, "g": 9.81, "a": 0.12, "J1": 0.0009, "J3": 0.0006},
        start={**attitude(0.0, 0.6, 0.0), "w3": 150.0},
        starts={"fast": {**attitude(0.0, 0.6, 0.0), "w3": 400.0}, "sleeping": {**attitude(0.0, 0.001, 0.0), "w3": 250.0}},
        until=3.0,
        references=(f"{SOURCE}, §§9.1, 9.5, 9.6", "Arnold 1989, §30"),
        units={"m": "kg", "g": "m/s²", "a": "m", "J1": "kg m²", "J3": "kg m²"} | dict.fromkeys(("w1", "w2", "w3"), "rad/s"),
        drawing=Drawing(
            bodies=(
                Body("rod", ("0", "0", "-0.6*a"), UPWARD, {"length": "1.2*a"}, colour="grey", label="stand"),
                Body("sphere", size={"radius": "0.06*a"}, colour="black", label="fixed point"),
                Body("rod", ("0.8*a*R13", "0.8*a*R23", "0.8*a*R33"), along_axis(), {"length": "1.6*a"}, colour="black"),
                Body("disc", ("a*R13", "a*R23", "a*R33"), matrix_of("R"), {"radius": "0.5*a", "width": "0.15*a"}, label="rotor"),
                Body(
                    "sphere",
                    ("a*R13 + 0.5*a*R11", "a*R23 + 0.5*a*R21", "a*R33 + 0.5*a*R31"),
                    size={"radius": "0.06*a"},
                    colour="firebrick",
                    label="mark",
                ),
            ),
            traces=(Trace(tip, "tip"),),
            ground="none",
            plots=(("t", "R33"), ("R13", "R23"), ("t", "w1"), ("t", "w3")),
        ),
        variants={"vertical": vertical(names), "euler": euler(names), "rolling": rolling()},
        story=(
            "A spinning top with its point fixed: gravity makes it go round instead of fall. It is what becomes of a top "
            "with a round foot that rolls on the floor when the foot shrinks to a point."
        ),
    )


def vertical(names: str) -> System:
    """The same in ``γ = Rᵀe3`` alone (Poisson's equations)."""
    frame = Vertical("gamma", rates="w1 w2 w3")
    return System(name="Lagrange top (vertical)", frame=frame, parameters=names, lagrangian=f"{KINETIC} - m*g*a*gamma3")


def euler(names: str) -> System:
    """The same in Euler angles, ``R = R3(φ) R1(θ) R3(ψ)``, singular at θ = 0."""
    return System(
        name="Lagrange top (Euler angles)",
        coordinates="phi theta psi",
        parameters=names,
        lagrangian=(
            "(J1 + m*a**2)*(thetadot**2 + phidot**2*sin(theta)**2)/2 + J3*(psidot + phidot*cos(theta))**2/2"
            " - m*g*a*cos(theta)"
        ),
        symmetry=rotation("phi") * rotation("psi"),
    )


def rolling() -> System:
    """Routh's rolling top, whose foot of radius r may shrink to a point."""
    return axisymmetric("Routh top", profile("r + a*cos(theta)", "a", "a r"))
