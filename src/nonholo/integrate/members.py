"""The loop over members: threads that call the compiled loops without the GIL."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.integrate.advance import Event, advance, watch
from nonholo.integrate.methods.base import Method
from nonholo.integrate.outcome import Outcome

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class Runs:
    """All members: states over (member, t), where each ended and why, and the times of its events."""

    states: Array
    final: Array
    end_times: Array
    outcomes: list[Outcome]
    events: list[list[list[float]]]
    """For each member, for each event, its times."""


def run_members(
    kernel: Kernel,
    method: Method,
    t0: float,
    starts: Array,
    t1: float,
    parameters: Array,
    inputs: Sequence[Any],
    times: Array,
    events: Sequence[Event],
    thresholds: Sequence[float] = (),
    skip: Sequence[bool] = (),
    threads: int | None = None,
) -> Runs:
    """Integrate every member from its row of ``starts`` with its row of ``parameters``."""
    count, size = starts.shape
    states = np.full((count, len(times), size), np.nan)
    final, ends = np.full((count, size), np.nan), np.full(count, t0)
    outcomes = [Outcome("bad start", t0, "")] * count
    hits: list[list[list[float]]] = [[[] for _ in events] for _ in range(count)]
    watched = watch(kernel, events)

    def run(k: int) -> None:
        path = advance(
            kernel, method, t0, starts[k], t1, parameters[k], inputs, times, watched, condition_thresholds=thresholds
        )
        states[k, : len(path.times)] = path.states
        final[k], ends[k], outcomes[k] = path.final_state, path.final_time, path.outcome
        for t, j in zip(path.occurrences.times, path.occurrences.index):
            hits[k][int(j)].append(float(t))

    wanted = [k for k in range(count) if not (skip and skip[k])]
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        list(pool.map(run, wanted))
    return Runs(states, final, ends, outcomes, hits)
