"""Values of expressions computed with 60 digits and returned as doubles."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import substitute
from nonholo.algebra.expression_types import Expr

BITS = 200


def evaluate_precisely(exprs: Sequence[Expr], values: Mapping[str, float]) -> NDArray[np.float64]:
    """The expressions as numbers, every digit of which is right; not a number where they are not real and finite.

    What cancels exactly comes out as zero (about 1e-60), so that a rank can be told from a rounding error.

    >>> x = se.Symbol("x")
    >>> bool(abs(evaluate_precisely([(x + 1) ** 8 - ((x + 1) ** 8).expand()], {"x": 0.3})[0]) < 1e-50)
    True
    """
    known = [se.sympify(e) for e in exprs]
    table = {se.Symbol(name): se.RealMPFR(repr(float(value)), BITS) for name, value in values.items()}
    return np.array([_number(e) for e in substitute(known, table)], dtype=float)


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
