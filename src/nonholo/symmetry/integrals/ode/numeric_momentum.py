"""Gauge momenta whose coefficients are known numerically."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, symbols
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.errors import StateError
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde
from nonholo.symmetry.integrals.momentum_rates import along_field
from nonholo.symmetry.integrals.ode.chebyshev_panels import Panels, panels

Numbers = NDArray[np.float64]
REACH = 8.0
"""How far the solution extends on either side by default; entries of a rotation matrix stay within one."""


def fundamental(ode: GaugeOde, values: Mapping[str, float], origin: float, reach: tuple[float, float]) -> Panels:
    """The fundamental matrix of the ODE on Chebyshev panels, up to its singular points."""
    found = panels(_matrix_function(ode, values), ode.dimension, origin, reach)
    if found is None:
        raise StateError(f"the ODE of the momenta is singular at {ode.variable} = {origin:.6g}; start elsewhere.")
    return found


def _matrix_function(ode: GaugeOde, values: Mapping[str, float]) -> Any:
    F = ode.field
    names = list(map(str, F.parameters))
    flat = [F.expression(e) for row in ode.matrix for e in row]
    function = numeric_function([ode.variable.symbol, *symbols(names)], [*flat, ONE])
    fixed = [values[n] for n in names]
    size = ode.dimension

    def rates(points: Numbers) -> Numbers:
        return _rows(function, np.array([[s, *fixed] for s in points])).reshape(len(points), size, size)

    return rates


@dataclass(frozen=True, eq=False)
class NumericMomentum:
    """``P = Σ_k f_k(s) P_k`` with ``f = E(s) Y(s) c``: the coefficients as numbers, for given parameters.

    ``evaluate(state)`` gives its value, ``along(run)`` its values along a motion, ``coefficients(s)`` the ``f_k``.
    """

    ode: GaugeOde
    direction: tuple[float, ...]
    parameters: Mapping[str, float]
    solution: Panels

    @property
    def variable(self) -> str:
        """The name of ``s``."""
        return str(self.ode.variable)

    @property
    def interval(self) -> tuple[float, float]:
        """The values of ``s`` for which the coefficients are known."""
        return self.solution.interval

    def coefficients(self, s: Any) -> Numbers:
        """``f_k(s)``: one row for each value of ``s``, one column for each momentum ``P_k``."""
        values = np.atleast_1d(np.asarray(s, dtype=float))
        F = self.ode.field
        names = list(map(str, F.parameters))
        flat = [F.expression(e) for row in self.ode.embedding for e in row]
        function = numeric_function([self.ode.variable.symbol, *symbols(names)], [*flat, ONE], "lambda")
        fixed = [self.parameters[n] for n in names]
        shape = (len(self.ode.embedding), self.ode.dimension)
        embedding = _rows(function, np.array([[v, *fixed] for v in values]))
        y = self.solution(values) @ np.array(self.direction)
        return np.asarray(np.einsum("tka,ta->tk", embedding.reshape(-1, *shape), y))

    def evaluate(self, state: Mapping[str, float]) -> float:
        """The value at a state that names the coordinates and the speeds."""
        names = self._names()
        missing = [n for n in names if n not in state]
        if missing:
            raise StateError(f"the momentum needs {', '.join(missing)}; give a complete state.")
        return float(self._values({n: np.array([float(state[n])]) for n in names})[0])

    def many(self, states: Sequence[Mapping[str, float]]) -> Numbers:
        """The values at several states, at once."""
        return self._values({n: np.array([float(s[n]) for s in states]) for n in self._names()})

    def along(self, run: Any) -> Numbers:
        """The values along a motion (a Trajectory)."""
        values = {**self.parameters, **run.parameters}
        s = self._variable({n: np.asarray(run[n]) for n in self._names()})
        low, high = self.interval
        own = self
        fixed = self.ode.values
        if fixed is not None and any(values[n] != fixed[n] for n in fixed):
            raise StateError(
                "the momentum was found for other parameters; call integrals(system, parameters=…) with these."
            )
        if any(values[n] != self.parameters[n] for n in map(str, self.ode.field.parameters)) or (
            len(s) and (np.min(s) < low or np.max(s) > high)
        ):
            reach = (min(low, float(np.min(s)) - 1e-9), max(high, float(np.max(s)) + 1e-9))
            again = fundamental(self.ode, values, self.solution.origin, reach)
            own = NumericMomentum(self.ode, self.direction, values, again)
        return own._values({n: np.asarray(run[n]) for n in self._names()})

    def _names(self) -> list[str]:
        found = self.ode.momenta
        return [*map(str, found.coordinates), *map(str, found.speeds)]

    def _variable(self, columns: Mapping[str, Numbers]) -> Numbers:
        variable = self.ode.variable
        if variable.across is not None:
            return np.asarray(np.hypot(columns[variable.pivot], columns[variable.across]))
        expression = variable.expression
        total: Numbers = np.zeros(len(next(iter(columns.values()))))
        for s in expression.free_symbols:
            total = total + float(expression.diff(s)) * columns[str(s)]
        return total

    def _values(self, columns: Mapping[str, Numbers]) -> Numbers:
        found = self.ode.momenta
        parts = [along_field(found, f)[0] for f in self.ode.fields] + ([ONE] if self.ode.affine else [])
        names = list(columns)
        own = list(found.system.parameters)
        function = numeric_function(symbols([*names, *own]), [*parts, ONE], "lambda")
        fixed = [self.parameters[n] for n in own]
        count = len(columns[names[0]])
        numbers = _rows(function, np.column_stack([*(columns[n] for n in names), *(np.full(count, e) for e in fixed)]))
        return np.asarray(np.sum(self.coefficients(self._variable(columns)) * numbers, axis=1))

    def __str__(self) -> str:
        low, high = self.interval
        return f"a momentum with coefficients of {self.variable} known as numbers on [{low:.4g}, {high:.4g}]"


def _rows(function: Any, given: Numbers) -> Numbers:
    """All but the last of a function's values, one row for each row given."""
    with np.errstate(all="ignore"):
        return np.asarray(function(given), dtype=float).reshape(len(given), -1)[:, :-1]


def numeric_momenta(
    ode: GaugeOde,
    values: Mapping[str, float],
    origin: float,
    directions: Sequence[Sequence[float]] | None = None,
) -> tuple[NumericMomentum, ...]:
    """The momenta with ``y(origin)`` one of the directions (the unit vectors unless given)."""
    bounded = ode.variable.pivot in ode.momenta.system.frame.redundant
    reach = (-1.0, 1.0) if bounded else (origin - REACH, origin + REACH)
    if ode.variable.across is not None:
        reach = (0.0, origin + REACH)
    solution = fundamental(ode, values, origin, reach)
    ends = directions if directions is not None else np.eye(ode.dimension).tolist()
    return tuple(NumericMomentum(ode, tuple(map(float, c)), dict(values), solution) for c in ends)
