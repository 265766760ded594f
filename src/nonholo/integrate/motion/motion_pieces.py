"""One motion as the loops see it: pieces between changes of frame, names of the state."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.algebra.calculus import substitute, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.derive.states.consistent_state import completed, guesses, read_start
from nonholo.derive.states.equation_values import filled, state_vector
from nonholo.derive.states.feedback_laws import driven
from nonholo.derive.states.start_derivatives import require_rates
from nonholo.errors import StateError
from nonholo.integrate.inputs import (
    FunctionInput,
    Sampled,
    Source,
    beginning,
    expandable,
    fill_inputs,
    rows_with_inputs,
    source,
)
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.loops.arguments.python_inputs import Fill
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import Formulation, InitialValue, formulation_of, initial_value
from nonholo.integrate.motion.integration import Action, Event, Path, advance, pending_action, state_after, watch
from nonholo.integrate.motion.system_kernel import SystemKernel, system_kernel
from nonholo.integrate.outcome import Outcome, accumulating, last_outcome
from nonholo.integrate.sensitivity.tangent_motion import Bundle, advance_tangents, changed_frame
from nonholo.model.declared_words import Formula, GivenInput
from nonholo.model.scalars import Guess
from nonholo.model.system import GRAVITY, System, finite, named, parameter_values
from nonholo.notation.read import is_formula
from nonholo.program.array_types import Array

Watcher = Callable[[float, int], bool | None]
MOST_FRAMES = 10_000
STUCK_AT = 1e-12
"""Events with actions closer in time than this, relatively, stop the motion: actions accumulate."""


@dataclass(frozen=True)
class CompletedStart:
    """A start as it was completed: by which system, from which start values, to which full state."""

    system: System
    held: tuple[str, ...]
    full: Mapping[str, float]
    resting: tuple[str, ...] = ()
    """Velocities that are zero where the constraints leave them free, before others."""


@dataclass(frozen=True)
class Problem:
    """An initial value problem in names: system, form, parameters, inputs and start, read and completed by `simulate`.

    ``initial`` begins the first piece, ``start`` are the values as given, ``inputs`` are in the order of the equations.
    """

    source: System | Equations
    """What the user gave."""
    formulation: Formulation | None
    """The equations in every frame; None for equations by hand."""
    initial: InitialValue
    parameters: dict[str, float]
    inputs: list[GivenInput]
    time: float
    form: str
    start: dict[str, float]
    given_inputs: Mapping[str, GivenInput]
    completed: CompletedStart | None = None
    """How the start was completed; None where equations by hand were given their whole state."""

    @property
    def given_system(self) -> System | None:
        """The system as it was given; None for equations by hand."""
        return self.source if isinstance(self.source, System) else self.source.system

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.source.name

    @property
    def system(self) -> System | None:
        """The system with its feedback laws put in; None for equations by hand."""
        return self.initial.kernel.system

    @property
    def laws(self) -> Mapping[str, Expr]:
        """The feedback laws."""
        return self.initial.kernel.laws


_BY_HAND: WeakCache[Cache[SystemKernel]] = WeakCache(64)


def problem_of(
    system: System | Equations, start: Any, parameters: Any, form: str, inputs: dict[str, Any], principle: str = ""
) -> Problem:
    """The problem of a motion: start completed, inputs read, initial value compiled."""
    if isinstance(system, Equations):
        own = system.system
        if own is None or principle or system.origin != "hamel" or system != hamel(own):
            return _by_hand(system, start, parameters, inputs)
        # the system's own equations: its speeds may be changed on the way, so that nothing is lost where they fail
        return replace(problem_of(own, start, parameters, "hamel", inputs), source=system)
    closed = driven(system, inputs)
    numbers = parameter_values(system, parameters)
    values = read_start(system, system.start if start is None else start, numbers)
    given = {n: e for n, e in values.items() if n not in system.inputs}
    formulation = formulation_of(closed.closed, closed.laws, form, principle)
    known = {**guesses(system), **given}
    full = start_under(formulation, closed.others, known, numbers, system)
    held = tuple(n for n, e in known.items() if not isinstance(e, Guess))
    resting = tuple(n for n, e in known.items() if isinstance(e, Guess) and n not in system.coordinates)
    completion = CompletedStart(formulation.system, held, full, resting)
    given = {n: full[n] if isinstance(e, Guess) else e for n, e in given.items() if n not in resting}
    initial = formulation.start(full, numbers)
    require_rates(formulation.system, closed.others, {**numbers, **full}, form == "hamel")
    signals = signals_of(initial.kernel, closed.others)
    return Problem(system, formulation, initial, numbers, signals, full["t"], form, given, inputs, completion)


def start_under(
    formulation: Formulation, inputs: Mapping[str, Any], start: Mapping[str, float], parameters: Mapping[str, float],
    system: System | None = None,
) -> dict[str, float]:  # fmt: skip
    """The full state at a start, under inputs of which some may want to see it, or the sensors of ``system``."""
    time = start.get("t", 0.0)
    known = {n: beginning(e, time) for n, e in inputs.items()}
    values = {**{n: e for n, e in known.items() if e is not None}, **start}
    full = completed(formulation.system, values, parameters)
    blind = [n for n, e in known.items() if e is None and n not in start]
    if blind:
        kernel = formulation.kernel({**parameters, **full})
        first = {n: inputs[n].initial for n in blind if isinstance(inputs[n], Sampled)}
        row = initial_value(kernel, full, parameters).row({**full, **first}, parameters)
        for name in blind:
            live = source(name, inputs[name], time, time, None, formulation.system.name, system)
            if isinstance(live, FunctionInput):
                values[name] = live.along(kernel, row[None])[0]
        full = completed(formulation.system, values, parameters)
    return full


def _by_hand(equations: Equations, start: Any, parameters: Any, inputs: dict[str, Any]) -> Problem:
    system = equations.system
    if start is None and system is not None:
        start = system.start
    began = named(start, f"{equations.name}: start", '{"x": 0.5}')
    driving = {*map(str, equations.inputs), *(system.inputs if system is not None else ())}
    given = {n: finite(v, f"{equations.name}: start {n}") for n, v in began.items() if n not in driving}
    given = filled(equations, given) if system is None else given
    numbers = numbers_of(equations, parameters)
    moved = driven(system, inputs) if system is not None else None
    names = [str(s) for s in equations.inputs] if system is None else list(system.inputs)
    stray = [n for n in inputs if n not in names]
    if stray:
        raise StateError(f"{equations.name}: no input is called {stray[0]!r}; it has {', '.join(names) or 'none'}.")
    formulas = {n: e for n, e in inputs.items() if is_formula(e)} if moved is None else moved.laws
    others: Mapping[str, Any] = {n: e for n, e in inputs.items() if n not in formulas} if moved is None else moved.others
    kernel = closed_equations(equations, formulas, None if moved is None else moved.closed)
    if moved is not None:
        require_rates(moved.closed, others, None, equations.origin == "hamel")
    made = None
    if system is not None and moved is not None and not all(n in given for n in kernel.equations.state):
        formulation = formulation_of(moved.closed, moved.laws)
        values = {n: e for n, e in read_start(system, given, numbers).items() if n not in formulation.laws}
        full = start_under(formulation, others, values, numbers)
        initial = initial_value(kernel, full, numbers)
        made = CompletedStart(formulation.system, tuple(given), full)
    else:
        initial = InitialValue(kernel, np.array(state_vector(kernel.equations, given, numbers)), 1.0)
    signals = signals_of(kernel, others)
    return Problem(equations, None, initial, numbers, signals, given.get("t", 0.0), equations.origin, given, inputs, made)


def numbers_of(equations: Equations, parameters: Any) -> dict[str, float]:
    """The values of the parameters of equations: those of their system where they have the same, else as given."""
    system, names = equations.system, tuple(map(str, equations.parameters))
    if system is not None and set(names) == set(system.parameters):
        return parameter_values(system, parameters)
    values = named(parameters, f"{equations.name}: parameters", '{"m": 1.5}')
    numbers = {k: finite(v, f"{equations.name}: parameter {k}") for k, v in values.items() if v is not None}
    if "g" in names:
        numbers.setdefault("g", GRAVITY)
    missing = [n for n in names if n not in numbers]
    if missing:
        raise StateError(f'{equations.name}: the parameter {missing[0]!r} has no value; give parameters={{"{missing[0]}": …}}.')
    return numbers


def closed_equations(equations: Equations, formulas: Mapping[str, Any], system: System | None) -> SystemKernel:
    """Equations that were derived before, with feedback laws put in (as in ``system``, where there is one); compiled once."""
    kept = _BY_HAND.get(equations, lambda: Cache(8))
    if not formulas:
        return kept.get((), lambda: system_kernel(equations, equations.system))

    def closed() -> SystemKernel:
        plain = system_kernel(equations, equations.system)
        table = {symbol(n): plain.expression(e, f"{equations.name}: input {n}") for n, e in formulas.items()}
        laws = FrozenMap(formulas) if system is not None else FrozenMap(dict(zip(formulas, table.values())))

        def put(exprs: Any) -> tuple[Expr, ...]:
            return substitute(list(exprs), table)

        changed = replace(
            equations,
            kinematics=put(equations.kinematics),
            mass=tuple(put(row) for row in equations.mass),
            force=put(equations.force),
            energy=put([equations.energy])[0],
            inputs=tuple(s for s in equations.inputs if str(s) not in laws),
            outputs=FrozenMap(dict(zip(equations.outputs, put(equations.outputs.values())))),
            invariants=FrozenMap(dict(zip(equations.invariants, put(equations.invariants.values())))),
        )
        return system_kernel(changed, system, laws)

    return kept.get(tuple((n, str(e)) for n, e in formulas.items()), closed)


def signals_of(kernel: SystemKernel, inputs: Mapping[str, GivenInput]) -> list[GivenInput]:
    """What the inputs do, in the order of the equations; an input without a value is 0."""
    return [inputs.get(n, 0.0) for n in kernel.inputs]


def _path(initial: InitialValue, method: Method, bundle: Bundle | None) -> Callable[..., Path]:
    """A path of the motion alone, or with tangents."""
    if bundle is None:
        return partial(way_of(method), initial.kernel, method)
    return partial(advance_tangents, initial.kernel, method, bundle=bundle)


def way_of(method: Method) -> Callable[..., Path]:
    """How a method makes a path: by the compiled loops, or by itself."""
    way: Callable[..., Path] = getattr(method, "path", advance)
    return way


@dataclass(frozen=True)
class WantedEvent:
    """One event of a user, given by an expression."""

    name: str
    source: Formula
    direction: int
    terminal: int
    action: Action | None = None


@dataclass(frozen=True)
class FunctionEvent:
    """One event of a user, given by a Python function of the named state."""

    name: str
    function: Callable[[dict[str, float]], float]
    direction: int
    terminal: int


def pieces_of(
    problem: Problem,
    method: Method,
    until: float,
    wanted: Any,
    events: list[WantedEvent],
    bar: Watcher | None,
    sources: Sequence[Source],
    bundle: Bundle | None = None,
) -> tuple[list[tuple[InitialValue, Path]], Array, Outcome]:
    """Integrate under inputs from `sources_of`, changing the frame where it degenerates; a bundle of tangents is optional."""
    pieces: list[tuple[InitialValue, Path]] = []
    initial, time = problem.initial, problem.time
    rest = wanted
    while True:
        path = _path(initial, method, bundle)(
            time,
            initial.state,
            until,
            parameters=[problem.parameters[n] for n in initial.kernel.parameters],
            inputs=tables_of(sources),
            t_eval=None if isinstance(rest, str) else rest,
            events=_compiled(problem, initial, method, events, bundle),
            record=isinstance(rest, str) and rest == "steps",
            condition_thresholds=initial.thresholds,
            on_chunk=bar,
            **input_callback(initial.kernel, sources),
        )
        pieces.append((initial, path))
        occurred = [p.occurrences.index for _, p in pieces]
        acting = pending_action(path.outcome.kind, occurred, [(e.action, e.terminal) for e in events])
        if acting is not None:
            moved = path.final_time - time
            time = path.final_time
            if abs(moved) <= STUCK_AT * max(1.0, abs(time)) or len(pieces) >= MOST_FRAMES:
                count = sum(int(np.sum(np.asarray(p.occurrences.index) == acting)) for _, p in pieces)
                pieces[-1] = (initial, replace(path, outcome=accumulating(path.outcome, events[acting].name, count)))
                break
            here = named_state(problem, initial, time, path.final_state, sources, inputs=True)
            row = rows_with_inputs(initial.kernel, sources, np.array([time]), path.final_state[None], problem.parameters)[0]
            where = f"{problem.name}: action of event {events[acting].name}"
            after = state_after(initial.kernel, here, row, events[acting].action, where)
            initial = replace(initial, state=after)
            rest = rest if isinstance(rest, str) else rest[len(path.times) :]
            if isinstance(rest, str) and rest == "end":
                pieces[-1] = (pieces[-1][0], _without_states(path))
            continue
        if path.outcome.kind != "frame degenerates" or problem.formulation is None or len(pieces) >= MOST_FRAMES:
            break
        time = path.final_time
        here = named_state(problem, initial, time, path.final_state, sources, inputs=True)
        old, initial = initial, problem.formulation.better(here, problem.parameters, initial)
        if bundle is not None and path.tangents is not None:
            row = rows_with_inputs(old.kernel, sources, np.array([time]), path.final_state[None, :], problem.parameters)[0]
            bundle = Bundle(path.tangents.final, bundle.along)
            bundle = changed_frame(old.kernel, initial.kernel, row, initial.state, bundle)
        if not isinstance(rest, str):
            rest = rest[len(path.times) :]
        if isinstance(rest, str) and rest == "end":
            pieces[-1] = (pieces[-1][0], _without_states(path))
    times = pieces[0][1].times if len(pieces) == 1 else np.concatenate([p.times for _, p in pieces])
    return pieces, times, last_outcome([p.outcome for _, p in pieces])


def sources_of(problem: Problem, method: Method, until: float, times: Any) -> list[Source]:
    """The inputs for one motion: signals, or functions that see the state; numbers for a method of its own way."""
    names = problem.initial.kernel.inputs
    if hasattr(method, "path"):
        return [expandable(n, s, problem.name) for n, s in zip(names, problem.inputs)]
    return [source(n, s, problem.time, until, times, problem.name, problem.given_system) for n, s in zip(names, problem.inputs)]


def tables_of(sources: Sequence[Source]) -> list[Signal | float]:
    """What the loops evaluate by themselves."""
    return [s.table if isinstance(s, FunctionInput) else s for s in sources]


def input_callback(kernel: SystemKernel, sources: Sequence[Source]) -> dict[str, Fill]:
    """The callback of the loops for inputs that are Python functions; empty without such inputs."""
    first = 1 + len(kernel.equations.state)
    live = [(first + k, s) for k, s in enumerate(sources) if isinstance(s, FunctionInput)]
    if not live:
        return {}

    return {"fill": partial(fill_inputs, kernel, live)}


def _without_states(path: Path) -> Path:
    return replace(path, times=path.times[:0], states=path.states[:0])


def _compiled(
    problem: Problem, initial: InitialValue, method: Method, events: Sequence[WantedEvent], bundle: Bundle | None
) -> Any:
    """The events for the loops, compiled and cached; as expressions for methods that do not use the compiled loops."""
    kernel = initial.kernel
    if not events:
        return () if hasattr(method, "path") else watch(kernel, ())

    def read() -> list[Event]:
        return [
            Event(kernel.expression(e.source, f"{problem.name}: event {e.name}"), e.direction, _terminal(e)) for e in events
        ]

    if hasattr(method, "path"):
        return read()
    key = tuple((str(e.source), e.direction, _terminal(e)) for e in events)
    if bundle is None:
        return kernel.watched(key, lambda: watch(kernel, read()))
    extended = kernel.tangent_kernel(bundle.along, initial.row({}, problem.parameters))
    return kernel.watched((bundle.along, *key), lambda: watch(extended, read()))


def _terminal(event: WantedEvent) -> int:
    """An event with an action stops the loop each time."""
    return 1 if event.action is not None else event.terminal


def named_state(
    problem: Problem, initial: InitialValue, time: float, state: Array, sources: Sequence[Source], inputs: bool = False
) -> dict[str, float]:
    """Every name of the state at one time; with ``inputs`` what these do then, on which constraints may depend."""
    kernel = initial.kernel
    row = rows_with_inputs(kernel, sources, np.array([time]), state[None, :], problem.parameters)[0]
    first = 1 + len(kernel.equations.state)
    values = dict(zip(kernel.inputs, row[first : first + len(kernel.inputs)].tolist())) if inputs else {}
    shown = {n: e for n, e in zip(kernel.equations.state, state.tolist()) if not n.startswith("_")}
    return {"t": time, **values, **shown, **kernel.velocities(row)}
