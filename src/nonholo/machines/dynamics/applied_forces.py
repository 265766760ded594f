"""Springs, dampers, motors, loads and gears: potential energies, generalized forces by velocity, constraints, inputs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, gradient, symbol, symbols, vanishes
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError, about, meant
from nonholo.geometry.frames.frame import rate
from nonholo.machines.contact_geometry.rigid_pose import NOWHERE, STILL, Pose, Vector, plus, times_matrix
from nonholo.machines.kinematics.formula_reading import Formulas
from nonholo.machines.kinematics.kinematic_tree import Placed, body_named
from nonholo.machines.kinematics.spatial_vectors import negative, point_place, point_velocity
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import GROUND, Gear, Load, Motor, Spring

HALF = ONE / 2


@dataclass(frozen=True)
class Applied:
    """What acts: potential energy, kinetic energy of rotors, forces by velocity, further constraints."""

    potential: Expr = ZERO
    kinetic: Expr = ZERO
    forces: Mapping[str, Expr] = field(default_factory=dict)
    constraints: tuple[Expr, ...] = ()

    def __add__(self, other: Applied) -> Applied:
        forces = dict(self.forces)
        for name, size in other.forces.items():
            forces[name] = forces.get(name, ZERO) + size
        return Applied(
            self.potential + other.potential,
            self.kinetic + other.kinetic,
            forces,
            (*self.constraints, *other.constraints),
        )


@dataclass(frozen=True)
class Acting:
    """Where forces act: the bodies, the velocities of the frame, the coordinates a motor or spring may hold."""

    machine: MachineData
    placed: Mapping[str, Placed]
    velocities: tuple[str, ...]
    coordinates: tuple[str, ...]
    formulas: Formulas

    def pose(self, name: str, where: str) -> Pose:
        """The pose of a body, or of the ground."""
        return STILL if name == GROUND else self.placed[body_named(self.machine, name, where).name].pose

    def by_power(self, pairs: Sequence[tuple[Sequence[Expr], Sequence[Expr]]]) -> dict[str, Expr]:
        """Generalized forces of forces (or torques) with the velocities of their points: ``Q_j = Σ F·∂v/∂v^j``."""
        found: dict[str, Expr] = {}
        v = symbols(self.velocities)
        for force, velocity in pairs:
            for part, speed in zip(force, velocity):
                if vanishes(part):
                    continue
                for name, slope in zip(self.velocities, gradient(speed, v)):
                    if not vanishes(slope):
                        found[name] = found.get(name, ZERO) + part * slope
        return found

    def coordinate(self, name: str, where: str) -> str:
        """A joint's or wheel's coordinate."""
        if name in self.coordinates:
            return name
        for joint in self.machine.joints:
            if joint.name and name == joint.child and len(joint.name.split()) == 1 and joint.name in self.coordinates:
                return joint.name
        hint = meant(name, self.coordinates, f"they are {', '.join(self.coordinates)}.")
        raise ModelError(f"{self.machine.name}: {where}: no joint or wheel has the coordinate {name!r}; {hint}")


def spring_force(spring: Spring, number: int, acting: Acting) -> Applied:
    """``k (l − l0)²/2`` and a damper beside it, between two points or on a joint."""
    where = f"spring {spring.name or number + 1}"
    read = acting.formulas.number
    stiffness, damping = (
        read(e, f"{where}: {n}") for e, n in ((spring.stiffness, "stiffness"), (spring.damping, "damping"))
    )
    if spring.joint is not None:
        name = acting.coordinate(spring.joint, where)
        bent = symbol(name) - read(spring.rest, f"{where}: rest")
        force = {} if vanishes(damping) else {rate(name): -damping * symbol(rate(name))}
        return Applied(HALF * stiffness * bent**2, forces=force)
    if len(spring.bodies) != 2:
        raise ModelError(f'{acting.machine.name}: {where}: give bodies = ["a", "b"], or joint = "…".')
    places = spring.at or ((), ())
    if len(places) != 2:
        raise ModelError(f"{acting.machine.name}: {where}: at holds two points, one in each body; found {len(places)}.")
    poses = [acting.pose(name, where) for name in spring.bodies]
    points = [acting.formulas.vector(e, f"{where}: at") for e in places]
    one, two = (point_place(pose, point) for pose, point in zip(poses, points))
    apart = plus(two, negative(one))
    square = se.Add(*(e**2 for e in apart))
    rest = read(spring.length, f"{where}: length")
    potential = HALF * stiffness * (square if vanishes(rest) else (se.sqrt(square) - rest) ** 2)
    if vanishes(damping):
        return Applied(potential)
    speeds = [point_velocity(pose, point) for pose, point in zip(poses, points)]
    apace = plus(speeds[1], negative(speeds[0]))
    push = -damping * dot(apart, apace) / square
    return Applied(potential, forces=acting.by_power([([push * e for e in apart], apace)]))


def motor_force(motor: Motor, number: int, acting: Acting) -> Applied:
    """A torque, a prescribed speed, or a DC motor: ``τ = n k (u − n k q̇)/R`` with the voltage limited."""
    where = f"motor {motor.name or motor.joint or number + 1}"
    name = acting.coordinate(motor.joint, where)
    speed = symbol(rate(name))
    read = acting.formulas.number
    kinds = [key for key in ("torque", "speed", "voltage") if getattr(motor, key) is not None]
    if len(kinds) != 1:
        found = " and ".join(kinds) or "none of them"
        raise ModelError(f"{acting.machine.name}: {where}: give one of torque, speed and voltage; found {found}.")
    gear = read(motor.gear, f"{where}: gear")
    rotor = ZERO if motor.inertia is None else HALF * read(motor.inertia, f"{where}: inertia") * (gear * speed) ** 2
    if kinds == ["speed"]:
        return Applied(kinetic=rotor, constraints=(speed - read(motor.speed, f"{where}: speed"),))
    if kinds == ["torque"]:
        size = gear * _limited(read(motor.torque, f"{where}: torque"), motor, acting, where)
        return Applied(kinetic=rotor, forces={rate(name): size})
    for key in ("resistance", "constant"):
        if getattr(motor, key) is None:
            raise ModelError(f"{acting.machine.name}: {where}: a motor with a voltage needs {key} = ….")
    constant = gear * read(motor.constant, f"{where}: constant")
    voltage = _limited(read(motor.voltage, f"{where}: voltage"), motor, acting, where)
    current = (voltage - constant * speed) / read(motor.resistance, f"{where}: resistance")
    return Applied(kinetic=rotor, forces={rate(name): constant * current})


def _limited(value: Expr, motor: Motor, acting: Acting, where: str) -> Expr:
    if motor.limit is None:
        return value
    limit = acting.formulas.number(motor.limit, f"{where}: limit")
    return se.Max(se.Min(value, limit), -limit)


def load_force(load: Load, number: int, acting: Acting) -> Applied:
    """A force at a point and a torque, in world or body axes."""
    where = f"load {load.name or number + 1}"
    if load.axes not in ("world", "body"):
        raise ModelError(f'{acting.machine.name}: {where}: axes = {load.axes!r}; write "world" or "body".')
    pose = acting.pose(load.body, where)
    at = acting.formulas.vector(load.at, f"{where}: at")
    force = acting.formulas.vector(load.force, f"{where}: force")
    torque = _torque(load, acting, where)
    if load.axes == "body":
        force, turning = times_matrix(pose.rotation, force), pose.spin
    else:
        turning = times_matrix(pose.rotation, pose.spin)
    return Applied(forces=acting.by_power([(force, point_velocity(pose, at)), (torque, turning)]))


def _torque(load: Load, acting: Acting, where: str) -> Vector:
    if acting.formulas.plane and not isinstance(load.torque, tuple):
        return (ZERO, ZERO, acting.formulas.number(load.torque, f"{where}: torque"))
    if acting.formulas.plane and isinstance(load.torque, tuple) and load.torque:
        raise ModelError(f"{acting.machine.name}: {where}: in the plane a torque is one number.")
    return acting.formulas.vector(load.torque, f"{where}: torque", NOWHERE)


def gear_constraint(gear: Gear, number: int, acting: Acting) -> Applied:
    """``q̇_1 = n q̇_2``."""
    where = f"gear {gear.name or number + 1}"
    if len(gear.joints) != 2:
        raise ModelError(f'{acting.machine.name}: {where}: give joints = ["a", "b"]; found {list(gear.joints)!r}.')
    one, two = (symbol(rate(acting.coordinate(name, where))) for name in gear.joints)
    if (gear.ratio is None) == (gear.radii is None):
        raise ModelError(f"{acting.machine.name}: {where}: give ratio = … or radii = [r1, r2].")
    if gear.radii is not None:
        first, second = (acting.formulas.number(e, f"{where}: radii") for e in gear.radii)
        return Applied(constraints=(first * one - (second * two if gear.belt else -second * two),))
    return Applied(constraints=(one - acting.formulas.number(gear.ratio, f"{where}: ratio") * two,))


def applied_forces(acting: Acting) -> Applied:
    """Everything that acts."""
    machine = acting.machine
    total = Applied()
    for k, spring in enumerate(machine.springs):
        with about("springs", spring.joint or k):
            total += spring_force(spring, k, acting)
    for k, motor in enumerate(machine.motors):
        with about("motors", motor.joint):
            total += motor_force(motor, k, acting)
    for k, load in enumerate(machine.loads):
        with about("loads", k):
            total += load_force(load, k, acting)
    for k, gear in enumerate(machine.gears):
        with about("gears", k):
            total += gear_constraint(gear, k, acting)
    return total


def new_inputs(machine: MachineData, formulas: Formulas) -> tuple[str, ...]:
    """Names that occur alone in motors and loads and are not defined elsewhere: inputs."""
    values: list[object] = [getattr(m, key) for m in machine.motors for key in ("torque", "speed", "voltage")]
    values += [wheel.motor for wheel in machine.wheels]
    for load in machine.loads:
        values += [*load.force, *(load.torque if isinstance(load.torque, tuple) else (load.torque,))]
    found = [formulas.bare_name(value) for value in values]
    return tuple(dict.fromkeys(name for name in found if name is not None))
