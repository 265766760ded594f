"""Turns and axes in space as expressions; zeros and ones leave no trace, nothing is multiplied out."""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, expand, tidy, vanishes
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot
from nonholo.geometry.groups.matrix_groups import cross, hat
from nonholo.machines.contact_geometry.rigid_pose import Pose, Vector, plus, times, times_matrix, to_world, vector


def crossed(a: Sequence[Expr], b: Sequence[Expr]) -> Vector:
    """``a × b``."""
    return vector(cross(a, b))


def negative(a: Sequence[Expr]) -> Vector:
    """``−a``."""
    return times(-ONE, a)


def point_velocity(pose: Pose, place: Sequence[Expr]) -> Vector:
    """The velocity of a body's point, in the world."""
    return plus(pose.velocity, times_matrix(pose.rotation, crossed(pose.spin, place)))


def point_place(pose: Pose, place: Sequence[Expr]) -> Vector:
    """A body's point in the world."""
    return to_world(pose, place)


def turn(axis: Vector, angle: Expr) -> Matrix:
    """The rotation about a unit vector by an angle [Rodrigues].

    >>> turn((ZERO, ZERO, ONE), se.Symbol("a"))[0]
    (cos(a), -sin(a), 0)
    """
    c, s = se.cos(angle), se.sin(angle)
    skew = hat(axis)

    def entry(i: int, j: int) -> Expr:
        if i == j and axis[i] in (ONE, -ONE):
            return ONE
        square = axis[i] * axis[j]
        return (c + (1 - c) * square if i == j else (1 - c) * square) + s * skew[i][j]

    return tuple(tuple(entry(i, j) for j in range(3)) for i in range(3))


def unit_axis(given: Vector) -> Vector:
    """The vector divided by its length."""
    moving = [e for e in given if not vanishes(e)]
    if len(moving) == 1:
        sign = ONE if not moving[0].is_Number or float(moving[0]) > 0 else -ONE
        return vector([ZERO if vanishes(e) else sign for e in given])
    square = tidy(dot(given, given))
    return given if square == 1 else times(1 / se.sqrt(square), given)


def parallel(a: Sequence[Expr], b: Sequence[Expr]) -> bool:
    """Whether the cross product is seen to vanish, to rounding for numbers."""
    return all(_nothing(e) for e in cross(a, b))


def _nothing(expr: Expr) -> bool:
    found = expand(expr)
    return vanishes(found) or bool(found.is_Number and abs(float(found)) < 1e-14)
