"""Gauge momenta whose coefficients are known numerically."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from nonholo.algebra.calculus import ONE, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.numeric_functions import table_function
from nonholo.errors import StateError
from nonholo.symmetry.integrals.gauge.prolongation import GaugeOde
from nonholo.symmetry.integrals.momentum_rates import along_field

Rates = Callable[[Numbers], Numbers]
ORDER = 20
TAIL = 3e-14
"""Largest last coefficients of a panel, relative to its largest one."""
SHORTEST = 1e-9
COUNT = 600


@dataclass(frozen=True, eq=False)
class Panels:
    """``Y(s)`` with ``Y' = N Y``, ``Y(origin) = 1``, as Chebyshev series on panels in increasing order."""

    origin: float
    edges: Numbers
    series: tuple[Numbers, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """Where the solution is known."""
        return float(self.edges[0]), float(self.edges[-1])

    def __call__(self, s: Any) -> Numbers:
        """``Y`` at each value; not a number outside the interval."""
        values = np.atleast_1d(np.asarray(s, dtype=float))
        size = self.series[0].shape[1]
        result = np.full((len(values), size, size), np.nan)
        slack = 1e-13 * (1 + abs(self.edges[0]) + abs(self.edges[-1]))
        inside = (values >= self.edges[0] - slack) & (values <= self.edges[-1] + slack)
        place = np.clip(np.searchsorted(self.edges, values, side="right") - 1, 0, len(self.series) - 1)
        for k in set(place[inside].tolist()):
            here = inside & (place == k)
            a, b = self.edges[k], self.edges[k + 1]
            result[here] = np.moveaxis(chebyshev.chebval((2 * values[here] - a - b) / (b - a), self.series[k]), -1, 0)
        return result


def panels(rates: Rates, size: int, origin: float, reach: tuple[float, float]) -> Panels | None:
    """Collocation panel after panel away from the origin; None when the ODE is singular there.

    A panel is halved until its series has died out; where it would become shorter than 1e-9 a singular point is near
    and the interval ends.

    >>> import numpy as np
    >>> turn = panels(lambda s: np.tile([[0.0, 1.0], [-1.0, 0.0]], (len(s), 1, 1)), 2, 0.0, (-3.0, 7.0))
    >>> bool(abs(turn(5.0)[0, 0, 0] - np.cos(5.0)) < 1e-13)
    True
    """
    if size == 0:
        return Panels(origin, np.array(reach, dtype=float), (np.zeros((1, 0, 0)),))
    sides = [_march(rates, size, origin, end) for end in reach]
    signs = (-1.0) ** np.arange(ORDER + 1)
    left = [(b, a, np.asarray(series * signs[:, None, None])) for a, b, series in reversed(sides[0])]
    found = [*left, *sides[1]]
    if not found:
        return None
    return Panels(origin, np.array([found[0][0], *(p[1] for p in found)]), tuple(p[2] for p in found))


def _march(rates: Rates, size: int, origin: float, end: float) -> list[tuple[float, float, Numbers]]:
    t = -np.cos(np.pi * np.arange(ORDER + 1) / ORDER)
    inverse = np.linalg.inv(chebyshev.chebvander(t, ORDER))
    slope = np.array([chebyshev.chebval(t, chebyshev.chebder(unit)) for unit in np.eye(ORDER + 1)]).T @ inverse
    found: list[tuple[float, float, Numbers]] = []
    here, value = origin, np.eye(size)
    step = min(abs(end - origin), 0.5) * (1 if end > origin else -1)
    while abs(end - here) > 0 and len(found) < COUNT:
        step = step if abs(step) < abs(end - here) else end - here
        solved = _panel(rates, slope, t, here, step, value)
        if solved is not None:
            series = np.tensordot(inverse, solved, axes=(1, 0))
            if np.max(np.abs(series[-2:])) <= TAIL * np.max(np.abs(series)):
                found.append((here, here + step, series))
                here, value, step = here + step, solved[-1], 1.5 * step
                continue
        step /= 2
        if abs(step) < SHORTEST:
            break
    return found


def _panel(rates: Rates, slope: Numbers, t: Numbers, here: float, step: float, value: Numbers) -> Numbers | None:
    """``Y`` at the points of one panel by collocation, or None where the ODE is singular."""
    size, count = len(value), len(t)
    matrices = rates(here + step * (1 + t) / 2) * step / 2
    if not np.all(np.isfinite(matrices)):
        return None
    whole = np.kron(slope, np.eye(size))
    for j in range(count):
        whole[j * size : (j + 1) * size, j * size : (j + 1) * size] -= matrices[j]
    try:
        solved = np.linalg.solve(whole[size:, size:], -whole[size:, :size] @ value)
    except np.linalg.LinAlgError:
        return None
    result = np.concatenate([value[None], solved.reshape(count - 1, size, size)])
    return result if np.all(np.isfinite(result)) else None


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
    function = table_function([ode.variable.symbol, *symbols(names)], flat)
    fixed = [values[n] for n in names]
    size = ode.dimension

    def rates(points: Numbers) -> Numbers:
        return function(np.array([[s, *fixed] for s in points])).reshape(len(points), size, size)

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
        function = table_function([self.ode.variable.symbol, *symbols(names)], flat, "lambda")
        fixed = [self.parameters[n] for n in names]
        shape = (len(self.ode.embedding), self.ode.dimension)
        embedding = function(np.array([[v, *fixed] for v in values]))
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
        function = table_function(symbols([*names, *own]), parts, "lambda")
        fixed = [self.parameters[n] for n in own]
        count = len(columns[names[0]])
        numbers = function(np.column_stack([*(columns[n] for n in names), *(np.full(count, e) for e in fixed)]))
        return np.asarray(np.sum(self.coefficients(self._variable(columns)) * numbers, axis=1))

    def __str__(self) -> str:
        low, high = self.interval
        return f"a momentum with coefficients of {self.variable} known as numbers on [{low:.4g}, {high:.4g}]"


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
