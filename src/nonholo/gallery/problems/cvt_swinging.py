"""A transmission driven by a swinging pendulum, the gear ratio odd in its angle."""

from __future__ import annotations

from nonholo.gallery.problems._cvt import transmission
from nonholo.gallery.problems._record import Problem


def problem() -> Problem:
    """f = sin ξ, the pendulum swings. [after Modin and Verdier 2020]"""
    system = transmission("transmission, swinging", "sin(xi)", {"x": 0.6, "y": 0.8, "xi": 0.9, "ydot": 0.5, "xidot": 0.4})
    return Problem("cvt-swinging", "pendulum-driven CVT, symmetric", system, 0.1, True, "after Modin, Verdier 2020")
