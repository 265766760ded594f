"""Steering: closed forms of optimal costs, end errors on independent integrations of hand-written equations, bounds kept."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import nonholo as nh
from nonholo.model.system import varied

CART = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")


def test_least_effort_of_a_cart_is_twelve_times_the_square_of_the_way() -> None:
    """``u = 6 − 12 t`` leads from 0 to 1 in a second, at rest at both ends: ``∫ u² dt = 12``."""
    found = nh.steer(CART, {}, {"x": 1.0, "xdot": 0.0}, until=1.0)
    times, values = found.inputs["u"]
    assert found.error < 1e-9
    assert found.cost == pytest.approx(12.0, rel=1e-9)
    assert np.allclose(values, 6 - 12 * times, atol=1e-6)


def test_least_time_of_a_cart_is_twice_the_root_of_the_way() -> None:
    """Bang-bang: 2 s for 1 m at |u| <= 1; inputs linear between nodes switch within one interval."""
    found = nh.steer(CART, {}, {"x": 1.0, "xdot": 0.0}, bounds={"u": 1.0})
    assert 2.0 <= found.until < 2.002
    assert found.error < 1e-8
    assert found.violations["u"] < 1e-6


def test_least_lift_of_the_heisenberg_system_is_a_circle() -> None:
    """The lift is twice the area, and among loops of area z/2 the circle has the least ``∫ |v|² dt = 2 π z``."""
    heisenberg = nh.gallery.get("heisenberg")
    goal = {"x": 0.0, "y": 0.0, "z": 0.7}
    found = nh.steer(heisenberg.system, {"x": 0, "y": 0, "z": 0}, goal, until=1.0, parameters=heisenberg.parameters)
    assert found.error < 1e-8
    assert found.cost == pytest.approx(2 * math.pi * 0.7, rel=1e-4)


@pytest.mark.slow
def test_a_unicycle_goes_round_a_disc() -> None:
    unicycle = nh.gallery.get("unicycle")
    goal = {"x": 2.0, "y": 0.0, "theta": 0.0, "v": 0.0, "omega": 0.0}
    found = nh.steer(unicycle.system, {"v": 0.0}, goal, until=4.0, parameters=unicycle.parameters, obstacles=[(1.0, 0.0, 0.4)])
    distance = np.hypot(np.asarray(found.run["x"]) - 1.0, np.asarray(found.run["y"]))
    assert found.error < 1e-7
    assert np.min(distance) > 0.4 - 1e-4
    again = nh.simulate(found.system, {"v": 0.0}, 4.0, unicycle.parameters, inputs=dict(found.inputs), form="multipliers")
    assert max(abs(again.final[n] - e) for n, e in goal.items()) < 1e-6


def test_a_given_path_is_followed_at_a_speed_of_its_own() -> None:
    unicycle = nh.gallery.get("unicycle")
    path = {"x": "2*s", "y": "0.5*sin(pi*s)"}
    found = nh.steer(
        unicycle.system, {"theta": math.atan(math.pi / 4)}, {"v": 0.0}, until=5.0, parameters=unicycle.parameters, path=path,
        tolerance=0.01,
    )  # fmt: skip
    x, y = np.asarray(found.run["x"]), np.asarray(found.run["y"])
    assert x[-1] == pytest.approx(2.0, abs=0.02)
    assert np.max(np.abs(y - 0.5 * np.sin(np.pi * x / 2))) < 0.03


def train(n: int = 3) -> nh.System:
    """A car (rear axle at (x, y), wheelbase L, steering angle phi) and n trailers, hitched b behind the axle before them."""
    angles = [f"th{i}" for i in range(n + 1)]
    rows = ["xdot - v*cos(th0)", "ydot - v*sin(th0)", "th0dot - v*tan(phi)/L", "phidot - w"]
    vx, vy = "xdot", "ydot"
    for before, own in pairwise(angles):
        vx += f" + b*{before}dot*sin({before}) + l*{own}dot*sin({own})"
        vy += f" - b*{before}dot*cos({before}) - l*{own}dot*cos({own})"
        rows.append(f"({vx})*sin({own}) - ({vy})*cos({own})")
    energy = "+".join(f"{a}dot**2/2" for a in ("x", "y", "phi", *angles))
    return nh.System(
        name="car with trailers", coordinates=["x", "y", "phi", *angles], parameters={"L": 2.0, "b": 0.3, "l": 1.5},
        inputs="v w", lagrangian=energy, constraints=rows,
    )  # fmt: skip


def corners(n: int = 3) -> list[tuple[str, str]]:
    """Points of the outline: front of the car, both sides of each trailer's axle, rear of the last one."""
    points = [("x", "y")]
    points += [(f"x + 2.6*cos(th0) {s} 0.5*sin(th0)", f"y + 2.6*sin(th0) {c} 0.5*cos(th0)") for s, c in ("-+", "+-")]
    px, py = "x", "y"
    for i in range(n):
        px += f" - b*cos(th{i}) - l*cos(th{i + 1})"
        py += f" - b*sin(th{i}) - l*sin(th{i + 1})"
        points += [(f"{px} {s} 0.5*sin(th{i + 1})", f"{py} {c} 0.5*cos(th{i + 1})") for s, c in ("-+", "+-")]
    return [*points, (f"{px} - 0.5*cos(th{n}) + 0.5*sin(th{n})", f"{py} - 0.5*sin(th{n}) - 0.5*cos(th{n})")]


