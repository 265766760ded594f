"""A solution of a linear ODE over a function field in closed form, and relations with constant factors between elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import symengine as se

from nonholo.algebra.calculus import ONE
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate
from nonholo.symmetry.integrals.gauge.function_field import Element, FunctionField
from nonholo.symmetry.integrals.gauge.prolongation import reduced_rows

Vector = tuple[Expr, ...]


@dataclass(frozen=True)
class ClosedForm:
    """A solution ``y(s) = Σ factor · vector`` with vectors over the field, and how it was found."""

    terms: tuple[tuple[Expr, tuple[Element, ...]], ...]
    method: str
    common: Expr = ONE
    """A power that all factors have in common."""
    square: Expr | None = None
    """``D``, where the factors without ``common`` are rational in the parameters and ``√D``."""


def applied(F: FunctionField, matrix: Sequence[Sequence[Element]], one: ClosedForm, factored: bool = False) -> Vector:
    """``matrix · y`` as expressions; what cancels in the field cancels."""
    result = []
    for row in matrix:
        parts = [(factor, _row_times(F, row, vector)) for factor, vector in one.terms]
        result.append(se.Add(*(factor * F.expression(e, factored) for factor, e in parts if e != 0)))
    return tuple(result)


def _row_times(F: FunctionField, row: Sequence[Element], vector: Sequence[Element]) -> Element:
    return F.reduced(sum((a * b for a, b in zip(row, vector)), F.zero))


def solution(F: FunctionField, one: ClosedForm) -> Vector:
    """``y`` as expressions."""
    size = len(one.terms[0][1])
    return applied(F, [[F.one if i == j else F.zero for j in range(size)] for i in range(size)], one)


def linear_relations(F: FunctionField, columns: Sequence[Sequence[Element]]) -> list[list[Element]]:
    """All ``c`` in Q(parameters) with ``Σ_j c_j columns_j = 0``; each column is a vector over the field."""
    rows = []
    for i in range(len(columns[0])):
        entries = [column[i] for column in columns]
        common = F.field.ring.one
        for e in entries:
            if e != 0:
                common = common.lcm(e.denom)
        scaled = [F.reduced(e * F.field.new(common, F.field.ring.one)) for e in entries]
        parts = [F.coefficients(e) if e != 0 else {} for e in scaled]
        shared = [F.field.new(F.field.ring.one, e.denom) for e in scaled]
        for key in sorted({k for p in parts for k in p}):
            rows.append([p[key] * d if key in p else F.zero for p, d in zip(parts, shared)])
    width = len(columns)
    solved = reduced_rows(F, rows, width)
    bound = {next(k for k, e in enumerate(row) if e != 0): row for row in solved}
    return [
        [-bound[k][j] if k in bound else F.one if k == j else F.zero for k in range(width)]
        for j in range(width)
        if j not in bound
    ]


def positive(F: FunctionField, base: Element) -> Expr:
    """The base of a power with the sign that makes it real, for positive parameters."""
    return F.expression(base if evaluate([F.expression(base)], somewhere(F, 0.31))[0] > 0 else -base, True)


def somewhere(F: FunctionField, at: float) -> dict[str, float]:
    """A value of the variable, with positive parameters."""
    place = {str(p): 0.7 + 0.11 * j for j, p in enumerate(F.parameters)}
    return {**place, str(F.variable): at}
