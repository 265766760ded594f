"""Rosenbrock methods: one linear system with the exact Jacobian for each stage, no iteration. [Hairer, Wanner II, IV.7]

In the variables that need no product with the Jacobian, for ``ẏ = f(t, y)`` with ``J = ∂f/∂y`` and ``f_t = ∂f/∂t`` at the start,

    (1/(hγ) − J) u_i = f(t + α_i h, y + Σ_j a_ij u_j) + Σ_j (c_ij/h) u_j + γ_i h f_t,        y' = y + Σ_j m_j u_j.    (7.25)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonholo.errors import ModelError
from nonholo.integrate.loops.arguments.array_layout import (
    ACCEPTED,
    AT_CONSTANTS,
    AT_DENSE,
    AT_GIVEN,
    AT_NEW,
    AT_PENCIL,
    AT_SLOPES,
    AT_STAGES,
    AT_TABLES,
    AT_Y,
    ATOL,
    CALLS,
    CONSTANTS_COUNT,
    COORDINATES,
    HIGH,
    INPUTS,
    JACOBIAN,
    JACOBIAN_CONSTANTS,
    JACOBIAN_CONSTANTS_DATA,
    JACOBIAN_DATA,
    PARAMETERS,
    RTOL,
    SLOPES_OF,
    SPEEDS,
    STATE,
    SYMMETRIC,
    SYSTEM,
    TABLE,
    TABLE_COEFFICIENTS,
    TABLE_DEGREE,
    TABLE_KNOTS,
    TABLE_PIECES,
    WIDTH,
)
from nonholo.integrate.loops.compilation.loop_compiler import call_address, combination, inner, shift
from nonholo.integrate.loops.implicit.small_linear import factor, substitute
from nonholo.integrate.loops.loop_rates import derivative, piece_at, set_point

Row = tuple[float, ...]


@dataclass(frozen=True)
class Rosenbrock:
    """The numbers of a method: γ, places α, time weights γ_i, coupling a and c (row i has i entries), solution m, error e.

    ``dense`` are rows of weights for ``y(t + θh) = (1 − θ) y + θ (y' + (1 − θ)(k_1 + θ (k_2 + θ k_3)))``.
    """

    gamma: float
    nodes: Row
    times: Row
    coupling: tuple[Row, ...]
    back: tuple[Row, ...]
    solution: Row
    error: Row
    dense: tuple[Row, Row, Row]

    def __post_init__(self) -> None:
        size = len(self.nodes)
        shape = all([len(r) for r in rows] == list(range(1, size)) for rows in (self.coupling, self.back))
        rows = (self.times, self.solution, self.error, *self.dense)
        if not shape or any(len(row) != size for row in rows) or self.nodes[0] != 0.0:
            raise ModelError(
                f"Rosenbrock method: {size} nodes need coupling rows of 1 … {size - 1} numbers and {size} of all others; "
                "the first node is 0."
            )

    @property
    def end_row(self) -> int:
        """Row of the derivative at the end of a step: after the first derivative, the u_i and one row of scratch."""
        return len(self.nodes) + 2


def make_attempt(table: Rosenbrock) -> Any:
    """One step: the new state, its error (accepted up to 1) and the least pivot ratio."""
    size, gamma = len(table.nodes), table.gamma
    stages = _first_stage(table.times[0])
    for i in range(1, size):
        stages = _stage(stages, i, table)
    solution, wrong = combination(table.solution), combination(table.error, based=False)

    @inner
    def attempt(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> tuple[float, float]:
        n, w, h = spec[STATE], spec[WIDTH], new_t - t
        y, new, k = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES])
        scratch = shift(k, (size + 1) * w)
        if not evaluate(spec, data, real, whole, t, y, k, scratch):
            return 0.0, 0.0
        width, slopes = n + 1 + spec[INPUTS], shift(real, spec[AT_SLOPES])
        matrix = shift(real, spec[AT_PENCIL])
        order, drift = shift(matrix, n * n), shift(matrix, n * n + n)
        for i in range(n):
            for j in range(n):
                matrix[i * n + j] = -slopes[i * width + j]
            matrix[i * n + i] += 1.0 / (h * gamma)
            drift[i] = h * slopes[i * width + n]
        if not factor(matrix, n, order):
            return 1e301, 1.0
        whole[CALLS] += size - 1
        least = stages(spec, data, real, t, new_t, h, n, w, shift(real, spec[AT_GIVEN] + 1), y, k, scratch, matrix, order, drift)
        solution(new, y, shift(k, w), w, n, 1.0)
        wrong(scratch, y, shift(k, w), w, n, 1.0)
        total = 0.0
        for i in range(n):
            total += (scratch[i] / (real[ATOL] + real[RTOL] * max(abs(y[i]), abs(new[i])))) ** 2
        return (total / n) ** 0.5, least

    return attempt


def _first_stage(time: float) -> Any:
    @inner
    def run(
        spec: Any, data: Any, real: Any, t: float, new_t: float, h: float, n: int, w: int, given: Any, y: Any, k: Any,
        scratch: Any, matrix: Any, order: Any, drift: Any,
    ) -> float:  # fmt: skip
        u = shift(k, w)
        for i in range(n):
            u[i] = k[i] + time * drift[i]
        substitute(matrix, n, order, u, 1)
        return 1.0

    return run


def _stage(before: Any, index: int, table: Rosenbrock) -> Any:
    place, combine = combination(table.coupling[index - 1]), combination(table.back[index - 1])
    node, time = table.nodes[index], table.times[index]
    at_end, steady = node == 1.0, time == 0.0

    @inner
    def run(
        spec: Any, data: Any, real: Any, t: float, new_t: float, h: float, n: int, w: int, given: Any, y: Any, k: Any,
        scratch: Any, matrix: Any, order: Any, drift: Any,
    ) -> float:  # fmt: skip
        least = before(spec, data, real, t, new_t, h, n, w, given, y, k, scratch, matrix, order, drift)
        if not least > 0.0:
            return float(least)
        place(given, y, shift(k, w), w, n, 1.0)
        found = derivative(spec, data, real, new_t if at_end else t + node * h, scratch)
        u = shift(k, (index + 1) * w)
        combine(u, scratch, shift(k, w), w, n, 1.0 / h)
        if not steady:
            for i in range(n):
                u[i] += time * drift[i]
        substitute(matrix, n, order, u, 1)
        return float(found if found < least or found != found else least)

    return run


def make_prepare(table: Rosenbrock) -> Any:
    """The rows of the continuous extension."""
    first, second, third = (combination(row, based=False) for row in table.dense)

    @inner
    def prepare(spec: Any, data: Any, real: Any, whole: Any, t: float, new_t: float) -> None:
        n, w = spec[STATE], spec[WIDTH]
        y, new, u = shift(real, spec[AT_Y]), shift(real, spec[AT_NEW]), shift(real, spec[AT_STAGES] + w)
        dense = shift(real, spec[AT_DENSE])
        for i in range(n):
            dense[i], dense[n + i] = y[i], new[i]
        first(shift(dense, 2 * n), y, u, w, n, 1.0)
        second(shift(dense, 3 * n), y, u, w, n, 1.0)
        third(shift(dense, 4 * n), y, u, w, n, 1.0)

    return prepare


@inner
def interpolate(spec: Any, real: Any, place: float, point: Any) -> None:
    """The state at ``place`` in [0, 1] of the step."""
    n, r, rest = spec[STATE], shift(real, spec[AT_DENSE]), 1.0 - place
    for i in range(n):
        bend = r[2 * n + i] + place * (r[3 * n + i] + place * r[4 * n + i])
        point[i] = rest * r[i] + place * (r[n + i] + rest * bend)


DENSE_ROWS = 5


@inner
def input_slope(spec: Any, data: Any, which: int, t: float, high: float) -> float:
    """How fast an input changes at time t; from below at ``t >= high``, elsewhere from above, as in `set_inputs`."""
    table = shift(spec, spec[AT_TABLES] + TABLE * which)
    knots = shift(data, table[TABLE_KNOTS])
    degree, below = table[TABLE_DEGREE], t >= high
    low = piece_at(knots, table[TABLE_PIECES], t, below)
    left, right = knots[low], knots[low + 1]
    place = 2.0 * (t - left) / (right - left) - 1.0
    outside = place > 1.0 or place < -1.0 or (place == 1.0 and not below) or (place == -1.0 and below)
    if outside:
        return 0.0
    coefficients = shift(data, table[TABLE_COEFFICIENTS] + low * (degree + 1))
    value = 0.0
    for power in range(degree, 0, -1):
        value = value * place + power * coefficients[power]
    return float(value * 2.0 / (right - left))


@inner
def evaluate(spec: Any, data: Any, real: Any, whole: Any, t: float, y: Any, first: Any, row: Any) -> bool:
    """The Jacobian at ``(t, y)``, once for each step however often it is tried; its time column is the whole change in time.

    ``first`` are the rates there, ``row`` is scratch for them. An entry that is not finite (the slope of a root at zero) is taken
    as 0: the error estimate sees what is lost by that. Returns False where the mass matrix cannot be solved.
    """
    if whole[SLOPES_OF] == whole[ACCEPTED] + 1:
        return True
    given, slopes = shift(real, spec[AT_GIVEN]), shift(real, spec[AT_SLOPES])
    n, size, count, inputs = spec[STATE], spec[SYSTEM], spec[COORDINATES], spec[INPUTS]
    width = n + 1 + inputs
    if whole[SLOPES_OF] == 0 and spec[JACOBIAN_CONSTANTS] != 0:
        after = shift(real, spec[AT_CONSTANTS] + spec[CONSTANTS_COUNT])
        call_address(spec[JACOBIAN_CONSTANTS], spec[JACOBIAN_CONSTANTS_DATA], after, given)
    set_point(spec, data, real, t, y)
    rest = size > spec[SPEEDS]  # what is solved for beside the rates is not kept from step to step
    if rest:
        whole[CALLS] += 1
        if not derivative(spec, data, real, t, row) > 0.0:
            return False
    gap = shift(given, 1 + n + inputs + spec[PARAMETERS])
    for k in range(size):
        gap[k] = row[count + k] if rest else first[count + k]
    call_address(spec[JACOBIAN], spec[JACOBIAN_DATA], slopes, given)
    if size > 0 and not slopes[(count + size) * width] > 0.0:
        if not rest:
            whole[CALLS] += 1
            if not derivative(spec, data, real, t, row) > 0.0:
                return False
        mass, order = shift(real, spec[AT_PENCIL]), shift(real, spec[AT_PENCIL] + size * size)
        system = shift(row, count + size + 1)
        for i in range(size):
            for j in range(size):
                if spec[SYMMETRIC] == 1:
                    a, b = (i, j) if i >= j else (j, i)
                    mass[i * size + j] = system[a * (a + 1) // 2 + b]
                else:
                    mass[i * size + j] = system[i * size + j]
        if not factor(mass, size, order):
            return False
        for j in range(width):
            substitute(mass, size, order, shift(slopes, count * width + j), width)
    for i in range(n):
        line = shift(slopes, i * width)
        for k in range(inputs):
            line[n] += line[n + 1 + k] * input_slope(spec, data, k, t, real[HIGH])
        for j in range(n + 1):
            if line[j] - line[j] != 0.0:
                line[j] = 0.0
    whole[SLOPES_OF] = whole[ACCEPTED] + 1
    return True
