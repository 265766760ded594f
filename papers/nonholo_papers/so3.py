"""Rotations in numbers, for real and complex entries: hat, vee, turns about an axis, and the matrix of a state."""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any
AXES = np.eye(3)


def hat(y: Array) -> Array:
    """``A(y)``, with ``A(y) z = y × z``."""
    return np.array([[0 * y[0], -y[2], y[1]], [y[2], 0 * y[0], -y[0]], [-y[1], y[0], 0 * y[0]]])


def vee(skew: Array) -> Array:
    """``y`` of ``A(y)``."""
    return np.array([skew[2, 1], skew[0, 2], skew[1, 0]])


def turn(axis: int, angle: Any) -> Array:
    """``R_axis(angle)``, axis 1, 2 or 3."""
    skew = hat(AXES[axis - 1])
    return np.eye(3) + np.sin(angle) * skew + (1 - np.cos(angle)) * skew @ skew


def matrix(s: Any, name: str = "R") -> Array:
    """The rotation matrix of a state, whose entries are R11, R12, …"""
    return np.array([[getattr(s, f"{name}{i}{j}") for j in (1, 2, 3)] for i in (1, 2, 3)])
