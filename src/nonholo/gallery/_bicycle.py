"""The bicycle as vectors: places, attitudes and velocities of its four bodies, seen from a frame that yaws with it.

Axes: x ahead, y to the left, z up. The coordinates are the rear contact (x, y), yaw ψ (to the left), lean φ (to the right),
pitch θ (nose down), steer δ (to the right), the rear wheel's turn wr against the yawing and leaning frame, the front wheel's wf
against the fork. Published numbers have z down, so that heights and products of inertia change their signs here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import symengine as se

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot

Vector = tuple[Expr, Expr, Expr]
Matrix = tuple[Vector, Vector, Vector]
ZERO, ONE = se.Integer(0), se.Integer(1)
COORDINATES = "x y psi phi theta delta wr wf"
PSI, PHI, THETA, DELTA, WR, WF = symbols(["psi", "phi", "theta", "delta", "wr", "wf"])
XDOT, YDOT, PSIDOT, PHIDOT, THETADOT, DELTADOT, WRDOT, WFDOT = symbols(f"{c}dot" for c in COORDINATES.split())
W, C, LAM, RR, RF, XB, ZB, XH, ZH = symbols(["w", "c", "lam", "rR", "rF", "xB", "zB", "xH", "zH"])
G, MR, MB, MH, MF = symbols(["g", "mR", "mB", "mH", "mF"])


def vector(*entries: Any) -> Vector:
    """Three entries as expressions."""
    x, y, z = (se.sympify(e) for e in entries)
    return x, y, z


def plus(*terms: Vector) -> Vector:
    """The sum."""
    return vector(*(se.Add(*parts) for parts in zip(*terms)))


def times(factor: Expr, of: Vector) -> Vector:
    """A multiple."""
    return vector(*(factor * e for e in of))


def cross(a: Vector, b: Vector) -> Vector:
    """The cross product."""
    return vector(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def applied(matrix: Matrix, to: Vector) -> Vector:
    """A matrix on a vector."""
    return vector(*(dot(row, to) for row in matrix))


def product(a: Matrix, b: Matrix) -> Matrix:
    """The product of two matrices."""
    columns = list(zip(*b))
    one, two, three = (vector(*(dot(row, column) for column in columns)) for row in a)
    return one, two, three


def transposed(matrix: Matrix) -> Matrix:
    """The transpose."""
    one, two, three = (vector(*column) for column in zip(*matrix))
    return one, two, three


def rotation_about(axis: int, angle: Expr) -> Matrix:
    """A rotation about an axis of space."""
    i, j = (axis + 1) % 3, (axis + 2) % 3
    rows = [[ONE if a == b else ZERO for b in range(3)] for a in range(3)]
    rows[i][i] = rows[j][j] = se.cos(angle)
    rows[i][j], rows[j][i] = -se.sin(angle), se.sin(angle)
    one, two, three = (vector(*row) for row in rows)
    return one, two, three


AHEAD, LEFT, UP = vector(1, 0, 0), vector(0, 1, 0), vector(0, 0, 1)


class Part(NamedTuple):
    """One rigid body: mass, inertia in its own axes, place of its centre, attitude and angular velocity."""

    mass: Expr
    inertia: Matrix
    place: Vector
    attitude: Matrix
    spin: Vector


class Bicycle(NamedTuple):
    """Everything in the yawing frame, from the rear contact."""

    parts: tuple[Part, ...]
    """Rear wheel, rear frame with rider, front frame, front wheel."""
    axle: Vector
    """The axle of the front wheel, to the left."""
    heading: Vector
    """Where the front wheel rolls to, times `length`."""
    length: Expr
    hub: Vector
    """The front wheel's centre."""
    head: Vector
    """A point of the steering axis: where it would meet the ground."""
    rear: Matrix
    front: Matrix
    """Attitudes of the rear frame and of the fork."""

    @property
    def contact(self) -> Vector:
        """The lowest point of the front wheel."""
        across = cross(times(1 / self.length, self.heading), self.axle)
        return plus(self.hub, times(-RF, across))


