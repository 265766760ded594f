"""Sensitivities of a motion: derivatives of its quantities and of its event times by parameters and start values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.compile.rates_jacobian import JacobianTable, slopes_table
from nonholo.derive.states.start_completion import completion
from nonholo.derive.states.start_derivatives import start_slopes
from nonholo.errors import StateError, meant
from nonholo.integrate.inputs import FunctionInput, rows_with_inputs
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.motion_pieces import Problem
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.results.lazy_results import LazyResults
from nonholo.integrate.results.named_quantities import (
    constrained,
    parts_of,
    pseudo_inverse,
    reaction_program_of,
    solved_rows,
)
from nonholo.integrate.sensitivity.tangent_motion import Bundle, check_carries, direction_columns, kinematic_slopes
from nonholo.model.system import System
from nonholo.program.array_types import Array
from nonholo.program.derivative import jacobian
from nonholo.program.machine_code import Sheet, undifferentiable
from nonholo.program.partials import NoDerivative

if TYPE_CHECKING:
    import xarray as xr


AT_ONCE = 4_000_000
"""Most numbers in memory at a time."""
OFF = 1e-7
"""A start whose tangent leaves the invariants by more than this is none."""


class ReactionSlopes:
    """``∂λ`` (or ``∂R``) of one set of equations by every column of the input vector.

    ``Aᵀ λ = R`` gives ``Aᵀ ∂λ = ∂R − ∂Aᵀ λ``; what stands there depends on the input vector and on the rates of the state,
    whose own slopes are those of the equations of motion. Constraints that depend on each other leave the reactions open, and
    their slopes.
    """

    def __init__(self, kernel: SystemKernel, system: System) -> None:
        self.kernel, self.ready = kernel, reaction_program_of(kernel, system)
        self.names = self.ready.names
        program, width = self.ready.program, len(self.ready.arguments)
        try:
            slopes = jacobian(program, self.ready.outputs, [program.put("input", detail=k) for k in range(width)])
        except NoDerivative as problem:
            raise undifferentiable(problem, f"{kernel.equations.name}: slopes of the reactions") from problem
        self._parts = Sheet(program, [i for row in slopes for i in row], width)
        self._rates = JacobianTable(kernel, kernel.symbols)

    def __call__(self, rows: Array) -> Array:
        """The slopes at every row: (rows, reaction, column)."""
        block = max(1, AT_ONCE // (len(self.ready.outputs) * len(self.ready.arguments)))
        parts = [self._block(rows[k : k + block]) for k in range(0, len(rows), block)]
        return np.concatenate(parts) if parts else np.empty((0, len(self.names), len(self.kernel.symbols)))

    def _block(self, rows: Array) -> Array:
        equations, ready = self.kernel.equations, self.ready
        kinematics, solved = solved_rows(self.kernel, rows)
        state = len(equations.state)
        full = np.hstack([rows, kinematics, solved[:, : len(equations.speeds)]])
        width = rows.shape[1]
        slopes = self._parts(full).reshape(len(rows), len(ready.outputs), full.shape[1])
        slopes = slopes[:, :, :width] + slopes[:, :, width:] @ self._rates(rows, solved)[:, :state]
        force, rows_a = parts_of(ready, on_rows(ready.code, full))
        change, drows = parts_of(ready, slopes)
        if not ready.count:
            return change
        finite = np.all(np.isfinite(rows_a), axis=(1, 2)) & np.all(np.isfinite(change), axis=(1, 2))
        found = np.full((len(rows), ready.count, width), np.nan)
        inverse = pseudo_inverse(rows_a[finite])
        multiplier = np.einsum("tij,ti->tj", inverse, force[finite])
        rest = change[finite] - np.einsum("tjiw,tj->tiw", drows[finite], multiplier)
        found[finite] = np.einsum("tij,tiw->tjw", inverse, rest)
        return found


def wanted_names(problem: Problem, method: Method, sources: Sequence[Any], sensitivity: Any) -> tuple[str, ...]:
    """What a user wants derivatives by, checked."""
    where = f"{problem.name}: sensitivity"
    given = [sensitivity] if isinstance(sensitivity, str) else sensitivity
    try:
        names = tuple(dict.fromkeys(map(str, given)))
    except TypeError:
        raise StateError(
            f'{where}: {sensitivity!r} where a list of names is needed; give sensitivity=["a", "omega"].'
        ) from None
    check_carries(method, problem.name, "sensitivities")
    kernel = problem.initial.kernel
    inputs = [n for n, s in zip(kernel.inputs, sources) if isinstance(s, Signal) and _is_constant(s)]
    known = [*problem.parameters, *_start_names(problem), *inputs]
    for name in names:
        if name in (*kernel.inputs, *problem.laws) and name not in inputs:
            raise StateError(f"{where}: the input {name!r} is no number; only an input that is one can be a direction.")
        if name == "t":
            raise StateError(f"{where}: the time of the start is no direction; name parameters and start values.")
        if name not in known:
            near = meant(name, known, f"it has {', '.join(known)}.")
            raise StateError(f"{where}: no parameter or start value is called {name!r}; {near}")
    blind = [n for n, s in zip(kernel.inputs, sources) if isinstance(s, FunctionInput)]
    if blind and names:
        raise StateError(
            f"{where}: the input {blind[0]!r} is a Python function of the state, which has no slopes; give it as text (a "
            "feedback law), a table or a function of time."
        )
    return names


def _is_constant(source: Signal) -> bool:
    """Whether a signal is one number at all times."""
    rows = source.coefficients
    return bool(np.all(rows[:, 0] == rows[0, 0]) and not np.any(rows[:, 1:]))


def _start_names(problem: Problem) -> tuple[str, ...]:
    equations, completed = problem.initial.equations, problem.completed
    if completed is None:
        return equations.state
    extra = completed.system.parametric[0] if completed.system.parametric is not None else ()
    every = completion(completed.system, ()).every
    return tuple(dict.fromkeys((*completed.system.coordinates, *completed.system.velocities, *every, *extra)))


def start_bundle(problem: Problem, names: Sequence[str]) -> Bundle:
    """The derivatives of the start by each name: the completion of the start is differentiated too."""
    initial, completed = problem.initial, problem.completed
    kernel, state = initial.kernel, initial.equations.state
    along = tuple(n if n in (*kernel.parameters, *kernel.inputs) else None for n in names)
    values = np.zeros((len(state), len(names)))
    row = initial.row({**problem.start, **(completed.full if completed is not None else {})}, problem.parameters)
    if completed is not None:
        slopes = start_slopes(completed.system, completed.held, completed.full, problem.parameters, names, completed.resting)
        values = _state_slopes(kernel, row, slopes, Bundle(values, along))
    elif not all(n in problem.start for n in state):
        raise StateError(f"{problem.name}: sensitivity: these equations by hand need a start in {', '.join(state)}.")
    else:
        for k, name in enumerate(names):
            if name in state:
                values[state.index(name), k] = 1.0
    _check_invariants(problem, row, Bundle(values, along), names)
    return Bundle(values, along)


def _state_slopes(kernel: SystemKernel, row: Array, slopes: Mapping[str, Array], bundle: Bundle) -> Array:
    """Slopes of the state by name; speeds without a name of the system (momenta) follow from the coordinates' rates."""
    equations, values = kernel.equations, bundle.values.copy()
    for k, name in enumerate(equations.state):
        if name in slopes:
            values[k] = slopes[name]
    unnamed = [k for k, name in enumerate(equations.state) if name not in slopes]
    if unnamed:
        kinematics = kinematic_slopes(kernel, row)
        rates = np.array([slopes[f"{c}dot"] for c in equations.coordinates])
        n = len(equations.state)
        gap = rates - kinematics[:, :n] @ values - direction_columns(kernel, kinematics, bundle.along)
        values[unnamed] = np.linalg.lstsq(kinematics[:, unnamed], gap, rcond=None)[0]
    return values


