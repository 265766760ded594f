"""Equations -> the derivatives of all rates by state, inputs, parameters and time, as machine code.

``M (ż, λ) = F`` is differentiated through its solution: ``d(ż, λ) = M⁻¹ (dF − dM (ż, λ))`` with the factors of M.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.expression_types import Symbol
from nonholo.compile.explicit_rates import UNROLLED, factored
from nonholo.compile.kernel import Kernel, entries_of
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError, StateError
from nonholo.program.array_types import Array
from nonholo.program.derivative import jacobian, jacobian_of_forms
from nonholo.program.llvm_jit import PART, WHOLE
from nonholo.program.machine_code import MachineCode, Ready, Sheet, checked, loaded, prepared, refusal, undifferentiable
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate

WHOLE_JACOBIAN = 60_000
"""Up to so many operations are one function: quicker by an eighth than parts, though LLVM takes twice as long."""
FLOW_PART = 500
"""For the loops longer ones are cut into functions of so many: a step calls the Jacobian once and the rates eight times."""
_FLOWS: WeakCache[RatesJacobian] = WeakCache(64)


@dataclass(frozen=True)
class RatesJacobian:
    """The derivatives of ``[ẋ (N), ż and unknowns (K)]`` by ``columns`` (W of them).

    ``code.code`` takes the kernel's input vector ``[t, x…, z…, inputs…, parameters…]``, then the K numbers ``(ż, unknowns)``,
    which the caller knows from the rates, then what ``code.constants`` makes of the input vector (once for a motion). It gives
    ``(N + K) × W`` numbers by rows, then a flag. Flag 1: these are the derivatives. Flag -1: the last K rows are
    ``∂(F − M s)/∂w`` with s held, and the caller has still to solve ``M X =`` these with the mass matrix of the rates.
    """

    kernel: Kernel
    columns: tuple[Symbol, ...]
    code: Ready = field(repr=False)

    @property
    def machine(self) -> MachineCode:
        """The function to be called by address."""
        return self.code.code

    def __call__(self, values: Sequence[float] | Array) -> Array:
        """The Jacobian at one input vector, (N + K) × W.

        >>> import nonholo as nh
        >>> from nonholo.compile import compile_equations
        >>> swing = nh.System(coordinates="q", parameters="l", lagrangian="qdot**2/2 + cos(q)/l")
        >>> slopes = rates_jacobian(compile_equations(nh.hamel(swing)))
        >>> slopes([0.0, 0.0, 0.0, 2.0]).tolist()
        [[0.0, 1.0], [-0.5, 0.0]]
        """
        given = np.asarray(values, dtype=float)
        equations = self.kernel.equations
        count, size, width = len(equations.coordinates), len(equations.mass), len(self.columns)
        solution, mass = self.kernel.solve(given)
        found = self.code(given, solution)
        rows = found[:-1].reshape(count + size, width)
        if found[-1] > 0.0 or not size:
            return rows
        try:
            rows[count:] = np.linalg.solve(mass, rows[count:])
        except np.linalg.LinAlgError:
            raise StateError(f"{equations.name}: the mass matrix is singular at this state; no derivatives there.") from None
        return rows


def rates_jacobian(kernel: Kernel, columns: Sequence[Symbol] | None = None, spare: int = 0, cut: bool = False) -> RatesJacobian:
    """Compile the derivatives of all rates by ``columns``: the state by default; also time, inputs, parameters.

    So many ``spare`` numbers are left out before the constants: those of the rates, where both share one input vector. ``cut``
    into parts a long one is compiled in a third of the time and takes a seventh longer.
    """
    equations = kernel.equations
    wanted = tuple(columns) if columns is not None else (*equations.coordinates, *equations.speeds)
    written = _written_derivatives(kernel, wanted, UNROLLED)
    outputs = [*(i for row in written.rows for i in row), written.flag]
    gap, size = len(kernel.symbols), len(equations.mass)
    whole, part = (WHOLE, FLOW_PART) if cut else (WHOLE_JACOBIAN, PART)
    return RatesJacobian(kernel, wanted, prepared(written.program, outputs, gap, size + spare, whole=whole, part=part))


def flow_jacobian(kernel: Kernel) -> RatesJacobian:
    """The derivatives by ``[state…, t, inputs…]`` for the loops, compiled once, on the input vector of the rates."""
    equations = kernel.equations
    columns = (*equations.coordinates, *equations.speeds, equations.time, *equations.inputs)
    return _FLOWS.get(kernel, lambda: rates_jacobian(kernel, columns, kernel.constants.outputs, cut=True))


class _Derivatives(NamedTuple):
    """The derivatives in a program: their rows and flag, and the entries of the mass matrix."""

    program: Program
    rows: list[list[int]]
    flag: int
    entries: list[int]


def _written_derivatives(
    kernel: Kernel, wanted: Sequence[Symbol], unrolled: int, zero: Sequence[Symbol] = ()
) -> _Derivatives:
    equations = kernel.equations
    where = f"{equations.name}: derivatives of the equations of motion"
    symbols = kernel.symbols
    stray = [str(s) for s in wanted if s not in symbols]
    if stray:
        raise ModelError(f"{where}: {', '.join(stray)} is not in its input vector ({', '.join(map(str, symbols))}).")
    expressions = [*equations.kinematics, *entries_of(equations, kernel.symmetric), *equations.force]
    exprs = checked(symbols, expressions, where)
    fixed = len(symbols) - len(equations.parameters)
    gap, size, count = len(symbols), len(equations.mass), len(equations.coordinates)
    program = Program(fixed, gap)
    try:
        places = {s: i for i, s in enumerate(symbols) if s not in zero}
        values = translate(program, places, exprs, {s: program.number(0.0) for s in zero})
        solution = [program.put("input", detail=gap + k) for k in range(size)]
        columns = [program.put("input", detail=symbols.index(s)) for s in wanted]
        rows, flag = rates_slopes(program, equations, kernel.symmetric, values, solution, columns, unrolled)
    except NoMachineCode as problem:
        raise refusal(symbols, expressions, where) from problem
    except NoDerivative as problem:
        raise undifferentiable(problem, where) from problem
    return _Derivatives(program, rows, flag, list(values[count : len(values) - size]))


class JacobianTable:
    """The same derivatives without compiling at first: at many input vectors at once, or at a few.

    Inputs in ``zero`` count as none, whatever their numbers: at rest most of the equations vanish.

    >>> import nonholo as nh
    >>> from nonholo.compile import compile_equations
    >>> swing = nh.System(coordinates="q", parameters="l", lagrangian="qdot**2/2 + cos(q)/l")
    >>> slopes = JacobianTable(compile_equations(nh.hamel(swing)))
    >>> slopes(np.array([[0.0, 0.0, 0.0, 2.0]]), np.array([[0.0]])).tolist()
    [[[0.0, 1.0], [-0.5, 0.0]]]
    """

    def __init__(self, kernel: Kernel, columns: Sequence[Symbol] | None = None, zero: Sequence[Symbol] = ()) -> None:
        equations = kernel.equations
        self.columns = tuple(columns) if columns is not None else (*equations.coordinates, *equations.speeds)
        self._kernel = kernel
        self._lower = np.tril_indices(len(equations.mass))
        written = _written_derivatives(kernel, self.columns, 0, zero)
        self.rooted = has_roots(written.program)
        """Whether slopes may be infinite at a zero of the state (`nonholo.program.partials`)."""
        outputs = [*(i for row in written.rows for i in row), *written.entries]
        self._table = Sheet(written.program, outputs, len(kernel.symbols) + len(equations.mass))

    def __call__(self, rows: Array, solutions: Array) -> Array:
        """The Jacobian at every row, (rows, N + K, W), from ``(ż, unknowns)`` there; not a number where M is singular."""
        equations = self._kernel.equations
        count, size, width = len(equations.coordinates), len(equations.mass), len(self.columns)
        found = self._table(np.hstack([rows, solutions]))
        slopes = found[:, : (count + size) * width].reshape(len(rows), count + size, width)
        flat = found[:, (count + size) * width :]
        if size and len(rows):
            mass = np.empty((len(rows), size, size))
            if self._kernel.symmetric:
                i, j = self._lower
                mass[:, i, j] = mass[:, j, i] = flat
            else:
                mass[:] = flat.reshape(-1, size, size)
            slopes[:, count:] = solved(mass, slopes[:, count:])
        return slopes


def has_roots(program: Program) -> bool:
    """Whether an operation has a slope that counts as 0 where there is none: a root, a power, an angle."""
    return any(o.kind == "sqrt" or (o.kind == "call" and o.detail in ("pow", "atan2")) for o in program.operations)


def solved(mass: Array, sides: Array) -> Array:
    """``M⁻¹`` times the sides of all rows; not a number where M is singular."""
    try:
        return np.asarray(np.linalg.solve(mass, sides))
    except np.linalg.LinAlgError:
        if len(mass) == 1:
            return np.full(sides.shape, np.nan)
        return np.concatenate([solved(mass[k : k + 1], sides[k : k + 1]) for k in range(len(mass))])


def rates_slopes(
    program: Program,
    equations: Equations,
    positive: bool,
    values: Sequence[int],
    solution: Sequence[int],
    columns: Sequence[int],
    unrolled: int,
) -> tuple[list[list[int]], int]:
    """Rows of the Jacobian, and the flag; ``values`` are kinematics, mass entries and force in the program."""
    size, count = len(equations.mass), len(equations.coordinates)
    kinematics, entries, force = values[:count], values[count : len(values) - size], values[len(values) - size :]
    one = program.number(1.0)
    forms: list[dict[int, int]] = [{i: one} for i in kinematics]
    place = {(i, j): k for k, (i, j) in enumerate((i, j) for i in range(size) for j in range(i + 1 if positive else size))}
    for i in range(size):
        form: dict[int, int] = {force[i]: one}
        for j in range(size):
            entry = entries[place[(i, j) if (i, j) in place else (j, i)]]
            form[entry] = program.subtract(form.get(entry, program.number(0.0)), solution[j])
        forms.append(form)
    rows = jacobian_of_forms(program, forms, columns)
    if not size:
        return rows, one
    if not positive or size > unrolled:
        return rows, program.number(-1.0)
    factors = factored(program, entries, size)
    solved = [factors.solve(program, [rows[count + i][w] for i in range(size)]) for w in range(len(columns))]
    return [*rows[:count], *([column[i] for column in solved] for i in range(size))], factors.flag


def jacobian_code(
    symbols: Sequence[Symbol], expressions: Sequence[Any], columns: Sequence[Symbol], where: str
) -> MachineCode:
    """Machine code of ``[expressions, ∂ expressions / ∂ columns by rows]`` as a function of ``symbols``.

    >>> import symengine as se
    >>> x, y = se.symbols("x y")
    >>> jacobian_code([x, y], [x * y**2], [x, y], "doctest")([2.0, 3.0]).tolist()
    [18.0, 9.0, 12.0]
    """
    program, outputs = slopes_program(symbols, expressions, columns, where)
    return loaded(program, outputs, len(symbols))


def jacobian_table(
    symbols: Sequence[Symbol], expressions: Sequence[Any], columns: Sequence[Symbol], where: str
) -> Sheet:
    """The same without compiling at first, for one input vector or a table of them."""
    return Sheet(*slopes_program(symbols, expressions, columns, where), len(symbols))


def slopes_table(
    symbols: Sequence[Symbol], expressions: Sequence[Any], columns: Sequence[Symbol], where: str
) -> Sheet:
    """The derivatives alone, by rows."""
    program, outputs = slopes_program(symbols, expressions, columns, where)
    return Sheet(program, outputs[len(expressions) :], len(symbols))


def slopes_program(
    symbols: Sequence[Symbol], expressions: Sequence[Any], columns: Sequence[Symbol], where: str
) -> tuple[Program, list[int]]:
    """A program of the symbols, and the places of the expressions and of their derivatives by rows."""
    exprs = checked(symbols, expressions, where)
    program = Program(fixed=len(symbols))
    try:
        outputs = translate(program, {s: i for i, s in enumerate(symbols)}, exprs)
        places = [program.put("input", detail=list(symbols).index(s)) for s in columns]
        rows = jacobian(program, outputs, places)
    except NoMachineCode as problem:
        raise refusal(symbols, expressions, where) from problem
    except NoDerivative as problem:
        raise undifferentiable(problem, where) from problem
    return program, [*outputs, *(i for row in rows for i in row)]
