"""Two points whose velocities are orthogonal to the line that joins them; the same as two discs on an axle."""

from __future__ import annotations

from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Rotation, Trace, heading
from nonholo.model.system import System

TITLE = "Two points with velocities orthogonal to their segment"
GROUP = "Blades"
PAPERS = "Benenti 2008 §§8.1, 8.2, Remark 7; Zekovich 1991"

SOURCE = "Benenti 2008"
SECOND = (
    "(xdot + rhodot*cos(theta) - rho*sin(theta)*thetadot)**2"
    " + (ydot + rhodot*sin(theta) + rho*cos(theta)*thetadot)**2"
)
FALL = "g*(m1*x + m2*(x + rho*cos(theta)))"
FIRST = "x1dot*(x2 - x1) + y1dot*(y2 - y1)"
SPEEDS = {"v": "xdot*sin(theta) - ydot*cos(theta)", "omega": "thetadot"}
EDGE: Rotation = (("sin(theta)", "0", "cos(theta)"), ("-cos(theta)", "0", "sin(theta)"), ("0", "-1", "0"))
"""A wheel that rolls along the velocities: its axis (body z) lies along the segment."""


def exhibit() -> Exhibit:
    """§8.1 in the coordinates (x, y, θ, ρ) of the paper, on a plane that slopes down along x."""
    return Exhibit(
        name="orthogonal-points",
        title=TITLE,
        group=GROUP,
        system=System(
            name="two points orthogonal to their segment",
            coordinates="x y theta rho",
            parameters="m1 m2 g",
            lagrangian=f"m1/2*(xdot**2 + ydot**2) + m2/2*({SECOND}) + {FALL}",
            constraints=["rho*(xdot*cos(theta) + ydot*sin(theta))", "rho*(xdot*cos(theta) + ydot*sin(theta) + rhodot)"],
            quasivelocities=SPEEDS,
        ),
        parameters={"m1": 1.3, "m2": 0.7, "g": 1.1},
        start={"rho": 0.8, "theta": 0.4, "omega": 0.9, "v": 1.0},
        until=14.0,
        references=(f"{SOURCE}, §§8.1, 8.2, (46)–(49), Remark 7", "Zekovich 1991, Moscow Univ. Math. Bull. 46, 44"),
        units={
            "m1": "kg", "m2": "kg", "g": "m/s²", "x": "m", "y": "m", "theta": "rad", "rho": "m", "v": "m/s",
            "omega": "rad/s",
        },
        starts={"without turning": {"rho": 0.8, "theta": 0.4, "v": 1.0}},
        drawing=_drawing(),
        variants={
            "four Cartesian coordinates": cartesian(FIRST, "x2dot*(x2 - x1) + y2dot*(y2 - y1)"),
            "rigid segment (8.2), parametric (46)": segment(),
            "coaxial rolling discs (Remark 7)": coaxial(),
        },
        story=(
            "Each point may move only across the line to the other. That sounds like a quadratic rule, and was once taken "
            "for one, but it is two plain linear ones: the distance never changes and the pair is a pair of wheels on an "
            "axle."
        ),
    )


def _drawing() -> Drawing:
    wheel = {"radius": "0.2", "width": "0.05"}
    first = {"x": "xdot/2", "y": "ydot/2", "z": "0"}
    second = {"x": "(xdot - rho*thetadot*sin(theta))/2", "y": "(ydot + rho*thetadot*cos(theta))/2", "z": "0"}
    across, along = "x + rho*cos(theta)", "y + rho*sin(theta)"
    return Drawing(
        bodies=(
            Body(
                "rod",
                (f"(x + {across})/2", f"(y + {along})/2", "0.2"),
                heading("theta"),
                {"length": "rho"},
                colour="grey",
            ),
            Body("wheel", ("x", "y", "0.2"), EDGE, wheel, colour="black", label="P1"),
            Body("wheel", (across, along, "0.2"), EDGE, wheel, colour="black", label="P2"),
            Body("arrow", ("x", "y", "0.2"), size=first, colour="firebrick", label="velocity of P1"),
            Body("arrow", (across, along, "0.2"), size=second, colour="steelblue", label="velocity of P2"),
        ),
        traces=(Trace(("x", "y", "0"), "P1"), Trace((across, along, "0"), "P2", "steelblue")),
        plots=(("x", "y"), ("t", "v"), ("t", "rho")),
    )


def cartesian(*constraints: str) -> System:
    """In (x₁, y₁, x₂, y₂)."""
    return System(
        name="two points orthogonal to their segment, Cartesian",
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2 g",
        lagrangian="m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2) + g*(m1*x1 + m2*x2)",
        constraints=constraints,
    )


def segment() -> System:
    """§8.2: points joined by a rigid segment ρ, in the parametric form (46)."""
    return System(
        name="rigid segment moving across itself",
        coordinates="x y theta",
        parameters="m1 m2 g rho",
        lagrangian=f"m1/2*(xdot**2 + ydot**2) + m2/2*({SECOND.replace('rhodot', '0')}) + {FALL}",
        parametric=("v omega", {"xdot": "v*sin(theta)", "ydot": "-v*cos(theta)", "thetadot": "omega"}),
    )


def coaxial() -> System:
    """Remark 7: two rolling discs of radius R that may slide along their common axle; spins ψ₁, ψ₂ about it."""
    across = "xdot*sin(theta) - ydot*cos(theta)"
    turning = "A*thetadot**2 + C/2*(psi1dot**2 + psi2dot**2)"
    return System(
        name="coaxial rolling discs",
        coordinates="x y theta rho psi1 psi2",
        parameters="m1 m2 g R A C",
        lagrangian=f"m1/2*(xdot**2 + ydot**2) + m2/2*({SECOND}) + {turning} + {FALL}",
        constraints=[
            "xdot*cos(theta) + ydot*sin(theta)",
            "xdot*cos(theta) + ydot*sin(theta) + rhodot",
            f"{across} - R*psi1dot",
            f"{across} - rho*thetadot - R*psi2dot",
        ],
        quasivelocities=SPEEDS,
    )
