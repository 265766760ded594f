"""Contacts against Newton–Euler in maximal coordinates: accelerations and reactions at random states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from tests.machines import newton_euler as ne
from tests.machines.closest_points import closest_points
from tests.machines.free_bodies import free_body

MASS, MOMENTS = 0.7, (0.011, 0.017, 0.013)
TIME = 0.37


def wavy(x: Any, y: Any) -> tuple[Any, Any, Any]:
    return (
        0.1 * np.sin(2 * x) * np.cos(y) + 0.2 * x * y,
        0.2 * np.cos(2 * x) * np.cos(y) + 0.2 * y,
        -0.1 * np.sin(2 * x) * np.sin(y) + 0.2 * x,
    )


def bowl(x: Any, y: Any) -> tuple[Any, Any, Any]:
    return 0.4 * x**2 + 0.3 * y**2, 0.8 * x, 0.6 * y


WAVY, BOWL = "0.1*sin(2*x)*cos(y) + 0.2*x*y", "0.4*x**2 + 0.3*y**2"
R0 = 0.21
BALL = {"kind": "ball", "radius": R0}
DISK = {"kind": "disk", "radius": R0}
TORUS = {"kind": "wheel", "radius": R0, "tube": 0.04}
STONE = {"kind": "ellipsoid", "a": 0.2, "b": 0.15, "c": 0.1, "offset": [0.01, 0.02, -0.03]}
STONE_POINT = ne.ellipsoid((0.2, 0.15, 0.1), (0.01, 0.02, -0.03))
SLOPE = 0.3


@dataclass
class Case:
    """Shape and ground in words, and the witness: contact from a place, and where to put the body for a given rotation."""

    shape: dict[str, Any]
    ground: dict[str, Any]
    find: Callable[[Any], ne.Find]
    """From the place on the ground, the first guess of Newton's method."""
    put: Callable[[Any, Any], Any]
    """Rotation and random numbers to position."""
    carried: Callable[[Any, Any], Any] = field(default=lambda point, t: np.zeros(3))
    kind: str = "rolling"


def on_graph(shape: dict[str, Any], point: ne.Shape, text: str, height: Any, **more: Any) -> Case:
    def put(R: Any, u: Any) -> Any:
        f, a, b = height(*u[:2])
        return np.array([u[0], u[1], f]) - point(R, ne.unit([-a, -b, 1.0]))

    return Case(shape, {"height": text}, lambda u: ne.on_graph(point, height, u[:2]), put, **more)


def ball_on(ground: dict[str, Any], normal: Any, put: Any) -> Case:
    return Case(BALL, ground, lambda u: ne.ball_on(normal, R0), put)


def cylinder_normal(c: Any) -> Any:
    return ne.unit(np.array([c[0], c[1], 0 * c[2]]))


OPENING = 0.8


def funnel_normal(c: Any) -> Any:
    around = ne.unit(np.array([c[0], c[1], 0 * c[2]]))
    return -np.cos(OPENING) * around + np.sin(OPENING) * ne.UP


def funnel_put(R: Any, u: Any) -> Any:
    around, far = np.array([np.cos(u[0]), np.sin(u[0]), 0]), 1.5 + 0.3 * u[1]
    return far * (np.sin(OPENING) * around + np.cos(OPENING) * ne.UP) + R0 * (
        -np.cos(OPENING) * around + np.sin(OPENING) * ne.UP
    )


def shaken(t: Any) -> Any:
    return np.array([0.3 * np.sin(2 * t), 0 * t, 0.1 * np.cos(3 * t)])


def shaken_velocity(point: Any, t: Any) -> Any:
    return np.array([0.6 * np.cos(2 * t), 0 * t, -0.3 * np.sin(3 * t)])


SHAKEN = {"moving": ["0.3*sin(2*t)", 0, "0.1*cos(3*t)"]}


def on_plane(shape: dict[str, Any], point: ne.Shape, ground: dict[str, Any], n: Any, **more: Any) -> Case:
    lift = shaken(TIME) if "moving" in ground else np.zeros(3)
    aside = np.array([1.0, 0.4, 0.0]) - n * (np.array([1.0, 0.4, 0.0]) @ n)
    return Case(shape, ground, lambda u: ne.on_plane(point, n), lambda R, u: u[0] * aside - point(R, n) + lift, **more)


