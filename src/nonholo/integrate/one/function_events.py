"""Events given as Python functions of the named state: found between steps, refined by integrating again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.integrate.methods.base import Method
from nonholo.integrate.one.motion import (
    Problem,
    WantedEvent,
    Watcher,
    filling,
    named_state,
    pieces_of,
    tables_of,
    way_of,
)


def scan(
    problem: Problem,
    method: Method,
    until: float,
    events: Sequence[WantedEvent],
    bar: Watcher | None,
    sources: Sequence[Any],
) -> tuple[float, dict[str, list[float]]]:
    """The times of each event, and the time at which a terminal one ends the motion (``until`` when none does).

    The compiled loops cannot call Python, so the motion is integrated once with every step kept; a change of sign
    between two steps is narrowed down by integrating from the step before it.
    """
    from scipy.optimize import brentq

    found: dict[str, list[float]] = {e.name: [] for e in events}
    end = until
    pieces, _, _ = pieces_of(problem, method, until, "steps", [], bar, sources)
    forward = until >= problem.time
    for prepared, path in pieces:
        numbers = [problem.parameters[n] for n in prepared.derived.parameters]

        def value(event: WantedEvent, time: float, state: Any, prepared: Any = prepared) -> float:
            return float(event.source(named_state(problem, prepared, time, state, sources)))

        for event in events:
            heights = [value(event, t, y) for t, y in zip(path.times, path.states)]
            for k in range(len(heights) - 1):
                rising = heights[k + 1] > heights[k]
                if heights[k] * heights[k + 1] >= 0 or (event.direction and (event.direction > 0) != rising):
                    continue
                t0, y0 = float(path.times[k]), path.states[k]

                def height(
                    time: float,
                    t0: float = t0,
                    y0: Any = y0,
                    event: WantedEvent = event,
                    prepared: Any = prepared,
                    numbers: Any = numbers,
                ) -> float:
                    if time == t0:
                        return value(event, t0, y0, prepared)
                    given = tables_of(sources), *(filling(prepared.derived, sources),)
                    there = way_of(method)(prepared.kernel, method, t0, y0, time, numbers, given[0], **given[1])
                    return value(event, time, there.final_state, prepared)

                found[event.name].append(float(brentq(height, t0, float(path.times[k + 1]), xtol=1e-14, rtol=1e-14)))
    for event in events:
        times = found[event.name]
        if event.terminal and len(times) >= event.terminal:
            last = times[event.terminal - 1]
            end = min(end, last) if forward else max(end, last)
    keep = np.less_equal if forward else np.greater_equal
    return end, {n: [t for t in ts if keep(t, end)] for n, ts in found.items()}
