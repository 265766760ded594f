"""URDF and MJCF as plain numbers: masses, poses and joints against formulas; what is not understood is listed."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import nonholo as nh
from nonholo.errors import FileError, ModelError
from nonholo.machines.robot_files.frame_rotations import from_euler, from_rpy, turn, with_z_along, zyx_angles
from nonholo.machines.robot_files.geom_inertia import moments, volume
from nonholo.machines.robot_files.mjcf import read_mjcf
from nonholo.machines.robot_files.robot_description import Geometry, RobotDescription
from nonholo.machines.robot_files.robot_machine import read_robot, reference_poses, robot_machine
from nonholo.machines.robot_files.urdf import read_urdf
from nonholo.machines.robot_files.xml_elements import parse_xml
from nonholo.model.drawing.drawing_values import evaluate_drawing


def urdf(text: str) -> RobotDescription:
    return read_urdf(parse_xml(f"<robot name='r'>{text}</robot>".encode(), "r.urdf"), "r.urdf")


def mjcf(text: str) -> RobotDescription:
    return read_mjcf(parse_xml(f"<mujoco>{text}</mujoco>".encode(), "r.xml"), "r.xml")


BASE = "<link name='base'><inertial><mass value='4'/><inertia ixx='1' iyy='2' izz='2.5'/></inertial></link>"


def joint(kind: str, inside: str = "", name: str = "j") -> str:
    return f"<joint name='{name}' type='{kind}'><parent link='base'/><child link='arm'/>{inside}</joint>"


def arm(inside: str = "") -> str:
    return f"<link name='arm'><inertial><mass value='2'/></inertial>{inside}</link>"


def test_turns_about_z_y_x_give_the_rotation_back() -> None:
    rng = np.random.default_rng(3)
    for angles in [*rng.uniform(-3, 3, (20, 3)), (0.3, math.pi / 2, 0.7), (0.3, -math.pi / 2, 0.7)]:
        rotation = from_rpy(angles)
        yaw, pitch, roll = zyx_angles(rotation)
        assert np.allclose(turn("z", yaw) @ turn("y", pitch) @ turn("x", roll), rotation, atol=1e-14)
        assert np.allclose(from_euler(angles, "XYZ"), rotation, atol=1e-15)
        assert np.allclose(from_euler(angles[::-1], "zyx"), rotation, atol=1e-15)


def test_the_smallest_rotation_carries_z_to_a_direction() -> None:
    for direction in ((0.3, -0.2, 0.5), (0, 0, -1), (0, 0, 2), (1, 0, 0)):
        found = with_z_along(direction)
        assert np.allclose(found[:, 2], np.array(direction) / np.linalg.norm(direction), atol=1e-15)
        assert np.allclose(found @ found.T, np.eye(3), atol=1e-15)


@pytest.mark.parametrize(
    "shape",
    [
        Geometry("ball", (0.7,)), Geometry("cylinder", (0.4, 0.9)), Geometry("capsule", (0.4, 0.6)),
        Geometry("box", (0.3, 0.5, 0.8)), Geometry("ellipsoid", (0.3, 0.5, 0.8)),
    ],
    ids=lambda s: s.kind,
)  # fmt: skip
def test_moments_of_shapes_are_their_integrals(shape: Geometry) -> None:
    """Midpoint sums over a fine lattice; nothing of the formulas is used."""
    n = 90
    reach = max(shape.size) + (shape.size[0] if shape.kind == "capsule" else 0)
    ticks = (np.arange(n) + 0.5) / n * 2 * reach - reach
    x, y, z = np.meshgrid(ticks, ticks, ticks, indexing="ij")
    s = shape.size
    inside = {
        "ball": lambda: x**2 + y**2 + z**2 < s[0] ** 2,
        "cylinder": lambda: (x**2 + y**2 < s[0] ** 2) & (abs(z) < s[1]),
        "capsule": lambda: x**2 + y**2 + np.maximum(abs(z) - s[1], 0) ** 2 < s[0] ** 2,
        "box": lambda: (abs(x) < s[0]) & (abs(y) < s[1]) & (abs(z) < s[2]),
        "ellipsoid": lambda: (x / s[0]) ** 2 + (y / s[1]) ** 2 + (z / s[2]) ** 2 < 1,
    }[shape.kind]()
    cell = (2 * reach / n) ** 3
    assert volume(shape) == pytest.approx(inside.sum() * cell, rel=0.02)
    for k, (u, v) in enumerate(((y, z), (x, z), (x, y))):
        assert moments(shape)[k] == pytest.approx((u[inside] ** 2 + v[inside] ** 2).mean(), rel=0.02)


def test_an_inertial_frame_is_turned_into_the_links_axes() -> None:
    robot = urdf(
        "<link name='a'><inertial><origin xyz='1 2 3' rpy='0 0 1.5707963267948966'/><mass value='2'/>"
        "<inertia ixx='1' iyy='5' izz='7' ixy='0.5'/></inertial></link>"
    )
    link = robot.links[0]
    assert (link.mass, link.center) == (2.0, (1.0, 2.0, 3.0))
    assert np.allclose(link.inertia, [[5, -0.5, 0], [-0.5, 1, 0], [0, 0, 7]], atol=1e-14)


def test_joints_of_urdf_have_their_kind_place_axis_and_damping() -> None:
    kinds = {
        "revolute": "hinge",
        "continuous": "hinge",
        "prismatic": "slider",
        "fixed": "weld",
        "floating": "free",
        "planar": "planar",
    }
    for written, kind in kinds.items():
        inside = "<origin xyz='0 0.1 0' rpy='0 0 0.3'/><axis xyz='0 2 0'/><dynamics damping='0.7'/>"
        found = urdf(BASE + arm() + joint(written, inside)).joints[0]
        assert (found.kind, found.parent, found.child, found.pose.position) == (kind, "base", "arm", (0.0, 0.1, 0.0))
        assert found.damping == 0.7
        assert kind not in ("hinge", "slider", "planar") or found.axis == (0.0, 1.0, 0.0)


def test_a_mimic_joint_is_a_relation_of_coordinates() -> None:
    text = (
        BASE
        + arm()
        + joint("revolute")
        + "<link name='b'/><joint name='k' type='revolute'><parent link='arm'/><child link='b'/>"
    )
    robot = urdf(text + "<mimic joint='j' multiplier='-2' offset='0.1'/></joint>")
    assert (robot.couplings[0].follower, robot.couplings[0].leader, robot.couplings[0].coefficients) == (
        "k",
        "j",
        (0.1, -2.0),
    )


def test_a_fixed_joint_that_mimics_stays_fixed_and_is_listed() -> None:
    text = "<robot name='r'><link name='a'/><link name='b'/><link name='c'/><joint name='j' type='revolute'><parent link='a'/>"
    text += "<child link='b'/></joint><joint name='k' type='fixed'><parent link='a'/><child link='c'/><mimic joint='j'/></joint>"
    text += "</robot>"
    robot = read_urdf(parse_xml(text.encode(), "r.urdf"), "r.urdf")
    assert robot.couplings == () and any("a fixed joint mimics none" in word for word in robot.not_understood)


def test_a_robot_that_cannot_move_says_how_it_could(tmp_path: Path) -> None:
    inertia = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1'/></inertial>"
    box = "<collision><geometry><box size='1 1 1'/></geometry></collision>"
    mesh = "<visual><geometry><mesh filename='a.stl'/></geometry></visual>"
    (tmp_path / "block.urdf").write_text(f"<robot name='block'><link name='a'>{inertia}{box}{mesh}</link></robot>")
    with pytest.raises(nh.ModelError, match=r'nothing moves.*base="free"'):
        nh.load(tmp_path / "block.urdf")
    machine = nh.load(tmp_path / "block.urdf", base="free").machine
    assert isinstance(machine, nh.Machine) and any("other shapes of the same links: a" in note for note in machine.notes)


def test_a_link_called_ground_is_refused(tmp_path: Path) -> None:
    """Its joints would hang on themselves, and the search for the tree's links did not end."""
    text = "<robot name='r'><link name='world'/><link name='ground'/><joint name='j' type='fixed'><parent link='world'/>"
    (tmp_path / "r.urdf").write_text(f"{text}<child link='ground'/></joint></robot>")
    with pytest.raises(nh.FileError, match="a link is called 'ground'"):
        nh.load(tmp_path / "r.urdf")


