"""Direct collocation at Radau points on the exact equations, solved by IPOPT through CasADi."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr
from nonholo.compile.portable_program import portable
from nonholo.compile.targets.casadi import casadi_package, function, symbolic_values
from nonholo.control.steering.steering_problem import PATH, SteeringProblem
from nonholo.program.machine_code import checked
from nonholo.program.program import Program
from nonholo.program.translate import translate

Array = NDArray[np.float64]
POINTS = 3
"""Collocation points in each interval: order 5 at the nodes."""
BIG = 1e19
"""What IPOPT takes for no bound."""


@dataclass(frozen=True, eq=False)
class Guess:
    """A first motion: states (nodes + 1, n), inputs (nodes + 1, m) and the time it takes."""

    states: Array
    inputs: Array
    time: float


@dataclass(frozen=True, eq=False)
class Found:
    """What the solver ends with: states and inputs at the nodes, the time, the cost and the solver's word."""

    states: Array
    inputs: Array
    time: float
    cost: float
    converged: bool
    message: str
    iterations: int


def collocate(
    problem: SteeringProblem, guess: Guess, most: int, soft: float = 0.0, near: bool = False, rough: bool = False
) -> Found:
    """Solve the nonlinear program from a guess in at most so many iterations; inputs are linear between the nodes.

    With ``soft`` bounds on expressions may be overstepped at this price: a way round obstacles is found from far away.
    ``near`` says that the guess is almost the solution, ``rough`` that the solution is a guess for the next program.
    """
    ca = casadi_package()
    nodes, n, m = len(guess.states) - 1, len(problem.names), len(problem.inputs)
    step = _interval(problem)
    states = ca.MX.sym("x", n, nodes * POINTS)
    inputs = ca.MX.sym("u", m, nodes + 1)
    places = ca.MX.sym("s", 1, nodes + 1 if problem.path else 0)
    unknowns = ca.MX.sym("z", len(problem.kernel.equations.unknowns), nodes * POINTS)
    slack = ca.MX.sym("e", 1, nodes if soft else 0)
    time = ca.MX.sym("T")
    first = ca.MX(ca.DM(problem.start))
    ends = [states[:, k * POINTS + POINTS - 1] for k in range(nodes)]
    starts = ca.horzcat(first, *ends[:-1])
    blocks = ca.reshape(states, n * POINTS, nodes)
    loose = ca.reshape(unknowns, unknowns.shape[0] * POINTS, nodes)
    grid = ca.DM(np.arange(nodes, dtype=float)[None])
    many = step.map(nodes)
    residual, running, held = many(
        starts, blocks, loose, inputs[:, :-1], inputs[:, 1:], ca.repmat(time / nodes, 1, nodes), grid,
        places[:, :-1] if problem.path else ca.MX.zeros(1, nodes),
        places[:, 1:] if problem.path else ca.MX.zeros(1, nodes),
    )  # fmt: skip
    cost = time if problem.shortest else ca.sum2(running)
    goal = _goal(problem)(ends[-1], inputs[:, -1], problem.began + time)
    rows, lows, highs = [ca.vec(residual), goal], *_sides(problem)
    low = [np.zeros(residual.numel()), np.array([_low(g.low) for g in problem.aims])]
    high = [np.zeros(residual.numel()), np.array([_high(g.high) for g in problem.aims])]
    if soft:
        cost = cost + soft * ca.sum2(slack)
        spread = ca.repmat(slack, len(lows), 1)
        rows += [ca.vec(held + spread), ca.vec(held - spread)]
        low += [np.tile(lows, nodes), np.full(len(lows) * nodes, -BIG)]
        high += [np.full(len(lows) * nodes, BIG), np.tile(highs, nodes)]
    else:
        rows.append(ca.vec(held))
        low.append(np.tile(lows, nodes))
        high.append(np.tile(highs, nodes))
    if problem.path:
        rows.append(ca.vec(places[:, 1:] - places[:, :-1]))
        low.append(np.zeros(nodes))
        high.append(np.ones(nodes))
    if problem.shortest:  # a little effort makes bang-bang inputs and idle ones unique
        cost = cost + 1e-8 * ca.sum2(running)
    unknown = ca.vertcat(*map(ca.vec, (states, inputs, places, unknowns, slack)), time)
    program = {"x": unknown, "f": cost, "g": ca.vertcat(*rows)}
    options = {
        "ipopt.print_level": 0, "print_time": False, "ipopt.sb": "yes", "ipopt.max_iter": most, "ipopt.tol": 1e-9,
        "ipopt.acceptable_tol": 1e-7, "ipopt.mu_strategy": "monotone", "ipopt.neg_curv_test_tol": 1e-11, "error_on_fail": False,
    }  # fmt: skip
    if rough:
        options |= {"ipopt.tol": 1e-2, "ipopt.dual_inf_tol": 1e3, "ipopt.constr_viol_tol": 1e-3, "ipopt.compl_inf_tol": 1e-2}
    if near:
        options |= {"ipopt.mu_init": 1e-4}
    solver = ca.nlpsol("steering", "ipopt", program, options)
    box = [problem.limits(name) for name in problem.names], [problem.limits(name) for name in problem.inputs]
    lower = [np.tile([_low(a) for a, _ in box[0]], nodes * POINTS), np.tile([_low(a) for a, _ in box[1]], nodes + 1)]
    upper = [np.tile([_high(b) for _, b in box[0]], nodes * POINTS), np.tile([_high(b) for _, b in box[1]], nodes + 1)]
    edge = np.concatenate([[0.0], np.zeros(nodes - 1), [1.0]]), np.concatenate([[0.0], np.ones(nodes - 1), [1.0]])
    if problem.path:
        lower.append(edge[0])
        upper.append(edge[1])
    lower += [np.full(unknowns.numel(), -BIG), np.zeros(slack.numel()), np.array([problem.time[0]])]
    upper += [np.full(unknowns.numel(), BIG), np.full(slack.numel(), BIG), np.array([problem.time[1]])]
    inner = np.concatenate([
        guess.states[k] + (guess.states[k + 1] - guess.states[k]) * c for k in range(nodes) for c in _points()
    ])  # fmt: skip
    begun = [inner, guess.inputs.ravel(), np.linspace(0, 1, places.numel()), np.zeros(unknowns.numel())]
    begun += [np.ones(slack.numel()), np.array([guess.time])]
    answer = solver(
        x0=np.concatenate(begun), lbx=np.concatenate(lower), ubx=np.concatenate(upper), lbg=np.concatenate(low),
        ubg=np.concatenate(high),
    )  # fmt: skip
    stats = solver.stats()
    values = np.array(answer["x"]).ravel()
    count = n * nodes * POINTS
    every = values[:count].reshape(nodes * POINTS, n)
    return Found(
        np.vstack([problem.start, every[POINTS - 1 :: POINTS]]), values[count : count + m * (nodes + 1)].reshape(nodes + 1, m),
        float(values[-1]), float(answer["f"]), bool(stats["success"]), str(stats["return_status"]), int(stats["iter_count"]),
    )  # fmt: skip


