"""The gallery's Suslov problem as a problem for integrators."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem, from_gallery


def problem() -> Problem:
    """At the exhibit's own start."""
    return from_gallery("suslov", "Suslov problem", 0.05, False, "Suslov 1902")
