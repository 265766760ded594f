"""Project a state onto the invariants with the least change."""

from __future__ import annotations

from typing import Any

from nonholo.integrate.loops.arguments.array_layout import (
    AT_GIVEN,
    AT_MATRIX,
    AT_RESIDUAL,
    AT_VECTOR,
    COORDINATES,
    INVARIANTS,
    POSITIONS,
    RESIDUALS,
    RESIDUALS_DATA,
    STATE,
)
from nonholo.integrate.loops.compilation.loop_compiler import call_address, inner, shift
from nonholo.integrate.loops.loop_rates import set_point

LARGE = 1e-8
"""A correction this large leaves its square behind, more than rounding: then another one is made."""


@inner
def project(spec: Any, data: Any, real: Any, t: float, y: Any) -> None:
    """Gauss–Newton with the least Euclidean change, ``δ = −Jᵀ (J Jᵀ)⁻¹ g``: coordinates first, then speeds.

    Coordinates obey the invariants of the coordinates alone, speeds obey the others. The change is as small as the
    error of the step, so the order of the method stays [Hairer, Lubich, Wanner, Geometric Numerical Integration,
    IV.4].
    """
    n, positions, total = spec[COORDINATES], spec[POSITIONS], spec[INVARIANTS]
    for _ in range(8):
        change = 0.0
        if positions > 0:
            change = _correct(spec, data, real, t, y, 0, positions, 0, n)
        if total > positions:
            change = max(change, _correct(spec, data, real, t, y, positions, total, n, spec[STATE]))
        if not change > LARGE:
            return


@inner
def _correct(
    spec: Any, data: Any, real: Any, t: float, y: Any, first: int, last: int, low: int, high: int
) -> float:
    """One correction of ``y[low:high]`` by invariants ``first … last``; returns its relative size."""
    set_point(spec, data, real, t, y)
    residual = shift(real, spec[AT_RESIDUAL])
    call_address(spec[RESIDUALS], spec[RESIDUALS_DATA], residual, shift(real, spec[AT_GIVEN]))
    slopes = shift(residual, spec[INVARIANTS])
    width, number = spec[STATE], last - first
    matrix, weight = shift(real, spec[AT_MATRIX]), shift(real, spec[AT_VECTOR])
    for a in range(number):
        for b in range(a + 1):
            total = 0.0
            for i in range(low, high):
                total += slopes[(first + a) * width + i] * slopes[(first + b) * width + i]
            matrix[a * number + b] = total
    for a in range(number):  # L Lᵀ; an invariant that follows from those before it is left out
        total = matrix[a * number + a]
        for c in range(a):
            total -= matrix[a * number + c] ** 2
        root = total**0.5 if total > 1e-12 * matrix[a * number + a] else 0.0
        matrix[a * number + a] = root
        value = residual[first + a]
        for c in range(a):
            value -= matrix[a * number + c] * weight[c]
        weight[a] = value / root if root > 0.0 else 0.0
        for b in range(a + 1, number):
            total = matrix[b * number + a]
            for c in range(a):
                total -= matrix[b * number + c] * matrix[a * number + c]
            matrix[b * number + a] = total / root if root > 0.0 else 0.0
    for a in range(number - 1, -1, -1):
        if matrix[a * number + a] > 0.0:
            value = weight[a]
            for b in range(a + 1, number):
                value -= matrix[b * number + a] * weight[b]
            weight[a] = value / matrix[a * number + a]
    size, largest = 0.0, 0.0
    for i in range(low, high):
        total = 0.0
        for a in range(number):
            total += slopes[(first + a) * width + i] * weight[a]
        size = max(size, abs(y[i]))
        largest = max(largest, abs(total))
        y[i] -= total
    return largest / size
