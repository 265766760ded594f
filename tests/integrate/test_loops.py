"""Compiled loops against closed forms: orders, dense output, direction of time, chunks, reuse of machine code."""

from __future__ import annotations

import math
import pickle

import numpy as np
import pytest
import symengine as se
from scipy.integrate import quad
from scipy.special import ellipj, ellipk

from nonholo.compile import compile_equations
from nonholo.errors import StateError
from nonholo.integrate.loops.compilation import native
from nonholo.integrate.methods import DormandPrince8, RungeKutta4, method, names
from nonholo.integrate.motion.integration import advance
from tests.compile import handmade
from tests.compile.handmade import SLEIGH_PARAMETERS, SLEIGH_START, sleigh_speeds

SLEIGH = compile_equations(handmade.sleigh())
PENDULUM = compile_equations(handmade.pendulum())
G, L = 9.7, 1.3
TIGHT = DormandPrince8(rtol=1e-13, atol=1e-15)


def swing(time, top=2.1):
    """A pendulum let go at angle ``top``: sin(θ/2) = k cd(√(g/l) t, k), θ̇ = −2 √(g/l) k k' sd."""
    k = math.sin(top / 2)
    sn, cn, dn, _ = ellipj(math.sqrt(G / L) * np.asarray(time), k * k)
    theta = 2 * np.arcsin(k * cn / dn)
    return theta, -2 * math.sqrt(G / L) * k * math.sqrt(1 - k * k) * sn / dn


def slope(steps, errors):
    """Measured order: the slope of log error against log step."""
    return np.polyfit(np.log(steps), np.log(errors), 1)[0]


def test_sleigh_follows_sech_and_tanh():
    times = np.linspace(0, 9, 41)
    path = advance(SLEIGH, TIGHT, 0, SLEIGH_START, 9, SLEIGH_PARAMETERS, t_eval=times)
    omega, v = sleigh_speeds(times)
    assert path.outcome.reached
    np.testing.assert_allclose(path.states[:, 3], omega, rtol=0, atol=2e-13)
    np.testing.assert_allclose(path.states[:, 4], v, rtol=0, atol=2e-13)
    heading = [SLEIGH_START[0] + quad(lambda s: sleigh_speeds(s)[0], 0, t, epsabs=1e-13)[0] for t in times]
    np.testing.assert_allclose(path.states[:, 0], heading, rtol=0, atol=1e-12)


def test_sleigh_turns_in_total_by_pi_sqrt_1_plus_inertia_over_m_a_squared():
    m, J, a = SLEIGH_PARAMETERS
    start = (0.0, 0.0, 0.0, 1e-9, -1.1)
    path = advance(SLEIGH, TIGHT, 0, start, 200, SLEIGH_PARAMETERS)
    # two tails of order ω(0)/κ are missing
    assert path.final_state[0] == pytest.approx(math.pi * math.sqrt(1 + J / (m * a * a)), abs=1e-7)


def test_pendulum_follows_jacobis_functions():
    times = np.linspace(0, 7.7, 60)
    path = advance(PENDULUM, TIGHT, 0, (2.1, 0), times[-1], (G, L), t_eval=times)
    theta, omega = swing(times)
    np.testing.assert_allclose(path.states[:, 0], theta, rtol=0, atol=3e-12)
    np.testing.assert_allclose(path.states[:, 1], omega, rtol=0, atol=1e-11)


def test_pendulum_returns_after_its_period():
    period = 4 * math.sqrt(L / G) * ellipk(math.sin(1.05) ** 2)
    path = advance(PENDULUM, TIGHT, 0, (2.1, 0), period, (G, L))
    np.testing.assert_allclose(path.final_state, (2.1, 0), rtol=0, atol=2e-12)


def fixed(h):
    """DOP853 made to take constant steps: no error is ever too large."""
    return DormandPrince8(rtol=1e9, atol=1e9, first_step=h, max_step=h)


