"""The same machine in an angle, a heading vector, SE(2) and Cartesian coordinates: the same answers."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import nonholo as nh
from nonholo.control import height

NUMBERS = {"m": 3.0, "J": 0.1, "Jr": 0.05, "L": 0.4, "Jf": 0.001}
TRICYCLE = nh.System(
    name="tricycle with rotor", coordinates="x y th b psi", parameters=NUMBERS,
    lagrangian="m*(xdot**2 + ydot**2)/2 + J*thdot**2/2 + Jr*(thdot + psidot)**2/2 + Jf*(thdot + bdot)**2/2",
    constraints=["-sin(th)*xdot + cos(th)*ydot", "-sin(th + b)*(xdot - L*thdot*sin(th)) + cos(th + b)*(ydot + L*thdot*cos(th))"],
)  # fmt: skip
BY_FRAME = nh.System(
    name="tricycle on SE(2)", frame=nh.SE2("th x y", "w v n") * nh.Euclidean("b psi"), parameters=NUMBERS,
    lagrangian="m*(v**2 + n**2)/2 + J*w**2/2 + Jr*(w + psidot)**2/2 + Jf*(w + bdot)**2/2",
    constraints=["n", "-sin(b)*v + cos(b)*(n + L*w)"],
)  # fmt: skip
BY_VECTOR = nh.System(
    name="tricycle by heading vector", coordinates="x y c s b psi", holonomic=["c**2 + s**2 - 1"], start={"c": 1},
    parameters=NUMBERS,
    lagrangian="m*(xdot**2 + ydot**2)/2 + J*(c*sdot - s*cdot)**2/2 + Jr*(c*sdot - s*cdot + psidot)**2/2"
    " + Jf*(c*sdot - s*cdot + bdot)**2/2",
    constraints=["-s*xdot + c*ydot", "-(s*cos(b) + c*sin(b))*(xdot + L*cdot) + (c*cos(b) - s*sin(b))*(ydot + L*sdot)"],
)  # fmt: skip
SNAKE = nh.System(
    name="three links on wheels", coordinates="x y th a1 a2", parameters={"R": 0.3},
    lagrangian="(xdot**2 + ydot**2 + thdot**2 + a1dot**2 + a2dot**2)/2",
    constraints=[
        "-sin(th)*xdot + cos(th)*ydot",
        "-sin(th - a1)*(xdot + R*thdot*sin(th) + R*(thdot - a1dot)*sin(th - a1))"
        " + cos(th - a1)*(ydot - R*thdot*cos(th) - R*(thdot - a1dot)*cos(th - a1))",
        "-sin(th + a2)*(xdot - R*thdot*sin(th) - R*(thdot + a2dot)*sin(th + a2))"
        " + cos(th + a2)*(ydot + R*thdot*cos(th) + R*(thdot + a2dot)*cos(th + a2))",
    ],
)  # fmt: skip
SKATE = nh.System(
    name="skate by heading vector", coordinates="x y c s", lagrangian="(xdot**2 + ydot**2 + cdot**2 + sdot**2)/2",
    holonomic=["c**2 + s**2 - 1"], constraints=["ydot*c - xdot*s"], start={"c": 1},
)  # fmt: skip
CRANE = nh.System(
    name="crane", coordinates="x l th", parameters={"M": 5.0, "m": 1.0, "g": 9.81}, forces={"x": "F", "l": "-W"}, inputs="F W",
    lagrangian="M*xdot**2/2 + m*((xdot + ldot*sin(th) + l*thdot*cos(th))**2 + (ldot*cos(th) - l*thdot*sin(th))**2)/2"
    " + m*g*l*cos(th)",
)  # fmt: skip
CARTESIAN = nh.System(
    name="crane by its load", coordinates="x l X Z", parameters={"M": 5.0, "m": 1.0, "g": 9.81}, forces={"x": "F", "l": "-W"},
    inputs="F W", lagrangian="M*xdot**2/2 + m*(Xdot**2 + Zdot**2)/2 + m*g*Z", holonomic=["(X - x)**2 + Z**2 - l**2"],
)  # fmt: skip


def test_a_gait_leads_equally_far_by_angle_by_frame_and_by_heading_vector() -> None:
    loop = {"b": "0.5*sin(t)", "psi": "1.2*sin(t) + 0.3*cos(t)"}
    gaits = [nh.gait(s, loop) for s in (TRICYCLE, BY_FRAME, BY_VECTOR)]
    assert abs(gaits[0].displacement) > 0.2
    for other in gaits[1:]:
        assert other.displacement == pytest.approx(gaits[0].displacement, abs=1e-8)
        assert other.geometric == pytest.approx(gaits[0].geometric, abs=1e-8)
        assert other.area == pytest.approx(gaits[0].area, abs=1e-8)


def test_singular_shapes_have_no_connection_no_area_and_are_said() -> None:
    """The axes of the three links meet in a point where a1 = a2 (with these signs)."""
    table = height(SNAKE, {"a1": (0.4, 1.4), "a2": (0.4, 1.4)}, points=5)["x"].values[:, :, 0]
    assert np.array_equal(np.isnan(table), np.eye(5, dtype=bool))
    assert nh.gait(SNAKE, {"a1": "0.9 + 0.3*cos(t)", "a2": "0.9 + 0.3*sin(t)"}).area is None
    clear = nh.gait(SNAKE, {"a1": "0.9 + 0.3*cos(t)", "a2": "-0.8 + 0.3*sin(t)"})
    assert clear.area == pytest.approx(clear.displacement, rel=0.1)
    with pytest.raises(nh.StateError, match=r"at a1 = 0\.9, a2 = 0\.9 the constraints depend on each other"):
        nh.gait(SNAKE, ["a1", "a2"], bounds={"a1": (0.4, 1.4), "a2": (0.4, 1.4)})


def test_a_whole_state_as_goal_says_some_things_twice_and_is_steered_to() -> None:
    goal = {"x": 0.0, "y": 0.5, "s": 0.0}
    plain = nh.steer(SKATE, {"c": 1}, goal, 3.0)
    whole = nh.steer(SKATE, {"c": 1}, {**goal, "c": 1}, 3.0)
    assert whole.converged
    assert whole.cost == pytest.approx(plain.cost, rel=1e-6)
    assert set(whole.errors) == {"x", "y", "s", "c"}
    with pytest.raises(nh.StateError, match="no state near the goal obeys the constraints between its coordinates"):
        nh.steer(SKATE, {"c": 1}, {**goal, "c": 1, "s": 0.5}, 3.0)


def test_a_crane_costs_the_same_by_its_angle_and_by_its_load() -> None:
    rest = {"x": 2, "l": 1.5, "xdot": 0, "ldot": 0}
    angle = nh.steer(CRANE, {"l": 1.0}, {**rest, "th": 0, "thdot": 0}, 4.0)
    load = nh.steer(CARTESIAN, {"l": 1.0, "Z": 1.0}, {**rest, "X": 2, "Z": 1.5, "Xdot": 0}, 4.0)
    assert load.converged
    assert load.error < 1e-8
    assert load.cost == pytest.approx(angle.cost, rel=1e-6)


def test_a_hovercraft_by_its_heading_vector_is_trimmed_in_a_turn() -> None:
    """By hand: no torque, so b = 0; the drift is w = −m u r/k and the thrust a = k u − m w r."""
    m, k, u, r = 3.0, 0.7, 1.0, 0.3
    hover = nh.System(
        coordinates="x y c s", holonomic=["c**2 + s**2 - 1"], parameters={"m": m, "J": 0.4, "h": 0.5, "k": k}, start={"c": 1},
        lagrangian="m*(xdot**2 + ydot**2)/2 + J*(cdot**2 + sdot**2)/2", inputs="a b",
        quasivelocities={"u": "xdot*c + ydot*s", "w": "-xdot*s + ydot*c", "r": "sdot*c - cdot*s"},
        forces={"u": "a - k*u", "w": "b - k*w", "r": "-h*b"},
    )  # fmt: skip
    found = nh.trim(hover, {"u": u, "r": r, "c": 0.6, "s": 0.8}, ["a", "b", "w"])
    assert found.inputs["a"] == pytest.approx(k * u + m**2 * u * r**2 / k)
    assert found.inputs["b"] == pytest.approx(0.0, abs=1e-12)
    assert found.state["w"] == pytest.approx(-m * u * r / k)
    run = nh.simulate(hover, dict(found.state), 4.0, inputs=dict(found.inputs))
    assert run.final["u"] == pytest.approx(u, abs=1e-7)
    with pytest.raises(nh.ModelError, match="no relative equilibrium"):
        nh.trim(hover, {"u": u, "r": r}, ["a"])


def test_answers_are_printed_for_people() -> None:
    swing = nh.System(name="swing", coordinates="q", lagrangian="qdot**2/2 - 4*cos(q)", forces={"q": "u"}, inputs="u")
    lin = nh.linearise(swing, {"q": 0.3})
    assert str(lin).splitlines()[-1] == "  this is no steady state: rates up to 1.18"
    lines = str(nh.lqr(nh.linearise(swing, {"q": 0}), {"q": 9, "qdot": 0}, 1)).splitlines()
    assert [line.split() for line in lines[1:3]] == [["K", "q", "qdot"], ["u", "9", "4.24264"]]
    missed = nh.steer(swing, {"q": 0}, {"q": 3.0}, 0.1, bounds={"u": 0.1}, iterations=30)
    assert "not steered: the goal is met only by overstepping bounds" in str(missed)
    far = replace(missed, error=0.2)
    assert "not steered: the true motion misses the goal by 0.2" in str(far)
    answer = nh.controllability(TRICYCLE)
    assert [f.verdict for f in answer.find("smooth_stabiliser")] == ["fails"]
    assert not answer.find("stabilisable")
    for one in (nh.observer(swing, {"q": 0.1}, every=0.1), nh.control.control_affine(swing)):
        assert str(one).startswith("swing: ")
        assert len(str(one)) < 200
