"""What is wanted of a steering: goal, bounds, obstacles, cost and path, read into expressions of state and inputs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbol
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.gauss_newton import gauss_newton
from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.derive.hamel import hamel
from nonholo.derive.states.consistent_state import complete_state
from nonholo.derive.states.start_derivatives import rated_inputs
from nonholo.errors import ModelError, StateError
from nonholo.integrate.motion.motion_pieces import problem_of
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.model.scalars import finite, positive
from nonholo.model.system import System, check_system, parameter_values, resolve, varied, without_laws
from nonholo.model.velocities.driven_coordinates import unfolded
from nonholo.notation.read import expression

Array = NDArray[np.float64]
LONGEST = 1e3
"""A free time has at most so many seconds unless bounds are given."""
MEETS, ROUNDING = 1e-9, 1e-8
"""A goal obeys the constraints to the first; a slope that others make up to the second says nothing new."""


@dataclass(frozen=True)
class Range:
    """An expression between two numbers."""

    text: str
    expression: Expr
    low: float
    high: float

    @property
    def exact(self) -> bool:
        """Whether one number is wanted."""
        return self.low == self.high

    def excess(self, value: float) -> float:
        """How far a value lies outside, with its sign."""
        return value - self.high if value > self.high else value - self.low if value < self.low else 0.0


@dataclass(frozen=True, eq=False)
class SteeringProblem:
    """A start, a goal and what holds between them."""

    system: System
    kernel: SystemKernel
    parameters: Mapping[str, float]
    start: Array
    began: float
    goal: tuple[Range, ...]
    bounds: tuple[Range, ...]
    cost: Expr
    shortest: bool
    """Whether time itself is minimised."""
    time: tuple[float, float]
    path: tuple[tuple[Expr, Expr], ...] = ()
    """Pairs of an expression of the state and one of ``s`` in 0 … 1 that it follows, at a speed of its own."""
    tolerance: float = 1e-3
    obstacles: int = 0
    """So many of the bounds, the last ones, are obstacles."""
    end: Array = field(default_factory=lambda: np.zeros(0))
    """A state that meets the exact goals and the invariants, near the start."""
    aims: tuple[Range, ...] = ()
    """The goals that the invariants and earlier goals leave independent: what the planner is told."""

    @property
    def names(self) -> tuple[str, ...]:
        """The state variables."""
        return self.kernel.equations.state

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs."""
        return self.kernel.inputs

    @property
    def numbers(self) -> list[float]:
        """The parameters in their order."""
        return [self.parameters[n] for n in self.kernel.parameters]

    def limits(self, name: str) -> tuple[float, float]:
        """The bounds of a plain state variable or input."""
        own = [b for b in self.bounds if b.expression == symbol(name)]
        return max((b.low for b in own), default=-math.inf), min((b.high for b in own), default=math.inf)


PATH = symbol("s")


def steering_problem(
    system: System, start: Any, goal: Any, until: Any, parameters: Any, bounds: Any, cost: Any, obstacles: Any, path: Any,
    tolerance: float,
) -> SteeringProblem:  # fmt: skip
    """Everything read and checked; mistakes are told here."""
    where = f"{system.name}: steer"
    given = dict(system.start if start is None else start)
    posed = problem_of(system, given, parameters, "hamel", {})
    kernel = posed.initial.kernel
    if not kernel.inputs:
        raise ModelError(f"{where}: nothing can be steered: the system has neither inputs nor independent speeds.")
    if not isinstance(goal, Mapping) or not (goal or path):
        raise StateError(f'{where}: goal: {goal!r} where names and numbers are needed; give goal={{"x": 2.0, "theta": 0.0}}.')
    ends = tuple(_range(kernel, n, e, f"{where}: goal {n}", number=True) for n, e in goal.items())
    limits = [_range(kernel, n, e, f"{where}: bounds of {n}") for n, e in _mapping(bounds, where).items()]
    closed = [_range(kernel, text, (0.0, None), f"{where}: obstacle {text}") for text in _obstacles(obstacles, where)]
    problem = SteeringProblem(
        system, kernel, posed.parameters, np.array(posed.initial.state, dtype=float), posed.time, ends, (*limits, *closed),
        _cost(kernel, cost, where), cost == "time", _time(until, posed.time, where), _path(kernel, path, where),
        positive(tolerance, f"{where}: tolerance"), len(closed),
    )  # fmt: skip
    return _with_end(problem)


