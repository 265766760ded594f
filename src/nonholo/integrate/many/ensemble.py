"""Many motions in one call: threads without the GIL, one xarray with a ``member`` dimension."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from nonholo.derive.equations import Equations
from nonholo.derive.states.equation_values import filled, state_vector
from nonholo.derive.states.feedback_laws import driven
from nonholo.derive.states.start_derivatives import require_rates
from nonholo.errors import Remedy, StateError, give_parameter
from nonholo.integrate.contacts.mode_changes import switching
from nonholo.integrate.given_inputs import given_inputs
from nonholo.integrate.inputs import FunctionInput, Source, beginning, expandable, source
from nonholo.integrate.many.contact_ensemble import contact_ensemble
from nonholo.integrate.many.members import Columns, run_members
from nonholo.integrate.many.start_arrays import complete_states, members
from nonholo.integrate.methods.method_record import Method, MethodOptions
from nonholo.integrate.motion.formulation import InitialValue, formulation_of
from nonholo.integrate.motion.integration import Event
from nonholo.integrate.motion.motion_pieces import closed_equations, tables_of
from nonholo.integrate.motion.simulate import chosen_method, times_of
from nonholo.integrate.motion.system_kernel import with_input_parameters
from nonholo.integrate.motion.terminal_events import EDGE_TOUCHES, edge_events, edge_outcome, lost_ranks
from nonholo.integrate.outcome import Outcome, not_unique
from nonholo.model.specialise import with_parameters
from nonholo.model.system import GRAVITY, System, finite, known_parameters, parameter_values
from nonholo.model.velocities.constraint_rank import rank_loss
from nonholo.notation.read import is_formula
from nonholo.program.array_types import AnyArray

if TYPE_CHECKING:
    import xarray as xr

OUTCOMES = (
    "", "reached", "event", "too many steps", "step too small", "not finite", "mass matrix singular",
    "frame degenerates", "interrupted", "bad start", "step not solved", "no progress", "undecided contact", "impact refused",
    EDGE_TOUCHES,
)  # fmt: skip
"""Every way in which a member can end; a sweep stores the place in this list."""


def ensemble(
    system: System | Equations,
    starts: Any,
    until: float,
    parameters: Mapping[str, Any] | None = None,
    *,
    method: str | Method = "dop853",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    t_eval: Any = None,
    events: Any = (),
    inputs: Any = None,
    threads: int | None = None,
    initial: InitialValue | None = None,
    **options: Unpack[MethodOptions],
) -> xr.Dataset:
    """Thousands of motions: ``starts`` and ``parameters`` are dicts of numbers or arrays (or starts a list of dicts).

    The Dataset has every named quantity over (member, t), ``final_…`` and ``end_time`` over member, ``outcome`` (how it
    ended) and ``advice`` (what to do), ``event_0 …`` with the times of each event; where constraints can lose their rank,
    ``unique_until``: when they did, so that the motion is one of several from there on. A member that fails does not touch the
    others: its values are not-a-number after its end and its outcome says why. ``prepared`` fixes the frame for callers with
    many ensembles of one system. ``inputs`` are as in `simulate`; an array of numbers gives one to each member, and so does a
    list of dicts; a series in time is a pair (times, values).

    >>> import nonholo as nh
    >>> sleigh = nh.gallery.get("chaplygin-sleigh")
    >>> runs = nh.ensemble(sleigh.system, {"omega": [0.5, 1.0, 1.5], "v": -1}, 5, sleigh.parameters)
    >>> runs["final_theta"].shape
    (3,)
    """
    import xarray as xr

    if threads is not None and (not isinstance(threads, int) or isinstance(threads, bool) or threads < 0):
        raise StateError(
            f"threads = {threads!r} where a whole number ≥ 1 is needed; leave it out to use every processor."
        )
    if isinstance(system, Equations):
        by = chosen_method(method, rtol, atol, options)
        return ensemble_of_equations(system, starts, until, parameters, by, t_eval, events, inputs, threads)
    chosen = chosen_method(method, rtol, atol, options)
    driving = given_inputs(_columns_of(inputs, system.name), tuple(system.inputs), system.name)
    each = {n: driving.pop(n) for n in list(driving) if _one_for_each(driving[n])}
    if switching(system):
        named = known_parameters(system, parameters)
        return contact_ensemble(system, starts, until, named, chosen, t_eval, _events(events), driving, each, threads)
    moved = driven(with_parameters(system, tuple(each)), driving)
    closed, others = moved.closed, moved.others
    numbers = {**known_parameters(system, parameters), **each}
    if "g" in closed.parameters:
        numbers.setdefault("g", parameter_values(closed, {n: 1.0 for n in closed.parameters if n != "g"})["g"])
    table, given, count = members(starts, numbers, system.name)
    missing = [n for n in closed.parameters if n not in given]
    if missing:
        raise StateError(f"{system.name}: the parameter {missing[0]!r} has no value;", remedy=give_parameter(missing[0]))
    time = float(table.get("t", np.zeros(1))[0])
    known = {n: beginning(e, time) for n, e in others.items()}
    table = {**{n: np.full(count, e) for n, e in known.items() if e is not None}, **table}
    full, problems = complete_states(closed, table, given, count)
    bad = np.array(problems, dtype=bool)
    if bad.all() and initial is None:
        raise StateError(f"{system.name}: no member can start; the first says: {problems[0]}")
    until = finite(until, "until")
    times = times_of(t_eval, time, until, 1, ("end",))
    times = np.array([until]) if isinstance(times, str) else times
    if initial is None:
        first = int(np.argmin(bad))
        at = {n: float(a[first]) for n, a in full.items()}
        fixed = {n: float(a[first]) for n, a in given.items()}
        initial = formulation_of(closed, moved.laws, principle=chosen.principle).start(at, fixed)
    require_rates(closed, others)
    names = initial.equations.state
    asked = _events(events)
    compiled = [
        Event(
            initial.kernel.expression(e.expression, f"{system.name}: event {e.expression}"),
            e.direction,
            e.terminal,
        )
        for e in asked
    ]
    edges = edge_events(system)
    compiled += [Event(initial.kernel.expression(e.source, f"{system.name}: {e.name}"), 0, 1) for e in edges]
    loss = rank_loss(closed)
    if loss is not None:
        compiled.append(Event(initial.kernel.expression(loss.passing, f"{system.name}: rank")))
    if not chosen.compiled:
        signals: list[Source] = [expandable(n, others.get(n, 0.0), system.name) for n in initial.kernel.inputs]
    else:
        signals = [source(n, others.get(n, 0.0), time, until, times, system.name) for n in initial.kernel.inputs]
    live = any(isinstance(s, FunctionInput) for s in signals)
    columns = Columns(initial.kernel, times, given, signals, count)
    runs = run_members(
        initial.kernel,
        chosen,
        time,
        np.stack([full.get(n, np.full(count, np.nan)) for n in names], axis=1),
        until,
        np.stack([given[str(p)] for p in initial.equations.parameters], axis=1) if given else np.zeros((count, 0)),
        tables_of(signals),
        times,
        compiled,
        thresholds=initial.thresholds,
        skip=bad | live,
        threads=threads,
        on_ends=columns.fill,
    )
    outcomes, ways, ends, hits = runs.outcomes, runs.ways, runs.end_times, runs.events

    def note(k: int, outcome: Outcome) -> None:
        ways[k] = len(outcomes)
        outcomes.append(outcome)

    for k in np.flatnonzero(bad).tolist():
        note(k, Outcome("bad start", time, Remedy(problems[k])))
    if loss is not None:
        begins = np.stack([full.get(n, np.full(count, np.nan)) for n in names], axis=1)
        slack = 30 * getattr(chosen, "rtol", 0.0)
        for k, lost in lost_ranks(loss, initial, signals, given, time, begins, runs.occurrences, len(compiled) - 1, slack):
            note(k, not_unique(outcomes[ways[k]], lost))
    for k in np.flatnonzero(~bad).tolist() if edges else ():
        struck = [e.name for e, times in zip(edges, hits[k][len(asked) :]) if len(times)]
        if struck:
            note(k, edge_outcome(outcomes[ways[k]], struck[0]))
    degenerate = np.array([o.kind == "frame degenerates" for o in outcomes], dtype=bool)
    for k in np.flatnonzero((degenerate[ways] | live) & ~bad).tolist():
        own = {**driving, **{n: float(given[n][k]) for n in each}}
        note(k, _rerun_alone(system, chosen, k, table, given, until, times, own, asked, columns, ends, hits))
        if outcomes[-1].kind == "interrupted":
            break
    data: dict[str, Any] = {n: (("member", "t"), a) for n, a in columns.along.items()}
    data |= {f"final_{n}": ("member", a) for n, a in columns.final.items()}
    data |= {n: (("member", "t"), np.repeat(given[n][:, None], len(times), axis=1)) for n in each}
    data |= {f"final_{n}": ("member", given[n]) for n in each}
    data |= {f"event_{j}": (("member", f"occurrence_{j}"), _padded(hits, j)) for j in range(len(asked))}
    data |= {
        "outcome": ("member", np.array([o.kind for o in outcomes])[ways]),
        "advice": ("member", np.array([o.advice for o in outcomes])[ways]),
        "end_time": ("member", ends),
    }
    if loss is not None:
        data["unique_until"] = ("member", np.array([o.unique_until for o in outcomes])[ways])
    coords = {"t": ("t", times, {"units": "s"}), "member": np.arange(count)}
    coords |= {f"start_{n}": ("member", a) for n, a in table.items()}
    coords |= {f"{'input' if n in each else 'parameter'}_{n}": ("member", a) for n, a in given.items()}
    return xr.Dataset(data, coords=coords, attrs={"system": system.name, "method": str(chosen)})


def ensemble_of_equations(
    equations: Equations, starts: Any, until: float, parameters: Mapping[str, Any] | None, method: Method, t_eval: Any,
    events: Any, inputs: Any, threads: int | None,
) -> xr.Dataset:  # fmt: skip
    """Motions of equations without a system (Kane's, from SymPy): starts are whole states, or found from what is given."""
    import xarray as xr

    names = tuple(map(str, equations.inputs))
    driving = given_inputs(_columns_of(inputs, equations.name), names, equations.name)
    each = {n: driving.pop(n) for n in list(driving) if _one_for_each(driving[n])}
    own = with_input_parameters(equations, tuple(each)) if each else equations
    laws = {n: driving.pop(n) for n in list(driving) if is_formula(driving[n])}
    kernel = closed_equations(own, laws, None)
    table, given, count = members(starts, {**({"g": GRAVITY} if "g" in kernel.parameters else {}), **(parameters or {}), **each},
                                  equations.name)  # fmt: skip
    missing = [n for n in kernel.parameters if n not in given]
    if missing:
        raise StateError(f'{equations.name}: the parameter {missing[0]!r} has no value; give parameters={{"{missing[0]}": …}}.')
    time, until = float(table.pop("t", np.zeros(1))[0]), finite(until, "until")

    def member(columns: Mapping[str, AnyArray], k: int) -> dict[str, float]:
        return {n: float(a[k]) for n, a in columns.items()}

    rows = [state_vector(kernel.equations, filled(kernel.equations, member(table, k)), member(given, k)) for k in range(count)]
    asked = _events(events)
    compiled = [
        Event(kernel.expression(e.expression, f"{equations.name}: event {e.expression}"), e.direction, e.terminal) for e in asked
    ]
    times = times_of(t_eval, time, until, 1, ("end",))
    times = np.array([until]) if isinstance(times, str) else times
    signals: list[Source] = [source(n, driving.get(n, 0.0), time, until, times, equations.name) for n in kernel.inputs]
    if any(isinstance(s, FunctionInput) for s in signals):
        raise StateError(f"{equations.name}: ensemble: give an input that sees the state as a law in text, or simulate each.")
    columns = Columns(kernel, times, given, signals, count)
    numbers = np.stack([given[n] for n in kernel.parameters], axis=1) if kernel.parameters else np.zeros((count, 0))
    runs = run_members(kernel, method, time, np.array(rows), until, numbers, tables_of(signals), times, compiled,
                       threads=threads, on_ends=columns.fill)  # fmt: skip
    data: dict[str, Any] = {n: (("member", "t"), a) for n, a in columns.along.items()}
    data |= {f"final_{n}": ("member", a) for n, a in columns.final.items()}
    data |= {f"event_{j}": (("member", f"occurrence_{j}"), _padded(runs.events, j)) for j in range(len(asked))}
    data |= {
        "outcome": ("member", np.array([o.kind for o in runs.outcomes])[runs.ways]),
        "advice": ("member", np.array([o.advice for o in runs.outcomes])[runs.ways]),
        "end_time": ("member", runs.end_times),
    }
    coords = {"t": ("t", times, {"units": "s"}), "member": np.arange(count)}
    coords |= {f"start_{n}": ("member", a) for n, a in table.items()}
    coords |= {f"{'input' if n in each else 'parameter'}_{n}": ("member", a) for n, a in given.items()}
    return xr.Dataset(data, coords=coords, attrs={"system": equations.name, "method": str(method)})


def _events(events: Any) -> list[Event]:
    return [e if isinstance(e, Event) else Event(e) for e in ([events] if isinstance(events, (str, Event)) else events)]


def _padded(hits: list[list[list[float]]], j: int) -> AnyArray:
    """The times of an event, a row for each member, filled up with not-a-number."""
    most = max((len(h[j]) for h in hits), default=0)
    return np.array([[*h[j], *[np.nan] * (most - len(h[j]))] for h in hits]).reshape(len(hits), most)


def _columns_of(inputs: Any, where: str) -> Any:
    """Inputs by name: a list of dicts, one for each member, becomes a dict of arrays."""
    if not isinstance(inputs, (list, tuple)) or not inputs or not all(isinstance(one, Mapping) for one in inputs):
        return inputs
    names = list(dict.fromkeys(str(n) for one in inputs for n in one))
    rows = [{str(n): e for n, e in one.items()} for one in inputs]
    for k, row in enumerate(rows):
        lacking = next((n for n in names if n not in row), None)
        if lacking is not None:
            raise StateError(f"{where}: inputs: member {k} has no {lacking!r}; give it a number in every dict.")
    return {n: np.array([finite(row[n], f"{where}: input {n} of member {k}") for k, row in enumerate(rows)]) for n in names}


def _one_for_each(given: Any) -> bool:
    """Whether an input is an array with a number for each member; a pair of times and values is none."""
    pair = isinstance(given, (tuple, list)) and len(given) == 2 and np.ndim(given[0]) > 0
    return not pair and isinstance(given, (tuple, list, np.ndarray)) and np.ndim(given) > 0


def _rerun_alone(
    system: System, method: Method, k: int, table: Mapping[str, AnyArray], given: Mapping[str, AnyArray], until: float,
    times: AnyArray, inputs: dict[str, Any], events: list[Event], columns: Columns, ends: AnyArray, hits: Any,
) -> Outcome:  # fmt: skip
    """A member whose frame degenerated, by itself, with changes of frame on the way."""
    from nonholo.integrate.motion.simulate import simulate

    start = {n: float(a[k]) for n, a in table.items() if n not in system.inputs}
    run = simulate(
        system,
        start,
        until,
        {n: float(a[k]) for n, a in given.items() if n not in system.inputs},
        method=method,
        t_eval=times,
        events=events,
        inputs=inputs,
        progress=False,
    )
    for n, column in columns.along.items():
        column[k] = np.nan
        if n in run.names:
            column[k, : len(run.times)] = run[n]
    for n, last in columns.final.items():
        last[k] = run.final.get(n, run[n][-1] if n in run.names else np.nan)
    ends[k] = run.final["t"]
    for j, happened in enumerate(run.events.values()):
        hits[k][j] = list(happened)
    return run.outcome
