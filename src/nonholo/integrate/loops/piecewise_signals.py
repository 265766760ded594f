"""Inputs as functions of time, in the form the loops evaluate: piecewise polynomials.

Numbers, tables and Python functions all become a `Signal`. A Python function is sampled: it is interpolated at
Chebyshev points on pieces that are halved until the interpolant agrees with it to rounding, so the loops run at full
speed and never call Python. Jumps end up between two neighbouring numbers and become breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.errors import StateError

Array = np.ndarray[Any, np.dtype[np.float64]]
DEGREE = 11


@dataclass(frozen=True, eq=False)
class Signal:
    """A piecewise polynomial of time; before its first and after its last knot it keeps its end values.

    Row i of ``coefficients`` belongs to ``knots[i] … knots[i + 1]``, in rising powers of a place that runs from -1 to
    1 there. Integration steps end at ``breaks``, the times where the signal or its slope jumps.
    """

    knots: Array
    coefficients: Array
    breaks: Array

    def __call__(self, t: float) -> float:
        """The value at a time (from above, where the signal jumps).

        >>> linear([0, 1, 3], [0, 2, 2])(0.25)
        0.5
        """
        return float(self.values(np.array([t], dtype=float))[0])

    def values(self, times: Array) -> Array:
        """The values at many times."""
        piece = np.clip(np.searchsorted(self.knots, times, side="right") - 1, 0, len(self.knots) - 2)
        left, right = self.knots[piece], self.knots[piece + 1]
        place = np.clip(2 * (times - left) / (right - left) - 1, -1, 1)
        rows = self.coefficients[piece]
        value = rows[:, -1].copy()
        for power in range(rows.shape[1] - 2, -1, -1):
            value = value * place + rows[:, power]
        return value

    def slopes(self, times: Array) -> Array:
        """The derivatives at many times, from above where the signal or its slope jumps.

        >>> linear([0, 1, 3], [0, 2, 2]).slopes(np.array([0.25, 1.5, 4.0])).tolist()
        [2.0, 0.0, 0.0]
        """
        piece = np.clip(np.searchsorted(self.knots, times, side="right") - 1, 0, len(self.knots) - 2)
        left, right = self.knots[piece], self.knots[piece + 1]
        place = 2 * (times - left) / (right - left) - 1
        powers = np.arange(1, self.coefficients.shape[1])
        value = np.sum(self.coefficients[piece, 1:] * powers * np.clip(place, -1, 1)[:, None] ** (powers - 1), axis=1)
        return np.asarray(np.where(np.abs(place) > 1 + 1e-12, 0.0, value * 2 / (right - left)))


def constant(value: float) -> Signal:
    """The same value at all times."""
    return Signal(np.array([0.0, 1.0]), np.array([[float(value)]]), np.empty(0))


def linear(times: Sequence[float], values: Sequence[float]) -> Signal:
    """Straight lines between the entries of a table; a time that stands twice is a jump.

    >>> step = linear([0, 1, 1, 2], [0, 0, 5, 5])
    >>> step(0.999), step(1.0)
    (0.0, 5.0)
    """
    t, v = _table(times, values, jumps=True)
    middle, half = (v[:-1] + v[1:]) / 2, (v[1:] - v[:-1]) / 2
    real = np.diff(t) > 0
    return Signal(np.unique(t), np.stack([middle, half], axis=1)[real], np.unique(t))


def hold(times: Sequence[float], values: Sequence[float]) -> Signal:
    """Each entry of a table holds until the next one."""
    t, v = _table(times, values)
    knots = np.append(t, np.nextafter(t[-1], np.inf))
    return Signal(knots, v[:, None], t)


def spline(times: Sequence[float], values: Sequence[float]) -> Signal:
    """The cubic spline through a table (not-a-knot ends), smooth enough that no step must end at its knots."""
    t, v = _table(times, values)
    if len(t) < 3:
        return linear(times, values)
    from scipy.interpolate import CubicSpline  # here: it takes half a second to import

    pieces = CubicSpline(t, v)
    half = np.diff(t) / 2
    # from powers of (t - left) = half (place + 1) to powers of place
    a3, a2, a1, a0 = (pieces.c[i] * half ** (3 - i) for i in range(4))
    rows = np.stack([a0 + a1 + a2 + a3, a1 + 2 * a2 + 3 * a3, a2 + 3 * a3, a3], axis=1)
    return Signal(t, rows, t[[0, -1]])


def sampled(function: Callable[[float], float], t0: float, t1: float, tolerance: float = 1e-14) -> Signal:
    """A Python function of time between t0 and t1, interpolated to ``tolerance`` of its size.

    The pieces start at 1/32 of the span: a feature much narrower than 1/300 of the span may be missed.

    >>> import math
    >>> abs(sampled(math.sin, 0, 10)(7.3) - math.sin(7.3)) < 1e-14
    True
    """
    low, high = min(t0, t1), max(t0, t1)
    if low == high:
        return constant(function(low))
    work = [(a, b) for a, b in zip(*_halves(np.linspace(low, high, 33)))][::-1]
    nodes = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
    checks = np.array([-0.97, -0.6, -0.13, 0.31, 0.78, 0.99])
    knots, rows, breaks, size = [low], [], [], 0.0
    while work:
        a, b = work.pop()
        middle, half = (a + b) / 2, (b - a) / 2
        values = _values(function, middle + half * nodes)
        size = max(size, float(np.max(np.abs(values))))
        row = np.polynomial.chebyshev.cheb2poly(np.polynomial.chebyshev.chebfit(nodes, values, DEGREE))
        row = np.pad(row, (0, DEGREE + 1 - len(row)))
        found = np.polynomial.polynomial.polyval(checks, row)
        wrong = np.max(np.abs(found - _values(function, middle + half * checks)))
        if wrong <= tolerance * size + 1e-300:
            knots.append(b)
            rows.append(row)
        elif middle <= a or middle >= b or half < 4 * np.spacing(max(abs(a), abs(b))):
            knots.append(b)
            rows.append(np.pad([values[0]], (0, DEGREE)))  # a jump, caught between neighbouring numbers
            breaks.extend([a, b])
        elif len(rows) > 200_000:
            raise StateError(
                "input: the function of time is too rough to be interpolated (more than 200,000 pieces); give a table, "
                "nonholo.integrate.loops.piecewise_signals.linear(times, values), or a smoother function."
            )
        else:
            work.extend([(middle, b), (a, middle)])
    return Signal(np.array(knots), np.array(rows), np.unique(breaks))


def signal(source: Any, t0: float, t1: float) -> Signal:
    """What a user gives for an input, as a signal: a number, a pair (times, values), a function, or a signal."""
    if isinstance(source, Signal):
        return source
    if callable(source):
        return sampled(source, t0, t1)
    if isinstance(source, (tuple, list)) and len(source) == 2 and np.ndim(source[0]) == 1:
        return linear(*source)
    try:
        value = float(source) if not isinstance(source, str) else float("nan")
        if not np.isfinite(value):
            raise ValueError
    except (TypeError, ValueError):
        raise StateError(
            f"input: {source!r} where a number, a pair (times, values), a function of time or a Signal is needed."
        ) from None
    return constant(value)


def _halves(points: Array) -> tuple[list[float], list[float]]:
    return points[:-1].tolist(), points[1:].tolist()


def _values(function: Callable[[float], float], times: Array) -> Array:
    values = np.array([float(function(float(t))) for t in times])
    if not np.all(np.isfinite(values)):
        bad = float(times[~np.isfinite(values)][0])
        raise StateError(f"input: the function of time is not finite at t = {bad:g}; give one that is.")
    return values


def _table(times: Sequence[float], values: Sequence[float], jumps: bool = False) -> tuple[Array, Array]:
    try:
        t, v = np.array(times, dtype=float), np.array(values, dtype=float)
    except (TypeError, ValueError):
        raise StateError("input table: times and values must be numbers, as many of one as of the other.") from None
    if t.ndim != 1 or t.shape != v.shape or len(t) < 2:
        raise StateError(f"input table: {t.shape} times and {v.shape} values; equally many are needed, at least two.")
    ahead = np.all(np.diff(t) >= 0) and np.all(t[2:] > t[:-2]) and t[-1] > t[0] if jumps else np.all(np.diff(t) > 0)
    if not (np.all(np.isfinite(t)) and np.all(np.isfinite(v)) and ahead):
        raise StateError(
            "input table: times must be finite and increase"
            f"{' (twice the same for a jump)' if jumps else ''}, values must be finite; sort or clean them."
        )
    return t, v
