"""What each type of joint allows: its coordinates, and the motion of the child in the joint's frame."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import symengine as se

from nonholo.algebra.calculus import ZERO, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot, multiply, transpose
from nonholo.errors import ModelError, meant
from nonholo.geometry.frames.frame import Euclidean, Frame, rate
from nonholo.geometry.groups.matrix_groups import SO3, Quaternion, rotation_matrix
from nonholo.machines.contact_geometry.rigid_pose import IDENTITY, NOWHERE, Vector, plus, times, times_matrix
from nonholo.machines.kinematics.formula_reading import AXES, Formulas, identifier
from nonholo.machines.kinematics.spatial_vectors import crossed, turn
from nonholo.machines.machine_records import Joint


@dataclass(frozen=True)
class Motion:
    """The child's axes and place in the joint's frame, and how they change.

    ``spin`` is the angular velocity in the child's axes. Where the last turn is about a fixed axis of the child, ``last`` is that
    axis, ``before`` the rotation without it and ``slow`` the angular velocity in its axes: what is round does not see that turn.
    """

    frames: tuple[Frame, ...] = ()
    rotation: Matrix = IDENTITY
    place: Vector = NOWHERE
    spin: Vector = NOWHERE
    speed: Vector = NOWHERE
    before: Matrix = IDENTITY
    last: Vector | None = None
    slow: Vector = NOWHERE
    angle: Expr = ZERO
    """In the plane: by how much the child is turned."""
    angles: tuple[str, ...] = ()
    lengths: tuple[str, ...] = ()
    """Which coordinates are angles and which are lengths."""

    @property
    def coordinates(self) -> tuple[str, ...]:
        """All coordinates of the joint."""
        return tuple(name for frame in self.frames for name in frame.coordinates)


@dataclass(frozen=True)
class Naming:
    """How rotations by matrix are called: plainly where the machine has one, with the body's name where it has several."""

    alone: bool = True

    def rates(self, body: str) -> str:
        """The body rates."""
        return "w1 w2 w3" if self.alone else " ".join(f"w{i}_{identifier(body)}" for i in (1, 2, 3))


Maker = Callable[[tuple[str, ...], tuple[Vector, ...], str, Naming], Motion]


def speed_of(name: str) -> Expr:
    """The rate of a coordinate, as a symbol."""
    return symbol(rate(name))


