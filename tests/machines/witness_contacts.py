"""Where bodies of the witness in maximal coordinates touch: nearest points by Newton's method on level functions.

A surface is ``F(x, y, z) = 0`` in its own axes, touched where F > 0; a body is the point with a given outward normal, a point, or
the side of a cylinder or cone. Nothing is shared with the package's contact geometry but the words of the machine.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import sympy as sp

from tests.machines import newton_euler as ne

if TYPE_CHECKING:
    from nonholo.machines.machine_records import Contact, Ground, Shape
    from tests.machines.maximal_coordinates import Moving, Witness

Array = Any
Find = Callable[[ne.Place, "ne.Place | None", Any], tuple[Array, Array]]
"""Places of the body and of its partner -> contact point and normal."""
X, Y, Z = PLACE = sp.symbols("x y z", real=True)
NORMAL = sp.symbols("n1 n2 n3", real=True)
TIME = sp.Symbol("t", real=True)


@dataclass
class Level:
    """A level function and its slopes, as functions of complex numbers."""

    value: Callable[..., Any]
    slopes: Callable[..., Any]

    def normal(self, p: Array) -> Array:
        return ne.unit(np.array(self.slopes(*p)) + 0j)


@dataclass
class Side:
    """The side of a cylinder or cone: its axis, a point of the axis (from the centre of mass), sine of its half angle."""

    axis: Array
    middle: Array
    sine: float


def touching(
    witness: Witness, contact: Contact, body: Moving, on: Moving | None
) -> tuple[Find, Callable[[Array, Any], Array]]:
    """How the contact point is found, and the velocity of the ground there."""
    ground = witness.machine.ground
    if on is not None and on.shape is not None and on.shape.kind in ("wheel", "convex"):
        upper, lower = point_of(witness, contact, body), shape_of(witness, on.shape, on.center)
        both = ne.two_shapes(upper, lower, body.origin[0] - on.origin[0])
        return (lambda place, other, t: both((place, other), t)), _still  # type: ignore[arg-type]
    level, plane = (ground_level(witness, ground), _flat(ground)) if on is None else partner_level(witness, contact, on)
    words = body.shape
    part: Side | ne.Shape
    if contact.at is None and words is not None and words.kind in ("cylinder", "cone") and not plane:
        part = side_of(witness, words, body.center)
    else:
        part = point_of(witness, contact, body)
    if on is None:
        axes, carried = ground_motion(witness, ground)
    else:
        center = on.center
        axes, carried = (lambda other, t: (other[0] - other[1] @ center, other[1])), _still

    def find(place: ne.Place, other: ne.Place | None, t: Any) -> tuple[Array, Array]:
        origin, turned = axes(other, t)
        p = nearest(level, part, turned.T @ (place[0] - origin), turned.T @ place[1])
        return origin + turned @ p, turned @ level.normal(p)

    return find, carried


def _still(point: Array, t: Any) -> Array:
    return np.zeros(3)


def _flat(ground: Ground | None) -> bool:
    words = ("height", "sphere", "cylinder", "cone", "implicit", "grid")
    return ground is None or all(getattr(ground, word) is None for word in words)


def nearest(level: Level, part: Side | ne.Shape, r: Array, R: Array) -> Array:
    """The point of the surface that is nearest to a body, by Newton's method; complex numbers carry derivatives along."""

    def residual(p: Array) -> Array:
        n = level.normal(p)
        if isinstance(part, Side):
            a = R @ part.axis
            return np.array([level.value(*p), n @ a + part.sine, (p - r - R @ part.middle) @ ne.cross(a, n)])
        between = r + part(R, n) - p
        one, two = ne.across(n)
        return np.array([level.value(*p), one @ between, two @ between])

    def foot(p: Array) -> Array:
        for _ in range(30):
            slope = np.real(np.array(level.slopes(*p)))
            p = p - np.real(level.value(*p)) * slope / (slope @ slope)
        return p

    p = foot(np.real(r + (R @ part.middle if isinstance(part, Side) else 0)))
    if not isinstance(part, Side):
        p = foot(np.real(r + part(R, level.normal(p))))
    p = p + 0j
    for _ in range(25):
        matrix = np.array([(residual(p + 1e-6 * e) - residual(p - 1e-6 * e)) / 2e-6 for e in np.eye(3)]).T
        step = np.linalg.solve(matrix.real, residual(p))
        p = p - step * min(1.0, 0.2 / max(float(np.max(np.abs(step.real))), 1e-300))
    return p


# surfaces


def level_of(text: Any, values: Mapping[str, float]) -> Level:
    known = {str(s): s for s in PLACE}
    expr = sp.sympify(str(text), locals=known).subs({sp.Symbol(n): v for n, v in values.items() if n not in known})
    return Level(sp.lambdify(PLACE, expr, "numpy"), sp.lambdify(PLACE, [expr.diff(s) for s in PLACE], "numpy"))


def ground_level(witness: Witness, ground: Ground | None) -> Level:
    """The level function of a ground in its own axes."""
    if ground is None:
        return level_of(Z, {})
    n, sign, away = witness.n, -1 if ground.inside else 1, sp.sqrt(X**2 + Y**2)
    if ground.sphere is not None:
        return level_of(sign * (sp.sqrt(X**2 + Y**2 + Z**2) - n(ground.sphere)), {})
    if ground.cylinder is not None:
        return level_of(sign * (away - n(ground.cylinder)), {})
    if ground.cone is not None:
        return level_of(sign * np.cos(n(ground.cone)) * away + np.sin(n(ground.cone)) * Z, {})
    if ground.slope is not None:
        return level_of(np.sin(n(ground.slope)) * X + np.cos(n(ground.slope)) * Z, {})
    text = Z if ground.height is None else f"z - ({ground.height})"
    return level_of(text if ground.implicit is None else f"{sign}*({ground.implicit})", witness.values)


