"""From a computed path to named quantities: coordinates, velocities, energy, residuals, reactions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, substitute, symbols
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import dot
from nonholo.algebra.numeric import numeric_function
from nonholo.compile.kernel import Kernel, input_symbols
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import unconstrained
from nonholo.derive.multipliers import multiplier_names
from nonholo.integrate.loops.compiled import call_rows
from nonholo.model.admissible import constraint_rows
from nonholo.model.system import System

Array = np.ndarray[Any, np.dtype[np.float64]]
FEW_ROWS = 600
"""Up to so many rows machine code for the reactions takes longer to make than it saves."""


def rows_of(
    equations: Equations, times: Array, states: Array, parameters: Mapping[str, float], signals: Sequence[Any]
) -> Array:
    """The input vectors ``[t, x…, z…, inputs…, parameters…]``, one row for each time."""
    inputs = np.array([[s(t) for s in signals] for t in times]).reshape(len(times), len(signals))
    fixed = np.array([parameters[str(p)] for p in equations.parameters])
    return np.hstack([times[:, None], states, inputs, np.tile(fixed, (len(times), 1))])


def evaluate_rows(arguments: Sequence[Any], exprs: Sequence[Expr], rows: Array, backend: str = "llvm") -> Array:
    """All expressions on all rows: one column for each expression."""
    if not len(rows):
        return np.empty((0, len(exprs)))
    function = numeric_function(arguments, [*exprs, ZERO], backend)
    with np.errstate(all="ignore"):
        return np.asarray(function(rows), dtype=float).reshape(len(rows), -1)[:, :-1]


def quantities(
    system: System | None, equations: Equations, rows: Array, watched: Mapping[str, Expr], kernel: Kernel | None = None
) -> dict[str, tuple[Array, str]]:
    """Every named quantity along the path, with a word on what it is; the kernel of the equations saves time."""
    arguments = list(input_symbols(equations))
    kinds: dict[str, str] = {str(s): "coordinate" for s in equations.coordinates}
    kinds |= {str(s): "speed" for s in equations.speeds} | dict.fromkeys(equations.outputs, "velocity")
    exprs: dict[str, Expr] = {str(s): s for s in (*equations.coordinates, *equations.speeds)} | dict(equations.outputs)
    exprs["energy"] = equations.energy
    kinds["energy"] = "energy"
    for name, e in equations.invariants.items():
        key = name.replace(" ", "_")
        exprs[key], kinds[key] = e, "residual"
    if system is not None and equations.origin == "hamel":
        for name, e in _residuals(system, equations).items():
            exprs.setdefault(name, e)
            kinds.setdefault(name, "residual")
    exprs |= dict(watched)
    kinds |= dict.fromkeys(watched, "watched")
    values = evaluate_rows(arguments, list(exprs.values()), rows)
    result = {n: (values[:, k], kinds[n]) for k, n in enumerate(exprs)}
    if (
        system is not None
        and equations.origin == "hamel"
        and (system.constraints or system.holonomic or system.parametric)
    ):
        result |= {
            n: (column, "reaction")
            for n, column in reactions_along(system, equations, rows, kernel).items()
        }
    return result


def _residuals(system: System, equations: Equations) -> dict[str, Expr]:
    """The constraints' residuals, on the velocities the equations give."""
    if system.parametric is not None:
        return {}
    rows = constraint_rows(system)
    table = {s: equations.outputs[str(s)] for s in symbols(system.velocities) if str(s) in equations.outputs}
    return dict(zip((n.replace(" ", "_") for n in rows.labels), substitute(rows.residuals, table)))


