"""The horizontal lift of shape velocities: admissible, orthogonal to the symmetric admissible directions, in exact numbers.

Of all admissible velocities with a given shape velocity the horizontal one has the least kinetic energy, so that it solves

    [[G, Aᵀ, Eᵀ], [A, 0, 0], [E, 0, 0]] (q̇, λ, μ) = (0, 0, ṙ)

with the metric G, the constraints A q̇ = 0 and E q̇ = ṙ. Nothing of a reduction is needed, only the names of the shape variables.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.compile.rates_jacobian import jacobian_code
from nonholo.derive.chart_coordinates import in_chart
from nonholo.errors import ModelError, meant
from nonholo.geometry.frames.frame import rate
from nonholo.model.system import System, parameter_values, resolve
from nonholo.model.velocities.admissible import constraint_rows
from nonholo.program.machine_code import MachineCode

Array = NDArray[np.float64]
SINGULAR = 1e10
"""A lift this large has no value: the shape cannot change so."""


@dataclass(frozen=True, eq=False)
class HorizontalLift:
    """Shape velocity -> velocity of all coordinates, as a function of the configuration."""

    system: System
    shape: tuple[str, ...]
    numbers: tuple[float, ...]
    code: MachineCode
    """Metric and constraints by rows, then their derivatives by the coordinates."""
    rows: int

    @property
    def coordinates(self) -> tuple[str, ...]:
        """All coordinates, in the order of the system."""
        return self.system.coordinates

    @cached_property
    def identity(self) -> Array:
        """A configuration whose shape is asked about: zeros, or the system's start where zeros break relations of coordinates."""
        start = self.system.start if self.system.holonomic else {}
        return np.array([float(start.get(c, 0.0)) for c in self.coordinates])

    @property
    def others(self) -> tuple[str, ...]:
        """The coordinates that are no shape variables."""
        return tuple(c for c in self.coordinates if c not in self.shape)

    def bordered(self, q: Array) -> tuple[Array, Array]:
        """The bordered matrix and its derivatives by each coordinate."""
        n, r, k = len(self.coordinates), self.rows, len(self.shape)
        found = np.asarray(self.code([*q.tolist(), *self.numbers]))
        count = n * n + r * n
        table = np.concatenate([found[:count, None], found[count:].reshape(count, n)], axis=1)
        whole = np.zeros((1 + n, n + r + k, n + r + k))
        metric, forms = table[: n * n].T.reshape(1 + n, n, n), table[n * n :].T.reshape(1 + n, r, n)
        whole[:, :n, :n] = metric
        whole[:, n : n + r, :n] = forms
        whole[:, :n, n : n + r] = forms.transpose(0, 2, 1)
        for a, name in enumerate(self.shape):
            i = self.coordinates.index(name)
            whole[0, n + r + a, i] = whole[0, i, n + r + a] = 1.0
        return whole[0], whole[1:]

    def at(self, q: Array) -> Array:
        """The lift at a configuration: column a is the velocity for a unit rate of shape variable a."""
        matrix, _ = self.bordered(q)
        return self.solved(matrix)[: len(self.coordinates)]

    def curvature(self, q: Array) -> Array:
        """``[h_a, h_b]`` in all coordinates, (a, b, coordinate): exact, by differentiating the linear equations."""
        n = len(self.coordinates)
        matrix, slopes = self.bordered(q)
        full = self.solved(matrix)
        moved = np.array([-np.linalg.lstsq(matrix, slope @ full, rcond=None)[0][:n] for slope in slopes])
        lift = full[:n]
        along = np.einsum("ia,inb->abn", lift, moved)
        return np.asarray(along - along.transpose(1, 0, 2))

    def solved(self, matrix: Array) -> Array:
        """The lift with its multipliers from the bordered matrix; not a number where a shape variable cannot change."""
        k = len(self.shape)
        right = np.zeros((len(matrix), k))
        right[len(matrix) - k :] = np.eye(k)
        try:
            found = np.linalg.solve(matrix, right)
        except np.linalg.LinAlgError:
            found = np.full_like(right, np.inf)
        if np.max(np.abs(found)) > SINGULAR:  # dependent constraints, which least squares solves, or a singular shape
            found = np.linalg.lstsq(matrix, right, rcond=1 / SINGULAR)[0]
            found[:, np.max(np.abs(matrix @ found - right), axis=0) > 1e-6] = np.nan
        return np.asarray(found)


def horizontal_lift(system: System, shape: Sequence[str], parameters: Mapping[str, float] | None = None) -> HorizontalLift:
    """The lift of the shape variables of a system with linear constraints."""
    plain = in_chart(system)
    for name in shape:
        if name not in plain.coordinates:
            near = meant(name, plain.coordinates, f"it has {', '.join(plain.coordinates)}.")
            raise ModelError(f"{system.name}: no coordinate is called {name!r} that could be a shape variable; {near}")
    numbers = parameter_values(system, parameters)
    v = symbols(rate(c) for c in plain.coordinates)
    (lagrangian,) = resolve(plain, [plain.lagrangian])
    metric = jacobian(tuple(lagrangian.diff(s) for s in v), v)
    rows = constraint_rows(plain)
    exprs = [e for row in (*metric, *rows.slopes) for e in row]
    if any(set(v) & e.free_symbols for e in exprs):
        raise ModelError(f"{system.name}: gaits need linear constraints and an energy that is quadratic in the velocities.")
    names = (*symbols(plain.coordinates), *symbols(system.parameters))
    code = jacobian_code(names, exprs, symbols(plain.coordinates), f"{system.name}: horizontal lift")
    return HorizontalLift(plain, tuple(shape), tuple(numbers[n] for n in system.parameters), code, len(rows.slopes))
