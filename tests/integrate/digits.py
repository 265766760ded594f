"""The rattleback with 40 digits: the equations of a rolling body in body axes, by hand, in heyoka's multiprecision.

They share nothing with our derivation: momentum about the contact, ``I ω̇ − m r×(r×ω̇) = −ω×Iω + m r×(ṙ×ω + ω×v + g γ)`` with
``v = r×ω``, ``γ̇ = γ×ω`` and ``r`` the point of an ellipsoid whose normal is vertical. [Bondi 1986; Borisov, Mamaev 2003]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

DIGITS = 40
PRECISION = 140
"""Bits: 42 digits."""
STATE = ("R31", "R32", "R33", "w1", "w2", "w3")
NAMES = ("m", "g", "a", "b", "c", "h", "I1", "I2", "I3", "delta")


def _cross(u: Any, v: Any) -> list[Any]:
    return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]


@cache
def _integrator() -> Any:
    import heyoka as hy

    y = hy.make_vars("g1", "g2", "g3", "w1", "w2", "w3")
    gamma, omega = y[:3], y[3:]
    m, g, a, b, c, h, one, two, three, delta = (hy.par[k] for k in range(len(NAMES)))
    squares = [a * a, b * b, c * c]
    size = hy.sqrt(sum(s * n * n for s, n in zip(squares, gamma)))
    rates = _cross(gamma, omega)
    push = sum(s * n * d for s, n, d in zip(squares, gamma, rates)) / size
    r = [-s * n / size for s, n in zip(squares, gamma)]
    moved = [-s * d / size + s * n * push / (size * size) for s, n, d in zip(squares, gamma, rates)]
    r[2] = r[2] + h
    cos, sin = hy.cos(delta), hy.sin(delta)
    inertia = [
        [one * cos * cos + two * sin * sin, (one - two) * sin * cos, 0.0 * one],
        [(one - two) * sin * cos, one * sin * sin + two * cos * cos, 0.0 * one],
        [0.0 * one, 0.0 * one, three],
    ]
    momentum = [sum(inertia[i][j] * omega[j] for j in range(3)) for i in range(3)]
    velocity = _cross(r, omega)
    pulled = [p + q + g * n for p, q, n in zip(_cross(moved, omega), _cross(omega, velocity), gamma)]
    side = [m * p - q for p, q in zip(_cross(r, pulled), _cross(omega, momentum))]
    length = sum(k * k for k in r)
    matrix = [[inertia[i][j] + m * ((length if i == j else 0.0) - r[i] * r[j]) for j in range(3)] for i in range(3)]
    columns = [[matrix[i][j] for i in range(3)] for j in range(3)]
    whole = sum(p * q for p, q in zip(columns[0], _cross(columns[1], columns[2])))
    turned = [
        sum(p * q for p, q in zip(side, _cross(columns[1], columns[2]))) / whole,
        sum(p * q for p, q in zip(columns[0], _cross(side, columns[2]))) / whole,
        sum(p * q for p, q in zip(columns[0], _cross(columns[1], side))) / whole,
    ]
    zero = hy.real(0, PRECISION)
    system = list(zip(y, [*rates, *turned]))
    return hy.taylor_adaptive(
        system, [zero] * 6, pars=[zero] * len(NAMES), fp_type=hy.real, prec=PRECISION, tol=hy.real("1e-36", PRECISION)
    )


def rattleback_end(start: Mapping[str, Any], parameters: Mapping[str, Any], until: float) -> list[Any]:
    """``(γ, ω)`` at a time, as numbers of mpmath, from numbers of mpmath or floats."""
    import heyoka as hy
    from mpmath import mp, mpf

    with mp.workdps(DIGITS + 2):

        def real(value: Any) -> Any:
            return hy.real(mp.nstr(mpf(value), DIGITS + 2), PRECISION)

        machine = _integrator()
        for k, name in enumerate(NAMES):
            machine.pars[k] = real(parameters[name])
        for k, name in enumerate(STATE):
            machine.state[k] = real(start[name])
        machine.time = real(0)
        machine.propagate_until(real(until))
        return [mpf(str(v)) for v in machine.state]
