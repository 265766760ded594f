"""Events that pass through zero many times in one step: all are found, or it is said that some may be missing."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.outcome import MISSED

LINE = nh.System(coordinates="x", lagrangian="xdot**2/2")
START = {"x": 0.0, "xdot": 1.0}


def passages(text: str, until: float = 1.0, **options) -> tuple[np.ndarray, nh.Trajectory]:
    """x = t."""
    run = nh.simulate(LINE, START, until, events=[text], **options)
    return run.events[text], run


@pytest.mark.parametrize(("rate", "count"), [(40, 12), (200, 63), (1000, 318), (7777, 2475)])
def test_every_zero_of_a_fast_sine_is_found(rate: int, count: int) -> None:
    found, run = passages(f"sin({rate}*x)")
    np.testing.assert_allclose(found, math.pi / rate * np.arange(1, count + 1), rtol=0, atol=1e-11)
    assert run.outcome == "reached" and run.outcome.advice == ""


@pytest.mark.parametrize("k", range(1, 41))
def test_sines_that_vanish_at_every_sample_are_found(k: int) -> None:
    """Zeros at all multiples of a sixteenth of the only long step look like no event at all to equal samples."""
    found, _ = passages(f"sin({8 * k}*3.141592653589793*(x + 0.001))", first_step=1.0)
    exact = np.arange(1, 8 * k + 2) / (8 * k) - 0.001
    np.testing.assert_allclose(found, exact[(exact > 0) & (exact <= 1)], rtol=0, atol=1e-11)


@pytest.mark.parametrize("method", ["rk4", "dopri5", "hamel"])
def test_every_method_finds_them(method: str) -> None:
    options = {"step": 0.1} if method in ("rk4", "hamel") else {}
    found, _ = passages("sin(200*x)", method=method, **options)
    np.testing.assert_allclose(found, math.pi / 200 * np.arange(1, 64), rtol=0, atol=1e-9)


def test_backwards_too() -> None:
    found, _ = passages("sin(200*x)", -1.0)
    np.testing.assert_allclose(found, -math.pi / 200 * np.arange(1, 64), rtol=0, atol=1e-11)


def test_many_events_in_one_step_come_in_order_and_stop_where_they_shall() -> None:
    run = nh.simulate(
        LINE, START, 1.0, events=[nh.Event("sin(200*x)", terminal=40), "cos(170*x)", nh.Event("sin(91*x)", direction=1)]
    )
    assert run.outcome.kind == "event" and run.final["t"] == pytest.approx(40 * math.pi / 200, abs=1e-12)
    end = run.final["t"]
    exact = (np.arange(200) + 0.5) * math.pi / 170
    np.testing.assert_allclose(run.events["cos(170*x)"], exact[exact < end], rtol=0, atol=1e-11)
    up = 2 * math.pi / 91 * np.arange(1, 50)
    np.testing.assert_allclose(run.events["sin(91*x)"], up[up < end], rtol=0, atol=1e-11)


def test_an_ensemble_finds_what_one_motion_finds() -> None:
    runs = nh.ensemble(LINE, {"x": [0.0, 0.0, 0.0], "xdot": [1.0, 2.0, 0.3]}, 1.0, events=["sin(200*x)"], t_eval=3)
    found = [np.sum(np.isfinite(row)) for row in runs["event_0"].values]
    assert found == [63, 127, 19]


def test_rooms_that_fill_do_not_change_what_is_found() -> None:
    few = nh.simulate(LINE, START, 1.0, events=["sin(3000*x)"])
    watched = nh.simulate(LINE, START, 1.0, events=["sin(3000*x)"] + [f"x + {k}" for k in range(1, 40)])
    assert np.array_equal(few.events["sin(3000*x)"], watched.events["sin(3000*x)"])
    plain = nh.simulate(LINE, START, 1.0)
    assert (few.steps, dict(few.final)) == (plain.steps, dict(plain.final))


def test_what_cannot_be_followed_is_said() -> None:
    _, run = passages("sin(1e9*x)")
    assert run.outcome == "reached" and run.outcome.advice == MISSED.python and "may be missing" in str(run.outcome)
    runs = nh.ensemble(LINE, {"x": [0.0, 0.0], "xdot": [0.0, 1.0]}, 1.0, events=["sin(1e9*x) + 0.5"], t_eval=3)
    assert runs["advice"].values.tolist() == ["", MISSED.python]


def test_noise_is_said_and_costs_a_bounded_time() -> None:
    _, run = passages("(x + 0.3)**2 - x**2 - 0.6*x - 0.09", 1000.0, max_step=0.5)
    assert run.outcome.advice == MISSED.python and run.steps >= 2000


def test_jumps_and_kinks_are_no_noise() -> None:
    for text in ("sign(x - 0.41)", "abs(x - 0.3) - 0.1"):
        found, run = passages(text)
        assert run.outcome.advice == "" and len(found) == (1 if "sign" in text else 2)


def test_two_events_of_the_same_text_stay_two() -> None:
    run = nh.simulate(
        LINE, START, 1.0, events=[nh.Event("sin(40*x)", direction=1), nh.Event("sin(40*x)", direction=-1), "sin(40*x)"]
    )
    assert [len(run.events[n]) for n in ("sin(40*x)", "sin(40*x) #2", "sin(40*x) #3")] == [6, 6, 12]
    assert [len(run.event_states[n]) for n in run.events] == [6, 6, 12]


def test_a_smooth_event_costs_few_evaluations_more() -> None:
    """Two more looks at a step than its eight samples, and no step is halved: as many calls of the equations as without."""
    plain = nh.simulate(LINE, START, 1.0, t_eval=50)
    watched = nh.simulate(LINE, START, 1.0, events=["x - 0.5"], t_eval=50)
    assert watched.steps == plain.steps and watched.calls <= plain.calls + 3 * plain.steps
