"""Integration at equal error: the compiled loops against scipy's DOP853 on our own machine code, and against heyoka.

Every solver runs over a range of tolerances; its error at the end of the motion is measured against a reference that is
much more exact, and its time at a given error is read off the line through its points. Times are processor time of one
motion from Python to the final state, the best of several, everything prepared beforehand.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import symengine as se
from scipy.integrate import solve_ivp

from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from nonholo.compile import compile_equations
from nonholo.compile.kernel import Kernel
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.gallery import get
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.motion.integration import advance
from nonholo.integrate.motion.model_step import Launcher
from nonholo.program.machine_code import _SIGNATURE

LEVELS = (1e-6, 1e-8, 1e-10, 1e-12)
FASTER_THAN_SCIPY = 10.0
ROUNDS = 10
Numbers = Sequence[float]


class Subject:
    """Equations, parameters, a start and a time."""

    def __init__(self, name: str, equations: Equations, parameters: Numbers, start: Numbers, until: float) -> None:
        self.name, self.equations, self.until = name, equations, until
        self.parameters, self.start = np.array(parameters, dtype=float), np.array(start, dtype=float)
        self.kernel: Kernel = compile_equations(equations)


def subjects() -> list[Subject]:
    """A sleigh over a short and a long time, and a rattleback."""
    exhibit = get("chaplygin_sleigh")
    sleigh = hamel(exhibit.system)
    values = [dict(exhibit.parameters)[str(p)] for p in sleigh.parameters]
    rattleback = hamel(rattleback_in_angles())
    numbers = [RATTLEBACK_VALUES[str(p)] for p in rattleback.parameters]
    wobble = [0.02, -0.01, 0.1, 0.0, 0.0, *[0.1, 0.2, -0.3][: len(rattleback.speeds)]]
    turn = [0.2, -0.1, 0.3, 1.3, 0.5]
    return [
        Subject("sleigh, 20 s", sleigh, values, turn, 20.0),
        Subject("sleigh, 1000 s", sleigh, values, turn, 1000.0),
        Subject("rattleback, 5 s", rattleback, numbers, wobble, 5.0),
    ]


class Run:
    """A solver at a tolerance: its result, and the best processor time of its rounds."""

    def __init__(self, run: Callable[[], np.ndarray]) -> None:
        self.run, self.best, self.count = run, np.inf, 1
        self.result = run()

    def round(self) -> None:
        """Time it once more, long enough for the clock."""
        while True:
            began = time.thread_time()
            for _ in range(self.count):
                self.run()
            took = time.thread_time() - began
            if took > 2e-3:
                break
            self.count *= 2
        self.best = min(self.best, took / self.count)


def ours(subject: Subject, tolerance: float) -> Callable[[], np.ndarray]:
    """The compiled loop, prepared as heyoka's solver is."""
    method = DormandPrince8(rtol=tolerance, atol=tolerance)
    launch = Launcher(subject.kernel, method, 0.0, subject.until, subject.parameters)
    return lambda: launch(subject.start).state


def ours_at_once(subject: Subject, tolerance: float) -> Callable[[], np.ndarray]:
    """The compiled loop with nothing prepared but the machine code."""
    method = DormandPrince8(rtol=tolerance, atol=tolerance)
    return lambda: advance(
        subject.kernel, method, 0.0, subject.start, subject.until, subject.parameters
    ).final_state


def scipy_on_our_kernel(subject: Subject, tolerance: float) -> Callable[[], np.ndarray]:
    """scipy's DOP853 calling our machine code with as little Python between as possible."""
    kernel, n = subject.kernel, len(subject.start)
    size, count = len(kernel.equations.mass), len(kernel.equations.coordinates)
    plain = np.array([0.0, *subject.start, *subject.parameters])
    fixed = kernel.constants(plain) if kernel.constants.outputs else np.empty(0)
    given, out = np.concatenate([plain, np.zeros(size), fixed]), np.empty(kernel.rates_code.outputs)
    call, source, target = _SIGNATURE(kernel.rates_code.well.address), given.ctypes.data, out.ctypes.data

    def rhs(t: float, y: np.ndarray) -> np.ndarray:
        given[0] = t
        given[1 : 1 + n] = y
        call(target, source, None)
        assert out[count + size] > 0
        return out[:n].copy()

    return lambda: solve_ivp(
        rhs, (0.0, subject.until), subject.start, method="DOP853", rtol=max(tolerance, 2.3e-14), atol=tolerance
    ).y[:, -1]


