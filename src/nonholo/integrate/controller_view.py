"""What a controller sees at one instant: the state, and where it samples also accelerations, reactions and sensors."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import Formulas
from nonholo.errors import StateError
from nonholo.integrate.motion.system_kernel import SystemKernel, acceleration_names, on_rows
from nonholo.integrate.results.named_quantities import reactions, solved_rows
from nonholo.machines.dynamics.sensor_outputs import PUSH
from nonholo.machines.machine_outputs import machine_outputs
from nonholo.model.system import System
from nonholo.program.array_types import Array


class ControllerState(Mapping[str, float]):
    """A state by name, as a controller sees it; what is not part of the state is computed when it is looked at.

    Readings of the sensors of ``system`` are exact. A controller that samples finds accelerations (``xddot``, ``omegadot``),
    reactions (``lambda1``), forces of contacts (``normal(floor)``) and accelerometers too: in the input vector ``before``, under
    the inputs that were held until then. One that is asked at every instant does not: they would depend on its own answer.
    Iteration goes over the state alone.
    """

    __slots__ = ("_before", "_kernel", "_more", "_row", "_shown", "_size", "_system")

    def __init__(self, kernel: SystemKernel, row: Array, before: Array | None = None, system: System | None = None) -> None:
        self._kernel, self._row, self._before, self._system = kernel, row, before, system
        self._shown: dict[str, float] | None = None
        self._more: dict[str, float] | None = None
        self._size = len(kernel.equations.state)

    def __getitem__(self, name: str) -> float:
        place = self._kernel.places.get(name)
        if place is not None:
            return float(self._row[place])
        if self._shown is None:
            readings = machine_outputs(self._system).state
            self._shown = self._kernel.velocities(self._row) | sensor_values(self._kernel, self._row, readings)
        if name in self._shown:
            return self._shown[name]
        if self._more is None:
            row = self._row if self._before is None else self._before
            self._more = dynamic_quantities(self._kernel, row, self._system)
        found = self._more[name]
        if self._before is None:
            raise StateError(
                f"{self._kernel.equations.name}: the controller asks for {name}, which depends on its own answer; sample it: "
                "nh.controller(f, every=0.01) sees it under the inputs held before."
            )
        return found

    @property
    def key(self) -> bytes:
        """Time and state, to tell one from another."""
        return self._row[: 1 + self._size].tobytes()

    def __iter__(self) -> Iterator[str]:
        return iter((*self._kernel.places, *self._kernel.equations.outputs))

    def __len__(self) -> int:
        return len(self._kernel.places) + len(self._kernel.equations.outputs)


def dynamic_quantities(kernel: SystemKernel, row: Array, system: System | None) -> dict[str, float]:
    """Accelerations, reactions, forces of contacts and readings of sensors that need them, at an input vector."""
    equations, closed = kernel.equations, kernel.system
    kinematics, solved = solved_rows(kernel, row[None])
    count = len(equations.speeds)
    rates = dict(zip(map(str, equations.speeds), solved[0, :count].tolist()))
    if kernel.output_rates.outputs:
        flow = np.concatenate([row, kinematics[0], solved[0, :count]])
        rates |= dict(zip(equations.outputs, kernel.output_rates(flow).tolist()))
    named = acceleration_names(equations, closed.coordinates if closed is not None else ())
    found = {name: rates[velocity] for name, velocity in named.items() if velocity in rates}
    found |= dict(zip(map(str, equations.unknowns), solved[0, count:].tolist()))
    found |= {n: float(column[0]) for n, (column, _) in reactions(kernel, row[None]).items()}
    if system is None:
        return found
    outputs = machine_outputs(system)
    found |= _contact_forces(kernel, row, system) if system.contacts else {}
    found |= {n: found[f"{force}({contact})"] for n, (contact, force) in outputs.contacts.items()}
    return found | sensor_values(kernel, row, outputs.accelerations)


def _contact_forces(kernel: SystemKernel, row: Array, system: System) -> dict[str, float]:
    from nonholo.integrate.contacts.contact_formulation import ModeKernel
    from nonholo.integrate.results.contact_forces import contact_columns, contact_columns_of

    if isinstance(kernel, ModeKernel):
        columns = contact_columns_of(kernel, row[None])
    else:
        columns = contact_columns(kernel, system, row[None])
    forces = ("normal", "along", "across", "ratio", "slip", "gap")
    return {f"{force}({law.name})": float(columns[force][0, k]) for k, law in enumerate(system.contacts) for force in forces}


def sensor_values(kernel: SystemKernel, row: Array, exprs: Mapping[str, Expr]) -> dict[str, float]:
    """Readings of sensors at an input vector."""
    return dict(zip(exprs, values_on(kernel, row[None], list(exprs.values()))[0].tolist())) if exprs else {}


def values_on(kernel: SystemKernel, rows: Array, exprs: Sequence[Expr]) -> Array:
    """Expressions in coordinates, velocities and their rates, on every row of a path: one column for each."""
    equations = kernel.equations
    kinematics, solved = solved_rows(kernel, rows)
    speeds = solved[:, : len(equations.speeds)]
    velocities = on_rows(kernel.outputs, rows)
    pushes = on_rows(kernel.output_rates, np.hstack([rows, kinematics, speeds]))
    moving = (*map(str, equations.speeds), *equations.outputs)
    names = [*map(str, kernel.symbols), *equations.outputs, *(f"{PUSH}{n}" for n in moving)]
    table = np.hstack([rows, velocities, speeds, pushes])
    first = {name: k for k, name in reversed(list(enumerate(names)))}
    return Formulas(tuple(first), exprs).rows(table[:, list(first.values())])
