"""Many motions of one kernel: blocks of members in threads, each block one call of a compiled loop without the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.errors import StateError
from nonholo.integrate import layout as at
from nonholo.integrate.advance import (
    Event,
    Occurrences,
    Seen,
    check_inputs,
    check_numbers,
    check_thresholds,
    check_times,
    watch,
)
from nonholo.integrate.methods.base import Method
from nonholo.integrate.outcome import Outcome, outcome
from nonholo.integrate.workspace import Watched, Workspace, workspace

Array = np.ndarray[Any, np.dtype[Any]]
ALL_STEPS = 2**62
LARGEST_BLOCK = 64


@dataclass(frozen=True, eq=False)
class Paths:
    """Computed motions, one row for each member."""

    times: Array
    states: Array
    """States over (member, time); not a number after a member's end."""
    final_times: Array
    final_states: Array
    status: Array
    """How each member ended, as a code of `nonholo.integrate.layout`; FRESH when it never began."""
    occurrences: tuple[Occurrences, ...]
    accepted: Array
    rejected: Array
    calls: Array

    def outcome(self, member: int) -> Outcome:
        """How a member ended; one that never began was interrupted at its start."""
        code = int(self.status[member])
        return outcome(at.INTERRUPTED if code in (at.FRESH, at.RUNNING) else code, float(self.final_times[member]))


def advance_many(
    kernel: Kernel,
    method: Method,
    t0: float,
    starts: Array,
    t1: float,
    parameters: Array | Sequence[float] = (),
    inputs: Sequence[Any] = (),
    t_eval: Sequence[float] | Array | None = None,
    events: Sequence[Event] | Watched = (),
    pivot_threshold: float = 0.0,
    condition_thresholds: Sequence[float] = (),
    skip: Sequence[bool] = (),
    threads: int | None = None,
    on_block: Callable[[int], bool | None] | None = None,
) -> Paths:
    """Integrate every row of ``starts`` with its row of ``parameters`` (or one row for all), as `advance` would.

    Each member has the very bits that `advance` gives it alone, whatever the number of threads; a member that fails
    touches no other. ``on_block(done)`` hears how many members are done and may return False to interrupt, as Ctrl-C
    does. Members in ``skip`` are left out. Without ``t_eval`` only the ends are kept.
    """
    t0, t1 = float(t0), float(t1)
    first = np.array(starts, dtype=float)
    if first.ndim != 2:
        raise StateError(f"{kernel.equations.name}: starts has shape {first.shape}; one row for each member is needed.")
    count, n = first.shape
    given = np.array(parameters, dtype=float)
    given = np.broadcast_to(given, (count, given.shape[-1] if given.ndim else 0))
    if count:
        check_numbers(kernel, t0, t1, first[0], given[0])
    signals = check_inputs(kernel, inputs, t0, t1)
    watched = events if isinstance(events, Watched) else watch(kernel, events)
    thresholds = check_thresholds(kernel, condition_thresholds)
    times = check_times(t_eval, t0, t1)
    space = workspace(kernel, method, t0, t1, signals, watched, False, pivot_threshold, thresholds)
    wanted = np.array([k for k in range(count) if not (len(skip) and skip[k])], dtype=np.int64)
    workers = threads or os.cpu_count() or 1
    size = max(1, min(LARGEST_BLOCK, -(-len(wanted) // (8 * workers))))
    states = np.full((count, len(times), n), np.nan)
    reals = np.empty((count, n))
    ends, numbers = np.full(count, t0), np.zeros((count, 4), dtype=np.int64)
    seen: list[Occurrences] = [Seen(1, 0, n).of(0, 0)] * count
    stop = np.zeros(1, dtype=np.int64)
    reals[:] = np.nan

    def run(members: Array) -> int:
        real, whole, found, happened = _run_block(method, space, times, first[members], given[members], stop)
        states[members] = found
        reals[members] = real[:, space.state : space.state + n]
        ends[members] = real[:, at.TIME]
        numbers[members] = whole[:, [at.STATUS, at.ACCEPTED, at.REJECTED, at.CALLS]]
        for row, k in enumerate(members if space.hits else ()):
            seen[k] = happened.of(row, int(whole[row, at.OCCURRED]))
        return len(members)

    _in_threads(run, [wanted[k : k + size] for k in range(0, len(wanted), size)], workers, stop, on_block)
    return Paths(times, states, ends, reals, numbers[:, 0], tuple(seen), *numbers[:, 1:].T)


def _run_block(
    method: Method, space: Workspace, times: Array, starts: Array, parameters: Array, stop: Array
) -> tuple[Array, Array, Array, Seen]:
    """Integrate a block of members to their ends; returns their memory, states and events."""
    count, n = starts.shape
    real, whole = np.tile(space.real, (count, 1)), np.tile(space.whole, (count, 1))
    real[:, space.state : space.state + n] = starts
    real[:, space.parameters : space.parameters + parameters.shape[1]] = parameters
    real[:, at.TIME] = space.real[at.START]
    states = np.full((count, len(times), n), np.nan)
    happened = Seen(count, 2 * space.hits, n)
    none, no_rows = np.empty(0), np.empty((0, n))
    while True:
        room = (times, states, none, no_rows, *happened.arrays)
        method.loop(space.spec, space.data, real, whole, *room, ALL_STEPS, stop)
        if not np.any(whole[:, at.WAITING]):
            return real, whole, states, happened
        happened.grow()


def _in_threads(
    run: Callable[[Array], int],
    blocks: list[Array],
    workers: int,
    stop: Array,
    on_block: Callable[[int], bool | None] | None,
) -> None:
    """Run all blocks; Ctrl-C or a False from ``on_block`` ends the running ones soon and starts no others.

    Each thread takes the next block by itself: a future for each block would keep the GIL busier than the blocks do.
    """
    left, ready, done = iter(blocks), SimpleQueue[int](), 0

    def work() -> None:
        try:
            for block in left:
                if stop[0] != 0:
                    return
                size = run(block)
                if on_block is not None:
                    ready.put(size)
        finally:
            ready.put(0)

    with ThreadPoolExecutor(workers) as pool:
        threads = [pool.submit(work) for _ in range(min(workers, len(blocks)))]
        running = len(threads)
        try:
            while running:
                size = ready.get()
                running -= size == 0
                done += size
                if size and on_block is not None and on_block(done) is False:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            stop[0] = 1
        except BaseException:
            stop[0] = 1
            raise
    for thread in threads:
        thread.result()
