"""Small robot files of our own, loaded and assembled, against the same mechanisms written by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from tests.machines.lagrangian_by_hand import ByHand, turn, vec
from tests.machines.robots_by_hand import FREE, PLACE, S, base_axes
from tests.machines.test_robots_by_hand import random_state


def loaded(text: str, suffix: str, folder: Path, **options: object) -> nh.System:
    file = folder / f"robot.{suffix}"
    file.write_text(text)
    return nh.load(file, **options)


def same(system: nh.System, by_hand: nh.System, seed: int = 5) -> None:
    """Equal accelerations at random admissible states."""
    rng = np.random.default_rng(seed)
    ours, theirs = nh.hamel(system), nh.multipliers(by_hand)
    for _ in range(2):
        state = random_state(by_hand, rng) | {u: float(rng.uniform(-1, 1)) for u in by_hand.inputs}
        expected, found = theirs.rates(state, by_hand.parameters), ours.rates(state, system.parameters)
        for velocity in by_hand.velocities:
            assert found[velocity] == pytest.approx(expected[velocity], rel=1e-11, abs=1e-11), velocity


ARM = """
<robot name="arm">
  <link name="world"/>
  <link name="post"><inertial><mass value="3"/><inertia ixx="1" iyy="1" izz="1"/></inertial></link>
  <link name="upper"><inertial><origin xyz="0.1 0 0.2" rpy="0.3 0.2 -0.4"/><mass value="2"/>
    <inertia ixx="0.1" iyy="0.12" izz="0.08" ixy="0.01" ixz="-0.02" iyz="0.015"/></inertial></link>
  <link name="tool"><inertial><mass value="0.5"/><inertia ixx="0.01" iyy="0.02" izz="0.03"/></inertial></link>
  <link name="lower"><inertial><origin xyz="0 0.05 0.3"/><mass value="1"/>
    <inertia ixx="0.05" iyy="0.06" izz="0.02"/></inertial></link>
  <joint name="stand" type="fixed"><parent link="world"/><child link="post"/><origin xyz="0 0 1"/></joint>
  <joint name="shoulder" type="revolute"><parent link="post"/><child link="upper"/><origin xyz="0 0.1 0.2" rpy="0.5 -0.3 0.2"/>
    <axis xyz="0 1 0"/><limit lower="-1" upper="1"/><dynamics damping="0.3"/></joint>
  <joint name="grip" type="fixed"><parent link="upper"/><child link="tool"/><origin xyz="0.2 0 0" rpy="0 0.4 0"/></joint>
  <joint name="tele-scope" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4" rpy="0 0.1 0"/>
    <axis xyz="1 0 2"/></joint>
</robot>"""


def test_a_fixed_arm_of_urdf_is_the_arm_written_by_hand(tmp_path: Path) -> None:
    """Frames turned by rpy, an inertial frame of its own, a fixed tool, an axis that is not of length one."""
    system = loaded(ARM, "urdf", tmp_path, motors=["tele-scope"])
    assert system.coordinates == ("shoulder", "tele_scope") and tuple(system.inputs) == ("tau_tele_scope",)
    h = ByHand("arm", "shoulder tele_scope", {"g": 9.81}, inputs="tau_tele_scope")
    h.forces = {"shoulder": S("-3*shoulderdot/10"), "tele_scope": S("tau_tele_scope")}

    def rpy(roll: float, pitch: float, yaw: float) -> object:
        return turn("z", yaw) * turn("y", pitch) * turn("x", roll)

    root = vec(0, 0.1, 1.2)
    upper = rpy(0.5, -0.3, 0.2) * turn("y", S("shoulder"))
    tensor = nh_matrix([[0.1, 0.01, -0.02], [0.01, 0.12, 0.015], [-0.02, 0.015, 0.08]])
    own = rpy(0.3, 0.2, -0.4)
    h.body(2, own * tensor * own.T, root + upper * vec(0.1, 0, 0.2), upper)
    h.body(0.5, (0.01, 0.02, 0.03), root + upper * vec(0.2, 0, 0), upper * turn("y", 0.4))
    lower = upper * turn("y", 0.1)
    along = S("tele_scope") / S("sqrt(5)")
    h.body(1, (0.05, 0.06, 0.02), root + upper * vec(0, 0, 0.4) + lower * vec(along, 0.05, 2 * along + 0.3), lower)
    same(system, h.system())
    notes = system.machine.notes
    assert any("stops at -1.0 and 1.0" in line for line in notes) and any("called tele_scope" in line for line in notes)


def nh_matrix(rows: list[list[float]]) -> object:
    import symengine as se

    return se.Matrix(rows)


ROVER = """
<robot name="rover">
  <link name="base"><inertial><origin xyz="0.05 0 0.1"/><mass value="6"/>
    <inertia ixx="0.1" iyy="0.15" izz="0.2"/></inertial></link>
  {wheels}
