"""Mass, centre of mass and inertia of bodies; kinetic and potential energy as sums over the bodies."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, expand, vanishes
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot
from nonholo.errors import ModelError
from nonholo.machines.contact_geometry.rigid_pose import NOWHERE, Pose, Vector, times_matrix
from nonholo.machines.contact_geometry.shape_record import ShapeGeometry, centre_of_mass, homogeneous_inertia
from nonholo.machines.contact_geometry.support_functions import read_shape
from nonholo.machines.kinematics.formula_reading import Formulas
from nonholo.machines.kinematics.kinematic_tree import Placed
from nonholo.machines.kinematics.spatial_vectors import parallel, point_place, point_velocity
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import Body, Shape
from nonholo.machines.record_tables import table_of

HALF = ONE / 2
ENTRIES = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "xz": (0, 2), "yz": (1, 2)}


@dataclass(frozen=True)
class Inertia:
    """Mass, centre of mass in the body's frame, inertia matrix about it in body axes; ``shape`` where there is one."""

    mass: Expr
    center: Vector
    matrix: Matrix
    shape: ShapeGeometry | None = None


def inertia_of(body: Body, formulas: Formulas) -> Inertia:
    """Mass properties of a body as declared, completed from a homogeneous shape."""
    where = f"body {body.name!r}"
    if body.mass is None:
        raise ModelError(f"{formulas.machine}: {where} has no mass; give mass = …, in kg (0 for a part without mass).")
    mass = formulas.number(body.mass, f"{where}: mass")
    if mass.is_Number and float(mass) < 0:
        raise ModelError(f"{formulas.machine}: {where}: mass = {mass}; a mass is not negative.")
    shape = shape_of(body, formulas)
    middle = centre_of_mass(shape) if shape is not None and not formulas.plane else NOWHERE
    center = formulas.vector(body.center, f"{where}: center", middle)
    return Inertia(mass, center, _matrix(body, shape, mass, formulas, f"{where}: inertia"), shape)


def _matrix(body: Body, shape: ShapeGeometry | None, mass: Expr, formulas: Formulas, where: str) -> Matrix:
    given = body.inertia
    if given is None:
        if shape is None or vanishes(mass):
            return _diagonal(ZERO, ZERO, ZERO)
        (a, b, c), (d, e, f), (g, h, i) = homogeneous_inertia(shape, mass)
        return _diagonal(ZERO, ZERO, i) if formulas.plane else ((a, b, c), (d, e, f), (g, h, i))
    if formulas.plane:
        if isinstance(given, (Mapping, tuple)):
            raise ModelError(
                f"{formulas.machine}: {where}: in the plane it is one number, about the vertical; found {given!r}."
            )
        return _diagonal(ZERO, ZERO, formulas.number(given, where))
    if isinstance(given, Mapping):
        stray = [key for key in given if key not in ENTRIES]
        if stray:
            raise ModelError(
                f"{formulas.machine}: {where}: no entry {stray[0]!r}; the entries are {', '.join(ENTRIES)}."
            )
        entries = {ENTRIES[key]: formulas.number(value, f"{where} {key}") for key, value in given.items()}
        x, y, z = (
            (
                entries.get((min(i, 0), max(i, 0)), ZERO),
                entries.get((min(i, 1), max(i, 1)), ZERO),
                entries.get((i, 2), ZERO),
            )
            for i in range(3)
        )
        return (x, y, z)
    if not isinstance(given, tuple) or len(given) != 3:
        raise ModelError(
            f"{formulas.machine}: {where}: give three moments [Ixx, Iyy, Izz] or {{xx = …, xz = …}}; found {given!r}."
        )
    return _diagonal(*(formulas.number(e, f"{where} {i + 1}") for i, e in enumerate(given)))


def _diagonal(x: Expr, y: Expr, z: Expr) -> Matrix:
    return ((x, ZERO, ZERO), (ZERO, y, ZERO), (ZERO, ZERO, z))


def shape_of(body: Body, formulas: Formulas) -> ShapeGeometry | None:
    """The shape of a body, read."""
    if not isinstance(body.shape, Shape):
        return None
    return read_shape(table_of(body.shape), formulas.names, f"{formulas.machine}: body {body.name!r}")


def is_round(inertia: Inertia, axis: Sequence[Expr] | None) -> bool:
    """Whether mass is spread evenly about an axis of coordinates through the body's origin."""
    if axis is None or not parallel(inertia.center, axis):
        return False
    (k, *more) = [i for i, e in enumerate(axis) if not vanishes(e)]
    if more:
        return False
    i, j = ((k + 1) % 3, (k + 2) % 3)
    m = inertia.matrix
    return all(vanishes(e) for e in (m[0][1], m[0][2], m[1][2])) and vanishes(expand(m[i][i] - m[j][j]))


def inertial_pose(placed: Placed, inertia: Inertia) -> Pose:
    """The pose in which a body's energy is computed: the carrier where the last turn does not show."""
    return placed.carrier if is_round(inertia, placed.axis) else placed.pose


def kinetic_energy(placed: Placed, inertia: Inertia) -> Expr:
    """``m |v|²/2 + ω·I ω/2`` with the velocity of the centre of mass."""
    pose = inertial_pose(placed, inertia)
    speed = point_velocity(pose, inertia.center)
    moving = ZERO if vanishes(inertia.mass) else HALF * inertia.mass * se.Add(*(e**2 for e in speed))
    return moving + HALF * dot(pose.spin, times_matrix(inertia.matrix, pose.spin))


def potential_energy(placed: Placed, inertia: Inertia, gravity: Vector) -> Expr:
    """``−m γ·p`` with the acceleration γ of gravity."""
    if vanishes(inertia.mass) or all(vanishes(e) for e in gravity):
        return ZERO
    return -inertia.mass * dot(gravity, point_place(inertial_pose(placed, inertia), inertia.center))


def gravity_of(machine: MachineData, formulas: Formulas) -> Vector:
    """The acceleration of gravity in the world."""
    given = machine.gravity
    if isinstance(given, tuple):
        return formulas.vector(given, "gravity")
    if formulas.plane:
        if given is not None:
            raise ModelError(
                f"{machine.name}: gravity = {given!r}: the plane is seen from above; give a vector [gx, gy] along a "
                f"slope."
            )
        return NOWHERE
    return (ZERO, ZERO, -formulas.number("g" if given is None else given, "gravity"))


def total(parts: Iterable[Expr]) -> Expr:
    """The sum."""
    return se.Add(*parts)
