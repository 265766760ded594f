"""Films touch and roll: contact and slip of every rolling body of the gallery, from the scene's places and attitudes alone.

Heights are support functions of the shapes, velocities are finite differences; neither uses the system's equations.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

import nonholo as nh
from nonholo import gallery
from nonholo.present.film.scene import numbers, scene

Numbers = NDArray[np.float64]

ON_THE_GROUND = {
    "chaplygin-sphere": ("ball",),
    "n-trailer": ("",),
    "orthogonal-points": ("P1", "P2"),
    "rattleback": ("stone",),
    "roller-racer": ("",),
    "rolling-disk": ("disk",),
    "routh-sphere": ("sphere",),
    "routh-top": ("foot",),
    "snakeboard": ("",),
    "three-wheel-cart": ("left", "right", "front"),
    "tippe-top": ("sphere",),
    "two-wheel-robot": ("left wheel", "right wheel", "caster"),
    "unicycle": ("wheel",),
    "vertical-disk": ("disk",),
}
"""Bodies (by label; unlabelled ones are wheels) that stand on the plane z = 0."""
SLIDING = {"tippe-top"}
"""Friction drives it, so it must slip."""
SPANS = {"routh-top": 0.04, "tippe-top": 0.03, "ball-on-sphere": 0.01, "ball-in-cylinder": 0.03, "basketball": 0.1}
"""Seconds, where bodies turn quickly."""
BLADES = ("balanced-sleigh", "chaplygin-sleigh", "parallel-points", "sleigh-chain", "sleigh-oscillator")


def filmed(name: str) -> dict[str, Any]:
    exhibit = gallery.get(name)
    span = SPANS.get(name, 0.4)
    run = nh.simulate(
        exhibit.system, exhibit.start, span, exhibit.parameters, inputs=exhibit.inputs or None, t_eval=201
    )
    found = scene(run, frames=400)
    assert found is not None and len(numbers(found["times"])) == 201
    return found


def pose(body: dict[str, Any]) -> tuple[Numbers, Numbers]:
    return numbers(body["position"], -1, 3), Rotation.from_quat(numbers(body["rotation"], -1, 4)).as_matrix()


def arm_down(body: dict[str, Any]) -> Numbers:
    """From a body's centre to its lowest point: minus the gradient of its support function at the vertical."""
    _, turned = pose(body)
    if body["shape"] == "sphere":
        return np.broadcast_to([0.0, 0.0, -body["size"]["radius"]], (len(turned), 3))
    if body["shape"] == "ellipsoid":
        half = np.array([body["size"][n] for n in "abc"])
        up = turned[:, 2, :]
        return -np.einsum("nij,nj->ni", turned, half**2 * up) / np.sqrt((half**2 * up**2).sum(axis=1))[:, None]
    assert body["shape"] in ("disc", "wheel")
    axis = turned[:, :, 2]
    down = axis * axis[:, 2:] - [0.0, 0.0, 1.0]
    return body["size"]["radius"] * down / np.linalg.norm(down, axis=1, keepdims=True)


def slip(found: dict[str, Any], body: dict[str, Any], arm: Numbers) -> tuple[Numbers, float]:
    """The velocity of the body's point at the end of an arm, and the arm's length times the rate of turning."""
    place, turned = pose(body)
    span = numbers(found["times"])
    step = (span[2:] - span[:-2])[:, None]
    moving = (place[2:] - place[:-2]) / step
    spin = Rotation.from_matrix(np.einsum("nij,nkj->nik", turned[2:], turned[:-2])).as_rotvec() / step
    size = np.linalg.norm(spin, axis=1) * np.linalg.norm(arm[1:-1], axis=1)
    return moving + np.cross(spin, arm[1:-1]), float(size.max())


@pytest.mark.parametrize("name", ON_THE_GROUND)
def test_bodies_stand_on_the_ground_and_roll(name: str) -> None:
    found = filmed(name)
    wanted = ON_THE_GROUND[name]
    bodies = [b for b in found["bodies"] if (b["label"] in wanted if wanted != ("",) else b["shape"] == "wheel")]
    assert len(bodies) >= len(wanted)
    for body in bodies:
        size = max(v for v in body["size"].values() if not isinstance(v, str))
        place, _ = pose(body)
        arm = arm_down(body)
        np.testing.assert_allclose(place[:, 2] + arm[:, 2], 0.0, atol=2e-6 * max(1.0, size), err_msg=body["label"])
        velocity, speed = slip(found, body, arm)
        assert speed > 0.01 * size, "nothing turns, so nothing is tested"
        if name in SLIDING:
            assert np.abs(velocity[:, :2]).max() > 0.01 * speed
        else:
            assert np.abs(velocity).max() < 4e-3 * speed, (body["label"], np.abs(velocity).max(), speed)


def test_the_ball_on_the_turntable_moves_with_the_table() -> None:
    found = filmed("ball-on-turntable")
    ball = next(b for b in found["bodies"] if b["label"] == "ball")
    rate = gallery.get("ball-on-turntable").parameters["Omega"]
    velocity, speed = slip(found, ball, arm_down(ball))
    place = numbers(ball["position"], -1, 3)[1:-1]
    table = rate * np.column_stack([-place[:, 1], place[:, 0], np.zeros(len(place))])
    assert np.abs(velocity - table).max() < 4e-3 * speed
    disc = next(b for b in found["bodies"] if b["label"] == "table")
    top = disc["size"]["width"] / 2 + numbers(disc["position"], -1, 3)[:, 2]
    np.testing.assert_allclose(top, 0.0, atol=1e-7)


