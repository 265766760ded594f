"""A machine's record in maximal coordinates, in numbers alone: poses by Taylor series, contacts and joints by `newton_euler`.

Reads the tables of a machine (masses, joints, wheels, contacts, springs, motors, loads) and none of the package's kinematics,
energies or contact geometry. Positions are polynomials of second degree in time, ``a0 + a1 t + a2 t²`` with the leading index of
every array, so that places, velocities and accelerations come from one recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import Body, Contact, Joint, Shape
from tests.machines import newton_euler as ne

Array = Any
NOWHERE = np.zeros(3)
AXES = dict(zip("xyz", np.eye(3)))
FUNCTIONS = {n: getattr(np, n) for n in ("sin", "cos", "tan", "sqrt", "exp", "pi")}


def number(text: Any, values: Mapping[str, float]) -> float:
    """A number or a formula of the machine's file."""
    return float(eval(str(text), {"__builtins__": {}}, {**FUNCTIONS, **values}))


def vector(given: Sequence[Any], values: Mapping[str, float]) -> Array:
    found = [number(e, values) for e in given]
    return np.array((*found, 0.0, 0.0, 0.0)[:3])


def direction(axis: Any, values: Mapping[str, float]) -> Array:
    return AXES[axis] if isinstance(axis, str) else ne.unit(vector(axis, values))


def product(a: Array, b: Array) -> Array:
    """Of two series of matrices, or of a matrix and a vector."""
    return np.array([sum(a[i] @ b[k - i] for i in range(k + 1)) for k in range(3)])


def still(value: Array) -> Array:
    value = np.asarray(value, dtype=float)
    return np.array([value, 0 * value, 0 * value])


def turn(axis: Array, angle: Array) -> Array:
    """Rodrigues' rotation by an angle that is a series."""
    s, c = np.sin(angle[0]), np.cos(angle[0])
    sine = np.array([s, c * angle[1], c * angle[2] - s * angle[1] ** 2 / 2])
    less = np.array([1 - c, s * angle[1], s * angle[2] + c * angle[1] ** 2 / 2])
    k = ne.hat(axis)
    return still(np.eye(3)) + sine[:, None, None] * k + less[:, None, None] * (k @ k)


@dataclass
class Moving:
    """A body: its numbers, and its frame's origin and rotation as series."""

    mass: float
    inertia: Array
    center: Array
    origin: Array
    rotation: Array
    shape: Shape | None = None

    def rigid(self) -> ne.Rigid:
        place = self.origin + product(self.rotation, still(self.center))
        spin = self.rotation[1] @ self.rotation[0].T
        return ne.Rigid(self.mass, self.inertia, place[0], self.rotation[0], place[1], _axial(spin))

    def acceleration(self) -> Array:
        """Six numbers: of the centre of mass and of the angular velocity, world axes."""
        place = self.origin + product(self.rotation, still(self.center))
        turning = 2 * self.rotation[2] @ self.rotation[0].T + self.rotation[1] @ self.rotation[1].T
        return np.concatenate([2 * place[2], _axial(turning)])


def _axial(matrix: Array) -> Array:
    return np.array([matrix[2, 1] - matrix[1, 2], matrix[0, 2] - matrix[2, 0], matrix[1, 0] - matrix[0, 1]]) / 2


