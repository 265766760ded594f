"""Numbers far from one, poles of events, and work that would have no end."""

from __future__ import annotations

import math

import pytest

import nonholo as nh


@pytest.fixture(scope="module")
def swing() -> nh.System:
    return nh.System(name="swing", coordinates="x", lagrangian="xdot**2/2 - x**2/2")


@pytest.mark.parametrize("method", ["dop853", "rodas"])
@pytest.mark.parametrize("size", [1e150, 1e300])
def test_large_amplitudes_swing_as_small_ones(swing: nh.System, size: float, method: str) -> None:
    run = nh.simulate(swing, {"x": size}, 10.0, method=method)
    assert run.outcome == "reached"
    assert run.final["x"] / size == pytest.approx(math.cos(10), abs=1e-8)


@pytest.mark.parametrize(("begin", "length"), [(0.0, 1e-300), (0.0, 1e-200), (1e10, 1e-5), (-1e10, -1e-5)])
def test_very_short_motions_come_to_their_end(swing: nh.System, begin: float, length: float) -> None:
    run = nh.simulate(swing, {"x": 1.0, "t": begin}, begin + length)
    assert run.outcome == "reached" and run.final["t"] == begin + length
    assert run.final["xdot"] == pytest.approx(-math.sin(begin + length - begin), rel=1e-9)


POLES = {"1/x": [], "tan(t)": [math.pi, 2 * math.pi, 3 * math.pi], "x/(x - 1/2)": [math.pi / 2, 1.5 * math.pi, 2.5 * math.pi]}


@pytest.mark.parametrize("text", POLES)
def test_a_pole_is_no_zero(swing: nh.System, text: str) -> None:
    run = nh.simulate(swing, {"x": 1.0}, 10.0, events=[text])
    assert run.events[text] == pytest.approx(POLES[text], abs=1e-8)
    assert nh.simulate(swing, {"x": 1.0}, 10.0, events=[nh.Event("1/x", terminal=1)]).outcome == "reached"


def test_a_pole_of_a_function_is_no_zero(swing: nh.System) -> None:
    run = nh.simulate(swing, {"x": 1.0}, 10.0, events=[lambda s: 1 / s["x"], lambda s: s["x"]])
    assert [len(times) for times in run.events.values()] == [0, 3]


LASTING = {
    "max(x, 0)": (lambda s: max(s["x"], 0.0), [math.pi / 2, 1.5 * math.pi]),
    "min(x, 0)": (lambda s: min(s["x"], 0.0), [1.5 * math.pi]),  # zero at the start is no side
    "floor(t) - 2": (lambda s: math.floor(s["t"]) - 2, [2.0]),
    "max(x - 1/10, 0) + min(x + 1/10, 0)": (
        lambda s: max(s["x"] - 0.1, 0.0) + min(s["x"] + 0.1, 0.0),
        [math.acos(0.1), 2 * math.pi - math.acos(-0.1)],
    ),
}


@pytest.mark.parametrize("text", LASTING)
def test_a_zero_that_lasts_is_met_where_it_begins_or_ends(swing: nh.System, text: str) -> None:
    function, times = LASTING[text]
    for event in (text, function):
        run = nh.simulate(swing, {"x": 1.0}, 5.0, events=[event])
        assert next(iter(run.events.values())) == pytest.approx(times, abs=1e-8)


def test_a_flat_zero_of_a_function_is_found(swing: nh.System) -> None:
    """Brent's method gave up on a triple zero."""
    run = nh.simulate(swing, {"x": 1.0}, 6.5, events=[lambda s: (s["t"] - 2) ** 3])
    assert run.events["<lambda>"] == pytest.approx([2.0], abs=1e-4)


def test_an_event_that_is_never_a_number_is_named(swing: nh.System) -> None:
    for event, name in (("sqrt(x - 5)", "sqrt(x - 5)"), (lambda s: math.nan, "<lambda>")):
        run = nh.simulate(swing, {"x": 1.0}, 3.0, events=[event, "x"])
        assert run.outcome == "reached" and f"event {name} is not a number anywhere" in run.outcome.advice
        assert len(run.events["x"]) == 1
    assert nh.simulate(swing, {"x": 1.0}, 3.0, events=["sqrt(x)", "x - 5"]).outcome.advice == ""


@pytest.mark.parametrize("method", ["rk4", "verlet"])
@pytest.mark.parametrize("t_eval", [None, "end"])
def test_equal_steps_say_that_they_passed_a_collision(method: str, t_eval: str | None) -> None:
    """Two bodies that fall into each other at t = π/√8; all of the energy afterwards is an error."""
    fall = nh.System(name="fall", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 + 1/sqrt(x**2 + y**2)")
    run = nh.simulate(fall, {"x": 1.0}, 2.0, method=method, step=0.01, t_eval=t_eval)
    assert "jumps by" in run.outcome.advice and "passed over" in run.outcome.advice
    if t_eval is None:
        near = float(run.outcome.advice.partition("near t = ")[2].partition(":")[0])
        assert near == pytest.approx(math.pi / 8**0.5, abs=0.02)
    before = nh.simulate(fall, {"x": 1.0}, 1.0, method=method, step=0.01, t_eval=t_eval)
    assert before.outcome.advice == ""


def test_work_without_end_is_refused_with_numbers(swing: nh.System) -> None:
    with pytest.raises(nh.StateError, match="1000000000 times are 8 GB"):
        nh.simulate(swing, {"x": 1.0}, 10.0, t_eval=10**9)
    with pytest.raises(nh.StateError, match=r"step = 1e-09 makes 1e\+10 steps from t = 0 to 10"):
        nh.simulate(swing, {"x": 1.0}, 10.0, method="rk4", step=1e-9)
    assert nh.simulate(swing, {"x": 1.0}, 10.0, method="rk4", step=1e-9, max_steps=100).outcome == "too many steps"
