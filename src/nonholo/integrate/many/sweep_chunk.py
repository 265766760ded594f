"""One chunk of a sweep: the motions of some members and what is recorded of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from nonholo.derive.states.consistent_state import complete_state
from nonholo.derive.states.feedback_laws import driven
from nonholo.errors import ModelError, StateError, meant
from nonholo.integrate.contacts.contact_motion import first_mode
from nonholo.integrate.contacts.mode_changes import switching
from nonholo.integrate.many.energy_levels import on_level
from nonholo.integrate.many.ensemble import OUTCOMES, ensemble
from nonholo.integrate.many.start_arrays import complete_states
from nonholo.integrate.many.sweep_spec import Sweep
from nonholo.integrate.many.tangent_growth import grown
from nonholo.integrate.motion.formulation import InitialValue, formulation_of
from nonholo.integrate.motion.simulate import chosen_method
from nonholo.machines.machine_files import dumps, loads
from nonholo.model.system import GRAVITY, System, parameter_values
from nonholo.model.velocities.constraint_rank import rank_loss
from nonholo.program.array_types import AnyArray


def empty_arrays(plan: Sweep, count: int) -> dict[str, tuple[AnyArray, tuple[str, ...]]]:
    """Every array of the store with its dimensions; the varied values and the times are filled in already.

    The others are broadcast views, which take no memory and cannot be written to.
    """

    def empty(*shape: int) -> AnyArray:
        return np.broadcast_to(np.nan, shape)

    nothing = empty(count)
    result: dict[str, tuple[AnyArray, tuple[str, ...]]] = {
        n: (np.array(v, dtype=float), ("member",)) for n, v in plan.varied.items()
    }
    result |= {f"final_{n}": (nothing, ("member",)) for n in plan.final}
    for n in plan.extrema:
        result[f"least_{n}"] = result[f"greatest_{n}"] = (nothing, ("member",))
    result |= {f"drift_{n}": (nothing, ("member",)) for n in plan.drift}
    for k in range(len(plan.events)):
        result[f"event_{k}"] = (empty(count, plan.most_events), ("member", "occurrence"))
    result |= {f"path_{n}": (empty(count, plan.points), ("member", "t")) for n in plan.trajectory}
    result |= dict.fromkeys(plan.growth, (nothing, ("member",)))
    result["outcome"] = (np.zeros(count, dtype=np.int8), ("member",))
    result["end_time"] = (nothing, ("member",))
    if rank_loss(plan.system) is not None:
        result["unique_until"] = (nothing, ("member",))
    if plan.trajectory:
        result["t"] = (np.linspace(plan.start.get("t", 0.0), plan.until, plan.points), ("t",))
    return result


@lru_cache(maxsize=4)
def _prepared_system(plan: Sweep) -> tuple[System, InitialValue]:
    """The system and its equations for all chunks of a process, in a frame good at the first start.

    The system is read from its own text: expressions that have travelled between processes are equal but keep their
    terms in another order, and a sum in another order has other last bits.
    """
    system = loads(dumps(plan.system))
    moved = driven(system, {})
    method = chosen_method(plan.method, plan.rtol, plan.atol, plan.options)
    formulation = formulation_of(moved.closed, moved.laws, principle=method.principle)
    problem = StateError(f"sweep: {system.name} has no members.")
    for member in range(plan.count):
        values = {**plan.start, **plan.parameters, **{n: v[member] for n, v in plan.varied.items() if n not in plan.level}}
        numbers = {n: v for n, v in values.items() if n in system.parameters}
        start = {n: v for n, v in values.items() if n not in system.parameters}
        try:
            if plan.level:
                start = {n: float(v[0]) for n, v in _levelled(plan, system, start, numbers, slice(member, member + 1)).items()}
            if switching(system):
                return system, first_mode(system, start, numbers)
            full = complete_state(system, start, numbers)
        except StateError as found:
            problem = problem if member else found
            continue
        return system, formulation.start(
            {n: e for n, e in full.items() if n not in moved.laws}, parameter_values(system, numbers)
        )
    raise StateError(f"{system.name}: no member can start; the first says: {problem}")


def _levelled(
    plan: Sweep, system: System, start: dict[str, Any], parameters: dict[str, Any], members: slice
) -> dict[str, AnyArray]:
    """The starts of some members on the sweep's level; not a number where there is none."""
    level = {n: np.array(plan.varied[n][members]) if n in plan.varied else v for n, v in plan.level.items()}
    count = members.stop - members.start
    table = {n: np.broadcast_to(np.asarray(v, dtype=float), (count,)).copy() for n, v in start.items()}
    return on_level(system, table or {plan.solve[0]: np.ones(count)}, level, plan.solve, parameters=parameters)


