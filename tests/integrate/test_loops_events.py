"""Events against closed forms: time, state, order, direction, several in one step."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest
import symengine as se
from scipy.special import ellipk

from nonholo.compile import compile_equations
from nonholo.errors import StateError
from nonholo.integrate.methods import DormandPrince8, RungeKutta4
from nonholo.integrate.motion.integration import Event, advance, watch
from tests.compile import handmade

TIGHT = DormandPrince8(rtol=1e-13, atol=1e-15)
OSCILLATOR = compile_equations(handmade.driven())
x, v, k, u = se.symbols("x v k u")
t = se.Symbol("t")


def ring(events, until, start=(1.0, 0.0), kind=TIGHT, t0=0.0, **options):
    """x = cos t, v = −sin t."""
    return advance(OSCILLATOR, kind, t0, start, until, (1.0,), (0.0,), events=events, **options)


def test_zeros_of_a_cosine_are_found_to_rounding():
    path = ring([Event(x)], 40)
    exact = np.pi * (np.arange(13) + 0.5)
    np.testing.assert_allclose(path.occurrences.times, exact, rtol=0, atol=1e-12)
    np.testing.assert_allclose(path.occurrences.states[:, 0], 0, atol=1e-12)
    np.testing.assert_allclose(path.occurrences.states[:, 1], -np.sin(exact), rtol=0, atol=1e-12)
    assert path.occurrences.sign.tolist() == [-1, 1] * 6 + [-1]


def test_pendulum_passes_the_bottom_after_quarter_periods():
    g, l, top = 9.7, 1.3, 2.1
    kernel = compile_equations(handmade.pendulum())
    quarter = math.sqrt(l / g) * ellipk(math.sin(top / 2) ** 2)
    path = advance(kernel, TIGHT, 0, (top, 0), 9, (g, l), events=[Event(kernel.equations.coordinates[0])])
    exact = quarter * np.arange(1, 20, 2)
    np.testing.assert_allclose(path.occurrences.times, exact[exact < 9], rtol=0, atol=2e-12)


def test_direction_keeps_one_kind_of_passage():
    up = ring([Event(x, direction=1)], 20).occurrences.times
    down = ring([Event(x, direction=-1)], 20).occurrences.times
    np.testing.assert_allclose(up, np.pi * np.array([1.5, 3.5, 5.5]), rtol=0, atol=1e-12)
    np.testing.assert_allclose(down, np.pi * np.array([0.5, 2.5, 4.5]), rtol=0, atol=1e-12)


def test_backward_events_come_in_the_order_of_the_motion():
    path = ring([Event(x)], -10)
    np.testing.assert_allclose(path.occurrences.times, -np.pi * np.array([0.5, 1.5, 2.5]), rtol=0, atol=1e-12)


@pytest.mark.parametrize("count", [1, 2, 5])
def test_terminal_event_ends_the_motion_at_its_occurrence(count):
    times = np.linspace(0, 40, 81)
    path = ring([Event(x - 0.3, terminal=count), Event(v)], 40, t_eval=times)
    angle = math.acos(0.3)
    passages = sorted([angle + 2 * math.pi * n for n in range(5)] + [2 * math.pi * (n + 1) - angle for n in range(5)])
    end = passages[count - 1]
    assert path.outcome.kind == "event"
    assert path.final_time == pytest.approx(end, abs=1e-12)
    np.testing.assert_allclose(path.final_state, (math.cos(end), -math.sin(end)), rtol=0, atol=1e-12)
    assert np.array_equal(path.times, times[times <= path.final_time])
    np.testing.assert_allclose(path.states[:, 0], np.cos(path.times), rtol=0, atol=1e-12)
    assert np.sum(path.occurrences.index == 0) == count


def test_several_events_in_one_step_come_in_order_with_both_of_their_passages():
    """With loose tolerance a step spans radians; twelve levels are passed in between, some twice."""
    levels = [0.99, 0.9, 0.5, 0.2, -0.2, -0.5, -0.9, -0.99, -0.999, -0.9999, 0.7, -0.7]
    loose = DormandPrince8(rtol=1e-4, atol=1e-4)
    path = ring([Event(x - level) for level in levels], 6, kind=loose)
    assert path.accepted < 10
    exact = sorted(
        (time, i) for i, c in enumerate(levels) for time in (math.acos(c), 2 * math.pi - math.acos(c)) if time < 6
    )
    assert path.occurrences.index.tolist() == [i for _, i in exact]
    np.testing.assert_allclose(path.occurrences.times, [time for time, _ in exact], rtol=0, atol=2e-2)
    assert np.all(np.diff(path.occurrences.times) >= 0)


def test_a_dip_below_zero_between_two_samples_is_not_missed():
    """x + 1 − ε is negative for a time 2 sqrt(2 ε) around t = π."""
    for depth in (1e-3, 1e-6, 1e-9):
        path = ring([Event(x + 1 - depth)], 6)
        half = math.acos(1 - depth)
        np.testing.assert_allclose(path.occurrences.times, [math.pi - half, math.pi + half], rtol=0, atol=1e-10 / half)


def test_touching_without_passing_is_no_event():
    assert len(ring([Event(x + 1 + 1e-9), Event(x**2 + 1e-12)], 40).occurrences.times) == 0


def test_start_on_an_event_is_not_an_occurrence():
    for start in ((0.0, 1.0), (0.0, -1.0)):
        times = ring([Event(x)], 7, start=start).occurrences.times
        np.testing.assert_allclose(times, [math.pi, 2 * math.pi], rtol=0, atol=1e-12)


def test_going_on_from_a_terminal_event_does_not_meet_it_again():
    time, state, seen = 0.0, (1.0, 0.0), []
    for _ in range(6):
        path = ring([Event(x, terminal=1)], 100, start=state, t0=time)
        time, state = path.final_time, path.final_state
        seen.append(time)
    np.testing.assert_allclose(seen, np.pi * (np.arange(6) + 0.5), rtol=0, atol=3e-12)


def test_events_do_not_change_the_motion():
    plain = ring([], 30)
    watched = ring([Event(x), Event(v)], 30)
    assert np.array_equal(plain.final_state, watched.final_state)
    assert plain.accepted == watched.accepted


def test_events_do_not_depend_on_chunks():
    whole = ring([Event(x), Event(v)], 300)
    cut = ring([Event(x), Event(v)], 300, chunk=3)
    assert len(whole.occurrences.times) == 190
    assert np.array_equal(whole.occurrences.times, cut.occurrences.times)
    assert np.array_equal(whole.occurrences.states, cut.occurrences.states)


def test_events_may_use_time_inputs_and_parameters():
    path = advance(
        OSCILLATOR, TIGHT, 0, (1.0, 0.0), 5, (1.0,), (lambda s: math.sin(3 * s),), events=[Event(u), Event(t - 2 * k)]
    )
    times, index = path.occurrences.times, path.occurrences.index
    np.testing.assert_allclose(times[index == 0], np.pi / 3 * np.arange(1, 5), rtol=0, atol=1e-13)
    np.testing.assert_allclose(times[index == 1], [2.0], rtol=0, atol=1e-14)


def test_an_input_that_jumps_through_zero_is_an_event_at_the_jump():
    from nonholo.integrate.loops.arguments.piecewise_signals import hold

    path = advance(OSCILLATOR, TIGHT, 0, (1.0, 0.0), 5, (1.0,), (hold([0, 2.5], [1.0, -1.0]),), events=[Event(u)])
    assert path.occurrences.times.tolist() == [2.5]
    assert path.occurrences.sign.tolist() == [-1]


def test_constant_steps_find_events_with_the_order_of_their_extension():
    errors = []
    for h in (0.1, 0.05, 0.025):
        path = ring([Event(x - 0.3)], 3, kind=RungeKutta4(step=h))
        errors.append(abs(path.occurrences.times[0] - math.acos(0.3)))
    assert errors[2] < errors[0] / 100


def test_bad_directions_are_refused():
    with pytest.raises(StateError, match="direction must be -1, 0 or 1"):
        ring([Event(x, direction=2)], 1)


def test_no_step_that_seems_steady_hides_a_dip_below_zero():
    """Sines about a mean, up to ten radians in a step, at every phase."""
    for rate in (4.1, 5.3, 6.2, 7.3, 8.7, 10.0):
        for size in (1.02, 1.4):
            events = replace(watch(OSCILLATOR, [Event(1 + size * se.sin(rate * t))]), slow=True)
            for begin in np.linspace(0, 2 * np.pi / rate, 120, endpoint=False).tolist():
                path = ring(events, begin + 1.0, kind=RungeKutta4(step=1.0), t0=begin)
                values = 1 + size * np.sin(rate * np.linspace(begin, begin + 1, 4001))
                assert len(path.occurrences.times) == np.count_nonzero(np.diff(np.sign(values))), (rate, size, begin)
