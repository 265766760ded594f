"""Flow of states and tangent vectors for shooting, in any regular choice of speeds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from nonholo.algebra import subspaces
from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.gauss_newton import together
from nonholo.analyse.flow.state_action import velocities_of, whole_state
from nonholo.analyse.flow.state_flow import Flow
from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.errors import StateError
from nonholo.integrate.contacts.mode_changes import refuse_switching
from nonholo.integrate.methods.dop853 import DormandPrince8
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.motion_pieces import Problem, pieces_of, problem_of, sources_of
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.integrate.results.named_quantities import solved_rows
from nonholo.integrate.sensitivity.tangent_motion import Bundle
from nonholo.program.machine_code import Sheet

METHOD = DormandPrince8(rtol=1e-12, atol=1e-13, max_steps=200_000)
"""With this an orbit closes to about 1e-11; a segment that needs more steps is given up."""
COARSE = DormandPrince8(rtol=1e-9, atol=1e-11, max_steps=200_000)


class Lost(Exception):
    """A motion that ends early; the message gives the reason."""


@dataclass(frozen=True, eq=False)
class End:
    """A state at the end of a segment, as w, with the derivatives by the directions it began with and its rate."""

    point: Numbers
    slopes: Numbers
    """(d, directions)"""
    rate: Numbers
    """dw/dt"""


@dataclass(frozen=True, eq=False)
class Carrier:
    """What moves the states of one system at given parameters."""

    problem: Problem
    flow: Flow
    method: Method = METHOD

    @property
    def parameters(self) -> Mapping[str, float]:
        """The values of the parameters."""
        return self.problem.parameters

    def at(self, changed: Mapping[str, float]) -> Carrier:
        """The same at other values of some parameters."""
        numbers = {**self.problem.parameters, **changed}
        rest = self.flow.rest.copy()
        first = len(self.flow.kernel.inputs)
        for name, value in changed.items():
            if name in self.flow.kernel.parameters:
                rest[first + self.flow.kernel.parameters.index(name)] = value
        flow = replace(self.flow, parameters=numbers, rest=rest)
        return replace(self, problem=replace(self.problem, parameters=numbers), flow=flow)

    def row(self, kernel: SystemKernel, state: Numbers) -> Numbers:
        """The input vector of equations at a state."""
        inputs = self.flow.rest[: len(kernel.inputs)].tolist()
        return kernel.row(0.0, state.tolist(), inputs, [self.parameters[n] for n in kernel.parameters])

    def observed(self, kernel: SystemKernel, state: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """w, ∂w/∂y and ∂w/∂(parameters) of a state."""
        equations = kernel.equations
        found = self._table(kernel)(self.row(kernel, state)[None])[0]
        width = len(equations.state) + len(equations.parameters)
        d = len(found) // (1 + width)
        slopes = found[d:].reshape(d, width)
        return found[:d], slopes[:, : len(equations.state)], slopes[:, len(equations.state) :]

    def observed_rows(self, kernel: SystemKernel, states: Numbers) -> Numbers:
        """w of many states."""
        rows = np.array([self.row(kernel, y) for y in states])
        width = 1 + len(kernel.equations.state) + len(kernel.equations.parameters)
        found = self._table(kernel)(rows) if len(rows) else np.zeros((0, width * self.width))
        return np.asarray(found[:, : found.shape[1] // width])

    @property
    def width(self) -> int:
        """How many entries w has."""
        system = self.flow.system
        return 2 * len(system.coordinates) + len(velocities_of(system))

    def _table(self, kernel: SystemKernel) -> Sheet:
        equations = kernel.equations
        found: Sheet = kernel.watched(
            ("whole state",),
            lambda: jacobian_table(
                kernel.symbols,
                whole_state(self.flow.system, kernel),
                (*symbols(equations.state), *equations.parameters),
                f"{equations.name}: whole state",
            ),
        )
        return found

    def rate(self, kernel: SystemKernel, state: Numbers) -> Numbers:
        """ẏ."""
        row = self.row(kernel, state)
        kinematics, solved = solved_rows(kernel, row[None])
        return np.concatenate([kinematics[0], solved[0, : len(kernel.equations.speeds)]])

    def bound(self, kernel: SystemKernel, state: Numbers) -> tuple[Numbers, Numbers]:
        """The invariants that must vanish and their slopes by the state."""
        count = len(kernel.invariants)
        found = on_rows(kernel.residuals, self.row(kernel, state)[None])[0]
        return found[:count], found[count:].reshape(count, len(state))

    def onto(self, kernel: SystemKernel, state: Numbers) -> Numbers:
        """The state moved onto the invariants by shortest steps."""
        if not kernel.invariants:
            return state.copy()

        def bound(states: Numbers) -> tuple[Numbers, Numbers]:
            value, slope = self.bound(kernel, states[0])
            return value[None], slope[None]

        return together(bound, state[None], 1e-14, 12, 1e-9)[0]

    def free(self, kernel: SystemKernel, state: Numbers) -> Numbers:
        """Directions (columns) in which a state may go."""
        return subspaces.kernel(self.bound(kernel, state)[1], 1e-9)

    def parameter_columns(self, kernel: SystemKernel, state: Numbers, along: str) -> tuple[Numbers, Numbers]:
        """How a parameter changes the invariants, and how a state that obeys them goes along."""
        table, n = kernel.invariant_slopes, len(state)
        if table is None:
            return np.zeros(0), np.zeros(n)
        slopes = table(self.row(kernel, state)[None]).reshape(len(kernel.invariants), -1)
        own = slopes[:, n + len(kernel.inputs) + kernel.parameters.index(along)]
        return own, -np.linalg.pinv(slopes[:, :n], rcond=1e-9) @ own

    def initial(self, kernel: SystemKernel, state: Numbers) -> InitialValue:
        """Equations at a state, with how well their speeds serve there."""
        return InitialValue(kernel, state, kernel.condition(self.row(kernel, state)) if kernel.guard else 1.0)

    def segment(self, kernel: SystemKernel, state: Numbers, time: float, along: str | None = None) -> End:
        """A segment: where it ends as w, by the directions of the state (and of a parameter, the last column)."""
        tangent = self.free(kernel, state)
        first = tangent if along is None else np.column_stack([tangent, self.parameter_columns(kernel, state, along)[1]])
        names: tuple[str | None, ...] = (None,) * tangent.shape[1] + (() if along is None else (along,))
        problem = replace(self.problem, initial=self.initial(kernel, state), time=0.0)
        sources = sources_of(problem, self.method, time, None)
        pieces, _, outcome = pieces_of(problem, self.method, time, "end", [], None, sources, Bundle(first, names))
        last, path = pieces[-1]
        if outcome.kind != "reached" or path.tangents is None:
            raise Lost(str(outcome))
        point, slopes, pushes = self.observed(last.kernel, path.final_state)
        columns = slopes @ path.tangents.final
        if along is not None:
            columns[:, -1] += pushes[:, last.kernel.parameters.index(along)]
        by_state = columns[:, : tangent.shape[1]] @ tangent.T
        whole = by_state if along is None else np.column_stack([by_state, columns[:, -1]])
        return End(point, whole, slopes @ self.rate(last.kernel, path.final_state))

    def states_at(
        self, kernel: SystemKernel, state: Numbers, times: Numbers, method: Method = COARSE
    ) -> list[tuple[InitialValue, Numbers]]:
        """States at some times of the motion, each in the speeds that serve there; without tangents."""
        problem = replace(self.problem, initial=self.initial(kernel, state), time=0.0)
        until = float(times[-1])
        sources = sources_of(problem, method, until, None)
        pieces, _, outcome = pieces_of(problem, method, until, times, [], None, sources)
        if outcome.kind != "reached":
            raise Lost(str(outcome))
        return [(initial, path.states) for initial, path in pieces]


def carrier_of(flow: Flow, system: Any, at: Any, parameters: Any) -> tuple[Carrier, InitialValue]:
    """What moves a system, and its start."""
    refuse_switching(system, "orbit")
    problem = problem_of(system, at, parameters, "hamel", dict.fromkeys(flow.idle, 0.0))
    if problem.formulation is None:
        raise StateError(f"{problem.name}: orbits need a System, not equations by hand.")
    still = replace(problem, inputs=flow.rest[: len(problem.initial.kernel.inputs)].tolist())
    return Carrier(still, flow), problem.initial
