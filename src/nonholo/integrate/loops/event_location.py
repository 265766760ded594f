"""Locate sign changes of events within a step on the continuous extension.

A step is cut into halves, and these again, until the samples in a part tell the events between them.
"""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.arguments.array_layout import (
    AT_GIVEN,
    AT_HIT_EVENT,
    AT_HIT_PLACE,
    AT_HIT_SIGN,
    AT_POINT,
    AT_SIGN,
    AT_VALUES,
    AT_WATCH,
    AT_WEIGHTS,
    EVENT_COUNT,
    EVENTS,
    EVENTS_DATA,
    HITS,
    INTERPOLATE,
    SAMPLES,
    WATCH,
    WATCH_DIRECTION,
)
from nonholo.integrate.loops.compilation.loop_compiler import call_address, inner, shift, written_in
from nonholo.integrate.loops.loop_rates import set_point
from nonholo.integrate.loops.method_hooks import PROBES, call_point

EPSILON = 2.220446049250313e-16
UNTOLD = 0.02
"""How far an event may be, in parts of its size, from what its samples tell of it: ten radians of a sine over nine."""
STEADY = 0.25
"""Events that differ by less than this part of the least of them at the ends and probes of a step pass no zero within it: no
sine about any mean does so within ten radians."""
LASTING = 1e-9
"""A zero that is there a part of the sample's distance before too lasts: `edge` looks for its end."""


@inner
def values_at(spec: Any, data: Any, real: Any, t: float, y: Any, values: Any) -> None:
    """The event expressions at a state."""
    set_point(spec, data, real, t, y)
    call_address(spec[EVENTS], spec[EVENTS_DATA], values, shift(real, spec[AT_GIVEN]))


@inner
def signs_at_start(spec: Any, data: Any, real: Any, whole: Any, t: float, y: Any) -> None:
    """Remember on which side of zero each event starts; exactly zero is no side, and no occurrence either."""
    values, signs = shift(real, spec[AT_VALUES]), shift(whole, spec[AT_SIGN])
    values_at(spec, data, real, t, y, values)
    for e in range(spec[EVENT_COUNT]):
        signs[e] = _side(values[e])


@inner
def _side(value: float) -> int:
    return 1 if value > 0.0 else (-1 if value < 0.0 else 0)


@inner
def _note(spec: Any, real: Any, whole: Any, number: int, place: float, e: int, sign: int) -> int:
    """Insert an occurrence in the order of time; returns their number."""
    wanted = spec[spec[AT_WATCH] + WATCH * e + WATCH_DIRECTION]
    if wanted * sign < 0 or number >= spec[HITS]:
        return number
    places = shift(real, spec[AT_HIT_PLACE])
    events, signs = shift(whole, spec[AT_HIT_EVENT]), shift(whole, spec[AT_HIT_SIGN])
    at = number
    while at > 0 and places[at - 1] > place:
        places[at], events[at], signs[at] = places[at - 1], events[at - 1], signs[at - 1]
        at -= 1
    places[at], events[at], signs[at] = place, e, sign
    return number + 1


@inner
def _extremum(left: float, middle: float, right: float) -> float:
    """Where, in units of the distance between samples, the parabola through three samples turns on the way to zero.

    A value outside [-1, 1] means that it does not, or that it stays too far from zero to matter.
    """
    bend, slope = left - 2.0 * middle + right, 0.5 * (right - left)
    if not bend * middle > 0.0:
        return 2.0
    place = -slope / bend
    lowest = middle + 0.5 * slope * place
    if lowest * middle > 0.0 and abs(lowest) > 0.1 * max(abs(left), abs(right)):
        return 2.0
    return place


@inner
def value_at(spec: Any, data: Any, real: Any, t: float, new_t: float, e: int, place: float) -> float:
    """Event e at a place of the step; the row after the samples is scratch space."""
    point = shift(real, spec[AT_POINT])
    scratch = shift(real, spec[AT_VALUES] + (spec[SAMPLES] + 1) * spec[EVENT_COUNT])
    call_point(spec[INTERPOLATE], spec, real, place, point)
    values_at(spec, data, real, t + place * (new_t - t), point, scratch)
    return float(scratch[e])


@inner
def edge(spec: Any, data: Any, real: Any, t: float, new_t: float, e: int, zero: float, other: float) -> float:
    """Where event e, zero at one place and not at the other, begins or ends to be zero: a zero of max(x, 0) lasts."""
    if value_at(spec, data, real, t, new_t, e, zero + LASTING * (other - zero)) != 0.0:
        return zero
    for _ in range(60):
        middle = 0.5 * (zero + other)
        if value_at(spec, data, real, t, new_t, e, middle) == 0.0:
            zero = middle
        else:
            other = middle
    return zero


