"""Cubic Hermite curves through points with given slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def hermite(t: Numbers, values: Numbers, slopes: Numbers, fine: Any) -> Numbers:
    """Hermite's cubics between neighbouring times (growing), at finer ones; ``values`` may have further axes.

    >>> t = np.array([0.0, 1.0, 3.0])
    >>> hermite(t, t**3, 3 * t**2, [0.5, 2.0]).tolist()
    [0.125, 8.0]
    """
    fine = np.asarray(fine, dtype=np.float64)
    k = np.clip(np.searchsorted(t, fine, side="right") - 1, 0, len(t) - 2)
    width = np.diff(t)[k]
    more = (...,) + (None,) * (values.ndim - 1)
    s, width = ((fine - t[k]) / width)[more], width[more]
    rise = values[k + 1] - values[k]
    bend = rise - width * slopes[k]
    turn = width * (slopes[k + 1] - slopes[k]) - 2 * bend
    return np.asarray(values[k] + s * (width * slopes[k] + s * (bend + turn * (s - 1))), dtype=np.float64)
