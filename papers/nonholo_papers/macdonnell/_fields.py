"""Calculus in coordinates, in numbers: functions of a Lagrangian, brackets and Lie derivatives of fields, by complex steps.

A field is a function of the coordinates that gives its components; a metric is one that gives its matrix. Nothing here
knows of frames, groups or structure functions, so that formulas about them can be confronted with it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo_papers.evidence import analytic, slope
from nonholo_papers.spectral import slope as slope_along

Array = Any
Field = Callable[[Array], Array]


def table(rows: Sequence[Sequence[Any]], names: Sequence[str]) -> Field:
    """A table of expressions as a function of the array of its variables, through which complex steps go."""
    return analytic([[str(e) for e in row] for row in rows], names)


def column(entries: Sequence[Any], names: Sequence[str]) -> Field:
    """The same for a column: the function gives a vector."""
    whole = table([entries], names)
    return lambda x: whole(x)[0]


def lagrangian(expr: Any, coordinates: Sequence[str]) -> SimpleNamespace:
    """L, ∂L/∂q̇, ∂L/∂q, ∂²L/∂q̇∂q̇ and ∂²L/∂q∂q̇ as functions of (q, q̇); rates are called ``q1dot``."""
    names = [*coordinates, *(f"{c}dot" for c in coordinates)]
    text = se.sympify(expr)
    q, v = [se.Symbol(n) for n in coordinates], [se.Symbol(f"{n}dot") for n in coordinates]
    push = [text.diff(e) for e in v]

    def of_both(function: Field) -> Callable[[Array, Array], Array]:
        return lambda x, y: function(np.concatenate([x, y]))

    return SimpleNamespace(
        L=of_both(column([text], names)),
        push=of_both(column(push, names)),
        pull=of_both(column([text.diff(e) for e in q], names)),
        hessian=of_both(table([[p.diff(e) for e in v] for p in push], names)),
        mixed=of_both(table([[p.diff(e) for e in q] for p in push], names)),
    )


def along(function: Field, q: Array, way: Array) -> Array:
    """The derivative of a function at a place in a direction."""
    step = 1e-30
    return np.imag(function(np.asarray(q) + 1j * step * np.asarray(way))) / step


def rate(function: Callable[[Array, Array], Array], q: Array, v: Array, a: Array) -> Array:
    """``d/dt f(q, q̇)`` where q̈ = a."""
    step = 1e-30
    return np.imag(function(q + 1j * step * v, v + 1j * step * a)) / step


def towards(function: Callable[[Array], Any], place: Array, ways: Any, radius: float = 0.05, count: int = 12) -> Array:
    """The derivatives of a function at a place in several directions, by interpolation; the first axis counts them."""

    def one(way: Array) -> Array:
        return slope_along(lambda h: function(place + h * way), radius, count)

    return np.array([one(way) for way in ways])


def bracket(one: Field, two: Field, q: Array) -> Array:
    """``[X, Y]^i = X^k ∂_k Y^i − Y^k ∂_k X^i``."""
    return along(two, q, one(q)) - along(one, q, two(q))


def lie(metric: Field, field: Field, q: Array) -> Array:
    """``(L_X K)_ij = X^k ∂_k K_ij + K_kj ∂_i X^k + K_ik ∂_j X^k``."""
    moved = metric(q) @ slope(field, q)
    return along(metric, q, field(q)) + moved + moved.T


def brackets(first: Sequence[Field], second: Sequence[Field], q: Array) -> Array:
    """All brackets, ``[i, j, component]``."""
    return np.array([[bracket(x, y, q) for y in second] for x in first])


def values(fields: Sequence[Field], q: Array) -> Array:
    """The fields at a place, one in a row."""
    return np.array([f(q) for f in fields])