</robot>"""
WHEEL = """
  <link name="{side} wheel"><inertial><mass value="0.8"/><inertia ixx="0.003" iyy="0.003" izz="0.005"/></inertial>
    <collision><geometry><cylinder radius="0.12" length="0.03"/></geometry></collision></link>
  <joint name="{side}" type="continuous"><parent link="base"/><child link="{side} wheel"/>
    <origin xyz="0 {y} 0" rpy="-1.5707963267948966 0 0"/><axis xyz="0 0 1"/></joint>"""


def rover() -> str:
    return ROVER.format(wheels="".join(WHEEL.format(side=side, y=y) for side, y in (("left", 0.2), ("right", -0.2))))


def test_wheels_of_urdf_roll(tmp_path: Path) -> None:
    """Two wheels under a free body: the cylinder's axis and radius make the contact."""
    system = loaded(rover(), "urdf", tmp_path, wheels=["left wheel", "right wheel"], motors=["left"], base=FREE)
    h = ByHand("rover", f"{FREE} left right", {"g": 9.81}, inputs="tau_left", forces={"left": S("tau_left")})
    body = base_axes()
    h.body(6, (0.1, 0.15, 0.2), PLACE + body * vec(0.05, 0, 0.1), body)
    for angle, side in (("left", 0.2), ("right", -0.2)):
        hub, wheel = PLACE + body * vec(0, side, 0), body * turn("y", S(angle))
        h.body(0.8, (0.003, 0.005, 0.003), hub, wheel)
        h.disk_rolls(hub, wheel, S("3/25"))
    del h.constraints[-1]
    assert set(system.coordinates) == set(h.coordinates.split())
    same(system, h.system())
    assert system.machine.contacts[0].kind == "rolling"


GEARED = """
<robot name="geared"><link name="base"/>
  <link name="a"><inertial><origin xyz="0.1 0 0"/><mass value="1"/><inertia izz="0.02" ixx="0.01" iyy="0.01"/></inertial></link>
  <link name="b"><inertial><origin xyz="0.2 0 0"/><mass value="2"/><inertia izz="0.03" ixx="0.01" iyy="0.01"/></inertial></link>
  <joint name="p" type="revolute"><parent link="base"/><child link="a"/><axis xyz="0 1 0"/></joint>
  <joint name="q" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.3 0 0"/><axis xyz="0 1 0"/>
    <mimic joint="p" multiplier="-2" offset="0.25"/></joint>
</robot>"""


def test_a_mimic_joint_is_a_gear(tmp_path: Path) -> None:
    system = loaded(GEARED, "urdf", tmp_path)
    h = ByHand("geared", "p q", {"g": 9.81}, holonomic=[S("q + 2*p - 1/4")])
    first = turn("y", S("p"))
    second = first * turn("y", S("q"))
    h.body(1, (0.01, 0.01, 0.02), first * vec(0.1, 0, 0), first)
    h.body(2, (0.01, 0.01, 0.03), first * vec(0.3, 0, 0) + second * vec(0.2, 0, 0), second)
    same(system, h.system())


