"""Orbits of systems that the time drives: closed forms, Hill's equation and returns by SciPy alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh

RESONATOR = nh.System(
    name="driven oscillator",
    coordinates="q",
    lagrangian="m*qdot**2/2 - k*q**2/2",
    forces={"q": "-c*qdot + F*cos(w*t)"},
    parameters={"m": 1.3, "k": 2.0, "c": 0.3, "F": 0.7, "w": 1.1},
)

KAPITZA = nh.System(
    name="skate with a pendulum on a shaken pivot",
    coordinates="x y theta phi",
    lagrangian="M/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2 "
    "+ m/2*((xdot + l*(cos(phi)*phidot*cos(theta) - sin(phi)*thetadot*sin(theta)))**2 "
    "+ (ydot + l*(cos(phi)*phidot*sin(theta) + sin(phi)*thetadot*cos(theta)))**2 "
    "+ (l*sin(phi)*phidot - A*w*sin(w*t))**2) + m*g*l*cos(phi)",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    parameters={"M": 1.9, "J": 0.23, "a": 0.31, "m": 0.4, "l": 0.27, "A": 0.05, "w": 90.0, "g": 9.81},
)
"""The pivot stands over the blade and moves up and down by ``A cos wt``; the pendulum swings in the plane of the blade."""

SWING = nh.System(
    name="swing that is pumped",
    coordinates="q",
    lagrangian="qdot**2/2 + (1 + h*cos(2*t))*cos(q)",
    forces={"q": "-c*qdot"},
    parameters={"h": 0.6, "c": 0.15},
)

CRANE = nh.System(
    name="pendulum under a carriage that is moved",
    coordinates="x phi",
    lagrangian="M*xdot**2/2 + m*((xdot + l*cos(phi)*phidot)**2 + l**2*sin(phi)**2*phidot**2)/2 + m*g*l*cos(phi)",
    constraints=["xdot - u"],
    forces={"phi": "-c*phidot"},
    inputs={"u": "A*w*cos(w*t)"},
    parameters={"M": 2.0, "m": 0.6, "l": 0.8, "g": 9.81, "c": 0.12, "A": 0.1, "w": 2.0},
)


def returned(rates: Any, state: Any, period: float) -> Any:
    """The state after a period and the derivative of the return by central differences, by SciPy's DOP853 alone."""

    def end(start: Any) -> Any:
        return solve_ivp(rates, (0.0, period), start, "DOP853", rtol=1e-12, atol=1e-13).y[:, -1]

    steps = 1e-5 * np.eye(len(state))
    slopes = [(end(state + step) - end(state - step)) / 2e-5 for step in steps]
    return end(np.asarray(state)), np.array(slopes).T


def test_a_driven_oscillator_answers_as_in_the_book_along_the_frequency_too() -> None:
    found = nh.orbit(RESONATOR, {"q": 0.0})
    answer = 0.7 / (2.0 - 1.3 * 1.1**2 + 0.3j * 1.1)
    assert found.period == pytest.approx(2 * np.pi / 1.1, rel=1e-14) and found.strokes == 1
    assert (found.state["q"], found.state["qdot"]) == pytest.approx((answer.real, -1.1 * answer.imag), abs=1e-11)
    wanted = np.exp(np.roots([1.3, 0.3, 2.0]) * found.period)
    assert np.sort_complex(found.multipliers) == pytest.approx(np.sort_complex(wanted), abs=1e-9)
    assert found.verdict == "asymptotically stable" and not found.trivial and "phase" not in found.state
    family = found.family(along="w", until=1.9)
    size = np.hypot(family.data["q"].values, family.data["qdot"].values / family.values)
    assert family.outcome == "reached" and "phase" not in family.data
    assert np.allclose(size, np.abs(0.7 / (2.0 - 1.3 * family.values**2 + 0.3j * family.values)), atol=1e-9)
    assert np.allclose(family.periods, 2 * np.pi / family.values, rtol=1e-12)
    assert nh.orbit(RESONATOR, **family.member(-1)).state["q"] == pytest.approx(family.data["q"].values[-1], abs=1e-10)
    run = found.run
    assert run["q"][-1] == pytest.approx(found.state["q"], abs=1e-9)


