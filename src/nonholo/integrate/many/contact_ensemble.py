"""Ensembles of systems whose contacts change their modes: members in the same mode move together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.derive.states.consistent_state import completed, guesses, read_start
from nonholo.derive.states.start_completion import TOLERANCE, completion, linear_velocities
from nonholo.errors import NonholoError, Remedy, StateError
from nonholo.integrate.contacts.contact_formulation import TOUCH, ContactFormulation
from nonholo.integrate.contacts.contact_motion import contact_problem
from nonholo.integrate.contacts.mode_switching import ContactProblem
from nonholo.integrate.inputs import FunctionInput
from nonholo.integrate.many.members import Columns
from nonholo.integrate.many.mode_lanes import ModeLanes
from nonholo.integrate.many.start_arrays import members
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.integration import Event
from nonholo.integrate.motion.motion_pieces import WantedEvent, sources_of
from nonholo.integrate.motion.simulate import simulate, times_of
from nonholo.integrate.motion.terminal_events import edge_events
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome
from nonholo.machines.starts.body_starts import body_words
from nonholo.model.scalars import Guess
from nonholo.model.system import System, finite
from nonholo.program.array_types import AnyArray

if TYPE_CHECKING:
    import xarray as xr

FEW = 16
"""Fewer members than this are computed one after the other."""


def contact_ensemble(
    system: System, starts: Any, until: float, parameters: Mapping[str, Any], method: Method, t_eval: Any,
    events: Sequence[Event], inputs: Mapping[str, Any], each: Mapping[str, Any], threads: int | None = None,
) -> xr.Dataset:  # fmt: skip
    """As `ensemble`; ``mode_changes`` counts the changes of each member, ``dissipated_…`` is the work lost at each contact."""
    import xarray as xr

    table, given, count = members(starts, {**parameters, **each}, system.name)
    end = finite(until, "until")
    times = times_of(t_eval, float(table.get("t", np.zeros(1))[0]), end, 1, ("end",))
    times = np.array([end]) if isinstance(times, str) else times
    along: dict[str, AnyArray] = {}
    final: dict[str, AnyArray] = {}
    begin = float(table.get("t", np.zeros(1))[0])
    outcomes: list[Outcome | None] = [None] * count
    ends, changes = np.full(count, times[0] if len(times) else end), np.zeros(count, dtype=int)
    hits: list[list[Any]] = [[[] for _ in events] for _ in range(count)]

    def words(k: int) -> tuple[dict[str, float], dict[str, float], dict[str, Any]]:
        own = {n: float(a[k]) for n, a in given.items()}
        fixed = {n: e for n, e in own.items() if n not in each}
        return {n: float(a[k]) for n, a in table.items()}, fixed, {**inputs, **{n: own[n] for n in each}}

    if not each and count >= FEW and end > begin and method.compiled and not edge_events(system):
        lanes = _lanes(system, table, given, method, end, times, events, inputs, threads, words)
        if lanes is not None:
            _columns(lanes, along, final)
            outcomes, hits, ends, changes = list(lanes.outcomes), list(lanes.hits), lanes.time, lanes.changes
            outcomes = [None if apart else o for o, apart in zip(outcomes, lanes.alone.tolist())]
    for k in [k for k, o in enumerate(outcomes) if o is None]:
        start, fixed, driving = words(k)
        for values in (*along.values(), *final.values()):
            values[k] = np.nan
        try:
            run = simulate(
                system, start, end, fixed, method=method, t_eval=times, events=list(events), inputs=driving, progress=False,
            )  # fmt: skip
        except NonholoError as trouble:
            outcomes[k] = Outcome("bad start", float(ends[k]), Remedy(str(trouble)))
            continue
        outcomes[k] = run.outcome
        ends[k], changes[k] = run.final["t"], len(run.modes)
        hits[k] = [list(times) for times in run.events.values()]
        _record(run, k, along, final, count, len(times))
    ended = [o for o in outcomes if o is not None]
    if all(o.kind == "bad start" for o in ended):
        raise StateError(f"{system.name}: no member can start; the first says: {ended[0].advice}")
    data: dict[str, Any] = {n: (("member", "t"), a) for n, a in along.items()}
    data |= {f"final_{n}": ("member", a) for n, a in final.items()}
    for j in range(len(events)):
        most = max((len(h[j]) for h in hits), default=0)
        padded = np.array([[*h[j], *[np.nan] * (most - len(h[j]))] for h in hits]).reshape(count, most)
        data[f"event_{j}"] = (("member", f"occurrence_{j}"), padded)
    data |= {
        "outcome": ("member", np.array([o.kind for o in ended])),
        "advice": ("member", np.array([o.advice for o in ended])),
        "end_time": ("member", ends),
        "mode_changes": ("member", changes),
    }
    coords: dict[str, Any] = {"t": ("t", times, {"units": "s"}), "member": np.arange(count)}
    coords |= {f"start_{n}": ("member", a) for n, a in table.items()}
    coords |= {f"{'input' if n in each else 'parameter'}_{n}": ("member", a) for n, a in given.items()}
    return xr.Dataset(data, coords=coords, attrs={"system": system.name, "method": str(method)})


def _lanes(
    system: System, table: Mapping[str, AnyArray], given: Mapping[str, AnyArray], method: Method, end: float, times: AnyArray,
    events: Sequence[Event], inputs: Mapping[str, Any], threads: int | None, words: Any,
) -> ModeLanes | None:  # fmt: skip
    """All members side by side, each to its end or to where it must go on alone; None where no member can start."""
    problem: ContactProblem | None = None
    for k in range(FEW):
        start, fixed, driving = words(k)
        try:
            problem = contact_problem(system, start, fixed, driving)
            break
        except NonholoError:
            continue
    if problem is None or problem.kept is None:
        return None
    names = problem.initial.equations.state
    sources = sources_of(problem, method, end, times)
    if any(isinstance(s, FunctionInput) for s in sources):
        return None
    numbers = {n: np.full(len(next(iter(given.values()), [0])), e) for n, e in problem.parameters.items()} | dict(given)
    states, alone = lane_starts(system, problem.kept, table, numbers, names)
    if "t" in table:
        alone = alone | (table["t"] != problem.time)
    if any(callable(e.expression) or e.action is not None for e in events):
        return None
    wanted = [WantedEvent(str(e.expression), e.expression, e.direction, int(e.terminal)) for e in events]  # type: ignore[arg-type]
    fixed_columns = [numbers[n] for n in problem.initial.kernel.parameters]
    rows = np.column_stack(fixed_columns) if fixed_columns else np.zeros((len(states), 0))
    lanes = ModeLanes(problem, problem.kept, rows, states, method, end, times, wanted, sources, threads, alone)
    lanes.run()
    return lanes


def _columns(lanes: ModeLanes, along: dict[str, AnyArray], final: dict[str, AnyArray]) -> None:
    """The quantities of all members; what they are does not depend on the mode."""
    kernel = lanes.kept.kernel(lanes.base.kernel, lanes.modes[int(np.argmin(lanes.alone))], False)
    numbers = dict(zip(kernel.parameters, lanes.parameters.T))
    columns = Columns(kernel, lanes.times, numbers, lanes.sources, len(lanes.state))
    columns.fill(np.arange(len(lanes.state)), lanes.along, lanes.state, lanes.time)
    along |= {n: a for n, a in columns.along.items() if not n.startswith("_")}
    final |= {n: a for n, a in columns.final.items() if not n.startswith("_")}


def _record(run: Trajectory, k: int, along: dict[str, AnyArray], final: dict[str, AnyArray], count: int, length: int) -> None:
    """The quantities of one member."""
    for name, one in run.quantities.items():
        if name == "t" or one.kind in ("residual", "reaction"):
            continue
        if name not in along:
            along[name], final[name] = np.full((count, length), np.nan), np.full(count, np.nan)
        along[name][k, : len(one.values)] = one.values
        final[name][k] = run.final.get(name, one.values[-1] if len(one.values) else np.nan)


def lane_starts(
    system: System, kept: ContactFormulation, table: Mapping[str, AnyArray], given: Mapping[str, AnyArray], names: tuple[str, ...]
) -> tuple[AnyArray, AnyArray]:
    """Full states of all members in the order of ``names``, and which of them must start by themselves."""
    count = len(next(iter({**table, **given}.values())))
    states, alone = np.full((count, len(names)), np.nan), np.ones(count, dtype=bool)
    if any(n in body_words(system) for n in table) or system.parametric is not None:
        return states, alone
    gaps = [law.gap for law in system.contacts if law.gap is not None]
    tied = {str(s) for e in (*system.frame.relations, *system.holonomic, *gaps) for s in e.free_symbols}
    moving = [n for n in table if n not in system.coordinates and n not in (*system.inputs, "t")]
    fixed = {n: a for n, a in table.items() if n not in moving} | {n: a for n, a in given.items() if n in tied}
    finite = np.all([np.isfinite(a) for a in (*table.values(), *given.values())], axis=0)
    key = np.column_stack([np.zeros(count), *fixed.values()])
    _, group = np.unique(key, axis=0, return_inverse=True)
    group = np.asarray(group).reshape(-1)
    for g in range(int(group.max()) + 1):
        members = np.flatnonzero((group == g) & finite)
        if len(members):
            _complete(system, kept, table, given, names, moving, members, states, alone)
    return states, alone


def _complete(
    system: System, kept: ContactFormulation, table: Mapping[str, AnyArray], given: Mapping[str, AnyArray],
    names: tuple[str, ...], moving: list[str], members: AnyArray, states: AnyArray, alone: AnyArray,
) -> None:  # fmt: skip
    """The states of members with one configuration; those that need other gaps open than the first ones are tried again."""
    left = members
    while len(left):
        first = int(left[0])
        numbers = {n: float(a[first]) for n, a in given.items()}
        try:
            told = read_start(system, {n: float(a[first]) for n, a in table.items()}, numbers)
            start = {**guesses(system), **{n: e for n, e in told.items() if n not in system.inputs}}
            candidates = list(kept.held_systems(start, numbers))
        except NonholoError:
            left = left[1:]
            continue
        done = np.zeros(len(left), dtype=bool)
        for held in candidates:
            ready = completion(held, moving)
            if not ready.rows.linear:
                return
            some = left[~done]
            try:  # the configuration alone: velocities of the first member may be none of those that this system allows
                place = completed(held, {n: e for n, e in start.items() if n not in moving}, numbers)
            except NonholoError:
                continue
            if kept.depth({**numbers, **place}) >= TOUCH:
                continue
            values = {n: np.full(len(some), e) for n, e in place.items()} | {n: a[some] for n, a in given.items()}
            base = np.column_stack([values[n] for n in ready.base])
            wanted = np.column_stack([table[n][some] for n in moving]) if moving else np.zeros((len(some), 0))
            resting = [n for n, e in start.items() if isinstance(e, Guess) and n not in (*system.coordinates, *moving)]
            velocity, gap = linear_velocities(ready, base, wanted, resting)
            good = gap < TOLERANCE * (1 + np.max(np.abs(velocity), axis=1, initial=0.0))
            found = ready.rest.rows(np.hstack([base, velocity])[good])
            values |= {n: found[:, k] for k, n in enumerate(ready.every)}
            fill = {n: velocity[good][:, j] for j, n in enumerate(held.velocities)} | {
                n: found[:, k] for k, n in enumerate(ready.every)
            }
            taken = some[good]
            for k, n in enumerate(names):
                states[taken, k] = fill[n] if n in fill else values[n][good]
            alone[taken] = False
            done[np.flatnonzero(~done)[good]] = True
            if np.all(done):
                break
        done[0] = True  # what no system completes starts by itself, where its mistake is told
        left = left[~done]
