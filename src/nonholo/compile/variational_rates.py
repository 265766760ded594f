"""Compile the motion together with its variational equations.

A tangent ``δ`` of the state ``y = (x, z)`` along a parameter ``p`` (or along none) moves as

    δ̇ = (∂f/∂y) δ + ∂f/∂p,        δż = M⁻¹ (δF − δM ż)

with the factors of M that give ``ż`` itself. What the directions share is computed once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import symengine as se

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile.explicit_rates import Factors, factored
from nonholo.compile.kernel import Kernel, entries_of, input_symbols, ordered_invariants
from nonholo.compile.portable_program import PivotedElimination, pivoted, whole_matrix
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.program.derivative import jacobian_of_forms, tangents
from nonholo.program.llvm_jit import FEW, ordered
from nonholo.program.machine_code import NOTHING, Ready, checked, machine_code, prepared, refusal, undifferentiable
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate

Along = tuple[Symbol | None, ...]
"""For each tangent the parameter (or input) that changes at the rate 1, None where only the state does."""

WHOLE_TANGENTS = 15_000
"""Up to so many operations are one function: quicker than parts by a fifth for the rattleback with four tangents."""


@dataclass(frozen=True, eq=False)
class TangentKernel(Kernel):
    """Machine code of a motion with tangents, for the same loops; made by `tangent_kernel`.

    The state is ``[x…, z…, δ₁…, δ₂…, …]``, each tangent in the order of the state, and so is the input vector. Invariants bind
    the motion alone. Where the mass matrix should be positive and is not the flag is -1; nothing is solved outside.
    """

    along: Along = ()

    @cached_property
    def tangent_symbols(self) -> tuple[Symbol, ...]:
        """The tangents, one after the other."""
        return _tangent_symbols(self.equations, len(self.along))

    @cached_property
    def state(self) -> tuple[Symbol, ...]:
        """State and tangents."""
        return (*self.equations.coordinates, *self.equations.speeds, *self.tangent_symbols)

    @property
    def solved(self) -> int:
        """All but the coordinates takes the place of ``(ż, unknowns)``."""
        return self.dimension - len(self.equations.coordinates)

    def __reduce__(self) -> tuple[object, tuple[object, ...]]:
        return tangent_kernel, (self.equations, self.along, self.guard, self.symmetric)


def tangent_kernel(
    equations: Equations, along: Along, conditions: Sequence[Expr] = (), positive: bool | None = None
) -> TangentKernel:
    """Compile the motion with one tangent for each entry of ``along``.

    ``positive`` says whether the mass matrix may be factored without pivots: as the equations say, unless told.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", parameters="k", lagrangian="qdot**2/2 - k*q**2/2")
    >>> equations = nh.hamel(swing)
    >>> both = tangent_kernel(equations, (None, equations.parameters[0]))
    >>> both.evaluate([0, 3.0, 0.0, 1.0, 0.0, 0.0, 0.0, 2.0])[:6].tolist()
    [0.0, -6.0, 0.0, -2.0, 0.0, -3.0]
    """
    name = equations.name
    where = f"{name}: variational equations"
    base = input_symbols(equations)
    known = {*equations.parameters, *equations.inputs}
    stray = [str(s) for s in along if s is not None and s not in known]
    if stray:
        raise ModelError(f"{where}: {', '.join(stray)} is neither a parameter nor an input of the equations.")
    symmetric = equations.symmetric and not equations.unknowns if positive is None else positive
    state = (*equations.coordinates, *equations.speeds)
    own = _tangent_symbols(equations, len(along))
    symbols = (equations.time, *state, *own, *equations.inputs, *equations.parameters)
    invariants, positions = ordered_invariants(equations)
    residuals = [equations.invariants[k] for k in invariants]
    slopes = [e for r in residuals for e in (*(se.diff(r, s) for s in state), *([ZERO] * len(own)))]
    exprs = [*equations.kinematics, *entries_of(equations, symmetric), *equations.force]
    fixed = len(symbols) - len(equations.parameters)
    try:
        ready = _shorter_code(equations, along, symbols, checked(symbols, exprs, where), symmetric, fixed)
    except NoMachineCode as problem:
        raise refusal(base, exprs, where) from problem
    except NoDerivative as problem:
        raise undifferentiable(problem, where) from problem
    return TangentKernel(
        equations=equations,
        monitored=FrozenMap(),
        rates=(),
        guard=tuple(conditions),
        symmetric=symmetric,
        positions=positions,
        invariants=invariants,
        rates_code=ready.code,
        constants=ready.constants,
        monitors=NOTHING,
        residuals=machine_code(symbols, [*residuals, *slopes], f"{name}: invariants"),
        conditions=machine_code(symbols, list(conditions), f"{name}: conditions", 0),
        along=tuple(along),
    )


def _tangent_symbols(equations: Equations, count: int) -> tuple[Symbol, ...]:
    """Names that no user can give."""
    state = (*equations.coordinates, *equations.speeds)
    return tuple(se.Symbol(f"δ{k}·{s}") for k in range(count) for s in state)


def tangent_program(kernel: TangentKernel) -> tuple[Program, list[int]]:
    """The program of a kernel and its outputs ``[ẋ, ż, δ̇₁, …, flag]``, once more."""
    equations, symbols = kernel.equations, kernel.symbols
    exprs = [*equations.kinematics, *entries_of(equations, kernel.symmetric), *equations.force]
    ready = checked(symbols, exprs, f"{equations.name}: variational equations")
    fixed = len(symbols) - len(equations.parameters)
    return _shorter(equations, kernel.along, symbols, ready, kernel.symmetric, fixed)


def _shorter(
    equations: Equations,
    along: Along,
    symbols: Sequence[Symbol],
    exprs: Sequence[Expr],
    positive: bool,
    fixed: int,
) -> tuple[Program, list[int]]:
    """The shorter of two programs: tangents one by one, or the Jacobian times all of them."""
    written = [_write_rates(equations, along, symbols, exprs, positive, fixed, by_rows) for by_rows in (False, True)]
    return min(written, key=lambda w: len(ordered(w[0], w[1], {})))


def _shorter_code(
    equations: Equations,
    along: Along,
    symbols: Sequence[Symbol],
    exprs: Sequence[Expr],
    positive: bool,
    fixed: int,
) -> Ready:
    """Its machine code."""
    program, outputs = _shorter(equations, along, symbols, exprs, positive, fixed)
    count = len(outputs) - 1
    gap, together = count - len(equations.coordinates), 1 if count <= FEW else 4
    return prepared(program, outputs, len(symbols), gap, together, WHOLE_TANGENTS, hurried=True)


def _write_rates(
    equations: Equations,
    along: Along,
    symbols: Sequence[Symbol],
    exprs: Sequence[Expr],
    positive: bool,
    fixed: int,
    by_rows: bool,
) -> tuple[Program, list[int]]:
    """``[ẋ, ż, δ̇₁, δ̇₂, …, flag]`` in a program."""
    program = Program(fixed)
    places = {s: i for i, s in enumerate(symbols)}
    values = translate(program, places, exprs)
    size, count, speeds = len(equations.mass), len(equations.coordinates), len(equations.speeds)
    kinematics, entries, force = values[:count], values[count : len(values) - size], values[len(values) - size :]
    matrix = whole_matrix(entries, size, positive)
    solver: Factors | PivotedElimination = factored(program, entries, size) if positive else pivoted(program, matrix)
    flag = solver.flag if isinstance(solver, Factors) else program.number(1.0)
    solution = solver.solve(program, force)
    own = [program.put("input", detail=1 + k) for k in range(count + speeds)]
    forms: list[dict[int, int]] = [{i: program.number(1.0)} for i in kinematics]
    for i in range(size):
        form = {force[i]: program.number(1.0)}
        for j in range(size):
            form[matrix[i][j]] = program.subtract(form.get(matrix[i][j], program.number(0.0)), solution[j])
        forms.append(form)
    moved = []
    for k, parameter in enumerate(along):
        change = {i: program.put("input", detail=1 + (k + 1) * len(own) + j) for j, i in enumerate(own)}
        if parameter is not None:
            change[program.put("input", detail=places[parameter])] = program.number(1.0)
        moved.append(change)
    changes = _by_rows(program, forms, moved) if by_rows else [_one_by_one(program, forms, change) for change in moved]
    outputs = [*kinematics, *solution[:speeds]]
    for found in changes:
        outputs += [*found[:count], *solver.solve(program, found[count:])[:speeds]]
    return program, [*outputs, flag]


def _one_by_one(program: Program, forms: Sequence[dict[int, int]], change: dict[int, int]) -> list[int]:
    """The change of linear forms of values, at fixed coefficients, along one direction: forward mode."""
    values = list(dict.fromkeys(i for form in forms for i in form))
    found = dict(zip(values, tangents(program, values, change)))
    return [_sum(program, [(weight, found[i]) for i, weight in form.items()]) for form in forms]


def _by_rows(program: Program, forms: Sequence[dict[int, int]], moved: Sequence[dict[int, int]]) -> list[list[int]]:
    """The same along all directions, by the Jacobian."""
    columns = list(dict.fromkeys(i for change in moved for i in change))
    rows = jacobian_of_forms(program, forms, columns)
    zero = program.number(0.0)
    return [
        [_sum(program, [(e, change.get(i, zero)) for e, i in zip(row, columns)]) for row in rows] for change in moved
    ]


def _sum(program: Program, products: Sequence[tuple[int, int]]) -> int:
    total = program.number(0.0)
    for a, b in products:
        total = program.add(total, program.multiply(a, b))
    return total
