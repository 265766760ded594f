"""Shape variables and invariant velocities at many states."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.formula_values import Formulas
from nonholo.errors import ModelError
from nonholo.model.specialise import driven_by_laws
from nonholo.model.system import System
from nonholo.model.velocities.driven_coordinates import held_inputs
from nonholo.symmetry.reduction.reduce import reduce

Numbers = NDArray[np.float64]


def reduced_columns(system: System, columns: Mapping[str, Numbers], given: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """The shape ``r`` and the invariant velocities ``y``, with ``v = X y + X_0``, from every name of the motion.

    ``columns`` are (start, crossing), ``given`` the parameters of each start.
    """
    held = held_inputs(driven_by_laws(system))
    if held:
        raise ModelError(
            f"{system.name}: the input {held[0]!r} stands in a constraint, and nothing is said of what it does; say it as a "
            f"formula of time or state in the system (inputs={{'{held[0]}': '0.3*sin(t)'}}), or as a number."
        )
    found = reduce(system)
    shape, basis = found.shape, found.basis
    sample = next(iter(columns.values()))
    names = [n for n in ("t", *system.coordinates, *system.velocities) if n in columns]
    table = {n: columns[n] for n in names} | {n: np.broadcast_to(a[:, None], sample.shape) for n, a in given.items()}
    rows = np.stack([a.ravel() for a in table.values()], axis=1)
    flat = [e for row in basis.columns for e in row]
    values = Formulas(list(table), [*shape.functions, *flat, *basis.drift]).rows(rows)
    size, width = len(shape.functions), len(basis.names)
    spread = values[:, size : size + len(flat)].reshape(len(rows), -1, width)
    velocity = np.stack([table[n].ravel() for n in system.velocities], axis=1)
    if basis.drift:
        velocity = velocity - values[:, size + len(flat) :]
    good = np.isfinite(spread).all(axis=(1, 2)) & np.isfinite(velocity).all(axis=1)
    speeds = np.full((len(rows), width), np.nan)
    if np.any(good):
        speeds[good] = np.einsum("kij,kj->ki", np.linalg.pinv(spread[good]), velocity[good])
    own = [str(s) for s in found.invariant_equations.speeds]
    result = {n: values[:, k].reshape(sample.shape) for k, n in enumerate(shape.names)}
    return result | {n: speeds[:, k].reshape(sample.shape) for k, n in enumerate(own)}
