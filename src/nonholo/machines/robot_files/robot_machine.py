"""A robot description as a Machine: bodies, joints, loops, motors, and the contacts that the user names."""

from __future__ import annotations

import keyword
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from nonholo.errors import FileError, ModelError, meant
from nonholo.machines.machine import Machine
from nonholo.machines.machine_data import PLANE
from nonholo.machines.machine_records import Body, Contact, Ground, Joint, Motor, Spring
from nonholo.machines.record_tables import record_of
from nonholo.machines.robot_files.frame_rotations import compose, vector
from nonholo.machines.robot_files.mjcf import read_mjcf
from nonholo.machines.robot_files.robot_bodies import (
    Welded,
    Wheels,
    axis_name,
    bodies_of,
    link_named,
    turns,
    wheel_shapes,
)
from nonholo.machines.robot_files.robot_description import (
    GROUND,
    Coupling,
    LinkJoint,
    LoopJoint,
    Pose,
    RobotDescription,
    Vector,
)
from nonholo.machines.robot_files.urdf import WORLD, read_urdf
from nonholo.machines.robot_files.xml_elements import MOST_BYTES, parse_xml
from nonholo.model.declared_words import RESERVED as RESULTS
from nonholo.model.files.toml_text import file_bytes
from nonholo.notation.functions import RESERVED

Contacts = Mapping[str, Mapping[str, Any]] | Sequence[Contact | Mapping[str, Any]]


def read_robot(path: str | os.PathLike[str]) -> RobotDescription:
    """Read a URDF or MJCF file; its root element decides which."""
    file = Path(path)
    try:
        data = file_bytes(file, "a URDF or MJCF file", MOST_BYTES)
    except FileNotFoundError:
        raise FileError(f"{file}: there is no such file.") from None
    except IsADirectoryError:
        raise FileError(f"{file} is a directory; give a URDF or MJCF file.") from None
    except FileError:
        raise
    except OSError as trouble:
        raise FileError(f"{file} cannot be read: {trouble.strerror or trouble}.") from None
    root = parse_xml(data, file.name)
    if root.tag == "robot":
        return read_urdf(root, file.name)
    if root.tag == "mujoco":
        return read_mjcf(root, file.name, file.parent)
    raise FileError(f"{file.name}: its root is <{root.tag}>; <robot> (URDF) or <mujoco> (MJCF) was needed.")


def robot_machine(
    path: str | os.PathLike[str],
    wheels: Wheels = (),
    contacts: Contacts = (),
    ground: Ground | Mapping[str, Any] | str | None = None,
    motors: Sequence[str] = (),
    base: str | None = None,
) -> Machine:
    """The machine in a URDF or MJCF file.

    ``wheels`` names the links that roll without slip, or gives their radii, ``{"left_wheel": 0.1}``; ``contacts`` has further
    contacts by link, ``{"foot": {"kind": "sliding"}}``; ``motors`` the joints with a torque input ``tau_joint``. ``base`` is
    ``"free"``, ``"fixed"`` or the names of the root link's coordinates; left out, it is free if the robot has wheels or contacts.
    """
    robot = read_robot(path)
    notes = list(robot.not_understood)
    robot = _without_world(robot)
    _check_tree(robot)
    bodies, welds = bodies_of(robot, wheel_shapes(robot, wheels), notes, Path(path).parent)
    touching = _contacts(robot, wheels, contacts)
    names = _joint_names(robot, notes)
    free = base or ("free" if touching else "fixed")
    joints = _joints(robot, names)
    roots = [link.name for link in robot.links if link.name not in {joint.child for joint in robot.joints}]
    for root in roots:
        if free == "fixed":
            joints.append(Joint("weld", child=root))
    if free not in ("free", "fixed"):
        bodies = [replace(body, free=free) if body.name in (*roots, *_afloat(robot)) else body for body in bodies]
    loops, further = _loops(robot, notes)
    driven = [*_motors(robot, names), *(_motor(joint, names) for joint in motors)]
    return Machine(
        name=robot.name,
        gravity=_gravity(robot.gravity),
        bodies=[*bodies, *(body for body, _ in [*welds, *further])],
        joints=[*joints, *(joint for _, joint in [*welds, *further])],
        loops=loops,
        contacts=touching,
        ground=_ground(robot, ground, bool(touching)),
        springs=_springs(robot, names),
        motors=driven,
        lagrangian=_armatures(robot, names),
        holonomic=[_relation(coupling, names) for coupling in robot.couplings],
        start=_start(robot),
        notes=notes,
    )


