"""Poincaré sections: against SciPy, closed curves, frames that change, levels, symmetry, and what is missing in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xarray as xr
from scipy.integrate import solve_ivp

import nonholo as nh
from tests.analyse.behaviour import chaotic

HH = chaotic.HENON_HEILES


def test_crossings_are_those_of_scipy() -> None:
    def rates(t: float, s: np.ndarray) -> list[float]:
        x, y, u, v = s
        return [u, v, -x - 2 * x * y, -y - x**2 + y**2]

    passing = lambda t, s: s[0]  # noqa: E731
    passing.direction = 1.0
    start = [0.0, -0.2, np.sqrt(0.25 - 0.04 - 2 * 0.008 / 3), 0.0]
    known = solve_ivp(rates, (0, 70), start, "DOP853", events=passing, rtol=1e-12, atol=1e-13)
    times = known.t_events[0][known.t_events[0] > 1e-6]
    found = nh.section(HH, {"y": -0.2}, "x", len(times), direction=1, level={"energy": 1 / 8}, solve="xdot", rtol=1e-12)
    assert np.max(np.abs(found["t"][0] - times)) < 1e-8
    states = known.y_events[0][known.t_events[0] > 1e-6]
    assert np.max(np.abs(np.stack([found[n][0] for n in ("x", "y", "xdot", "ydot")], axis=1) - states)) < 1e-8


def test_many_starts_have_the_bits_of_one_and_stay_on_their_level() -> None:
    heights = np.linspace(-0.35, 0.5, 70)
    words = {"direction": 1, "level": {"energy": 1 / 8}, "solve": "xdot"}
    found = nh.section(HH, {"y": heights}, "x", 100, **words)
    assert set(found.outcomes) == {"reached"} and found["y"].shape == (70, 100)
    assert np.max(np.abs(found["energy"] - 1 / 8)) < 1e-8 and np.max(np.abs(found["x"])) < 1e-12
    one = nh.section(HH, {"y": heights[33]}, "x", 100, **words)
    assert np.array_equal(one["ydot"][0], found["ydot"][33])


def test_through_changes_of_frame_as_simulate_sees_them() -> None:
    start = {"x": 0.4, "y": 0.2, "theta": 0.3, "xdot": 0.3, "thetadot": 1.3}
    found = nh.section(chaotic.SKATE, [start], "sin(theta)", 12)
    run = nh.simulate(chaotic.SKATE, start, 60, events=["sin(theta)"])
    assert run.frames > 5
    assert np.max(np.abs(found["t"][0] - run.events["sin(theta)"][:12])) < 1e-6
    assert np.max(np.abs(found["theta"][0] / np.pi - np.round(found["theta"][0] / np.pi))) < 1e-9


def test_the_direction_and_the_transient() -> None:
    both = nh.section(HH, {"y": 0.1, "xdot": 0.4}, "x", 40)
    up = nh.section(HH, {"y": 0.1, "xdot": 0.4}, "x", 20, direction=1)
    assert np.array_equal(both["sign"][0], np.tile([-1.0, 1.0], 20))
    assert np.allclose(both["t"][0][1::2], up["t"][0], atol=1e-9)
    late = nh.section(HH, {"y": 0.1, "xdot": 0.4}, "x", 10, direction=1, skip=10)
    assert np.allclose(late["t"], up["t"][:, 10:], atol=1e-9)


def test_a_driven_system_is_cut_once_in_each_period() -> None:
    found = nh.section(chaotic.DRIVEN, None, "sin(2*t/3)", 50, direction=1)
    assert np.allclose(np.diff(found["t"][0]), 3 * np.pi, atol=1e-8)


def test_several_quantities_on_a_level() -> None:
    plane = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2 - (x**2 + y**2)**2/4")
    starts = nh.on_level(plane, {"x": [0.6, 0.8]}, {"energy": 1.0, "x*ydot - y*xdot": 0.5}, ["xdot", "ydot"])
    energy = (starts["xdot"] ** 2 + starts["ydot"] ** 2) / 2 + starts["x"] ** 4 / 4
    assert np.allclose(energy, 1.0, atol=1e-10) and np.allclose(starts["x"] * starts["ydot"], 0.5, atol=1e-10)
    down = nh.on_level(plane, {"x": 0.5, "ydot": -1.0}, {"energy": 1.0}, "ydot")
    assert down["ydot"][0] < 0


def test_reduced_quantities_do_not_see_where_the_body_is() -> None:
    body = nh.System(
        name="sleigh with a spring",
        coordinates="x y theta q",
        lagrangian="M/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + m/2*((xdot + qdot*cos(theta) - q*thetadot*sin(theta))**2 "
        "+ (ydot + qdot*sin(theta) + q*thetadot*cos(theta))**2) - k/2*q**2",
        constraints=["ydot*cos(theta) - xdot*sin(theta)"],
        parameters={"M": 1.1, "J": 0.4, "m": 0.5, "k": 7.0},
    )
    start = {"q": 0.3, "thetadot": 0.8, "xdot": 0.5}
    moved = {**start, "x": 2.0, "y": -1.0, "theta": 1.1, "xdot": 0.5 * np.cos(1.1), "ydot": 0.5 * np.sin(1.1)}
    one, two = (nh.section(body, [s], "qdot", 25, reduced=True) for s in (start, moved))
    names = {str(n) for n in one.data.data_vars} - {"t", "sign", "outcome", "crossings"}
    assert "q" in names and not names & {"x", "y", "theta"} and len(names) == 5
    assert all(np.max(np.abs(one[n] - two[n])) < 1e-7 for n in names)
    assert np.ptp(one["q"]) > 0.1


def test_what_is_missing_is_told_and_the_rest_returned() -> None:
    never = nh.section(HH, {"y": [0.1, 0.2], "xdot": 0.1}, "x - 7", 20)
    assert never.counts.tolist() == [0, 0] and "no crossing of x - 7 = 0 until t = 850" in never.outcomes[0]
    short = nh.section(HH, {"y": 0.1, "xdot": 0.3}, "x", 200, until=30)
    assert 5 < short.counts[0] < 200 and short.outcomes[0].endswith("crossings until t = 30; raise until for more")
    mixed = nh.section(HH, {"y": [0.1, -0.9]}, "x", 5, level={"energy": 1 / 8}, solve="xdot")
    assert mixed.counts.tolist() == [5, 0] and "no value of xdot was found that gives energy = 0.125" in mixed.outcomes[1]
    assert np.all(np.isnan(mixed["y"][1])) and "start 1: " in str(mixed)
    escape = nh.section(HH, {"x": 0.9, "y": -0.2, "xdot": 0.9, "ydot": -0.5}, "y", 20)
    assert escape.counts[0] < 20 and "crossings, then" in escape.outcomes[0]
    damped = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2", forces={"q": "-2.5*qdot"})
    once = nh.section(damped, {"q": 1.0, "qdot": -3.0}, "q", 20)
    assert once.counts[0] == 1 and "1 crossings, then the motion is at rest on q = 0" in once.outcomes[0]


def test_bad_input_in_words() -> None:
    with pytest.raises(nh.StateError, match="no starts"):
        nh.section(HH, [], "x")
    with pytest.raises(nh.StateError, match="needs an expression that passes through zero"):
        nh.section(HH, {"y": 0.1})
    with pytest.raises(nh.ParseError, match="unknown name 'z'"):
        nh.section(HH, {"y": 0.1}, "z")
    with pytest.raises(nh.StateError, match="crossings = 0"):
        nh.section(HH, {"y": 0.1}, "x", 0)
    with pytest.raises(nh.StateError, match=r"no start can be used; the first says: .*nearest"):
        nh.section(HH, {"y": -0.9}, "x", level={"energy": 0.1}, solve="xdot")
    with pytest.raises(nh.StateError, match="name one variable for each"):
        nh.section(HH, {"y": 0.1}, "x", level={"energy": 0.1})
    with pytest.raises(nh.StateError, match="solve: no variable is called 'xdott'; did you mean 'xdot'"):
        nh.section(HH, {"y": 0.1}, "x", level={"energy": 0.1}, solve="xdott")


def test_a_section_is_kept_and_drawn(tmp_path: Path) -> None:
    found = nh.section(HH, {"y": [0.1, 0.3], "xdot": 0.3}, "x", 50, direction=1)
    found.save(tmp_path / "s.nc")
    with xr.open_dataset(tmp_path / "s.nc", engine="h5netcdf") as again:
        assert np.array_equal(again["ydot"].values, found["ydot"]) and again["outcome"].values.tolist() == ["reached", "reached"]
    panel = found.plot()
    assert (panel.get_xlabel(), panel.get_ylabel()) == ("$y$", "$\\dot{y}$") and len(panel.collections) == 2
    assert np.allclose(panel.collections[1].get_offsets()[:, 1], found["ydot"][1])
