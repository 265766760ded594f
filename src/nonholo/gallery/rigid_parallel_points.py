"""Two points at a fixed distance with parallel velocities: a quadratic constraint that falls into two linear ones.

The constraint is ``τ φ̇ = 0`` with τ the velocity along the segment. Where only one factor vanishes the motion is of
type I (τ = 0) or II (φ̇ = 0); at a transitional state both vanish, the constraint has no slope there, and it does not
say which type goes on. The exhibit shows one type; `branches` reports which are admissible at a state, and never chooses.
"""

from __future__ import annotations

from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Body, Drawing, Exhibit, Trace, heading
from nonholo.model.system import System

TITLE = "Two points at a fixed distance with parallel velocities"
GROUP = "Blades"
PAPERS = "Benenti 2008 §8.4; Zekovich 1991"

SOURCE = "Benenti 2008"
ALONG = "xdot*cos(phi) + ydot*sin(phi)"
"""τ, the common projection of all velocities on the segment, (57)."""
CONSTRAINTS = {"I": ALONG, "II": "phidot", "both, (60)": f"({ALONG})*phidot"}
SPEEDS = {
    "I": {"v": "xdot*sin(phi) - ydot*cos(phi)", "omega": "phidot"},
    "II": {"u": "xdot", "w": "ydot"},
    "both, (60)": {},
}
STARTS = {
    "I": {"phi": 0.5, "v": 0.4, "omega": 1.1},
    "II": {"phi": 0.5, "u": -1.5, "w": 0.8},
}


def exhibit(type: str = "I") -> Exhibit:
    """Dynamics of ``type`` "I" or "II" on a plane that slopes down along x."""
    if type not in STARTS:
        raise ModelError(f"rigid-parallel-points: type = {type!r}; choose I or II.")
    end = ("x + l*cos(phi)", "y + l*sin(phi)", "0")
    first = {"x": "xdot/2", "y": "ydot/2", "z": "0"}
    second = {"x": "(xdot - l*phidot*sin(phi))/2", "y": "(ydot + l*phidot*cos(phi))/2", "z": "0"}
    return Exhibit(
        name="rigid-parallel-points",
        title=TITLE,
        group=GROUP,
        system=segment(type),
        parameters={"m1": 1.2, "m2": 0.7, "l": 0.9, "g": 1.4},
        start=STARTS[type],
        until=10.0,
        references=(f"{SOURCE}, §8.4, (56)–(62)", "Zekovich 1991, Moscow Univ. Math. Bull. 46, 44"),
        units={
            "m1": "kg", "m2": "kg", "l": "m", "g": "m/s²", "x": "m", "y": "m", "phi": "rad", "v": "m/s", "omega": "rad/s",
            "u": "m/s", "w": "m/s",
        },
        drawing=Drawing(
            bodies=(
                Body("rod", ("x + l/2*cos(phi)", "y + l/2*sin(phi)", "0.1"), heading("phi"), {"length": "l"}, colour="grey"),
                Body("sphere", ("x", "y", "0.1"), size={"radius": "0.1"}, colour="firebrick", label="P1"),
                Body("sphere", (end[0], end[1], "0.1"), size={"radius": "0.1"}, label="P2"),
                Body("arrow", ("x", "y", "0.1"), size=first, colour="firebrick", label="velocity of P1"),
                Body("arrow", (end[0], end[1], "0.1"), size=second, colour="steelblue", label="velocity of P2"),
            ),
            traces=(Trace(("x", "y", "0"), "P1"), Trace(end, "P2", "steelblue")),
            plots=(("x", "y"), ("t", "phi"), ("t", "xdot")),
        ),
        variants={f"type {other}": segment(other) for other in STARTS if other != type},
        story=(
            "A rod whose ends must move in parallel either moves across itself, like a pair of wheels, or does not turn at "
            "all. When it happens to do both at once the rule says nothing about which of the two comes next: mechanics "
            "with this constraint alone does not decide, and neither does the program."
        ),
    )


def segment(kind: str) -> System:
    """The rod with the linear constraint of type I or II, or with the quadratic one (60)."""
    return System(
        name=f"segment with parallel velocities, type {kind}",
        coordinates="x y phi",
        parameters="m1 m2 l g",
        lagrangian=(
            "m1/2*(xdot**2 + ydot**2) + m2/2*((xdot - l*sin(phi)*phidot)**2 + (ydot + l*cos(phi)*phidot)**2)"
            " + g*(m1*x + m2*(x + l*cos(phi)))"
        ),
        constraints=[CONSTRAINTS[kind]],
        quasivelocities=SPEEDS[kind],
    )


STATES = (
    {"x": 0.3, "y": -0.4, "phi": 0.7, "xdot": 0.9, "ydot": -1.3, "phidot": 0.8},
    {"x": -0.2, "y": 0.6, "phi": 2.4, "xdot": -0.5, "ydot": 0.7, "phidot": -1.6},
)
