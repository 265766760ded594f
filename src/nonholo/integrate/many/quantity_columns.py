"""Compute named quantities of many motions block by block."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.motion.compiled_equations import Derived, on_rows

Array = np.ndarray[Any, np.dtype[Any]]


def _values(given: Any, times: Array) -> Array:
    """An input at times; a number where the method takes numbers alone, and zero until a function has seen the state."""
    if isinstance(given, Signal):
        return given.values(times)
    return np.full(len(times), float(given) if isinstance(given, (int, float)) else 0.0)


class Columns:
    """Quantities by name: ``along`` over (member, t), ``final`` at each member's end; not a number where it never was."""

    def __init__(
        self, derived: Derived, times: Array, parameters: Mapping[str, Array], signals: Sequence[Any], count: int
    ) -> None:
        names, kinds, self._code = derived.columns
        self._state = derived.equations.state
        self._times, self._signals = times, signals
        self._driven = [_values(s, times) for s in signals]
        fixed = [parameters[n] for n in derived.parameters]
        self._fixed = np.stack(fixed, axis=1) if fixed else np.zeros((count, 0))
        self._shown = [(n, k) for k, (n, kind) in enumerate(zip(names, kinds)) if kind != "residual"]
        every = (*self._state, *(n for n, _ in self._shown))
        self.along = {n: np.full((count, len(times)), np.nan) for n in every}
        self.final = {n: np.full(count, np.nan) for n in every}

    def fill(self, members: Array, states: Array, final: Array, ends: Array) -> None:
        """The quantities of some members from their states over (member, t), their last states and end times."""
        count, length, size = states.shape
        inputs = len(self._signals)
        rows = np.empty((count, length + 1, 1 + size + inputs + self._fixed.shape[1]))
        rows[:, :length, 0], rows[:, length, 0] = self._times, ends
        rows[:, :length, 1 : 1 + size], rows[:, length, 1 : 1 + size] = states, final
        for k, s in enumerate(self._signals):
            rows[:, :length, 1 + size + k] = self._driven[k]
            rows[:, length, 1 + size + k] = _values(s, ends)
        rows[:, :, 1 + size + inputs :] = self._fixed[members, None, :]
        values = on_rows(self._code, rows.reshape(count * (length + 1), -1)).reshape(count, length + 1, -1)
        for k, name in enumerate(self._state):
            self.along[name][members] = states[:, :, k]
            self.final[name][members] = final[:, k]
        for name, k in self._shown:
            self.along[name][members] = values[:, :length, k]
            self.final[name][members] = values[:, length, k]
