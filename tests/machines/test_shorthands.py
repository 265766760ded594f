"""Short forms of machines are the same machines as the long ones; a machine holds what is spelled out."""

from __future__ import annotations

import pytest

import nonholo as nh
from nonholo.machines.machine_files import dumps, loads

PAIRS = {
    "chain of copies": (
        'bodies = [{name = "link", copies = 3, mass = 2, inertia = 0.1, wheel = {at = [0.1, 0]}, '
        'joint = {name = "phi", at = [-0.4, 0], in_child = [0.2, 0]}}]',
        'bodies = [{name = "link 1", mass = 2, inertia = 0.1}, {name = "link 2", mass = 2, inertia = 0.1}, '
        '{name = "link 3", mass = 2, inertia = 0.1}]\n'
        'joints = [{name = "phi1", parent = "link 1", child = "link 2", at = [-0.4, 0], in_child = [0.2, 0]}, '
        '{name = "phi2", parent = "link 2", child = "link 3", at = [-0.4, 0], in_child = [0.2, 0]}]\n'
        'wheels = [{body = "link 1", at = [0.1, 0]}, {body = "link 2", at = [0.1, 0]}, {body = "link 3", at = [0.1, 0]}]',
    ),
    "chain behind a car": (
        'bodies = [{name = "car", mass = 5, inertia = 1, wheel = {name = "rear"}}, {name = "trailer", copies = 2, mass = 2, '
        'inertia = 0.1, joint = {name = "b", parent = "car", at = [-1, 0], stiffness = "k"}}]',
        'bodies = [{name = "car", mass = 5, inertia = 1}, {name = "trailer 1", mass = 2, inertia = 0.1}, '
        '{name = "trailer 2", mass = 2, inertia = 0.1}]\n'
        'joints = [{name = "b1", parent = "car", child = "trailer 1", at = [-1, 0]}, '
        '{name = "b2", parent = "trailer 1", child = "trailer 2", at = [-1, 0]}]\n'
        'wheels = [{body = "car", name = "rear"}]\n'
        'springs = [{joint = "b1", stiffness = "k"}, {joint = "b2", stiffness = "k"}]',
    ),
    "pairs of wheels and casters": (
        'bodies = [{name = "base", mass = 5, inertia = 1}]\n'
        'wheels = [{pair = "l r", at = [0.1, "k"], radius = 0.2, inertia = 0.01, roller = "pi/4", motor = "tl tr"}]\n'
        'casters = [{pair = "c1 c2", at = [0.5, 0.2], trail = 0.1, radius = 0.05, inertia = [0.01, 0.001]}]',
        'bodies = [{name = "base", mass = 5, inertia = 1}]\n'
        'wheels = [{body = "base", name = "l", at = [0.1, "k"], radius = 0.2, inertia = 0.01, roller = "pi/4", motor = "tl"}, '
        '{body = "base", name = "r", at = [0.1, "-k"], radius = 0.2, inertia = 0.01, roller = "-(pi/4)", motor = "tr"}]\n'
        'casters = [{body = "base", name = "c1", at = [0.5, 0.2], trail = 0.1, radius = 0.05, inertia = [0.01, 0.001]}, '
        '{body = "base", name = "c2", at = [0.5, -0.2], trail = 0.1, radius = 0.05, inertia = [0.01, 0.001]}]',
    ),
    "a steered wheel with a motor, a hinge with motor and damper": (
        'bodies = [{name = "car", mass = 5, inertia = 1, wheel = [{}, {at = [1, 0], steer = "d", inertia = 0.1, motor = "tau"}]}'
        ', {name = "arm", mass = 1, inertia = 0.2, joint = {name = "q", parent = "car", motor = "u", damping = "k"}}]',
        'bodies = [{name = "car", mass = 5, inertia = 1}, {name = "arm", mass = 1, inertia = 0.2}]\n'
        'joints = [{name = "q", parent = "car", child = "arm"}]\n'
        'wheels = [{body = "car"}, {body = "car", at = [1, 0], steer = "d", inertia = 0.1}]\n'
        'motors = [{joint = "q", torque = "u"}, {joint = "d", torque = "tau"}]\nsprings = [{joint = "q", damping = "k"}]',
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", PAIRS)
def test_short_and_long_forms_are_the_same_system(name: str) -> None:
    short, long = (loads(f'name = "machine"\nworld = "plane"\n{text}\nparameters = {{k = 0.3}}') for text in PAIRS[name])
    assert short.coordinates == long.coordinates and set(short.inputs) == set(long.inputs)
    assert (short.lagrangian, short.constraints) == (long.lagrangian, long.constraints)
    assert short.forces == long.forces and [law.name for law in short.contacts] == [law.name for law in long.contacts]
    assert loads(dumps(short)) == short


def test_a_body_in_space_with_its_own_joint_and_contact() -> None:
    text = (
        'bodies = [{name = "frame", mass = 5, inertia = [1, 1, 1], free = "x y z yaw roll pitch"}, {name = "wheel", mass = 1, '
        'shape = {kind = "disk", radius = 0.3}, contact = {friction = 0.8}, joint = {name = "q", parent = "frame", axis = "y"}}]'
    )
    machine = loads(text).machine
    assert isinstance(machine, nh.Machine)
    assert machine.joints == (nh.Joint("hinge", "q", "frame", "wheel", axis="y"),)
    assert machine.contacts == (nh.Contact("wheel", friction=0.8),)
    assert nh.Machine(bodies=[nh.Body("b", 1, contact=nh.Contact(name="foot", at=[0, 0, 0]))]).contacts[0].body == "b"


def test_a_joint_with_several_coordinates_has_a_spring_and_a_torque_on_each() -> None:
    short = 'stiffness = 9, damping = 2, motor = "t1 t2"'
    text = 'bodies = [{name = "bob", mass = 1, center = [0, 0, -1], joint = {type = "universal", name = "a b", SHORT}}]\n'
    long = "springs = [{joint = 'a', stiffness = 9, damping = 2}, {joint = 'b', stiffness = 9, damping = 2}]\n"
    long += "motors = [{joint = 'a', torque = 't1'}, {joint = 'b', torque = 't2'}]\n"
    one, two = loads(text.replace("SHORT", short)), loads(text.replace(", SHORT", "") + long)
    assert one.lagrangian == two.lagrangian and one.forces == two.forces
    assert tuple(one.inputs) == tuple(two.inputs) == ("t1", "t2")
    with pytest.raises(nh.ModelError, match=r"motor = 't1'; the joint has the coordinates a, b and needs a torque for each"):
        loads(text.replace("SHORT", 'motor = "t1"'))


BODIES = """[[bodies]]
name = "frame"
mass = 3
inertia = [1, 1, 1]
free = "x y z yaw roll pitch"

[[bodies]]
name = "wheel"
mass = 1
shape = {kind = "disk", radius = 0.3}
joint = {name = "spin", parent = "frame", axis = "y"}
"""


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ('kind = "disk", radius', "disk", 'shape says no kind; write shape = {kind = "disk", …} (at line 10, column 1)'),
        ('radius = 0.3', "radios = 0.3", "unknown key 'radios'; did you mean 'radius'? (at line 10, column 1)"),
        ("mass = 1\n", "mas = 1\n", "unknown key 'mas'; did you mean 'mass'? (at line 9, column 1)"),
    ],
)
def test_a_mistake_in_one_of_several_tables_is_shown_at_its_own_line(right: str, wrong: str, said: str) -> None:
    assert loads(BODIES)
    with pytest.raises(nh.ModelError) as trouble:
        loads(BODIES.replace(right, wrong))
    assert said in str(trouble.value)
