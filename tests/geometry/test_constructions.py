"""Products and changes of frame, against the vector fields themselves."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

from nonholo.algebra.calculus import along, symbols
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.errors import ModelError, NonholoError
from nonholo.geometry.frames.frame import (
    Chart,
    Euclidean,
    Frame,
    bracket_of_fields,
    change_frame,
    check_frame,
    own_chart,
    product,
    rate,
    sample,
    structure_functions,
)
from nonholo.geometry.groups.lie_algebra import LieAlgebra, so
from nonholo.geometry.groups.matrix_groups import SE2, SO3, Quaternion, Vertical
from tests.geometry.test_frame import frames, sympy_brackets, table


def carried(frame: Frame, seed: int) -> float:
    """How far the anchor is from carrying the brackets to those of the vector fields, relative."""
    values = sample(frame, seed)
    anchor, c = evaluate_matrix(frame.anchor, values), table(frame, values)
    gap, scale = 0.0, 1.0
    for i in range(frame.size):
        for j in range(i + 1, frame.size):
            true = evaluate(bracket_of_fields(frame, i, j), values)
            gap, scale = max(gap, np.abs(anchor @ c[i, j] - true).max()), max(scale, np.abs(true).max())
    return gap / scale


def chart_gap(frame: Frame, seed: int) -> float:
    """``d/dt X(y) − ψ(X) v(y, ẏ)`` at random ``(y, ẏ)``."""
    chart = own_chart(frame)
    random = np.random.default_rng(seed)
    y = np.array(chart.center) + random.uniform(-1, 1, len(chart.names)) * np.array(chart.reach)
    values = {**sample(frame, seed), **dict(zip(chart.names, y)), **dict(zip(map(rate, chart.names), random.normal(size=len(y))))}
    moving = dict(zip(symbols(chart.names), symbols(map(rate, chart.names))))
    true = evaluate(along(chart.embedding, moving), values)
    place = {**values, **dict(zip(frame.coordinates, evaluate(chart.embedding, values)))}
    return float(np.abs(true - evaluate_matrix(frame.anchor, place) @ evaluate(chart.velocities, values)).max())


def test_product_has_both_anchors_brackets_and_charts_side_by_side():
    one, two = SO3("R"), Frame("x y", "a b", [["1 + y**2", "x*k"], ["sin(x)", "2"]], parameters="k")
    both = one * two
    assert both.velocities == ("w1", "w2", "w3", "a", "b") and both.parameters == ("k",)
    assert both.home == (*one.home, 0.0, 0.0) and both.relations == one.relations
    check_frame(both)
    values = sample(both, 5)
    assert carried(both, 5) < 1e-13
    c = table(both, values)
    assert c[:3, :3, :3] == pytest.approx(table(one, values), abs=0)
    assert c[3:, 3:, 3:] == pytest.approx(sympy_brackets(two, values), abs=1e-13)
    assert not c[:3, 3:].any() and not c[:3, :3, 3:].any() and not c[3:, 3:, :3].any()
    assert chart_gap(both, 6) < 1e-13
    assert both.chart.names == ("R_a", "R_b", "R_c", "x", "y") and both.chart.reach == (0.8, 0.8, 0.8, 0.5, 0.5)


def test_product_is_associative_and_with_a_lie_algebra_keeps_its_local_chart():
    a, b, c = Euclidean("x"), LieAlgebra(so(3)), SE2("theta u v", "w s n")
    assert (a * b) * c == a * (b * c)
    both = a * b
    assert both.chart.reach == (0.5, 0, 0, 0) and both.coordinates == ("x",)
    assert sample(both, 1)["x"] != 0
    check_frame(both * c)


def test_a_frame_of_affine_fields_has_a_chart_of_its_own():
    """x = exp(y A) home: on the circle the angle, in which the velocity is the rate."""
    found = own_chart(Frame("c s", "w", [["-s"], ["c"]], {}, relations=["c**2 + s**2 - 1"], home=(1.0, 0.0)))
    assert [str(e) for e in found.embedding] == ["cos(w_y)", "sin(w_y)"]
    (form,) = found.velocities
    assert evaluate([form], {"w_y": 0.7, "w_ydot": 1.3}) == pytest.approx([1.3])


def test_product_without_chart_on_one_side_has_none():
    lonely = Frame("c s", "w", [["-s*(2 + c)"], ["c*(2 + c)"]], {}, relations=["c**2 + s**2 - 1"])
    both = lonely * Quaternion("q")
    assert both.chart is None
    values = sample(both, 2)
    assert abs(values["c"] ** 2 + values["s"] ** 2 - 1) < 1e-12
    assert abs(sum(values[f"q{i}"] ** 2 for i in range(4)) - 1) < 1e-12
    with pytest.raises(ModelError, match="has no chart"):
        own_chart(both)


@pytest.mark.parametrize(
    "left, right, name",
    [
        (lambda: Euclidean("x y"), lambda: Euclidean("y z"), "y"),
        (lambda: SO3("R"), lambda: Quaternion("q"), "w1"),
        (lambda: SO3("R"), lambda: Euclidean("R_a"), "R_a"),
        (lambda: Euclidean("x"), lambda: Frame("z", "xdot", [[1]]), "xdot"),
        (lambda: Frame("z", "u", [["k"]], parameters="k"), lambda: Euclidean("k"), "k"),
        (lambda: Euclidean("k"), lambda: Frame("z", "u", [["k"]], parameters="k"), "k"),
    ],
)
def test_product_refuses_shared_names(left, right, name):
    with pytest.raises(ModelError, match=f"both use the name '{name}'"):
        product(left(), right())


def test_product_with_something_else_is_a_type_error():
    with pytest.raises(TypeError):
        Euclidean("x") * 3


@st.composite
def changes(draw: st.DrawFn) -> tuple[Frame, list[list[str]]]:
    frame = draw(frames(most=3))
    bump = st.sampled_from(["x", "sin(y)", "x*y", "cos(x)", "1"])
    rows = [
        [f"{draw(st.integers(-3, 3))}/11*({draw(bump)})" + (" + 1" if i == j else "") for j in range(frame.size)]
        for i in range(frame.size)
    ]
    return frame, rows


@settings(max_examples=6, deadline=None)
@given(changes(), st.integers(0, 1000))
def test_change_of_frame_has_the_brackets_of_the_new_fields(pair, seed):
    frame, matrix = pair
    names = [f"n{i}" for i in range(frame.size)]
    new = change_frame(frame, matrix, names)
    assert carried(new, seed) < 1e-10
    values = sample(frame, seed)
    # the same frame from its anchor alone, brackets by SymPy
    expected = sympy_brackets(new, values)
    assert table(new, values) == pytest.approx(expected, abs=1e-10 * (1 + np.abs(expected).max()))


@settings(max_examples=5, deadline=None)
@given(changes(), st.integers(0, 1000))
def test_change_of_frame_and_back_returns(pair, seed):
    frame, matrix = pair
    new = change_frame(frame, matrix, [f"n{i}" for i in range(frame.size)])
    values = sample(frame, seed)
    there = [[se.sympify(e) for e in row] for row in matrix]
    inverse = se.DenseMatrix(there).inv()
    rows = [[inverse[i, j] for j in range(frame.size)] for i in range(frame.size)]
    back = change_frame(new, rows, frame.velocities)
    assert evaluate_matrix(back.anchor, values) == pytest.approx(evaluate_matrix(frame.anchor, values), abs=1e-10)
    c = table(frame, values)
    assert table(back, values) == pytest.approx(c, abs=1e-9 * (1 + np.abs(c).max()))


def test_change_of_a_redundant_frame_changes_its_chart_and_takes_new_parameters():
    matrix = [["1", "k*R11", "0"], ["0", "2", "R23"], ["R31", "0", "1 + k"]]
    new = change_frame(SO3("R"), matrix, "a b c", parameters="k")
    assert new.parameters == ("k",) and new.velocities == ("a", "b", "c") and new.recipe == ()
    check_frame(new)
    assert carried(new, 3) < 1e-12 and chart_gap(new, 3) < 1e-12


def test_change_of_a_lie_algebra_is_a_change_of_basis():
    # e' = B e with constants: c'_ij^a = (B⁻¹)^a_m c_kl^m B_i^k B_j^l
    b = np.array([[2.0, 1, 0], [0, 1, -1], [1, 0, 3]])
    new = change_frame(LieAlgebra(so(3)), b.tolist(), "f1 f2 f3")
    levi = np.array(so(3), dtype=float)
    expected = np.einsum("am,klm,ki,lj->ija", np.linalg.inv(b), levi, b, b)
    assert table(new, {}) == pytest.approx(expected, abs=1e-14)
    check_frame(new)


def test_change_of_frame_with_a_single_velocity():
    new = change_frame(Euclidean("x"), [["1 + x**2"]], "u")
    assert new.brackets == {} and str(new.anchor[0][0]) == "1 + x**2"


@pytest.mark.parametrize(
    "matrix, names, message",
    [
        ([[1, 2], [2, 4]], "u w", "new velocities must be independent"),
        ([["x", "x*y"], ["1", "y"]], "u w", "new velocities must be independent"),
        ([[1, 0]], "u w", "must be 2 x 2"),
        ([[1, 0], [0, 1]], "u", "must be 2 x 2"),
        ([[1, 0], [0]], "u w", "must be 2 x 2"),
        ([[1, "q"], [0, 1]], "u w", "row 1, entry 2: .*'q'"),
        ([[1, 0], [0, 2]], "xdot ydot", "'ydot' has the name of a rate"),
        ([[1, 0], [0, 2]], "x w", "'x' is also"),
    ],
)
def test_wrong_change_of_frame_is_one_clear_error(matrix, names, message):
    with pytest.raises(NonholoError, match=message):
        change_frame(Euclidean("x y"), matrix, names)


def test_changed_frames_keep_relations_and_home():
    new = change_frame(Vertical("g"), [[1, 0, 1], [0, 1, 0], [0, 0, 2]], "a b c")
    assert new.home == (0.0, 0.0, 1.0) and new.relations == Vertical("g").relations
    assert structure_functions(new)  # not abelian
    assert isinstance(new.chart, Chart) and chart_gap(new, 1) < 1e-13
