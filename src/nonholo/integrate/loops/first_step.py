"""Start of an integration: first step size and guards."""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.arguments.array_layout import (
    ACCEPTED,
    ANCHOR,
    AT_BREAKS,
    AT_CONSTANTS,
    AT_GIVEN,
    AT_POINT,
    AT_STAGES,
    AT_THRESHOLD,
    AT_VALUES,
    AT_Y,
    ATOL,
    BREAKS,
    CALLS,
    CONDITION_COUNT,
    CONDITIONS,
    CONDITIONS_DATA,
    CONSTANTS,
    CONSTANTS_DATA,
    COUNTED,
    EMITTED,
    END,
    EVENT_COUNT,
    FIRST_STEP,
    HIGH,
    LOW,
    MARK,
    MAX_STEP,
    NEXT_BREAK,
    NOT_FINITE,
    PIVOT,
    REACHED,
    RECORDED,
    RECORDING,
    RTOL,
    RUNNING,
    SINGULAR,
    START,
    STATE,
    STATUS,
    STEP,
    TIME,
)
from nonholo.integrate.loops.compilation.loop_compiler import call_address, inner, shift, written_in
from nonholo.integrate.loops.event_location import signs_at_start, values_at
from nonholo.integrate.loops.loop_rates import derivative, set_point, solve

JUDGED, HOPELESS = 20_000, 1e10

LARGE = 1e140


@inner
def blame(ratio: float) -> int:
    """The status for the pivot ratio of a right-hand side that could not be used."""
    return SINGULAR if ratio <= 0.0 else NOT_FINITE


@inner
def usable(spec: Any, row: Any) -> bool:
    """Whether a derivative is finite."""
    total = 0.0
    for i in range(spec[STATE]):
        total += abs(row[i])
    return bool(total - total == 0.0)


@inner
def set_span(spec: Any, data: Any, real: Any, whole: Any) -> None:
    """The breaks on either side of the next step."""
    at, total = whole[NEXT_BREAK], spec[BREAKS]
    breaks = shift(data, spec[AT_BREAKS])
    before = breaks[at - 1] if at > 0 else real[START]
    after = breaks[at] if at < total else real[END]
    real[LOW], real[HIGH] = min(before, after), max(before, after)


@written_in
def first_step(spec: Any, data: Any, real: Any, whole: Any, order: int, end: Any) -> float:
    """A first step whose Taylor remainder is small. [Hairer, Nørsett, Wanner I, II.4, "starting step size"]"""
    n, span = spec[STATE], real[END] - real[START]
    y, slope = shift(real, spec[AT_Y]), shift(real, spec[AT_STAGES])
    given = shift(real, spec[AT_GIVEN] + 1)
    size = speed = 0.0
    for i in range(n):
        scale = real[ATOL] + real[RTOL] * abs(y[i])
        size += min(abs(y[i] / scale), LARGE) ** 2  # squares of larger numbers are infinite
        speed += min(abs(slope[i] / scale), LARGE) ** 2
    h = 1e-6 if size <= 1e-10 or speed <= 1e-10 else 0.01 * (size / speed) ** 0.5
    h = min(h, abs(span), real[MAX_STEP])
    signed = h if span > 0.0 else -h
    for i in range(n):
        given[i] = y[i] + signed * slope[i]
    derivative(spec, data, real, real[START] + signed, end)
    whole[CALLS] += 1
    bend = 0.0
    for i in range(n):
        bend += min(abs((end[i] - slope[i]) / (real[ATOL] + real[RTOL] * abs(y[i]))), LARGE) ** 2
    steep = max(speed**0.5, bend**0.5 / h)
    if not steep < 1e300:
        return float(1e-3 * signed)
    step = max(1e-6, 1e-3 * h) if steep <= 1e-15 else (0.01 / steep) ** (1.0 / order)
    step = min(100.0 * h, step, abs(span), real[MAX_STEP])
    return float(step if span > 0.0 else -step)


