"""An independent witness: Newton–Euler equations with multipliers in maximal coordinates, in numbers alone.

Every body has position ``r`` of its centre of mass, rotation matrix ``R``, velocity ``v`` and angular velocity ``w`` (both in
world axes). A constraint gives rows of ``J(X) V = b(X, t)`` with ``V = (v, w)`` of all bodies; the multipliers are forces along
the rows,

    M V̇ = f + Jᵀ λ,      J V̇ = d/dt b − J̇ V,

and the derivatives along the motion are taken by a complex step. Nothing here is shared with the package.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Array = Any
STEP = 1e-30
UP = np.array([0.0, 0.0, 1.0])


def hat(a: Array) -> Array:
    """The matrix of ``a ×``."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def cross(a: Array, b: Array) -> Array:
    return hat(np.asarray(a)) @ np.asarray(b)


def unit(a: Array) -> Array:
    a = np.asarray(a)
    return a / np.sqrt(a @ a)


def turn(axis: Sequence[float], angle: float) -> Array:
    """Rodrigues' rotation."""
    k = hat(unit(np.asarray(axis, dtype=float)))
    return np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k


def rotation(random: np.random.Generator) -> Array:
    """A random rotation matrix."""
    return turn(random.normal(size=3), random.uniform(0.3, 2.8))


def across(n: Array) -> tuple[Array, Array]:
    """Two orthonormal directions across a unit vector, by Gram–Schmidt on a fixed one."""
    helper = np.array([1.0, 0.0, 0.0]) if abs(n[0].real) < 0.8 else np.array([0.0, 1.0, 0.0])
    one = unit(helper - (helper @ n) * n)
    return one, cross(n, one)


@dataclass
class Rigid:
    """A body: mass, inertia about its centre of mass in body axes; position of that centre, rotation, velocities in the world."""

    mass: float
    inertia: Array
    r: Array
    R: Array
    v: Array = field(default_factory=lambda: np.zeros(3))
    w: Array = field(default_factory=lambda: np.zeros(3))


Place = tuple[Array, Array]
"""Position of the centre of mass, rotation matrix; real or complex."""
Row = tuple[dict[int, Array], Any]
"""Six coefficients by body, and the right-hand side b."""
Constraint = Callable[[Sequence[Place], Any], list[Row]]
GROUND = -1
"""The number of the ground where a body is asked for."""


def at(places: Sequence[Place], body: int, place: Array) -> Array:
    """A point of a body (from its centre of mass, body axes) in the world."""
    return np.asarray(place) + 0j if body == GROUND else places[body][0] + places[body][1] @ place


def axis_of(places: Sequence[Place], body: int, direction: Array) -> Array:
    return np.asarray(direction) + 0j if body == GROUND else places[body][1] @ direction


def push(places: Sequence[Place], body: int, point: Array, direction: Array) -> Array:
    """Coefficients of ``direction · velocity of the body's material point``."""
    return np.concatenate([direction, cross(point - places[body][0], direction)])


def relative(places: Sequence[Place], first: int, second: int, point: Array, direction: Array) -> dict[int, Array]:
    """Velocity of the first body's material point minus the second's, along a direction."""
    row = {first: push(places, first, point, direction)} if first != GROUND else {}
    if second != GROUND:
        row[second] = -push(places, second, point, direction)
    return row


def turning(first: int, second: int, direction: Array) -> dict[int, Array]:
    row = {first: np.concatenate([0 * direction, direction])} if first != GROUND else {}
    if second != GROUND:
        row[second] = -np.concatenate([0 * direction, direction])
    return row


def joint(kind: str, parent: int, child: int, in_child: Array, axis: Array = UP, second: Array = UP) -> Constraint:
    """A joint at ``in_child`` from the child's centre of mass; ``axis`` in the parent, ``second`` (universal) in the child."""

    def rows(places: Sequence[Place], _: Any) -> list[Row]:
        here = at(places, child, in_child)
        a = axis_of(places, parent, unit(np.asarray(axis, dtype=float)))
        one, two = (axis_of(places, parent, e) for e in across(unit(np.asarray(axis, dtype=float))))
        # a joint that slides has its rows at the child's point, fixed in the parent
        directions = {
            "ball": (np.eye(3), ()), "hinge": (np.eye(3), (one, two)), "weld": (np.eye(3), np.eye(3)),
            "slider": ((one, two), np.eye(3)), "cylindrical": ((one, two), (one, two)), "planar": ((a,), (one, two)),
            "universal": (np.eye(3), (cross(a, axis_of(places, child, np.asarray(second, dtype=float))),)),
        }[kind]  # fmt: skip
        moves, turns = directions
        return [(relative(places, child, parent, here, np.asarray(d) + 0j), 0.0) for d in moves] + [
            (turning(child, parent, np.asarray(d) + 0j), 0.0) for d in turns
        ]

    return rows


