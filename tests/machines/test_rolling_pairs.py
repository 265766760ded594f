"""Machines of rolling pairs in words: a wheelset on rails, a wheel in a drum, a pan grinder, a ball on a ball."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.machine_files import loads
from tests.machines import newton_euler as ne

WHEELSET = """
name = "wheelset"
[[bodies]]
name = "axle"
mass = 1200
inertia = [700, 100, 700]
free = "x y z yaw roll pitch"
[[bodies]]
name = "left wheel"
mass = 0
shape = {kind = "cone", radius = "r + 0.1*gamma", length = "r/gamma + 0.1", axis = [0, 1, 0]}
[[bodies]]
name = "right wheel"
mass = 0
shape = {kind = "cone", radius = "r + 0.1*gamma", length = "r/gamma + 0.1", axis = [0, -1, 0]}
[[bodies]]
name = "left rail"
mass = 0
shape = {kind = "cylinder", radius = "rho", length = 100, axis = "x"}
[[bodies]]
name = "right rail"
mass = 0
shape = {kind = "cylinder", radius = "rho", length = 100, axis = "x"}
[[joints]]
type = "weld"
parent = "axle"
child = "left wheel"
at = [0, "b - 0.1", 0]
[[joints]]
type = "weld"
parent = "axle"
child = "right wheel"
at = [0, "0.1 - b", 0]
[[joints]]
type = "weld"
child = "left rail"
at = [0, "b", "-rho"]
[[joints]]
type = "weld"
child = "right rail"
at = [0, "-b", "-rho"]
[[contacts]]
body = "left wheel"
on = "left rail"
[[contacts]]
body = "right wheel"
on = "right rail"
[parameters]
r = 0.46
b = 0.75
gamma = GAMMA
rho = 0.3
[start]
y = 0.001
z = "~0.46"
pitchdot = 20
"""


def half_wave(gamma: float) -> tuple[float, float]:
    """Half the wavelength of the wheelset, and half of Klingel's with the track of the contact points.

    The set turns about the line through both contact points. With half the distance b' = b − ργ of these, the roll is
    φ = γ y/(b' − rγ), the line falls by ργφ/b', and its contact points lead by ±rγψ when the set has yawed by ψ, so that

        ψ̇ = −ω φ (1 + ργ/b'),   ẏ = ω r' ψ (1 − rγ/b'),   (π/half wave)² = γ (1 + ργ/b')/(b' r')     to first order in γ.
    """
    system = loads(WHEELSET.replace("GAMMA", str(gamma)))
    run = nh.simulate(system, until=20.0 * (0.05 / gamma) ** 0.5 / 5)
    x, y = run.data["x"].values, run.data["y"].values
    crossing = np.flatnonzero(np.diff(np.sign(y)))
    places = x[crossing] - y[crossing] * (x[crossing + 1] - x[crossing]) / (y[crossing + 1] - y[crossing])
    contacts = run.contacts
    assert np.max(np.abs(contacts["slip"].values)) < 1e-12
    assert abs(contacts["normal"].values[0].sum() - 1200 * 9.81) < 60  # the rails are inclined by γ only
    apart, height = 0.75 - 0.3 * gamma, float(run.data["z"].values[0])
    theory = np.pi / np.sqrt(gamma * (1 + 0.3 * gamma / apart) / (apart * height))
    return float(np.mean(np.diff(places))), theory


def test_a_wheelset_runs_in_klingels_wave() -> None:
    found, theory = half_wave(0.05)
    steep = abs(found / theory - 1)
    assert steep < 1e-3
    assert abs(found / (np.pi * np.sqrt(0.46 * 0.75 / 0.05)) - 1) < 0.03  # Klingel 1883: 2π sqrt(r b/γ)
    found, theory = half_wave(0.0125)
    assert abs(found / theory - 1) < steep / 8  # second order in the cones' angle


GRINDER = """
name = "pan grinder"
[[bodies]]
name = "shaft"
mass = 0
[[bodies]]
name = "arm"
mass = 0
[[bodies]]
name = "muller"
mass = "m"
shape = {kind = "cylinder", radius = "r", length = "h", axis = "x"}
[[joints]]
name = "phi"
child = "shaft"
[[joints]]
name = "lift"
parent = "shaft"
child = "arm"
at = [0, 0, "r"]
axis = "y"
[[joints]]
name = "spin"
parent = "arm"
child = "muller"
at = ["l", 0, 0]
axis = "x"
[[contacts]]
body = "muller"
[[motors]]
joint = "phi"
speed = "Omega"
[parameters]
m = 800
r = 0.6
h = 0.3
l = 0.9
Omega = 3.0
"""


def test_a_pan_grinder_presses_harder_than_its_weight() -> None:
    """The gyroscopic moment C (Ω l/r) Ω of the muller is carried by the pan: N = m g + C Ω²/r where no radial force helps.

    Rolling excludes a radial slip that the arm excludes already, so that weight and gyroscopic moment about the pin may be
    carried by a radial force at the arm r too; the least norm shares them, and the moment is theirs.
    """
    axial = 800 * 0.6**2 / 2
    whole = 800 * 9.81 + axial * 9.0 / 0.6
    free = nh.simulate(loads(GRINDER.replace('body = "muller"\n', 'body = "muller"\nroller = 0\n')), until=0.1)
    assert np.allclose(free.contacts["normal"].values[:, 0], whole, rtol=1e-12)
    run = nh.simulate(loads(GRINDER), until=1.0)
    forces = run.contacts
    moment = forces["normal"].values * 0.9 + np.abs(forces["across"].values) * 0.6
    assert np.allclose(moment, whole * 0.9, rtol=1e-12)
    assert np.allclose(run.data["spindot"].values, -3.0 * 0.9 / 0.6, rtol=1e-12)
    assert np.max(np.abs(run.contacts["slip"].values)) < 1e-12


DRUM = """
name = "wheel in a drum"
[[bodies]]
name = "drum"
mass = 5
inertia = [1.5, 2.5, 1.5]
shape = {kind = "cylinder", radius = 0.8, length = 2, axis = "y"}
[[bodies]]
name = "wheel"
mass = 0.7
inertia = [0.011, 0.017, 0.011]
shape = {kind = "wheel", radius = 0.21, tube = 0.04}
free = "x y z yaw roll pitch"
[[joints]]
name = "turn"
child = "drum"
axis = "y"
[[contacts]]
body = "wheel"
on = "drum"
inside = true
[start]
z = "~-0.59"
roll = 0.1
yaw = 0.2
rolldot = 0.3
pitchdot = 5.0
turndot = 1.7
"""


def test_a_wheel_in_a_drum_that_turns() -> None:
    """Accelerations and the normal force against Newton–Euler; energy along the motion."""
    system = loads(DRUM)
    run = nh.simulate(system, until=3.0, rtol=1e-12, atol=1e-12)
    energy = run.data["energy"].values
    assert np.ptp(energy) < 1e-10 * np.max(np.abs(energy))
    place = {n: float(run.data[n].values[0]) for n in run.data if run.data[n].dims == ("t",)}
    turned = ne.turn([0, 0, 1], place["yaw"]) @ ne.turn([1, 0, 0], place["roll"]) @ ne.turn([0, 1, 0], place["pitch"])
    outer = ne.turn([0, 0, 1], place["yaw"]) @ ne.turn([1, 0, 0], place["roll"])
    spin = (
        place["yawdot"] * ne.UP
        + ne.turn([0, 0, 1], place["yaw"]) @ [place["rolldot"], 0, 0]
        + outer @ [0, place["pitchdot"], 0]
    )
    bodies = [
        ne.Rigid(5.0, np.diag([1.5, 2.5, 1.5]), np.zeros(3), np.eye(3), w=np.array([0, place["turndot"], 0])),
        ne.Rigid(
            0.7, np.diag([0.011, 0.017, 0.011]), np.array([place[n] for n in "xyz"]), turned,
            np.array([place["xdot"], place["ydot"], place["zdot"]]), spin,
        ),
    ]  # fmt: skip
    find = ne.on_chart(ne.torus(0.21, 0.04), ne.drum(0.8), (0.0, 0.0))
    joins = [ne.joint("hinge", ne.GROUND, 0, np.zeros(3), [0, 1, 0]), ne.contact(1, find, on=0)]
    rates, forces = ne.accelerations(bodies, joins, ne.weight(bodies))
    found = nh.prepare(system).rates(run.first)
    assert np.max(np.abs([found[f"{n}dot"] for n in "xyz"] - rates[1][:3])) < 1e-10
    assert abs(found["turndot"] - rates[0][4]) < 1e-10
    assert abs(run.contacts["normal"].values[0, 0] - forces[5]) < 1e-10


PAIR = """
name = "ball on a ball"
[[bodies]]
name = "lower"
mass = 0.9
shape = {kind = "ball", radius = 0.3}
[[bodies]]
name = "upper"
mass = 0.4
shape = {kind = "ball", radius = 0.1}
[[contacts]]
body = "lower"
[[contacts]]
body = "upper"
on = "lower"
[start]
x_upper = 0.05
z_upper = "~0.7"
w3_upper = 3
w1_lower = 1
"""


def test_a_ball_on_a_ball_on_a_plane() -> None:
    run = nh.simulate(loads(PAIR), until=0.4, rtol=1e-12, atol=1e-12)
    energy = run.data["energy"].values
    assert np.ptp(energy) < 1e-11 * np.max(np.abs(energy))
    contacts = run.contacts
    apart = np.array([run.data[f"{n}_upper"].values - run.data[f"{n}_lower"].values for n in "xyz"])
    assert np.max(np.abs(np.linalg.norm(apart, axis=0) - 0.4)) < 1e-12
    assert np.max(np.abs(contacts["slip"].values)) < 1e-13
    normal = contacts["normal"].values
    assert np.all(normal[:, 0] > normal[:, 1])
    assert normal[0] == pytest.approx([1.3 * 9.81, 0.4 * 9.81], rel=0.05)


@pytest.mark.parametrize(
    ("ground", "shape", "start", "said"),
    [
        ('height = "20*x**2"', 'kind = "ball", radius = 0.2', 'z = "~0.2"', "ground is more curved than 'b'"),
        ("sphere = 1\ninside = true", 'kind = "cylinder", radius = 0.1, length = 0.2, axis = "y"', 'z = "~-0.9"', "not the near"),
        ("sphere = 1.0", 'kind = "box", x = 0.1, y = 0.2, z = 0.1', 'z = "~1.1"', "touches with edges and corners in turn"),
    ],
)
def test_a_shape_that_cannot_touch_that_ground(ground: str, shape: str, start: str, said: str) -> None:
    body = f'[[bodies]]\nname = "b"\nmass = 0.5\nshape = {{{shape}}}'
    text = f'name = "m"\n[ground]\n{ground}\n{body}\n[[contacts]]\nbody = "b"\n[start]\n{start}'
    with pytest.raises(nh.NonholoError, match=said):
        loads(text)


def test_a_ball_in_a_valley_that_is_wide_enough() -> None:
    """Curvature 2·k against 1/radius: k = 20 is refused, k = 2 rolls."""
    text = 'name = "m"\n[ground]\nheight = "2*x**2"\n[[bodies]]\nname = "b"\nmass = 0.5\nshape = {kind = "ball", radius = 0.2}\n'
    run = nh.simulate(loads(text + '[[contacts]]\nbody = "b"\n[start]\nx = 0.05\n'), until=0.5)
    assert run.outcome.reached


def test_the_summary_says_where_a_contact_point_is_not_determined() -> None:
    body = '[[bodies]]\nname = "b"\nmass = 0.5\nfree = "x y z yaw roll pitch"\nshape = {kind = "SHAPE", radius = 0.1}\n'
    text = body + '[[contacts]]\nbody = "b"\n[start]\nroll = 0.3\n'
    assert "b: a disk has no contact point when it lies flat" in str(loads(text.replace("SHAPE", "disk")).machine)
    assert "note:" not in str(loads(text.replace("SHAPE", "ball")).machine)
