"""Newton's correction of inputs on the true flow: the adjoint equation along the run gives the goal's derivatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.control.steering.steering_problem import SteeringProblem, values_on
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.results.named_quantities import solved_rows

Array = NDArray[np.float64]
PARTS = 6
"""Steps of the adjoint equation in each interval; each uses its two ends and its middle."""
MOST = 12
AIM = 1e-10
"""Corrections end when every goal is met to this part of its size."""
RTOL, ATOL = 1e-11, 1e-13


@dataclass(frozen=True, eq=False)
class Corrected:
    """Inputs at the nodes, the time they take, the run under them and what is left at each goal."""

    inputs: Array
    time: float
    run: Trajectory
    gaps: Array
    rounds: int


def corrected(problem: SteeringProblem, inputs: Array, time: float) -> Corrected:
    """Change the inputs as little as possible until the true run meets the goal; inputs at bounds stay there if they can."""
    best = _corrected_by(problem, inputs, time, 0)
    for k in range(MOST):
        if not best.run.outcome.reached or np.max(_relative(problem, best.gaps), initial=0.0) <= AIM:
            break
        slopes = _slopes(problem, best)
        step = _least_change(problem, best, slopes)
        for part in (1.0, 0.5, 0.25, 0.1):
            free = problem.time[0] < problem.time[1]
            moved = best.inputs + part * step[:-1].reshape(best.inputs.shape)
            time = min(max(best.time + part * float(step[-1]), problem.time[0]), problem.time[1]) if free else best.time
            trial = _corrected_by(problem, moved, time, k + 1)
            if trial.run.outcome.reached and np.max(_relative(problem, trial.gaps)) < np.max(_relative(problem, best.gaps)):
                best = trial
                break
        else:
            break
    return best


def _relative(problem: SteeringProblem, gaps: Array) -> Array:
    sizes = [1.0 + min(abs(g.low), abs(g.high)) if np.isfinite(min(abs(g.low), abs(g.high))) else 1.0 for g in problem.goal]
    return np.abs(gaps) / np.array(sizes) if len(gaps) else np.zeros(0)


def _corrected_by(problem: SteeringProblem, inputs: Array, time: float, rounds: int) -> Corrected:
    times = node_times(problem, len(inputs) - 1, time)
    start = dict(zip(problem.names, problem.start.tolist())) | {"t": problem.began}
    fine = problem.began + time * np.linspace(0.0, 1.0, 2 * PARTS * (len(inputs) - 1) + 1)
    tables = {n: (times, inputs[:, k]) for k, n in enumerate(problem.inputs)}
    run = simulate(
        problem.system, start, problem.began + time, dict(problem.parameters), rtol=RTOL, atol=ATOL, t_eval=fine, inputs=tables,
        progress=False,
    )  # fmt: skip
    row = rows_of(problem, run)[-1:]
    values = values_on(problem.kernel, [g.expression for g in problem.goal], row, "goal")[0]
    gaps = np.array([g.excess(v) for g, v in zip(problem.goal, values.tolist())])
    return Corrected(inputs, time, run, gaps, rounds)


def node_times(problem: SteeringProblem, nodes: int, time: float) -> Array:
    """The times at which inputs are given."""
    return problem.began + time * np.linspace(0.0, 1.0, nodes + 1)


def rows_of(problem: SteeringProblem, run: Trajectory) -> Array:
    """The input vectors of the planner's equations along a run."""
    columns = [np.asarray(run["t"]), *(np.asarray(run[n]) for n in (*problem.names, *problem.inputs))]
    rows = np.column_stack(columns)
    return np.hstack([rows, np.broadcast_to(problem.numbers, (len(rows), len(problem.numbers)))])


def _linearised(problem: SteeringProblem, rows: Array) -> tuple[Array, Array, Array]:
    """The rates at rows of `rows_of`, and their derivatives by state and inputs."""
    kernel, n, m = problem.kernel, len(problem.names), len(problem.inputs)
    kinematics, solved = solved_rows(kernel, rows)
    table = kernel.slopes(rows, solved)[:, :n]
    flow = np.hstack([kinematics, solved[:, : len(kernel.equations.speeds)]])
    return flow, table[:, :, :n], table[:, :, n : n + m]


def holding_inputs(problem: SteeringProblem, states: Array) -> Array:
    """Inputs within their bounds under which the rates at given states are smallest, 0 where a state has no rates."""
    count, m = len(states), len(problem.inputs)
    own = np.broadcast_to(problem.numbers, (count, len(problem.numbers)))
    flow, _, driving = _linearised(problem, np.hstack([np.full((count, 1), problem.began), states, np.zeros((count, m)), own]))
    low, high = np.transpose([problem.limits(n) for n in problem.inputs])
    known = np.logical_and(np.isfinite(flow).all(axis=1), np.isfinite(driving).all(axis=(1, 2)))
    held = [-np.linalg.pinv(B, rcond=1e-9) @ f if good else np.zeros(m) for f, B, good in zip(flow, driving, known)]
    return np.clip(held, low, high)


