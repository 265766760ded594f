"""One motion as the loops see it: numbers, pieces between changes of frame, names of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.compile.kernel import compile_equations, input_symbols
from nonholo.derive.equations import Equations
from nonholo.derive.evaluate import state_vector
from nonholo.derive.state import complete_state
from nonholo.errors import StateError
from nonholo.integrate.loops.signals import signal
from nonholo.integrate.methods.base import Method
from nonholo.integrate.one.advance import Event, Path, advance
from nonholo.integrate.one.prepare import Prepared, better_frame, event_expression, prepare, with_feedback
from nonholo.integrate.one.record import evaluate_rows, rows_of, watched_expressions
from nonholo.integrate.outcome import Outcome
from nonholo.model.system import GRAVITY, System, finite, named, parameter_values, with_signals

Array = np.ndarray[Any, np.dtype[np.float64]]
Watcher = Callable[[float, int], bool | None]
MOST_FRAMES = 10_000


@dataclass(frozen=True)
class Problem:
    """What is to be integrated, with numbers."""

    system: System | None
    prepared: Prepared
    parameters: dict[str, float]
    inputs: list[Any]
    time: float
    form: str
    name: str
    said: System | None
    """The system as it was given, with what its inputs do where that can be said; ``system`` has feedback laws put in."""
    start: dict[str, float]


def problem_of(
    system: System | Equations, start: Any, parameters: Any, form: str, inputs: dict[str, Any], principle: str = ""
) -> Problem:
    if isinstance(system, Equations):
        given = {str(k): finite(v, f"{system.name}: start {k}") for k, v in dict(start or {}).items()}
        time = given.get("t", 0.0)
        numbers = {str(k): finite(v, f"{system.name}: parameter {k}") for k, v in dict(parameters or {}).items()}
        if "g" in map(str, system.parameters):
            numbers.setdefault("g", GRAVITY)
        vector = state_vector(system, given, numbers)
        prepared = Prepared(system, compile_equations(system), np.array(vector), 1.0)
        return Problem(None, prepared, numbers, _signals(system, inputs), time, system.origin, system.name, None, given)
    closed, others = with_feedback(system, inputs)
    numbers = parameter_values(closed, parameters)
    at_start = {n: float(value_at(e, 0.0)) for n, e in others.items()}
    given = dict(closed.start) if start is None else named(start, f"{system.name}: start", '{"x": 0.5}')
    full = complete_state(closed, {**{n: e for n, e in at_start.items() if n not in given}, **given}, parameters)
    prepared = prepare(closed, form, full, numbers, principle=principle)
    return Problem(
        closed,
        prepared,
        numbers,
        _signals(prepared.equations, others),
        full["t"],
        form,
        system.name,
        with_signals(system, inputs),
        {n: finite(e, f"{system.name}: start {n}") for n, e in given.items()},
    )


def value_at(source: Any, time: float) -> float:
    if callable(source):
        return float(source(time))
    return (
        float(source) if np.ndim(source) == 0 else float(np.interp(time, np.asarray(source[0]), np.asarray(source[1])))
    )


def _signals(equations: Equations, inputs: Mapping[str, Any]) -> list[Any]:
    missing = [str(s) for s in equations.inputs if str(s) not in inputs]
    if missing:
        raise StateError(
            f'{equations.name}: the input {missing[0]!r} has no value; give inputs={{"{missing[0]}": …}} (a number, a '
            "table of times and values, a function of time, or a feedback law as text)."
        )
    return [inputs[str(s)] for s in equations.inputs]


def way_of(method: Method) -> Callable[..., Path]:
    """How a method makes a path: by the compiled loops, or by itself."""
    way: Callable[..., Path] = getattr(method, "path", advance)
    return way


@dataclass(frozen=True)
class WantedEvent:
    """One event as asked for: its name, and either an expression or a function."""

    name: str
    source: Any
    direction: int
    terminal: int


def pieces_of(
    problem: Problem, method: Method, until: float, wanted: Any, events: list[WantedEvent], bar: Watcher | None
) -> tuple[list[tuple[Prepared, Path]], Array, Outcome]:
    """Integrate, changing the frame where it degenerates."""
    pieces: list[tuple[Prepared, Path]] = []
    prepared, time = problem.prepared, problem.time
    rest = wanted
    while True:
        path = way_of(method)(
            prepared.kernel,
            method,
            time,
            prepared.state,
            until,
            [problem.parameters[str(p)] for p in prepared.equations.parameters],
            problem.inputs,
            None if isinstance(rest, str) else rest,
            [Event(_event(problem, prepared, e), e.direction, e.terminal) for e in events],
            record=isinstance(rest, str) and rest == "steps",
            condition_thresholds=prepared.thresholds,
            on_chunk=bar,
        )
        pieces.append((prepared, path))
        if path.outcome.kind != "frame degenerates" or problem.system is None or len(pieces) >= MOST_FRAMES:
            break
        time = path.final_time
        signals = [signal(s, problem.time, until) for s in problem.inputs]
        here = named_state(problem, prepared, time, path.final_state, signals)
        prepared = better_frame(problem.system, {**here, "t": time}, problem.parameters, prepared)
        if not isinstance(rest, str):
            rest = rest[len(path.times) :]
        if isinstance(rest, str) and rest == "end":
            pieces[-1] = (pieces[-1][0], _without_states(path))
    times = np.concatenate([p.times for _, p in pieces])
    return pieces, times, pieces[-1][1].outcome


def _without_states(path: Path) -> Path:
    return replace(path, times=path.times[:0], states=path.states[:0])


def _event(problem: Problem, prepared: Prepared, event: WantedEvent) -> Any:
    if problem.system is None:
        return watched_expressions(None, prepared.equations, {event.name: event.source})[event.name]
    return event_expression(problem.system, prepared.equations, event.source, f"{problem.name}: event {event.name}")


def named_state(
    problem: Problem, prepared: Prepared, time: float, state: Array, signals: Sequence[Any]
) -> dict[str, float]:
    """Every name of the state at one time."""
    equations = prepared.equations
    rows = rows_of(equations, np.array([time]), state[None, :], problem.parameters, signals)
    outputs = evaluate_rows(list(input_symbols(equations)), list(equations.outputs.values()), rows)[0]
    return {"t": time, **dict(zip(equations.state, state.tolist())), **dict(zip(equations.outputs, outputs.tolist()))}
