"""Frozen records of a machine: bodies, joints, contacts, wheels, forces, ground; the keys of a file with ``[[bodies]]``.

Every number is a number, text in parameters and ``t``, or an expression. Lists become tuples and tables `FrozenMap`, so that
records are hashable and never change; `nonholo.machines.machine` has the record that holds them all.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import ClassVar, TypeAlias

from nonholo.errors import ModelError
from nonholo.machines.record_tables import Record, record_of
from nonholo.model.declared_words import Formula

Vector: TypeAlias = Sequence[Formula]
"""Two or three numbers or texts."""
GROUND = "ground"
"""The name of what does not move by itself: a parent of joints, a partner of contacts."""


@dataclass(frozen=True)
class Shape(Record):
    """A shape in a body: for contact, inertia and pictures.

    ``kind`` is ``disk`` (radius), ``wheel`` (radius to the tread, tube), ``ball`` (radius), ``ellipsoid`` (a, b, c),
    ``cylinder`` and ``cone`` (radius, length), ``rod`` (length), ``box`` (x, y, z: its sides), ``capsule`` (radius, length)
    or ``convex`` (support: text in n1, n2, n3). ``axis`` is the axle of disks and wheels; ``offset`` shifts the shape in the
    body.

    >>> Shape("disk", radius="r").axis is None
    True
    """

    TITLE: ClassVar[str] = "shape"
    kind: str
    radius: Formula | None = None
    tube: Formula | None = None
    a: Formula | None = None
    b: Formula | None = None
    c: Formula | None = None
    x: Formula | None = None
    y: Formula | None = None
    z: Formula | None = None
    length: Formula | None = None
    support: Formula | None = None
    axis: str | Vector | None = None
    """``"y"`` for disks and wheels, ``"z"`` for cylinders, cones, rods and capsules by default."""
    offset: Vector = (0, 0, 0)


@dataclass(frozen=True)
class Body(Record):
    """A rigid body: mass, inertia about its centre of mass in body axes, centre of mass in the body's frame.

    ``inertia`` is three moments, a table with xx, yy, zz, xy, xz, yz (the entries of the matrix), in the plane one number; left
    out it is that of the homogeneous shape, without shape that of a point. ``free`` names the coordinates of a body that is
    no joint's child: ``"x y z yaw roll pitch"``, ``"x y z matrix"``, ``"x y z quaternion"``, in the plane ``"x y theta"``.

    ``joint``, ``wheel`` and ``contact`` are those of the body itself, whose name they need not give; ``copies`` makes a chain of
    so many bodies, ``link 1``, ``link 2``, …, each of which hangs on the one before by a joint: see
    `nonholo.machines.shorthands`.

    >>> Body("frame", mass=85, shape={"kind": "box", "x": 1, "y": 0.2, "z": 0.5}).shape.kind
    'box'
    """

    TITLE: ClassVar[str] = "body"
    TABLES: ClassVar[tuple[str, ...]] = ("joint",)
    name: str
    mass: Formula | None = None
    inertia: Formula | Vector | Mapping[str, Formula] | None = None
    center: Vector = ()
    free: str | None = None
    shape: Shape | Mapping[str, object] | None = None
    joint: Mapping[str, object] | None = None
    wheel: Mapping[str, object] | Sequence[Mapping[str, object]] | None = None
    contact: Mapping[str, object] | Sequence[Mapping[str, object]] | None = None
    copies: int | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.name.strip():
            raise ModelError('body: its name is empty; give name = "frame".')
        if self.shape is not None and not isinstance(self.shape, (Shape, Mapping)):
            needed = 'shape = {kind = "ball", radius = 0.1}'
            raise ModelError(f"body {self.name!r}: shape = {self.shape!r}; a table was needed, {needed}.")
        if isinstance(self.shape, Mapping):
            if "kind" not in self.shape:
                word = next((key for key in self.shape if key not in {field.name for field in fields(Shape)}), "ball")
                message = f"body {self.name!r}: shape says no kind; write shape = {{kind = \"{word}\", …}}."
                raise ModelError(message, key=("shape",))
            try:
                object.__setattr__(self, "shape", record_of(Shape, self.shape, f"body {self.name!r}: shape"))
            except ModelError as trouble:
                raise trouble.below("shape") from None


@dataclass(frozen=True)
class Joint(Record):
    """A joint between a parent and its child; also a loop, between bodies that are connected already.

    ``type`` is ``hinge``, ``slider``, ``cylindrical``, ``universal``, ``ball``, ``planar``, ``weld`` or ``free``; ``name``
    the names of its coordinates, of a ball joint of the rotation matrix. ``at`` and ``turned`` place the joint's frame in the
    parent, ``axis`` is in that frame, ``in_child`` is where the joint is in the child, whose axes are the joint's at zero.
    ``motor`` is a torque (or force) on its coordinate, ``stiffness`` and ``damping`` a spring there.

    >>> Joint("hinge", "steer", "frame", "fork", at=[0.9, 0, 0.7], turned=[{"y": "lam"}]).at
    (0.9, 0, 0.7)
    """

    TITLE: ClassVar[str] = "joint"
    type: str = "hinge"
    name: str = ""
    parent: str = GROUND
    child: str = ""
    at: Vector = ()
    turned: Sequence[Mapping[str, Formula]] = ()
    axis: str | Vector = "z"
    in_child: Vector = ()
    motor: Formula | None = None
    stiffness: Formula = 0
    damping: Formula = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if isinstance(self.turned, Mapping):
            object.__setattr__(self, "turned", (self.turned,))


@dataclass(frozen=True)
class Contact(Record):
    """A contact of a body's shape (or of its point ``at``) with the ground or another body.

    ``kind`` is ``rolling`` (no slip), ``rubber`` (and no spin), ``blade`` (none across ``along``) or ``sliding``. ``roller``
    is the angle of the rollers of a mecanum or omni wheel from the axle. With ``inside`` the other body is touched from
    inside, as a drum is. With ``slips`` it rolls until it slips, with ``lifts`` it may open. In the plane it is a point ``at``
    that rubs on the ground under a ``load``, or a blade along ``along``.

    >>> Contact("rear wheel", friction="mu").kind
    'rolling'
    """

    TITLE: ClassVar[str] = "contact"
    body: str = ""
    name: str = ""
    on: str = GROUND
    kind: str = "rolling"
    at: Vector | None = None
    along: Vector | None = None
    roller: Formula | None = None
    friction: Formula | None = None
    spin: Formula | None = None
    rolling: Formula | None = None
    slips: bool = False
    lifts: bool = False
    restitution: Formula | None = None
    inside: bool = False
    load: Formula | None = None
    """The normal force in the plane, which does not know it."""


@dataclass(frozen=True)
class Wheel(Record):
    """A vertical wheel in the plane: it does not slip sideways; with a radius it has an angle ``name`` of its own and rolls.

    ``steer`` is a coordinate's name (with its own inertia), an input's name, or a fixed angle; ``law`` an angle in time.
    ``inertia`` is about the axle; of a steered wheel about the vertical; of one that does both ``[vertical, axle]``.
    ``relaxation`` with ``cornering`` is a tyre with that relaxation length and stiffness instead of a constraint. ``pair`` is two
    names, of a wheel and of its mirror image on the other side of the body; ``motor`` then has two as well.

    >>> Wheel("car", steer="delta", at=[0.8, 0]).radius is None
    True
    """

    TITLE: ClassVar[str] = "wheel"
    body: str = ""
    name: str = ""
    at: Vector = (0, 0)
    steer: Formula | None = None
    law: Formula | None = None
    radius: Formula | None = None
    inertia: Formula | Vector | None = None
    roller: Formula | None = None
    motor: str | None = None
    friction: Formula | None = None
    slips: bool = False
    load: Formula | None = None
    """The normal force, for friction: the plane does not know it."""
    relaxation: Formula | None = None
    cornering: Formula | None = None
    pair: str | None = None


@dataclass(frozen=True)
class Caster(Record):
    """A wheel in the plane that trails behind its own hinge; ``name`` is the hinge's angle, ``name_spin`` the wheel's.

    ``inertia`` is that of the fork about the vertical and of the wheel about its axle; ``mass`` is that of the wheel. ``pair`` is
    two names, of a caster and of its mirror image.

    >>> Caster("base", "c1", [0.25, 0.12], trail=0.03, radius=0.04).trail
    0.03
    """

    TITLE: ClassVar[str] = "caster"
    body: str = ""
    name: str = ""
    at: Vector = (0, 0)
    trail: Formula = 0
    radius: Formula | None = None
    inertia: Vector = (0, 0)
    mass: Formula | None = None
    friction: Formula | None = None
    slips: bool = False
    load: Formula | None = None
    pair: str | None = None


@dataclass(frozen=True)
class Spring(Record):
    """A spring with damper between points of two bodies, or of a joint.

    >>> Spring(joint="steer", stiffness="ks", damping="cs").rest
    0
    """

    TITLE: ClassVar[str] = "spring"
    bodies: Sequence[str] = ()
    at: Sequence[Vector] = ()
    stiffness: Formula = 0
    length: Formula = 0
    damping: Formula = 0
    joint: str | None = None
    rest: Formula = 0
    name: str = ""


@dataclass(frozen=True)
class Motor(Record):
    """A motor on a joint or a wheel's angle: a torque, a prescribed speed, or a voltage with gear, resistance and constant.

    >>> Motor("wr", voltage="u", gear=30, resistance=1.2, constant=0.05, limit=12).gear
    30
    """

    TITLE: ClassVar[str] = "motor"
    joint: str = ""
    torque: Formula | None = None
    speed: Formula | None = None
    voltage: Formula | None = None
    gear: Formula = 1
    resistance: Formula | None = None
    constant: Formula | None = None
    limit: Formula | None = None
    inertia: Formula | None = None
    """Of the rotor, before the gear."""
    name: str = ""


@dataclass(frozen=True)
class Sensor(Record):
    """A named output: ``imu``, ``gyro`` or ``position`` of a body's point, ``encoder`` of a joint, ``contact force`` of a
    contact.

    >>> Sensor("imu", "imu", body="base", at=[0, 0, 0.1]).at
    (0, 0, 0.1)
    """

    TITLE: ClassVar[str] = "sensor"
    name: str = ""
    kind: str = "position"
    body: str | None = None
    joint: str | None = None
    contact: str | None = None
    at: Vector = ()
    every: Formula | None = None
    noise: Formula | None = None


@dataclass(frozen=True)
class Load(Record):
    """A force at a point of a body and a torque on it; ``axes`` is ``world`` or ``body``.

    >>> Load("frame", [0, 0, 1], force=["Fx", 0, 0]).axes
    'world'
    """

    TITLE: ClassVar[str] = "load"
    body: str = ""
    at: Vector = ()
    force: Vector = ()
    torque: Formula | Vector = ()
    axes: str = "world"
    name: str = ""


@dataclass(frozen=True)
class Gear(Record):
    """A gear or belt: the first joint turns ``ratio`` times as fast as the second (negative where it turns the other way).

    ``radii`` are those of two wheels in mesh (``belt = false``: they turn against each other) or of two pulleys (``belt =
    true``).

    >>> Gear(["left", "right"], ratio=-1).joints
    ('left', 'right')
    """

    TITLE: ClassVar[str] = "gear"
    joints: Sequence[str] = ()
    ratio: Formula | None = None
    radii: Vector | None = None
    belt: bool = False
    name: str = ""


@dataclass(frozen=True)
class Ground(Record):
    """The ground; by default the plane z = 0.

    One of ``height`` (z = f(x, y)), ``sphere`` or ``cylinder`` (radius; ``inside`` for a bowl or a tube), ``cone`` (its half
    angle), ``implicit`` (a function that is zero on it, positive above), ``grid`` (a file or array of heights with ``cell``, the
    middle at the origin unless ``corner`` says where the first height is) or ``slope`` (a plane that falls along +x). It may turn
    about z (``turning``) and be shaken (``moving``).

    >>> Ground(height="0.1*sin(x)").height
    '0.1*sin(x)'
    """

    TITLE: ClassVar[str] = "ground"
    height: Formula | None = None
    sphere: Formula | None = None
    cylinder: Formula | None = None
    cone: Formula | None = None
    inside: bool = False
    implicit: Formula | None = None
    grid: str | Sequence[Vector] | None = None
    cell: Formula | None = None
    corner: Vector | None = None
    slope: Formula | None = None
    turning: Formula | None = None
    moving: Vector | None = None