def _slopes(problem: SteeringProblem, at: Corrected) -> Array:
    """Derivatives of the goals by the inputs at the nodes, then by the time at which all is done more slowly."""
    kernel, n = problem.kernel, len(problem.names)
    rows = rows_of(problem, at.run)
    flow, state, driving = _linearised(problem, rows)
    exprs, columns = [g.expression for g in problem.goal], kernel.symbols[1 : 1 + n]
    outer = jacobian_table(kernel.symbols, exprs, columns, "goal")(rows[-1:])[0][len(exprs) :].reshape(len(exprs), n)
    h = at.time / (len(rows) - 1) * 2
    adjoint = np.empty((len(rows), len(exprs), n))
    adjoint[-1] = outer
    for k in range(len(rows) - 1, 0, -2):  # λ' = −λ A backwards by the classical Runge–Kutta step
        a, b, c = state[k], state[k - 1], state[k - 2]
        one = adjoint[k] @ a
        two = (adjoint[k] + h / 2 * one) @ b
        three = (adjoint[k] + h / 2 * two) @ b
        four = (adjoint[k] + h * three) @ c
        adjoint[k - 2] = adjoint[k] + h / 6 * (one + 2 * two + 2 * three + four)
        adjoint[k - 1] = (adjoint[k] + adjoint[k - 2]) / 2 + h / 8 * (four - one) * (-1.0)
    return _by_nodes(at, adjoint, driving, flow)


def _by_nodes(at: Corrected, adjoint: Array, driving: Array, flow: Array) -> Array:
    """``∫ λ B φ_k dt`` with the hat functions of the nodes, by Simpson's rule; last ``∫ λ f dt / T``."""
    count, nodes = len(adjoint), len(at.inputs) - 1
    weights = np.ones(count)
    weights[1:-1:2], weights[2:-1:2] = 4.0, 2.0
    weights *= at.time / (count - 1) / 3
    felt = np.einsum("tgi,tij->tgj", adjoint, driving) * weights[:, None, None]
    place = np.arange(count) / (2 * PARTS)
    hats = np.maximum(0.0, 1.0 - np.abs(place[:, None] - np.arange(nodes + 1)[None]))
    inputs = np.einsum("tgj,tk->gkj", felt, hats).reshape(adjoint.shape[1], -1)
    slower = np.einsum("tgi,ti,t->g", adjoint, flow, weights) / at.time
    return np.hstack([inputs, slower[:, None]])


def _least_change(problem: SteeringProblem, at: Corrected, slopes: Array) -> Array:
    """The smallest change of inputs (and of a free time) that meets the linearised goal, away from bounds where possible."""
    sizes = 1.0 + np.max(np.abs(at.inputs), axis=0)
    weights: Array = np.tile(sizes, len(at.inputs))
    limits = np.array([problem.limits(n) for n in problem.inputs])
    room = np.minimum(at.inputs - limits[:, 0], limits[:, 1] - at.inputs)
    held = (room <= 1e-6 * sizes).ravel()
    timed = at.time if problem.time[0] < problem.time[1] else 0.0
    wanted = [k for k, (g, gap) in enumerate(zip(problem.goal, at.gaps)) if g.exact or gap != 0.0]
    for fixed in (held, np.zeros_like(held)):
        scale = np.append(np.where(fixed, 0.0, weights), timed)
        reduced = slopes[wanted] * scale
        step: Array = np.linalg.lstsq(reduced, -at.gaps[wanted], rcond=1e-13)[0]
        left = reduced @ step + at.gaps[wanted]
        if np.max(np.abs(left), initial=0.0) <= 1e-3 * np.max(np.abs(at.gaps), initial=0.0):
            break
    return np.asarray(step * scale)


def largest_violations(problem: SteeringProblem, run: Trajectory) -> dict[str, float]:
    """How far each bound is overstepped along a run, 0 where it is kept."""
    rows = rows_of(problem, run)
    values = values_on(problem.kernel, [b.expression for b in problem.bounds], rows, "bounds")
    result: dict[str, Any] = {}
    for b, column in zip(problem.bounds, values.T):
        over = float(max(0.0, b.low - np.min(column), np.max(column) - b.high))
        result[b.text] = max(result.get(b.text, 0.0), over)
    return result
