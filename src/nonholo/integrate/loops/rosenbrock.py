"""Rosenbrock methods: one linear system with the exact Jacobian for each stage, no iteration. [Hairer, Wanner II, IV.7]

In the variables that need no product with the Jacobian, for ``ẏ = f(t, y)`` with ``J = ∂f/∂y`` and ``f_t = ∂f/∂t`` at the start,

    (1/(hγ) − J) u_i = f(t + α_i h, y + Σ_j a_ij u_j) + Σ_j (c_ij/h) u_j + γ_i h f_t,        y' = y + Σ_j m_j u_j.    (7.25)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from nonholo.errors import ModelError
from nonholo.integrate.loops.array_layout import (
    AT_DENSE,
    AT_GIVEN,
    AT_NEW,
    AT_PENCIL,
    AT_SLOPES,
    AT_STAGES,
    AT_Y,
    ATOL,
    CALLS,
    INPUTS,
    RTOL,
    STATE,
    WIDTH,
)
from nonholo.integrate.loops.loop_compiler import combination, inner, shift
from nonholo.integrate.loops.loop_jacobian import evaluate
from nonholo.integrate.loops.loop_rates import derivative
from nonholo.integrate.loops.lu import factor, substitute

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
        """Where the slope at the end of a step stands: behind the first slope, the u_i and one row of scratch."""
        return len(self.nodes) + 2


def make_attempt(table: Rosenbrock) -> Any:
    """One step: the new state, its error (accepted up to 1) and the least pivot ratio met."""
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
