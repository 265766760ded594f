"""Compile all rates into one function; the mass matrix is factored in straight-line code.

The outputs are ``[ẋ (N), ż and unknowns (K), flag, mass, force (K)]``, mass by the rows of its lower triangle when it
is taken as positive, whole otherwise. The flag is 1 when ``L D Lᵀ`` without pivoting has given ``ż``, and -1 when the
matrix was not safely positive (or is not meant to be): then the caller solves with mass and force.

Whatever depends on parameters alone is computed once for a motion by a second function, whose results stand behind the
other inputs.
"""

from __future__ import annotations

from collections.abc import Sequence
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
    if positive and size <= UNROLLED:
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
