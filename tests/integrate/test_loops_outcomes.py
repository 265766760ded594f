"""How motions end: singularities, NaN, singular masses, guards, interruptions."""

from __future__ import annotations

import math

import numpy as np
import pytest
import symengine as se

from nonholo.compile import compile_equations
from nonholo.integrate.methods import DormandPrince8, RungeKutta4
from nonholo.integrate.motion.integration import advance
from tests.compile import handmade

q, v, x, t = se.symbols("q v x t")
DOP = DormandPrince8()


def test_blow_up_is_a_singularity_at_its_time():
    for start in (0.7, 3.1):
        path = advance(compile_equations(handmade.first_order(x**2)), DOP, 0, (start,), 10)
        assert path.outcome.kind == "step too small"
        assert path.outcome.time == pytest.approx(1 / start, rel=1e-9)
        assert "singular" in str(path.outcome)


def test_what_was_asked_before_a_singularity_is_returned():
    times = np.linspace(0, 10, 101)
    path = advance(compile_equations(handmade.first_order(x**2)), DOP, 0, (0.7,), 10, t_eval=times)
    assert len(path.times) == 15
    np.testing.assert_allclose(path.states[:, 0], 0.7 / (1 - 0.7 * times[:15]), rtol=1e-7)


def test_leaving_the_domain_of_a_root_is_not_finite():
    """ẋ = −√x/x … reaches x = 0 at t = 2/3 x0^{3/2}, and has no value beyond."""
    path = advance(compile_equations(handmade.first_order(-1 / se.sqrt(x))), DOP, 0, (1.2,), 5)
    assert path.outcome.kind in ("not finite", "step too small")
    assert path.outcome.time == pytest.approx(2 / 3 * 1.2**1.5, rel=1e-6)


@pytest.mark.parametrize("kind", [DOP, RungeKutta4(step=0.1)])
def test_nan_at_the_start_is_reported_at_the_start(kind):
    for start, rate in ((float("nan"), x), (-1.0, se.log(x)), (float("inf"), x)):
        path = advance(compile_equations(handmade.first_order(rate)), kind, 0.5, (start,), 5)
        assert path.outcome.kind == "not finite"
        assert path.outcome.time == 0.5


def test_constant_steps_stop_at_the_first_state_that_is_not_finite():
    path = advance(compile_equations(handmade.first_order(x**3)), RungeKutta4(step=0.1), 0, (2.0,), 100)
    assert path.outcome.kind == "not finite"
    assert np.all(np.isfinite(path.final_state))


@pytest.mark.parametrize("kind", [DOP, RungeKutta4(step=0.01)])
def test_mass_singular_at_the_start(kind):
    path = advance(compile_equations(handmade.with_mass(q, se.Integer(1))), kind, 0, (0.0, 1.0), 5)
    assert path.outcome.kind == "mass matrix singular"
    assert path.outcome.time == 0


def test_mass_that_vanishes_on_the_way_is_found_where_it_vanishes():
    """A mass 1 − t with force −1 − (1 − t) q̈ … : v = v0 + ln(1 − t) diverges where the mass ends."""
    path = advance(compile_equations(handmade.with_mass(1 - t, -1 + 0 * q)), DOP, 0, (0.0, 1.0), 5)
    assert path.outcome.kind in ("mass matrix singular", "step too small")
    assert path.outcome.time == pytest.approx(1.0, abs=1e-6)


def singular_pair():
    """Two speeds whose masses become dependent at q = 1, where the forces are consistent: only the matrix tells."""
    a, b, c, d = se.symbols("a b c d")
    one = se.Integer(1)
    return handmade.Equations(
        name="pair", origin="by hand", coordinates=(a, b), speeds=(c, d), kinematics=(c, d),
        mass=((one, a), (a, one)), force=(one, one), energy=one, time=t,
    )  # fmt: skip


