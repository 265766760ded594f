"""Springs, motors, loads, gears and rollers of machines against formulas written by hand."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.machines.machine_files import loads
from nonholo.model.system import known_parameters

BODY = '{name = "a", mass = 2, inertia = [0.3, 0.4, 0.5], free = "x y z yaw roll pitch"}'


def rates(text: str, state: dict[str, float], values: dict[str, float] | None = None) -> dict[str, float]:
    system = loads(text)
    full = nh.complete_state(system, {n: e for n, e in state.items() if n not in system.inputs}, values)
    numbers = {"g": 9.81, **known_parameters(system)} if values is None else values
    return nh.hamel(system).rates({**full, **{n: state[n] for n in system.inputs}}, numbers)


def test_a_spring_with_damper_between_two_points() -> None:
    """Both ends feel k (l − l0) + c l̇ along the line between them."""
    text = """
gravity = 0
bodies = [{name = "a", mass = 2, inertia = [1, 1, 1], free = "x y z yaw roll pitch"},
          {name = "b", mass = 3, inertia = [1, 1, 1], free = "u v w yawb rollb pitchb"}]
springs = [{bodies = ["a", "b"], stiffness = 7, length = 0.4, damping = 0.6}]
"""
    a, b = np.array([0.1, -0.2, 0.3]), np.array([0.9, 0.5, -0.1])
    va, vb = np.array([0.3, 0.1, -0.5]), np.array([-0.2, 0.4, 0.6])
    names = dict(zip("xyzuvw", [*a, *b])) | dict(zip((f"{n}dot" for n in "xyzuvw"), [*va, *vb]))
    found = rates(text, names, {})
    apart = b - a
    size = np.linalg.norm(apart)
    push = (7 * (size - 0.4) + 0.6 * (vb - va) @ apart / size) * apart / size
    assert [found[f"{n}dot"] for n in "xyz"] == pytest.approx((push / 2).tolist(), rel=1e-12)
    assert [found[f"{n}dot"] for n in "uvw"] == pytest.approx((-push / 3).tolist(), rel=1e-12)


def test_a_spring_to_the_ground_off_the_centre_turns_the_body() -> None:
    spring = '{bodies = ["ground", "a"], at = [[0, 0, 1], [0.2, 0, 0]], stiffness = 5}'
    text = f"gravity = 0\nbodies = [{BODY}]\nsprings = [{spring}]"
    found = rates(text, {"x": 0.3}, {})
    end = np.array([0.5, 0, 0]) - np.array([0, 0, 1])
    torque = np.cross([0.2, 0, 0], -5 * end)
    assert [found[f"{n}dot"] for n in "xyz"] == pytest.approx((-5 * end / 2).tolist(), abs=1e-12)
    assert found["pitchdot"] == pytest.approx(torque[1] / 0.4, rel=1e-12)


@pytest.mark.parametrize("axes", ["world", "body"])
def test_a_load_is_given_in_world_or_body_axes(axes: str) -> None:
    load = f'{{body = "a", at = [0, 0, 0.5], force = ["F", 1, 0], torque = [0, 0, 0.2], axes = "{axes}"}}'
    text = f"gravity = 0\nbodies = [{BODY}]\nloads = [{load}]"
    found = rates(text, {"yaw": 0.7, "F": 3.0}, {})
    c, s = np.cos(0.7), np.sin(0.7)
    turned = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])
    force = turned @ [3, 1, 0] if axes == "body" else np.array([3.0, 1, 0])
    torque = np.cross([0, 0, 0.5], turned.T @ force) + np.array([0, 0, 0.2])
    assert [found[f"{n}dot"] for n in "xyz"] == pytest.approx((force / 2).tolist(), abs=1e-12)
    assert [found[f"{n}dot"] for n in ("roll", "pitch", "yaw")] == pytest.approx((torque / [0.3, 0.4, 0.5]).tolist(), abs=1e-12)


def motor(words: str) -> str:
    arm = 'bodies = [{name = "arm", mass = 0, inertia = [0, 0, 0.2]}]\njoints = [{name = "q", child = "arm"}]\n'
    return f'{arm}motors = [{{joint = "q", {words}}}]'


@pytest.mark.parametrize(
    ("words", "push"),
    [
        ('torque = "tau"', 9.0 / 0.2),
        ('torque = "tau", gear = 3, inertia = 0.01', 27.0 / (0.2 + 0.01 * 9)),
        ('voltage = "tau", gear = 3, resistance = 1.2, constant = 0.5', 1.5 * (9.0 - 1.5 * 0.8) / 1.2 / 0.2),
        ('voltage = "tau", resistance = 1.2, constant = 0.5, limit = 6', 0.5 * (6.0 - 0.5 * 0.8) / 1.2 / 0.2),
        ('torque = "tau - 2*qdot"', None),
    ],
)
def test_motors(words: str, push: float | None) -> None:
    if push is None:  # a name that stands in a formula is no input of itself
        with pytest.raises(nh.ParseError, match="unknown name 'tau'"):
            loads(motor(words))
        return
    assert rates(motor(words), {"qdot": 0.8, "tau": 9.0})["qdot"] == pytest.approx(push, rel=1e-12)


def test_a_motor_that_prescribes_the_speed_is_a_constraint() -> None:
    run = nh.simulate(loads(motor('speed = "0.5 + t"')), {}, 2.0)
    assert run.final["q"] == pytest.approx(0.5 * 2 + 2, rel=1e-9)


@pytest.mark.parametrize(
    ("words", "ratio"), [("ratio = -2.5", -2.5), ("radii = [0.2, 0.5]", -2.5), ("radii = [0.2, 0.5], belt = true", 2.5)]
)
def test_gears_and_belts_tie_rates(words: str, ratio: float) -> None:
    text = f"""
