"""Bodies on curved grounds: the gallery's balls, tilted planes written as z = f(x, y), and long motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from tests.machines import newton_euler as ne
from tests.machines.free_bodies import free_body

MATRIX = [f"R{i}{j}" for i in (1, 2, 3) for j in (1, 2, 3)]
RHO = 0.05
BALL = {"kind": "ball", "radius": RHO}
STEEP = 0.8
PARABOLOID = ("s - b*k*s/sqrt(1 + k**2*s**2)", "k*s**2/2 + b/sqrt(1 + k**2*s**2)")
"""The centre of a ball on z = k r²/2, by the radius s of the contact point."""
SURFACES: dict[str, tuple[Any, dict[str, Any], dict[str, float]]] = {
    "cylinder": (
        lambda: nh.gallery.get("ball-in-cylinder"),
        {"cylinder": 0.35 + RHO, "inside": True},
        {"s": 0.2, "a": 0.35},
    ),
    "cone": (
        lambda: nh.gallery.get("ball-on-surface", a="s", z="k*s", parameters={"k": STEEP}),
        {"cone": float(np.arctan(1 / STEEP)), "inside": True},
        {"s": 0.4, "k": STEEP},
    ),
    "paraboloid": (
        lambda: nh.gallery.get("ball-on-surface", a=PARABOLOID[0], z=PARABOLOID[1], parameters={"k": 2.0, "b": RHO}),
        {"height": "x**2 + y**2"},
        {"s": 0.3, "k": 2.0, "b": RHO},
    ),
    "sphere": (lambda: nh.gallery.get("ball-on-sphere"), {"sphere": 0.5 - RHO}, {"v": 0.5}),
    "bowl": (
        lambda: nh.gallery.get("ball-on-sphere", side="inside"),
        {"sphere": 0.5 + RHO, "inside": True},
        {"v": 0.5},
    ),
}


def centre(name: str, own: dict[str, float], angle: float, lift: float = 0.0) -> Any:
    """Where the centre of the ball is."""
    if name in ("sphere", "bowl"):
        side = 1 if name == "sphere" else -1
        return 0.5 * side * ne.unit([0.3 * np.cos(angle), 0.3 * np.sin(angle), 1.0])
    s, k = own["s"], own.get("k", 0.0)
    steep = np.sqrt(1 + k**2 * s**2)
    # of the cone the centre's curve passes the axis at ρ/sin of the opening above the tip of the ground
    away, high = {
        "cylinder": (0.35, s),
        "cone": (s, STEEP * s + RHO * np.sqrt(1 + STEEP**2)),
        "paraboloid": (s - RHO * k * s / steep, k * s**2 / 2 + RHO / steep),
    }[name]
    return np.array([away * np.cos(angle), away * np.sin(angle), high])


@pytest.mark.parametrize("name", SURFACES)
def test_balls_of_the_gallery(name: str) -> None:
    """The second derivative of the rotation matrix, at random attitudes and angular velocities."""
    build, ground, own = SURFACES[name]
    hand = build().system
    values = {"m": 0.2, "J": 0.0003, "rho": RHO, "g": 9.81, **own}
    random = np.random.default_rng(4)
    for _ in range(2):
        turned, spin, angle = ne.rotation(random), 3 * random.normal(size=3), random.uniform(-3, 3)
        place = centre(name, own, angle)
        shared = {n: float(e) for n, e in zip(MATRIX, turned.reshape(-1))}
        words, _ = free_body(
            BALL,
            ground,
            {"m": 0.2, "I1": 0.0003, "I2": 0.0003, "I3": 0.0003},
            start={**shared, **dict(zip("xyz", place))},
        )
        there = {"s": own["s"], "theta": angle} if "s" in own else dict(zip("xyz", place))
        one = nh.prepare(hand, {n: e for n, e in values.items() if n in hand.parameters}).rates(
            {**shared, **there, **dict(zip(("nu1", "nu2", "nu3"), spin))}
        )
        two = nh.prepare(words).rates(
            {**shared, **dict(zip("xyz", place)), **dict(zip(("w1", "w2", "w3"), turned.T @ spin))}
        )
        second = [f"{n}dot" for n in MATRIX]
        size = max(abs(one[n]) for n in second)
        assert max(abs(one[n] - two[n]) for n in second) < 1e-11 * size


SHAPES = {
    "ball": {"kind": "ball", "radius": 0.21},
    "disk": {"kind": "disk", "radius": 0.21},
    "torus": {"kind": "wheel", "radius": 0.21, "tube": 0.04},
}


@pytest.mark.parametrize("name", SHAPES)
def test_a_tilted_plane_as_a_graph_is_the_slope(name: str) -> None:
    """z = −x tan α with further coordinates, against the plane in closed form."""
    random = np.random.default_rng(8)
    start = {n: float(e) for n, e in zip(MATRIX, ne.turn([0.2, 1, 0.4], 0.5).reshape(-1))}
    exact = nh.prepare(free_body(SHAPES[name], {"slope": 0.3}, start=start)[0])
    graph = nh.prepare(free_body(SHAPES[name], {"height": f"{-np.tan(0.3)!r}*x"}, start=start)[0])
    for _ in range(2):
        state = {n: float(e) for n, e in zip(MATRIX, ne.rotation(random).reshape(-1))}
        state |= dict(zip(("w1", "w2", "w3"), 2 * random.normal(size=3)))
        one, two = exact.rates(state), graph.rates(state)
        compared = ("w1", "w2", "w3", "xdot", "ydot", "zdot")
        assert max(abs(one[n] - two[n]) for n in compared) < 1e-11 * max(abs(one[n]) for n in compared)


BUMPS = "0.01*x**2 + 0.03*sin(3*x)*cos(2*y)"


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n == "disk" else n for n in SHAPES])
def test_a_hundred_seconds_on_bumps(name: str) -> None:
    """Energy, contact point on both surfaces, rolling."""
    start = {n: float(e) for n, e in zip(MATRIX, ne.turn([1, 0.3, 0.2], 0.1).reshape(-1))}
    system, _ = free_body(SHAPES[name], {"height": BUMPS}, start=start)
    run = nh.simulate(system, {"w1": 0.2, "w2": 12.0, "w3": 0.5}, 100.0, rtol=1e-13, atol=1e-13)
    assert run.outcome.reached
    data = {n: run.data[n].values for n in run.data}
    energy = data["energy"]
    assert np.ptp(energy) < 1e-10 * np.max(np.abs(energy))
    x, y = data["c_x"], data["c_y"]
    point = np.array([x, y, 0.01 * x**2 + 0.03 * np.sin(3 * x) * np.cos(2 * y)])
    turned = np.array([data[n] for n in MATRIX]).reshape(3, 3, -1)
    from_centre = np.einsum("jik,jk->ik", turned, point - np.array([data["x"], data["y"], data["z"]]))
    assert np.max(np.abs(_surface(name, *from_centre))) < 1e-12  # the ground's point lies on the body
    spin = np.einsum("ijk,jk->ik", turned, np.array([data[n] for n in ("w1", "w2", "w3")]))
    velocity = np.array([data["xdot"], data["ydot"], data["zdot"]])
    slip = velocity + np.cross(spin.T, np.einsum("ijk,jk->ik", turned, from_centre).T).T
    assert max(np.max(np.abs(data[n])) for n in ("constraint_1", "constraint_2")) < 1e-14
    assert np.max(np.abs(slip)) < 1e-13  # from coordinates of 16 m, which have an error of their own
    assert not [h for h in run.hints if "kinetic energy" in h]


def _surface(name: str, x: Any, y: Any, z: Any) -> Any:
    """How far a point in body axes is from the shape's surface."""
    around = np.sqrt(x**2 + z**2)
    if name == "ball":
        return np.sqrt(x**2 + y**2 + z**2) - 0.21
    return np.hypot(around - 0.21, y) if name == "disk" else np.hypot(around - 0.17, y) - 0.04
