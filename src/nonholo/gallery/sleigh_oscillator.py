"""The Chaplygin sleigh with a mass on a spring that slides along the blade."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading
from nonholo.model.symmetry_declaration import planar_motion
from nonholo.model.system import System

TITLE = "Chaplygin sleigh with an oscillator"
GROUP = "Blades"
PAPERS = "BMZ 2009 §6.3, (6.5)–(6.12), Theorem 6.1"


def exhibit() -> Exhibit:
    """A sleigh of mass M over its edge, a mass m at distance r along the blade, a spring k between them."""
    return Exhibit(
        name="sleigh-oscillator",
        title=TITLE,
        group=GROUP,
        system=in_frame("sleigh with oscillator", "thetadot"),
        parameters={"m": 0.8, "M": 1.5, "J": 0.6, "k": 3.1},
        start={"u": 0.7, "Omega1": 0.9, "Omega2": 0.5},
        starts={"straight": {"u": 0.7, "Omega2": 0.5}, "circling": {"Omega1": 0.9, "Omega2": 0.5}},
        until=40.0,
        references=("BMZ 2009, §6.3, (6.5)–(6.12), Theorem 6.1, Figures 6.3 and 6.4",),
        units={
            "m": "kg",
            "M": "kg",
            "J": "kg m²",
            "k": "N/m",
            "r": "m",
            "x": "m",
            "y": "m",
            "theta": "rad",
            "u": "m/s",
            "Omega1": "rad/s",
            "Omega2": "m/s",
        },
        variants={
            "second frame": in_frame("sleigh with oscillator, second frame", "thetadot*(J + m*r**2)**(m/(2*(M + m)))")
        },
        drawing=Drawing(
            bodies=(
                Body("box", ("x", "y", "0.13"), heading("theta"), {"x": "1", "y": "0.24", "z": "0.05"}, label="sleigh"),
                Body("blade", ("x", "y", "0"), heading("theta"), {"length": "1.2"}, colour="black", label="edge"),
                Body(
                    "sphere",
                    ("x + r*cos(theta)", "y + r*sin(theta)", "0.235"),
                    size={"radius": "0.08"},
                    colour="firebrick",
                    label="mass",
                ),
            ),
            traces=(
                Trace(("x", "y", "0"), "edge"),
                Trace(("x + r*cos(theta)", "y + r*sin(theta)", "0.235"), "mass", "grey"),
            ),
            plots=(("x", "y"), ("t", "r"), ("r", "Omega2"), ("t", "Omega1")),
        ),
        story=(
            "A mass on a spring slides to and fro along a sleigh's blade and makes it dance. Seen from the sleigh every "
            "such motion repeats itself; on the plane it draws rosettes, each turn the same shape moved by one group element."
        ),
    )


def in_frame(name: str, turning: str) -> System:
    """The system in ``u = ṙ``, ``Ω1 =`` turning and ``Ω2 = ξ2 + m/(M + m) ṙ``, the velocity along the blade of both together."""
    return System(
        name=name,
        coordinates="r theta x y",
        parameters="m M J k",
        lagrangian=(
            "M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 - k/2*r**2"
            " + m/2*((xdot + rdot*cos(theta) - r*thetadot*sin(theta))**2 + (ydot + rdot*sin(theta) + r*thetadot*cos(theta))**2)"
        ),
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        quasivelocities={
            "u": "rdot",
            "Omega1": turning,
            "Omega2": "xdot*cos(theta) + ydot*sin(theta) + m/(M + m)*rdot",
        },
        symmetry=planar_motion("x", "y", "theta"),
    )
