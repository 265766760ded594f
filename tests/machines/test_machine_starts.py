"""Starts in words: tilt, heading and speed of bodies; contacts and loops are closed by the fewest moves."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.many.start_arrays import complete_states
from nonholo.machines.machine_files import dumps, loads
from tests.machines.test_bicycle_in_bodies import BICYCLE

COIN = """
name = "coin"
[[bodies]]
name = "coin"
mass = "m"
shape = {kind = "disk", radius = "r", axis = "z"}
[[contacts]]
body = "coin"
friction = 0.4
[parameters]
m = 0.006
r = 0.012
[start]
tilt = 0.4
w3 = 60
"""
LINKAGE = """
name = "four bars"
world = "plane"
bodies = [{name = "crank", mass = 1, inertia = 0.1}, {name = "coupler", mass = 1, inertia = 0.1},
          {name = "rocker", mass = 1, inertia = 0.1}]
joints = [{name = "a", child = "crank"}, {name = "b", parent = "crank", child = "coupler", at = [1, 0]},
          {name = "c", child = "rocker", at = [LENGTH, 0]}]
loops = [{name = "pin", parent = "coupler", child = "rocker", at = [2, 0], in_child = [1.5, 0]}]
"""


def test_a_coin_stands_on_its_rim_at_the_tilt_that_was_said() -> None:
    state = nh.complete_state(loads(COIN))
    axis = np.array([state["R13"], state["R23"], state["R33"]])
    assert np.arccos(axis[2]) == pytest.approx(0.4, abs=1e-12)
    assert state["z"] == pytest.approx(0.012 * np.sin(0.4), abs=1e-14)
    assert state["w3"] == 60
    assert loads(dumps(loads(COIN))) == loads(COIN)


@pytest.mark.parametrize("said", [{"rolling": "4 m/s"}, {"speed": 4}, {"rolling": "14.4 km/h"}, {"frame": {"speed": 4.0}}])
def test_a_bicycle_rolls_at_the_speed_that_was_said(said: dict[str, object]) -> None:
    state = nh.complete_state(loads(BICYCLE), {**said, "heading": 0.3} if "frame" not in said else {**said, "yaw": 0.3})
    assert state["xdot"] == pytest.approx(4 * np.cos(0.3)) and state["ydot"] == pytest.approx(4 * np.sin(0.3))
    assert state["reardot"] == pytest.approx(4 / 0.3) and state["frontdot"] == pytest.approx(4 / 0.35)


def test_joints_stand_still_and_the_turn_follows_the_steer() -> None:
    """Upright with the steer turned by δ, the bicycle turns at v tan(δ_ground)/w; pitch follows."""
    system = loads(BICYCLE)
    state = nh.complete_state(system, {"steer": 0.2, "rolling": 3})
    assert state["steerdot"] == pytest.approx(0, abs=1e-13) and state["rolldot"] == pytest.approx(0, abs=1e-13)
    # tan of the ground steer of an upright bicycle is cos λ tan δ; the wheelbase changes to second order in δ
    assert state["yawdot"] == pytest.approx(3 * np.cos(np.pi / 10) * np.tan(0.2) / 1.02, rel=2e-2)
    assert state["z"] == pytest.approx(0.3 * (1 - np.cos(state["pitch"])), abs=1e-12) and abs(state["pitch"]) > 1e-5


def test_wheels_turn_and_joints_rest_where_only_a_speed_is_given() -> None:
    """Leaning skateboard and unicycle: what nothing is said of is still, but for the spin of wheels, which follows."""
    board = nh.complete_state(nh.gallery.get("skateboard").system)
    assert max(abs(board[n]) for n in ("rolldot", "sfdot", "srdot", "pitchdot", "zdot")) < 1e-12
    assert board["p1dot"] + board["p2dot"] == pytest.approx(2 * 3.0 / 0.03, rel=1e-3)
    rider = nh.complete_state(nh.gallery.get("unicycle-with-rider").system)
    assert (rider["pitchdot"], rider["twistdot"], rider["rolldot"]) == pytest.approx((0, 0, 0), abs=1e-13)
    ahead = rider["xdot"] * np.cos(rider["yaw"]) + rider["ydot"] * np.sin(rider["yaw"])
    assert ahead == pytest.approx(0.3 * (6.0 + 0.3 * np.sin(0.02)), rel=1e-12)


BARROW = """
bodies = [{name = "tray", mass = 12, center = [-0.4, 0, 0.3], inertia = [0.3, 0.7, 0.8], free = "x y z yaw roll pitch"},
          {name = "wheel", mass = 2, shape = {kind = "wheel", radius = 0.2, tube = 0.04}}]
joints = [{name = "spin", parent = "tray", child = "wheel", axis = "y"}]
contacts = [{body = "wheel"}, {name = "left", body = "tray", at = [-0.7, 0.2, -0.2], kind = "sliding"},
            {name = "right", body = "tray", at = [-0.7, -0.2, -0.2], kind = "sliding", friction = 0.2}]
