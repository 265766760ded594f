"""Many motions at once: the bits of single motions, failures that stay alone, interruption."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from nonholo.compile import compile_equations
from nonholo.errors import StateError
from nonholo.integrate.many.member_blocks import advance_many
from nonholo.integrate.methods import DormandPrince8, RungeKutta4
from nonholo.integrate.motion.integration import Event, advance
from tests.compile import handmade

RNG = np.random.default_rng(5)
PENDULUM = compile_equations(handmade.pendulum())
DOP = DormandPrince8()


def starts(count):
    return np.stack([RNG.uniform(-3, 3, count), RNG.uniform(-2, 2, count)], axis=1)


@pytest.mark.parametrize("threads", [1, 2, 5])
@pytest.mark.parametrize("kind", [DOP, RungeKutta4(step=0.02)])
def test_every_member_has_the_bits_of_its_single_motion(kind, threads):
    first, parameters = starts(37), RNG.uniform(0.5, 9, (37, 2))
    times = np.linspace(0, 4, 9)
    theta = PENDULUM.equations.coordinates[0]
    many = advance_many(PENDULUM, kind, 0, first, 4, parameters, t_eval=times, events=[Event(theta)], threads=threads)
    for k in range(37):
        one = advance(PENDULUM, kind, 0, first[k], 4, parameters[k], t_eval=times, events=[Event(theta)])
        assert np.array_equal(many.states[k], one.states)
        assert np.array_equal(many.final_states[k], one.final_state)
        assert np.array_equal(many.occurrences[k].times, one.occurrences.times)
        assert np.array_equal(many.occurrences[k].states, one.occurrences.states)
        assert (many.accepted[k], many.rejected[k], many.calls[k]) == (one.accepted, one.rejected, one.calls)
        assert many.outcome(k) == one.outcome


def test_one_set_of_parameters_serves_all():
    first = starts(5)
    many = advance_many(PENDULUM, DOP, 0, first, 1, (9.7, 1.3))
    assert np.array_equal(many.final_states[3], advance(PENDULUM, DOP, 0, first[3], 1, (9.7, 1.3)).final_state)


def test_a_member_that_fails_leaves_the_others_alone():
    """ẋ = x² blows up at 1/x0; negative starts never do."""
    x = se.Symbol("x")
    kernel = compile_equations(handmade.first_order(x**2))
    first = np.array([[-1.0], [0.7], [float("nan")], [-0.5], [5.0]])
    times = np.linspace(0, 10, 11)
    many = advance_many(kernel, DOP, 0, first, 10, t_eval=times, threads=2)
    assert [many.outcome(k).kind for k in range(5)] == [
        "reached", "step too small", "not finite", "reached", "step too small"
    ]  # fmt: skip
    np.testing.assert_allclose(many.states[0, :, 0], -1 / (1 + times), rtol=1e-7)
    np.testing.assert_allclose(many.states[3, :, 0], -0.5 / (1 + 0.5 * times), rtol=1e-7)
    assert many.final_times[1] == pytest.approx(1 / 0.7, rel=1e-9)
    assert np.isfinite(many.states[1, :2]).all() and np.isnan(many.states[1, 2:]).all()


def test_events_of_all_members_fit_however_many_there_are():
    first = np.array([[1.0, 0.0], [0.01, 0.0]])
    kernel = compile_equations(handmade.driven())
    x = kernel.equations.coordinates[0]
    many = advance_many(kernel, DOP, 0, first, 400, np.array([[100.0], [0.01]]), (0.0,), events=[Event(x)])
    assert [len(o.times) for o in many.occurrences] == [1273, 13]
    np.testing.assert_allclose(many.occurrences[1].times, 10 * np.pi * (np.arange(13) + 0.5), rtol=1e-8)


def test_members_can_be_left_out():
    first = starts(4)
    many = advance_many(PENDULUM, DOP, 0, first, 1, (9.7, 1.3), skip=[False, True, False, False])
    assert np.isnan(many.final_states[1]).all()
    assert np.isfinite(many.final_states[[0, 2, 3]]).all()


def test_interruption_keeps_what_is_done():
    seen = []

    def watcher(done):
        seen.append(done)
        return len(seen) < 2

    many = advance_many(PENDULUM, DOP, 0, starts(200), 5000, (9.7, 1.3), threads=1, on_block=watcher)
    kinds = [many.outcome(k).kind for k in range(200)]
    assert set(kinds) == {"reached", "interrupted"}
    assert kinds.count("reached") >= seen[-1]


def test_starts_must_be_rows():
    with pytest.raises(StateError, match="one row for each member"):
        advance_many(PENDULUM, DOP, 0, np.zeros(2), 1, (9.7, 1.3))


def test_no_member_is_no_motion():
    assert advance_many(PENDULUM, DOP, 0, np.zeros((0, 2)), 1, (9.7, 1.3)).states.shape == (0, 0, 2)
