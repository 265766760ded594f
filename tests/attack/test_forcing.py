"""Narrow, rough and far-off forcing: it is found by its own structure, followed to its own rounding, or refused in words."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.loops.arguments.piecewise_signals import sampled


def cart(**words: Any) -> nh.System:
    return nh.System(
        name="cart",
        coordinates="x",
        parameters={"c": 3.3},
        lagrangian="xdot**2/2 - x**2/2",
        forces={"x": "u"},
        **{"inputs": "u", **words},
    )


RECTANGLE = 1000 * (math.cos(10 - 3.301) - math.cos(10 - 3.3))
"""∫ 1000 sin(10 − s) ds over 3.3 … 3.301."""
BELL = math.sqrt(math.pi) * math.exp(-(1e-3**2) / 4) * math.sin(10 - 3.3)
"""∫ 1000 exp(−((s − 3.3)/0.001)²) sin(10 − s) ds."""


@pytest.mark.parametrize(
    ("law", "exact"),
    [
        ("1000*Heaviside(t - 3.3)*Heaviside(3.301 - t)", RECTANGLE),
        ("1000*Heaviside(t - c)*Heaviside(c + 0.001 - t)", RECTANGLE),
        ("Piecewise((1000, (t > 3.3) & (t < 3.301)), (0, True))", RECTANGLE),
        ("500*(sign(t - 3.3) - sign(t - 3.301))", RECTANGLE),
        ("1000*exp(-((t - c)/0.001)**2)", BELL),
        ("1000*exp(-1e6*(t**2 - 2*c*t + c**2))", BELL),
    ],
)
def test_a_pulse_of_a_millisecond_in_text_is_not_passed_over(law: str, exact: float) -> None:
    assert nh.simulate(cart(inputs={"u": law}), {"x": 0.0}, 10.0).final["x"] == pytest.approx(exact, abs=2e-7)


def test_conditions_that_are_no_straight_lines_are_found_between_the_points_of_a_grid() -> None:
    """cos t > 0.999999 near 2π, for 2.8 ms: an impulse 1000 · 2 arccos(0.999999) at the start's half and there."""
    half = math.acos(0.999999)
    exact = 1000 * (math.cos(10 - half) - math.cos(10)) + 1000 * (
        math.cos(10 - 2 * math.pi - half) - math.cos(10 - 2 * math.pi + half)
    )
    found = nh.simulate(cart(inputs={"u": "1000*Heaviside(cos(t) - 0.999999)"}), {"x": 0.0}, 10.0).final["x"]
    assert found == pytest.approx(exact, abs=1e-6)


def test_members_of_an_ensemble_see_pulses_at_times_of_their_own() -> None:
    system = cart(inputs={"u": "1000*exp(-((t - c)/0.001)**2)"})
    found = nh.ensemble(system, [{"x": 0.0}] * 2, 10.0, parameters={"c": [3.3, 5.1]})["x"].values[:, -1]
    assert found == pytest.approx([BELL, BELL / math.sin(6.7) * math.sin(4.9)], abs=2e-7)


LATE = 3.3


def narrow(t: float) -> float:
    return 1000.0 if LATE < t < LATE + 1e-3 else 0.0


class Pulse:
    def __init__(self, at: float) -> None:
        self.at = at

    def __call__(self, t: float) -> float:
        return 1000.0 * math.exp(-(((t - self.at) / 1e-3) ** 2))


@pytest.mark.parametrize(
    ("function", "exact"),
    [(lambda t: 1000.0 if 3.3 < t < 3.301 else 0.0, RECTANGLE), (narrow, RECTANGLE), (Pulse(3.3), BELL)],
    ids=["numbers in the code", "a global", "an object"],
)
def test_a_pulse_of_a_millisecond_in_a_function_is_not_passed_over(function: Callable[[float], float], exact: float) -> None:
    assert nh.simulate(cart(), {"x": 0.0}, 10.0, inputs={"u": function}).final["x"] == pytest.approx(exact, abs=2e-7)


def test_a_pulse_at_a_time_that_nobody_names_is_found_by_probes() -> None:
    """Twelve milliseconds among ten seconds: wider than the probes are apart."""
    begin = sum([1.1, 2.2])
    pulse = eval("lambda t, a: 100.0 if a < t < a + w else 0.0", {"w": np.float64(0.012)})
    found = nh.simulate(cart(), {"x": 0.0}, 10.0, inputs={"u": lambda t: pulse(t, np.float64(begin))}).final["x"]
    assert found == pytest.approx(100 * (math.cos(10 - 3.312) - math.cos(10 - 3.3)), abs=1e-7)


def counted(function: Callable[[float], float]) -> tuple[Callable[[float], float], list[int]]:
    calls = [0]

    def counting(t: float) -> float:
        calls[0] += 1
        return function(t)

    return counting, calls


@pytest.mark.parametrize(
    ("function", "most", "error"),
    [
        (lambda t: math.exp(-(((t - 5) / 0.1) ** 2)), 5_000, 1e-13),
        (lambda t: math.sin(10 * t * t), 50_000, 2e-12),
        (lambda t: abs(math.sin(t)), 10_000, 1e-13),
        (lambda t: float(np.float32(math.sin(t))), 200_000, 2e-7),
        (lambda t: math.sin(t) + 1e-9 * math.sin(1e6 * t), 200_000, 3e-9),
    ],
    ids=["a bell", "a chirp", "kinks", "single precision", "a hiss"],
)
def test_a_function_is_followed_to_its_own_rounding(function: Callable[[float], float], most: int, error: float) -> None:
    counting, calls = counted(function)
    signal = sampled(counting, 0.0, 10.0)
    assert calls[0] < most
    times = np.random.default_rng(3).uniform(0, 10, 400)
    assert np.max(np.abs(signal.values(times) - [function(float(t)) for t in times])) < error


def test_what_is_too_rough_is_refused_with_numbers() -> None:
    def rough(t: float) -> float:
        return math.sin(1e9 * t) * math.sin(1e13 * t)

    with pytest.raises(nh.StateError, match=r"too rough: after \d+ calls its interpolant is still off by"):
        nh.simulate(cart(), {"x": 0.0}, 10.0, inputs={"u": rough})


def test_a_jump_at_the_edge_of_a_piece_is_a_break() -> None:
    """2.5 s is a quarter of the span."""
    signal = sampled(lambda t: float(t >= 2.5), 0.0, 10.0)
    assert signal(2.4999999) == 0.0 and signal(2.5) == 1.0
    assert len(signal.breaks) >= 2 and np.max(np.abs(signal.breaks - 2.5)) < 1e-14
