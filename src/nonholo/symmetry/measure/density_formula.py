"""Densities and multipliers written as products of powers: without constant factors, and positive where the system lives."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, larger_than
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import evaluate_all
from nonholo.notation.shortening.length import written_length
from nonholo.notation.shortening.shorten import neat

LONG = 400
"""Longer factors are left as they are."""


def positive_product(
    factors: Iterable[tuple[Expr, Expr]], variables: Collection[Symbol], places: Sequence[Mapping[str, float]]
) -> Expr:
    """The product of ``base**weight`` up to a constant factor, each base with the sign that it has at the places.

    A base whose sign differs there stands as the root of its square.

    >>> x, k, y = se.symbols("x k y")
    >>> positive_product([(k*(-x**2), se.Rational(1, 2)), (-y, -se.Integer(1))], [x, y], [{"x": -1.0, "y": 0.5, "k": 2.0}])
    -x/y
    """
    known = set(variables)
    powers: dict[Expr, Expr] = {}
    for base, weight in factors:
        short = base if larger_than([base], LONG) else neat(base)
        for part, exponent in _parts(short, weight):
            if part.free_symbols & known:
                powers[part] = powers.get(part, ZERO) + exponent
    bases = [b for b, w in powers.items() if w != 0]
    signs = np.sign(evaluate_all(bases, places)) if bases else np.zeros((0, 0))
    result = []
    for base, column in zip(bases, signs.T):
        weight = powers[base]
        if np.all(column < 0):
            base = -base
        elif not np.all(column > 0) and not _even(weight):
            base, weight = base**2, weight / 2
        result.append(base**weight)
    whole = se.Mul(*result)
    if larger_than([whole], LONG):
        return whole
    return min([whole, neat(whole)], key=written_length) if all(w.is_Integer for w in powers.values()) else whole


def _parts(expr: Expr, weight: Expr) -> Iterable[tuple[Expr, Expr]]:
    """The factors of a product with their exponents; signs are left out."""
    if isinstance(expr, se.Mul):
        for part in expr.args:
            yield from _parts(part, weight)
    elif isinstance(expr, se.Pow) and expr.args[1].is_Number:
        yield from _parts(expr.args[0], weight * expr.args[1])
    elif not expr.is_Number:
        yield expr, weight


def _even(weight: Expr) -> bool:
    return bool(weight.is_Integer) and int(weight) % 2 == 0