def bicycle() -> Bicycle:
    """The four bodies of Whipple's model."""
    leaning = rotation_about(0, PHI)
    rear = product(leaning, rotation_about(1, THETA))
    hub = applied(leaning, vector(0, 0, RR))
    axis = vector(-se.sin(LAM), 0, se.cos(LAM))
    tilt = rotation_about(1, -LAM)
    front = product(product(product(rear, tilt), rotation_about(2, -DELTA)), transposed(tilt))
    head = plus(hub, applied(rear, vector(W + C, 0, -RR)))
    wheel = plus(head, applied(front, vector(-C, 0, RF)))
    frame = plus(times(PSIDOT, UP), times(PHIDOT, AHEAD), times(THETADOT, applied(leaning, LEFT)))
    fork = plus(frame, times(-DELTADOT, applied(rear, axis)))
    axle = applied(front, LEFT)
    parts = (
        Part(MR, _wheel("R"), hub, leaning, plus(times(PSIDOT, UP), times(PHIDOT, AHEAD), times(WRDOT, applied(leaning, LEFT)))),
        Part(MB, _body("B"), plus(hub, applied(rear, vector(XB, 0, -ZB - RR))), rear, frame),
        Part(MH, _body("H"), plus(head, applied(front, vector(XH - W - C, 0, -ZH))), front, fork),
        Part(MF, _wheel("F"), wheel, front, plus(fork, times(WFDOT, axle))),
    )
    length = se.sqrt(axle[0] ** 2 + axle[1] ** 2)
    return Bicycle(parts, axle, vector(axle[1], -axle[0], 0), length, wheel, head, rear, front)


def _wheel(name: str) -> Matrix:
    across, along = symbols((f"I{name}xx", f"I{name}yy"))
    return vector(across, 0, 0), vector(0, along, 0), vector(0, 0, across)


def _body(name: str) -> Matrix:
    xx, yy, zz, xz = symbols(f"I{name}{k}" for k in ("xx", "yy", "zz", "xz"))
    return vector(xx, 0, -xz), vector(0, yy, 0), vector(-xz, 0, zz)


def velocity(place: Vector) -> Vector:
    """How a point moves, in the yawing frame's axes."""
    along = XDOT * se.cos(PSI) + YDOT * se.sin(PSI)
    across = YDOT * se.cos(PSI) - XDOT * se.sin(PSI)
    inner = [se.Add(*(e.diff(q) * r for q, r in ((PHI, PHIDOT), (THETA, THETADOT), (DELTA, DELTADOT)))) for e in place]
    return plus(vector(along, across, 0), cross(times(PSIDOT, UP), place), vector(*inner))


def lagrangian(model: Bicycle) -> Expr:
    """Kinetic energy of places and attitudes, less the potential of weight."""
    total = ZERO
    for part in model.parts:
        moved, own = velocity(part.place), applied(transposed(part.attitude), part.spin)
        total += part.mass * dot(moved, moved) / 2 + dot(own, applied(part.inertia, own)) / 2 - part.mass * G * part.place[2]
    return total


def rolling(model: Bicycle) -> Sequence[Expr]:
    """Both wheels roll: the rear one along its heading at ``rR wṙ``, the front one without slip along and across.

    At the front ``v = ω × rF u`` with u upward in the wheel: along its heading h it is ``h·v = rF ω·e``, across it
    ``n·v = rF ω·(u × n)`` with ``n = z × h``.
    """
    wheel = model.parts[3]
    moved = velocity(model.hub)
    along = dot(model.heading, moved) - RF * model.length * dot(wheel.spin, model.axle)
    across = cross(UP, model.heading)
    upward = cross(model.heading, model.axle)
    slip = dot(across, moved) * model.length - RF * dot(wheel.spin, cross(upward, across))
    return (XDOT - RR * WRDOT * se.cos(PSI), YDOT - RR * WRDOT * se.sin(PSI), along, slip)