def _without_world(robot: RobotDescription) -> RobotDescription:
    """A root link called ``world`` is the ground."""
    children = {joint.child for joint in robot.joints}
    if WORLD in children or WORLD not in {link.name for link in robot.links}:
        return robot
    joints = tuple(replace(j, parent=GROUND) if j.parent == WORLD else j for j in robot.joints)
    return replace(robot, links=tuple(link for link in robot.links if link.name != WORLD), joints=joints)


def _check_tree(robot: RobotDescription) -> None:
    if any(link.name == GROUND for link in robot.links):
        raise FileError(
            f"{robot.file}: a link is called {GROUND!r}, the name of what does not move; rename it, or call it {WORLD!r}."
        )
    seen: dict[str, str] = {}
    for joint in robot.joints:
        if joint.child in seen:
            raise FileError(
                f"{robot.file}: {joint.child!r} is the child of {seen[joint.child]!r} and of {joint.name!r}; "
                "write one of them as a <constraint>, which closes a loop."
            )
        seen[joint.child] = joint.name
    reached, waiting = {GROUND}, [link.name for link in robot.links if link.name not in seen]
    above: dict[str, list[str]] = {}
    for joint in robot.joints:
        above.setdefault(joint.parent, []).append(joint.child)
    waiting += above.get(GROUND, [])
    while waiting:
        name = waiting.pop()
        reached.add(name)
        waiting += above.get(name, [])
    lost = [link.name for link in robot.links if link.name not in reached]
    if lost:
        raise FileError(
            f"{robot.file}: {lost[0]!r} is below itself; joints must make a tree, and loops be <constraint>."
        )


def _joint_names(robot: RobotDescription, notes: list[str]) -> dict[str, str]:
    names = coordinate_names(joint.name for joint in robot.joints if joint.kind not in ("weld", "free"))
    notes += [f"{robot.file}: joint {old!r} is called {new} in formulas" for old, new in names.items() if old != new]
    return names


def _joints(robot: RobotDescription, names: Mapping[str, str]) -> list[Joint]:
    result = []
    for joint in robot.joints:
        at, turned = joint.pose.position, turns(joint.pose.rotation)
        if joint.kind == "free" and joint.parent == GROUND:
            continue  # a free body of its own; where it begins is in the start
        name = names.get(joint.name, "")
        if joint.kind in ("planar", "universal", "free"):
            count = {"planar": 3, "universal": 2, "free": 0}[joint.kind]
            name = " ".join(f"{name}_{i + 1}" for i in range(count))
        result.append(
            Joint(joint.kind, name, joint.parent, joint.child, at, turned, axis_name(joint.axis), joint.in_child)
        )
    return result


def _loops(robot: RobotDescription, notes: list[str]) -> tuple[list[Joint], list[Welded]]:
    """Loops as joints; where the child's axes are not the joint's, to a body without mass that has them."""
    loops, further = [], []
    for loop in robot.loops:
        loop = _placed(robot, loop)
        child, in_child = loop.child, loop.in_child.position
        if loop.kind != "ball" and (turned := turns(loop.in_child.rotation)):
            child, in_child = f"{loop.name} frame", (0.0, 0.0, 0.0)
            weld = Joint("weld", parent=loop.child, child=child, at=loop.in_child.position, turned=turned)
            further.append((Body(child, mass=0), weld))
        at, turned = loop.in_parent.position, turns(loop.in_parent.rotation)
        loops.append(Joint(loop.kind, "", loop.parent, child, at, turned, axis_name(loop.axis), in_child))
    return loops, further


def _placed(robot: RobotDescription, loop: LoopJoint) -> LoopJoint:
    """A loop whose place in the child is where both coincide at zero."""
    if not np.isnan(loop.in_child.position[0]):
        return loop
    poses = reference_poses(robot)
    world = compose(poses[loop.parent], loop.in_parent)
    other = poses[loop.child]
    back = np.array(other.rotation).T
    return replace(loop, in_child=Pose(vector(back @ (np.array(world.position) - np.array(other.position)))))


def reference_poses(robot: RobotDescription) -> dict[str, Pose]:
    """The pose of each link in the world when all coordinates are zero."""
    below: dict[str, list[LinkJoint]] = {}
    for joint in robot.joints:
        below.setdefault(joint.parent, []).append(joint)
    children = {joint.child for joint in robot.joints}
    poses = {GROUND: Pose(), **{link.name: Pose() for link in robot.links if link.name not in children}}
    waiting = list(poses)
    while waiting:
        parent = waiting.pop()
        for joint in below.get(parent, ()):
            x, y, z = joint.in_child
            poses[joint.child] = compose(compose(poses[parent], joint.pose), Pose((-x, -y, -z)))
            waiting.append(joint.child)
    return poses


