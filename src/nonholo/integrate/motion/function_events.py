"""Events given as Python functions of the named state: steps are bisected until their samples resolve the function."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.integrate.inputs import rows_with_inputs
from nonholo.integrate.loops.event_location import LASTING, UNTOLD, _extremum
from nonholo.integrate.loops.method_hooks import PROBES, lagrange_weights
from nonholo.integrate.loops.step_control import BLUR, FINEST
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.motion_pieces import (
    FunctionEvent,
    Problem,
    Watcher,
    input_callback,
    pieces_of,
    tables_of,
    way_of,
)
from nonholo.integrate.motion.system_kernel import on_rows
from nonholo.program.array_types import Array

SAMPLES = 8
PATIENCE = 256
"""Parts of a whole motion that could not be followed before steps are no longer halved: Python is slow."""
PLACES = np.array(sorted({*(j / SAMPLES for j in range(1, SAMPLES + 1)), *PROBES}))
"""Sample points of a part of a step, besides its start."""
TELL = [(int(np.searchsorted(PLACES, place)), np.array(lagrange_weights(SAMPLES, place))) for place in PROBES]
"""For each probe its index among the places, and the weights of the samples."""
GRID = [int(np.searchsorted(PLACES, j / SAMPLES)) for j in range(1, SAMPLES + 1)]
Values = Callable[[Array], Array]
"""The events at some times of one step, one row for each time."""


@dataclass
class EventSearch:
    """What was found so far, and how many parts could not be followed."""

    times: list[list[float]]
    sides: list[int]
    """On which side of zero each was last; 0 for one that was never a number other than zero."""
    known: list[bool]
    """Whether each was ever a number."""
    blurred: int = 0
    missed: bool = False


def scan(
    problem: Problem,
    method: Method,
    until: float,
    events: Sequence[FunctionEvent],
    bar: Watcher | None,
    sources: Sequence[Any],
) -> tuple[float, dict[str, list[float]], bool, list[str]]:
    """The times of each event, when a terminal one ends the motion, whether some may be missing, and which were never a number.

    The compiled loops cannot call Python, so the motion is integrated once with every step kept; each step is integrated again
    for the states within it, and searched as the loops search (`nonholo.integrate.loops.event_location`).
    """
    looked = EventSearch([[] for _ in events], [0] * len(events), [False] * len(events))
    pieces, _, _ = pieces_of(problem, method, until, "steps", [], bar, sources)
    forward = until >= problem.time
    for initial, path in pieces:
        for k in range(len(path.times) - 1):
            if path.times[k] != path.times[k + 1] and not _over(events, looked):
                values = _values(problem, initial, method, path.times[k : k + 2], path.states[k], events, sources)
                _search(values, float(path.times[k]), float(path.times[k + 1]), events, looked)
    end = until
    for event, times in zip(events, looked.times):
        if event.terminal and len(times) >= event.terminal:
            last = times[event.terminal - 1]
            end = min(end, last) if forward else max(end, last)
    keep = np.less_equal if forward else np.greater_equal
    found = {e.name: [t for t in ts if keep(t, end)] for e, ts in zip(events, looked.times)}
    return end, found, looked.missed, [e.name for e, known in zip(events, looked.known) if not known]


def _over(events: Sequence[FunctionEvent], looked: EventSearch) -> bool:
    return any(e.terminal and len(ts) >= e.terminal for e, ts in zip(events, looked.times))


def _values(
    problem: Problem, initial: InitialValue, method: Method, span: Array, state: Array, events: Sequence[FunctionEvent],
    sources: Sequence[Any],
) -> Values:  # fmt: skip
    """The events within one step, which is integrated again to its end each time, so that they are functions of time alone."""
    kernel, (t0, t1) = initial.kernel, map(float, span)
    numbers = [problem.parameters[n] for n in kernel.parameters]
    names = ("t", *kernel.equations.state, *kernel.equations.outputs)

    def values(times: Array) -> Array:
        way = way_of(method)(
            initial.kernel, method, t0, state, t1, numbers, tables_of(sources), times, **input_callback(kernel, sources)
        )
        reached = len(way.times)
        rows = rows_with_inputs(kernel, sources, way.times, way.states, problem.parameters)
        columns = np.column_stack([way.times, way.states, on_rows(kernel.outputs, rows)])
        found = np.full((len(times), len(events)), math.nan)
        for k in range(reached):
            named = dict(zip(names, columns[k].tolist()))
            found[k] = [_number(e, named) for e in events]
        return found

    return values


def _number(event: FunctionEvent, state: dict[str, float]) -> float:
    """The event's height; one sentence where it gives none."""
    try:
        found = event.function(dict(state))
        return float(found)
    except (TypeError, ValueError, ArithmeticError, LookupError) as trouble:
        said = f"{type(trouble).__name__}: {trouble}"
        raise StateError(
            f"event {event.name}: no number at t = {state['t']:g} ({said}); give a function of a dict of names and numbers."
        ) from None


