"""The distributions of a symmetry [MacDonnell 1997, chapter 6]: V, S = D ∩ V, H = D ∩ S^⊥, N = V ∩ S^⊥, R = (D + V)^⊥."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import (
    DependentRows,
    dot,
    evaluate_matrix,
    identity,
    transpose,
)
from nonholo.algebra.subspaces import independent_rows, null_space
from nonholo.geometry.frames.brackets import shorten
from nonholo.model.system import System
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.group.group_action import Action
from nonholo.symmetry.reduction.momentum.aligned_basis import Aligned
from nonholo.symmetry.reduction.momentum.connection import Connection
from nonholo.symmetry.reduction.quotient_data import natural_parts
from nonholo.symmetry.reduction.reduced_equations import lifted_columns
from nonholo.symmetry.reduction.section.invariant_basis import Basis
from nonholo.symmetry.reduction.section.shape_space import Shape
from nonholo.symmetry.vector_fields import Field


@dataclass(frozen=True)
class Bases:
    """Vector fields by components in the system's frame velocities; also by the letters, ``bases["H"]``."""

    velocities: tuple[str, ...]
    H: tuple[Field, ...]
    S: tuple[Field, ...]
    N: tuple[Field, ...]
    R: tuple[Field, ...]

    def __getitem__(self, letter: str) -> tuple[Field, ...]:
        if letter not in ("H", "S", "N", "R"):
            raise KeyError(letter)
        found: tuple[Field, ...] = getattr(self, letter)
        return found

    @property
    def dimensions(self) -> FrozenMap[str, int]:
        """How many fields each has."""
        return FrozenMap({letter: len(self[letter]) for letter in "HSNR"})

    def rates(self, letter: str) -> tuple[Expr, ...]:
        """The fields as velocities, ``Σ X^i v_i`` in the frame's names; for reading."""
        return tuple(dot(field, symbols(self.velocities)) for field in self[letter])


def bases_of(
    system: System, group: Action, basis: Basis, shape: Shape, frame: Aligned, linked: Connection | None
) -> Bases:
    """Bases of H, S, N and R with the kinetic metric; with a connection all of them are invariant."""
    columns = transpose(lifted_columns(shape, basis, frame))
    h = frame.horizontal
    horizontal, along = columns[:h], columns[h:]
    metric = natural_parts(system)[0]
    places = samples_of(system, count=2)
    if linked is not None:
        normal = _normal(shape, frame, linked)
    else:
        orbit = _independent(group.fields, places)
        lowered = [tuple(dot(row, s) for row in metric) for s in along]
        normal = _kernel([[dot(row, field) for field in orbit] for row in lowered], orbit, places)
    span = [*horizontal, *along, *normal]
    unit = identity(len(metric))
    rest = (
        _kernel([tuple(dot(row, field) for row in metric) for field in span], unit, places)
        if len(span) < len(metric)
        else ()
    )
    return Bases(system.velocities, tuple(horizontal), tuple(along), tuple(normal), tuple(rest))


def _normal(shape: Shape, frame: Aligned, linked: Connection) -> tuple[Field, ...]:
    """``e_a' − e_a I_S^{ab} I_ba'``: U made orthogonal to S."""
    m = linked.momenta
    columns = transpose(linked.basis)
    result = []
    for a in range(m, len(linked.inertia)):
        mixed = [linked.inertia[b][a] for b in range(m)]
        weights = [dot(row, mixed) for row in frame.inverse_inertia]
        field = [e - dot(weights, [columns[b][i] for b in range(m)]) for i, e in enumerate(columns[a])]
        lifted = shape.lift([shorten(e) for e in field])
        result.append(tuple(shorten(dot(row, lifted)) for row in linked.fields))
    return tuple(result)


def _independent(fields: Sequence[Field], places: Sequence[dict[str, float]]) -> list[Field]:
    return [fields[k] for k in independent_rows(evaluate_matrix(fields, places[0]))] if fields else []


def _kernel(rows: Any, fields: Sequence[Field], places: Sequence[dict[str, float]]) -> tuple[Field, ...]:
    """Combinations ``fields · c`` with ``rows · c = 0``."""
    width = len(fields)
    if not width:
        return ()
    if not rows:
        return tuple(fields)
    try:
        _, vectors = null_space(rows, width, places)
    except DependentRows:
        return ()
    return tuple(tuple(shorten(dot(row, vector)) for row in transpose(fields)) for vector in vectors)
