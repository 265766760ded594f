"""Slips that a motion does not refuse are said: in the outcome, in `run.hints` and on the command line."""

from __future__ import annotations

import pytest

import nonholo as nh

SKATE = {
    "coordinates": "x y theta", "lagrangian": "m*(xdot**2 + ydot**2)/2 + J*thetadot**2/2",
    "constraints": ["xdot*sin(theta) - ydot*cos(theta)"],
}  # fmt: skip
NUMBERS = {"m": 1.5, "J": 0.4}


def moved(start=None, parameters=None, **words):
    system = nh.System(**{**SKATE, "parameters": NUMBERS, **words})
    return nh.simulate(system, start, 1.0, parameters, progress=False)


def test_a_sound_motion_has_no_hints():
    run = moved({"theta": 0.3, "thetadot": 1.0, "xdot": 0.5})
    assert run.hints == ()
    assert str(run.outcome) == "reached"


def test_a_system_without_a_start_says_that_nothing_moves():
    run = moved()
    assert "Nothing has moved" in str(run.outcome) and run.outcome == "reached"
    (hint,) = run.hints
    assert "No start is given" in hint and "give one of xdot, ydot, thetadot" in hint


def test_as_many_constraints_as_velocities_leave_nothing_free():
    run = moved({"theta": 0.3}, constraints=["xdot*sin(theta) - ydot*cos(theta)", "thetadot", "xdot + 2*ydot"])
    assert any("3 constraints on 3 velocities leave nothing free to move" in h for h in run.hints)
    assert run.outcome.advice == "Nothing has moved: the constraints leave nothing free."


@pytest.mark.parametrize("given", [{"J": -2.0}, {"m": -30.0}])
def test_negative_masses_are_asked_about(given):
    run = moved({"theta": 0.3, "thetadot": 1.0, "xdot": 0.5}, {**NUMBERS, **given})
    (name, value), = given.items()
    assert any("the mass matrix is not positive" in h and f"is {name} = {value:g} meant?" in h for h in run.hints)


def test_an_angle_of_45_is_asked_about():
    run = moved({"theta": 45.0, "thetadot": 1.0})
    assert any("45*pi/180" in h for h in run.hints)
    assert moved({"theta": 4.5, "thetadot": 1.0}).hints == ()


def test_inputs_without_a_value_and_starts_that_are_replaced_are_said():
    run = moved({"theta": 0.3, "thetadot": 1.0}, inputs="u", forces={"theta": "u"})
    assert run.hints == ("the input u has no value and is 0; say what it does, if it does anything",)
    own = {"theta": 0.7, "x": 2.0, "thetadot": 1.0}
    system = nh.System(**SKATE, parameters=NUMBERS, start=own)
    replaced = nh.simulate(system, {"theta": 0.2, "thetadot": 1.0}, 1.0, progress=False)
    assert any("replaces the system's own, in which x = 2" in h for h in replaced.hints)
    changed = nh.simulate(system, {**system.start, "theta": 0.2}, 1.0, progress=False)
    assert changed.hints == ()
