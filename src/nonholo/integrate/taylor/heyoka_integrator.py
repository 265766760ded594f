"""Equations -> heyoka's integrator, compiled once and copied for each motion."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from nonholo.algebra.calculus import ZERO
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.compile.kernel import Kernel, input_symbols
from nonholo.derive.equations import Equations
from nonholo.integrate.taylor.heyoka_expressions import solve_series, translate

if TYPE_CHECKING:
    import heyoka

Array = np.ndarray[Any, np.dtype[Any]]
WEAK = 1e-3
"""A pivot this small beside what is left of its column asks for another order of the rows."""


class Notes:
    """What an event calls: it notes the time and the sign of the passage."""

    def __init__(self) -> None:
        self.found: list[tuple[float, int]] = []

    def __call__(self, integrator: Any, time: Any, sign: int) -> None:
        self.found.append((float(time), sign))


@dataclass(frozen=True, eq=False)
class Machine:
    """A compiled integrator, the kind of number it takes, and the order in which it eliminates rows."""

    integrator: heyoka.taylor_adaptive
    number: Callable[[float], float | heyoka.real128]
    order: tuple[int, ...]


@lru_cache(maxsize=32)
def machine(
    equations: Equations, events: tuple[Expr, ...], order: tuple[int, ...], precision: str, tolerance: float | None
) -> Machine:
    """The integrator of the equations; state, time and ``par`` (inputs, then parameters) are left open."""
    import heyoka as hy

    hy.set_logger_level_error()  # a motion that stops being finite is an outcome, not a line on the terminal
    quad = precision == "quad"
    number = hy.real128 if quad else float
    state = (*equations.coordinates, *equations.speeds)
    names = [hy.expression(f"state_{i}") for i in range(len(state))]
    known = dict(zip(state, names))
    known |= {s: hy.par[i] for i, s in enumerate((*equations.inputs, *equations.parameters))}
    known[equations.time] = hy.time
    entries = [e for row in equations.mass for e in row]
    whole = [*equations.kinematics, *equations.force, *entries, *events]
    found = translate(whole, known, equations.name, quad)
    n, size = len(equations.coordinates), len(equations.force)
    mass = [found[n + size + size * i : n + 2 * size + size * i] for i in range(size)]
    present = [[equations.mass[i][j] != 0 for j in range(size)] for i in range(size)]
    rates = solve_series(mass, present, found[n : n + size], order)
    flow = list(zip(names, [*found[:n], *rates[: len(equations.speeds)]]))
    kind = {"fp_type": hy.real128} if quad else {}
    watched = [hy.nt_event(e, callback=Notes(), **kind) for e in found[n + size + size * size :]]
    integrator = hy.taylor_adaptive(
        flow,
        np.zeros(len(state), dtype=number),
        compact_mode=True,  # without it a rattleback takes minutes to compile
        nt_events=watched,
        **({} if tolerance is None else {"tol": number(tolerance)}),
        **kind,
    )
    return Machine(integrator, number, order)


@lru_cache(maxsize=32)
def matrices(equations: Equations) -> Callable[[Array], tuple[Array, Array]]:
    """A function of the input vector that gives the mass matrix, and force and kinematics behind each other."""
    size = len(equations.mass)
    exprs = [*(e for row in equations.mass for e in row), *equations.force, *equations.kinematics]
    function = numeric_function(input_symbols(equations), [*exprs, ZERO])

    def evaluate(row: Array) -> tuple[Array, Array]:
        with np.errstate(all="ignore"):
            values = np.asarray(function(row), dtype=float).reshape(-1)[:-1]
        return values[: size * size].reshape(size, size), values[size * size :]

    return evaluate


def pivots(mass: Array, order: Sequence[int] | None) -> tuple[tuple[int, ...], Array, Array]:
    """Eliminate with rows in this order, or by the largest pivot: the order, the pivots, what each column had left."""
    work = mass.astype(float)
    size = len(work)
    rows = list(range(size) if order is None else order)
    work = work[rows]
    found, best = np.zeros(size), np.zeros(size)
    for k in range(size):
        column = np.abs(work[k:, k])
        if order is None:
            top = k + int(np.argmax(column))
            work[[k, top]], rows[k], rows[top] = work[[top, k]], rows[top], rows[k]
        found[k], best[k] = work[k, k], np.max(column)
        if found[k] != 0:
            work[k + 1 :] -= np.outer(work[k + 1 :, k] / found[k], work[k])
    return tuple(rows), found, best


def pivoting(mass: Array, symmetric: bool, speeds: int) -> tuple[tuple[int, ...], float]:
    """An order of the rows for elimination that is good here, and the pivot ratio, 0 for a singular matrix.

    A positive matrix, also when bordered by constraints, keeps its own order: its pivots (positive, then negative)
    never vanish before it is singular. Any other is pivoted by numbers, which must be looked at on the way.
    """
    size = len(mass)
    if size == 0:
        return (), 1.0
    natural = tuple(range(size))
    if symmetric and _definite(mass, speeds):
        _, found, _ = pivots(mass, natural)
        diagonal = np.diag(mass)[:speeds]
        return natural, float(np.min(found[:speeds] / diagonal))
    with np.errstate(all="ignore"):
        scaled = mass / np.max(np.abs(mass), axis=1, keepdims=True)
        order, found, _ = pivots(scaled, None)
        ratio = float(np.min(np.abs(found)) / np.max(np.abs(found)))
    return order, ratio if ratio > 1e-15 * size else 0.0


def _definite(mass: Array, speeds: int) -> bool:
    _, found, _ = pivots(mass, range(len(mass)))
    scale = np.abs(np.diag(mass))
    return bool(np.all(found[:speeds] > 1e-14 * scale[:speeds]) and np.all(found[speeds:] < 0))


def still_good(mass: Array, symmetric: bool, speeds: int, order: tuple[int, ...]) -> bool:
    """Whether an order of the rows still has no weak pivot here."""
    if order == tuple(range(len(mass))) and symmetric and _definite(mass, speeds):
        return True
    _, found, best = pivots(mass / np.max(np.abs(mass), axis=1, keepdims=True), order)
    return bool(np.all(np.abs(found) >= WEAK * best))


def onto_invariants(kernel: Kernel, row: Array, state: Array) -> Array:
    """The least change of the state that makes the invariants vanish: coordinates first, then speeds.

    As `nonholo.integrate.loops.projection.project` does in the loops; an invariant that follows from others is left out.
    """
    n, size = len(kernel.equations.coordinates), len(state)
    total, positions = len(kernel.invariants), kernel.positions
    state = state.copy()
    for rows, part in ((slice(0, positions), slice(0, n)), (slice(positions, total), slice(n, size))):

        def residuals(moved: Array, rows: slice = rows, part: slice = part) -> tuple[Array, Array]:
            state[part] = moved
            row[1 : 1 + size] = state
            values = kernel.residuals(row)
            return values[rows], values[total:].reshape(total, size)[rows, part]

        if rows.stop > rows.start:
            state[part], _ = gauss_newton(residuals, state[part], most=8, step=_independent)
    return state


def _independent(slopes: Array, residual: Array) -> Array:
    return np.asarray(np.linalg.lstsq(slopes, residual, rcond=1e-6)[0])
