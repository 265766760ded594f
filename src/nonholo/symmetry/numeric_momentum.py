"""Momenta whose coefficients are known as numbers: the fundamental matrix of ``y' = N(s) y`` on panels."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev
from numpy.typing import NDArray

from nonholo.algebra.calculus import ONE, symbols
from nonholo.algebra.numeric import numeric_function
from nonholo.errors import StateError
from nonholo.symmetry.gauge_system import GaugeOde
from nonholo.symmetry.momenta import along_field

Numbers = NDArray[np.float64]
ORDER = 20
TAIL = 1e-13
"""Largest last Chebyshev coefficients of a panel, relative to its first ones."""
SHORTEST = 1e-10
PANELS = 400
REACH = 8.0
"""How far the solution goes on either side unless more is asked for; entries of a rotation matrix stay within one."""


@dataclass(frozen=True, eq=False)
class Fundamental:
    """``Y(s)`` with ``Y' = N Y``, ``Y(origin) = 1``, as Chebyshev series on panels in increasing order."""

    origin: float
    edges: Numbers
    series: tuple[Numbers, ...]

    @property
    def interval(self) -> tuple[float, float]:
        """Where the solution is known: up to singular points of the ODE."""
        return float(self.edges[0]), float(self.edges[-1])

    def __call__(self, s: Any) -> Numbers:
        """``Y`` at each value; not a number outside the interval."""
        values = np.atleast_1d(np.asarray(s, dtype=float))
        size = self.series[0].shape[1]
        result = np.full((len(values), size, size), np.nan)
        place = np.clip(np.searchsorted(self.edges, values, side="right") - 1, 0, len(self.series) - 1)
        inside = (values >= self.edges[0]) & (values <= self.edges[-1])
        for k in set(place[inside].tolist()):
            here = inside & (place == k)
            a, b = self.edges[k], self.edges[k + 1]
            t = (2 * values[here] - a - b) / (b - a)
            result[here] = np.moveaxis(chebyshev.chebval(t, self.series[k]), -1, 0)
        return result


def fundamental(ode: GaugeOde, values: Mapping[str, float], origin: float, reach: tuple[float, float]) -> Fundamental:
    """The fundamental matrix by collocation at Chebyshev points, panel after panel away from the origin.

    A panel is halved until its series has died out; where it would become shorter than 1e-10 the ODE is singular and
    the interval ends.
    """
    rates = _matrix_function(ode, values)
    size = ode.dimension
    sides = [_march(rates, size, origin, end) for end in reach]
    left = [(b, a, _mirrored(series)) for a, b, series in reversed(sides[0])]
    panels = [*left, *sides[1]]
    if not panels:
        raise StateError(f"the ODE of the momenta is singular at {ode.variable} = {origin:.6g}; start elsewhere.")
    edges = np.array([panels[0][0], *(p[1] for p in panels)])
    return Fundamental(origin, edges, tuple(p[2] for p in panels))


def _mirrored(series: Numbers) -> Numbers:
    """The series on a panel that is read from its other end."""
    signs = (-1.0) ** np.arange(len(series))
    return np.asarray(series * signs[:, None, None])


def _matrix_function(ode: GaugeOde, values: Mapping[str, float]) -> Any:
    F = ode.field
    names = list(map(str, F.parameters))
    flat = [F.expression(e) for row in ode.matrix for e in row]
    function = numeric_function([ode.variable.symbol, *symbols(names)], [*flat, ONE])
    fixed = [values[n] for n in names]
    size = ode.dimension

    def rates(points: Numbers) -> Numbers:
        given = np.array([[s, *fixed] for s in points])
        with np.errstate(all="ignore"):
            numbers = np.array([np.asarray(function(row), dtype=float).reshape(-1)[:-1] for row in given])
        return np.asarray(numbers.reshape(len(points), size, size))

    return rates


