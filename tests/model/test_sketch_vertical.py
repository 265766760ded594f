"""Sketches of carts, pendulums, wheels on slopes and held points, against geometry known by hand."""

from __future__ import annotations

import numpy as np
import pytest

import nonholo as nh
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.drawing.sketch import sketch, undrawn

G = 9.81


def bodies(system: nh.System, **state: float) -> dict[str, np.ndarray]:
    """The places of the labelled bodies; no coordinate may be left out."""
    drawing = sketch(system, system.parameters, 1.0)
    assert drawing is not None and undrawn(system, drawing) == ()
    found = evaluate_drawing(drawing, system, {**dict.fromkeys(system.coordinates, 0.0), **state})["bodies"]
    return {body["label"]: body["position"][0] for body in found if body["label"]}


def crane(energy: str) -> nh.System:
    return nh.System(coordinates="x theta", lagrangian=energy, parameters={"M": 2.0, "m": 1.0, "l": 1.5, "g": G})


CRANE = "M/2*xdot**2 + m/2*((xdot + l*thetadot*cos(theta))**2 + (l*thetadot*sin(theta))**2) + m*g*l*cos(theta)"
EXPANDED = "M/2*xdot**2 + m/2*(xdot**2 + 2*l*xdot*thetadot*cos(theta) + l**2*thetadot**2) + m*g*l*cos(theta)"


@pytest.mark.parametrize("energy", [CRANE, EXPANDED])
def test_the_load_of_a_crane_hangs_from_its_carriage_however_the_energy_is_written(energy: str) -> None:
    found = bodies(crane(energy), x=0.4, theta=0.7)
    np.testing.assert_allclose(found["m"] - found["M"], [1.5 * np.sin(0.7), 0, -1.5 * np.cos(0.7)], atol=1e-7)
    assert found["M"][0] == pytest.approx(0.4)


@pytest.mark.parametrize("relative", [False, True])
def test_a_double_pendulum_has_its_own_lengths(relative: bool) -> None:
    two, rate = ("(a + b)", "(adot + bdot)") if relative else ("b", "bdot")
    energy = (
        f"m/2*l**2*adot**2 + n/2*((l*adot*cos(a) + r*{rate}*cos{two if relative else '(b)'})**2"
        f" + (l*adot*sin(a) + r*{rate}*sin{two if relative else '(b)'})**2) + m*g*l*cos(a) + n*g*(l*cos(a) + r*cos({two}))"
    )
    system = nh.System(coordinates="a b", lagrangian=energy, parameters={"m": 1.0, "n": 0.5, "l": 1.2, "r": 0.5, "g": G})
    found = bodies(system, a=0.3, b=1.1)
    elbow = np.array([1.2 * np.sin(0.3), 0, -1.2 * np.cos(0.3)])
    angle = 1.4 if relative else 1.1
    np.testing.assert_allclose(found["m"], elbow, atol=1e-7)
    np.testing.assert_allclose(found["n"], elbow + np.array([0.5 * np.sin(angle), 0, -0.5 * np.cos(angle)]), atol=1e-7)


def test_an_inverted_pendulum_stands_on_its_wheel_with_its_own_radius() -> None:
    energy = "M/2*xdot**2 + I/2*phidot**2 + m/2*((xdot + l*adot*cos(a))**2 + (l*adot*sin(a))**2) - m*g*l*cos(a)"
    system = nh.System(
        coordinates="x phi a", lagrangian=energy, constraints=["xdot - R*phidot"],
        parameters={"M": 2.0, "m": 5.0, "I": 0.05, "l": 0.8, "R": 0.25, "g": G},
    )  # fmt: skip
    found = bodies(system, x=1.0, a=0.2)
    np.testing.assert_allclose(found["wheel phi"], [1.0, 0, 0.25], atol=1e-7)
    np.testing.assert_allclose(found["m"], [1.0 + 0.8 * np.sin(0.2), 0, 0.25 + 0.8 * np.cos(0.2)], atol=1e-7)


