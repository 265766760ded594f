"""An expression that vanishes where the velocity constraints lose rank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import numpy as np
import symengine as se

from nonholo.algebra.cache import WeakCache
from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import Matrix, dot, evaluate_matrix, transpose
from nonholo.model.system import System
from nonholo.model.velocities.admissible import admissible, constraint_rows, samples_of

MOST = 4
"""Determinants of more rows than this are not written out."""
FAINT = 1e-9


@dataclass(frozen=True)
class Loss:
    """Rows that a motion needs to be independent, and an expression whose sign changes where they cease to be.

    The rows are ``∂φ/∂v`` for constraints ``φ = 0``, or the virtual velocities ``∂ψ/∂z`` for velocities by parameters.
    """

    rows: Matrix
    passing: Expr

    def smallest(self, state: Mapping[str, float], scale: Sequence[float]) -> float:
        """The smallest singular value of the rows at a state, each divided by its scale."""
        numbers = evaluate_matrix(self.rows, state)
        return float(np.linalg.svd(numbers / np.array(scale)[:, None], compute_uv=False)[-1])

    def scale(self, state: Mapping[str, float]) -> list[float]:
        """The lengths of the rows at a state."""
        return [float(n) or 1.0 for n in np.linalg.norm(evaluate_matrix(self.rows, state), axis=1)]


_LOSS: WeakCache[Loss | None] = WeakCache(64)


def rank_loss(system: System) -> Loss | None:
    """What tells where the constraints lose their rank; None where they are not known to do so anywhere.

    Constraints that are not linear in the velocities may (as ``ż² = k²(ẋ² + ẏ²)`` does at rest), and linear ones whose
    slopes vanish where a coordinate, or all of them, are zero. With the rows ``A`` and fixed numbers ``C`` the expression is
    ``det(A C)``: it vanishes with the rank, and elsewhere only by chance.

    >>> machine = System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
    ...     constraints=["zdot**2 - xdot**2 - ydot**2"])
    >>> loss = rank_loss(machine)
    >>> loss.smallest({"xdot": 0.0, "ydot": 0.0, "zdot": 0.0}, [1.0])
    0.0
    >>> rank_loss(System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", constraints=["xdot - 2*ydot"])) is None
    True
    """
    return _LOSS.get(system, lambda: _loss(system))


def _loss(system: System) -> Loss | None:
    if system.parametric is not None:
        found = admissible(system)
        rows: Matrix = transpose(found.basis)
        bent = any(e.free_symbols & set(found.speeds) for row in rows for e in row)
    else:
        table = constraint_rows(system)
        rows, bent = table.slopes, not table.linear
    if not 0 < len(rows) <= MOST or not (bent or _vanishing(system, rows)):
        return None
    random = np.random.default_rng(11)
    numbers = random.uniform(0.5, 1.5, (len(rows[0]), len(rows))) * random.choice([-1, 1], (len(rows[0]), len(rows)))
    weights = [[se.RealDouble(round(float(e), 6)) for e in column] for column in numbers.T]
    product = [[dot(row, column) for column in weights] for row in rows]
    return Loss(rows, _determinant(product))


def _vanishing(system: System, rows: Matrix) -> bool:
    """Whether slopes become dependent where one of the coordinates in them, or all, are zero."""
    used = {s for row in rows for e in row for s in e.free_symbols}
    bent = {s for e in system.frame.relations for s in e.free_symbols}
    names = [str(s) for s in symbols(system.coordinates) if s in used and s not in bent]
    if not names:
        return False
    place = samples_of(system)[1]
    for zeros in ([n] for n in names) if len(names) == 1 else [*([n] for n in names), names]:
        numbers = evaluate_matrix(rows, {**place, **dict.fromkeys(zeros, 0.0)})
        if not np.all(np.isfinite(numbers)):
            continue
        if np.linalg.matrix_rank(numbers, tol=FAINT) < len(rows):
            return True
    return False


def _determinant(square: Sequence[Sequence[Expr]]) -> Expr:
    size = range(len(square))
    total = ZERO
    for order in permutations(size):
        sign = round(float(np.linalg.det(np.eye(len(square))[list(order)])))
        term: Expr = se.Integer(sign)
        for i in size:
            term = term * square[i][order[i]]
        total += term
    return total
