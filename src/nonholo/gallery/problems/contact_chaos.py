"""The contact oscillator with a coupling x²z²."""

from __future__ import annotations

from nonholo.gallery.problems._contact import contact
from nonholo.gallery.problems._record import Problem


def problem() -> Problem:
    """ε = 0.6 at a start of some energy."""
    system = contact(
        "contact oscillator, coupled", 1, " + 0.6*x**2*z**2", {"x": 1.2, "y": 0.9, "z": 1.1, "ydot": 0.5, "zdot": -0.8}
    )
    return Problem(
        "contact-chaos", "contact oscillator, 3 dimensions, coupled", system, 0.1, True, "McLachlan, Perlmutter 2006"
    )
