"""Wheels and casters in the plane: their angles, energies, slip velocities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, along, symbol, vanishes
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.errors import ModelError, meant
from nonholo.geometry.frames.frame import Euclidean, Frame, rate
from nonholo.machines.contact_geometry.rigid_pose import NOWHERE, Pose, Vector
from nonholo.machines.dynamics.space_contacts import Touching, friction_of, roller_direction
from nonholo.machines.kinematics.formula_reading import AXES, Formulas, identifier
from nonholo.machines.kinematics.kinematic_tree import Placed, body_named
from nonholo.machines.kinematics.spatial_vectors import point_place, point_velocity, turn
from nonholo.machines.machine_data import MachineData
from nonholo.machines.machine_records import GROUND, Caster, Contact, Wheel
from nonholo.model.contacts import ContactLaw, Resistance

HALF = ONE / 2
TIME = symbol("t")


@dataclass(frozen=True)
class Rolling:
    """What a wheel adds to a machine: coordinates, kinetic energy, its contact, torques by coordinate."""

    contact: Touching
    frames: tuple[Frame, ...] = ()
    energy: Expr = ZERO
    torques: Mapping[str, str] = field(default_factory=dict)
    steer: str | None = None
    spin: str | None = None
    heading: Expr = ZERO
    radius: Expr | None = None
    caster: bool = False
    speed: Expr = ZERO
    """Velocity of the wheel's centre along its heading."""
    tyre: str | None = None
    """The sideways shift of a tyre's contact patch, its potential energy, and a force along the heading."""
    potential: Expr = ZERO
    push: Expr = ZERO


def wheel_name(wheel: Wheel | Caster, number: int, kind: str) -> str:
    """The name of a wheel's contact."""
    return wheel.name or f"{wheel.body} {kind} {number + 1}"


def rolling_wheel(
    wheel: Wheel, number: int, machine: MachineData, placed: Mapping[str, Placed], formulas: Formulas
) -> Rolling:
    """A vertical wheel as one line."""
    name = wheel_name(wheel, number, "wheel")
    where = f"wheel {name!r}"
    body = placed[body_named(machine, wheel.body, where).name]
    at = formulas.vector(wheel.at, f"{where}: at")
    frames: list[Frame] = []
    steer, angle, turning = _steering(wheel, formulas, where)
    if steer is not None:
        frames.append(Euclidean(steer))
    radius = None if wheel.radius is None else formulas.number(wheel.radius, f"{where}: radius")
    if radius is not None and radius.is_Number and float(radius) <= 0:
        raise ModelError(
            f"{formulas.machine}: {where}: radius = {radius}; give a positive radius, or leave it out for a blade."
        )
    spin = None
    if radius is not None:
        spin = identifier(wheel.name or f"phi_{number + 1}")
        frames.append(Euclidean(spin))
    fork, axle = _wheel_inertia(wheel, formulas, where, steer is not None or wheel.law is not None)
    heading = body.heading + angle
    energy = HALF * fork * (body.pose.spin[2] + turning) ** 2
    energy += HALF * axle * symbol(rate(spin)) ** 2 if spin is not None else ZERO
    driven = spin or steer
    if driven is None and wheel.motor is not None:
        raise ModelError(
            f"{formulas.machine}: {where}: a motor turns the wheel's angle; give radius = …, or steer = a coordinate."
        )
    contact = _contact(name, wheel, body.pose, at, heading, radius, spin, formulas, where)
    torques = {driven: wheel.motor} if driven is not None and wheel.motor is not None else {}
    speed = dot(point_velocity(body.pose, at), (se.cos(heading), se.sin(heading), ZERO))
    return Rolling(contact, tuple(frames), energy, torques, steer, spin, heading, radius, speed=speed)


def _steering(wheel: Wheel, formulas: Formulas, where: str) -> tuple[str | None, Expr, Expr]:
    """The coordinate of a steered wheel, its angle, and the rate of the angle."""
    if wheel.law is not None:
        angle = formulas.number(wheel.law, f"{where}: law")
        moving = {s: symbol(rate(str(s))) for s in angle.free_symbols if rate(str(s)) in formulas.names}
        return None, angle, along([angle], {**moving, TIME: ONE})[0]
    if wheel.steer is None:
        return None, ZERO, ZERO
    name = formulas.bare_name(wheel.steer)
    if name is None:
        angle = formulas.number(wheel.steer, f"{where}: steer")
        own = {s: symbol(rate(str(s))) for s in angle.free_symbols if rate(str(s)) in formulas.names}
        return None, angle, along([angle], {**own, TIME: ONE})[0]
    return name, symbol(name), symbol(rate(name))


