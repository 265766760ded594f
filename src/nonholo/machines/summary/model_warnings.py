"""What is probably a slip in a machine: equations derive from it all the same, and all derivations agree on them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.formula_values import Formulas
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.machine_records import GROUND

SLACK = 1e-9


def model_warnings(parts: Assembly, place: Mapping[str, float]) -> tuple[str, ...]:
    """Sentences on casters that lead, inertia that no body can have, wheels that point nowhere, parts without mass."""
    return (*_inertias(parts, place), *_casters(parts, place), *_trailers(parts, place), *_directions(parts, place))


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
    machine = parts.machine
    driven = (
        {m.joint for m in machine.motors}
        | {s.joint for s in machine.springs}
        | {j for g in machine.gears for j in g.joints}
    )
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


def _directions(parts: Assembly, place: Mapping[str, float]) -> Iterator[str]:
    for one in parts.contacts:
        law = one.law
        directions = (*law.normal, *law.along, *law.across)
        if directions and not np.all(np.isfinite(_numbers(directions, place))):
            yield (
                f"contact {law.name!r}: at the start the wheel of {law.body!r} points nowhere (its axle is along the normal); "
                "tilt it, or turn the axis of its shape."
            )
