"""Ensembles of systems whose contacts change their modes: every member goes through its own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.errors import NonholoError, Remedy, StateError
from nonholo.integrate.many.start_arrays import members
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.simulate import simulate, times_of
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome
from nonholo.model.system import System, finite

if TYPE_CHECKING:
    import xarray as xr

Array = np.ndarray[Any, np.dtype[Any]]


def contact_ensemble(
    system: System, starts: Any, until: float, parameters: Mapping[str, Any], method: Method, t_eval: Any, events: Sequence[Any],
    inputs: Mapping[str, Any], each: Mapping[str, Any],
) -> xr.Dataset:  # fmt: skip
    """As `ensemble`; ``mode_changes`` counts the changes of each member, ``dissipated_…`` is the work lost at each contact."""
    import xarray as xr

    table, given, count = members(starts, {**parameters, **each}, system.name)
    end = finite(until, "until")
    times = times_of(t_eval, float(table.get("t", np.zeros(1))[0]), end, 1, ("end",))
    times = np.array([end]) if isinstance(times, str) else times
    along: dict[str, Array] = {}
    final: dict[str, Array] = {}
    outcomes: list[Outcome] = []
    ends, changes = np.full(count, times[0] if len(times) else end), np.zeros(count, dtype=int)
    hits: list[list[Array]] = []
    for k in range(count):
        own = {n: float(a[k]) for n, a in given.items()}
        try:
            run = simulate(
                system, {n: float(a[k]) for n, a in table.items()}, end, {n: e for n, e in own.items() if n not in each}, method,
                t_eval=times, events=list(events), inputs={**inputs, **{n: own[n] for n in each}}, progress=False,
            )  # fmt: skip
        except NonholoError as trouble:
            outcomes.append(Outcome("bad start", ends[k], Remedy(str(trouble))))
            hits.append([np.zeros(0)] * len(events))
            continue
        outcomes.append(run.outcome)
        ends[k], changes[k] = run.final["t"], len(run.modes)
        hits.append(list(run.events.values()))
        _record(run, k, along, final, count, len(times))
    if all(o.kind == "bad start" for o in outcomes):
        raise StateError(f"{system.name}: no member can start; the first says: {outcomes[0].advice}")
    data: dict[str, Any] = {n: (("member", "t"), a) for n, a in along.items()}
    data |= {f"final_{n}": ("member", a) for n, a in final.items()}
    for j in range(len(events)):
        most = max((len(h[j]) for h in hits), default=0)
        padded = np.array([[*h[j], *[np.nan] * (most - len(h[j]))] for h in hits]).reshape(count, most)
        data[f"event_{j}"] = (("member", f"occurrence_{j}"), padded)
    data |= {
        "outcome": ("member", np.array([o.kind for o in outcomes])),
        "advice": ("member", np.array([o.advice for o in outcomes])),
        "end_time": ("member", ends),
        "mode_changes": ("member", changes),
    }
    coords: dict[str, Any] = {"t": ("t", times, {"units": "s"}), "member": np.arange(count)}
    coords |= {f"start_{n}": ("member", a) for n, a in table.items()}
    coords |= {f"{'input' if n in each else 'parameter'}_{n}": ("member", a) for n, a in given.items()}
    return xr.Dataset(data, coords=coords, attrs={"system": system.name, "method": str(method)})


def _record(run: Trajectory, k: int, along: dict[str, Array], final: dict[str, Array], count: int, length: int) -> None:
    """The quantities of one member."""
    for name, one in run.quantities.items():
        if name == "t" or one.kind in ("residual", "reaction"):
            continue
        if name not in along:
            along[name], final[name] = np.full((count, length), np.nan), np.full(count, np.nan)
        along[name][k, : len(one.values)] = one.values
        final[name][k] = run.final.get(name, one.values[-1] if len(one.values) else np.nan)
