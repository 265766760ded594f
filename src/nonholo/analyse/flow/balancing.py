"""Balance the units of the state for the linear flow.

Balancing is a similarity by a diagonal matrix [Osborne 1960; Parlett and Reinsch 1969]: rows and columns of ``D⁻¹ A D`` are
alike. A variable that acts on nothing (a place along a symmetry), or on which nothing acts, gets the unit in which it changes
as fast as the fastest mode.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
ROUNDS = 40
LOOSE = 1e-7
"""A variable whose row times its column is below the square of this part of the fastest mode takes part in no mode."""
SLOW = 1e-7
"""Modes slower than this part of the slopes may be rounding: nothing is balanced."""
NOISE = 1e-13
"""Slopes below this part of the largest are rounding."""
REACH = 60
"""Units between 2 to the power of minus this and of this."""


def balancing(matrix: Numbers) -> Numbers:
    """Units of the variables, powers of two, in which the rows and columns of a linear flow are alike.

    >>> balancing(np.array([[0.0, 1.0], [-4096.0, 0.0]])).tolist()
    [1.0, 64.0]
    """
    count = len(matrix)
    units = np.ones(count)
    if not count or not np.all(np.isfinite(matrix)):
        return units
    fastest = float(np.max(np.abs(np.linalg.eigvals(matrix)), initial=0.0))
    if fastest <= SLOW * float(np.linalg.norm(matrix)):
        return units
    off = np.abs(matrix) * (1 - np.eye(count))
    off[off < NOISE * np.max(off, initial=0.0)] = 0.0
    for _ in range(ROUNDS):
        before = units.copy()
        for i in range(count):
            row = float(np.linalg.norm(off[i] * units)) / units[i]
            column = float(np.linalg.norm(off[:, i] / units)) * units[i]
            if max(row, column) == 0.0:
                continue
            if row * column > (LOOSE * fastest) ** 2:
                units[i] *= np.sqrt(row / column)
            else:
                units[i] *= row / fastest if row > column else fastest / column
        units = units / np.exp(np.mean(np.log(units)))
        if np.max(np.abs(np.log(units / before))) < 0.1:
            break
    whole = np.clip(np.round(np.log2(units / units[0])), -REACH, REACH)
    return np.asarray(2.0**whole)