def _grown(
    plan: Sweep, system: System, initial: InitialValue, method: Any, start: dict[str, AnyArray], parameters: dict[str, Any],
    count: int, threads: int | None,
) -> Any:  # fmt: skip
    given = {n: np.broadcast_to(np.asarray(v, dtype=float), (count,)).copy() for n, v in parameters.items()}
    if "g" in system.parameters:
        given.setdefault("g", np.full(count, GRAVITY))
    closed = driven(system, {}).closed
    full, problems = complete_states(closed, start, given, count)
    names = initial.equations.state
    states = np.stack([full.get(n, np.full(count, np.nan)) for n in names], axis=1)
    own = initial.kernel.parameters
    fixed = np.stack([given[n] for n in own], axis=1) if own else np.zeros((count, 0))
    bad = np.array(problems, dtype=bool) | ~np.isfinite(states).all(axis=1)
    return grown(system, initial, method, states, fixed, plan.until, (start, given), bad, threads)


def check_records(plan: Sweep) -> None:
    """Refuse to record what the motions do not have, before anything is written."""
    system = plan.system
    plain = {*system.coordinates, *system.velocities, *(system.quasivelocities or ()), "energy"}
    asked = dict.fromkeys((*plan.final, *plan.extrema, *plan.drift, *plan.trajectory))
    if all(n in plain for n in asked):
        return
    kernel = _prepared_system(plan)[1].kernel
    names, kinds, _ = kernel.columns
    has = (*kernel.equations.state, *(n for n, kind in zip(names, kinds) if kind != "residual"))
    for name in asked:
        if name not in has:
            hint = meant(name, has, f"it has {', '.join(has)}.")
            raise ModelError(f"sweep record: {system.name} has no quantity {name!r}; {hint}")


def compute_chunk(plan: Sweep, k: int, threads: int | None = None) -> dict[str, AnyArray]:
    """The arrays of chunk ``k``; they depend on the plan and ``k`` alone."""
    system, initial = _prepared_system(plan)
    first, last = k * plan.chunk, min((k + 1) * plan.chunk, plan.count)
    count = last - first
    arrays = {
        n: a.copy()
        for n, (a, dims) in empty_arrays(plan, count).items()
        if dims[0] == "member" and n not in plan.varied
    }
    varied = {n: np.array(v[first:last]) for n, v in plan.varied.items()}
    numbers = set(system.parameters)
    start = {
        **{n: np.full(count, v) for n, v in plan.start.items()},
        **{n: v for n, v in varied.items() if n not in numbers and n not in plan.level},
    }
    parameters = {**dict(plan.parameters), **{n: v for n, v in varied.items() if n in numbers}}
    if plan.level:
        start = _levelled(plan, system, start, parameters, slice(first, last))
    if plan.growth and switching(system):
        raise StateError(f"{system.name}: {', '.join(plan.growth)} does not go through changes of contacts; leave it out.")
    if plan.growth:
        method = chosen_method(plan.method, plan.rtol, plan.atol, plan.options)
        measured, outcomes, ends = _grown(plan, system, initial, method, start, parameters, count, threads)
        arrays |= {n: measured[n] for n in plan.growth}
        arrays["outcome"][:] = [OUTCOMES.index(o.kind) for o in outcomes]
        arrays["end_time"][:] = ends
        if any(o.kind == "interrupted" for o in outcomes):
            raise KeyboardInterrupt
        if not (plan.final or plan.extrema or plan.drift or plan.events or plan.trajectory or "unique_until" in arrays):
            return arrays
    answer: Callable[..., Any] = ensemble  # the options are the method's own
    runs = answer(
        system, start, plan.until, parameters, method=plan.method, rtol=plan.rtol, atol=plan.atol,
        t_eval=plan.points, events=list(plan.events), threads=threads, initial=initial,
        **dict(plan.options),
    )  # fmt: skip
    if "interrupted" in runs["outcome"].values:  # half a chunk is no chunk: it is computed again when the sweep goes on
        raise KeyboardInterrupt
    for n in plan.final:
        arrays[f"final_{n}"][:] = runs[f"final_{n}"].values
    for n in plan.extrema:
        values = runs[n].values
        with np.errstate(all="ignore"):
            arrays[f"least_{n}"][:] = np.fmin.reduce(values, axis=1)
            arrays[f"greatest_{n}"][:] = np.fmax.reduce(values, axis=1)
    for n in plan.drift:
        values = runs[n].values
        size = np.abs(values[:, :1])
        change = np.fmax.reduce(np.abs(values - values[:, :1]), axis=1)
        arrays[f"drift_{n}"][:] = np.where(
            size[:, 0] > 1e-12, change / np.where(size[:, 0] > 1e-12, size[:, 0], 1.0), change
        )
    for j in range(len(plan.events)):
        times = runs[f"event_{j}"].values[:, : plan.most_events]
        arrays[f"event_{j}"][:, : times.shape[1]] = times
    for n in plan.trajectory:
        arrays[f"path_{n}"][:] = runs[n].values
    arrays["outcome"][:] = [OUTCOMES.index(str(o)) for o in runs["outcome"].values]
    arrays["end_time"][:] = runs["end_time"].values
    if "unique_until" in runs and "unique_until" in arrays:
        arrays["unique_until"][:] = runs["unique_until"].values
    return arrays
