"""Mistakes that people make in machines: each is refused in one line that says where, what was found and what to do."""

from __future__ import annotations

import pytest

import nonholo as nh
from nonholo.machines.machine_files import loads

PLANE = 'world = "plane"\n'
CART = PLANE + 'bodies = [{name = "cart", mass = 1, inertia = 0.1}]\n'
TWO = PLANE + 'bodies = [{name = "a", mass = 1, inertia = 1}, {name = "b", mass = 1, inertia = 1}]\n'
BALL = 'bodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]\n'
CYCLE = (
    'bodies = [{name = "frame", mass = 5, inertia = [1, 1, 1], free = "x y z yaw roll pitch"}, '
    '{name = "wheel", mass = 1, shape = {kind = "disk", radius = 0.3}}]\n'
)
HINGE = 'joints = [{name = "q", parent = "frame", child = "wheel", axis = "y"}]\n'

MISTAKES = {
    "body without mass": (
        PLANE + 'bodies = [{name = "cart", inertia = 1}]',
        "body 'cart' has no mass; give mass = …, in kg (0 for a part without mass).",
    ),
    "mass as unit text": (
        PLANE + 'bodies = [{name = "cart", mass = "3 kg", inertia = 1}]',
        "body 'cart': mass: 'kg' directly after a value; an operator such as * is missing",
    ),
    "negative mass": (
        PLANE + 'bodies = [{name = "cart", mass = -3, inertia = 1}]',
        "body 'cart': mass = -3; a mass is not negative.",
    ),
    "mass list": (
        PLANE + 'bodies = [{name = "cart", mass = [3], inertia = 1}]',
        "body 'cart': mass: found (3,) (tuple) where an expression was needed; give text, a number, a",
    ),
    "mass bool": (
        PLANE + 'bodies = [{name = "cart", mass = true, inertia = 1}]',
        "body 'cart': mass: found True where an expression was needed; give text, a number, a SymPy or a",
    ),
    "mass nan": (
        PLANE + 'bodies = [{name = "cart", mass = nan, inertia = 1}]',
        "body 'cart': mass: found nan where a finite number was needed",
    ),
    "mass inf": (
        PLANE + 'bodies = [{name = "cart", mass = inf, inertia = 1}]',
        "body 'cart': mass: found inf where a finite number was needed",
    ),
    "no bodies": ('bodies = []', 'a machine without bodies; give [[bodies]] with name and mass.'),
    "body a table": ('bodies = {name = "a"}', "bodies: found {'name': 'a'} where a list was needed: [[bodies]]."),
    "empty name": (
        PLANE + 'bodies = [{name = "", mass = 1, inertia = 1}]\nwheels=[{body=""}]',
        'bodies 1: body: its name is empty; give name = "frame".',
    ),
    "two same": (
        PLANE + 'bodies = [{name = "a", mass = 1, inertia=1}, {name = "a", mass = 1, inertia=1}]',
        "body 'a': two bodies have this name; rename it.",
    ),
    "unknown joint type": (
        CYCLE + 'joints = [{type = "revolute", name = "q", parent = "frame", child = "wheel"}]',
        "joint 'q': unknown type 'revolute'; did you mean 'hinge'?",
    ),
    "unknown parent": (
        CYCLE + 'joints = [{name = "q", parent = "fram", child = "wheel"}]',
        "joint q: there is no body 'fram'; did you mean 'frame'?",
    ),
    "missing child": (
        CYCLE + 'joints = [{name = "q", parent = "frame"}]',
        'joint q has no child; give child = "…", the body that it moves.',
    ),
    "two joints": (
        CYCLE + 'joints = [{name = "q", parent = "frame", child = "wheel", axis = "y"}, {name = "p", parent = '
        '"ground", child = "wheel"}]',
        "joint p: 'wheel' is already the child of joint 'q'; a body hangs on one joint: make the other",
    ),
    "axis zero": (
        CYCLE + 'joints = [{name = "q", parent = "frame", child = "wheel", axis = [0, 0, 0]}]',
        'joint \'q\': axis has length zero and no direction; give an axis such as "y" or [0, 1, 0].',
    ),
    "axis letter": (
        CYCLE + 'joints = [{name = "q", parent = "frame", child = "wheel", axis = "w"}]',
        'joint \'q\': axis is \'w\'; write "x", "y", "z" or a vector such as [0, 1, 0].',
    ),
    "axis two": (
        CYCLE + 'joints = [{name = "q", parent = "frame", child = "wheel", axis = [0, 1]}]',
        "joint 'q': axis is [0, 1]; give three numbers, e.g. [0, 0, 0.3].",
    ),
    "at one": (
        CYCLE + 'joints = [{name = "q", parent = "frame", child = "wheel", at = [1]}]',
        "joint 'q': at is [1]; give three numbers, e.g. [0, 0, 0.3].",
    ),
    "at number": (
        CYCLE + 'joints = [{name = "q", parent = "frame", child = "wheel", at = 1}]',
        "joint 'q': at is 1; give three numbers, e.g. [0, 0, 0.3].",
    ),
    "reserved name": (
        CYCLE + 'joints = [{name = "t", parent = "frame", child = "wheel"}]',
        "the time 't' is also a coordinate; rename one",
    ),
    "bad name": (
        CYCLE + 'joints = [{name = "my angle", parent = "frame", child = "wheel"}]',
        "joint 'my angle': a hinge joint has 1 coordinate; found 2 names (my, angle).",
    ),
    "bad name2": (
        CYCLE + 'joints = [{name = "2q", parent = "frame", child = "wheel"}]',
        "coordinates: '2q' is not a name; use letters, digits and _, not beginning with a digit",
    ),
    "name like parameter": (
        CYCLE + 'joints = [{name = "m", parent = "frame", child = "wheel", axis = "y"}]\nparameters = {m = 1}',
        "the parameter 'm' is also a coordinate; rename one",
    ),
    "ring": (
        TWO + 'joints=[{name="p",parent="a",child="b"},{name="q",parent="b",child="a"}]',
        'the joints of a, b form a ring that hangs on nothing; make one of them a [[loops]].',
    ),
    "contact no shape": (
        CYCLE + HINGE + 'contacts = [{body = "frame"}]',
        "contact 'frame': body 'frame' has no shape that could touch; give it shape = {…}, or the",
    ),
    "contact unknown": (
        CYCLE + HINGE + 'contacts = [{body = "wheels"}]',
        "contact 'wheels': there is no body 'wheels'; did you mean 'wheel'?",
    ),
    "contact kind": (
        CYCLE + HINGE + 'contacts = [{body = "wheel", kind = "roling"}]',
        "contact 'wheel': no kind 'roling'; did you mean 'rolling'?",
    ),
    "slips without friction": (
        CYCLE + HINGE + 'contacts = [{body = "wheel", slips = true}]',
        'contact 1 (wheel): slips = true needs friction, the coefficient μ.',
    ),
    "friction neg": (
        CYCLE + HINGE + 'contacts = [{body = "wheel", friction = -0.3}]',
        'contact 1 (wheel): static friction = -0.3 would drive the slip; a coefficient ≥ 0 is needed.',
    ),
    "restitution no lifts": (
        BALL + 'contacts = [{body = "ball", restitution = 0.5}]',
        'contact 1 (ball): restitution belongs to a contact that may open; give lifts = true.',
    ),
    "restitution 2": (
        BALL + 'contacts = [{body = "ball", lifts=true, restitution = 2}]',
        'contact 1 (ball): restitution = 2 would make energy grow or the bodies pass through each other;',
    ),
    "wheels in space": (
        BALL + 'wheels = [{body = "ball"}]',
        '[[wheels]] are for world = "plane"; in space a wheel is a body with a shape, a hinge and a',
    ),
    "box on bumps": (
        'ground = {height = "0.1*sin(x)"}\n'
        'bodies = [{name = "b", mass = 1, shape = {kind = "box", x = 1, y = 1, z = 1}}]\n'
        'contacts = [{body = "b"}]',
        'contact b: a box on a curved surface (z = f(x, y)) touches with edges and corners in turn; use',
    ),
    "sphere too small": (
        'ground = {sphere = 0.05, inside = true}\n'
        'bodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]\n'
        'contacts = [{body = "ball"}]',
        "contact 'ball' cannot be closed: at the start 'ball' is 0.05 m inside ground, and no coordinate",
    ),
    "ball in narrow bowl": (
        'ground = {height = "50*(x**2+y**2)"}\n'
        'bodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]\n'
        'contacts = [{body = "ball"}]',
        "contact 'ball': the points that touch at the start are not the nearest ones: ground is more",
    ),
    "ground two": (
        'ground = {height = "x", slope = 0.1}\n'
        'bodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]\n'
        'contacts = [{body = "ball"}]',
        'ground: height and slope are given; a ground is one surface, keep one of them.',
    ),
    "ground word": (
        'ground = {heigth = "x"}\nbodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]',
        "ground: unknown key 'heigth'; did you mean 'height'?",
    ),
    "ground uses z": (
        'ground = {height = "z"}\n'
        'bodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]\n'
        'contacts = [{body = "ball"}]',
        "ground: height: unknown name 'z'; known names: g, x, y",
    ),
    "ground text": (
        'ground = "bowl"\nbodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]',
        'ground = "bowl"; write "plane", or a table: ground = {height = "0.1*sin(x)"}, {sphere = "R"}, {slope = "alpha"}.',
    ),
    "grid missing": (
        'ground = {grid = "no.npy", cell = 0.1}\n'
        'bodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]\n'
        'contacts = [{body = "ball"}]',
        "ground: grid = 'no.npy' cannot be read ([Errno 2] No such file or directory: 'no.npy'); give",
    ),
    "loop not close": (
        TWO + 'joints=[{name="p",child="a"},{name="q",parent="a",child="b",at=[1,0]}]\n'
        'loops=[{parent="ground",child="b",at=[5,0],in_child=[1,0]}]',
        'the loop ground–b cannot be closed; check its lengths (at, in_child), or give a start nearer to',
    ),
    "loop same": (
        TWO + 'joints=[{name="p",child="a"},{name="q",parent="a",child="b",at=[1,0]}]\nloops=[{parent="b",child="b"}]',
        "loop 1 joins 'b' with itself; give two bodies.",
    ),
    "fixed wheel above": (
        'bodies = [{name = "wheel", mass = 1, shape = {kind = "disk", radius = 0.3}}]\n'
        'joints=[{name="q",child="wheel",at=[0,0,1],axis="y"}]\n'
        'contacts=[{body="wheel"}]',
        "contact 'wheel' cannot be closed: at the start 'wheel' is 0.7 m above ground, and no coordinate",
    ),
    "start unknown": (CART + 'start = {speeed = 1}', "start gives 'speeed', which is no state variable; did you mean 'speed'?"),
    "start word in space": (
        BALL + 'contacts=[{body="ball"}]\nstart = {rolling = "fast"}',
        'start of \'ball\': rolling: \'fast\' is not a number; write 0.5 or "pi/6", in SI units and radians.',
    ),
    "start speed unit": (
        CART + 'wheels=[{}]\nstart = {speed = "4 mph"}',
        'start of \'cart\': speed: \'4 mph\' is not a number; write 0.5 or "pi/6", in SI units and radians.',
    ),
    "radius zero": (
        CART + 'wheels = [{radius = 0}]',
        "wheel 'cart wheel 1': radius = 0; give a positive radius, or leave it out for a blade.",
    ),
    "radius neg": (
        CART + 'wheels = [{radius = -0.1, name="w"}]',
        "wheel 'w': radius = -0.1; give a positive radius, or leave it out for a blade.",
    ),
    "motor without radius": (
        CART + 'wheels = [{motor = "tau"}]',
        "wheel 'cart wheel 1': a motor turns the wheel's angle; give radius = …, or steer = a coordinate.",
    ),
    "motor joint unknown": (
        CART + 'motors = [{joint = "w", torque = "tau"}]',
        "motor w: no joint or wheel has the coordinate 'w'; they are x, y, theta.",
    ),
    "motor nothing": (
        CYCLE + HINGE + 'motors = [{joint = "q"}]',
        'motor q: give one of torque, speed and voltage; found none of them.',
    ),
    "motor torque and speed": (
        CYCLE + HINGE + 'motors = [{joint = "q", torque = 1, speed = 2}]',
        'motor q: give one of torque, speed and voltage; found torque and speed.',
    ),
    "spring joint unknown": (
        CYCLE + HINGE + 'springs = [{joint = "p", stiffness = 1}]',
        "spring 1: no joint or wheel has the coordinate 'p'; they are x, y, z, yaw, roll, pitch, q.",
    ),
    "spring one body": (
        CYCLE + HINGE + 'springs = [{bodies = ["frame"], stiffness = 1}]',
        'spring 1: give bodies = ["a", "b"], or joint = "…".',
    ),
    "load torque in plane": (
        CART + 'loads = [{body = "cart", force = [1, 2, 3]}]',
        'load 1: force: the plane is seen from above and has no height; leave out the third number.',
    ),
    "sensor kind": (
        CART + 'sensors = [{name = "s", kind = "lidar", body = "cart"}]',
        "sensor s: no kind 'lidar'; the kinds are imu, gyro, encoder, position, contact force.",
    ),
    "inertia two": (
        'bodies = [{name = "b", mass = 1, inertia = [1, 2]}]',
        "body 'b': inertia: give three moments [Ixx, Iyy, Izz] or {xx = …, xz = …}; found (1, 2).",
    ),
    "inertia one in space": (
        'bodies = [{name = "b", mass = 1, inertia = 0.3}]\njoints=[{name="q",child="b"}]',
        "body 'b': inertia: give three moments [Ixx, Iyy, Izz] or {xx = …, xz = …}; found 0.3.",
    ),
    "inertia three in plane": (
        PLANE + 'bodies = [{name = "b", mass = 1, inertia = [1, 2, 3]}]',
        "body 'b': inertia: in the plane it is one number, about the vertical; found (1, 2, 3).",
    ),
    "free wrong": (
        'bodies = [{name = "b", mass = 1, inertia = [1,1,1], free = "x y"}]',
        'body \'b\': free = \'x y\'; write "x y z matrix", "x y z quaternion" or "x y z yaw roll pitch".',
    ),
    "center string": (
        'bodies = [{name = "b", mass = 1, inertia = [1,1,1], center = "0.3"}]',
        "body 'b': center is '0.3'; give three numbers, e.g. [0, 0, 0.3].",
    ),
    "shape kind": (
        'bodies = [{name = "b", mass = 1, shape = {kind = "sphere", radius = 1}}]',
        "body 'b': no shape 'sphere'; did you mean 'ball'?",
    ),
    "shape no radius": (
        'bodies = [{name = "b", mass = 1, shape = {kind = "ball"}}]',
        "body 'b': a ball needs radius; give radius = … in its shape.",
    ),
    "shape text": (
        'bodies = [{name = "b", mass = 1, shape = "ball"}]',
        'bodies 1: body \'b\': shape = \'ball\'; a table was needed, shape = {kind = "ball", radius = 0.1}.',
    ),
    "unknown param": (
        PLANE + 'bodies = [{name = "cart", mass = "M", inertia = 0.1}]',
        "body 'cart': mass: unknown name 'M'; known names: t; if 'M' is a parameter, give it among the",
    ),
    "world 3d": (
        'world = "3d"\nbodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]',
        'unknown world \'3d\'; write world = "space" or world = "plane".',
    ),
    "gravity text": (
        'gravity = "down"\nbodies = [{name = "ball", mass = 1, shape = {kind = "ball", radius = 0.1}}]',
        "gravity: unknown name 'down'; known names: t; if 'down' is a parameter, give it among the",
    ),
    "gravity in plane": (
        PLANE + 'gravity = 9.81\nbodies = [{name = "cart", mass = 1, inertia = 0.1}]',
        'gravity = 9.81: the plane is seen from above; give a vector [gx, gy] along a slope.',
    ),
    "copies no joint": (
        PLANE + 'bodies = [{name="l", mass=1, inertia=1, copies=3}]',
        "body 'l': copies hang on each other by joints; give joint = {name = …, at = […], in_child =",
    ),
    "copies half": (
        PLANE + 'bodies = [{name="l", mass=1, inertia=1, copies=2.5, joint={name="q"}}]',
        "body 'l': copies = 2.5; give a whole number from 1 to 1000.",
    ),
    "pair one": (
        CART + 'wheels = [{pair = "left", at = [0, 1]}]',
        'wheel pair \'left\': give two names and no other, pair = "left right".',
    ),
    "pair middle": (
        CART + 'wheels = [{pair = "left right"}]',
        "wheel pair 'left right': at = [0, 0] is its own mirror image; give at = [x, y] with y of the",
    ),
    "pair motor": (
        CART + 'wheels = [{pair = "left right", at=[0,1], radius=0.1, motor="tau"}]',
        'wheel pair \'left right\': motor = \'tau\'; a pair has two, motor = "tl tr".',
    ),
    "joint other child": (
        'bodies = [{name = "frame", mass = 5, inertia = [1,1,1], free = "x y z yaw roll pitch"}, {name = '
        '"wheel", mass = 1, shape = {kind = "disk", radius = 0.3}, joint = {name="q", parent="frame", child="frame"}}]',
        "body 'wheel': joint: child = 'frame'; the joint of a body moves that body, leave child out.",
    ),
    "wheel no body": (TWO + 'wheels=[{}]', 'wheel \' wheel 1\' names no body; give body = "a" or another.'),
    "joint to itself inline": (
        PLANE + 'bodies = [{name = "cart", mass = 1, inertia = 0.1, joint={name="q", parent="cart"}}]',
        "joint q joins 'cart' with itself; give another parent.",
    ),
    "wheel key": (CART + 'wheels = [{body = "cart", raduis = 0.1}]', "wheels 1: unknown key 'raduis'; did you mean 'radius'?"),
    "turned w": (
        CYCLE + 'joints = [{name = "q", parent = "frame", child = "wheel", turned = [{w = 0.3}]}]',
        "joint 'q': turned: a turn about 'w'; the axes are x, y, z.",
    ),
    "gear one": (CYCLE + HINGE + 'gears = [{joints = ["q"], ratio = 2}]', 'gear 1: give joints = ["a", "b"]; found [\'q\'].'),
    "gear unknown": (
        CYCLE + HINGE + 'gears = [{joints = ["q", "p"], ratio = 2}]',
        "gear 1: no joint or wheel has the coordinate 'p'; they are x, y, z, yaw, roll, pitch, q.",
    ),
    "caster no trail": (
        CART + 'casters = [{name = "c", at=[0.1,0], inertia = 3}]',
        "caster 'c': inertia is [of the fork about the vertical, of the wheel about its axle]; found 3.",
    ),
    "duplicate coordinate": (
        TWO + 'joints=[{name="theta",parent="a",child="b"}]',
        "two coordinates are called 'theta'; give each joint, wheel and free body names of its own.",
    ),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_one_line_with_what_to_do(name: str) -> None:
    text, words = MISTAKES[name]
    with pytest.raises(nh.NonholoError) as found:
        loads(f'name = "thing"\n{text}')
    told = str(found.value).splitlines()
    # the place, with the line of the text, stands before the last point
    assert words.removesuffix(".") in told[0] and len(told) in (1, 3)


LINES = """name = "car"
bodies = [
  {name = "frame", mass = 3, inertia = [1, 1, 1], free = "x y z yaw roll pitch"},
  {name = "wheel", mass = 1, shape = {kind = "disk", radius = 0.3}, joint = {name = "spin", parent = "frame", axis = "y"}},
  {name = "link", copies = 2, mass = 1, inertia = [1, 1, 1], joint = {name = "q", parent = "frame", at = [1, 0, 0]}},
]
contacts = [{body = "wheel"}]
motors = [{joint = "spin", torque = "tau"}]
"""


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("mass = 3", "mass = -3", 3),
        ('kind = "disk"', 'kind = "disc"', 4),
        ('axis = "y"', 'axis = "w"', 4),
        ("at = [1, 0, 0]", "at = [1]", 5),
        ("copies = 2", "copies = 2.5", 5),
        ('shape = {kind = "disk", radius = 0.3}', 'shape = {disk = 0.3}', 4),
        ('{body = "wheel"}', '{body = "wheel", kind = "roling"}', 7),
        ('joint = "spin", torque = "tau"', 'joint = "spin"', 8),
    ],
)
def test_a_mistake_is_shown_at_its_line(right: str, wrong: str, line: int) -> None:
    assert right in LINES and loads(LINES)
    with pytest.raises(nh.NonholoError, match=f"at line {line}, column"):
        loads(LINES.replace(right, wrong))
