"""What answers for rolling contacts say of contacts that can slip or lift."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import nonholo as nh
from nonholo.finding import Lasting


@cache
def disk(slips: bool, lifts: bool) -> nh.System:
    """A disk on a spring, on the floor."""
    floor = {"name": "floor", "gap": "z - 0.11", "slip": ["xdot - 0.11*phidot"], "friction": 0.23, "slips": slips, "lifts": lifts}
    return nh.System(
        name="disk", coordinates="x z phi", parameters={"c": 3.0}, contacts=[floor],
        lagrangian="0.65*(xdot**2 + zdot**2) + 0.003*phidot**2 - 12.753*z - c*x**2",
    )  # fmt: skip


QUESTIONS: dict[str, Any] = {
    "equilibria": lambda system: nh.equilibria(system, count=8, witness=False)[0],
    "relative_equilibria": lambda system: nh.relative_equilibria(system, count=8, witness=False)[0],
    "linearise": lambda system: nh.linearise(system, {}),
    "stability": lambda system: nh.stability(system, {}, witness=False),
    "branch": lambda system: nh.branch(system, {}, along="c", until=3.4),
    "boundaries": lambda system: nh.boundaries(system, {}),
}


@pytest.mark.parametrize("question", QUESTIONS)
def test_an_answer_for_rolling_says_which_contacts_must_keep_their_mode(question: str) -> None:
    found = QUESTIONS[question](disk(True, False))
    assert found.condition == Lasting(rolling=("floor",))
    assert "while floor rolls" in str(found) or question == "linearise"
    always = QUESTIONS[question](disk(False, False))
    assert not always.condition and "while" not in str(always)


def test_a_finding_carries_the_condition() -> None:
    (found, *_) = nh.equilibria(disk(True, True), count=8, witness=False)
    assert Lasting(rolling=("floor",), closed=("floor",)) in found.finding.basis
