"""Contacts of a machine in space: shapes or points of bodies on the ground or on other bodies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import symengine as se

from nonholo.algebra.calculus import ZERO, vanishes
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError, about, meant
from nonholo.geometry.frames.frame import Euclidean, Frame
from nonholo.machines.contact_geometry.contact_rows import ContactGeometry, contact_geometry
from nonholo.machines.contact_geometry.rigid_pose import Pose, Vector, plus, times, times_matrix
from nonholo.machines.contact_geometry.shape_record import ShapeGeometry
from nonholo.machines.contact_geometry.support_functions import at_point
from nonholo.machines.contact_geometry.surfaces import Surface, read_ground, surface_of
from nonholo.machines.dynamics.mass_properties import Inertia
from nonholo.machines.kinematics.formula_reading import Formulas, identifier
from nonholo.machines.kinematics.kinematic_tree import Placed, body_named
from nonholo.machines.kinematics.spatial_vectors import parallel
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import GROUND, Contact
from nonholo.machines.record_tables import table_of
from nonholo.model.contacts import ContactLaw, Resistance

KINDS = ("rolling", "rubber", "blade", "sliding")


@dataclass(frozen=True)
class Touching:
    """A contact with what it adds to the system: further coordinates, their equations, a row against spinning."""

    law: ContactLaw
    frames: tuple[Frame, ...] = ()
    equations: tuple[Expr, ...] = ()
    rows: tuple[Expr, ...] = ()
    guess: Mapping[str, Expr] | None = None
    remarks: tuple[str, ...] = ()
    minors: tuple[Expr, ...] = ()
    """Positive where the bodies touch at the nearest points."""


def friction_of(given: object, formulas: Formulas, where: str) -> tuple[Expr | None, Expr | None]:
    """Static and kinetic coefficient, None where nothing limits the force."""
    if isinstance(given, Mapping):
        static, kinetic = given.get("static", given.get("kinetic")), given.get("kinetic", given.get("static"))
        return formulas.number(static, f"{where}: static friction"), formulas.number(
            kinetic, f"{where}: kinetic friction"
        )
    one = None if given is None else formulas.number(given, f"{where}: friction")
    return one, one


def roller_direction(angle: Expr, along: Vector, across: Vector) -> Vector:
    """Where the force of a wheel with rollers acts: across the roller's own axis of turning, ``cos γ along + sin γ across``."""
    return plus(times(se.cos(angle), along), times(se.sin(angle), across))


def ground_of(machine: MachineData, formulas: Formulas) -> tuple[Surface, Pose]:
    """The ground and its motion."""
    words = {} if machine.ground is None else table_of(machine.ground)
    with about("ground"):
        return read_ground(words, [n for n in formulas.names if n != "t"], f"{machine.name}: ground")


def contact_names(machine: MachineData) -> list[str]:
    """The name of every contact; the body's where it has none."""
    names: list[str] = []
    for contact in machine.contacts:
        name = contact.name or contact.body
        names.append(name if name not in names else f"{name} {sum(n.split()[0] == name for n in names) + 1}")
    return names


def space_contact(
    contact: Contact,
    name: str,
    machine: MachineData,
    placed: Mapping[str, Placed],
    inertias: Mapping[str, Inertia],
    formulas: Formulas,
) -> Touching:
    """The rows of one contact."""
    if contact.load is not None:
        raise ModelError(f"{machine.name}: contact {name!r}: in space the normal force is a reaction; leave out load.")
    where = f"contact {name!r}"
    if contact.kind not in KINDS:
        hint = meant(contact.kind, KINDS, f"the kinds are {', '.join(KINDS)}.")
        raise ModelError(f"{machine.name}: {where}: no kind {contact.kind!r}; {hint}")
    body = placed[body_named(machine, contact.body, where).name]
    shape = _touching_shape(contact, body, inertias, formulas, where)
    pose = _pose(body, shape, contact)
    surface, base, frame = _partner(contact, machine, placed, inertias, formulas, where)
    along = None if contact.along is None else formulas.vector(contact.along, f"{where}: along")
    roller = None if contact.roller is None else formulas.number(contact.roller, f"{where}: roller")
    kind = "roller" if roller is not None else contact.kind
    found = contact_geometry(identifier(name), shape, pose, surface, base, frame, kind, along, roller)
    return Touching(
        _law(contact, name, found, pose, formulas, where),
        (Euclidean(found.coordinates),) if found.coordinates else (),
        found.equations,
        found.rows[2:] if kind == "rubber" else (),
        dict(zip(found.coordinates, found.guess)),
        found.remarks,
        found.minors,
    )