def _points() -> list[float]:
    found: list[float] = casadi_package().collocation_points(POINTS, "radau")
    return found


def _low(value: float) -> float:
    return max(value, -BIG)


def _high(value: float) -> float:
    return min(value, BIG)


def _sides(problem: SteeringProblem) -> tuple[list[float], list[float]]:
    """Bounds of what `_interval` holds at the points of one interval: expressions, then the distance from the path."""
    general = [b for b in problem.bounds if not _plain(problem, b.expression)]
    low = [_low(b.low) for b in general] + [-problem.tolerance] * len(problem.path)
    high = [_high(b.high) for b in general] + [problem.tolerance] * len(problem.path)
    return low * POINTS, high * POINTS


def _plain(problem: SteeringProblem, e: Expr) -> bool:
    return str(e) in (*problem.names, *problem.inputs)


def _interval(problem: SteeringProblem) -> Any:
    """One interval: residuals of the equations at its points, its part of the cost, and what is bounded at its points."""
    ca = casadi_package()
    kernel, n, m = problem.kernel, len(problem.names), len(problem.inputs)
    residual = function(portable(kernel.equations, implicit=True, jacobian=False))
    tau = _points()
    slopes, _, weights = ca.collocation_coeff(tau)
    size = len(kernel.equations.unknowns)
    x0, xs, zs = ca.SX.sym("x0", n), ca.SX.sym("xs", n * POINTS), ca.SX.sym("zs", size * POINTS)
    u0, u1, h, k = ca.SX.sym("u0", m), ca.SX.sym("u1", m), ca.SX.sym("h"), ca.SX.sym("k")
    s0, s1 = ca.SX.sym("s0"), ca.SX.sym("s1")
    numbers = ca.DM(problem.numbers)
    points = [xs[n * j : n * (j + 1)] for j in range(POINTS)]
    rates = ca.horzcat(x0, *points) @ slopes / h
    general = [b.expression for b in problem.bounds if not _plain(problem, b.expression)]
    rows, held, running = [], [], ca.SX(0)
    for j, place in enumerate(tau):
        t, u = problem.began + (k + place) * h, u0 + (u1 - u0) * place
        rows.append(residual(t, points[j], rates[:, j], zs[size * j : size * (j + 1)], u, numbers))
        cost, *values = _symbolic(problem, [problem.cost, *general, *(a for a, _ in problem.path)], t, points[j], u)
        running += weights[j] * h * cost
        held += values[: len(general)]
        along = s0 + (s1 - s0) * place
        held += [a - b for a, b in zip(values[len(general) :], _on_path(problem, along))]
    given = [x0, xs, zs, u0, u1, h, k, s0, s1]
    return ca.Function("interval", given, [ca.vertcat(*rows), running, ca.vertcat(*held)])


def _goal(problem: SteeringProblem) -> Any:
    ca = casadi_package()
    x, u, t = ca.SX.sym("x", len(problem.names)), ca.SX.sym("u", len(problem.inputs)), ca.SX.sym("t")
    return ca.Function("goal", [x, u, t], [ca.vertcat(*_symbolic(problem, [g.expression for g in problem.aims], t, x, u))])


def _symbolic(problem: SteeringProblem, exprs: list[Expr], t: Any, x: Any, u: Any) -> list[Any]:
    """Expressions of the input vector as CasADi expressions."""
    ca = casadi_package()
    symbols = problem.kernel.symbols
    where = f"{problem.system.name}: steer"
    program = Program(fixed=len(symbols))
    outputs = translate(program, {s: i for i, s in enumerate(symbols)}, checked(symbols, exprs, where))
    given = [t, *(x[i] for i in range(x.numel())), *(u[i] for i in range(u.numel())), *(ca.SX(v) for v in problem.numbers)]
    return symbolic_values(program, outputs, given, where)


def _on_path(problem: SteeringProblem, along: Any) -> list[Any]:
    """The path at a place between 0 and 1."""
    exprs = [e for _, e in problem.path]
    program = Program(fixed=1)
    outputs = translate(program, {PATH: 0}, checked([PATH], exprs, f"{problem.system.name}: path"))
    return symbolic_values(program, outputs, [along], f"{problem.system.name}: path")