def _check_invariants(problem: Problem, row: Array, bundle: Bundle, names: Sequence[str]) -> None:
    kernel = problem.initial.kernel
    table = kernel.invariant_slopes
    if table is None:
        return
    slopes = table(row[None]).reshape(len(kernel.invariants), -1)
    left = slopes[:, : len(kernel.equations.state)] @ bundle.values + direction_columns(kernel, slopes, bundle.along)
    size = 1.0 + np.max(np.abs(slopes), axis=1) * (1.0 + np.max(np.abs(bundle.values), initial=0.0))
    for k, name in enumerate(names):
        if np.max(np.abs(left[:, k]) / size) > OFF:
            worst = kernel.invariants[int(np.argmax(np.abs(left[:, k]) / size))]
            raise StateError(
                f"{problem.name}: sensitivity to {name!r}: it cannot change alone without breaking {worst!r}; leave out of the "
                "start what should follow from it."
            )


def quantity_expressions(kernel: SystemKernel, watch: Mapping[str, Any]) -> dict[str, Expr]:
    """What has sensitivities, beside the reactions: state, velocities, inputs by laws, energy and what is watched."""
    equations = kernel.equations
    exprs: dict[str, Expr] = {n: symbol(n) for n in equations.state}
    exprs |= dict(equations.outputs)
    exprs |= {n: kernel.expression(n, f"{equations.name}: input {n}") for n in kernel.laws}
    exprs["energy"] = equations.energy
    exprs |= {n: kernel.expression(e, f"{equations.name}: watch {n}") for n, e in watch.items()}
    return {n: e for n, e in exprs.items() if not n.startswith("_")}