start = {speed = 1.0}
"""


def test_a_leg_that_slides_does_not_hold_a_speed() -> None:
    """One leg without friction and one with: the barrow loses speed and turns to the leg that brakes."""
    run = nh.simulate(loads(BARROW), until=0.3)
    assert run.outcome.reached
    assert float(run.data["xdot"][0]) == pytest.approx(1.0) and float(run.data["spindot"][0]) == pytest.approx(5.0)
    normal = run.contacts["normal"].sel(contact="right").values
    assert np.all(normal > 0) and float(run.data["xdot"][-1]) < 0.9 and float(run.data["yaw"][-1]) < 0


def test_many_starts_are_completed_as_one_is() -> None:
    system = nh.gallery.get("car-with-trailers").system
    one = nh.complete_state(system, {"xdot": 0.7, "b1": 0.3})
    table = {"xdot": np.array([0.7, 0.9]), "b1": np.array([0.3, 0.3])}
    many, problems = complete_states(system, table, {n: np.full(2, e) for n, e in system.parameters.items()}, 2)
    assert problems == ["", ""] and one["deltadot"] == 0.0
    for name in ("b1dot", "thetadot", "deltadot", "forward"):
        assert many[name][0] == pytest.approx(one[name], abs=1e-13)


@pytest.mark.slow
def test_sensitivities_follow_the_start_as_it_is_completed() -> None:
    """By central differences: the wheels' spins change with the speed, and what rests goes on resting."""
    system = nh.gallery.get("skateboard").system
    start = {"roll": 0.05, "z": "~0.03", "sf": "~-0.06", "sr": "~-0.06"}
    run = nh.simulate(system, {**start, "xdot": 3.0}, 0.02, sensitivity=["xdot"], t_eval=2)
    ends = [nh.simulate(system, {**start, "xdot": v}, 0.02, rtol=1e-12, atol=1e-13, t_eval=2).data for v in (3.001, 2.999)]
    for name in ("p1", "yaw", "roll"):
        slope = float(ends[0][name][-1] - ends[1][name][-1]) / 0.002
        assert float(run.sensitivity.sel(quantity=name, with_respect_to="xdot")[-1]) == pytest.approx(slope, abs=1e-6), name


def test_only_heights_and_pitch_move_to_put_wheels_on_the_ground() -> None:
    state = nh.complete_state(loads(BICYCLE), {"tilt": 0.3, "steer": 0.5})
    assert (state["roll"], state["steer"], state["yaw"], state["x"]) == (0.3, 0.5, 0.0, 0.0)


def test_a_wheel_above_the_ground_is_refused_with_what_closes_it() -> None:
    with pytest.raises(nh.StateError, match=r"'rear wheel' is 1 m above what it touches; leave out z .* or give z = 0\."):
        nh.complete_state(loads(BICYCLE), {"z": 1.0})


def test_the_machines_own_start_is_moved_to_the_nearest_that_fits() -> None:
    system = loads(BICYCLE + "[start]\nz = 0.1\nspeed = 2")
    assert nh.complete_state(system)["z"] == pytest.approx(0, abs=1e-12)


def test_a_loop_is_closed_near_the_start() -> None:
    system = loads(LINKAGE.replace("LENGTH", "2") + "[start]\na = 1.2\nadot = 1")
    state = nh.complete_state(system)
    assert state["a"] == 1.2
    tip = np.array([np.cos(1.2), np.sin(1.2)]) + 2 * np.array([np.cos(1.2 + state["b"]), np.sin(1.2 + state["b"])])
    assert tip == pytest.approx(np.array([2, 0]) + 1.5 * np.array([np.cos(state["c"]), np.sin(state["c"])]), abs=1e-10)
    assert nh.simulate(system, until=0.2).drift("energy") < 1e-9


def test_a_loop_that_cannot_close_is_refused() -> None:
    with pytest.raises(nh.StateError, match="the loop pin cannot be closed; check its lengths"):
        loads(LINKAGE.replace("LENGTH", "9"))


@pytest.mark.parametrize(
    ("start", "words"),
    [
        ({"tillt": 0.1}, "did you mean 'tilt'"),
        ({"frame": 3}, "give a table"),
        ({"frame": {"sped": 3}}, "did you mean 'speed'"),
        ({"fork": {"speed": 3}}, "which hangs on a joint; say it of frame or give steer"),
        ({"speed": "fast"}, "is not a number"),
    ],
)
def test_mistakes_in_words_are_one_line(start: dict[str, object], words: str) -> None:
    with pytest.raises(nh.StateError, match=words) as found:
        nh.complete_state(loads(BICYCLE), start)
    assert "\n" not in str(found.value)
