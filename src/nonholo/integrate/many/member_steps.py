"""One step of many members at once, each with inputs of its own: for learning, particle filters and sampling controllers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.algebra.cache import KeptFor
from nonholo.errors import StateError
from nonholo.integrate.many.ensemble import with_parameters
from nonholo.integrate.many.members import run_members
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.motion.motion_setup import Prepared, core_of

if TYPE_CHECKING:
    from nonholo.integrate.model import Model

Array = np.ndarray[Any, np.dtype[np.float64]]
_PREPARED: KeptFor[Prepared] = KeptFor(64)


def step_members(model: Model, rows: Array, dt: float, threads: int | None) -> Array:
    """The states after ``dt`` from input vectors ``[t, x…, z…, inputs…, parameters…]``, all at the same time."""
    prepared = _PREPARED.get(model, lambda: _parametrised(model))
    names, inputs = model.names, model.inputs
    size, time = len(names), float(rows[0, 0]) if len(rows) else 0.0
    own = prepared.equations.state
    order = [names.index(n) for n in own]
    columns = {n: k for k, n in enumerate((*inputs, *model.derived.parameters), 1 + size)}
    numbers = rows[:, [columns[n] for n in prepared.derived.parameters]]
    starts = np.ascontiguousarray(rows[:, 1 : 1 + size][:, order])
    end = time + dt
    runs = run_members(
        prepared.kernel, method_by_name("dop853"), time, starts, end, numbers, [], np.array([end]), [],
        thresholds=prepared.thresholds, threads=threads,
    )  # fmt: skip
    result = np.empty((len(rows), size))
    result[:, order] = runs.final
    reached = np.array([o.reached for o in runs.outcomes], dtype=bool)[runs.ways] if len(rows) else np.ones(0, dtype=bool)
    for k in np.flatnonzero(~reached).tolist():
        state = {"t": time, **dict(zip(names, rows[k, 1 : 1 + size].tolist()))}
        try:
            after = model.step(state, dt, dict(zip(inputs, rows[k, 1 + size : 1 + size + len(inputs)].tolist())))
            result[k] = [after[n] for n in names]
        except StateError:
            result[k] = np.nan
    return result


def _parametrised(model: Model) -> Prepared:
    """The equations of a model whose inputs are parameters, in its own frame."""
    if not model.inputs:
        return model.home
    closed = with_parameters(model.closed, model.inputs)
    start = {**dict(model.completed_start), **dict.fromkeys(model.inputs, 0.0)}
    told = {n: e for n, e in start.items() if n not in model.inputs}
    return core_of(closed, model.laws, model.form).start(told, {**model.parameters, **dict.fromkeys(model.inputs, 0.0)})
