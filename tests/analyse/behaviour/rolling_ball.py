"""A loaded ball that rolls, by Newton's and Euler's laws alone: RK4 in Numba, two trajectories, and the divergence of the flow.

It shares nothing with the house. The state is the vertical in the body and the angular velocity; after every fourth step both
trajectories are put back on ``|γ| = 1`` and on the level of the energy.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import njit

VALUES = {"m": 1.0, "g": 100.0, "r": 3.0, "a1": 1.7, "a2": 2.0, "a3": 0.8, "I1": 11.0, "I2": 1.5, "I3": 10.0}
FIRST = VALUES | {"a1": 1.0, "a2": 1.5, "a3": 1.9, "I1": 2.0, "I2": 6.0, "I3": 7.0}
"""The values tried first, without a strange attractor that was found."""
ENERGY = 512.0
START = (-0.99767, -0.062064, -0.028321, -6.036392, 0.851875, 4.754857)
"""γ and w near the attractor of the ball with these values."""


@njit
def rates_into(y: Any, p: Any, out: Any) -> None:
    """γ̇ = γ × w and ``I ẇ + w × I w = ρ × m (v̇ + g γ)`` with ``v = −w × ρ``, ρ from the centre of mass to the contact."""
    m, g, r = p[0], p[1], p[2]
    x0, x1, x2, w0, w1, w2 = y[0], y[1], y[2], y[3], y[4], y[5]
    r0, r1, r2 = -r * x0 - p[3], -r * x1 - p[4], -r * x2 - p[5]
    d0, d1, d2 = x1 * w2 - x2 * w1, x2 * w0 - x0 * w2, x0 * w1 - x1 * w0
    e0, e1, e2 = -r * d0, -r * d1, -r * d2
    v0, v1, v2 = -(w1 * r2 - w2 * r1), -(w2 * r0 - w0 * r2), -(w0 * r1 - w1 * r0)
    k0 = -(w1 * e2 - w2 * e1) + w1 * v2 - w2 * v1 + g * x0
    k1 = -(w2 * e0 - w0 * e2) + w2 * v0 - w0 * v2 + g * x1
    k2 = -(w0 * e1 - w1 * e0) + w0 * v1 - w1 * v0 + g * x2
    t0 = m * (r1 * k2 - r2 * k1) - (p[8] - p[7]) * w1 * w2
    t1 = m * (r2 * k0 - r0 * k2) - (p[6] - p[8]) * w2 * w0
    t2 = m * (r0 * k1 - r1 * k0) - (p[7] - p[6]) * w0 * w1
    s = m * (r0 * r0 + r1 * r1 + r2 * r2)
    i0, i1, i2 = 1 / (p[6] + s), 1 / (p[7] + s), 1 / (p[8] + s)
    c = m * (r0 * t0 * i0 + r1 * t1 * i1 + r2 * t2 * i2) / (1 - m * (r0 * r0 * i0 + r1 * r1 * i1 + r2 * r2 * i2))
    out[0], out[1], out[2] = d0, d1, d2
    out[3], out[4], out[5] = i0 * (t0 + c * r0), i1 * (t1 + c * r1), i2 * (t2 + c * r2)


def rates(y: Any, p: Any) -> Any:
    """The same as a new array."""
    out = np.empty(6)
    rates_into(np.asarray(y, dtype=float), p, out)
    return out


@njit
def _settle(y: Any, energy: float, p: Any) -> None:
    n = np.sqrt(y[0] ** 2 + y[1] ** 2 + y[2] ** 2)
    for i in range(3):
        y[i] /= n
    r0, r1, r2 = -p[2] * y[0] - p[3], -p[2] * y[1] - p[4], -p[2] * y[2] - p[5]
    v0, v1, v2 = y[4] * r2 - y[5] * r1, y[5] * r0 - y[3] * r2, y[3] * r1 - y[4] * r0
    moving = (p[6] * y[3] ** 2 + p[7] * y[4] ** 2 + p[8] * y[5] ** 2 + p[0] * (v0 * v0 + v1 * v1 + v2 * v2)) / 2
    height = p[2] + p[3] * y[0] + p[4] * y[1] + p[5] * y[2]
    factor = np.sqrt((energy - p[0] * p[1] * height) / moving)
    for i in range(3, 6):
        y[i] *= factor


@njit
def _step(y: Any, h: float, p: Any, k: Any) -> None:
    rates_into(y, p, k[0])
    for j in range(1, 4):
        part = h if j == 3 else h / 2
        for i in range(6):
            k[4, i] = y[i] + part * k[j - 1, i]
        rates_into(k[4], p, k[j])
    for i in range(6):
        y[i] += h / 6 * (k[0, i] + 2 * k[1, i] + 2 * k[2, i] + k[3, i])


@njit
def divergence(y: Any, p: Any) -> float:
    """``Σ ∂ẇ_i/∂w_i`` by unit differences, which are exact: ẇ is quadratic in w, and γ̇ has no divergence in γ."""
    moved, out, total = y.copy(), np.zeros(6), 0.0
    for i in range(3, 6):
        for sign in (1.0, -1.0):
            moved[i] = y[i] + sign
            rates_into(moved, p, out)
            total += sign * out[i] / 2
        moved[i] = y[i]
    return total


@njit
def windows(start: Any, energy: float, p: Any, h: float, skip: float, window: float, count: int) -> Any:
    """For each of so many windows the mean growth of a neighbour and the mean `divergence`."""
    y, k = start.copy(), np.zeros((5, 6))
    _settle(y, energy, p)
    for n in range(int(skip / h)):
        _step(y, h, p, k)
        if n % 4 == 3:
            _settle(y, energy, p)
    z = y.copy()
    z[3] += 1e-7
    _settle(z, energy, p)
    found, steps = np.zeros((count, 2)), int(window / h)
    size = np.sqrt(np.sum((z - y) ** 2))
    for j in range(count):
        for n in range(steps):
            _step(y, h, p, k)
            _step(z, h, p, k)
            if n % 4 == 3:
                _settle(y, energy, p)
                _settle(z, energy, p)
            if n % 40 == 39:
                far = np.sqrt(np.sum((z - y) ** 2))
                found[j, 0] += np.log(far / size) / window
                z, size = y + (z - y) * (1e-7 / far), 1e-7
                found[j, 1] += divergence(y, p) / (steps // 40)
    return found
