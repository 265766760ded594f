"""The gallery's Chaplygin sleigh as a problem for integrators."""

from __future__ import annotations

from nonholo.gallery.problems._record import Problem, from_gallery


def problem() -> Problem:
    """At the exhibit's own start."""
    return from_gallery("chaplygin-sleigh", "Chaplygin sleigh", 0.05, False, "Zenkov 2016")
