"""Find where roots, logarithms and inverse sines of a system are real."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

import numpy as np
import symengine as se

from nonholo.algebra.calculus import nodes, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import evaluate

BOUNDED = (se.log, se.asin, se.acos, se.acosh, se.atanh)
SCALES = (1.0, 0.5, 2.0, 0.25, 4.0, 0.125, 8.0, 0.0625)
"""How numbers of which nothing is known are drawn, one after the other, until all formulas are real."""


def roots_in(exprs: Iterable[Expr], names: Sequence[str] | None) -> tuple[Expr, ...]:
    """What is not real everywhere, each function once, in an order of its own; None for functions of any names.

    >>> x = se.Symbol("x")
    >>> roots_in([se.sqrt(x) + se.sqrt(1 + x**2) + se.log(x)], ["x"])
    (log(x), sqrt(x))
    """
    places = None if names is None else set(symbols(names))
    found = (f for f in nodes(exprs) if isinstance(f, (se.Pow, *BOUNDED)))
    return tuple(sorted((f for f in found if _narrow(f) and (places is None or f.free_symbols & places)), key=str))


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


NEAR_EDGE = 1e-4
"""A root of less than this is at the edge, where contact points of flat bodies end."""


def root_bases(exprs: Iterable[Expr]) -> tuple[Expr, ...]:
    """The radicands, each once: where they vanish, directions and contact points end."""
    found = {f.args[0] for f in nodes(exprs) if isinstance(f, se.Pow) and not f.args[1].is_Integer and f.args[1].is_Number}
    return tuple(sorted(found, key=str))


def at_edge(bases: Sequence[Expr], values: Mapping[str, float]) -> bool:
    """Whether something under a root nearly vanishes.

    >>> x = se.Symbol("x")
    >>> at_edge(root_bases([1 / se.sqrt(1 - x**2)]), {"x": 1.0}), at_edge(root_bases([se.sqrt(1 - x**2)]), {"x": 0.5})
    (True, False)
    """
    return bool(bases) and not bool(np.all(evaluate(bases, values) > NEAR_EDGE))


def inside(draw: Callable[[float], dict[str, float]], bounds: Sequence[Expr]) -> dict[str, float]:
    """The first draw, by scale, at which all of the bounds are finite; the very first where none is.

    >>> inside(lambda scale: {"v": 1.5 * scale}, [se.sqrt(1 - se.Symbol("v") ** 2)])
    {'v': 0.75}
    """
    if not bounds:
        return draw(1.0)
    return next((found for found in map(draw, SCALES) if _finite(bounds, found)), None) or draw(1.0)


def _finite(bounds: Sequence[Expr], values: Mapping[str, float]) -> bool:
    return bool(np.all(np.isfinite(evaluate(bounds, values))))
