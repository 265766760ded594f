"""Readings of a machine's sensors: by name in events and laws, and along a motion, sampled, held and noisy as declared."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from nonholo.algebra.linear_equations import evaluate
from nonholo.errors import StateError
from nonholo.integrate.controller_view import values_on
from nonholo.integrate.motion.motion_pieces import FunctionEvent, WantedEvent
from nonholo.integrate.results.contact_forces import contact_data
from nonholo.integrate.results.lazy_results import LazyResults
from nonholo.machines.machine_outputs import expand_sensors, machine_outputs
from nonholo.machines.machine_records import Sensor
from nonholo.model.system import System
from nonholo.notation.read import expression
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    import xarray as xr


def sensor_data(results: LazyResults | None, system: System | None) -> xr.Dataset:
    """Every output of every sensor over time.

    A sensor with ``every`` holds its reading through each interval of that length: it reads at the first recorded time in it
    (exactly at the multiples of ``every`` where these are recorded, ``t_eval=np.arange(…)``). One with ``noise`` adds a normally
    distributed number of that standard deviation to each reading, the same in every run. ``name_exact`` is without both.
    """
    import xarray as xr

    outputs = machine_outputs(system)
    if results is None or not outputs.words:
        raise StateError("the motion has no sensors; give [[sensors]] in the machine's file, or simulate it anew.")
    exprs = {**outputs.state, **outputs.accelerations}
    pieces = _by_piece(results, list(exprs.values()))
    columns = {name: np.concatenate([part[k] for part in pieces]) for k, name in enumerate(exprs)}
    if outputs.contacts:
        forces = contact_data(results, system)
        columns |= {n: np.asarray(forces[force].sel(contact=name)) for n, (name, force) in outputs.contacts.items()}
    data = {}
    for name, sensor in outputs.words.items():
        words = {"sensor": sensor.name, "kind": sensor.kind}
        words |= {key: str(getattr(sensor, key)) for key in ("every", "noise") if getattr(sensor, key) is not None}
        read = _reading(columns[name], results, sensor, name)
        data[name] = (("t",), read, words)
        if read is not columns[name]:
            data[f"{name}_exact"] = (("t",), columns[name], {"sensor": sensor.name, "kind": sensor.kind})
    return xr.Dataset(data, coords={"t": ("t", results.times, {"units": "s"})})


def _reading(exact: Array, results: LazyResults, sensor: Sensor, name: str) -> Array:
    """What a sensor gives at each recorded time."""
    every, noise = (_number(getattr(sensor, key), results, sensor, key) for key in ("every", "noise"))
    if not every and not noise:
        return exact
    times = np.asarray(results.times, dtype=float)
    count = np.arange(len(times))
    if every:
        count = np.floor(np.abs(times - times[0]) / every * (1 + 1e-12) + 1e-9).astype(int)
    _, first, where = np.unique(count, return_index=True, return_inverse=True)
    held = exact[first][where]
    if not noise:
        return held
    chance = np.random.default_rng(crc32(name.encode())).normal(size=int(count.max(initial=0)) + 1)
    return np.asarray(held + noise * chance[count])


def _number(given: Any, results: LazyResults, sensor: Sensor, key: str) -> float:
    """A number or a formula in the parameters; 0 by default."""
    if given is None:
        return 0.0
    values = results.problem.parameters
    where = f"{results.problem.name}: sensor {sensor.name}: {key}"
    found = float(evaluate([expression(given, list(values), where)], values)[0])
    if not np.isfinite(found) or found < 0:
        raise StateError(f"{where} = {given}: a length of time or a standard deviation is not negative; give a number from 0 on.")
    return found


def _by_piece(results: LazyResults, exprs: list[Any]) -> list[list[Array]]:
    return [list(values_on(p.kernel, results.rows(p, path.times, path.states), exprs).T) for p, path in results.pieces]


def expand_sensor_names(
    system: object, events: Sequence[WantedEvent | FunctionEvent], watch: Any, inputs: Any
) -> tuple[list[WantedEvent | FunctionEvent], Any, Any]:
    """The same with readings in the system's own names; events keep the names that they were given by."""
    if not isinstance(system, System) or system.machine is None:
        return list(events), watch, inputs
    expanded = [replace(e, source=expand_sensors(system, e.source)) if isinstance(e, WantedEvent) else e for e in events]
    if isinstance(watch, Mapping):
        watch = {n: expand_sensors(system, e) for n, e in watch.items()}
    if isinstance(inputs, Mapping):
        inputs = {n: expand_sensors(system, e) for n, e in inputs.items()}
    return expanded, watch, inputs