bodies = [{{name = "a", mass = 0, inertia = [0, 0, 0.2]}}, {{name = "b", mass = 0, inertia = [0, 0, 0.7]}}]
joints = [{{name = "p", child = "a"}}, {{name = "q", child = "b"}}]
gears = [{{joints = ["p", "q"], {words}}}]
motors = [{{joint = "p", torque = "tau"}}]
"""
    found = rates(text, {"qdot": 0.4, "tau": 3.0})
    assert found["p"] == pytest.approx(ratio * 0.4)
    assert found["qdot"] == pytest.approx(3.0 * ratio / (0.7 + 0.2 * ratio**2), rel=1e-12)


def test_four_mecanum_wheels_move_the_platform_in_every_direction() -> None:
    """Wheel speeds of a platform with rollers at ±45 degrees: r φ̇ = vx ∓ vy ∓ (a + b) ω."""
    text = 'world = "plane"\nbodies = [{name = "p", mass = 5, inertia = 0.4}]\nwheels = ['
    places = {"fl": (0.3, 0.2, "-pi/4"), "fr": (0.3, -0.2, "pi/4"), "rl": (-0.3, 0.2, "pi/4"), "rr": (-0.3, -0.2, "-pi/4")}
    for name, (x, y, angle) in places.items():
        text += f'{{body = "p", name = "{name}", at = [{x}, {y}], radius = 0.1, inertia = 0.01, roller = "{angle}"}},'
    state = nh.complete_state(loads(text + "]"), {"forward": 0.7, "sideways": 0.3, "thetadot": 0.5, "theta": 0.4})
    turn = (0.3 + 0.2) * 0.5
    wanted = {"fl": 0.7 - 0.3 - turn, "fr": 0.7 + 0.3 + turn, "rl": 0.7 + 0.3 - turn, "rr": 0.7 - 0.3 + turn}
    assert {n: state[f"{n}dot"] * 0.1 for n in wanted} == pytest.approx(wanted, rel=1e-12)
