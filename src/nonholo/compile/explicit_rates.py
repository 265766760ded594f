"""Compile all rates into one function; the mass matrix is factored in straight-line code.

The outputs are ``[ẋ (N), ż and unknowns (K), flag, mass, force (K)]``, mass by the rows of its lower triangle when it
is taken as positive, whole otherwise. The flag is 1 when ``L D Lᵀ`` without pivoting has given ``ż``, and -1 when the
matrix was not safely positive (or is not meant to be): then the caller solves with mass and force.

Whatever depends on parameters alone is computed once for a motion by a second function, whose results follow the
other inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from nonholo.algebra.expression_types import Expr
from nonholo.derive.equations import Equations
from nonholo.program.program import Program
from nonholo.program.translate import translate

UNROLLED = 12
"""Up to this size the factorisation is written out."""
TINY = 1e-15
"""Pivots below this part of the diagonal (times the size) are no pivots."""


def rates_program(
    equations: Equations, symbols: Sequence[Expr], expressions: Sequence[Expr], positive: bool, fixed: int
) -> tuple[Program, list[int]]:
    """The program of the rates; ``expressions`` are kinematics, mass entries and force in ``symbols``."""
    program = Program(fixed)
    places = {s: i for i, s in enumerate(symbols)}
    values = translate(program, places, expressions)
    size = len(equations.mass)
    count = len(equations.coordinates)
    kinematics, entries, force = values[:count], values[count : len(values) - size], values[len(values) - size :]
    if size == 0:
        return program, [*kinematics, program.number(1.0)]
    if equations.saddle:
        solution, flag = saddle_point(program, entries, force, len(equations.speeds), equations.saddle == "redundant")
    elif positive and size <= UNROLLED:
        solution, flag = definite(program, entries, force)
    else:
        solution, flag = [program.number(0.0)] * size, program.number(-1.0)
    return program, [*kinematics, *solution, flag, *entries, *force]


@dataclass(frozen=True)
class Factors:
    """``M = L D Lᵀ`` in places of a program; ``flag`` is 1 where every pivot was safely positive, else -1."""

    lower: list[list[int]]
    inverse: list[int]
    flag: int

    def forward(self, p: Program, force: Sequence[int]) -> list[int]:
        """``L⁻¹ F``."""
        values: list[int] = []
        for i, value in enumerate(force):
            for j in range(i):
                value = p.subtract(value, p.multiply(self.lower[i][j], values[j]))
            values.append(value)
        return values

    def solve(self, p: Program, force: Sequence[int]) -> list[int]:
        """``M⁻¹ F``. Zero entries cost nothing."""
        values = self.forward(p, force)
        solution = [0] * len(values)
        for i in reversed(range(len(values))):
            value = p.multiply(values[i], self.inverse[i])
            for j in range(i + 1, len(values)):
                value = p.subtract(value, p.multiply(self.lower[j][i], solution[j]))
            solution[i] = value
        return solution


def factored(p: Program, entries: Sequence[int], size: int, tiny: float = TINY) -> Factors:
    """The factors of a matrix whose lower triangle is given by rows; without pivoting, in straight-line code.

    A pivot below ``tiny`` times the size of its diagonal is none.
    """
    lower: list[list[int]] = []
    inverse: list[int] = []
    flag = p.number(1.0)
    for i in range(size):
        row = list(entries[i * (i + 1) // 2 : (i + 1) * (i + 2) // 2])
        diagonal = pivot = row.pop()
        for j in range(i):
            for l in range(j):
                row[j] = p.subtract(row[j], p.multiply(row[l], lower[j][l]))
        lower.append([p.multiply(row[j], inverse[j]) for j in range(i)])
        for j in range(i):
            pivot = p.subtract(pivot, p.multiply(row[j], lower[i][j]))
        least = p.multiply(p.number(tiny * size), diagonal) if pivot != diagonal else p.number(0.0)
        flag = p.choose(p.put("compare", pivot, least, detail="ogt"), flag, p.number(-1.0))
        inverse.append(p.divide(p.number(1.0), pivot))
    return Factors(lower, inverse, flag)


def definite(program: Program, entries: Sequence[int], force: Sequence[int]) -> tuple[list[int], int]:
    """``M s = F`` by ``M = L D Lᵀ``; entries are the rows of the lower triangle."""
    factors = factored(program, entries, len(force))
    return factors.solve(program, force), factors.flag


SHARE = 1e-6
"""Part of its mean that is added to the diagonal of a singular Schur complement; `REPEATS` further solutions remove it."""
REPEATS = 3


def saddle_point(
    p: Program, entries: Sequence[int], force: Sequence[int], speeds: int, redundant: bool
) -> tuple[list[int], int]:
    """``[[M, −B], [A, 0]] (ż, λ) = (F, c)`` with positive ``M``: ``ż = M⁻¹ (F + B λ)``, ``(A M⁻¹ B) λ = c − A M⁻¹ F``.

    Where rows of ``A`` depend on each other, ``λ`` is the least solution, the limit of ``(S + ε)`` iterated [proximal point].
    """
    size = len(force)
    table = [entries[i * size : (i + 1) * size] for i in range(size)]
    factors = factored(p, [table[i][j] for i in range(speeds) for j in range(i + 1)], speeds)
    free = factors.solve(p, force[:speeds])
    answers = [factors.solve(p, [p.negate(table[i][k]) for i in range(speeds)]) for k in range(speeds, size)]
    rows = [table[k][:speeds] for k in range(speeds, size)]
    schur = [[_inner(p, row, answer) for answer in answers] for row in rows]
    sides = [p.subtract(c, _inner(p, row, free)) for row, c in zip(rows, force[speeds:])]
    if redundant:
        total = schur[0][0]
        for k in range(1, len(schur)):
            total = p.add(total, schur[k][k])
        extra = p.multiply(total, p.number(SHARE / len(schur)))
        damped = [[p.add(e, extra) if i == j else e for j, e in enumerate(row)] for i, row in enumerate(schur)]
        solve, safe = _eliminated(p, damped)
        unknowns = solve(sides)
        for _ in range(REPEATS):
            left = [p.subtract(c, _inner(p, row, unknowns)) for row, c in zip(schur, sides)]
            unknowns = [p.add(a, b) for a, b in zip(unknowns, solve(left))]
    else:
        solve, safe = _eliminated(p, schur)
        unknowns = solve(sides)
    moved = list(free)
    for value, answer in zip(unknowns, answers):
        moved = [p.add(a, p.multiply(value, b)) for a, b in zip(moved, answer)]
    flag = p.choose(p.put("compare", factors.flag, safe, detail="olt"), factors.flag, safe)
    return [*moved, *unknowns], flag


def _inner(p: Program, left: Sequence[int], right: Sequence[int]) -> int:
    total = p.number(0.0)
    for a, b in zip(left, right):
        total = p.add(total, p.multiply(a, b))
    return total


def _eliminated(p: Program, matrix: Sequence[Sequence[int]]) -> tuple[Callable[[Sequence[int]], list[int]], int]:
    """How to solve with a small matrix, by elimination in the given order, and a flag: -1 where a pivot is none."""
    size = len(matrix)
    work = [list(row) for row in matrix]
    factor = [[p.number(0.0)] * size for _ in range(size)]
    inverse: list[int] = []
    flag = p.number(1.0)
    for k in range(size):
        least = p.multiply(p.number(TINY * size), p.call("fabs", matrix[k][k]))
        flag = p.choose(p.put("compare", p.call("fabs", work[k][k]), least, detail="ogt"), flag, p.number(-1.0))
        inverse.append(p.divide(p.number(1.0), work[k][k]))
        for i in range(k + 1, size):
            factor[i][k] = p.multiply(work[i][k], inverse[k])
            for j in range(k + 1, size):
                work[i][j] = p.subtract(work[i][j], p.multiply(factor[i][k], work[k][j]))

    def solve(sides: Sequence[int]) -> list[int]:
        values = list(sides)
        for i in range(size):
            for k in range(i):
                values[i] = p.subtract(values[i], p.multiply(factor[i][k], values[k]))
        for i in reversed(range(size)):
            for k in range(i + 1, size):
                values[i] = p.subtract(values[i], p.multiply(work[i][k], values[k]))
            values[i] = p.multiply(values[i], inverse[i])
        return values

    return solve, flag
