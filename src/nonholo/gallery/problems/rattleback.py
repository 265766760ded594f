"""The gallery's rattleback as a problem for integrators."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem, from_gallery


def problem() -> Problem:
    """At the exhibit's own start."""
    return from_gallery("rattleback", "rattleback", 0.002, False, "gallery")
