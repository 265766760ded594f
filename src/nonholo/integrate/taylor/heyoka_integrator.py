"""Equations -> heyoka's integrator, compiled once and copied for each motion."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import ZERO, from_below
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.compile.kernel import Kernel, input_symbols
from nonholo.derive.equations import Equations
from nonholo.errors import ModelError
from nonholo.program.array_types import AnyArray

if TYPE_CHECKING:
    import heyoka


WEAK = 1e-3
"""A pivot this small relative to the rest of its column requires another order of the rows."""
Series = Any
"""An expression of heyoka."""
EULER = "2.71828182845904523536028747135266249776"
LARGEST_POWER = 64
"""Integer powers up to this are products: heyoka's recurrence for a power divides by the base, which may be zero."""


class EventNotes:
    """What an event calls: it notes the time and the sign of the passage."""

    def __init__(self) -> None:
        self.found: list[tuple[float, int]] = []

    def __call__(self, integrator: Any, time: Any, sign: int) -> None:
        self.found.append((float(time), sign))


@dataclass(frozen=True, eq=False)
class TaylorIntegrator:
    """A compiled integrator, the kind of number it takes, and the order in which it eliminates rows."""

    integrator: heyoka.taylor_adaptive
    number: Callable[[float], float | heyoka.real128]
    order: tuple[int, ...]


@lru_cache(maxsize=32)
def machine(
    equations: Equations, events: tuple[Expr, ...], order: tuple[int, ...], precision: str, tolerance: float | None
) -> TaylorIntegrator:
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
    watched = [hy.nt_event(e, callback=EventNotes(), **kind) for e in found[n + size + size * size :]]
    integrator = hy.taylor_adaptive(
        flow,
        np.zeros(len(state), dtype=number),
        compact_mode=True,  # without it a rattleback takes minutes to compile
        nt_events=watched,
        **({} if tolerance is None else {"tol": number(tolerance)}),
        **kind,
    )
    return TaylorIntegrator(integrator, number, order)


@lru_cache(maxsize=32)
def matrices(equations: Equations) -> Callable[[AnyArray], tuple[AnyArray, AnyArray]]:
    """A function of the input vector that gives the mass matrix, and force and kinematics behind each other."""
    size = len(equations.mass)
    exprs = [*(e for row in equations.mass for e in row), *equations.force, *equations.kinematics]
    function = numeric_function(input_symbols(equations), [*exprs, ZERO])

    def evaluate(row: AnyArray) -> tuple[AnyArray, AnyArray]:
        with np.errstate(all="ignore"):
            values = np.asarray(function(row), dtype=float).reshape(-1)[:-1]
        return values[: size * size].reshape(size, size), values[size * size :]

    return evaluate


def pivots(mass: AnyArray, order: Sequence[int] | None) -> tuple[tuple[int, ...], AnyArray, AnyArray]:
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


