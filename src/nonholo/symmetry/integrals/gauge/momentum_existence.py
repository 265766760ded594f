"""Decide numerically whether momenta with coefficients of one variable can exist."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.polynomial import chebyshev

from nonholo.errors import NonholoError
from nonholo.symmetry.integrals.gauge.gauge_variable import Variable
from nonholo.symmetry.integrals.gauge.prolongation import at, conditions, states_at
from nonholo.symmetry.integrals.momentum_rates import Field, Momenta, states, table

HALF = 0.06
"""Half the length of the interval."""
DEGREE = 9
NODES = 14
CLEAR = 1e-6
"""What fits worse than this is no solution: functions with singularities no nearer than 1 fit to 1e-10."""


@dataclass(frozen=True)
class Fit:
    """How well ``Σ f_k(s) P_k`` can be constant near ``s = at`` with polynomials ``f_k``: 0 for a solution.

    A momentum that is constant along one of the fields is no news and not counted.
    """

    at: float
    residual: float

    @property
    def none(self) -> bool:
        """Whether there is clearly no solution."""
        return self.residual > CLEAR


def best_fit(found: Momenta, fields: Sequence[Field], variable: Variable) -> Fit | None:
    """The least relative residual of ``f' ṡ P + f Ṗ = 0`` at random states near one value; None where these are too much work.

    >>> from nonholo.model.system import System
    >>> from nonholo.symmetry.integrals.gauge.gauge_variable import variable_of
    >>> from nonholo.symmetry.integrals.momentum_rates import momenta
    >>> import symengine as se
    >>> def least(potential):
    ...     energy = f"(xdot**2 + ydot**2 + zdot**2)/2 - {potential}"
    ...     one = System(coordinates="x y z", lagrangian=energy, constraints=["zdot - y*xdot"])
    ...     found = momenta(one)
    ...     return best_fit(found, [(se.Integer(1), se.Integer(0)), (se.Integer(0), se.Integer(1))], variable_of(one, "y"))
    >>> least("y**2/2").none, least("x**2*y/2").none
    (False, True)
    """
    if found.system.holonomic:
        return None  # every state would have to be brought to the leaf: more work than it saves
    _, columns = conditions(found, fields, variable)
    count = len(columns) // 2
    try:
        place = states(found, 1, seed=900)[0]
        fixed = {n: place[n] for n in found.system.parameters}
        middle = at(variable, place)
        nodes = np.cos(np.pi * (np.arange(NODES) + 0.5) / NODES)
        rows = [_rows(found, columns, fixed, variable, middle, float(x), count, k) for k, x in enumerate(nodes)]
    except NonholoError:
        return None
    matrix = np.concatenate(rows)
    matrix = matrix[np.all(np.isfinite(matrix), axis=1)]
    if len(matrix) < matrix.shape[1] + 4:
        return None
    size = np.linalg.norm(matrix, axis=0)
    asked = size > 1e-12 * np.max(size)  # the others are constants along fields with constant momenta, which are known
    values = np.linalg.svd(matrix[:, asked] / size[asked], compute_uv=False)
    return Fit(middle, float(values[-1] / values[0]))


def _rows(
    found: Momenta,
    columns: Sequence[Any],
    fixed: dict[str, float],
    variable: Variable,
    middle: float,
    x: float,
    count: int,
    seed: int,
) -> Any:
    """One row for each state at ``s = middle + HALF x``, one column for each coefficient of each polynomial."""
    spots = states_at(found, 2 * count + 4, fixed, variable, middle + HALF * x, seed=1000 + seed)
    numbers = np.asarray(table(found, columns, spots), dtype=float)
    size = np.max(np.abs(numbers), axis=1, keepdims=True)
    numbers = numbers / np.where(size > 0, size, np.nan)  # a row of zeros says nothing
    powers = np.eye(DEGREE + 1)
    value = np.array([chebyshev.chebval(x, p) for p in powers])
    slope = np.array([chebyshev.chebval(x, chebyshev.chebder(p)) for p in powers]) / HALF
    both = numbers[:, :count, None] * slope + numbers[:, count:, None] * value
    return both.reshape(len(numbers), -1)
