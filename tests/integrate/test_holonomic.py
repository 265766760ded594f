"""A holonomic constraint holds along the motion, in every form, beside velocity constraints of any kind."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh

WORDS = {
    "coordinates": "x y z",
    "lagrangian": "(xdot**2 + 2*ydot**2 + 1.5*zdot**2)/2 - 9.8*y",
    "holonomic": ["x**2 + y**2 - 1"],
    "start": {"x": 0.6, "y": -0.8, "xdot": 0.8, "ydot": 0.6, "z": 0.1},
}


@pytest.mark.parametrize("form", ["hamel", "multipliers"])
@pytest.mark.parametrize("other", ["zdot - x*ydot", "zdot**2 - x**2*xdot**2 - 0.3*ydot**2 - 0.1"], ids=["linear", "nonlinear"])
def test_a_ring_is_not_left_in_long_motions_at_coarse_tolerance(form: str, other: str) -> None:
    system = nh.System(**WORDS, constraints=[other])
    run = nh.simulate(system, system.start, 40.0, form=form, rtol=1e-7)
    assert run.outcome.reached
    assert np.abs(run["x"] ** 2 + run["y"] ** 2 - 1).max() < 1e-14
    assert np.abs(run["x"] * run["xdot"] + run["y"] * run["ydot"]).max() < 1e-12
