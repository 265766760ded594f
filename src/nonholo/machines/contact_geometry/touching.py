"""Contact point, gap and normal of a shape on a surface.

Closed form on a plane for every shape, and for balls and points on surfaces whose distance function is known. Elsewhere the
contact point is found by further coordinates with as many holonomic equations: the parameters of the point of the surface, the
common normal of two bodies, or the parameters of a ruled body. The equations say that the points are nearest to each other, the
gap is then their distance; since it does not change to first order with the further coordinates, its multiplier is the normal
force and the multipliers of the equations vanish.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import symengine as se

from nonholo.algebra.calculus import ONE, gradient, jacobian, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError
from nonholo.machines.contact_geometry.rigid_pose import (
    IDENTITY,
    Pose,
    Vector,
    length,
    minus,
    plus,
    seen_from,
    times,
    times_matrix,
    to_body,
    to_world,
    unit,
    vector,
)
from nonholo.machines.contact_geometry.shape_record import ShapeGeometry, into_axes, support, support_point
from nonholo.machines.contact_geometry.surfaces import CHART, PLACE, Chart, Surface

POINTS = ("point", "blade")
"""Shapes without extent: they touch every surface of which a level function is known."""


@dataclass(frozen=True)
class Touch:
    """Where a shape touches a surface: further coordinates, equations that define them, gap, contact point and normal."""

    coordinates: tuple[str, ...]
    guess: tuple[Expr, ...]
    """A first guess of the further coordinates, in the body's pose."""
    equations: tuple[Expr, ...]
    gap: Expr
    place: Vector
    """The body's contact point in body axes."""
    point: Vector
    """The contact point in the world."""
    normal: Vector
    """The normal of the surface, in the world, towards the body."""
    inward: Vector
    """The same in body axes."""
    minors: tuple[Expr, ...] = ()
    """Positive where the points are nearest to each other: leading minors of the second derivative of their distance, and the
    distance of a ruled body's point from its ends."""


def tangents(normal: Vector) -> tuple[Vector, Vector]:
    """Two orthonormal directions across a unit normal: x and y after the turn of z into n; smooth unless n points down."""
    one, two, three = normal
    below = 1 + three
    return (
        (ONE - one**2 / below, -one * two / below, -one),
        (-one * two / below, ONE - two**2 / below, -two),
    )


def touch(name: str, shape: ShapeGeometry, pose: Pose, surface: Surface, frame: Pose) -> Touch:
    """Contact of a shape in a body with a surface whose axes are ``frame``; ``name`` begins the names of further coordinates."""
    if surface.plane is not None:
        return _on_plane(shape, pose, surface, frame)
    if shape.kind.round and surface.level is not None and (surface.distance or shape.kind.name in POINTS):
        return _round(shape, pose, surface.level, surface.distance, frame)
    if not shape.kind.smooth and (shape.kind.ruled is None or surface.level is None):
        raise ModelError(
            f"contact {name}: a {shape.kind.name} on a curved surface ({surface.name}) touches with edges and corners in turn; "
            "use a smooth shape (ellipsoid, ball, wheel, convex), or give contacts at = [x, y, z] at its corners."
        )
    if shape.kind.ruled is not None and surface.level is not None:
        return _ruled(name, shape, pose, surface.level, surface.distance, frame)
    if surface.shape is not None:
        return _two_bodies(name, shape, pose, surface.shape, surface.inside, frame)
    if surface.chart is not None:
        return _on_chart(name, shape, pose, surface.chart, frame)
    if surface.level is not None:
        return _on_level(name, shape, pose, surface.level, frame)
    raise ModelError(f"{name}: a {shape.kind.name} on {surface.name}: no contact point can be found; use another shape.")


def _centred(shape: ShapeGeometry) -> ShapeGeometry:
    return ShapeGeometry(shape.kind, shape.sizes, shape.axes)


def _there(exprs: Sequence[Expr], variables: Sequence[Expr], place: Sequence[Expr]) -> tuple[Expr, ...]:
    return substitute(exprs, dict(zip(variables, place)))


