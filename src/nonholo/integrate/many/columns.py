"""Every named quantity of many motions, computed block by block while other blocks still move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.numeric import numeric_function
from nonholo.compile.kernel import input_symbols
from nonholo.derive.equations import Equations

Array = np.ndarray[Any, np.dtype[Any]]


@dataclass(frozen=True, eq=False)
class Quantities:
    """The names of all quantities and one function of the input vector that gives them all (and a zero)."""

    names: tuple[str, ...]
    function: Any


def quantities_of(equations: Equations) -> Quantities:
    """State, velocities and energy."""
    exprs = {
        **{str(s): s for s in (*equations.coordinates, *equations.speeds)},
        **dict(equations.outputs),
        "energy": equations.energy,
    }
    return Quantities(tuple(exprs), numeric_function(input_symbols(equations), [*exprs.values(), ZERO]))


class Columns:
    """Quantities by name: ``along`` over (member, t), ``final`` at each member's end; not a number where it never was."""

    def __init__(
        self,
        equations: Equations,
        quantities: Quantities,
        times: Array,
        parameters: Mapping[str, Array],
        signals: Sequence[Any],
        count: int,
    ) -> None:
        exprs, self._function = quantities.names, quantities.function
        self._times, self._signals = times, signals
        self._driven = np.array([[s(t) for s in signals] for t in times]).reshape(len(times), len(signals))
        fixed = [parameters[str(p)] for p in equations.parameters]
        self._fixed = np.stack(fixed, axis=1) if fixed else np.zeros((count, 0))
        self.along = {n: np.full((count, len(times)), np.nan) for n in exprs}
        self.final = {n: np.full(count, np.nan) for n in exprs}

    def fill(self, members: Array, states: Array, final: Array, ends: Array) -> None:
        """The quantities of some members from their states over (member, t), their last states and end times."""
        count, length, size = states.shape
        driven, inputs = self._driven, len(self._signals)
        rows = np.empty((count, length + 1, 1 + size + inputs + self._fixed.shape[1]))
        rows[:, :length, 0], rows[:, length, 0] = self._times, ends
        rows[:, :length, 1 : 1 + size], rows[:, length, 1 : 1 + size] = states, final
        if inputs:
            rows[:, :length, 1 + size : 1 + size + inputs] = driven
            rows[:, length, 1 + size : 1 + size + inputs] = [[s(t) for s in self._signals] for t in ends.tolist()]
        rows[:, :, 1 + size + inputs :] = self._fixed[members, None, :]
        with np.errstate(all="ignore"):
            values = np.asarray(self._function(rows), dtype=float).reshape(count, length + 1, -1)
        for k, name in enumerate(self.along):
            self.along[name][members] = values[:, :length, k]
            self.final[name][members] = values[:, length, k]
