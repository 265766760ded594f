"""``nh.steer``: inputs that lead a system from a start to a goal, and the true motion under them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.control.steering.collocation import Found, Guess, collocate
from nonholo.control.steering.flat_guess import flat_guess
from nonholo.control.steering.flow_correction import (
    Corrected,
    corrected,
    holding_inputs,
    largest_violations,
    node_times,
)
from nonholo.control.steering.steering_problem import (
    Range,
    SteeringProblem,
    invariants_table,
    steerable,
    steering_problem,
)
from nonholo.errors import StateError
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.scalars import whole
from nonholo.model.system import System, check_system, named

Array = NDArray[np.float64]
USUAL = 4.0
"""Seconds from which a free time begins."""
CLOSE, ROUNDS, FAR = 1e-5, 4, 1e-3
"""End errors that stay larger ask for a finer grid, bounds overstepped by more for narrower ones; so often it is solved again;
an end error above the last misses the goal."""
BETTER = 1 - 1e-6
"""A later guess must cost less by this factor."""
PRICE = 100.0
"""Of overstepping bounds in the first of two programs."""
FLAT, WAVES, GIVEN = "flat outputs", "sinusoids", "given"
"""Kinds of first guesses."""
GOLDEN = 2.399963
"""The golden angle: phases of a first guess in which no two variables move alike."""


@dataclass(frozen=True, eq=False)
class Steering:
    """A found steering; ``run`` is the motion of the true system under ``inputs``, not what the solver believed.

    >>> [name for name in Steering.__dataclass_fields__ if name in ("run", "inputs", "error")]
    ['run', 'inputs', 'error']
    """

    system: System
    run: Trajectory
    inputs: FrozenMap[str, tuple[Array, Array]]
    """Name -> times and values, linear between them, as `simulate` takes them."""
    error: float
    """The largest departure from the goal at the end of the run."""
    errors: FrozenMap[str, float]
    """The departure by goal."""
    violations: FrozenMap[str, float]
    """How far each bound and obstacle is overstepped along the run, 0 where it is kept."""
    until: float
    cost: float
    converged: bool
    solver: str
    """The solver's own word, and its iterations."""
    began_by: str = ""
    """The first guess: ``"given"``, ``"flat outputs"`` or ``"sinusoids"``."""
    parameters: Mapping[str, float] = field(default_factory=FrozenMap, repr=False)

    def __str__(self) -> str:
        over = max(self.violations.values(), default=0.0)
        head = f"steered in {self.until:.6g} s to an end error of {self.error:.2g} on the true motion"
        if not self.error <= FAR:
            head = f"not steered: the true motion misses the goal by {self.error:.2g}; give bounds, a guess or another time"
        elif over > FAR:
            head = f"not steered: the goal is met only by overstepping bounds ({over:.2g}); widen them, or give another time"
        lines = [f"{self.system.name}: {head}", f"  inputs {', '.join(self.inputs)}; cost {self.cost:.6g}; {self.solver}"]
        if self.violations:
            lines.append(f"  bounds overstepped by at most {over:.2g}" if over > 0 else "  all bounds kept")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Steering of {self.system.name}: {self.until:.6g} s, end error {self.error:.2g}>"


