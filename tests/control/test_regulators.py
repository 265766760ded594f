"""Regulators against python-control, against their own definition, and on the true system."""

from __future__ import annotations

import control
import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

import nonholo as nh
from nonholo.control.feedback.riccati import uncontrollable_modes

CART = nh.System(
    name="cart with pendulum", coordinates="x th", parameters={"M": 1.3, "m": 0.4, "l": 0.7},
    lagrangian="(M + m)/2*xdot**2 + m*l*xdot*thdot*cos(th) + m*l**2/2*thdot**2 - m*9.81*l*cos(th)",
    forces={"x": "u"}, inputs="u",
)  # fmt: skip
Q, R = {"x": 1.0, "th": 4.0, "thdot": 0.5}, 0.3


def upright() -> nh.Linearisation:
    return nh.linearise(CART, {"x": 0.0, "th": 0.0})


def test_gain_is_that_of_python_control() -> None:
    lin = upright()
    K, P, poles = control.lqr(lin.A, lin.B, np.diag([Q.get(n, 0.0) for n in lin.names]), [[R]])
    found = nh.lqr(lin, Q, R)
    assert np.allclose(found.K, K, rtol=1e-9)
    assert np.allclose(found.P, P, rtol=1e-9)
    assert np.allclose(np.sort_complex(found.eigenvalues), np.sort_complex(poles), rtol=1e-9)


def test_sampled_gain_is_that_of_python_control() -> None:
    lin = upright()
    held = control.c2d(control.ss(lin.A, lin.B, lin.C, lin.D), 0.05)
    K, _, poles = control.dlqr(held.A, held.B, np.diag([Q.get(n, 0.0) for n in lin.names]), [[R]])
    found = nh.lqr(lin, Q, R, every=0.05)
    assert np.allclose(found.K, K, rtol=1e-8)
    assert np.allclose(np.sort_complex(found.eigenvalues), np.sort_complex(poles), rtol=1e-7)


@pytest.mark.parametrize("every", [None, 0.05])
def test_regulated_pendulum_returns_upright(every: float | None) -> None:
    run = nh.simulate(CART, {"x": 0.2, "th": 0.25}, 12.0, inputs=nh.lqr(upright(), Q, R, every=every).inputs)
    assert max(abs(run.final["x"]), abs(run.final["th"])) < 1e-3


def test_feedback_laws_close_the_loop_of_the_linearisation() -> None:
    lin = nh.linearise(CART, {"x": 0.1, "th": 0.0})
    K = np.array([[-0.7, 41.0, -2.2, 9.5]])
    closed = nh.linearise(CART, {"x": 0.1, "th": 0.0}, inputs=lin.feedback(K))
    assert closed.inputs == ()
    assert np.allclose(closed.A, lin.A - lin.B @ K, atol=1e-12)


def test_regulator_along_a_run_minimises_the_quadratic_cost() -> None:
    """The cost of the closed loop from y is yᵀP(0)y, and the same input with any wave added to it costs more."""
    times = np.linspace(0.0, 0.8, 129)
    run = nh.simulate(CART, {"th": 0.4, "xdot": 0.3}, 0.8, inputs={"u": "2*sin(3*t)"}, t_eval=times)
    lin, end = nh.linearise(CART, run), np.diag([2.0, 1.0, 3.0, 0.5])
    found = nh.lqr(lin, 1.0, 0.5, final=end)
    A, B, K = (CubicSpline(times, e) for e in (lin.A, lin.B, found.K))
    y0 = np.array([0.3, -0.2, 0.1, 0.4])

    def cost(wave: float, size: float) -> float:
        def rate(t: float, z: np.ndarray) -> np.ndarray:
            u = -K(t) @ z[:4] + size * np.sin(wave * t + 0.3)  # z[:4] is optimal, z[4:8] is what the wave does
            optimal = A(t) @ z[:4] - B(t) @ (K(t) @ z[:4])
            return np.concatenate([optimal, A(t) @ z[4:8] + B(t) @ u, [z[4:8] @ z[4:8] + 0.5 * u @ u]])

        z = solve_ivp(rate, (0.0, 0.8), np.concatenate([y0, y0, [0.0]]), rtol=1e-9, atol=1e-11).y[:, -1]
        return float(z[8] + z[4:8] @ end @ z[4:8])

    best = y0 @ found.P[0] @ y0
    assert cost(1.0, 0.0) == pytest.approx(best, rel=1e-6)
    for wave in (0.0, 2.0, 5.0, 11.0):
        more, less = cost(wave, 0.05), cost(wave, -0.05)
        assert min(more, less) > best
        assert abs(more - less) < 1e-3 * (more + less - 2 * best) + 1e-7 * best  # no slope there: a minimum in this direction


def test_stuck_mode_is_named() -> None:
    two = nh.System(coordinates="p q", lagrangian="(pdot**2 + qdot**2 + 4*q**2)/2", forces={"p": "u"}, inputs="u")
    with pytest.raises(nh.ModelError, match="do not reach the mode 2"):
        nh.lqr(nh.linearise(two, {"p": 0, "q": 0}))
    lin = upright()
    assert uncontrollable_modes(lin.A, lin.B) == ()


@pytest.mark.parametrize("bad", [{"Q": {"y": 1.0}}, {"Q": np.eye(3)}, {"R": -1.0}, {"R": 0.0}, {"Q": -1.0}])
def test_bad_weights_are_refused_with_a_reason(bad: dict[str, object]) -> None:
    with pytest.raises(nh.ModelError, match=r"lqr: [QR] "):
        nh.lqr(upright(), **bad)