def _wheel_inertia(wheel: Wheel, formulas: Formulas, where: str, steered: bool) -> tuple[Expr, Expr]:
    """About the vertical and about the axle; a single number of a wheel that is steered and rolls is that of a thin disk."""
    given = wheel.inertia
    if isinstance(given, tuple):
        if len(given) != 2:
            raise ModelError(
                f"{formulas.machine}: {where}: inertia is [vertical, axle] or one number; found {list(given)!r}."
            )
        fork, axle = (formulas.number(e, f"{where}: inertia") for e in given)
        return fork, axle
    one = ZERO if given is None else formulas.number(given, f"{where}: inertia")
    if wheel.radius is None:
        return one, ZERO
    return (HALF * one if steered else ZERO), one


def _contact(
    name: str, wheel: Wheel | Caster, pose: Pose, at: Vector, heading: Expr, radius: Expr | None, spin: str | None,
    formulas: Formulas, where: str,
) -> Touching:  # fmt: skip
    axes = turn(AXES["z"], heading)
    ahead, left = (axes[0][0], axes[1][0], ZERO), (axes[0][1], axes[1][1], ZERO)
    velocity = point_velocity(pose, at)
    sideways, forward = dot(velocity, left), dot(velocity, ahead)
    if radius is not None and spin is not None:
        forward -= radius * symbol(rate(spin))
    rows: tuple[Expr, ...]
    roller = getattr(wheel, "roller", None)
    if roller is not None:
        if spin is None:
            raise ModelError(f"{formulas.machine}: {where}: a wheel with rollers turns; give radius = ….")
        angle = formulas.number(roller, f"{where}: roller")
        rows = (se.cos(angle) * forward + se.sin(angle) * sideways,)
        ahead = roller_direction(angle, ahead, left)
    else:
        rows = (sideways,) if spin is None else (forward, sideways)
    static, kinetic = friction_of(wheel.friction, formulas, where)
    x, y, _ = point_place(pose, at)
    return Touching(ContactLaw(
        name, None, rows, static, kinetic, slips=wheel.slips, point=(x, y, ZERO), normal=AXES["z"],
        load=None if wheel.load is None else formulas.number(wheel.load, f"{where}: load"),
        along=ahead if spin is not None else (), across=left if roller is None else (), body=wheel.body, on=GROUND,
    ))  # fmt: skip


PLANE_KINDS = ("rolling", "blade", "sliding")


def plane_contact(
    contact: Contact, name: str, machine: MachineData, placed: Mapping[str, Placed], formulas: Formulas
) -> Touching:
    """A point of a body on the ground, seen from above: it rests until it slips, rubs, or is a blade."""
    where = f"contact {name!r}"
    odd = next((key for key in ("roller", "restitution", "rolling") if getattr(contact, key) is not None), "")
    odd = odd or ("lifts" if contact.lifts else "inside" if contact.inside else "")
    trouble = ""
    if contact.kind not in PLANE_KINDS:
        trouble = f"no kind {contact.kind!r} in the plane; {meant(contact.kind, PLANE_KINDS, f'the kinds are {PLANE_KINDS}.')}"
    elif odd:
        trouble = f"{odd} has no meaning in the plane, seen from above; leave it out."
    elif contact.on != GROUND:
        trouble = f"on = {contact.on!r}; in the plane bodies touch the ground alone."
    if trouble:
        raise ModelError(f"{machine.name}: {where}: {trouble}")
    body = placed[body_named(machine, contact.body, where).name]
    at = (ZERO, ZERO, ZERO) if contact.at is None else formulas.vector(contact.at, f"{where}: at")
    ahead = (ONE, ZERO, ZERO) if contact.along is None else formulas.vector(contact.along, f"{where}: along")
    rotation, size = turn(AXES["z"], body.heading), se.sqrt(ahead[0] ** 2 + ahead[1] ** 2)
    way = tuple((rotation[i][0] * ahead[0] + rotation[i][1] * ahead[1]) / size for i in range(2))
    forwards, left = (way[0], way[1], ZERO), (-way[1], way[0], ZERO)
    velocity = point_velocity(body.pose, at)
    sideways, forward = dot(velocity, left), dot(velocity, forwards)
    static, kinetic = friction_of(contact.friction, formulas, where)
    slips = contact.slips or contact.kind == "sliding"
    if slips and (kinetic is None or contact.load is None):
        raise ModelError(f"{machine.name}: {where}: a contact that slips needs friction and load, the normal force.")
    load = None if contact.load is None else formulas.number(contact.load, f"{where}: load")
    spin = None if contact.spin is None else Resistance((body.pose.spin[2],), formulas.number(contact.spin, f"{where}: spin"))
    blade = contact.kind == "blade"
    x, y, _ = point_place(body.pose, at)
    return Touching(ContactLaw(
        name, None, (sideways,) if blade else (forward, sideways), static, kinetic, spin, slips=slips, load=load,
        point=(x, y, ZERO), normal=AXES["z"], along=() if blade else forwards, across=left, body=contact.body, on=GROUND,
    ))  # fmt: skip


