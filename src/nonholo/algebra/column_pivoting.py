"""Order the columns of a matrix by their size outside the span of the columns before them."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

EQUAL = 1e-10
"""Columns whose rests differ by less than this part of the larger are equal."""


def column_order(matrix: ArrayLike) -> list[int]:
    """All columns, each time the one with the largest rest outside those before (QR with column pivoting, by reflections).

    The chosen one changes places with the one that stood there. Rounding decides nothing: of columns with equal rests the
    one is taken that stands first then.

    >>> column_order([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]])
    [2, 1, 0]
    """
    rest: NDArray[np.float64] = np.array(matrix, dtype=float)
    order = list(range(rest.shape[1]))
    for k in range(min(rest.shape)):
        sizes = np.linalg.norm(rest[k:, k:], axis=0)
        chosen = k + int(np.argmax(sizes >= (1 - EQUAL) * np.max(sizes)))
        order[k], order[chosen] = order[chosen], order[k]
        rest[:, [k, chosen]] = rest[:, [chosen, k]]
        mirror = rest[k:, k].copy()
        mirror[0] += np.copysign(np.linalg.norm(mirror), mirror[0])
        square = mirror @ mirror
        if square > 0:
            rest[k:, k:] -= np.outer(mirror, 2 / square * (mirror @ rest[k:, k:]))
    return order
