"""Mass, centre and inertia of homogeneous shapes, and of several together."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import numpy as np

from nonholo.machines.robot_files.frame_rotations import matrix, vector
from nonholo.machines.robot_files.robot_description import Geometry, Matrix, Vector
from nonholo.program.array_types import Array

Mass = tuple[float, Vector, Matrix]
"""Mass, centre of mass, inertia matrix about it; in one frame."""


def volume(shape: Geometry) -> float:
    """The volume of a shape; of a mesh 0."""
    s = shape.size
    match shape.kind:
        case "ball":
            return 4 / 3 * math.pi * s[0] ** 3
        case "cylinder":
            return 2 * math.pi * s[0] ** 2 * s[1]
        case "capsule":
            return math.pi * s[0] ** 2 * (2 * s[1] + 4 / 3 * s[0])
        case "box":
            return 8 * s[0] * s[1] * s[2]
        case "ellipsoid":
            return 4 / 3 * math.pi * s[0] * s[1] * s[2]
    return 0.0


def moments(shape: Geometry) -> tuple[float, float, float]:
    """Principal moments of a homogeneous shape of mass one, about its centre, in its axes."""
    s = shape.size
    match shape.kind:
        case "ball":
            return (0.4 * s[0] ** 2,) * 3
        case "cylinder":
            across = s[0] ** 2 / 4 + s[1] ** 2 / 3
            return across, across, s[0] ** 2 / 2
        case "capsule":
            return _capsule(s[0], s[1])
        case "box":
            return (s[1] ** 2 + s[2] ** 2) / 3, (s[0] ** 2 + s[2] ** 2) / 3, (s[0] ** 2 + s[1] ** 2) / 3
        case "ellipsoid":
            return (s[1] ** 2 + s[2] ** 2) / 5, (s[0] ** 2 + s[2] ** 2) / 5, (s[0] ** 2 + s[1] ** 2) / 5
    return 0.0, 0.0, 0.0


def _capsule(r: float, h: float) -> tuple[float, float, float]:
    """A cylinder of half length h between two half balls, by their shares of the volume."""
    ball = (4 * r / 3) / (4 * r / 3 + 2 * h)
    tube = 1 - ball
    along = ball * 0.4 * r**2 + tube * r**2 / 2
    across = ball * (0.4 * r**2 + h**2 + 0.75 * h * r) + tube * (r**2 / 4 + h**2 / 3)
    return across, across, along


def together(parts: Iterable[Mass]) -> Mass:
    """Bodies fixed to each other, by Steiner's theorem."""
    known = list(parts)
    total = sum(mass for mass, _, _ in known)
    if total == 0:
        return 0.0, (0.0, 0.0, 0.0), matrix(np.zeros((3, 3)))
    center = sum((mass * np.array(c) for mass, c, _ in known), np.zeros(3)) / total
    inertia = np.zeros((3, 3))
    for mass, c, tensor in known:
        inertia += np.array(tensor) + mass * steiner(np.array(c) - center)
    return total, vector(center), matrix(inertia)


def steiner(arm: Array) -> Array:
    """``|a|² 1 − a aᵀ``: the inertia of a unit point at ``a``."""
    result: Array = float(arm @ arm) * np.eye(3) - np.outer(arm, arm)
    return result


def of_shape(shape: Geometry, mass: float) -> Mass:
    """A homogeneous shape of this mass, in the frame its pose is given in."""
    return mass, shape.pose.position, turned(moments(shape), np.array(shape.pose.rotation), mass)


def turned(principal: Sequence[float], rotation: Array, factor: float = 1.0) -> Matrix:
    """Principal moments as the matrix in turned axes."""
    return matrix(factor * rotation @ np.diag(principal) @ rotation.T)