def trailing_caster(
    caster: Caster, number: int, machine: MachineData, placed: Mapping[str, Placed], formulas: Formulas
) -> Rolling:
    """A wheel that trails behind its own hinge."""
    name = caster.name or f"caster_{number + 1}"
    where = f"caster {name!r}"
    body = placed[body_named(machine, caster.body, where).name]
    hinge, spin = identifier(name), f"{identifier(name)}_spin"
    at = formulas.vector(caster.at, f"{where}: at")
    trail = formulas.number(caster.trail, f"{where}: trail")
    heading = body.heading + symbol(hinge)
    rotation = turn(AXES["z"], heading)
    fork = Pose(
        point_place(body.pose, at),
        rotation,
        point_velocity(body.pose, at),
        (ZERO, ZERO, body.pose.spin[2] + symbol(rate(hinge))),
    )
    behind = (-trail, ZERO, ZERO)
    radius = None if caster.radius is None else formulas.number(caster.radius, f"{where}: radius")
    frames = [Euclidean(hinge)] if radius is None else [Euclidean((hinge, spin))]
    about, axle = (formulas.number(e, f"{where}: inertia") for e in _pair(caster.inertia, formulas, where))
    mass = ZERO if caster.mass is None else formulas.number(caster.mass, f"{where}: mass")
    energy = HALF * about * fork.spin[2] ** 2
    energy += HALF * axle * symbol(rate(spin)) ** 2 if radius is not None else ZERO
    energy += ZERO if vanishes(mass) else HALF * mass * se.Add(*(e**2 for e in point_velocity(fork, behind)))
    contact = _contact(
        name, caster, fork, behind, heading, radius, spin if radius is not None else None, formulas, where
    )
    return Rolling(contact, tuple(frames), energy, {}, hinge, spin if radius is not None else None, heading, radius, True)


def _pair(given: object, formulas: Formulas, where: str) -> Sequence[object]:
    if isinstance(given, tuple) and len(given) == 2:
        return given
    raise ModelError(
        f"{formulas.machine}: {where}: inertia is [of the fork about the vertical, of the wheel about its "
        f"axle]; found {given!r}."
    )


__all__ = ["NOWHERE", "Rolling", "plane_contact", "rolling_wheel", "trailing_caster"]


def with_relaxation(rolling: Rolling, wheel: Wheel, formulas: Formulas) -> Rolling:
    """The wheel with a tyre, in place of the constraint against slipping sideways, where a relaxation length is given.

    The contact patch is held by the ground and displaced sideways by ``e`` against the wheel; while the wheel rolls on, the tyre
    relaxes over the length σ, and its stiffness ``k = C/σ`` (C: cornering stiffness) makes the side force:

        ė + v_side + (v_ahead/σ) e = 0,     F = k e        [von Schlippe and Dietrich 1941; Pacejka 2002, 5.4]

    Steadily ``F = −C v_side/v_ahead``. As a linear constraint with the potential ``k e²/2`` it has the multiplier ``k e = F``;
    its reaction would also push ahead with ``k e²/σ``, the power that a tyre turns into heat, so this force is taken off.
    The tyre relaxes while the wheel rolls forwards.
    """
    if wheel.relaxation is None and wheel.cornering is None:
        return rolling
    law = rolling.contact.law
    where = f"{formulas.machine}: wheel {law.name!r}"
    if wheel.relaxation is None or wheel.cornering is None:
        raise ModelError(f"{where}: a tyre needs relaxation = … (its length in m) and cornering = … (N per rad of slip angle).")
    if wheel.roller is not None or wheel.slips:
        raise ModelError(f"{where}: a tyre with a relaxation length has no rollers and does not slide; remove roller or slips.")
    span = formulas.number(wheel.relaxation, f"wheel {law.name!r}: relaxation")
    stiffness = formulas.number(wheel.cornering, f"wheel {law.name!r}: cornering") / span
    name = f"{identifier(law.name)}_tyre"
    shift = symbol(name)
    *ahead, sideways = law.slip
    row: Expr = symbol(rate(name)) + sideways + rolling.speed / span * shift
    return replace(
        rolling,
        contact=replace(rolling.contact, law=replace(law, slip=(*ahead, row))),
        frames=(*rolling.frames, Euclidean(name)),
        potential=HALF * stiffness * shift**2,
        push=-stiffness * shift**2 / span,
        tyre=name,
    )
