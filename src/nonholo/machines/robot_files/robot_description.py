"""The content of a robot file as plain numbers in SI units and radians, for every format."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Vector: TypeAlias = tuple[float, float, float]
Matrix: TypeAlias = tuple[Vector, Vector, Vector]
JointKind: TypeAlias = Literal["hinge", "slider", "ball", "planar", "weld", "free", "universal"]

ORIGIN: Vector = (0.0, 0.0, 0.0)
UNTURNED: Matrix = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
GROUND = "ground"


@dataclass(frozen=True)
class Pose:
    """The pose of a frame in another: its origin, and its axes as the columns of a rotation matrix."""

    position: Vector = ORIGIN
    rotation: Matrix = UNTURNED


@dataclass(frozen=True)
class Geometry:
    """A shape of a link. Sizes: ball (radius), cylinder and capsule (radius, half length along z), box (half sides), ellipsoid
    (half axes), mesh (none; the name of its file and how it is scaled)."""

    kind: Literal["ball", "cylinder", "capsule", "box", "ellipsoid", "mesh"]
    size: tuple[float, ...]
    pose: Pose = Pose()
    collides: bool = True
    mesh: str = ""
    scale: Vector = (1.0, 1.0, 1.0)


@dataclass(frozen=True)
class Link:
    """A rigid body: mass, centre of mass and inertia matrix about it, in the link's axes; and its shapes."""

    name: str
    mass: float = 0.0
    center: Vector = ORIGIN
    inertia: Matrix = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    shapes: tuple[Geometry, ...] = ()


@dataclass(frozen=True)
class LinkJoint:
    """A joint of the tree: its frame in the parent, its axis in that frame, where it sits in the child (whose axes are the
    joint's at zero), and what acts on its coordinate."""

    name: str
    kind: JointKind
    parent: str
    child: str
    pose: Pose = Pose()
    axis: Vector = (0.0, 0.0, 1.0)
    in_child: Vector = ORIGIN
    stiffness: float = 0.0
    rest: float = 0.0
    damping: float = 0.0
    armature: float = 0.0
    """Inertia of the drive, added to that of the coordinate."""


@dataclass(frozen=True)
class LoopJoint:
    """A joint between links that are connected already: its frame in each of them, and its axis in that frame."""

    name: str
    kind: JointKind
    parent: str
    child: str
    in_parent: Pose
    in_child: Pose
    axis: Vector = (0.0, 0.0, 1.0)


@dataclass(frozen=True)
class Coupling:
    """A polynomial relation of two joint coordinates: ``follower = Σ coefficients[k] leader**k``; without leader, a value."""

    follower: str
    leader: str | None
    coefficients: tuple[float, ...]


@dataclass(frozen=True)
class Drive:
    """A motor on a joint: torque or force = gear × control."""

    name: str
    joint: str
    gear: float = 1.0


@dataclass(frozen=True)
class RobotDescription:
    """All that was understood of a robot file, and in ``not_understood`` what was not."""

    name: str
    file: str
    links: tuple[Link, ...]
    joints: tuple[LinkJoint, ...]
    loops: tuple[LoopJoint, ...] = ()
    couplings: tuple[Coupling, ...] = ()
    drives: tuple[Drive, ...] = ()
    gravity: Vector | None = None
    ground_height: float | None = None
    """The height of a horizontal ground that the file itself declares."""
    not_understood: tuple[str, ...] = ()
