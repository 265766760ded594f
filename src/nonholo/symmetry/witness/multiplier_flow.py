"""Motions by Lagrange's equations with multipliers, in NumPy alone: many states at once, Runge–Kutta steps by count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import symengine as se

from nonholo.algebra.calculus import jacobian, larger_than, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr, Numbers, Symbol
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.derive.chart_coordinates import in_chart
from nonholo.derive.laws.check import random_states
from nonholo.derive.multipliers import multipliers
from nonholo.geometry.frames.frame import own_chart
from nonholo.model.system import TIME, System
from nonholo.model.velocities.admissible import constraint_rows

Rows = Callable[[Numbers], Numbers]
LONGEST = 6000
"""Equations with more nodes than this are not tried: each step would cost too much."""
STEPS = 12
"""Runge–Kutta steps of a short motion; twice as many tell its error."""
SPAN = 0.25
"""Length of a short motion, in units of the time in which the state changes by its own size."""


NEAR = 6
"""So many random configurations from which a chart's coordinates are sought."""


class NoTrial(Exception):
    """No comparison is possible: the equations are too long, singular, or driven by inputs."""


class Carried(NamedTuple):
    """States after a short motion, and how far steps of twice the length would be from them."""

    states: Numbers
    error: float


class MultiplierFlow:
    """The flow of the multiplier form on rows ``(q, q̇, t)``, in the frame's chart where it has one.

    For a Lie algebra alone the rows are ``(w, t)``: the chart is exact at the identity, where ẇ is taken.
    """

    def __init__(self, system: System, values: Mapping[str, float]) -> None:
        if system.inputs or system.parametric is not None:
            raise NoTrial("inputs act on the motion, or the velocities are parametric")
        equations = multipliers(system)
        flat = [e for row in equations.mass for e in row] + list(equations.force)
        if larger_than(flat, LONGEST):
            raise NoTrial("its equations are too long")
        self.system, self.equations, self.plain = system, equations, in_chart(system)
        self.algebra = not system.coordinates
        self.q, self.v = equations.coordinates, equations.speeds
        self.size = len(self.v) if self.algebra else len(self.q) + len(self.v)
        self.values = {n: float(values[n]) for n in system.parameters}
        self._whole = self._function([*flat, *equations.kinematics])
        if self.algebra:
            outputs = self.in_chart(symbols(system.velocities))
            self._slopes = self._function([e for row in jacobian(outputs, (*self.q, *self.v)) for e in row])

    def in_chart(self, exprs: Sequence[Expr]) -> tuple[Expr, ...]:
        """Expressions in the system's names, as expressions of the chart's state."""
        return substitute(exprs, {symbol(n): e for n, e in self.equations.outputs.items()})

    def _function(self, exprs: Sequence[Expr]) -> Rows:
        arguments: tuple[Symbol, ...] = (*self.q, *self.v, TIME, *symbols(self.system.parameters))
        made = numeric_function(arguments, [*exprs, se.Integer(1)], "tape")
        rest = np.array([self.values[n] for n in self.system.parameters])

        def at(rows: Numbers) -> Numbers:
            full = np.hstack([self._placed(rows), np.tile(rest, (len(rows), 1))])
            with np.errstate(all="ignore"):
                return np.asarray(made(full), dtype=float).reshape(len(rows), -1)[:, :-1]

        return at

    def _placed(self, rows: Numbers) -> Numbers:
        return np.hstack([np.zeros((len(rows), len(self.q))), rows]) if self.algebra else rows

    def observed(self, exprs: Sequence[Expr]) -> Rows:
        """Expressions in the system's names, or the chart's, as numbers: one row for each state."""
        return self._function(self.in_chart([se.sympify(e) for e in exprs]))

    def rates(self, rows: Numbers) -> Numbers:
        """The rates of the rows, with 1 for the time."""
        count, k = len(rows), len(self.equations.mass)
        numbers = self._whole(rows)
        mass, force = numbers[:, : k * k].reshape(count, k, k), numbers[:, k * k : k * k + k]
        if not np.all(np.isfinite(numbers)):
            raise NoTrial("the motion meets a singular state")
        try:
            pull = np.linalg.solve(mass, force[:, :, None])[:, : len(self.v), 0]
        except np.linalg.LinAlgError:
            raise NoTrial("the motion meets a singular state") from None
        steps = numbers[:, k * k + k :]
        if self.algebra:
            slopes = self._slopes(rows).reshape(count, self.size, -1)
            return np.hstack([np.einsum("aij,aj->ai", slopes, np.hstack([steps, pull])), np.ones((count, 1))])
        return np.hstack([steps, pull, np.ones((count, 1))])

    def starts(self, count: int, seed: int) -> Numbers:
        """Random admissible states as rows; states of the multiplier form have its own names."""
        names = [*map(str, self.system.velocities)] if self.algebra else [*map(str, self.q), *map(str, self.v)]
        return np.array([
            [float(place.values[n]) for n in names] + [float(place.values.get("t", 0.0))]
            for place in random_states(self.system, self.values, count, seed)
        ])  # fmt: skip

    @cached_property
    def _near(self) -> Numbers:
        """From where the chart's coordinates of a state are sought."""
        return self.starts(NEAR, 53)

    def span(self, rows: Numbers) -> float:
        """How long a short motion from these rows is."""
        speed = np.max(np.abs(self.rates(rows))[:, :-1]) / (1.0 + np.max(np.abs(rows[:, :-1])))
        return SPAN / (1.0 + float(speed))

    def steps(self, rows: Numbers, span: float, count: int) -> list[Numbers]:
        """The rows after each step of the classical Runge–Kutta method, the first ones included."""
        h, path = span / count, [rows]
        for _ in range(count):
            path.append(runge_kutta_step(self.rates, path[-1], h))
        return path

    def carried(self, rows: Numbers, span: float, count: int = STEPS) -> Carried:
        """The rows after a motion of this length."""
        fine, coarse = self.steps(rows, span, 2 * count)[-1], self.steps(rows, span, count)[-1]
        return Carried(fine, float(np.max(np.abs(fine - coarse))) / (1.0 + float(np.max(np.abs(fine)))))

    def held(self, rows: Numbers) -> Numbers:
        """All residuals that vanish at an admissible state: holonomic constraints, their rates, velocity constraints."""
        return self._held[0](rows)

    def held_slopes(self, rows: Numbers) -> Numbers:
        """Their slopes along the state: one matrix for each row."""
        return self._held[1](rows).reshape(len(rows), -1, self.size)

    @cached_property
    def _held(self) -> tuple[Rows, Rows]:
        held = [*self.plain.holonomic, *constraint_rows(self.plain).residuals]
        state = self.v if self.algebra else (*self.q, *self.v)
        return self._function(held), self._function([e for row in jacobian(held, state) for e in row] if held else [])

    def onto_constraints(self, rows: Numbers) -> Numbers:
        """The rows put back on the constraints by Newton's method."""
        for _ in range(6):
            gap = self.held(rows)
            if not gap.size:
                return rows
            change = np.einsum("aij,aj->ai", np.linalg.pinv(self.held_slopes(rows)), gap)
            rows = np.hstack([rows[:, :-1] - change, rows[:, -1:]])
        return rows

    def tangents(self, row: Numbers) -> Numbers:
        """An orthonormal basis of the admissible directions at a state, as columns."""
        slopes = self.held_slopes(row)[0]
        rank = int(np.linalg.matrix_rank(slopes, 1e-9)) if len(slopes) else 0
        return np.asarray(np.linalg.svd(slopes)[2][rank:].T if rank else np.eye(self.size))

    def embedding(self) -> tuple[Expr, ...]:
        """The system's coordinates as functions of the chart's."""
        return self.in_chart(symbols(self.system.coordinates))

    def fields(self, fields: Sequence[Sequence[Expr]]) -> Rows:
        """Fields on the system's coordinates as numbers: one row for each configuration, field after field."""
        arguments = (*symbols(self.system.coordinates), *symbols(self.system.parameters))
        made = numeric_function(arguments, [*(e for field in fields for e in field), se.Integer(1)], "lambda")
        rest = np.array([self.values[n] for n in self.system.parameters])

        def at(places: Numbers) -> Numbers:
            with np.errstate(all="ignore"):
                whole = np.hstack([places, np.tile(rest, (len(places), 1))])
                found = np.asarray(made(whole), dtype=float).reshape(len(places), -1)[:, :-1]
            if not np.all(np.isfinite(found)):
                raise NoTrial("the field is singular there")
            return found

        return at

    def row_of(self, state: Mapping[str, float]) -> Numbers:
        """A state that is given by name, in the chart or in the system's own coordinates and velocities, as a row at t = 0."""
        names = [*self.system.velocities] if self.algebra else [*map(str, self.q), *map(str, self.v)]
        if all(n in state for n in names):
            return np.array([[*(float(state[n]) for n in names), float(state.get("t", 0.0))]])
        if self.algebra or any(n not in state for n in (*self.system.coordinates, *self.system.velocities)):
            raise NoTrial("the state is not given in the chart")
        wanted = np.array([[float(state[n]) for n in self.system.coordinates]])
        for near in self._near:
            try:
                q = self.onto_chart(wanted, near[None, : len(self.q)])
            except NoTrial:
                continue
            speeds = self.in_chart(symbols(self.system.velocities))
            flat = [*speeds, *(e for row in jacobian(speeds, self.v) for e in row)]
            found = self._function(flat)(np.hstack([q, np.zeros((1, len(self.v) + 1))]))[0]
            gap = np.array([float(state[n]) for n in self.system.velocities]) - found[: len(speeds)]
            v = np.linalg.lstsq(found[len(speeds) :].reshape(len(speeds), -1), gap, rcond=None)[0]
            return np.hstack([q, v[None], np.zeros((1, 1))])
        raise NoTrial("the chart does not reach the state")

    def onto_chart(self, wanted: Numbers, near: Numbers) -> Numbers:
        """Chart coordinates of configurations ``wanted`` in the system's coordinates, by Newton's method from ``near``."""
        chart = self.embedding()
        if tuple(chart) == tuple(self.q):
            return wanted
        value, slope = self._function(chart), self._function([e for row in jacobian(chart, self.q) for e in row])
        n, q = len(self.q), near.copy()
        for _ in range(12):
            rows = np.hstack([q, np.zeros((len(q), len(self.v) + 1))])
            gap = value(rows) - wanted
            slopes = slope(rows).reshape(len(q), -1, n)
            if np.any(np.linalg.matrix_rank(slopes, 1e-6) < n):
                raise NoTrial("the coordinates do not determine those of the chart")
            inverse = np.linalg.pinv(slopes)
            q = q - np.einsum("aij,aj->ai", inverse, gap)
        rows = np.hstack([q, np.zeros((len(q), len(self.v) + 1))])
        if not np.max(np.abs(value(rows) - wanted), initial=0.0) < 1e-6:
            raise NoTrial("the chart does not reach the moved motion")
        return q


def runge_kutta_step(slope: Rows, y: Numbers, h: float) -> Numbers:
    """One step of the classical Runge–Kutta method."""
    one = slope(y)
    two = slope(y + h / 2 * one)
    three = slope(y + h / 2 * two)
    return y + h / 6 * (one + 2 * two + 2 * three + slope(y + h * three))


def pushed(slope: Rows, places: Numbers, span: float, count: int) -> Numbers:
    """Configurations after the flow of a field, by Runge–Kutta steps."""
    for _ in range(count):
        places = runge_kutta_step(slope, places, span / count)
    return places


def volume_factor(flow: MultiplierFlow) -> Expr:
    """``|det ∂w/∂q̇|``: the frame's own volume in the chart; 1 in plain coordinates."""
    system = flow.system
    if system.frame.plain or not system.frame.relations:
        return se.Integer(1)  # densities are those of dx dz there
    chart = own_chart(system.frame)
    rates = symbols(f"{n}dot" for n in chart.names)
    matrix: Any = se.Matrix([[se.sympify(e).diff(r) for r in rates] for e in chart.velocities])
    return matrix.det() if matrix.rows else se.Integer(1)
