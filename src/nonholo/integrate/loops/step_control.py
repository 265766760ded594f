"""Common work before and after each step: step size, events, output, guards, breaks."""

from __future__ import annotations

import math
from typing import Any

from nonholo.integrate.loops.arguments.array_layout import (
    ACCEPTED,
    ADAPTIVE,
    ANCHOR,
    AT_COUNT,
    AT_HIT_EVENT,
    AT_HIT_PLACE,
    AT_HIT_SIGN,
    AT_NEW,
    AT_SIGN,
    AT_STAGES,
    AT_THRESHOLD,
    AT_VALUES,
    AT_WATCH,
    AT_Y,
    BLURRED,
    BREAKS,
    CALLS,
    CONDITION_COUNT,
    COUNTED,
    DEGENERATE,
    EMITTED,
    END,
    END_ROW,
    EVENT,
    EVENT_COUNT,
    HIGH,
    HITS,
    INTERPOLATE,
    INVARIANTS,
    LAST,
    LOW,
    MAX_STEP,
    MAX_STEPS,
    NEXT_BREAK,
    NOT_FINITE,
    OCCURRED,
    ORDER,
    PREPARE,
    REACHED,
    REASON,
    RECORDED,
    RECORDING,
    REJECTED,
    RUNNING,
    SAMPLES,
    SHRUNK,
    SLOW,
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
from nonholo.integrate.loops.compilation.loop_compiler import inner, shift, written_in
from nonholo.integrate.loops.event_location import sample, scan, steady
from nonholo.integrate.loops.first_step import blame, degenerate, pass_break, stalled
from nonholo.integrate.loops.method_hooks import call_point, call_step
from nonholo.integrate.loops.projection import project

SAFETY, SHRINK_MOST, GROW_MOST = 0.9, 1.0 / 3.0, 6.0
"""Step control of DOP853. [Hairer, Nørsett, Wanner I, II.4 and appendix]"""
ROUNDING = 2.220446049250313e-16
NOWHERE = math.nan
FINEST = 12
"""How often a step is halved in search of events."""
BLUR = 64
"""Number of smallest parts of a step with unresolved events that is reported; a jump makes one."""
PATIENCE = 20_000
"""Such parts of a whole motion before steps are no longer halved: an event that is rounding noise is never resolved."""


@written_in
def emit(
    spec: Any, data: Any, real: Any, whole: Any, t: float, h: float, last_t: float, last: Any,
    times: Any, states: Any, wanted: int,
) -> None:  # fmt: skip
    """States at the output times up to last_t."""
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

    Where a buffer is full within the step, nothing of it is recorded and the loop waits.
    """
    nearest = -1.0
    if whole[ACCEPTED] == 1:
        nearest = 100.0 * ROUNDING * max(abs(t / (new_t - t)), 1.0)
    before, unresolved, blurred, total = whole[OCCURRED], whole[UNRESOLVED], 0, spec[EVENT_COUNT]
    values = shift(real, spec[AT_VALUES])
    copy_watch(spec, real, whole, False)
    if spec[SLOW] and steady(spec, data, real, whole, t, new_t):
        for e in range(total):
            values[e] = values[(spec[SAMPLES] + 1) * total + e]
        return new_t
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
def quotient(spec: Any, error: float) -> float:
    """By how much a step may grow after an error, before this is bounded."""
    return SAFETY / root(error, spec[ORDER]) if spec[ADAPTIVE] == 1 else 1.0


@inner
def reject(spec: Any, real: Any, whole: Any, error: float, grown: float, ratio: float, h: float) -> None:
    """Shrink the step, and remember why; ``grown`` is the quotient of the error."""
    whole[REJECTED] += 1
    whole[SHRUNK] = 1
    if spec[ADAPTIVE] == 0:
        unsolved = ratio > 0.0 and error < 1e300
        whole[STATUS] = blame(ratio) if not ratio > 0.0 else UNSOLVED if unsolved else NOT_FINITE
        return
    if error > 1.0 and error < 1e300 and ratio > 0.0:
        whole[REASON] = TOO_SMALL
        real[STEP] = h * max(SHRINK_MOST, grown)
    else:
        whole[REASON] = blame(ratio) if not ratio > 0.0 else NOT_FINITE
        real[STEP] = 0.2 * h


@written_in
def resize(spec: Any, real: Any, whole: Any, grown: float, h: float, cut: bool) -> None:
    """The next step after an accepted one; a step shortened by a break does not reduce it."""
    if spec[ADAPTIVE] == 0:
        return
    factor = min(GROW_MOST, max(SHRINK_MOST, grown))
    if whole[SHRUNK] == 1:
        factor = min(factor, 1.0)
    whole[SHRUNK] = 0
    step = h * factor
    if cut and abs(real[STEP]) > abs(step):
        step = real[STEP]
    limit = real[MAX_STEP]
    real[STEP] = min(max(step, -limit), limit)


@inner
def aim(spec: Any, real: Any, whole: Any, room: int, event_room: int) -> float:
    """Where the next step shall end: a break, if it comes near; not a number when there is no step to make now."""
    if (spec[RECORDING] == 1 and whole[RECORDED] >= room) or (
        spec[EVENT_COUNT] > 0 and whole[OCCURRED] + spec[HITS] > event_room
    ):
        whole[WAITING] = 1 if spec[RECORDING] == 1 and whole[RECORDED] >= room else 2
        return NOWHERE
    if whole[ACCEPTED] + whole[REJECTED] >= spec[MAX_STEPS]:
        whole[STATUS] = TOO_MANY
        return NOWHERE
    t, h = real[TIME], real[STEP]
    target = real[HIGH] if real[END] > real[START] else real[LOW]
    if spec[ADAPTIVE] == 1:
        new_t = t + h
        landing = abs(target - t) <= 1.01 * abs(h)
        if not landing and whole[SHRUNK] == 0:  # what is left is hardly more than rounding
            landing = abs(target - t) <= 64.0 * ROUNDING * abs(t)
        if not landing and (abs(h) <= 16.0 * ROUNDING * abs(t) or abs(h) < 1e-290):
            whole[STATUS] = whole[REASON] if whole[REASON] != 0 else TOO_SMALL
            return NOWHERE
    else:
        new_t = real[ANCHOR] + (whole[COUNTED] + 1) * h
        landing = (new_t - target) * h >= -1e-9 * h * h
    return float(target if landing else new_t)


@inner
def at_break(real: Any, new_t: float) -> bool:
    """Whether a step ends at a break (or at the end)."""
    return bool(new_t == (real[HIGH] if real[END] > real[START] else real[LOW]))


@inner
def looked(spec: Any, real: Any, whole: Any, new_t: float, times: Any, wanted: int) -> bool:
    """Whether the continuous extension is needed: by an event, or by an output time inside the step."""
    return spec[EVENT_COUNT] > 0 or (
        whole[EMITTED] < wanted
        and times[whole[EMITTED]] != new_t
        and (times[whole[EMITTED]] < new_t) == (real[END] > real[START])
    )


@inner
def silent(spec: Any, data: Any, real: Any, whole: Any, new_t: float, times: Any, wanted: int) -> bool:
    """Whether the state at the end of a step is not needed: no output, event, guard, projection or break."""
    if spec[EVENT_COUNT] > 0 or spec[CONDITION_COUNT] > 0 or spec[INVARIANTS] > 0 or spec[RECORDING] == 1:
        return False
    if data[spec[AT_THRESHOLD]] > 0.0:
        return False
    if at_break(real, new_t):
        return False
    return whole[EMITTED] >= wanted or (
        times[whole[EMITTED]] != new_t and (times[whole[EMITTED]] > new_t) == (real[END] > real[START])
    )


@inner
def go_on(spec: Any, real: Any, whole: Any, last_t: float, new_t: float, landing: bool, grown: float) -> None:
    """The time after an accepted step, and the next step."""
    t = real[TIME]
    real[LAST] = last_t - t
    real[TIME] = last_t
    resize(spec, real, whole, grown, new_t - t, landing)
    whole[COUNTED] += 1
    if whole[STATUS] == RUNNING and stalled(real, whole):
        whole[STATUS] = STALLED


@inner
def settle(
    spec: Any, data: Any, real: Any, whole: Any, new_t: float, grown: float, calls: int, times: Any, states: Any,
    wanted: int, step_times: Any, step_states: Any, event_times: Any, event_states: Any, event_index: Any,
    event_room: int,
) -> None:  # fmt: skip
    """What follows on a step whose end and the slope there are good: events, output, the next step, guards, breaks.

    The loop waits when the buffer of events is full; the step is then repeated bit for bit.
    """
    n, t, landing = spec[STATE], real[TIME], at_break(real, new_t)
    y, new, stages = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
    end = shift(stages, spec[END_ROW] * spec[WIDTH])
    whole[ACCEPTED] += 1
    last_t = new_t
    if looked(spec, real, whole, new_t, times, wanted):
        call_step(spec[PREPARE], spec, data, real, whole, t, new_t)
    if spec[EVENT_COUNT] > 0:
        last_t = occur(spec, data, real, whole, t, new_t, event_times, event_states, event_index, event_room)
        if whole[WAITING] != 0:
            whole[ACCEPTED] -= 1
            whole[CALLS] = calls
            return
    if whole[EMITTED] < wanted:
        emit(spec, data, real, whole, t, new_t - t, last_t, new, times, states, wanted)
    if spec[RECORDING] == 1:
        step_times[whole[RECORDED]] = last_t
        for i in range(n):
            step_states[n * whole[RECORDED] + i] = new[i]
        whole[RECORDED] += 1
    for i in range(n):
        y[i] = new[i]
        stages[i] = end[i]
    ended = whole[STATUS] != RUNNING
    go_on(spec, real, whole, last_t, new_t, landing, grown)
    if ended:
        return
    if degenerate(spec, data, real, end):
        whole[STATUS] = DEGENERATE
    if landing:
        if whole[NEXT_BREAK] == spec[BREAKS]:
            whole[STATUS] = REACHED
        else:
            pass_break(spec, data, real, whole, new_t)
