"""A ball on a hoop in the angle ψ: states with the rates of the multiplier form, and the solutions of (11.1)."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.evidence import Moving, generic, moving

Array = Any
VALUES = {"m": 0.9, "J": 0.5, "rho": 0.7, "g": 1.3, "u": 1.9, "v": 0.8}
INCH = 2.54
RADIUS = 30 * INCH / (2 * np.pi)
BASKET = SimpleNamespace(
    m=1.0, J=2 * RADIUS**2 / 3, r=RADIUS, g=980.66, u=(18 + 0.75) / 2 * INCH, v=RADIUS + 0.375 * INCH
)
"""The thesis's ball and hoop, in centimetres and seconds, from 30, 18 and 3/4 inches; the mass is 1."""


@lru_cache
def states() -> tuple[Moving, ...]:
    """Generic rolling states."""
    return tuple(moving("basketball", parameters=VALUES))


def points() -> list[SimpleNamespace]:
    """Generic numbers with v < u, angles and values of Ω1 and Ω2."""
    found = generic("m J r g v gap", signed="psi one two")
    for p in found:
        p.u = p.v + p.gap
        p.whole = p.J + p.m * p.r**2
    return found


def reach(psi: Any, p: Any) -> Any:
    """a(ψ) = u − v cos ψ."""
    return p.u - p.v * np.cos(psi)


def slopes(psi: Any, omega: Array, p: Any) -> Array:
    """(Ω1', Ω2') by (11.1)."""
    a, da = reach(psi, p), p.v * np.sin(psi)
    share = p.J / (p.J + p.m * p.r**2)
    return np.array([p.u * omega[1], -(2 * da * omega[1] + share * omega[0]) / a])


def potential(psi: Any, omega: Array, p: Any) -> Any:
    """U(ψ)."""
    spin = p.J * omega[0] ** 2 + (p.J + p.m * p.r**2) * reach(psi, p) ** 2 * omega[1] ** 2
    return p.m * p.g * p.v * np.sin(psi) + spin / 2


def pull(psi: Any, omega: Array, p: Any) -> Any:
    """dU/dψ along (11.1), by a complex step."""
    step = 1e-30
    return np.imag(potential(psi + 1j * step, omega + 1j * step * slopes(psi, omega, p), p)) / step


def solution(p: Any, start: tuple[float, float], end: float) -> Any:
    """(Ω1, Ω2) as a function of ψ between 0 and ``end``, by SciPy."""
    from scipy.integrate import solve_ivp

    run = solve_ivp(
        lambda psi, y: slopes(psi, y, p),
        (0.0, end),
        np.array(start),
        "DOP853",
        dense_output=True,
        rtol=1e-12,
        atol=1e-12,
    )
    return run.sol


@lru_cache
def hill() -> tuple[float, Any]:
    """Where U has its maximum for C1 = −40, C2 = 1, and the solution below the horizontal."""
    from scipy.optimize import brentq

    omega = solution(BASKET, (-40.0, 1.0), -1.4)
    return float(brentq(lambda psi: pull(psi, omega(psi), BASKET), -1.0, -1e-3, xtol=1e-13)), omega


@lru_cache
def edge(one: float = -40.0) -> float:
    """Where N vanishes below the horizontal for C2 = 1."""
    from scipy.optimize import brentq

    omega = solution(BASKET, (one, 1.0), -1.4)

    def lift(psi: float) -> float:
        p = BASKET
        return float(reach(psi, p) * p.r**2 * omega(psi)[1] ** 2 * np.cos(psi) + p.g * np.sin(psi))

    return float(brentq(lift, -1.3, -0.02, xtol=1e-13))
