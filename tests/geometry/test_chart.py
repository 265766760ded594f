"""Forms and charts of frames."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

from nonholo.algebra.calculus import symbols
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.errors import ModelError, NonholoError
from nonholo.geometry.frames.frame import (
    Chart,
    Frame,
    frame_of_forms,
    linear_form,
    own_chart,
    sample,
)
from tests.geometry.test_frame import frames, sympy_brackets, table


def test_linear_form_reads_coefficients_and_refuses_the_rest():
    x, a, b = symbols(["x", "a", "b"])
    assert linear_form((x + 1) * (a - 2 * b) + 3 * b, (a, b), "here") == (x + 1, -2 * (x + 1) + 3)
    assert linear_form((a + x) ** 2 - a**2 - x**2, (a, b), "here") == (2 * x, 0)
    for wrong in (a * b, a + 1, se.sqrt(a**2 + b**2)):
        with pytest.raises(ModelError, match=r"here: .* linear and homogeneous"):
            linear_form(wrong, (a, b), "here")


def test_a_double_zero_is_zero():
    # SymEngine does not take 0.0 for zero, and would divide by it
    frame = Frame("x y", "a b", [[2.0, 0.0], ["0.0*x", 4]], [[[0.0, 0.0], [0.0, 0.0]], [[0.0, 0.0], [-0.0, 0.0]]])
    assert frame.anchor[0][1] == 0 and frame.anchor[1][0] == 0 and frame.brackets == {}
    assert evaluate(own_chart(frame).velocities, {"xdot": 3.0, "ydot": 5.0}).tolist() == [1.5, 1.25]
    a, b = symbols(["a", "b"])
    assert linear_form(se.RealDouble(0.5) * a + se.RealDouble(0.0) * b, (a, b), "here")[1] == 0


@settings(max_examples=15, deadline=None)
@given(frames(), st.integers(0, 100))
def test_own_chart_inverts_the_anchor(frame, seed):
    chart = own_chart(frame)
    values = sample(frame, seed)
    speeds = np.random.default_rng(seed).normal(size=frame.size)
    rates = evaluate_matrix(frame.anchor, values) @ speeds
    found = evaluate(chart.velocities, {**values, **{f"{c}dot": r for c, r in zip(frame.coordinates, rates)}})
    assert found == pytest.approx(speeds, abs=1e-10)


def test_frame_of_forms_is_dual_to_the_forms():
    frame = frame_of_forms(
        "theta x y",
        {
            "omega": "thetadot",
            "v": "xdot*cos(theta) + ydot*sin(theta)",
            "s": "ydot*cos(theta) - xdot*sin(theta) + a*thetadot",
        },
        parameters="a",
    )
    values = sample(frame, 2)
    t, a = values["theta"], values["a"]
    forms = np.array([[1, 0, 0], [0, np.cos(t), np.sin(t)], [a, -np.sin(t), np.cos(t)]])
    assert forms @ evaluate_matrix(frame.anchor, values) == pytest.approx(np.eye(3), abs=1e-14)
    assert table(frame, values) == pytest.approx(sympy_brackets(frame, values), abs=1e-12)


@pytest.mark.parametrize(
    "forms, message",
    [
        ({"u": "xdot", "w": "2*xdot"}, "w depends on the others"),
        ({"u": "xdot"}, "1 forms on 2 coordinates"),
        ({"u": "xdot", "w": "ydot + 1"}, "quasi-velocity w: .* linear and homogeneous"),
        ({"u": "xdot", "w": "ydot*xdot"}, "linear and homogeneous"),
        ({"u": "xdot", "x": "ydot"}, "'x' is also"),
    ],
)
def test_wrong_forms_are_one_clear_error(forms, message):
    with pytest.raises(NonholoError, match=message):
        frame_of_forms("x y", forms)


CIRCLE = {
    "coordinates": "c s",
    "velocities": "w",
    "anchor": [["-s"], ["c"]],
    "brackets": {},
    "parameters": "k",
    "relations": ["c**2 + s**2 - 1"],
    "home": (1, 0),
}


def test_a_chart_may_be_given_in_text():
    frame = Frame(**CIRCLE, chart=Chart("phi", ["cos(phi)", "sin(phi)"], ["phidot"], (0.3,)))
    assert frame.chart.names == ("phi",) and frame.chart.reach == (0.5,)
    assert frame.chart.velocities == (se.Symbol("phidot"),)
    assert sample(frame)["c"] ** 2 + sample(frame)["s"] ** 2 == pytest.approx(1, abs=1e-15)


@pytest.mark.parametrize(
    "chart, message",
    [
        (lambda: Chart("phi", ["cos(phi)", "sin(phi)"], ["2*phidot"]), "rate of [cs] from the embedding differs"),
        (lambda: Chart("phi", ["2*cos(phi)", "2*sin(phi)"], ["phidot"]), "leaves the frame's relations"),
        (lambda: Chart("phi", ["cos(phi)", "sin(phi)"], ["phidot**2"]), "linear and homogeneous"),
        (lambda: Chart("phi", ["cos(phi)", "sin(phi)"], ["0"]), "dependent"),
        (lambda: Chart("phi", ["cos(phi)"], ["phidot"]), "1 embedding where the frame needs 2"),
        (lambda: Chart("phi psi", ["cos(phi)", "sin(phi)"], ["phidot"]), "2 names where the frame needs 1"),
        (lambda: Chart("phi", ["cos(phi)", "sin(phi)"], ["phidot"], (0, 0)), "center has 2 numbers"),
        (lambda: Chart("phi", ["cos(phi)", "sin(phi)"], ["phidot"], (0,), "far"), "reach is 'far'"),
        (lambda: Chart("k", ["cos(k)", "sin(k)"], ["kdot"]), "'k' is also"),
        (lambda: Chart("phi", ["cos(phi)", "sin(theta)"], ["phidot"]), "embedding, s.*theta"),
    ],
)
def test_a_wrong_chart_is_one_clear_error(chart, message):
    with pytest.raises(NonholoError, match=message):
        Frame(**CIRCLE, chart=chart())


def test_a_chart_whose_velocities_have_other_brackets_is_refused():
    # On the vertical the turn about γ moves nothing, so only Maurer and Cartan's equation sees a wrong third velocity.
    from nonholo.geometry.groups.matrix_groups import Vertical

    good = Vertical("g")
    g1, g2, g3 = good.chart.embedding
    turn = se.Symbol("g_adot") * se.sin(se.Symbol("g_b"))
    bad = tuple(v + g * turn for v, g in zip(good.chart.velocities, (g1, g2, g3)))
    with pytest.raises(ModelError, match="do not have the frame's brackets"):
        replace(good, chart=replace(good.chart, velocities=bad))
