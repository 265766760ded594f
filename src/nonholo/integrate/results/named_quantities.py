"""Named quantities from a computed path: coordinates, velocities, inputs, energy, residuals, reactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.linear_equations import Matrix
from nonholo.algebra.numeric_functions import Formulas
from nonholo.compile.kernel import Kernel, input_symbols
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import momentum_equation
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows, reaction_names, shows_reactions
from nonholo.model.system import System
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.program.array_types import Array
from nonholo.program.derivative import tangents
from nonholo.program.machine_code import MachineCode, checked, refusal, taped, undifferentiable
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate

DEPENDENT = 1e-11
"""Rows of which one lies in the span of those before it to this part are solved by singular values."""


def evaluate_rows(arguments: Sequence[Any], exprs: Sequence[Expr], rows: Array) -> Array:
    """All expressions on all rows: one column for each expression."""
    return Formulas([str(s) for s in arguments], exprs).rows(rows)


def quantities(kernel: SystemKernel, rows: Array, watched: Mapping[str, Any]) -> dict[str, tuple[Array, str]]:
    """Every named quantity along the path but the reactions, with a word on what it is."""
    equations = kernel.equations
    result: dict[str, tuple[Array, str]] = {}
    for k, s in enumerate((*equations.coordinates, *equations.speeds)):
        name = str(s)
        if not name.startswith("_"):
            kind = "coordinate" if k < len(equations.coordinates) else "speed"
            result[name] = (rows[:, 1 + k], kernel.kinds.get(name, kind))
    names, kinds, code = kernel.columns
    values = on_rows(code, rows)
    result |= {n: (values[:, k], kinds[k]) for k, n in enumerate(names)}
    if watched:
        values = on_rows(kernel.code(list(watched.values()), f"{equations.name}: watch"), rows)
        result |= {n: (values[:, k], "watched") for k, n in enumerate(watched)}
    return result


def reactions(kernel: SystemKernel, rows: Array) -> dict[str, tuple[Array, str]]:
    """The reactions of the constraints along the path; nothing where there are none."""
    system = constrained(kernel)
    if system is None:
        return {}
    return {n: (column, "reaction") for n, column in reactions_along(kernel, system, rows).items()}


def constrained(kernel: SystemKernel) -> System | None:
    """The system whose reactions a motion shows, if it has any."""
    return kernel.system if shows_reactions(kernel.equations, kernel.system) else None


def solved_rows(kernel: Kernel | Equations, rows: Array) -> tuple[Array, Array]:
    """``ẋ`` and ``(ż, unknowns)`` on every row; not-a-number where the mass matrix is singular.

    By machine code where a kernel is given; what follows from parameters is computed once where they are the same.
    """
    equations = kernel.equations if isinstance(kernel, Kernel) else kernel
    size, count = len(equations.force), len(equations.coordinates)
    if isinstance(kernel, Kernel) and len(rows):
        code = kernel.rates_code
        if len(rows) == 1:
            steady = kernel.constants(rows[0]) if kernel.constants.outputs else ()
            found = code(np.concatenate([rows[0], np.zeros(size), steady]))[None]
        else:
            numbers = rows[:, rows.shape[1] - len(equations.parameters) :]
            alike = rows[:1] if bool(np.all(numbers == numbers[0])) else rows
            fixed = np.broadcast_to(on_rows(kernel.constants, alike), (len(rows), kernel.constants.outputs))
            found = on_rows(code, np.hstack([rows, np.zeros((len(rows), size)), fixed]))
        solved = found[:, count : count + size].copy()
        well = found[:, count + size] > 0
        if not well.all():
            hard = np.flatnonzero(~well)
            mass, force = found[hard, count + size + 1 : -size], found[hard, -size:]
            if kernel.symmetric:
                lower = np.tril_indices(size)
                packed, mass = mass, np.zeros((len(hard), size, size))
                mass[:, lower[0], lower[1]] = mass[:, lower[1], lower[0]] = packed
            solved[hard] = _solve(mass.reshape(-1, size, size), force)
        return found[:, :count], solved
    flat = [e for row in equations.mass for e in row]
    values = evaluate_rows(input_symbols(equations), [*flat, *equations.force, *equations.kinematics], rows)
    mass = values[:, : size * size].reshape(-1, size, size)
    return values[:, size * size + size :], _solve(mass, values[:, size * size : size * size + size])


def _solve(mass: Array, force: Array) -> Array:
    """``mass⁻¹ force`` of all rows; not a number where the mass is singular."""
    try:
        return np.asarray(np.linalg.solve(mass, force[..., None])[..., 0], dtype=float)
    except np.linalg.LinAlgError:
        solved = np.full(force.shape, np.nan)
        for k in range(len(mass)):
            if np.all(np.isfinite(mass[k])) and np.linalg.cond(mass[k]) < 1e14:
                solved[k] = np.linalg.solve(mass[k], force[k])
        return solved


@dataclass(frozen=True, eq=False)
class ReactionProgram:
    """A program of ``R = ṗ − (c_ij^a p_a v^i + u_j[l] + Q_j)`` and ``A`` on the input vector and the rates of the state.

    The velocities are values of the program and never put into the formulas, which would grow exponentially along a chain; the
    momenta are differentiated along the motion in the program, so that no entry of ``∂²l/∂v²`` is formed.
    """

    names: tuple[str, ...]
    size: int
    count: int
    arguments: tuple[Symbol, ...]
    more: int
    """How many further expressions follow."""
    program: Program
    outputs: tuple[int, ...]
    code: MachineCode


_REACTING: WeakCache[ReactionProgram] = WeakCache(64)


def reaction_program_of(kernel: SystemKernel, system: System) -> ReactionProgram:
    """The compiled program of a system's reactions, cached with its kernel."""
    return _REACTING.get(kernel, lambda: _new_reaction_program(kernel, system))


