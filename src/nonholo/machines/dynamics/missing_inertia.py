"""Coordinates that nothing with mass moves along and no constraint ties to others: a body without mass."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from nonholo.algebra.calculus import ZERO, substitute, symbol, vanishes
from nonholo.algebra.numeric_functions import Formulas
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import rate
from nonholo.machines.dynamics.assembly import Assembly
from nonholo.model.system import GRAVITY, System, known_parameters
from nonholo.model.velocities.admissible import constraint_rows, samples_of


def check_inertia(parts: Assembly, system: System) -> None:
    """Refuse velocities that do not occur in the Lagrangian, also where parameters are zero, and that constraints leave free."""
    values = {"g": GRAVITY, **known_parameters(system)}
    nothing = {symbol(n): ZERO for n in system.parameters if values.get(n) == 0}
    check_masses(parts, values)
    lagrangian = substitute([system.lagrangian], nothing)[0] if nothing else system.lagrangian
    moving = {str(s) for s in lagrangian.free_symbols}
    without = [v for v in system.velocities if v not in moving]
    loose = _loose(system, without) if without else []
    if not loose:
        return
    for name, one in parts.placed.items():
        frames = [frame for frame in one.motion.frames if {*loose} & {*frame.velocities}]
        if frames:
            own = [v for frame in frames for v in frame.velocities if v in loose]
            mass = substitute([parts.inertias[name].mass], nothing)[0]
            what = "no mass" if vanishes(mass) else "no moment of inertia"
            raise ModelError(
                f"{system.name}: body {name!r} has {what}, nor has anything that hangs on it, and no constraint decides "
                f"{', '.join(own)}; give mass = … in kg and inertia = […] or a shape, or weld it to another body."
            )
    wheel = next((w for w in parts.wheels if {rate(w.steer or ""), rate(w.spin or "")} & {*loose}), None)
    label = f"wheel {wheel.contact.law.name!r}" if wheel is not None else "the machine"
    raise ModelError(
        f"{system.name}: {label} has no inertia along {', '.join(loose)}, and no constraint decides it; give inertia = …, or let "
        "a motor's speed or a law prescribe it."
    )


def check_masses(parts: Assembly, values: Mapping[str, float]) -> None:
    """Refuse values of parameters that make a body's mass negative."""
    for name, inertia in parts.inertias.items():
        if inertia.mass.free_symbols and all(str(s) in values for s in inertia.mass.free_symbols):
            size = float(Formulas(tuple(values), [inertia.mass]).at(values)[0])
            if size < 0:
                mass = f"mass = {inertia.mass} is {size:g}"
                raise ModelError(f"{parts.machine.name}: body {name!r}: {mass}; a mass is not negative.")


def _loose(system: System, without: list[str]) -> list[str]:
    """Those of some velocities that the constraints do not decide when the others are given, at generic configurations."""
    rows = constraint_rows(system)
    if not rows.linear:
        return []
    places = [system.velocities.index(v) for v in without]
    slopes = [row[k] for row in rows.slopes for k in places]
    if not slopes:
        return without
    found: set[str] = set(without)
    for point in samples_of(system):
        numbers = Formulas(tuple(point), slopes).at(point).reshape(-1, len(places))
        if not np.all(np.isfinite(numbers)):
            return []
        _, sizes, basis = np.linalg.svd(numbers)
        rank = int(np.sum(sizes > 1e-9 * max(float(sizes[0]), 1e-300)))
        found &= {v for v, part in zip(without, np.abs(basis[rank:]).max(axis=0, initial=0.0)) if part > 1e-9}
    return [v for v in without if v in found]
