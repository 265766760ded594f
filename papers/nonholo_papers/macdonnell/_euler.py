"""SO(3) in Euler angles: W = R₃(a)R₁(b)R₃(c), body rates, and the body fields."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
ANGLES = ("a", "b", "c")
BODY = (
    "(adot*sin(b)*sin(c) + bdot*cos(c))",
    "(adot*sin(b)*cos(c) - bdot*sin(c))",
    "(adot*cos(b) + cdot)",
)
"""ω in WᵀẆ = A(ω), as texts."""


def attitude(angles: Array) -> Array:
    """W."""
    a, b, c = angles
    return _third(a) @ _first(b) @ _third(c)


def rates(angles: Array) -> Array:
    """The matrix with ω = rates @ (ȧ, ḃ, ċ)."""
    _, b, c = angles
    zero = 0 * b
    return np.array(
        [
            [np.sin(b) * np.sin(c), np.cos(c), zero],
            [np.sin(b) * np.cos(c), -np.sin(c), zero],
            [np.cos(b), zero, 1 + zero],
        ]
    )


def angles_of(turned: Array) -> Array:
    """The angles of a rotation with 0 < b < π."""
    return np.array(
        [
            np.arctan2(turned[0, 2], -turned[1, 2]),
            np.arccos(turned[2, 2]),
            np.arctan2(turned[2, 0], turned[2, 1]),
        ]
    )


def _third(x: Any) -> Array:
    c, s, o = np.cos(x), np.sin(x), 0 * x
    return np.array([[c, -s, o], [s, c, o], [o, o, 1 + o]])


def _first(x: Any) -> Array:
    c, s, o = np.cos(x), np.sin(x), 0 * x
    return np.array([[1 + o, o, o], [o, c, -s], [o, s, c]])
