"""Coordinates of the shape space Q/G and a section through the orbits.

An invariant function of the configuration is found as a function of the shape by its values on the section alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import atoms, gradient, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import dot, evaluate, evaluate_matrix
from nonholo.errors import ModelError
from nonholo.model.system import System
from nonholo.model.velocities.admissible import samples_of
from nonholo.symmetry.group.group_action import Action

LIMIT = 1e-9


@dataclass(frozen=True)
class Shape:
    """Shape variables ``r``: their names, what they are on Q, and the section ``q = section(r)``."""

    names: tuple[str, ...]
    functions: tuple[Expr, ...]
    section: Mapping[Symbol, Expr]
    """Coordinate symbol -> expression in the shape variables."""
    relations: tuple[Expr, ...]
    """Zero on the shapes, where there are more variables than dimensions (``|γ|² − 1``)."""
    size: int
    """σ, the dimension of Q/G."""

    @property
    def redundant(self) -> bool:
        """Whether there are more variables than dimensions."""
        return len(self.names) > self.size

    def reduce(self, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Invariant functions on Q as functions of the shape."""
        found = substitute(exprs, self.section)
        radii = [symbol(n) for n, f in zip(self.names, self.functions) if f.is_Pow and n.endswith("_radius")]
        return _rooted(found, radii) if radii else found

    def lift(self, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Functions of the shape as functions on Q."""
        return substitute(exprs, dict(zip(symbols(self.names), self.functions)))


def _rooted(exprs: Sequence[Expr], radii: Sequence[Any]) -> tuple[Expr, ...]:
    """``√(r²)`` is ``r`` for a radius."""
    squares = {r**2: r for r in radii}
    table = {
        p: squares[p.args[0]] ** (2 * p.args[1])
        for e in exprs
        for p in atoms([e], se.Pow)
        if p.args[0] in squares and p.args[1].is_Number
    }
    return substitute(exprs, table) if table else tuple(exprs)


def simple_first(shape: Shape) -> Shape:
    """The same shape with its variables in the order: coordinates, their differences, radii."""
    order = sorted(range(len(shape.names)), key=lambda k: (shape.functions[k].is_Pow, not shape.functions[k].is_Symbol))
    return replace(
        shape, names=tuple(shape.names[k] for k in order), functions=tuple(shape.functions[k] for k in order)
    )


def check_shape(system: System, group: Action, shape: Shape) -> None:
    """A ModelError where a generator moves a shape variable, or there are fewer of them than dimensions."""
    x = symbols(system.coordinates)
    slopes = [gradient(f, x) for f in shape.functions]
    places = samples_of(system, count=3)
    for name, field in zip(group.names, group.on_coordinates):
        for place in places:
            moved = evaluate([dot(s, field) for s in slopes], place)
            if np.max(np.abs(moved), initial=0.0) > LIMIT:
                what = shape.names[int(np.argmax(np.abs(moved)))]
                raise ModelError(
                    f"{system.name}: the generator {name!r} moves {what}, so no shape variable was found for it; write the "
                    "system in coordinates of which some are left alone by the group (relative angles, distances)."
                )
    columns = list(zip(*system.frame.anchor)) if x else []
    rank = (
        max(
            (
                int(np.linalg.matrix_rank(evaluate_matrix([[dot(s, c) for c in columns] for s in slopes], p), tol=1e-9))
                for p in places
            ),
            default=0,
        )
        if shape.names
        else 0
    )
    if rank != shape.size:
        raise ModelError(
            f"{system.name}: the orbits of {', '.join(group.names)} have dimension {group.rank}, so {shape.size} shape "
            f"variables are needed, but among the coordinates only {rank} independent invariants were found "
            f"({', '.join(shape.names) or 'none'}); write the system in coordinates of which that many are left "
            "alone by the group."
        )
