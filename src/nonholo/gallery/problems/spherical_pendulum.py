"""The gallery's spherical pendulum as a problem for integrators."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem, from_gallery


def problem() -> Problem:
    """At the exhibit's own start."""
    return from_gallery("spherical-pendulum", "spherical pendulum", 0.2, True, "Zenkov 2016, 6.3")
