"""Charts of chaos: against single spectra, the same bits in lanes, frames that change, levels as axes, resumed after a stop."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.many.member_blocks import advance_many
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.motion.motion_pieces import problem_of
from tests.analyse.behaviour import chaotic

HH = chaotic.HENON_HEILES


def test_a_chart_tells_chaos_from_regular_motion_as_the_spectra_do() -> None:
    over = {"y": [-0.05, 0.3], "ydot": [0.0, 0.05]}
    found = nh.chart(HH, over, 1500, start={}, level={"energy": 1 / 8}, solve="xdot", rtol=1e-9)
    assert found["lyapunov"].shape == (2, 2) and np.all(found["outcome"] == "reached")
    speed = float(np.sqrt(0.25 - 0.05**2 - 2 * 0.05**3 / 3))
    single = nh.lyapunov(HH, {"y": -0.05, "xdot": speed}, 12000, integrals=())
    assert single.exponents[0] > 0.01 and found["lyapunov"][0, 0] > 0.01
    assert abs(found["lyapunov"][0, 0] - single.exponents[0]) < 0.04
    assert np.all(np.abs(found["megno"][1] - 2.0) < 0.5) and np.all(found["megno"][0] > 5)
    assert np.all(found["fli"][0] > found["fli"][1] + 10) and np.all(np.abs(found["lyapunov"][1]) < 0.003)


@pytest.mark.parametrize("system", [HH, chaotic.SUSLOV], ids=["unbound", "projected"])
def test_tangents_in_lanes_have_the_bits_of_one_by_one(system: nh.System) -> None:
    problem = problem_of(system, {"x": 0.1, "ydot": 0.2} if system is HH else None, None, "hamel", {})
    kernel, y = problem.initial.kernel, problem.initial.state
    extended = kernel.tangent_kernel((None, None), problem.initial.row({}, problem.parameters))
    tangents = np.random.default_rng(0).normal(size=(70, 2 * len(y)))
    starts = np.hstack([np.tile(y, (70, 1)), tangents])
    numbers = [problem.parameters[n] for n in kernel.parameters]
    both = [
        advance_many(extended, DormandPrince8(), 0.0, starts, 3.0, numbers, side_by_side=side, t_eval=[1.0, 3.0])
        for side in (True, False)
    ]
    assert np.array_equal(both[0].states, both[1].states) and np.array_equal(both[0].accepted, both[1].accepted)
    assert np.all(np.isfinite(both[0].states))


def test_cells_whose_frames_change_are_measured_too() -> None:
    found = nh.chart(chaotic.SKATE, {"thetadot": [0.7, 1.4], "h": [0.0, 0.05]}, 60)
    assert np.all(found["outcome"] == "reached") and np.all(np.isfinite(found["lyapunov"]))
    flat = found["megno"][:, 0]
    assert np.all(np.abs(flat) < 4) and np.all(found["lyapunov"][:, 0] < 0.05)


def test_a_level_is_an_axis() -> None:
    found = nh.chart(HH, {"energy": [0.05, 0.1], "y": [0.1, 0.9]}, 20, start={"ydot": 0.05}, solve="xdot")
    assert found["outcome"].tolist() == [["reached", "bad start"], ["reached", "bad start"]]
    assert np.isnan(found["lyapunov"][0, 1]) and np.isfinite(found["lyapunov"][0, 0]) and "2 bad start" in str(found)
    panel = found.plot("fli")
    assert "energy" in panel.get_xlabel() and panel.get_ylabel() == "$y$"


def test_a_chart_that_was_stopped_goes_on(tmp_path: Path) -> None:
    words = {"over": {"y": (-0.2, 0.2, 6), "ydot": (0.0, 0.2, 4)}, "until": 30.0, "start": {"xdot": 0.3}, "chunk": 5}
    whole = nh.chart(HH, store=tmp_path / "c.zarr", **words)
    marks = sorted((tmp_path / "c.zarr.marks").glob("done-*"))
    assert len(marks) == 5
    for mark in marks[2:4]:
        mark.unlink()
    again = nh.chart(HH, store=tmp_path / "c.zarr", **words)
    assert np.array_equal(whole["lyapunov"], again["lyapunov"]) and np.array_equal(whole["megno"], again["megno"])
    with pytest.raises(nh.FileError, match="holds another sweep"):
        nh.chart(HH, store=tmp_path / "c.zarr", **{**words, "until": 31.0})


def test_bad_input_in_words() -> None:
    with pytest.raises(nh.StateError, match="give one or two axes"):
        nh.chart(HH, {"x": [0], "y": [0], "xdot": [0]}, 1.0)
    with pytest.raises(nh.StateError, match=r"is no parameter and no variable .* say which variable to solve for"):
        nh.chart(HH, {"yy": [0, 1]}, 1.0)
    with pytest.raises(nh.ModelError, match="axis y = 3; give"):
        nh.chart(HH, {"y": 3}, 1.0)
    with pytest.raises(nh.ModelError, match="growth has no 'lyapunow'; did you mean 'lyapunov'"):
        nh.chart(HH, {"y": [0.1]}, 1.0, measures=["lyapunow"])
