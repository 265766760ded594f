"""Drawings in a user's words: what shapes mean, files that give them back, slips that are one clear line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import nonholo as nh
from nonholo import gallery
from nonholo.errors import ModelError, NonholoError, ParseError
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.drawing.shapes import Body, Drawing, Trace, heading, quaternion_of, rolling
from nonholo.model.files.toml_files import dumps, loads


def skate(drawing: object, **words: object) -> nh.System:
    given = {"parameters": {"m": 1.0, "J": 0.2, "l": 0.5}, "drawing": drawing, **words}
    return nh.System(
        name="skate", coordinates="x y theta phi", lagrangian="m*(xdot**2 + ydot**2)/2 + J*(thetadot**2 + phidot**2)/2", **given
    )


def at(system: nh.System, **state: float) -> list[dict[str, object]]:
    assert system.drawing is not None
    full = {**dict.fromkeys(system.coordinates, 0.0), **state}
    found: list[dict[str, object]] = evaluate_drawing(system.drawing, system, full)["bodies"]
    return found


@pytest.mark.parametrize("name", gallery.system_names())
def test_a_file_gives_back_the_drawing_of_every_exhibit(name: str) -> None:
    system = gallery.get(name).system
    again = loads(dumps(system))
    assert again.drawing == system.drawing is not None and again.until == system.until and again.units == system.units


def test_two_components_rest_on_the_ground() -> None:
    shapes = [
        {"shape": "wheel", "at": ["x", "y"], "radius": "l/2"},
        {"shape": "ball", "at": ["x", "y"], "radius": 0.3},
        {"shape": "box", "at": ["x", "y"], "size": [1, 2, 0.4]},
        {"shape": "disk", "at": ["x", "y"], "radius": 1, "width": 0.1},
    ]
    heights = [float(body["position"][0, 2]) for body in at(skate(shapes))]  # type: ignore[index]
    assert heights == pytest.approx([0.25, 0.3, 0.2, 0.05])


def test_a_wheel_that_spins_rolls_forward_when_its_angle_grows() -> None:
    """The rim's lowest point rests: v + ω × r = 0 with v along the heading, by central differences."""
    system = skate([{"shape": "wheel", "at": ["x", "y"], "heading": "theta", "spin": "phi", "radius": "l"}])
    turn = [np.asarray(at(system, theta=0.7, phi=p)[0]["rotation"])[0] for p in (0.3 - 1e-6, 0.3, 0.3 + 1e-6)]
    omega = Rotation.from_matrix(turn[2] @ turn[0].T).as_rotvec() / 2e-6
    rim = np.cross(omega, [0.0, 0.0, -0.5])
    np.testing.assert_allclose(rim, [-0.5 * np.cos(0.7), -0.5 * np.sin(0.7), 0.0], atol=1e-6)


def test_a_rod_goes_from_one_point_to_the_other_also_in_space() -> None:
    flat, steep = at(
        skate([
            {"shape": "rod", "from": ["x", "y", 0.1], "to": ["x + l", "y - l", 0.1]},
            {"shape": "rod", "from": [0, 0, 0], "to": ["l", 0, "-2*l"]},
        ]),
        x=1.0,
    )  # fmt: skip
    half = np.asarray(flat["rotation"])[0][:, 0] * flat["size"]["length"][0] / 2  # type: ignore[index]
    np.testing.assert_allclose(np.asarray(flat["position"])[0] + half, [1.5, -0.5, 0.1], atol=1e-12)
    np.testing.assert_allclose(np.asarray(steep["points"])[0, -1], [0.5, 0, -1.0], atol=1e-12)


def test_attitudes_are_the_rotation_of_the_frame() -> None:
    turn = Rotation.from_euler("xyz", [0.4, -0.8, 1.1])
    x, y, z, w = turn.as_quat()
    system = nh.System(
        name="brick", frame=nh.Quaternion("q"), lagrangian="(w1**2 + 2*w2**2 + 3*w3**2)/2",
        drawing=[{"shape": "box", "at": [0, 0, 0], "attitude": "q", "size": [3, 2, 1]}],
    )  # fmt: skip
    assert system.drawing is not None and system.drawing.bodies[0].rotation == quaternion_of("q")
    found = evaluate_drawing(system.drawing, system, {"q0": w, "q1": x, "q2": y, "q3": z})["bodies"][0]["rotation"][0]
    np.testing.assert_allclose(found, turn.as_matrix(), atol=1e-14)


