"""Steps in time for fields whose rates are NumPy functions: order 8 with error control, and Gauss's method of order 6."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo.integrate.methods import dop853_table as table

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


REACHED, TOO_MANY, TOO_SMALL, NOT_FINITE, SLACK = 0, 1, 2, 3, 4
STAGES = 12


def coefficients() -> Array:
    """Rows: the coupling of stages 2 … 12, weights, both error estimates. [Hairer, Nørsett, Wanner I, II.5]"""
    names = ["A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "B", "E5", "E3"]
    rows = [getattr(table, name) for name in names]
    return np.array([(*row, *(0.0,) * (STAGES - len(row))) for row in rows])


def advance(
    rates: Callable[[Array], Array],
    fault: Callable[[], int],
    t: float,
    end: float,
    y: Array,
    h: float,
    tolerances: tuple[float, float],
    most: int,
    c: Array,
) -> tuple[int, float, float, int, int]:
    """From t to the end, with steps chosen by the error; ``c`` are the `coefficients`.

    ``fault()`` looks at an accepted state, just after its rates were computed, and gives a status that ends the motion, or
    ``REACHED``. ``y`` is changed in place; returns status, time, the next step, steps and calls. The rates do not depend on time.
    """
    k = np.empty((STAGES, y.size))
    steps, calls = 0, 1
    k[0] = rates(y)
    status = fault()
    after_rejection = False
    while t < end and status == REACHED:
        if steps >= most:
            return TOO_MANY, t, h, steps, calls
        if h < 4e-16 * max(abs(t), 1e-3):
            return TOO_SMALL, t, h, steps, calls
        step = min(h, end - t)
        for stage in range(1, STAGES):
            k[stage] = rates(y + step * (c[stage - 1, :stage] @ k[:stage]))
        total, fifth, third = c[STAGES - 1 :] @ k
        new = y + step * total
        error = _error(step, y, new, fifth, third, tolerances)
        calls += STAGES - 1
        if not np.isfinite(error):
            h = step / 10.0
            after_rejection = True
            continue
        change = 0.9 / max(error, 1e-10) ** 0.125
        if error > 1.0:
            h = step * max(change, 1.0 / 3.0)
            after_rejection = True
            continue
        steps += 1
        t = end if step == end - t else t + step
        y[:] = new
        k[0] = rates(y)
        calls += 1
        status = fault()
        grown = step * min(max(change, 1.0 / 3.0), 1.0 if after_rejection else 6.0)
        h = max(h, grown) if step < h else grown  # a step cut short by the end says little
        after_rejection = False
    return status, t, h, steps, calls


def _error(h: float, y: Array, new: Array, fifth: Array, third: Array, tolerances: tuple[float, float]) -> float:
    """``h e5² / sqrt(n (e5² + 0.01 e3²))``, see `nonholo.integrate.methods.dop853`."""
    rtol, atol = tolerances
    scale = 1.0 / (atol + rtol * np.maximum(np.abs(y), np.abs(new)))
    five, three = float(np.sum((fifth * scale) ** 2)), float(np.sum((third * scale) ** 2))
    below = five + 0.01 * three
    return 0.0 if below == 0.0 else h * five / float(y.size * below) ** 0.5
