"""A ball rolling on a turning table: affine constraints, and circles at 2/7 of the table's rate."""

from __future__ import annotations

from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading, matrix_of, velocity_arrow
from nonholo.geometry.frames.frame import Frame
from nonholo.geometry.groups.matrix_groups import SO3, Quaternion
from nonholo.model.system import System

TITLE = "Ball on a turntable"
GROUP = "Balls and rolling bodies"
PAPERS = "Earnshaw 1844; Routh 1905; Weltner 1979"

BALLS = {"solid": 2 / 5, "hollow": 2 / 3}
"""``I/(m r²)`` of a uniform ball and of a thin shell."""


def exhibit(ball: str = "solid") -> Exhibit:
    """The ball by its rotation matrix and spatial turning rates; ``ball`` is "solid" or "hollow"."""
    if ball not in BALLS:
        raise ModelError(f"ball-on-turntable: ball = {ball!r}; choose solid or hollow.")
    mass, radius = 0.3, 0.12
    turned = heading("Omega*t")
    return Exhibit(
        name="ball-on-turntable",
        title=TITLE,
        group=GROUP,
        system=rolling(SO3("R", rates="w1 w2 w3", side="spatial")),
        parameters={"m": mass, "I": BALLS[ball] * mass * radius**2, "r": radius, "Omega": 3.1},
        start={"x": 0.5, "y": 0.1, "vx": 0.3, "vy": -0.4, "spin": 2.0},
        until=15.0,
        references=(
            "Earnshaw 1844, Dynamics, or an Elementary Treatise on Motion",
            "Routh 1905, Advanced Part of a Treatise on the Dynamics of a System of Rigid Bodies",
            "Weltner 1979, Stable circular orbits of freely moving balls on rotating discs, Am. J. Phys. 47, 984",
        ),
        units={
            "m": "kg", "I": "kg m²", "r": "m", "Omega": "rad/s", "x": "m", "y": "m", "vx": "m/s", "vy": "m/s",
            "spin": "rad/s", "w1": "rad/s", "w2": "rad/s", "w3": "rad/s",
        },
        drawing=Drawing(
            bodies=(
                Body(
                    "disc", ("0", "0", "-0.01"), turned, {"radius": "1.6", "width": "0.02"}, colour="tan", label="table"
                ),
                Body("blade", ("0", "0", "0"), turned, {"length": "3.2"}, colour="black", label="a line on the table"),
                Body("sphere", ("x", "y", "r"), matrix_of("R"), {"radius": "r"}, label="ball"),
                velocity_arrow(("x", "y", "r"), ("xdot", "ydot", "0")),
            ),
            traces=(Trace(("x", "y", "0"), "in space"),),
            plots=(("x", "y"), ("t", "xdot"), ("t", "energy"), ("t", "spin")),
        ),
        variants={
            "attitude by quaternion": rolling(Quaternion("q", rates="w1 w2 w3", side="spatial")),
            "tilted table": rolling(SO3("R", rates="w1 w2 w3", side="spatial"), tilted=True),
        },
        story=(
            "Put a ball on a spinning turntable and it does not fly off: it runs around in circles, seven turns of the "
            "table for two of its own, wherever they lie and however large they are. The contact drives the ball along, "
            "so its energy goes up and down although nothing is lost."
        ),
    )


def rolling(turning: Frame, tilted: bool = False) -> System:
    """The contact moves with the table: ``ẋ − r w2 = −Ω y``, ``ẏ + r w1 = Ω x`` (spatial rates)."""
    kinetic = "m/2*(xdot**2 + ydot**2) + I/2*(w1**2 + w2**2 + w3**2)"
    return System(
        name="ball on a tilted turntable" if tilted else "ball on a turntable",
        frame=turning,
        coordinates="x y",
        parameters="m I r Omega" + (" g alpha" if tilted else ""),
        lagrangian=kinetic + (" - m*g*sin(alpha)*y" if tilted else ""),
        constraints=["xdot - r*w2 + Omega*y", "ydot + r*w1 - Omega*x"],
        quasivelocities={"vx": "xdot", "vy": "ydot", "spin": "w3"},
    )
