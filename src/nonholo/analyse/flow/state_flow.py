"""Rates, slopes, invariants and symmetry fields at many states at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import atoms, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.gauss_newton import together
from nonholo.algebra.linear_equations import evaluate_all
from nonholo.analyse.flow.lifted_generators import Lifted, lifted
from nonholo.compile.rates_jacobian import JacobianTable, jacobian_table, slopes_table, solved
from nonholo.derive.equations import Equations
from nonholo.derive.states.consistent_state import read_start
from nonholo.derive.states.feedback_laws import driven
from nonholo.errors import ModelError, StateError
from nonholo.integrate.inputs import beginning
from nonholo.integrate.motion.formulation import formulation_of, initial_value
from nonholo.integrate.motion.motion_pieces import Problem, problem_of, start_under
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.model.system import System, check_system, parameter_values
from nonholo.model.velocities.admissible import constraint_rows

SINGULAR = 1e-12
"""A mass matrix whose smallest part is this small beside its largest, in its own units, is singular."""
UNBOUND = 1e-7
"""Constraints whose smallest part is below this part of what it is elsewhere are fewer there."""
SHIFT, EIGHTH = 0.02, (4 / 5, -1 / 5, 4 / 105, -1 / 280)
"""Step and weights of differences: those that vanish need no derivatives of the equations."""
COMMUTES = 1e-8
"""A generator whose bracket with the flow is larger than this, beside its terms, is no symmetry of it."""


@dataclass(frozen=True, eq=False)
class Flow:
    """``ẏ = f(y)`` on ``g(y) = 0``, y the coordinates and speeds, with the generators ``ξ_a(y)`` of the symmetry there."""

    given_system: System | None
    """The system with its feedback laws put in; None for equations by hand."""
    kernel: SystemKernel
    home: Numbers
    """The state that everything started from."""
    rest: Numbers
    """Inputs and parameters, as they follow the state in the input vector; a row for each state where they differ."""
    parameters: Mapping[str, float]
    fields: Lifted
    """The symmetry's generators, lifted to the state."""
    idle: tuple[str, ...] = ()
    """Inputs that the system makes depend on the time; they are zero here."""

    @property
    def system(self) -> System:
        """The system, for questions that equations alone cannot answer."""
        if self.given_system is None:
            raise StateError(f"{self.name}: this needs the system itself, not equations by hand.")
        return self.given_system

    @property
    def name(self) -> str:
        """The name of the system."""
        return self.kernel.equations.name

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The state variables."""
        return self.kernel.equations.state

    @cached_property
    def size(self) -> int:
        """How many there are."""
        return len(self.names)

    @cached_property
    def width(self) -> int:
        """How many of them are coordinates."""
        return len(self.kernel.equations.coordinates)

    def rows(self, states: Numbers) -> Numbers:
        """The input vectors of the machine code."""
        wide = 1 + states.shape[1]
        found = np.empty((len(states), wide + self.rest.shape[-1]))
        found[:, 0], found[:, 1:wide], found[:, wide:] = 0.0, states, self.rest
        return found

    def rates(self, states: Numbers) -> Numbers:
        """``f``, a row for each state; not a number where the equations have no unique answer."""
        return self._rates(self.rows(states))[0]

    def _rates(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        equations = self.kernel.equations
        with np.errstate(all="ignore"):
            kinematics, solved = solved_rows(self.kernel, rows)
        return np.hstack([kinematics, solved[:, : len(equations.speeds)]]), solved

    def sound(self, states: Numbers, elsewhere: Numbers | None = None) -> NDArray[np.bool_]:
        """Where the mass matrix is regular: at a pole of Euler's angles it is not, and rates and slopes are rounding.

        Nor is it where masses are infinite beside those ``elsewhere``: there a chart ends, ``u = exp(x)`` at ``u = 0``.
        """
        if not self.kernel.equations.force or not len(states):
            return np.ones(len(states), dtype=np.bool_)
        mass = self._mass(states)
        largest = np.max(np.abs(mass), axis=2)
        scale = np.sqrt(np.maximum(largest, 1e-300))
        sizes = np.linalg.svd(mass / scale[:, :, None] / scale[:, None, :], compute_uv=False)
        good = np.asarray(sizes[:, -1] > SINGULAR * sizes[:, 0])
        if elsewhere is None or not len(elsewhere):
            return good
        usual = np.median(np.max(np.abs(self._mass(elsewhere)), axis=2), axis=0)
        return np.asarray(good & np.all(SINGULAR * largest <= usual, axis=1))

    def _mass(self, states: Numbers) -> Numbers:
        """The mass matrix of the speeds at states; zero where it is no number."""
        equations, kernel, rows = self.kernel.equations, self.kernel, self.rows(states)
        size, count = len(equations.force), len(equations.coordinates)
        with np.errstate(all="ignore"):
            fixed = on_rows(kernel.constants, rows)
            found = on_rows(kernel.rates_code, np.hstack([rows, np.zeros((len(rows), size)), fixed]))[:, count + size + 1 : -size]
        mass = np.zeros((len(rows), size, size))
        if kernel.symmetric:
            lower = np.tril_indices(size)
            mass[:, lower[0], lower[1]] = mass[:, lower[1], lower[0]] = found
        else:
            mass = found.reshape(-1, size, size)
        return np.nan_to_num(mass)

    def constrained(self, states: Numbers, elsewhere: Numbers) -> NDArray[np.bool_]:
        """Where as many constraints bind as elsewhere: a dog that has caught its hare may run anywhere; rates are rounding."""
        slopes = constraint_rows(self.given_system).slopes if self.given_system is not None else ()
        if not slopes or any(e.free_symbols & set(symbols(self.system.frame.velocities)) for row in slopes for e in row):
            return np.ones(len(states), dtype=np.bool_)
        names = [str(s) for s in self.kernel.symbols]
        places = [dict(zip(names, row.tolist())) for row in self.rows(np.vstack([elsewhere, states]))]
        found = evaluate_all([e for row in slopes for e in row], places)
        table = np.nan_to_num(found).reshape(len(found), len(slopes), -1)
        least = np.linalg.svd(table, compute_uv=False)[:, -1]
        return np.asarray(least[len(elsewhere) :] >= UNBOUND * np.median(least[: len(elsewhere)]))

    def slopes(self, states: Numbers) -> Numbers:
        """``∂f/∂y``, (states, rates, variables)."""
        return self.slopes_at(self.rows(states))

    def slopes_at(self, rows: Numbers) -> Numbers:
        """The same at input vectors."""
        return self._both(rows)[1]

    def rates_and_slopes(self, states: Numbers) -> tuple[Numbers, Numbers]:
        """``f`` and ``∂f/∂y``, for whom wants both."""
        return self._both(self.rows(states))

    def resting(self, states: Numbers) -> tuple[Numbers, Numbers]:
        """``f`` and ``∂f/∂y`` with all speeds at zero, but for the derivatives of accelerations by speeds, which are left out."""
        width = self.width
        rows = self.rows(states)
        rows[:, 1 + width : 1 + self.size] = 0.0
        rates, solved = self._rates(rows)
        slopes = np.zeros((len(rows), self.size, self.size))
        with np.errstate(all="ignore"):
            slopes[:, :, :width] = self.kernel.rest_slopes(rows, solved)[:, : self.size]
            slopes[:, :width, width:] = self.frames(states * (np.arange(self.size) < width))
        return rates, slopes

    def kinematics(self, states: Numbers) -> tuple[Numbers, Numbers]:
        """The rates of the coordinates alone, and their derivatives by the state."""
        table, width, rows = self.kernel.constraint_table, self.width, self.rows(states)
        with np.errstate(all="ignore"):
            if table is None:
                found = self.kernel.kinematics_table(rows)
                return found[:, :width], found[:, width:].reshape(len(states), width, self.size)
            rates = self._rates(rows)[0][:, :width]
            return rates, self._bound_slopes(table(np.hstack([rows, rates])))

    def _bound_slopes(self, slopes: Numbers) -> Numbers:
        """The derivatives of the rates by the state from those of the constraints that bind them: ``A ∂ẋ/∂y = −∂(A ẋ)/∂y``."""
        width, equations = self.width, self.kernel.equations
        count = width - len(equations.speeds)
        chosen = self.kernel.speed_places
        matrices, sides = np.zeros((len(slopes), width, width)), np.zeros((len(slopes), width, self.size))
        bound = slopes.reshape(len(slopes), count, 2 * width)
        sides[:, :count, :width], matrices[:, :count] = -bound[:, :, :width], bound[:, :, width:]
        matrices[:, range(count, width), chosen] = sides[:, range(count, width), range(width, self.size)] = 1.0
        return solved(matrices, sides)

    def frames(self, states: Numbers) -> Numbers:
        """The derivatives of the rates of the coordinates by the speeds."""
        with np.errstate(all="ignore"):
            found = self.kernel.velocity_table(self.rows(states))
        return np.asarray(found).reshape(len(states), self.width, self.size - self.width)

    def _both(self, rows: Numbers) -> tuple[Numbers, Numbers]:
        rates, solved = self._rates(rows)
        with np.errstate(all="ignore"):
            found = self.kernel.slopes(rows, solved)
        return rates, np.asarray(found[:, : self.size, : self.size])

    def bound(self, states: Numbers) -> tuple[Numbers, Numbers]:
        """``g`` and ``∂g/∂y``: relations of coordinates, holonomic and nonlinear constraints."""
        count = len(self.kernel.invariants)
        if not count:
            return np.zeros((len(states), 0)), np.zeros((len(states), 0, self.size))
        found = on_rows(self.kernel.residuals, self.rows(states))
        return found[:, :count], found[:, count:].reshape(len(states), count, self.size)

    def generator_fields(self, states: Numbers) -> tuple[Numbers, Numbers]:
        """``ξ_a`` (states, generators, variables) and ``∂ξ_a/∂y``."""
        return self.fields(self.rows(states))

    def conditions(self, states: Numbers) -> Numbers:
        """Condition of the chosen speeds at each state, 1 at best: where it is small they are degenerate."""
        if not self.kernel.guard:
            return np.ones(len(states))
        return on_rows(self.kernel.conditions, self.rows(states))[:, 0]

    def expressions(self, texts: Sequence[Any], what: str) -> list[Expr]:
        """Expressions in any names of the system as functions of the state."""
        # a long expression is written out only when the error occurs
        return [self.kernel.expression(e, f"{self.name}: {what}" + (f" {e}" if isinstance(e, str) else "")) for e in texts]

    def valued(self, exprs: Sequence[Expr], states: Numbers) -> tuple[Numbers, Numbers]:
        """Expressions of the state and their slopes, (states, expressions) and (states, expressions, variables)."""
        by = symbols(self.names)
        if not exprs:
            return np.zeros((len(states), 0)), np.zeros((len(states), 0, len(by)))
        table = self.kernel.watched(
            ("quantities", *exprs), lambda: jacobian_table(self.kernel.symbols, list(exprs), by, f"{self.name}: quantities")
        )
        found = table(self.rows(states))
        return found[:, : len(exprs)], found[:, len(exprs) :].reshape(len(states), len(exprs), len(by))

    def valued_by(self, exprs: Sequence[Expr], states: Numbers, place: int) -> Numbers:
        """The slopes of expressions by the input or parameter at a place of ``rest``, (states, expressions)."""
        if not exprs:
            return np.zeros((len(states), 0))
        number = self.kernel.symbols[1 + self.size + place]
        table = self.kernel.watched(
            ("by", number, *exprs), lambda: slopes_table(self.kernel.symbols, list(exprs), [number], f"{self.name}: slopes")
        )
        return np.asarray(table(self.rows(states)))

    def slopes_by(self, states: Numbers, place: int) -> tuple[Numbers, Numbers]:
        """The slopes of rates and of ``g`` by the input or parameter at a place of ``rest``, a row for each state."""
        number, equations = self.kernel.symbols[1 + self.size + place], self.kernel.equations
        table = self.kernel.watched(("rates by", number), lambda: JacobianTable(self.kernel, (number,)))
        rows = self.rows(states)
        with np.errstate(all="ignore"):
            found = table(rows, self._rates(rows)[1])[:, : self.size, 0]
        bound = [equations.invariants[k] for k in self.kernel.invariants]
        return np.asarray(found), self.valued_by(bound, states, place)

    def full(self, state: Numbers) -> dict[str, float]:
        """Every name at a state: coordinates, speeds, rates and quasi-velocities."""
        row = self.rows(state[None])[0]
        values = dict(zip(self.names, (state + 0.0).tolist()))
        return {**values, **{n: e + 0.0 for n, e in self.kernel.velocities(row).items() if n not in values}}


def flow_of(
    system: System | Equations,
    at: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    symmetric: bool = True,
) -> Flow:
    """The flow in speeds that serve at a start (the system's own unless given), with its inputs as they are there.

    Equations by hand, as Kane's from SymPy, have a flow without symmetries.
    """
    if isinstance(system, Equations):
        flow = flow_of_problem(problem_of(system, at, parameters, "hamel", {}))
        _refuse_time(flow.kernel.equations)
        return flow
    check_system(system)
    numbers = parameter_values(system, parameters)
    idle = tuple(n for n, e in driven(system, {}).laws.items() if symbol("t") in e.free_symbols)
    moved = driven(system, dict.fromkeys(idle, 0.0))
    formulation = formulation_of(moved.closed, moved.laws)
    given = read_start(system, system.start if at is None else at, numbers)
    full = start_under(formulation, moved.others, {n: e for n, e in given.items() if n not in moved.laws}, numbers)
    kernel = formulation.kernel({**numbers, **full})
    equations = kernel.equations
    _refuse_time(equations)
    initial = initial_value(kernel, full, numbers)
    row = initial.row(full, numbers)
    home = row[1 : 1 + len(equations.state)]
    found = lifted(moved.closed, kernel) if symmetric else Lifted((), kernel)
    whole = Flow(moved.closed, kernel, home, row[1 + len(equations.state) :], numbers, found, idle)
    return replace(whole, fields=found.only(_commuting_generators(whole))) if len(found) else whole


def flow_of_problem(problem: Problem) -> Flow:
    """The flow of a motion that is set up, without symmetries."""
    kernel = problem.initial.kernel
    fixed = [*(beginning(e, 0.0) or 0.0 for e in problem.inputs), *(problem.parameters[n] for n in kernel.parameters)]
    home = np.asarray(problem.initial.state, dtype=float)
    return Flow(kernel.system, kernel, home, np.array(fixed, dtype=float), problem.parameters, Lifted((), kernel))


def _refuse_time(equations: Equations) -> None:
    if equations.time in atoms((*equations.force, *equations.kinematics), se.Symbol):
        raise ModelError(
            f"{equations.name}: its equations depend on the time, so that nothing stays as it is; replace t by a constant, or "
            "follow motions with simulate."
        )


def _commuting_generators(flow: Flow) -> list[int]:
    """Generators that commute with the flow, ``[f, ξ_a] = 0``, around home: declared ones may not, e.g. with feedback."""
    states = flow.home + np.random.default_rng(5).uniform(-0.2, 0.2, (4, flow.size)) * (np.arange(4) > 0)[:, None]
    states = onto_bound(flow, states)
    rates = flow.rates(states)
    fields, turned = flow.generator_fields(states)
    carried = np.einsum("kaij,kj->kai", turned, rates)
    if np.all(np.abs(carried - _along(flow, states, fields)) < COMMUTES):
        return list(range(len(flow.fields)))
    slopes = flow.slopes(states)
    gap = carried - np.einsum("kij,kaj->kai", slopes, fields)
    size = np.abs(np.einsum("kij,kaj->kai", np.abs(slopes), np.abs(fields))) + 1.0
    good = np.isfinite(gap).all(axis=(1, 2))
    off = np.max(np.abs(gap[good]) / size[good], axis=(0, 2), initial=0.0)
    return np.flatnonzero(off < COMMUTES).tolist()


def _along(flow: Flow, states: Numbers, fields: Numbers) -> Numbers:
    """The derivatives of the rates along fields (states, fields, variables) by differences of the eighth order."""
    shifts = SHIFT / np.maximum(np.max(np.abs(fields), axis=2, keepdims=True), 1.0)
    found = np.zeros_like(fields)
    for k, weight in enumerate(EIGHTH, 1):
        for side in (1, -1):
            there = (states[:, None] + side * k * shifts * fields).reshape(-1, flow.size)
            found += side * weight * flow.rates(there).reshape(fields.shape)
    return np.asarray(found / shifts)


def onto_bound(flow: Flow, states: Numbers, steps: int = 12) -> Numbers:
    """The states moved onto ``g = 0``, by shortest steps."""
    return together(flow.bound, states, 1e-13, steps, 1e-9) if flow.kernel.invariants else states.copy()


def refuse_infinite(flow: Flow, rates: Numbers) -> None:
    """A StateError where the rates are no numbers."""
    if not np.all(np.isfinite(rates)):
        raise StateError(
            f"{flow.name}: the equations have no finite rates at this state (a singular mass matrix or a chart's end); give "
            "another state."
        )
    if not flow.sound(flow.home[None])[0]:
        raise StateError(
            f"{flow.name}: the mass matrix is singular at this state, as at a pole of Euler's angles, so that these coordinates "
            "say nothing about motions nearby; give another state, or a frame without poles (SO3, Quaternion)."
        )
