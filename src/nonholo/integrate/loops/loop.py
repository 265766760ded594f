"""The loop over steps, one for every method: step size, breaks, events, output, projection, guards.

A loop runs for a given number of steps and returns; all it knows is in its arrays, so it goes on where it was, and
the result does not depend on how often it was interrupted.
"""

from __future__ import annotations

import math
from typing import Any

from nonholo.integrate.loops.begin import begin, blame, degenerate, pass_break, stalled, usable
from nonholo.integrate.loops.compiled import inner, outer, pointer, shift, written_in
from nonholo.integrate.loops.events import sample, scan
from nonholo.integrate.loops.layout import (
    ACCEPTED,
    ADAPTIVE,
    ANCHOR,
    AT_COUNT,
    AT_GIVEN,
    AT_HIT_EVENT,
    AT_HIT_PLACE,
    AT_HIT_SIGN,
    AT_NEW,
    AT_SIGN,
    AT_STAGES,
    AT_VALUES,
    AT_WATCH,
    AT_Y,
    ATTEMPT,
    BLURRED,
    BREAKS,
    CALLS,
    COUNTED,
    DEGENERATE,
    EMITTED,
    END,
    END_ROW,
    ERROR,
    EVENT,
    EVENT_COUNT,
    FRESH,
    FULL,
    HIGH,
    HITS,
    INTERPOLATE,
    INTERRUPTED,
    INVARIANTS,
    LAST,
    LOW,
    MAX_STEP,
    MAX_STEPS,
    NEXT_BREAK,
    NOT_FINITE,
    OCCURRED,
    ORDER,
    PIVOT,
    PREPARE,
    PROJECTING,
    RATIO,
    REACHED,
    REASON,
    RECORDED,
    RECORDING,
    REJECTED,
    RUNNING,
    SAMPLES,
    SHRUNK,
    STALLED,
    START,
    STATE,
    STATUS,
    STEP,
    TIME,
    TOO_MANY,
    TOO_SMALL,
    UNRESOLVED,
    UNSOLVED,
    WAITING,
    WATCH,
    WATCH_TERMINAL,
    WIDTH,
)
from nonholo.integrate.loops.parts import Parts, call_point, call_step
from nonholo.integrate.loops.projection import project
from nonholo.integrate.loops.rates import derivative, set_point, solve

SAFETY, SHRINK_MOST, GROW_MOST = 0.9, 1.0 / 3.0, 6.0
"""Step control of DOP853. [Hairer, Nørsett, Wanner I, II.4 and appendix]"""
ROUNDING = 2.220446049250313e-16
FINEST = 12
"""How often a step is halved in search of events."""
BLUR = 64
"""Parts of one step, as small as can be, in which events could not be followed, before it is said: a jump is but one."""
PATIENCE = 20_000
"""Such parts of a whole motion before steps are no longer halved: an event that is rounding noise is never resolved."""


@written_in
def emit(
    spec: Any, data: Any, real: Any, whole: Any, t: float, h: float, last_t: float, last: Any,
    times: Any, states: Any, wanted: int,
) -> None:  # fmt: skip
    """States at the times asked for, up to last_t."""
    n, ahead = spec[STATE], h > 0.0
    while whole[EMITTED] < wanted:
        at = times[whole[EMITTED]]
        if (at > last_t) if ahead else (at < last_t):
            return
        target = shift(states, n * whole[EMITTED])
        if at == last_t:
            for i in range(n):
                target[i] = last[i]
        else:
            call_point(spec[INTERPOLATE], spec, real, (at - t) / h, target)
            if spec[INVARIANTS] > 0:
                project(spec, data, real, at, target)
        whole[EMITTED] += 1


