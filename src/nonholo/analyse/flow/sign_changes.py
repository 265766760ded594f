"""Vectorised root finding: locate sign changes of a function of many rows."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
EVEN = np.linspace(0.0, 1.0, 13)
"""Parts of the way that are tried first; inside of a bracket every third again, so that it shrinks to a quarter at least."""
CLOSE = np.array([0.0, *(s * 10.0**-k for k in (2, 4, 6, 8) for s in (-1, 1))])
"""So near the interpolated zero, in parts of the bracket, others are tried: it mostly shrinks by many digits."""
ROUNDS, RESOLVED = 40, 1e-13
DEGREE = 5


def sign_change(function: Callable[[Numbers], Numbers], low: float = 0.0, high: float = 1.0) -> float | None:
    """A place between ``low`` and ``high`` where a continuous function, asked at many places at once, passes zero.

    The bracket is cut at even places and around the zero of the polynomial through the nearest known values, until it is as
    short as rounding. None where the ends have one sign or no value.

    >>> round(sign_change(lambda x: x**3 - 0.2), 12), sign_change(lambda x: x + 1)
    (0.584803547643, None)
    """
    places = low + (high - low) * EVEN
    values = np.asarray(function(places), dtype=np.float64)
    if not np.all(np.isfinite(values[[0, -1]])) or values[0] * values[-1] > 0:
        return None
    places, values = places[np.isfinite(values)], values[np.isfinite(values)]
    for _ in range(ROUNDS):
        k = _bracket(values)
        left, right = float(places[k]), float(places[k + 1])
        width = right - left
        if values[k] == 0.0 or values[k + 1] == 0.0 or width < RESOLVED * max(abs(low), abs(high)):
            break
        guess = _interpolated(places, values, k)
        trial = np.concatenate([left + width * EVEN[3:-1:3], guess + width * CLOSE])
        trial = np.unique(trial[(trial > left) & (trial < right)])
        if not len(trial):
            break
        found = np.asarray(function(trial), dtype=np.float64)
        good = np.isfinite(found)
        order = np.argsort(np.concatenate([places, trial[good]]), kind="stable")
        places = np.concatenate([places, trial[good]])[order]
        values = np.concatenate([values, found[good]])[order]
    k = _bracket(values)
    return float(places[k] if abs(values[k]) <= abs(values[k + 1]) else places[k + 1])


def _bracket(values: Numbers) -> int:
    """The first pair of neighbours between which the sign changes."""
    return int(np.flatnonzero(values[:-1] * values[1:] <= 0)[0])


def _interpolated(places: Numbers, values: Numbers, k: int) -> float:
    """The zero of the polynomial through the nearest known values inside a bracket, by halving it."""
    left, right = float(places[k]), float(places[k + 1])
    near = np.sort(np.argsort(np.abs(places - (left + right) / 2), kind="stable")[: DEGREE + 1])
    near = np.union1d(near, [k, k + 1])
    x = (places[near] - left) / (right - left)
    table = values[near].copy()
    for j in range(1, len(x)):  # Newton's divided differences
        table[j:] = (table[j:] - table[j - 1 : -1]) / (x[j:] - x[:-j])
    if not np.all(np.isfinite(table)):
        return (left + right) / 2

    def at(place: float) -> float:
        total = 0.0
        for coefficient, node in zip(table[::-1].tolist(), x[::-1].tolist()):
            total = total * (place - node) + coefficient
        return total

    low, high, sign = 0.0, 1.0, float(np.sign(values[k])) or -float(np.sign(values[k + 1]))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle) * sign > 0 else (low, middle)
    return left + (right - left) * (low + high) / 2
