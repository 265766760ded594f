"""Equations -> one program with everything a target may write: rates, mass and force, energy, Jacobian, residual."""

from __future__ import annotations

import keyword
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from nonholo.algebra.expression_types import Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile.explicit_rates import Factors, factored
from nonholo.compile.kernel import entries_of, input_symbols
from nonholo.compile.rates_jacobian import rates_slopes
from nonholo.derive.equations import Equations
from nonholo.program.machine_code import checked, refusal, undifferentiable
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate


@dataclass(frozen=True)
class ProgramSection:
    """One function: its outputs as places in the program, by rows when it is a matrix."""

    name: str
    title: str
    outputs: tuple[int, ...]
    shape: tuple[int, ...]


@dataclass(frozen=True)
class Portable:
    """A program of the inputs ``[t, x…, u…, p…]`` (then ``[ẋ…, unknowns…]`` for the residual) and its sections."""

    name: str
    """A word that every language takes."""
    equations: Equations
    values: tuple[float | None, ...]
    """Of the parameters, where the system knows them."""
    program: Program
    sections: tuple[ProgramSection, ...]
    start: FrozenMap[str, float] = field(default_factory=FrozenMap)
    """Time, state and inputs where the system's own motion begins; empty where it does not say."""

    @property
    def title(self) -> str:
        """The system's name for a comment: without characters that end a comment or a string in any language.

        What is written is code that others run, and the name may come from a stranger's file.
        """
        return re.sub(r"[^\w ().,;:+=-]+", "_", self.equations.name)[:80]

    @property
    def state(self) -> tuple[str, ...]:
        """The names behind x."""
        return self.equations.state

    @property
    def inputs(self) -> tuple[str, ...]:
        """The names behind u."""
        return tuple(map(str, self.equations.inputs))

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names behind p."""
        return tuple(map(str, self.equations.parameters))

    @property
    def unknowns(self) -> tuple[str, ...]:
        """The names of what is solved for beside the rates."""
        return tuple(map(str, self.equations.unknowns))

    def section(self, name: str) -> ProgramSection:
        """A section by its name."""
        return next(s for s in self.sections if s.name == name)


def portable(
    equations: Equations,
    implicit: bool = False,
    values: Sequence[float | None] = (),
    jacobian: bool = True,
    columns: Sequence[Symbol] | None = None,
) -> Portable:
    """The program of the equations, mass matrix solved in it; with ``implicit`` their residual instead of the solution.

    The Jacobian is that of the rates by ``columns`` (the state by default). To have it at many states without compiling:
    ``Interpreter(p.program, p.section("jacobian").outputs)(rows)``.
    """
    where = f"{equations.name}: export"
    symbols = input_symbols(equations)
    positive = equations.symmetric and not equations.unknowns
    flat = [*equations.kinematics, *entries_of(equations, positive), *equations.force]
    watched = [equations.energy, *equations.outputs.values()]
    program = Program(fixed=len(symbols))
    places: dict[Symbol, int] = {s: i for i, s in enumerate(symbols)}
    exprs = checked(symbols, [*flat, *watched], where)
    try:
        found = translate(program, places, exprs)
        wanted = (*equations.coordinates, *equations.speeds) if columns is None else tuple(columns)
        by = [program.put("input", detail=places[s]) for s in wanted] if jacobian else []
        sections = _sections(program, equations, positive, found, implicit, by, len(symbols))
    except NoMachineCode as problem:
        raise refusal(symbols, exprs, where) from problem
    except NoDerivative as problem:
        raise undifferentiable(problem, where) from problem
    known = tuple(values) or (None,) * len(equations.parameters)
    return Portable(identifier(equations.name), equations, known, program, tuple(sections))


def identifier(text: str) -> str:
    """A name that C and Python take: ``Chaplygin sleigh`` -> ``chaplygin_sleigh``."""
    plain = re.sub(r"[^a-z0-9]+", "_", text.lower())[:60].strip("_") or "system"
    return f"system_{plain}" if plain[0].isdigit() or keyword.iskeyword(plain) or plain in ("double", "int") else plain


def _sections(
    p: Program, equations: Equations, positive: bool, found: Sequence[int], implicit: bool, columns: list[int], gap: int
) -> list[ProgramSection]:
    count, size, speeds = len(equations.coordinates), len(equations.mass), len(equations.speeds)
    total = count + len(entries_of(equations, positive)) + size
    flat, watched = found[:total], found[total:]
    kinematics, entries, force = flat[:count], flat[count : total - size], flat[total - size :]
    matrix = whole_matrix(entries, size, positive)
    state = count + speeds
    result = [
        ProgramSection("mass", "mass matrix M, by rows", tuple(i for row in matrix for i in row), (size, size)),
        ProgramSection("force", "force F: M (speeds' rates, unknowns) = F", tuple(force), (size,)),
        ProgramSection("energy", "energy", tuple(watched[:1]), (1,)),
        ProgramSection("watched", ", ".join(equations.outputs) or "nothing", tuple(watched[1:]), (len(watched) - 1,)),
    ]
    if implicit:
        given = [p.put("input", detail=gap + k) for k in range(state + size - speeds)]
        moved = [p.subtract(given[k], kinematics[k]) for k in range(count)]
        moved += [_difference(p, row, given[count:], side) for row, side in zip(matrix, force)]
        return [ProgramSection("residual", "zero along a motion", tuple(moved), (len(moved),)), *result]
    solver: Factors | PivotedElimination = factored(p, entries, size) if positive else pivoted(p, matrix)
    solution = solver.solve(p, force)
    rates = ProgramSection("rates", "rates of the state", (*kinematics, *solution[:speeds]), (state,))
    result = [rates, *result]
    if equations.unknowns:
        names = ", ".join(map(str, equations.unknowns))
        result.append(ProgramSection("unknowns", names, tuple(solution[speeds:]), (size - speeds,)))
    if columns:
        rows, _ = rates_slopes(p, equations, positive, flat, solution, columns, 0)
        turned = [solver.solve(p, [rows[count + i][w] for i in range(size)]) for w in range(len(columns))]
        rows = [*rows[:count], *([column[i] for column in turned] for i in range(speeds))]
        flat_rows = tuple(i for row in rows for i in row)
        result.append(ProgramSection("jacobian", "d rates / d state, by rows", flat_rows, (state, len(columns))))
    return result


def whole_matrix(entries: Sequence[int], size: int, lower: bool) -> list[list[int]]:
    """The matrix by rows from its entries, or from those of its lower triangle."""
    if not lower:
        return [list(entries[i * size : (i + 1) * size]) for i in range(size)]
    return [[entries[max(i, j) * (max(i, j) + 1) // 2 + min(i, j)] for j in range(size)] for i in range(size)]


def _difference(p: Program, row: Sequence[int], given: Sequence[int], side: int) -> int:
    total = p.negate(side)
    for entry, value in zip(row, given):
        total = p.add(total, p.multiply(entry, value))
    return total


@dataclass(frozen=True)
class PivotedElimination:
    """``P M = L U`` with rows exchanged by choice, not by branching: straight-line code for any regular matrix."""

    swaps: list[list[int]]
    lower: list[list[int]]
    upper: list[list[int]]
    inverse: list[int]

    def solve(self, p: Program, force: Sequence[int]) -> list[int]:
        """``M⁻¹ F``."""
        values = list(force)
        size = len(values)
        for k in range(size):
            for i, test in zip(range(k + 1, size), self.swaps[k]):
                values[k], values[i] = p.choose(test, values[i], values[k]), p.choose(test, values[k], values[i])
        for k in range(size):
            for i in range(k + 1, size):
                values[i] = p.subtract(values[i], p.multiply(self.lower[i][k], values[k]))
        solution = [0] * size
        for i in reversed(range(size)):
            total = values[i]
            for j in range(i + 1, size):
                total = p.subtract(total, p.multiply(self.upper[i][j], solution[j]))
            solution[i] = p.multiply(total, self.inverse[i])
        return solution


def pivoted(p: Program, matrix: Sequence[Sequence[int]]) -> PivotedElimination:
    """Gauss's elimination with the largest pivot of each column."""
    rows = [list(row) for row in matrix]
    size = len(rows)
    lower = [[p.number(0.0)] * size for _ in range(size)]
    swaps: list[list[int]] = []
    inverse: list[int] = []
    for k in range(size):
        tests = []
        for i in range(k + 1, size):
            test = p.put("compare", p.call("fabs", rows[i][k]), p.call("fabs", rows[k][k]), detail="ogt")
            tests.append(test)
            for table, columns in ((rows, range(k, size)), (lower, range(k))):
                for j in columns:
                    a, b = table[k][j], table[i][j]
                    table[k][j], table[i][j] = p.choose(test, b, a), p.choose(test, a, b)
        swaps.append(tests)
        inverse.append(p.divide(p.number(1.0), rows[k][k]))
        for i in range(k + 1, size):
            lower[i][k] = p.multiply(rows[i][k], inverse[k])
            for j in range(k + 1, size):
                rows[i][j] = p.subtract(rows[i][j], p.multiply(lower[i][k], rows[k][j]))
    return PivotedElimination(swaps, lower, rows, inverse)
