"""Events that are Python functions, and events of Taylor series, are followed as those of the loops are."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.outcome import MISSED

LINE = nh.System(coordinates="x", lagrangian="xdot**2/2")
START = {"x": 0.0, "xdot": 1.0}


def passages(function, until: float = 1.0, **options) -> tuple[np.ndarray, nh.Trajectory]:
    """x = t."""
    run = nh.simulate(LINE, START, until, events=[function], **options)
    return next(iter(run.events.values())), run


@pytest.mark.parametrize(("rate", "count"), [(40, 12), (200, 63), (1000, 318)])
def test_every_zero_of_a_fast_sine_is_found(rate: int, count: int) -> None:
    found, run = passages(lambda s: math.sin(rate * s["x"]))
    np.testing.assert_allclose(found, math.pi / rate * np.arange(1, count + 1), rtol=0, atol=1e-10)
    assert run.outcome == "reached" and run.outcome.advice == ""


@pytest.mark.parametrize("method", ["rk4", "dopri5", "hamel", "taylor"])
def test_every_method_finds_them(method: str) -> None:
    options = {"step": 0.1} if method in ("rk4", "hamel") else {}
    until, count = (0.1, 6) if method == "taylor" else (1.0, 63)
    found, _ = passages(lambda s: math.sin(200 * s["x"]), until, method=method, **options)
    np.testing.assert_allclose(found, math.pi / 200 * np.arange(1, count + 1), rtol=0, atol=1e-9)


@pytest.mark.parametrize(("rate", "count"), [(40, 12), (200, 63), (1000, 318)])
def test_taylor_series_follow_fast_expressions_by_shorter_steps(rate: int, count: int) -> None:
    run = nh.simulate(LINE, START, 1.0, method="taylor", events=[f"sin({rate}*x)"])
    np.testing.assert_allclose(run.events[f"sin({rate}*x)"], math.pi / rate * np.arange(1, count + 1), rtol=0, atol=1e-12)


def test_backwards_and_one_way_only() -> None:
    def rising(state):
        return math.sin(100 * state["x"])

    rising.direction = 1
    found, _ = passages(rising, -1.0)  # along the motion: from below, as time runs backwards
    np.testing.assert_allclose(found, -math.pi / 100 * np.arange(1, 32, 2), rtol=0, atol=1e-10)


def test_a_terminal_function_ends_the_motion_where_it_shall() -> None:
    def fast(state):
        return math.sin(200 * state["x"])

    fast.terminal = 40
    found, run = passages(fast)
    assert run.outcome.kind == "event" and len(found) == 40
    assert run.final["t"] == pytest.approx(40 * math.pi / 200, abs=1e-12)


def test_two_zeros_between_two_samples_are_found() -> None:
    found, _ = passages(lambda s: (s["x"] - 0.41) ** 2 - 1e-8)
    np.testing.assert_allclose(found, [0.41 - 1e-4, 0.41 + 1e-4], atol=1e-9)


def test_zeros_that_fall_on_steps_are_found() -> None:
    """With rk4 and step 1/4 a zero lies exactly at the end of a step."""
    found, _ = passages(lambda s: s["x"] - 0.5, method="rk4", step=0.25)
    assert found == pytest.approx([0.5], abs=1e-12)


def test_a_start_at_zero_is_no_occurrence() -> None:
    found, _ = passages(lambda s: s["x"])
    assert len(found) == 0


def test_what_cannot_be_followed_is_said() -> None:
    _, run = passages(lambda s: math.sin(1e9 * s["x"]), 0.1)
    assert run.outcome == "reached" and run.outcome.advice == MISSED.python
    jump, run = passages(lambda s: 1.0 if s["x"] > 0.41 else -1.0)
    assert run.outcome.advice == "" and jump == pytest.approx([0.41], abs=1e-12)


@pytest.mark.parametrize("bad", [lambda s: None, lambda s: "a", lambda s: s["no"], lambda s: 1 / 0, lambda s: [1, 2]])
def test_functions_that_give_no_number_are_one_sentence(bad) -> None:
    with pytest.raises(nh.StateError, match="event <lambda>: no number at t = 0"):
        passages(bad)


def test_a_law_may_be_given_with_equations_that_have_no_system() -> None:
    """ẍ = u: an input without a value is 0, a law counts wherever it is given."""
    from dataclasses import replace

    cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    equations = nh.hamel(cart)
    for form in (equations, replace(equations, system=None)):
        assert nh.simulate(form, START, 1.0).final["x"] == nh.simulate(form, START, 1.0, inputs={"u": 0.0}).final["x"]
        run = nh.simulate(form, START, 1.0, inputs={"u": "-x"})
        assert run.final["x"] == pytest.approx(math.sin(1.0), abs=1e-9)
        assert run["u"][-1] == pytest.approx(-math.sin(1.0), abs=1e-9)
        timed = nh.simulate(form, START, 1.0, inputs={"u": "sin(t)"})
        assert timed.final["x"] == pytest.approx(2.0 - math.sin(1.0), abs=1e-9)
        with pytest.raises(nh.NonholoError, match="y"):
            nh.simulate(form, START, 1.0, inputs={"u": "-y"})
        with pytest.raises(nh.StateError, match="no input is called 'w'"):
            nh.simulate(form, START, 1.0, inputs={"u": "-x", "w": 1.0})


def test_a_zero_between_two_halves_of_a_step_is_one_occurrence() -> None:
    """On x = t with one step of length 1 a fast event that vanishes exactly at 1/2, where the step is halved."""
    found, _ = passages(lambda s: math.sin(200 * (s["t"] - 0.5)), method="rk4", step=1.0)
    exact = 0.5 + math.pi / 200 * np.arange(-31, 32)
    np.testing.assert_allclose(found, exact, rtol=0, atol=1e-12)
