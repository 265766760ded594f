"""Where bodies of the witness in maximal coordinates touch: contact points by Newton's method on parametrised surfaces."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from tests.machines import newton_euler as ne

if TYPE_CHECKING:
    from nonholo.machines.machine_records import Contact
    from tests.machines.maximal_coordinates import Moving, Witness

Array = Any
Find = Callable[[ne.Place, "ne.Place | None", Any], tuple[Array, Array]]
"""Places of the body and of its partner -> contact point and normal."""


def touching(witness: Witness, contact: Contact, body: Moving, on: Moving | None) -> tuple[Find, Callable[[Array], Array]]:
    """How the contact point is found, and the velocity of the ground there."""
    ground = witness.machine.ground
    shape = _shape(witness, contact, body)
    turning = 0.0 if ground is None or ground.turning is None else witness.n(ground.turning)

    def carried(point: Array) -> Array:
        return turning * ne.cross(ne.UP, point) if on is None else np.zeros(3)

    if on is not None and body.shape is not None and body.shape.kind == "cone":
        return _cone_on_rail(witness, body, on), carried
    if on is not None:
        lower = witness.n(on.shape.radius)  # type: ignore[union-attr]
        upper = witness.n(body.shape.radius)  # type: ignore[union-attr]
        find = ne.two_balls(upper, lower)
        return (lambda place, other, t: find((place, other), t)), carried  # type: ignore[arg-type]
    if ground is not None and ground.height is not None:
        graph = ne.on_graph(shape, _height(witness), body.origin[0][:2])
        return (lambda place, other, t: graph(place, t)), carried
    if ground is not None and ground.slope is None and ground.height is None and ground != type(ground)():
        round_ = ne.ball_on(_normal(witness), witness.n(body.shape.radius), -body.center)  # type: ignore[union-attr]
        return (lambda place, other, t: round_(place, t)), carried
    angle = 0.0 if ground is None or ground.slope is None else witness.n(ground.slope)
    plane = ne.on_plane(shape, (np.sin(angle), 0, np.cos(angle)))
    return (lambda place, other, t: plane(place, t)), carried


def _normal(witness: Witness) -> Callable[[Array], Array]:
    """The normal of a sphere, a cylinder or a cone from the centre of a ball that touches it."""
    ground = witness.machine.ground
    side = -1.0 if ground.inside else 1.0  # type: ignore[union-attr]
    flat = np.array([1, 1, 0])
    if ground.sphere is not None:  # type: ignore[union-attr]
        return lambda middle: side * ne.unit(middle)
    if ground.cylinder is not None:  # type: ignore[union-attr]
        return lambda middle: side * ne.unit(middle * flat)
    half = witness.n(ground.cone)  # type: ignore[union-attr]
    return lambda middle: side * np.cos(half) * ne.unit(middle * flat) + np.array([0, 0, np.sin(half)])


def _shape(witness: Witness, contact: Contact, body: Moving) -> ne.Shape:
    """The point of the body (from its centre of mass, world axes) with the outward normal −n."""
    if contact.at is not None:
        from tests.machines.maximal_coordinates import vector

        place = vector(contact.at, witness.values) - body.center
        return lambda R, n: R @ place
    words = body.shape
    if words is None:
        raise ValueError(f"{contact.body} has no shape")
    radius = witness.n(words.radius) if words.radius is not None else 0.0
    if words.kind == "ball":
        return ne.ball(radius, -body.center)
    axle = {"x": (1, 0, 0), "z": (0, 0, 1)}.get(str(words.axis), (0, 1, 0))
    return ne.torus(radius, 0.0 if words.tube is None else witness.n(words.tube), axle, -body.center)


def _height(witness: Witness) -> Callable[[Any, Any], tuple[Any, Any, Any]]:
    """f and its slopes."""
    import sympy as sp

    x, y = sp.symbols("x y")
    text = sp.sympify(str(witness.machine.ground.height)).subs(dict(witness.values))  # type: ignore[union-attr]
    parts = [sp.lambdify((x, y), e, "numpy") for e in (text, text.diff(x), text.diff(y))]
    return lambda a, b: (parts[0](a, b), parts[1](a, b), parts[2](a, b))


def _cone_on_rail(witness: Witness, body: Moving, on: Moving) -> Find:
    """The point of the rail's side where the cone's ``F = ρ cos γ + s sin γ − const`` is least; the rail's axis is x."""
    from tests.machines.maximal_coordinates import direction

    words, radius = body.shape, witness.n(on.shape.radius)  # type: ignore[union-attr]
    axis = direction(words.axis, witness.values)  # type: ignore[union-attr]
    base, length = witness.n(words.radius), witness.n(words.length)  # type: ignore[union-attr]
    slope = np.arctan2(base, length)

    def find(place: ne.Place, other: ne.Place | None, _: Any) -> tuple[Array, Array]:
        r, R = place
        middle = on.origin[0]

        def chart(u: Array) -> tuple[Array, Array, Array, Array]:
            normal = np.array([0 * u[1], np.sin(u[1]), np.cos(u[1])])
            across = np.array([0 * u[1], np.cos(u[1]), -np.sin(u[1])])
            return middle + radius * normal + np.array([u[0], 0, 0]), normal, np.array([1.0, 0, 0]), across

        def residual(u: Array) -> Array:
            point, _, one, two = chart(u)
            inner = R.T @ (point - r) + body.center
            off = inner - (inner @ axis) * axis
            steep = R @ (np.cos(slope) * ne.unit(off) + np.sin(slope) * axis)
            return np.array([one @ steep, two @ steep])

        u = np.array([body.origin[0][0], 0.0], dtype=complex)
        for _ in range(20):
            matrix = np.array([(residual(u + 1e-6 * e) - residual(u - 1e-6 * e)) / 2e-6 for e in np.eye(2)]).T
            u = u - np.linalg.solve(matrix.real, residual(u))
        point, normal, _, _ = chart(u)
        return point, normal

    return find
