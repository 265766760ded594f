"""A ball rolls on a fixed sphere, outside or inside: its centre moves like the tip of a Lagrange top."""

from __future__ import annotations

import numpy as np

from nonholo.errors import ModelError
from nonholo.gallery._ball import SYMMETRY, UNITS, ball, curve
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, matrix_of
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import SO3
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System

TITLE = "Ball on a sphere, outside or inside"
GROUP = "Balls and rolling bodies"
PAPERS = "MacDonnell 1997 §10"

SOURCE = "MacDonnell 1997"
SIDES = {"outside": 1, "inside": -1}
PATHS = {
    "outside": (curve("v*sin(s/v)", "v*cos(s/v)", "v"), (0.2, 1.2)),
    "inside": (curve("-v*sin(s/v)", "v*cos(s/v)", "v"), (-1.2, -0.2)),
}
"""The thesis puts the ball inside by s → −s, which turns the normal β round; and ranges of s."""
VALUES = {"m": 0.2, "J": 0.000128, "rho": 0.04, "g": 9.81, "v": 0.5}
TURN = {n: e for n, e in SYMMETRY.generators["turn"].items() if n != "theta"}


def exhibit(side: str = "outside") -> Exhibit:
    """The centre of the ball is at (x, y, z), at distance v from the sphere's; no poles, unlike the thesis's (s, θ)."""
    if side not in SIDES:
        raise ModelError(f"ball on a sphere: side is {side!r}; choose from {', '.join(SIDES)}.")
    radius = "v - rho" if side == "outside" else "v + rho"
    # let into the ball, so that it does not pierce the sphere
    mark = ("x + 0.83*rho*R11", "y + 0.83*rho*R21", "z + 0.83*rho*R31")
    touch = (f"x*({radius})/v", f"y*({radius})/v", f"z*({radius})/v")
    tilt = 0.4 if side == "outside" else np.pi - 0.9
    place = {"x": float(VALUES["v"] * np.sin(tilt)), "z": float(VALUES["v"] * np.cos(tilt))}
    spin = 450.0 if side == "outside" else 90.0
    turning = {"nu1": float(spin * np.sin(tilt)), "nu3": float(spin * np.cos(tilt))}
    fast = {n: 2 * e for n, e in turning.items()}
    return Exhibit(
        name="ball-on-sphere",
        title=TITLE,
        group=GROUP,
        system=cartesian(SIDES[side]),
        parameters=VALUES,
        start={**place, **turning},
        starts={"spinning faster": {**place, **fast}, "let go": place},
        until=4.0,
        references=(f"{SOURCE}, §§10.1, 10.5, 10.6", "Routh 1905, Article 230"),
        units={**UNITS, "v": "m", "x": "m", "y": "m", "z": "m"},
        drawing=Drawing(
            bodies=(
                Body("sphere", size={"radius": radius}, colour="lightgrey", label="sphere"),
                Body("sphere", ("x", "y", "z"), matrix_of("R"), {"radius": "rho"}, label="ball"),
                Body("sphere", mark, size={"radius": "rho/5"}, colour="firebrick", label="mark"),
            ),
            traces=(Trace(touch, "contact"), Trace(("x", "y", "z"), "centre", "grey")),
            ground="none",
            plots=(("t", "z"), ("x", "y"), ("t", "nu3")),
        ),
        variants={
            **{name: cartesian(sign) for name, sign in SIDES.items() if name != side},
            **{f"thesis {name}": ball(f"ball {name} a sphere", path) for name, (path, _) in PATHS.items()},
        },
        story=(
            "A spinning ball can stand on top of a sphere as a spinning top stands on its point. The two are one system: "
            "the ball's centre and the top's tip move by the same equation, whether the ball rolls outside or inside."
        ),
    )


def cartesian(sign: int) -> System:
    """``ẋ = ρ ν × β`` with ``β = ±x/v`` [MacDonnell 1997 (10.3)]; |x| = v is kept by the constraints."""
    towards = "-" if sign > 0 else "+"
    spins = {"x": "nu2*z - nu3*y", "y": "nu3*x - nu1*z", "z": "nu1*y - nu2*x"}
    return System(
        name="ball on a sphere" if sign > 0 else "ball in a sphere",
        frame=SO3("R", rates="nu1 nu2 nu3", side="spatial") * Euclidean("x y z"),
        parameters="m J rho g v",
        lagrangian="J/2*(nu1**2 + nu2**2 + nu3**2) + m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z",
        constraints=[f"{name}dot {towards} rho/v*({turning})" for name, turning in spins.items()],
        symmetry=Symmetry({**SYMMETRY.generators, "turn": {**TURN, "x": "-y", "y": "x"}}, "SO(2) x SO(3)"),
    )
