"""Readings of a machine's sensors along a motion: exact, with what is said of their noise beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.algebra.formula_values import Formulas
from nonholo.errors import StateError
from nonholo.integrate.motion.compiled_equations import Derived, on_rows
from nonholo.integrate.results.contact_forces import contact_data
from nonholo.integrate.results.lazy_results import Made
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.machines.dynamics.sensor_outputs import PUSH
from nonholo.machines.machine_outputs import machine_outputs
from nonholo.model.system import System

if TYPE_CHECKING:
    import xarray as xr

Array = np.ndarray[Any, np.dtype[np.float64]]


def sensor_data(made: Made | None, system: System | None) -> xr.Dataset:
    """Every output of every sensor over time; ``every`` and ``noise`` are attributes, as they were given."""
    import xarray as xr

    outputs = machine_outputs(system)
    if made is None or not outputs.words:
        raise StateError("the motion has no sensors; give [[sensors]] in the machine's file, or simulate it anew.")
    exprs = {**outputs.state, **outputs.accelerations}
    columns = {name: np.concatenate([part[k] for part in _parts(made, list(exprs.values()))]) for k, name in enumerate(exprs)}
    if outputs.contacts:
        forces = contact_data(made, system)
        columns |= {n: np.asarray(forces[force].sel(contact=name)) for n, (name, force) in outputs.contacts.items()}
    data = {}
    for name, sensor in outputs.words.items():
        words = {"sensor": sensor.name, "kind": sensor.kind}
        words |= {key: str(getattr(sensor, key)) for key in ("every", "noise") if getattr(sensor, key) is not None}
        data[name] = (("t",), columns[name], words)
    return xr.Dataset(data, coords={"t": ("t", made.times, {"units": "s"})})


def _parts(made: Made, exprs: list[Any]) -> list[list[Array]]:
    return [_values(p.derived, made.rows(p, path.times, path.states), exprs) for p, path in made.pieces]


def _values(derived: Derived, rows: Array, exprs: list[Any]) -> list[Array]:
    """Expressions in coordinates, velocities and their rates, on every row of a path."""
    equations = derived.equations
    kinematics, solved = solved_rows(equations, rows, derived.kernel)
    speeds = solved[:, : len(equations.speeds)]
    velocities = on_rows(derived.outputs, rows)
    pushes = on_rows(derived.output_rates, np.hstack([rows, kinematics, speeds]))
    moving = (*map(str, equations.speeds), *equations.outputs)
    names = [*map(str, derived.symbols), *equations.outputs, *(f"{PUSH}{n}" for n in moving)]
    table = np.hstack([rows, velocities, speeds, pushes])
    first = {name: k for k, name in reversed(list(enumerate(names)))}
    return list(Formulas(tuple(first), exprs).rows(table[:, list(first.values())]).T)
