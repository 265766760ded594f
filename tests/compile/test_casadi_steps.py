"""Discrete steps for CasADi: against the model's own integrator."""

from __future__ import annotations

import casadi as ca
import numpy as np
import pytest

import nonholo as nh

CART = nh.System(
    name="cart with pendulum", coordinates="x th", parameters="M m l",
    lagrangian="(M + m)/2*xdot**2 + m*l*xdot*thdot*cos(th) + m*l**2/2*thdot**2 - m*9.81*l*cos(th)",
    forces={"x": "u*cos(t)"}, inputs="u",
)  # fmt: skip
VALUES = {"M": 1.3, "m": 0.4, "l": 0.7}
START, U, H = [0.1, 0.4, -0.2, 0.9], 1.7, 0.05


def true_step() -> np.ndarray:
    model = nh.prepare(CART, VALUES)
    state = {**dict(zip(model.names, START)), "t": 0.3}
    run = nh.simulate(CART, state, 0.3 + H, VALUES, inputs={"u": U}, rtol=1e-13, atol=1e-15)
    return np.array([run.final[n] for n in model.names])


def test_runge_kutta_step_has_order_four() -> None:
    gaps = []
    for substeps in (2, 4):
        step = nh.export(CART, "casadi", discrete="rk4", order=substeps)
        found = np.array(step(0.3, START, U, list(VALUES.values()), H)).ravel()
        gaps.append(np.max(np.abs(found - true_step())))
    assert gaps[0] < 1e-6
    assert gaps[0] / gaps[1] == pytest.approx(16, rel=0.3)


def test_collocation_step_solved_is_the_motion() -> None:
    step = nh.export(CART, "casadi", discrete="collocation", order=4)
    unknown = ca.SX.sym("X", 4, 4)
    residual, after = step(0.3, START, unknown, U, list(VALUES.values()), H)
    solve = ca.rootfinder("solve", "newton", {"x": ca.vec(unknown), "g": ca.vec(residual)}, {"abstol": 1e-13})
    inner = solve(np.tile(START, 4), [])
    end = ca.Function("end", [ca.vec(unknown)], [after])(inner)
    assert np.array(end).ravel() == pytest.approx(true_step(), abs=1e-8)


def test_wrong_steps_are_refused() -> None:
    for words in (
        {"to": "numpy", "discrete": "rk4"}, {"to": "casadi", "discrete": "euler"},
        {"to": "casadi", "discrete": "rk4", "order": 0},
    ):  # fmt: skip
        with pytest.raises(nh.ModelError, match="export:"):
            nh.export(CART, **words)
