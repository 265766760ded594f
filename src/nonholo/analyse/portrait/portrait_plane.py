"""The plane of two quantities of the state, and the flow at many states at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.gauss_newton import together
from nonholo.algebra.numeric_functions import Rows, numeric_function
from nonholo.analyse.flow.state_flow import Flow, flow_of_problem
from nonholo.compile.kernel import Kernel, input_symbols
from nonholo.compile.rates_jacobian import slopes_table
from nonholo.derive.equations import Equations
from nonholo.errors import StateError
from nonholo.integrate.inputs import beginning
from nonholo.integrate.motion.motion_pieces import Problem, problem_of
from nonholo.model.declared_words import GivenInput
from nonholo.model.system import System
from nonholo.program.machine_code import Sheet


@dataclass(frozen=True, eq=False)
class Plane:
    """``(X(s), Y(s))`` for states ``s``; ``own`` are the state variables on which the flow in the plane depends."""

    equations: Equations
    kernel: Kernel
    names: tuple[str, str]
    quantities: tuple[Expr, Expr]
    base: Numbers
    """The state that supplies the variables not determined by the plane."""
    parameters: Numbers
    inputs: tuple[GivenInput, ...]
    whole: Flow
    """The flow of all state variables, with exact slopes."""
    shown: Rows
    own: tuple[int, ...] = ()
    closed: bool = False
    """Whether the two quantities determine their own rates."""
    places: tuple[int, int] | None = None
    """Indices of the two quantities in the state, when they are independent state variables."""

    def rows(self, states: Numbers) -> Numbers:
        """The input vectors ``[t, s…, inputs…, parameters…]``."""
        count = len(states)
        fixed = np.array([*(beginning(e, 0.0) or 0.0 for e in self.inputs), *self.parameters])
        return np.hstack([np.zeros((count, 1)), states, np.tile(fixed, (count, 1))])

    def flow(self, states: Numbers) -> Numbers:
        """``ṡ`` at each state; not-a-number where the mass matrix is singular."""
        return self.whole.rates(states) if len(states) else np.empty((0, self.whole.size))

    def show(self, states: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """The points in the plane, the energies, and the invariants (zero on true states)."""
        if not len(states):
            return np.empty((0, 2)), np.empty(0), np.empty((0, len(self.equations.invariants)))
        with np.errstate(all="ignore"):
            flat = np.asarray(self.shown(self.rows(states)), dtype=float).reshape(len(states), -1)[:, :-1]
        return flat[:, :2], flat[:, 2], flat[:, 3:]

    def points(self, states: Numbers) -> Numbers:
        """The points in the plane alone."""
        return self.show(states)[0]

    def shown_slopes(self, states: Numbers) -> Numbers:
        """The derivatives of the two quantities, the energy and the invariants by the own variables, at each state."""
        return np.asarray(self.all_slopes(states)[:, :, np.array(self.own, dtype=int)])

    def rates(self, states: Numbers) -> Numbers:
        """How the two quantities and the energy change along the flow."""
        return np.asarray(np.einsum("kij,kj->ki", self.all_slopes(states)[:, :3], self.flow(states)))

    def all_slopes(self, states: Numbers) -> Numbers:
        """The derivatives of the two quantities, the energy and the invariants by all state variables."""
        with np.errstate(all="ignore"):
            return np.asarray(self._shown_slopes(self.rows(states)).reshape(len(states), -1, len(self.base)))

    @cached_property
    def _shown_slopes(self) -> Sheet:
        equations = self.equations
        exprs = [*self.quantities, equations.energy, *equations.invariants.values()]
        state = (*equations.coordinates, *equations.speeds)
        return slopes_table(input_symbols(equations), exprs, state, f"{equations.name}: phase portrait")


def plane_of(
    system: Any,
    x: str | None,
    y: str | None,
    parameters: Mapping[str, Any] | None,
    at: Mapping[str, Any] | None,
    inputs: Mapping[str, Any] | None,
) -> tuple[Plane, Problem]:
    """The plane of two quantities (names or expressions as text) of a System, Equations or Exhibit."""
    if not isinstance(system, Equations) and isinstance(getattr(system, "system", None), System):  # an Exhibit
        system = system.system
        at = {**system.start, **(at or {})}
    if not isinstance(system, (System, Equations)):
        raise StateError(f"phase portrait: {type(system).__name__} where a System, Equations or an Exhibit is needed.")
    given = dict(at or {})
    if isinstance(system, Equations):
        given = {**dict.fromkeys(system.state, 0.0), **given}
    problem = problem_of(system, given, parameters, "hamel", dict(inputs or {}))
    equations = problem.initial.equations
    shown = list(map(str, equations.speeds if len(equations.speeds) > 1 else (*equations.coordinates[:1], *equations.speeds)))
    names = (x or shown[0], y or shown[1])
    if names[0] == names[1]:
        raise StateError(f"{equations.name}: a plane needs two quantities, found {names[0]!r} twice; give x= and y=.")
    quantities = tuple(_quantity(problem, n) for n in names)
    arguments = list(input_symbols(equations))
    state = list(symbols(equations.state))
    direct = all(q in state for q in quantities) and not equations.invariants
    plane = Plane(
        equations=equations,
        kernel=problem.initial.kernel,
        names=names,
        quantities=(quantities[0], quantities[1]),
        places=(state.index(quantities[0]), state.index(quantities[1])) if direct else None,
        base=np.asarray(problem.initial.state, dtype=float),
        parameters=np.array([problem.parameters[str(p)] for p in equations.parameters]),
        inputs=tuple(problem.inputs),
        whole=flow_of_problem(problem),
        shown=numeric_function(arguments, [*quantities, equations.energy, *equations.invariants.values(), ZERO]),
    )
    return _relevant_variables(plane), problem


def _quantity(problem: Problem, text: str) -> Any:
    return problem.initial.kernel.expression(text, f"{problem.name}: phase portrait, {text}")


def _relevant_variables(plane: Plane) -> Plane:
    """Which state variables matter, found by numbers: formulas may mention names that cancel."""
    size = len(plane.base)
    draws = np.random.default_rng(7).uniform(-1, 1, (5, size))
    states = plane.base + draws
    flow = plane.flow(states)
    with np.errstate(all="ignore"):
        slopes, told = plane.whole.slopes(states), plane.all_slopes(states)
        least = 1e-6 * (1 + np.nanmax(np.abs(flow), initial=0))
        matters = least < np.nanmax(np.abs(slopes), axis=0, initial=0).T
        seen = np.nanmax(np.abs(told[:, :2]), axis=0, initial=0).T > 1e-6
        tied = np.nanmax(np.abs(told[:, 3:]), axis=0, initial=0) > 1e-6
        still = np.nanmax(np.abs(flow), axis=0, initial=0) < 1e-12
    own = {int(j) for j in np.flatnonzero(seen.any(axis=1))}
    while True:
        more = {j for i in own for j in range(size) if matters[j, i] and not still[j]} - own
        more |= {j for row in tied if any(row[list(own)]) for j in np.flatnonzero(row).tolist()} - own  # they move along
        if not more:
            break
        own |= more
    chosen = sorted(own)
    rank = int(np.linalg.matrix_rank(np.nan_to_num(plane.all_slopes(plane.base[None])[0, 3:][:, chosen]))) if len(tied) else 0
    return replace(plane, own=tuple(chosen), closed=len(chosen) - rank == 2)


def lifted(plane: Plane, points: Any) -> Numbers:
    """States over points of the plane: nearest to the base, with the invariants zero; by Gauss and Newton."""
    target = np.atleast_2d(np.asarray(points, dtype=float))
    states = np.tile(plane.base, (len(target), 1))
    if plane.places is not None:
        states[:, plane.places] = target
        return states
    own = np.array(plane.own)

    def gap(at: Numbers) -> Numbers:
        shown, _, zero = plane.show(at)
        return np.hstack([shown - target, zero])

    def residuals(moved: Numbers) -> tuple[Numbers, Numbers]:
        states[:, own] = moved
        found = plane.shown_slopes(states)
        return gap(states), np.concatenate([found[:, :2], found[:, 3:]], axis=1)

    states[:, own] = together(residuals, states[:, own], 1e-12, 25, rcond=1e-9)
    missed = ~(np.abs(gap(states)).max(axis=1) <= 1e-8)
    states[missed] = np.nan
    return states


def starts_to_states(plane: Plane, problem: Problem, starts: Sequence[Any]) -> Numbers:
    """Starts as pairs in the plane or as tables of names, to state vectors."""
    from nonholo.derive.states.consistent_state import complete_state
    from nonholo.derive.states.equation_values import state_vector

    rows = []
    for start in starts:
        if not isinstance(start, Mapping):
            if np.shape(start) != (2,):
                raise StateError(
                    f"phase portrait: start {start!r} where a pair in the plane or a table of names is needed."
                )
            rows.append(lifted(plane, [start])[0])
            continue
        given = {**problem.start, **start}
        if problem.system is not None:
            given = complete_state(problem.system, given, problem.parameters)
        known = {*plane.equations.state, *plane.equations.outputs, *map(str, plane.equations.inputs), "t"}
        table = {n: e for n, e in given.items() if n in known}
        rows.append(np.array(state_vector(plane.equations, table, problem.parameters)))
    return np.array(rows).reshape(len(rows), len(plane.base))