SPRUNG = """
<mujoco model="hopper">
  <compiler angle="degree"/><option gravity="0 0 -3.7"/>
  <worldbody><geom type="plane" size="1 1 1"/>
    <body name="torso" pos="0 0 2">
      <joint name="rx" type="slide" axis="1 0 0"/><joint name="rz" type="slide" axis="0 0 1"/><joint name="ry" axis="0 1 0"/>
      <inertial pos="0.1 0 0.2" mass="5" diaginertia="0.3 0.4 0.2"/>
      <body name="leg" pos="0 0 -0.3" euler="0 20 0">
        <joint name="hip" pos="0 0 0.1" axis="0 1 0" stiffness="12" springref="30" damping="0.5" armature="0.07"/>
        <geom type="capsule" fromto="0 0 0 0 0 -0.6" size="0.05" mass="2"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="hip" gear="4"/></actuator>
</mujoco>"""


def across_of_capsule(r: float, h: float) -> float:
    """A cylinder of half length h and radius r between two half balls, by their volumes; of mass one, about its middle."""
    ball, tube = 4 / 3 * r, 2 * h
    share, rest = ball / (ball + tube), tube / (ball + tube)
    return share * (0.4 * r**2 + h**2 + 0.75 * h * r) + rest * (r**2 / 4 + h**2 / 3)


def test_slides_springs_armature_and_gear_of_mjcf(tmp_path: Path) -> None:
    system = loaded(SPRUNG, "xml", tmp_path)
    h = ByHand("hopper", "rx rz ry hip", {}, inputs="push")
    h.forces = {"hip": S("4*push - hipdot/2 - 12*(hip - pi/6)")}
    pull, torso = vec(0, 0, -3.7), turn("y", S("ry"))
    place = vec("rx", 0, "rz + 2")
    h.body(5, (0.3, 0.4, 0.2), place + torso * vec(0.1, 0, 0.2), torso, pull)
    still = turn("y", S("pi/9"))
    leg = torso * still * turn("y", S("hip"))
    # the joint is at (0, 0, 0.1) of the leg
    pivot = place + torso * (vec(0, 0, -0.3) + still * vec(0, 0, 0.1))
    across = 2 * across_of_capsule(0.05, 0.3)
    h.body(2, (across, across, 1.0), pivot + leg * vec(0, 0, -0.4), leg, pull)
    h.lagrangian += S("7*hipdot**2/200")
    same(system, h.system())
    assert system.machine.notes == ()


FOUR_BAR = """
<robot name="four bar"><link name="base"/>
  <link name="crank"><inertial><origin xyz="0.1 0 0"/><mass value="1"/>
    <inertia ixx="0.001" iyy="0.01" izz="0.01"/></inertial></link>
  <link name="coupler"><inertial><origin xyz="0.3 0 0"/><mass value="2"/>
    <inertia ixx="0.001" iyy="0.05" izz="0.05"/></inertial></link>
  <link name="rocker"><inertial><origin xyz="0.2 0 0"/><mass value="1.5"/>
    <inertia ixx="0.001" iyy="0.02" izz="0.02"/></inertial></link>
  <joint name="a" type="continuous"><parent link="base"/><child link="crank"/><axis xyz="0 1 0"/></joint>
  <joint name="b" type="continuous"><parent link="crank"/><child link="coupler"/>
    <origin xyz="0.2 0 0"/><axis xyz="0 1 0"/></joint>
  <joint name="c" type="continuous"><parent link="base"/><child link="rocker"/><origin xyz="0.5 0 0"/><axis xyz="0 1 0"/></joint>
  <constraint name="pin" type="revolute"><parent link="coupler"/><parent_origin xyz="0.6 0 0"/><parent_axis xyz="0 1 0"/>
    <child link="rocker"/><child_origin xyz="0.4 0 0"/><child_axis xyz="0 1 0"/></constraint>
</robot>"""


