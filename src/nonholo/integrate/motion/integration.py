"""Integrate one motion: kernel, method and start to a path."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import is_expression
from nonholo.compile.kernel import Kernel
from nonholo.errors import StateError, meant
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.integration_plan import Watched
from nonholo.integrate.loops.arguments.piecewise_signals import Signal, signal
from nonholo.integrate.loops.arguments.python_inputs import Attached, Fill
from nonholo.integrate.loops.arguments.workspace import Occurrences, OutputBuffers, Workspace, workspace
from nonholo.integrate.methods.method_record import MOST_EQUAL_STEPS, Method
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.integrate.motion.time_breaks import time_breaks
from nonholo.integrate.outcome import Outcome, outcome
from nonholo.model.declared_words import Formula
from nonholo.program.array_types import AnyArray

CHUNK_SECONDS = 0.05
NEVER = np.zeros(1, dtype=np.int64)
"""The flag that stops a loop from another thread; a single motion stops between chunks instead."""
NO_TIMES = np.empty(0)
NO_EVENTS = Watched()
Whole = np.ndarray[Any, np.dtype[np.int64]]
Change = Formula | Callable[[dict[str, float]], float]
Action = Mapping[str, Change] | Callable[[dict[str, float]], Mapping[str, float]]
"""New values by name, as numbers, formulas or functions of the named state; or one function that gives them."""


@dataclass(frozen=True)
class Event:
    """Something that happens when an expression of time, state, inputs and parameters passes through zero.

    In `simulate` the expression may also be a Python function of the named state.

    ``direction`` +1 or -1 keeps only passages upwards or downwards in the course of the integration; ``terminal``
    n > 0 ends the motion at the n-th one. An ``action`` changes the state there, and the motion goes on: numbers, formulas or
    functions of the named state, by the name that they set, or one function that returns such a dict (joint stops, kicks).

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> run = nh.simulate(sleigh.system, {"omega": 1, "v": -1}, 9, sleigh.parameters, events=[nh.Event("v", terminal=1)])
    >>> print(run.outcome)
    event at t = 1.358280083. A terminal event occurred; go on from the final state if the motion shall continue.
    >>> door = nh.System(coordinates="q", lagrangian="qdot**2/2")
    >>> stop = nh.Event("q - 1", direction=1, action={"qdot": "-qdot/2"})
    >>> round(nh.simulate(door, {"qdot": 1}, 2.0, events=[stop]).final["q"], 9)
    0.5
    """

    expression: Formula | Callable[[dict[str, float]], float]
    direction: int = 0
    terminal: int = 0
    action: Action | None = None


@dataclass(frozen=True, eq=False)
class Tangents:
    """Tangent vectors of the state, one in each column: (…, state, direction)."""

    values: AnyArray
    """At the times of the path."""
    final: AnyArray
    """At its end."""
    occurred: AnyArray
    """At the events."""


@dataclass(frozen=True, eq=False)
class Path:
    """A computed motion: states (rows) at times, how it ended, and what it cost."""

    times: AnyArray
    states: AnyArray
    final_time: float
    final_state: AnyArray
    occurrences: Occurrences
    outcome: Outcome
    accepted: int
    rejected: int
    calls: int
    """Evaluations of the right-hand side."""
    pivot: float
    """Pivot ratio of the mass matrix at the end: 1 is best, 0 is singular."""
    tangents: Tangents | None = None
    """Tangent vectors along the motion, if requested."""


def watch(kernel: Kernel, events: Sequence[Event]) -> Watched:
    """Compile events for a kernel."""
    for e in events:
        if e.direction not in (-1, 0, 1) or e.terminal < 0:
            raise StateError(f"event {e.expression}: direction must be -1, 0 or 1 and terminal ≥ 0; found {e}.")
    if not events:
        return NO_EVENTS
    code = kernel.function([e.expression for e in events if is_expression(e.expression)], "events")
    return Watched(code, tuple(e.direction for e in events), tuple(int(e.terminal) for e in events))


def advance(
    kernel: Kernel,
    method: Method,
    t0: float,
    y0: Sequence[float] | AnyArray,
    t1: float,
    parameters: Sequence[float] | AnyArray = (),
    inputs: Sequence[Any] = (),
    t_eval: Sequence[float] | AnyArray | None = None,
    events: Sequence[Event] | Watched = (),
    record: bool = False,
    pivot_threshold: float = 0.0,
    condition_thresholds: Sequence[float] = (),
    on_chunk: Callable[[float, int], bool | None] | None = None,
    chunk: int | None = None,
    fill: Fill | None = None,
) -> Path:
    """Integrate from t0 to t1, forwards or backwards.

    ``y0`` is coordinates then speeds, ``parameters`` and ``inputs`` follow ``kernel.equations``; an input is a
    number, a pair (times, values), a function of time or a `Signal`. The path has the states at ``t_eval`` (by the
    continuous extension), or at every step if ``record``, else at the end alone.

    The motion stops as "frame degenerates" at the first step after which the pivot ratio of the mass matrix is
    below ``pivot_threshold`` or a condition of the kernel below its threshold. Between chunks of about 50 ms (or of
    ``chunk`` steps) ``on_chunk(t, steps)`` is called and may return False to interrupt, as Ctrl-C does; neither
    changes any number. ``fill`` writes inputs that Python must be asked for into an input vector before the machine code sees it.

    >>> import symengine as se
    >>> from nonholo.compile import compile_equations
    >>> from nonholo.derive.equations import Equations
    >>> from nonholo.integrate.methods import DormandPrince8
    >>> t, q, v = se.symbols("t q v")
    >>> swing = Equations("swing", "by hand", (q,), (v,), (v,), ((se.Integer(1),),), (-q,), v**2 / 2 + q**2 / 2, t)
    >>> path = advance(compile_equations(swing), DormandPrince8(), 0, (1, 0), 10, events=[Event(q, terminal=1)])
    >>> print(path.outcome.kind, round(2 * path.final_time, 9))
    event 3.141592654
    """
    t0, t1 = float(t0), float(t1)
    y, p = check_numbers(kernel, t0, t1, y0, parameters)
    wanted = check_times(t_eval, t0, t1)
    recording = record and t_eval is None
    hurried = fill is None
    space = space_of(kernel, method, t0, t1, inputs, events, pivot_threshold, condition_thresholds, p, recording, hurried)
    space.real[space.state : space.state + len(y)] = y
    space.real[space.parameters : space.parameters + len(p)] = p
    attached = Attached(space, fill, space.parameters + len(p) - int(space.spec[at.AT_GIVEN])) if fill is not None else None
    path = _run(kernel, method, space, wanted, t_eval is None, on_chunk, chunk)
    if attached is not None:
        attached.check()
    return path


def space_of(
    kernel: Kernel,
    method: Method,
    t0: float,
    t1: float,
    inputs: Sequence[Any],
    events: Sequence[Event] | Watched,
    pivot_threshold: float,
    condition_thresholds: Sequence[float],
    parameters: AnyArray,
    recording: bool = False,
    hurried: bool = False,
) -> Workspace:
    """The arrays of motions of one kernel, from what was given: what one motion, many and launched ones begin with.

    ``parameters`` are those of one motion, or a row for each of many.
    ``hurried`` where the rates may begin with code made in a hurry, which `_run` replaces when it has been called often.

    The compiled loops know no single motion: it is an ensemble of one.
    """
    check_steps(kernel, method, t0, t1)
    watched = events if isinstance(events, Watched) else watch(kernel, events)
    signals = check_inputs(kernel, inputs, t0, t1)
    signals += time_breaks(kernel.equations, np.atleast_2d(parameters), t0, t1, method.adaptive)
    thresholds = check_thresholds(kernel, condition_thresholds)
    return workspace(kernel, method, t0, t1, signals, watched, recording, pivot_threshold, thresholds, hurried)


def _run(
    kernel: Kernel,
    method: Method,
    space: Workspace,
    wanted: AnyArray,
    no_times: bool,
    on_chunk: Callable[[float, int], bool | None] | None,
    chunk: int | None,
) -> Path:
    """Call the compiled loop chunk by chunk, growing its output buffers as needed."""
    n, real, whole = kernel.dimension, space.real, space.whole
    room = OutputBuffers(space, wanted, np.empty((1, len(wanted), n)), 4 * space.hits)
    number = chunk or 200
    status = at.RUNNING
    counted = passed = 0
    try:
        while status in (at.RUNNING, at.FULL):
            began = clock.perf_counter()
            status = room.moved(space, real[None], whole[None], number, NEVER)
            if not space.spec[at.LIVE]:
                space.spec[at.RATES] = kernel.rates_code.after(int(whole[at.CALLS]) - counted).address
                watching = kernel.conditions.after(int(whole[at.ACCEPTED]) - passed)
                space.spec[at.CONDITIONS], space.spec[at.CONDITIONS_DATA] = watching.address, watching.data
                counted, passed = int(whole[at.CALLS]), int(whole[at.ACCEPTED])
            if status == at.FULL:
                room.grow(whole[None])
            elif status == at.RUNNING:
                if on_chunk is not None and on_chunk(real[at.TIME], int(whole[at.ACCEPTED])) is False:
                    status = at.INTERRUPTED
                spent = clock.perf_counter() - began
                if chunk is None:
                    number = max(1, int(number * min(8.0, max(0.125, CHUNK_SECONDS / max(spent, 1e-9)))))
    except KeyboardInterrupt:
        status = at.INTERRUPTED
    final_time, final = float(real[at.TIME]), real[space.state : space.state + n].copy()
    if room.recording:
        count = whole[at.RECORDED]
        times, states = room.steps[:count].copy(), room.step_states[:count].copy()
    elif no_times:
        times, states = np.array([final_time]), final[None, :].copy()
    else:
        times, states = wanted[: whole[at.EMITTED]], room.states[0, : whole[at.EMITTED]]
    happened = room.events.of(0, int(whole[at.OCCURRED]))
    cost = (int(whole[at.ACCEPTED]), int(whole[at.REJECTED]), int(whole[at.CALLS]))
    ended = outcome(status, final_time, bool(whole[at.BLURRED]), (int(whole[at.ACCEPTED]) + 1, float(real[at.LEFT])))
    return Path(times, states, final_time, final, happened, ended, *cost, float(real[at.PIVOT]))


def check_numbers(
    kernel: Kernel, t0: float, t1: float, y0: Sequence[float] | AnyArray, parameters: Sequence[float] | AnyArray
) -> tuple[AnyArray, AnyArray]:
    """State and parameters as arrays of the right length; times must be finite."""
    name = kernel.equations.name
    if not (math.isfinite(t0) and math.isfinite(t1)):
        raise StateError(f"{name}: from t = {t0} to t = {t1}; both times must be finite.")
    y, p = np.array(y0, dtype=float), np.array(parameters, dtype=float)
    for what, found, symbols in (("state", y, kernel.state), ("parameters", p, kernel.equations.parameters)):
        if found.shape != (len(symbols),):
            raise StateError(
                f"{name}: {what} has shape {found.shape} where {len(symbols)} numbers are needed: "
                f"{', '.join(str(s) for s in symbols)}."
            )
    return y, p


def check_steps(kernel: Kernel, method: Method, t0: float, t1: float) -> None:
    """Refuse equal steps that are too many to come to the end within minutes."""
    step, most = getattr(method, "step", None), getattr(method, "max_steps", 0)
    if step and not method.adaptive and abs(t1 - t0) / step > most >= MOST_EQUAL_STEPS:
        raise StateError(
            f"{kernel.equations.name}: method {method.name}: step = {step:g} makes {abs(t1 - t0) / step:.3g} steps from "
            f"t = {t0:g} to {t1:g}, more than max_steps = {most}; take a larger step, or an adaptive method such as dop853."
        )


def check_inputs(kernel: Kernel, inputs: Sequence[Any], t0: float, t1: float) -> list[Signal]:
    """One signal for each input of the system."""
    if len(inputs) != len(kernel.equations.inputs):
        names = [str(s) for s in kernel.equations.inputs]
        raise StateError(
            f"{kernel.equations.name}: {len(inputs)} inputs given where {len(names)} are needed ({', '.join(names)})."
        )
    return [signal(source, t0, t1) for source in inputs]


def check_thresholds(kernel: Kernel, thresholds: Sequence[float]) -> list[float]:
    """One threshold for each condition of the kernel; none means zero for each."""
    number = kernel.conditions.outputs
    if len(thresholds) not in (0, number):
        raise StateError(
            f"{kernel.equations.name}: {len(thresholds)} thresholds for {number} conditions; give one for each or none."
        )
    return list(thresholds) or [0.0] * number


def check_times(t_eval: Sequence[float] | AnyArray | None, t0: float, t1: float) -> AnyArray:
    """Check the output times: in the order of the motion and within it."""
    if t_eval is None:
        return NO_TIMES
    times = np.array(t_eval, dtype=float)
    if times.ndim != 1 or not np.all(np.isfinite(times)):
        raise StateError("t_eval: a list of finite times is needed.")
    forward = times if t1 >= t0 else -times
    if np.any(np.diff(forward) < 0):
        raise StateError(f"t_eval: times must run from {t0:g} towards {t1:g} without turning back; sort them.")
    low, high = min(t0, t1), max(t0, t1)
    if len(times) and (times.min() < low or times.max() > high):
        raise StateError(
            f"t_eval: found times from {times.min():g} to {times.max():g} where the motion runs from {t0:g} to {t1:g}; "
            f"leave out those outside."
        )
    return times


def pending_action(kind: str, found: Sequence[Whole], events: Sequence[tuple[Action | None, int]]) -> int | None:
    """The number of the event whose action the motion waits for, from the events found in its pieces; None where it shall end.

    ``events`` are actions and after how many times each ends the motion (0: never).
    """
    if kind != "event" or not len(found[-1]):
        return None
    k = int(found[-1][-1])
    if k >= len(events) or events[k][0] is None:
        return None
    return None if 0 < events[k][1] <= sum(int(np.sum(one == k)) for one in found) else k


def state_after(kernel: SystemKernel, here: Mapping[str, float], row: AnyArray, action: Action | None, where: str) -> AnyArray:
    """The state after an action, from the named state and the input vector before it."""
    names = kernel.equations.state
    changed = np.array(row[1 : 1 + len(names)], dtype=float)
    given = action(dict(here)) if callable(action) else action
    if not isinstance(given, Mapping):
        raise StateError(f"{where}: {str(given)[:60]} where a dict of names and new values is needed.")
    for name, value in given.items():
        if name not in names:
            hint = meant(str(name), names, f"it has {', '.join(names)}.")
            raise StateError(f"{where}: {name!r} is not part of the state; {hint}")
        if callable(value):
            number = float(value(dict(here)))
        else:
            number = float(value) if isinstance(value, (int, float)) else float(kernel.code([value], where)(row)[0])
        if not np.isfinite(number):
            raise StateError(f"{where}: {name} would be {number}; let it be a finite number.")
        changed[names.index(str(name))] = number
    return changed