@dataclass
class Witness:
    """Bodies, what holds them together, what touches, and the forces of weight, springs and motors."""

    machine: MachineData
    series: Mapping[str, Array]
    """Coordinates of the machine; of rotations by matrix under the name of the body a series of matrices."""
    values: Mapping[str, float]
    """Parameters, inputs, time."""
    bodies: dict[str, Moving] = field(default_factory=dict)
    joints: list[ne.Constraint] = field(default_factory=list)
    contacts: dict[str, ne.Constraint] = field(default_factory=dict)
    torques: list[tuple[str, str, Array, float]] = field(default_factory=list)
    """Child, parent, axis in the world, size."""
    finds: dict[str, Callable[[Sequence[ne.Place], Any], tuple[Array, Array]]] = field(default_factory=dict)
    touching: dict[str, str] = field(default_factory=dict)
    """Contact -> the body that touches."""
    axles: dict[str, tuple[str, str, Array]] = field(default_factory=dict)
    """Coordinate of a hinge -> child, parent, axis in the world."""
    rails: dict[str, tuple[str, str, Array]] = field(default_factory=dict)
    """Coordinate of a slider -> the same."""
    pushes: list[tuple[str, Array, Array]] = field(default_factory=list)
    """Body, point in the world, force."""

    def ways(self, name: str, places: Sequence[ne.Place]) -> list[Array]:
        """The directions of a contact's rows in the world."""
        body = self.index(self.touching[name])
        return [np.real(row[body][:3]) for row, _ in self.contacts[name](places, 0.0)]

    def index(self, name: str) -> int:
        return ne.GROUND if name == "ground" else list(self.bodies).index(name)

    def n(self, text: Any) -> float:
        return number(text, self.values)

    def rigids(self) -> list[ne.Rigid]:
        return [one.rigid() for one in self.bodies.values()]

    # bodies and joints

    def build(self) -> Witness:
        machine = self.machine
        children = {j.child: j for j in machine.joints}
        waiting = list(machine.bodies)
        while waiting:
            body = next(b for b in waiting if b.name not in children or children[b.name].parent in (*self.bodies, "ground"))
            waiting.remove(body)
            joint = children.get(body.name, Joint("planar" if machine.plane else "free", body.free or "", child=body.name))
            self.bodies[body.name] = self.moving(body, joint)
        for joint in (*machine.joints, *machine.loops):
            self.hold(joint)
        for body in machine.bodies:
            if machine.plane and body.name not in children:
                self.joints.append(ne.joint("planar", ne.GROUND, self.index(body.name), -self.bodies[body.name].center))
        for k, wheel in enumerate(machine.wheels):
            self.wheel(wheel, k)
        for k, caster in enumerate(machine.casters):
            self.caster(caster, k)
        for contact in machine.contacts:
            self.touch(contact)
        self.act()
        return self

    def moving(self, body: Body, joint: Joint) -> Moving:
        parent = self.bodies.get(joint.parent)
        origin, rotation = (parent.origin, parent.rotation) if parent else (still(np.zeros(3)), still(np.eye(3)))
        origin = origin + product(rotation, still(vector(joint.at, self.values)))
        for step in joint.turned:
            for axis, angle in step.items():
                rotation = product(rotation, turn(AXES[axis], still(self.n(angle))))
        names = joint.name.split()
        if joint.type == "hinge":
            own = turn(direction(joint.axis, self.values), self.series[names[0]])
        elif joint.type == "slider":
            way = still(direction(joint.axis, self.values))
            own, origin = still(np.eye(3)), origin + product(rotation, self.series[names[0]][:, None] * way[0])
        elif joint.type == "ball":
            own = self.series[body.name]
        elif joint.type == "planar":
            x, y, angle = (self.series[n] for n in names or ("x", "y", "theta"))
            origin = origin + np.stack([x, y, 0 * x], axis=1)
            own = turn(AXES["z"], angle)
        elif joint.type == "free":
            names = names or ["x", "y", "z"]
            origin = origin + np.stack([self.series[n] for n in names[:3]], axis=1)
            if len(names) == 6:
                own = still(np.eye(3))
                for axis, name in zip("zxy", names[3:]):
                    own = product(own, turn(AXES[axis], self.series[name]))
            else:
                own = self.series[body.name]
        else:
            own = still(np.eye(3))
        rotation = product(rotation, own)
        origin = origin - product(rotation, still(vector(joint.in_child, self.values)))
        mass, inertia, center = self.mass(body)
        return Moving(mass, inertia, center, origin, rotation, body.shape if isinstance(body.shape, Shape) else None)

    def mass(self, body: Body) -> tuple[float, Array, Array]:
        mass, center = self.n(body.mass), vector(body.center, self.values) if body.center else self.middle(body)
        if body.inertia is None:
            return mass, self.homogeneous(body.shape, mass), center
        if isinstance(body.inertia, Mapping):
            entry = {k: self.n(e) for k, e in body.inertia.items()}
            rows = [[entry.get("".join(sorted((i, j))), 0.0) for j in "xyz"] for i in "xyz"]
            return mass, np.array(rows), center
        if isinstance(body.inertia, tuple):
            return mass, np.diag(vector(body.inertia, self.values)), center
        return mass, np.diag([0, 0, self.n(body.inertia)]), center

    def middle(self, body: Body) -> Array:
        """The centre of mass of a body that gives none: that of its shape, in the plane its origin."""
        shape = body.shape
        if not isinstance(shape, Shape) or self.machine.plane:
            return np.zeros(3)
        up = self.n(shape.length) / 4 * direction(shape.axis or "z", self.values) if shape.kind == "cone" else 0.0
        return vector(shape.offset, self.values) + up

    def homogeneous(self, shape: Any, mass: float) -> Array:
        if not isinstance(shape, Shape) or mass == 0:
            return np.zeros((3, 3))
        r = self.n(shape.radius) if shape.radius is not None else 0.0
        axle = direction(shape.axis or "y", self.values)
        if shape.kind == "ball":
            return 0.4 * mass * r**2 * np.eye(3)
        if shape.kind == "wheel":
            q = self.n(shape.tube)
            ring = r - q
            axial, radial = mass * (ring**2 + 0.75 * q**2), mass * (ring**2 / 2 + 0.625 * q**2)
        elif shape.kind == "disk":
            axial, radial = mass * r**2 / 2, mass * r**2 / 4
        elif shape.kind == "cone":
            axle = direction(shape.axis or "z", self.values)
            axial, radial = 0.3 * mass * r**2, mass * (0.15 * r**2 + 0.0375 * self.n(shape.length) ** 2)
        else:  # a cylinder
            axle = direction(shape.axis or "z", self.values)
            axial, radial = mass * r**2 / 2, mass * (3 * r**2 + self.n(shape.length) ** 2) / 12
        return radial * np.eye(3) + (axial - radial) * np.outer(axle, axle)

    def hold(self, joint: Joint) -> None:
        child, parent = self.bodies[joint.child], self.bodies.get(joint.parent)
        base = np.eye(3) if parent is None else parent.rotation[0]
        axis = direction(joint.axis, self.values)
        for step in reversed(joint.turned):
            for name, angle in step.items():
                axis = ne.turn(AXES[name], self.n(angle)) @ axis
        place = vector(joint.in_child, self.values) - child.center
        self.joints.append(ne.joint(joint.type, self.index(joint.parent), self.index(joint.child), place, axis))
        if joint.type == "hinge":
            self.axles[joint.name] = (joint.child, joint.parent, base @ axis)
        elif joint.type == "slider":
            self.rails[joint.name] = (joint.child, joint.parent, base @ axis)

    # the plane

    def part(self, name: str, parent: str, at: Array, axis: str, angle: Array, inertia: Array, mass: float = 0.0) -> str:
        """A further body on a hinge."""
        base = self.bodies[parent]
        rotation = product(base.rotation, turn(AXES[axis], angle))
        self.bodies[name] = Moving(mass, inertia, np.zeros(3), base.origin + product(base.rotation, still(at)), rotation)
        self.joints.append(ne.joint("hinge", self.index(parent), self.index(name), np.zeros(3), AXES[axis]))
        self.axles[name.removesuffix(" spin")] = (name, parent, base.rotation[0] @ AXES[axis])
        return name

    def wheel(self, wheel: Any, number_: int) -> None:
        name = wheel.name or f"{wheel.body} wheel {number_ + 1}"
        inertia = [self.n(e) for e in wheel.inertia] if isinstance(wheel.inertia, tuple) else self.n(wheel.inertia or 0)
        carrier, at = wheel.body, vector(wheel.at, self.values)
        if wheel.steer is not None:
            moving = wheel.steer in self.series
            angle = self.series[wheel.steer] if moving else still(self.n(wheel.steer))
            fork = inertia[0] if isinstance(inertia, list) else inertia if wheel.radius is None else 0.0
            carrier = self.part(wheel.steer if moving else f"{name} fork", carrier, at, "z", angle, np.diag([0, 0, fork]))
            if not moving:
                self.joints[-1] = ne.joint("weld", self.index(wheel.body), self.index(carrier), np.zeros(3))
            at = np.zeros(3)
        if wheel.radius is not None:
            axle = inertia[1] if isinstance(inertia, list) else inertia
            self.part(f"{name} spin", carrier, at, "y", self.series[name], np.diag([0, axle, 0]))
            if wheel.motor is not None:
                self.drive(name, self.n(wheel.motor))
            carrier, at = f"{name} spin", np.zeros(3)
            self.rolls(name, carrier, self.n(wheel.radius), None if wheel.roller is None else self.n(wheel.roller))
        else:
            self.rolls(name, carrier, None, None, at - self.bodies[carrier].center)
            if wheel.motor is not None:
                self.drive(wheel.steer, self.n(wheel.motor))

    def caster(self, caster: Any, number_: int) -> None:
        fork, axle = (self.n(e) for e in caster.inertia)
        at = vector(caster.at, self.values)
        self.part(caster.name, caster.body, at, "z", self.series[caster.name], np.diag([0, 0, fork]))
        name, mass = f"{caster.name}_spin", 0.0 if caster.mass is None else self.n(caster.mass)
        behind = np.array([-self.n(caster.trail), 0.0, 0.0])
        if caster.radius is None:
            self.part(name, caster.name, behind, "z", still(0.0), np.zeros((3, 3)), mass)
            self.joints[-1] = ne.joint("weld", self.index(caster.name), self.index(name), np.zeros(3))
            self.rolls(caster.name, name, None, None, np.zeros(3))
            return
        self.part(f"{name} spin", caster.name, behind, "y", self.series[name], np.diag([0, axle, 0]), mass)
        self.rolls(caster.name, f"{name} spin", self.n(caster.radius), None)

    def rolls(self, name: str, body: str, radius: float | None, roller: float | None, at: Array = NOWHERE) -> None:
        """Rows along and across of a vertical wheel, or across alone."""
        k, up = self.index(body), np.array([0, 0, 1.0])

        def rows(places: Sequence[ne.Place], _: Any) -> list[ne.Row]:
            point = ne.at(places, k, at) - (radius or 0.0) * up
            left = places[k][1] @ AXES["y"]
            ahead = ne.cross(left, up)
            free = [] if roller is not None else [left]
            wanted = [*([ahead] if radius is not None and roller is None else []), *free]
            wanted += [np.cos(roller) * ahead + np.sin(roller) * left] if roller is not None else []
            return [(ne.relative(places, k, ne.GROUND, point, d), 0.0) for d in wanted]

        self.contacts[name], self.touching[name] = rows, body
        self.finds[name] = lambda places, t: (ne.at(places, k, at) - (radius or 0.0) * up, up)

    # contacts in space

    def touch(self, contact: Contact) -> None:
        from tests.machines.witness_contacts import touching

        name = contact.name or contact.body
        body, on = self.bodies[contact.body], self.bodies.get(contact.on)
        find, carried = touching(self, contact, body, on)
        k, other = self.index(contact.body), self.index(contact.on)
        roller = 0.0 if contact.roller is None else self.n(contact.roller)
        self.finds[name] = lambda places, t: find(places[k], None if other == ne.GROUND else places[other], t)

        def rows(places: Sequence[ne.Place], t: Any) -> list[ne.Row]:
            point, normal = self.finds[name](places, t)
            one, two = ne.across(normal)
            if contact.kind == "blade":
                ahead = places[k][1] @ vector(contact.along or (1, 0, 0), self.values)
                two = ne.cross(normal, ne.unit(ahead - (ahead @ normal) * normal))
            if contact.roller is not None:
                ahead = ne.unit(ne.cross(places[k][1] @ AXES["y"], normal))
                way = np.cos(roller) * ahead + np.sin(roller) * ne.cross(normal, ahead)
                return [(ne.relative(places, k, other, point, d), d @ carried(point, t)) for d in (normal, way)]
            wanted = {"sliding": (normal,), "blade": (normal, two)}.get(contact.kind, (normal, one, two))
            return [(ne.relative(places, k, other, point, d), d @ carried(point, t)) for d in wanted]

        self.contacts[name], self.touching[name] = rows, contact.body
        if contact.kind == "rubber":
            self.joints.append(lambda places, t: [(ne.turning(k, other, self.finds[name](places, t)[1]), 0.0)])

    # forces

    def drive(self, name: str, size: float) -> None:
        if name in self.rails:
            child, parent, axis = self.rails[name]
            point = self.bodies[child].rigid().r
            self.pushes += [(one, point, sign * size * axis) for one, sign in ((child, 1), (parent, -1)) if one != "ground"]
            return
        child, parent, axis = self.axles[name]
        self.torques.append((child, parent, axis, size))

    def act(self) -> None:
        for spring in self.machine.springs:
            angle = self.series[spring.joint]
            stretched = angle[0] - self.n(spring.rest)
            self.drive(spring.joint, -self.n(spring.stiffness) * stretched - self.n(spring.damping) * angle[1])
        for motor in self.machine.motors:
            if motor.speed is None:
                self.drive(motor.joint, self.n(motor.torque))
            else:
                self.joints.append(lambda places, t, motor=motor: [self.turned(places, motor.joint, self.n(motor.speed))])
        for load in self.machine.loads:
            pushed = self.bodies[load.body]
            force = vector(load.force, {**self.values, **{n: e[0] for n, e in self.series.items() if np.ndim(e) == 1}})
            place = pushed.origin[0] + pushed.rotation[0] @ vector(load.at, self.values)
            self.pushes.append((load.body, place, pushed.rotation[0] @ force if load.axes == "body" else force))
        for gear in self.machine.gears:
            (one, two), ratio = gear.joints, self.n(gear.ratio)
            self.joints.append(lambda places, t, one=one, two=two, ratio=ratio: [self.geared(places, one, two, ratio)])

    def geared(self, places: Sequence[ne.Place], one: str, two: str, ratio: float) -> ne.Row:
        row: dict[int, Array] = {}
        for name, factor in ((one, 1.0), (two, -ratio)):
            for k, part in self.turned(places, name, 0.0)[0].items():
                row[k] = row.get(k, 0) + factor * part
        return row, 0.0

    def turned(self, places: Sequence[ne.Place], name: str, rate: float) -> ne.Row:
        """The rate of a hinge is prescribed; its axis is fixed in the parent."""
        child, parent, axis = self.axles[name]
        base = self.bodies[parent].rotation[0] if parent in self.bodies else np.eye(3)
        way = ne.axis_of(places, self.index(parent), base.T @ axis)
        return ne.turning(self.index(child), self.index(parent), way), rate

    def forces(self) -> Array:
        given = self.machine.gravity
        pull = np.zeros(3) if self.machine.plane else np.array([0, 0, -self.values.get("g", 9.81)])
        pull = vector(given, self.values) if isinstance(given, tuple) else pull
        result = np.array([[*(one.mass * pull), 0, 0, 0] for one in self.bodies.values()])
        for child, parent, axis, size in self.torques:
            for name, sign in ((child, 1), (parent, -1)):
                if name != "ground":
                    result[self.index(name), 3:] += sign * size * axis
        for name, point, force in self.pushes:
            arm = point - self.bodies[name].rigid().r
            result[self.index(name)] += np.concatenate([force, np.cross(arm, force)])
        for load in self.machine.loads:
            torque = load.torque if isinstance(load.torque, tuple) else (0, 0, load.torque)
            result[self.index(load.body), 3:] += vector(torque, self.values) if torque else 0.0
        return result
