"""Many motions: `nonholo.ensemble` against heyoka's ensemble mode and against a process pool of SciPy's DOP853.

Every solver starts from the same states and must give the same end states: their errors against a much more exact run are
printed, and tolerances are such that nonholo's is not above heyoka's. nonholo's time is that of the whole call, from the
words of the system to the Dataset; what the peers build beforehand (series, Python code, processes) is not counted.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import get_context
from time import perf_counter, process_time
from typing import Any

import numpy as np

from benchmarks.machine import Machine
from benchmarks.systems import RATTLEBACK_VALUES, rattleback_in_angles
from nonholo.compile import compile_equations
from nonholo.derive.equations import Equations
from nonholo.derive.hamel import hamel
from nonholo.gallery import get
from nonholo.integrate.many.ensemble import ensemble
from nonholo.integrate.many.member_blocks import advance_many
from nonholo.integrate.many.start_arrays import complete_states, members
from nonholo.integrate.methods import DormandPrince8
from nonholo.integrate.taylor.heyoka_integrator import number_of, solve_series, translate
from nonholo.model.system import System

TOLERANCE = 1e-9
THREADS = 2
ROUNDS = 5
TOGETHER = 2.5
"""The aim for motions side by side."""
SCALING, OF_THE_MACHINE = 1.8, 0.95
"""The aim for a second thread, or this part of what the machine gives at all if that is less."""
Array = np.ndarray


@dataclass(frozen=True)
class Subject:
    """A system with values, how its starts are spread, and how many motions each solver gets."""

    name: str
    system: System
    values: Mapping[str, float]
    spread: Callable[[int], dict[str, Any]]
    until: float
    ours: int
    heyoka: int
    scipy: int

    @cached_property
    def equations(self) -> Equations:
        return hamel(self.system)

    def starts(self, count: int) -> Array:
        """The first ``count`` of this many starts, as rows of the equations' state."""
        table, given, _ = members(self.spread(count), self.values, self.name)
        full, _ = complete_states(self.system, table, given, count)
        return np.stack([full[n] for n in self.equations.state], axis=1)


def subjects() -> list[Subject]:
    """A sleigh, cheap to evaluate, and a rattleback, dear to evaluate."""
    sleigh = get("chaplygin_sleigh")
    fan = lambda count: {"omega": np.linspace(0.5, 2.0, count), "v": np.linspace(-1.0, 1.0, count)}  # noqa: E731
    rock = lambda count: {"phi": np.linspace(0.01, 0.05, count), "theta": 0.02, "psidot": -1.0}  # noqa: E731
    return [
        Subject("sleigh, 10 s", sleigh.system, dict(sleigh.parameters), fan, 10.0, 50_000, 1_000, 40),
        Subject("rattleback, 1 s", rattleback_in_angles(), RATTLEBACK_VALUES, rock, 1.0, 2_000, 40, 4),
    ]


def call(subject: Subject, count: int, threads: int, tolerance: float) -> Any:
    """One call of `nonholo.ensemble`."""
    return ensemble(
        subject.system, subject.spread(count), subject.until, subject.values, rtol=tolerance, atol=tolerance, t_eval=2,
        threads=threads,
    )  # fmt: skip


def ours(subject: Subject, count: int, threads: int, tolerance: float) -> Array:
    """End states by `nonholo.ensemble`."""
    runs = call(subject, count, threads, tolerance)
    assert set(runs["outcome"].values) == {"reached"}
    return np.stack([runs[f"final_{n}"].values for n in subject.equations.state], axis=1)


def series(subject: Subject) -> list[tuple[Any, Any]]:
    """The explicit system in heyoka's words, parameters as numbers, which heyoka likes best."""
    import heyoka as hy
    import symengine as se

    equations = subject.equations
    state = (*equations.coordinates, *equations.speeds)
    known = {s: hy.expression(f"state_{i}") for i, s in enumerate(state)}
    known |= {p: number_of(se.RealDouble(subject.values[str(p)]), False) for p in equations.parameters}
    n, size = len(equations.coordinates), len(equations.force)
    entries = [e for row in equations.mass for e in row]
    found = translate([*equations.kinematics, *equations.force, *entries], known, subject.name)
    mass = [found[n + size * (1 + i) : n + size * (2 + i)] for i in range(size)]
    rates = solve_series(mass, [[e != 0 for e in row] for row in equations.mass], found[n : n + size], range(size))
    return list(zip((known[s] for s in state), [*found[:n], *rates]))


