"""The gallery's Chaplygin sphere as a problem for integrators."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem, from_gallery


def problem() -> Problem:
    """At the exhibit's own start."""
    return from_gallery("chaplygin-sphere", "Chaplygin sphere", 0.02, True, "Chaplygin 1903")