def contact(
    body: int,
    find: Callable[[Place, Any], tuple[Array, Array]],
    kind: str = "rolling",
    on: int = GROUND,
    carried: Callable[[Array, Any], Array] = lambda point, t: np.zeros(3),
    heading: Callable[[Place, Array], Array] | None = None,
    both: bool = False,
) -> Constraint:
    """A contact: ``find(place, t)`` gives contact point and normal (with ``both``, from the places of body and partner).

    Rows: normal, then along and across (rolling); ``carried`` is the velocity of the ground at a point.
    """

    def rows(places: Sequence[Place], t: Any) -> list[Row]:
        point, normal = find((places[body], places[on]), t) if both else find(places[body], t)
        one, two = across(normal)
        if heading is not None:
            one = heading(places[body], normal)
            two = cross(normal, one)
        wanted = {"rolling": (normal, one, two), "sliding": (normal,), "blade": (normal, two)}[kind]
        return [(relative(places, body, on, point, d), d @ carried(point, t)) for d in wanted]

    return rows


def accelerations(
    bodies: Sequence[Rigid], constraints: Sequence[Constraint], forces: Array, t: float = 0.0
) -> tuple[Array, Array]:
    """``(v̇, ẇ)`` of every body in world axes (rows of six), and the multipliers of all rows in order.

    ``forces`` has a row of six for each body: force and torque about its centre of mass, world axes.
    """
    size = 6 * len(bodies)
    mass, force = np.zeros((size, size)), np.array(forces, dtype=float).reshape(-1)
    for k, body in enumerate(bodies):
        inertia = body.R @ body.inertia @ body.R.T
        mass[6 * k : 6 * k + 3, 6 * k : 6 * k + 3] = body.mass * np.eye(3)
        mass[6 * k + 3 : 6 * k + 6, 6 * k + 3 : 6 * k + 6] = inertia
        force[6 * k + 3 : 6 * k + 6] -= np.cross(body.w, inertia @ body.w)
    velocity = np.concatenate([np.concatenate([b.v, b.w]) for b in bodies])
    moved = [(b.r + 1j * STEP * b.v, b.R + 1j * STEP * hat(b.w) @ b.R) for b in bodies]
    slopes, sides, rest = [], [], []
    for rule in constraints:
        for row, side in rule(moved, t + 1j * STEP):
            full = np.zeros(size, dtype=complex)
            for k, part in row.items():
                full[6 * k : 6 * k + 6] += part
            slopes.append(full.real)
            sides.append(np.imag(side) / STEP - full.imag @ velocity / STEP)
            rest.append(full.real @ velocity - np.real(side))
    if rest and np.max(np.abs(rest)) > 1e-9 * (1 + np.max(np.abs(velocity))):
        raise ValueError(f"the velocities break the constraints by {np.max(np.abs(rest)):.3g}")
    jacobian = np.array(slopes).reshape(-1, size)
    count = len(jacobian)
    whole = np.block([[mass, -jacobian.T], [jacobian, np.zeros((count, count))]])
    right = np.concatenate([force, sides])
    redundant = count and np.linalg.matrix_rank(jacobian) < count
    found = np.linalg.lstsq(whole, right, rcond=1e-12)[0] if redundant else np.linalg.solve(whole, right)
    return found[:size].reshape(-1, 6), found[size:]


def weight(bodies: Sequence[Rigid], g: float = 9.81) -> Array:
    """Gravity along −z."""
    return np.array([[0, 0, -b.mass * g, 0, 0, 0] for b in bodies])


# Shapes: the point of the body (from its centre of mass, in world axes) whose outward normal is −n


def ball(radius: float, centre: Sequence[float] = (0, 0, 0)) -> Callable[[Array, Array], Array]:
    return lambda R, n: R @ np.asarray(centre) - radius * n


def ellipsoid(semi: Sequence[float], centre: Sequence[float] = (0, 0, 0)) -> Callable[[Array, Array], Array]:
    def point(R: Array, n: Array) -> Array:
        inner = np.asarray(semi) * (R.T @ n)
        return R @ (np.asarray(centre) - np.asarray(semi) * inner / np.sqrt(inner @ inner))

    return point


