"""The inextensible string on Chebyshev–Lobatto points, compiled: tension from its boundary value problem, then the turning.

With ``z_s = e^{iθ}`` and Λ the tension over the density, ``z_tt = (Λ e^{iθ})_s − i g``; its slope in s is

    Λ_ss − θ_s² Λ = −Ω²,        Ω_t = 2 θ_s Λ_s + θ_ss Λ,        θ_t = Ω.

A free end has Λ = 0. Without held ends the equations are taken as they stand: there the points at the ends need no condition
on θ, because the speed of waves, √Λ, vanishes. At a held end ``z_tt = 0``, that is ``(Λ e^{iθ})_s = i g``: this replaces the
value at that end before the second differentiation, which is stable and never divides by the tension.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from nonholo.fields.compiled_stepper import REACHED, SLACK, make_advance
from nonholo.fields.integration_tools import inner, outer


@inner
def rates(y: Any, dy: Any, setting: Any, room: Any) -> None:
    """``(θ, Ω) → (Ω, Ω_t)``; ``room[0]`` receives Λ."""
    derivative, second, ends = setting
    n = y.size // 2
    theta, omega, tension = y[:n], y[n:], room[0]
    dy[:n] = omega
    if ends[0] == 0.0 and ends[1] == 0.0:
        _free(theta, omega, dy[n:], derivative, second, tension)
    else:
        _held(theta, omega, dy[n:], derivative, second, ends, tension)


@inner
def _free(theta: Any, omega: Any, out: Any, derivative: Any, second: Any, tension: Any) -> None:
    n = theta.size
    slope = derivative @ theta
    inside = second[1 : n - 1, 1 : n - 1].copy()
    side = np.empty(n - 2)
    for i in range(n - 2):
        inside[i, i] -= slope[i + 1] ** 2
        side[i] = -(omega[i + 1] ** 2)
    tension[0] = tension[n - 1] = 0.0
    tension[1 : n - 1] = np.linalg.solve(inside, side)
    out[:] = 2.0 * slope * (derivative @ tension) + tension * (derivative @ slope)


@inner
def _held(theta: Any, omega: Any, out: Any, derivative: Any, second: Any, ends: Any, tension: Any) -> None:
    """``second`` is here D P D with P zero at held ends; ``ends`` = (held at 0, held at L, gravity)."""
    n = theta.size
    first, last = (0 if ends[0] == 1.0 else 1), (n if ends[1] == 1.0 else n - 1)
    cosine, sine = np.cos(theta), np.sin(theta)
    real, imaginary = np.empty((n, n)), np.empty((n, n))
    for j in range(n):
        for k in range(n):
            real[j, k] = second[j, k] * (cosine[k] * cosine[j] + sine[k] * sine[j])
            imaginary[j, k] = second[j, k] * (sine[k] * cosine[j] - cosine[k] * sine[j])
    held = ends[2] * (ends[0] * derivative[:, 0] + ends[1] * derivative[:, n - 1])
    # e^{−iθ} i held = held (sin θ + i cos θ)
    side = -(omega**2) - held * sine
    tension[:] = 0.0
    tension[first:last] = np.linalg.solve(real[first:last, first:last].copy(), side[first:last])
    out[:] = imaginary @ tension + held * cosine


@inner
def fault(y: Any, setting: Any, room: Any) -> int:
    """A string that would have to be pushed, or that has no tension where it is held under gravity."""
    ends, tension = setting[2], room[0]
    if ends[0] == 0.0 and ends[1] == 0.0:
        return REACHED
    n = tension.size
    most = max(np.max(np.abs(tension)), 1e-300)
    if np.min(tension) < -1e-7 * most:
        return SLACK
    if ends[2] != 0.0 and (ends[0] * tension[0] + ends[1] * tension[n - 1]) <= 1e-9 * abs(ends[2]):
        return SLACK
    return REACHED


def _at_once(y: Any, dy: Any, setting: Any, room: Any) -> None:
    rates(y, dy, setting, room)


state_rates = outer(_at_once)
"""`rates` for Python to call, kept on disk."""
advance = make_advance(rates, fault)