def test_records_and_words_say_the_same() -> None:
    words = skate([
        {"shape": "blade", "at": ["x", "y"], "heading": "theta", "length": "l", "colour": "black", "label": "edge"},
        {"shape": "path", "at": ["x", "y"], "label": "edge"},
    ])  # fmt: skip
    blade = Body("blade", ("x", "y", "0"), heading("theta"), {"length": "l"}, colour="black", label="edge")
    assert words == skate(Drawing((blade,), (Trace(("x", "y", "0"), "edge"),)))
    assert rolling("a") != heading("a")


SLIPS = {
    "an unknown name": (
        [{"shape": "ball", "at": ["x", "z"], "radius": 1}], ParseError,
        "drawing, position of body 1: unknown name 'z'",
    ),
    "an unknown shape": (
        [{"shape": "bal", "at": ["x", "y"]}], ModelError,
        "shape 1: no shape is called 'bal'; did you mean 'ball'",
    ),
    "no shape": ([{"at": ["x", "y"]}], ModelError, "shape 1: no shape; choose from disc, wheel"),
    "no size": ([{"shape": "ball", "at": ["x", "y"]}], ModelError, "the size of a sphere needs 'radius'; add it"),
    "a strange word": (
        [{"shape": "ball", "at": ["x", "y"], "radios": 1}], ModelError,
        "a sphere has no 'radios'; did you mean 'radius'",
    ),
    "one component": ([{"shape": "ball", "at": "x", "radius": 1}], ModelError, "a place has two or three components"),
    "turned twice": (
        [{"shape": "box", "at": ["x", "y"], "heading": "theta", "turned": [], "size": [1, 1, 1]}], ModelError,
        "both 'heading' and 'turned' say how it is turned; keep one",
    ),
    "no rotation": (
        [{"shape": "box", "at": ["x", "y"], "attitude": "R", "size": [1, 1, 1]}], ModelError,
        "no attitude is called 'R'",
    ),
    "a labelled slip": (
        [{"shape": "box", "label": "deck", "at": ["x", "y"]}], ModelError,
        r"shape 1 \(deck\): the size of a box needs 'x'",
    ),
    "text": ("box", ModelError, "the shapes must be a list of tables"),
    "a strange keyword": ({"shape": []}, ModelError, "unknown keyword 'shape'; did you mean 'shapes'"),
    "code": ([{"shape": "ball", "at": ["__import__('os')", "y"], "radius": 1}], NonholoError, "drawing"),
    "ground": ({"shapes": [], "ground": "grass"}, ModelError, 'say ground = "plane" or ground = "none"'),
    "plots": ({"shapes": [], "plots": "x"}, ModelError, "plots must be a list of pairs"),
    "a bare table": ({"shapes": [3]}, ModelError, "shape 1: found int where a table was needed"),
}  # fmt: skip


@pytest.mark.parametrize("kind", SLIPS)
def test_a_slip_is_refused_when_the_system_is_built(kind: str) -> None:
    given, error, words = SLIPS[kind]
    with pytest.raises(error, match=words):
        skate(given)


def test_a_file_says_where_its_drawing_is_wrong(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        'coordinates = "x y"\nlagrangian = "xdot**2 + ydot**2"\n'
        '[[drawing.shapes]]\nshape = "ball"\nat = ["x", "q"]\nradius = 1\n'
    )
    with pytest.raises(ParseError, match=r"mine.toml: mine: drawing, position of body 1: unknown name 'q'"):
        nh.load(file)


def test_a_drawing_does_not_follow_into_another_frame() -> None:
    disk = gallery.get("rattleback").system
    assert disk.drawing is not None
    assert nh.hamel(disk).state  # derivations go through a chart with other names
