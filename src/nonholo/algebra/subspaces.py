"""Subspaces by numbers: null spaces, spans, complements, independent columns and rows; null spaces of expressions.

Bases are orthonormal columns. `nonholo.algebra.prime.modular_arithmetic` has null spaces modulo a prime.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import numpy as np
import symengine as se
from numpy.typing import ArrayLike

from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import Matrix, identity, solve_rows, transpose

FLAT = 1e-7
"""Singular values below this part of the largest count as zero."""
VANISHING = 1e-9
EQUAL = 1e-10
"""Columns whose rests differ by less than this part of the larger are equal."""


def kernel(matrix: Numbers, limit: float = FLAT, least: float = 1e-300, absolute: bool = False) -> Numbers:
    """The null space of a matrix: singular values up to ``limit`` times the largest count as zero.

    ``least`` bounds the largest from below; ``absolute`` compares with ``limit`` itself.

    >>> np.abs(kernel(np.array([[3.0, 4.0]]))).round(3).tolist()
    [[0.8], [0.6]]
    """
    return kernels(matrix[None], limit, least, absolute)[0]


def kernels(matrices: Numbers, limit: float = FLAT, least: float = 1e-300, absolute: bool = False) -> list[Numbers]:
    """The same for each of several matrices, real or complex."""
    if not matrices[0].size if len(matrices) else True:
        return [np.eye(matrices.shape[2]) for _ in matrices]
    _, sizes, rows = np.linalg.svd(matrices, full_matrices=matrices.shape[1] < matrices.shape[2])
    top = np.ones((len(sizes), 1)) if absolute else np.maximum(sizes[:, :1], least)
    return [row[count:].conj().T for row, count in zip(rows, np.sum(sizes > limit * top, axis=1).tolist())]


def smallest(matrix: Numbers, count: int) -> Numbers:
    """The ``count`` directions in which a matrix is smallest."""
    return np.asarray(np.linalg.svd(matrix)[2][max(0, len(matrix) - count) :].T)


def span(columns: Numbers, limit: float = 1e-9) -> Numbers:
    """A basis of the span of columns."""
    return spans(columns[None], limit)[0]


def spans(several: Numbers, limit: float = 1e-9) -> list[Numbers]:
    """The same for each of several sets of columns."""
    if not several[0].size if len(several) else True:
        return [np.zeros((several.shape[1], 0)) for _ in several]
    bases, sizes, _ = np.linalg.svd(several, full_matrices=False)
    kept = sizes > limit * np.maximum(1.0, sizes[:, :1])
    return [basis[:, own] for basis, own in zip(bases, kept)]


def outside(columns: Numbers, basis: Numbers, limit: float = 1e-7) -> Numbers:
    """A basis of what columns span across an orthonormal basis."""
    rest = columns - basis @ (basis.T @ columns)
    return span(rest, limit)


def complement(basis: Numbers) -> Numbers:
    """A basis of the orthogonal complement of an orthonormal basis."""
    return outside(np.eye(len(basis)), basis)


def complements(bases: Numbers) -> Numbers:
    """The same for each of several bases of one dimension."""
    gaps = np.eye(bases.shape[1]) - bases @ np.swapaxes(bases, 1, 2)
    return np.asarray(np.linalg.svd(gaps)[0][:, :, : bases.shape[1] - bases.shape[2]])


def orthonormal(columns: Numbers) -> Numbers:
    """A basis of the span of independent columns, however different their lengths."""
    return np.asarray(np.linalg.qr(columns / np.maximum(np.linalg.norm(columns, axis=0), 1e-300))[0]) if columns.size else columns


def independent_rows(rows: ArrayLike, limit: float = VANISHING, most: int | None = None) -> list[int]:
    """The rows that are independent of those before them, at most ``most``; singular values below ``limit`` count as zero.

    >>> independent_rows([[1.0, 0.0], [2.0, 0.0], [1.0, 1.0]])
    [0, 2]
    """
    table = np.asarray(rows, dtype=float)
    kept: list[int] = []
    for k in range(len(table)):
        if most is not None and len(kept) >= most:
            break
        if np.linalg.matrix_rank(table[[*kept, k]], tol=limit) > len(kept):
            kept.append(k)
    return kept


def column_order(matrix: ArrayLike) -> list[int]:
    """All columns, each time the one with the largest rest outside those before (QR with column pivoting, by reflections).

    The chosen one changes places with the one that stood there. Rounding decides nothing: of columns with equal rests the
    one is taken that stands first then.

    >>> column_order([[1.0, 0.0, 2.0], [0.0, 1.0, 2.0]])
    [2, 1, 0]
    """
    rest: Numbers = np.array(matrix, dtype=float)
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


def null_space(
    rows: Sequence[Sequence[Expr]],
    width: int,
    samples: Sequence[Mapping[str, float]],
    steady: Callable[[Expr], bool] = lambda e: bool(e.is_Number),
) -> tuple[list[int], Matrix]:
    """The columns that independent rows of expressions leave free, and for each the vector with 1 there that the rows annihilate.

    >>> x = se.Symbol("x")
    >>> null_space([[x, se.Integer(-1)]], 2, [{"x": 0.5}])
    ([0], ((1, x),))
    """
    if not rows:
        return list(range(width)), identity(width)
    free, solution = solve_rows(rows, [[]] * len(rows), samples, steady)
    return free, transpose(solution)


def rational_kernel(matrix: Numbers) -> list[list[Expr]]:
    """Vectors with rational entries that the matrix takes to zero, in echelon form from the right, shortest first.

    Vectors whose entries are not rational with small denominators are left out.

    >>> rational_kernel(np.array([[2.0, -1.0, 0.0]]))
    [[0, 0, 1], [1, 2, 0]]
    """
    found = []
    for vector in _dependencies(matrix):
        exact = [Fraction(float(c)).limit_denominator(60) if abs(c) > 1e-9 else Fraction(0) for c in vector]
        if max(abs(float(e) - c) for e, c in zip(exact, vector)) < 1e-6:
            found.append(_whole(exact))
    return sorted(found, key=lambda v: (sum(c != 0 for c in v), [c == 0 for c in v]))


def _dependencies(matrix: Numbers) -> list[Numbers]:
    """For each column that depends on those before it, its coefficients; by elimination in place.

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
