"""A particle on Heisenberg's group in a potential that couples all three coordinates."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem
from nonholo.model.system import System


def problem() -> Problem:
    """ż = (x ẏ − y ẋ)/2."""
    system = System(
        "Heisenberg particle in a potential",
        coordinates="x y z",
        lagrangian="(xdot**2 + 1.2*ydot**2 + 0.8*zdot**2)/2 - (x**2 + 1.4*y**2 + 0.7*z**2)/2 - 0.3*x*y*z - z**4/8",
        constraints=["zdot - (x*ydot - y*xdot)/2"],
        start={"x": 0.9, "y": 0.3, "z": 0.4, "xdot": 0.2, "ydot": 0.8},
    )
    return Problem(
        "heisenberg-potential",
        "Heisenberg particle in a potential",
        system,
        0.1,
        True,
        "Bloch 2003, with a potential of ours",
    )
