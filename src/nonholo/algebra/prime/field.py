"""Arithmetic of arrays modulo a prime, and linear algebra over that field."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

P = 2147481311
OTHER = 2147467871
"""Primes that leave 3 when divided by 4, so that a root of a square ``a`` is ``a^((p+1)/4)``; products fit 64 bits. All primes
up to 23 are squares modulo both, so that a user's ``sqrt(3)`` is a number there."""
MOST = 20000
"""A fraction read back has numerator and denominator no larger than this."""

Residues = NDArray[np.int64]


def power(base: Residues, exponent: int, p: int = P) -> Residues:
    """``base^exponent`` by squaring."""
    result = np.ones_like(base)
    square = base % p
    while exponent:
        if exponent & 1:
            result = result * square % p
        square = square * square % p
        exponent >>= 1
    return result


def inverse(values: Residues, p: int = P) -> Residues:
    """The reciprocals; 0 where there is none.

    >>> bool(np.all(inverse(np.array([2, 7])) * np.array([2, 7]) % P == 1))
    True
    """
    return power(values, p - 2, p)


def root(values: Residues, p: int = P) -> tuple[Residues, NDArray[np.bool_]]:
    """Square roots, and where there is one."""
    found = power(values, (p + 1) // 4, p)
    return found, found * found % p == values % p


def residue(value: Fraction, p: int = P) -> int:
    """A fraction as an element of the field."""
    return value.numerator % p * pow(value.denominator % p, -1, p) % p


def fraction_of(value: int, p: int = P, most: int = MOST) -> Fraction | None:
    """The small fraction that a residue stands for, or None.

    >>> fraction_of(residue(Fraction(-5, 14)))
    Fraction(-5, 14)
    """
    low, high = (0, p), (1, int(value) % p)
    while high[1] > most:
        step = low[1] // high[1]
        low, high = high, (low[0] - step * high[0], low[1] - step * high[1])
    if not 0 < abs(high[0]) <= most:
        return None
    return Fraction(high[1], high[0])


def solve(matrix: Residues, sides: Residues, p: int = P) -> tuple[Residues, NDArray[np.bool_]]:
    """Solutions of many small systems at once, ``(k, n, n)`` and ``(k, n)``; and which of them are regular."""
    count, size = sides.shape
    work = np.concatenate([matrix % p, sides[:, :, None] % p], axis=2)
    good = np.ones(count, dtype=bool)
    every = np.arange(count)
    for column in range(size):
        pivot = column + np.argmax(work[:, column:, column] != 0, axis=1)
        good &= work[every, pivot, column] != 0
        swapped = work[every, pivot].copy()
        work[every, pivot] = work[:, column]
        swapped = swapped * inverse(swapped[:, column], p)[:, None] % p
        work[:, column] = swapped
        factors = work[:, :, column].copy()
        factors[:, column] = 0
        work = (work - factors[:, :, None] * swapped[:, None, :]) % p
    return work[:, :, size], good


def _forward(matrix: Residues, p: int) -> tuple[Residues, list[int]]:
    """An echelon form with 1 at the pivots, and its pivot columns."""
    work = matrix % p
    pivots: list[int] = []
    for column in range(work.shape[1]):
        row = len(pivots)
        if row == len(work):
            break
        live = np.flatnonzero(work[row:, column])
        if not len(live):
            continue
        best = row + int(live[0])
        if best != row:
            work[[row, best]] = work[[best, row]]
        work[row] = work[row] * pow(int(work[row, column]), -1, p) % p
        below = work[row + 1 :, column:]
        below -= below[:, :1] * work[row, column:]
        below %= p
        pivots.append(column)
    return work[: len(pivots)], pivots


def echelon(matrix: Residues, p: int = P) -> tuple[Residues, list[int]]:
    """The reduced echelon form, and its pivot columns."""
    work, pivots = _forward(matrix, p)
    free = [k for k in range(work.shape[1]) if k not in set(pivots)]
    rest = work[:, free]
    for k in range(len(pivots) - 1, 0, -1):
        rest[:k] = (rest[:k] - work[:k, pivots[k]][:, None] * rest[k]) % p
    reduced = np.zeros_like(work)
    reduced[:, free] = rest
    reduced[np.arange(len(pivots)), pivots] = 1
    return reduced, pivots


def independent_columns(matrix: Residues, p: int = P) -> list[int]:
    """The columns that do not follow from those before them."""
    return _forward(matrix, p)[1]


def null_space(matrix: Residues, p: int = P) -> list[tuple[int, Residues]]:
    """For each column that follows from those before it, its number and the vector that says how (1 at the column).

    >>> null_space(np.array([[2, -1, 0]]))[0][1] * 2 % P
    array([1, 2, 0])
    """
    work, pivots = echelon(matrix, p)
    result = []
    for column in range(matrix.shape[1]):
        if column in pivots:
            continue
        vector = np.zeros(matrix.shape[1], dtype=np.int64)
        vector[column] = 1
        vector[pivots] = -work[:, column] % p
        result.append((column, vector))
    return result


def rank(matrix: Residues, p: int = P) -> int:
    """The rank."""
    return len(_forward(matrix, p)[1])


def draws(seed: int, count: int, p: int = P) -> Any:
    """A source of random non-zero residues: each call gives an array of ``count``."""
    random = np.random.default_rng(seed)
    return lambda: random.integers(1, p, count, dtype=np.int64)