def _contacts(robot: RobotDescription, wheels: Wheels, contacts: Contacts) -> list[Contact]:
    tables: Iterable[Any] = contacts
    if isinstance(contacts, Mapping):
        tables = [{"body": name, **dict(table)} for name, table in contacts.items()]
    known = {link.name for link in robot.links}
    result = [Contact(name) for name in wheels if name in known]
    for i, table in enumerate(tables):
        contact = record_of(Contact, table, f"{robot.file}: contacts {i + 1}")
        link_named(robot, contact.body, "contacts")
        result = [c for c in result if c.body != contact.body] + [contact]
    return result


def _ground(robot: RobotDescription, ground: Ground | Mapping[str, Any] | str | None, touching: bool) -> Ground | None:
    if ground == PLANE:
        return None
    if ground is not None:
        return record_of(Ground, ground, f"{robot.file}: ground")
    return Ground(height=robot.ground_height) if touching and robot.ground_height else None


def _gravity(gravity: Vector | None) -> float | Vector | None:
    if gravity is None:
        return None
    return -gravity[2] if gravity[0] == gravity[1] == 0 else gravity


@dataclass(frozen=True)
class _Named:
    """A joint that has one coordinate, and the name of that."""

    joint: LinkJoint
    name: str


def _single(robot: RobotDescription, names: Mapping[str, str]) -> list[_Named]:
    return [_Named(joint, names[joint.name]) for joint in robot.joints if joint.kind in ("hinge", "slider")]


def _springs(robot: RobotDescription, names: Mapping[str, str]) -> list[Spring]:
    return [
        Spring(joint=one.name, stiffness=one.joint.stiffness, damping=one.joint.damping, rest=one.joint.rest)
        for one in _single(robot, names)
        if one.joint.stiffness or one.joint.damping
    ]


def _armatures(robot: RobotDescription, names: Mapping[str, str]) -> str | None:
    terms = [f"{one.joint.armature!r}/2*{one.name}dot**2" for one in _single(robot, names) if one.joint.armature]
    return " + ".join(terms) or None


def _motors(robot: RobotDescription, names: Mapping[str, str]) -> list[Motor]:
    inputs = coordinate_names([*names.values(), *(drive.name for drive in robot.drives)])
    return [Motor(names[d.joint], torque=inputs[d.name], gear=d.gear) for d in robot.drives if d.joint in names]


def _motor(joint: str, names: Mapping[str, str]) -> Motor:
    if joint not in names:
        raise ModelError(
            f"motors: there is no moving joint {joint!r}; {meant(joint, names, f'they are {chr(44).join(names)}.')}"
        )
    return Motor(names[joint], torque=f"tau_{names[joint]}")


def _relation(coupling: Coupling, names: Mapping[str, str]) -> str:
    leader = "1" if coupling.leader is None else names[coupling.leader]
    terms = [f"({c!r})*{leader}**{k}" for k, c in enumerate(coupling.coefficients) if c]
    return f"{names[coupling.follower]} - ({' + '.join(terms) or '0'})"


def _afloat(robot: RobotDescription) -> list[str]:
    """The links that a free joint leaves to move in the world."""
    return [joint.child for joint in robot.joints if joint.kind == "free" and joint.parent == GROUND]


def _start(robot: RobotDescription) -> dict[str, float]:
    """Where free bodies begin."""
    free = [joint for joint in robot.joints if joint.kind == "free" and joint.parent == GROUND]
    start = {}
    for joint in free:
        own = "" if len(free) == 1 else f"_{joint.child}"
        for axis, value in zip("xyz", joint.pose.position, strict=True):
            start[f"{axis}{own}"] = value
    return start


TAKEN = frozenset({"t", "g", "x", "y", "z", "w1", "w2", "w3", *RESERVED, *RESULTS})
"""Names that the assembler uses itself, or that formulas do."""


def coordinate_names(names: Iterable[str]) -> dict[str, str]:
    """For each name of a file a name that formulas can hold; different ones stay different.

    >>> coordinate_names(["left-wheel", "left wheel", "hip", "2nd", "t"])
    {'left-wheel': 'left_wheel', 'left wheel': 'left_wheel_2', 'hip': 'hip', '2nd': 'q_2nd', 't': 'q_t'}
    """
    result: dict[str, str] = {}
    used = set(TAKEN)
    for name in names:
        plain = re.sub(r"\W+", "_", name, flags=re.ASCII).strip("_") or "q"
        if plain[0].isdigit() or plain in TAKEN or keyword.iskeyword(plain):
            plain = f"q_{plain}"
        if plain.endswith("dot"):
            plain += "_"
        unique, count = plain, 1
        while unique in used or f"{unique}dot" in used:
            count += 1
            unique = f"{plain}_{count}"
        used |= {unique, f"{unique}dot"}
        result[name] = unique
    return result