@written_in
def note(
    spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float, found: int, event_times: Any, event_states: Any,
    event_index: Any,
) -> float:  # fmt: skip
    """Write down what a scan has found; returns where the motion ends: new_t, or the time of a terminal event."""
    n, h = spec[STATE], new_t - t
    count = shift(whole, spec[AT_COUNT])
    for hit in range(found):
        place = real[spec[AT_HIT_PLACE] + hit]
        e, sign = whole[spec[AT_HIT_EVENT] + hit], whole[spec[AT_HIT_SIGN] + hit]
        at = new_t if place == 1.0 else t + place * h
        target = shift(event_states, n * whole[OCCURRED])
        call_point(spec[INTERPOLATE], spec, real, place, target)
        if spec[INVARIANTS] > 0:
            project(spec, data, real, at, target)
        event_times[whole[OCCURRED]] = at
        event_index[2 * whole[OCCURRED]] = e
        event_index[2 * whole[OCCURRED] + 1] = sign
        whole[OCCURRED] += 1
        count[e] += 1
        if count[e] == spec[spec[AT_WATCH] + WATCH * e + WATCH_TERMINAL]:
            new = shift(real, spec[AT_NEW])
            for i in range(n):
                new[i] = target[i]
            whole[STATUS] = EVENT
            return float(at)
    return new_t


@inner
def copy_watch(spec: Any, real: Any, whole: Any, back: bool) -> None:
    """Keep what is known of the events before a step, or take it back."""
    total = spec[EVENT_COUNT]
    count, signs, values = shift(whole, spec[AT_COUNT]), shift(whole, spec[AT_SIGN]), shift(real, spec[AT_VALUES])
    last = (spec[SAMPLES] + 2) * total
    for e in range(total):
        if back:
            count[e], signs[e], values[e] = count[total + e], signs[total + e], values[last + e]
        else:
            count[total + e], signs[total + e], values[last + e] = count[e], signs[e], values[e]


@written_in
def occur(
    spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float, event_times: Any, event_states: Any,
    event_index: Any, room: int,
) -> float:  # fmt: skip
    """Note the events within the step; returns where the motion ends: new_t, or the time of a terminal event.

    Where room ends within the step, nothing of it is noted and the loop waits.
    """
    nearest = -1.0
    if whole[ACCEPTED] == 1:
        nearest = 100.0 * ROUNDING * max(abs(t / (new_t - t)), 1.0)
    before, unresolved, blurred, total = whole[OCCURRED], whole[UNRESOLVED], 0, spec[EVENT_COUNT]
    values = shift(real, spec[AT_VALUES])
    copy_watch(spec, real, whole, False)
    depth, number, parts, last_t = 0, 0, 1, new_t
    while number < parts:
        low, width = number / parts, 1.0 / parts
        if not sample(spec, data, real, t, new_t, low, width):
            if depth < FINEST and unresolved < PATIENCE:
                depth, number, parts = depth + 1, 2 * number, 2 * parts
                continue
            unresolved += 1
            blurred += 1
        if whole[OCCURRED] + spec[HITS] > room:
            copy_watch(spec, real, whole, True)
            whole[OCCURRED], whole[WAITING] = before, 2
            return new_t
        found = scan(spec, data, real, whole, t, new_t, low, width, nearest)
        last_t = note(spec, data, real, whole, t, new_t, found, event_times, event_states, event_index)
        if whole[STATUS] == EVENT:
            break
        for e in range(total):
            values[e] = values[spec[SAMPLES] * total + e]
        number += 1
        while depth > 0 and number % 2 == 0:
            depth, number, parts = depth - 1, number // 2, parts // 2
    whole[UNRESOLVED] = unresolved
    if blurred >= BLUR or unresolved >= PATIENCE:
        whole[BLURRED] = 1
    return last_t


@inner
def root(error: float, order: int) -> float:
    """The order-th root, by square roots where that is possible: a power costs as much as a right-hand side."""
    if order == 8:
        return math.sqrt(math.sqrt(math.sqrt(error)))
    if order == 4:
        return math.sqrt(math.sqrt(error))
    return float(error ** (1.0 / order))


@inner
def reject(spec: Any, real: Any, whole: Any, error: float, ratio: float, h: float) -> None:
    """Shrink the step, and remember why."""
    whole[REJECTED] += 1
    whole[SHRUNK] = 1
    if spec[ADAPTIVE] == 0:
        unsolved = ratio > 0.0 and error < 1e300
        whole[STATUS] = blame(ratio) if not ratio > 0.0 else UNSOLVED if unsolved else NOT_FINITE
        return
    if error > 1.0 and error < 1e300 and ratio > 0.0:
        whole[REASON] = TOO_SMALL
        real[STEP] = h * max(SHRINK_MOST, SAFETY / root(error, spec[ORDER]))
    else:
        whole[REASON] = blame(ratio) if not ratio > 0.0 else NOT_FINITE
        real[STEP] = 0.2 * h