class QuantitySlopes:
    """Derivatives of quantities of one kernel by time, state, inputs and parameters, also through forces among the unknowns."""

    def __init__(self, kernel: SystemKernel, exprs: Mapping[str, Expr]) -> None:
        self.kernel, self.names = kernel, tuple(exprs)
        used = {s for e in exprs.values() for s in symengine.sympify(e).free_symbols}
        self.unknowns = kernel.equations.unknowns if used & set(kernel.equations.unknowns) else ()
        columns = (*kernel.symbols, *self.unknowns)
        self.table = slopes_table(columns, list(exprs.values()), columns, f"{kernel.equations.name}: sensitivities")
        self._rates = JacobianTable(kernel, kernel.symbols) if self.unknowns else None

    def slopes(self, rows: Array) -> Array:
        """The slopes at every row: (rows, quantity, column of the input vector)."""
        width = len(self.kernel.symbols)
        if self._rates is None:
            return np.asarray(self.table(rows).reshape(len(rows), len(self.names), width))
        equations = self.kernel.equations
        _, solved = solved_rows(self.kernel, rows)
        forces = len(equations.speeds)
        found = self.table(np.hstack([rows, solved[:, forces:]])).reshape(len(rows), len(self.names), -1)
        carried = self._rates(rows, solved)[:, len(equations.coordinates) + forces :]
        return np.asarray(found[:, :, :width] + found[:, :, width:] @ carried)

    def __call__(self, rows: Array, tangents: Array, along: Sequence[str | None]) -> tuple[Array, Array]:
        """Derivatives of every quantity along the tangents at fixed time, and by column: (rows, quantity, direction/column)."""
        slopes = self.slopes(rows)
        return _changes(self.kernel, slopes, tangents, along), slopes


def _changes(kernel: SystemKernel, slopes: Array, tangents: Array, along: Sequence[str | None]) -> Array:
    """How quantities with these slopes by the input vector change along tangents."""
    n = len(kernel.equations.state)
    return slopes[:, :, 1 : 1 + n] @ tangents + direction_columns(kernel, slopes[:, :, 1:], along)


def quantities_of(kernel: SystemKernel, watch: Mapping[str, Any]) -> QuantitySlopes:
    """The derivatives of every quantity of a motion but the reactions, cached with its kernel."""
    key = ("sensitivities", tuple((n, str(e)) for n, e in watch.items()))
    found: QuantitySlopes = kernel.watched(key, lambda: QuantitySlopes(kernel, quantity_expressions(kernel, watch)))
    return found


def along_motion(results: LazyResults) -> xr.DataArray:
    """The derivatives of every quantity at the times of a motion, each at its time."""
    names: tuple[str, ...] = ()
    parts: list[Array] = []
    along = results.bundle.along if results.bundle is not None else ()
    for initial, path in results.pieces:
        if path.tangents is None:  # a motion without directions has no derivatives
            continue
        rows = rows_with_inputs(initial.kernel, results.signals, path.times, path.states, results.problem.parameters)
        ready = quantities_of(initial.kernel, results.watch)
        found, _ = ready(rows, path.tangents.values[: len(rows)], along)
        names = names or ready.names
        parts.append(found[:, np.array([ready.names.index(n) for n in names])])
    return array(np.concatenate(parts), names, results.directions, t=results.times)


def reactions_along(results: LazyResults) -> xr.DataArray:
    """The derivatives of the reactions at the times of a motion; none where there are no constraints."""
    names: tuple[str, ...] = ()
    parts: list[Array] = []
    for initial, path in results.pieces:
        kernel, system = initial.kernel, constrained(initial.kernel)
        if path.tangents is None or results.bundle is None or system is None:
            continue
        rows = rows_with_inputs(kernel, results.signals, path.times, path.states, results.problem.parameters)
        ready = kernel.watched("slopes of reactions", partial(ReactionSlopes, kernel, system))
        names = names or ready.names
        found = _changes(kernel, ready(rows), path.tangents.values[: len(rows)], results.bundle.along)
        parts.append(found[:, np.array([ready.names.index(n) for n in names])])
    values = np.concatenate(parts) if parts else np.empty((len(results.times), 0, len(results.directions)))
    return array(values, names, results.directions, t=results.times)


def array(values: Array, quantities: Sequence[str], directions: Sequence[str], **first: Any) -> xr.DataArray:
    """The DataArray of sensitivities over times or occurrences."""
    import xarray as xr

    ((dimension, places),) = first.items()
    coords = {dimension: places, "quantity": list(quantities), "with_respect_to": list(directions)}
    return xr.DataArray(values, coords=coords, dims=(dimension, "quantity", "with_respect_to"), name="sensitivity")
