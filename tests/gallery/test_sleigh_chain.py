"""The chain of sleighs: what it must show beyond the laws of every exhibit."""

from __future__ import annotations

from dataclasses import replace
from math import log2

import pytest

from nonholo import gallery
from nonholo.algebra.calculus import node_count
from nonholo.derive.hamel import hamel
from nonholo.errors import ModelError
from nonholo.gallery.sleigh_chain import chain_system
from nonholo_papers.facts.sleigh_chain import by_kane, one_link, recursion, turning


def nodes(n: int) -> int:
    equations = hamel(chain_system(n))
    return node_count([*(e for row in equations.mass for e in row), *equations.force, *equations.kinematics])


def test_the_graph_grows_no_faster_than_the_cube_of_the_number_of_links():
    small, large = nodes(8), nodes(16)
    assert log2(large / small) < 3.0


def test_sixteen_links_keep_two_speeds():
    equations = hamel(chain_system(16))
    assert [str(s) for s in equations.speeds] == ["v", "omega"]


@pytest.mark.parametrize("n", [1, 2, 7])
def test_facts_hold_for_any_number_of_links(n):
    exhibit = gallery.get("sleigh-chain", n=n)
    for fact in (recursion, by_kane, one_link, turning):
        assert fact(exhibit), fact.__name__


def test_facts_fail_for_a_chain_with_one_heavier_link_or_a_moved_blade():
    exhibit = gallery.get("sleigh-chain", n=3)
    heavier = replace(exhibit.system, lagrangian=exhibit.system.lagrangian + chain_system(2).lagrangian / 50)
    assert not by_kane(replace(exhibit, system=heavier))
    moved = list(exhibit.system.constraints)
    moved[2] = moved[2].subs({"b": "b + 1/50"})
    other = replace(exhibit, system=replace(exhibit.system, constraints=moved))
    assert not recursion(other)
    assert not turning(other)


def test_a_chain_needs_a_whole_number_of_links():
    with pytest.raises(ModelError, match="whole number"):
        gallery.get("sleigh-chain", n=0)
