"""Tracking by flatness: state and inputs along wished outputs, and a regulator along them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.analyse.linear.linearise import linearise
from nonholo.control.feedback.riccati import Regulator, lqr
from nonholo.control.flat_systems.flat_outputs import Flatness, flag_functions
from nonholo.errors import ModelError, StateError
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.scalars import name_list, positive, whole
from nonholo.model.system import parameter_values
from nonholo.notation.read import expression

TIMES = 401


@dataclass(frozen=True, eq=False)
class FlatTracking:
    """A reference by flat outputs and a regulator along it. Made by `track`."""

    times: np.ndarray[Any, np.dtype[np.float64]]
    start: FrozenMap[str, float]
    """The reference state at the beginning."""
    run: Trajectory
    """The true system under the reference inputs alone, from the reference start."""
    regulator: Regulator

    def __str__(self) -> str:
        end = f"{self.times[-1] - self.times[0]:.6g} s"
        return f"{self.regulator.lin.name}: reference of {end} by flat outputs, regulated by {', '.join(self.inputs)}"

    @property
    def inputs(self) -> dict[str, Any]:
        """Reference inputs with feedback, for `simulate`."""
        return self.regulator.inputs


def track(
    found: Flatness,
    outputs: Sequence[Any],
    until: float,
    *,
    parameters: Mapping[str, Any] | None = None,
    Q: Any = 1.0,
    R: Any = 1.0,
    times: int = TIMES,
) -> FlatTracking:
    """Follow flat outputs given as formulas of ``t``: inputs from the flat maps, feedback by a regulator along that motion.

    >>> import nonholo as nh
    >>> unicycle = nh.control.kinematic_system("x y th", {"x": "v*cos(th)", "y": "v*sin(th)", "th": "w"}, "v w")
    >>> wave = nh.control.track(nh.control.flatness(unicycle), ["t", "sin(t)"], 4.0, times=81)
    >>> run = nh.simulate(unicycle, {**wave.start, "y": 0.2}, 4.0, inputs=wave.inputs)
    >>> bool(abs(run.final["y"] - np.sin(4.0)) < 0.02)
    True
    """
    if not isinstance(found, Flatness):
        raise ModelError(f"track: {type(found).__name__} where flatness is needed; give nh.control.flatness(system).")
    control = found.control
    if control is None or control.by_speeds:
        raise ModelError(f"{found.name}: tracking needs a flat system whose inputs are declared (nh.control.kinematic_system).")
    _, reverse, names, given = flag_functions(found, parameters)
    given_outputs = name_list(outputs, f"{found.name}: outputs", '["2*t", "sin(t)"]')
    end, count = positive(until, f"{found.name}: track: until"), whole(times, f"{found.name}: track: times", 2)
    if len(given_outputs) != len(found.outputs):
        raise StateError(f"{found.name}: {len(given_outputs)} outputs where {len(found.outputs)} formulas of t are needed.")
    numbers = parameter_values(control.system, parameters)
    wished = [expression(e, ("t", *numbers), f"{found.name}: output {k}") for k, e in enumerate(given_outputs, 1)]
    flags = []
    for e, order in zip(wished, found.orders):
        one = e.xreplace({symbol(n): v for n, v in numbers.items()})
        for _ in range(order + 1):
            flags.append(one)
            one = one.diff(symbol("t"))
    grid = np.linspace(0.0, end, count)
    values = np.asarray(numeric_function([symbol("t")], flags, "wished")(grid[:, None]), dtype=float).reshape(count, -1)
    ends = np.cumsum([0, *(k + 1 for k in found.orders)])
    pairs = [reverse([row[a:b] for a, b in pairwise(ends)]) for row in values]
    states, laws = np.array([x for x, _ in pairs]), np.array([u for _, u in pairs])
    if not (np.all(np.isfinite(states)) and np.all(np.isfinite(laws))):
        raise StateError(f"{found.name}: the outputs have no finite state at some time: the flat maps are singular at rest.")
    start = dict(zip(names, states[0].tolist()))
    tables = {n: (grid, laws[:, k]) for k, n in enumerate(given)}
    system = control.system
    run = simulate(system, start, end, numbers or None, inputs=tables, t_eval=grid)
    lin = linearise(system, run, parameters=numbers or None)
    return FlatTracking(grid, FrozenMap(start), run, lqr(lin, Q, R))
