"""The disk of §6.5 in space: its centre, its axes and how they turn, from the printed angles."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from nonholo_papers.evidence import Moving, moving

Array = Any
NAMES = ("theta", "psi", "phi", "x", "y")


def rolling() -> list[Any]:
    """Generic states in the printed angles, rates by the multiplier witness."""
    return moving("rolling-disk", variant="angles")


@lru_cache
def sliding() -> tuple[Moving, ...]:
    """States that obey no constraint; only the coordinates have rates."""
    random = np.random.default_rng(6)
    values = {"m": 1.2, "g": 9.81, "r": 0.45, "A": 0.3, "B": 0.7}
    found = []
    for _ in range(4):
        place = {n: float(e) for n, e in zip(NAMES, random.uniform(-1, 1, 5))}
        rates = {n: float(e) for n, e in zip(NAMES, random.uniform(-1.5, 1.5, 5))}
        found.append(Moving({**values, **place, **{f"{n}dot": e for n, e in rates.items()}}, rates))
    return tuple(found)


def axes(s: Any) -> tuple[Array, Array, Array]:
    """Heading t, the direction w from the contact to the centre, and the axis t × w."""
    c, d = np.cos(s.phi), np.sin(s.phi)
    one = 1 + 0 * c
    heading, left, up = np.array([c, d, 0 * c]), np.array([-d, c, 0 * c]), np.array([0 * c, 0 * c, one])
    lean = np.sin(s.theta) * left + np.cos(s.theta) * up
    return heading, lean, np.sin(s.theta) * up - np.cos(s.theta) * left


def centre(s: Any) -> Array:
    """The centre of the disk."""
    return np.array([s.x, s.y, 0 * s.x]) + s.r * axes(s)[1]


def attitude(s: Any) -> Array:
    """Columns: body axes, the third along the axle; ψ turns the first two."""
    heading, lean, axis = axes(s)
    first = np.cos(s.psi) * heading + np.sin(s.psi) * lean
    second = -np.sin(s.psi) * heading + np.cos(s.psi) * lean
    return np.array([first, second, axis]).T


def spin(s: Moving) -> Array:
    """The angular velocity in space, from the turning of the body's axes."""
    skew = s.dot(attitude) @ attitude(s).T
    return np.array([skew[2, 1], skew[0, 2], skew[1, 0]])


def rolling_speeds(s: Any) -> tuple[Any, Any]:
    """ζ1 and ζ2."""
    c, d = np.cos(s.phi), np.sin(s.phi)
    return s.xdot * c + s.ydot * d + s.r * s.psidot, -s.xdot * d + s.ydot * c
