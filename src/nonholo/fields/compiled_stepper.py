"""Dormand and Prince's pair of order 8(5,3) for fields, whose rates are functions of arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from nonholo.fields.integration_tools import dop853_table as table

Array = np.ndarray[Any, np.dtype[np.float64]]
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
