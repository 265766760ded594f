"""Inputs of time against closed forms: tables, jumps, functions."""

from __future__ import annotations

import math

import numpy as np
import pytest

from nonholo.compile import compile_equations
from nonholo.errors import StateError
from nonholo.integrate.loops.arguments.piecewise_signals import constant, hold, linear, sampled, signal, spline
from nonholo.integrate.methods import DormandPrince8, RungeKutta4
from nonholo.integrate.motion.integration import advance
from tests.compile import handmade

TIGHT = DormandPrince8(rtol=1e-13, atol=1e-15)
KERNEL = compile_equations(handmade.driven())


def push(source, until=5.0, start=(0.0, 0.0), kind=TIGHT, k=1.0, t0=0.0, **options):
    return advance(KERNEL, kind, t0, start, until, (k,), (source,), **options)


def test_constant_push_moves_the_centre():
    path = push(0.7)
    np.testing.assert_allclose(path.final_state, [0.7 * (1 - math.cos(5)), 0.7 * math.sin(5)], rtol=0, atol=1e-12)


def steps_exact(time, jumps, values):
    """Superposition of switched-on constants: x = Σ (jump height) (1 − cos(t − t_i))."""
    heights = np.diff([0.0, *values])
    return sum(h * (1 - math.cos(time - a)) for a, h in zip(jumps, heights) if time > a)


def test_held_table_is_exact_across_its_jumps_in_both_directions():
    jumps, values = (0.0, 1.3, 2.1, 4.0), (1.0, -2.0, 0.5, 3.0)
    table = hold(jumps, values)
    path = push(table)
    assert path.final_state[0] == pytest.approx(steps_exact(5.0, jumps, values), abs=1e-12)
    back = push(table, until=0.0, start=path.final_state, t0=5.0)
    np.testing.assert_allclose(back.final_state, (0, 0), rtol=0, atol=3e-12)


def test_jump_costs_rk4_none_of_its_order():
    jump = 1.2345
    exact = (1 - math.cos(5) - 2 * (1 - math.cos(5 - jump)), math.sin(5) - 2 * math.sin(5 - jump))
    errors = []
    for h in (0.02, 0.01, 0.005):
        path = push(hold((0.0, jump), (1.0, -1.0)), kind=RungeKutta4(step=h))
        errors.append(np.linalg.norm(path.final_state - exact))
    assert math.log2(errors[0] / errors[2]) / 2 == pytest.approx(4, abs=0.1)


def test_linear_table_is_exact_across_its_kinks():
    """A ramp from a to b and rest: x is a superposition of ramps, t − sin t each."""
    path = push(linear((0, 1, 3), (0, 2, 2)), until=5)
    exact = 2 * (5 - math.sin(5)) - 2 * (4 - math.sin(4))
    assert path.final_state[0] == pytest.approx(exact, abs=1e-12)


def test_outside_a_table_its_ends_hold():
    table = linear((1, 2), (3, 5))
    assert (table(0), table(1.5), table(9)) == (3, 4, 5)
    path = push(table, until=0.9)
    assert path.final_state[0] == pytest.approx(3 * (1 - math.cos(0.9)), abs=1e-13)


def test_spline_reproduces_a_cubic():
    times = np.array([0, 0.7, 1.1, 2.0, 3.5, 5.0])
    cubic = np.polynomial.Polynomial([0.3, -1.0, 0.4, 0.05])
    smooth = spline(times, cubic(times))
    for s in (0.0, 0.5, 1.0, 3.333, 5.0):
        assert smooth(s) == pytest.approx(cubic(s), abs=1e-14)
    # x'' + x = c(t) is solved by p with p + p'' = c, here p = c − c'' and the free motion from −p(0), −p'(0)
    particular = cubic - cubic.deriv(2)
    exact = particular(5) - particular(0) * math.cos(5) - particular.deriv()(0) * math.sin(5)
    assert push(smooth).final_state[0] == pytest.approx(exact, abs=1e-12)


def test_python_function_of_time_is_followed_to_rounding():
    """Resonance: x'' + x = cos t gives x = t sin(t) / 2."""
    path = push(math.cos, until=20)
    assert path.final_state[0] == pytest.approx(10 * math.sin(20), abs=1e-11)


def test_python_function_with_jumps_is_cut_at_them():
    jump = math.pi / 2

    def switch(time):
        return 1.0 if time < jump else -0.5

    found = sampled(switch, 0, 5)
    assert np.all(np.abs(found.breaks - jump) < 1e-14)
    path = push(switch)
    assert path.final_state[0] == pytest.approx(steps_exact(5.0, (0, jump), (1.0, -0.5)), abs=1e-12)
    assert path.rejected <= 2


def test_sampled_function_agrees_everywhere():
    def wild(time):
        return math.exp(-time) * math.sin(20 * time) + abs(time - 1.234567)

    found = sampled(wild, -1, 4)
    times = np.random.default_rng(3).uniform(-1, 4, 2000)
    assert max(abs(found(s) - wild(s)) for s in times) < 1e-13


def test_inputs_are_recognised():
    assert signal(3, 0, 1)(0.2) == 3
    assert signal(([0, 1], [1, 3]), 0, 1)(0.5) == 2
    kept = constant(1)
    assert signal(kept, 0, 1) is kept
    with pytest.raises(StateError, match="a number, a pair"):
        signal("fast", 0, 1)
    with pytest.raises(StateError, match="increase"):
        linear([0, 0], [1, 2])
    with pytest.raises(StateError, match="not finite at t ="):
        sampled(lambda s: math.inf if s > 0.5 else 0.0, 0, 1)
    with pytest.raises(StateError, match=r"0 inputs given where 1 are needed \(u\)"):
        advance(KERNEL, TIGHT, 0, (0, 0), 1, (1.0,))


def test_output_at_a_break_is_the_state_there():
    path = push(hold((0, 2.0), (1.0, -1.0)), t_eval=[0.0, 1.0, 2.0, 3.0])
    exact = [steps_exact(s, (0, 2.0), (1.0, -1.0)) for s in (0, 1, 2, 3)]
    np.testing.assert_allclose(path.states[:, 0], exact, rtol=0, atol=1e-13)
