"""Twelve machines that nobody prepared, in the words of files, against Newton–Euler equations in maximal coordinates."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.machine_files import loads
from tests.machines.test_maximal_coordinates import compare

MACHINES = {
    "forklift with rear steering": """
bodies = [
  {name = "chassis", mass = 2000, inertia = [300, 900, 1000], center = [-0.3, 0, 0.4], free = "x y z yaw roll pitch"},
  {name = "mast", mass = 200, inertia = [60, 60, 10], center = [0, 0, 0.8]},
  {name = "fork", mass = 100, inertia = [10, 20, 20], center = [0.5, 0, 0]},
  {name = "left wheel", mass = 30, shape = {kind = "disk", radius = 0.3}},
  {name = "right wheel", mass = 30, shape = {kind = "disk", radius = 0.3}},
  {name = "steerer", mass = 10, inertia = [0.2, 0.2, 0.2]},
  {name = "rear wheel", mass = 25, shape = {kind = "wheel", radius = 0.25, tube = 0.05}},
]
joints = [
  {name = "tilt_mast", parent = "chassis", child = "mast", at = [0.5, 0, 0], axis = "y"},
  {type = "slider", name = "lift", parent = "mast", child = "fork", at = [0.2, 0, 0], axis = "z"},
  {name = "left", parent = "chassis", child = "left wheel", at = [0.2, 0.5, 0], axis = "y"},
  {name = "right", parent = "chassis", child = "right wheel", at = [0.2, -0.5, 0], axis = "y"},
  {name = "steer", parent = "chassis", child = "steerer", at = [-1.2, 0, -0.05], axis = "z"},
  {name = "rear", parent = "steerer", child = "rear wheel", axis = "y"},
]
contacts = [{body = "left wheel", friction = 0.8}, {body = "right wheel", friction = 0.8}, {body = "rear wheel", friction = 0.8}]
springs = [{joint = "tilt_mast", stiffness = 90000, damping = 3000}]
motors = [{joint = "left", torque = "tl"}, {joint = "right", torque = "tr"}, {joint = "steer", torque = "ts"},
  {joint = "lift", torque = "pull"}]
inputs = {tl = 50, tr = 60, ts = "5*sin(t)", pull = 1200}
start = {rolling = "1 m/s", steer = 0.2, lift = 0.3}
""",
    "wheelbarrow pushed by its handles": """
bodies = [
  {name = "tray", mass = 40, center = [-0.5, 0, 0.3], inertia = [2, 4, 4], free = "x y z yaw roll pitch"},
  {name = "wheel", mass = 3, shape = {kind = "wheel", radius = 0.2, tube = 0.04}},
]
joints = [{name = "spin", parent = "tray", child = "wheel", axis = "y"}]
contacts = [{body = "wheel"}]
loads = [
  {body = "tray", at = [-1.4, 0.3, 0.5], force = [10, 0, "140 - 2000*(z - 0.2)"]},
  {body = "tray", at = [-1.4, -0.3, 0.5], force = [12, 0, 130]},
]
start = {rolling = 1.0}
until = 1
""",
    "pram with two casters in front": """
world = "plane"
[[bodies]]
name = "pram"
mass = 15
inertia = 1.5
center = [0.25, 0]
[[wheels]]
body = "pram"
name = "left"
at = [0, 0.3]
radius = 0.15
inertia = 0.01
[[wheels]]
body = "pram"
name = "right"
at = [0, -0.3]
radius = 0.15
inertia = 0.01
[[casters]]
body = "pram"
name = "c1"
at = [0.6, 0.25]
trail = 0.04
radius = 0.08
inertia = [0.002, 0.001]
[[casters]]
body = "pram"
name = "c2"
at = [0.6, -0.25]
trail = 0.04
radius = 0.08
inertia = [0.002, 0.001]
[[loads]]
body = "pram"
at = [-0.3, 0.1]
force = [5, 0]
axes = "body"
[start]
speed = 0.8
c1 = 0.3
""",
    "unicycle on a rope": """