def ground_motion(witness: Witness, ground: Ground | None) -> tuple[Any, Any]:
    """Origin and rotation of the ground in time, and its velocity at a point."""
    known = {sp.Symbol(n): v for n, v in witness.values.items() if n != "t"}
    given = (0, 0, 0) if ground is None or ground.moving is None else ground.moving
    shift = [sp.sympify(str(e)).subs({**known, sp.Symbol("t"): TIME}) for e in given]
    place = sp.lambdify(TIME, shift, "numpy")
    speed = sp.lambdify(TIME, [e.diff(TIME) for e in shift], "numpy")
    rate = 0.0 if ground is None or ground.turning is None else witness.n(ground.turning)

    def axes(_: ne.Place | None, t: Any) -> tuple[Array, Array]:
        c, s = np.cos(rate * t), np.sin(rate * t)
        return np.array(place(t)) + 0j, np.array([[c, -s, 0 * c], [s, c, 0 * c], [0 * c, 0 * c, 1 + 0 * c]])

    def carried(point: Array, t: Any) -> Array:
        return np.array(speed(t)) + rate * ne.cross(ne.UP, point - np.array(place(t)))

    return axes, carried


def partner_level(witness: Witness, contact: Contact, on: Moving) -> tuple[Level, bool]:
    """The level function of another body in its body axes, and whether it is a plane."""
    from tests.machines.maximal_coordinates import vector

    words, n, sign = on.shape, witness.n, -1 if contact.inside else 1
    if words is None:
        raise ValueError("the partner has no shape")
    x, y, z = here = [s - float(e) for s, e in zip(PLACE, vector(words.offset, witness.values))]
    axis = axis_of(witness, words)
    along = sum(float(a) * e for a, e in zip(axis, here))
    away = sp.sqrt(x**2 + y**2 + z**2 - along**2)
    if words.kind == "ball":
        return level_of(sign * (sp.sqrt(x**2 + y**2 + z**2) - n(words.radius)), {}), False
    if words.kind == "ellipsoid":
        return level_of(sign * ((x / n(words.a)) ** 2 + (y / n(words.b)) ** 2 + (z / n(words.c)) ** 2 - 1), {}), False
    if words.kind == "cylinder":
        return level_of(sign * (away - n(words.radius)), {}), False
    if words.kind == "cone":
        half = np.arctan2(n(words.radius), n(words.length))
        return level_of(sign * (np.cos(half) * away + np.sin(half) * (along - n(words.length))), {}), False
    return level_of(along if words.kind == "disk" else z - n(words.z) / 2, {}), True


# bodies


def axis_of(witness: Witness, words: Shape) -> Array:
    from tests.machines.maximal_coordinates import direction

    return direction(words.axis or ("y" if words.kind in ("disk", "wheel") else "z"), witness.values)


def side_of(witness: Witness, words: Shape, center: Array) -> Side:
    from tests.machines.maximal_coordinates import vector

    sine = 0.0 if words.kind == "cylinder" else np.sin(np.arctan2(witness.n(words.radius), witness.n(words.length)))
    return Side(axis_of(witness, words), vector(words.offset, witness.values) - center, float(sine))


def point_of(witness: Witness, contact: Contact, body: Moving) -> ne.Shape:
    """The point of the body (from its centre of mass, world axes) with the outward normal −n."""
    if contact.at is not None:
        from tests.machines.maximal_coordinates import vector

        place = vector(contact.at, witness.values) - body.center
        return lambda R, n: R @ place
    if body.shape is None:
        raise ValueError(f"{contact.body} has no shape")
    return shape_of(witness, body.shape, body.center)


def shape_of(witness: Witness, words: Shape, center: Array) -> ne.Shape:
    from tests.machines.maximal_coordinates import vector

    n = witness.n
    middle = vector(words.offset, witness.values) - center
    if words.kind == "ball":
        return ne.ball(n(words.radius), middle)
    if words.kind == "ellipsoid":
        return ne.ellipsoid((n(words.a), n(words.b), n(words.c)), middle)
    if words.kind == "convex":
        reach = sp.sympify(str(words.support), locals={str(s): s for s in NORMAL}).subs(dict(witness.values))
        outward = sp.lambdify(NORMAL, [reach.diff(s) for s in NORMAL], "numpy")
        return lambda R, n: R @ (middle + np.array(outward(*(-(R.T @ n)))))
    axle = axis_of(witness, words)
    rim = ne.torus(n(words.radius), 0.0 if words.tube is None else n(words.tube), axle, middle)
    if words.kind not in ("cylinder", "cone"):
        return rim
    radius, length = n(words.radius), n(words.length)

    def end(R: Array, normal: Array) -> Array:
        """The rim or tip that reaches farthest against the normal."""
        a = R @ axle
        lean = float(np.real(normal @ a))
        if words.kind == "cylinder":
            return rim(R, normal) - np.sign(lean) * length / 2 * a
        return R @ middle + length * a if -lean * length > radius * np.sqrt(1 - lean**2) else rim(R, normal)

    return end
