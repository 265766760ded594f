"""What was understood of a machine when it is printed, and mistakes: one line each with what to do."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.cli.main import main
from nonholo.machines.machine_files import loads
from tests.machines.test_bicycle_in_bodies import BICYCLE

CART = """
name = "cart"
world = "plane"
bodies = [{name = "base", mass = "m", inertia = 0.2}, {name = "trailer", mass = 1, inertia = 0.1}]
joints = [{name = "b", parent = "base", child = "trailer", at = [-0.3, 0], in_child = [0.5, 0]}]
wheels = [{body = "base", at = [0, 0.2], radius = 0.1, inertia = 0.01, name = "left"},
          {body = "base", at = [0, -0.2], radius = 0.1, inertia = 0.01, name = "right"}, {body = "trailer", name = "rear"}]
casters = [{body = "base", at = [0.3, 0], trail = 0.03, radius = 0.04, inertia = [0.001, 0.0005], name = "c1"}]
[parameters]
m = 3
"""
PENDULUM = """
name = "pendulum"
bodies = [{name = "bob", mass = 1, inertia = [0.1, 0.1, 0.1], shape = {kind = "ball", radius = 0.1}}]
joints = [{name = "q", child = "bob", at = [0, 0, 2], axis = "y"}]
"""


def test_masses_contacts_freedom_and_redundant_rows_are_told() -> None:
    told = str(loads(CART).machine)
    assert "mass 4 kg, centre of mass at (-0.2, 0) m" in told  # 1 kg at -0.8, 3 kg at 0
    assert "right: sideways slip is excluded already by left; its forces are shared" in told
    assert "degrees of freedom: 2 in velocity, 8 in configuration" in told
    assert "c1 touches ground at (0.27, 0, 0) m, without slip" in told
    assert "warning" not in told


def test_redundant_sideways_forces_are_shared_equally() -> None:
    run = nh.simulate(loads(CART), {"forward": 1.0, "thetadot": 0.7}, 0.1)
    across = run.contacts.across
    assert np.max(np.abs(across.sel(contact="left") - across.sel(contact="right"))) < 1e-12
    assert float(np.max(np.abs(across.sel(contact="left")))) > 1
    assert np.all(np.isnan(run.contacts.along.sel(contact="rear"))) and np.all(np.isfinite(across.sel(contact="rear")))


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("trail = 0.03", "trail = -0.03", "caster c1: its trail is -0.03 m, so the wheel leads its hinge"),
        ("in_child = [0.5, 0]", "in_child = [-0.5, 0]", "the wheel of 'trailer' runs 0.5 m ahead of its hinge"),
        ('mass = "m", inertia = 0.2', 'mass = "m", inertia = -0.2', "negative principal moment"),
    ],
)
def test_a_plane_machine_that_is_probably_wrong_is_warned_of(old: str, new: str, words: str) -> None:
    assert words in str(loads(CART.replace(old, new)).machine)


def test_an_inertia_that_no_body_can_have_is_warned_of() -> None:
    assert "the largest is more than the sum of the others" in str(loads(BICYCLE.replace("zz=2.8", "zz=28.0")).machine)
    assert "warning" not in str(loads(BICYCLE).machine)


def test_a_fork_that_leads_is_warned_of_in_space() -> None:
    """The bicycle with its trail of 0.08 m turned round; with a spring on the steer nothing is said."""
    leading = BICYCLE.replace("at = [-0.08, 0, 0.35]", "at = [0.08, 0, 0.35]")
    told = str(loads(leading).machine)
    assert "joint 'steer': 'front wheel' touches 0.08 m ahead of where the joint's axis meets ground, so it leads" in told
    assert "warning" not in str(loads(leading.replace("[param", 'springs = [{joint = "steer", stiffness = 9}]\n[param')).machine)


def test_a_wheel_that_points_nowhere_is_warned_of() -> None:
    flat = 'name = "flat"\nbodies = [{name = "plate", mass = 1, shape = {kind = "ball", radius = 1}}]\n'
    flat += 'contacts = [{body = "plate", kind = "blade", at = [0, 0, -1], along = [0, 0, 1]}]'
    assert "points nowhere" in str(loads(flat).machine)


MISTAKES = [
    ("name = \"x\"\nbodies = [{name = \"a\"}]", "body 'a' has no mass; give mass ="),
    ("name = \"x\"\nbodies = []", "without bodies"),
    ("name = \"x\"\nbodies = [{name = \"a\", mass = 0}]", "body 'a' has no mass, nor has anything that hangs on it"),
    ("name = \"x\"\nbodies = [{name = \"a\", mass = 1}]", "body 'a' has no moment of inertia"),
    ('bodies = [{name = "a", mass = 0, shape = {kind = "ball", radius = 1}}]\ncontacts = [{body = "a"}]', "'a' has no mass"),
    (
        PENDULUM.replace("]\njoints = [", ', {name = "b", mass = 0}]\njoints = [{name = "p", parent = "bob", child = "b"}, '),
        "'b' has no mass",
    ),
    (CART.replace('name = "rear"', 'name = "rear", steer = "d"'), "wheel 'rear' has no inertia along ddot"),
    (PENDULUM.replace('axis = "y"', "axis = [0, 0, 0]"), "axis has length zero and no direction; give an axis such as"),
    (PENDULUM.replace('child = "bob"', 'child = "bop"'), "there is no body 'bop'; did you mean 'bob'"),
    (PENDULUM.replace('axis = "y"}', 'axis = "y"}, {name = "p", child = "bob"}'), "'bob' is already the child of joint 'q'"),
    (PENDULUM.replace('"hinge"', '"hing"').replace("name = \"q\"", "type = \"hing\", name = \"q\""), "did you mean 'hinge'"),
    (PENDULUM + 'contacts = [{body = "bob"}]', "'bob' is 1.9 m above ground, and no coordinate brings it there"),
    (PENDULUM + 'contacts = [{body = "bob", kind = "roling"}]', "did you mean 'rolling'"),
    (PENDULUM.replace(', shape = {kind = "ball", radius = 0.1}', "") + 'contacts = [{body = "bob"}]', "no shape that could"),
    (PENDULUM.replace('kind = "ball"', 'kind = "bal"'), "did you mean 'ball'"),
    (PENDULUM + 'wheels = [{body = "bob"}]', 'are for world = "plane"'),
    (
        'bodies = [{name = "b", mass = 1, shape = {kind = "box", x = 1, y = 1, z = 1}}]\ncontacts = [{body = "b"}]\n'
        'ground = {height = "x**2"}',
        "touches with edges and corners in turn",
    ),
    (CART.replace('name = "left"', 'name = "theta"'), "two coordinates are called 'theta'"),
    (CART.replace('body = "trailer"', 'body = "trailor"'), "did you mean 'trailer'"),
    (CART.replace("at = [-0.3, 0]", "at = [-0.3]"), "give two numbers"),
    (CART + "[start]\nspeeed = 2", "did you mean 'speed'"),
    (CART.replace('world = "plane"', 'world = "plan"'), "did you mean 'plane'"),
    (CART.replace("inertia = 0.2", "inertai = 0.2"), "did you mean 'inertia'"),
    (CART.replace("mass = 1", 'mass = "M"'), "unknown name 'M'"),
    (PENDULUM.replace('child = "bob"', 'parent = "bob", child = "bob"'), "joins 'bob' with itself"),
    (PENDULUM + 'motors = [{joint = "p", torque = "tau"}]', "no joint or wheel has the coordinate 'p'"),
    (PENDULUM + 'motors = [{joint = "q"}]', "give one of torque, speed and voltage"),
    (PENDULUM + 'springs = [{stiffness = 2}]', 'give bodies = ["a", "b"]'),
]  # fmt: skip


@pytest.mark.parametrize(("text", "words"), MISTAKES)
def test_a_mistake_is_one_line_with_what_to_do(text: str, words: str) -> None:
    with pytest.raises(nh.NonholoError) as found:
        loads(text)
    told = str(found.value)  # below the line a parser shows the place with a mark
    assert words in told.splitlines()[0] and len(told.splitlines()) in (1, 3), told


def test_a_wheel_without_mass_that_rolls_is_no_mistake() -> None:
    text = CART.replace("inertia = 0.01, ", "")
    run = nh.simulate(loads(text), {"forward": 1.0}, 0.1)
    assert run.outcome.reached and not [hint for hint in run.hints if "kinetic energy" in hint]


def test_the_template_of_a_machine_is_a_machine(tmp_path: Path) -> None:
    file = tmp_path / "robot.toml"
    assert main(["new", "--machine", str(file)]) == 0
    system = nh.load(file)
    assert "left: sideways slip is excluded already by right" in str(system.machine)
    assert "warning" not in str(system.machine)
    state = nh.complete_state(system)
    assert state["forward"] == pytest.approx(0.5) and state["thetadot"] == pytest.approx(0, abs=1e-13)
    assert all(finding.verdict != "fails" for finding in nh.check(system))
