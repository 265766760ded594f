"""Random states of machines near their starts, on all constraints to rounding; forces of contacts at a state."""

from __future__ import annotations

from typing import Any

import numpy as np

import nonholo as nh
from nonholo.algebra.numeric_functions import Formulas
from nonholo.model.system import known_parameters
from nonholo.model.velocities.admissible import constraint_rows

Array = Any


def _orthogonal(matrix: Array) -> Array:
    left, _, right = np.linalg.svd(matrix)
    return left @ right


def matrices(system: nh.System) -> list[tuple[str, ...]]:
    """The names of the entries of each rotation matrix."""
    heads = [c.removesuffix("11") for c in system.coordinates if c.endswith("11") and c.replace("11", "33") in system.coordinates]
    return [tuple(f"{head}{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)) for head in heads]


def random_state(system: nh.System, rng: np.random.Generator, spread: float) -> dict[str, float]:
    """Coordinates a little off the start, moved onto the holonomic constraints by the least step; projected random velocities."""
    values = {"g": 9.81, "t": 0.0, **known_parameters(system)}
    values |= {name: float(rng.uniform(-1, 1)) for name in system.inputs}
    q = {c: e for c, e in nh.complete_state(system).items() if c in system.coordinates}
    q |= {c: e + spread * float(rng.uniform(-1, 1)) for c, e in q.items()}
    names = system.coordinates
    x = np.array([q[c] for c in names])
    turned = [[names.index(c) for c in entries] for entries in matrices(system)]
    rows, v = constraint_rows(system), system.velocities
    rates = Formulas((*names, *v, *values), list(system.frame.rates))
    slopes = Formulas((*names, *v, *values), [e for row in rows.slopes for e in row])
    sides = Formulas((*names, *v, *values), list(rows.sides) or [system.frame.rates[0]])
    gaps = Formulas((*names, *v, *values), list(system.holonomic) or [system.frame.rates[0]])
    held = len(system.holonomic)

    def at(x: Array, speed: Array) -> dict[str, float]:
        return {**values, **dict(zip(names, x)), **dict(zip(v, speed))}

    def reset(x: Array) -> Array:
        for entries in turned:
            x[entries] = _orthogonal(x[entries].reshape(3, 3)).reshape(-1)
        return x

    x, zero = reset(x), np.zeros(len(v))
    for _ in range(40 if held else 0):
        here = at(x, zero)
        matrix = np.asarray(slopes.at(here)).reshape(-1, len(v))[-held:]
        step = np.linalg.pinv(matrix, rcond=1e-10) @ np.asarray(gaps.at(here))
        x = reset(x - np.asarray(rates.at(at(x, step))))
        if np.max(np.abs(step)) < 1e-15:
            break
    speed = rng.uniform(-1, 1, len(v))
    for _ in range(2 if rows.slopes else 0):
        here = at(x, zero)
        matrix = np.asarray(slopes.at(here)).reshape(-1, len(v))
        speed = speed - np.linalg.pinv(matrix, rcond=1e-10) @ (matrix @ speed - np.asarray(sides.at(here))[: len(matrix)])
    return {c: float(e) for c, e in {**at(x, speed)}.items() if c not in system.parameters and c not in ("g", "t")}


def contact_pushes(system: nh.System, state: dict[str, float]) -> dict[str, Array]:
    """The force of each contact on its body in world axes, from `run.contacts` and the directions of the contact."""
    inputs = {n: state[n] for n in system.inputs}
    start = {n: e for n, e in state.items() if n in (*system.coordinates, *system.velocities)}
    data = nh.simulate(system, start, 1e-6, inputs=inputs, t_eval=[0.0]).contacts.isel(t=0)
    known = {"g": 9.81, "t": 0.0, **known_parameters(system), **state}
    result = {}
    for law in system.contacts:
        one, force = data.sel(contact=law.name), np.zeros(3)
        for key in ("normal", "along", "across"):
            ways, size = getattr(law, key), float(one[key])
            if ways and np.isfinite(size):
                force += size * np.asarray(Formulas(tuple(known), list(ways)).at(known))
        result[law.name] = force
    return result