def _search(values: Values, t0: float, t1: float, events: Sequence[FunctionEvent], looked: EventSearch) -> None:
    """All occurrences within a step, in order."""
    for low, width, parts in _sampled_parts(values, t0, t1, looked):
        times = np.array([low, *(low + width * PLACES[GRID])])
        times[-1] = t1 if abs(low + width - t1) <= 1e-12 * abs(t1 - t0) else times[-1]
        for e, event in enumerate(events):
            _crossings(partial(_at, values, e), times, parts[:, e], event, e, looked)


def _at(values: Values, e: int, time: float) -> float:
    return float(values(np.array([time]))[0, e])


def _sampled_parts(values: Values, t0: float, t1: float, looked: EventSearch) -> Iterator[tuple[float, float, Array]]:
    """The step in parts whose samples resolve the function: start, length and samples of each."""
    depth, number, parts, blurred = 0, 0, 1, 0
    first = np.empty(0)
    while number < parts:
        width = (t1 - t0) / parts
        low = t0 + number * width
        inside = low + width * PLACES
        inside[-1] = t1 if number + 1 == parts else inside[-1]
        if not len(first):
            found = values(np.array([t0, *inside]))
            first, found = found[0], found[1:]
        else:
            found = values(inside)
        samples = np.vstack([first, found[GRID]])
        size = np.maximum(np.abs(samples).max(axis=0), np.abs(found).max(axis=0))
        if any(np.any(np.abs(weights @ samples - found[at]) > UNTOLD * size) for at, weights in TELL):
            if depth < FINEST and looked.blurred < PATIENCE:
                depth, number, parts = depth + 1, 2 * number, 2 * parts
                continue
            blurred += 1
            looked.blurred += 1
        yield low, width, samples
        first = samples[-1]
        number += 1
        while depth > 0 and number % 2 == 0:
            depth, number, parts = depth - 1, number // 2, parts // 2
    looked.missed |= blurred >= BLUR or looked.blurred >= PATIENCE


def _crossings(
    height: Callable[[float], float], times: Array, samples: Array, event: FunctionEvent, e: int, looked: EventSearch
) -> None:
    """Changes of sign between samples, and between them and where a parabola through three of them turns towards zero."""
    points = list(zip(times.tolist(), samples.tolist()))
    for j in range(1, len(points) - 1):
        turn = _extremum(*samples[j - 1 : j + 2].tolist())
        if 0.0 < abs(turn) < 1.0:
            place = times[j] + turn * (times[j + 1] - times[j])
            points.append((float(place), height(float(place))))
    points.sort(key=lambda p: (p[0] - times[0]) / (times[-1] - times[0]))
    before = math.nan, math.nan
    for time, value in points:
        if value != value:
            continue
        looked.known[e] = True
        side, new = looked.sides[e], (value > 0) - (value < 0)
        if side == 0:
            looked.sides[e] = new
        elif new * side < 0 or (new == 0 and before[1] != 0.0 and before[1] == before[1]):  # a first zero was the last one before
            place, pole = time, False
            if before[1] == before[1]:
                place = _root(height, before, (time, value))
                pole = abs(height(place)) > max(abs(before[1]), abs(value))  # the sign changes and nothing vanishes
            if not pole and not event.direction * -side < 0:
                looked.times[e].append(place)
            looked.sides[e] = -side
        before = time, value


def _root(height: Callable[[float], float], low: tuple[float, float], high: tuple[float, float]) -> float:
    """Where the event vanishes between two times, or begins or ends to be zero; its values at these are known."""
    (a, below), (b, above) = low, high
    if below * above < 0.0:
        from scipy.optimize import brentq

        known = dict((low, high))
        near = 1e-15 * max(abs(a), abs(b)) + 1e-300
        b = brentq(lambda t: known[t] if t in known else height(t), a, b, xtol=near, rtol=1e-15, maxiter=400, disp=False)
        if height(b) != 0.0:
            return b
    elif below == 0.0:
        a, b = b, a
    return _edge(height, b, a)


def _edge(height: Callable[[float], float], zero: float, other: float) -> float:
    """Where an event, zero at one time and not at the other, begins or ends to be zero: a zero of ``max(x, 0)`` lasts."""
    if height(zero + LASTING * (other - zero)) != 0.0:
        return zero
    for _ in range(60):
        middle = 0.5 * (zero + other)
        zero, other = (middle, other) if height(middle) == 0.0 else (zero, middle)
    return zero
