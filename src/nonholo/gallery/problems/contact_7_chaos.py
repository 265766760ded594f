"""A contact oscillator in seven dimensions with quartic couplings: chaotic at this energy."""

from __future__ import annotations

from nonholo.gallery.problems._contact import contact
from nonholo.gallery.problems._record import Problem


def problem() -> Problem:
    """Three pairs (y, z); couplings z1²z2² + Σ y_i²z_i²."""
    start = {
        "x": 1.0, "y1": 0.6, "y2": 0.4, "y3": 0.2, "z1": 1.0, "z2": 0.8, "z3": 0.6, "y1dot": 0.1, "y2dot": 0.9, "y3dot": -0.3,
        "z1dot": 0.2, "z2dot": -0.5, "z3dot": 0.7,
    }  # fmt: skip
    more = " + z1**2*z2**2 + y1**2*z1**2 + y2**2*z2**2 + y3**2*z3**2"
    system = contact("contact oscillator, 7, coupled", 3, more, start)
    return Problem(
        "contact-7-chaos", "contact oscillator, 7 dimensions, coupled", system, 0.05, True, "McLachlan, Perlmutter 2006"
    )
