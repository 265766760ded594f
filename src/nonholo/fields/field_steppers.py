"""Steps in time for fields whose rates are NumPy functions: order 8 with error control, and Gauss's method of order 6."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from nonholo.fields.field_starts import chosen_method, fixed_step, tolerance
from nonholo.integrate.methods import dop853_table as table
from nonholo.program.array_types import AnyArray

Rates = Callable[[AnyArray], AnyArray]
Fault = Callable[[], int]
Found = tuple[list[AnyArray], int, float, int, int]
"""Rows of states, status, final time, steps and calls of the rates."""
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


def solve(
    rates: Rates, y: AnyArray, times: AnyArray, method: str, step: float | None, rtol: float, atol: float, where: str
) -> Found:
    """States at the times by ``"gauss"`` with a fixed step, or by ``"dop853"`` with error control."""
    if chosen_method(method, ("dop853", "gauss"), where) == "gauss":
        return gauss(rates, y, times, fixed_step(step, where))
    return adaptive(rates, y, times, tolerance(rtol, "rtol", where), tolerance(atol, "atol", where))


def adaptive(
    rates: Rates, y: AnyArray, times: AnyArray, rtol: float, atol: float, most: int = 1_000_000, fault: Fault | None = None
) -> Found:
    """States at the times by DOP853, whose steps end at each of them; a motion that ends early adds its last state.

    ``fault()`` looks at an accepted state, just after its rates were computed, and gives a status that ends the motion, or
    ``REACHED``.
    """
    state, rows = np.array(y), []
    t, h, steps, calls = 0.0, min(1e-3, float(times[-1])), 0, 0
    for end in times:
        status, t, h, took, called = advance(rates, fault, t, float(end), state, h, (rtol, atol), most - steps)
        steps, calls = steps + took, calls + called
        rows.append(state.copy())
        if status != REACHED:
            return rows, status, t, steps, calls
    return rows, REACHED, float(times[-1]), steps, calls


def reached_times(times: AnyArray, rows: Sequence[AnyArray] | AnyArray, end: float) -> AnyArray:
    """The times of the rows: the output times up to the end, and the end itself where the motion ended between them."""
    return times[: len(rows)] if end >= times[-1] else np.append(times[times < end], end)[: len(rows)]


def gauss(rates: Rates, y: AnyArray, times: AnyArray, step: float) -> Found:
    """States at the times by Gauss's method with three stages, solved by iteration: quadratic invariants stay to rounding.

    Each stretch between times is cut into equal steps of at most ``step``.
    """
    rows: list[AnyArray] = []
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
    rates: Rates, y: AnyArray, h: float, guess: AnyArray | None, most: int = 100
) -> tuple[AnyArray, AnyArray, int] | None:
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
ROWS = (*(getattr(table, f"A{k}") for k in range(2, STAGES + 1)), table.B, table.E5, table.E3)
C = np.array([(*row, *(0.0,) * (STAGES - len(row))) for row in ROWS])
"""The coupling of stages 2 … 12, weights, both error estimates. [Hairer, Nørsett, Wanner I, II.5]"""


def advance(
    rates: Rates, fault: Fault | None, t: float, end: float, y: AnyArray, h: float, tolerances: tuple[float, float], most: int
) -> tuple[int, float, float, int, int]:
    """One motion from t to the end by DOP853, with steps chosen by the error; the rates do not depend on time.

    ``y`` is changed in place; returns status, time, the next step, steps and calls.
    """
    k = np.empty((STAGES, y.size))
    steps, calls = 0, 1
    k[0] = rates(y)
    status = fault() if fault is not None else REACHED
    after_rejection = False
    while t < end and status == REACHED:
        if steps >= most:
            return TOO_MANY, t, h, steps, calls
        if h < 4e-16 * max(abs(t), 1e-3):
            return TOO_SMALL if np.isfinite(k).all() else NOT_FINITE, t, h, steps, calls
        step = min(h, end - t)
        for stage in range(1, STAGES):
            k[stage] = rates(y + step * (C[stage - 1, :stage] @ k[:stage]))
        total, fifth, third = C[STAGES - 1 :] @ k
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
        status = fault() if fault is not None else REACHED
        grown = step * min(max(change, 1.0 / 3.0), 1.0 if after_rejection else 6.0)
        h = max(h, grown) if step < h else grown  # a step cut short by the end says little
        after_rejection = False
    return status, t, h, steps, calls


def _error(h: float, y: AnyArray, new: AnyArray, fifth: AnyArray, third: AnyArray, tolerances: tuple[float, float]) -> float:
    """``h e5² / sqrt(n (e5² + 0.01 e3²))``, see `nonholo.integrate.methods.dop853`."""
    rtol, atol = tolerances
    scale = 1.0 / (atol + rtol * np.maximum(np.abs(y), np.abs(new)))
    five, three = float(np.sum((fifth * scale) ** 2)), float(np.sum((third * scale) ** 2))
    below = five + 0.01 * three
    return 0.0 if below == 0.0 else h * five / float(y.size * below) ** 0.5
