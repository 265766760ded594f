"""Arrays of one integration: the arguments laid out as `array_layout` says, and output buffers that grow when they are full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.compile.kernel import Kernel
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.integration_plan import IntegrationPlan, Watched, Whole, filled
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.loops.compilation.native import place
from nonholo.integrate.loops.step_loop import run_loop
from nonholo.integrate.methods.method_record import Method
from nonholo.program.array_types import Array


@dataclass(frozen=True, eq=False)
class Workspace:
    """The arrays of an integration; ``real`` and ``whole`` are templates, to be copied for each motion."""

    spec: Whole
    data: Array
    real: Array
    whole: Whole
    state: int
    """Offset of the state in ``real``."""
    parameters: int
    """Offset of the parameters in ``real``."""
    hits: int
    """Capacity that the events of one part of a step may need."""
    watched: Watched
    owners: tuple[object, ...]
    """Who keep the machine code alive whose addresses are in ``spec``."""


Kind = TypeVar("Kind", bound=np.generic)
STEPS = 256
"""Initial capacity in steps, where every step is recorded."""
NO_LANES = (0, 0, 0)
Template = tuple[list[int], Array, Whole, int, object]
_TEMPLATES: WeakCache[Cache[Template]] = WeakCache(64)
"""Arrays of a kernel by method and events: what is left of them for a motion are its times, inputs and state."""


def workspace(
    kernel: Kernel,
    method: Method,
    t0: float,
    t1: float,
    signals: Sequence[Signal],
    watched: Watched,
    recording: bool,
    pivot_threshold: float,
    condition_thresholds: Sequence[float],
    hurried: bool = False,
) -> Workspace:
    """Arrays for motions of one kernel from t0 to t1; state and parameters are left open."""
    plan = IntegrationPlan(kernel, method, t0, t1, watched, recording, hurried)
    key = (method, watched, recording, plan.rates_code.address, plan.conditions.address)

    def made() -> Template:
        return *filled(plan, at.spec, at.real, at.whole), plan.state + plan.inputs, plan.slopes

    numbers, reals, wholes, width, slopes = _TEMPLATES.get(kernel, lambda: Cache(16)).get(key, made)
    spec, real, whole = numbers.copy(), reals.copy(), wholes.copy()
    real[at.START], real[at.END] = t0, t1
    data = _tables(spec, signals, watched, t0, t1, [pivot_threshold, *condition_thresholds])
    places = spec[at.AT_Y], spec[at.AT_GIVEN] + 1 + width
    return Workspace(np.array(spec), data, real, whole, *places, spec[at.HITS], watched, (kernel, slopes))


def _tables(
    spec: list[int], signals: Sequence[Signal], watched: Watched, t0: float, t1: float, thresholds: Sequence[float]
) -> Array:
    """Append the tables of inputs and events to spec; gather thresholds, breaks, knots and coefficients."""
    breaks = np.empty(0)
    if signals:
        low, high = min(t0, t1), max(t0, t1)
        breaks = np.unique(np.concatenate([s.breaks for s in signals]))
        breaks = breaks[(breaks > low) & (breaks < high)]
        breaks = breaks if t1 > t0 else breaks[::-1]
    parts = [np.array([*thresholds, 0.0]), breaks]
    start = len(thresholds) + 1 + len(breaks)
    spec[at.AT_THRESHOLD], spec[at.AT_BREAKS], spec[at.BREAKS] = 0, len(thresholds) + 1, len(breaks)
    spec[at.AT_TABLES] = len(spec)
    for s in signals:
        spec += [start, len(s.knots) - 1, s.coefficients.shape[1] - 1, start + len(s.knots)]
        parts += [s.knots, s.coefficients.ravel()]
        start += len(s.knots) + s.coefficients.size
    spec[at.AT_WATCH] = len(spec)
    for direction, terminal in zip(watched.direction, watched.terminal):
        spec += [direction, terminal]
    return np.concatenate(parts) if signals else parts[0]


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


def _twice(array: NDArray[Kind], axis: int = 1) -> NDArray[Kind]:
    """A copy with twice the capacity."""
    return np.concatenate([array, np.empty_like(array)], axis=axis)


class EventBuffers:
    """Capacity for the occurrences of events of some members."""

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


class OutputBuffers:
    """Output of the loops for all members of a workspace: states at the output times, recorded steps, events."""

    def __init__(self, space: Workspace, wanted: Array, states: Array, events: int) -> None:
        members, _, n = states.shape
        self.recording = bool(space.spec[at.RECORDING])
        self.wanted, self.states = wanted, states
        self.steps, self.step_states = np.empty(STEPS * self.recording), np.empty((STEPS * self.recording, n))
        self.events = EventBuffers(members, events, n)

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