def heyoka_system(subject: Subject) -> Any:
    """The explicit system for heyoka: the mass matrix factored symbolically as our machine code does it."""
    import heyoka as hy

    from nonholo.integrate.taylor.heyoka_integrator import translate

    equations = subject.equations
    state = (*equations.coordinates, *equations.speeds)
    known = {s: hy.expression(str(s)) for s in state} | {p: hy.par[i] for i, p in enumerate(equations.parameters)}
    size = len(equations.mass)
    whole = translate(
        [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force], known, "benchmark"
    )
    count = len(equations.coordinates)
    mass = [whole[count + size * i : count + size * (i + 1)] for i in range(size)]
    force = whole[count + size * size :]
    zero = [[se.sympify(e) == 0 for e in row] for row in equations.mass]
    lower: list[dict[int, Any]] = []
    pivots: list[Any] = []
    for i in range(size):
        scaled = {j: mass[i][j] for j in range(i) if not zero[i][j]}
        for j in range(i):
            for l in range(j):
                if l in scaled and l in lower[j]:
                    scaled[j] = scaled.get(j, hy.expression(0.0)) - scaled[l] * lower[j][l]
        lower.append({j: scaled[j] / pivots[j] for j in scaled})
        pivot = mass[i][i]
        for j in scaled:
            pivot = pivot - scaled[j] * lower[i][j]
            force[i] = force[i] - lower[i][j] * force[j]
        pivots.append(pivot)
    rates = [f / p for f, p in zip(force, pivots)]
    for i in reversed(range(size)):
        for j in range(i + 1, size):
            if i in lower[j]:
                rates[i] = rates[i] - lower[j][i] * rates[j]
    return [(known[s], r) for s, r in zip(state, [*whole[:count], *rates])]


def with_heyoka(subject: Subject, tolerance: float) -> Callable[[], np.ndarray]:
    """heyoka's Taylor method; compact mode for large systems, which otherwise compile for minutes."""
    import heyoka as hy

    large = len(subject.equations.speeds) > 2
    solver = hy.taylor_adaptive(
        heyoka_system(subject), list(subject.start), pars=list(subject.parameters), tol=tolerance, compact_mode=large
    )

    def run() -> np.ndarray:
        solver.time = 0.0
        solver.state[:] = subject.start
        solver.propagate_until(subject.until)
        return solver.state.copy()

    return run


def at_error(level: float, errors: Numbers, times: Numbers) -> float:
    """The time at which a solver has an error: on the line through its points, in logarithms."""
    order = np.argsort(errors)
    return float(np.exp(np.interp(np.log(level), np.log(np.array(errors)[order]), np.log(np.array(times)[order]))))


SOLVERS: dict[str, tuple[Callable[[Subject, float], Callable[[], np.ndarray]], tuple[float, ...]]] = {
    "ours": (ours, (1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12, 1e-13, 1e-14, 1e-15)),
    "ours at once": (ours_at_once, (1e-4, 1e-6, 1e-8, 1e-10, 1e-12, 1e-14, 1e-15)),
    "scipy": (scipy_on_our_kernel, (1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 3e-14)),
    "heyoka": (with_heyoka, (1e-3, 1e-5, 1e-7, 1e-9, 1e-11, 1e-13, 1e-15, 1e-16)),
}


def table() -> list[dict[str, Any]]:
    """One row for each system and error: microseconds, and how much faster ours is."""
    rows: list[dict[str, Any]] = []
    for subject in subjects():
        exact = advance(
            subject.kernel, DormandPrince8(rtol=3e-16, atol=1e-17), 0.0, subject.start, subject.until,
            subject.parameters,
        ).final_state  # fmt: skip
        scale = np.maximum(np.abs(exact), 1.0)
        runs: dict[str, list[Run]] = {}
        for name, (build, tolerances) in SOLVERS.items():
            with suppress(ImportError):
                runs[name] = [Run(build(subject, tolerance)) for tolerance in tolerances]
        for _ in range(ROUNDS):  # all in turn, so that what else the machine does disturbs all alike
            for group in runs.values():
                for run in group:
                    run.round()
        measured = {
            name: (
                [max(float(np.max(np.abs(r.result - exact) / scale)), 1e-17) for r in group],
                [r.best for r in group],
            )
            for name, group in runs.items()
        }
        for level in LEVELS:
            row: dict[str, Any] = {"system": subject.name, "error": level}
            for name, (errors, times) in measured.items():
                if min(errors) <= level:
                    row[f"{name} (µs)"] = 1e6 * at_error(level, errors, times)
            for name in ("scipy", "heyoka"):
                if f"{name} (µs)" in row and "ours (µs)" in row:
                    row[f"{name} / ours"] = row[f"{name} (µs)"] / row["ours (µs)"]
            if "scipy / ours" in row:
                row[f"{FASTER_THAN_SCIPY:.0f} × scipy"] = bool(row["scipy / ours"] >= FASTER_THAN_SCIPY)
            if "heyoka / ours" in row:
                row["faster than heyoka"] = bool(row["heyoka / ours"] > 1.0)
            rows.append(row)
    return rows