def arm_to_surface(name: str, place: Numbers) -> Numbers:
    """From a ball's centre to the nearest point of what it rolls on, by the surface's own geometry."""
    values = gallery.get(name).parameters
    flat = np.linalg.norm(place[:, :2], axis=1, keepdims=True)
    outward = np.column_stack([place[:, :2] / flat, np.zeros(len(place))])
    if name == "ball-on-sphere":
        towards, gap = -place, np.linalg.norm(place, axis=1) - (values["v"] - values["rho"])
    elif name == "ball-in-cylinder":
        towards, gap = outward, np.full(len(place), values["rho"])
    else:
        ring = values["u"] * outward - place
        towards, gap = ring, np.linalg.norm(ring, axis=1) - (values["v"] - values["rho"])
    np.testing.assert_allclose(gap, values["rho"], rtol=1e-5)
    return np.asarray(values["rho"] * towards / np.linalg.norm(towards, axis=1, keepdims=True))


@pytest.mark.parametrize("name", ["ball-on-sphere", "ball-in-cylinder", "basketball"])
def test_balls_roll_on_curved_surfaces(name: str) -> None:
    found = filmed(name)
    ball = next(b for b in found["bodies"] if b["label"] == "ball")
    arm = arm_to_surface(name, numbers(ball["position"], -1, 3))
    velocity, speed = slip(found, ball, arm)
    assert np.abs(velocity).max() < 4e-3 * speed
    contact = next(t for t in found["traces"] if t["label"] == "contact")
    touched = numbers(ball["position"], -1, 3) + arm
    np.testing.assert_allclose(numbers(contact["points"], -1, 3), touched, atol=3e-6)


@pytest.mark.parametrize("name", ["rolling-body", "ball-on-surface"])
def test_drawn_skins_touch_at_the_traced_contact(name: str) -> None:
    """Where a shape is given by points, no point goes through, and the nearest comes close to the traced contact."""
    found = filmed(name)
    skin = next(b for b in found["bodies"] if b["shape"] == "surface")
    place, turned = pose(skin)
    points = numbers(skin["points"], -1, 3)
    contact = numbers(next(t for t in found["traces"] if t["label"] == "contact")["points"], -1, 3)
    if name == "rolling-body":
        skins = np.einsum("nij,pj->npi", turned, points) + place[:, None]
        assert skins[:, :, 2].min() > -1e-6
        size = np.ptp(points, axis=0).max()
        assert skins[:, :, 2].min(axis=1).max() < 2e-3 * size
        lowest = skins[np.arange(len(skins)), skins[:, :, 2].argmin(axis=1)]
        assert np.linalg.norm(lowest - contact, axis=1).max() < 0.06 * size
        velocity, speed = slip(found, skin, contact - place)
        assert np.abs(velocity).max() < 4e-3 * speed
        return
    ball = next(b for b in found["bodies"] if b["label"] == "ball")
    centre, radius = numbers(ball["position"], -1, 3), ball["size"]["radius"]
    near = np.array([np.linalg.norm(points - c, axis=1).min() for c in centre])
    assert near.min() > radius * (1 - 1e-5) and near.max() < 1.15 * radius
    velocity, speed = slip(found, ball, contact - centre)
    assert np.abs(velocity).max() < 4e-3 * speed


@pytest.mark.parametrize("name", BLADES)
def test_blades_cut_along_their_edge_and_lie_on_the_ground(name: str) -> None:
    found = filmed(name)
    edges = [b for b in found["bodies"] if b["shape"] == "blade"]
    assert edges
    step = np.diff(numbers(found["times"]))[:, None]
    for edge in edges:
        place, turned = pose(edge)
        np.testing.assert_allclose(place[:, 2], 0.0, atol=1e-9)
        velocity = np.diff(place, axis=0) / step
        across = np.einsum("ni,ni->n", velocity, (turned[1:, :, 1] + turned[:-1, :, 1]) / 2)
        assert np.abs(across).max() < 2e-3 * np.linalg.norm(velocity, axis=1).max()


@pytest.mark.parametrize("name", [n for n in gallery.system_names() if n != "degenerate-sleigh"])
def test_nothing_that_stands_on_the_ground_sinks_into_it(name: str) -> None:
    """The lowest point of everything solid on a plane ground, but for marks let into a ball and the thickness of a rim."""
    if gallery.get(name).drawing.ground == "none" or name in ("constrained-particle", "heisenberg"):
        return  # no ground to sink into, or a point that flies through a plane of reference
    found = filmed(name)
    radii = [b["size"]["radius"] for b in found["bodies"] if "radius" in b["size"]]
    for body in found["bodies"]:
        if body["shape"] in ("arrow", "wire", "point", "surface") or body["label"] == "table":
            continue
        place, turned = pose(body)
        if body["shape"] in ("sphere", "ellipsoid", "disc", "wheel"):
            low = place[:, 2] + arm_down(body)[:, 2]
        else:
            half = [body["size"].get(n, 0.0) / 2 for n in "xyz"]
            if body["shape"] == "rod":
                half = [body["size"]["length"] / 2, body["size"].get("radius", 0.0), body["size"].get("radius", 0.0)]
            low = place[:, 2] - np.abs(turned[:, 2, :]) @ np.array(half)
        assert low.min() > -0.04 * max(radii, default=0.0) - 1e-6, (body["label"], low.min())