def test_pivot_ratio_is_one_minus_coupling_squared():
    kernel = compile_equations(singular_pair())
    path = advance(kernel, DOP, 0, (0.6, 0, 0, 0), 0)
    assert path.pivot == pytest.approx(1 - 0.6**2, rel=1e-14)
    path = advance(kernel, DOP, 0, (1.0, 0, 0, 0), 1)
    assert path.outcome.kind == "mass matrix singular"


def test_guard_on_the_mass_matrix_stops_before_it_degenerates_and_the_motion_can_go_on():
    kernel = compile_equations(singular_pair())
    path = advance(kernel, DOP, 0, (0.1, 0, 0.5, 0), 5, pivot_threshold=0.5)
    assert path.outcome.kind == "frame degenerates"
    assert path.pivot < 0.5
    assert 1 - path.final_state[0] ** 2 == pytest.approx(path.pivot, rel=1e-12)
    go = advance(kernel, DOP, path.final_time, path.final_state, path.final_time + 1e-3)
    assert go.outcome.reached


def test_guard_on_conditions_stops_at_the_first_step_below_the_threshold():
    equations = handmade.pendulum()
    theta = equations.coordinates[0]
    kernel = compile_equations(equations, conditions=[se.cos(theta), 10 + theta])
    run = {"y0": (0.1, 3.0), "t1": 5, "parameters": (9.7, 1.3), "condition_thresholds": (0.5, 0.0)}
    path = advance(kernel, RungeKutta4(step=0.01), 0, **run)
    assert path.outcome.kind == "frame degenerates"
    steps = advance(compile_equations(equations), RungeKutta4(step=0.01), 0, (0.1, 3.0), 5, (9.7, 1.3), record=True)
    first = np.argmax(np.cos(steps.states[:, 0]) < 0.5)
    assert path.final_time == steps.times[first]
    assert np.array_equal(path.final_state, steps.states[first])


def test_too_many_steps_says_how_to_go_on():
    path = advance(
        compile_equations(handmade.pendulum()), DormandPrince8(max_steps=7), 0, (2.1, 0), 1000, (9.7, 1.3)
    )
    assert path.outcome.kind == "too many steps"
    assert path.accepted + path.rejected == 7
    assert "max_steps" in str(path.outcome)


def test_stopping_between_chunks_keeps_what_was_computed():
    kernel = compile_equations(handmade.pendulum())
    seen = []

    def watcher(time, steps):
        seen.append((time, steps))
        return len(seen) < 3

    path = advance(kernel, DOP, 0, (2.1, 0), 50, (9.7, 1.3), record=True, on_chunk=watcher, chunk=10)
    assert path.outcome.kind == "interrupted"
    assert len(seen) == 3
    assert path.final_time == seen[-1][0]
    rest = advance(kernel, DOP, 0, (2.1, 0), 50, (9.7, 1.3), record=True)
    assert np.array_equal(path.states, rest.states[: len(path.states)])


def test_ctrl_c_returns_what_was_computed():
    def press(time, steps):
        raise KeyboardInterrupt

    path = advance(compile_equations(handmade.pendulum()), DOP, 0, (2.1, 0), 50, (9.7, 1.3), on_chunk=press, chunk=5)
    assert path.outcome.kind == "interrupted"
    assert 0 < path.final_time < 50


def test_wild_parameters_end_in_an_outcome():
    kernel = compile_equations(handmade.pendulum())
    for g, l in ((1e300, 1.0), (float("nan"), 1.0), (float("inf"), 1.0), (9.7, 0.0), (9.7, 1e-200), (-9.7, 1.0)):
        path = advance(kernel, DormandPrince8(max_steps=10_000), 0, (2.1, 0), 1, (g, l))
        assert path.outcome.kind
        assert path.outcome.reached == (math.isfinite(g) and abs(g) < 100 and l == 1.0)


def test_a_motion_of_no_duration_is_its_start():
    path = advance(compile_equations(handmade.pendulum()), DOP, 2, (2.1, 0), 2, (9.7, 1.3), t_eval=[2.0])
    assert path.outcome.reached
    assert path.states.tolist() == [[2.1, 0.0]]
