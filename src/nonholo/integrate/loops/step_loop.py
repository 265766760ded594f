"""The loop over steps, one for every method: step size, breaks, events, output, projection, guards.

A loop runs for a given number of steps and returns; all it knows is in its arrays, so it goes on where it was, and
the result does not depend on how often it was interrupted.
"""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.array_layout import (
    ADAPTIVE,
    AT_GIVEN,
    AT_NEW,
    AT_STAGES,
    AT_Y,
    ATTEMPT,
    CALLS,
    END_ROW,
    ERROR,
    FRESH,
    FULL,
    INTERRUPTED,
    INVARIANTS,
    ORDER,
    PIVOT,
    PROJECTING,
    RATIO,
    RUNNING,
    STATE,
    STATUS,
    TIME,
    WAITING,
    WIDTH,
)
from nonholo.integrate.loops.first_step import begin, usable
from nonholo.integrate.loops.loop_compiler import outer, pointer, shift
from nonholo.integrate.loops.loop_rates import derivative, set_point, solve
from nonholo.integrate.loops.method_hooks import Parts, call_step
from nonholo.integrate.loops.projection import project
from nonholo.integrate.loops.step_control import aim, quotient, reject, settle


@outer
def loop(
    spec_array: Any, data_array: Any, real_array: Any, whole_array: Any, times_array: Any, states_array: Any,
    step_times_array: Any, step_states_array: Any, event_times_array: Any, event_states_array: Any,
    event_index_array: Any, steps: int, stop: Any,
) -> int:  # fmt: skip
    """Up to ``steps`` steps of every member that is not at its end; returns the status of the last member."""
    spec, data = pointer(spec_array), pointer(data_array)
    times, step_times, step_states = pointer(times_array), pointer(step_times_array), pointer(step_states_array)
    wanted, room, event_room = len(times_array), len(step_times_array), event_times_array.shape[1]
    n = spec[STATE]
    code = RUNNING
    for member in range(real_array.shape[0]):
        real = shift(pointer(real_array), member * real_array.shape[1])
        whole = shift(pointer(whole_array), member * whole_array.shape[1])
        states = shift(pointer(states_array), member * wanted * n)
        event_times = shift(pointer(event_times_array), member * event_room)
        event_states = shift(pointer(event_states_array), member * event_room * n)
        event_index = shift(pointer(event_index_array), member * event_room * 2)
        y, new, stages = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
        given, end = shift(real, spec[AT_GIVEN] + 1), shift(stages, spec[END_ROW] * spec[WIDTH])
        whole[WAITING] = 0
        if whole[STATUS] == FRESH:
            begin(
                spec, data, real, whole, times, states, wanted, step_times, step_states, spec[ORDER], end, spec[ADAPTIVE] == 1
            )  # fmt: skip
        for _ in range(steps):
            if whole[STATUS] != RUNNING:
                break
            if stop[0] != 0:
                whole[STATUS] = INTERRUPTED
                break
            new_t = aim(spec, real, whole, room, event_room)
            if new_t != new_t:
                break
            t = real[TIME]
            calls = whole[CALLS]
            call_step(spec[ATTEMPT], spec, data, real, whole, t, new_t)
            error, ratio = real[ERROR], real[RATIO]
            grown = quotient(spec, error)
            if not (error <= 1.0 and ratio > 0.0):
                reject(spec, real, whole, error, grown, ratio, new_t - t)
                continue
            if spec[INVARIANTS] > 0 and spec[PROJECTING] == 1:
                project(spec, data, real, new_t, new)
            for i in range(n):
                given[i] = new[i]
            ratio = derivative(spec, data, real, new_t, end)
            whole[CALLS] += 1
            if not (ratio > 0.0 and usable(spec, end)):
                reject(spec, real, whole, 1e301, grown, ratio, new_t - t)
                continue
            settle(
                spec, data, real, whole, new_t, grown, calls, times, states, wanted, step_times, step_states,
                event_times, event_states, event_index, event_room,
            )  # fmt: skip
            if whole[WAITING] != 0:
                break
        code = FULL if whole[WAITING] != 0 else int(whole[STATUS])
        if code != RUNNING and code != FULL:
            set_point(spec, data, real, real[TIME], y)
            derivative(spec, data, real, real[TIME], stages)
            real[PIVOT] = solve(spec, real, stages)
    return code


def make_loop(
    attempt: Any, prepare: Any, interpolate: Any, end_row: int, order: int, adaptive: bool, samples: int
) -> Parts:
    """The loop of a method.

    ``attempt(spec, data, real, whole, t, new_t) -> (error, pivot ratio)`` makes the new state from the first row of
    the stages; the loop then puts the derivative at the new state into ``end_row``. ``prepare`` makes the continuous
    extension and ``interpolate(spec, real, place, point)`` evaluates it.
    """
    return Parts(loop, attempt, prepare, interpolate, end_row, order, adaptive, samples)
