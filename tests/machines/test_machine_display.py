"""Symmetry, picture, meanings and units that the assembler declares."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.display.ground_drawing import ground_drawing
from nonholo.machines.machine_files import dumps, loads
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.drawing.shapes import Drawing
from nonholo.present.film.scene import subject_of
from tests.machines.test_bicycle_in_bodies import BICYCLE
from tests.machines.test_machine_starts import COIN
from tests.machines.test_machine_summary import CART, PENDULUM


def generators(system: nh.System) -> set[str]:
    return set(system.symmetry.generators) if system.symmetry is not None else set()


def test_planar_motions_and_spins_are_declared_on_flat_ground() -> None:
    assert generators(loads(BICYCLE)) == {"shift_x", "shift_y", "turn", "turn_rear", "turn_front"}
    assert generators(loads(COIN)) == {"shift_x", "shift_y", "turn", "turn_own"}
    assert generators(loads(CART)) == {"shift_x", "shift_y", "turn", "turn_left", "turn_right", "turn_c1_spin"}


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (COIN.replace("[[contacts]]", '[ground]\nslope = "r"\n[[contacts]]'), {"shift_y"}),
        (CART.replace('world = "plane"', 'world = "plane"\ngravity = [0, -1.0]'), {"shift_x"}),
        (CART + '[forces]\nx = "-x"', {"shift_y"}),
        (PENDULUM, set()),
    ],
)
def test_what_breaks_a_symmetry_is_seen(text: str, kept: set[str]) -> None:
    assert {n for n in generators(loads(text)) if not n.startswith("turn_")} == kept


def test_names_have_meanings_and_units() -> None:
    coin = loads(COIN)
    assert coin.units["r"] == "m" and coin.units["m"] == "kg" and coin.units["w3"] == "rad/s"
    assert coin.page is not None and coin.page.meanings["r"] == "radius of coin"
    assert loads(BICYCLE).units["steerdot"] == "rad/s"


def test_sliders_and_presets_of_the_page_are_given() -> None:
    """By the assembler where the author says nothing; what the author says stays."""
    page = loads(BICYCLE + "[start]\nroll = 0.1\nreardot = 12.0").page
    assert page is not None
    assert page.ranges["roll"] == (-1.2, 1.2) and page.ranges["yaw"] == (-np.pi, np.pi) and page.ranges["reardot"] == (-36, 36)
    assert page.presets == {"at rest": {"roll": 0.1}, "twice as fast": {"roll": 0.1, "reardot": 24.0}}
    coin = loads(COIN.replace("friction = 0.4", 'friction = "mu"').replace("m = 0.006", "m = 0.006\nmu = 0.4"))
    assert coin.page is not None and coin.page.ranges["mu"] == (0.0, 1.5)
    own = "[page.ranges]\nroll = [-0.2, 0.2]\n[page.presets.leaning]\nroll = 0.15\n"
    said = loads(BICYCLE + own + "[start]\nreardot = 12.0")
    assert said.page is not None and said.page.ranges["roll"] == (-0.2, 0.2) and set(said.page.presets) == {"leaning"}
    assert loads(dumps(said)) == said and loads(dumps(loads(COIN))).page == loads(COIN).page
    for title, told in page.presets.items():
        state = nh.complete_state(loads(BICYCLE), told)
        assert state["roll"] == 0.1 and (state["reardot"] == 0) == (title == "at rest")


def test_shapes_are_drawn_where_the_bodies_are() -> None:
    system = loads(BICYCLE)
    drawing = system.drawing
    assert drawing is not None
    wheels = [body for body in drawing.bodies if body.shape == "disc"]
    assert [body.label for body in wheels] == ["rear wheel", "front wheel"]
    run = nh.simulate(system, {"rolling": 5}, 0.2)
    assert np.all(np.isfinite(run.data["x"]))
    assert loads(dumps(system)).drawing == drawing


@pytest.mark.parametrize(
    ("shape", "radius"),
    [
        ('{kind = "cone", radius = 0.3, length = 0.8, axis = "z"}', lambda z: 0.3 * (1 - z / 0.8)),
        ('{kind = "convex", support = "sqrt(0.09*(n1**2 + n2**2) + 0.25*n3**2)"}', lambda z: 0.3 * np.sqrt(1 - (z / 0.5) ** 2)),
    ],
)
def test_cones_and_convex_bodies_are_drawn_by_their_surface(shape: str, radius: Any) -> None:
    system = loads(f'bodies = [{{name = "b", mass = 1, inertia = [1, 1, 1], free = "x y z yaw roll pitch", shape = {shape}}}]')
    drawn = evaluate_drawing(system.drawing, system, dict.fromkeys((*system.coordinates, *system.velocities, "t"), np.zeros(1)))
    (surface,) = (body for body in drawn["bodies"] if body["shape"] == "surface")
    points = surface["points"].reshape(-1, 3) @ surface["rotation"][0].T
    side = points[points[:, 2] > 1e-9]
    assert np.allclose(np.hypot(side[:, 0], side[:, 1]), radius(side[:, 2]), atol=1e-7)
    assert np.max(points[:, 2]) == pytest.approx(0.8 if "cone" in shape else 0.5)
    assert np.min(points[:, 2]) == pytest.approx(0.0 if "cone" in shape else -0.5, abs=1e-12)


GROUNDS = {
    'height = "x**2/2 + x*y/5"': lambda x, y, z: z - x**2 / 2 - x * y / 5,
    'slope = "0.2"': lambda x, y, z: z + x * np.tan(0.2),
    'sphere = "2.5", inside = true': lambda x, y, z: np.hypot(np.hypot(x, y), z) - 2.5,
    'cylinder = "2.5", inside = true': lambda x, y, z: np.hypot(x, y) - 2.5,
    'cone = "0.9", inside = true': lambda x, y, z: np.hypot(x, y) - z * np.tan(0.9),
}


@pytest.mark.parametrize("words", GROUNDS)
def test_the_ground_is_drawn_where_the_motion_goes(words: str) -> None:
    body = '{name = "b", mass = 1, inertia = [1, 1, 1], free = "x y z yaw roll pitch"}'
    ground = loads(f"ground = {{{words}}}\nbodies = [{body}]")
    way = np.linspace(0.0, 1.0, 9)
    (sheet,) = ground_drawing(ground.machine, ground.parameters, [0.3 + way, 0 * way, way])
    drawn = evaluate_drawing(
        Drawing((sheet,)), ground, dict.fromkeys((*ground.coordinates, *ground.velocities, "t"), np.zeros(1))
    )
    points = drawn["bodies"][0]["points"].reshape(-1, 3)
    assert np.abs(GROUNDS[words](*points.T)).max() < 1e-12 and np.ptp(points[:, 0]) > 1.0
    if not words.startswith(("cylinder", "sphere")):
        assert points[:, 0].min() < 0.3 and points[:, 0].max() > 1.3


def test_a_level_ground_and_a_drawing_of_one_s_own_have_no_surface_added() -> None:
    ball = 'bodies = [{name = "b", mass = 1, shape = {kind = "ball", radius = 0.1}, contact = {}}]\n'
    shapes = {}
    for key, text in {"flat": "", "bowl": 'ground = {height = "x**2/2 + y**2/2"}\n'}.items():
        run = nh.simulate(loads(text + ball), {"x": 0.2, "xdot": 0.5}, 0.2)
        shapes[key] = [body.shape for body in subject_of(run, None)[0].bodies]
    own = '[drawing]\nshapes = [{shape = "ball", radius = 0.1, at = ["x", "y", "z"]}]\n'
    run = nh.simulate(loads('ground = {height = "x**2/2 + y**2/2"}\n' + ball + own), {"x": 0.2}, 0.2)
    assert "surface" not in shapes["flat"] and shapes["bowl"] == ["surface", *shapes["flat"]]
    assert [body.shape for body in subject_of(run, None)[0].bodies] == ["sphere"]
