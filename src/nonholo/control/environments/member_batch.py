"""Many members of one system, moved by equal Runge–Kutta steps side by side, and texts in its names on all of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.compile.lane_steps import LaneSteps, lane_steps
from nonholo.errors import StateError, meant
from nonholo.integrate.loops.compilation.vector_instructions import LANES
from nonholo.integrate.model import Model
from nonholo.integrate.motion.system_kernel import on_rows
from nonholo.model.system import finite
from nonholo.program.machine_code import MachineCode

Start = Mapping[str, float | tuple[float, float]]
DEGENERATE = 1e-2
"""Below this part of its condition at the start the frame has degenerated: the chosen speeds hardly describe the motion."""
CORRECTIONS = 3
"""Gauss–Newton corrections onto the holonomic constraints after a start is drawn; one after each step."""


class MemberBatch:
    """States of many members; a state or input that is not a number, or a singular mass matrix, ends a member.

    ``degenerate`` says which members have come where the frame of the equations degenerates (seen after each step).
    """

    def __init__(self, model: Model, members: int, start: Start) -> None:
        self.model, self.members = model, members
        self.kernel = model.kernel
        self.size, self.driving = len(model.names), len(model.inputs)
        numbers = np.array([model.parameters[n] for n in self.kernel.parameters])
        self._steps: LaneSteps | None = None
        if self.kernel.symmetric and not self.kernel.equations.unknowns:
            self._steps = lane_steps(self.kernel, LANES)
            self._blocks = self._steps.blocks(members, numbers)
            self._worst = np.ones((len(self._blocks), LANES))
        self.rows = np.zeros((members, len(self.kernel.symbols)))
        self.rows[:, 1 + self.size + self.driving :] = numbers
        self._home = np.array([model._full_start[n] for n in model.names])
        self._drawn = self._read(start)
        self.failed = np.zeros(members, dtype=bool)
        self.degenerate = np.zeros(members, dtype=bool)
        self._least = DEGENERATE * model._home.condition if self.kernel.guard else None

    def _read(self, start: Start) -> list[tuple[int, float, float]]:
        """State variables that a start gives: their place and range."""
        found = []
        for name, given in start.items():
            if name not in self.model.names:
                near = meant(name, self.model.names, f"it has {', '.join(self.model.names)}.")
                raise StateError(f"{self.model.system.name}: environment: no state variable is called {name!r}; {near}")
            pair = given if isinstance(given, (tuple, list)) else (given, given)
            low, high = (finite(e, f"{self.model.system.name}: start of {name}") for e in pair)
            found.append((self.model.names.index(name), low, high))
        return found

    @property
    def states(self) -> Numbers:
        """The states, (member, variable)."""
        return self.rows[:, 1 : 1 + self.size]

    def reset(self, which: NDArray[np.bool_], random: np.random.Generator) -> None:
        """Draw starts of some members: the system's own, with what is given a range drawn from it."""
        count = int(np.count_nonzero(which))
        table = np.tile(self._home, (count, 1))
        for place, low, high in self._drawn:
            table[:, place] = random.uniform(low, high, count) if low < high else low
        rows = self.rows[which]
        rows[:, 0], rows[:, 1 : 1 + self.size], rows[:, 1 + self.size : 1 + self.size + self.driving] = 0.0, table, 0.0
        for _ in range(CORRECTIONS):
            rows = self._projected(rows)
        self.rows[which] = rows
        self.failed[which] = self.degenerate[which] = False

    def advance(self, actions: Numbers, every: float, steps: int) -> None:
        """Move all members by ``every`` under held inputs, in ``steps`` equal steps."""
        at = 1 + self.size
        self.rows[:, at : at + self.driving] = actions
        if self._steps is None:
            moved = self.model.step_many(self.states, every, actions, float(self.rows[0, 0]))
            self.rows[:, 0] += every
            self.rows[:, 1:at] = moved
        else:
            self._load(at + self.driving)
            self._worst[:] = 1.0
            self._steps(self._blocks, self._worst, steps, every / steps)
            self._store(at)
            self.failed |= self._worst.ravel()[: self.members] <= 0.0
        self.rows = self._projected(self.rows)
        self.failed |= ~np.isfinite(self.rows[:, :at].sum(axis=1))
        if self._least is not None:  # motions change the frame there, members cannot
            condition = np.nan_to_num(on_rows(self.kernel.conditions, self.rows)[:, 0])
            self.degenerate |= (condition < self._least) | self.failed
            self.failed &= ~self.degenerate

    def _load(self, width: int) -> None:
        """Members into lanes; the last lanes repeat the last member."""
        whole = self.members // LANES
        table = self._blocks[:, :width]
        table[:whole] = self.rows[: whole * LANES, :width].reshape(whole, LANES, width).transpose(0, 2, 1)
        if whole < len(self._blocks):
            left = self.rows[whole * LANES :, :width]
            table[whole] = np.vstack([left, np.repeat(left[-1:], LANES - len(left), axis=0)]).T

    def _store(self, width: int) -> None:
        flat = self._blocks[:, :width].transpose(0, 2, 1).reshape(-1, width)
        self.rows[:, :width] = flat[: self.members]

    def _projected(self, rows: Numbers) -> Numbers:
        """One correction onto the invariants: coordinates obey those of the coordinates, speeds the others."""
        kernel = self.kernel
        if not kernel.invariants or not len(rows):
            return rows
        count, n = len(kernel.invariants), self.size
        found = on_rows(kernel.residuals, rows)
        gaps, slopes = found[:, :count], found[:, count:].reshape(-1, count, n)
        first = len(kernel.equations.coordinates)
        for held, part in ((slice(0, kernel.positions), slice(0, first)), (slice(kernel.positions, count), slice(first, n))):
            if held.start < held.stop:
                j = slopes[:, held, part]
                normal = j @ j.transpose(0, 2, 1)
                good = np.isfinite(normal).all(axis=(1, 2)) & (np.abs(np.linalg.det(np.nan_to_num(normal))) > 0)
                weights = np.linalg.solve(normal[good], gaps[good][:, held, None])
                change = (j[good].transpose(0, 2, 1) @ weights)[:, :, 0]
                rows[np.ix_(np.flatnonzero(good), np.arange(1 + part.start, 1 + part.stop))] -= change
        return rows

    def code(self, texts: Sequence[Any], where: str) -> MachineCode:
        """Texts in any names of the system as one function of the rows."""
        return self.kernel.code(tuple(texts), where)

    def values(self, code: MachineCode) -> Numbers:
        """The values of such a function on all members."""
        return on_rows(code, self.rows)
