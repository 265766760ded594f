"""A transmission driven by a pendulum that goes round, the gear ratio without symmetry."""

from __future__ import annotations

from nonholo.gallery.problems._cvt import transmission
from nonholo.gallery.problems._record import Problem


def problem() -> Problem:
    """f = sin ξ + 0.6 cos 2ξ + 0.3: backwards in time the pendulum turns the other way round. [after Modin and Verdier 2020]"""
    start = {"x": 0.6, "y": 0.8, "xi": 0.2, "ydot": 0.5, "xidot": 2.3}
    system = transmission("transmission, turning", "sin(xi) + 0.6*cos(2*xi) + 0.3", start)
    return Problem("cvt-turning", "pendulum-driven CVT, asymmetric", system, 0.1, False, "after Modin, Verdier 2020")