def torus(
    radius: float, tube: float, axle: Sequence[float] = (0, 1, 0), centre: Sequence[float] = (0, 0, 0)
) -> Callable[[Array, Array], Array]:
    """``radius`` to the tread; ``tube = 0`` is a thin disk."""

    def point(R: Array, n: Array) -> Array:
        a = R @ np.asarray(axle, dtype=float)
        return R @ np.asarray(centre) - (radius - tube) * unit(n - (n @ a) * a) - tube * n

    return point


Shape = Callable[[Array, Array], Array]
Find = Callable[[Place, Any], tuple[Array, Array]]


def on_plane(shape: Shape, normal: Sequence[float] = (0, 0, 1)) -> Find:
    """A plane with a fixed normal."""
    n = np.asarray(normal, dtype=float)
    return lambda place, t: (place[0] + shape(place[1], n), n + 0j)


def ball_on(normal: Callable[[Array], Array], radius: float, centre: Sequence[float] = (0, 0, 0)) -> Find:
    """A ball whose normal is known from its centre."""

    def find(place: Place, _: Any) -> tuple[Array, Array]:
        middle = place[0] + place[1] @ np.asarray(centre)
        n = normal(middle)
        return middle - radius * n, n

    return find


Chart = Callable[[Any, Any], tuple[Array, Array, Array, Array]]
"""Point, normal and the two tangents of a surface at its parameters."""


def on_chart(shape: Shape, chart: Chart, guess: Sequence[float], moving: Callable[[Any], Array] = lambda t: np.zeros(3)) -> Find:
    """A parametrised surface, displaced by ``moving(t)``: Newton's method for the parameters, in complex numbers too."""

    def find(place: Place, t: Any) -> tuple[Array, Array]:
        centre = place[0] - moving(t)

        def residual(u: Array) -> Array:
            point, normal, one, two = chart(u[0], u[1])
            between = centre + shape(place[1], normal) - point
            return np.array([one @ between, two @ between])

        u = np.array(guess, dtype=complex)
        for _ in range(12):
            matrix = np.array([(residual(u + 1e-6 * e) - residual(u - 1e-6 * e)) / 2e-6 for e in np.eye(2)]).T
            u = u - np.linalg.solve(matrix.real, residual(u))
        point, normal, _, _ = chart(u[0], u[1])
        return point + moving(t), normal

    return find


def on_graph(
    shape: Shape,
    height: Callable[[Any, Any], tuple[Any, Any, Any]],
    guess: Sequence[float],
    moving: Callable[[Any], Array] = lambda t: np.zeros(3),
) -> Find:
    """``z = f(x, y)``; ``height`` gives f and its two slopes."""

    def chart(x: Any, y: Any) -> tuple[Array, Array, Array, Array]:
        f, a, b = height(x, y)
        return np.array([x, y, f]), unit(np.array([-a, -b, 1.0 + 0j])), np.eye(3)[0], np.eye(3)[1]

    return on_chart(shape, chart, guess, moving)


def drum(radius: float) -> Chart:
    """The inside of a cylinder about the axis y, by the angle from below and y."""

    def chart(angle: Any, y: Any) -> tuple[Array, Array, Array, Array]:
        s, c = np.sin(angle), np.cos(angle)
        return np.array([radius * s, y, -radius * c]), np.array([-s, 0 * s, c]), np.array([c, 0 * c, s]), np.eye(3)[1]

    return chart


def two_balls(upper: float, lower: float) -> Callable[[tuple[Place, Place], Any], tuple[Array, Array]]:
    """A ball on a ball, both about their centres of mass."""

    def find(places: tuple[Place, Place], _: Any) -> tuple[Array, Array]:
        n = unit(places[0][0] - places[1][0])
        return places[1][0] + lower * n, n

    return find


def two_shapes(upper: Shape, lower: Shape, guess: Array) -> Callable[[tuple[Place, Place], Any], tuple[Array, Array]]:
    """Two convex bodies: the common normal by Newton's method, in complex numbers too."""

    def find(places: tuple[Place, Place], _: Any) -> tuple[Array, Array]:
        (r, R), (s, S) = places
        one, two = across(unit(np.asarray(guess, dtype=float)))

        def normal(u: Array) -> Array:
            return unit(unit(np.asarray(guess, dtype=float)) + u[0] * one + u[1] * two)

        def residual(u: Array) -> Array:
            n = normal(u)
            between = r + upper(R, n) - s - lower(S, -n)
            return np.array([one @ between, two @ between])

        u = np.zeros(2, dtype=complex)
        for _ in range(14):
            matrix = np.array([(residual(u + 1e-6 * e) - residual(u - 1e-6 * e)) / 2e-6 for e in np.eye(2)]).T
            u = u - np.linalg.solve(matrix.real, residual(u))
        n = normal(u)
        return s + lower(S, -n), n

    return find
