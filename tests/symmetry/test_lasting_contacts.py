"""Claims about a system whose contacts can slip or lift say while which contacts they hold, and every question is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import nonholo as nh
from nonholo.finding import Finding, Lasting

QUESTIONS: list[Callable[..., Any]] = [nh.check, nh.classify, nh.integrals, nh.measure, nh.reduce, nh.stability, nh.verdict]
FLOOR = Lasting(rolling=("floor",))


def _conditions(findings: tuple[Finding, ...]) -> set[Lasting]:
    """The conditions of the findings; an empty one for a finding without."""
    return {next((e for e in f.basis if isinstance(e, Lasting)), Lasting()) for f in findings}


def test_claims_hold_while_the_contact_rolls() -> None:
    system = nh.gallery.get("backspin-ball").system
    judged, found, measure = nh.verdict(system), nh.integrals(system), nh.measure(system)
    assert _conditions(judged.findings) == _conditions(found) == _conditions((measure,)) == {FLOOR}
    assert _conditions(nh.reduce(system).findings) == {FLOOR}
    assert judged.condition == FLOOR and judged.conclusion.endswith(", while floor rolls")
    assert all(f.proved and "while floor rolls" in f.claim for f in found)


def test_the_condition_is_needed() -> None:
    """The ball of the gallery slips at first: what is constant in rolling changes, and stays as it is afterwards."""
    case = nh.gallery.get("backspin-ball")
    energy = nh.integrals(case.system)[0]
    run = nh.simulate(case.system, case.start, 20.0, case.parameters, max_step=0.05)
    values = energy.along(run)
    assert abs(values[-1] - values[0]) > 0.1 * abs(values[0])
    slipping = [abs(run["xdot"][k] - case.parameters["r"] * run["phidot"][k]) for k in (0, -2, -1)]
    assert slipping[0] > 1 and max(slipping[1:]) < 1e-9
    assert abs(values[-1] - values[-2]) < 1e-9 * abs(values[-1])


def test_stability_says_while_which_contacts_last() -> None:
    ball = nh.gallery.get("backspin-ball")
    found = nh.stability(ball.system, {"z": ball.parameters["r"], "xdot": 0.0, "phidot": 0.0}, parameters=ball.parameters)
    assert found.condition == FLOOR and "while floor rolls" in str(found) and "while floor rolls" in found.finding.claim


def test_a_system_whose_contacts_cannot_leave_their_mode_has_no_condition() -> None:
    words = {"coordinates": "x phi", "parameters": {"r": 0.5}, "lagrangian": "(xdot**2 + phidot**2)/2"}
    bound = nh.System(**words, contacts=[{"name": "rack", "slip": ["xdot - r*phidot"]}])
    plain = nh.System(**words, constraints=["xdot - r*phidot"])
    assert _conditions(nh.verdict(bound).findings) == {Lasting()}
    assert str(nh.verdict(bound)) == str(nh.verdict(plain))


@pytest.mark.parametrize("name", ["billiard", "curling-stone", "rocking-block", "split-friction-braking", "wheel-from-a-kerb"])
def test_every_question_is_answered_or_refused_in_a_line(name: str) -> None:
    """Where all contacts together leave no velocity free, or a gap has a kink, these ended in tracebacks."""
    system = nh.gallery.get(name).system
    for question in QUESTIONS:
        try:
            assert str(question(system))
        except nh.NonholoError as refusal:
            assert system.name in str(refusal) and "\n" not in str(refusal)


def test_nothing_moves_where_no_velocity_is_free() -> None:
    with pytest.raises(nh.ModelError, match="no velocity is free, while left and right roll and stay closed"):
        nh.verdict(nh.gallery.get("rocking-block").system)