def test_a_constraint_closes_a_loop_with_both_axes() -> None:
    """The child's frame is turned so that the axis has the same components in both."""
    text = (
        "<constraint name='c' type='revolute'><parent link='base'/><parent_origin xyz='1 0 0'/><parent_axis xyz='0 0 1'/>"
        "<child link='arm'/><child_origin xyz='0 1 0'/><child_axis xyz='1 0 0'/></constraint>"
    )
    loop = urdf(BASE + arm() + joint("revolute") + text).loops[0]
    assert (loop.kind, loop.in_parent.position, loop.in_child.position) == ("hinge", (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))
    assert np.allclose(np.array(loop.in_child.rotation) @ loop.axis, (1, 0, 0), atol=1e-15)


def test_what_urdf_says_beyond_mechanics_is_listed() -> None:
    limit = "<limit lower='-1' upper='1' effort='3' velocity='2'/><dynamics friction='0.2'/><safety_controller/>"
    robot = urdf(BASE + arm() + joint("revolute", limit) + "<gazebo/><transmission name='t'/>")
    for word in ("stops at -1.0 and 1.0", "dry friction 0.2", "safety_controller", "<gazebo>", "transmission"):
        assert sum(word in line for line in robot.not_understood) == 1, word
    assert all("line 1" in line for line in robot.not_understood)


