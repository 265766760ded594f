"""A commutative Chaplygin system whose relative equilibria attract or repel: the system of Theorem 5.3 of Zenkov 2016."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem
from nonholo.model.system import System


def problem() -> Problem:
    """Shape r, symmetry g of the reduced motion, s carried along by ds = a(r) dg + b dr; no square of the step hides in it."""
    system = System(
        "commutative Chaplygin system",
        coordinates="r g s",
        lagrangian="rdot**2/2 + (1.2 + 0.3*r)*gdot**2/2 + 0.2*rdot*gdot + 0.8*sdot**2/2 - 1.4*r**2/2",
        constraints=["sdot - (0.6 + 0.8*r + 0.3*r**2)*gdot - 0.9*rdot"],
        start={"r": 0.3, "rdot": 0.1, "gdot": -1.1},
    )
    return Problem("theorem-5-3", "commutative Chaplygin system", system, 0.1, False, "Zenkov 2016, Theorem 5.3; numbers ours")