@written_in
def begin(
    spec: Any, data: Any, real: Any, whole: Any, times: Any, states: Any, wanted: int, step_times: Any,
    step_states: Any, order: int, end: Any, adaptive: bool,
) -> None:  # fmt: skip
    """Derivative, step, events and output at the start."""
    n = spec[STATE]
    t, y, stages = real[START], shift(real, spec[AT_Y]), shift(real, spec[AT_STAGES])
    real[TIME], real[ANCHOR], real[MARK] = t, t, t
    set_span(spec, data, real, whole)
    if spec[CONSTANTS] != 0:
        given = shift(real, spec[AT_GIVEN])
        call_address(spec[CONSTANTS], spec[CONSTANTS_DATA], shift(real, spec[AT_CONSTANTS]), given)
    set_point(spec, data, real, t, y)
    ratio = derivative(spec, data, real, t, stages)
    whole[CALLS] += 1
    for i in range(n):
        if whole[EMITTED] < wanted and times[whole[EMITTED]] == t:
            states[n * whole[EMITTED] + i] = y[i]
        if spec[RECORDING] == 1:
            step_states[i] = y[i]
    if whole[EMITTED] < wanted and times[whole[EMITTED]] == t:
        whole[EMITTED] += 1
    if spec[RECORDING] == 1:
        step_times[0] = t
        whole[RECORDED] = 1
    if not ratio > 0.0:
        whole[STATUS] = blame(ratio)
        return
    if not usable(spec, stages) or not usable(spec, y):
        whole[STATUS] = NOT_FINITE
        return
    if spec[EVENT_COUNT] > 0:
        signs_at_start(spec, data, real, whole, t, y)
    if real[END] == t:
        whole[STATUS] = REACHED
        return
    if real[FIRST_STEP] > 0.0 or not adaptive:
        real[STEP] = real[FIRST_STEP] if real[END] > t else -real[FIRST_STEP]
    else:
        real[STEP] = first_step(spec, data, real, whole, order, end)
    whole[STATUS] = RUNNING


@written_in
def stalled(real: Any, whole: Any) -> bool:
    """Whether the last JUDGED steps gained so little time that the end is more than HOPELESS steps away."""
    if whole[ACCEPTED] % JUDGED != 0:
        return False
    gained, left = abs(real[TIME] - real[MARK]), abs(real[END] - real[TIME])
    real[MARK] = real[TIME]
    return bool(left * JUDGED > gained * HOPELESS)


@written_in
def pass_break(spec: Any, data: Any, real: Any, whole: Any, t: float) -> None:
    """At a break the inputs jump: the next step starts with what they are beyond it."""
    y, stages = shift(real, spec[AT_Y]), shift(real, spec[AT_STAGES])
    whole[NEXT_BREAK] += 1
    whole[COUNTED] = 0
    real[ANCHOR] = t
    set_span(spec, data, real, whole)
    set_point(spec, data, real, t, y)
    ratio = derivative(spec, data, real, t, stages)
    whole[CALLS] += 1
    if not ratio > 0.0 or not usable(spec, stages):
        whole[STATUS] = blame(ratio) if not ratio > 0.0 else NOT_FINITE
    if spec[EVENT_COUNT] > 0:
        values_at(spec, data, real, t, y, shift(real, spec[AT_VALUES]))


@written_in
def degenerate(spec: Any, data: Any, real: Any, end: Any) -> bool:
    """Whether the mass matrix or one of the conditions has come too near to degenerating."""
    threshold = shift(data, spec[AT_THRESHOLD])
    if threshold[0] > 0.0:
        real[PIVOT] = solve(spec, real, end)
        if real[PIVOT] < threshold[0]:
            return True
    if spec[CONDITION_COUNT] > 0:
        set_point(spec, data, real, real[TIME], shift(real, spec[AT_Y]))
        values = shift(real, spec[AT_POINT])
        call_address(spec[CONDITIONS], spec[CONDITIONS_DATA], values, shift(real, spec[AT_GIVEN]))
        for i in range(spec[CONDITION_COUNT]):
            if not values[i] >= threshold[1 + i]:
                return True
    return False
