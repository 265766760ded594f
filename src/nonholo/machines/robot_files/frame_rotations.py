"""Rotation matrices of the angles, quaternions and axes that robot files use."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from nonholo.errors import FileError
from nonholo.machines.robot_files.robot_description import Matrix, Pose, Vector
from nonholo.program.array_types import Array


def turn(axis: str, angle: float) -> Array:
    """The rotation about one coordinate axis."""
    c, s = math.cos(angle), math.sin(angle)
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    result = np.eye(3)
    result[j, j] = result[k, k] = c
    result[k, j], result[j, k] = s, -s
    return result


def from_rpy(angles: Sequence[float]) -> Array:
    """Roll, pitch, yaw about the fixed axes x, y, z in this order: ``Rz(yaw) Ry(pitch) Rx(roll)``."""
    return turn("z", angles[2]) @ turn("y", angles[1]) @ turn("x", angles[0])


def from_euler(angles: Sequence[float], sequence: str) -> Array:
    """Turns in order; about axes that move along (``xyz``) or stay fixed (``XYZ``)."""
    result = np.eye(3)
    for axis, angle in zip(sequence, angles, strict=True):
        step = turn(axis.lower(), angle)
        result = result @ step if axis.islower() else step @ result
    return result


def from_quaternion(q: Sequence[float]) -> Array:
    """The rotation of a quaternion ``(w, x, y, z)`` of any length but zero."""
    size = math.sqrt(sum(c * c for c in q))
    w, x, y, z = (c / size for c in q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def from_axis_angle(axis: Sequence[float] | Array, angle: float) -> Array:
    """The rotation by an angle about an axis of any length."""
    n = unit(axis, "axisangle")
    return from_quaternion((math.cos(angle / 2), *(math.sin(angle / 2) * n)))


def with_z_along(direction: Sequence[float] | Array) -> Array:
    """The smallest rotation that maps the z axis to a direction."""
    n = unit(direction, "direction")
    cross = np.cross((0.0, 0.0, 1.0), n)
    size = float(np.linalg.norm(cross))
    if size < 1e-12:
        return np.eye(3) if n[2] > 0 else turn("x", math.pi)
    return from_axis_angle(cross, math.atan2(size, float(n[2])))


def unit(vector: Sequence[float] | Array, where: str) -> Array:
    """A normalised vector; zero is refused."""
    result = np.array(vector, dtype=float)
    size = float(np.linalg.norm(result))
    if size < 1e-12:
        raise FileError(f"{where} has length zero; give a direction.")
    return result / size


def zyx_angles(rotation: Array) -> tuple[float, float, float]:
    """Yaw, pitch and roll with ``R = Rz(yaw) Ry(pitch) Rx(roll)``: turns about own axes z, y, x."""
    pitch = math.atan2(-rotation[2, 0], math.hypot(rotation[0, 0], rotation[1, 0]))
    if math.hypot(rotation[0, 0], rotation[1, 0]) < 1e-9:  # only yaw ± roll is determined
        return 0.0, pitch, math.atan2(-rotation[1, 2], rotation[1, 1])
    return math.atan2(rotation[1, 0], rotation[0, 0]), pitch, math.atan2(rotation[2, 1], rotation[2, 2])


def vector(values: Sequence[float] | Array) -> Vector:
    """Three plain numbers."""
    x, y, z = (float(v) for v in values)
    return x, y, z


def matrix(values: Array) -> Matrix:
    """Nine plain numbers."""
    return vector(values[0]), vector(values[1]), vector(values[2])


def compose(outer: Pose, inner: Pose) -> Pose:
    """The pose in the outer's frame of what has the inner pose in it."""
    turned = np.array(outer.rotation)
    return Pose(
        vector(np.array(outer.position) + turned @ np.array(inner.position)), matrix(turned @ np.array(inner.rotation))
    )