WHEELED = """
<mujoco model="cart">
  <compiler angle="radian"/>
  <default><geom density="500"/>
    <default class="tyre"><geom type="cylinder" size="0.1 0.02"/><joint damping="0.3"/></default></default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="frame" pos="0 0 0.1"><freejoint/>
      <geom type="box" size="0.2 0.1 0.05"/>
      <body name="left" pos="0 0.15 0" euler="1.5 0 0" childclass="tyre"><joint name="wl" axis="0 0 1"/><geom/></body>
      <body name="rod"><joint name="s" type="slide" axis="1 0 0"/><joint name="h" pos="0.1 0 0" axis="0 1 0" armature="0.4"/>
        <geom type="capsule" fromto="0 0 0 0 0 1" size="0.05"/></body>
    </body>
  </worldbody>
  <equality><joint joint1="h" joint2="wl" polycoef="0.1 2 0 0 0"/>
    <connect body1="rod" body2="frame" anchor="0 0 1"/><weld body1="rod"/></equality>
  <actuator><motor name="drive" joint="wl" gear="3"/><position joint="h"/></actuator>
  <sensor><gyro site="a"/></sensor>
</mujoco>"""


def test_defaults_classes_reach_the_elements_below_them() -> None:
    robot = read_mjcf(parse_xml(WHEELED.encode(), "cart.xml"), "cart.xml")
    links, joints = {link.name: link for link in robot.links}, {j.name: j for j in robot.joints}
    assert links["frame"].mass == pytest.approx(500 * 0.4 * 0.2 * 0.1)
    assert links["left"].mass == pytest.approx(500 * math.pi * 0.01 * 0.04)
    assert joints["wl"].damping == 0.3 and joints["s"].damping == 0 and joints["h"].armature == 0.4
    assert np.allclose(joints["wl"].pose.rotation, turn("x", 1.5))
    assert robot.gravity == (0.0, 0.0, -9.81) and robot.ground_height == 0.0