def steer(
    s: System,
    start: Mapping[str, Any] | None,
    goal: Mapping[str, Any],
    until: float | tuple[float, float] | None = None,
    *,
    parameters: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Any] | None = None,
    cost: str | None = None,
    obstacles: Sequence[Any] = (),
    path: Mapping[str, str] | None = None,
    tolerance: float = 1e-3,
    nodes: int = 40,
    guess: Trajectory | Mapping[str, Any] | None = None,
    iterations: int = 600,
) -> Steering:
    """Inputs that lead ``s`` from ``start`` to ``goal``; a system without inputs is steered by its independent speeds.

    ``goal`` and ``bounds`` take names or texts in any names of the system: a number (for bounds: on the size) or a pair
    ``(low, high)`` with None for none. ``until`` is the time of the end, a pair in which it may lie, or None where it is free.
    ``cost`` is ``"effort"`` (``∫ Σ u² dt``), ``"time"``, or a text to be integrated; without one it is the effort where the time
    is given and the time where it is free. ``obstacles`` are texts that are positive outside, or discs ``(x, y, radius)`` for the
    point (x, y). ``path`` gives texts in ``s`` from 0 to 1 that are followed within ``tolerance``, at whatever speed is best.

    Systems with a chained form begin with a motion by their flat outputs, others with straight lines bent by sinusoids.
    The equations are collocated as they are (Radau points, exact derivatives, IPOPT through CasADi, an optional package); then
    the inputs are corrected by Newton's method on the true flow, whose end ``error`` is what the answer tells.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> found = nh.steer(cart, {}, {"x": 1.0, "xdot": 0.0}, until=1.0)
    >>> found.error < 1e-8, round(found.cost, 2)
    (True, 12.0)
    """
    check_system(s)
    if not isinstance(nodes, int) or nodes < 2:
        raise StateError(f"{s.name}: steer: nodes = {nodes!r} where a whole number of intervals, at least 2, is needed.")
    given = s.start if start is None else named(start, f"{s.name}: steer: start", '{"x": 0.0}')
    most = whole(iterations, f"{s.name}: steer: iterations")
    system = steerable(s, given, parameters)
    held = {n: e for n, e in given.items() if tuple(system.inputs) == tuple(s.inputs) or n in system.coordinates or n == "t"}
    chosen = cost if cost is not None else "time" if not isinstance(until, (int, float)) else "effort"
    problem = steering_problem(system, held, goal, until, parameters, bounds, chosen, obstacles, path, tolerance)
    best: tuple[bool, _Solved] | None = None
    for kind, trial in _guesses(problem, nodes, guess):
        one = _solve(problem, trial, most, kind)
        good = one.found.converged and one.gap <= 1e3 * CLOSE
        if best is None or (good, -one.rank(good)) > (best[0], -BETTER * best[1].rank(best[0])):
            best = good, one
        if best[0] and kind != FLAT:  # beside flat outputs another guess is tried: it may cost less
            break
    if best is None:  # pragma: no cover - there is always a guess
        raise StateError(f"{s.name}: steer: no guess was made.")
    made, found, begun = best[1].made, best[1].found, best[1].began_by
    times = node_times(problem, len(made.inputs) - 1, made.time)
    gaps = {g.text: abs(float(e)) for g, e in zip(problem.goal, made.gaps)}
    return Steering(
        system=system,
        run=made.run,
        inputs=FrozenMap({n: (times, made.inputs[:, k]) for k, n in enumerate(problem.inputs)}),
        error=max(gaps.values(), default=0.0),
        errors=FrozenMap(gaps),
        violations=FrozenMap(largest_violations(problem, made.run)),
        until=float(problem.began + made.time),
        cost=found.cost,
        converged=found.converged,
        solver=f"{found.message.replace('_', ' ').lower()} after {found.iterations} iterations, corrections: {made.rounds}",
        began_by=begun,
        parameters=problem.parameters,
    )


@dataclass(frozen=True, eq=False)
class _Solved:
    """The best answer from one guess: how far it misses the goal and the bounds."""

    gap: float
    made: Corrected
    found: Found
    began_by: str

    def rank(self, good: bool) -> float:
        """What is compared: costs of good answers, else how far they miss."""
        return self.found.cost if good else self.gap


def _solve(problem: SteeringProblem, trial: Guess, most: int, kind: str) -> _Solved:
    """Collocate and correct from one guess, with a finer grid or narrower bounds where the true motion asks for them."""
    wanted, best = problem, None
    if problem.obstacles:  # first as if there were none, then round them at a price
        empty = replace(problem, bounds=problem.bounds[: -problem.obstacles], obstacles=0)
        for eased, price in ((empty, 0.0), (problem, PRICE)):
            found = collocate(eased, trial, most, price, near=price > 0.0, rough=True)
            trial = Guess(found.states, found.inputs, found.time)
    for repeat in range(ROUNDS):
        found = collocate(wanted, trial, most, near=problem.obstacles > 0 or repeat > 0)
        made = corrected(problem, found.inputs, found.time)
        error = float(np.max(np.abs(made.gaps), initial=0.0)) if made.run.outcome.reached else np.inf
        over = largest_violations(problem, made.run)
        one = _Solved(error + max(over.values(), default=0.0), made, found, kind)
        if best is None or one.gap < best.gap:
            best = one
        if not found.converged or (error <= CLOSE and not _loose(problem, over)):
            break
        trial = Guess(found.states, found.inputs, found.time)
        if error > CLOSE:  # the grid is too coarse for the flow
            trial = _finer(trial)
        else:
            wanted = _tightened(wanted, over)
    return one if best is None else best