TURNING = 1.3


def turned_at(t: Any) -> Any:
    c, s = np.cos(TURNING * t), np.sin(TURNING * t)
    return np.array([[c, -s, 0 * c], [s, c, 0 * c], [0 * c, 0 * c, 1 + 0 * c]])


def on_turning_graph(shape: dict[str, Any], point: ne.Shape, text: str, height: Any) -> Case:
    """z = f(x, y) that turns about z and is shaken: found in its own axes."""
    still = on_graph(shape, point, text, height)

    def find(u: Any) -> ne.Find:
        own = still.find(u)

        def there(place: Any, t: Any) -> Any:
            turned, shift = turned_at(t), shaken(t)
            touching, normal = own((turned.T @ (place[0] - shift), turned.T @ place[1]), t)
            return turned @ touching + shift, turned @ normal

        return there

    def put(R: Any, u: Any) -> Any:
        turned = turned_at(TIME)
        return turned @ still.put(turned.T @ R, u) + shaken(TIME)

    def carried(p: Any, t: Any) -> Any:
        away = p - shaken(t)
        return shaken_velocity(p, t) + TURNING * np.array([-away[1], away[0], 0 * away[0]])

    return Case(shape, {"height": text, "turning": TURNING, **SHAKEN}, find, put, carried)


ROLLER = {"kind": "cylinder", "radius": R0, "length": 2.0, "axis": "y"}


def roller_on_sphere(place: Any, _: Any) -> Any:
    """The normal through the sphere's centre and the nearest point of the cylinder's axis."""
    axle = place[1] @ np.array([0.0, 1.0, 0.0])
    n = ne.unit(place[0] - (place[0] @ axle) * axle)
    return 1.1 * n, n


def put_roller(R: Any, u: Any) -> Any:
    axle = R @ np.array([0.0, 1.0, 0.0])
    return (1.1 + R0) * ne.unit(ne.UP - (ne.UP @ axle) * axle) + u[0] * axle


FALL = np.array([np.sin(SLOPE), 0.0, np.cos(SLOPE)])
CASES = {
    "ellipsoid on a plane": on_plane(STONE, STONE_POINT, {}, ne.UP),
    "torus on a slope": on_plane(TORUS, ne.torus(R0, 0.04), {"slope": SLOPE}, FALL),
    "disk on a slope, sliding": on_plane(DISK, ne.torus(R0, 0.0), {"slope": SLOPE}, FALL, kind="sliding"),
    "torus on a turning plane": on_plane(
        TORUS, ne.torus(R0, 0.04), {"turning": 1.3}, ne.UP, carried=lambda p, t: 1.3 * np.array([-p[1], p[0], 0 * p[0]])
    ),
    "ellipsoid on a shaken plane": on_plane(STONE, STONE_POINT, SHAKEN, ne.UP, carried=shaken_velocity),
    "ball on z = f": on_graph(BALL, ne.ball(R0), WAVY, wavy),
    "disk on z = f": on_graph(DISK, ne.torus(R0, 0.0), WAVY, wavy),
    "torus on z = f": on_graph(TORUS, ne.torus(R0, 0.04), WAVY, wavy),
    "ellipsoid on z = f": on_graph(STONE, STONE_POINT, WAVY, wavy),
    "torus on z = f that turns and is shaken": on_turning_graph(TORUS, ne.torus(R0, 0.04), WAVY, wavy),
    "ball on a paraboloid": on_graph(BALL, ne.ball(R0), BOWL, bowl),
    "torus on a paraboloid, sliding": on_graph(TORUS, ne.torus(R0, 0.04), BOWL, bowl, kind="sliding"),
    "ball on a sphere": ball_on({"sphere": 1.1}, ne.unit, lambda R, u: (1.1 + R0) * ne.unit([u[0], u[1], 1.0])),
    "ball in a bowl": ball_on(
        {"sphere": 1.1, "inside": True}, lambda c: -ne.unit(c), lambda R, u: (1.1 - R0) * ne.unit([u[0], u[1], -1.0])
    ),
    "ball in a cylinder": ball_on(
        {"cylinder": 1.1, "inside": True}, lambda c: -cylinder_normal(c),
        lambda R, u: np.array([(1.1 - R0) * np.cos(u[0]), (1.1 - R0) * np.sin(u[0]), u[1]]),
    ),
    "ball in a cone": ball_on({"cone": OPENING, "inside": True}, funnel_normal, funnel_put),
    "cylinder on a sphere": Case(ROLLER, {"sphere": 1.1}, lambda u: roller_on_sphere, put_roller),
    "ball on an implicit paraboloid": Case(
        BALL, {"implicit": f"z - ({BOWL})"}, lambda u: ne.on_graph(ne.ball(R0), bowl, u[:2]),
        on_graph(BALL, ne.ball(R0), BOWL, bowl).put,
    ),
    "ellipsoid on an implicit paraboloid": Case(
        STONE, {"implicit": f"z - ({BOWL})"}, lambda u: ne.on_graph(STONE_POINT, bowl, u[:2]),
        on_graph(STONE, STONE_POINT, BOWL, bowl).put,
    ),
}  # fmt: skip


