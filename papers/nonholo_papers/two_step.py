"""Two-step schemes as maps of their own state: the position and the outgoing momentum, equivalent to two positions.

A restart from position and velocity has to choose the second position, so that twenty steps, a restart and twenty steps back do
not return to the start, although the two-step map is reversible. Here the step equations of the loops are solved with the
outgoing momentum as part of the state. The step back leaves a node with the momentum that arrived there,
``p⁻ = 2 ∂L/∂q̇(q, v) − p⁺`` (see `nonholo.compile.schemes.gni`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.compile.implicit_step import StepCode, step_code
from nonholo.compile.kernel import input_symbols
from nonholo.compile.schemes import scheme_named
from nonholo.derive.discrete_covectors import AT_NODES
from nonholo.derive.equations import Equations
from nonholo.derive.mass_and_force import covectors_of
from nonholo.integrate.methods import method
from nonholo.integrate.motion.simulate import simulate
from nonholo.model.system import System, parameter_values
from nonholo.program.machine_code import MachineCode, machine_code


@dataclass(frozen=True)
class State:
    """Position, admissible velocity and ``p⁺``."""

    q: Numbers
    v: Numbers
    leaving: Numbers


@dataclass(frozen=True)
class TwoStep:
    """A scheme with a memory, as a map of its states; ``values`` are those of the system's parameters."""

    equations: Equations
    code: StepCode
    momenta: MachineCode
    values: tuple[float, ...]

    def arriving(self, state: State) -> Numbers:
        """``p⁻``."""
        found: Numbers = 2 * self.momenta(np.concatenate([[0.0], state.q, state.v, self.values])) - state.leaving
        return found

    def begun(self, q: Numbers, v: Numbers, h: float) -> State:
        """What a motion starts with that knows position and velocity alone."""
        row = self._row(h, q, v, np.zeros(len(q)))
        return State(q, v, self.code.first(row))

    def after(self, state: State, h: float) -> State:
        """One step by Newton's method."""
        row, count, n = self._row(h, state.q, state.v, state.leaving), self.code.unknowns, len(state.q)
        row[self.code.width - count :] = self.code.guess(row)
        for _ in range(30):
            whole = np.concatenate([row, self.code.constants(row)]) if self.code.constants.outputs else row
            answer = self.code.newton(whole)
            slopes, gap = answer[count : count * (count + 1)].reshape(count, count), answer[count * (count + 1) :]
            change = np.linalg.solve(slopes, gap)
            row[self.code.width - count :] -= change
            if np.max(np.abs(change)) < 1e-15:
                break
        found = self.code.change(row)
        return State(state.q + found[:n], state.v + found[n : 2 * n], found[2 * n :])

    def _row(self, h: float, q: Numbers, v: Numbers, memory: Numbers) -> Numbers:
        names = [str(s) for s in (*self.equations.coordinates, *self.equations.speeds)]
        given = dict(zip(map(str, self.equations.parameters), self.values))
        rates = self.equations.rates(dict(zip(names, np.concatenate([q, v]).tolist())), given)
        slope = [rates[n] for n in names]
        return np.concatenate([[h, 0.5, 0.0], q, v, slope, memory, self.values, np.zeros(self.code.unknowns)])


def two_step(system: System, name: str) -> TwoStep:
    """The scheme of a name for a system without inputs."""
    equations = AT_NODES[scheme_named(name).covectors](system, name)
    momenta = machine_code(input_symbols(equations), list(covectors_of(equations).momenta), f"{system.name}: momenta", 0)
    known = parameter_values(system, None)
    values = tuple(known[n] for n in map(str, equations.parameters))
    return TwoStep(equations, step_code(equations, name), momenta, values)


def returned(system: System, by: str, h: float, steps: int, turned: bool) -> float:
    """So many steps, as many back (with reversed velocities if ``turned``, else with −h): how far from the start."""
    one = two_step(system, method(by, step=h).principle)
    start = simulate(system, until=1e-9, t_eval=[0.0], progress=False)
    q0, v0 = (np.array([float(start[n][0]) for n in names]) for names in (system.coordinates, system.velocities))
    state = one.begun(q0, v0, h)
    for _ in range(steps):
        state = one.after(state, h)
    sign = -1.0 if turned else 1.0
    state = State(state.q, sign * state.v, sign * one.arriving(state))
    for _ in range(steps):
        state = one.after(state, h if turned else -h)
    return float(max(np.max(np.abs(state.q - q0)), np.max(np.abs(sign * state.v - v0))))
