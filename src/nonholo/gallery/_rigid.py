"""Rotation matrices in numbers: starts by Euler angles."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numpy.typing import NDArray


def turn(axis: int, angle: float) -> NDArray[np.float64]:
    """``R_axis(angle)``, axis 1, 2 or 3."""
    i, j = ((1, 2), (2, 0), (0, 1))[axis - 1]
    result = np.eye(3)
    result[i, i] = result[j, j] = cos(angle)
    result[i, j], result[j, i] = -sin(angle), sin(angle)
    return result


def attitude(phi: float, theta: float, psi: float, name: str = "R") -> dict[str, float]:
    """A start's rotation matrix by Euler angles, ``R3(φ) R1(θ) R3(ψ)``."""
    turned = turn(3, phi) @ turn(1, theta) @ turn(3, psi)
    return {f"{name}{i + 1}{j + 1}": float(turned[i, j]) for i in range(3) for j in range(3)}