def hinge(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """A turn about the axis."""
    (name,), axis = names, axes[0]
    return Motion(
        (Euclidean(name),), turn(axis, symbol(name)), spin=times(speed_of(name), axis), last=axis,
        slow=times(speed_of(name), axis), angle=symbol(name) * axis[2], angles=names,
    )  # fmt: skip


def slider(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """A shift along the axis."""
    (name,), axis = names, axes[0]
    return Motion((Euclidean(name),), place=times(symbol(name), axis), speed=times(speed_of(name), axis), lengths=names)


def cylindrical(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """A shift along the axis, then a turn about it."""
    along, about = names
    axis = axes[0]
    return Motion(
        (Euclidean(names),), turn(axis, symbol(about)), times(symbol(along), axis), times(speed_of(about), axis),
        times(speed_of(along), axis), last=axis, slow=times(speed_of(about), axis), angles=(about,), lengths=(along,),
    )  # fmt: skip


def universal(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """A turn about the first axis, then about the second, which is turned with it."""
    second = axes[1]
    one, two = (turn(axis, symbol(name)) for axis, name in zip(axes, names))
    turning, spinning = (times(speed_of(name), axis) for axis, name in zip(axes, names))
    spin = plus(times_matrix(transpose(two), turning), spinning)
    slow = plus(turning, spinning)
    return Motion((Euclidean(names),), multiply(one, two), spin=spin, before=one, last=second, slow=slow, angles=names)


def ball(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """Any rotation, by its matrix and body rates."""
    frame = SO3(names[0], naming.rates(child))
    x, y, z = symbols(frame.velocities)
    return Motion((frame,), rotation_matrix(frame), spin=(x, y, z))


def planar(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """Shifts in the plane across the axis, and a turn about the axis."""
    first, second = across(axes[0])
    x, y, angle = symbols(names)
    u, v, w = (speed_of(name) for name in names)
    return Motion(
        (Euclidean(names),), turn(axes[0], angle), plus(times(x, first), times(y, second)), times(w, axes[0]),
        plus(times(u, first), times(v, second)), last=axes[0], slow=times(w, axes[0]), angle=angle, angles=names[2:],
        lengths=names[:2],
    )  # fmt: skip


def weld(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """No motion at all."""
    return Motion()


def free(names: tuple[str, ...], axes: tuple[Vector, ...], child: str, naming: Naming) -> Motion:
    """Any motion: three coordinates and a rotation, by matrix, quaternion, or yaw, roll and pitch."""
    place, rest = names[:3], names[3:]
    x, y, z = symbols(place)
    u, v, w = (speed_of(name) for name in place)
    if len(rest) == 3:
        return _angles(place, rest)
    tag = "" if naming.alone else f"_{identifier(child)}"
    frame = (
        Quaternion(f"q{tag}", naming.rates(child)) if rest[0] == "quaternion" else SO3(f"R{tag}", naming.rates(child))
    )
    p, q, r = symbols(frame.velocities)
    return Motion((Euclidean(place), frame), rotation_matrix(frame), (x, y, z), (p, q, r), (u, v, w), lengths=place)


def _angles(place: tuple[str, ...], names: tuple[str, ...]) -> Motion:
    """``R = Rz(yaw) Rx(roll) Ry(pitch)``."""
    x, y, z = symbols(place)
    u, v, w = (speed_of(name) for name in place)
    yaw, roll, pitch = (turn(AXES[axis], symbol(name)) for axis, name in zip("zxy", names))
    turning, leaning, spinning = (times(speed_of(name), AXES[axis]) for axis, name in zip("zxy", names))
    leaned = plus(times_matrix(transpose(roll), turning), leaning)
    spin = plus(times_matrix(transpose(pitch), leaned), spinning)
    before = multiply(yaw, roll)
    return Motion(
        (Euclidean((*place, *names)),), multiply(before, pitch), (x, y, z), spin, (u, v, w), before, AXES["y"],
        plus(leaned, spinning), angles=names, lengths=place,
    )  # fmt: skip


TYPES: dict[str, tuple[int, Maker]] = {
    "hinge": (1, hinge),
    "slider": (1, slider),
    "cylindrical": (2, cylindrical),
    "universal": (2, universal),
    "ball": (1, ball),
    "planar": (3, planar),
    "weld": (0, weld),
    "free": (4, free),
}
"""Type of joint -> how many names it has, and its motion."""


def across(axis: Vector) -> tuple[Vector, Vector]:
    """Two directions that make a right-handed triple with the axis: x, y for z."""
    order = (AXES["x"], AXES["y"], AXES["z"])
    if axis in order:
        k = order.index(axis)
        return order[(k + 1) % 3], order[(k + 2) % 3]
    helper = min(order, key=lambda e: abs(float(dot(e, axis))) if dot(e, axis).is_Number else 2.0)
    first = crossed(helper, axis)
    first = times(1 / se.sqrt(dot(first, first)), first)
    return first, crossed(axis, first)


OTHER_WORDS = {
    "revolute": "hinge", "continuous": "hinge", "pin": "hinge", "prismatic": "slider", "fixed": "weld", "spherical": "ball",
    "floating": "free",
}  # fmt: skip
"""Types of joints by the words of others."""


def joint_motion(joint: Joint, formulas: Formulas, naming: Naming) -> Motion:
    """The motion that a joint allows."""
    where = f"joint {joint.name or joint.child!r}"
    if joint.type not in TYPES:
        hint = meant(OTHER_WORDS.get(joint.type, joint.type), TYPES, f"the types are {', '.join(TYPES)}.")
        raise ModelError(f"{formulas.machine}: {where}: unknown type {joint.type!r}; {hint}")
    count, made = TYPES[joint.type]
    names = joint_names(joint, formulas.plane)
    if joint.type == "free":
        return free_motion(names, joint.child, formulas, naming)
    if len(names) != count:
        raise ModelError(
            f"{formulas.machine}: {where}: a {joint.type} joint has {count} coordinate{'s' if count > 1 else ''}; "
            f"found {len(names)} names ({', '.join(names) or 'none'})."
        )
    if formulas.plane and joint.type not in PLANE:
        raise ModelError(f"{formulas.machine}: {where}: the plane has no {joint.type} joint; use {', '.join(PLANE)}.")
    return made(names, joint_axes(joint, formulas, where), joint.child, naming)


PLANE = ("hinge", "slider", "planar", "weld", "free")
"""Joints of the plane."""


def joint_axes(joint: Joint, formulas: Formulas, where: str) -> tuple[Vector, ...]:
    """The axis of a joint; of a universal joint two, the second after the first in x, y, z unless given."""
    given = joint.axis
    if formulas.plane and joint.type != "slider":
        return (AXES["z"],)
    if joint.type == "universal":
        parts = given.split() if isinstance(given, str) else given
        if len(parts) == 2:
            return tuple(formulas.axis(e, f"{where}: axis") for e in parts)
        first = formulas.axis(given, f"{where}: axis")
        return first, across(first)[0]
    found = formulas.axis("x" if formulas.plane and given == "z" else given, f"{where}: axis")
    return (found,)


def joint_names(joint: Joint, plane: bool) -> tuple[str, ...]:
    """The names of a joint's coordinates; without any, the child's name."""
    given = tuple(joint.name.replace(",", " ").split())
    count = TYPES[joint.type][0] if joint.type in TYPES else 1
    if given or not count:
        return given
    tag = identifier(joint.child)
    if joint.type == "free":
        return tuple(f"{n}_{tag}" for n in ("x", "y", "theta")) if plane else (*(f"{n}_{tag}" for n in "xyz"), "matrix")
    if joint.type == "ball":
        return (f"R_{tag}",)
    return (tag,) if count == 1 else tuple(f"{tag}_{i + 1}" for i in range(count))


def free_motion(names: tuple[str, ...], body: str, formulas: Formulas, naming: Naming) -> Motion:
    """The motion of a body that no joint holds."""
    if formulas.plane:
        if len(names) != 3:
            raise ModelError(
                f'{formulas.machine}: body {body!r}: free = {" ".join(names)!r}; in the plane write free = "x y theta".'
            )
        return planar(names, (AXES["z"],), body, naming)
    if len(names) == 6 or (len(names) == 4 and names[3] in ("matrix", "quaternion")):
        return free(names, (), body, naming)
    raise ModelError(
        f'{formulas.machine}: body {body!r}: free = {" ".join(names)!r}; write "x y z matrix", "x y z quaternion" or '
        '"x y z yaw roll pitch".'
    )
