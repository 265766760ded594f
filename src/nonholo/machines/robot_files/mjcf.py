"""MJCF: bodies, joints, geoms (whose masses count where a body has no ``inertial``), equalities and motors.

A body with several joints becomes a chain of bodies without mass; joints turn about axes of the body's frame, in order.
[MuJoCo XML reference: compiler, option, worldbody, equality, actuator.]
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath

import numpy as np

from nonholo.errors import FileError, meant
from nonholo.machines.robot_files.frame_rotations import (
    compose,
    from_axis_angle,
    from_euler,
    from_quaternion,
    matrix,
    unit,
    vector,
    with_z_along,
)
from nonholo.machines.robot_files.geom_inertia import Mass, of_shape, scale_of, together, turned, volume
from nonholo.machines.robot_files.mjcf_defaults import with_defaults, with_includes
from nonholo.machines.robot_files.mjcf_equalities import couplings_of, drives_of, loops_of
from nonholo.machines.robot_files.robot_description import (
    GROUND,
    Geometry,
    Link,
    LinkJoint,
    Pose,
    RobotDescription,
    Vector,
)
from nonholo.machines.robot_files.xml_elements import Element

DENSITY = 1000.0
READ = {"default", "compiler", "option", "worldbody", "equality", "actuator"}
DRAWN_ONLY = {"visual", "statistic", "asset", "size"}
APPLIED = ("equality", "passive", "spring", "damper", "actuation")
"""Flags of parts that are read."""
MEDIUM = ("density", "viscosity", "wind", "magnetic")


@dataclass(frozen=True)
class Compiler:
    """Conventions of ``<compiler>`` for angles and frames."""

    degrees: bool = True
    sequence: str = "xyz"
    from_geoms: str = "auto"
    least_mass: float = 0.0
    least_inertia: float = 0.0
    balanced: bool = False

    def angle(self, value: float) -> float:
        """An angle in radians."""
        return math.radians(value) if self.degrees else value


@dataclass
class Reading:
    """What has been read so far."""

    compiler: Compiler
    links: list[Link] = field(default_factory=list)
    joints: list[LinkJoint] = field(default_factory=list)
    sites: dict[str, tuple[str, Pose]] = field(default_factory=dict)
    left: list[str] = field(default_factory=list)
    ground_height: float | None = None
    meshes: dict[str, tuple[str, Vector]] = field(default_factory=dict)
    """File and scale of each mesh of the model."""


def read_mjcf(root: Element, file: str, folder: Path | None = None) -> RobotDescription:
    """The description of the model under a ``<mujoco>`` element; included files are searched below ``folder``.

    >>> from nonholo.machines.robot_files.xml_elements import parse_xml
    >>> text = b'''<mujoco><worldbody><body name="arm"><joint name="hip" axis="0 1 0"/>
    ... <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.05" mass="2"/></body></worldbody></mujoco>'''
    >>> robot = read_mjcf(parse_xml(text, "arm.xml"), "arm.xml")
    >>> robot.links[0].mass, robot.links[0].center
    (2.0, (0.0, 0.0, -0.5))
    """
    whole = with_defaults(with_includes(root, folder))
    compiler = _compiler(whole)
    reading = Reading(compiler, meshes=_meshes(whole))
    for world in whole.all("worldbody"):
        _world(world, reading)
    options = list(whole.all("option"))
    gravity = next((o.numbers("gravity", 3) for o in reversed(options) if "gravity" in o.attributes), (0.0, 0.0, -9.81))
    for option in options:
        reading.left += [
            f"{option.place}: {key} of the medium is not applied"
            for key in MEDIUM
            if key in option.attributes and any(option.numbers(key))
        ]
        for flag in option.all("flag"):
            off = [key for key, value in flag.attributes.items() if value == "disable"]
            gravity = (0.0, 0.0, 0.0) if "gravity" in off else gravity
            reading.left += [f"{flag.place}: {key} is applied although the file disables it" for key in off if key in APPLIED]
    loops = loops_of(whole, reading.links, reading.sites, reading.left)
    couplings = couplings_of(whole, reading.joints, reading.left)
    drives = drives_of(whole, reading.joints, reading.left)
    reading.left += _strangers(whole)
    return RobotDescription(
        whole.text("model", "robot"), file, tuple(_scaled(whole, reading.links)), tuple(reading.joints), tuple(loops),
        tuple(couplings), tuple(drives), vector(gravity), reading.ground_height, tuple(reading.left),
    )  # fmt: skip


def _compiler(root: Element) -> Compiler:
    result = Compiler()
    for element in root.all("compiler"):
        words = element.attributes
        result = replace(
            result,
            degrees=words.get("angle", "degree" if result.degrees else "radian") == "degree",
            sequence=words.get("eulerseq", result.sequence),
            from_geoms=words.get("inertiafromgeom", result.from_geoms),
            least_mass=element.number("boundmass", result.least_mass),
            least_inertia=element.number("boundinertia", result.least_inertia),
            balanced=words.get("balanceinertia", "true" if result.balanced else "false") == "true",
        )
        if words.get("coordinate", "local") != "local":
            raise FileError(
                f"{element.place}: global coordinates are not read; save the model with a current MuJoCo first."
            )
    if sorted(result.sequence.lower()) != ["x", "y", "z"] and len(result.sequence) != 3:
        raise FileError(f"{root.file}: eulerseq {result.sequence!r} is not three of x, y, z, X, Y, Z.")
    return result


def _scaled(root: Element, links: list[Link]) -> Iterator[Link]:
    total = next((c.number("settotalmass", -1.0) for c in root.all("compiler") if "settotalmass" in c.attributes), -1.0)
    now = sum(link.mass for link in links)
    factor = total / now if total > 0 and now > 0 else 1.0
    for link in links:
        scaled = matrix(factor * np.array(link.inertia))
        yield link if factor == 1.0 else replace(link, mass=factor * link.mass, inertia=scaled)


def _strangers(root: Element) -> Iterator[str]:
    for element in root.children:
        if element.tag in READ | DRAWN_ONLY:
            continue
        inside = len(element.children)
        yield f"{element.place}: not read" + (f" ({inside} elements inside)" if inside else "")


def pose(element: Element, compiler: Compiler) -> Pose:
    """Position and orientation of an element, however it is written."""
    position = vector(element.numbers("pos", 3, (0.0, 0.0, 0.0)))
    words = element.attributes
    rotation = np.eye(3)
    if "quat" in words:
        rotation = from_quaternion(element.numbers("quat", 4))
    elif "axisangle" in words:
        *axis, angle = element.numbers("axisangle", 4)
        rotation = from_axis_angle(axis, compiler.angle(angle))
    elif "euler" in words:
        rotation = from_euler([compiler.angle(a) for a in element.numbers("euler", 3)], compiler.sequence)
    elif "xyaxes" in words:
        given = element.numbers("xyaxes", 6)
        x = unit(given[:3], element.place)
        y = unit(np.array(given[3:]) - float(np.dot(given[3:], x)) * x, element.place)
        rotation = np.column_stack([x, y, np.cross(x, y)])
    elif "zaxis" in words:
        rotation = with_z_along(element.numbers("zaxis", 3))
    return Pose(position, matrix(rotation))


def _world(world: Element, reading: Reading) -> None:
    for element in _framed(world, Pose(), reading):
        if element[0].tag == "body":
            _body(element[0], element[1], GROUND, reading)
        elif element[0].tag == "geom" and element[0].attributes.get("type", "sphere") == "plane":
            _ground(element[0], reading)
        elif element[0].tag == "site":
            reading.sites[element[0].attributes.get("name", "")] = (GROUND, element[1])
        elif element[0].tag == "geom" and not _never_touches(element[0]):
            reading.left.append(
                f"{element[0].place}: an obstacle fixed in the world is not a ground; give ground=… for one"
            )
        elif element[0].tag not in ("geom", "light", "camera"):
            reading.left.append(f"{element[0].place}: not read")


def _never_touches(element: Element) -> bool:
    return element.attributes.get("contype") == "0" and element.attributes.get("conaffinity") == "0"


def _ground(element: Element, reading: Reading) -> None:
    where = pose(element, reading.compiler)
    if abs(where.rotation[2][2] - 1) > 1e-12:
        reading.left.append(f"{element.place}: a plane that is not horizontal is not a ground; give ground=…")
    elif not _never_touches(element):
        reading.ground_height = where.position[2]


def _framed(holder: Element, frame: Pose, reading: Reading) -> Iterator[tuple[Element, Pose]]:
    """The elements of a body with their poses, those inside of ``<frame>`` too."""
    for child in holder.children:
        own = compose(frame, pose(child, reading.compiler))
        if child.tag == "frame":
            yield from _framed(child, own, reading)
        else:
            yield child, own


def _body(element: Element, where: Pose, parent: str, reading: Reading) -> None:
    name = element.attributes.get("name") or f"body {len(reading.links) + 1}"
    if any(link.name == name for link in reading.links):
        raise FileError(f"{element.place}: two bodies are called {name!r}; every name must be different.")
    inside = list(_framed(element, Pose(), reading))
    joints = [e for e, _ in inside if e.tag in ("joint", "freejoint")]
    above, first = parent, where
    for i, joint in enumerate(joints):
        last = i == len(joints) - 1
        child = name if last else f"{name} (joint {i + 1})"
        if not last:
            reading.links.append(Link(child))
        reading.joints.append(_joint(joint, above, child, first, i, reading))
        above, first = child, Pose()
    if not joints:
        reading.joints.append(LinkJoint(f"{name} fixed", "weld", parent, name, where))
    shapes, masses = _geoms(inside, reading)
    mass, center, inertia = _inertial(element, masses, reading)
    reading.links.append(Link(name, mass, center, inertia, tuple(shapes)))
    for part, place in inside:
        if part.tag == "site":
            reading.sites[part.attributes.get("name", "")] = (name, place)
        elif part.tag == "body":
            _body(part, place, name, reading)
        elif part.tag not in ("joint", "freejoint", "geom", "inertial", "light", "camera"):
            reading.left.append(f"{part.place}: not read")
    if element.attributes.get("mocap") == "true":
        reading.left.append(f"{element.place}: mocap is not read; the body stays where it is")
    if element.number("gravcomp", 0.0):
        reading.left.append(f"{element.place}: gravcomp is not applied")


def _joint(element: Element, parent: str, child: str, where: Pose, index: int, reading: Reading) -> LinkJoint:
    kind = "free" if element.tag == "freejoint" else element.attributes.get("type", "hinge")
    kinds = {"hinge": "hinge", "slide": "slider", "ball": "ball", "free": "free"}
    if kind not in kinds:
        hint = meant(kind, kinds, "the types are hinge, slide, ball, free.")
        raise FileError(f"{element.place}: unknown type {kind!r}; {hint}")
    name = element.attributes.get("name") or f"{child} joint {index + 1}"
    if kind in ("free", "ball") and element.number("armature", 0.0):
        reading.left.append(f"{element.place}: armature of a {kind} joint is not applied")
    if kind == "free":
        return LinkJoint(name, "free", parent, child, where)
    place = vector(element.numbers("pos", 3, (0.0, 0.0, 0.0)))
    # the joint's frame has the body's axes and stands at the joint, where the body is in its reference
    at = compose(where, Pose(place))
    axis = element.numbers("axis", 3, (0.0, 0.0, 1.0))
    turning = kind in ("hinge", "ball")
    scale = reading.compiler.angle if turning else float
    own = element.attributes
    for key, words in (("frictionloss", "dry friction"), ("actuatorgravcomp", "gravity compensation")):
        if key in own and own[key] not in ("0", "false"):
            reading.left.append(f"{element.place}: {words} ({key}) is not applied")
    if "range" in own and own.get("limited", "auto") != "false":
        reading.left.append(f"{element.place}: the stops of its range {own['range']} are not enforced")
    if element.number("ref", 0.0):
        reading.left.append(f"{element.place}: ref is not read; the coordinate is 0 where the file has {own['ref']}")
    rest = scale(element.number("springref", 0.0)) - scale(element.number("ref", 0.0))
    return LinkJoint(
        name, "hinge" if kind == "hinge" else "slider" if kind == "slide" else "ball", parent, child, at,
        vector(unit(axis, f"{element.place}: its axis")) if kind != "ball" else (0.0, 0.0, 1.0), place,
        element.numbers("stiffness", None, (0.0,))[0], rest, element.numbers("damping", None, (0.0,))[0],
        element.number("armature", 0.0),
    )  # fmt: skip


def _geoms(inside: list[tuple[Element, Pose]], reading: Reading) -> tuple[list[Geometry], list[Mass]]:
    shapes, masses = [], []
    for element, where in inside:
        if element.tag != "geom":
            continue
        shape = _shape(element, where, reading)
        if shape is None:
            continue
        shapes.append(shape)
        if shape.kind == "mesh":
            if element.attributes.get("mass") != "0" and element.attributes.get("density") != "0":
                reading.left.append(f"{element.place}: the mass of a mesh is not computed; give its body an <inertial>")
            continue
        mass = (
            element.number("mass")
            if "mass" in element.attributes
            else element.number("density", DENSITY) * volume(shape)
        )
        masses.append(of_shape(shape, mass))
    return shapes, masses


def _shape(element: Element, where: Pose, reading: Reading) -> Geometry | None:
    kind = element.attributes.get("type", "mesh" if "mesh" in element.attributes else "sphere")
    collides = not _never_touches(element)
    size = element.numbers("size", None, ())
    if "fromto" in element.attributes and kind in ("capsule", "cylinder", "box", "ellipsoid"):
        ends = np.array(element.numbers("fromto", 6)).reshape(2, 3)
        # ends are in the frame the geom stands in: undo its own pose
        own = pose(element, reading.compiler)
        frame = np.array(where.rotation) @ np.array(own.rotation).T
        origin = np.array(where.position) - frame @ np.array(own.position)
        axis = (ends[0] - ends[1]) if float(np.linalg.norm(ends[0] - ends[1])) > 0 else np.array([0.0, 0.0, 1.0])
        where = Pose(vector(origin + frame @ ends.mean(axis=0)), matrix(frame @ with_z_along(vector(axis))))
        half = float(np.linalg.norm(ends[1] - ends[0])) / 2
        size = (
            (size[0], half)
            if kind in ("capsule", "cylinder")
            else (size[0], size[1] if len(size) > 1 else size[0], half)
        )
    needed = {"sphere": 1, "capsule": 2, "cylinder": 2, "box": 3, "ellipsoid": 3}
    if kind == "mesh":
        file, scale = reading.meshes.get(element.attributes.get("mesh", ""), ("", (1.0, 1.0, 1.0)))
        return Geometry("mesh", (), where, collides, file, scale)
    if kind not in needed:
        reading.left.append(f"{element.place}: a geom of type {kind!r} is not read")
        return None
    if len(size) < needed[kind]:
        raise FileError(f"{element.place}: a {kind} needs {needed[kind]} sizes; {len(size)} were found.")
    sizes = size[: needed[kind]]
    if kind == "sphere":
        return Geometry("ball", sizes, where, collides)
    return Geometry(kind, sizes, where, collides)  # type: ignore[arg-type]


def _meshes(whole: Element) -> dict[str, tuple[str, Vector]]:
    """The files of meshes by the names that geoms use, below the folder that ``<compiler meshdir=…>`` names."""
    folder = next((e.text("meshdir") for e in whole.all("compiler") if "meshdir" in e.attributes), "")
    folder = folder or next((e.text("assetdir") for e in whole.all("compiler") if "assetdir" in e.attributes), "")
    found = {}
    for mesh in (mesh for asset in whole.all("asset") for mesh in asset.all("mesh") if "file" in mesh.attributes):
        file = mesh.text("file")
        name = mesh.text("name", PurePosixPath(file).stem)
        found[name] = (str(PurePosixPath(folder) / file), scale_of(mesh.numbers("scale", None, (1.0,))))
    return found


def _inertial(element: Element, masses: list[Mass], reading: Reading) -> Mass:
    own = element.first("inertial")
    compiler = reading.compiler
    if own is None or compiler.from_geoms == "true":
        mass, center, inertia = together(masses)
    else:
        where = pose(own, compiler)
        rotation = np.array(where.rotation)
        mass, center = own.number("mass"), where.position
        if "fullinertia" in own.attributes:
            xx, yy, zz, xy, xz, yz = own.numbers("fullinertia", 6)
            full = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
            inertia = matrix(rotation @ full @ rotation.T)
        else:
            inertia = turned(own.numbers("diaginertia", 3, (0.0, 0.0, 0.0)), rotation)
    if compiler.least_mass or compiler.least_inertia or compiler.balanced:
        values, axes = np.linalg.eigh(np.array(inertia))
        values = np.maximum(values, compiler.least_inertia)
        if compiler.balanced and values[0] + values[1] < values[2]:
            values[:] = values.mean()
        mass, inertia = max(mass, compiler.least_mass), turned(list(values), axes)
    return mass, center, inertia
