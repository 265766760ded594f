"""Where the formulas of a system are real: roots, logarithms and inverse sines of its coordinates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import symengine as se

from nonholo.algebra.calculus import nodes, symbols
from nonholo.algebra.expression_types import Expr

BOUNDED = (se.log, se.asin, se.acos, se.acosh, se.atanh)


def roots_in(exprs: Iterable[Expr], coordinates: Sequence[str]) -> tuple[Expr, ...]:
    """What is not real everywhere, each function once, in an order of its own.

    >>> x = se.Symbol("x")
    >>> roots_in([se.sqrt(x) + se.sqrt(1 + x**2) + se.log(x)], ["x"])
    (log(x), sqrt(x))
    """
    places = set(symbols(coordinates))
    found = (f for f in nodes(exprs) if isinstance(f, (se.Pow, *BOUNDED)))
    return tuple(sorted((f for f in found if _narrow(f) and f.free_symbols & places), key=str))


def _narrow(function: Expr) -> bool:
    if not isinstance(function, se.Pow):
        return True
    base, exponent = function.args
    return not exponent.is_Integer and base != se.E and not _positive(base)


def _positive(expr: Expr) -> bool:
    """Whether it is a sum of even powers and positive numbers at sight."""
    if expr.is_Number:
        return bool(expr.is_real) and float(expr) > 0
    if isinstance(expr, (se.Add, se.Mul)):
        return all(_positive(a) for a in expr.args)
    return isinstance(expr, se.Pow) and bool(expr.args[1].is_Integer) and int(expr.args[1]) % 2 == 0