ground = {implicit = "y**2 + z**2 - 0.0004"}
bodies = [
  {name = "frame", mass = 5, center = [0, 0, 0.5], inertia = [0.5, 0.5, 0.1], free = "x y z yaw roll pitch"},
  {name = "wheel", mass = 2, shape = {kind = "disk", radius = 0.25}},
]
joints = [{name = "spin", parent = "frame", child = "wheel", axis = "y"}]
contacts = [{body = "wheel"}]
start = {rolling = "0.5 m/s", pitch = 0.01}
""",
    "pantograph on wheels": """
world = "plane"
bodies = [
  {name = "a", mass = 1, inertia = 0.02, center = [0.25, 0]},
  {name = "b", mass = 1, inertia = 0.02, center = [0.25, 0]},
  {name = "c", mass = 1, inertia = 0.02, center = [0.25, 0]},
  {name = "d", mass = 1, inertia = 0.02, center = [0.25, 0]},
]
joints = [
  {name = "qb", parent = "a", child = "b"},
  {name = "qc", parent = "a", child = "c", at = [0.5, 0]},
  {name = "qd", parent = "b", child = "d", at = [0.5, 0]},
]
loops = [{parent = "c", child = "d", at = [0.5, 0], in_child = [0.5, 0]}]
wheels = [{body = "a", at = [0.25, 0]}, {body = "d", at = [0.25, 0]}]
start = {qb = 1.0, qc = 1.0, qd = -1.0, xdot = 0.3}
""",
    "four-bar linkage on a skate": """
bodies = [
  {name = "board", mass = 4, inertia = [0.1, 0.2, 0.3], free = "x y z yaw roll pitch"},
  {name = "crank", mass = 0.5, inertia = [0.001, 0.004, 0.004], center = [0, 0, 0.1]},
  {name = "coupler", mass = 0.8, inertia = [0.002, 0.01, 0.01], center = [0.2, 0, 0]},
  {name = "rocker", mass = 0.6, inertia = [0.001, 0.006, 0.006], center = [0, 0, 0.15]},
]
joints = [
  {name = "q1", parent = "board", child = "crank", at = [-0.2, 0, 0.05], axis = "y"},
  {name = "q2", parent = "crank", child = "coupler", at = [0, 0, 0.2], axis = "y"},
  {name = "q3", parent = "board", child = "rocker", at = [0.25, 0, 0.05], axis = "y"},
]
loops = [{parent = "coupler", child = "rocker", at = [0.4, 0, 0], in_child = [0, 0, 0.3], axis = "y"}]
contacts = [
  {name = "front", body = "board", at = [0.3, 0, -0.05], kind = "blade", along = [1, 0, 0]},
  {name = "left", body = "board", at = [-0.3, 0.1, -0.05], kind = "sliding"},
  {name = "right", body = "board", at = [-0.3, -0.1, -0.05], kind = "sliding"},
]
motors = [{joint = "q1", torque = "tau"}]
inputs = {tau = "0.5*sin(3*t)"}
start = {xdot = 1, yawdot = 0.3, q1 = 0.4, z = "~0.05"}
""",
    "monowheel: the rider sits inside": """
bodies = [
  {name = "hoop", mass = 10, shape = {kind = "wheel", radius = 0.8, tube = 0.05}},
  {name = "rider", mass = 80, inertia = [5, 6, 4]},
]
joints = [{name = "swing", parent = "hoop", child = "rider", in_child = [0, 0, 0.4], axis = "y"}]
contacts = [{body = "hoop", friction = 0.9}]
motors = [{joint = "swing", torque = "tau"}]
inputs = {tau = 30}
start = {tilt = 0.05, rolling = "3 m/s"}
""",
    "bicycle with a gyroscope": """
