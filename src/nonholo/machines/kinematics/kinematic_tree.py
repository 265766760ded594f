"""Poses and velocities of all bodies, by recursion from parent to child."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

from nonholo.algebra.calculus import ZERO, gradient, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import multiply, transpose
from nonholo.errors import ModelError, about, meant
from nonholo.geometry.frames.frame import Frame, rate
from nonholo.machines.contact_geometry.rigid_pose import IDENTITY, STILL, Pose, Vector, plus, times_matrix
from nonholo.machines.kinematics.formula_reading import AXES, Formulas, identifier
from nonholo.machines.kinematics.joint_motions import TYPES, Motion, Naming, free_motion, joint_motion, joint_names
from nonholo.machines.kinematics.spatial_vectors import crossed, negative, parallel, point_place, point_velocity, turn
from nonholo.machines.machine_data import PARTS, MachineData
from nonholo.machines.machine_records import GROUND, Body, Joint


@dataclass(frozen=True)
class Placed:
    """A body with its pose; ``carrier`` is a pose that does not take part in the last turn, about ``axis`` (in the body's axes).

    What is round about that axis may be computed in the carrier: the angle of the turn does not occur there.
    """

    body: Body
    pose: Pose
    carrier: Pose
    axis: Vector | None
    motion: Motion
    parent: str
    heading: Expr = ZERO
    """In the plane: the angle of its x-axis."""
    turning: str = ""
    """In the plane: the name of its angular velocity, where that is a velocity of its own."""


def body_named(machine: MachineData, name: str, where: str) -> Body:
    """The body of this name, or an error that offers the nearest."""
    for body in machine.bodies:
        if body.name == name:
            return body
    known = [body.name for body in machine.bodies]
    if not name:
        raise ModelError(f'{machine.name}: {where} names no body; give body = "{known[0]}" or another.')
    raise ModelError(
        f"{machine.name}: {where}: there is no body {name!r}; "
        f"{meant(name, known, f'the bodies are {chr(44).join(known)}.')}",
        key=_part_naming(machine, name),
    )


def _part_naming(machine: MachineData, name: str) -> tuple[str, int] | tuple[()]:
    """The first part of a machine that has a name in one of its fields."""
    for table in PARTS:
        for k, part in enumerate(getattr(machine, table)):
            if any(getattr(part, field.name) == name for field in fields(part)):
                return (table, k)
    return ()


LONG = 12
"""With more hinges than this in the plane the velocities are the angular velocities of the bodies, not the rates of the hinges.

Sums over a chain then have one term for each body; in the rates of the hinges they have one for each pair.
"""


def kinematic_tree(machine: MachineData, formulas: Formulas) -> dict[str, Placed]:
    """Every body with its pose, parents before children, in the order in which the bodies were given as far as possible."""
    own_rates = machine.plane and sum(joint.type == "hinge" for joint in machine.joints) > LONG
    joints = checked_joints(machine)
    naming, names = _naming(machine, joints)
    placed: dict[str, Placed] = {}
    waiting = list(machine.bodies)
    while waiting:
        ready = [b for b in waiting if b.name not in joints or joints[b.name].parent in (*placed, GROUND)]
        if not ready:
            ring = ", ".join(b.name for b in waiting)
            raise ModelError(
                f"{machine.name}: the joints of {ring} form a ring that hangs on nothing; make one of them a [[loops]]."
            )
        body = ready[0]
        joint = joints.get(body.name)
        with about("bodies" if joint is None else "joints", body.name):
            if joint is None:
                motion = free_motion(names[body.name], body.name, formulas, naming)
                placed[body.name] = _child(body, Joint("free", child=body.name), motion, None, formulas, False)
            else:
                motion = joint_motion(joint, formulas, naming)
                placed[body.name] = _child(body, joint, motion, placed.get(joint.parent), formulas, own_rates)
        waiting.remove(body)
    return placed


def checked_joints(machine: MachineData) -> dict[str, Joint]:
    """The joint of each child; two joints for one child and unknown names are refused."""
    seen: set[str] = set()
    for body in machine.bodies:
        if body.name in seen or body.name == GROUND:
            why = "two bodies have this name" if body.name in seen else "this is the name of the ground"
            raise ModelError(f"{machine.name}: body {body.name!r}: {why}; rename it.", key=("bodies", body.name))
        seen.add(body.name)
    joints: dict[str, Joint] = {}
    for number, joint in enumerate(machine.joints):
        where, place = f"joint {joint.name or number + 1}", ("joints", joint.name or number)
        if not joint.child:
            raise ModelError(f'{machine.name}: {where} has no child; give child = "…", the body that it moves.', key=place)
        child = body_named(machine, joint.child, where)
        if joint.parent != GROUND:
            body_named(machine, joint.parent, where)
        if joint.parent == joint.child:
            raise ModelError(f"{machine.name}: {where} joins {joint.child!r} with itself; give another parent.", key=place)
        if joint.child in joints:
            other = joints[joint.child]
            raise ModelError(
                f"{machine.name}: {where}: {joint.child!r} is already the child of joint {other.name or other.parent!r}; "
                "a body hangs on one joint: make the other one a [[loops]], or swap parent and child.",
                key=place,
            )
        if child.free is not None:
            raise ModelError(
                f"{machine.name}: {where}: {joint.child!r} hangs on a joint; remove its free = {child.free!r}.",
                key=("bodies", joint.child, "free"),
            )
        joints[joint.child] = joint
    return joints


def _naming(machine: MachineData, joints: Mapping[str, Joint]) -> tuple[Naming, dict[str, tuple[str, ...]]]:
    """How rotations are called, and the names of the coordinates of every body that no joint holds."""
    roots = [body for body in machine.bodies if body.name not in joints]
    plain = ("x", "y", "theta") if machine.plane else ("x", "y", "z", "matrix")
    names: dict[str, tuple[str, ...]] = {}
    for body in roots:
        if body.free is not None:
            names[body.name] = tuple(body.free.replace(",", " ").split())
        else:
            tag = "" if len(roots) == 1 else f"_{identifier(body.name)}"
            names[body.name] = tuple(n if n == "matrix" else n + tag for n in plain)
    turning = sum(1 for found in names.values() if len(found) == 4)
    turning += sum(
        1 for j in joints.values() if j.type == "ball" or (j.type == "free" and len(joint_names(j, False)) == 4)
    )
    return Naming(turning <= 1), names


def _child(
    body: Body, joint: Joint, motion: Motion, parent: Placed | None, formulas: Formulas, own_rates: bool
) -> Placed:
    """The pose of a child from that of its parent.

    R = R_p T M,   p = p_p + R_p (a + T d) − R c,   ω = (T M)ᵀ ω_p + ω_M

    with the joint at ``a`` in the parent and ``c`` in the child.
    """
    where = f"joint {joint.name or joint.child!r}"
    at = formulas.vector(joint.at, f"{where}: at")
    held = formulas.vector(joint.in_child, f"{where}: in_child")
    base = STILL if parent is None else parent.pose
    heading = (ZERO if parent is None else parent.heading) + motion.angle
    if formulas.plane:
        angle = _plane_turn(joint, formulas, where)
        heading += angle
        turned = turn(AXES["z"], angle) if joint.turned else IDENTITY
    else:
        turned = formulas.rotation(joint.turned, f"{where}: turned")
    hung = plus(at, times_matrix(turned, motion.place))
    drift = times_matrix(turned, motion.speed)
    foot = point_place(base, hung)
    speed = plus(point_velocity(base, hung), times_matrix(base.rotation, drift))
    carried = times_matrix(transpose(turned), base.spin)

    def pose(rotation: object, spin: Vector) -> Pose:
        return Pose(
            plus(foot, negative(times_matrix(rotation, held))),  # type: ignore[arg-type]
            rotation,  # type: ignore[arg-type]
            plus(speed, negative(times_matrix(rotation, crossed(spin, held)))),  # type: ignore[arg-type]
            spin,
        )

    if formulas.plane:
        rotation = turn(AXES["z"], heading)
        turning = f"omega_{identifier(body.name)}" if own_rates and joint.type == "hinge" else ""
        own = pose(rotation, (ZERO, ZERO, symbol(turning)) if turning else plus(base.spin, motion.spin))
        return Placed(body, own, own, None, motion, joint.parent, heading, turning)
    outer = multiply(base.rotation, turned)
    rotation = multiply(outer, motion.rotation)
    own = pose(rotation, plus(times_matrix(transpose(motion.rotation), carried), motion.spin))
    if motion.last is None or not parallel(held, motion.last):
        return Placed(body, own, own, None, motion, joint.parent)
    carrier = pose(multiply(outer, motion.before), plus(times_matrix(transpose(motion.before), carried), motion.slow))
    return Placed(body, own, carrier, motion.last, motion, joint.parent)


def seen_from(
    ancestor: str, name: str, machine: MachineData, placed: Mapping[str, Placed], formulas: Formulas
) -> tuple[Pose, Expr]:
    """Pose and plane heading of a body in the frame of a body that it hangs on; its velocity is not meant to be used."""
    if name == ancestor:
        return STILL, ZERO
    one = placed[name]
    if ancestor == GROUND:
        return one.pose, one.heading
    joint = next(joint for joint in machine.joints if joint.child == name)
    pose, heading = seen_from(ancestor, one.parent, machine, placed, formulas)
    carrying = Placed(one.body, pose, pose, None, one.motion, GROUND, heading)
    found = _child(one.body, joint, one.motion, carrying, formulas, False)
    return found.pose, found.heading


def common_ancestor(one: str, other: str, placed: Mapping[str, Placed]) -> str:
    """The last body that both hang on, or are; the ground where there is none."""
    above = [one]
    while above[-1] != GROUND:
        above.append(placed[above[-1]].parent)
    while other not in above:
        other = placed[other].parent
    return other


def _plane_turn(joint: Joint, formulas: Formulas, where: str) -> Expr:
    """In the plane a joint is turned about z alone."""
    total: Expr = ZERO
    for step in joint.turned:
        for name, angle in step.items():
            if name != "z":
                raise ModelError(f"{formulas.machine}: {where}: turned about {name}; the plane turns about z alone.")
            total += formulas.number(angle, f"{where}: turned")
    return total


def coordinate_frames(placed: Mapping[str, Placed]) -> list[Frame]:
    """The frames of all joints, in the order of the bodies."""
    return [frame for one in placed.values() for frame in one.motion.frames]


def in_body_rates(frames: Sequence[Frame], placed: Mapping[str, Placed]) -> list[Frame]:
    """The frames of a plane machine, with angular velocities of bodies in the place of the rates of their hinges."""
    turning = {one.motion.coordinates[0]: one for one in placed.values() if one.turning}
    if not turning:
        return list(frames)
    names = [name for frame in frames for name in frame.coordinates]
    velocities = [turning[name].turning if name in turning else rate(name) for name in names]
    v = symbols(velocities)
    anchor = []
    for name, own in zip(names, v):
        spin = ZERO
        if name in turning:
            parent = turning[name].parent
            spin = placed[parent].pose.spin[2] if parent != GROUND else ZERO
        anchor.append(gradient(own - spin, v))
    return [
        Frame(
            tuple(names), tuple(velocities), tuple(anchor), brackets=FrozenMap(), home=(0.0,) * len(names), checked=True
        )
    ]


def degrees(joint: Joint) -> int:
    """How many coordinates a type of joint has, a rotation counting three."""
    return {"ball": 3, "free": 6}.get(joint.type, TYPES[joint.type][0] if joint.type in TYPES else 0)
