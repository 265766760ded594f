"""Equations -> one function that gives all rates: the mass matrix is factored in straight-line code.

The outputs are ``[ẋ (N), ż and unknowns (K), flag, mass, force (K)]``, mass by the rows of its lower triangle when it
is taken as positive, whole otherwise. The flag is 1 when ``L D Lᵀ`` without pivoting has given ``ż``, and -1 when the
matrix was not safely positive (or is not meant to be): then the caller solves with mass and force.

Whatever depends on parameters alone is computed once for a motion by a second function, whose results stand behind the
other inputs.
"""

from __future__ import annotations

from collections.abc import Sequence

from nonholo.algebra.kinds import Expr
from nonholo.algebra.program import Program
from nonholo.algebra.translate import translate
from nonholo.derive.equations import Equations

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


def definite(program: Program, entries: Sequence[int], force: Sequence[int]) -> tuple[list[int], int]:
    """``M s = F`` by ``M = L D Lᵀ``; entries are the rows of the lower triangle. Zero entries cost nothing."""
    p, size = program, len(force)
    scaled: list[list[int]] = []  # L D
    lower: list[list[int]] = []  # L
    inverse: list[int] = []
    values: list[int] = []
    flag = p.number(1.0)
    for i in range(size):
        row = list(entries[i * (i + 1) // 2 : (i + 1) * (i + 2) // 2])
        diagonal = pivot = row.pop()
        value = force[i]
        for j in range(i):
            for l in range(j):
                row[j] = p.subtract(row[j], p.multiply(row[l], lower[j][l]))
        lower.append([p.multiply(row[j], inverse[j]) for j in range(i)])
        scaled.append(row)
        for j in range(i):
            pivot = p.subtract(pivot, p.multiply(row[j], lower[i][j]))
            value = p.subtract(value, p.multiply(lower[i][j], values[j]))
        least = p.multiply(p.number(TINY * size), diagonal) if pivot != diagonal else p.number(0.0)
        flag = p.put("choose", p.put("compare", pivot, least, detail="ogt"), flag, p.number(-1.0))
        inverse.append(p.divide(p.number(1.0), pivot))
        values.append(value)
    solution = [0] * size
    for i in reversed(range(size)):
        value = p.multiply(values[i], inverse[i])
        for j in range(i + 1, size):
            value = p.subtract(value, p.multiply(lower[j][i], solution[j]))
        solution[i] = value
    return solution, flag


def steady_values(program: Program, outputs: Sequence[int]) -> list[int]:
    """The values that depend on parameters alone and are used by others (or are outputs): computed once."""
    found: dict[int, None] = {}
    seen: set[int] = set()
    work = list(outputs)
    while work:
        i = work.pop()
        if i in seen:
            continue
        seen.add(i)
        if program.steady[i] and program.operations[i].kind not in ("number", "input", "compare"):
            found[i] = None
        else:
            work.extend(program.operations[i].of)
    return sorted(found)