bodies = [
  {name = "frame", mass = 85, inertia = {xx = 9.2, yy = 11, zz = 2.8, xz = -2.4}, center = [0.3, 0, 0.6],
    free = "x y z yaw roll pitch"},
  {name = "rear wheel", mass = 2, inertia = [0.0603, 0.12, 0.0603], shape = {kind = "disk", radius = 0.3}},
  {name = "fork", mass = 4, inertia = [0.05892, 0.06, 0.00708], center = [0.0, 0, 0.3]},
  {name = "front wheel", mass = 3, inertia = [0.1405, 0.28, 0.1405], shape = {kind = "disk", radius = 0.35}},
  {name = "gimbal", mass = 1, inertia = [0.01, 0.01, 0.01]},
  {name = "gyro", mass = 5, shape = {kind = "cylinder", radius = 0.12, length = 0.03, axis = "z"}},
]
joints = [
  {name = "rear", parent = "frame", child = "rear wheel", axis = "y"},
  {name = "steer", parent = "frame", child = "fork", at = [0.9, 0, 0.4], turned = [{y = -0.3}], axis = "z"},
  {name = "front", parent = "fork", child = "front wheel", at = [0.03, 0, -0.35], axis = "y"},
  {name = "gim", parent = "frame", child = "gimbal", at = [0.3, 0, 0.5], axis = "y"},
  {name = "gyr", parent = "gimbal", child = "gyro", axis = "z"},
]
contacts = [{body = "rear wheel"}, {body = "front wheel"}]
motors = [{joint = "gyr", speed = 300}, {joint = "gim", torque = "tg"}]
inputs = {tg = "-5*rolldot"}
start = {roll = 0.05, rolling = "4 m/s"}
""",
    "car with the linkage of Ackermann": """
world = "plane"
bodies = [
  {name = "car", mass = 800, inertia = 900, center = [1.2, 0]},
  {name = "left knuckle", mass = 20, inertia = 0.5},
  {name = "right knuckle", mass = 20, inertia = 0.5},
  {name = "rod", mass = 5, inertia = 0.8, center = [0, -0.55]},
]
joints = [
  {name = "dl", parent = "car", child = "left knuckle", at = [2.4, 0.7]},
  {name = "dr", parent = "car", child = "right knuckle", at = [2.4, -0.7]},
  {name = "ql", parent = "left knuckle", child = "rod", at = [-0.3, -0.15]},
]
loops = [{parent = "right knuckle", child = "rod", at = [-0.3, 0.15], in_child = [0, -1.1]}]
wheels = [{body = "car", name = "rear"}, {body = "left knuckle"}]
springs = [{joint = "dl", stiffness = 200, damping = 50}]
start = {dl = 0.2, speed = 5}
""",
    "cone across a cone": """
bodies = [
  {name = "base", mass = 10, inertia = [1, 1, 1], shape = {kind = "cone", radius = 1.0, length = 1.0, axis = "z"}},
  {name = "cone", mass = 1, shape = {kind = "cone", radius = 0.2, length = 0.9, axis = "y"}},
]
joints = [{name = "turn", child = "base", axis = "z"}]
contacts = [{body = "cone", on = "base"}]
start = {x = 0.5, y = -0.2, z = 0.8}
""",
    "motorcycle with suspension and chain": """
bodies = [
  {name = "frame", mass = 160, inertia = [12, 25, 18], center = [0.1, 0, 0.2], free = "x y z yaw roll pitch"},
  {name = "swing arm", mass = 8, inertia = [0.1, 0.3, 0.3], center = [-0.25, 0, 0]},
  {name = "rear wheel", mass = 15, shape = {kind = "wheel", radius = 0.31, tube = 0.08}, contact = {friction = 1.1}},
  {name = "sprocket", mass = 2, inertia = [0.005, 0.01, 0.005]},
  {name = "steering head", mass = 6, inertia = [0.3, 0.3, 0.1]},
  {name = "slider", mass = 8, inertia = [0.3, 0.3, 0.1]},
  {name = "front wheel", mass = 12, shape = {kind = "wheel", radius = 0.30, tube = 0.06}, contact = {friction = 1.1}},
]
joints = [
  {name = "swing", parent = "frame", child = "swing arm", at = [-0.2, 0, 0], axis = "y", stiffness = 9000, damping = 300},
  {name = "rear", parent = "swing arm", child = "rear wheel", at = [-0.5, 0, 0], axis = "y"},
  {name = "engine", parent = "frame", child = "sprocket", at = [-0.1, 0, 0], axis = "y", motor = "tau"},
  {name = "steer", parent = "frame", child = "steering head", at = [0.6, 0, 0.4], turned = [{y = -0.45}], damping = 5},
  {type = "slider", name = "dive", parent = "steering head", child = "slider", at = [0.05, 0, -0.4], stiffness = 15000},
  {name = "front", parent = "slider", child = "front wheel", at = [0, 0, -0.05], axis = "y"},
]
gears = [{joints = ["engine", "rear"], ratio = 3}]
inputs = {tau = 5}
start = {rolling = "12 m/s", roll = 0.02}
""",
    "tilting three-wheeler": """
