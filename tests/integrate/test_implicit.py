"""Newton's method in the implicit loop: steps longer than the fastest oscillation, quadratic convergence, steps without
solution."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import root

import nonholo as nh
from nonholo import gallery
from nonholo.compile.implicit_step import eliminated
from nonholo.integrate.methods import method as method_named
from nonholo.integrate.motion.integration import advance
from nonholo.integrate.motion.motion_pieces import problem_of
from nonholo.program.interpret import Interpreter
from nonholo.program.program import Program

H, OMEGA = 0.1, 300.0
SPRING = nh.System(
    "a stiff spring", coordinates="x", parameters={"m": 1.7, "w": OMEGA}, lagrangian="m/2*(xdot**2 - w**2*x**2)"
)
RADIAL = nh.System(
    "a mass on a stiff spring", coordinates="r phi", parameters={"m": 1.3, "k": 1.3e6, "g": 9.81},
    lagrangian="m/2*(rdot**2 + r**2*phidot**2) - k*(r - 1)**2/2 + m*g*r*cos(phi)",
)  # fmt: skip
SLED = nh.System(
    "a sleigh whose rider swings fast", coordinates="theta x y s",
    parameters={"m": 1.1, "J": 0.6, "a": 0.3, "M": 0.4, "k": 4e4},
    lagrangian="m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
    " + M/2*((xdot - sdot*sin(theta) - s*thetadot*cos(theta))**2 + (ydot + sdot*cos(theta) - s*thetadot*sin(theta))**2)"
    " - k*s**2/2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"],
    start={"theta": 0.2, "s": 0.01, "thetadot": 0.7, "xdot": 0.5},
)  # fmt: skip


def linear_step(name: str) -> np.ndarray:
    """The map of (x, ẋ) by one step of h, by hand, for the oscillator ẍ = −ω²x."""
    h, w = H, OMEGA
    if name == "hamel":  # the midpoint rule
        left, right = (np.array([[1, -s * h / 2], [s * h / 2 * w**2, 1]]) for s in (1, -1))
        return np.linalg.solve(left, right)
    kick, drift = np.array([[1, 0], [-h / 2 * w**2, 1]]), np.array([[1, h], [0, 1]])
    return kick @ drift @ kick


@pytest.mark.parametrize(("method", "like"), [
    ("hamel", "hamel"), ("dlagrange_dalembert", "hamel"), ("energy_exact", "hamel"), ("verlet", "verlet"), ("rattle", "verlet"),
])  # fmt: skip
def test_a_step_of_thirty_oscillations(method: str, like: str) -> None:
    run = nh.simulate(SPRING, {"x": 0.3, "xdot": 2.0}, 6 * H, method=method, step=H, t_eval="steps", progress=False)
    states = [np.array([0.3, 2.0])]
    for _ in range(6):
        states.append(linear_step(like) @ states[-1])
    found = np.stack([run["x"], run["xdot"]], axis=1)
    scale = np.max(np.abs(states), axis=0)
    assert np.max(np.abs(found - states) / scale) < 1e-9


def test_a_stiff_spring_that_swings_against_the_discrete_principle() -> None:
    """h ω = 50: discrete Euler–Lagrange equations at the midpoint with slopes by hand, solved by SciPy from the last velocity."""
    h, m, k, g = 0.05, 1.3, 1.3e6, 9.81
    q, v = np.array([1.0002, 0.6]), np.array([0.0, 0.8])
    run = nh.simulate(
        RADIAL,
        dict(zip(("r", "phi", "rdot", "phidot"), (*q, *v))),
        20 * h,
        method="hamel",
        step=h,
        t_eval="steps",
        progress=False,
    )
    momentum = m * np.array([v[0], q[0] ** 2 * v[1]])

    def slopes(q: np.ndarray, new: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        (r, phi), (fast, turn) = (q + new) / 2, (new - q) / h
        by_rate = m * np.array([fast, r**2 * turn])
        by_place = np.array([m * r * turn**2 - k * (r - 1) + m * g * np.cos(phi), -m * g * r * np.sin(phi)])
        return by_rate - h / 2 * by_place, by_rate + h / 2 * by_place

    places = [q]
    for _ in range(20):
        last = places[-1] - (places[-2] if len(places) > 1 else places[-1] - h * v)
        scale = np.array([k * h, 1.0])
        gap = lambda new: (slopes(places[-1], new)[0] - momentum) / scale  # noqa: B023, E731
        guess = places[-1] + np.array([2 * (1 - places[-1][0]), last[1]])
        found = root(gap, guess, tol=1e-15)
        assert np.max(np.abs(found.fun)) < 1e-12
        momentum = slopes(places[-1], found.x)[1]
        places.append(found.x)
    assert run.outcome.reached
    assert np.max(np.abs(np.stack([run["r"], run["phi"]], axis=1) - places)) < 1e-8


@pytest.mark.parametrize("method", ["hamel", "dlagrange_dalembert", "energy_exact"])
def test_a_constrained_system_with_a_fast_part(method: str) -> None:
    """h ω = 30 in a sleigh: the slow motion is that of dop853, whose steps must follow the fast one."""
    slow = nh.simulate(SLED, until=2.0, rtol=1e-9, t_eval=[2.0], progress=False)
    run = nh.simulate(SLED, until=2.0, method=method, step=0.1, t_eval=[2.0], progress=False)
    assert run.outcome.reached
    for name in ("theta", "x", "y"):
        assert run[name][-1] == pytest.approx(slow[name][-1], abs=0.05)


def test_a_fast_top_is_solved_where_iteration_was_not() -> None:
    """900 rad/s in steps of 0.05 s; the spin about the axis of symmetry is kept."""
    top = gallery.get("lagrange-top")
    run = nh.simulate(
        top.system, {**dict(top.start), "w3": 900.0}, 1.0, top.parameters, method="hamel", step=0.05, progress=False
    )
    assert run.outcome.reached and run.final["w3"] == pytest.approx(900.0, rel=1e-12)


@pytest.mark.parametrize(("name", "step"), [("chaplygin-sleigh", 0.05), ("rattleback", 0.002), ("rolling-disk", 0.01)])
def test_newton_converges_in_a_few_corrections(name: str, step: float) -> None:
    """Quadratic convergence: on average no more than four evaluations for a step, and residuals at rounding."""
    exhibit, chosen = gallery.get(name), method_named("hamel", step=step)
    problem = problem_of(exhibit.system, exhibit.start, exhibit.parameters, "hamel", {}, chosen.principle)
    values = [problem.parameters[n] for n in problem.initial.kernel.parameters]
    path = advance(problem.initial.kernel, chosen, 0.0, problem.initial.state, 200 * step, values)
    assert path.accepted == 200
    assert path.calls / 200 - 1 < 4.2  # one evaluation of the rates belongs to each step


def test_a_step_without_solution_says_which_and_what_to_do() -> None:
    """ẍ = x³ runs away: at last the equations of a step have no solution ahead. What was computed is returned."""
    runaway = nh.System("runaway", coordinates="x", lagrangian="xdot**2/2 + x**4/4")
    run = nh.simulate(runaway, {"x": 1.0}, 10.0, method="hamel", step=0.4, t_eval="steps", progress=False)
    assert run.outcome.kind == "step not solved"
    steps = len(run["t"]) - 1
    assert 1 <= steps < 25 and run.outcome.time == pytest.approx(0.4 * steps)
    assert f"Step {steps + 1} leaves its equations with a residual of" in run.outcome.advice
    assert "smaller step" in run.outcome.advice
    x, v = run["x"][-1], run["xdot"][-1]
    places = np.linspace(x, x + 100, 200_001)  # the midpoint equation for x' from the last state has no root ahead
    gap = (places - x) / 0.4 - 0.2 * ((places + x) / 2) ** 3 - v
    assert not np.any(np.sign(gap[:-1]) != np.sign(gap[1:]))


@pytest.mark.parametrize(("options", "words"), [
    ({"step": 0.0}, "step = 0.0"), ({"step": -0.1}, "step = -0.1"), ({"step": float("nan")}, "step = nan"),
    ({"step": 0.1, "tau": 1.2}, "tau = 1.2"), ({"step": 0.1, "tau": -0.1}, "tau = -0.1"), ({"tau": 0.5}, "needs a step"),
    ({"step": 0.1, "kinematics": "wild"}, "kinematics = 'wild'"),
])  # fmt: skip
def test_bad_options_are_refused(options: dict, words: str) -> None:
    with pytest.raises(nh.StateError, match=words):
        nh.simulate(SPRING, {"x": 1.0}, 1.0, method="hamel", **options)


def test_compensated_steps_do_not_depend_on_chunks() -> None:
    """What rounding lost is part of the memory of an integration: interruptions change no bit."""
    chosen = method_named("hamel", step=0.2, compensated=True)
    pendulum = gallery.get("spherical-pendulum")
    problem = problem_of(pendulum.system, pendulum.start, pendulum.parameters, "hamel", {}, chosen.principle)
    values = [problem.parameters[n] for n in problem.initial.kernel.parameters]
    ends = [
        advance(problem.initial.kernel, chosen, 0.0, problem.initial.state, 100.0, values, chunk=chunk).final_state
        for chunk in (1, 7, 10_000)
    ]
    assert np.array_equal(ends[0], ends[1]) and np.array_equal(ends[0], ends[2])


def test_elimination_in_a_program_is_a_solution() -> None:
    """Against NumPy on a sparse matrix whose pivots are taken out of order."""
    random = np.random.default_rng(4)
    matrix = np.where(random.uniform(size=(7, 7)) < 0.4, random.normal(size=(7, 7)), 0.0) + 3 * np.eye(7)
    side = random.normal(size=7)
    program = Program(fixed=56)
    entries = [
        [program.put("input", detail=7 * i + j) if matrix[i, j] else program.number(0.0) for j in range(7)] for i in range(7)
    ]
    right = [program.put("input", detail=49 + i) for i in range(7)]
    found = Interpreter(program, eliminated(program, entries, right))(np.concatenate([matrix.ravel(), side]))
    assert found == pytest.approx(np.linalg.solve(matrix, side), rel=1e-12)
