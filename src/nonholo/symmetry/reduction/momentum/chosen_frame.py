"""The user's own basis of S, complement U and principal connection A, read and checked [BMZ 2009 §2.5, §4.1].

A field ``L_g* e_a(r)`` is given as a vector field on the configurations: along coordinates, frame velocities or speeds, with
coefficients of the coordinates. It must commute with every generator of the group and be tangent to the orbits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ONE, ZERO, node_count
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import Matrix, dot, evaluate, evaluate_matrix, solve
from nonholo.errors import ModelError
from nonholo.geometry.frames.brackets import shorten, shorten_matrix
from nonholo.model.system import System
from nonholo.model.velocities.admissible import constraint_rows, samples_of
from nonholo.notation.read import expression
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.local_reduction import LocalReduction
from nonholo.symmetry.reduction.momentum.connection import Connection, connection
from nonholo.symmetry.reduction.momentum.conserving_bases import Aligned, aligned, tilted
from nonholo.symmetry.reduction.momentum.parallel_basis import parallel_weights
from nonholo.symmetry.vector_fields import Field, bracket, field_from_table

ROUNDING = 1e-8
PARALLEL = "parallel"
CONNECTIONS = ("nonholonomic", "mechanical", "trivial")
Tables = FrozenMap[str, FrozenMap[str, object]]
"""Fields by name, each a table of components."""
NONE: Tables = FrozenMap()


@dataclass(frozen=True)
class Choice:
    """What the user chose; empty parts are found."""

    basis: Tables | str = NONE
    connection: Tables | str = ""
    complement: Tables = NONE

    def __bool__(self) -> bool:
        return bool(self.basis or self.connection or self.complement)


def choice_of(system: System, basis: Any, connection: Any, complement: Any) -> Choice:
    """The words of a user as tables; a ModelError where they are none."""
    if isinstance(connection, str) and connection not in ("", *CONNECTIONS):
        raise ModelError(
            f"{system.name}: connection {connection!r}; give one of {', '.join(CONNECTIONS)}, or a table of horizontal "
            "fields, or of components along the basis, one for each shape variable."
        )
    if isinstance(basis, str) and basis != PARALLEL:
        raise ModelError(f"{system.name}: basis {basis!r}; give {PARALLEL!r}, or a table of fields.")
    return Choice(
        basis if isinstance(basis, str) else _tables(system, basis, "basis"),
        connection if isinstance(connection, str) else _tables(system, connection, "connection"),
        _tables(system, complement, "complement"),
    )


def _tables(system: System, given: Any, word: str) -> Tables:
    if given is None:
        return NONE
    if not isinstance(given, Mapping) or not all(isinstance(table, Mapping) and table for table in given.values()):
        raise ModelError(
            f"{system.name}: {word} must be a table of fields by name, each a table of components, e.g. "
            "{'forward': {'x': 'cos(th)', 'y': 'sin(th)'}}."
        )
    return FrozenMap({str(n): FrozenMap({str(c): e for c, e in table.items()}) for n, table in given.items()})


@dataclass(frozen=True)
class Chosen:
    """A frame of D, its connection, and the names of the bases of S (empty where it was found) and U."""

    frame: Aligned
    linked: Connection | None
    names: tuple[str, ...]
    others: tuple[str, ...]
    """Names of the fields of U; empty where they were found."""


class _Reader:
    """Reads fields of one reduction and writes them in the invariant basis of D."""

    def __init__(self, system: System, group: Action, local: LocalReduction) -> None:
        self.system, self.group, self.local = system, group, local
        self.places = samples_of(system, count=4)
        self.rows = constraint_rows(system).slopes if system.parametric is None else ()

    def field(self, word: str, name: str, table: Mapping[str, object]) -> Field:
        """An invariant field in the frame."""
        system = self.system
        where = f"{system.name}: {word}, {name!r}"
        known = (*system.coordinates, *system.parameters)
        read = {c: expression(e, known, f"{where}, {c}") for c, e in table.items()}
        found = field_from_table(system, read, where)
        if found is None:
            names = dict.fromkeys((*system.coordinates, *system.velocities, *system.quasivelocities))
            raise ModelError(
                f"{where}: components along {', '.join(table)}; give all along coordinates, or all along velocities, of "
                f"{', '.join(names)}."
            )
        size = max(self.size(found), 1e-12)
        for generator, own in zip(self.group.names, self.group.fields):
            off = self.size(bracket(system.frame, own, found))
            if off > ROUNDING * (size + self.size(own)):
                raise ModelError(
                    f"{where} is not equivariant: its bracket with the generator {generator!r} is not zero (off by "
                    f"{off:.2g}); give components that the group leaves alone, as those in the body."
                )
        return found

    def size(self, field: Sequence[Expr]) -> float:
        return max(float(np.max(np.abs(evaluate(list(field), p)), initial=0.0)) for p in self.places)

    def in_distribution(self, field: Field) -> bool:
        """Whether a field is admissible."""
        return self.size([dot(row, field) for row in self.rows]) < ROUNDING * (1 + self.size(field))

    def vertical(self, field: Field) -> bool:
        """Whether a field is tangent to the orbits."""
        ranks = []
        for p in self.places:
            orbit = evaluate_matrix(self.group.fields, p)
            ranks.append(np.linalg.matrix_rank(np.vstack([orbit, evaluate([*field], p)]), tol=1e-8))
        return max(ranks) == self.group.rank

    def inside(self, field: Field) -> tuple[Expr, ...]:
        """The components of a field of D in its invariant basis, as functions of the shape."""
        return self.on_section(self.local.shape.reduce(field))

    def on_section(self, own: Sequence[Expr]) -> tuple[Expr, ...]:
        """The same for a field on the section."""
        square, rows = self.rows_of_basis
        found = solve(square, [[own[i]] for i in rows], list(self.local.data.samples))
        return tuple(shorten(row[0]) for row in found)

    @cached_property
    def rows_of_basis(self) -> tuple[Matrix, list[int]]:
        """As many rows of the basis of D on the section as it has fields, independent at every sample, the shortest first."""
        columns = shorten_matrix(map(self.local.shape.reduce, self.local.basis.columns))
        samples = list(self.local.data.samples)
        count = len(columns[0])
        kept: list[int] = []
        for i in sorted(range(len(columns)), key=lambda i: node_count(columns[i])):
            trial = [columns[j] for j in (*kept, i)]
            if len(kept) < count and all(np.linalg.matrix_rank(evaluate_matrix(trial, p), tol=1e-7) > len(kept) for p in samples):
                kept.append(i)
        return tuple(columns[i] for i in kept), kept

    def independent(self, fields: Sequence[Field]) -> bool:
        return all(np.linalg.matrix_rank(evaluate_matrix(fields, p), tol=1e-8) == len(fields) for p in self.places)


def chosen_frame(system: System, group: Action, local: LocalReduction, near: Any, choice: Choice) -> Chosen:
    """The frame and the connection that the user chose, completed by what is found."""
    reader = _Reader(system, group, local)
    usual = aligned(system, local.data, near)
    if local.shape.redundant:
        raise ModelError(
            f"{system.name}: the shape has more variables than dimensions ({', '.join(local.shape.names)}), and a basis "
            "or connection of one's own needs as many; write the shape in angles."
        )
    parallel = choice.basis == PARALLEL
    inside, across = _vertical_fields(reader, usual, replace(choice, basis=NONE) if parallel else choice)
    along, names = (list(inside.values()) or None), tuple(inside)
    others = list(across.values()) or None
    frame = usual if along is None else aligned(system, local.data, near, [reader.inside(f) for f in along])
    if parallel:
        frame = aligned(system, local.data, near, _parallel_fields(system, frame))
    linked = connection(system, group, local.basis, local.shape, frame, local.section, others)
    if linked is None and (choice.connection or others is not None):
        raise ModelError(
            f"{system.name}: constraints act on the shape (D + V is not TQ), so that no principal connection has its horizontal "
            "space in D; leave out connection and complement."
        )
    if choice.connection and choice.connection != "nonholonomic" and linked is not None:
        columns = _horizontal(reader, frame, linked, choice.connection, names)
        frame = tilted(local.data, frame, columns)
        linked = connection(system, group, local.basis, local.shape, frame, local.section, others)
    return Chosen(frame, linked, names, tuple(across))


def _parallel_fields(system: System, frame: Aligned) -> list[tuple[Expr, ...]]:
    """``η_i^a γ_a`` for a basis that is parallel under τ, in the invariant basis of D."""
    weights = parallel_weights(frame)
    if weights is None:
        raise ModelError(
            f"{system.name}: no basis of S that is parallel under τ is known in closed form: τ is not flat, or its "
            "integrals are no elementary functions; nh.studies.momentum_frame gives numbers where τ is flat."
        )
    along = list(zip(*frame.matrix))[frame.horizontal :]
    return [tuple(shorten(dot(row, parts)) for parts in zip(*along)) for row in weights]


def _vertical_fields(reader: _Reader, usual: Aligned, choice: Choice) -> tuple[dict[str, Field], dict[str, Field]]:
    """The fields along S and those of U, by name; empty for what is to be found."""
    system, m, k = reader.system, usual.vertical, reader.group.rank
    given = NONE if isinstance(choice.basis, str) else choice.basis
    read = {n: reader.field("basis", n, t) for n, t in given.items()}
    more = {n: reader.field("complement", n, t) for n, t in choice.complement.items()}
    for word, table in (("basis", read), ("complement", more)):
        for n, field in table.items():
            if not reader.vertical(field):
                raise ModelError(
                    f"{system.name}: {word}, {n!r} is not tangent to the orbits: it changes the shape; remove that part."
                )
    if read and not reader.independent(list(read.values())):
        raise ModelError(f"{system.name}: basis: {', '.join(read)} are no basis, they depend on each other.")
    inside = {n: f for n, f in read.items() if reader.in_distribution(f)}
    outside = {n: f for n, f in read.items() if n not in inside}
    if read and (len(inside) != m or len(read) not in (m, k)):
        raise ModelError(
            f"{system.name}: basis: {len(inside)} of {len(read)} fields ({', '.join(inside) or 'none'}) lie in S, which "
            f"has dimension {m}; give a basis of S, or one of all {k} directions of the group whose first {m} lie in S."
        )
    others = {**outside, **more}
    if others and not read:
        whole = list(others.values())
        stuck = [n for n, f in others.items() if reader.in_distribution(f)]
        if stuck or len(whole) != k - m:
            why = f"{stuck[0]!r} lies in S" if stuck else f"{len(whole)} fields where {k - m} are needed"
            raise ModelError(f"{system.name}: complement: {why}; give {k - m} fields across S.")
    if others and read and (len(others) != k - m or not reader.independent([*inside.values(), *others.values()])):
        raise ModelError(
            f"{system.name}: complement: {', '.join(others)} with the basis of S make no basis of the {k} directions of "
            "the group."
        )
    return inside, others


def _horizontal(
    reader: _Reader, frame: Aligned, linked: Connection, given: Tables | str, names: Sequence[str]
) -> list[tuple[Expr, ...]]:
    """The horizontal fields of the chosen connection in the invariant basis of D, one for each shape variable."""
    system, local, h = reader.system, reader.local, frame.horizontal
    shapes = [local.shape.names[c] for c in frame.rows]
    columns = list(zip(*frame.matrix))
    own, along = columns[:h], columns[h:]
    labels = names or tuple(f"e{a + 1}" for a in range(len(along)))
    if given == "mechanical":
        if len(reader.rows):
            raise ModelError(
                f"{system.name}: the horizontal space of the mechanical connection is orthogonal to all orbits and in "
                "general not in D; leave the connection out for the nonholonomic one."
            )
        return own
    if isinstance(given, str):
        wanted = {n: dict.fromkeys(labels, ZERO) for n in shapes}
    else:
        stray = [n for n in given if n not in shapes] or [n for n in shapes if n not in given]
        if stray:
            raise ModelError(
                f"{system.name}: connection: {stray[0]!r}; give one field or one row of components for each of "
                f"{', '.join(shapes)}."
            )
        if not all(set(table) <= set(labels) for table in given.values()):
            return [_lifted(reader, frame, n, given[n], x) for x, n in enumerate(shapes)]
        known = (*local.shape.names, *system.coordinates, *system.parameters)
        where = f"{system.name}: connection"
        wanted = {n: {c: expression(e, known, f"{where}, {n}, {c}") for c, e in given[n].items()} for n in shapes}
    here = [local.shape.reduce(row) for row in linked.fields]
    result = []
    for x, n in enumerate(shapes):
        own_part = local.shape.reduce([wanted[n].get(c, ZERO) for c in labels])
        components = (*own_part, *(row[x] for row in linked.components[len(own_part) :]))
        # u_α = ∂_α − A_α^a e_a
        inner = [row[x] - dot(components, e) for row, e in zip(linked.reference, linked.basis)]
        result.append(reader.on_section([shorten(dot(row, inner)) for row in here]))
    return result


def _lifted(reader: _Reader, frame: Aligned, name: str, table: Mapping[str, object], which: int) -> tuple[Expr, ...]:
    """A horizontal field that the user gave: invariant, in D, and over ``∂/∂r^α``."""
    system, data = reader.system, reader.local.data
    field = reader.field("connection", name, table)
    if not reader.in_distribution(field):
        raise ModelError(f"{system.name}: connection, {name!r}: the horizontal field does not lie in D.")
    found = reader.inside(field)
    moved = [dot(data.slopes[c], found) - (ONE if k == which else ZERO) for k, c in enumerate(frame.rows)]
    if any(np.max(np.abs(evaluate(moved, p))) > ROUNDING for p in data.samples):
        raise ModelError(
            f"{system.name}: connection, {name!r}: the horizontal field does not lift ∂/∂{name}: it must change {name} at "
            "the rate 1 and no other shape variable."
        )
    return found
