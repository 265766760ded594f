"""Frames as plain data and back."""

from __future__ import annotations

import tomllib
from dataclasses import replace

import numpy as np
import pytest
import tomli_w
from hypothesis import given, settings

from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.errors import NonholoError
from nonholo.geometry.frames.frame import Chart, Euclidean, Frame, change_frame, sample
from nonholo.geometry.frames.frame_files import frame_from_recipe, recipe_of, spatial
from nonholo.geometry.groups.lie_algebra import LieAlgebra, heisenberg, so
from nonholo.geometry.groups.matrix_groups import SE2, SE3, SO3, Quaternion, Vertical
from tests.geometry.test_frame import frames, table

FRAMES = {
    "Euclidean": lambda: Euclidean("x y"),
    "SO3": lambda: SO3("A", "p q r"),
    "Quaternion": lambda: Quaternion("u"),
    "SE2": lambda: SE2("phi a b", "o s n"),
    "SE3": lambda: SE3("Q", "a b c"),
    "Vertical": lambda: Vertical("n"),
    "LieAlgebra": lambda: LieAlgebra(heisenberg(2)),
    "LieAlgebra with a parameter": lambda: LieAlgebra({("a", "b"): "k*b"}, parameters="k"),
    "spatial": lambda: spatial(SE3()),
    "spatial algebra": lambda: spatial(LieAlgebra(so(3))),
    "product": lambda: SO3("R") * Euclidean("x y z") * Vertical("g", "n1 n2 n3"),
    "sleigh": lambda: Frame("theta x y", "w v s", [[1, 0, 0], [0, "cos(theta)", "-sin(theta)"], [0, "sin(theta)", "cos(theta)"]]),
    "circle": lambda: Frame(
        "c s", "w", [["-s*k"], ["c*k"]], {}, parameters="k", relations=["c**2 + s**2 - 1"], home=(0.6, 0.8),
        chart=Chart("phi", ["cos(phi)", "sin(phi)"], ["phidot/k"], (0.1,), (0.3,)),
    ),
    "changed": lambda: change_frame(SO3("R"), [["1", "R11/3", "0"], ["0", "2", "R23"], ["R31", "0", "1.25"]], "a b c"),
    "changed, varying": lambda: change_frame(Euclidean("x y"), [["1 + x**2", "sin(y)/3"], ["0.1*x", "2/(3 + y**2)"]], "a b"),
    "product with a frame": lambda: SO3("R") * Frame("x y", "a b", [["1", "x"], ["0", "1"]]),
}


@pytest.mark.parametrize("name", FRAMES)
def test_recipes_make_the_same_frame_through_a_file(name):
    frame = FRAMES[name]()
    recipe = recipe_of(frame)
    read = tomllib.loads(tomli_w.dumps({"frame": recipe}))["frame"]
    assert read == recipe
    back = frame_from_recipe(read)
    assert back == frame
    assert recipe_of(back) == recipe


@settings(max_examples=10, deadline=None)
@given(frames(most=3))
def test_random_frames_come_back_with_the_same_numbers(frame):
    back = frame_from_recipe(recipe_of(frame))
    values = sample(frame, 3)
    assert (evaluate_matrix(back.anchor, values) == evaluate_matrix(frame.anchor, values)).all()
    assert np.allclose(table(back, values), table(frame, values), rtol=1e-12, atol=1e-12)


def test_one_table_is_enough_and_brackets_are_readable():
    frame = frame_from_recipe({"kind": "LieAlgebra", "brackets": {"e1, e2": "e3", "e2, e3": "e1", "e3, e1": "e2"}})
    assert frame == LieAlgebra(so(3))
    assert recipe_of(frame)[0]["brackets"] == {"e1, e2": "e3", "e1, e3": "-e2", "e2, e3": "e1"}


def test_recipes_are_copies():
    recipe = recipe_of(LieAlgebra(so(3)))
    recipe[0]["brackets"]["e1, e2"] = "e1"
    assert recipe_of(LieAlgebra(so(3)))[0]["brackets"]["e1, e2"] == "e3"


@pytest.mark.parametrize("name", ["SO3", "LieAlgebra", "Euclidean"])
def test_a_changed_copy_does_not_keep_the_old_recipe(name):
    frame = FRAMES[name]()
    changed = replace(frame, velocities=tuple(f"new_{v}" for v in frame.velocities))
    assert changed.recipe == () and frame_from_recipe(recipe_of(changed)) == changed != frame


def test_charts_come_back():
    frame = FRAMES["circle"]()
    chart = frame_from_recipe(recipe_of(frame)).chart
    assert chart == frame.chart and chart.reach == (0.3,)
    assert evaluate(chart.velocities, {"phidot": 2.0, "k": 4.0}) == pytest.approx([0.5])


@pytest.mark.parametrize(
    "recipe, message",
    [
        ([{"kind": "SO4", "name": "R"}], "unknown kind 'SO4'; did you mean 'SO3'"),
        ([{"name": "R"}], "unknown kind None"),
        ([{"kind": ["SO3"]}], "unknown kind"),
        ([{"kind": "SO3", "nmae": "R"}], "kind SO3: unknown keyword 'nmae'; did you mean 'name'"),
        ([{"kind": "Vertical", "side": "spatial"}], "unknown keyword 'side'"),
        ([{"kind": "Euclidean"}], "'coordinates' is missing"),
        ([{"kind": "Frame", "coordinates": "x", "velocities": "u"}], "'anchor' is missing"),
        ([{"kind": "Frame", "coordinates": "x", "velocities": "u", "anchor": [["1"]], "chart": "x"}], "chart is 'x'"),
        (
            [{"kind": "Frame", "coordinates": "x", "velocities": "u", "anchor": [["1"]], "chart": {"name": "y"}}],
            "kind chart: unknown keyword 'name'; did you mean 'names'",
        ),
        (
            [{"kind": "Frame", "coordinates": "x", "velocities": "u", "anchor": [["1"]], "chart": {"names": "y"}}],
            "chart's 'embedding' is missing",
        ),
        ([{"kind": "Frame", "coordinates": "x", "velocities": "u", "anchor": [["exec('1')"]]}], "anchor"),
        ([{"kind": "SO3", "rates": 3}], "rates"),
        ([], "is no recipe"),
        ("SO3", "is no recipe"),
        (["SO3"], "is no recipe"),
        (None, "is no recipe"),
    ],
)
def test_wrong_recipes_are_one_clear_error(recipe, message):
    with pytest.raises(NonholoError, match=message):
        frame_from_recipe(recipe)