def test_a_hoop_rolls_down_its_slope() -> None:
    system = nh.System(
        coordinates="s phi", lagrangian="m/2*sdot**2 + m/2*R**2*phidot**2 + m*g*s*sin(b)", constraints=["sdot - R*phidot"],
        parameters={"m": 1.0, "R": 0.3, "g": G, "b": 0.35},
    )  # fmt: skip
    found = bodies(system, s=2.0)
    down, off = np.array([np.cos(0.35), 0, -np.sin(0.35)]), np.array([np.sin(0.35), 0, np.cos(0.35)])
    np.testing.assert_allclose(found["wheel phi"], 2 * down + 0.3 * off, atol=1e-7)
    assert "slope" in found


def test_masses_on_a_line_are_boxes_and_an_inertia_has_no_place() -> None:
    springs = nh.System(
        coordinates="x1 x2", lagrangian="m1/2*x1dot**2 + m2/2*x2dot**2 - k/2*(x2 - x1)**2",
        parameters={"m1": 1.0, "m2": 2.0, "k": 8.0},
    )  # fmt: skip
    found = bodies(springs, x1=0.2, x2=1.5)
    assert {n: found[n][0] for n in ("m1", "m2")} == pytest.approx({"m1": 0.2, "m2": 1.5}) and "spring k" in found
    top = nh.System(coordinates="q", lagrangian="J*qdot**2/2 + k*cos(q)", parameters={"J": 2.0, "k": 1.0})
    drawing = sketch(top, top.parameters, 1.0)
    assert drawing is None or "J" not in [b.label for b in drawing.bodies]


def test_a_bowl_and_a_rod_come_from_holonomic_constraints() -> None:
    bowl = nh.System(
        coordinates="x y z", lagrangian="m/2*(xdot**2 + ydot**2 + zdot**2) - m*g*z", holonomic=["2*z - c*(x**2 + y**2)"],
        parameters={"m": 0.1, "g": G, "c": 0.8},
    )  # fmt: skip
    drawing = sketch(bowl, bowl.parameters, 1.0)
    assert drawing is not None
    (sheet,) = (b for b in drawing.bodies if b.shape == "surface")
    height = nh.System(coordinates="s r", parameters={"c": 0.8}, lagrangian=sheet.points[2]).lagrangian  # type: ignore[index]
    assert float(height.subs({"s": 0.3, "r": 0.4, "c": 0.8})) == pytest.approx(0.8 * 0.25 / 2)
    bell = nh.System(
        coordinates="x1 y1 x2 y2", lagrangian="(x1dot**2 + y1dot**2 + x2dot**2 + y2dot**2)/2",
        holonomic=["(x2 - x1)**2 + (y2 - y1)**2 - L**2"], parameters={"L": 1.0},
    )  # fmt: skip
    drawing = sketch(bell, bell.parameters, 1.0)
    assert drawing is not None and [b.shape for b in drawing.bodies] == ["sphere", "sphere", "rod"]


def test_the_arm_of_a_mass_bends_at_its_hinge_and_a_cart_is_under_its_casters() -> None:
    skate = nh.System(
        coordinates="x y th q", constraints=["xdot*sin(th) - ydot*cos(th)"],
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*thdot**2 + n/2*((xdot - a*sin(th)*thdot - l*sin(th + q)*(thdot + qdot))**2"
        " + (ydot + a*cos(th)*thdot + l*cos(th + q)*(thdot + qdot))**2)",
        parameters={"m": 3.0, "J": 0.4, "n": 1.0, "a": 0.3, "l": 0.6},
    )  # fmt: skip
    drawing = sketch(skate, skate.parameters, 1.0)
    assert drawing is not None and [b.shape for b in drawing.bodies].count("rod") == 2
    from tests.model.test_sketch import CART

    (body,) = (b for b in sketch(CART, CART.parameters, 1.0).bodies if b.label == "body")  # type: ignore[union-attr]
    assert float(body.size["x"]) > 0.3 and float(body.size["y"]) > 0.05
