"""Drag with a root or a power of the speed has a slope at rest although its factors have none; friction with a cusp has none."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import StateError

SHELL = nh.System(
    name="shell in a basket of springs",
    coordinates="x y",
    parameters={"m": 1.2, "c": 0.4, "g": 9.81},
    lagrangian="m*(xdot**2 + ydot**2)/2 - m*g*y - x**2 - 2*y**2",
    forces={"x": "-c*xdot*sqrt(xdot**2 + ydot**2)", "y": "-c*ydot*sqrt(xdot**2 + ydot**2)"},
)
LOW = -1.2 * 9.81 / 4


@pytest.mark.parametrize("force", ["-c*v*Abs(v)**0.3", "-c*v*sqrt(Abs(v))", "-c*v*(v**2)**p", "-c*v**2*atan2(v, 3*v)"])
def test_powers_of_the_speed_have_slope_zero_at_rest(force):
    words = {"parameters": {"c": 0.7, "p": 0.2}, "lagrangian": "xdot**2/2 - 2*x**2", "quasivelocities": {"v": "xdot"}}
    block = nh.System(coordinates="x", forces={"x": force}, **words)
    assert np.array_equal(nh.linearise(block, {"x": 0.0}).A, [[0.0, 1.0], [-4.0, 0.0]])


def test_quadratic_drag_does_not_enter_small_oscillations():
    needed = [1j * np.sqrt(2 / 1.2), 1j * np.sqrt(4 / 1.2)]
    for found in (nh.linearise(SHELL, {"y": LOW}).eigenvalues, nh.stability(SHELL, {"y": LOW}).eigenvalues):
        above = np.sort_complex(found[found.imag > 0])
        assert above == pytest.approx(needed, abs=1e-12)


CUSPS = ["-sign(xdot)*Abs(xdot)**0.5", "-sign(xdot)*Abs(xdot)**0.9", "-sign(xdot)*(xdot**2)**0.1", "-sqrt(Abs(xdot))"]


@pytest.mark.parametrize("force", CUSPS)
def test_a_cusp_is_refused_in_one_sentence(force):
    block = nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2/2", forces={"x": force})
    for question in (nh.linearise, nh.stability):
        with pytest.raises(StateError) as told:
            question(block, {})
        assert str(told.value).count(". ") == 0


def test_coulomb_friction_has_the_slope_that_the_rule_says():
    block = nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2/2", forces={"x": "-sign(xdot) - Abs(xdot)"})
    assert nh.linearise(block, {}).A.tolist() == [[0.0, 1.0], [-1.0, -1.0]]


@pytest.mark.parametrize("method", ["rodas", "hamel", "energy_exact", "dlagrange_dalembert"])
def test_motions_from_rest_begin(method):
    words = {} if method == "rodas" else {"step": 0.01}
    exact = nh.simulate(SHELL, {"x": 0.5}, 1.0, rtol=1e-11, atol=1e-13).final
    found = nh.simulate(SHELL, {"x": 0.5}, 1.0, method=method, **words)
    assert found.outcome.kind == "reached"
    assert found.final["x"] == pytest.approx(exact["x"], abs=3e-5)


def test_sensitivities_from_rest_agree_with_differences():
    run = nh.simulate(SHELL, {"x": 0.5}, 1.0, sensitivity=["c", "x"], rtol=1e-11, atol=1e-13)
    found = run.sensitivity.isel(t=-1).sel(quantity=["x", "y", "xdot", "ydot"]).values

    def end(c, x):
        final = nh.simulate(SHELL, {"x": x}, 1.0, {"c": c}, rtol=1e-13, atol=1e-15).final
        return np.array([final[n] for n in ("x", "y", "xdot", "ydot")])

    step = 3e-5  # its square and the rounding of a motion divided by it are below 1e-8
    by_c, by_x = end(0.4 + step, 0.5) - end(0.4 - step, 0.5), end(0.4, 0.5 + step) - end(0.4, 0.5 - step)
    assert found == pytest.approx(np.stack([by_c, by_x], axis=1) / (2 * step), abs=3e-8)
