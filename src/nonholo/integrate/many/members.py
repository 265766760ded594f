"""All members of an ensemble: blocks of them in the compiled loops, or one by one when a method goes its own way."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.loops.arguments.workspace import EventBuffers, Occurrences
from nonholo.integrate.many.member_blocks import Ends, advance_many
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.integration import Event, Path
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.outcome import Outcome
from nonholo.program.array_types import AnyArray


@dataclass(frozen=True, eq=False)
class Runs:
    """All members: states over (member, t), where each ended and why, and the times of its events."""

    states: AnyArray
    final: AnyArray
    end_times: AnyArray
    outcomes: list[Outcome]
    """Every way in which one ended; the time in it is that of the first one."""
    ways: AnyArray
    """For each member its place among the outcomes."""
    events: list[list[list[float]]]
    """For each member, for each event, its times."""
    occurrences: Sequence[Occurrences] = ()
    """For each member its events with their states, where there are events."""


def run_members(
    kernel: Kernel,
    method: Method,
    t0: float,
    starts: AnyArray,
    t1: float,
    parameters: AnyArray,
    inputs: Sequence[Any],
    times: AnyArray,
    events: Sequence[Event],
    thresholds: Sequence[float] = (),
    skip: Sequence[bool] | AnyArray = (),
    threads: int | None = None,
    on_ends: Ends | None = None,
) -> Runs:
    """Integrate every member from its row of ``starts`` with its row of ``parameters``.

    ``on_ends(members, states, final states, end times)`` hears of each block of members that is done, in its thread.
    """
    way = getattr(method, "path", None)
    if way is not None:
        runs = _one_by_one(
            way, kernel, method, t0, starts, t1, parameters, inputs, times, events, thresholds, skip, threads
        )
        if on_ends is not None:
            on_ends(np.arange(len(starts)), runs.states, runs.final, runs.end_times)
        return runs
    paths = advance_many(
        kernel, method, t0, starts, t1, parameters, inputs, times, events,
        condition_thresholds=thresholds, skip=skip, threads=threads, on_ends=on_ends,
    )  # fmt: skip
    _, first, ways = np.unique(2 * paths.status + paths.blurred, return_index=True, return_inverse=True)
    outcomes = [paths.outcome(int(k)) for k in first]
    # one empty list for all: a list for each member would set Python's garbage collector to work
    none: list[list[float]] = []
    hits = [_event_times(seen, len(events)) for seen in paths.occurrences] if events else [none] * len(starts)
    seen = paths.occurrences if events else ()
    return Runs(paths.states, paths.final_states, paths.final_times, outcomes, ways, hits, seen)


def _one_by_one(
    way: Callable[..., Path], kernel: Kernel, method: Method, t0: float, starts: AnyArray, t1: float, parameters: AnyArray,
    inputs: Sequence[Any], times: AnyArray, events: Sequence[Event], thresholds: Sequence[float], skip: Sequence[bool] | AnyArray,
    threads: int | None,
) -> Runs:  # fmt: skip
    """Members of a method without a compiled loop, in threads that help as far as it lets go of the GIL."""
    count, size = starts.shape
    states = np.full((count, len(times), size), np.nan)
    final, ends = np.full((count, size), np.nan), np.full(count, t0)
    outcomes = [Outcome("bad start", t0)] * count
    hits: list[list[list[float]]] = [[[] for _ in events] for _ in range(count)]
    seen = [EventBuffers(1, 0, size).of(0, 0)] * count

    def run(k: int) -> None:
        path = way(
            kernel, method, t0, starts[k], t1, parameters[k], inputs, times, events, condition_thresholds=thresholds
        )
        states[k, : len(path.times)] = path.states
        final[k], ends[k], outcomes[k] = path.final_state, path.final_time, path.outcome
        hits[k], seen[k] = _event_times(path.occurrences, len(events)), path.occurrences

    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        list(pool.map(run, [k for k in range(count) if not (len(skip) and skip[k])]))
    return Runs(states, final, ends, outcomes, np.arange(count), hits, seen)


def _event_times(seen: Occurrences, events: int) -> list[list[float]]:
    """For each event its times."""
    return [seen.times[seen.index == k].tolist() for k in range(events)]


def _values(given: Any, times: AnyArray) -> AnyArray:
    """An input at times; a number where the method takes numbers alone, and zero until a function has seen the state."""
    if isinstance(given, Signal):
        return given.values(times)
    return np.full(len(times), float(given) if isinstance(given, (int, float)) else 0.0)


class Columns:
    """Quantities by name: ``along`` over (member, t), ``final`` at each member's end; not a number where it never was."""

    def __init__(
        self, kernel: SystemKernel, times: AnyArray, parameters: Mapping[str, AnyArray], signals: Sequence[Any], count: int
    ) -> None:
        names, kinds, self._code = kernel.columns
        self._state = kernel.equations.state
        self._times, self._signals = times, signals
        self._driven = [_values(s, times) for s in signals]
        fixed = [parameters[n] for n in kernel.parameters]
        self._fixed = np.stack(fixed, axis=1) if fixed else np.zeros((count, 0))
        self._shown = [(n, k) for k, (n, kind) in enumerate(zip(names, kinds)) if kind != "residual"]
        every = (*self._state, *(n for n, _ in self._shown))
        self.along = {n: np.full((count, len(times)), np.nan) for n in every}
        self.final = {n: np.full(count, np.nan) for n in every}

    def fill(self, members: AnyArray, states: AnyArray, final: AnyArray, ends: AnyArray) -> None:
        """The quantities of some members from their states over (member, t), their last states and end times."""
        count, length, size = states.shape
        inputs = len(self._signals)
        rows = np.empty((count, length + 1, 1 + size + inputs + self._fixed.shape[1]))
        rows[:, :length, 0], rows[:, length, 0] = self._times, ends
        rows[:, :length, 1 : 1 + size], rows[:, length, 1 : 1 + size] = states, final
        for k, s in enumerate(self._signals):
            rows[:, :length, 1 + size + k] = self._driven[k]
            rows[:, length, 1 + size + k] = _values(s, ends)
        rows[:, :, 1 + size + inputs :] = self._fixed[members, None, :]
        values = on_rows(self._code, rows.reshape(count * (length + 1), -1)).reshape(count, length + 1, -1)
        for k, name in enumerate(self._state):
            self.along[name][members] = states[:, :, k]
            self.final[name][members] = final[:, k]
        for name, k in self._shown:
            self.along[name][members] = values[:, :length, k]
            self.final[name][members] = values[:, length, k]
