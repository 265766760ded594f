"""Values of expressions computed with 60 digits and returned as doubles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import substitute
from nonholo.algebra.expression_types import Expr
from nonholo.program.hash_consing import OPAQUE, address, is_deep, rebuilt

BITS = 200


def evaluate_precisely(exprs: Sequence[Expr], values: Mapping[str, float]) -> NDArray[np.float64]:
    """The expressions as numbers, every digit of which is right; not a number where they are not real and finite.

    What cancels exactly comes out as zero (about 1e-60), so that a rank is distinguished from a rounding error.

    >>> x = se.Symbol("x")
    >>> bool(abs(evaluate_precisely([(x + 1) ** 8 - ((x + 1) ** 8).expand()], {"x": 0.3})[0]) < 1e-50)
    True
    """
    known = [se.sympify(e) for e in exprs]
    table = {se.Symbol(name): se.RealMPFR(repr(float(value)), BITS) for name, value in values.items()}
    found = _interpreted(known, table) if is_deep(known) else substitute(known, table)
    return np.array([_number(e) for e in found], dtype=float)


Steps = tuple[list[Expr], list[tuple[int, ...]], list[int]]
"""The parts of deep expressions, inner ones first, the places of the parts of each, and those of the expressions."""
_STEPS: Cache[Steps] = Cache(16)


def _interpreted(exprs: Sequence[Expr], table: Mapping[Expr, Expr]) -> list[Expr]:
    """Deep expressions with numbers for symbols, part by part: nothing is compared, and the order is cached for other numbers."""
    nodes, parts, wanted = _STEPS.get(tuple(map(address, exprs)), lambda: _steps(exprs))
    values: list[Expr] = []
    for node, below in zip(nodes, parts):
        if not below:
            values.append(table.get(node, node))
        elif isinstance(node, OPAQUE):
            values.append(node.xreplace(dict(table)))
        else:
            values.append(rebuilt(node, [values[k] for k in below]))
    return [values[k] for k in wanted]


def _steps(exprs: Sequence[Expr]) -> Steps:
    places: dict[int, int] = {}
    nodes: list[Expr] = []
    parts: list[tuple[int, ...]] = []
    for expr in exprs:
        waiting = [(expr, expr.args)]
        while waiting:
            node, below = waiting[-1]
            missing = [(p, p.args) for p in below if address(p) not in places]
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if address(node) not in places:
                places[address(node)] = len(nodes)
                nodes.append(node)
                parts.append(tuple(places[address(p)] for p in below))
    return nodes, parts, [places[address(e)] for e in exprs]


def _number(value: Expr) -> float:
    if value.free_symbols:
        raise KeyError(f"no value for {min(map(str, value.free_symbols))}")
    try:
        if not isinstance(value, (se.Integer, se.Rational, se.RealDouble, se.RealMPFR)):
            value = value.n(BITS, real=True)
        number = float(value)
    except (RuntimeError, TypeError, ValueError):
        return math.nan
    return number if math.isfinite(number) else math.nan


def evaluate_matrix_precisely(matrix: Sequence[Sequence[Expr]], values: Mapping[str, float]) -> NDArray[np.float64]:
    """A matrix of expressions as numbers, computed with 60 digits."""
    rows, columns = len(matrix), len(matrix[0]) if matrix else 0
    return evaluate_precisely([e for row in matrix for e in row], values).reshape(rows, columns)