def test_kapitzas_pendulum_stands_on_a_skate_by_hills_equation() -> None:
    """By hand ``l (1 − m/(M + m)) ψ̈ = (g + z̈) ψ`` about the top, and ``λ = −M a v/(J + M a²)`` of the blade, any speed v."""
    p, v = KAPITZA.parameters, 1.2
    found = nh.orbit(KAPITZA, {"phi": np.pi, "xdot": v})
    assert found and found.shift["shift_x"] == pytest.approx(v * found.period, rel=1e-9)
    inertia = p["l"] * (1 - p["m"] / (p["M"] + p["m"]))

    def hill(t: float, y: Any) -> Any:
        return [y[1], (p["g"] - p["A"] * p["w"] ** 2 * np.cos(p["w"] * t)) * y[0] / inertia]

    _, matrix = returned(hill, [0.0, 0.0], found.period)
    turning = np.exp(-p["M"] * p["a"] * v / (p["J"] + p["M"] * p["a"] ** 2) * found.period)
    wanted = [*np.linalg.eigvals(matrix), turning]
    assert np.sort_complex(found.genuine) == pytest.approx(np.sort_complex(wanted), abs=1e-7)
    assert found.verdict == "spectrally stable, not decided" and np.max(np.abs(found.genuine)) < 1 + 1e-6
    assert [one.kind for one in found.trivial] == ["symmetry"] * 3 + ["family"]
    slow = nh.orbit(KAPITZA, {"phi": np.pi, "xdot": v}, parameters={"w": 40.0})
    assert slow.verdict == "unstable"


def test_a_pumped_swing_comes_back_after_two_strokes() -> None:
    found = nh.orbit(SWING, {"q": 0.5})
    assert found and found.strokes == 2 and found.period == pytest.approx(2 * np.pi, rel=1e-13)

    def rates(t: float, y: Any) -> Any:
        return [y[1], -(1 + 0.6 * np.cos(2 * t)) * np.sin(y[0]) - 0.15 * y[1]]

    state = np.array([found.state["q"], found.state["qdot"]])
    end, matrix = returned(rates, state, 2 * np.pi)
    assert np.abs(state[0]) > 0.3 and end == pytest.approx(state, abs=1e-9)
    assert np.sort_complex(found.multipliers) == pytest.approx(np.sort_complex(np.linalg.eigvals(matrix)), abs=1e-6)
    assert np.prod(found.multipliers).real == pytest.approx(np.exp(-0.15 * 2 * np.pi), rel=1e-9)  # Liouville
    rest = nh.orbit(SWING, {"q": 0.0})
    assert rest.strokes == 1 and rest.verdict == "unstable"
    (born,) = [s for s in rest.family(along="h", until=0.1).special if s.kind == "period doubling"]

    def trace(h: float) -> Any:
        def hill(t: float, y: Any) -> Any:
            return [y[1], -(1 + h * np.cos(2 * t)) * y[0] - 0.15 * y[1]]

        return np.linalg.det(returned(hill, [0.0, 0.0], np.pi)[1] + np.eye(2))

    assert trace(born.value - 1e-6) * trace(born.value + 1e-6) < 0


def test_a_moved_carriage_swings_its_load_as_newton_says() -> None:
    """``l φ̈ + ẍ cos φ + g sin φ = −c φ̇/(m l)`` with ``ẋ = A w cos wt``."""
    found = nh.orbit(CRANE, {"phi": 0.0})
    p = CRANE.parameters

    def rates(t: float, y: Any) -> Any:
        push = -p["A"] * p["w"] ** 2 * np.sin(p["w"] * t)
        return [y[1], -(push * np.cos(y[0]) + p["g"] * np.sin(y[0]) + p["c"] * y[1] / (p["m"] * p["l"])) / p["l"]]

    state = np.array([found.state["phi"], found.state["phidot"]])
    end, matrix = returned(rates, state, found.period)
    assert found.period == pytest.approx(np.pi) and end == pytest.approx(state, abs=1e-9) and np.abs(state[1]) > 0.02
    assert np.sort_complex(found.genuine) == pytest.approx(np.sort_complex(np.linalg.eigvals(matrix)), abs=1e-7)


def test_what_does_not_repeat_is_said() -> None:
    def pushed(text: str) -> nh.System:
        return nh.System(name="pushed", coordinates="x", lagrangian="xdot**2/2 - x**2", forces={"x": f"-xdot + {text}"})

    with pytest.raises(nh.ModelError, match="not known when they repeat"):
        nh.orbit(pushed("exp(-t)"))
    with pytest.raises(nh.ModelError, match=r"do not repeat after 2"):
        nh.orbit(pushed("exp(-t)"), period=2.0)
    with pytest.raises(nh.ModelError, match="without a common period"):
        nh.orbit(pushed("cos(t) + cos(sqrt(2)*t)"))
    with pytest.raises(nh.StateError, match=r"a multiple of the drive's 6.28318531"):
        nh.orbit(pushed("cos(t)"), period=5.0)
    stepped = nh.orbit(pushed("Piecewise((1, sin(t) > 0), (-1, True))"), period=2 * np.pi)  # a square wave
    assert stepped and stepped.gap < 1e-7 and stepped.period == pytest.approx(2 * np.pi)
    beats = nh.System(
        name="two tones", coordinates="x", lagrangian="xdot**2/2 - x**2", forces={"x": "-xdot + cos(u*t) + cos(w*t)"},
        parameters={"u": 2.0, "w": 3.0},
    )  # fmt: skip
    found = nh.orbit(beats)
    assert found.period == pytest.approx(2 * np.pi)
    with pytest.raises(nh.StateError, match="cannot be varied"):
        found.family(along="u", until=2.5)
