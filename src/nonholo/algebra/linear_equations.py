"""Linear equations over expressions: pivots chosen by numbers, solved on the shared graph, never expanded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, along, tidy, vanishes
from nonholo.algebra.common_factors import without_common_factors
from nonholo.algebra.expression_types import Expr, Numbers, Symbol
from nonholo.algebra.numeric_functions import numeric_function

Matrix = tuple[tuple[Expr, ...], ...]

CRAMER_LIMIT = 4
"""Blocks up to this size are solved by determinants, which ``sin² + cos² = 1`` can shorten."""
LONG = 12
"""Rows with more entries than this are applied as they were written, where that can be done."""
VANISHING = 1e-11
"""A number this small beside the largest of its row is taken for an exact zero when all sample points agree."""


Rule = Callable[[Numbers], Any]
Ask = Callable[[Rule, Sequence[Expr]], Any]
"""A decision by numbers at one place: a rule applied to the values of some expressions."""


class DependentRows(Exception):
    """Rows that cannot be solved; ``row`` is the first that depends on those before it."""

    def __init__(self, row: int) -> None:
        super().__init__(f"row {row + 1} depends on the others")
        self.row = row


def evaluate(exprs: Sequence[Expr], values: Mapping[str, float]) -> Numbers:
    """The expressions as numbers, by name; names that do not occur are ignored."""
    names = sorted({str(s) for e in exprs for s in se.sympify(e).free_symbols})
    function = numeric_function([se.Symbol(n) for n in names] or [se.Symbol("_none")], [*exprs, ZERO], "lambda")
    given = np.array([values[n] for n in names] or [0.0], dtype=float)
    with np.errstate(all="ignore"):
        return np.asarray(function(given), dtype=float).reshape(-1)[:-1]


def evaluate_all(exprs: Sequence[Expr], places: Sequence[Mapping[str, float]]) -> Numbers:
    """The expressions at several places, one row for each; compiled once."""
    names = sorted({str(s) for e in exprs for s in se.sympify(e).free_symbols})
    function = numeric_function([se.Symbol(n) for n in names] or [se.Symbol("_none")], [*exprs, ZERO], "lambda")
    given = np.array([[p[n] for n in names] or [0.0] for p in places], dtype=float)
    with np.errstate(all="ignore"):
        return np.asarray(function(given), dtype=float).reshape(len(places), -1)[:, :-1]


def evaluate_matrix(matrix: Sequence[Sequence[Expr]], values: Mapping[str, float]) -> Numbers:
    """A matrix of expressions as numbers."""
    rows, columns = len(matrix), len(matrix[0]) if matrix else 0
    return evaluate([e for row in matrix for e in row], values).reshape(rows, columns)


def multiply(left: Sequence[Sequence[Expr]], right: Sequence[Sequence[Expr]]) -> Matrix:
    """The product of two matrices, skipping zeros."""
    rows = [{k: e for k, e in enumerate(row) if not vanishes(e)} for row in left]
    columns = [{k: e for k, e in enumerate(column) if not vanishes(e)} for column in zip(*right)]
    return tuple(tuple(_sum([e * column[k] for k, e in row.items() if k in column]) for column in columns) for row in rows)


def dot(left: Sequence[Expr], right: Sequence[Expr]) -> Expr:
    """``Σ left_i right_i``, skipping zeros."""
    return _sum([a * b for a, b in zip(left, right) if not (vanishes(a) or vanishes(b))])


def _sum(terms: Sequence[Expr]) -> Expr:
    return se.Add(*terms) if terms else ZERO


def transpose(matrix: Sequence[Sequence[Expr]]) -> Matrix:
    """Rows become columns."""
    return tuple(zip(*matrix))


def identity(size: int) -> Matrix:
    """The identity matrix."""
    return tuple(tuple(se.Integer(int(i == j)) for j in range(size)) for i in range(size))


def determinant(matrix: Sequence[Sequence[Expr]]) -> Expr:
    """The determinant by cofactors of the first row; for small matrices only."""
    if not matrix:
        return se.Integer(1)
    first, *rest = matrix
    terms = [
        (-1) ** j * entry * determinant([[*row[:j], *row[j + 1 :]] for row in rest])
        for j, entry in enumerate(first)
        if not vanishes(entry)
    ]
    return se.Add(*terms) if terms else ZERO


def solve_rows(
    rows: Sequence[Sequence[Expr]],
    sides: Sequence[Sequence[Expr]],
    samples: Sequence[Mapping[str, float]],
    steady: Callable[[Expr], bool],
    ask: Ask | None = None,
    written: Sequence[Expr] = (),
    variables: Sequence[Symbol] = (),
) -> tuple[list[int], Matrix]:
    """Solve ``rows · v = sides · w`` for as many ``v`` as there are rows, in terms of ``w`` and the other ``v``.

    Returns the free columns and the matrix ``S`` with ``v = S · (v_free, w)``. Pivots that are ``steady`` (the same
    at every configuration) come first and with the least fill-in, so that a choice made here holds everywhere if it
    can; the rest are chosen by size at ``samples[0]``, through ``ask`` for whoever wants to know what was asked: the same
    answers give the same solution. Raises `DependentRows`.

    Where the first rows are slopes of ``written`` by ``variables``, a long one that elimination has left alone is applied as it
    was written: what many rows share (the velocity of a hinge, in a chain) is then shared by their solutions.
    """
    ask = ask or (lambda rule, exprs: rule(evaluate(exprs, samples[0])))
    height, width = len(rows), len(rows[0]) if rows else 0
    table = [{j: e for j, e in enumerate(row) if not vanishes(e)} for row in rows]
    right = [{k: e for k, e in enumerate(side) if not vanishes(e)} for side in sides]
    scale = _row_sizes(rows, samples)
    order: list[tuple[int, int]] = []
    altered: set[int] = set()
    waiting = set(range(height))
    while waiting:
        pivot = _steady_pivot(table, waiting, steady, ask)
        if pivot is None:
            break
        changed = _eliminate(table, right, waiting, *pivot)
        altered |= changed if len(table[pivot[0]]) > 1 else set()  # a row of one entry tells a value, whoever needs it
        _drop_zeros(table, changed if order else waiting, samples, scale)
        order.append(pivot)
        waiting.discard(pivot[0])
    block = _solve_block(table, right, sorted(waiting), {c for _, c in order}, width, ask)
    solved = {c for _, c in order} | block.keys()
    free = [j for j in range(width) if j not in solved]
    position = {j: i for i, j in enumerate(free)}
    size = len(free) + (len(sides[0]) if sides else 0)
    solution: dict[int, dict[int, Expr]] = {j: {position[j]: se.Integer(1)} for j in free}

    def combine(entries: Mapping[int, Expr], given: Mapping[int, Expr], divisor: Expr) -> dict[int, Expr]:
        total: dict[int, list[Expr]] = {len(free) + k: [e] for k, e in given.items()}
        for j, factor in entries.items():
            for k, e in solution[j].items():
                total.setdefault(k, []).append(-factor * e)
        return {k: se.Add(*terms) / divisor for k, terms in total.items()}

    for column, (entries, given, divisor) in block.items():
        solution[column] = combine(entries, given, divisor)

    def applied(row: int, column: int) -> dict[int, Expr]:
        total = {len(free) + k: e for k, e in enumerate(sides[row]) if not vanishes(e)}
        others = [j for j, e in enumerate(rows[row]) if j != column and not vanishes(e)]
        for k in sorted({k for j in others for k in solution[j]}):
            direction = {variables[j]: solution[j][k] for j in others if k in solution[j]}
            total[k] = total.get(k, ZERO) - along([written[row]], direction)[0]
        return {k: e / table[row][column] for k, e in total.items()}

    told = [(row, column) for row, column in order if len(table[row]) == 1]
    for row, column in (*told, *(pivot for pivot in reversed(order) if pivot not in told)):
        entries = {j: e for j, e in table[row].items() if j != column}
        whole = row < len(written) and row not in altered and len(entries) > LONG
        if whole and _openly_linear(written[row], variables):
            solution[column] = applied(row, column)
        else:
            solution[column] = combine(entries, right[row], table[row][column])
    return free, tuple(tuple(solution[j].get(k, ZERO) for k in range(size)) for j in range(width))


def _openly_linear(expr: Expr, variables: Sequence[Symbol]) -> bool:
    """Whether no variable is left in the slope along any direction, without cancelling anything."""
    slope = along([expr], {v: se.Dummy() for v in variables})[0]
    return not slope.free_symbols & set(variables)


def _steady_pivot(
    table: list[dict[int, Expr]], waiting: set[int], steady: Callable[[Expr], bool], ask: Ask
) -> tuple[int, int] | None:
    """The steady entry with the least fill-in (Markowitz's count) that does not vanish at the sample, or None."""
    height: dict[int, int] = {}
    for row in waiting:
        for j in table[row]:
            height[j] = height.get(j, 0) + 1
    best: tuple[int, int] | None = None
    cost = (1 << 30, 0)
    for row in sorted(waiting):
        for j, e in sorted(table[row].items(), reverse=True):
            fill = ((len(table[row]) - 1) * (height[j] - 1), 0 if e.is_Number else 1)
            if fill < cost and steady(e) and not _vanishes(e, ask):
                best, cost = (row, j), fill
    return best


def _vanishes(entry: Expr, ask: Ask) -> bool:
    """A steady entry is a formula of parameters, one of which may be zero (a constraint vector along an axis)."""
    return vanishes(entry) if entry.is_Number else bool(ask(_is_nothing, [entry]))


def _is_nothing(numbers: Numbers) -> bool:
    return bool(abs(numbers[0]) < 1e-9)


def _eliminate(
    table: list[dict[int, Expr]], right: list[dict[int, Expr]], waiting: set[int], row: int, column: int
) -> set[int]:
    """Subtract the pivot's row from those that have its column, and tell which these are."""
    changed = {other for other in waiting if other != row and column in table[other]}
    for other in changed:
        factor = table[other].pop(column) / table[row][column]
        for target, source in ((table[other], table[row]), (right[other], right[row])):
            for j, e in source.items():
                if target is table[other] and j == column:
                    continue
                target[j] = target.get(j, ZERO) - factor * e
    return changed


def _row_sizes(rows: Sequence[Sequence[Expr]], samples: Sequence[Mapping[str, float]]) -> Numbers:
    """The largest entry of each row at any sample: what counts as nothing is measured against it."""
    if not rows:
        return np.zeros(0)
    sizes = np.max([np.max(np.abs(evaluate_matrix(rows, s)), axis=1, initial=0.0) for s in samples], axis=0)
    return np.where(np.isfinite(sizes), sizes, 1.0)


def _drop_zeros(
    table: list[dict[int, Expr]], rows: set[int], samples: Sequence[Mapping[str, float]], scale: Numbers
) -> None:
    """Remove entries that vanish at every sample although their expression does not show it."""
    places = [(i, j) for i in rows for j, e in table[i].items() if not e.is_Number]
    if places:
        sizes = np.max([np.abs(evaluate([table[i][j] for i, j in places], s)) for s in samples], axis=0)
        for (i, j), size in zip(places, sizes):
            if size <= VANISHING * scale[i]:
                del table[i][j]
    for i in rows:
        for j in [j for j, e in table[i].items() if vanishes(e)]:
            del table[i][j]


def _solve_block(
    table: list[dict[int, Expr]],
    right: list[dict[int, Expr]],
    waiting: list[int],
    taken: set[int],
    width: int,
    ask: Ask,
) -> dict[int, tuple[dict[int, Expr], dict[int, Expr], Expr]]:
    """Solve what has no steady pivot: for each solved column its (free entries, right side, divisor)."""
    if not waiting:
        return {}
    columns = [j for j in range(width) if j not in taken]
    dense = [[table[i].get(j, ZERO) for j in columns] for i in waiting]
    chosen = ask(_Columns(tuple(waiting), len(columns)), [e for row in dense for e in row])
    pivots = [columns[c] for c in chosen]
    others = [j for j in columns if j not in pivots]
    square = [[table[i].get(j, ZERO) for j in pivots] for i in waiting]
    if len(waiting) <= CRAMER_LIMIT:
        inverse, divisor = _adjugate(square)
    else:
        inverse, divisor = _peeled_inverse(square, ask), se.Integer(1)
    # What elimination leaves has quotients inside quotients: to expand it takes seconds and shortens nothing.
    shorten: Callable[[Expr], Expr] = tidy if len(waiting) <= CRAMER_LIMIT else se.sympify
    widths = {k for i in waiting for k in right[i]}
    return {
        column: (
            {j: shorten(dot(inverse[a], [table[i].get(j, ZERO) for i in waiting])) for j in others},
            {k: shorten(dot(inverse[a], [right[i].get(k, ZERO) for i in waiting])) for k in widths},
            divisor,
        )
        for a, column in enumerate(pivots)
    }


@dataclass(frozen=True)
class _Columns:
    """The rule: as many well-conditioned columns as rows, the largest remaining one first (pivoted QR)."""

    names: tuple[int, ...]
    width: int

    def __call__(self, flat: Numbers) -> tuple[int, ...]:
        numbers = flat.reshape(len(self.names), self.width)
        if self.width < len(self.names) or not np.all(np.isfinite(numbers)):
            raise DependentRows(self.names[-1])
        for k in range(1, len(self.names) + 1):
            scale = np.linalg.norm(numbers[:k], axis=1)
            if np.any(scale == 0) or np.linalg.matrix_rank(numbers[:k] / scale[:, None], tol=1e-9) < k:
                raise DependentRows(self.names[k - 1])
        rest = numbers.copy()
        chosen: list[int] = []
        for _ in self.names:
            sizes = np.einsum("ij,ij->j", rest, rest)
            sizes[chosen] = -1.0
            best = int(np.argmax(sizes))
            direction = rest[:, best] / np.sqrt(sizes[best])
            rest -= np.outer(direction, direction @ rest)
            chosen.append(best)
        return tuple(sorted(chosen))


def _adjugate(square: Sequence[Sequence[Expr]]) -> tuple[list[list[Expr]], Expr]:
    """The adjugate and the determinant."""
    size = len(square)

    def minor(i: int, j: int) -> list[list[Expr]]:
        return [[e for c, e in enumerate(row) if c != j] for r, row in enumerate(square) if r != i]

    cofactors = [[(-1) ** (i + j) * determinant(minor(j, i)) for j in range(size)] for i in range(size)]
    return cofactors, tidy(determinant(square))


def _peeled_inverse(square: Sequence[Sequence[Expr]], ask: Ask) -> list[list[Expr]]:
    """The inverse of a larger block, without the pivots that elimination makes up.

    A column with one entry is solved last, a row with one entry first: such an entry is a factor of the determinant, so that
    nothing is divided by what vanishes where the block is regular. What is left is inverted by determinants if it is small.
    """
    size = len(square)
    if size <= CRAMER_LIMIT:
        bare = [without_common_factors([*row, ZERO])[:-1] for row in square]
        shares = [next((e / f for e, f in zip(row, rest) if not vanishes(f)), ZERO) for row, rest in zip(square, bare)]
        cofactors, divisor = _adjugate(bare)
        return [[ZERO if vanishes(e) else tidy(e) / (divisor * share) for e, share in zip(row, shares)] for row in cofactors]
    for one in range(size):
        rows = [i for i in range(size) if not vanishes(square[i][one])]
        columns = [j for j in range(size) if not vanishes(square[one][j])]
        if len(rows) != 1 and len(columns) != 1:
            continue
        row, column = (rows[0], one) if len(rows) == 1 else (one, columns[0])
        above, beside = ([k for k in range(size) if k != place] for place in (row, column))
        rest = _peeled_inverse([[square[i][j] for j in beside] for i in above], ask)
        pivot, across = square[row][column], [square[row][j] for j in beside]
        down = [square[i][column] for i in above]
        inverse = [[ZERO] * size for _ in range(size)]
        inverse[column][row] = 1 / pivot
        for a, i in enumerate(above):
            for b, j in enumerate(beside):
                inverse[j][i] = rest[b][a]
            inverse[column][i] = -dot(across, [part[a] for part in rest]) / pivot
        for b, j in enumerate(beside):
            inverse[j][row] = -dot(rest[b], down) / pivot
        return inverse
    return _inverse_by_elimination(square, ask)


def _inverse_by_elimination(square: Sequence[Sequence[Expr]], ask: Ask) -> list[list[Expr]]:
    """The inverse of a larger block as a shared graph, rows chosen by size."""
    size = len(square)
    work = [[*row, *(se.Integer(int(i == r)) for i in range(size))] for r, row in enumerate(square)]
    for k, best in enumerate(ask(_Exchanges(size), [e for row in square for e in row])):
        work[k], work[best] = work[best], work[k]
        divisor = work[k][k]
        work[k] = [ZERO if vanishes(e) else e / divisor for e in work[k]]
        for i in range(size):
            if i != k and not vanishes(work[i][k]):
                factor = work[i][k]
                work[i] = [a if vanishes(b) else a - factor * b for a, b in zip(work[i], work[k])]
                work[i][k] = ZERO
    return [row[size:] for row in work]


@dataclass(frozen=True)
class _Exchanges:
    """The rule: with which row each row is exchanged before it is the pivot's, in elimination by the largest pivot."""

    size: int

    def __call__(self, flat: Numbers) -> tuple[int, ...]:
        numbers = flat.reshape(self.size, self.size).copy()
        found = []
        for k in range(self.size):
            best = k + int(np.argmax(np.abs(numbers[k:, k])))
            numbers[[k, best]] = numbers[[best, k]]
            with np.errstate(all="ignore"):
                numbers[k] /= numbers[k, k]
            for i in range(self.size):
                if i != k:
                    numbers[i] -= numbers[i, k] * numbers[k]
            found.append(best)
        return tuple(found)


def solve(
    matrix: Sequence[Sequence[Expr]],
    sides: Sequence[Sequence[Expr]],
    samples: Sequence[Mapping[str, float]],
    steady: Callable[[Expr], bool] | None = None,
) -> Matrix:
    """The solution ``X`` of ``matrix · X = sides`` for a square regular matrix, as a shared graph."""
    size = len(matrix)
    unit = identity(size)
    _, inverse = solve_rows(matrix, unit, samples, steady or (lambda e: bool(e.is_Number)))
    return multiply(inverse, sides)
