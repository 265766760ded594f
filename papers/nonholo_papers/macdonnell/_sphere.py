"""The Chaplygin sphere: states with the rates of the multiplier form, the fields γ, κ⁰_i, κ_i, and K."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from nonholo_papers.evidence import Moving, moving
from nonholo_papers.macdonnell._fields import bracket
from nonholo_papers.macdonnell._turning import LEVEL, UP, body, pack, product
from nonholo_papers.so3 import AXES, matrix

Array = Any
VALUES = {"m": 1.3, "r": 0.7, "J1": 0.6, "J2": 0.9, "J3": 1.2}


@lru_cache
def states() -> tuple[Moving, ...]:
    """Generic rolling states."""
    return tuple(moving("chaplygin-sphere", parameters=VALUES))


def inertia(s: Any) -> Array:
    """J."""
    return np.diag([s.J1, s.J2, s.J3])


def omega(s: Any) -> Array:
    """ω."""
    return np.array([s.w1, s.w2, s.w3])


def velocity(s: Any) -> Array:
    """ẋ."""
    return np.array([s.xdot, s.ydot, 0 * s.xdot])


def place(s: Any) -> Array:
    """q = (W, x)."""
    return pack(matrix(s), np.array([s.x, s.y, s.r]))


def gamma(q: Array) -> Array:
    """γ = (Wᵀe3, 0)."""
    return body(lambda W, x: W.T @ UP, lambda W, x: 0 * x)(q)


def plain(k: int, r: float) -> Any:
    """κ⁰ = (e_k, −rA(e3)We_k)."""
    return body(lambda W, x: AXES[k] + 0 * x, lambda W, x: -r * LEVEL @ W @ AXES[k])


def inner(s: Any, q: Array, one: Array, two: Array) -> Any:
    """K."""
    return product(q, one, two, inertia(s), s.m)


def across(k: int, s: Any) -> Any:
    """κ_k = K(γ, γ)κ⁰_k − K(γ, κ⁰_k)γ."""
    field = plain(k, s.r)

    def whole(q: Array) -> Array:
        y, z = gamma(q), field(q)
        return inner(s, q, y, y) * z - inner(s, q, y, z) * y

    return whole


def with_gamma(s: Any, q: Array, field: Any) -> Array:
    """[γ, field]."""
    return bracket(gamma, field, q)
