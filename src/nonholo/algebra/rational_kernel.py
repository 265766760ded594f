"""Null spaces of numeric matrices, rounded to rational vectors."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr

VANISHING = 1e-9


def rational_kernel(matrix: NDArray[np.float64]) -> list[list[Expr]]:
    """Vectors with rational entries that the matrix takes to zero, in echelon form from the right, shortest first.

    Vectors whose entries are not rational with small denominators are left out.

    >>> rational_kernel(np.array([[2.0, -1.0, 0.0]]))
    [[0, 0, 1], [1, 2, 0]]
    """
    found = []
    for vector in _kernel(matrix):
        exact = [Fraction(float(c)).limit_denominator(60) if abs(c) > 1e-9 else Fraction(0) for c in vector]
        if max(abs(float(e) - c) for e, c in zip(exact, vector)) < 1e-6:
            found.append(_whole(exact))
    return sorted(found, key=lambda v: (sum(c != 0 for c in v), [c == 0 for c in v]))


def _kernel(matrix: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """For each column that depends on those before it, the vector that says how; by elimination in place.

    A singular value decomposition would do, too, but its threads wait for each other on a busy machine.
    """
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    work = matrix / np.where(size == 0, 1.0, size)
    width = work.shape[1]
    pivots: list[int] = []
    found = []
    for column in range(width):
        row = len(pivots)
        best = row + int(np.argmax(np.abs(work[row:, column]))) if row < len(work) else row
        if row == len(work) or abs(work[best, column]) <= VANISHING * max(1.0, float(np.max(np.abs(work[:, column])))):
            vector = np.zeros(width)
            vector[column] = 1.0
            vector[pivots] = -work[:row, column]
            found.append(vector)
            continue
        work[[row, best]] = work[[best, row]]
        work[row] /= work[row, column]
        others = work[:, column].copy()
        others[row] = 0.0
        work -= np.outer(others, work[row])
        pivots.append(column)
    return found


def _whole(vector: Sequence[Fraction]) -> list[Expr]:
    under = int(np.lcm.reduce([c.denominator for c in vector]))
    return [se.Integer(int(c * under)) for c in vector]