def _loose(problem: SteeringProblem, over: Mapping[str, float]) -> bool:
    """Whether a bound is overstepped by more than may be."""
    spans = {b.text: b.high - b.low if np.isfinite(b.high - b.low) else 0.0 for b in problem.bounds}
    return any(amount > CLOSE * (1.0 + 10 * spans[text]) for text, amount in over.items())


def _finer(guess: Guess) -> Guess:
    """The same on twice as many intervals."""
    old = np.linspace(0.0, 1.0, len(guess.states))
    new = np.linspace(0.0, 1.0, 2 * len(guess.states) - 1)

    def between(table: Array) -> Array:
        return np.column_stack([np.interp(new, old, column) for column in table.T])

    return Guess(between(guess.states), between(guess.inputs), guess.time)


def _tightened(problem: SteeringProblem, over: Mapping[str, float]) -> SteeringProblem:
    """The same with narrower bounds where the run leaves them between the collocation points; those of inputs are kept there."""

    def narrower(b: Range) -> Range:
        part = 0.0 if b.exact or str(b.expression) in problem.inputs else min(1.2 * over[b.text], (b.high - b.low) / 4)
        return replace(b, low=b.low + part, high=b.high - part)

    return replace(problem, bounds=tuple(map(narrower, problem.bounds)))


def _guesses(problem: SteeringProblem, nodes: int, given: Any) -> Iterator[tuple[str, Guess]]:
    """What was given; else a motion by flat outputs; else straight lines bent by sinusoids."""
    place = np.linspace(0.0, 1.0, nodes + 1)
    low, high = problem.time
    time = low if low == high else min(max(USUAL, low), high)
    if given is not None:
        yield GIVEN, _resampled(problem, given, place)
        return
    end = problem.end
    if not problem.path and (flat := flat_guess(problem, end, nodes, time)) is not None:
        yield FLAT, flat
    straight = problem.start + place[:, None] * (end - problem.start)
    limits = [problem.limits(n) for n in problem.inputs]
    sizes = np.array([min(1.0, abs(a), abs(b)) for a, b in limits])
    size = 0.3 * (1.0 + np.abs(end - problem.start))
    ends = holding_inputs(problem, np.array([problem.start, end]))
    held = ends[0] + place[:, None] * (ends[1] - ends[0])
    lacking = invariants_table(problem, goal=False) if problem.kernel.equations.invariants else None
    for amount, turns in ((0.02, 1.0), (1.0, 1.0), (1.0, 2.0), (2.0, 0.5)):
        waves = [np.sin(2 * np.pi * turns * place + (np.pi / 2) * k) for k in range(len(problem.inputs))]
        bent = [np.sin(np.pi * turns * place) * np.cos(GOLDEN * k + 2 * np.pi * turns * place) for k in range(len(end))]
        driving = held + 0.3 * amount * sizes * np.column_stack(waves)
        states = straight + amount * size * np.column_stack(bent)
        if lacking is not None:
            states = np.array([gauss_newton(lacking, row)[0] for row in states])
        yield WAVES, Guess(states, driving, time)


def _resampled(problem: SteeringProblem, given: Any, place: Array) -> Guess:
    """A guess by a run, or by arrays over equally spaced times (``t`` for the last time)."""
    names = (*problem.names, *problem.inputs)
    try:
        table = {n: np.atleast_1d(np.asarray(given[n], dtype=float)) for n in names if n in given}
        times = np.asarray(given["t"], dtype=float) if "t" in given else None
    except (TypeError, KeyError, ValueError):
        raise StateError(f"{problem.system.name}: steer: the guess must be a run, or arrays by name with times t.") from None
    span = float(times[-1] - times[0]) if times is not None and len(times) > 1 else problem.time[0]
    columns = []
    for k, n in enumerate(names):
        values = table.get(n, np.array([problem.start[k] if k < len(problem.names) else 0.0]))
        own = (times - times[0]) / span if times is not None and len(times) == len(values) else np.linspace(0, 1, len(values))
        columns.append(np.interp(place, own, values))
    found, size = np.column_stack(columns), len(problem.names)
    return Guess(found[:, :size], found[:, size:], span)
