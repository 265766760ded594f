"""Motion by Taylor series: kernel, method, start -> Path, with heyoka's integrator in the place of the loops."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.errors import StateError
from nonholo.integrate.inputs import expandable
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.workspace import Occurrences
from nonholo.integrate.motion.integration import Event, Path, check_numbers, check_thresholds, check_times
from nonholo.integrate.outcome import outcome
from nonholo.integrate.taylor.heyoka_integrator import (
    TaylorIntegrator,
    machine,
    matrices,
    onto_invariants,
    pivoting,
    still_good,
)
from nonholo.program.array_types import AnyArray

Watcher = Callable[[float, int], bool | None]
SMALLEST = 16 * float(np.finfo(float).eps)
"""Steps below this part of the time do not move it."""


def taylor_path(
    kernel: Kernel,
    method: Any,
    t0: float,
    y0: Sequence[float] | AnyArray,
    t1: float,
    parameters: Sequence[float] | AnyArray = (),
    inputs: Sequence[Any] = (),
    t_eval: Sequence[float] | AnyArray | None = None,
    events: Sequence[Event] = (),
    record: bool = False,
    pivot_threshold: float = 0.0,
    condition_thresholds: Sequence[float] = (),
    on_chunk: Watcher | None = None,
) -> Path:
    """The motion from t0 to t1, as `nonholo.integrate.motion.integration.advance` gives it, by Taylor series.

    The dense output is the series itself, and events are roots of the event's own series. Inputs must be numbers (or
    have become part of the equations): a series needs formulas.
    """
    t0, t1 = float(t0), float(t1)
    state, numbers = check_numbers(kernel, t0, t1, y0, parameters)
    constants = np.concatenate([_input_numbers(kernel, inputs), numbers])
    thresholds = (pivot_threshold, *check_thresholds(kernel, condition_thresholds))
    wanted = check_times(t_eval, t0, t1)
    motion = _Motion(kernel, method, t0, state, t1, constants, wanted, record and t_eval is None, events, thresholds)
    status = motion.begin()
    try:
        while status == at.RUNNING:
            status = motion.step()
            if status == at.RUNNING and on_chunk is not None and on_chunk(motion.time, motion.steps) is False:
                status = at.INTERRUPTED
    except KeyboardInterrupt:
        status = at.INTERRUPTED
    if t_eval is None and not motion.recording:
        motion.keep(motion.time, motion.state)
    return motion.path(status)


def _input_numbers(kernel: Kernel, inputs: Sequence[Any]) -> AnyArray:
    names = [str(s) for s in kernel.equations.inputs]
    if len(inputs) != len(names):
        raise StateError(
            f"{kernel.equations.name}: {len(inputs)} inputs given where {len(names)} are needed ({', '.join(names)})."
        )
    return np.array([expandable(n, source, kernel.equations.name) for n, source in zip(names, inputs)], dtype=float)


class _Motion:
    """A motion on its way: where it is and what it has given so far."""

    def __init__(
        self, kernel: Kernel, method: Any, t0: float, state: AnyArray, t1: float, constants: AnyArray, wanted: AnyArray,
        recording: bool, events: Sequence[Event], thresholds: Sequence[float],
    ) -> None:  # fmt: skip
        self.kernel, self.method, self.constants, self.events = kernel, method, constants, tuple(events)
        self.time, self.state, self.start, self.end = t0, state, t0, t1
        self.wanted, self.recording, self.thresholds = wanted, recording, thresholds
        self.times: list[float] = []
        self.states: list[AnyArray] = []
        self.happened: list[tuple[float, AnyArray, int, int]] = []
        self.counts = [0] * len(self.events)
        self.steps = 0
        self.order: tuple[int, ...] = ()

    def row(self) -> AnyArray:
        """The input vector ``[t, x…, z…, inputs…, parameters…]``."""
        return np.concatenate([[self.time], self.state, self.constants])

    def mass(self) -> tuple[AnyArray, bool, int]:
        """The mass matrix here, and what is known of it."""
        equations = self.kernel.equations
        return matrices(equations)(self.row())[0], equations.symmetric, len(equations.speeds)

    def keep(self, time: float, state: AnyArray) -> None:
        """Note a state."""
        self.times.append(time)
        self.states.append(state)

    def begin(self) -> int:
        """Whether the motion can start; the integrator is set to its start."""
        if self.recording or (len(self.wanted) and self.wanted[0] == self.time):
            self.keep(self.time, self.state)
        mass, rest = matrices(self.kernel.equations)(self.row())
        if not all(np.all(np.isfinite(a)) for a in (mass, rest, self.state)):
            return at.NOT_FINITE
        order, ratio = pivoting(*self.mass())
        if ratio <= 0:
            return at.SINGULAR
        if self.end == self.time:
            return at.REACHED
        self._arrange(order)
        return at.RUNNING

    def _arrange(self, order: tuple[int, ...]) -> None:
        """Rows are eliminated in this order from now on: by another integrator."""
        self.order = order
        self.__dict__.pop("engine", None)

    @cached_property
    def engine(self) -> TaylorIntegrator:
        """A copy of the compiled integrator, at the present state."""
        expressions = tuple(e.expression for e in self.events)
        made = machine(self.kernel.equations, expressions, self.order, self.method.precision, self.method.tolerance)
        integrator = copy.copy(made.integrator)
        integrator.time = made.number(self.time)
        integrator.state[:] = self.state.astype(integrator.state.dtype)
        used = len(integrator.pars)  # heyoka has room up to the last one that occurs
        integrator.pars[:] = self.constants[:used].astype(integrator.state.dtype)
        return TaylorIntegrator(integrator, made.number, self.order)

    def at(self, time: float) -> AnyArray:
        """The state at a time within the last step, by its series."""
        self.engine.integrator.update_d_output(self.engine.number(time))
        state = self.engine.integrator.d_output.astype(float)
        return self._projected(time, state)

    def _projected(self, time: float, state: AnyArray) -> AnyArray:
        # in quad precision nothing drifts that a double could show, and a double's projection would only add to it
        if not self.kernel.invariants or self.method.precision != "double":
            return state
        return onto_invariants(self.kernel, np.concatenate([[time], state, self.constants]), state)

    def step(self) -> int:
        """One step with its events, output times and conditions."""
        if self.steps >= self.method.max_steps:
            return at.TOO_MANY
        integrator, ahead = self.engine.integrator, self.end > self.start
        high, low = integrator.dtime  # time is kept with twice the digits, or its rounding would be all the error
        left = abs((self.engine.number(self.end) - high) - low)
        most = min(left, self.engine.number(self.method.max_step))
        word, taken = integrator.step(most if ahead else -most, write_tc=True)
        if "err" in str(word) or not np.all(np.isfinite(integrator.state.astype(float))):
            return at.NOT_FINITE
        if abs(float(taken)) <= SMALLEST * abs(self.time):
            return at.TOO_SMALL
        self.steps += 1
        before, self.time = self.time, self.end if abs(taken) >= left else float(integrator.time)
        self.state = integrator.state.astype(float)
        status = self._occur(before)
        if status == at.RUNNING and self.kernel.invariants:
            self.state = self._projected(self.time, self.state)
            integrator.state[:] = self.state
        self._emit()
        if status != at.RUNNING:
            return status
        if self.time == self.end:
            return at.REACHED
        return self._guard()

    def _occur(self, before: float) -> int:
        """Note the events of the step; the motion is cut at a terminal one."""
        if not self.events:
            return at.RUNNING
        found = []
        for k, event in enumerate(self.engine.integrator.nt_events):
            found += [(time, k, sign) for time, sign in event.callback.found]
            event.callback.found.clear()
        way = 1 if self.end > self.start else -1
        for time, k, sign in sorted(found, key=lambda hit: way * hit[0]):
            # a root at the very start is where the motion comes from, not something that happens
            if abs(time - self.start) <= 100 * SMALLEST * max(abs(self.start), abs(self.time - before)):
                continue
            if self.events[k].direction * sign * way < 0:
                continue
            state = self.at(time)
            self.happened.append((time, state, k, sign * way))
            self.counts[k] += 1
            if self.counts[k] == self.events[k].terminal:
                self.time, self.state = time, state
                return at.EVENT
        return at.RUNNING

    def _emit(self) -> None:
        """States at the output times up to the current time."""
        if self.recording:
            self.keep(self.time, self.state)
            return
        ahead = self.end > self.start
        while len(self.times) < len(self.wanted):
            time = float(self.wanted[len(self.times)])
            if (time > self.time) if ahead else (time < self.time):
                return
            self.keep(time, self.state if time == self.time else self.at(time))

    def _guard(self) -> int:
        """Whether the frame still serves; rows are put into another order when a pivot has become weak."""
        if self.kernel.guard and np.any(self.kernel.conditions(self.row()) < self.thresholds[1:]):
            return at.DEGENERATE
        mass = self.mass()
        if self.thresholds[0] > 0 and pivoting(*mass)[1] < self.thresholds[0]:
            return at.DEGENERATE
        if not still_good(*mass, self.order):
            order, ratio = pivoting(*mass)
            if ratio <= 0:
                return at.SINGULAR
            self._arrange(order)
        return at.RUNNING

    def path(self, status: int) -> Path:
        """What was computed."""
        n = self.kernel.dimension
        times, states, index, sign = zip(*self.happened) if self.happened else ((), (), (), ())
        happened = Occurrences(
            np.array(times, dtype=float),
            np.array(states, dtype=float).reshape(-1, n),
            np.array(index, dtype=np.int64),
            np.array(sign, dtype=np.int64),
        )
        ratio = pivoting(*self.mass())[1]
        return Path(
            np.array(self.times, dtype=float),
            np.array(self.states, dtype=float).reshape(-1, n),
            self.time,
            self.state,
            happened,
            outcome(status, self.time),
            self.steps,
            0,
            self.steps,
            ratio,
        )