def solved_rows(equations: Equations, rows: Array, kernel: Kernel | None = None) -> tuple[Array, Array]:
    """``ẋ`` and ``(ż, unknowns)`` on every row; not-a-number where the mass matrix is singular.

    By the machine code of the kernel if there is one; its parameters are those of the first row.
    """
    size, count = len(equations.force), len(equations.coordinates)
    if kernel is not None and len(rows):
        code = kernel.rates_code
        fixed = kernel.constants(rows[0]) if kernel.constants.outputs else np.empty(0)
        given = np.hstack([rows, np.zeros((len(rows), size)), np.tile(fixed, (len(rows), 1))])
        found = np.empty((len(rows), code.outputs))
        call_rows(code.address, code.data, found, given)
        solved = found[:, count : count + size].copy()
        hard = np.flatnonzero(~(found[:, count + size] > 0))
        if len(hard):
            mass, force = found[hard, count + size + 1 : -size], found[hard, -size:]
            if kernel.symmetric:
                lower = np.tril_indices(size)
                packed, mass = mass, np.zeros((len(hard), size, size))
                mass[:, lower[0], lower[1]] = mass[:, lower[1], lower[0]] = packed
            solved[hard] = _solve(mass.reshape(-1, size, size), force)
        return found[:, :count], solved
    flat = [e for row in equations.mass for e in row]
    values = evaluate_rows(list(input_symbols(equations)), [*flat, *equations.force, *equations.kinematics], rows)
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


def reactions_along(
    system: System, equations: Equations, rows: Array, kernel: Kernel | None = None
) -> dict[str, Array]:
    """Multipliers ``λ`` (or reactions ``R``) along the path: ``R = G v̇ − f``, ``Aᵀ λ = R``, in the system's own frame."""
    velocity = symbols(system.velocities)
    own = dict(equations.outputs) | {str(s): s for s in equations.speeds}
    table = {s: own[str(s)] for s in velocity}
    variables = (*equations.coordinates, *equations.speeds)
    flow = symbols(f"_flow_{s}" for s in variables)
    accelerations = [dot(gradient(table[s], variables), flow) + table[s].diff(equations.time) for s in velocity]
    metric, push = unconstrained(system)
    exprs = [e for row in metric for e in substitute(row, table)] + list(substitute(push, table)) + accelerations
    slopes: list[Expr] = []
    count = 0
    if system.parametric is None:
        declared = constraint_rows(system)
        count = len(declared.residuals)
        slopes = [e for row in declared.slopes for e in substitute(row, table)]
    kinematics, solved = solved_rows(equations, rows, kernel)
    extended = np.hstack([rows, kinematics, solved[:, : len(equations.speeds)]])
    backend = "lambda" if len(rows) <= FEW_ROWS else "llvm"
    numbers = evaluate_rows([*input_symbols(equations), *flow], [*exprs, *slopes], extended, backend)
    n = len(velocity)
    g = numbers[:, : n * n].reshape(-1, n, n)
    f, a = numbers[:, n * n : n * n + n], numbers[:, n * n + n : n * n + 2 * n]
    reaction = np.einsum("tij,tj->ti", g, a) - f
    if system.parametric is not None:
        return {f"reaction_{v}": reaction[:, k] for k, v in enumerate(system.velocities)}
    rows_a = numbers[:, n * n + 2 * n :].reshape(-1, count, n)
    finite = np.all(np.isfinite(rows_a), axis=(1, 2)) & np.all(np.isfinite(reaction), axis=1)
    multiplier = np.full((len(rows), count), np.nan)
    if np.any(finite):
        multiplier[finite] = np.einsum("tij,ti->tj", np.linalg.pinv(rows_a[finite]), reaction[finite])
    return {name: multiplier[:, k] for k, name in enumerate(multiplier_names(system, count))}


def watched_expressions(system: System | None, equations: Equations, watch: Mapping[str, Any]) -> dict[str, Expr]:
    """Named expressions a user wants to see along the motion, in the equations' own state."""
    from nonholo.algebra.door import expression
    from nonholo.integrate.one.prepare import event_expression

    if system is None:
        known = (
            *equations.state,
            *equations.outputs,
            *map(str, equations.parameters),
            *map(str, equations.inputs),
            "t",
        )
        table = dict(zip(symbols(equations.outputs), equations.outputs.values()))
        return {n: substitute([expression(e, known, f"watch {n}")], table)[0] for n, e in watch.items()}
    return {n: event_expression(system, equations, e, f"{system.name}: watch {n}") for n, e in watch.items()}
