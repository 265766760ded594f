"""Inputs as functions of time, in the form the loops evaluate: piecewise polynomials.

Numbers, tables and Python functions all become a `Signal`. A Python function is sampled: it is interpolated at
Chebyshev points on pieces that are halved until the interpolant agrees with it to rounding, so the loops run at full
speed and never call Python. Jumps end up between two neighbouring numbers and become breaks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from heapq import heapify, heappop, heappush
from itertools import pairwise
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any, NamedTuple

import numpy as np

from nonholo.errors import StateError
from nonholo.program.array_types import Array

DEGREE, PARTS, PROBES = 11, 32, 1024
MANY, MOST_CALLS = 150_000, 600_000
FAIR, SEEN = 1e-6, 1e-6
"""After `MANY` calls this part of the size is precise enough; a probe that differs by more has seen something new."""
EPSILON = float(np.finfo(float).eps)
_NODES = np.cos(np.pi * (np.arange(DEGREE + 1) + 0.5) / (DEGREE + 1))
_CHECKS = np.array([-1.0, -0.97, -0.6, -0.13, 0.31, 0.78, 0.99, 1.0])
PLACES = np.concatenate([_NODES, _CHECKS])
TO_CHEBYSHEV = np.polynomial.chebyshev.chebvander(_NODES, DEGREE).T * 2 / (DEGREE + 1)
TO_CHEBYSHEV[0] /= 2
TO_POWERS = np.zeros((DEGREE + 1, DEGREE + 1))
for _k, _unit in enumerate(np.eye(DEGREE + 1)):
    TO_POWERS[: _k + 1, _k] = np.polynomial.chebyshev.cheb2poly(_unit)[: _k + 1]
CHECKED = np.polynomial.polynomial.polyvander(_CHECKS, DEGREE)
SLOPES = np.pad(CHECKED[:, :-1] * np.arange(1, DEGREE + 1), ((0, 0), (1, 0)))


@dataclass(frozen=True, eq=False)
class Signal:
    """A piecewise polynomial of time; constant before its first and after its last knot.

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
    """Linear interpolation of a table; a time that occurs twice is a jump.

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
    """A Python function of time between t0 and t1, interpolated to ``tolerance`` of its size, or to its own rounding.

    Pieces begin at 1/32 of the span and at the numbers that the function's code holds; the worst is halved first. Then the
    function is compared with its interpolant at `PROBES` further times: a feature narrower than the time between two of them,
    at a time that the code does not name, may be missed. Of a function that needs very many pieces an error of `FAIR` is left.

    >>> import math
    >>> abs(sampled(math.sin, 0, 10)(7.3) - math.sin(7.3)) < 1e-14
    True
    >>> pulse = sampled(lambda t: 1000.0 if 3.3 < t < 3.301 else 0.0, 0, 10)
    >>> pulse(3.2), pulse(3.3005), pulse(3.4)
    (0.0, 1000.0, 0.0)
    """
    low, high = min(t0, t1), max(t0, t1)
    if low == high:
        return constant(function(low))
    calls = 0
    size = 0.0

    def fitted(a: float, b: float) -> _Piece:
        nonlocal calls, size
        calls += len(PLACES)
        middle, half = (a + b) / 2, (b - a) / 2
        values = _values(function, np.clip(middle + half * PLACES, a, b))
        size = max(size, float(np.max(np.abs(values))))
        parts = TO_CHEBYSHEV @ values[: DEGREE + 1]
        row = TO_POWERS @ np.where(np.abs(parts) > EPSILON * np.max(np.abs(values)), parts, 0.0)
        if np.all(values == values[0]):
            row = np.pad(values[:1], (0, DEGREE))
        wrong = float(np.max(np.abs(CHECKED @ row - values[DEGREE + 1 :])))
        slope = float(np.max(np.abs(SLOPES @ row))) / half
        rounding = min(8 * EPSILON * max(abs(a), abs(b)) * slope, 1e-9 * size)  # of the time, seen through the slope
        return _Piece(-max(0.0, wrong - rounding), a, b, row, values[0])

    edges = np.unique([*np.linspace(low, high, PARTS + 1), *(c for c in named_times(function) if low < c < high)]).tolist()
    done: list[_Piece] = []
    work = [fitted(a, b) for a, b in pairwise(edges)]
    for probing in (True, False):
        heapify(work)
        while work:
            worst = work[0]
            if -worst.error <= tolerance * size + 1e-300 or (calls > MANY and -worst.error <= FAIR * size):
                done, work = [*done, *work], []
                break
            if calls > MOST_CALLS:
                raise StateError(
                    f"input: the function of time is too rough: after {calls} calls its interpolant is still off by "
                    f"{-worst.error:.3g} near t = {worst.a:.6g}; give a table (times, values), nh.sampled(function, every=…), or "
                    "a formula as text."
                )
            heappop(work)
            middle = (worst.a + worst.b) / 2
            if not worst.a < middle < worst.b or worst.b - worst.a < 8 * np.spacing(max(abs(worst.a), abs(worst.b))):
                done.append(worst._replace(jump=True))  # caught between neighbouring numbers
            else:
                heappush(work, fitted(worst.a, middle))
                heappush(work, fitted(middle, worst.b))
        done.sort(key=lambda piece: piece.a)
        if not probing:
            break
        found = _signal(done)
        times = np.linspace(low, high, PROBES + 1)[1:-1]
        missed = times[np.abs(found.values(times) - _values(function, times)) > SEEN * size]
        at = np.searchsorted([piece.a for piece in done], missed, side="right") - 1
        for k in dict.fromkeys(at.tolist()):
            if not done[k].jump:
                inner = [t for t in missed[at == k].tolist() if done[k].a < t < done[k].b]
                work += [fitted(a, b) for a, b in pairwise([done[k].a, *inner, done[k].b])]
        if not work:
            break
        done = [piece for k, piece in enumerate(done) if done[k].jump or k not in set(at.tolist())]
    return _signal(done)


class _Piece(NamedTuple):
    """A polynomial on a … b and its error, negative; ordered by the error, the largest first."""

    error: float
    a: float
    b: float
    row: Array
    value: float
    jump: bool = False

    def __lt__(self, other: object) -> bool:
        return isinstance(other, _Piece) and (self.error, self.a) < (other.error, other.a)


def _signal(pieces: Sequence[_Piece]) -> Signal:
    """The signal of pieces in their order: it breaks at jumps and around what is narrow, where a step would pass over it."""
    knots = [pieces[0].a, *(piece.b for piece in pieces)]
    rows = [np.pad([piece.value], (0, DEGREE)) if piece.jump else piece.row for piece in pieces]
    breaks = [t for piece in pieces if piece.jump for t in (piece.a, piece.b)]
    width = np.diff(knots)
    narrow = np.flatnonzero(width < (knots[-1] - knots[0]) / (8 * PARTS))
    for run in np.split(narrow, np.flatnonzero(np.diff(narrow) > 1) + 1) if len(narrow) else ():
        least = run[width[run] <= 1.01 * np.min(width[run])]
        if run[0] > 0 and run[-1] < len(width) - 1:
            breaks += [knots[least[0]], knots[least[-1] + 1]]
    return Signal(np.array(knots), np.array(rows), np.unique(breaks))


def named_times(function: object, depth: int = 6) -> list[float]:
    """The numbers in the code of a function, in its closure and in its defaults; also sums of two.

    >>> start = 3.0
    >>> named_times(lambda t: start < t < start + 0.25)
    [0.25, 3.0, 3.25]
    """
    found: set[float] = set()
    seen: set[int] = set()

    def look(thing: object, left: int) -> None:
        if isinstance(thing, (int, float)) and not isinstance(thing, bool) and abs(thing) < 1e300:
            found.add(float(thing))
        if left < 0 or id(thing) in seen or len(found) > 60:
            return
        seen.add(id(thing))
        if isinstance(thing, (tuple, list, np.ndarray)) and len(thing) <= 50:
            for part in thing:
                look(part, left - 1)
        elif isinstance(thing, CodeType):
            for part in thing.co_consts:
                look(part, left - 1)
        elif isinstance(thing, partial):
            for part in (thing.func, thing.args, tuple(thing.keywords.values())):
                look(part, left - 1)
        elif isinstance(thing, MethodType):
            look(thing.__func__, left - 1)
            look(thing.__self__, left - 1)
        elif isinstance(thing, FunctionType):
            used = [thing.__globals__.get(name) for name in thing.__code__.co_names]
            cells = [cell.cell_contents for cell in thing.__closure__ or () if cell != CellType()]
            used = [value for value in used if isinstance(value, (int, float, FunctionType))]
            for part in (thing.__code__, thing.__defaults__, *cells, *used):
                look(part, left - 1)
        elif callable(thing) and hasattr(thing, "__dict__") and not isinstance(thing, type):
            look(type(thing).__call__, left - 1)
            look(tuple(vars(thing).values()), left - 1)

    look(function, depth)
    plain = sorted(found)
    near = [a + b for a in plain for b in plain if 0 < b < 0.1 * a]
    return sorted({*plain, *near[:200]})


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
