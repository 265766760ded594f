"""A commutative Chaplygin system whose relative equilibria attract or repel: the system of Theorem 5.3 of Zenkov 2016."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem
from nonholo.model.system import System


def problem() -> Problem:
    """Shape r, symmetry g of the reduced motion, (x, y) carried along in directions that turn with g."""
    system = System(
        "commutative Chaplygin system",
        coordinates="r g x y",
        lagrangian="rdot**2/2 + (0.6 + 0.2*r)*gdot**2/2 + (xdot**2 + ydot**2)/2 - 1.4*r**2/2",
        constraints=[
            "xdot - cos(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) + sin(g)*(0.5 + 0.4*r)*gdot",
            "ydot - sin(g)*((0.3 + 0.8*r)*gdot + 0.7*rdot) - cos(g)*(0.5 + 0.4*r)*gdot",
        ],
        quasivelocities={"u": "rdot", "w": "gdot"},
        start={"r": 0.6, "u": 0.1, "w": -1.0},
    )
    return Problem(
        "theorem-5-3", "commutative Chaplygin system", system, 0.1, False, "Zenkov 2016, Theorem 5.3; numbers ours"
    )
