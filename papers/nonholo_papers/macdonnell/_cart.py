"""The three-wheel cart from its geometry: where its wheels touch the ground, and the velocities at which none slips."""

from __future__ import annotations

from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np

from nonholo_papers.evidence import Moving, moving, slope

Array = Any
NAMES = ("theta", "u1", "u2", "phi", "psi", "chi", "xi")
VALUES = {"m": 1.7, "J": 1.1, "JW": 0.6, "JD": 0.45, "r": 0.8, "a": 0.5, "b": 0.65, "d": 1.3}


def turn(angle: Any) -> Array:
    """R(ω)."""
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def along(angle: Any) -> Array:
    """τ(ω) = R(ω)e1."""
    return turn(angle)[:, 0]


def across(angle: Any) -> Array:
    """n(ω) = R(ω)e2."""
    return turn(angle)[:, 1]


def axle(q: Array, s: Any) -> Array:
    """x, the middle of the rear axis; u = x + aτ(θ)."""
    return q[1:3] - s.a * along(q[0])


def hubs(q: Array, s: Any) -> Array:
    """The centres of the wheels φ, ψ and χ."""
    x = axle(q, s)
    return np.array([x + s.b * across(q[0]), x - s.b * across(q[0]), x + s.d * along(q[0])])


def slips(q: Array, s: Any) -> Array:
    """Rows that give the velocities of the three contact points, two components each, from q̇."""
    rows = slope(lambda p: hubs(p, s), q)
    for k, angle in enumerate((q[0], q[0], q[6])):
        rows[k, :, 3 + k] -= s.r * along(angle)
    return rows.reshape(6, 7)


@lru_cache
def rolling() -> tuple[SimpleNamespace, ...]:
    """Generic places with generic velocities at which no wheel slips: the kernel of `slips`, by singular values."""
    random = np.random.default_rng(12)
    found = []
    for _ in range(4):
        s = SimpleNamespace(**VALUES, q=random.uniform(-1.4, 1.4, 7))
        kernel = np.linalg.svd(slips(s.q, s))[2][5:]
        s.rank = int(np.linalg.matrix_rank(slips(s.q, s)))
        s.v = random.uniform(0.5, 1.5, 2) @ kernel
        s.alpha = s.q[6] - s.q[0]
        s.x_rate = slope(lambda p, s=s: axle(p, s), s.q) @ s.v
        for name, place, rate in zip(NAMES, s.q, s.v):
            setattr(s, name, place)
            setattr(s, f"{name}dot", rate)
        found.append(s)
    return tuple(found)


@lru_cache
def witness() -> tuple[Moving, ...]:
    """States with the rates of the multiplier form."""
    return tuple(moving("three-wheel-cart", parameters=VALUES))


def bend(alpha: Any, s: Any) -> Array:
    """λ(α)."""
    return np.array([s.d * np.cos(alpha), s.a * np.sin(alpha)])


def gamma(q: Array, s: Any) -> Array:
    """γ of §12.3."""
    alpha = q[6] - q[0]
    co, si = np.cos(alpha), np.sin(alpha)
    moved = s.r * turn(q[0]) @ bend(alpha, s)
    return np.array([s.r * si, *moved, s.d * co - s.b * si, s.d * co + s.b * si, s.d, s.r * si])


STEER = np.eye(7)[6]
"""κ₀."""


def masses(s: Any) -> Array:
    """The coefficients of K in (θ̇, u̇, φ̇, ψ̇, χ̇, ξ̇)."""
    return np.array([s.J, s.m, s.m, s.JW, s.JW, s.JW, s.JD])


def first(alpha: Any, s: Any) -> Any:
    """f(α) as printed."""
    co, si = np.cos(alpha) ** 2, np.sin(alpha) ** 2
    wheels = s.JW * (2 * s.d**2 * co + 2 * s.b**2 * si + s.d**2)
    return (s.J + s.JD) * s.r**2 * si + s.m * s.r**2 * (s.d**2 * co + s.a**2 * si) + wheels


def second(alpha: Any, s: Any) -> Any:
    """g(α) as printed."""
    return s.JD * s.r * np.sin(alpha)


def kappa(q: Array, s: Any) -> Array:
    """κ = fκ₀ − gγ."""
    alpha = q[6] - q[0]
    return first(alpha, s) * STEER - second(alpha, s) * gamma(q, s)