def _with_end(problem: SteeringProblem) -> SteeringProblem:
    """A problem with a state at its goal and the goals that are independent there.

    In coordinates that are not independent (a rotation matrix, a rope's length beside its ends) a whole state as goal says
    some things twice, and to rounding the equations allow only one of them.
    """
    kernel, names = problem.kernel, problem.names
    near = problem.start.copy()
    for g in problem.goal:
        if str(g.expression) in names and np.isfinite(g.low) and np.isfinite(g.high):
            near[names.index(str(g.expression))] = (g.low + g.high) / 2
    held = list(kernel.equations.invariants.values())
    if not held:
        return replace(problem, end=near, aims=problem.goal)
    table, exact = invariants_table(problem), [g for g in problem.goal if g.exact]
    end, left = gauss_newton(table, near)
    if np.max(np.abs(left), initial=0.0) > MEETS:
        raise StateError(
            f"{problem.system.name}: steer: no state near the goal obeys the constraints between its coordinates: they miss "
            f"each other by {np.max(np.abs(left)):.2g}; give a goal that obeys them, or fewer names."
        )
    basis, aims = np.empty((0, len(names))), [g for g in problem.goal if not g.exact]
    for k, row in enumerate(table(end)[1]):
        rest = row - basis.T @ (basis @ row)
        if np.linalg.norm(rest) > ROUNDING * np.linalg.norm(row):
            basis = np.vstack([basis, rest / np.linalg.norm(rest)])
            aims += exact[k - len(held) : k - len(held) + 1] if k >= len(held) else []
    return replace(problem, end=end, aims=tuple(aims))


def invariants_table(problem: SteeringProblem, goal: bool = True) -> Callable[[Array], tuple[Array, Array]]:
    """What the invariants and the exact goals lack at a state, and the slopes of that by the state."""
    kernel, size = problem.kernel, len(problem.names)
    exact = [g for g in problem.goal if g.exact] if goal else []
    exprs = [*kernel.equations.invariants.values(), *(g.expression - g.low for g in exact)]
    sheet = jacobian_table(kernel.symbols, exprs, kernel.symbols[1 : 1 + size], f"{problem.system.name}: steer: goal")
    rest = [0.0] * len(problem.inputs) + problem.numbers

    def lacking(state: Array) -> tuple[Array, Array]:
        values = np.asarray(sheet(np.array([[problem.began, *state, *rest]]))[0])
        return values[: len(exprs)], values[len(exprs) :].reshape(len(exprs), size)

    return lacking


def _mapping(given: Any, where: str) -> dict[str, Any]:
    if given is not None and not isinstance(given, Mapping):
        raise StateError(f'{where}: bounds: {given!r} where a dict is needed; give bounds={{"tau": (-1, 1)}}.')
    return dict(given or {})


def _range(kernel: SystemKernel, text: Any, given: Any, where: str, number: bool = False) -> Range:
    """A number (a goal, or a bound on the size), or a pair with None where there is no bound."""
    read = kernel.expression(text, where)
    if isinstance(given, (tuple, list)) and len(given) == 2:
        low, high = (finite(e, where) if e is not None else sign * math.inf for e, sign in zip(given, (-1, 1)))
    else:
        value = finite(given, where)
        low, high = (value, value) if number else (-abs(value), abs(value))
    if low > high:
        raise StateError(f"{where}: from {low:g} to {high:g} there is nothing; give the smaller number first.")
    return Range(str(text), read, low, high)


def _obstacles(given: Any, where: str) -> list[str]:
    """Texts that are positive outside an obstacle; ``(x, y, r)`` is a disc that the point (x, y) of the system stays out of."""
    texts = []
    if not isinstance(given, Iterable) or isinstance(given, str):
        raise StateError(f"{where}: obstacles: {given!r} where a list is needed, e.g. obstacles=[(1.0, 0.0, 0.4)].")
    for one in given:
        if isinstance(one, str) or hasattr(one, "free_symbols"):
            texts.append(one)
        elif isinstance(one, Iterable) and len(tuple(one)) == 3:
            x, y, r = (finite(e, f"{where}: obstacle") for e in one)
            texts.append(f"(x - ({x!r}))**2 + (y - ({y!r}))**2 - {r!r}**2")
        else:
            raise StateError(
                f"{where}: obstacle {one!r} where a text that is positive outside it, or (x, y, radius) of a disc, is needed."
            )
    return texts