@written_in
def root(
    spec: Any, data: Any, real: Any, t: float, new_t: float, e: int,
    a: float, fa: float, b: float, fb: float,
) -> float:  # fmt: skip
    """Where event e vanishes between places a and b of opposite signs, or one of them zero: inverse quadratic steps, or halving.

    [Chandrupatla, Adv. Eng. Software 28 (1997) 145]
    """
    if fa == 0.0:
        return edge(spec, data, real, t, new_t, e, a, b)
    if fb == 0.0:
        return edge(spec, data, real, t, new_t, e, b, a)
    c, fc, begin = a, fa, a
    a, fa, b, fb = b, fb, a, fa
    share = 0.5
    for _ in range(120):
        place = a + share * (b - a)
        value = value_at(spec, data, real, t, new_t, e, place)
        if (value > 0.0) == (fa > 0.0):
            c, fc = a, fa
        else:
            c, fc, b, fb = b, fb, a, fa
        a, fa = place, value
        best, least = (a, fa) if abs(fa) < abs(fb) else (b, fb)
        width = 2.0 * EPSILON * abs(best) + 1e-18
        tolerance = width / abs(b - a)
        if least == 0.0:
            return edge(spec, data, real, t, new_t, e, best, begin)
        if tolerance > 0.5:
            return best
        xi, phi = (a - b) / (c - b), (fa - fb) / (fc - fb)
        if phi * phi < xi and (1.0 - phi) ** 2 < 1.0 - xi:
            share = fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
        else:
            share = 0.5
        share = min(max(share, tolerance), 1.0 - tolerance)
    return best


@written_in
def steady(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> bool:
    """Whether all events stay away from zero in a step; the row after the samples then has their values at its end."""
    total = spec[EVENT_COUNT]
    values, point, signs = shift(real, spec[AT_VALUES]), shift(real, spec[AT_POINT]), shift(whole, spec[AT_SIGN])
    for e in range(total):
        if signs[e] * values[e] <= 0.0:
            return False
    scratch, low, high = shift(values, (spec[SAMPLES] + 1) * total), shift(values, total), shift(values, 2 * total)
    for probe in range(3):
        place = 1.0 if probe == 2 else PROBES[0] if probe == 0 else PROBES[1]
        call_point(spec[INTERPOLATE], spec, real, place, point)
        values_at(spec, data, real, new_t if probe == 2 else t + place * (new_t - t), point, scratch)
        for e in range(total):
            size = signs[e] * scratch[e]
            low[e] = min(size, abs(values[e]) if probe == 0 else low[e])
            high[e] = max(size, abs(values[e]) if probe == 0 else high[e])
            if not high[e] - low[e] < STEADY * low[e]:
                return False
    return True


@written_in
def sample(spec: Any, data: Any, real: Any, t: float, new_t: float, low: float, width: float) -> bool:
    """Sample a part of the step; whether the samples tell the events elsewhere in it, so that no passage is between them."""
    total, samples = spec[EVENT_COUNT], spec[SAMPLES]
    values, point = shift(real, spec[AT_VALUES]), shift(real, spec[AT_POINT])
    for j in range(1, samples + 1):
        place = low + width * (j / samples)
        call_point(spec[INTERPOLATE], spec, real, place, point)
        at = new_t if place == 1.0 else t + place * (new_t - t)
        values_at(spec, data, real, at, point, shift(values, j * total))
    scratch = shift(values, (samples + 1) * total)
    for probe in range(2):
        place = low + width * (PROBES[0] if probe == 0 else PROBES[1])
        weights = shift(real, spec[AT_WEIGHTS] + probe * (samples + 1))
        call_point(spec[INTERPOLATE], spec, real, place, point)
        values_at(spec, data, real, t + place * (new_t - t), point, scratch)
        for e in range(total):
            told, size = 0.0, abs(scratch[e])
            for j in range(samples + 1):
                told += weights[j] * values[j * total + e]
                size = max(size, abs(values[j * total + e]))
            if abs(told - scratch[e]) > UNTOLD * size:  # not a number: no side, and nothing to follow
                return False
    return True


@written_in
def scan(
    spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float, low: float, width: float, nearest: float
) -> int:  # fmt: skip
    """Find the occurrences within a part of the step that was sampled, in order; returns their number.

    Row 0 of the samples is the start of the part. ``nearest`` is the place before which a root is the start itself.
    """
    number, total, samples = 0, spec[EVENT_COUNT], spec[SAMPLES]
    values, signs = shift(real, spec[AT_VALUES]), shift(whole, spec[AT_SIGN])
    for e in range(total):
        side = signs[e]
        start = _side(values[e])
        if side * start < 0:  # an input jumped at the break where the step starts
            number = _note(spec, real, whole, number, low, e, start)
        if start != 0:
            side = start
        a, fa = low, values[e]
        for j in range(samples):
            first = second = 2.0
            if j > 0:
                first = _extremum(values[(j - 1) * total + e], values[j * total + e], values[(j + 1) * total + e])
            if j < samples - 1:
                second = 1.0 + _extremum(
                    values[j * total + e], values[(j + 1) * total + e], values[(j + 2) * total + e]
                )
            for part in range(3):
                if part == 2:
                    b, fb = low + width * ((j + 1) / samples), values[(j + 1) * total + e]
                else:
                    turn = min(first, second) if part == 0 else max(first, second)
                    if not 0.0 < turn < 1.0:
                        continue
                    b = low + width * ((j + turn) / samples)
                    fb = value_at(spec, data, real, t, new_t, e, b)
                if fb != fb:  # not a number: no side
                    continue
                new = _side(fb)
                if side == 0:
                    side = new
                elif new * side < 0 or (new == 0 and fa != 0.0):
                    place = root(spec, data, real, t, new_t, e, a, fa, b, fb)
                    # farther from zero than on either side: a pole, where the sign changes and nothing vanishes
                    crossed = not abs(value_at(spec, data, real, t, new_t, e, place)) > max(abs(fa), abs(fb))
                    if crossed and place > nearest:
                        number = _note(spec, real, whole, number, place, e, -side)
                    side = -side
                a, fa = b, fb
        signs[e] = side
    return number
