"""A contact oscillator in five dimensions, harmonic."""

from __future__ import annotations

from nonholo.gallery.problems._contact import contact
from nonholo.gallery.problems._record import Problem


def problem() -> Problem:
    """Two pairs (y, z)."""
    start = {"x": 0.7, "y1": 0.4, "y2": -0.6, "z1": 0.5, "z2": 0.2, "y1dot": 0.3, "y2dot": 0.1, "z1dot": 0.6, "z2dot": -0.4}
    system = contact("contact oscillator, 5", 2, "", start)
    return Problem("contact-5", "contact oscillator, 5 dimensions", system, 0.1, True, "McLachlan, Perlmutter 2006")
