"""simulate: one call from a system and a start to a Trajectory."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from time import perf_counter
from typing import Any, Unpack

import numpy as np
import symengine as se

from nonholo.algebra.calculus import nodes
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.derive.equations import Equations
from nonholo.errors import StateError
from nonholo.integrate.contacts.contact_formulation import speaks_of_contacts, without_contact_words
from nonholo.integrate.contacts.mode_changes import Changes, switching
from nonholo.integrate.contacts.mode_switching import ContactProblem
from nonholo.integrate.given_inputs import given_inputs
from nonholo.integrate.loops.arguments.array_layout import EVENT
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.methods import method_kind
from nonholo.integrate.methods.method_record import Method, MethodOptions
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Event, Path
from nonholo.integrate.motion.motion_pieces import (
    FunctionEvent,
    Problem,
    WantedEvent,
    pieces_of,
    problem_of,
    sources_of,
)
from nonholo.integrate.motion.run_warnings import no_number, passed_over, without_a_number
from nonholo.integrate.motion.terminal_events import at_an_edge, edge_events, passage, transitions, with_rank_loss
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import FIXED, STILL, STUCK, Outcome, adding, missing, sticking
from nonholo.integrate.outcome import outcome as outcome_of
from nonholo.integrate.results.lazy_results import LazyMapping, LazyResults
from nonholo.integrate.results.sensor_readings import expand_sensor_names
from nonholo.model.system import DURATION, System, finite
from nonholo.model.velocities.constraint_branches import on_branch
from nonholo.program.array_types import Array

POINTS, MOST_TIMES = 401, 20_000_000
"""Number of equally spaced times when ``t_eval`` is left out, and the most that are allowed."""

USUAL, FINE, SWITCHED, SWITCHED_FINE = (1e-9, 1e-12), (1e-12, 1e-15), (1e-10, 1e-13), (1e-11, 1e-13)
"""Relative and absolute error of a motion, of one with derivatives (the rattleback's are right to 1e-8 over a reversal), and of
both where contacts change their modes: energy then balances to 1e-10."""


def simulate(
    system: System | Equations,
    start: Mapping[str, Any] | None = None,
    until: float | None = None,
    parameters: Mapping[str, Any] | None = None,
    *,
    method: str | Method = "dop853",
    rtol: float | None = None,
    atol: float | None = None,
    t_eval: Any = None,
    events: Any = (),
    inputs: Any = None,
    progress: bool | None = None,
    form: str = "hamel",
    watch: Mapping[str, Any] | None = None,
    units: Mapping[str, str] | None = None,
    sensitivity: Sequence[str] | None = None,
    impacts: str = "sequential",
    undecided: str = "stop",
    regularised: float = 0.0,
    branch: str | int | None = None,
    **options: Unpack[MethodOptions],
) -> Trajectory:
    """The motion from ``start`` (at ``t = start["t"]``, 0 unless given) until ``until``, forwards or backwards.

    What is left out is taken from the system: its start, values, inputs, units and end (10 s where it has none).

    ``start`` may be partial (see `complete_state`); ``t_eval`` is a list of times, a number of equally spaced ones,
    ``"steps"`` for every step, or ``"end"`` for the end alone. ``events`` are texts, expressions, `Event` records or
    functions of the named state; their times are in ``run.events`` (a second one of the same text is ``"v #2"``). To follow
    one steps are halved; where it is too fast for that the outcome's advice says so, but what leaves no trace at the
    samples of a step is not seen: give ``max_step``. ``inputs`` are numbers, tables (times, values) in which a
    time that stands twice is a jump, arrays on ``t_eval``, functions ``f(t)`` or ``f(t, state)``, `sampled` ones, or feedback
    laws as text, CSV files or pandas tables; one function for all of them returns a dict. An input without a value is 0.
    What they did is in ``run.data``. ``watch`` names more expressions to follow. ``form`` chooses the
    derivation; other ``options`` go to the method (``step=`` for rk4, verlet, hamel and dlagrange_dalembert, ``tau=`` for the
    last two).

    ``sensitivity`` names parameters, start values (and inputs that are numbers) by which derivatives go along with the motion:
    ``run.sensitivity``, ``run.event_sensitivity``. What of the start follows from the constraints follows in the derivatives too.
    ``rtol`` and ``atol`` are 1e-9 and 1e-12 where none are given; with sensitivities 1e-12 and 1e-15, since derivatives are
    farther off than the motion they belong to; with contacts that slip or lift 1e-10 and 1e-13 (1e-11 and 1e-13).

    Contacts that slip or lift (``docs/contacts.md``) change their modes on the way: ``run.modes``. ``impacts`` that coincide act
    one after the other (``"sequential"``) or ``"together"``; where rigid bodies with friction do not decide, the motion stops, or
    goes on as ``undecided`` says (``"rolling"``, ``"sliding"``, ``"open"``). For comparison ``regularised`` is a velocity ε: the
    friction of contacts that slip is then ``−μ N u/√(u² + ε²)``, and they never stick (stiff: ``method="rodas"``).

    ``branch`` chooses among the types of motion that a constraint with factors leaves (`nonholo.forms.constraint_branches`),
    also at transitional states, where more than one is possible and nothing else decides.

    The frame of quasi-velocities is changed on the way when it degenerates. An early end is an ``outcome``, not an
    exception.

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> run = nh.simulate(sleigh.system, {"omega": 1.5, "v": -1}, 5, {"m": 1.3, "J": 0.7, "a": 0.4})
    >>> run
    <Trajectory Chaplygin sleigh: t = 0 … 5, 401 points, reached>
    """
    if branch is not None and isinstance(system, System):
        system = on_branch(system, branch)
    happenings, watch, inputs = expand_sensor_names(system, _event_list(events), watch, inputs)
    said: list[Any] = [e.source if isinstance(e, WantedEvent) else e.function for e in happenings]
    said += list(watch.values()) if isinstance(watch, Mapping) else []
    across = isinstance(system, System) and (
        switching(system) or (bool(system.contacts) and any(map(speaks_of_contacts, said)))
    )
    usual, fine = (SWITCHED, SWITCHED_FINE) if across else (USUAL, FINE)
    relative, absolute = fine if sensitivity and rtol is None else usual
    chosen = chosen_method(method, relative if rtol is None else rtol, absolute if atol is None else atol, options)
    driving = given_inputs(inputs, _input_names(system), getattr(system, "name", "simulate"))
    if isinstance(system, System) and across:
        from nonholo.integrate.contacts.contact_motion import check_contact_options, contact_problem

        check_contact_options(system, form, chosen, impacts, undecided, regularised, said)
        problem: Problem = contact_problem(system, start, parameters, driving, impacts == "together", undecided, regularised)
    else:
        _without_contacts(getattr(system, "name", "simulate"), impacts, undecided, regularised)
        problem = problem_of(system, start, parameters, form, driving, chosen.principle)
    own = problem.given_system
    end = finite(until, "until") if until is not None else own.until if own is not None and own.until is not None else DURATION
    in_units = _table(units, "units", '{"x": "m"}') if units is not None else dict(own.units) if own is not None else {}
    wanted = times_of(t_eval, problem.time, end)
    bar = _Bar(progress, problem.time, end, problem.name)
    try:
        watched = {**_sensors(own), **_table(watch, "watch", '{"height": "2*x"}')}
        return _run(problem, chosen, end, wanted, happenings, watched, in_units, bar, sensitivity)
    finally:
        bar.close()


def _sensors(system: System | None) -> Mapping[str, Any]:
    """Outputs of a machine's sensors as expressions of the state."""
    if system is None or system.machine is None:
        return {}
    from nonholo.machines.machine_outputs import machine_outputs

    return machine_outputs(system).state


def _input_names(system: System | Equations) -> tuple[str, ...]:
    """The inputs of a system or of equations by hand; what is neither is refused later."""
    return tuple(map(str, getattr(system, "inputs", ())))


def chosen_method(name: str | Method, rtol: float, atol: float, options: Mapping[str, Any]) -> Method:
    """The method of a name with those of rtol and atol it knows, or the method itself."""
    if isinstance(name, Method):
        return method_by_name(name, **options)
    kind = method_kind(name) if isinstance(name, str) else None
    fields = getattr(kind, "__dataclass_fields__", {})
    return method_by_name(name, **{k: v for k, v in (("rtol", rtol), ("atol", atol)) if k in fields}, **options)


def times_of(t_eval: Any, t0: float, t1: float, least: int = 2, words: tuple[str, ...] = ("steps", "end")) -> Any:
    """The output times: a list, a number of equally spaced ones (at least ``least``), or one of the ``words``."""
    if isinstance(t_eval, str) and t_eval in words:
        return t_eval
    if isinstance(t_eval, (str, bool)) or (isinstance(t_eval, int) and t_eval < 1):
        known = " or ".join(f'"{word}"' for word in words)
        raise StateError(f"t_eval: {t_eval!r} where a list of times, a number of them, {known} is needed.")
    if isinstance(t_eval, int) and t_eval > MOST_TIMES:
        raise StateError(
            f"t_eval: {t_eval} times are {t_eval * 8e-9:.3g} GB of numbers for each quantity, and at most {MOST_TIMES} are kept; "
            'ask for fewer, or for the end alone: t_eval="end".'
        )
    if t_eval is None or isinstance(t_eval, int):
        return np.linspace(t0, t1, POINTS if t_eval is None else max(least, t_eval))
    return list_of_times(t_eval)


def list_of_times(t_eval: Any) -> Array:
    """Output times as an array of numbers."""
    try:
        return np.asarray(t_eval, dtype=float)
    except (TypeError, ValueError):
        raise StateError(f"t_eval: {str(t_eval)[:60]} where a list of finite times is needed; give numbers.") from None


def _table(given: Any, word: str, example: str) -> dict[str, Any]:
    """An option that names things, as a dict."""
    if given is not None and not isinstance(given, Mapping):
        raise StateError(f"{word}: {str(given)[:60]!r} where a dict is needed; give {word}={example}.")
    return dict(given or {})


def _event_list(events: Any) -> list[WantedEvent | FunctionEvent]:
    if isinstance(events, (str, Event)) or callable(events):
        events = [events]
    if not isinstance(events, Iterable):
        raise StateError(f"events: {events!r} where a list is needed; give texts, expressions, Event records or functions.")
    result: list[WantedEvent | FunctionEvent] = []
    for k, e in enumerate(events):
        if isinstance(e, Event):
            source = e.expression
            if callable(source) and e.action is not None:
                raise StateError(f"event {k + 1}: an action needs its event as a formula, not as a function; write it as text.")
            if callable(source):
                name = getattr(source, "__name__", f"event {k + 1}")
                result.append(FunctionEvent(name, source, e.direction, int(e.terminal)))
            else:
                result.append(WantedEvent(str(source), source, e.direction, int(e.terminal), e.action))
        elif callable(e):
            name = getattr(e, "__name__", f"event {k + 1}")
            result.append(FunctionEvent(name, e, int(getattr(e, "direction", 0)), int(getattr(e, "terminal", 0))))
        else:
            result.append(WantedEvent(str(e), e, 0, 0))
    taken: set[str] = set()
    for k, one in enumerate(result):  # two events of the same text stay two
        name, number = one.name, 2
        while name in taken:
            name, number = f"{one.name} #{number}", number + 1
        taken.add(name)
        result[k] = replace(one, name=name)
    return result


def _run(
    problem: Problem,
    method: Method,
    until: float,
    wanted: Any,
    events: list[WantedEvent | FunctionEvent],
    watch: dict[str, Any],
    units: dict[str, str],
    bar: _Bar,
    sensitivity: Any,
) -> Trajectory:
    sources = sources_of(problem, method, until, wanted)
    names: tuple[str, ...] = ()
    bundle = None
    if sensitivity is not None:
        from nonholo.integrate.sensitivity.event_derivatives import derivatives
        from nonholo.integrate.sensitivity.sensitivity import start_bundle, wanted_names

        names = wanted_names(problem, method, sources, sensitivity)
        bundle = start_bundle(problem, names) if names else None
    functions = [e for e in events if isinstance(e, FunctionEvent)]
    if any(isinstance(e, WantedEvent) and e.action is not None for e in events):
        hindered = "contacts that switch" if isinstance(problem, ContactProblem) else "sensitivities" if names else ""
        hindered = hindered or ("events by functions" if functions else "")
        if hindered:
            raise StateError(f"{problem.name}: an event's action does not go with {hindered}; leave one of them out.")
    found: dict[str, list[float]] = {}
    stopped, missed = until, False
    nowhere: list[str] = []
    if functions:
        from nonholo.integrate.motion.function_events import scan

        until, found, missed, nowhere = scan(problem, method, until, functions, bar, sources)
        if not isinstance(wanted, str):
            ahead = wanted <= until if until >= problem.time else wanted >= until
            wanted = wanted[ahead]
    texts = [e for e in events if isinstance(e, WantedEvent)]
    _check_watched(problem, watch)
    for name, text in watch.items():
        where = f"{problem.name}: watch {name}"  # a mistake is told now, not later
        if isinstance(problem, ContactProblem):
            text = without_contact_words(text, tuple(law.name for law in problem.source.contacts), where)
        problem.initial.kernel.expression(text, where)
    loss = transitions(problem) if not isinstance(problem, ContactProblem) else None
    edges = edge_events(problem.given_system)
    looked = [*texts, *edges, *([passage(loss)] if loss is not None else ())]
    changes: Changes | None = None
    if isinstance(problem, ContactProblem):
        from nonholo.integrate.contacts.contact_motion import contact_pieces

        pieces, times, outcome, changes = contact_pieces(problem, method, until, wanted, looked, bar, sources, bundle)
    else:
        pieces, times, outcome = pieces_of(problem, method, until, wanted, looked, bar, sources, bundle)
    if loss is not None:
        place, near = len(texts) + len(edges), 30 * getattr(method, "rtol", 0.0)
        outcome = with_rank_loss(problem, loss, pieces, place, sources, outcome, near)
    outcome = at_an_edge(outcome, pieces, edges, len(texts))
    if outcome.kind in STUCK and _jumps(problem.initial.equations):
        outcome = sticking(outcome)
    if outcome.reached and until != problem.time and _stays(problem, pieces):
        equations = problem.initial.equations
        outcome = adding(outcome, STILL if equations.speeds or equations.unknowns else FIXED)
    happened: dict[str, list[float]] = {e.name: [] for e in events}
    for _, path in pieces:
        for t, k in zip(path.occurrences.times.tolist(), path.occurrences.index.tolist()):
            if k < len(texts):
                happened[texts[k].name].append(t)
    happened |= found
    if until != stopped and outcome.reached:
        outcome = outcome_of(EVENT, until)
    if missed:
        outcome = missing(outcome)
    empty = [n for n in nowhere if not happened[n]] + without_a_number(problem, pieces, sources, texts, happened)
    outcome = passed_over(problem, method, pieces, no_number(outcome, empty))
    results = LazyResults(problem, pieces, times, sources, watch, units, method, stopped, events, names, bundle, found)
    slopes = LazyMapping(lambda: derivatives(results)) if bundle is not None else FrozenMap()
    return trajectory_of(results, outcome, sum(path.accepted for _, path in pieces), happened, slopes, changes)


def trajectory_of(
    results: LazyResults,
    outcome: Outcome,
    steps: int,
    events: Mapping[str, Sequence[float]] = FrozenMap(),
    derivatives: Mapping[str, Any] = FrozenMap(),
    changes: Changes | None = None,
) -> Trajectory:
    """The Trajectory of a computation; its quantities are computed when they are first used."""
    return Trajectory(
        data=results,
        final=LazyMapping(results.final),
        outcome=outcome,
        events=FrozenMap({n: np.array(ts) for n, ts in events.items()}),
        event_states=LazyMapping(results.event_states),
        steps=steps,
        calls=sum(path.calls for _, path in results.pieces),
        frames=len(results.pieces),
        first=LazyMapping(lambda: results.first),
        drifts=LazyMapping(results.drifts),
        system=results,
        derivatives=derivatives,
        changes=changes,
    )


def _without_contacts(name: str, impacts: str, undecided: str, regularised: float) -> None:
    """Refuse options of contacts where none changes its mode."""
    usual = {"impacts": (impacts, "sequential"), "undecided": (undecided, "stop"), "regularised": (regularised, 0.0)}
    for word, (given, default) in usual.items():
        if given != default:
            raise StateError(
                f"{name}: {word}={given!r} is for contacts that slip or lift, and it has none; leave it out, or give it "
                "a contact with slips = true or lifts = true."
            )


def _stays(problem: Problem, pieces: Sequence[tuple[InitialValue, Path]]) -> bool:
    """Whether the state is unchanged to the last bit."""
    return len(pieces) == 1 and np.array_equal(pieces[0][1].final_state, problem.initial.state)


def _jumps(equations: Equations) -> bool:
    """Whether a force has pieces that are chosen by a velocity, as sign(v) has."""
    speeds = set(equations.speeds)
    pieces = [n for n in nodes([*equations.force, *equations.kinematics]) if isinstance(n, se.Piecewise)]
    return any(speeds & test.free_symbols for piece in pieces for test in piece.args[1::2])


def _check_watched(problem: Problem, watch: Mapping[str, Any]) -> None:
    """Refuse names for what is watched that a motion has for something else, or that a file cannot hold."""
    if not watch:
        return
    kernel = problem.initial.kernel
    taken = {"t", *kernel.equations.state, *kernel.columns.names}
    for name in watch:
        if not isinstance(name, str) or not name.strip() or "/" in name:
            raise StateError(f"{problem.name}: watch: {name!r} cannot be a name; give text without a / in it.")
        reaction = name.startswith("lambda") and name[6:].isdigit()
        if name in taken or reaction:
            raise StateError(f"{problem.name}: watch: the motion has a quantity {name!r} already; choose another name.")


class _Bar:
    """A progress bar that appears after two seconds when a person watches."""

    def __init__(self, wanted: bool | None, t0: float, t1: float, name: str) -> None:
        self.wanted = sys.stderr.isatty() if wanted is None else wanted
        self.t0, self.t1, self.name = t0, t1, name
        self.began = perf_counter()
        self.bar: Any = None
        self.task: Any = None

    def __call__(self, time: float, steps: int) -> None:
        if not self.wanted or perf_counter() - self.began < 2.0:
            return
        if self.bar is None:
            from rich.console import Console
            from rich.progress import Progress

            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.bar.start()
            self.task = self.bar.add_task(self.name, total=1.0)
        self.bar.update(self.task, completed=abs((time - self.t0) / ((self.t1 - self.t0) or 1.0)))

    def close(self) -> None:
        """Take the bar away."""
        if self.bar is not None:
            self.bar.stop()