@pytest.mark.parametrize(
    ("kind", "order", "counts", "margin"),
    [(lambda h: RungeKutta4(step=h), RungeKutta4.order, (96, 192, 384), 0.1), (fixed, 8, (18, 24, 30, 36), 0.3)],
)
def test_error_shrinks_with_the_declared_order(kind, order, counts, margin):
    times = np.linspace(0, 1.5, 7)  # all of them ends of steps
    exact = np.stack(swing(times), axis=1)
    errors = []
    for n in counts:
        path = advance(PENDULUM, kind(1.5 / n), 0, (2.1, 0), 1.5, (G, L), record=True)
        assert len(path.times) == n + 1
        errors.append(np.max(np.abs(path.states[:: n // 6] - exact)))
    assert slope([1.5 / n for n in counts], errors) == pytest.approx(order, abs=margin)


@pytest.mark.parametrize(
    ("kind", "order", "counts"), [(fixed, 7, (10, 14, 20, 28)), (lambda h: RungeKutta4(step=h), 3, (40, 80, 160))]
)
def test_dense_output_within_a_step_has_its_declared_order(kind, order, counts):
    """One step: the error of a polynomial extension of order p within it is of order p + 1."""
    errors, steps = [], [1.5 / n for n in counts]
    for h in steps:
        times = np.linspace(0, h, 12)[1:-1]
        path = advance(PENDULUM, kind(h), 0, (2.1, 0.4), h, (G, L), t_eval=times)
        near = advance(PENDULUM, TIGHT, 0, (2.1, 0.4), h, (G, L), t_eval=times)
        assert path.accepted == 1
        errors.append(np.max(np.abs(path.states - near.states)))
    assert slope(steps, errors) == pytest.approx(order + 1, abs=0.5)


def test_error_follows_the_tolerance():
    errors = []
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10, 1e-12):
        run = advance(PENDULUM, DormandPrince8(rtol=tolerance, atol=tolerance), 0, (2.1, 0), 10, (G, L))
        errors.append(abs(run.final_state[0] - swing(10)[0]))
        assert errors[-1] < 100 * tolerance
    assert errors[-1] < 1e-6 * errors[0]


@pytest.mark.parametrize("kind", [TIGHT, RungeKutta4(step=0.0007)])
def test_backward_motion_returns_to_the_start(kind):
    there = advance(SLEIGH, kind, 1.0, SLEIGH_START, 6.0, SLEIGH_PARAMETERS)
    back = advance(SLEIGH, kind, 6.0, there.final_state, 1.0, SLEIGH_PARAMETERS)
    assert back.final_time == 1.0
    np.testing.assert_allclose(back.final_state, SLEIGH_START, rtol=0, atol=1e-11)


def test_dense_output_backward_matches_the_closed_form():
    times = np.linspace(2, -3, 23)
    omega, v = sleigh_speeds(times)
    start = np.array([0, 0, 0, *(float(s) for s in sleigh_speeds(2.0))])
    path = advance(SLEIGH, TIGHT, 2, start, -3, SLEIGH_PARAMETERS, t_eval=times)
    np.testing.assert_allclose(path.states[:, 3:], np.stack([omega, v], axis=1), rtol=0, atol=1e-12)
    assert np.array_equal(path.states[0], start)
    assert np.array_equal(path.states[-1], path.final_state)


def test_explicit_time_is_followed():
    t, x = se.symbols("t x")
    kernel = compile_equations(handmade.first_order(x * se.cos(t) + 2 * t * se.exp(se.sin(t))))
    path = advance(kernel, TIGHT, 0.5, (1.0,), 6.0)
    exact = (1.0 * math.exp(-math.sin(0.5)) + 6.0**2 - 0.5**2) * math.exp(math.sin(6.0))
    assert path.final_state[0] == pytest.approx(exact, rel=1e-12)


@pytest.mark.parametrize("kind", [DormandPrince8(), RungeKutta4(step=0.01)])
def test_chunks_do_not_change_a_bit(kind):
    times = np.linspace(0, 30, 77)
    whole = advance(SLEIGH, kind, 0, SLEIGH_START, 30, SLEIGH_PARAMETERS, t_eval=times)
    for chunk in (1, 7, 100):
        cut = advance(SLEIGH, kind, 0, SLEIGH_START, 30, SLEIGH_PARAMETERS, t_eval=times, chunk=chunk)
        assert np.array_equal(cut.states, whole.states)
        assert np.array_equal(cut.final_state, whole.final_state)
        assert (cut.accepted, cut.rejected, cut.calls) == (whole.accepted, whole.rejected, whole.calls)


def test_every_step_is_recorded_on_request_and_memory_stays_flat_otherwise():
    kind = RungeKutta4(step=0.001)
    steps = advance(PENDULUM, kind, 0, (2.1, 0), 2, (G, L), record=True)
    assert len(steps.times) == 2001
    assert steps.times[0] == 0
    assert steps.times[-1] == 2
    np.testing.assert_allclose(steps.times, np.arange(2001) * 0.001, rtol=1e-15)
    np.testing.assert_allclose(steps.states[:, 0], swing(steps.times)[0], rtol=0, atol=1e-9)
    end = advance(PENDULUM, kind, 0, (2.1, 0), 2, (G, L))
    assert end.states.shape == (1, 2)
    assert np.array_equal(end.final_state, steps.final_state)


def test_constant_steps_do_not_gather_rounding_in_time():
    x = se.Symbol("x")
    path = advance(compile_equations(handmade.first_order(0 * x)), RungeKutta4(step=0.1), 0, (1.0,), 1e5, record=True)
    assert path.accepted == 1_000_000
    assert np.array_equal(path.times[:-1], np.arange(1_000_000) * 0.1)


def test_output_times_at_steps_and_twice_are_allowed():
    times = [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]
    path = advance(PENDULUM, RungeKutta4(step=0.25), 0, (2.1, 0), 1, (G, L), t_eval=times)
    assert np.array_equal(path.states[0], path.states[1])
    assert np.array_equal(path.states[4], path.states[5])
    assert np.array_equal(path.states[5], path.final_state)


def test_a_second_model_and_a_second_run_compile_nothing():
    for kind in (DormandPrince8(), RungeKutta4(step=0.01)):
        advance(PENDULUM, kind, 0, (2.1, 0), 1, (G, L), t_eval=[0.3])
        advance(compile_equations(handmade.free_body()), kind, 0, (1, 0, 0, 0, 0.1, 2, 0.2), 1, (1, 2, 3), record=True)
        loaded = set(native._LOADED)
        assert {"loop", kind.loop.name} <= loaded
        advance(compile_equations(handmade.sleigh()), kind, 0, SLEIGH_START, 1, SLEIGH_PARAMETERS)
        assert set(native._LOADED) == loaded  # one loop for all methods and models


def test_right_hand_side_count_is_the_number_of_calls():
    path = advance(PENDULUM, RungeKutta4(step=0.125), 0, (2.1, 0), 1, (G, L))
    assert path.calls == 1 + 4 * 8
    path = advance(PENDULUM, fixed(0.125), 0, (2.1, 0), 1, (G, L))
    assert path.calls == 1 + 12 * 8


def test_methods_are_found_by_name_and_refuse_nonsense():
    assert {"dop853", "rk4"} <= set(names())
    assert method("rk4", step=0.1) == RungeKutta4(0.1)
    assert method(TIGHT) is TIGHT
    assert pickle.loads(pickle.dumps(TIGHT)) == TIGHT
    with pytest.raises(StateError, match=r"'euler' is not known; choose one of .*dop853"):
        method("euler")
    with pytest.raises(StateError, match="has no option 'tol'; did you mean 'rtol'"):
        method("dop853", tol=1e-3)
    with pytest.raises(StateError, match="rtol = -1"):
        DormandPrince8(rtol=-1)
    with pytest.raises(StateError, match="step = nan"):
        RungeKutta4(step=float("nan"))


def test_wrong_numbers_are_refused_with_names():
    with pytest.raises(StateError, match="5 numbers are needed: theta, x, y, omega, v"):
        advance(SLEIGH, TIGHT, 0, (1, 2), 1, SLEIGH_PARAMETERS)
    with pytest.raises(StateError, match="3 numbers are needed: m, J, a"):
        advance(SLEIGH, TIGHT, 0, SLEIGH_START, 1, ())
    with pytest.raises(StateError, match="must be finite"):
        advance(SLEIGH, TIGHT, 0, SLEIGH_START, float("inf"), SLEIGH_PARAMETERS)
    with pytest.raises(StateError, match="without turning back"):
        advance(SLEIGH, TIGHT, 0, SLEIGH_START, 1, SLEIGH_PARAMETERS, t_eval=[0.5, 0.2])
    with pytest.raises(StateError, match="leave out those outside"):
        advance(SLEIGH, TIGHT, 0, SLEIGH_START, 1, SLEIGH_PARAMETERS, t_eval=[0.5, 1.2])
