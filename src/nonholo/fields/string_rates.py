"""The inextensible string on Chebyshev–Lobatto points: tension from its boundary value problem, then the turning.

With ``z_s = e^{iθ}`` and Λ the tension over the density, ``z_tt = (Λ e^{iθ})_s − i g``; its slope in s is

    Λ_ss − θ_s² Λ = −Ω²,        Ω_t = 2 θ_s Λ_s + θ_ss Λ,        θ_t = Ω.

A free end has Λ = 0. Without held ends the equations are taken as they stand: there the points at the ends need no condition
on θ, because the speed of waves, √Λ, vanishes. At a held end ``z_tt = 0``, that is ``(Λ e^{iθ})_s = i g``: this replaces the
value at that end before the second differentiation, which is stable and never divides by the tension.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.fields.compiled_stepper import REACHED, SLACK

Array = np.ndarray[Any, np.dtype[np.float64]]
Setting = tuple[Array, Array, Array]


def rates(y: Array, setting: Setting, tension: Array) -> Array:
    """``(θ, Ω) → (Ω, Ω_t)``; ``tension`` receives Λ."""
    derivative, second, ends = setting
    n = len(y) // 2
    theta, omega = y[:n], y[n:]
    if not ends[:2].any():
        return np.concatenate([omega, _free(theta, omega, derivative, second, tension)])
    return np.concatenate([omega, _held(theta, omega, derivative, second, ends, tension)])


def _free(theta: Array, omega: Array, derivative: Array, second: Array, tension: Array) -> Array:
    slope = derivative @ theta
    inside = second[1:-1, 1:-1].copy()
    inside.flat[:: len(inside) + 1] -= slope[1:-1] ** 2
    tension[0] = tension[-1] = 0.0
    tension[1:-1] = np.linalg.solve(inside, -(omega[1:-1] ** 2))
    turning: Array = 2.0 * slope * (derivative @ tension) + tension * (derivative @ slope)
    return turning


def _held(theta: Array, omega: Array, derivative: Array, second: Array, ends: Array, tension: Array) -> Array:
    """``second`` is here D P D with P zero at held ends; ``ends`` = (held at 0, held at L, gravity)."""
    first, last = (0 if ends[0] else 1), (len(theta) if ends[1] else -1)
    tangent = np.stack([np.cos(theta), np.sin(theta)])
    cosine, sine = tangent
    held = ends[2] * (ends[0] * derivative[:, 0] + ends[1] * derivative[:, -1])
    # e^{−iθ} i held = held (sin θ + i cos θ)
    side = -(omega**2) - held * sine
    real = tangent.T @ tangent  # cos(θ_k − θ_j)
    real *= second
    tension[:] = 0.0
    tension[first:last] = np.linalg.solve(real[first:last, first:last], side[first:last])
    along, across = (tangent * tension) @ second.T
    turning: Array = cosine * (across + held) - sine * along
    return turning


def fault(setting: Setting, tension: Array) -> int:
    """A string that would have to be pushed, or that has no tension where it is held under gravity."""
    ends = setting[2]
    if not ends[:2].any():
        return REACHED
    most = max(float(np.max(np.abs(tension))), 1e-300)
    if np.min(tension) < -1e-7 * most:
        return SLACK
    if ends[2] != 0.0 and (ends[0] * tension[0] + ends[1] * tension[-1]) <= 1e-9 * abs(ends[2]):
        return SLACK
    return REACHED
