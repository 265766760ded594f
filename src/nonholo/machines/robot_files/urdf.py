"""URDF: links, inertials, joints, mimic joints, and loops as the proposed ``<constraint>`` writes them.

A link's frame is the frame of the joint above it. Of a joint's ``<dynamics>`` the damping is read; of its shapes spheres,
cylinders, capsules and boxes; of a mesh the name of its file. Loops: ``<constraint type=…>`` with ``parent``, ``parent_origin``,
``parent_axis``, ``child``, ``child_origin`` [urdfdom, proposal 264], and
``<loop>``, ``<coupling>`` of URDF+ [Chignoli et al. 2024].
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from nonholo.errors import FileError, meant
from nonholo.machines.robot_files.frame_rotations import from_rpy, matrix, unit, vector, with_z_along
from nonholo.machines.robot_files.geom_inertia import scale_of
from nonholo.machines.robot_files.robot_description import (
    GROUND,
    Coupling,
    Geometry,
    JointKind,
    Link,
    LinkJoint,
    LoopJoint,
    Pose,
    RobotDescription,
)
from nonholo.machines.robot_files.xml_elements import Element

KINDS: dict[str, JointKind] = {
    "revolute": "hinge", "continuous": "hinge", "prismatic": "slider", "fixed": "weld", "floating": "free", "planar": "planar",
    "spherical": "ball", "ball": "ball", "universal": "universal",
}  # fmt: skip
WORLD = "world"
"""The name of a root link that is the ground."""
WITHOUT_MECHANICS = {"material", "visual", "origin", "parent", "child", "axis", "calibration"}


def read_urdf(root: Element, file: str) -> RobotDescription:
    """The description of the robot under a ``<robot>`` element.

    >>> from nonholo.machines.robot_files.xml_elements import parse_xml
    >>> text = b'''<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="2"/></inertial></link>
    ... <joint name="hip" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>'''
    >>> robot = read_urdf(parse_xml(text, "r.urdf"), "r.urdf")
    >>> robot.joints[0].kind, robot.links[1].mass
    ('hinge', 2.0)
    """
    left: list[str] = []
    root = _with_defaults_of_variables(root, left)
    links = tuple(_link(e, left) for e in root.all("link"))
    _refuse_twice([e.text("name") for e in root.all("link")], "links", file)
    known = {link.name for link in links}
    _refuse_twice([e.text("name") for e in root.all("joint")], "joints", file)
    joints = tuple(_joint(e, known, left) for e in root.all("joint"))
    names = {joint.name for joint in joints}
    couplings = (*_mimics(root, names, left), *(_coupled(e, joints) for e in root.all("coupling")))
    loops = (*(_constraint(e, known) for e in root.all("constraint")), *(_loop(e, known) for e in root.all("loop")))
    left += _strangers(root)
    return RobotDescription(
        root.text("name", "robot"), file, links, joints, loops, tuple(couplings), not_understood=tuple(left)
    )


def _with_defaults_of_variables(element: Element, left: list[str]) -> Element:
    """``$(optenv NAME value)``, which launch files leave behind, by its value; the environment is not read."""
    attributes = {}
    for key, text in element.attributes.items():
        attributes[key] = re.sub(r"\$\(optenv\s+\w+\s*([^()$]*)\)", r"\1", text)
        if attributes[key] != text:
            left.append(f"{element.place}: {text} is taken as {attributes[key]!r}")
    children = [_with_defaults_of_variables(child, left) for child in element.children]
    return Element(element.tag, attributes, element.file, element.line, children)


def _strangers(root: Element) -> Iterator[str]:
    understood = {"link", "joint", "material", "constraint", "loop", "coupling"}
    for element in root.children:
        if element.tag.startswith("xacro"):
            raise FileError(
                f"{element.place}: macros are not expanded here; run `xacro robot.xacro > robot.urdf` first."
            )
        if element.tag == "transmission":
            yield f"{element.place}: transmissions are not read; give motors=[…] with the names of the driven joints"
        elif element.tag not in understood:
            yield f"{element.place}: not read"


def _refuse_twice(names: list[str], what: str, file: str) -> None:
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise FileError(f"{file}: two {what} are called {twice[0]!r}; every name must be different.")


def pose_of(element: Element | None) -> Pose:
    """An ``<origin xyz rpy>`` as a pose; the identity when there is none."""
    if element is None:
        return Pose()
    return Pose(
        vector(element.numbers("xyz", 3, (0.0, 0.0, 0.0))), matrix(from_rpy(element.numbers("rpy", 3, (0.0, 0.0, 0.0))))
    )


def _link(element: Element, left: list[str]) -> Link:
    name = element.text("name")
    shapes = tuple(
        shape
        for group in ("collision", "visual")
        for holder in element.all(group)
        for shape in _shapes(holder, group == "collision", left)
    )
    known = ("inertial", "visual", "collision")
    left += [f"{e.place} of link {name!r}: not read" for e in element.children if e.tag not in known]
    inertial = element.first("inertial")
    if inertial is None:
        return Link(name, shapes=shapes)
    pose = pose_of(inertial.first("origin"))
    mass = inertial.first("mass")
    if mass is None:
        raise FileError(f'{inertial.place} of link {name!r} has no mass; write <mass value="…"/>.')
    moments = inertial.first("inertia")
    tensor = np.zeros((3, 3))
    if moments is not None:
        for (i, j), key in {
            (0, 0): "ixx",
            (0, 1): "ixy",
            (0, 2): "ixz",
            (1, 1): "iyy",
            (1, 2): "iyz",
            (2, 2): "izz",
        }.items():
            tensor[i, j] = tensor[j, i] = moments.number(key, 0.0)
    turned = np.array(pose.rotation)
    return Link(name, mass.number("value"), pose.position, matrix(turned @ tensor @ turned.T), shapes)


def _shapes(holder: Element, collides: bool, left: list[str]) -> Iterator[Geometry]:
    geometry = holder.first("geometry")
    pose = pose_of(holder.first("origin"))
    for shape in geometry.children if geometry is not None else ():
        if shape.tag == "sphere":
            yield Geometry("ball", (shape.number("radius"),), pose, collides)
        elif shape.tag in ("cylinder", "capsule"):
            size = (shape.number("radius"), shape.number("length") / 2)
            yield Geometry("cylinder" if shape.tag == "cylinder" else "capsule", size, pose, collides)
        elif shape.tag == "box":
            yield Geometry("box", tuple(s / 2 for s in shape.numbers("size", 3)), pose, collides)
        elif shape.tag == "mesh":
            scale = scale_of(shape.numbers("scale", None, (1.0,)))
            yield Geometry("mesh", (), pose, collides, shape.text("filename", ""), scale)
        else:
            left.append(f"{shape.place}: a shape that is not read")


def _joint(element: Element, links: set[str], left: list[str]) -> LinkJoint:
    name, kind = element.text("name"), element.text("type")
    if kind not in KINDS:
        hint = meant(kind, KINDS, f"the types are {', '.join(KINDS)}.")
        raise FileError(f"{element.place}: unknown type {kind!r}; {hint}")
    ends = [_end(element, end, links) for end in ("parent", "child")]
    axis, dynamics, limit = element.first("axis"), element.first("dynamics"), element.first("limit")
    along = (1.0, 0.0, 0.0) if axis is None else axis.numbers("xyz", 3)
    damping = 0.0
    if dynamics is not None:
        damping = dynamics.number("damping", 0.0)
        if dynamics.number("friction", 0.0):
            left.append(
                f"{dynamics.place} of joint {name!r}: dry friction {dynamics.number('friction')} is not applied"
            )
    if limit is not None and kind in ("revolute", "prismatic"):
        lower, upper = limit.number("lower", 0.0), limit.number("upper", 0.0)
        left.append(f"{limit.place} of joint {name!r}: the stops at {lower} and {upper} are not enforced")
    left += [
        f"{e.place} of joint {name!r}: not read"
        for e in element.children
        if e.tag not in {*WITHOUT_MECHANICS, "dynamics", "limit", "mimic"}
    ]
    turning = KINDS[kind] in ("hinge", "slider", "planar")
    along = vector(unit(along, f"{element.place}: its axis")) if turning else (0.0, 0.0, 1.0)
    return LinkJoint(
        name, KINDS[kind], ends[0], ends[1], pose_of(element.first("origin")), vector(along), damping=damping
    )


def _end(element: Element, end: str, links: set[str]) -> str:
    found = element.first(end)
    if found is None:
        raise FileError(f'{element.place} has no {end}; write <{end} link="…"/>.')
    name = found.text("link")
    if name not in links and name != WORLD:
        hint = meant(name, links, "every link of a joint needs a <link> of its own.")
        raise FileError(f"{found.place}: there is no link {name!r}; {hint}")
    return GROUND if name == WORLD and name not in links else name


def _mimics(root: Element, joints: set[str], left: list[str]) -> Iterator[Coupling]:
    """Joints that follow others; a fixed joint neither follows nor leads."""
    fixed = {e.text("name") for e in root.all("joint") if e.text("type") == "fixed"}
    for element in root.all("joint"):
        mimic = element.first("mimic")
        if mimic is None:
            continue
        leader = mimic.text("joint")
        if leader not in joints:
            hint = meant(leader, joints, "it must be one of the file.")
            raise FileError(f"{mimic.place}: there is no joint {leader!r}; {hint}")
        if fixed & {element.text("name"), leader}:
            left.append(f"{mimic.place}: a fixed joint mimics none and is mimicked by none")
            continue
        yield Coupling(element.text("name"), leader, (mimic.number("offset", 0.0), mimic.number("multiplier", 1.0)))


def _constraint(element: Element, links: set[str]) -> LoopJoint:
    kind = element.text("type")
    if kind not in KINDS:
        raise FileError(f"{element.place}: unknown type {kind!r}; the types are {', '.join(KINDS)}.")
    axis = element.first("parent_axis") or element.first("axis")
    own = element.first("child_axis")
    in_child = pose_of(element.first("child_origin"))
    along = (0.0, 0.0, 1.0) if axis is None else vector(unit(axis.numbers("xyz", 3), axis.place))
    if own is not None and axis is not None:  # the child's axes, turned so that both axes have the same components
        there = unit(own.numbers("xyz", 3), own.place)
        turned = with_z_along(there) @ with_z_along(along).T
        in_child = Pose(in_child.position, matrix(np.array(in_child.rotation) @ turned))
    return LoopJoint(
        element.text("name"), KINDS[kind], _end(element, "parent", links), _end(element, "child", links),
        pose_of(element.first("parent_origin")), in_child, along,
    )  # fmt: skip


def _loop(element: Element, links: set[str]) -> LoopJoint:
    """``<loop>`` of URDF+: predecessor and successor, each with its link and origin."""
    kind = element.text("type")
    if kind not in KINDS:
        raise FileError(f"{element.place}: unknown type {kind!r}; the types are {', '.join(KINDS)}.")
    names, poses = [], []
    for end in ("predecessor", "successor"):
        names.append(_end(element, end, links))
        found = element.first(end)
        poses.append(pose_of(found.first("origin") if found is not None else None))
    axis = element.first("axis")
    along = (0.0, 0.0, 1.0) if axis is None else vector(unit(axis.numbers("xyz", 3), axis.place))
    return LoopJoint(element.text("name"), KINDS[kind], names[0], names[1], poses[0], poses[1], along)


def _coupled(element: Element, joints: tuple[LinkJoint, ...]) -> Coupling:
    """``<coupling>`` of URDF+: the coordinate above the successor's link is ratio times that above the predecessor's."""
    above = {joint.child: joint.name for joint in joints}
    ends = []
    for end in ("predecessor", "successor"):
        link = _end(element, end, set(above))
        ends.append(above[link])
    ratio = element.first("ratio")
    return Coupling(ends[1], ends[0], (0.0, 1.0 if ratio is None else ratio.number("value")))


__all__ = ["read_urdf"]
