"""Two points with parallel velocities, in the parametric form of Benenti 2008."""

from __future__ import annotations

from nonholo.model.system import System

KINETIC = "m1/2*(x1dot**2 + y1dot**2) + m2/2*(x2dot**2 + y2dot**2)"
POTENTIALS = {"free": "0", "incline": "-m1*g*x1 - m2*g*x2", "spring": "k/2*((x1 - x2)**2 + (y1 - y2)**2)"}
NEEDS = {"free": "", "incline": " g", "spring": " k"}
PARALLEL = (
    "v1 v2 theta",
    {"x1dot": "v1*cos(theta)", "y1dot": "v1*sin(theta)", "x2dot": "v2*cos(theta)", "y2dot": "v2*sin(theta)"},
)


def parallel(force: str) -> System:
    """In the parametric form of the paper, (51)."""
    where = {"free": "", "incline": " on an incline", "spring": " and a spring"}[force]
    return System(
        name="two points with parallel velocities" + where,
        coordinates="x1 y1 x2 y2",
        parameters="m1 m2" + NEEDS[force],
        lagrangian=f"{KINETIC} - ({POTENTIALS[force]})",
        parametric=PARALLEL,
    )
