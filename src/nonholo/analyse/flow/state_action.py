"""The symmetry as affine maps of whole states ``w = (x, ẋ)``.

Where the frame's velocities do not follow from the rates (a Lie algebra alone, the vertical of a top) w contains them too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import jacobian, symbols
from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.analyse.flow.state_flow import Flow
from nonholo.errors import ModelError
from nonholo.geometry.frames.frame import sample
from nonholo.integrate.motion.system_kernel import SystemKernel
from nonholo.model.system import System
from nonholo.symmetry.vector_fields import components, velocity_lift

LONG = 32
"""More parts than this are squared together instead of being gone one after the other."""
TERMS = 22
"""Terms of the exponential series: the first left out is below rounding where the matrix is no larger than 1."""


@dataclass(frozen=True, eq=False)
class Action:
    """Generators as matrices on ``(w, 1)``; a motion of the group is ``exp(Σ s_a H_a)``.

    >>> shift = Action(("shift",), np.array([[[0.0, 1.0], [0.0, 0.0]]]))
    >>> shift.image(np.array([2.0]), np.array([1.0])).tolist()
    [3.0]
    """

    names: tuple[str, ...]
    matrices: Numbers
    """(generators, d + 1, d + 1)"""
    dropped: tuple[str, ...] = ()
    """Symmetries that are no affine maps and are left out."""

    def __len__(self) -> int:
        return len(self.names)

    @property
    def turning(self) -> list[int]:
        """The generators that turn something."""
        return [a for a, h in enumerate(self.matrices) if np.any(h[:-1, :-1])]

    def generator(self, amounts: Numbers) -> Numbers:
        """``Σ s_a H_a``."""
        return np.asarray(np.einsum("a,aij->ij", amounts, self.matrices))

    def matrix(self, amounts: Numbers) -> Numbers:
        """``exp(Σ s_a H_a)``: the power series of a part of it, squared again and again."""
        matrix = self.generator(amounts)
        halvings = max(0, int(np.ceil(np.log2(max(_norm(matrix), 1e-300)))))
        part = term = np.eye(len(matrix))
        for order in range(1, TERMS):
            term = term @ matrix / (2.0**halvings * order)
            part = part + term
        for _ in range(halvings):
            part = part @ part
        return np.asarray(part)

    def image(self, amounts: Numbers, point: Numbers) -> Numbers:
        """Where a point is moved: the series is summed on the point, part by part."""
        if not len(self):
            return point.copy()
        matrix, u = self.generator(amounts), np.append(point, 1.0)
        parts = _series_parts(matrix)
        if parts > LONG:
            return np.asarray((self.matrix(amounts) @ u)[:-1])
        for _ in range(parts):
            one = u
            for order in range(1, TERMS):
                one = matrix @ one / (parts * order)
                u = u + one
                if float(one @ one) < 1e-36:
                    break
        return np.asarray(u[:-1])

    def slopes(self, amounts: Numbers, point: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """The derivatives of the moved point by the point (d, d) and by the amounts (d, amounts), and the moved point.

        With ``u' = A u``, ``v_a' = A v_a + H_a u`` from 0 to 1, ``v_a = ∂u/∂s_a``.
        """
        if not len(self):
            return np.eye(len(point)), np.zeros((len(point), 0)), point.copy()
        matrix = self.generator(amounts)
        u, v = np.append(point, 1.0), np.zeros((len(self), len(point) + 1))
        parts = _series_parts(matrix)
        for _ in range(parts):
            one, two = u, v
            for order in range(1, TERMS):
                two = (two @ matrix.T + self.matrices @ one) / (parts * order)
                one = matrix @ one / (parts * order)
                u, v = u + one, v + two
        return self.matrix(amounts)[:-1, :-1], v.T[:-1], u[:-1]

    def fields(self, point: Numbers) -> Numbers:
        """The generators at a point, a column each."""
        return np.asarray(np.einsum("aij,j->ia", self.matrices, np.append(point, 1.0))[:-1])


def _norm(matrix: Numbers) -> float:
    """Of what turns; long shifts make no series long."""
    return float(np.max(np.sum(np.abs(matrix[:-1, :-1]), axis=1), initial=0.0))


def _series_parts(matrix: Numbers) -> int:
    """So many parts have a series that converges at once."""
    return 1 + int(_norm(matrix))


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
        moved = velocity_lift(system, components(system.frame, field, f"{system.name}: {name}"))
    except ModelError:
        return None
    v = symbols(system.velocities)
    slopes = jacobian(list(moved), v)
    if any(e.free_symbols & {*v, *symbols(system.coordinates)} for row in slopes for e in row):
        return None
    return np.array(evaluate_matrix(slopes, dict(flow.parameters)))


def whole_state(system: System, kernel: SystemKernel) -> list[Expr]:
    """w as expressions of a state: coordinates, their rates, and the frame's velocities where the rates do not determine them."""
    equations = kernel.equations
    own = [kernel.expression(n, f"{system.name}: velocity {n}") for n in velocities_of(system)]
    return [*equations.coordinates, *equations.kinematics, *own]


def wrapped_gap(gap: Numbers, angles: NDArray[np.bool_]) -> Numbers:
    """A difference of w with angles brought to (−π, π]."""
    result = gap.copy()
    result[angles] = np.mod(gap[angles] + np.pi, 2 * np.pi) - np.pi
    return result


def nearer_image(
    action: Action,
    image: Numbers,
    amounts: Numbers,
    point: Numbers,
    spread: Numbers,
    angles: NDArray[np.bool_],
    steps: int,
) -> tuple[float, Numbers, Numbers]:
    """An image of the start drawn nearer to a point along the symmetry: the distance, the amounts and the image."""
    off = wrapped_gap(point - image, angles) / spread
    for _ in range(steps if len(action) else 0):
        step = np.asarray(np.linalg.lstsq(action.fields(image) / spread[:, None], off, rcond=1e-9)[0], dtype=np.float64)
        image, amounts = action.image(step, image), amounts + step
        off = wrapped_gap(point - image, angles) / spread
        if np.max(np.abs(step)) < 1e-6:
            break
    return float(np.linalg.norm(off)), amounts, image
