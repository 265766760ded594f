"""A body on a body on a plane, against Newton–Euler; and the nearest points of a given pose."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import StateError
from tests.machines import newton_euler as ne
from tests.machines.closest_points import closest_points
from tests.machines.free_bodies import free_body, two_bodies

BALL, BIG = {"kind": "ball", "radius": 0.1}, {"kind": "ball", "radius": 0.3}
EGG = {"kind": "ellipsoid", "a": 0.14, "b": 0.1, "c": 0.12}
STONE = {"kind": "ellipsoid", "a": 0.35, "b": 0.3, "c": 0.25}
CASES: dict[str, tuple[dict[str, Any], dict[str, Any], ne.Shape, ne.Shape]] = {
    "ball on a ball": (BALL, BIG, ne.ball(0.1), ne.ball(0.3)),
    "ellipsoid on a ball": (EGG, BIG, ne.ellipsoid((0.14, 0.1, 0.12)), ne.ball(0.3)),
    "ball on an ellipsoid": (BALL, STONE, ne.ball(0.1), ne.ellipsoid((0.35, 0.3, 0.25))),
    "ellipsoid on an ellipsoid": (EGG, STONE, ne.ellipsoid((0.14, 0.1, 0.12)), ne.ellipsoid((0.35, 0.3, 0.25))),
}


def entries(name: str, matrix: Any) -> dict[str, float]:
    return {f"{name}{i + 1}{j + 1}": float(matrix[i, j]) for i in range(3) for j in range(3)}


@pytest.mark.parametrize("name", [n if n == "ellipsoid on a ball" else pytest.param(n, marks=pytest.mark.slow) for n in CASES])
def test_a_body_rolls_on_a_body_that_rolls_on_a_plane(name: str) -> None:
    upper, lower, above, below = CASES[name]
    random = np.random.default_rng(len(name))
    turned = [ne.rotation(random), ne.rotation(random)]
    spins = [2 * random.normal(size=3) for _ in range(2)]
    normal = ne.unit([0.3, -0.2, 1.0])
    place_b = np.array([0.2, 0.1, 0.0]) - below(turned[1], ne.UP)
    touching = place_b + below(turned[1], -normal)
    place_a = touching - above(turned[0], normal)
    speed_b = -np.cross(spins[1], below(turned[1], ne.UP))
    speed_a = speed_b + np.cross(spins[1], touching - place_b) - np.cross(spins[0], touching - place_a)
    bodies = [
        ne.Rigid(0.4, 0.004 * np.eye(3), place_a, turned[0], speed_a, spins[0]),
        ne.Rigid(0.9, 0.02 * np.eye(3), place_b, turned[1], speed_b, spins[1]),
    ]
    joins = [
        ne.contact(0, ne.two_shapes(above, below, normal), on=1, both=True),
        ne.contact(1, ne.on_plane(below)),
    ]
    rates, forces = ne.accelerations(bodies, joins, ne.weight(bodies))
    state = {**entries("Ra", turned[0]), **entries("Rb", turned[1])}
    state |= dict(zip(("xa", "ya", "za", "xb", "yb", "zb"), [*place_a, *place_b]))
    state |= dict(
        zip(("w1a", "w2a", "w3a", "w1b", "w2b", "w3b"), [*(turned[0].T @ spins[0]), *(turned[1].T @ spins[1])])
    )
    _, (first, _) = two_bodies(upper, lower, {})
    state |= dict(zip(first.coordinates, normal))
    system, _ = two_bodies(upper, lower, state)
    found = nh.prepare(system).rates(state)
    got = [found[n] for n in ("xadot", "yadot", "zadot")], turned[0] @ [found[n] for n in ("w1a", "w2a", "w3a")]
    assert np.max(np.abs(np.concatenate(got) - rates[0])) < 1e-11 * (1 + np.max(np.abs(rates)))
    got = [found[n] for n in ("xbdot", "ybdot", "zbdot")], turned[1] @ [found[n] for n in ("w1b", "w2b", "w3b")]
    assert np.max(np.abs(np.concatenate(got) - rates[1])) < 1e-11 * (1 + np.max(np.abs(rates)))
    told = nh.reactions(system).at(state)
    assert abs(told["lambda5"] - forces[0]) < 1e-11 * (1 + abs(forces[0]))  # gap of the upper contact, after four rows
    assert abs(told["lambda6"] - forces[3]) < 1e-11 * (1 + abs(forces[3]))
    assert abs(np.hypot(told["lambda1"], told["lambda2"]) - np.hypot(*forces[1:3])) < 1e-11 * (1 + abs(forces[0]))


@pytest.mark.parametrize(
    "shape", [{"kind": "ball", "radius": 0.2}, {"kind": "ellipsoid", "a": 0.2, "b": 0.15, "c": 0.1}]
)
@pytest.mark.parametrize("ground", [{"height": "x**2/2 + y**2/3"}, {"implicit": "z - x**2/2 - y**2/3"}])
def test_nearest_points_of_a_pose(shape: dict[str, Any], ground: dict[str, Any]) -> None:
    """Against a search over the ground's points: the smallest distance is the gap."""
    _, contact = free_body(shape, ground)
    values = {"x": 0.3, "y": -0.2, "z": 0.5, **entries("R", ne.turn([1, 2, 0.5], 0.7))}
    found, gap = closest_points("c", contact, values)
    x, y = (found[n] for n in contact.coordinates[:2])
    surface = np.array([x, y, x**2 / 2 + y**2 / 3])
    turned = ne.turn([1, 2, 0.5], 0.7)
    semi = np.array([shape.get(k, shape.get("radius")) for k in "abc"])
    grid = np.stack(np.meshgrid(np.linspace(0, np.pi, 81), np.linspace(0, 2 * np.pi, 161)), axis=-1).reshape(-1, 2)
    directions = np.stack(
        [np.sin(grid[:, 0]) * np.cos(grid[:, 1]), np.sin(grid[:, 0]) * np.sin(grid[:, 1]), np.cos(grid[:, 0])]
    )
    body = np.array([0.3, -0.2, 0.5])[:, None] + turned @ (semi[:, None] * directions)
    distance = np.min(np.linalg.norm(body - surface[:, None], axis=0))
    assert gap > 0.05
    assert abs(distance - gap) < 1e-3
    flat = np.stack(
        np.meshgrid(np.linspace(x - 0.05, x + 0.05, 41), np.linspace(y - 0.05, y + 0.05, 41)), axis=-1
    ).reshape(-1, 2)
    near = np.array([flat[:, 0], flat[:, 1], flat[:, 0] ** 2 / 2 + flat[:, 1] ** 2 / 3])
    lowest = min(
        np.min(np.linalg.norm(near - point[:, None], axis=0)) for point in body.T[np.argsort(body[2])[:4000:7]]
    )
    assert lowest > gap - 1e-9


def test_no_nearest_point_is_said_in_words() -> None:
    _, contact = free_body({"kind": "disk", "radius": 0.2}, {"height": "x**2"})
    with pytest.raises(StateError, match="contact rim: no point of the ground"):
        closest_points("rim", contact, {"x": float("nan"), "y": 0.0, "z": 1.0, **entries("R", np.eye(3))})
