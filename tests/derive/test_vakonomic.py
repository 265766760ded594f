"""The variational problem is another one: equal for holonomic constraints, different for nonholonomic ones."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh

PARTICLE = {"coordinates": "x y z", "parameters": "m", "lagrangian": "m/2*(xdot**2 + ydot**2 + zdot**2)"}


def test_holonomic_constraints_make_no_difference():
    rope = nh.System(**PARTICLE, constraints=["x*xdot + y*ydot"], forces={"z": "-2*z"})
    state = {"x": 0.6, "y": 0.8, "z": 0.3, "xdot": 0.8, "ydot": -0.6, "zdot": 0.4}
    mechanical = nh.multipliers(rope).rates(state, {"m": 1.3})
    for start in (0.0, 0.9):
        variational = nh.vakonomic(rope).rates({**state, "mu1": start}, {"m": 1.3})
        assert all(mechanical[n] == pytest.approx(variational[n], abs=1e-12) for n in ("xdot", "ydot", "zdot"))


def test_nonholonomic_constraints_do_and_the_difference_grows_with_the_multiplier():
    """ż = y ẋ: by hand, m ẍ = (λ y), m z̈ = −λ against the vakonomic equation with μ ẏ, μ ẋ in it."""
    particle = nh.System(**PARTICLE, constraints=["zdot - y*xdot"])
    m, mu = 1.3, 0.7
    state = {"x": 0.1, "y": 0.8, "z": 0.3, "xdot": 0.9, "ydot": -0.6, "zdot": 0.72}
    variational = nh.vakonomic(particle).rates({**state, "mu1": mu}, {"m": m})
    # L + μ(ż − y ẋ): y-equation m ÿ = −μ ẋ; x and z: m ẍ − d/dt(μ y) = 0, m z̈ + μ̇ = 0, z̈ = ẏ ẋ + y ẍ
    assert variational["ydot"] == pytest.approx(-mu * 0.9 / m)
    system = np.array([[m, 0, -0.8], [0, m, 1.0], [-0.8, 1.0, 0]])
    side = np.array([mu * -0.6, 0, -0.6 * 0.9])
    ax, _, rate = np.linalg.solve(system, side)
    assert variational["xdot"] == pytest.approx(ax) and variational["mu1"] == pytest.approx(rate)
    assert abs(nh.multipliers(particle).rates(state, {"m": m})["ydot"]) < 1e-14


def test_parametric_velocities_are_refused_with_advice():
    points = nh.System(
        coordinates="x y",
        parameters="m",
        lagrangian="m/2*(xdot**2 + ydot**2)",
        parametric=("u", {"xdot": "u", "ydot": "u**2"}),
    )
    with pytest.raises(nh.ModelError, match="residuals"):
        nh.vakonomic(points)
