"""The frame that moves with a drift of the constraints: ``v = w + Y(x)`` for a symmetry Y that keeps L and obeys them."""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

from nonholo.algebra.calculus import atoms, expand, substitute, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import DependentRows, dot, evaluate_matrix, solve_rows
from nonholo.algebra.prime.random_points import Unsupported, vanishes
from nonholo.algebra.subspaces import independent_rows
from nonholo.derive.hamel import lagrangian_in_frame
from nonholo.errors import ModelError
from nonholo.model.specialise import replaced
from nonholo.model.system import TIME, System, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.symmetry.exact.gauge_terms import changes
from nonholo.symmetry.exact.modular_states import Motion, NoPoints, exact_states
from nonholo.symmetry.group.shift_turn_algebra import Generator
from nonholo.symmetry.vector_fields import components

PLACES = 3
"""Configurations at which the drift is read."""


def in_moving_frame(motion: Motion, group: Sequence[Generator]) -> tuple[System, Generator] | None:
    """The system as seen from the flow of a combination Y of symmetries whose constraints have no drift there, and Y.

    ``x = exp(tY) x'`` turns ``L(x, v)`` into ``L(x', w + Y(x'))``, since the flow keeps L, constraints and forces: the same
    motions, without explicit time. A belt that runs evenly is at rest there [Fassò and Sansonetto 2015].

    >>> import symengine as se
    >>> from nonholo.symmetry.exact.modular_states import motion_of
    >>> belt = System(coordinates="x y th", parameters="V", lagrangian="(xdot**2 + ydot**2 + thdot**2)/2",
    ...     constraints=["(xdot - V)*sin(th) - ydot*cos(th)"])
    >>> shifts = [(se.Integer(1), se.Integer(0), se.Integer(0))]
    >>> still, drift = in_moving_frame(motion_of(belt), shifts)
    >>> still.constraints, drift
    ((sin(th)*xdot - cos(th)*ydot,), (V, 0, 0))
    """
    system = motion.system
    if system.parametric is not None or system.inputs or system.contacts or not group:
        return None
    rows = constraint_rows(system)
    if not rows.linear or all(e == 0 for e in rows.sides) or any(TIME in e.free_symbols for e in rows.residuals):
        return None
    try:
        inner = [components(system.frame, field, system.name) for field in group]
        weights = _weights([[dot(row, one) for one in inner] for row in rows.slopes], rows.sides, system)
        if weights is None:
            return None
        speeds = [dot(weights, column) for column in zip(*inner)]
        drift = tuple(dot(weights, column) for column in zip(*group))
        points = exact_states(motion, 8, 71).points
        left = [dot(row, speeds) - side for row, side in zip(rows.slopes, rows.sides)]
        if not vanishes(left, points) or changes(motion, lagrangian_in_frame(system), [drift]):
            return None
    except (DependentRows, ModelError, NoPoints, Unsupported):
        return None
    v = symbols(system.velocities)
    plain = [*resolve(system, [system.lagrangian, *system.constraints, *system.forces.values()])]
    moved = substitute(plain, {s: s + e for s, e in zip(v, speeds)})
    count = len(system.constraints)
    constraints = tuple(expand(e) for e in moved[1 : count + 1])
    forces = dict(zip(system.forces, moved[count + 1 :]))
    return replaced(
        system, {}, lagrangian=moved[0], constraints=constraints, forces=forces, quasivelocities={}, start={}
    ), drift  # fmt: skip


def _weights(table: Sequence[Sequence[Expr]], sides: Sequence[Expr], system: System) -> list[Expr] | None:
    """Numbers or parameters ``c`` with ``table c = sides``, from a few configurations with rational sines."""
    rows: list[tuple[Expr, ...]] = []
    for k in range(PLACES):
        flat = _rational([*(e for row in table for e in row), *sides], system, k)
        width = len(table[0])
        rows += [(*flat[i * width : (i + 1) * width], flat[len(table) * width + i]) for i in range(len(table))]
    numbers = {n: 0.7 + 0.31 * i for i, n in enumerate(system.parameters)}
    left = [row[:-1] for row in rows]
    kept = independent_rows(evaluate_matrix(left, numbers))
    free, found = solve_rows([left[k] for k in kept], [[rows[k][-1]] for k in kept], [numbers], lambda e: True)
    return [expand(row[len(free)]) for row in found] if kept else None


def _rational(exprs: Sequence[Expr], system: System, k: int) -> tuple[Expr, ...]:
    """The expressions at a configuration of fractions, the sine and cosine of each angle on a rational point of the circle."""
    x = symbols(system.coordinates)
    waves = [f for f in atoms(exprs, se.sin, se.cos) if f.free_symbols & set(x)]
    table: dict[Expr, Expr] = {c: se.Rational(3 + 2 * i + 5 * k, 7 + i) for i, c in enumerate(x)}
    for i, angle in enumerate(dict.fromkeys(f.args[0] for f in sorted(waves, key=str))):
        t = se.Rational(2 + i + 3 * k, 11 + 3 * i)  # never 1: the pole of many charts
        table |= {se.sin(angle): 2 * t / (1 + t**2), se.cos(angle): (1 - t**2) / (1 + t**2)}
    return substitute(exprs, table)
