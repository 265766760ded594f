"""Dormand and Prince's pair of order 8(5,3) as a compiled loop for fields, whose rates are compiled functions of arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.fields.integration_tools import dop853_table as table
from nonholo.fields.integration_tools import inner, outer

Array = np.ndarray[Any, np.dtype[np.float64]]
REACHED, TOO_MANY, TOO_SMALL, NOT_FINITE, SLACK = 0, 1, 2, 3, 4
STAGES = 12


def coefficients() -> Array:
    """Rows: the coupling of stages 2 … 12, weights, both error estimates. [Hairer, Nørsett, Wanner I, II.5]"""
    names = ["A2", "A3", "A4", "A5", "A6", "A7", "A8", "A9", "A10", "A11", "A12", "B", "E5", "E3"]
    rows = [getattr(table, name) for name in names]
    return np.array([(*row, *(0.0,) * (STAGES - len(row))) for row in rows])


def make_advance(rates: Any, fault: Any) -> Any:
    """The loop ``advance(t, end, y, h, rtol, atol, most, coefficients, setting, room)`` of a field.

    ``rates(y, dy, setting, room)`` fills ``dy``; ``fault(y, setting, room)`` looks at an accepted state, just after its rates
    were computed, and gives a status that ends the motion, or ``REACHED``. The loop changes ``y`` in place and returns
    status, time, the next step, steps and calls. The rates do not depend on time.
    """

    @inner
    def attempt(y: Any, k: Any, new: Any, h: float, rtol: float, atol: float, c: Any, setting: Any, room: Any) -> float:
        n = y.size
        for stage in range(1, STAGES):
            for i in range(n):
                total = 0.0
                for j in range(stage):
                    total += c[stage - 1, j] * k[j, i]
                new[i] = y[i] + h * total
            rates(new, k[stage], setting, room)
        fifth, third = 0.0, 0.0
        for i in range(n):
            total, e5, e3 = 0.0, 0.0, 0.0
            for j in range(STAGES):
                total += c[11, j] * k[j, i]
                e5 += c[12, j] * k[j, i]
                e3 += c[13, j] * k[j, i]
            new[i] = y[i] + h * total
            scale = 1.0 / (atol + rtol * max(abs(y[i]), abs(new[i])))
            fifth += (e5 * scale) ** 2
            third += (e3 * scale) ** 2
        below = fifth + 0.01 * third
        return 0.0 if below == 0.0 else h * fifth / (n * below) ** 0.5

    def advance(
        t: float, end: float, y: Any, h: float, rtol: float, atol: float, most: int, c: Any, setting: Any, room: Any
    ) -> tuple[int, float, float, int, int]:
        k, new = np.empty((STAGES, y.size)), np.empty(y.size)
        steps, calls = 0, 1
        rates(y, k[0], setting, room)
        status = fault(y, setting, room)
        after_rejection = False
        while t < end and status == REACHED:
            if steps >= most:
                return TOO_MANY, t, h, steps, calls
            if h < 4e-16 * max(abs(t), 1e-3):
                return TOO_SMALL, t, h, steps, calls
            step = min(h, end - t)
            error = attempt(y, k, new, step, rtol, atol, c, setting, room)
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
            rates(y, k[0], setting, room)
            calls += 1
            status = fault(y, setting, room)
            grown = step * min(max(change, 1.0 / 3.0), 1.0 if after_rejection else 6.0)
            h = max(h, grown) if step < h else grown  # a step cut short by the end says little
            after_rejection = False
        return status, t, h, steps, calls

    return outer(advance)
