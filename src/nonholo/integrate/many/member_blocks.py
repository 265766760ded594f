"""Integrate members of an ensemble in blocks, in threads without the GIL."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.compile.lane_steps import wide_rates
from nonholo.errors import StateError
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.integration_plan import Watched
from nonholo.integrate.loops.arguments.workspace import EventBuffers, Occurrences, OutputBuffers, Workspace
from nonholo.integrate.loops.compilation.native import place
from nonholo.integrate.loops.compilation.vector_instructions import LANES
from nonholo.integrate.loops.lane_loop import lane_room
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.integration import (
    Event,
    check_numbers,
    check_times,
    space_of,
)
from nonholo.integrate.outcome import Outcome, outcome
from nonholo.program.array_types import AnyArray
from nonholo.program.machine_code import MachineCode

Ends = Callable[[AnyArray, AnyArray, AnyArray, AnyArray], None]
"""Called with members, their states over (member, time), their last states and end times."""
ALL_STEPS = 2**62
LINE = 8
"""Numbers in a line of the processor's cache."""
LARGEST_BLOCK = 256
SIDE_BY_SIDE = 64
"""From so many members on they move several at a time; fewer are not worth another compilation."""


@dataclass(frozen=True, eq=False)
class Paths:
    """Computed motions, one row for each member."""

    times: AnyArray
    states: AnyArray
    """States over (member, time); not a number after a member's end."""
    final_times: AnyArray
    final_states: AnyArray
    status: AnyArray
    """How each member ended, as a code of `nonholo.integrate.loops.arguments.array_layout`; FRESH when it never began."""
    occurrences: tuple[Occurrences, ...]
    accepted: AnyArray
    rejected: AnyArray
    calls: AnyArray
    blurred: AnyArray
    """1 where occurrences of events may be missing."""
    emitted: AnyArray
    """How many of the times each member has come to."""

    def outcome(self, member: int) -> Outcome:
        """How a member ended; one that never began was interrupted at its start."""
        code = int(self.status[member])
        code = at.INTERRUPTED if code in (at.FRESH, at.RUNNING) else code
        return outcome(code, float(self.final_times[member]), bool(self.blurred[member]))