bodies = [
  {name = "frame", mass = 120, inertia = [10, 20, 18], center = [0.5, 0, 0.5], free = "x y z yaw roll pitch"},
  {name = "axle", mass = 10, inertia = [0.6, 0.2, 0.6]},
  {name = "left", mass = 8, shape = {kind = "wheel", radius = 0.3, tube = 0.05}},
  {name = "right", mass = 8, shape = {kind = "wheel", radius = 0.3, tube = 0.05}},
  {name = "fork", mass = 5, inertia = [0.2, 0.2, 0.1]},
  {name = "front", mass = 8, shape = {kind = "wheel", radius = 0.3, tube = 0.05}},
]
joints = [
  {name = "tilt", parent = "frame", child = "axle", axis = "x", stiffness = 900, damping = 20},
  {name = "spin_l", parent = "axle", child = "left", at = [0, 0.4, 0], axis = "y"},
  {name = "spin_r", parent = "axle", child = "right", at = [0, -0.4, 0], axis = "y"},
  {name = "steer", parent = "frame", child = "fork", at = [1.2, 0, 0.3], turned = [{y = -0.3}], axis = "z", damping = 2},
  {name = "spin_f", parent = "fork", child = "front", at = [0.05, 0, -0.3], axis = "y"},
]
contacts = [{body = "left"}, {body = "right"}, {body = "front"}]
start = {rolling = "4 m/s", tilt = 0.05}
""",
}


def read(name: str) -> nh.System:
    return loads(f'name = "{name}"\n{MACHINES[name]}')


SLOW = {
    "forklift with rear steering", "car with the linkage of Ackermann", "unicycle on a rope", "bicycle with a gyroscope",
    "four-bar linkage on a skate", "tilting three-wheeler", "motorcycle with suspension and chain",
}  # fmt: skip


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if n in SLOW else n for n in MACHINES])
def test_a_machine_that_nobody_prepared_against_newton_and_euler(name: str) -> None:
    compare(read(name), 0.05, (1,))


def test_what_a_chain_ties_to_a_wheel_turns_with_it_at_the_start() -> None:
    """Not the leaning, which alone can move a motorcycle whose engine rests."""
    start = read("motorcycle with suspension and chain").start
    assert start["rolldot"] == pytest.approx(0, abs=1e-12) and start["swingdot"] == pytest.approx(0, abs=1e-12)
    assert start["enginedot"] == pytest.approx(3 * start["reardot"]) and start["reardot"] == pytest.approx(12 / 0.31, rel=1e-3)


def test_a_loop_leaves_the_contacts_of_its_base_independent() -> None:
    """Three feet hold a board with a linkage on it in height, roll and pitch; the linkage has one degree of freedom."""
    system = read("four-bar linkage on a skate")
    words = str(system.machine)
    assert "degrees of freedom: 3 in velocity, 4 in configuration" in words and "redundant" not in words
    assert all(law.gap in system.holonomic for law in system.contacts)


def test_a_body_is_put_on_what_it_touches_from_above() -> None:
    system = read("unicycle on a rope")
    assert "wheel touches ground at (0, 0, 0.02) m" in str(system.machine)


def test_wheels_whose_axles_meet_nowhere_are_named() -> None:
    """With a third wheel the linkage of Ackermann, which is exact straight ahead alone, locks the car."""
    name = "car with the linkage of Ackermann"
    text = f'name = "{name}"\n{MACHINES[name]}'.replace(
        '{body = "left knuckle"}]', '{body = "left knuckle"}, {body = "right knuckle"}]'
    )
    with pytest.raises(nh.StateError, match=r"rear, left knuckle wheel 2, right knuckle wheel 3 together allow no speed"):
        loads(text)
    assert "body 'car' cannot move at the start" in str(loads(text.replace(", speed = 5", "")).machine)


def test_bodies_that_touch_along_a_line_are_refused() -> None:
    text = f'name = "cones"\n{MACHINES["cone across a cone"]}'.replace('length = 0.9, axis = "y"', 'length = 0.9, axis = "x"')
    with pytest.raises(nh.StateError, match="'cone' and base touch along a line at the start"):
        loads(text.replace("x = 0.5, y = -0.2, z = 0.8", "x = 0.2, z = 0.9"))


@pytest.mark.parametrize(
    ("values", "words"),
    [("m = 0, J = 1", "no mass"), ("m = 1, J = 0", "no moment of inertia"), ("m = -1, J = 1", "a mass is not negative")],
)
def test_a_value_that_leaves_a_body_without_mass_is_refused_by_its_name(values: str, words: str) -> None:
    text = 'world = "plane"\nbodies = [{name = "cart", mass = "m", inertia = "J"}]\nwheels = [{body = "cart"}]\n'
    with pytest.raises(nh.ModelError, match=f"body 'cart'.*{words}"):
        loads(f"{text}parameters = {{{values}}}")


def test_values_of_a_motion_do_not_make_a_mass_negative() -> None:
    """Of a light body on a heavy one, whose mass matrix stays positive."""
    text = 'world = "plane"\nbodies = [{name = "cart", mass = 9, inertia = 2}, {name = "arm", mass = "m", inertia = 1}]\n'
    text += 'joints = [{name = "q", parent = "cart", child = "arm", at = [1, 0]}]\nparameters = {m = 1}\nstart = {qdot = 1.0}'
    system = loads(text)
    assert nh.simulate(system, until=0.1, parameters={"m": 2}).outcome.reached
    with pytest.raises(nh.ModelError, match="body 'arm': mass = m is -2; a mass is not negative"):
        nh.simulate(system, until=0.1, parameters={"m": -2})


def test_a_wheel_that_would_lift_or_slip_is_hinted_at() -> None:
    text = 'name = "hill"\nground = {height = "0.3*cos(3*x)"}\nstart = {rolling = "4 m/s", x = -1.0}\n'
    text += 'bodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}, contact = {friction = 0.3}}]'
    run = nh.simulate(loads(text), until=0.6)
    normal, ratio = run.contacts.normal.values[:, 0], run.contacts.ratio.values[:, 0]
    lift, slip = run.times[normal < 0][0], run.times[(ratio > 0.3) & (normal > 0)][0]
    assert slip != lift and normal[0] > 0
    said = [hint.split(":")[0] for hint in run.hints]
    assert said == [
        f"the normal force of ball is negative from t = {lift:.6g} ({normal.min():.3g} N)",
        f"the force along the ground at ball is more than 0.3 (its friction) times the normal one from t = {slip:.6g}",
    ]
    rests = nh.simulate(loads(text.replace("rolling = \"4 m/s\"", "rolling = 0.1")), until=0.1)
    assert not [hint for hint in rests.hints if "(ball)" in hint]


def test_the_plane_as_ground_in_one_word() -> None:
    text = 'bodies = [{name = "coin", mass = 1, shape = {kind = "disk", radius = 1}, contact = {}}]'
    assert loads(f'ground = "plane"\n{text}').lagrangian == loads(text).lagrangian


def test_gravity_of_any_direction_has_a_value_of_its_own() -> None:
    text = 'gravity = [0, "-g", 0]\nbodies = [{name = "bob", mass = 1, center = [1, 0, 0]}]\n'
    text += 'joints = [{name = "q", child = "bob"}]'
    assert nh.prepare(loads(text)).rates({"q": 0.5, "qdot": 0.0})["qdot"] == pytest.approx(-9.81 * np.cos(0.5), abs=1e-12)
