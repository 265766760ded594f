"""The contact oscillator: three springs and ẋ + y ż = 0; integrable and reversible."""

from __future__ import annotations

from nonholo.gallery.problems._contact import contact
from nonholo.gallery.problems._record import Problem


def problem() -> Problem:
    """Harmonic. [McLachlan and Perlmutter 2006; integrable: Modin and Verdier, arXiv:1212.6618]"""
    system = contact("contact oscillator", 1, "", {"x": 1.0, "y": 0.4, "z": 0.3, "ydot": 0.2, "zdot": 0.7})
    return Problem("contact-oscillator", "contact oscillator, 3 dimensions", system, 0.1, True, "McLachlan, Perlmutter 2006")
