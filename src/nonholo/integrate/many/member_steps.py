"""One step of many members at once, each with inputs of its own: for learning, particle filters and sampling controllers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from nonholo.errors import StateError
from nonholo.integrate.many.members import run_members
from nonholo.integrate.methods import method as method_by_name
from nonholo.integrate.motion.motion_setup import Prepared

Array = np.ndarray[Any, np.dtype[np.float64]]


def step_members(
    prepared: Prepared, names: Sequence[str], others: Sequence[str], rows: Array, dt: float, threads: int | None,
    alone: Callable[[Array], Sequence[float]],
) -> Array:  # fmt: skip
    """The states after ``dt`` from rows ``[t, state…, others…]``, all at one time; ``alone`` steps a member that is left behind.

    The ``others`` are the parameters of the prepared equations, in any order.
    """
    size, time = len(names), float(rows[0, 0]) if len(rows) else 0.0
    order = [list(names).index(n) for n in prepared.equations.state]
    columns = {n: k for k, n in enumerate(others, 1 + size)}
    numbers = rows[:, [columns[n] for n in prepared.derived.parameters]]
    starts = np.ascontiguousarray(rows[:, 1 : 1 + size][:, order])
    runs = run_members(
        prepared.kernel, method_by_name("dop853"), time, starts, time + dt, numbers, [], np.array([time + dt]), [],
        thresholds=prepared.thresholds, threads=threads,
    )  # fmt: skip
    result = np.empty((len(rows), size))
    result[:, order] = runs.final
    reached = np.array([o.reached for o in runs.outcomes], dtype=bool)[runs.ways] if len(rows) else np.ones(0, dtype=bool)
    for k in np.flatnonzero(~reached).tolist():
        try:
            result[k] = alone(rows[k])
        except StateError:
            result[k] = np.nan
    return result
