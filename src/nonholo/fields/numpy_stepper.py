"""Steps in time for fields whose rates are NumPy functions: order 8 with error control, and Gauss's method of order 6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo.fields.compiled_stepper import NOT_FINITE, REACHED, TOO_MANY

Array = np.ndarray[Any, np.dtype[Any]]
Rates = Callable[[Array], Array]
Found = tuple[list[Array], int, float, int, int]
_ROOT = 15.0**0.5
COUPLING = np.array(
    [
        [5 / 36, 2 / 9 - _ROOT / 15, 5 / 36 - _ROOT / 30],
        [5 / 36 + _ROOT / 24, 2 / 9, 5 / 36 - _ROOT / 24],
        [5 / 36 + _ROOT / 30, 2 / 9 + _ROOT / 15, 5 / 36],
    ]
)
"""Kuntzmann and Butcher's method of order 6. [Hairer, Nørsett, Wanner I, II.7, table 7.4]"""
WEIGHTS = np.array([5 / 18, 4 / 9, 5 / 18])


def adaptive(rates: Rates, y: Array, times: Array, rtol: float, atol: float, most: int = 1_000_000) -> Found:
    """States at the times by SciPy's DOP853, whose steps end at each of them."""
    from scipy.integrate import DOP853

    rows: list[Array] = []
    step: float | None = None
    t, steps, calls = 0.0, 0, 0
    for end in times:
        if end > t:
            first = None if step is None else min(step, end - t)
            solver = DOP853(lambda _, v: rates(v), t, y, end, rtol=rtol, atol=atol, first_step=first)
            while solver.status == "running":
                solver.step()
                steps += 1
                if steps > most:
                    return rows, TOO_MANY, float(solver.t), steps, calls
            y, t, step, calls = solver.y, end, float(solver.h_abs), calls + solver.nfev
            if solver.status == "failed" or not np.all(np.isfinite(y)):
                return rows, NOT_FINITE, float(solver.t), steps, calls
        rows.append(y.copy())
    return rows, REACHED, float(times[-1]), steps, calls


def gauss(rates: Rates, y: Array, times: Array, step: float) -> Found:
    """States at the times by Gauss's method with three stages, solved by iteration: quadratic invariants stay to rounding.

    Each stretch between times is cut into equal steps of at most ``step``.
    """
    rows: list[Array] = []
    t, steps, calls = 0.0, 0, 0
    slopes = None
    for end in times:
        count = int(np.ceil((end - t) / step - 1e-9)) if end > t else 0
        for _ in range(count):
            h = (end - t) / count
            found = gauss_step(rates, y, h, slopes)
            if found is None:
                return rows, NOT_FINITE, t, steps, calls
            y, slopes, took = found
            steps, calls = steps + 1, calls + took
        t = float(end)
        rows.append(y.copy())
    return rows, REACHED, float(times[-1]), steps, calls


def gauss_step(
    rates: Rates, y: Array, h: float, guess: Array | None, most: int = 100
) -> tuple[Array, Array, int] | None:
    """One step: ``k_i = f(y + h Σ a_ij k_j)`` by iteration until it no longer moves; None when that fails."""
    slopes = np.stack([rates(y)] * 3) if guess is None else guess
    last, calls = np.inf, 0
    for _ in range(most):
        new = np.stack([rates(y + h * np.tensordot(row, slopes, axes=1)) for row in COUPLING])
        calls += 3
        change = float(np.max(np.abs(new - slopes))) * h
        slopes = new
        if not np.isfinite(change):
            return None
        if change == 0.0 or (change >= last and change < 1e-10 * max(1.0, float(np.max(np.abs(y))))):
            return y + h * np.tensordot(WEIGHTS, slopes, axes=1), slopes, calls
        last = change
    return None
