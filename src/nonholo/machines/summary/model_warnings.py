"""What is probably a slip in a machine: equations derive from it all the same, and all derivations agree on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.numeric_functions import Formulas
from nonholo.algebra.subspaces import kernel
from nonholo.machines.contact_geometry.rigid_pose import times_matrix
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.kinematics.spatial_vectors import point_place
from nonholo.machines.machine_records import GROUND
from nonholo.model.system import System
from nonholo.model.velocities.admissible import constraint_rows

SLACK = 1e-9
UPRIGHT = 0.5
"""The axis of a fork has at least this cosine with the normal of the ground."""


def model_warnings(parts: Assembly, system: System, place: Mapping[str, float]) -> tuple[str, ...]:
    """Sentences on casters that lead, inertia that no body can have, wheels that point nowhere or lock, parts without mass."""
    found = (_inertias, _casters, _trailers, _leading_forks, _directions)
    return (*(word for part in found for word in part(parts, place)), *_locked(parts, system, place))


def _locked(parts: Assembly, system: System, place: Mapping[str, float]) -> Iterator[str]:
    """A free body on wheels that no admissible velocity moves."""
    rows = constraint_rows(system)
    if not rows.slopes or not rows.linear:
        return
    matrix = _numbers(tuple(e for row in rows.slopes for e in row), place).reshape(len(rows.slopes), -1)
    if not np.all(np.isfinite(matrix)):
        return
    loose = kernel(matrix, 1e-9)
    for name, one in parts.placed.items():
        own = [system.velocities.index(v) for frame in one.motion.frames for v in frame.velocities if v in system.velocities]
        if one.parent == GROUND and len(one.motion.lengths) >= 2 and own and np.max(np.abs(loose[own]), initial=0.0) < SLACK:
            yield (
                f"body {name!r} cannot move at the start: the wheels and contacts lock it (the axles do not meet in one point); "
                "turn a wheel, leave one out, or let it slip (slips = true)."
            )


def _numbers(exprs: tuple[Expr, ...], place: Mapping[str, float]) -> np.ndarray:
    return np.asarray(Formulas(tuple(place), exprs).at(place))


def _inertias(parts: Assembly, place: Mapping[str, float]) -> Iterator[str]:
    for name, inertia in parts.inertias.items():
        matrix = _numbers(tuple(e for row in inertia.matrix for e in row), place).reshape(3, 3)
        mass = float(_numbers((inertia.mass,), place)[0])
        moments = np.linalg.eigvalsh(matrix)
        size = max(float(np.max(np.abs(moments))), 1e-300)
        least = ", ".join(f"{e:.4g}" for e in moments)
        if moments[0] < -SLACK * size:
            yield f"body {name!r}: its inertia has a negative principal moment ({least}), which no body has; check its entries."
        elif not parts.machine.plane and moments[2] > (moments[0] + moments[1]) * (1 + SLACK) and not _thin(moments):
            yield (
                f"body {name!r}: principal moments {least}: the largest is more than the sum of the others, which no body has; "
                "check units and the signs of products."
            )
        if mass == 0 and size <= 1e-300 and parts.placed[name].motion.coordinates and name not in _carrying(parts):
            yield f"body {name!r} has neither mass nor inertia, and nothing hangs on it; give mass = …."
        if mass < 0:
            yield f"body {name!r}: its mass is {mass:g}; a mass is not negative."


def _thin(moments: np.ndarray) -> bool:
    """Only the moment about the axle is given: two of the three are zero, as people write a rotor."""
    return bool(moments[0] == 0 and moments[1] == 0)


def _carrying(parts: Assembly) -> set[str]:
    return {one.parent for one in parts.placed.values()} | {one.law.body for one in parts.contacts}


def _casters(parts: Assembly, place: Mapping[str, float]) -> Iterator[str]:
    for k, caster in enumerate(parts.machine.casters):
        trail = float(_numbers((parts.formulas.number(caster.trail, "trail"),), place)[0])
        label = caster.name or f"caster {k + 1}"
        if trail < 0:
            yield f"caster {label}: its trail is {trail:g} m, so the wheel leads its hinge and turns round; give trail > 0."
        elif trail == 0:
            yield f"caster {label}: its trail is 0, so nothing turns it into the direction of motion; give trail > 0."


def _trailers(parts: Assembly, place: Mapping[str, float]) -> Iterator[str]:
    """In the plane, a passive hinge in front of which a fixed wheel of the child runs."""
    machine, driven = parts.machine, _driven(parts)
    for joint in machine.joints if machine.plane else ():
        if joint.type != "hinge" or joint.name in driven or joint.parent == GROUND:
            continue
        (hinge,) = _numbers(parts.formulas.vector(joint.in_child, "in_child")[:1], place)
        ahead = []
        for wheel in machine.wheels:
            if wheel.body == joint.child and wheel.steer is None and wheel.law is None:
                ahead.append(float(_numbers(parts.formulas.vector(wheel.at, "at")[:1], place)[0]) - hinge)
        if ahead and min(ahead) > 0:
            yield (
                f"joint {joint.name or joint.child!r}: the wheel of {joint.child!r} runs {min(ahead):g} m ahead of its hinge, so "
                "it leads instead of trailing; put it behind the hinge, or drive the joint with a motor."
            )


def _driven(parts: Assembly) -> set[str | None]:
    """Joints that a motor, a spring or a gear holds."""
    machine = parts.machine
    held = {m.joint for m in machine.motors} | {s.joint for s in machine.springs}
    return {*held, *(j for g in machine.gears for j in g.joints)}


def _leading_forks(parts: Assembly, place: Mapping[str, float]) -> Iterator[str]:
    """In space, a passive hinge that is nearly upright: its axis meets the ground behind a wheel that hangs on it."""
    machine, driven = parts.machine, _driven(parts)
    for joint in machine.joints if not machine.plane else ():
        one = parts.placed[joint.child]
        if joint.type != "hinge" or joint.name in driven or joint.parent == GROUND or one.axis is None:
            continue
        pin = point_place(one.pose, parts.formulas.vector(joint.in_child, "in_child"))
        ahead = tuple(row[0] for row in parts.placed[joint.parent].pose.rotation)
        lines = _numbers((*pin, *times_matrix(one.pose.rotation, one.axis), *ahead), place).reshape(3, 3)
        for law in (c.law for c in parts.contacts if joint.child in _carriers(parts, c.law.body)):
            point, normal = _numbers((*law.point, *law.normal), place).reshape(2, 3)
            steep = float(lines[1] @ normal)
            if abs(steep) < UPRIGHT or not np.all(np.isfinite(lines)):
                continue
            met = lines[0] + lines[1] * float((point - lines[0]) @ normal) / steep
            trail = float((met - point) @ lines[2])
            if trail < -SLACK:
                yield (
                    f"joint {joint.name or joint.child!r}: {law.body!r} touches {-trail:.4g} m ahead of where the joint's axis "
                    f"meets {law.on}, so it leads instead of trailing and turns; put it behind the axis, or drive the joint."
                )


def _carriers(parts: Assembly, body: str) -> Iterator[str]:
    """A body and what it hangs on."""
    while body in parts.placed:
        yield body
        body = parts.placed[body].parent


def _directions(parts: Assembly, place: Mapping[str, float]) -> Iterator[str]:
    for one in parts.contacts:
        law = one.law
        directions = (*law.normal, *law.along, *law.across)
        if directions and not np.all(np.isfinite(_numbers(directions, place))):
            yield (
                f"contact {law.name!r}: at the start the wheel of {law.body!r} points nowhere (its axle is along the normal); "
                "tilt it, or turn the axis of its shape."
            )
