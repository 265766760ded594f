"""The loop over steps, one for every method: step size, breaks, events, output, projection, guards.

A loop runs for a given number of steps and returns; all it knows is in its arrays, so it goes on where it was, and
the result does not depend on how often it was interrupted.
"""

from __future__ import annotations

from nonholo.integrate.loops.arguments.array_layout import (
    ADAPTIVE,
    AT_GIVEN,
    AT_NEW,
    AT_STAGES,
    AT_Y,
    ATTEMPT,
    CALLS,
    END_ROW,
    ERROR,
    EVENT_ROOM,
    FRESH,
    FULL,
    INTERRUPTED,
    INVARIANTS,
    MEMBERS,
    OF_DATA,
    OF_EVENT_INDEX,
    OF_EVENT_STATES,
    OF_EVENT_TIMES,
    OF_REAL,
    OF_SPEC,
    OF_STATES,
    OF_STEP_STATES,
    OF_STEP_TIMES,
    OF_STOP,
    OF_TIMES,
    OF_WHOLE,
    ORDER,
    PIVOT,
    PROJECTING,
    RATIO,
    REAL_WIDTH,
    RUNNING,
    STATE,
    STATUS,
    STEP_ROOM,
    STEPS_NOW,
    TIME,
    WAITING,
    WANTED,
    WHOLE_WIDTH,
    WIDTH,
)
from nonholo.integrate.loops.compilation.loop_compiler import inner, reals, shift, wholes
from nonholo.integrate.loops.compilation.native import Routine
from nonholo.integrate.loops.first_step import begin, usable
from nonholo.integrate.loops.loop_rates import derivative, set_point, solve
from nonholo.integrate.loops.method_hooks import call_step
from nonholo.integrate.loops.projection import project
from nonholo.integrate.loops.step_control import aim, quotient, reject, settle


@inner
def run(address: int) -> int:
    """Up to ``STEPS_NOW`` steps of every member that is not at its end; returns the status of the last member."""
    call = wholes(address)
    spec, data, stop = wholes(call[OF_SPEC]), reals(call[OF_DATA]), wholes(call[OF_STOP])
    times, step_times, step_states = reals(call[OF_TIMES]), reals(call[OF_STEP_TIMES]), reals(call[OF_STEP_STATES])
    wanted, room, event_room = call[WANTED], call[STEP_ROOM], call[EVENT_ROOM]
    n = spec[STATE]
    code = RUNNING
    for member in range(call[MEMBERS]):
        real = shift(reals(call[OF_REAL]), member * call[REAL_WIDTH])
        whole = shift(wholes(call[OF_WHOLE]), member * call[WHOLE_WIDTH])
        states = shift(reals(call[OF_STATES]), member * wanted * n)
        event_times = shift(reals(call[OF_EVENT_TIMES]), member * event_room)
        event_states = shift(reals(call[OF_EVENT_STATES]), member * event_room * n)
        event_index = shift(wholes(call[OF_EVENT_INDEX]), member * event_room * 2)
        y, new, stages = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
        given, end = shift(real, spec[AT_GIVEN] + 1), shift(stages, spec[END_ROW] * spec[WIDTH])
        whole[WAITING] = 0
        if whole[STATUS] == FRESH:
            begin(
                spec, data, real, whole, times, states, wanted, step_times, step_states, spec[ORDER], end, spec[ADAPTIVE] == 1
            )  # fmt: skip
        for _ in range(call[STEPS_NOW]):
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


run_loop = Routine("loop", run)
"""The loop as Python calls it, with the array that `nonholo.integrate.loops.arguments.array_layout.OF_SPEC` describes."""
