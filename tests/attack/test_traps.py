"""Numerical traps: singular starts, steps that lead nowhere, options without sense, names that are taken."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.many.ensemble import OUTCOMES
from nonholo.integrate.outcome import _KINDS

LINE = nh.System(coordinates="x", lagrangian="xdot**2/2")
START = {"x": 0.0, "xdot": 1.0}


@pytest.mark.parametrize("name", ["x", "xdot", "energy", "t", "v", "lambda1"])
def test_a_watched_name_that_is_taken_is_refused(name: str) -> None:
    system = nh.System(
        coordinates="x y",
        lagrangian="xdot**2/2 + ydot**2/2",
        constraints=["ydot - x*xdot"],
        quasivelocities={"v": "xdot"},
    )
    with pytest.raises(nh.StateError, match=f"already|quantity '{name}'"):
        nh.simulate(system, {"x": 1.0, "v": 1.0}, 1.0, watch={name: "x**2"})


@pytest.mark.parametrize("name", ["a/b", "/", "", " ", 3])
def test_a_watched_name_that_no_file_can_hold_is_refused(name: object) -> None:
    with pytest.raises(nh.StateError, match="cannot be a name"):
        nh.simulate(LINE, START, 1.0, watch={name: "x**2"})


def test_other_watched_names_are_welcome(tmp_path) -> None:
    run = nh.simulate(LINE, START, 1.0, watch={"square of x": "x**2", "x2": "x + 1"})
    run.save(tmp_path / "run.nc")
    np.testing.assert_allclose(nh.open(tmp_path / "run.nc")["square of x"], run.times**2, atol=1e-12)


def test_a_disk_that_starts_nowhere_is_told_in_words(capfd) -> None:
    """Without a start the body's axis is vertical: the disk lies flat and has no point of contact."""
    disk = nh.gallery.get("rolling-disk")
    with pytest.raises(nh.StateError, match="no finite numbers at this start"):
        nh.simulate(disk.system, {}, 1.0, disk.parameters)
    assert capfd.readouterr() == ("", "")


def test_a_singular_start_does_not_end_an_ensemble(capfd) -> None:
    """Of three members at x = 0, 1, 2 under ẏ = ẋ/x the first has no constraint."""
    system = nh.System(coordinates="x y", lagrangian="xdot**2/2 + ydot**2/2", constraints=["ydot - xdot/x"])
    runs = nh.ensemble(system, {"x": [0.0, 1.0, 2.0], "xdot": 0.5}, 1.0, t_eval=5)
    assert runs["outcome"].values.tolist() == ["bad start", "reached", "reached"]
    assert "no finite numbers at this start" in str(runs["advice"].values[0])
    alone = nh.simulate(system, {"x": 2.0, "xdot": 0.5}, 1.0, t_eval=5)
    np.testing.assert_allclose(runs["y"].values[2], alone["y"], rtol=0, atol=1e-12)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("words", "option"),
    [
        ({"rtol": math.inf}, "rtol"), ({"atol": math.inf}, "atol"), ({"method": "rk4", "step": math.inf}, "step"),
        ({"method": "hamel", "step": math.inf}, "step"), ({"first_step": math.inf}, "first_step"), ({"rtol": -1.0}, "rtol"),
        ({"rtol": "small"}, "rtol"), ({"method": "rk4", "step": True}, "step"), ({"method": "dopri5", "rtol": math.inf}, "rtol"),
    ],
)  # fmt: skip
def test_options_without_sense_are_refused(words: dict, option: str) -> None:
    with pytest.raises(nh.StateError, match=f"{option} = .* where a finite number"):
        nh.simulate(LINE, START, 1.0, **words)


def test_no_limit_is_a_limit_one_may_give() -> None:
    assert nh.simulate(LINE, START, 1.0, max_step=math.inf).outcome == "reached"


@pytest.mark.parametrize("step", [1e-18, 1e-300, 1e-12])
def test_steps_that_lead_nowhere_are_refused_before_the_first(step: float) -> None:
    with pytest.raises(nh.StateError, match="more than max_steps"):
        nh.simulate(LINE, START, 1.0, method="rk4", step=step)


def test_an_ensemble_goes_on_without_the_member_that_does_not() -> None:
    """ẍ = −k x: at k = 1e22 an oscillation a thousand million times faster than the motion is long."""
    spring = nh.System(coordinates="x", parameters=["k"], lagrangian="xdot**2/2 - k*x**2/2")
    runs = nh.ensemble(spring, {"x": 1.0, "xdot": 0.0}, 10.0, {"k": [1.0, 1e22]}, t_eval=3)
    assert runs["outcome"].values.tolist() == ["reached", "no progress"]
    assert runs["x"].values[0, -1] == pytest.approx(math.cos(10.0), abs=1e-6)


def test_slow_progress_is_progress() -> None:
    """Steps that are a hundred million times shorter than the way are many, but not hopeless."""
    run = nh.simulate(LINE, START, 1.0, method="rk4", step=1e-8, max_steps=50_000, t_eval="end")
    assert run.outcome.kind == "too many steps" and run.steps == 50_000


def test_a_sweep_can_store_every_outcome() -> None:
    assert {kind for kind, _ in _KINDS.values()} <= set(OUTCOMES)