def _made(
    shape: ShapeGeometry, pose: Pose, frame: Pose, inward: Vector, normal: Vector, gap: Expr, place: Vector,
    coordinates: tuple[str, ...] = (), guess: tuple[Expr, ...] = (), equations: tuple[Expr, ...] = (),
    point: Vector | None = None, minors: tuple[Expr, ...] = (),
) -> Touch:  # fmt: skip
    """The record, with normal and surface point transformed from the surface's axes to the world."""
    there = to_world(pose, place) if point is None else to_world(frame, point)
    return Touch(coordinates, guess, equations, gap, place, there, times_matrix(frame.rotation, normal), inward, minors)


def _minors(equations: Sequence[Expr], names: Sequence[str], directions: Sequence[Sequence[Expr]]) -> tuple[Expr, Expr]:
    """Leading minors of the derivatives of two equations by the coordinates along two directions."""
    slopes = jacobian(equations, symbols(names))
    (a, b), (c, d) = ([dot(row, along) for along in directions] for row in slopes)
    return a, a * d - b * c


def _on_plane(shape: ShapeGeometry, pose: Pose, surface: Surface, frame: Pose) -> Touch:
    """``gap = N·p − h(−RᵀN) − height``."""
    plane = surface.plane
    if plane is None:
        raise ModelError(f"{surface.name} is no plane.")
    local = seen_from(frame, pose)
    inward = to_body(local, plane.normal)
    outward = times(-ONE, inward)
    gap = dot(plane.normal, local.origin) - support(shape, outward) - plane.height
    return _made(shape, pose, frame, inward, plane.normal, gap, support_point(shape, outward))


def _normal_of(level: Expr, place: Vector, distance: bool) -> tuple[Expr, Vector]:
    """Distance (to first order, or exactly) and unit normal of a level function at a place."""
    value, *slopes = _there([level, *gradient(level, PLACE)], PLACE, place)
    steep = ONE if distance else length(slopes)
    return value / steep, times(1 / steep, slopes)


def _round(shape: ShapeGeometry, pose: Pose, level: Expr, distance: bool, frame: Pose) -> Touch:
    """A ball or a point: the normal through its centre."""
    local = seen_from(frame, pose)
    away, normal = _normal_of(level, to_world(local, shape.offset), distance)
    inward = to_body(local, normal)
    centred, outward = _centred(shape), times(-ONE, inward)
    gap = away - support(centred, outward)
    return _made(shape, pose, frame, inward, normal, gap, support_point(shape, outward))


def _facing(shape: ShapeGeometry, local: Pose, normal: Vector) -> tuple[Vector, Vector, Expr, Vector]:
    """For a normal of the surface: the same in body axes, the body's point, its reach, and the point in the surface's axes."""
    inward = to_body(local, normal)
    outward = times(-ONE, inward)
    place = support_point(shape, outward)
    return inward, place, support(shape, outward), to_world(local, place)


def _on_chart(name: str, shape: ShapeGeometry, pose: Pose, chart: Chart, frame: Pose) -> Touch:
    """The parameters of the surface's point are further coordinates: ``s_u·(P − s) = 0``, ``s_v·(P − s) = 0``."""
    local = seen_from(frame, pose)
    names = tuple(f"{name}_{n}" for n in chart.names)
    here = symbols(names)
    exprs = [*chart.point, *chart.normal, *gradient_of(chart.point, CHART[0]), *gradient_of(chart.point, CHART[1])]
    found = _there(exprs, CHART, here)
    point, normal, first, second = (vector(found[k : k + 3]) for k in (0, 3, 6, 9))
    inward, place, reach, touching = _facing(shape, local, normal)
    between = minus(touching, point)
    gap = dot(normal, minus(local.origin, point)) - reach
    guess = _there(chart.guess, PLACE, to_world(local, shape.offset))
    equations = (dot(first, between), dot(second, between))
    minors = _minors([-e for e in equations], names, IDENTITY[:2])
    return _made(shape, pose, frame, inward, normal, gap, place, names, guess, equations, point, minors)


