"""Output buffers of the compiled loops, enlarged when they are full."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.workspace import Workspace
from nonholo.integrate.loops.compilation.native import place
from nonholo.integrate.loops.step_loop import run_loop
from nonholo.program.array_types import Array

Whole = NDArray[np.int64]
STEPS = 256
"""Initial capacity in steps, where every step is recorded."""
NO_LANES = (0, 0, 0)


@dataclass(frozen=True, eq=False)
class Occurrences:
    """Every occurrence of the events, in the order in which they happened."""

    times: Array
    states: Array
    index: Whole
    """Which event."""
    sign: Whole
    """+1: passed upwards, -1: downwards."""

    def of(self, number: int) -> list[tuple[float, Array]]:
        """Times and states of one event."""
        return [(float(self.times[k]), self.states[k]) for k in np.flatnonzero(self.index == number)]


Kind = TypeVar("Kind", bound=np.generic)


def _twice(array: NDArray[Kind], axis: int = 1) -> NDArray[Kind]:
    """A copy with twice the capacity."""
    return np.concatenate([array, np.empty_like(array)], axis=axis)


class Seen:
    """Room for the occurrences of events of some members."""

    def __init__(self, members: int, room: int, n: int) -> None:
        self.room = room
        self.arrays = (
            np.empty((members, room)),
            np.empty((members, room, n)),
            np.empty((members, room, 2), dtype=np.int64),
        )

    def grow(self) -> None:
        """Double the capacity."""
        self.room *= 2
        times, states, index = self.arrays
        self.arrays = (_twice(times), _twice(states), _twice(index))

    def of(self, member: int, count: int) -> Occurrences:
        """What happened to a member."""
        times, states, index = self.arrays
        return Occurrences(times[member, :count], states[member, :count], index[member, :count, 0], index[member, :count, 1])


class Room:
    """Output of the loops for all members of a workspace: states at the output times, recorded steps, events."""

    def __init__(self, space: Workspace, wanted: Array, states: Array, events: int) -> None:
        members, _, n = states.shape
        self.recording = bool(space.spec[at.RECORDING])
        self.wanted, self.states = wanted, states
        self.steps, self.step_states = np.empty(STEPS * self.recording), np.empty((STEPS * self.recording, n))
        self.events = Seen(members, events, n)

    @property
    def arrays(self) -> tuple[NDArray[Any], ...]:
        """As the loops take them."""
        return self.wanted, self.states, self.steps, self.step_states, *self.events.arrays

    def call(self, space: Workspace, real: Array, whole: Whole, steps: int, stop: Whole) -> Whole:
        """Arguments of a loop, see `nonholo.integrate.loops.arguments.array_layout.OF_SPEC`; the arrays must outlive the call."""
        arrays = (space.spec, space.data, real, whole, *self.arrays, stop)
        members, lengths = len(real), (real.shape[1], whole.shape[1], len(self.wanted), len(self.steps), self.events.room)
        return np.array([*map(place, arrays), *NO_LANES, members, *lengths, steps], dtype=np.int64)

    def moved(self, space: Workspace, real: Array, whole: Whole, steps: int, stop: Whole) -> int:
        """Advance every member by up to ``number`` steps; the status is returned, and ``whole`` says who needs more capacity."""
        return run_loop(self.call(space, real, whole, steps, stop))

    def grow(self, whole: Whole) -> bool:
        """Double the buffers that a member waits for; False where none does."""
        waiting = whole[:, at.WAITING]
        if not waiting.any():
            return False
        if self.recording and whole[0, at.RECORDED] >= len(self.steps):
            self.steps, self.step_states = _twice(self.steps, 0), _twice(self.step_states, 0)
        if (waiting == 2).any():
            self.events.grow()
        return True
