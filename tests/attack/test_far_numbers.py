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