def test_a_constraint_closes_a_four_bar(tmp_path: Path) -> None:
    """Of the five conditions of a hinge only two are independent here; the others are redundant."""
    system = loaded(FOUR_BAR, "urdf", tmp_path)
    h = ByHand("four bar", "a b c", {"g": 9.81})
    crank, rocker = turn("y", S("a")), turn("y", S("c"))
    coupler = crank * turn("y", S("b"))
    h.body(1, (0.001, 0.01, 0.01), crank * vec(0.1, 0, 0), crank)
    h.body(2, (0.001, 0.05, 0.05), crank * vec(0.2, 0, 0) + coupler * vec(0.3, 0, 0), coupler)
    h.body(1.5, (0.001, 0.02, 0.02), vec(0.5, 0, 0) + rocker * vec(0.2, 0, 0), rocker)
    gap = crank * vec(0.2, 0, 0) + coupler * vec(0.6, 0, 0) - vec(0.5, 0, 0) - rocker * vec(0.4, 0, 0)
    h.holonomic = [gap[0], gap[2]]
    same(system, h.system(), seed=8)


def test_a_connect_of_mjcf_holds_the_anchor(tmp_path: Path) -> None:
    """Two pendulums from one beam, tied by a rod; the tie keeps its point along a motion."""
    text = """
    <mujoco><worldbody>
      <body name="left"><joint name="p" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 -1" size="0.02" mass="1"/>
        <body name="rod" pos="0 0 -1"><joint name="q" axis="0 1 0"/>
          <geom type="capsule" fromto="0 0 0 0.5 0 0" size="0.02" mass="1"/></body>
      </body>
      <body name="right" pos="0.5 0 0"><joint name="r" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 -1" size="0.02" mass="2"/></body>
    </worldbody><equality><connect body1="rod" body2="right" anchor="0.5 0 0"/></equality></mujoco>"""
    system = loaded(text, "xml", tmp_path)
    run = nh.simulate(system, {"p": 0.4, "q": "~-0.4", "r": "~0.4"}, 2.0, rtol=1e-11, atol=1e-13)
    p, r = (np.asarray(run.data[name]) for name in "pr")
    assert np.allclose(p, r, atol=1e-9) and np.ptp(p) > 0.5
    # a parallelogram: each pendulum about its end, the tie without turning
    about_end = across_of_capsule(0.02, 0.5) + 0.25
    k = 9.81 * (1 * 0.5 + 1 * 1.0 + 2 * 0.5) / (1 * about_end + 1 + 2 * about_end)
    rate = nh.hamel(system).rates({"p": 0.3, "q": -0.3, "r": 0.3, "pdot": 0.0, "qdot": 0.0, "rdot": 0.0})["pdot"]
    assert rate == pytest.approx(-k * np.sin(0.3), rel=1e-11)


def test_a_long_arm_is_assembled_although_it_is_not_drawn_to_its_end(tmp_path: Path) -> None:
    """Nine hinges in turned frames: the pose of the last links written out would have millions of characters."""
    links = "".join(
        f"<link name='l{k}'><inertial><origin xyz='0.1 0.02 0.3'/><mass value='1'/>"
        f"<inertia ixx='0.1' iyy='0.12' izz='0.08'/></inertial></link>"
        for k in range(10)
    )
    joints = "".join(
        f"<joint name='j{k}' type='continuous'><parent link='l{k}'/><child link='l{k + 1}'/>"
        f"<origin xyz='0.1 0.2 0.3' rpy='0.{k + 1} -0.3 0.2'/><axis xyz='0.3 1 0.2'/></joint>"
        for k in range(9)
    )
    system = loaded(f"<robot name='arm'>{links}{joints}</robot>", "urdf", tmp_path)
    drawn = {body.label for body in system.drawing.bodies}
    assert "l0" in drawn and "l9" not in drawn and "not drawn, at the end of a long chain" in str(system.machine)


def test_a_contact_that_slides_is_not_said_to_roll(tmp_path: Path) -> None:
    skid = {"base": {"name": "skid", "at": [0.25, 0, -0.12], "kind": "sliding"}}
    system = loaded(rover(), "urdf", tmp_path, wheels=["left wheel", "right wheel"], contacts=skid)
    lines = [line for line in str(system.machine).splitlines() if "touches" in line]
    assert [line.rpartition(", ")[2] for line in lines] == ["without slip", "without slip", "sliding"]
