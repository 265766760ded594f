"""Ensembles across modes: members move together, and each as it would alone."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.integrate.many import contact_ensemble
from tests.integrate.test_contact_impacts import ball
from tests.integrate.test_contact_modes import G, disk

COUNT = 40


def test_throws_side_by_side_have_their_closed_forms_and_go_no_other_way_than_alone() -> None:
    random = np.random.default_rng(7)
    v, w, mu = random.uniform(2, 9, COUNT), random.uniform(-30, 60, COUNT), random.uniform(0.1, 0.3, COUNT)
    runs = nh.ensemble(disk(), {"xdot": v, "phidot": w}, 5.0, {"mu": mu}, t_eval=7)
    assert np.allclose(runs.final_xdot, (v + 0.4 * 0.11 * w) / 1.4, rtol=0, atol=1e-11)
    lost = 1.3 * 0.4 / 1.4 * (v - 0.11 * w) ** 2 / 2
    assert np.allclose(runs.final_dissipated_floor, lost, rtol=1e-11, atol=1e-12)
    assert np.all(runs.mode_changes == 1) and set(runs.outcome.values) == {"reached"}
    for k in (0, COUNT - 1):
        words = {"xdot": v[k], "phidot": w[k]}, 5.0, {"mu": mu[k]}
        alone = nh.simulate(disk(), *words, rtol=1e-9, atol=1e-12, t_eval=7)
        assert np.array_equal(runs.x.values[k], alone["x"]) and np.array_equal(runs.energy.values[k], alone["energy"])


def test_balls_with_any_spin_go_through_three_modes_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not one member is computed by itself."""
    exhibit = gallery.get("bowling-ball")
    random = np.random.default_rng(3)
    v, w1, w2 = random.uniform(4, 9, COUNT), random.uniform(-30, 30, COUNT), random.uniform(-20, 20, COUNT)
    monkeypatch.setattr(contact_ensemble, "simulate", lambda *_, **__: pytest.fail("a member was computed by itself"))
    runs = nh.ensemble(exhibit.system, {"xdot": v, "w1": w1, "w2": w2}, 5.0, {"mu": np.full(COUNT, 0.2)}, t_eval="end")
    r = exhibit.parameters["r"]
    assert np.allclose(runs.final_xdot, (5 * v + 2 * r * w2) / 7, rtol=0, atol=2e-8)
    assert np.allclose(runs.final_ydot, -2 * r * w1 / 7, rtol=0, atol=2e-8) and np.all(runs.mode_changes == 1)


def test_members_that_bounce_count_their_impacts_and_events() -> None:
    heights = np.linspace(0.2, 1.1, COUNT)
    runs = nh.ensemble(ball(), {"z": heights, "xdot": 0.7}, 0.9, t_eval=4, events=["z - 0.1", "slip(floor) - 0.35"])
    for k in (3, 31):
        alone = nh.simulate(
            ball(), {"z": heights[k], "xdot": 0.7}, 0.9, t_eval=4, events=["z - 0.1", "slip(floor) - 0.35"], rtol=1e-9, atol=1e-12
        )
        assert len(alone.modes) == runs.mode_changes.values[k] and np.array_equal(runs.z.values[k], alone["z"])
        found = runs.event_0.values[k]
        assert np.array_equal(found[np.isfinite(found)], alone.events["z - 0.1"])
    falls = np.sqrt(2 * (heights - 0.1) / G)
    assert np.allclose(runs.event_0.values[:, 0], falls, rtol=0, atol=1e-9)


def test_a_member_that_cannot_start_or_is_undecided_says_so_and_touches_no_other() -> None:
    rod = nh.System(
        name="rod", coordinates="x z th", parameters={"mu": 2.5}, lagrangian="(xdot**2 + zdot**2)/2 + thdot**2/6 - 9.81*z",
        contacts=[{
            "name": "tip", "gap": "z - sin(th)", "slip": ["xdot + thdot*sin(th)"], "friction": "mu", "slips": True, "lifts": True,
        }],
    )  # fmt: skip
    mu = np.full(COUNT, 0.3)
    mu[4], mu[9] = 2.5, -0.1
    runs = nh.ensemble(rod, {"th": 1.1, "xdot": np.full(COUNT, -2.0)}, 0.1, {"mu": mu}, t_eval=3)
    kinds = runs.outcome.values.tolist()
    assert kinds[4] == "undecided contact" and kinds[9] == "bad start" and kinds.count("reached") == COUNT - 2
    assert "would drive the slip" in str(runs.advice.values[9]) and np.all(np.isnan(runs.x.values[9]))
    alone = nh.simulate(rod, {"th": 1.1, "xdot": -2.0}, 0.1, {"mu": 0.3}, t_eval=3, rtol=1e-9, atol=1e-12)
    assert np.array_equal(runs.x.values[5], alone["x"])


def test_two_corners_that_share_are_told_in_each_member() -> None:
    block = gallery.get("rocking-block")
    tilt = np.linspace(0.0, 0.1, 20)
    runs = nh.ensemble(block.system, {"th": tilt}, 0.3, t_eval=3)
    alone = nh.simulate(block.system, {"th": float(tilt[13])}, 0.3, t_eval=3, rtol=1e-9, atol=1e-12)
    assert np.allclose(runs.th.values[13], alone["th"], rtol=0, atol=1e-12)
    assert "share" in str(runs.advice.values[0])
