"""The reduced system near a configuration: shape, invariant basis of D, reduced data.

Strategies are tried in order: bases in closed form, which read well; fields from a library; values on a section.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ONE, ZERO, atoms, jacobian, larger_than, substitute, symbols, with_denominator
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    determinant,
    dot,
    evaluate,
    evaluate_all,
    identity,
    multiply,
    solve_rows,
    transpose,
)
from nonholo.algebra.subspaces import null_space
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import admissible, constraint_rows, samples_of
from nonholo.symmetry.exact.gauge_terms import with_invariant_potential
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.quotient_data import Quotient, lagrangian_parts, quotient, section_quotient
from nonholo.symmetry.reduction.section.invariant_basis import Basis, invariant_basis
from nonholo.symmetry.reduction.section.library_reduction import library_fields, library_section
from nonholo.symmetry.reduction.section.moving_frame import affine_matrix, moving_frame
from nonholo.symmetry.reduction.section.orbit_section import OrbitSection, section_of, section_shape
from nonholo.symmetry.reduction.section.shape_space import Shape, check_shape, simple_first

SMALL = 150
"""Fields with more nodes than this keep their common factors."""


@dataclass(frozen=True, eq=False)
class LocalReduction:
    """Shape, basis and data; ``section`` when they come from one."""

    shape: Shape
    basis: Basis
    data: Quotient
    section: OrbitSection | None


@dataclass(frozen=True, eq=False)
class LocalProblem:
    """What is to be reduced: the system, its group, and the configuration ``at`` near which the shape should be good."""

    system: System
    group: Action
    at: Mapping[str, float] | None
    closed: bool
    """Whether bases in closed form are wanted and possible."""


@dataclass(frozen=True)
class Strategy:
    """A way to the reduced data: ``applies`` also sees what an earlier one found, where that has a pole."""

    applies: Callable[[LocalProblem, LocalReduction | None], bool]
    run: Callable[[LocalProblem], LocalReduction]


def local_reduction(system: System, group: Action, at: Mapping[str, float] | None = None, closed: bool = True) -> LocalReduction:
    """By the first strategy that has a result without poles; else the first result; else the last strategy's reason."""
    system = with_invariant_potential(system, group.on_coordinates)
    question = LocalProblem(system, group, at, closed and not _moved_by_itself(system))
    first, problem = None, ModelError(f"{system.name}: no strategy of reduction applies.")
    for strategy in STRATEGIES:
        if not strategy.applies(question, first):
            continue
        try:
            found = strategy.run(question)
        except ModelError as reason:
            problem = reason
            continue
        if first is None and (at is not None or not system.frame.plain or not question.closed):
            return found
        if not _singular(system, found):
            return found
        first = first or found
    if first is None:
        raise problem
    return first


def _closed_forms(question: LocalProblem) -> LocalReduction:
    """A shape and an invariant basis in closed form."""
    system, group = question.system, question.group
    shape = simple_first(section_shape(system, group, moving_frame(system, group.on_coordinates)))
    check_shape(system, group, shape)
    basis = invariant_basis(system, group, question.at)
    return LocalReduction(shape, basis, quotient(system, basis, shape), None)


def _fields_inside(question: LocalProblem) -> LocalReduction:
    """Invariant fields of D from the library."""
    system = question.system
    fields = library_fields(system, question.group, True)
    return _with_columns(system, library_section(system, question.group, fields), transpose(fields))


def _fields_everywhere(question: LocalProblem) -> LocalReduction:
    """Invariant fields of all directions from the library, and combinations of them in D."""
    system = question.system
    fields = library_fields(system, question.group, False)
    shape = library_section(system, question.group, fields)
    rows = [[shorten(e) for e in shape.reduce([dot(row, f) for f in fields])] for row in constraint_rows(system).slopes]
    moving = set(symbols(shape.names))
    samples = [{**p, **dict(zip(shape.names, evaluate(list(shape.functions), p).tolist()))} for p in samples_of(system)]
    inside = _kernel(rows, len(fields), samples, lambda e: e.is_Number or not e.free_symbols & moving)
    lifted = [shape.lift(row) for row in inside]
    return _with_columns(system, shape, shorten_matrix(multiply(transpose(fields), lifted)))


def _with_columns(system: System, shape: Shape, columns: Matrix) -> LocalReduction:
    basis = Basis(columns, tuple(f"_{i + 1}" for i in range(len(columns[0]))), False)
    return LocalReduction(shape, basis, quotient(system, basis, shape), None)


