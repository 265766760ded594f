"""Sketches of systems that bring no drawing, against geometry known by hand."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.algebra.linear_equations import evaluate
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.drawing.sketch import sketch, undrawn
from nonholo.model.drawing.sketch_fit import blades, masses, plane_samples, rolled
from nonholo.model.drawing.sketch_links import slack
from nonholo.model.system import varied

TWISTCAR = nh.System(
    name="twistcar", coordinates="x y th ph",
    lagrangian="J1*thdot**2/2 + J2*(phdot + thdot)**2/2 + m1*(xdot**2 + ydot**2)/2 + m2*((l1*thdot*cos(th)"
    " + l2*(phdot + thdot)*cos(ph + th) + ydot)**2 + (xdot - l1*thdot*sin(th) - l2*(phdot + thdot)*sin(ph + th))**2)/2",
    constraints=["ydot*cos(th) - xdot*sin(th)",
                 "(l1*thdot*cos(th) + l2*(phdot + thdot)*cos(ph + th) + ydot)*cos(ph + th)"
                 " - (xdot - l1*thdot*sin(th) - l2*(phdot + thdot)*sin(ph + th))*sin(ph + th)"],
    parameters={"m1": 1.0, "m2": 0.2, "J1": 0.1, "J2": 0.02, "l1": 0.5, "l2": 0.2},
)  # fmt: skip
STATE = {"x": 0.3, "y": -0.7, "th": 0.4, "ph": 1.1}


def placed(system: nh.System, label: str, **state: float) -> list[np.ndarray]:
    drawing = sketch(system, system.parameters, 1.0)
    assert drawing is not None
    found = evaluate_drawing(drawing, system, {**dict.fromkeys(system.coordinates, 0.0), **state})["bodies"]
    return [body["position"][0] for body in found if body["label"] == label]


def test_the_twistcars_second_axle_and_mass_are_found_at_the_end_of_its_arms() -> None:
    here = np.array([0.3 + 0.5 * np.cos(0.4) + 0.2 * np.cos(1.5), -0.7 + 0.5 * np.sin(0.4) + 0.2 * np.sin(1.5)])
    edges = placed(TWISTCAR, "edge", **STATE)
    assert len(edges) == 2
    np.testing.assert_allclose(edges[0][:2], [0.3, -0.7], atol=1e-9)
    np.testing.assert_allclose(edges[1][:2], here, atol=1e-8)
    np.testing.assert_allclose(placed(TWISTCAR, "mass", **STATE)[0][:2], here, atol=1e-8)


def test_its_joint_is_where_the_arms_meet() -> None:
    found = blades(plane_samples(TWISTCAR, TWISTCAR.parameters, "x", "y"))
    assert [str(b.heading) for b in found] == ["th", "ph + th"] and [len(b.chain) for b in found] == [1, 3]


def test_masses_that_slide_are_found_though_their_velocity_is_told_in_the_bodys_frame() -> None:
    """``m1`` at r along the axis, ``m2`` at (b1 + s cos β, b2 + s sin β) of the body."""
    cos, sin = 0.6216099682706644, 0.7833269096274834
    sliders = nh.System(
        name="sliders", coordinates="r x s th y",
        lagrangian="J*thdot**2/2 + M*(xdot**2 + ydot**2)/2"
        " + m1*((r*thdot + ydot*cos(th) - xdot*sin(th))**2 + (rdot + xdot*cos(th) + ydot*sin(th))**2)/2"
        f" + m2*(({cos}*sdot + xdot*cos(th) + ydot*sin(th) - thdot*({sin}*s + b2))**2"
        f" + ({sin}*sdot + thdot*({cos}*s + b1) + ydot*cos(th) - xdot*sin(th))**2)/2",
        constraints=["ydot*cos(th) - xdot*sin(th)"],
        parameters={"M": 1.2, "J": 0.7, "m1": 0.6, "m2": 0.9, "b1": 0.35, "b2": -0.25},
    )  # fmt: skip
    state = {"r": 0.3, "x": 1.0, "s": -0.2, "th": 0.9, "y": 2.0}
    turn = np.array([[np.cos(0.9), -np.sin(0.9)], [np.sin(0.9), np.cos(0.9)]])
    by_hand = [turn @ [0.3, 0.0] + [1, 2], turn @ [0.35 - 0.2 * cos, -0.25 - 0.2 * sin] + [1, 2]]
    found = placed(sliders, "mass", **state)
    assert len(found) == 2
    for place in by_hand:
        assert min(np.linalg.norm(place - p[:2]) for p in found) < 1e-7
    assert len(masses(plane_samples(sliders, sliders.parameters, "x", "y"))) == 3


def test_an_upright_disk_is_a_wheel_that_rolls_with_its_own_radius() -> None:
    disk = nh.System(
        name="disk", coordinates="x y theta phi", parameters={"m": 1, "I": 0.2, "J": 0.1, "r": 0.45},
        lagrangian="m/2*(xdot**2 + ydot**2) + I/2*phidot**2 + J/2*thetadot**2",
        constraints=["xdot - r*cos(theta)*phidot", "ydot - r*sin(theta)*phidot"],
    )  # fmt: skip
    found = plane_samples(disk, disk.parameters, "x", "y")
    assert rolled(found, blades(found)[0].heading, "phi") == pytest.approx(0.45, abs=1e-9)
    drawing = sketch(disk, disk.parameters, 1.0)
    assert drawing is not None and [b.shape for b in drawing.bodies] == ["wheel"]


def test_a_ball_on_a_sphere_touches_it() -> None:
    turned = [f"(R{i}1*w1 + R{i}2*w2 + R{i}3*w3)" for i in (1, 2, 3)]
    ball = nh.System(
        name="ball on a sphere", frame=nh.SO3("R") * nh.Euclidean("th ph"),
        parameters={"m": 1, "I": 0.1, "a": 0.5, "b": 1.0, "g": 9.81},
        lagrangian="I*(w1**2 + w2**2 + w3**2)/2 + m*(a + b)**2*(phdot**2*sin(th)**2 + thdot**2)/2 - g*m*(a + b)*cos(th)",
        constraints=[f"thdot*(a + b) - a*({turned[1]}*cos(ph) - {turned[0]}*sin(ph))",
                     f"phdot*(a + b)*sin(th) - a*({turned[2]}*sin(th) - ({turned[0]}*cos(ph) + {turned[1]}*sin(ph))*cos(th))"],
    )  # fmt: skip
    drawing = sketch(ball, ball.parameters, 1.0)
    assert drawing is not None
    state = {**{f"R{i}{i}": 1.0 for i in (1, 2, 3)}, "th": 0.4, "ph": 1.2}
    stage, moving, mark = evaluate_drawing(drawing, ball, {**dict.fromkeys(ball.coordinates, 0.0), **state})["bodies"]
    assert [stage["size"]["radius"][0], moving["size"]["radius"][0]] == pytest.approx([1.0, 0.5])
    assert np.linalg.norm(moving["position"][0]) == pytest.approx(1.5)
    assert np.linalg.norm(mark["position"][0] - moving["position"][0]) < 0.5


def test_a_skate_on_a_sphere_looks_along_its_only_way() -> None:
    skate = nh.System(
        name="skate", coordinates="th ph psi", parameters={"m": 1, "R": 1.3, "J": 0.1},
        lagrangian="J*(phdot*cos(th) + psidot)**2/2 + R**2*m*(phdot**2*sin(th)**2 + thdot**2)/2",
        constraints=["thdot*sin(psi) - phdot*cos(psi)*sin(th)"],
    )  # fmt: skip
    drawing = sketch(skate, skate.parameters, 1.0)
    assert drawing is not None
    th, ph, psi = 1.1, 0.6, 0.8
    board = evaluate_drawing(drawing, skate, {"th": th, "ph": ph, "psi": psi})["bodies"][1]
    down = np.array([np.cos(th) * np.cos(ph), np.cos(th) * np.sin(ph), -np.sin(th)])
    ahead = np.cos(psi) * down + np.sin(psi) * np.array([-np.sin(ph), np.cos(ph), 0.0])
    turn = board["rotation"][0]
    assert abs(abs(turn[:, 0] @ ahead) - 1) < 1e-12 and np.linalg.det(turn) == pytest.approx(1.0)
    np.testing.assert_allclose(turn @ turn.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(np.linalg.norm(board["position"]), 1.3)


def test_angles_alone_are_arms_and_several_points_are_several_balls() -> None:
    swing = nh.System(coordinates="phi", parameters={"l": 1.3}, lagrangian="l**2*phidot**2/2 + 9.81*l*cos(phi)")
    arm = sketch(swing, swing.parameters, 0.0)
    assert arm is not None and [b.label for b in arm.bodies if b.label] == ["phi"]
    two = nh.System(coordinates="x1 y1 x2 y2", lagrangian="x1dot**2 + y1dot**2 + x2dot**2 + y2dot**2")
    pair = sketch(two, {}, 2.0)
    assert pair is not None and [b.label for b in pair.bodies] == ["(x1, y1)", "(x2, y2)"] and len(pair.traces) == 2


def test_nothing_is_made_up_where_there_is_no_place() -> None:
    assert sketch(nh.System(coordinates="u", lagrangian="udot**2"), {}, 0.0) is None


def test_several_edges_are_told_apart_by_their_headings() -> None:
    """A car that steers, with a trailer: the edge of the trailer lies d behind the hitch, the steered one l before it."""
    car = nh.System(
        name="car with a trailer",
        coordinates="x y theta psi alpha",
        lagrangian="M*(xdot**2 + ydot**2)/2 + J*thetadot**2/2 + I*psidot**2/2 + A*alphadot**2/2",
        constraints=[
            "-sin(theta)*xdot + cos(theta)*ydot",
            "-sin(psi)*xdot + cos(psi)*ydot - d*psidot",
            "-sin(theta + alpha)*xdot + cos(theta + alpha)*ydot + l*thetadot*cos(alpha)",
        ],
        parameters={"M": 3.1, "J": 0.7, "I": 0.3, "A": 0.05, "d": 1.1, "l": 0.9},
    )
    drawing = sketch(car, car.parameters, 5.0)
    assert drawing is not None
    assert [t.label for t in drawing.traces] == ["path", "blade 2", "blade 3"]
    assert drawing.traces[1].point[0] == "x - 1.1*cos(psi)" and drawing.traces[2].point[1] == "0.9*sin(theta) + y"


CART = nh.System(
    name="cart", coordinates="x y th pl pr c s", parameters={"b": 0.2, "r": 0.1, "l": 0.3, "e": 0.05, "d": 0.04, "rc": 0.03},
    lagrangian="(xdot**2 + ydot**2 + thdot**2 + pldot**2 + prdot**2 + (thdot + cdot)**2 + sdot**2)/2",
    constraints=["ydot*cos(th) - xdot*sin(th)", "xdot*cos(th) + ydot*sin(th) - b*thdot - r*pldot",
                 "xdot*cos(th) + ydot*sin(th) + b*thdot - r*prdot",
                 "(ydot + l*thdot*cos(th) - e*thdot*sin(th))*cos(th + c) - (xdot - l*thdot*sin(th) - e*thdot*cos(th))*sin(th + c)"
                 " - d*(thdot + cdot)",
                 "(xdot - l*thdot*sin(th) - e*thdot*cos(th))*cos(th + c) + (ydot + l*thdot*cos(th) - e*thdot*sin(th))*sin(th + c)"
                 " - rc*sdot"],
)  # fmt: skip
RIDER = (
    "M/2*(xdot**2 + ydot**2) + J/2*thdot**2 + I/2*phdot**2 - m*g*l*cos(al) + m/2*((xdot + l*aldot*cos(al)*cos(th)"
    " - l*thdot*sin(al)*sin(th))**2 + (ydot + l*aldot*cos(al)*sin(th) + l*thdot*sin(al)*cos(th))**2 + (l*aldot*sin(al))**2)"
)
ROLLS = ["xdot - r*cos(th)*phdot", "ydot - r*sin(th)*phdot"]


def test_wheels_of_an_axle_and_a_caster_that_trails_are_found() -> None:
    state = {"x": 0.3, "y": -0.2, "th": 0.5, "c": 0.7}
    turn = np.array([[np.cos(0.5), -np.sin(0.5)], [np.sin(0.5), np.cos(0.5)]])
    here = np.array([0.3, -0.2])
    hinge = here + turn @ [0.3, 0.05]
    wanted = {"wheel pl": here + turn @ [0, 0.2], "wheel pr": here + turn @ [0, -0.2],
              "wheel s": hinge - 0.04 * np.array([np.cos(1.2), np.sin(1.2)])}  # fmt: skip
    for label, place in wanted.items():
        (found,) = placed(CART, label, **state)
        np.testing.assert_allclose(found[:2], place, atol=1e-8, err_msg=label)
    drawing = sketch(CART, CART.parameters, 1.0)
    assert drawing is not None and [b.size["radius"] for b in drawing.bodies if b.shape == "wheel"] == ["0.1", "0.1", "0.03"]
    assert undrawn(CART, drawing) == () and not [b for b in drawing.bodies if b.shape == "blade"]


@pytest.mark.parametrize("expanded", [False, True])
def test_the_rider_of_a_unicycle_is_its_centre_of_mass_however_the_energy_is_written(expanded: bool) -> None:
    words = {"M": 2.0, "m": 60.0, "J": 0.2, "I": 0.1, "l": 0.9, "r": 0.25, "g": 9.81}
    rider = nh.System(name="rider", coordinates="x y th ph al", parameters=words, lagrangian=RIDER, constraints=ROLLS)
    energy = rider.lagrangian.expand() if expanded else RIDER
    rider = nh.System(name="rider", coordinates="x y th ph al", parameters=words, lagrangian=energy, constraints=ROLLS)
    (found,) = placed(rider, "centre of mass", x=0.4, th=0.6, al=0.3)
    far = 60 / 62 * 0.9
    wanted = [0.4 + far * np.sin(0.3) * np.cos(0.6), far * np.sin(0.3) * np.sin(0.6), 0.25 + far * np.cos(0.3)]
    np.testing.assert_allclose(found, wanted, atol=1e-8)


def test_a_coin_on_a_slope_is_drawn_on_the_slope() -> None:
    words = {"m": 1.0, "J": 0.1, "I": 0.2, "r": 0.3, "g": 9.81, "b": 0.3}
    energy = "m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + I/2*phdot**2 + m*g*x*sin(b)"
    coin = nh.System(name="coin", coordinates="x y th ph", parameters=words, lagrangian=energy, constraints=ROLLS)
    (wheel,) = placed(coin, "wheel", x=2.0, y=1.0)
    # two metres down the slope, and a radius off it
    np.testing.assert_allclose(wheel, [2 * np.cos(0.3) + 0.3 * np.sin(0.3), 1.0, -2 * np.sin(0.3) + 0.3 * np.cos(0.3)], atol=1e-9)
    assert len(placed(coin, "slope")) == 1


def test_wheels_that_touch_in_a_vertical_plane_are_at_their_contacts() -> None:
    bike = gallery.get("wheelie").system
    drawing = sketch(bike, bike.parameters, 1.0)
    assert drawing is not None and undrawn(bike, drawing) == ()
    (rear,), (front,) = placed(bike, "p", z=0.8), placed(bike, "q", z=0.8)
    np.testing.assert_allclose([rear, front], [[-0.7, 0, 0.3], [0.7, 0, 0.3]], atol=1e-12)
    ball = gallery.get("superball").system
    assert sketch(ball, ball.parameters, 1.0).bodies[0].shape == "disc"  # type: ignore[union-attr]


def test_the_disk_of_euler_touches_where_its_contact_says() -> None:
    """The matter at the contact point has the slip as its velocity."""
    disk = gallery.get("euler-disk").system
    assert disk.drawing is not None
    body, law = disk.drawing.bodies[0], disk.contacts[0]
    at = {"x": 0.1, "y": -0.2, "psi": 0.7, "th": 0.9, "phi": 0.4, "z": 0.0378 * np.sin(0.9)}
    rates = {"xdot": 0.3, "ydot": -0.1, "psidot": 1.3, "thdot": 0.6, "phidot": -0.8, "zdot": 0.0378 * np.cos(0.9) * 0.6}
    step = 1e-6
    turns, places = [], []
    for sign in (-1, 0, 1):
        state = {n: e + sign * step * rates[f"{n}dot"] for n, e in at.items()}
        found = evaluate_drawing(disk.drawing, disk, state)["bodies"][0]
        turns.append(found["rotation"][0])
        places.append(found["position"][0])
    values = {**at, **rates, **disk.parameters}
    point, slip = ([float(evaluate([e], values)[0]) for e in part] for part in (law.point, law.slip))
    assert body.label == "disk" and abs(point[2]) < 1e-15
    arm = turns[1].T @ (np.array(point) - places[1])
    assert np.linalg.norm(arm) == pytest.approx(0.0378) and abs(arm[2]) < 1e-15
    moved = (places[2] + turns[2] @ arm - places[0] - turns[0] @ arm) / (2 * step)
    along, across = [np.cos(0.7), np.sin(0.7), 0], [-np.sin(0.7), np.cos(0.7), 0]
    np.testing.assert_allclose([moved @ along, moved @ across, moved[2]], [*slip, 0.0], atol=1e-8)


def test_a_light_pendulum_that_nobody_could_see_is_named_as_not_drawn() -> None:
    """Its share in the common centre of mass is a hundredth of its length; on the page stands which coordinate is missing."""
    energy = "m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + mp*l**2*aldot**2/2 - mp*g*l*(1 - cos(al))"
    words = {"m": 2.0, "J": 0.3, "mp": 0.02, "l": 0.5, "g": 9.81}
    cart = nh.System(coordinates="x y th al", parameters=words, lagrangian=energy, constraints=["xdot*sin(th) - ydot*cos(th)"])
    drawn = sketch(cart, {}, 3.0)
    assert drawn is not None and undrawn(cart, drawn) == ("al",)


def ends_of(system: nh.System, label: str, **state: float) -> list[tuple[np.ndarray, np.ndarray]]:
    """First and last point of every wire of a sketch."""
    drawing = sketch(system, system.parameters, 1.0)
    assert drawing is not None
    found = evaluate_drawing(drawing, system, {**dict.fromkeys(system.coordinates, 0.0), **state})["bodies"]
    return [(b["points"][0][0], b["points"][0][-1]) for b in found if b["label"] == label]


STRETCHED = nh.System(
    coordinates="x1 y1 x2 y2", constraints=["(x2 - x1)*(y1dot + 3*y2dot) - (y2 - y1)*(x1dot + 3*x2dot)"],
    lagrangian="m/2*(x1dot**2 + y1dot**2 + x2dot**2 + y2dot**2) - k/2*(sqrt((x1 - x2)**2 + (y1 - y2)**2) - l)**2"
    " - c/2*((x1 - 1)**2 + 2*(y1 + h)**2) - d/2*((x1 - x2)**2 + (y1 - y2)**2 + x2**2 + y2**2) - W*cos(x1)",
    parameters={"m": 1.0, "k": 4.0, "l": 1.0, "c": 0.5, "d": 0.3, "h": 0.4, "W": 0.1},
)  # fmt: skip


def test_springs_hang_between_points_or_at_fixed_places_and_others_are_named() -> None:
    state = {"x1": 0.2, "y1": -0.3, "x2": 1.4, "y2": 0.9}
    one, two = np.array([0.2, -0.3, 0]), np.array([1.4, 0.9, 0])
    for name, ends in {"k": [(one, two)], "c": [(np.array([1, -0.4, 0]), one)], "d": [(one, two), (np.zeros(3), two)]}.items():
        np.testing.assert_allclose(ends_of(STRETCHED, f"spring {name}", **state), ends, atol=1e-9)
    drawing = sketch(STRETCHED, STRETCHED.parameters, 1.0)
    assert drawing is not None and slack(STRETCHED, drawing) == ("W",)


def test_a_blade_between_two_points_is_where_their_constraint_holds() -> None:
    """Three quarters of the way, along the line of the points; points that turn about each other have none."""
    state = {"x1": 0.2, "y1": -0.3, "x2": 1.4, "y2": 0.6}
    (middle,) = placed(STRETCHED, "edge", **state)
    np.testing.assert_allclose(middle[:2], [1.1, 0.375], atol=1e-8)
    drawing = sketch(STRETCHED, STRETCHED.parameters, 1.0)
    assert drawing is not None
    found = evaluate_drawing(drawing, STRETCHED, state)["bodies"]
    (rotation,) = (b["rotation"][0] for b in found if b["label"] == "edge")
    np.testing.assert_allclose(np.abs(rotation[:, 0]), [0.8, 0.6, 0.0], atol=1e-8)
    apart = varied(STRETCHED, constraints=["(x2 - x1)*(y2dot - y1dot) - (y2 - y1)*(x2dot - x1dot)"])
    assert placed(apart, "edge", **state) == []


def test_a_scooter_shows_both_of_its_wheels() -> None:
    """With a wheel under (x, y) the others were left out, and the front one was drawn as a blade."""
    scooter = nh.System(
        coordinates="x y th delta rear front", parameters={"L": 0.9, "R": 0.1},
        lagrangian="xdot**2 + ydot**2 + thdot**2 + deltadot**2 + reardot**2 + frontdot**2",
        constraints=["ydot*cos(th) - xdot*sin(th)", "xdot*cos(th) + ydot*sin(th) - R*reardot",
                     "ydot*cos(th + delta) - xdot*sin(th + delta) + L*thdot*cos(delta)",
                     "xdot*cos(th + delta) + ydot*sin(th + delta) + L*thdot*sin(delta) - R*frontdot"],
    )  # fmt: skip
    drawing = sketch(scooter, {}, 1.0)
    assert drawing is not None and undrawn(scooter, drawing) == ()
    assert [b.label for b in drawing.bodies if b.shape == "wheel"] == ["wheel rear", "wheel front"]
    assert not any(b.shape == "blade" for b in drawing.bodies)
