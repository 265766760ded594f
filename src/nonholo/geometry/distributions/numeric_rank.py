"""Ranks of numerical matrices whose rows may differ in size by many powers of ten."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
NOTHING = 1e-13
"""A row this small beside the largest one is zero: entries are computed with 60 digits, but given with 16."""
DEPENDENT = 1e-8
"""What is left of a row of length one after the others are taken out of it, when it depends on them."""

ROUNDING, SAFETY = 2.3e-16, 16.0
"""The error of a row of length one, and how many errors of the basis a new direction must be longer than."""


def finite_rows(matrix: Numbers) -> bool:
    """Whether all entries are finite numbers."""
    return bool(np.all(np.isfinite(matrix)))


def independent(matrix: Numbers, before: Numbers | None = None) -> list[int]:
    """The rows that do not depend on the rows before them (and on ``before``), in their order.

    >>> independent(np.array([[1.0, 0.0], [1e-6, 0.0], [0.0, 1e-5]]))
    [0, 2]
    """
    first = before if before is not None and before.size else np.zeros((0, matrix.shape[1]))
    scale = max(float(np.max(np.linalg.norm(m, axis=1), initial=0.0)) for m in (first, matrix))
    basis: list[Numbers] = []
    kept = []
    error = ROUNDING
    for k, row in enumerate([*first, *matrix]):
        size = float(np.linalg.norm(row))
        if not size > NOTHING * scale or len(basis) == matrix.shape[1]:
            continue
        rest = row / size
        for _ in range(2):  # once more, because the first pass may cancel most of the digits
            for known in basis:
                rest = rest - (known @ rest) * known
        length = float(np.linalg.norm(rest))
        if length > max(DEPENDENT, SAFETY * error):  # what is left of nearly parallel rows has few digits
            basis.append(rest / length)
            error = error / length
            if k >= len(first):
                kept.append(k - len(first))
    return kept


def numeric_rank(matrix: Numbers) -> int:
    """The number of independent rows, whatever their sizes."""
    return len(independent(matrix)) if matrix.size else 0
