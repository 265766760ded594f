"""Geodesics: closed forms of the Heisenberg group, the vakonomic form, conjugate points, planning by collocation."""

from __future__ import annotations

import math

import numpy as np
import pytest

import nonholo as nh

HEISENBERG = nh.System(
    name="Heisenberg group", coordinates="x y z", parameters={"m": 1.3}, lagrangian="m/2*(xdot**2 + ydot**2)",
    constraints=["zdot - x*ydot + y*xdot"],
)  # fmt: skip


@pytest.mark.parametrize("pz", [0.8, -1.7])
def test_geodesics_of_the_heisenberg_group_are_circles_that_lift_by_twice_their_area(pz: float) -> None:
    """The shadow turns at the rate ``2 p_z / m``; the first conjugate time is a full turn."""
    m, px, until = 1.3, 0.9, 6.0
    curve = nh.control.geodesic(HEISENBERG, {}, {"x": px, "z": pz}, until)
    rate, v = 2 * pz / m, px / m
    t = curve.times
    assert np.allclose(curve["x"], v / rate * np.sin(rate * t), atol=1e-8)
    assert np.allclose(np.abs(curve["y"]), np.abs(v / rate * (1 - np.cos(rate * t))), atol=1e-8)
    assert np.allclose(np.abs(curve["z"]), (v / rate) ** 2 * np.abs(rate * t - np.sin(rate * t)), atol=1e-8)
    assert curve.conjugate == pytest.approx(2 * math.pi / abs(rate), rel=1e-6)
    assert curve.speed == pytest.approx(px / math.sqrt(m))


def test_a_distribution_of_ones_own_has_the_vakonomic_motions_as_geodesics() -> None:
    """A rolling penny with unlike inertias: the Hamiltonian flow against `nh.forms.vakonomic` in machine code."""
    penny = nh.System(
        name="penny", coordinates="x y theta psi", parameters={"m": 1.1, "I": 0.3, "J": 0.45, "R": 0.6},
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thetadot**2 + I/2*psidot**2",
        constraints=["xdot - R*cos(theta)*psidot", "ydot - R*sin(theta)*psidot"],
    )  # fmt: skip
    covector = {"x": 0.4, "y": -0.7, "theta": 0.5, "psi": 0.3}
    curve = nh.control.geodesic(penny, {"theta": 0.2}, covector, 2.0)
    state = dict(zip(curve.names, curve.points[0].tolist()))
    state |= dict(zip((f"{c}dot" for c in curve.names), curve.velocity.tolist()))
    state |= {"mu1": float(curve.multipliers[0]), "mu2": float(curve.multipliers[1])}
    run = nh.simulate(nh.forms.vakonomic(penny), state, 2.0, dict(penny.parameters), rtol=1e-11, atol=1e-12)
    for c in curve.names:
        assert run.final[c] == pytest.approx(float(curve[c][-1]), abs=1e-8)


def test_the_shortest_lift_of_the_planner_is_a_geodesic() -> None:
    """Least effort straight up by collocation costs as much as the circle of the Hamiltonian flow."""
    found = nh.steer(HEISENBERG, {}, {"x": 0.0, "y": 0.0, "z": 0.5}, until=1.0)
    radius = math.sqrt(0.25 / math.pi)
    speed, m = 2 * math.pi * radius, 1.3
    curve = nh.control.geodesic(HEISENBERG, {}, {"x": m * speed, "z": m * math.pi}, 1.0)
    assert abs(float(curve["z"][-1])) == pytest.approx(0.5, rel=1e-6)
    assert found.cost == pytest.approx(curve.length**2 / m, rel=1e-3)


def test_a_covector_that_moves_nothing_is_refused() -> None:
    with pytest.raises(nh.StateError, match="moves nothing"):
        nh.control.geodesic(HEISENBERG, {}, {"z": 1.0}, 1.0)
    with pytest.raises(nh.StateError, match="no coordinate is called"):
        nh.control.geodesic(HEISENBERG, {}, {"w": 1.0}, 1.0)
