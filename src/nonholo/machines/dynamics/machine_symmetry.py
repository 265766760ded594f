"""Symmetries that a machine has by its make: planar motions of everything on flat ground, turns of wheels about their axles,
of a coin about its own axis."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.numeric_functions import Formulas
from nonholo.geometry.frames.frame import rate
from nonholo.geometry.groups.matrix_groups import quaternion_product
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.machines.kinematics.formula_reading import identifier
from nonholo.machines.kinematics.kinematic_tree import Placed
from nonholo.machines.machine_records import GROUND
from nonholo.model.symmetry_declaration import Symmetry
from nonholo.model.system import System, resolve
from nonholo.model.velocities.admissible import samples_of

Field = dict[str, Expr]
"""A vector field on the coordinates by its components."""
INVARIANT = 1e-9


def machine_symmetry(parts: Assembly, system: System) -> Symmetry | None:
    """Shifts and turns of all free bodies together, and ignorable angles; each one that leaves the system invariant."""
    roots = [one for one in parts.placed.values() if one.parent == GROUND]
    free = [one for one in roots if len(one.motion.lengths) >= 2]
    candidates: dict[str, Field] = {}
    if free and len(free) == len(roots):
        for k, axis in enumerate("xy"):
            candidates[f"shift_{axis}"] = {one.motion.lengths[k]: symbol("_one") for one in free}
        candidates["turn"] = _turn(free)
    wheels = [w.spin for w in parts.wheels if w.spin is not None]
    touching = {one.law.body for one in parts.contacts}
    wheels += [
        n
        for name, one in parts.placed.items()
        if name in touching and (one.axis is not None or (one in free and not parts.machine.plane))
        for n in one.motion.angles[-1:]
    ]
    candidates |= {f"turn_{name}": {name: symbol("_one")} for name in dict.fromkeys(wheels)}
    kept = {name: field for name, field in candidates.items() if _holds(system, field)}
    for one in free:
        if one.body.name in touching and not parts.machine.plane and not one.motion.angles:
            own = {axis: _own_turn(one, k) for k, axis in enumerate("xyz")}
            round_about = [axis for axis, (field, rates) in own.items() if _holds(system, field, rates)]
            if len(round_about) == 1:  # turns of a homogeneous ball do not act freely beside those of the plane
                kept["turn_own" if len(free) == 1 else f"turn_{identifier(one.body.name)}"] = own[round_about[0]][0]
    if "turn" in kept and not {"shift_x", "shift_y"} <= kept.keys():
        del kept["turn"]
    if not kept:
        return None
    generators = {name: {c: _text(e) for c, e in field.items() if e != 0} for name, field in kept.items()}
    planar = ["SE(2)"] if "turn" in kept else ["translations"] if any(n.startswith("shift") for n in kept) else []
    spins = sum(name.startswith("turn_") for name in kept)
    return Symmetry(generators, " x ".join([*planar, *([f"SO(2)^{spins}" if spins > 1 else "SO(2)"] if spins else [])]))


def _text(value: Expr) -> str:
    return str(value).replace("_one", "1")


def _turn(free: Sequence[Placed]) -> Field:
    """A turn about the vertical through the origin."""
    field: Field = {}
    for one in free:
        x, y = (symbol(n) for n in one.motion.lengths[:2])
        field |= {str(x): -y, str(y): x}
        if one.motion.angles:
            field[one.motion.angles[0]] = symbol("_one")
        else:
            names = one.motion.frames[-1].coordinates
            if len(names) == 4:
                a, b, c, d = (symbol(n) / 2 for n in names)
                field |= dict(zip(names, (-d, -c, b, a)))
            else:
                for first, second in zip(names[:3], names[3:6]):
                    field |= {first: -symbol(second), second: symbol(first)}
    return field


def _own_turn(one: Placed, axis: int) -> tuple[Field, Field]:
    """A turn of a body about its own axis: ``Ṙ = R ê``, and of its body rates ``ω̇ = ω × e``."""
    frame = one.motion.frames[-1]
    names = [symbol(n) for n in frame.coordinates]
    i, j = (axis + 1) % 3, (axis + 2) % 3
    if len(names) == 4:
        unit = [ZERO, ZERO, ZERO, ZERO]
        unit[1 + axis] = se.Rational(1, 2)
        field = dict(zip(frame.coordinates, quaternion_product(names, unit)))
    else:
        rows = [names[3 * k : 3 * k + 3] for k in range(3)]
        field = {str(row[i]): row[j] for row in rows} | {str(row[j]): -row[i] for row in rows}
    rates = [symbol(n) for n in frame.velocities]
    return field, {str(rates[i]): rates[j], str(rates[j]): -rates[i]}


def _holds(system: System, field: Mapping[str, Expr], rates_of_body: Mapping[str, Expr] = FrozenMap()) -> bool:
    """Whether Lagrangian, constraints and forces stay as they are along the field, at two generic states.

    Rates of plain coordinates move with the field; body rates do not see a turn of space, but one of the body itself.
    """
    if any(name not in system.coordinates for name in field):
        return False
    moving: dict[Any, Expr] = {symbol(c): e for c, e in (*field.items(), *rates_of_body.items())}
    rates = {symbol(c): symbol(rate(c)) for c in system.coordinates}
    own = set(system.velocities)
    for c, e in field.items():
        change = along([e], rates)[0]
        if rate(c) in own and change != 0:
            moving[symbol(rate(c))] = change
    if any(name in field and len(field) > 1 for name in system.forces):
        return False
    exprs = resolve(system, [system.lagrangian, *system.constraints, *system.forces.values()])
    changes = along([*exprs, *system.holonomic], {**moving, symbol("_one"): ZERO})
    if all(e == 0 for e in changes):
        return True
    for place in samples_of(system):
        known = {**place, "_one": 1.0}
        numbers = Formulas(tuple(known), changes).at(known)
        if not np.all(np.isfinite(numbers)) or float(np.max(np.abs(numbers))) > INVARIANT * 100:
            return False
    return True