def test_a_body_with_two_joints_is_a_chain_without_mass_between() -> None:
    robot = read_mjcf(parse_xml(WHEELED.encode(), "cart.xml"), "cart.xml")
    slide, hinge = (j for j in robot.joints if j.name in "sh")
    assert (slide.parent, hinge.child) == ("frame", "rod") and slide.child == hinge.parent
    assert next(link.mass for link in robot.links if link.name == slide.child) == 0
    assert hinge.pose.position == hinge.in_child == (0.1, 0.0, 0.0)


def test_equalities_and_motors_are_read_and_others_listed() -> None:
    robot = read_mjcf(parse_xml(WHEELED.encode(), "cart.xml"), "cart.xml")
    assert [(c.follower, c.leader, c.coefficients) for c in robot.couplings] == [("h", "wl", (0.1, 2, 0, 0, 0))]
    assert [(d.name, d.joint, d.gear) for d in robot.drives] == [("drive", "wl", 3.0)]
    assert [(loop.parent, loop.child) for loop in robot.loops] == [("rod", "frame")]
    for word in ("<weld>", "<position>", "<sensor>: not read (1 elements"):
        assert sum(word in line for line in robot.not_understood) == 1, word


def test_the_reference_configuration_places_a_connect(tmp_path: Path) -> None:
    """The anchor is given in one body; in the other it is where both coincide when all coordinates are zero."""
    (tmp_path / "cart.xml").write_text(WHEELED)
    robot = read_robot(tmp_path / "cart.xml")
    assert np.allclose(reference_poses(robot)["rod"].position, (0, 0, 0.1))
    machine = robot_machine(tmp_path / "cart.xml", base="free")
    assert machine.loops[0].at == (0.0, 0.0, 1.0) and np.allclose(machine.loops[0].in_child, (0, 0, 1.0))
    assert machine.notes == robot.not_understood


def test_flags_switch_gravity_off_and_others_are_listed() -> None:
    robot = mjcf("<option gravity='0 0 -3'><flag gravity='disable' damper='disable' energy='enable'/></option>")
    assert robot.gravity == (0.0, 0.0, 0.0) and len(robot.not_understood) == 1 and "damper" in robot.not_understood[0]


def test_a_fixed_joint_needs_no_axis() -> None:
    """Exporters write axes of length zero there."""
    assert urdf(BASE + arm() + joint("fixed", "<axis xyz='0 0 0'/>")).joints[0].axis == (0.0, 0.0, 1.0)


@pytest.mark.parametrize(
    "attribute", ["quat='0.5 0.5 0.5 0.5'", "axisangle='1 1 1 120'", "euler='90 90 0'", "xyaxes='0 1 0 0 0 1'"]
)
def test_orientations_of_mjcf_mean_the_same(attribute: str) -> None:
    """x to y, y to z, z to x, however it is written; angles in degrees by default."""
    body = f"<worldbody><body name='a' {attribute}><joint/><geom size='0.1'/></body></worldbody>"
    assert np.allclose(mjcf(body).joints[0].pose.rotation, [[0, 0, 1], [1, 0, 0], [0, 1, 0]], atol=1e-15)


