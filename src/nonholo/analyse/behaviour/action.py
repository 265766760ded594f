"""The symmetry as motions of whole states: ``w = (x, ẋ)`` is moved by affine maps, whatever speeds a motion is computed in.

Where the frame's velocities do not follow from the rates (a Lie algebra alone, the vertical of a top) they stand in w too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.kinds import Expr
from nonholo.algebra.linear import evaluate, evaluate_matrix
from nonholo.analyse.behaviour.flow import Flow
from nonholo.errors import ModelError
from nonholo.geometry.frame import sample
from nonholo.integrate.one.derived import Derived
from nonholo.model.system import System
from nonholo.symmetry.reduction.action import lift
from nonholo.symmetry.vectors import components

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Action:
    """Generators as matrices on ``(w, 1)``; a motion of the group is ``exp(Σ s_a H_a)``.

    >>> shift = Action(("shift",), np.array([[[0.0, 1.0], [0.0, 0.0]]]))
    >>> shift.moved(np.array([2.5]), np.array([1.0])).tolist()
    [3.5]
    """

    names: tuple[str, ...]
    matrices: Numbers
    """(generators, d + 1, d + 1)"""
    dropped: tuple[str, ...] = ()
    """Symmetries that are no affine maps and are left out."""

    def __len__(self) -> int:
        return len(self.names)

    def generator(self, amounts: Numbers) -> Numbers:
        """``Σ s_a H_a``."""
        return np.asarray(np.einsum("a,aij->ij", amounts, self.matrices))

    def matrix(self, amounts: Numbers) -> Numbers:
        """``exp(Σ s_a H_a)``."""
        from scipy.linalg import expm

        return np.asarray(expm(self.generator(amounts)))

    def moved(self, amounts: Numbers, point: Numbers) -> Numbers:
        """Where a point is moved."""
        if not len(self):
            return point.copy()
        return np.asarray((self.matrix(amounts) @ np.append(point, 1.0))[:-1])

    def swept(self, amounts: Numbers, point: Numbers) -> Numbers:
        """`moved` by the power series, for small amounts."""
        matrix, term = self.generator(amounts), np.append(point, 1.0)
        parts = 1 + int(np.max(np.sum(np.abs(matrix), axis=1)))
        for _ in range(parts):
            whole = term.copy()
            for order in range(1, 25):
                term = matrix @ term / (parts * order)
                whole += term
            term = whole
        return term[:-1]

    def slopes(self, amounts: Numbers, point: Numbers) -> tuple[Numbers, Numbers]:
        """The derivatives of the moved point by the point and by the amounts, (d, d) and (d, generators)."""
        from scipy.linalg import expm_frechet

        if not len(self):
            return np.eye(len(point)), np.zeros((len(point), 0))
        whole = np.append(point, 1.0)
        columns = [expm_frechet(self.generator(amounts), h, compute_expm=False) @ whole for h in self.matrices]
        return self.matrix(amounts)[:-1, :-1], np.array(columns).T[:-1]

    def fields(self, point: Numbers) -> Numbers:
        """The generators at a point, a column each."""
        return np.asarray(np.einsum("aij,j->ia", self.matrices, np.append(point, 1.0))[:-1])


def action_of(flow: Flow) -> Action:
    """The symmetry of a flow as affine maps of w; generators that are none are left out by name."""
    system, names = flow.system, flow.fields.names
    N = len(system.coordinates)
    own = velocities_of(system)
    d = 2 * N + len(own)
    kept: list[str] = []
    matrices: list[Numbers] = []
    for name, lifted in zip(names, flow.fields.fields):
        field = lifted[:N]
        turned = _constant(field, system.coordinates, flow)
        spun = _spun(system, field, name, flow) if own else np.zeros((0, 0))
        if turned is None or spun is None:
            continue
        matrix = np.zeros((d + 1, d + 1))
        matrix[:N, :N] = matrix[N : 2 * N, N : 2 * N] = turned
        place = {**dict.fromkeys(system.coordinates, 0.0), **flow.parameters}
        matrix[:N, -1] = np.array(evaluate(list(field), place)) if N else []
        matrix[2 * N : d, 2 * N : d] = spun
        kept.append(name)
        matrices.append(matrix)
    return Action(tuple(kept), np.array(matrices).reshape(len(kept), d + 1, d + 1), tuple(n for n in names if n not in kept))


def velocities_of(system: System) -> tuple[str, ...]:
    """The frame's velocities where they do not follow from the rates of the coordinates; nothing where they do."""
    frame = system.frame
    if not frame.coordinates:
        return system.velocities
    anchor = np.array(evaluate_matrix(frame.anchor, sample(frame, 5)))
    return () if np.linalg.matrix_rank(anchor, tol=1e-9) == frame.size else system.velocities


def _constant(field: tuple[Expr, ...], names: tuple[str, ...], flow: Flow) -> Numbers | None:
    """The matrix of an affine field; None where its slopes change from place to place."""
    if not names:
        return np.zeros((0, 0))
    slopes = jacobian(list(field), symbols(names))
    moving = set(symbols(names))
    if any(e.free_symbols & moving for row in slopes for e in row):
        return None
    return np.array(evaluate_matrix(slopes, dict(flow.parameters)))


def _spun(system: System, field: tuple[Expr, ...], name: str, flow: Flow) -> Numbers | None:
    """How the frame's velocities are turned among themselves; None where not by a constant matrix."""
    try:
        moved, _ = lift(system, components(system.frame, field, f"{system.name}: {name}"))
    except ModelError:
        return None
    v = symbols(system.velocities)
    slopes = jacobian(list(moved), v)
    if any(e.free_symbols & {*v, *symbols(system.coordinates)} for row in slopes for e in row):
        return None
    return np.array(evaluate_matrix(slopes, dict(flow.parameters)))


def whole_state(system: System, derived: Derived) -> list[Expr]:
    """w as expressions of a state: coordinates, their rates, and the frame's velocities where these say more."""
    equations = derived.equations
    own = [derived.expression(n, f"{system.name}: velocity {n}") for n in velocities_of(system)]
    return [*equations.coordinates, *equations.kinematics, *own]