def _march(rates: Any, size: int, origin: float, end: float) -> list[tuple[float, float, Numbers]]:
    t = -np.cos(np.pi * np.arange(ORDER + 1) / ORDER)
    vandermonde = chebyshev.chebvander(t, ORDER)
    inverse = np.linalg.inv(vandermonde)
    slope = np.array([chebyshev.chebval(t, chebyshev.chebder(np.eye(ORDER + 1)[k])) for k in range(ORDER + 1)]).T
    differentiate = slope @ inverse
    panels: list[tuple[float, float, Numbers]] = []
    here, value = origin, np.eye(size)
    step, growth = (end - origin) / 4, 1.6
    while abs(end - here) > SHORTEST and len(panels) < PANELS:
        step = float(np.sign(step) * min(abs(step), abs(end - here)))
        solved = _panel(rates, differentiate, t, here, here + step, value)
        series = np.tensordot(inverse, solved, axes=(1, 0)) if solved is not None else None
        if series is None or not np.max(np.abs(series[-2:])) <= TAIL * np.max(np.abs(series)):
            step, growth = step / 2, 1.0
            if abs(step) < SHORTEST:
                break
            continue
        assert solved is not None
        panels.append((here, here + step, series))
        here, value = here + step, solved[-1]
        step, growth = step * growth, 1.6
    return panels


def _panel(rates: Any, differentiate: Numbers, t: Numbers, a: float, b: float, value: Numbers) -> Numbers | None:
    """``Y`` at the points of one panel."""
    size = len(value)
    count = len(t)
    matrices = rates(a + (b - a) * (1 + t) / 2) * (b - a) / 2
    if not np.all(np.isfinite(matrices)):
        return None
    whole = np.kron(differentiate, np.eye(size))
    for j in range(count):
        whole[j * size : (j + 1) * size, j * size : (j + 1) * size] -= matrices[j]
    sides = -whole[size:, :size] @ value
    try:
        solved = np.linalg.solve(whole[size:, size:], sides)
    except np.linalg.LinAlgError:
        return None
    result = np.concatenate([value[None], solved.reshape(count - 1, size, size)])
    return result if np.all(np.isfinite(result)) else None


@dataclass(frozen=True, eq=False)
class NumericMomentum:
    """``P = Σ_k f_k(s) P_k`` with ``f = E(s) Y(s) c``: the coefficients as numbers, for given parameters.

    ``evaluate(state)`` gives its value, ``along(run)`` its values along a motion, ``coefficients(s)`` the ``f_k``.
    """

    ode: GaugeOde
    direction: tuple[float, ...]
    parameters: Mapping[str, float]
    solution: Fundamental

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
        embedding = np.array(
            [np.asarray(function(np.array([v, *fixed])), dtype=float).reshape(-1)[:-1] for v in values]
        )
        y = self.solution(values) @ np.array(self.direction)
        return np.asarray(np.einsum("tka,ta->tk", embedding.reshape(-1, *shape), y))

    def evaluate(self, state: Mapping[str, float]) -> float:
        """The value at a state that names the coordinates and the speeds."""
        names = self._names()
        missing = [n for n in names if n not in state]
        if missing:
            raise StateError(f"the momentum needs {', '.join(missing)}; give a complete state.")
        return float(self._values({n: np.array([float(state[n])]) for n in names})[0])

    def along(self, run: Any) -> Numbers:
        """The values along a motion (a Trajectory)."""
        values = {**self.parameters, **json.loads(run.data.attrs.get("parameters", "{}"))}
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
        expression = self.ode.variable.expression
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
        given = np.column_stack([columns[n] for n in names])
        numbers = np.array(
            [np.asarray(function(np.array([*row, *fixed])), dtype=float).reshape(-1)[:-1] for row in given]
        )
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
    bounded = ode.variable.pivot in bounded_names(ode)
    reach = (-1.0, 1.0) if bounded else (origin - REACH, origin + REACH)
    solution = fundamental(ode, values, origin, reach)
    ends = directions if directions is not None else np.eye(ode.dimension).tolist()
    return tuple(NumericMomentum(ode, tuple(map(float, c)), dict(values), solution) for c in ends)


def bounded_names(ode: GaugeOde) -> set[str]:
    """Coordinates that stay between −1 and 1: entries of rotation matrices, quaternions and unit vectors."""
    frame = ode.momenta.system.frame
    assert frame is not None
    return {str(s) for e in frame.relations for s in e.free_symbols}