def gradient_of(point: Vector, variable: Expr) -> Vector:
    """The derivative of a point by a parameter."""
    return vector([e.diff(variable) for e in point])


def _on_level(name: str, shape: ShapeGeometry, pose: Pose, level: Expr, frame: Pose) -> Touch:
    """The surface's point is three further coordinates: ``F(c) = 0``, and ``P − c`` is along the normal."""
    local = seen_from(frame, pose)
    names = tuple(f"{name}_{n}" for n in "xyz")
    point = vector(symbols(names))
    value, normal = _normal_of(level, point, False)
    inward, place, reach, touching = _facing(shape, local, normal)
    between = minus(touching, point)
    one, two = tangents(normal)
    gap = dot(normal, minus(local.origin, point)) - reach
    equations = (value, dot(one, between), dot(two, between))
    guess = to_world(local, shape.offset)
    minors = _minors([-e for e in equations[1:]], names, (one, two))
    return _made(shape, pose, frame, inward, normal, gap, place, names, guess, equations, point, minors)


def _two_bodies(name: str, shape: ShapeGeometry, pose: Pose, other: ShapeGeometry, inside: bool, frame: Pose) -> Touch:
    """The common normal is found from the centres of two balls, else it is three further coordinates of length one."""
    side = -ONE if inside else ONE
    centre, middle = to_world(pose, shape.offset), to_world(frame, other.offset)
    apart = minus(centre, middle)
    both = shape.kind.round and other.kind.round
    names = () if both else tuple(f"{name}_n{k}" for k in (1, 2, 3))
    normal = times(side / length(apart), apart) if both else vector(symbols(names))
    below = times(side, to_body(frame, normal))
    inward = to_body(pose, normal)
    outward = times(-ONE, inward)
    place, opposite = support_point(shape, outward), support_point(other, below)
    if both:
        radii = [support(_centred(one), n) for one, n in ((shape, outward), (other, below))]
        gap = side * (length(apart) - radii[1]) - radii[0]
        return Touch((), (), (), gap, place, to_world(frame, opposite), normal, inward)
    between = minus(to_world(pose, place), to_world(frame, opposite))
    gap = dot(normal, minus(pose.origin, frame.origin)) - support(shape, outward) - side * support(other, below)
    around = tangents(normal)
    equations = (dot(normal, normal) - 1, *(dot(t, between) for t in around))
    minors = _minors([-side * e for e in equations[1:]], names, around)
    there = to_world(frame, opposite)
    return Touch(names, times(side, unit(apart)), equations, gap, place, there, normal, inward, minors)


def _ruled(name: str, shape: ShapeGeometry, pose: Pose, level: Expr, distance: bool, frame: Pose) -> Touch:
    """Angle and place along the axis of a cylinder or cone are further coordinates: its tangents lie in the surface."""
    if shape.kind.ruled is None:
        raise ModelError(f"{name}: a {shape.kind.name} is not ruled.")
    local = seen_from(frame, pose)
    names = (f"{name}_angle", f"{name}_along")
    variables = symbols(names)
    own = shape.kind.ruled(shape.sizes, *variables)
    place = plus(vector([dot(row, own) for row in shape.axes]), shape.offset)
    gap, normal = _normal_of(level, to_world(local, place), distance)
    inward = to_body(local, normal)
    equations = tuple(dot(inward, [e.diff(s) for e in place]) for s in variables)
    far, above = _normal_of(level, to_world(local, shape.offset), distance)
    down = into_axes(shape, times(-ONE, to_body(local, above)))
    guess = (se.atan2(down[0], -down[2]), far * down[1])  # beside the point of the surface that is nearest to the shape's origin
    low, high = shape.kind.ends(shape.sizes)
    minors = (*_minors(equations, names, IDENTITY[:2]), (variables[1] - low) * (high - variables[1]))
    return _made(shape, pose, frame, inward, normal, gap, place, names, guess, equations, minors=minors)


