"""Drawings as numbers: positions by hand, rotations orthonormal, clear errors."""

from __future__ import annotations

import numpy as np
import pytest

from nonholo import gallery
from nonholo.errors import ModelError, ParseError, StateError
from nonholo.gallery.exhibit import Body, Drawing, Trace, heading, matrix_of
from nonholo.geometry.groups.matrix_groups import SO3
from nonholo.model.drawing.drawing_values import evaluate_drawing
from nonholo.model.system import System

PENDULUM = System(name="pendulum", coordinates="theta", parameters="m l", lagrangian="m*l**2*thetadot**2/2")


def test_the_sleigh_stands_where_its_edge_and_centre_of_mass_are():
    sleigh = gallery.get("chaplygin-sleigh")
    theta, x, y = np.array([0.3, -1.2, 2.9]), np.array([1.0, 0.4, -2.0]), np.array([0.0, 3.1, 0.7])
    a = sleigh.parameters["a"]
    found = evaluate_drawing(sleigh.drawing, sleigh.system, {"theta": theta, "x": x, "y": y}, sleigh.parameters)
    box, blade, left, right = found["bodies"]
    over = np.column_stack([x + a * np.cos(theta), y + a * np.sin(theta), np.full(3, a / 3)])
    np.testing.assert_allclose(box["position"], over, rtol=1e-15)
    for leg, side in ((left, a / 3), (right, -a / 3)):
        own = np.einsum("nji,nj->ni", box["rotation"], leg["position"] - over)
        np.testing.assert_allclose(own[:, :2], np.broadcast_to([a / 2, side], (3, 2)), atol=1e-14)
        np.testing.assert_allclose(leg["position"][:, 2], leg["size"]["radius"])
    np.testing.assert_allclose(blade["position"], np.column_stack([x, y, np.zeros(3)]), rtol=1e-15)
    np.testing.assert_allclose(box["size"]["x"], 1.5 * a)
    edge, mass = found["traces"]
    np.testing.assert_allclose(edge["points"][:, :2], np.column_stack([x, y]))
    forward = blade["rotation"] @ np.array([1.0, 0, 0])
    np.testing.assert_allclose(mass["points"], edge["points"] + a * forward, atol=1e-15)


def test_rotations_of_the_sleigh_are_orthonormal():
    sleigh = gallery.get("chaplygin-sleigh")
    states = {"theta": np.linspace(-7, 7, 50), "x": 0.0, "y": 0.0}
    for body in evaluate_drawing(sleigh.drawing, sleigh.system, states, sleigh.parameters)["bodies"]:
        turned = body["rotation"]
        assert turned.shape == (50, 3, 3)
        gram = turned @ turned.transpose(0, 2, 1)
        np.testing.assert_allclose(gram, np.broadcast_to(np.eye(3), (50, 3, 3)), atol=1e-14)
        np.testing.assert_allclose(np.linalg.det(turned), 1.0, atol=1e-14)


def test_a_rotation_matrix_of_the_state_comes_out_row_by_row():
    free = System(name="body", frame=SO3("R"), lagrangian="(w1**2 + 2*w2**2 + 3*w3**2)/2")
    matrix, _ = np.linalg.qr(np.random.default_rng(2).normal(size=(3, 3)))
    states = {f"R{i + 1}{j + 1}": matrix[i, j] for i in range(3) for j in range(3)}
    found = evaluate_drawing(Drawing(bodies=(Body("point", rotation=matrix_of("R")),)), free, states)
    np.testing.assert_array_equal(found["bodies"][0]["rotation"][0], matrix)


def test_a_wire_runs_over_its_range_and_is_kept_once_when_it_stands_still():
    circle = Body("wire", size={"s0": "0", "s1": "2*pi"}, points=("l*cos(s)", "l*sin(s)", "0"))
    states = {"theta": np.zeros(4)}
    found = evaluate_drawing(Drawing(bodies=(circle,)), PENDULUM, states, {"m": 1, "l": 1.7}, wire_points=9)
    points = found["bodies"][0]["points"]
    assert points.shape == (1, 9, 3)
    np.testing.assert_allclose(np.hypot(points[0, :, 0], points[0, :, 1]), 1.7)
    np.testing.assert_allclose(points[0, 2], [0, 1.7, 0], atol=1e-15)


def test_a_wire_that_moves_with_the_state_has_one_curve_for_each_state():
    arc = Body("wire", size={"s0": "0", "s1": "theta"}, points=("s", "s*theta", "0"))
    found = evaluate_drawing(Drawing(bodies=(arc,)), PENDULUM, {"theta": [1.0, 2.0]}, {"m": 1, "l": 1}, wire_points=3)
    np.testing.assert_allclose(found["bodies"][0]["points"][1], [[0, 0, 0], [1, 2, 0], [2, 4, 0]])


def test_a_surface_has_a_grid_over_both_of_its_own_names():
    sheet = Body("surface", size={"s0": "1", "s1": "3", "r0": "0", "r1": "4"}, points=("s", "r", "s*r + l"))
    found = evaluate_drawing(Drawing(bodies=(sheet,)), PENDULUM, {"theta": 0}, {"m": 1, "l": 10}, surface_points=(3, 5))
    points = found["bodies"][0]["points"]
    assert points.shape == (1, 3, 5, 3)
    np.testing.assert_allclose(points[0, 1, 3], [2, 3, 16])


def test_curve_names_hide_a_parameter_of_the_same_name():
    clash = System(name="bead", coordinates="s", parameters="r", lagrangian="r*sdot**2/2")
    wire = Body("wire", position=("s", "r", "0"), size={"s0": "0", "s1": "2"}, points=("s", "0", "0"))
    body = evaluate_drawing(Drawing(bodies=(wire,)), clash, {"s": 5.0}, {"r": 7.0}, wire_points=3)["bodies"][0]
    np.testing.assert_allclose(body["position"], [[5, 7, 0]])
    np.testing.assert_allclose(body["points"][0, :, 0], [0, 1, 2])


def test_a_misspelt_name_is_an_error_that_says_where_and_what_was_meant():
    drawing = Drawing(bodies=(Body("disc", ("l*sin(teta)", "0", "0"), heading("theta"), {"radius": "l"}, label="bob"),))
    with pytest.raises(ParseError, match=r"position of body 1 \(bob\): unknown name 'teta'; did you mean 'theta'"):
        evaluate_drawing(drawing, PENDULUM, {"theta": 0.1}, {"m": 1, "l": 1})


def test_a_state_that_is_missing_is_named():
    drawing = Drawing(traces=(Trace(("theta", "thetadot", "0")),))
    with pytest.raises(StateError, match="needs thetadot"):
        evaluate_drawing(drawing, PENDULUM, {"theta": 0.1}, {"m": 1, "l": 1})


def test_states_of_different_lengths_are_refused():
    with pytest.raises(StateError, match="one length"):
        evaluate_drawing(Drawing(), PENDULUM, {"theta": [1.0, 2.0], "thetadot": [1.0]}, {"m": 1, "l": 1})


@pytest.mark.parametrize(
    ("body", "needed"),
    [
        (Body("disc"), "radius"),
        (Body("wire", size={"s0": "0", "s1": "1"}), "points"),
        (Body("box", size={"x": "1"}), "y"),
    ],
)
def test_a_shape_without_its_size_is_refused(body, needed):
    with pytest.raises(ModelError, match=needed):
        evaluate_drawing(Drawing(bodies=(body,)), PENDULUM, {"theta": 0.0}, {"m": 1, "l": 1})
