"""The gallery's rolling disk as a problem for integrators."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem, from_gallery


def problem() -> Problem:
    """At the exhibit's own start."""
    return from_gallery("rolling-disk", "rolling disk", 0.01, True, "Bloch, Marsden, Zenkov 2009")
