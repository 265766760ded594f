"""Pose and velocity of a rigid body as expressions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot, multiply, transpose
from nonholo.geometry.groups.matrix_groups import cross

Vector: TypeAlias = tuple[Expr, Expr, Expr]
NOWHERE: Vector = (ZERO, ZERO, ZERO)
IDENTITY: Matrix = ((ONE, ZERO, ZERO), (ZERO, ONE, ZERO), (ZERO, ZERO, ONE))


@dataclass(frozen=True)
class Pose:
    """Origin and its velocity in world axes, rotation matrix (body to world), angular velocity in body axes."""

    origin: Vector = NOWHERE
    rotation: Matrix = IDENTITY
    velocity: Vector = NOWHERE
    spin: Vector = NOWHERE


STILL = Pose()
"""The pose of ground at rest."""


def vector(parts: Sequence[Expr]) -> Vector:
    """Three expressions."""
    one, two, three = (se.sympify(e) for e in parts)
    return (one, two, three)


def plus(*terms: Sequence[Expr]) -> Vector:
    """The sum of vectors."""
    return vector([se.Add(*parts) for parts in zip(*terms)])


def times(factor: Expr, a: Sequence[Expr]) -> Vector:
    """``factor · a``."""
    return vector([factor * e for e in a])


def minus(a: Sequence[Expr], b: Sequence[Expr]) -> Vector:
    """``a − b``."""
    return vector([p - q for p, q in zip(a, b)])


def times_matrix(matrix: Matrix, a: Sequence[Expr]) -> Vector:
    """``matrix · a``."""
    return vector([dot(row, a) for row in matrix])


def length(a: Sequence[Expr]) -> Expr:
    """``|a|``."""
    return se.sqrt(se.Add(*(e**2 for e in a)))


def unit(a: Sequence[Expr]) -> Vector:
    """``a/|a|``."""
    return times(1 / length(a), a)


def to_world(pose: Pose, place: Sequence[Expr]) -> Vector:
    """A point of the body in the world."""
    return plus(pose.origin, times_matrix(pose.rotation, place))


def to_body(pose: Pose, direction: Sequence[Expr]) -> Vector:
    """A world direction in body axes."""
    return times_matrix(transpose(pose.rotation), direction)


def columns(matrix: Matrix, order: tuple[int, int, int]) -> Matrix:
    """The matrix with its columns in another order."""
    return tuple(tuple(row[k] for k in order) for row in matrix)


def moved(pose: Pose, axes: Matrix, place: Sequence[Expr]) -> Pose:
    """The pose of a frame fixed in the body: its axes (columns) and its origin in the body; without velocities."""
    return Pose(to_world(pose, place), multiply(pose.rotation, axes))


def seen_from(base: Pose, pose: Pose) -> Pose:
    """Origin and rotation of a pose in the axes of another; the velocities stay as they are."""
    turned = transpose(base.rotation)
    origin = times_matrix(turned, minus(pose.origin, base.origin))
    return Pose(origin, multiply(turned, pose.rotation), pose.velocity, pose.spin)


def speed_along(pose: Pose, place: Sequence[Expr], direction: Sequence[Expr], in_body: Sequence[Expr]) -> Expr:
    """Velocity of the body's material point at ``place`` (body axes) along a direction (world, and the same in body axes).

    d·(v + w × r)
    """
    return dot(direction, pose.velocity) + dot(in_body, cross(pose.spin, place))
