"""The systems on which every derivation must agree."""

from __future__ import annotations

from benchmarks.systems import rattleback_in_angles
from nonholo.geometry.groups.lie_algebra import LieAlgebra
from nonholo.geometry.groups.matrix_groups import SO3, Quaternion, Vertical
from nonholo.model.system import System

SLEIGH_LAGRANGIAN = "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
BLADE = "ydot*cos(theta) - xdot*sin(theta)"
SUSLOV = "(I1*w1**2 + I2*w2**2 + I3*w3**2)/2 + (2*w1*w2 - w2*w3)*I12/9"


def unbalanced_sleigh(**changes: object) -> System:
    words: dict[str, object] = {
        "name": "unbalanced sleigh",
        "coordinates": "theta x y",
        "parameters": "m J a",
        "lagrangian": SLEIGH_LAGRANGIAN,
        "constraints": [BLADE],
        "quasivelocities": {"omega": "thetadot", "v": "xdot*cos(theta) + ydot*sin(theta)"},
    }
    return System(**{**words, **changes})  # type: ignore[arg-type]


def balanced_sleigh() -> System:
    return System(
        name="balanced sleigh",
        coordinates="theta x y",
        parameters="m J",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2",
        constraints=[BLADE],
    )


def falling_disk() -> System:
    """The disk of Notices 2005, Figure 2: tilt θ, heading φ, self-rotation ψ, contact (x, y)."""
    east = "(xdot - R*(phidot*sin(theta)*cos(phi) + thetadot*cos(theta)*sin(phi)))"
    north = "(ydot + R*(thetadot*cos(theta)*cos(phi) - phidot*sin(theta)*sin(phi)))"
    return System(
        name="falling rolling disk",
        coordinates="theta phi psi x y",
        parameters="m g R A B",
        lagrangian=(
            f"m/2*({east}**2 + {north}**2 + R**2*thetadot**2*sin(theta)**2)"
            " + A/2*(thetadot**2 + phidot**2*cos(theta)**2) + B/2*(phidot*sin(theta) + psidot)**2 - m*g*R*cos(theta)"
        ),
        constraints=["xdot + psidot*R*cos(phi)", "ydot + psidot*R*sin(phi)"],
    )


SUSLOV_PARAMETERS = "I1 I2 I3 I12 a1 a2 a3"


def suslov_matrix() -> System:
    return System(
        name="Suslov, rotation matrix",
        frame=SO3("R"),
        parameters=SUSLOV_PARAMETERS,
        lagrangian=SUSLOV,
        constraints=["a1*w1 + a2*w2 + a3*w3"],
    )


def suslov_quaternion() -> System:
    return System(
        name="Suslov in a potential, quaternion",
        frame=Quaternion("q"),
        parameters=f"{SUSLOV_PARAMETERS} k",
        lagrangian=f"{SUSLOV} - k*(q1*q3 + q0**2*q2)",
        constraints=["a1*w1 + a2*w2 + a3*w3"],
    )


def suslov_algebra() -> System:
    brackets = {("w1", "w2"): "w3", ("w2", "w3"): "w1", ("w3", "w1"): "w2"}
    return System(
        name="Suslov, Lie algebra",
        frame=LieAlgebra(brackets, rates="w1 w2 w3"),
        parameters=SUSLOV_PARAMETERS,
        lagrangian=SUSLOV,
        constraints=["a1*w1 + a2*w2 + a3*w3"],
    )


def suslov_angles() -> System:
    """Body rates of the z-x-z Euler angles, written by hand."""
    rates = {
        "w1": "phidot*sin(theta)*sin(psi) + thetadot*cos(psi)",
        "w2": "phidot*sin(theta)*cos(psi) - thetadot*sin(psi)",
        "w3": "phidot*cos(theta) + psidot",
    }
    return System(
        name="Suslov, Euler angles",
        coordinates="phi theta psi",
        parameters=SUSLOV_PARAMETERS,
        lagrangian=SUSLOV,
        constraints=["a1*w1 + a2*w2 + a3*w3"],
        quasivelocities=rates,
    )


