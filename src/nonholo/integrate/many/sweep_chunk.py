"""One chunk of a sweep: the motions of some members and what is recorded of them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from nonholo.derive.state import complete_state
from nonholo.errors import ModelError, StateError, meant
from nonholo.integrate.many.ensemble import OUTCOMES, ensemble
from nonholo.integrate.many.sweep_spec import Sweep
from nonholo.integrate.one.prepare import Prepared, core_of
from nonholo.integrate.one.simulate import chosen_method
from nonholo.model.feedback import driven
from nonholo.model.files import dumps, loads
from nonholo.model.system import System, parameter_values

Array = np.ndarray[Any, np.dtype[Any]]


def empty_arrays(plan: Sweep, count: int) -> dict[str, tuple[Array, tuple[str, ...]]]:
    """Every array of the store with its dimensions; the varied values and the times are filled in already.

    The others are shapes that take no room and cannot be written to.
    """

    def empty(*shape: int) -> Array:
        return np.broadcast_to(np.nan, shape)

    nothing = empty(count)
    result: dict[str, tuple[Array, tuple[str, ...]]] = {
        n: (np.array(v, dtype=float), ("member",)) for n, v in plan.varied.items()
    }
    result |= {f"final_{n}": (nothing, ("member",)) for n in plan.final}
    for n in plan.extrema:
        result[f"least_{n}"] = result[f"greatest_{n}"] = (nothing, ("member",))
    result |= {f"drift_{n}": (nothing, ("member",)) for n in plan.drift}
    for k in range(len(plan.events)):
        result[f"event_{k}"] = (empty(count, plan.most_events), ("member", "occurrence"))
    result |= {f"path_{n}": (empty(count, plan.points), ("member", "t")) for n in plan.trajectory}
    result["outcome"] = (np.zeros(count, dtype=np.int8), ("member",))
    result["end_time"] = (nothing, ("member",))
    if plan.trajectory:
        result["t"] = (np.linspace(plan.start.get("t", 0.0), plan.until, plan.points), ("t",))
    return result


@lru_cache(maxsize=4)
def _ready(plan: Sweep) -> tuple[System, Prepared]:
    """The system and its equations for all chunks of a process, in a frame good at the first start.

    The system is read from its own text: expressions that have travelled between processes are equal but keep their
    terms in another order, and a sum in another order has other last bits.
    """
    system = loads(dumps(plan.system))
    moved = driven(system, {})
    core = core_of(moved.closed, moved.laws, principle=chosen_method(plan.method, plan.rtol, plan.atol, plan.options).principle)
    problem = StateError(f"sweep: {system.name} has no members.")
    for member in range(plan.count):
        values = {**plan.start, **plan.parameters, **{n: v[member] for n, v in plan.varied.items()}}
        numbers = {n: v for n, v in values.items() if n in system.parameters}
        try:
            full = complete_state(system, {n: v for n, v in values.items() if n not in system.parameters}, numbers)
        except StateError as found:
            problem = problem if member else found
            continue
        return system, core.start(
            {n: e for n, e in full.items() if n not in moved.laws}, parameter_values(system, numbers)
        )
    raise StateError(f"{system.name}: no member can start; the first says: {problem}")


def check_records(plan: Sweep) -> None:
    """Refuse to record what the motions do not have, before anything is written."""
    system = plan.system
    plain = {*system.coordinates, *system.velocities, *(system.quasivelocities or ()), "energy"}
    asked = dict.fromkeys((*plan.final, *plan.extrema, *plan.drift, *plan.trajectory))
    if all(n in plain for n in asked):
        return
    derived = _ready(plan)[1].derived
    names, kinds, _ = derived.columns
    has = (*derived.equations.state, *(n for n, kind in zip(names, kinds) if kind != "residual"))
    for name in asked:
        if name not in has:
            hint = meant(name, has, f"it has {', '.join(has)}.")
            raise ModelError(f"sweep record: {system.name} has no quantity {name!r}; {hint}")


def compute_chunk(plan: Sweep, k: int, threads: int | None = None) -> dict[str, Array]:
    """The arrays of chunk ``k``; they depend on the plan and ``k`` alone."""
    system, prepared = _ready(plan)
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
        **{n: v for n, v in varied.items() if n not in numbers},
    }
    parameters = {**dict(plan.parameters), **{n: v for n, v in varied.items() if n in numbers}}
    runs = ensemble(
        system, start, plan.until, parameters, method=plan.method, rtol=plan.rtol, atol=plan.atol,
        t_eval=plan.points, events=list(plan.events), threads=threads, prepared=prepared,
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
    return arrays
