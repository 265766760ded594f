"""A contact as the assembler needs it: gap, tangential directions, slip velocities and the rows that vanish, by kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import symengine as se

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError, meant
from nonholo.geometry.groups.matrix_groups import cross
from nonholo.machines.contact_geometry.rigid_pose import (
    STILL,
    Pose,
    Vector,
    minus,
    plus,
    speed_along,
    times,
    times_matrix,
    to_body,
    unit,
    vector,
)
from nonholo.machines.contact_geometry.shape_record import ShapeGeometry
from nonholo.machines.contact_geometry.surfaces import Surface
from nonholo.machines.contact_geometry.touching import Touch, tangents, touch


@dataclass(frozen=True)
class ContactGeometry:
    """Where and how a body touches, as expressions in coordinates, velocities, parameters and time."""

    coordinates: tuple[str, ...]
    """Names of the further coordinates that the contact point needs; without inertia of their own."""
    guess: tuple[Expr, ...]
    """A first guess of them, in the other coordinates."""
    equations: tuple[Expr, ...]
    """Holonomic equations of the further coordinates, as many: they hold whether the bodies touch or not."""
    gap: Expr
    """Distance along the normal, in m; its multiplier is the normal force."""
    rows: tuple[Expr, ...]
    """Velocities that vanish for this kind of contact, in m/s (a spin in rad/s)."""
    slip: tuple[Expr, Expr]
    """Velocity of the body's material point over the surface, along and across, in m/s."""
    spin: Expr
    """Angular velocity of the body over the surface about the normal, in rad/s."""
    point: Vector
    normal: Vector
    along: Vector
    across: Vector
    place: Vector
    """The contact point in body axes."""
    remarks: tuple[str, ...]
    minors: tuple[Expr, ...] = ()
    """Positive where the contact point is the nearest one, see `Touch`."""


Rows = Callable[[Expr, Expr, Expr, Expr], tuple[Expr, ...]]
"""Rows from the slip along and across, the spin and the angle of the rollers."""
KINDS: dict[str, Rows] = {
    "rolling": lambda along, across, spin, angle: (along, across),
    "rubber": lambda along, across, spin, angle: (along, across, spin),
    "blade": lambda along, across, spin, angle: (across,),
    "sliding": lambda along, across, spin, angle: (),
    "roller": lambda along, across, spin, angle: (se.cos(angle) * along + se.sin(angle) * across,),
}
"""Kinds of contact. Rollers turn freely along the axle turned by their angle about the normal, ``cos γ across − sin γ along``."""


def contact_geometry(
    name: str,
    shape: ShapeGeometry,
    pose: Pose,
    surface: Surface,
    base: Pose = STILL,
    frame: Pose | None = None,
    kind: str = "rolling",
    along: Vector | None = None,
    roller: Expr | None = None,
) -> ContactGeometry:
    """Contact of a shape in a body with a surface.

    ``pose`` and ``base`` are the poses and velocities of the body and of what carries the surface; ``frame`` is where the axes of
    the surface are, when these are not the base's. ``along`` is a direction in the body's frame (of a blade), ``name`` begins
    the names of further coordinates.

        slip = t·(v + w × r − v_base − w_base × r_base)
    """
    if kind not in KINDS:
        raise ModelError(f"contact {name}: no kind {kind!r}; {meant(kind, KINDS, 'it is one of ' + ', '.join(KINDS) + '.')}")
    if kind == "roller" and shape.axle is None:
        raise ModelError(f"contact {name}: rollers need an axle, and a {shape.kind.name} has none; use a disk or a wheel.")
    if kind == "blade" and along is None:
        along = shape.axes[0][0], shape.axes[1][0], shape.axes[2][0]
    frame = base if frame is None else frame
    found = touch(name, shape, pose, surface, frame)
    (ahead, ahead_in_body), (left, left_in_body) = _directions(found, shape, pose, surface, frame, along)
    slips = []
    turning = times_matrix(base.rotation, base.spin)
    carried = plus(base.velocity, vector(cross(turning, minus(found.point, base.origin))))
    for direction, in_body in ((ahead, ahead_in_body), (left, left_in_body)):
        slips.append(speed_along(pose, found.place, direction, in_body) - dot(direction, carried))
    spin = dot(found.inward, pose.spin) - dot(found.normal, turning)
    rows = KINDS[kind](slips[0], slips[1], spin, ZERO if roller is None else roller)
    remarks = (f"{name}: a {shape.kind.name} {shape.kind.singular}.",) if shape.kind.singular else ()
    return ContactGeometry(
        found.coordinates,
        found.guess,
        found.equations,
        found.gap,
        rows,
        (slips[0], slips[1]),
        spin,
        found.point,
        found.normal,
        ahead,
        left,
        found.place,
        remarks,
        found.minors,
    )


def _directions(
    found: Touch, shape: ShapeGeometry, pose: Pose, surface: Surface, frame: Pose, along: Vector | None
) -> tuple[tuple[Vector, Vector], tuple[Vector, Vector]]:
    """Along and across, each in the world and in body axes: the heading of an axle or blade, or fixed on the surface."""
    inward = found.inward
    if along is not None:
        in_body = unit(minus(along, times(dot(along, inward), inward)))
    elif shape.axle is not None:
        in_body = unit(cross(shape.axle, inward))
    else:
        plane = surface.plane
        if plane is not None:
            ahead = times_matrix(frame.rotation, plane.along)
            left = vector(cross(found.normal, ahead))
        else:
            ahead, left = tangents(found.normal)
        return (ahead, to_body(pose, ahead)), (left, to_body(pose, left))
    left_in_body = vector(cross(inward, in_body))
    world = [times_matrix(pose.rotation, e) for e in (in_body, left_in_body)]
    return (world[0], in_body), (world[1], left_in_body)