def pivoting(mass: AnyArray, symmetric: bool, speeds: int) -> tuple[tuple[int, ...], float]:
    """An order of the rows for elimination that is good here, and the pivot ratio, 0 for a singular matrix.

    A positive matrix, also when bordered by constraints, is eliminated in its own order: its pivots (positive, then negative)
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


def _definite(mass: AnyArray, speeds: int) -> bool:
    _, found, _ = pivots(mass, range(len(mass)))
    scale = np.abs(np.diag(mass))
    return bool(np.all(found[:speeds] > 1e-14 * scale[:speeds]) and np.all(found[speeds:] < 0))


def still_good(mass: AnyArray, symmetric: bool, speeds: int, order: tuple[int, ...]) -> bool:
    """Whether an order of the rows still has no weak pivot here."""
    if order == tuple(range(len(mass))) and symmetric and _definite(mass, speeds):
        return True
    _, found, best = pivots(mass / np.max(np.abs(mass), axis=1, keepdims=True), order)
    return bool(np.all(np.abs(found) >= WEAK * best))


def onto_invariants(kernel: Kernel, row: AnyArray, state: AnyArray) -> AnyArray:
    """The least change of the state that makes the invariants vanish: coordinates first, then speeds.

    As `nonholo.integrate.loops.projection.project` does in the loops; an invariant that follows from others is left out.
    """
    n, size = len(kernel.equations.coordinates), len(state)
    total, positions = len(kernel.invariants), kernel.positions
    state = state.copy()
    for rows, part in ((slice(0, positions), slice(0, n)), (slice(positions, total), slice(n, size))):

        def residuals(moved: AnyArray, rows: slice = rows, part: slice = part) -> tuple[AnyArray, AnyArray]:
            state[part] = moved
            row[1 : 1 + size] = state
            values = kernel.residuals(row)
            return values[rows], values[total:].reshape(total, size)[rows, part]

        if rows.stop > rows.start:
            state[part], _ = gauss_newton(residuals, state[part], most=8, step=_independent)
    return state


def _independent(slopes: AnyArray, residual: AnyArray) -> AnyArray:
    return np.asarray(np.linalg.lstsq(slopes, residual, rcond=1e-6)[0])


def number_of(value: Expr, quad: bool) -> Series:
    """A number of SymEngine, exact to the precision: 1/3 in quad is not the double 1/3."""
    import heyoka as hy

    if isinstance(value, se.Integer) and abs(int(value)) <= 2**53:
        return hy.expression(float(int(value)))
    if not quad or isinstance(value, se.RealDouble):
        return hy.expression(float(value))
    top, bottom = (int(value), 1) if isinstance(value, se.Integer) else (int(part) for part in value.get_num_den())
    return hy.expression(hy.real128(str(top)) / hy.real128(str(bottom)))


def translate(exprs: Sequence[Expr], known: Mapping[Expr, Series], where: str, quad: bool = False) -> list[Series]:
    """All expressions as heyoka expressions; ``known`` maps the symbols.

    Every node of the graph is translated once.
    """
    functions = _functions()
    memo: dict[Expr, Series] = dict(known)
    whole = [se.sympify(e) for e in exprs]

    def checked_parts(node: Expr) -> Sequence[Expr]:
        _check(node, functions, where)
        return tuple(node.args)

    from_below(whole, memo, lambda node, parts: _node(node, [memo[p] for p in parts], functions, quad), checked_parts)
    return [memo[e] for e in whole]


def _node(
    node: Expr, parts: list[Series], functions: Mapping[str, Callable[..., Series]], quad: bool
) -> Series:
    import heyoka as hy

    if node.is_Number and node.is_real:
        return number_of(node, quad)
    if node.is_Add:
        return hy.sum(parts)
    if node.is_Mul:
        return hy.prod(parts)
    if node.is_Pow:
        return _power(node, *parts)
    if node == se.pi:
        return hy.pi
    if node == se.E:
        return hy.expression(hy.real128(EULER) if quad else float(EULER))
    return functions[type(node).__name__](*parts)


def _check(node: Expr, functions: Mapping[str, Any], where: str) -> None:
    """Refuse functions without a Taylor series."""
    real = bool(node.is_Number and node.is_real) or node in (se.pi, se.E)
    if not (real or node.is_Add or node.is_Mul or node.is_Pow or type(node).__name__ in functions):
        raise ModelError(
            f"{where}: Taylor series of {type(node).__name__} are not available (found {_short(node)}); write it with powers, "
            'trigonometric, hyperbolic, exp or log functions, or choose method="dop853".'
        )


def _power(node: Expr, base: Series, exponent: Series) -> Series:
    import heyoka as hy

    bottom, top = node.args
    if bottom == se.E:
        return hy.exp(exponent)
    if top.is_Integer and abs(int(top)) <= LARGEST_POWER:
        return _times(base, int(top))
    if top.is_Rational and not top.is_Integer:
        over, under = (int(part) for part in top.get_num_den())
        if under == 2 and abs(over) <= LARGEST_POWER:
            return _times(hy.sqrt(base), over)
    if top.is_Number:
        return base**exponent
    return hy.exp(exponent * hy.log(base))


def _times(base: Series, power: int) -> Series:
    """An integer power by repeated squaring."""
    import heyoka as hy

    if power < 0:
        return hy.expression(1.0) / _times(base, -power)
    result, square = None, base
    while power:
        if power & 1:
            result = square if result is None else result * square
        power >>= 1
        if power:
            square = square * square
    return hy.expression(1.0) if result is None else result


def _functions() -> dict[str, Callable[..., Series]]:
    """heyoka's functions, and those that follow from them, by SymEngine's name."""
    import heyoka as hy

    plain = "sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh log erf erfc"
    table: dict[str, Callable[..., Series]] = {n: getattr(hy, n) for n in plain.split()}
    for name, other in (("sec", "cos"), ("csc", "sin"), ("cot", "tan"), ("sech", "cosh"), ("csch", "sinh"), ("coth", "tanh")):
        plainly, inversely = table[other], table[f"a{other}"]
        table[name] = lambda x, f=plainly: hy.expression(1.0) / f(x)
        table[f"a{name}"] = lambda x, f=inversely: f(hy.expression(1.0) / x)
    return table


def solve_series(
    mass: Sequence[Sequence[Series]], present: Sequence[Sequence[bool]], side: Sequence[Series], order: Sequence[int]
) -> list[Series]:
    """``mass · v = side`` by elimination on heyoka's graph, rows in this order, columns in their own.

    ``present`` tells which entries are not zero.
    """
    import heyoka as hy

    size = len(order)
    table = [{j: e for j, e in enumerate(mass[i]) if present[i][j]} for i in order]
    right = [side[i] for i in order]
    for k in range(size):
        for i in range(k + 1, size):
            if k in table[i]:
                factor = table[i].pop(k) / table[k][k]
                for j, e in table[k].items():
                    if j > k:
                        table[i][j] = table[i][j] - factor * e if j in table[i] else -factor * e
                right[i] = right[i] - factor * right[k]
    found: dict[int, Series] = {}
    for k in range(size - 1, -1, -1):
        later = [e * found[j] for j, e in table[k].items() if j > k]
        found[k] = (right[k] - hy.sum(later) if later else right[k]) / table[k][k]
    return [found[k] for k in range(size)]


def _short(node: Expr) -> str:
    text = str(node)
    return text if len(text) < 80 else text[:80] + " …"