BOMB = b'<!DOCTYPE r [<!ENTITY a "xx"><!ENTITY b "&a;&a;">]><robot name="&b;"/>'
REFUSED = {
    "entities": (BOMB, "entities are not read"),
    "outside": (b'<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><robot>&a;</robot>', "entities are not read"),
    "broken": (b"<robot>\n<link></robot>", "line 2: not XML"),
    "empty": (b"", "not XML"),
    "deep": (b"<a>" * 500, "inside each other"),
    "other": (b"<sdf/>", "its root is <sdf>"),
    "macros": (b"<robot name='r'><xacro:macro name='m'/></robot>", "run `xacro"),
    "numbers": (b"<robot><link name='a'><inertial><mass value='heavy'/></inertial></link></robot>", 'value="heavy"'),
    "infinite": (b"<robot><link name='a'><inertial><mass value='1e999'/></inertial></link></robot>", "numbers were needed"),
    "two parents": (
        b"<robot><link name='x'/><link name='y'/><joint name='a' type='fixed'><parent link='x'/><child link='y'/></joint>"
        b"<joint name='b' type='fixed'><parent link='x'/><child link='y'/></joint></robot>", "is the child of 'a' and of 'b'",
    ),
    "ring": (
        b"<robot><link name='a'/><link name='b'/><joint name='1' type='fixed'><parent link='a'/><child link='b'/></joint>"
        b"<joint name='2' type='fixed'><parent link='b'/><child link='a'/></joint></robot>", "is below itself",
    ),
    "no link": (
        b"<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint></robot>", "no link 'c'",
    ),
    "axis": (
        b"<robot><link name='a'/><link name='b'/><joint name='j' type='revolute'><parent link='a'/><child link='b'/>"
        b"<axis xyz='0 0 0'/></joint></robot>", "length zero",
    ),
    "include": (b"<mujoco><include file='../../etc/passwd'/></mujoco>", "only files in the folder"),
    "class": (b"<mujoco><worldbody><geom class='no'/></worldbody></mujoco>", "no defaults class 'no'"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_is_refused_in_one_line(name: str, tmp_path: Path) -> None:
    data, words = REFUSED[name]
    (tmp_path / "r.urdf").write_bytes(data)
    with pytest.raises(FileError) as trouble:
        robot_machine(tmp_path / "r.urdf")
    assert words in str(trouble.value) and "\n" not in str(trouble.value)


def test_included_files_are_read_from_the_folder_and_below(tmp_path: Path) -> None:
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "arm.xml").write_text(
        "<mujocoinclude><body name='a'><joint/><geom size='0.1'/></body></mujocoinclude>"
    )
    (tmp_path / "r.xml").write_text("<mujoco><worldbody><include file='parts/arm.xml'/></worldbody></mujoco>")
    assert [link.name for link in read_robot(tmp_path / "r.xml").links] == ["a"]


CYLINDER = (
    "<collision><origin rpy='1.5707963267948966 0 0' xyz='0 0.01 0'/>"
    "<geometry><cylinder radius='0.15' length='0.04'/></geometry></collision>"
)


def test_a_wheel_has_the_radius_of_its_cylinder_or_a_given_one(tmp_path: Path) -> None:
    file = tmp_path / "r.urdf"
    turning = joint("continuous", "<axis xyz='0 1 0'/>")
    file.write_text(f"<robot name='r'>{BASE}{arm(CYLINDER)}{turning}</robot>")
    shape = next(body.shape for body in robot_machine(file, wheels=["arm"]).bodies if body.name == "arm")
    assert (shape.kind, shape.radius, shape.axis, shape.offset) == ("disk", 0.15, "y", (0.0, 0.01, 0.0))
    given = next(body.shape for body in robot_machine(file, wheels={"arm": 0.3}).bodies if body.name == "arm")
    assert (given.radius, given.axis) == (0.3, (0.0, 1.0, 0.0))
    assert [c.kind for c in robot_machine(file, wheels=["arm"]).contacts] == ["rolling"]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"wheels": ["amr"]}, "no link 'amr'; did you mean 'arm'?"),
        ({"wheels": ["base"]}, 'give it, wheels={"base": 0.1}'),
        ({"wheels": "arm"}, "a list of links was needed"),
        ({"contacts": {"foot": {}}}, "no link 'foot'"),
        ({"motors": ["k"]}, "no moving joint 'k'"),
    ],
)
def test_mistakes_in_the_options_are_one_line(options: dict[str, object], words: str, tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(f"<robot name='r'>{BASE}{arm(CYLINDER)}{joint('continuous')}</robot>")
    with pytest.raises(ModelError) as trouble:
        robot_machine(tmp_path / "r.urdf", **options)  # type: ignore[arg-type]
    assert words in str(trouble.value) and "\n" not in str(trouble.value)


WEDGE = np.array([[0, 0, 0], [0.4, 0, 0], [0.4, 0.2, 0], [0, 0.2, 0], [0, 0, 0.3], [0, 0.2, 0.3]])
MESHED = (
    '<robot name="r"><link name="base"/><link name="arm"><inertial><mass value="2"/><inertia ixx="0.1" iyy="0.1" izz="0.1"/>'
    '</inertial><visual><origin xyz="0 0 0.5"/><geometry><mesh filename="{file}" scale="2 2 2"/></geometry></visual></link>'
    '<joint name="q" type="continuous"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/></joint></robot>'
)
"""An arm that is drawn by a mesh half a metre above its joint."""


@pytest.mark.parametrize("file", ["package://r/meshes/wedge.stl", "meshes/wedge.obj", "text.stl"])
def test_a_mesh_at_hand_is_drawn_by_its_hull(file: str, tmp_path: Path) -> None:
    """Every corner of a wedge is within the rounding of the surface that is drawn, and nothing reaches farther out."""
    (tmp_path / "meshes").mkdir()
    sides = WEDGE[[[0, 1, 2], [0, 2, 3], [0, 1, 4], [2, 3, 5]]]
    (tmp_path / "meshes" / "wedge.obj").write_text("# wedge\n" + "".join(f"v {a} {b} {c}\n" for a, b, c in WEDGE) + "f 1 2 3\n")
    binary = b"".join(bytes(12) + side.astype("<f4").tobytes() + bytes(2) for side in sides)
    (tmp_path / "meshes" / "wedge.stl").write_bytes(bytes(80) + len(sides).to_bytes(4, "little") + binary)
    lines = "".join(f"vertex {a} {b} {c}\n" for side in sides for a, b, c in side)
    (tmp_path / "text.stl").write_text(f"solid wedge\n{lines}endsolid")
    (tmp_path / "r.urdf").write_text(MESHED.format(file=file))
    system = nh.load(tmp_path / "r.urdf")
    assert any("'arm': its mesh is drawn by its convex hull" in note for note in system.machine.notes)
    drawn = evaluate_drawing(system.drawing, system, {"t": np.zeros(1), "q": np.zeros(1), "qdot": np.zeros(1)})
    (surface,) = (body for body in drawn["bodies"] if body["shape"] == "surface")
    points = surface["points"].reshape(-1, 3) @ surface["rotation"][0].T + surface["position"][0]
    corners = 2 * WEDGE + [0, 0, 0.5]
    slack = 0.06 * np.linalg.norm(np.ptp(corners, axis=0))
    for normal in np.random.default_rng(2).normal(size=(40, 3)):
        normal /= np.linalg.norm(normal)
        reach, wanted = float(np.max(points @ normal)), float(np.max(corners @ normal))
        assert wanted - 0.2 * slack < reach < wanted + slack


def test_a_mesh_that_is_not_at_hand_is_drawn_as_a_box(tmp_path: Path) -> None:
    (tmp_path / "r.urdf").write_text(MESHED.format(file="meshes/nowhere.stl"))
    system = nh.load(tmp_path / "r.urdf")
    assert any("as a box with its inertia, since its file is not at hand" in note for note in system.machine.notes)
    assert [body.shape for body in system.drawing.bodies if body.label == "arm shape"] == ["box"]


def test_meshes_of_mjcf_are_named_in_its_assets() -> None:
    text = (
        '<mujoco><compiler meshdir="parts"/><asset><mesh name="m" file="a.stl" scale="2 3 4"/><mesh file="b.obj"/></asset>'
        '<worldbody><body name="x"><joint name="j"/><inertial mass="1" pos="0 0 0" diaginertia="1 1 1"/>'
        '<geom type="mesh" mesh="m"/><geom mesh="b"/></body></worldbody></mujoco>'
    )
    shapes = read_mjcf(parse_xml(text.encode(), "m.xml"), "m.xml").links[0].shapes
    assert [(s.mesh, s.scale) for s in shapes] == [("parts/a.stl", (2, 3, 4)), ("parts/b.obj", (1, 1, 1))]
