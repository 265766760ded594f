"""Bodies with a fixed point: one system by rotation matrix, Euler angles, quaternion and algebra; starts by Euler angles."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, sin
from typing import Any

import numpy as np

from nonholo.geometry.groups.lie_algebra import LieAlgebra, so
from nonholo.geometry.groups.matrix_groups import SO3, Quaternion
from nonholo.model.system import System

EULER_RATES = {
    "w1": "phidot*sin(theta)*sin(psi) + thetadot*cos(psi)",
    "w2": "phidot*sin(theta)*cos(psi) - thetadot*sin(psi)",
    "w3": "phidot*cos(theta) + psidot",
}
"""Body rates of ``R3(φ) R1(θ) R3(ψ)``."""
ENERGY = "I1/2*w1**2 + I2/2*w2**2 + I3/2*w3**2"
UNITS = {"I1": "kg m²", "I2": "kg m²", "I3": "kg m²", "w1": "rad/s", "w2": "rad/s", "w3": "rad/s"}


def formulations(name: str, parameters: str, constraints: Sequence[str] = ()) -> dict[str, System]:
    """One body in four sets of words; the first is the rotation matrix."""
    words: dict[str, Any] = {"parameters": parameters, "lagrangian": ENERGY, "constraints": list(constraints)}
    return {
        "rotation matrix": System(name=name, frame=SO3("R", rates="w1 w2 w3"), **words),
        "Euler angles": System(
            name=f"{name} in Euler angles", coordinates="phi theta psi", quasivelocities=EULER_RATES, **words
        ),
        "quaternion": System(name=f"{name} by quaternion", frame=Quaternion("q", rates="w1 w2 w3"), **words),
        "Lie algebra": System(name=f"{name} on so(3)", frame=LieAlgebra(so(3), rates="w1 w2 w3"), **words),
    }


Vector = Any


def turn(axis: int, angle: float) -> Vector:
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