@written_in
def resize(spec: Any, real: Any, whole: Any, error: float, h: float, cut: bool) -> None:
    """The next step after an accepted one; a step cut short by a break says little, so the longer one stays."""
    if spec[ADAPTIVE] == 0:
        return
    factor = GROW_MOST if error == 0.0 else min(GROW_MOST, max(SHRINK_MOST, SAFETY / root(error, spec[ORDER])))
    if whole[SHRUNK] == 1:
        factor = min(factor, 1.0)
    whole[SHRUNK] = 0
    step = h * factor
    if cut and abs(real[STEP]) > abs(step):
        step = real[STEP]
    limit = real[MAX_STEP]
    real[STEP] = min(max(step, -limit), limit)


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
            if (spec[RECORDING] == 1 and whole[RECORDED] >= room) or (
                spec[EVENT_COUNT] > 0 and whole[OCCURRED] + spec[HITS] > event_room
            ):
                whole[WAITING] = 1 if spec[RECORDING] == 1 and whole[RECORDED] >= room else 2
                break
            if whole[ACCEPTED] + whole[REJECTED] >= spec[MAX_STEPS]:
                whole[STATUS] = TOO_MANY
                break
            t, h = real[TIME], real[STEP]
            ahead = real[END] > real[START]
            target = real[HIGH] if ahead else real[LOW]
            if spec[ADAPTIVE] == 1:
                new_t = t + h
                landing = abs(target - t) <= 1.01 * abs(h)
                if abs(h) <= 16.0 * ROUNDING * abs(t) or abs(h) < 1e-290:
                    whole[STATUS] = whole[REASON] if whole[REASON] != 0 else TOO_SMALL
                    break
            else:
                new_t = real[ANCHOR] + (whole[COUNTED] + 1) * h
                landing = (new_t - target) * h >= -1e-9 * h * h
            if landing:
                new_t = target
            calls = whole[CALLS]
            call_step(spec[ATTEMPT], spec, data, real, whole, t, new_t)
            error, ratio = real[ERROR], real[RATIO]
            if not (error <= 1.0 and ratio > 0.0):
                reject(spec, real, whole, error, ratio, new_t - t)
                continue
            if spec[INVARIANTS] > 0 and spec[PROJECTING] == 1:
                project(spec, data, real, new_t, new)
            for i in range(n):
                given[i] = new[i]
            ratio = derivative(spec, data, real, new_t, end)
            whole[CALLS] += 1
            if not (ratio > 0.0 and usable(spec, end)):
                reject(spec, real, whole, 1e301, ratio, new_t - t)
                continue
            whole[ACCEPTED] += 1
            last_t = new_t
            if spec[EVENT_COUNT] > 0 or (
                whole[EMITTED] < wanted
                and times[whole[EMITTED]] != new_t
                and (times[whole[EMITTED]] < new_t) == ahead
            ):
                call_step(spec[PREPARE], spec, data, real, whole, t, new_t)
            if spec[EVENT_COUNT] > 0:
                last_t = occur(spec, data, real, whole, t, new_t, event_times, event_states, event_index, event_room)
                if whole[WAITING] != 0:  # the step is made again, bit for bit, when there is room
                    whole[ACCEPTED] -= 1
                    whole[CALLS] = calls
                    break
            if whole[EMITTED] < wanted:
                emit(spec, data, real, whole, t, new_t - t, last_t, new, times, states, wanted)
            if spec[RECORDING] == 1:
                step_times[whole[RECORDED]] = last_t
                for i in range(n):
                    step_states[n * whole[RECORDED] + i] = new[i]
                whole[RECORDED] += 1
            real[LAST] = last_t - t
            real[TIME] = last_t
            for i in range(n):
                y[i] = new[i]
                stages[i] = end[i]
            resize(spec, real, whole, error, new_t - t, landing)
            whole[COUNTED] += 1
            if whole[STATUS] != RUNNING:
                break
            if stalled(real, whole):
                whole[STATUS] = STALLED
            if degenerate(spec, data, real, end):
                whole[STATUS] = DEGENERATE
            if landing:
                if whole[NEXT_BREAK] == spec[BREAKS]:
                    whole[STATUS] = REACHED
                    break
                pass_break(spec, data, real, whole, new_t)
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