def _by_library(question: LocalProblem, first: LocalReduction | None) -> bool:
    """Whether only the library can help: no closed form was found, and some generator is not affine."""
    not_affine = (affine_matrix(question.system, f) is None for f in question.group.on_coordinates)
    return question.closed and first is None and any(not_affine)


def _singular(system: System, local: LocalReduction) -> bool:
    moving = set(symbols(system.coordinates))
    return bool(with_denominator((e for row in local.basis.columns for e in row), moving))


def _on_section(question: LocalProblem) -> LocalReduction:
    """Values on a section of the group's orbits that is good at ``at``."""
    system = question.system
    section = section_of(system, question.group, question.at)
    inside, drift = section_basis(system, section)
    data = section_quotient(system, section, inside, drift)
    columns = section.lifted(system.frame, inside)
    names = tuple(f"_{i + 1}" for i in range(len(inside[0]) if inside else 0))
    moving = (
        tuple(row[0] for row in section.lifted(system.frame, tuple((e,) for e in drift)))
        if data.drift or any(e != 0 for e in drift)
        else ()
    )
    shapes = set(symbols(section.shape.names))
    poles = section.shape.lift(with_denominator((e for row in section.around for e in row), shapes))
    return LocalReduction(section.shape, Basis(columns, names, False, moving, poles), data, section)


STRATEGIES = (
    Strategy(lambda question, first: question.closed, _closed_forms),
    Strategy(_by_library, _fields_inside),
    Strategy(_by_library, _fields_everywhere),
    Strategy(lambda question, first: not _by_library(question, first), _on_section),
)
"""In this order: closed forms read best, values on a section always exist for affine groups."""


def require_linear(system: System, generators: Sequence[str]) -> None:
    """A ModelError, with the reason, for constraints that no linear or affine basis describes."""
    known = f"the system is the same under {', '.join(generators)}, but"
    if system.parametric is not None:
        names, table = system.parametric
        slopes = [e for row in jacobian([table[v] for v in system.velocities], symbols(names)) for e in row]
        if any(e.free_symbols & set(symbols(names)) for e in slopes):
            raise ModelError(
                f"{system.name}: {known} its velocities are nonlinear in the parameters {', '.join(names)}, and "
                "reduction needs linear or affine ones; integrals tells what is conserved."
            )
        return
    rows = constraint_rows(system)
    if not rows.linear:
        raise ModelError(
            f"{system.name}: {known} its constraints are nonlinear in the velocities, and reduction needs linear or affine ones; "
            "integrals tells what is conserved."
        )


def _moved_by_itself(system: System) -> bool:
    """Whether constraints are affine or depend on time, or the Lagrangian has terms linear in the velocities."""
    if system.parametric is not None or any(e != 0 for e in lagrangian_parts(system)[1]):
        return True
    rows = constraint_rows(system)
    if any(e.free_symbols & {TIME} for row in rows.slopes for e in row):
        return True
    return any(np.max(np.abs(evaluate(list(rows.sides), p)), initial=0.0) > 1e-12 for p in samples_of(system))


def section_basis(system: System, section: OrbitSection) -> tuple[Matrix, tuple[Expr, ...]]:
    """A basis of D on the section by columns, and the affine field there (zeros when there is none)."""
    shape = section.shape
    still = (ZERO,) * len(system.velocities)
    if system.parametric is not None:
        allowed = admissible(system)
        zero = dict.fromkeys(allowed.speeds, ZERO)
        drift = shape.reduce(substitute(allowed.velocity, zero))
        return tuple(shape.reduce(substitute(row, zero)) for row in allowed.basis), drift
    rows = constraint_rows(system)
    table = [tuple(shorten(e) for e in shape.reduce(row)) for row in rows.slopes]
    sides = [shorten(e) for e in shape.reduce(rows.sides)]
    samples = list(section.samples)
    moving = {*symbols(shape.names), *symbols(system.inputs), TIME}

    def steady(e: Expr) -> bool:
        return e.is_Number or not (e.free_symbols & moving)

    try:
        inside = _kernel(table, len(still), samples, steady)
        if all(np.max(np.abs(evaluate(sides, p)), initial=0.0) < 1e-12 for p in samples):
            return inside, still
        free, found = solve_rows(table, [[e] for e in sides], samples, steady)
        return inside, tuple(shorten(row[len(free)]) for row in found)
    except DependentRows as fault:
        label = rows.labels[min(fault.row, len(rows.labels) - 1)]
        raise ModelError(f"{system.name}: {label} depends on the others; remove it.") from None


