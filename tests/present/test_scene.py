"""A scene's numbers against the geometry of what it shows."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import xarray as xr
from scipy.spatial.transform import Rotation

import nonholo as nh
from nonholo import gallery
from nonholo.gallery.exhibit import Body, Drawing, Trace
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome
from nonholo.model.system import numbered
from nonholo.present.film.scene import numbers, quaternions, scene

FLOAT32 = 3e-7
"""A little more than half a unit of the last place of float32, relative."""


def motion(name: str, **wishes: Any) -> Trajectory:
    exhibit = gallery.get(name)
    wishes = {"until": exhibit.until, "t_eval": 81, **wishes}
    return nh.simulate(exhibit.system, exhibit.start, parameters=exhibit.parameters, **wishes)


def bare(system: str, columns: dict[str, Any], **attributes: str) -> Trajectory:
    """A motion made of numbers alone."""
    times = np.linspace(0.0, 1.0, len(next(iter(columns.values()), [0.0])))
    data = xr.Dataset(
        {n: ("t", np.asarray(v, float), {"kind": "coordinate"}) for n, v in columns.items()}, {"t": times}
    )
    return Trajectory(data.assign_attrs(system=system, **attributes), {}, Outcome("reached", 1.0, ""))


def made(run: Trajectory, *args: Any, **wishes: Any) -> dict[str, Any]:
    found = scene(run, *args, **wishes)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def disk() -> tuple[Trajectory, dict[str, Any]]:
    run = motion("rolling-disk")
    return run, made(run)


def test_quaternions_are_the_motions_rotation_matrices(disk: tuple[Trajectory, dict[str, Any]]) -> None:
    run, found = disk
    turned = Rotation.from_quat(numbers(found["bodies"][0]["rotation"], -1, 4)).as_matrix()
    for i in range(3):
        for j in range(3):
            np.testing.assert_allclose(turned[:, i, j], run[f"R{i + 1}{j + 1}"], atol=4 * FLOAT32)


def test_quaternions_are_scipys_also_for_half_turns_and_for_what_is_nearly_a_rotation() -> None:
    """Rotations by chance, half turns about every axis, and rotations that were stretched; of a mirrored frame one is made."""
    random = np.random.default_rng(3)
    axes = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [0.6, 0.8, 0], [0, -0.6, 0.8]])
    turns = Rotation.concatenate([Rotation.random(200, random_state=7), Rotation.from_rotvec(np.pi * axes)])
    exact = turns.as_matrix()
    for given in (exact, exact * random.uniform(0.8, 1.2, (len(exact), 1, 1))):
        assert np.abs(Rotation.from_quat(quaternions(given)).as_matrix() - exact).max() < 1e-14
    mirrored = quaternions(exact[:1] @ np.diag([1.0, 1.0, -1.0]))
    assert np.linalg.norm(mirrored) == pytest.approx(1)


def test_neighbouring_quaternions_lie_on_the_same_side(disk: tuple[Trajectory, dict[str, Any]]) -> None:
    run, found = disk
    four = numbers(found["bodies"][0]["rotation"], -1, 4)
    assert np.all(np.einsum("ni,ni->n", four[1:], four[:-1]) > 0)
    # and that is not so by itself: the disk turns over
    assert np.any(np.diff(np.sign(Rotation.from_quat(four).as_quat(canonical=True)[:, 3] * four[:, 3])) != 0)
    assert len(four) == len(run["t"])


def test_the_disks_contact_is_its_lowest_point_and_lies_on_the_ground(disk: tuple[Trajectory, dict[str, Any]]) -> None:
    _, found = disk
    radius = gallery.get("rolling-disk").parameters["r"]
    body = found["bodies"][0]
    centre = numbers(body["position"], -1, 3)
    axis = Rotation.from_quat(numbers(body["rotation"], -1, 4)).apply([0.0, 0.0, 1.0])
    contact = numbers(found["traces"][0]["points"], -1, 3)
    # from the centre straight down the disk's plane
    down = axis * axis[:, 2:] - [0.0, 0.0, 1.0]
    lowest = centre + radius * down / np.linalg.norm(down, axis=1, keepdims=True)
    np.testing.assert_allclose(contact, lowest, atol=3e-6)
    np.testing.assert_allclose(contact[:, 2], 0.0, atol=1e-9)
    assert np.ptp(centre[:, 2]) > 0.01


def test_the_rattleback_touches_the_ground_and_its_box_says_so() -> None:
    found = made(motion("rattleback", t_eval=41))
    stone = found["bodies"][0]
    half = np.array([stone["size"][n] for n in "abc"])
    up = Rotation.from_quat(numbers(stone["rotation"], -1, 4)).inv().apply([0.0, 0.0, 1.0])
    # the support function of an ellipsoid is the height of its centre over the plane it rests on
    height = np.sqrt((half**2 * up**2).sum(axis=1))
    np.testing.assert_allclose(numbers(stone["position"], -1, 3)[:, 2], height, atol=1e-7)
    assert found["low"][2] == pytest.approx(0.0, abs=1e-9)
    tips = numbers(stone["position"], -1, 3) + Rotation.from_quat(numbers(stone["rotation"], -1, 4)).apply(
        [half[0], 0, 0]
    )
    assert np.all(tips <= np.array(found["high"]) + 1e-6) and np.all(tips >= np.array(found["low"]) - 1e-6)


def test_the_sleighs_body_is_ahead_of_its_edge() -> None:
    run = motion("chaplygin-sleigh")
    found = made(run)
    a = gallery.get("chaplygin-sleigh").parameters["a"]
    place = numbers(found["bodies"][0]["position"], -1, 3)
    np.testing.assert_allclose(place[:, 0], run["x"] + a * np.cos(run["theta"]), rtol=FLOAT32, atol=1e-6)
    np.testing.assert_allclose(place[:, 1], run["y"] + a * np.sin(run["theta"]), rtol=FLOAT32, atol=1e-6)
    assert found["bodies"][0]["size"] == {n: pytest.approx(k * a) for n, k in (("x", 1.5), ("y", 1.0), ("z", 1 / 6))}
    np.testing.assert_allclose(numbers(found["times"]), run["t"], rtol=FLOAT32)


def test_a_disc_in_space_is_bounded_exactly() -> None:
    turn = Rotation.from_euler("xyz", [0.4, -0.9, 0.3]).as_matrix()
    texts = tuple(tuple(repr(float(e)) for e in row) for row in turn)
    drawing = Drawing(bodies=(Body("disc", ("x", "y", "1"), texts, {"radius": "0.7", "width": "0.2"}),))  # type: ignore[arg-type]
    found = made(bare("plate", {"x": [0.0, 0.0], "y": [0.0, 0.0]}), drawing)
    around = np.linspace(0, 2 * np.pi, 20001)
    rim = np.array([[0.7 * np.cos(around), 0.7 * np.sin(around), np.full_like(around, z)] for z in (-0.1, 0.1)])
    points = np.einsum("ij,kjn->kni", turn, rim).reshape(-1, 3) + np.array([0, 0, 1])
    np.testing.assert_allclose(found["low"], points.min(axis=0), atol=1e-6)
    np.testing.assert_allclose(found["high"], points.max(axis=0), atol=1e-6)


def test_frames_are_states_of_the_run_in_order() -> None:
    run = motion("chaplygin-sleigh", t_eval=1501)
    times = numbers(made(run, frames=100)["times"])
    assert 90 <= len(times) <= 130
    assert np.all(np.diff(times) > 0)
    assert times[0] == run["t"][0] and times[-1] == pytest.approx(run["t"][-1])
    assert set(times) <= set(run["t"].astype(np.float32).astype(float))


def test_a_quick_body_gets_more_frames() -> None:
    run = motion("lagrange-top", until=0.9, t_eval=1501)
    found = made(run, frames=100)
    turned = Rotation.from_quat(numbers(found["bodies"][1]["rotation"], -1, 4))
    steps = (turned[:-1].inv() * turned[1:]).magnitude()
    spread = run["t"][15] - run["t"][0]
    quickest = float(np.max(np.linalg.norm([run[f"w{i}"] for i in (1, 2, 3)], axis=0)))
    assert quickest * spread > 0.5  # a hundred frames would be too few
    assert steps.max() < 0.5 + 10 * FLOAT32 and 101 < len(numbers(found["times"])) <= 401


def test_a_motion_is_drawn_as_its_own_system_says_whatever_its_name() -> None:
    exhibit = gallery.get("chaplygin-sleigh")
    renamed = replace(exhibit.system, name="rattleback")
    assert len(made(nh.simulate(renamed, until=1.0, t_eval=3))["bodies"]) == len(exhibit.drawing.bodies)
    bare_of_drawing = made(nh.simulate(replace(exhibit.system, drawing=None), until=1.0, t_eval=3))
    assert "leg" not in [body["label"] for body in bare_of_drawing["bodies"]]


def test_exhibits_of_other_sizes_bring_their_own_drawing() -> None:
    long = gallery.get("n-trailer", n=3)
    run = nh.simulate(long.system, until=0.1, t_eval=2)
    assert len(made(run)["bodies"]) == len(long.drawing.bodies) > len(gallery.get("n-trailer").drawing.bodies)


def test_changed_parameters_and_forces_keep_the_drawing() -> None:
    exhibit = gallery.get("chaplygin-sleigh")
    rubbed = replace(exhibit.system, forces={"theta": "-0.3*thetadot"})
    run = nh.simulate(rubbed, exhibit.start, 2.0, {**exhibit.parameters, "a": 0.25}, t_eval=5)
    assert made(run)["bodies"][0]["size"]["x"] == pytest.approx(0.375)


def test_a_system_without_drawing_shows_its_path() -> None:
    run = nh.simulate(
        nh.System(name="drift", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2"), {"xdot": 2.0}, 1.5, t_eval=4
    )
    found = made(run)
    assert [trace["label"] for trace in found["traces"]] == ["path"]
    np.testing.assert_allclose(
        numbers(found["traces"][0]["points"], -1, 3), [[x, 0, 0] for x in (0, 1, 2, 3)], atol=1e-6
    )


def test_without_a_place_there_is_no_scene() -> None:
    run = nh.simulate(nh.System(name="charge", coordinates="u", lagrangian="udot**2/2"), {"udot": 1.0}, 1.0, t_eval=3)
    assert scene(run) is None
    assert scene(bare("none", {"x": [], "y": []})) is None


def test_a_drawing_can_be_given_for_bare_equations() -> None:
    pendulum = nh.System(
        name="swing", coordinates="phi", parameters="l", lagrangian="l**2*phidot**2/2 + 9.81*l*cos(phi)"
    )
    run = nh.simulate(nh.hamel(pendulum), {"phi": 0.7, "phidot": 0.2}, 1.0, {"l": 1.3}, t_eval=6)
    found = made(run, Drawing(traces=(Trace(("l*sin(phi)", "0", "-l*cos(phi)")),), ground="none"))
    points = numbers(found["traces"][0]["points"], -1, 3)
    np.testing.assert_allclose(np.linalg.norm(points, axis=1), 1.3, rtol=1e-6)
    assert found["bodies"] == [] and found["ground"] == "none"


def test_states_that_are_no_numbers_are_left_out() -> None:
    found = made(bare("broken", {"x": [0.0, 1.0, np.nan, 3.0], "y": [0.0, 0.0, 0.0, np.inf]}))
    np.testing.assert_allclose(numbers(found["times"]), [0.0, 1 / 3], rtol=1e-6)
    json.dumps(found, allow_nan=False)
    path = Drawing(traces=(Trace(("x", "y", "0")),))
    lines = made(bare("broken", {"x": [0.0, 1.0, np.nan, 3.0], "y": [0.0, 0.0, 0.0, 1.0]}), path)
    np.testing.assert_allclose(numbers(lines["traces"][0]["points"], -1, 3)[:, 0], [0.0, 1.0, 3.0])


def test_a_scene_is_plain_json(disk: tuple[Trajectory, dict[str, Any]]) -> None:
    assert json.loads(json.dumps(disk[1], allow_nan=False)) == disk[1]


def test_one_looks_across_a_long_motion_from_above() -> None:
    t = np.linspace(0, 9, 50)
    found = made(bare("line", {"x": 0.6 * t, "y": 0.8 * t}))
    eye = np.array(found["view"])
    assert np.linalg.norm(eye) == pytest.approx(1.0)
    assert eye[2] > 0.3
    flat = eye[:2] / np.linalg.norm(eye[:2])
    assert abs(flat @ [0.6, 0.8]) < 0.5  # within 30 degrees of square


def test_a_spring_that_stretches_is_sent_with_every_frame() -> None:
    spring = Body("wire", size={"s0": "0", "s1": "1"}, points=("s*x", "s*y", "0"))
    found = made(bare("spring", {"x": [1.0, 2.0, 4.0], "y": [0.0, 1.0, 3.0]}), Drawing(bodies=(spring,)))
    points = numbers(found["bodies"][0]["points"], 3, *found["bodies"][0]["grid"], 3)
    np.testing.assert_allclose(points[:, -1, :2], [[1, 0], [2, 1], [4, 3]], rtol=1e-6)
    assert found["high"] == pytest.approx([4.0, 3.0, 0.0])


def test_a_top_that_turns_over_between_two_states_is_computed_again() -> None:
    run = motion("tippe-top", until=1.0, t_eval=31)
    found = made(run)
    times, sphere = numbers(found["times"]), found["bodies"][0]
    assert len(times) > 200 and times[-1] == pytest.approx(1.0)
    turned = Rotation.from_quat(numbers(sphere["rotation"], -1, 4))
    spin = (turned[:-1].inv() * turned[1:]).as_rotvec()[:, 2] / np.diff(times)
    # it spins with 150 rad/s, 5 rad a state: from the run's own states one would see it turn by chance
    assert spin[0] == pytest.approx(150.0, rel=0.02)
    own = Rotation.from_matrix(np.stack([[run[f"R{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)]).transpose(2, 0, 1))
    shared = np.searchsorted(times, run["t"] - 1e-5)
    np.testing.assert_allclose((own.inv() * turned[shared]).magnitude(), 0.0, atol=1e-4)


def test_a_motion_that_cannot_be_computed_again_is_shown_as_recorded() -> None:
    run = motion("tippe-top", until=1.0, t_eval=31)
    assert run.system is not None
    forgotten = replace(run, system=numbered(run.system, start={}))
    assert len(numbers(made(forgotten)["times"])) == 31
    other = replace(run, system=numbered(run.system, start={"R11": 1.0, "R22": 1.0, "R33": 1.0, "w3": 9.0}))
    assert len(numbers(made(other)["times"])) == 31


def test_a_wheel_without_rolling_angle_rolls_and_one_with_keeps_its_own() -> None:
    level: Any = (("1", "0", "0"), ("0", "0", "1"), ("0", "-1", "0"))
    wheel = Body("wheel", ("x", "0", "0.5"), level, {"radius": "0.5"})
    spun: Any = (("cos(x)", "-sin(x)", "0"), ("0", "0", "1"), ("-sin(x)", "-cos(x)", "0"))
    way = np.linspace(0.0, 1.2, 9)
    run = bare("wheels", {"x": way, "y": 0 * way})
    found = made(run, Drawing(bodies=(wheel, replace(wheel, rotation=spun))))
    rolled, own = (Rotation.from_quat(numbers(b["rotation"], -1, 4)) for b in found["bodies"])
    # forwards: the foremost point goes down, the top ahead
    np.testing.assert_allclose(rolled.apply([1, 0, 0])[:, 2], -np.sin(way / 0.5), atol=1e-6)
    np.testing.assert_allclose(rolled.apply([0, -1, 0])[:, 0], np.sin(way / 0.5), atol=1e-6)
    np.testing.assert_allclose(own.apply([1, 0, 0])[:, 2], -np.sin(way), atol=1e-6)


def test_a_small_body_that_goes_far_is_followed_but_no_point_and_nothing_on_a_stage() -> None:
    way = np.linspace(0.0, 30.0, 61)
    run = bare("far", {"x": way, "y": 0 * way})
    box = Body("box", ("x", "y", "0.5"), size={"x": "2", "y": "1", "z": "1"})
    table = Body("disc", ("15", "0", "-0.1"), size={"radius": "20", "width": "0.2"})
    ball = Body("sphere", ("x", "y", "0.5"), size={"radius": "0.5"})
    assert made(run, Drawing(bodies=(box,)))["travels"] is True
    assert made(run, Drawing(bodies=(box, table)))["travels"] is False
    assert made(run, Drawing(bodies=(ball,)))["travels"] is False
    assert made(bare("near", {"x": way / 4, "y": 0 * way}), Drawing(bodies=(box,)))["travels"] is False


def test_a_coin_on_a_slope_many_times_its_size_is_followed() -> None:
    way = np.linspace(0.0, 1.0, 61)
    coin = Body("disc", ("x", "y", "0.01"), size={"radius": "0.01", "width": "0.002"})
    slope = Body("surface", size={"s0": "-1", "s1": "2", "r0": "-1", "r1": "1"}, points=("s", "r", "0"))
    drawn = Drawing(bodies=(slope, coin), ground="none")
    assert made(bare("coin", {"x": way, "y": 0 * way}), drawn)["travels"] is True
    plate = replace(coin, size={"radius": "0.2", "width": "0.02"})
    assert made(bare("plate", {"x": way, "y": 0 * way}), replace(drawn, bodies=(slope, plate)))["travels"] is False


def test_a_floor_lies_under_what_has_no_ground_unless_there_is_a_stage() -> None:
    run = bare("high", {"x": [0.0, 1.0], "y": [0.0, 0.0]})
    box = Body("box", ("x", "y", "3"), size={"x": "2", "y": "1", "z": "1"})
    shell = Body("sphere", ("0", "0", "3"), size={"radius": "4"})
    assert made(run, Drawing(bodies=(box,)))["floor"] == 0.0
    floor = made(run, Drawing(bodies=(box,), ground="none"))["floor"]
    assert 2.3 < floor < 2.5
    assert made(run, Drawing(bodies=(box, shell), ground="none"))["floor"] is None


def test_lengths_are_in_metres_unless_the_motion_says_they_are_numbers() -> None:
    assert made(motion("chaplygin-sleigh", units=gallery.get("chaplygin-sleigh").units))["unit"] == "m"
    assert made(motion("heisenberg", units=gallery.get("heisenberg").units))["unit"] == ""
    assert made(bare("plain", {"x": [0.0, 1.0], "y": [0.0, 1.0]}))["unit"] == "m"
