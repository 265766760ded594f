"""Transitional states of the rigid segment are reported, never guessed."""

from __future__ import annotations

import pytest

from nonholo import gallery
from nonholo.errors import ModelError
from nonholo.gallery.rigid_parallel_points import STATES, segment
from nonholo.integrate.motion.simulate import simulate
from nonholo_papers.facts.rigid_parallel_points import branches, transitional_state


def test_a_motion_of_the_quadratic_constraint_does_not_start_from_a_transitional_state():
    exhibit = gallery.get("rigid-parallel-points")
    with pytest.raises(ModelError, match="singular at this state"):
        simulate(segment("both, (60)"), transitional_state(0.7, 0.6), 1.0, exhibit.parameters)


def test_branches_are_named_where_they_are_admissible_and_nowhere_else():
    exhibit = gallery.get("rigid-parallel-points", type="II")
    assert branches(exhibit, STATES[0]) == {}
    assert set(branches(exhibit, transitional_state(2.1, -0.4))) == {"I", "II"}
    assert set(branches(exhibit, {**STATES[0], "phidot": 0.0})) == {"II"}


def test_an_unknown_type_is_one_clear_error():
    with pytest.raises(ModelError, match="choose I or II"):
        gallery.get("rigid-parallel-points", type="III")