def heavy_top() -> System:
    return System(
        name="heavy top in gamma",
        frame=Vertical("g"),
        parameters="I1 I2 I3 m gravity l1 l2 l3",
        lagrangian="(I1*w1**2 + I2*w2**2 + I3*w3**2)/2 - m*gravity*(l1*g1 + l2*g2 + l3*g3)",
    )


TWO_POINTS = "m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2) - m1*g*y1 - m2*g*y2"


def parallel_points() -> System:
    return System(
        name="points with parallel velocities",
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2 g",
        lagrangian=TWO_POINTS,
        constraints=["x1dot*y2dot - x2dot*y1dot"],
    )


def parallel_points_parametric() -> System:
    along = {"x1dot": "v1*cos(th)", "y1dot": "v1*sin(th)", "x2dot": "v2*cos(th)", "y2dot": "v2*sin(th)"}
    return System(
        name="parallel points by parameters",
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2 g",
        lagrangian=TWO_POINTS,
        parametric=("v1 v2 th", along),
    )


def constant_speed() -> System:
    return System(
        name="point with |v| = c",
        coordinates="x y",
        parameters="m g c",
        lagrangian="m/2*(xdot**2 + ydot**2) - m*g*y",
        constraints=["xdot**2 + ydot**2 - c**2"],
    )


def turning_table() -> System:
    return System(
        name="ball on a turning table",
        coordinates="x y",
        frame=SO3("R"),
        parameters="m k r Om",
        lagrangian="m/2*(xdot**2 + ydot**2 + k*(w1**2 + w2**2 + w3**2))",
        constraints=["xdot - r*(R21*w1 + R22*w2 + R23*w3) + Om*y", "ydot + r*(R11*w1 + R12*w2 + R13*w3) - Om*x"],
    )


def magnetic_particle() -> System:
    return System(
        name="constrained particle in a magnetic field",
        coordinates="x y z",
        parameters="m B",
        lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2)",
        magnetic={("x", "y"): "B*(1 + z**2)", ("y", "z"): "B*x"},
        constraints=["zdot - y*xdot"],
    )


def pendulum_on_cart() -> System:
    return System(
        name="double pendulum on a cart",
        coordinates="X x1 y1 a2",
        parameters="M m1 m2 l1 l2 g",
        lagrangian=(
            "M/2*Xdot**2 + m1/2*((Xdot + x1dot)**2 + y1dot**2)"
            " + m2/2*((Xdot + x1dot + l2*cos(a2)*a2dot)**2 + (y1dot + l2*sin(a2)*a2dot)**2)"
            " - g*(m1*y1 + m2*(y1 - l2*cos(a2)))"
        ),
        holonomic=["x1**2 + y1**2 - l1**2"],
    )


def driven_sleigh() -> System:
    """Damping, an input, a constraint and a Lagrangian that depend on time."""
    return unbalanced_sleigh(
        name="driven sleigh",
        parameters="m J a c",
        inputs="tau",
        lagrangian=f"({SLEIGH_LAGRANGIAN})*(1 + sin(t)/3) + a*xdot*cos(t) + x*y",
        constraints=[f"{BLADE} - a*sin(t)*(1 + x)"],
        forces={"theta": "tau - c*thetadot", "v": "-c*v*sqrt(1 + v**2)"},
    )


ALL = {
    make.__name__: make
    for make in (
        unbalanced_sleigh, balanced_sleigh, falling_disk, rattleback_in_angles, suslov_matrix, suslov_quaternion,
        suslov_algebra, suslov_angles, heavy_top, parallel_points, parallel_points_parametric, constant_speed,
        turning_table, magnetic_particle, pendulum_on_cart, driven_sleigh,
    )
}  # fmt: skip
