"""Links as bodies with shapes; wheels with the disk or ball they roll on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeAlias

import numpy as np

from nonholo.errors import ModelError, meant
from nonholo.machines.machine_records import Body, Joint, Shape
from nonholo.machines.robot_files.frame_rotations import vector, zyx_angles
from nonholo.machines.robot_files.geom_inertia import mesh_shape
from nonholo.machines.robot_files.robot_description import Geometry, Link, Matrix, Pose, RobotDescription, Vector

Wheels: TypeAlias = Sequence[str] | Mapping[str, float]
"""The links that roll, or the radius of each."""
Welded: TypeAlias = tuple[Body, Joint]
"""A body without mass and the joint that welds it to a link."""


def link_named(robot: RobotDescription, name: str, where: str) -> Link:
    known = {link.name: link for link in robot.links}
    if name not in known:
        hint = meant(name, known, f"its links are {', '.join(list(known)[:12])}.")
        raise ModelError(f"{robot.file}: {where}: there is no link {name!r}; {hint}")
    return known[name]


def wheel_shapes(robot: RobotDescription, wheels: Wheels) -> dict[str, Shape]:
    """The disk or ball that each wheel rolls on."""
    if isinstance(wheels, str) or not isinstance(wheels, (Sequence, Mapping)):
        raise ModelError(f'{robot.file}: wheels is {wheels!r}; a list of links was needed, e.g. wheels=["left_wheel"].')
    given = dict(wheels) if isinstance(wheels, Mapping) else dict.fromkeys(wheels)
    result = {}
    for name, radius in given.items():
        link = link_named(robot, name, "wheels")
        round_ones = [s for s in link.shapes if s.kind in ("ball", "cylinder")]
        if radius is not None:
            above = next((joint for joint in robot.joints if joint.child == name and joint.kind == "hinge"), None)
            axle, middle = (above.axis, above.in_child) if above else ("y", (0, 0, 0))
            result[name] = Shape("disk", radius=radius, axis=axle, offset=middle)
        elif not round_ones:
            raise ModelError(
                f"{robot.file}: wheels: link {name!r} has no cylinder or sphere to take the radius from; "
                f'give it, wheels={{"{name}": 0.1}}.'
            )
        else:
            shape = round_ones[0]
            axis = _axle(vector(np.array(shape.pose.rotation)[:, 2])) if shape.kind == "cylinder" else None
            kind = "disk" if shape.kind == "cylinder" else "ball"
            result[name] = Shape(kind, radius=shape.size[0], axis=axis, offset=shape.pose.position)
    return result


def _axle(axis: Vector) -> str | Vector:
    """An axis by its letter where it is one, however rounded."""
    for letter, k in (("x", 0), ("y", 1), ("z", 2)):
        if abs(abs(axis[k]) - 1) < 1e-9:
            return letter
    return axis


def bodies_of(
    robot: RobotDescription, round_ones: Mapping[str, Shape], notes: list[str], folder: Path
) -> tuple[list[Body], list[Welded]]:
    """Each link as a body with its first shape; further ones and turned boxes on bodies without mass, welded to it.

    Of a link that has nothing but meshes these are drawn by their hulls, where the files are at hand.
    """
    bodies, welds = [], []
    simpler = [link.name for link in robot.links if {"mesh"} < {s.kind for s in link.shapes}]
    if simpler:
        notes.append(f"{robot.file}: meshes are not drawn, but other shapes of the same links: {', '.join(simpler)}")
    for link in robot.links:
        shape = round_ones.get(link.name)
        drawn = [s for s in link.shapes if s.kind != "mesh" and s.collides] or [
            s for s in link.shapes if s.kind != "mesh"
        ]
        if shape is None and len(drawn) == 1 and _plain(drawn[0]):
            shape = _shape(drawn[0])
        elif shape is None:
            for i, piece in enumerate(drawn):
                at, turned = piece.pose.position, turns(piece.pose.rotation)
                own = _shape(replace(piece, pose=Pose()))
                name = f"{link.name} shape {i + 1}"
                welds.append(
                    (Body(name, mass=0, shape=own), Joint("weld", parent=link.name, child=name, at=at, turned=turned))
                )
        meshes = [s for s in link.shapes if s.kind == "mesh"]
        if shape is None and not drawn and meshes:
            hulls = _hulls(link, [s for s in meshes if not s.collides] or meshes, folder)
            welds += hulls or _inertia_box(link)
            how = "by its convex hull, rounded" if hulls else "as a box with its inertia, since its file is not at hand"
            notes.append(f"{robot.file}: link {link.name!r}: its mesh is drawn {how}")
        xx, xy, xz, yy, yz, zz = (link.inertia[i][j] for i, j in ((0, 0), (0, 1), (0, 2), (1, 1), (1, 2), (2, 2)))
        tensor = {"xx": xx, "yy": yy, "zz": zz, "xy": xy, "xz": xz, "yz": yz}
        bodies.append(Body(link.name, link.mass, tensor, link.center, shape=shape))
    return bodies, welds


def _plain(shape: Geometry) -> bool:
    return shape.kind in ("ball", "cylinder", "capsule") or shape.pose.rotation == Pose().rotation


def _shape(shape: Geometry) -> Shape:
    s, offset = shape.size, shape.pose.position
    axis = _axle(vector(np.array(shape.pose.rotation)[:, 2]))
    match shape.kind:
        case "ball":
            return Shape("ball", radius=s[0], offset=offset)
        case "box":
            return Shape("box", x=2 * s[0], y=2 * s[1], z=2 * s[2], offset=offset)
        case "ellipsoid":
            return Shape("ellipsoid", a=s[0], b=s[1], c=s[2], offset=offset)
    return Shape(shape.kind, radius=s[0], length=2 * s[1], axis=axis, offset=offset)


def _hulls(link: Link, meshes: Sequence[Geometry], folder: Path) -> list[Welded]:
    """Bodies without mass in the shape of a link's meshes; empty where a file is not at hand."""
    shapes = [mesh_shape(mesh, folder) for mesh in meshes]
    found: list[Welded] = []
    for i, (mesh, shape) in enumerate(zip(meshes, shapes)):
        if shape is None:
            return []
        name = f"{link.name} shape" if len(meshes) == 1 else f"{link.name} shape {i + 1}"
        at, turned = mesh.pose.position, turns(mesh.pose.rotation)
        weld = Joint("weld", parent=link.name, child=name, at=at, turned=turned)
        found.append((Body(name, mass=0, inertia=[0, 0, 0], shape=shape), weld))
    return found


