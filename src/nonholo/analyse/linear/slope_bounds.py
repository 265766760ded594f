"""Decide whether slopes stay finite near a state."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
NEAR = (1e-40, 1e-280)
"""So far beside their zeros the variables are asked: powers of these that are not underflow are beyond all ordinary slopes."""
BEYOND = 1e12


def infinite(slopes: Callable[[Numbers], Numbers], rows: Numbers, size: int, rooted: bool = True) -> bool:
    """Whether slopes at input vectors are none, or grow without bound as variables that are zero there leave it.

    The state, of this size, stands behind the time. Where a slope jumps (at a kink) it is finite; without roots and powers
    (``rooted``) it cannot grow without being infinite there.
    """
    here = slopes(rows)
    if not np.all(np.isfinite(here)):
        return True
    random, state = np.random.default_rng(3), slice(1, 1 + size)
    zero = rows[:, state] == 0.0
    if not rooted or not np.any(zero):
        return False
    limit = BEYOND * (1.0 + np.max(np.abs(here), axis=(1, 2), initial=0.0))
    for far in NEAR:
        for side in (1.0, -1.0):
            beside = rows.copy()
            beside[:, state] += np.where(zero, side * far * random.uniform(0.5, 1.5, zero.shape), 0.0)
            with np.errstate(all="ignore"):
                found = np.abs(slopes(beside))
            if np.any(np.max(np.where(np.isnan(found), 0.0, found), axis=(1, 2), initial=0.0) > limit):
                return True
    return False