def advance_many(
    kernel: Kernel,
    method: Method,
    t0: float,
    starts: AnyArray,
    t1: float,
    parameters: AnyArray | Sequence[float] = (),
    inputs: Sequence[Any] = (),
    t_eval: Sequence[float] | AnyArray | None = None,
    events: Sequence[Event] | Watched = (),
    pivot_threshold: float = 0.0,
    condition_thresholds: Sequence[float] = (),
    skip: Sequence[bool] | AnyArray = (),
    threads: int | None = None,
    on_block: Callable[[int], bool | None] | None = None,
    on_ends: Ends | None = None,
    side_by_side: bool = True,
    begins: AnyArray | None = None,
    emitted: AnyArray | None = None,
) -> Paths:
    """Integrate every row of ``starts`` with its row of ``parameters`` (or one row for all), as `advance` would.

    Each member has the very bits that `advance` gives it alone, whatever the number of threads and whether it moves with
    others (``side_by_side``, where the method can), but where forces jump or are narrow at times that parameters move, at which
    the steps of all members end; a member that fails touches no other. ``on_block(done)`` hears how many
    members are done and may return False to interrupt, as Ctrl-C does; ``on_ends`` gets the results of each block, in its
    thread. Members in ``skip`` are left out. Without ``t_eval`` only the ends are kept. ``begins`` are times between t0 and t1 at
    which members begin by themselves, ``emitted`` how many of the times each had before.
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
    times = check_times(t_eval, t0, t1)
    space = space_of(kernel, method, t0, t1, inputs, events, pivot_threshold, condition_thresholds, given)
    wanted = np.flatnonzero(~np.asarray(skip, dtype=bool)) if len(skip) else np.arange(count)
    workers = threads or os.cpu_count() or 1
    wide = side_by_side and method.lanes is not None and len(wanted) >= SIDE_BY_SIDE
    code = wide_rates(kernel, LANES) if wide else None
    blocks = _blocks(wanted, workers, 4 * LANES if wide else 1)
    size = max((len(b) for b in blocks), default=0)
    states = np.full((count, len(times), n), np.nan)
    reals = np.empty((count, n))
    ends, numbers = np.full(count, t0), np.zeros((count, 6), dtype=np.int64)
    clocks = _clocks(space, count, t0, begins, emitted)
    seen: list[Occurrences] = [EventBuffers(1, 0, n).of(0, 0)] * count
    stop = np.zeros(1, dtype=np.int64)
    reals[:] = np.nan

    rooms: list[tuple[AnyArray, AnyArray, AnyArray]] = []  # of blocks that are done: memory that the system need not find again

    def run(members: AnyArray) -> int:
        try:
            room = rooms.pop()
        except IndexError:
            room = (
                np.empty((size, len(space.real))),
                np.empty((size, len(space.whole)), dtype=np.int64),
                np.empty((size, len(times), n)),
            )
        real, whole, found = (a[: len(members)] for a in room)
        own = clocks[members]
        happened = _run_block(method, space, times, first[members], given[members], own, stop, real, whole, found, code)
        states[members] = found
        reals[members] = real[:, space.state : space.state + n]
        ends[members] = real[:, at.TIME]
        numbers[members] = whole[:, [at.STATUS, at.ACCEPTED, at.REJECTED, at.CALLS, at.BLURRED, at.EMITTED]]
        for row, k in enumerate(members if space.hits else ()):
            seen[k] = happened.of(row, int(whole[row, at.OCCURRED]))
        if on_ends is not None:
            on_ends(members, found, reals[members], ends[members])
        rooms.append(room)
        return len(members)

    _in_threads(run, blocks, workers, stop, on_block)
    return Paths(times, states, ends, reals, numbers[:, 0], tuple(seen), *numbers[:, 1:].T)


def _clocks(space: Workspace, count: int, t0: float, begins: AnyArray | None, emitted: AnyArray | None) -> AnyArray:
    """For each member when it begins, how many breaks lie before that, and how many of the times."""
    clocks = np.zeros((count, 3))
    clocks[:, 0] = t0 if begins is None else begins
    first = int(space.spec[at.AT_BREAKS])
    breaks = space.data[first : first + int(space.spec[at.BREAKS])]
    clocks[:, 1] = np.searchsorted(breaks, clocks[:, 0], side="right") if begins is not None else 0
    clocks[:, 2] = 0 if emitted is None else emitted
    return clocks


def _blocks(members: AnyArray, workers: int, least: int = 1) -> list[AnyArray]:
    """Members in blocks, smaller and smaller towards the end, so that all threads end at the same time."""
    blocks, k = [], 0
    while k < len(members):
        size = max(least, min(LARGEST_BLOCK, (len(members) - k) // (4 * workers)))
        blocks.append(members[k : k + size])
        k += size
    return blocks


def _run_block(
    method: Method, space: Workspace, times: AnyArray, starts: AnyArray, parameters: AnyArray, clocks: AnyArray,
    stop: AnyArray, real: AnyArray, whole: AnyArray, states: AnyArray, code: MachineCode | None,
) -> EventBuffers:  # fmt: skip
    """Integrate a block of members to their ends, into their memory and states; returns their events."""
    n = starts.shape[1]
    real[:], whole[:], states[:] = space.real, space.whole, np.nan
    real[:, space.state : space.state + n] = starts
    real[:, space.parameters : space.parameters + parameters.shape[1]] = parameters
    real[:, at.TIME] = real[:, at.START] = clocks[:, 0]
    whole[:, at.NEXT_BREAK], whole[:, at.EMITTED] = clocks[:, 1], clocks[:, 2]
    room = OutputBuffers(space, times, states, 2 * space.hits)
    lanes = LaneMemory(space, method.stages) if code is not None else None
    while True:
        if lanes is not None and code is not None and method.lanes is not None:
            room.moved(space, real, whole, 0, stop)
            call = room.call(space, real, whole, ALL_STEPS, stop)
            call[at.OF_LANES], call[at.OF_WHO], call[at.WIDE_RATES] = *map(place, lanes.arrays), code.address
            method.lanes(call)
            if np.any((whole[:, at.WAITING] != 0) & (whole[:, at.STATUS] == at.RUNNING)):
                room.grow(whole)
                continue
        room.moved(space, real, whole, ALL_STEPS, stop)
        if not room.grow(whole):
            return room.events


class LaneMemory:
    """Memory for motions side by side, on the boundary of a cache line."""

    def __init__(self, space: Workspace, stages: int) -> None:
        spec = space.spec
        given = 1 + spec[at.STATE] + spec[at.INPUTS] + spec[at.PARAMETERS] + spec[at.SYSTEM] + spec[at.CONSTANTS_COUNT]
        size = lane_room(int(spec[at.STATE]), int(spec[at.WIDTH]), int(given), stages)
        raw = np.zeros(size + LINE)
        ahead = -(raw.ctypes.data // raw.itemsize) % LINE
        self.arrays = raw[ahead : ahead + size], np.zeros(2 * LANES, dtype=np.int64)


def _in_threads(
    run: Callable[[AnyArray], int],
    blocks: list[AnyArray],
    workers: int,
    stop: AnyArray,
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