def _touching_shape(
    contact: Contact, body: Placed, inertias: Mapping[str, Inertia], formulas: Formulas, where: str
) -> ShapeGeometry:
    if contact.at is not None:
        return at_point(formulas.vector(contact.at, f"{where}: at"))
    shape = inertias[body.body.name].shape
    if shape is None:
        raise ModelError(
            f"{formulas.machine}: {where}: body {body.body.name!r} has no shape that could touch; give it shape = {{…}}, or the "
            "contact at = [x, y, z], a point of the body."
        )
    return shape


def _pose(body: Placed, shape: ShapeGeometry, contact: Contact) -> Pose:
    """The carrier of a shape that is round about the last axis of its body, else the body itself."""
    axis = body.axis
    fixed = axis is not None and contact.along is None and parallel(shape.offset, axis)
    if axis is not None and fixed and (shape.kind.round or (shape.axle is not None and parallel(shape.axle, axis))):
        return body.carrier
    return body.pose


def _partner(
    contact: Contact,
    machine: MachineData,
    placed: Mapping[str, Placed],
    inertias: Mapping[str, Inertia],
    formulas: Formulas,
    where: str,
) -> tuple[Surface, Pose, Pose | None]:
    """The surface, the pose of its body, and its axes."""
    if contact.on == GROUND:
        surface, base = ground_of(machine, formulas)
        return surface, base, None
    other = placed[body_named(machine, contact.on, where).name]
    if contact.on == contact.body:
        raise ModelError(
            f'{machine.name}: {where}: {contact.body!r} touches itself; give on = another body or "ground".'
        )
    shape = inertias[contact.on].shape
    if shape is None:
        raise ModelError(f"{machine.name}: {where}: body {contact.on!r} has no shape to touch; give it shape = {{…}}.")
    pose = _pose(other, shape, Contact())
    surface, frame = surface_of(shape, contact.inside, pose, f"{machine.name}: {where}")
    return surface, pose, frame


def _law(contact: Contact, name: str, found: ContactGeometry, pose: Pose, formulas: Formulas, where: str) -> ContactLaw:
    static, kinetic = friction_of(contact.friction, formulas, where)
    slip: tuple[Expr, ...] = found.rows[:2]
    along, across = found.along, found.across
    directions: tuple[Vector | tuple[()], Vector | tuple[()]] = (along, across)
    if contact.kind == "sliding":
        slip, static, kinetic = found.slip, kinetic if kinetic is not None else ZERO, kinetic if kinetic is not None else ZERO
    elif contact.roller is not None:
        directions = (roller_direction(formulas.number(contact.roller, f"{where}: roller"), along, across), ())
    elif contact.kind == "blade":
        directions = ((), across)
    turning = times_matrix(pose.rotation, pose.spin)
    spin = None if contact.spin is None else Resistance((found.spin,), formulas.number(contact.spin, f"{where}: spin"))
    rolling = None
    if contact.rolling is not None:
        rates = (dot(turning, along), dot(turning, across))
        rolling = Resistance(rates, formulas.number(contact.rolling, f"{where}: rolling"))
    return ContactLaw(
        name,
        found.gap,
        slip,
        static,
        kinetic,
        spin,
        rolling,
        contact.slips or (contact.kind == "sliding" and kinetic is not None and not vanishes(kinetic)),
        contact.lifts,
        None if contact.restitution is None else formulas.number(contact.restitution, f"{where}: restitution"),
        point=found.point,
        normal=found.normal,
        along=directions[0],
        across=directions[1],
        body=contact.body,
        on=contact.on,
    )
