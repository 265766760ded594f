"""The coupled contact oscillator in a magnetic field: the energy is kept, and no motion is its own mirror in time."""

from __future__ import annotations

from nonholo.gallery.problems._contact import contact
from nonholo.gallery.problems._record import Problem


def problem() -> Problem:
    """A field across y and z that varies with x."""
    start = {"x": 1.2, "y": 0.9, "z": 1.1, "ydot": 0.5, "zdot": -0.8}
    field = {("y", "z"): "0.4 + 0.3*x"}
    system = contact("contact oscillator, magnetic", 1, " + 0.6*x**2*z**2 + 0.5*y**4", start, magnetic=field)
    return Problem(
        "contact-magnetic", "contact oscillator in a magnetic field", system, 0.05, False, "ours: perturbed, not reversible"
    )
