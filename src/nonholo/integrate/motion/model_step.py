"""Single short steps with everything prepared, for controllers, games and learning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from threading import Lock
from typing import Any, NamedTuple

import numpy as np

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import symbol
from nonholo.algebra.numeric_functions import Formulas
from nonholo.compile.kernel import Kernel
from nonholo.derive.states.consistent_state import guesses, read_start
from nonholo.derive.states.start_completion import completion
from nonholo.errors import StateError
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.integration_plan import Watched
from nonholo.integrate.loops.arguments.piecewise_signals import constant
from nonholo.integrate.loops.arguments.workspace import OutputBuffers
from nonholo.integrate.loops.step_loop import run_loop
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import WORSE, InitialValue
from nonholo.integrate.motion.integration import NEVER, Event, check_numbers, space_of
from nonholo.integrate.motion.motion_pieces import start_under
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.integrate.outcome import Outcome, outcome
from nonholo.model.system import TIME, finite, resolve
from nonholo.program.array_types import Array

MOST_FRAMES = 16
"""Size of the cache of frames that are ready for the next step."""
AGREES = 1e-7
"""A dependent velocity that is given must agree so well with the state; else the whole state is read as a start."""
ALL_STEPS = 2**62


class Stepper:
    """Steps of one model in one frame; serves one thread at a time."""

    def __init__(self, model: Any, initial: InitialValue, threshold: float) -> None:
        kernel = initial.kernel
        self.model, self.kernel = model, kernel
        self._numbers = [model.parameters[n] for n in kernel.parameters]
        self._launcher = Launcher(
            kernel,
            method_by_name("dop853"),
            0.0,
            1.0,
            self._numbers,
            [constant(0.0)] * len(kernel.inputs),
            condition_thresholds=(threshold,) if kernel.guard else (),
        )
        self._threshold = threshold
        self._names = kernel.equations.state
        self._shown = tuple(kernel.equations.outputs)
        others = model.own_inputs
        self._own = {n: others[n] for n in kernel.inputs if n in others}
        self._homes = _homes(model, kernel)
        self._own_names = set(self._names)
        self._known = {"t", *self._names}
        self._read = _speeds(model, kernel)
        self._needed = set(self._read[1].names) - set(model.parameters) if self._read else set()
        self._every = self._known | set(self._shown)

    def moved(self, state: Mapping[str, Any], dt: float, inputs: Mapping[str, Any]) -> dict[str, float] | None:
        """The full state after ``dt``; None where the state must be completed first or the frame does not serve."""
        start = self._start(state, inputs)
        if start is None:
            return None
        time, numbers, driving = start
        end = self._launcher.moved(time, time + dt, numbers, driving)
        return self._named(end.time, end.state.tolist(), driving) if end.status == at.REACHED else None

    def row(self, state: Mapping[str, Any], inputs: Mapping[str, Any]) -> Array | None:
        """The input vector at a state, where it can be read off and the frame serves."""
        start = self._start(state, inputs)
        if start is None:
            return None
        time, numbers, driving = start
        return np.array([time, *numbers, *driving, *self._numbers])

    def _start(self, state: Mapping[str, Any], inputs: Mapping[str, Any]) -> Any:
        """Time, state vector and inputs, where they can be read off; None where the state must be completed first."""
        try:
            time = float(state.get("t", 0.0))
            full = state if state.keys() >= self._own_names else self._filled(state)
            numbers = [float(full[n]) for n in self._names]
            driving = [float(inputs[n] if n in inputs else self._own.get(n, 0.0)) for n in self.kernel.inputs]
        except (KeyError, TypeError, ValueError):
            return None
        if len(inputs) > len(driving) or any(n not in self.kernel.inputs for n in inputs):
            return None
        row = np.array([time, *numbers, *driving, *self._numbers])
        if not isfinite(row.sum()):
            return None
        if len(state) > len(numbers) and self._shown:
            for value, given in zip(self.kernel.outputs(row).tolist(), map(state.get, self._shown)):
                if given is not None and not abs(value - given) <= AGREES * (1.0 + abs(value)):
                    return None
        if self.kernel.guard and not self.kernel.condition(row) >= self._threshold:
            return None
        return time, numbers, driving

    def _filled(self, state: Mapping[str, Any]) -> Mapping[str, Any]:
        """The state with the speeds that its velocities tell, or with what rests; as it is where neither serves."""
        if self._read is not None and self._needed <= state.keys() <= self._every:
            names, formulas = self._read
            found = formulas.at({**self.model.parameters, **state}).tolist()
            return {**dict(zip(names, found)), **state}
        full = {**state}
        if state.keys() <= self._known:
            for together in self._homes:
                if not any(n in state for n in together):
                    full |= together
        return full

    def _named(self, time: float, numbers: list[float], driving: list[float]) -> dict[str, float]:
        result = {"t": time, **dict(zip(self.kernel.inputs, driving)), **dict(zip(self._names, numbers))}
        row = np.array([time, *numbers, *driving, *self._numbers])
        if self._shown:
            result |= dict(zip(self._shown, self.kernel.outputs(row).tolist()))
        if self.kernel.laws:
            laws = self.kernel.code(list(self.kernel.laws), f"{self.kernel.equations.name}: input")
            result |= dict(zip(self.kernel.laws, laws(row).tolist()))
        return result


def _speeds(model: Any, kernel: SystemKernel) -> tuple[tuple[str, ...], Formulas] | None:
    """The declared quasi-velocities among the speeds, as functions of coordinates, the frame's velocities, parameters and time.

    None where there are none, or where all velocities do not follow from the speeds in a way that `Stepper` can compare.
    """
    system = model.formulation.system if model.formulation is not None else None
    if system is None or system.parametric is not None:
        return None
    names = tuple(n for n in map(str, kernel.equations.speeds) if n in system.quasivelocities)
    if not names or not {*system.coordinates, *system.velocities} <= {*kernel.equations.state, *kernel.equations.outputs}:
        return None
    exprs = resolve(system, [symbol(n) for n in names])
    if any(n in map(str, e.free_symbols) for e in exprs for n in system.inputs):
        return None
    timed = ("t",) if any(TIME in e.free_symbols for e in exprs) else ()
    return names, Formulas((*timed, *system.coordinates, *system.velocities, *system.parameters), exprs)


def _homes(model: Any, kernel: SystemKernel) -> list[dict[str, float]]:
    """Sets of state variables with the values that they have where a start gives none of the set, as `complete_state` has it.

    Coordinates that no relation ties stand at home, tied ones together. Speeds are zero where those of the frame are the
    velocities that rest first: they are independent, so that each that is not given is one that the constraints leave free.
    """
    system = model.formulation.system if model.formulation is not None else None
    if system is None or system.machine is not None or system.holonomic or completion(system, ()).needs_search:
        return []
    home, left = dict(zip(system.coordinates, map(float, system.frame.home))), set(system.coordinates)
    found: list[dict[str, float]] = []
    related = [set(map(str, r.free_symbols)) for r in system.frame.relations]
    while left:
        tied = {min(left)}
        while more := {n for names in related if tied & names for n in names} - tied:
            tied |= more
        found.append({n: home[n] for n in sorted(tied) if n in home})
        left -= tied
    speeds = tuple(map(str, kernel.equations.speeds))
    first = [system.velocities[j] for j in completion(system, ()).order[: len(speeds)]]
    if not system.quasivelocities and set(first) == set(speeds):
        found += [{n: 0.0} for n in speeds]
    return found


class Steps:
    """Steps of one model in every frame that one of them has needed, the last one first; serves one thread at a time.

    Where no frame is well conditioned, the best one serves with a lower threshold, after all others were tried.
    """

    def __init__(self, model: Any, home: InitialValue) -> None:
        self.model = model
        self._steppers = [Stepper(model, home, home.condition * WORSE)]
        self._lowered: list[Stepper] = []
        self._full: Cache[dict[str, float]] = Cache(MOST_FRAMES)

    def __call__(self, state: Mapping[str, Any], dt: float, inputs: Mapping[str, Any]) -> dict[str, float]:
        """The full state after ``dt``."""
        dt = finite(dt, "step: dt")
        after = self._quickly(state, dt, inputs)
        if after is not None:
            return after
        full = self.completed(state, inputs)
        if full is not None:
            self._learn(full, dt, inputs)
            after = self._quickly(full, dt, inputs)
            if after is not None:
                return after
        after = self._from_start(state, dt, inputs)
        for place in (after, self.completed(state, inputs, True)):  # from either the next step may begin
            if place is not None:
                self._learn(place, dt, inputs)
        return after

    def _quickly(self, state: Mapping[str, Any], dt: float, inputs: Mapping[str, Any]) -> dict[str, float] | None:
        """The step in a frame that is known and serves; None where there is none, or the state must be completed first."""
        for k, stepper in enumerate(self._steppers):
            after = stepper.moved(state, dt, inputs)
            if after is not None:
                if k:
                    self._steppers.insert(0, self._steppers.pop(k))
                return after
        for stepper in self._lowered:
            after = stepper.moved(state, dt, inputs)
            if after is not None:
                return after
        return None

    def completed(self, state: Mapping[str, Any], inputs: Mapping[str, Any], whole: bool = False) -> dict[str, float] | None:
        """The full state at a start that gives a part, under inputs that are numbers; kept for the same start again.

        None where nothing is missing, unless ``whole`` states are asked for too, or where the inputs depend on the state.
        """
        formulation, system = self.model.formulation, self.model.system
        if formulation is None or (not whole and all(n in state for n in self._steppers[0].kernel.equations.state)):
            return None
        if not all(isinstance(e, (int, float)) for e in (*inputs.values(), *self.model.own_inputs.values())):
            return None
        if any(n not in self._steppers[0].kernel.inputs for n in inputs):
            return None

        def found() -> dict[str, float]:
            told = {**guesses(system), **read_start(system, state, self.model.parameters)}
            start = {n: e for n, e in told.items() if n not in system.inputs}
            return start_under(formulation, {**self.model.own_inputs, **inputs}, start, self.model.parameters)

        try:
            return dict(self._full.get((frozenset(state.items()), frozenset(inputs.items())), found))
        except TypeError:  # a number that is an array
            return found()

    def row(self, state: Mapping[str, Any], inputs: Mapping[str, Any]) -> tuple[Stepper, Array] | None:
        """The input vector at a state in a frame that serves there, if it can be read off or completed."""
        return self._read(state, inputs) or self._read(self.completed(state, inputs), inputs)

    def _read(self, state: Mapping[str, Any] | None, inputs: Mapping[str, Any]) -> tuple[Stepper, Array] | None:
        if state is None:
            return None
        for stepper in (*self._steppers, *self._lowered):
            found = stepper.row(state, inputs)
            if found is not None:
                return stepper, found
        return None

    def _learn(self, state: Mapping[str, float], dt: float, inputs: Mapping[str, Any]) -> None:
        """A stepper in the frame that serves at a state, for steps to come, where none of those that are known makes the step."""
        plain = all(isinstance(e, (int, float)) for e in inputs.values())
        if self.model.formulation is None or not plain or self._quickly(state, dt, inputs) is not None:
            return
        initial = self.model.formulation.start({**state, **inputs}, self.model.parameters)
        found = Stepper(self.model, initial, initial.condition * WORSE)
        if any(s.kernel is initial.kernel for s in self._steppers):
            self._lowered = [found, *(s for s in self._lowered if s.kernel is not initial.kernel)][:MOST_FRAMES]
        else:
            self._steppers = [found, *self._steppers[: MOST_FRAMES - 1]]

    def _from_start(self, state: Mapping[str, Any], dt: float, inputs: Mapping[str, Any]) -> dict[str, float]:
        """A step as a whole motion: the start is completed, frames are changed on the way."""
        from nonholo.integrate.motion.simulate import simulate

        known = {n: e for n, e in state.items() if n not in self.model.laws}
        time = float(known.get("t", 0.0))
        run = simulate(
            self.model.system, known, time + dt, self.model.parameters, t_eval="end", inputs=dict(inputs) or None,
            form=self.model.form, progress=False,
        )  # fmt: skip
        if not run.outcome.reached:
            raise StateError(f"{self.model.system.name}: the step of {dt:g} ended early: {run.outcome}")
        return dict(run.final)


class steppers:
    """Steps that wait for the next call: each thread takes one and gives it back."""

    def __init__(self, make: Callable[[], Steps]) -> None:
        self._make, self._lock = make, Lock()
        self._idle: list[Steps] = []

    def take(self) -> Steps:
        """Take one that is not in use."""
        try:
            return self._idle.pop()
        except IndexError:
            with self._lock:
                return self._make()

    def give(self, stepper: Steps) -> None:
        """Back for the next one."""
        if len(self._idle) < 16:
            self._idle.append(stepper)


class End(NamedTuple):
    """Where a motion ended, and how (a status of `nonholo.integrate.loops.arguments.array_layout`)."""

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
        self._room = OutputBuffers(space, np.empty(0), np.empty((1, 0, n)), space.hits + sum(terminal) if space.hits else 0)
        self._call = self._room.call(space, real[None], whole[None], ALL_STEPS, NEVER)
        self._loop = run_loop.bound(self._call)

    def moved(self, t0: float, t1: float, y0: Sequence[float] | Array, inputs: Sequence[float]) -> End:
        """The end of the motion that starts at y0 at t0, until t1, under constant inputs; the first step tried is the whole way.

        For launchers whose inputs were made as `nonholo.integrate.loops.arguments.piecewise_signals.constant`.
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