def _cost(kernel: SystemKernel, cost: Any, where: str) -> Expr:
    if cost in ("effort", "time"):
        return se.Add(*(symbol(n) ** 2 for n in kernel.inputs))
    return kernel.expression(cost, f"{where}: cost")


def _time(until: Any, began: float, where: str) -> tuple[float, float]:
    """The duration: fixed by a number, free by None or a pair."""
    if until is None or until == "free":
        return 1e-3, LONGEST
    if isinstance(until, (tuple, list)) and len(until) == 2:
        low, high = (finite(e, f"{where}: until") - began for e in until)
    else:
        low = high = finite(until, f"{where}: until") - began
    if not 0 < low <= high:
        found = f"{where}: until = {until!r} where a time after the start (t = {began:g})"
        raise StateError(f"{found}, a pair of such or None is needed.")
    return low, high


def _path(kernel: SystemKernel, path: Any, where: str) -> tuple[tuple[Expr, Expr], ...]:
    if path is None:
        return ()
    if not isinstance(path, Mapping):
        example = '{"x": "2*s", "y": "sin(pi*s)"}'
        raise StateError(f"{where}: path: {path!r} where texts in s from 0 to 1 are needed; give path={example}.")
    return tuple(
        (kernel.expression(n, f"{where}: path"), expression(text, ("s",), f"{where}: path of {n}")) for n, text in path.items()
    )


def values_on(kernel: SystemKernel, exprs: Sequence[Expr], rows: Array, where: str) -> Array:
    """Expressions of state and inputs on input vectors."""
    return np.asarray(kernel.function(list(exprs), where).rows(rows)) if exprs else np.empty((len(rows), 0))


def kinematic(system: System, start: Mapping[str, Any] | None = None, *, parameters: Mapping[str, Any] | None = None) -> System:
    """The same constraints with every independent speed z prescribed by an input ``u_z``: a drift-free system in the coordinates.

    >>> sleigh = System(coordinates="theta x y", lagrangian="xdot**2 + ydot**2 + thetadot**2",
    ...                 constraints=["ydot*cos(theta) - xdot*sin(theta)"], quasivelocities={"omega": "thetadot"})
    >>> tuple(kinematic(sleigh).inputs)
    ('u_omega', 'u_xdot')
    """
    check_system(system)
    if system.parametric is not None:
        raise ModelError(
            f"{system.name}: its velocities are given by parameters; give them inputs, or write its constraints as residuals."
        )
    place: dict[str, float] | None = None
    try:
        numbers = parameter_values(system, parameters)
        place = {**numbers, **complete_state(system, start if start is not None else system.start, numbers)}
    except StateError:
        pass
    speeds = hamel(system, at=place).speeds if place else hamel(system).speeds
    taken = {*system.coordinates, *system.parameters, *system.velocities, *system.quasivelocities}
    names = {}
    for z in map(str, speeds):
        word = f"u_{z}"
        while word in taken:
            word += "_"
        names[z] = word
    rows = [resolve(system, [symbol(z)])[0] - symbol(word) for z, word in names.items()]
    return varied(
        system, constraints=(*system.constraints, *rows), inputs=dict.fromkeys(names.values()), forces={}, page=None,
        start={n: e for n, e in system.start.items() if n in system.coordinates},
    )  # fmt: skip


def steerable(system: System, start: Mapping[str, Any] | None, parameters: Mapping[str, Any] | None) -> System:
    """The system as it is steered: without its laws; inputs whose rates matter are coordinates; speeds are inputs if none are."""
    if not system.inputs:
        return kinematic(system, start, parameters=parameters)
    free = varied(without_laws(system), start={n: e for n, e in system.start.items() if n not in system.inputs})
    return unfolded(free)[0] if rated_inputs(free) else free