def _inertia_box(link: Link) -> list[Welded]:
    """The homogeneous box with a link's mass and moments of inertia."""
    if link.mass <= 0:
        return []
    values, axes = np.linalg.eigh(np.array(link.inertia))
    if np.linalg.det(axes) < 0:
        axes[:, 0] *= -1
    squares = [6 * (values.sum() - 2 * v) / link.mass for v in values]
    if min(squares) <= 0:
        return []
    x, y, z = (float(np.sqrt(s)) for s in squares)
    name = f"{link.name} shape"
    rotation: Matrix = (vector(axes[0]), vector(axes[1]), vector(axes[2]))
    return [
        (
            Body(name, mass=0, shape=Shape("box", x=x, y=y, z=z)),
            Joint("weld", parent=link.name, child=name, at=link.center, turned=turns(rotation)),
        )
    ]


def turns(rotation: Matrix) -> list[dict[str, float]]:
    """A rotation as turns about own axes z, y, x; those by zero are left out."""
    yaw, pitch, roll = zyx_angles(np.array(rotation))
    return [{axis: angle} for axis, angle in (("z", yaw), ("y", pitch), ("x", roll)) if abs(angle) > 1e-15]


def axis_name(axis: Vector) -> str | Vector:
    for letter, k in (("x", 0), ("y", 1), ("z", 2)):
        if abs(axis[k] - 1) < 1e-12:
            return letter
    return axis