SLOW = {"ellipsoid on an implicit paraboloid", "torus on z = f"}
"""Long ones whose shape and ground are both among the quick cases."""


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in CASES])
def test_accelerations_and_reactions_are_those_of_newton_and_euler(name: str) -> None:
    case = CASES[name]
    random = np.random.default_rng(sum(map(ord, name)))
    start: dict[str, float] = {}
    for _ in range(1 if "height" in case.ground else 2):
        turned, u = ne.rotation(random), random.uniform(-0.4, 0.4, 3)
        place = case.put(turned, u)
        body = ne.Rigid(MASS, np.diag(MOMENTS), place, turned, w=2 * random.normal(size=3))
        find = case.find(u)
        point, normal = (e.real for e in find((place, turned), TIME))
        body.v = case.carried(point, TIME) - np.cross(body.w, point - place)
        if case.kind == "sliding":
            body.v = body.v + np.cross(normal, random.normal(size=3))
        rates, forces = ne.accelerations(
            [body], [ne.contact(0, find, case.kind, carried=case.carried)], ne.weight([body]), TIME
        )
        state = {f"R{i + 1}{j + 1}": turned[i, j] for i in range(3) for j in range(3)}
        state |= dict(zip("xyz", place)) | dict(zip(("w1", "w2", "w3"), turned.T @ body.w)) | {"t": TIME}
        state |= dict(zip(("xdot", "ydot", "zdot"), body.v)) if case.kind == "sliding" else {}
        left_out = ("t", "x", "y", "z") if "moving" in case.ground else ("t",)
        start = start or {n: e for n, e in state.items() if n not in left_out}
        system, contact = free_body(case.shape, case.ground, kind=case.kind, start=start)
        if case.shape is ROLLER:
            near = {n: e for n, e in state.items() if not n.startswith("w")}
            found, gap = closest_points("c", contact, near)
            assert abs(gap) < 1e-12
            state |= found
        elif contact.coordinates:
            own = turned_at(TIME).T @ (point - shaken(TIME)) if "turning" in case.ground else point
            state |= dict(zip(contact.coordinates, own))
        found = nh.prepare(system).rates(state, t=TIME)
        spin = turned @ np.array([found["w1"], found["w2"], found["w3"]])  # R ẇ_body = ẇ_world
        got = np.array([found["xdot"], found["ydot"], found["zdot"], *spin])
        assert np.max(np.abs(got - rates[0])) < 1e-11 * (1 + np.max(np.abs(rates)))
        told = nh.reactions(system).at(state)
        last = len(contact.rows) + 1
        assert abs(told[f"lambda{last}"] - forces[0]) < 1e-11 * (1 + abs(forces[0]))
        aside = np.hypot(*[told[f"lambda{k}"] for k in (1, 2)]) if len(contact.rows) == 2 else 0.0  # type: ignore[call-overload]
        assert abs(aside - (np.hypot(*forces[1:]) if len(forces) == 3 else 0.0)) < 1e-11 * (1 + aside)
        for k in range(len(contact.coordinates) if "implicit" not in case.ground else 0):
            assert abs(told[f"lambda{last + 1 + k}"]) < 1e-11