def heyoka_one_by_one(subject: Subject) -> Callable[[int], Array]:
    """heyoka's ensemble mode, one motion at a time in each thread."""
    import heyoka as hy

    flow, size = series(subject), len(subject.equations.state)
    solver = hy.taylor_adaptive(flow, [0.0] * size, tol=TOLERANCE, compact_mode=size > 5)

    def run(count: int) -> Array:
        starts = subject.starts(count)

        def start(copy: Any, k: int) -> Any:
            copy.state[:] = starts[k]
            return copy

        done = hy.ensemble_propagate_until(solver, subject.until, count, start, max_workers=THREADS)
        return np.array([d[0].state for d in done])

    return run


def heyoka_in_batches(subject: Subject) -> Callable[[int], Array]:
    """heyoka's ensemble mode on batches as wide as the processor's registers."""
    import heyoka as hy

    flow, size, width = series(subject), len(subject.equations.state), hy.recommended_simd_size()
    solver = hy.taylor_adaptive_batch(flow, np.zeros((size, width)), tol=TOLERANCE, compact_mode=size > 5)

    def run(count: int) -> Array:
        starts = subject.starts(count)

        def start(copy: Any, k: int) -> Any:
            copy.state[:] = starts[k * width : (k + 1) * width].T
            return copy

        done = hy.ensemble_propagate_until_batch(solver, subject.until, count // width, start, max_workers=THREADS)
        return np.concatenate([d[0].state.T for d in done])

    return run


_flow: Callable[[float, Array], Array]
"""The right-hand side, in each process of the pool."""


def prepare_process(equations: Equations, values: list[float]) -> None:
    """SymPy's lambdify with shared subexpressions on the pair (M, F)."""
    import sympy as sp

    global _flow
    symbols = sp.symbols([str(s) for s in (*equations.coordinates, *equations.speeds, *equations.parameters)])
    entries = [*(e for row in equations.mass for e in row), *equations.force, *equations.kinematics]
    # one flat list and plain floats: nested lists would hide what is shared, NumPy's scalars are five times slower
    function = sp.lambdify(symbols, [e._sympy_() for e in entries], cse=True, modules="math")
    size = len(equations.force)

    def flow(t: float, y: Array) -> Array:
        numbers = np.array(function(*y.tolist(), *values))
        mass, rest = numbers[: size * size].reshape(size, size), numbers[size * size :]
        return np.concatenate([rest[size:], np.linalg.solve(mass, rest[:size])])

    _flow = flow


def one_motion(task: tuple[Array, float, float]) -> Array:
    """SciPy's DOP853 to the end."""
    from scipy.integrate import solve_ivp

    start, until, tolerance = task
    path = solve_ivp(_flow, (0.0, until), start, method="DOP853", rtol=tolerance, atol=tolerance, t_eval=[until])
    return path.y[:, -1]


def timed(work: Callable[[], Array], times: int) -> tuple[float, Array]:
    """The least wall time of several runs, and the result."""
    best, result = float("inf"), np.empty(0)
    for _ in range(times):
        began = perf_counter()
        result = work()
        best = min(best, perf_counter() - began)
    return best, result


def pool_rate(subject: Subject, tolerance: float) -> tuple[float, Array]:
    """Motions per second of a pool of processes, and the end states."""
    values = [subject.values[str(p)] for p in subject.equations.parameters]
    starts = subject.starts(subject.scipy)
    with ProcessPoolExecutor(
        THREADS, mp_context=get_context("spawn"), initializer=prepare_process, initargs=(subject.equations, values)
    ) as pool:
        list(pool.map(one_motion, [(s, 1e-3, 1e-3) for s in starts[:4]]))  # every process has built its function
        tasks = [(s, subject.until, tolerance) for s in starts]
        spent, ends = timed(lambda: np.array(list(pool.map(one_motion, tasks))), 1)
    return subject.scipy / spent, ends


def error(subject: Subject, ends: Array) -> float:
    """How far end states lie from those of a much more exact run."""
    return float(np.max(np.abs(ends - ours(subject, len(ends), THREADS, 1e-13))))


def equal_tolerance(subject: Subject, target: float) -> float:
    """The loosest power of ten with which our error is not above the target."""
    powers = [10.0**-k for k in range(7, 13)]
    return next((p for p in powers if error(subject, ours(subject, subject.heyoka, THREADS, p)) <= target), powers[-1])


def scaling(subject: Subject, tolerance: float) -> tuple[list[dict[str, Any]], float]:
    """The gain from a second thread beside what the machine gives at all; and motions per second with both.

    Whole calls, the motions in them alone, and pure arithmetic take turns, so that all meet the same neighbours.
    """
    equations = subject.equations
    kernel, starts = compile_equations(equations), subject.starts(subject.ours)
    values = [subject.values[str(p)] for p in equations.parameters]
    method, ends = DormandPrince8(rtol=tolerance, atol=tolerance), [0.0, subject.until]
    machine = Machine(THREADS)
    works: dict[str, Callable[[int], Any]] = {
        "whole call": lambda threads: call(subject, subject.ours, threads, tolerance),
        "the motions alone": lambda threads: advance_many(
            kernel, method, 0.0, starts, subject.until, values, t_eval=ends, threads=threads
        ),
    }
    times: dict[tuple[str, int], list[float]] = {(name, threads): [] for name in works for threads in (1, THREADS)}
    for _ in range(ROUNDS):
        machine.turn()
        for (name, threads), spent in times.items():
            spent.append(timed(lambda n=name, k=threads: works[n](k), 1)[0])
    best = {key: min(spent) for key, spent in times.items()}
    rows = []
    aim = min(SCALING, OF_THE_MACHINE * machine.gain)
    for name in works:
        one, both = best[name, 1], best[name, THREADS]
        # a disturbed run on one thread flatters the ratio of the bests, so the ratio within a round must agree
        median = float(np.median(np.divide(times[name, 1], times[name, THREADS])))
        rates = {"nonholo [motions/s]": subject.ours / both, "peer [motions/s]": subject.ours / one}
        what = {"what": f"{subject.name}: {THREADS} threads against 1, {name}"}
        verdict = {"ratio": one / both, "median": median, "aim": aim, "met": min(one / both, median) >= aim}
        rows.append({**what, **rates, **verdict})
    gains = {"ratio": machine.gain, "median": float(np.median(machine.gains))}
    rows.append({"what": f"(pure arithmetic at the same time: {THREADS} threads against 1)", **gains})
    return rows, subject.ours / best["whole call", THREADS]


def side_by_side(subject: Subject, tolerance: float) -> dict[str, Any]:
    """Motions per second of one thread, eight at a time against one by one, in turns and by processor time; the same bits."""
    kernel, count = compile_equations(subject.equations), subject.ours // 5
    starts, values = subject.starts(count), [subject.values[str(p)] for p in subject.equations.parameters]
    method = DormandPrince8(rtol=tolerance, atol=tolerance)
    spent: dict[bool, float] = {True: float("inf"), False: float("inf")}
    ends: dict[bool, Any] = {}
    for _ in range(ROUNDS):
        for together in spent:
            began = process_time()
            ends[together] = advance_many(
                kernel, method, 0.0, starts, subject.until, values, t_eval=[0.0, subject.until], threads=1, side_by_side=together
            )
            spent[together] = min(spent[together], process_time() - began)
    assert np.array_equal(ends[True].final_states, ends[False].final_states)
    ratio = spent[False] / spent[True]
    return {
        "what": f"{subject.name}: eight at a time against one by one, one thread",
        "nonholo [motions/s]": count / spent[True], "peer [motions/s]": count / spent[False], "ratio": ratio, "aim": TOGETHER,
        "met": ratio >= TOGETHER,
    }  # fmt: skip


def compared(subject: Subject) -> list[dict[str, Any]]:
    """nonholo and its peers on one subject; nonholo's tolerance is such that its error is not above heyoka's."""
    rows: list[dict[str, Any]] = []
    peers: dict[str, tuple[float, Array]] = {}
    for name, build in (("heyoka ensemble", heyoka_one_by_one), ("heyoka ensemble of batches", heyoka_in_batches)):
        try:
            run = build(subject)
        except ImportError as problem:
            rows.append({"what": f"{subject.name}: against {name}", "peer's error": f"did not run: {problem}"})
            continue
        run(8)
        spent, ends = timed(lambda run=run: run(subject.heyoka), 2)
        peers[name] = subject.heyoka / spent, ends
    target = min((error(subject, ends) for _, ends in peers.values()), default=TOLERANCE)
    tolerance = equal_tolerance(subject, target)
    peers[f"{THREADS} processes of lambdify + solve_ivp"] = pool_rate(subject, tolerance)
    own = error(subject, ours(subject, subject.heyoka, THREADS, tolerance))
    rows.append(side_by_side(subject, tolerance))
    scaled, mine = scaling(subject, tolerance)
    rows += scaled
    for name, (rate, ends) in peers.items():
        what = {"what": f"{subject.name}: against {name}", "nonholo [motions/s]": mine, "peer [motions/s]": rate}
        rows.append({**what, "ratio": mine / rate, "nonholo's error": own, "peer's error": error(subject, ends)})
    return rows


def table() -> list[dict[str, Any]]:
    """Motions per second, and the gain from a second thread; the machine's load says how much to believe of it."""
    rows = [row for subject in subjects() for row in compared(subject)]
    return [*rows, {"what": f"(load of this machine over the last minute: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores)"}]
