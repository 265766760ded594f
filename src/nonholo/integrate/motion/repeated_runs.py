"""Run the same prepared motion from many starts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.errors import StateError
from nonholo.integrate.loops import array_layout as at
from nonholo.integrate.loops.integration_plan import Watched
from nonholo.integrate.loops.step_loop import run_loop
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.integration import NEVER, Event, check_numbers, space_of
from nonholo.integrate.motion.output_buffers import Room
from nonholo.integrate.outcome import Outcome, outcome

Array = np.ndarray[Any, np.dtype[Any]]
ALL_STEPS = 2**62


class End(NamedTuple):
    """Where a motion ended, and how (a status of `nonholo.integrate.loops.array_layout`)."""

    time: float
    state: Array
    status: int

    @property
    def outcome(self) -> Outcome:
        """How it ended, in words."""
        return outcome(self.status, self.time)


class Launcher:
    """Motions of one kernel from t0 to t1 (or to a terminal event): for shooting, return maps, exponents.

    ``launcher(y0)`` gives the very state that `advance` gives, some forty microseconds sooner. It cannot be
    interrupted, and one launcher serves one thread at a time.
    """

    def __init__(
        self,
        kernel: Kernel,
        method: Method,
        t0: float,
        t1: float,
        parameters: Sequence[float] | Array = (),
        inputs: Sequence[Any] = (),
        events: Sequence[Event] | Watched = (),
        pivot_threshold: float = 0.0,
        condition_thresholds: Sequence[float] = (),
    ) -> None:
        n = kernel.dimension
        t0, t1 = float(t0), float(t1)
        _, values = check_numbers(kernel, t0, t1, np.zeros(n), parameters)
        space = space_of(kernel, method, t0, t1, inputs, events, pivot_threshold, condition_thresholds, values)
        terminal = space.watched.terminal
        if any(not t for t in terminal):
            raise StateError("launcher: it keeps the end alone, so its events must be terminal; give terminal=1.")
        space.real[space.parameters : space.parameters + len(values)] = values
        self.kernel, self._space = kernel, space
        self._fresh = np.concatenate([space.real, space.whole.view(float)])
        self._memory = self._fresh.copy()
        real, whole = self._memory[: len(space.real)], self._memory[len(space.real) :].view(np.int64)
        self._state = real[space.state : space.state + n]
        tables = [int(space.spec[at.AT_TABLES]) + at.TABLE * k for k in range(len(inputs))]
        self._constants = [int(space.spec[t + at.TABLE_COEFFICIENTS]) for t in tables]
        self._room = Room(space, np.empty(0), np.empty((1, 0, n)), space.hits + sum(terminal) if space.hits else 0)
        self._call = self._room.call(space, real[None], whole[None], ALL_STEPS, NEVER)
        self._loop = run_loop.bound(self._call)

    def moved(self, t0: float, t1: float, y0: Sequence[float] | Array, inputs: Sequence[float]) -> End:
        """The end of the motion that starts at y0 at t0, until t1, under constant inputs; the first step tried is the whole way.

        For launchers whose inputs were made as `nonholo.integrate.loops.piecewise_signals.constant`.
        """
        self._fresh[at.START], self._fresh[at.END] = t0, t1
        self._fresh[at.FIRST_STEP] = abs(t1 - t0)
        for place, value in zip(self._constants, inputs):
            self._space.data[place] = value
        return self(y0)

    def __call__(self, y0: Sequence[float] | Array) -> End:
        """The end of the motion that starts at y0."""
        # every tenth of a microsecond counts: a short motion takes five
        self._memory[...] = self._fresh
        self._state[...] = y0
        status = self._loop()
        return End(self._memory.item(at.TIME), self._state.copy(), status)
