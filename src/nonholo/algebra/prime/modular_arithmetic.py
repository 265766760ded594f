"""Arithmetic of arrays modulo a prime, and linear algebra over that field."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import symengine as se
from numpy.typing import NDArray

P = 2147481311
OTHER = 2147467871
"""Primes that leave 3 when divided by 4, so that a root of a square ``a`` is ``a^((p+1)/4)``; products fit 64 bits. All primes
up to 23 are squares modulo both, so that a user's ``sqrt(3)`` is a number there."""
MOST = 20000
"""A fraction read back has numerator and denominator no larger than this."""

PANEL = 32
"""Columns that are eliminated together; sums of so many products are exact in floating numbers."""
ALONE = 250_000
"""Products of matrices are made in pieces of so many multiplications, which libraries do in one thread."""

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
    """The small fraction that a residue represents, or None.

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


def product(left: Residues, right: Residues, p: int = P) -> Residues:
    """The product of matrices over at most `PANEL` columns of the left one, by floating numbers that hold every sum exactly.

    The left factor is cut into halves of 16 bits: ``2^16 · 2^31 · PANEL`` stays below ``2^53``.

    >>> product(np.array([[P - 1, 2]]), np.array([[P - 1], [3]])).tolist()
    [[7]]
    """
    across = right.astype(np.float64)
    rows, inner = left.shape
    size = max(1, ALONE // max(1, inner * right.shape[1]))
    result = np.empty((rows, right.shape[1]), dtype=np.int64)
    for k in range(0, rows, size):
        part = left[k : k + size]
        high = ((part >> 16).astype(np.float64) @ across).astype(np.int64) % p
        low = ((part & 0xFFFF).astype(np.float64) @ across).astype(np.int64)
        result[k : k + size] = ((high << 16) + low) % p
    return result


def _forward(matrix: Residues, p: int) -> tuple[Residues, list[int]]:
    """An echelon form with 1 at the pivots, and its pivot columns.

    Columns are taken in panels; what a panel does to the columns after it is one product of matrices.
    """
    work = matrix % p
    width = work.shape[1]
    pivots: list[int] = []
    left = 0
    while left < width and len(pivots) < len(work):
        row, right = len(pivots), left + PANEL if width - left >= 2 * PANEL else width
        panel = np.ascontiguousarray(work[row:, left:right].T)
        found, order, factors, scales = _eliminated(panel, p)
        work[row:, left:right] = panel.T
        size = len(found)
        if size and right < width:
            rest = work[row:, right:][order]
            rest[:size] = product(_undone(factors[:, :size], scales, p), rest[:size], p)
            rest[size:] -= product(factors[:, size:].T, rest[:size], p)
            rest[size:] %= p
            work[row:, right:] = rest
        pivots += [left + c for c in found]
        left = right
    return work[: len(pivots)], pivots


def _eliminated(columns: Residues, p: int) -> tuple[list[int], Residues, Residues, list[int]]:
    """Brings a panel, given by its columns, to echelon form in place: pivots, order of the rows, and how each row was changed.

    Row ``j`` was multiplied by ``scales[j]`` when it became the pivot's, then ``factors[j, i]`` times it taken from row ``i``.
    """
    count = columns.shape[1]
    pivots: list[int] = []
    order = np.arange(count)
    factors = np.zeros((len(columns), count), dtype=np.int64)
    scales: list[int] = []
    for k in range(len(columns)):
        row = len(pivots)
        if row == count:
            break
        best = row + int(np.argmax(columns[k, row:] != 0))
        if not columns[k, best]:
            continue
        if best != row:
            order[[row, best]] = order[[best, row]]
            for array in (columns, factors[:row]):
                array[:, [row, best]] = array[:, [best, row]]
        scales.append(pow(int(columns[k, row]), -1, p))
        columns[k:, row] = columns[k:, row] * scales[-1] % p
        factors[row, row + 1 :] = columns[k, row + 1 :]
        columns[k + 1 :, row + 1 :] -= columns[k + 1 :, row, None] * columns[k, row + 1 :]
        columns[k + 1 :, row + 1 :] %= p
        columns[k, row + 1 :] = 0
        pivots.append(k)
    return pivots, order, factors[: len(pivots)], scales


def _undone(factors: Residues, scales: list[int], p: int) -> Residues:
    """The matrix by which elimination has multiplied the pivots' rows."""
    own = np.eye(len(scales), dtype=np.int64)
    for j, scale in enumerate(scales):
        own[j] = own[j] * scale % p
        own[j + 1 :] = (own[j + 1 :] - factors[j, j + 1 :, None] * own[j]) % p
    return own


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
    """For each column that follows from those before it, its index and the coefficients (1 at the column).

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


class Radicand(NamedTuple):
    """The values of a radicand, where they are squares, and where the roots inside it exist."""

    values: Residues
    able: NDArray[np.bool_]
    before: NDArray[np.bool_]

    @property
    def constant(self) -> bool:
        """Whether it has the same value at all points: a number, or a function of parameters."""
        return not np.any(self.values != self.values[0])


def exact_number(node: Any) -> Fraction | None:
    """A whole number or a fraction."""
    if isinstance(node, (se.Integer, se.Rational)):
        return Fraction(str(node))
    return None


def decimal_number(node: Any) -> Fraction | None:
    """A whole number, a fraction, or a decimal number as it is written."""
    if isinstance(node, se.RealDouble) and math.isfinite(float(node)):
        return Fraction(repr(float(node)))
    return exact_number(node)


def halves_in(exponent: Any) -> int | None:
    """Twice the exponent where that is a small whole number."""
    number = decimal_number(exponent)
    if number is None or (2 * number).denominator != 1 or abs(number) > 40:
        return None
    return int(2 * number)


def split_power(exponent: Any) -> tuple[int, Any]:
    """``k − 1/2`` as −1 (halves) and ``k``, so that a power and its derivative know of each other."""
    if isinstance(exponent, se.Add):
        for a in exponent.args:
            halves = halves_in(a)
            if halves:
                return halves, exponent - a
    return 0, exponent


def exact_root(value: Fraction) -> Fraction | None:
    """The root of the square of a fraction.

    >>> exact_root(Fraction(25, 16)), exact_root(Fraction(2))
    (Fraction(5, 4), None)
    """
    if value < 0:
        return None
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return Fraction(above, below) if above * above == value.numerator and below * below == value.denominator else None


def dependent_numbers(numbers: Iterable[Fraction]) -> bool:
    """Whether a product of some of the numbers is the square of a fraction, as 2 · 3 · 6 is.

    >>> dependent_numbers([Fraction(2), Fraction(3)]), dependent_numbers([Fraction(2), Fraction(3), Fraction(6)])
    (False, True)
    """
    whole = sorted({n.numerator * n.denominator for n in numbers})
    base = _coprime([abs(n) for n in whole])
    odd = [b for b in base if math.isqrt(b) ** 2 != b]
    rows = [np.array([n < 0, *(_multiplicity(abs(n), b) % 2 for b in odd)], dtype=bool) for n in whole]
    return _independent_count(rows) < len(rows)


def _coprime(numbers: Sequence[int]) -> list[int]:
    """Numbers without common divisors of which all the given ones are products."""
    base: list[int] = []
    left = [n for n in numbers if n > 1]
    while left:
        n = left.pop()
        for k, b in enumerate(base):
            common = math.gcd(n, b)
            if common > 1:
                del base[k]
                left += [m for m in (common, n // common, b // common) if m > 1]
                break
        else:
            base.append(n)
    return sorted(set(base))


def _multiplicity(n: int, base: int) -> int:
    count = 0
    while n % base == 0:
        n, count = n // base, count + 1
    return count


def dependent(radicands: Iterable[Radicand]) -> bool:
    """Whether a product of radicands is a square times a number, as far as the points tell.

    Such a product is a residue at all points or at none, any other at half of them. What is written in two ways has one root.
    """
    different = list({one.values.tobytes(): one for one in radicands}.values())
    if not different:
        return False
    where = np.logical_and.reduce([one.before for one in different])
    rows = [np.ones(int(np.sum(where)), dtype=bool), *(one.able[where] for one in different)]
    return _independent_count(rows) < len(rows)


def _independent_count(rows: Sequence[NDArray[np.bool_]]) -> int:
    """The rank over the field of two elements."""
    left, count = list(rows), 0
    while left:
        first = left.pop()
        if np.any(first):
            pivot, count = int(np.argmax(first)), count + 1
            left = [row ^ first if row[pivot] else row for row in left]
    return count
