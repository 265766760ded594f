"""Derivatives of event times and event states by parameters and start values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from nonholo.integrate.inputs import rows_with_inputs
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.motion.motion_pieces import FunctionEvent, WantedEvent, named_state, pieces_of
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.integrate.results.lazy_results import LazyResults
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.integrate.sensitivity.sensitivity import QuantitySlopes, along_motion, quantities_of
from nonholo.program.array_types import Array

if TYPE_CHECKING:
    import xarray as xr

STEP = 1e-3
"""Relative step of the finite differences (of order four) of Python functions."""


class Occurrence(NamedTuple):
    """One occurrence: its time, how the time moves, how every quantity there does."""

    time: float
    moved: Array
    state: Array


def derivatives(results: LazyResults) -> dict[str, Any]:
    """The sensitivities along a motion, and at its events."""
    return {"motion": along_motion(results), "events": at_events(results)}


def at_events(results: LazyResults) -> dict[str, xr.Dataset]:
    """For each event: the derivative of its times, and of every quantity at these times, which move along.

    With ``g`` the event's expression, ``dt/dp = −(∂g/∂y δ + ∂g/∂p) / ġ``, and a quantity changes by ``δ + (d/dt) dt/dp``. The
    slope of a Python function is found by differences along these two directions; everything else is exact.
    """
    rows_of: dict[str, list[Occurrence]] = {e.name: [] for e in results.events}
    _expression_events(results, rows_of)
    _function_events(results, rows_of)
    names = quantities_of(results.problem.initial.kernel, results.watch).names
    return {name: _dataset(found, names, results.directions) for name, found in rows_of.items()}


def _expression_events(results: LazyResults, rows_of: dict[str, list[Occurrence]]) -> None:
    """Events by expressions: located in the compiled loops, with their tangents."""
    own = [e for e in results.events if isinstance(e, WantedEvent)]
    along = results.bundle.along if results.bundle is not None else ()
    for initial, path in results.pieces:
        kernel, happened = initial.kernel, path.occurrences
        rows = rows_with_inputs(kernel, results.signals, happened.times, happened.states, results.problem.parameters)
        if not (len(rows) and own) or path.tangents is None:
            continue
        change, steep, flow = _changes_at(results, kernel, rows, path.tangents.occurred)
        exprs = {e.name: kernel.expression(e.source, f"{results.problem.name}: event {e.name}") for e in own}
        key = ("events", tuple((n, str(e)) for n, e in exprs.items()))
        passed, slopes = kernel.watched(key, lambda: QuantitySlopes(kernel, exprs))(rows, path.tangents.occurred, along)  # noqa: B023
        for k, event in enumerate(happened.index.tolist()):
            if event >= len(own):  # what is looked for beside, such as a loss of rank
                continue
            with np.errstate(all="ignore"):
                moved = -passed[k, event] / (slopes[k, event] @ flow[k])
            rows_of[own[event].name].append(Occurrence(happened.times[k], moved, change[k] + np.outer(steep[k], moved)))


def _function_events(results: LazyResults, rows_of: dict[str, list[Occurrence]]) -> None:
    """Events by Python functions: the motion goes once more to the times at which they were found, tangents with it."""
    asked = [(t, e) for e in results.events if isinstance(e, FunctionEvent) for t in results.found.get(e.name, ())]
    if not asked or results.bundle is None:
        return
    forward = results.until >= results.problem.time
    asked.sort(key=lambda one: one[0] if forward else -one[0])
    times = np.array([t for t, _ in asked])
    pieces, _, _ = pieces_of(results.problem, results.method, float(times[-1]), times, [], None, results.signals, results.bundle)
    waiting = iter(asked)
    names = quantities_of(results.problem.initial.kernel, results.watch).names
    for initial, path in pieces:
        kernel = initial.kernel
        rows = rows_with_inputs(kernel, results.signals, path.times, path.states, results.problem.parameters)
        if not len(rows) or path.tangents is None:
            continue
        change, steep, _ = _changes_at(results, kernel, rows, path.tangents.values[: len(rows)])
        for k, (time, event) in zip(range(len(rows)), waiting):
            here = named_state(results.problem, initial, time, path.states[k], results.signals)
            own = np.array([names.index(n) if n in names else -1 for n in here])
            moving = np.where(own < 0, 1.0, steep[k][own])  # time itself
            passed = [_slope(event, here, np.where(own < 0, 0.0, column[own])) for column in change[k].T]
            with np.errstate(all="ignore"):
                moved = -np.array(passed) / _slope(event, here, moving)
            rows_of[event.name].append(Occurrence(time, moved, change[k] + np.outer(steep[k], moved)))


def _changes_at(results: LazyResults, kernel: SystemKernel, rows: Array, tangents: Array) -> tuple[Array, Array, Array]:
    """How every quantity changes along the tangents and with time, in the order of the motion's first frame; the flow."""
    ready, first = quantities_of(kernel, results.watch), quantities_of(results.problem.initial.kernel, results.watch)
    order = np.array([ready.names.index(n) for n in first.names])
    change, slopes = ready(rows, tangents, results.bundle.along if results.bundle is not None else ())
    flow = _flow(kernel, results.signals, rows)
    return change[:, order], np.einsum("tqw,tw->tq", slopes, flow)[:, order], flow


def _slope(event: FunctionEvent, here: dict[str, float], direction: Array) -> float:
    """The change of a Python function along a direction of its named values."""
    size = max(np.max(np.abs(direction) / (1.0 + np.abs(list(here.values()))), initial=0.0), 1e-300)

    def height(s: float) -> float:
        return float(event.function({n: e + s / size * d for (n, e), d in zip(here.items(), direction.tolist())}))

    near, far = (height(s) - height(-s) for s in (STEP, 2 * STEP))
    return float((8.0 * near - far) / (12.0 * STEP) * size)


def _dataset(found: Sequence[Occurrence], names: Sequence[str], directions: Sequence[str]) -> xr.Dataset:
    import xarray as xr

    size = len(directions)
    return xr.Dataset(
        {
            "time": (("occurrence", "with_respect_to"), np.array([f.moved for f in found]).reshape(len(found), size)),
            "state": (
                ("occurrence", "quantity", "with_respect_to"),
                np.array([f.state for f in found]).reshape(len(found), len(names), size),
            ),
        },
        coords={
            "t": ("occurrence", np.array([f.time for f in found])),
            "quantity": list(names),
            "with_respect_to": list(directions),
        },
    )


def _flow(kernel: SystemKernel, signals: Sequence[Any], rows: Array) -> Array:
    """How the input vector moves with time: 1, the rates of the state, the slopes of the inputs, nothing for parameters."""
    kinematics, solved = solved_rows(kernel, rows)
    speeds = len(kernel.equations.speeds)
    inputs = [s.slopes(rows[:, 0]) if isinstance(s, Signal) else np.zeros(len(rows)) for s in signals]
    parts = [np.ones((len(rows), 1)), kinematics, solved[:, :speeds], *(i[:, None] for i in inputs)]
    parts.append(np.zeros((len(rows), len(kernel.parameters))))
    return np.hstack(parts)