def _new_reaction_program(kernel: SystemKernel, system: System) -> ReactionProgram:
    table: Matrix = constraint_rows(system).slopes if system.parametric is None else ()
    return reaction_program(kernel, system, reaction_names(kernel.equations, system), table)


def reaction_program(
    kernel: SystemKernel, system: System, names: tuple[str, ...], table: Matrix, more: Sequence[Expr] = ()
) -> ReactionProgram:
    """The program of ``R``, the rows ``table`` of ``A`` and further expressions in ``(x, v, t)``."""
    equations = kernel.equations
    velocity = symbols(system.velocities)
    own = dict(equations.outputs) | {str(s): s for s in equations.speeds}
    variables = (*equations.coordinates, *equations.speeds)
    flow = symbols(f"_flow_{s}" for s in variables)
    momenta, terms = momentum_equation(system)
    pull = [sum(parts, ZERO) for parts in zip(*terms.values())]
    slopes = [e for row in table for e in row]
    arguments, where = (*kernel.symbols, *flow), f"{equations.name}: reactions"
    program = Program(fixed=len(arguments))
    places = {s: i for i, s in enumerate(arguments)}
    moving = checked(arguments, [own[str(s)] for s in velocity], where)
    known = (*arguments, *(s for s in velocity if s not in places))
    rest = checked(known, [*momenta, *pull, *slopes, *more], where)
    try:
        speed = translate(program, places, moving)
        inputs = {s: program.put("input", detail=i) for s, i in places.items()}
        changes = {inputs[s]: inputs[f] for s, f in zip(variables, flow)} | {inputs[equations.time]: program.number(1.0)}
        found = translate(program, places, rest, dict(zip(velocity, speed)))
        size = len(velocity)
        rates = tangents(program, found[:size], changes)
        outputs = [program.subtract(rate, pull) for rate, pull in zip(rates, found[size:])] + found[2 * size :]
    except NoMachineCode as problem:
        raise refusal(known, [*moving, *rest], where) from problem
    except NoDerivative as problem:
        raise undifferentiable(problem, where) from problem
    code = taped(program, outputs, len(arguments))
    return ReactionProgram(names, len(velocity), len(table), arguments, len(more), program, tuple(outputs), code)


def parts_of(ready: ReactionProgram, numbers: Array) -> tuple[Array, Array]:
    """``R`` and ``A`` on every row, out of what was computed (along its second axis)."""
    n, rest = ready.size, numbers.shape[2:]
    rows_a = numbers[:, n : numbers.shape[1] - ready.more]
    return numbers[:, :n], rows_a.reshape(len(numbers), ready.count, n, *rest)


def reaction_rows(kernel: SystemKernel, ready: ReactionProgram, rows: Array) -> Array:
    """What a program of reactions gives on every row of a path."""
    kinematics, solved = solved_rows(kernel, rows)
    return on_rows(ready.code, np.hstack([rows, kinematics, solved[:, : len(kernel.equations.speeds)]]))


def reactions_along(kernel: SystemKernel, system: System, rows: Array) -> dict[str, Array]:
    """Multipliers ``λ`` (or reactions ``R``) along the path: ``Aᵀ λ = R``, in the system's own frame."""
    ready = reaction_program_of(kernel, system)
    reaction, rows_a = parts_of(ready, reaction_rows(kernel, ready, rows))
    count = ready.count
    if system.parametric is not None:
        return dict(zip(ready.names, reaction.T))
    finite = np.all(np.isfinite(rows_a), axis=(1, 2)) & np.all(np.isfinite(reaction), axis=1)
    multiplier = np.full((len(rows), count), np.nan)
    if np.any(finite):
        multiplier[finite] = np.einsum("tij,ti->tj", pseudo_inverse(rows_a[finite]), reaction[finite])
    return dict(zip(ready.names, multiplier.T))


def pseudo_inverse(rows: Array) -> Array:
    """``A⁺`` of every matrix: ``Q R⁻ᵀ`` with ``Aᵀ = Q R`` where its rows are independent, by singular values elsewhere.

    >>> pseudo_inverse(np.array([[[2.0, 4.0]]])).round(12).tolist()
    [[[0.1], [0.2]]]
    """
    count, size = rows.shape[1:]
    if not count or count > size:
        return np.asarray(np.linalg.pinv(rows))
    q, r = np.linalg.qr(np.swapaxes(rows, 1, 2))
    diagonal = np.abs(np.diagonal(r, axis1=1, axis2=2))
    dependent = ~(np.min(diagonal, axis=1) > DEPENDENT * np.max(diagonal, axis=1))
    r[dependent] = np.eye(count)
    found = np.asarray(np.swapaxes(np.linalg.solve(r, np.swapaxes(q, 1, 2)), 1, 2))
    if np.any(dependent):
        found[dependent] = np.linalg.pinv(rows[dependent])
    return found
