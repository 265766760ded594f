"""A basis of the admissible velocities that commutes with the group.

Where the group turns or shears a basis with constant matrices, ``[ξ, X_i] = X_j M_i^j``, the basis ``X exp(−c M)`` is
invariant when ``ξ[c] = 1`` and the other generators leave ``c`` alone; for turns a pair ``(f, g)`` that the group
turns alike (two entries of a rotation matrix) serves as (cos c, sin c).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, expand, jacobian, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot, evaluate, identity, multiply, solve, transpose
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten_matrix
from nonholo.geometry.frames.frame import Frame
from nonholo.model.system import System
from nonholo.model.velocities.admissible import Admissible, admissible, samples_of
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.vector_fields import bracket, constants

PLACES = 4
Normaliser = tuple[str, Expr, Expr]
"""("shift", c, 0) or ("turn", f, g)."""


@dataclass(frozen=True)
class Basis:
    """Fields ``X_i`` of D that commute with every generator, by columns in the system's frame.

    ``names`` are those of the system's own speeds they come from; ``own`` when they are these very speeds.
    """

    columns: Matrix
    names: tuple[str, ...]
    own: bool
    drift: tuple[Expr, ...] = ()
    """``X_0``, the velocity that affine constraints ask for at ``y = 0``; empty when there is none."""
    poles: tuple[Expr, ...] = ()
    """Functions on Q that grow without bound where the section comes to its end."""

    @property
    def fields(self) -> Matrix:
        """One field a row."""
        return transpose(self.columns)


def invariant_basis(system: System, group: Action, at: Mapping[str, float] | None = None) -> Basis:
    """The invariant basis of D closest to the system's own speeds; a ModelError when none is found."""
    tried = []
    for frame_first in (False, True):
        allowed = admissible(system, at, frame_first)
        _refuse(system, allowed)
        coefficients = jacobian(allowed.forms, symbols(system.velocities))
        found = normalised(system, system.frame, group, allowed.basis, coefficients)
        if found is not None:
            columns, change = found
            own = all(e == int(i == j) for i, row in enumerate(change) for j, e in enumerate(row))
            return Basis(columns, tuple(map(str, allowed.speeds)), own)
        tried.append(", ".join(map(str, allowed.speeds)))
        if not system.quasivelocities:
            break
    raise ModelError(
        f"{system.name}: no basis of admissible velocities was found that the group leaves alone (from {'; '.join(tried)}); "
        "declare quasivelocities that do not change along the group's orbits, such as components in the body."
    )


def _refuse(system: System, allowed: Admissible) -> None:
    if not allowed.explicit or system.parametric is not None:
        raise ModelError(
            f"{system.name}: reduction needs constraints linear in the velocities, given by residuals; these are nonlinear or "
            "parametric."
        )
    still = substitute(allowed.velocity, dict.fromkeys(allowed.speeds, ZERO))
    if any(e != 0 for e in still) and any(np.max(np.abs(evaluate(list(still), p))) > 1e-12 for p in samples_of(system)):
        raise ModelError(
            f"{system.name}: reduction needs constraints homogeneous in the velocities; these have a part without velocities "
            "(something is driven)."
        )


def normalised(
    system: System, frame: Frame, group: Action, columns: Matrix, duals: Sequence[Sequence[Expr]]
) -> tuple[Matrix, Matrix] | None:
    """The columns times a matrix T that makes them commute with every generator, and T; None when none is found."""
    size = len(columns[0]) if columns else 0
    places = samples_of(system, count=PLACES)
    total: Matrix = identity(size)
    dual: Matrix = tuple(tuple(row) for row in duals)
    for _ in range(len(group.names) + 1):
        matrices = [_turning(frame, field, columns, dual, places) for field in group.fields]
        if any(m is None for m in matrices):
            return None
        waiting = [a for a, m in enumerate(matrices) if m is not None and any(e != 0 for row in m for e in row)]
        if not waiting:
            return columns, total
        step = _step(system, group, waiting, matrices)
        if step is None:
            return None
        columns = shorten_matrix(multiply(columns, step))
        total = multiply(total, step)
        dual = solve(step, dual, places)
    return None


def _turning(
    frame: Frame, generator: Sequence[Expr], columns: Matrix, dual: Matrix, places: Sequence[dict[str, float]]
) -> Matrix | None:
    """``M`` with ``[ξ, X_i] = X_j M_i^j`` as exact numbers, or None when it is not constant."""
    size = len(dual)
    moved = [bracket(frame, generator, field) for field in transpose(columns)]
    flat = constants([dot(row, field) for row in dual for field in moved], places)
    return None if flat is None else tuple(tuple(flat[i * size : (i + 1) * size]) for i in range(size))


def _step(system: System, group: Action, waiting: Sequence[int], matrices: Sequence[Any]) -> Matrix | None:
    """The first ``exp(−c M)`` for which the group gives a ``c``."""
    for a in waiting:
        matrix = matrices[a]
        square = multiply(matrix, matrix)
        cube = multiply(square, matrix)
        size = len(matrix)
        unit = identity(size)
        nilpotent = all(e == 0 for row in cube for e in row)
        turning = all(c == -m for rc, rm in zip(cube, matrix) for c, m in zip(rc, rm))
        for kind, f, g in normalisers(system, group, a):
            if kind == "shift" and nilpotent:
                return _sum(unit, (-f, matrix), (f**2 / 2, square))
            if kind == "shift" and turning:
                return _sum(unit, (-se.sin(f), matrix), (1 - se.cos(f), square))
            if kind == "turn" and turning:
                # the turned part is also scaled by sqrt(f² + g²), which the group leaves alone
                return _sum(unit, (-g, matrix), (1 - f, square))
    return None


def _sum(unit: Any, *terms: tuple[Expr, Matrix]) -> Matrix:
    size = len(unit)
    return tuple(
        tuple(expand(unit[i][j] + se.Add(*(w * m[i][j] for w, m in terms if m[i][j] != 0))) for j in range(size))
        for i in range(size)
    )


def normalisers(system: System, group: Action, which: int) -> list[Normaliser]:
    """Functions that generator ``which`` shifts by one, or pairs that it turns, and the other generators leave alone."""
    rates = list(zip(*group.on_coordinates))
    names = system.coordinates
    quiet = [
        k
        for k in range(len(names))
        if all(e == 0 for a, e in enumerate(rates[k]) if a != which) and rates[k][which] != 0
    ]
    result: list[Normaliser] = [("shift", symbol(names[k]), ZERO) for k in quiet if rates[k][which] == 1]
    for k in quiet:
        for l in quiet:
            if rates[k][which] == -symbol(names[l]) and rates[l][which] == symbol(names[k]):
                result.append(("turn", symbol(names[k]), symbol(names[l])))
    return result


def frame_matrix(system: System, group: Action) -> Matrix | None:
    """``T`` such that the fields ``u_j T_k^j`` of the whole frame are invariant, or None."""
    size = system.frame.size
    unit = identity(size)
    found = normalised(system, system.frame, group, unit, unit)
    return None if found is None else found[0]
