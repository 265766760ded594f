"""SO(3) acting on the left on shapes times attitudes: l_g for one generic g, and its tangent by differentiation."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.linalg import expm

from nonholo_papers.macdonnell import _euler as euler
from nonholo_papers.macdonnell.s2_5_rigid import hat
from nonholo_papers.spectral import slope as slope_along

Array = Any
TURN = expm(hat(np.array([0.4, -0.7, 0.5])))
"""g, an element of SO(3)."""


def acted(q: Array) -> Array:
    """l_g: W → gW."""
    shape = len(q) - 3
    return np.concatenate([q[:shape], euler.angles_of(TURN @ euler.attitude(q[shape:]))])


def pushed(q: Array, v: Array) -> Array:
    """Tl_g, by differentiation."""
    return slope_along(lambda h: acted(q + h * v), 0.02, 12)


def lifted(q: Array, shape: Array, attitude: Any) -> Array:
    """The tangent at q of a curve of shapes and attitudes, in the coordinates about q: the angles by WᵀẆ = A(ω)."""
    spin = attitude(0.0).T @ slope_along(attitude, 0.02, 12)
    return np.concatenate([shape, np.linalg.solve(euler.rates(q[-3:]), np.array([spin[2, 1], spin[0, 2], spin[1, 0]]))])