def _kernel(table: Sequence[Sequence[Expr]], width: int, samples: Any, steady: Any) -> Matrix:
    """Velocities that the rows allow; by cofactors, without denominators, where one direction is left of a block."""
    if not table:
        return identity(width)
    rows = [list(row) for row in table]
    pivots: list[tuple[int, int]] = []
    waiting = list(range(len(rows)))
    while True:
        best = _pivot(rows, waiting, steady, samples)
        if best is None:
            break
        i, j = best
        waiting.remove(i)
        pivots.append(best)
        for k in waiting:
            if rows[k][j] != 0:
                factor = rows[k][j] / rows[i][j]
                rows[k] = [
                    ZERO if c == j else shorten(e - factor * f) for c, (e, f) in enumerate(zip(rows[k], rows[i]))
                ]
    taken = {j for _, j in pivots}
    rest = [rows[k] for k in waiting]
    found = _rest_kernel(rest, [j for j in range(width) if j not in taken], width, samples, steady)
    for i, j in reversed(pivots):
        for vector in found:
            total = sum((rows[i][c] * vector[c] for c in range(width) if c != j and rows[i][c] != 0), ZERO)
            vector[j] = shorten(-total / rows[i][j])
    return transpose(found)


def _pivot(rows: Any, waiting: Sequence[int], steady: Any, samples: Any) -> tuple[int, int] | None:
    places = [(i, j) for i in waiting for j, e in enumerate(rows[i]) if e != 0]
    if not places:
        return None
    sizes = np.min(np.abs(evaluate_all([rows[i][j] for i, j in places], samples)), axis=0)
    best, cost = None, (1 << 30, 0)
    for (i, j), size in zip(places, sizes):
        if size > 1e-9 and steady(rows[i][j]):
            fill = (sum(e != 0 for e in rows[i]) - 1) * (sum(rows[k][j] != 0 for k in waiting) - 1)
            weight = (fill, 0 if rows[i][j].is_Number else 1)
            if weight < cost:
                best, cost = (i, j), weight
    return best


def _rest_kernel(rest: Any, columns: Sequence[int], width: int, samples: Any, steady: Any) -> list[list[Expr]]:
    """The kernel of rows without steady pivots, in all columns but the pivots'."""

    def embed(entries: Mapping[int, Expr]) -> list[Expr]:
        return [entries.get(j, ZERO) for j in range(width)]

    if not rest:
        return [embed({j: ONE}) for j in columns]
    numbers = np.max(np.abs(evaluate_all([e for row in rest for e in row], samples)), axis=0).reshape(len(rest), width)
    used = [j for j in columns if np.max(numbers[:, j]) > 1e-11]
    free = [embed({j: ONE}) for j in columns if j not in used]
    if len(used) == len(rest) + 1:
        minors = [[[row[j] for j in used if j != k] for row in rest] for k in used]
        cofactors = _coprime([shorten((-1) ** n * determinant(minor)) for n, minor in enumerate(minors)])
        sizes = evaluate(cofactors, samples[0])
        sign = 1 if sizes[int(np.argmax(np.abs(sizes)))] > 0 else -1
        return [*free, embed(dict(zip(used, (sign * e for e in cofactors))))]
    vectors = null_space([[row[j] for j in used] for row in rest], len(used), samples, steady)[1]
    return [*free, *(embed(dict(zip(used, vector))) for vector in vectors)]


def _coprime(entries: Sequence[Expr]) -> list[Expr]:
    """The entries without their common factor, as polynomials of what they are made of: where it vanishes the field need not."""
    if larger_than(entries, SMALL) or sum(e != 0 for e in entries) < 2:
        return list(entries)
    import sympy

    parts = atoms(entries, se.sin, se.cos, se.Symbol)
    names = {f: se.Symbol(f"_part{k}") for k, f in enumerate(sorted(parts, key=str))}
    outer = {f: n for f, n in names.items() if not f.is_Symbol}
    inner = {f: n for f, n in names.items() if f.is_Symbol}
    polynomials = [sympy.sympify(e.xreplace(outer).xreplace(inner)) for e in entries]
    if not all(p.is_polynomial() for p in polynomials):
        return list(entries)
    common = sympy.gcd_list([sympy.expand(p) for p in polynomials])
    if common.is_number:
        return list(entries)
    back = {n: f for f, n in names.items()}
    return [se.sympify(sympy.cancel(p / common)).xreplace(back) for p in polynomials]