def by_hand(t: float, y: np.ndarray, found: nh.control.Steering) -> list[float]:
    """The train's kinematics as robotics writes them: speed and turning rate are handed from axle to axle."""
    v, w = (float(np.interp(t, *found.inputs[name])) for name in ("v", "w"))
    angles = y[3:]
    turning = [v * math.tan(y[2]) / 2.0]
    speed = v
    for before, own in pairwise(angles):
        bend = before - own
        turning.append((speed * math.sin(bend) - 0.3 * turning[-1] * math.cos(bend)) / 1.5)
        speed = speed * math.cos(bend) + 0.3 * turning[-2] * math.sin(bend)
    return [v * math.cos(angles[0]), v * math.sin(angles[0]), w, *turning]


@pytest.mark.slow
def test_a_car_with_three_trailers_parks_in_a_gap() -> None:
    def box(px: str, py: str, x: float) -> str:
        return f"sqrt(sqrt(((({px}) - ({x}))/2.8)**4 + ((({py}) + 2)/1.1)**4)) - 1"

    parked = [box(px, py, x) for px, py in corners() for x in (7.4, -11.4)]
    kerb = [f"({py}) + 2.8" for _, py in corners()]
    goal = {"x": 0.0, "y": -2.0, "phi": 0.0, **{f"th{i}": 0.0 for i in range(4)}}
    bounds = {"v": 1.0, "w": 1.0, "phi": 0.7, **{f"th{i} - th{i + 1}": 0.9 for i in range(3)}}
    found = nh.steer(train(), {"x": 6.0, "y": 1.0}, goal, 40.0, bounds=bounds, obstacles=[*parked, *kerb], nodes=30)
    assert found.error < 1e-6
    assert max(found.violations.values()) < 1e-3
    start = [6.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    y = np.array(start)
    for a, b in pairwise(found.inputs["v"][0]):  # inputs have kinks at the nodes
        y = solve_ivp(by_hand, (a, b), y, args=(found,), rtol=1e-11, atol=1e-12, method="DOP853").y[:, -1]
    assert np.max(np.abs(y - list(goal.values()))) < 1e-6


@pytest.mark.slow
def test_a_bicycle_rides_round_a_circle_and_is_upright_again() -> None:
    ready = nh.gallery.get("whipple-bicycle")
    bicycle = varied(ready.system, inputs=("steer", "drive"), forces={"delta": "steer", "wr": "drive"}, page=None)
    turn = np.linspace(0, 2 * math.pi, 401)
    radius, speed = 8.0, 4.6
    until = 1.1 * 2 * math.pi * radius / speed
    guess = {
        "t": until * turn / turn[-1], "x": radius * np.sin(turn), "y": radius * (1 - np.cos(turn)), "psi": turn,
        "v": np.full(401, speed), "wr": turn * radius / 0.3, "wf": turn * radius / 0.35,
    }  # fmt: skip
    goal = {"x": 0, "y": 0, "psi": 2 * math.pi, "phi": 0, "delta": 0, "v": speed, "leaning": 0, "steering": 0}
    found = nh.steer(
        bicycle, {"v": speed}, goal, until, parameters=ready.parameters, bounds={"phi": 0.8, "delta": 0.8},
        cost="steer**2 + drive**2/100 + 10*(v - 4.6)**2", guess=guess,
    )  # fmt: skip
    assert found.error < 1e-6
    again = nh.simulate(
        bicycle, {"v": speed}, until, ready.parameters, inputs=dict(found.inputs), form="multipliers", rtol=1e-11, atol=1e-13
    )
    assert max(abs(again.final[n] - e) for n, e in goal.items()) < 1e-6


def test_mistakes_are_told() -> None:
    with pytest.raises(nh.StateError, match="goal"):
        nh.steer(CART, {}, {}, 1.0)
    with pytest.raises(nh.NonholoError, match="did you mean"):
        nh.steer(CART, {}, {"xdott": 1.0}, 1.0)
    with pytest.raises(nh.StateError, match="after the start"):
        nh.steer(CART, {}, {"x": 1.0}, -1.0)
    with pytest.raises(nh.StateError, match="smaller number first"):
        nh.steer(CART, {}, {"x": 1.0}, 1.0, bounds={"u": (1, -1)})
