"""Frames: computed brackets against SymPy, Jacobi's law, every check that refuses a wrong frame."""

from __future__ import annotations

import pickle
from dataclasses import replace

import numpy as np
import pytest
import symengine as se
import sympy
from hypothesis import given, settings
from hypothesis import strategies as st

from nonholo.algebra.calculus import symbols
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.linear_equations import evaluate, evaluate_matrix
from nonholo.errors import ModelError, NonholoError
from nonholo.geometry.frames.frame import (
    Euclidean,
    Frame,
    bracket,
    bracket_of_fields,
    jacobi_defect,
    jacobi_law,
    onto,
    own_chart,
    sample,
    structure_functions,
)

SLEIGH = [["1", "0", "0"], ["0", "cos(theta)", "-sin(theta)"], ["0", "sin(theta)", "cos(theta)"]]
TOP = {("w1", "w2"): "w3", ("w2", "w3"): "w1", ("w3", "w1"): "w2"}
POISSON = [["0", "-g3", "g2"], ["g3", "0", "-g1"], ["-g2", "g1", "0"]]


def sympy_brackets(frame: Frame, values: dict[str, float]) -> np.ndarray:
    """``c_ij^a`` by SymPy's derivatives and a numerical solution: nothing shared with the frame's own road."""
    x = sympy.symbols(frame.coordinates)
    psi = sympy.Matrix([[sympy.sympify(str(e)) for e in row] for row in frame.anchor])
    spot = {sympy.Symbol(n): v for n, v in values.items()}
    size = frame.size
    numbers = np.array(psi.subs(spot), dtype=float)
    slopes = [np.array(psi.diff(s).subs(spot), dtype=float) for s in x]
    result = np.zeros((size, size, size))
    for i in range(size):
        for j in range(size):
            field = sum(numbers[l, i] * slopes[l][:, j] - numbers[l, j] * slopes[l][:, i] for l in range(len(x)))
            result[i, j] = np.linalg.solve(numbers, field)
    return result


def table(frame: Frame, values: dict[str, float]) -> np.ndarray:
    c, size = structure_functions(frame), frame.size
    flat = evaluate([bracket(c, i, j, a) for i in range(size) for j in range(size) for a in range(size)], values)
    return flat.reshape(size, size, size)


@st.composite
def frames(draw: st.DrawFn, most: int = 4) -> Frame:
    """Regular frames near the unit one, whose structure functions vary."""
    size = draw(st.integers(2, most))
    names = ["x", "y", "z", "u"][:size]
    bump = st.sampled_from(["{a}", "sin({a})", "{a}*{b}", "cos({a} + {b})", "{a}**2", "exp({a}/3)"])
    weight = st.integers(-3, 3)

    def entry(diagonal: bool) -> str:
        text = draw(bump).format(a=draw(st.sampled_from(names)), b=draw(st.sampled_from(names)))
        return f"{draw(weight)}/13*({text})" + (" + 2" if diagonal else "")

    rows = [[entry(i == j) for j in range(size)] for i in range(size)]
    return Frame(names, [f"v{i}" for i in range(size)], rows)


@settings(max_examples=8, deadline=None)
@given(frames(), st.integers(0, 1000))
def test_computed_structure_functions_are_those_of_sympy(frame, seed):
    values = sample(frame, seed)
    expected = sympy_brackets(frame, values)
    assert np.allclose(table(frame, values), expected, rtol=0, atol=1e-11 * (1 + np.abs(expected).max()))


@settings(max_examples=8, deadline=None)
@given(frames(), st.integers(0, 1000))
def test_jacobi_law_holds_for_structure_functions_that_vary(frame, seed):
    values = sample(frame, seed)
    scale = 1 + np.abs(table(frame, values)).max() ** 2
    assert all(abs(defect) < 1e-11 * scale for defect in jacobi_defect(frame, seed).values())


@settings(max_examples=5, deadline=None)
@given(frames(most=3), st.integers(0, 1000))
def test_jacobi_law_as_expressions_vanishes(frame, seed):
    law = dict(jacobi_law(frame))
    assert all(abs(e) < 1e-10 for e in evaluate(list(law.values()), sample(frame, seed)))


def test_jacobi_on_frozen_structure_functions_is_false_when_they_vary():
    frame = Frame("x y z", "a b c", [["2", "y/3", "x*z/5"], ["z/4", "1", "sin(x)/3"], ["y*x/2", "z", "3"]])
    values = sample(frame, 4)
    c = table(frame, values)
    frozen = np.einsum("ijm,mkl->ijkl", c, c)
    cyclic = frozen + np.transpose(frozen, (2, 0, 1, 3)) + np.transpose(frozen, (1, 2, 0, 3))
    assert np.abs(cyclic[0, 1, 2]).max() > 0.01
    law = dict(jacobi_law(frame))
    assert law, "the law must have something to say here"
    assert np.abs(evaluate(list(law.values()), values)).max() < 1e-12


def test_jacobi_defect_of_wrong_constants_is_the_closed_form():
    # [a, b] = a, [b, c] = b: [[a, b], c] + [[b, c], a] + [[c, a], b] = [a, c] + [b, a] + 0 = -a
    one = se.Integer(1)
    wrong = Frame((), ("a", "b", "c"), (), FrozenMap({(0, 1, 0): one, (1, 2, 1): one}), checked=True)
    assert jacobi_defect(wrong) == {(0, 1, 2, 0): -1.0}


def test_bracket_of_fields_is_the_commutator_of_derivations():
    frame = Frame("x y", "a b", [["1 + y**2", "x"], ["sin(x)", "2"]])
    x, y = sympy.symbols("x y")
    f = sympy.exp(x) * sympy.cos(2 * y)
    fields = [(1 + y**2, sympy.sin(x)), (x, sympy.Integer(2))]

    def act(k, g):
        return fields[k][0] * g.diff(x) + fields[k][1] * g.diff(y)

    true = sympy.expand(act(0, act(1, f)) - act(1, act(0, f)))
    parts = [sympy.sympify(str(e)) for e in bracket_of_fields(frame, 0, 1)]
    found = parts[0] * f.diff(x) + parts[1] * f.diff(y)
    assert abs((true - found).subs({x: 0.37, y: -0.81}).evalf()) < 1e-14
    swapped = [sympy.sympify(str(e)) for e in bracket_of_fields(frame, 1, 0)]
    assert [sympy.expand(a + b) for a, b in zip(parts, swapped)] == [0, 0]


def test_sleigh_frame_has_the_brackets_of_planar_motions():
    frame = Frame("theta x y", "w v s", SLEIGH)
    assert structure_functions(frame) == {(0, 1, 2): 1, (0, 2, 1): -1}
    w, v, s = symbols(["w", "v", "s"])
    theta = se.Symbol("theta")
    assert frame.rates == (w, v * se.cos(theta) - s * se.sin(theta), v * se.sin(theta) + s * se.cos(theta))
    assert not frame.plain and Euclidean("x y").plain


def planar_array() -> np.ndarray:
    c = np.zeros((3, 3, 3))
    c[0, 1, 2], c[1, 0, 2], c[0, 2, 1], c[2, 0, 1] = 1, -1, -1, 1
    return c


@pytest.mark.parametrize(
    "brackets",
    [
        {("w", "v"): "s", ("w", "s"): "-v"},
        {("v", "w"): "-s", ("s", "w"): "v"},
        {"w, v": "s", "w s": "-v"},
        {(0, 1, 2): 1, (0, 2, 1): "-1"},
        {("w", "v"): {"s": "1"}, ("w", "s"): {"v": -1}},
        planar_array().astype(int),
        planar_array().tolist(),
    ],
)
def test_all_ways_to_write_brackets_say_the_same(brackets):
    frame = Frame("theta x y", "w v s", SLEIGH, brackets)
    assert frame.brackets == {(0, 1, 2): 1, (0, 2, 1): -1}
    assert frame == Frame("theta x y", "w v s", SLEIGH, {("w", "v"): "s", ("w", "s"): "-v"})
    assert hash(frame) == hash(pickle.loads(pickle.dumps(frame)))


def test_text_sympy_and_symengine_make_the_same_frame():
    t = sympy.Symbol("theta")
    by_sympy = [[1, 0, 0], [0, sympy.cos(t), -sympy.sin(t)], [0, sympy.sin(t), sympy.cos(t)]]
    s = se.Symbol("theta")
    by_symengine = [[1, 0, 0], [0, se.cos(s), -se.sin(s)], [0, se.sin(s), se.cos(s)]]
    assert Frame("theta x y", "w v s", SLEIGH) == Frame("theta x y", "w v s", by_sympy)
    assert Frame("theta x y", "w v s", SLEIGH) == Frame("theta x y", "w v s", by_symengine)


WRONG = {
    "flipped bracket": (
        lambda: Frame("theta x y", "w v s", SLEIGH, {("w", "v"): "s", ("w", "s"): "v"}),
        r"bracket \[w, s\] does not match the anchor",
    ),
    "missing bracket": (
        lambda: Frame("theta x y", "w v s", SLEIGH, {("w", "v"): "s"}),
        r"bracket \[w, s\] does not match the anchor",
    ),
    "stray bracket": (
        lambda: Frame("theta x y", "w v s", SLEIGH, {("w", "v"): "s", ("w", "s"): "-v", ("v", "s"): "w"}),
        r"bracket \[v, s\] does not match the anchor",
    ),
    "not antisymmetric, by pairs": (
        lambda: Frame("theta x y", "w v s", SLEIGH, {("w", "v"): "s", ("v", "w"): "s", ("w", "s"): "-v"}),
        r"\[w, v\] is not antisymmetric",
    ),
    "not antisymmetric, one component more": (
        lambda: Frame("theta x y", "w v s", SLEIGH, {("w", "v"): "s", ("v", "w"): "-s + w", ("w", "s"): "-v"}),
        r"\[w, v\] is not antisymmetric",
    ),
    "not antisymmetric, itself": (
        lambda: Frame("theta x y", "w v s", SLEIGH, {("w", "w"): "s"}),
        r"\[w, w\] is not antisymmetric",
    ),
    "not antisymmetric, array": (
        lambda: Frame("x y", "xdot ydot", [[1, 0], [0, 1]], [[[0, 0], [1, 0]], [[1, 0], [0, 0]]]),
        r"\[xdot, ydot\] is not antisymmetric",
    ),
    "array of wrong shape": (
        lambda: Frame("x y", "a b", [[1, 0], [0, 1]], [[[0, 0], [1, 0]]]),
        r"shape 2 x 2 x 2",
    ),
    "array of no depth": (lambda: Frame("x y", "a b", [[1, 0], [0, 1]], 3), r"shape 2 x 2 x 2"),
    "unknown name in a bracket": (
        lambda: Frame("x y", "a b", [[1, 0], [0, 1]], {("a", "c"): "b"}),
        r"must name two of the velocities a, b",
    ),
    "unknown component": (
        lambda: Frame("x y", "a b", [[1, 0], [0, 1]], {("a", "b"): {"c": "1"}}),
        r"component 'c'",
    ),
    "index out of range": (
        lambda: Frame("x y", "a b", [[1, 0], [0, 1]], {(0, 2, 0): "1"}),
        r"must name two of the velocities",
    ),
    "bracket not linear": (
        lambda: Frame("x y", "a b", [[1, 0], [0, 1]], {("a", "b"): "a*b"}),
        r"linear and homogeneous",
    ),
    "bracket not homogeneous": (
        lambda: Frame("x y", "a b", [[1, 0], [0, 1]], {("a", "b"): "a + 1"}),
        r"linear and homogeneous",
    ),
    "dependent columns": (
        lambda: Frame("x y", "a b", [["x", "2*x"], ["sin(y)", "2*sin(y)"]]),
        r"columns of the anchor are dependent \(rank 1\)",
    ),
    "too many coordinates": (
        lambda: Frame("x y z", "a b", [[1, 0], [0, 1], [0, 0]]),
        r"3 coordinates and 2 velocities; brackets can be computed only when",
    ),
    "too few rows": (lambda: Frame("x y", "a b", [[1, 0]]), r"anchor has shape 1 x 2.*need 2 x 2"),
    "ragged rows": (lambda: Frame("x y", "a b", [[1, 0], [1]]), r"anchor has shape 2 x 1 or 2.*need 2 x 2"),
    "rows of text": (lambda: Frame("x y", "a b", ["10", "01"]), r"row 1 is '10'; give a list"),
    "Jacobi": (
        lambda: Frame("", "a b c", [], {("a", "b"): "a", ("b", "c"): "b"}),
        r"brackets of a, b, c break Jacobi's identity.* by -1 along a",
    ),
    "Jacobi in the kernel of the anchor": (
        lambda: Frame("x", "p a b c", [[1, 0, 0, 0]], {("a", "b"): "a", ("b", "c"): "b"}),
        r"brackets of a, b, c break Jacobi's identity",
    ),
    "name twice": (lambda: Frame("x y", "x b", [[1, 0], [0, 1]]), r"velocity 'x' is also"),
    "parameter is a rate": (lambda: Frame("x y", "a b", [[1, 0], [0, 1]], parameters="xdot"), r"'xdot' is also"),
    "rate that is none": (
        lambda: Frame("x y", "xdot w", [[1, "y"], [0, 1]]),
        r"'xdot' has the name of a rate, but the anchor's row of x gives another",
    ),
    "rates in the wrong order": (
        lambda: Frame("x y", "ydot xdot", [[1, 0], [0, 1]]),
        r"'xdot' has the name of a rate",
    ),
    "no velocities": (lambda: Frame("x y", "", [[], []]), r"no velocities"),
    "unknown name in the anchor": (lambda: Frame("x y", "a b", [[1, "thta"], [0, 1]]), r"row 1, entry 2.*thta"),
    "not differentiable": (lambda: Frame("x y", "a b", [[1, "floor(x)"], [0, 1]]), r"no derivative"),
    "home of wrong length": (lambda: Frame("x y", "a b", [[1, 0], [0, 1]], home=(1.0,)), r"home has 1 numbers"),
    "home not finite": (lambda: Frame("x", "a", [[1]], home=(float("nan"),)), r"home contains nan"),
    "home not numbers": (lambda: Frame("x", "a", [[1]], home=("here",)), r"give a list of numbers"),
    "home off the relations": (
        lambda: Frame("g1 g2 g3", "w1 w2 w3", POISSON, TOP, relations=["g1**2 + g2**2 + g3**2 - 1"], home=(0, 0, 2)),
        r"home .* breaks the relation",
    ),
    "relations that cannot hold": (
        lambda: Frame("g1 g2 g3", "w1 w2 w3", POISSON, TOP, relations=["g1**2 + g2**2 + g3**2 + 1"]),
        r"no configuration .* relations hold",
    ),
    "relations that are left": (
        lambda: Frame("g1 g2 g3", "w1 w2 w3", POISSON, TOP, relations=["g1**2 + g2**2 + 2*g3**2 - 1"]),
        r"leaves the relation",
    ),
    "anchor without finite value": (lambda: Frame("x", "a", [["log(-1 - x**2)"]]), r"anchor\s+is finite"),
    "chart that is none": (lambda: Frame("x", "a", [[1]], chart="x"), r"give nh.frames.Chart"),
}


@pytest.mark.parametrize("fault", WRONG)
def test_a_wrong_frame_is_one_clear_error(fault):
    make, message = WRONG[fault]
    with pytest.raises(NonholoError, match=message):
        make()


def test_a_changed_copy_is_checked_anew():
    frame = Frame("theta x y", "w v s", SLEIGH, {("w", "v"): "s", ("w", "s"): "-v"})
    assert replace(frame, home=(1, 2, 3)).home == (1.0, 2.0, 3.0)
    with pytest.raises(ModelError, match="does not match the anchor"):
        replace(frame, brackets={("w", "v"): "-s", ("w", "s"): "-v"})
    with pytest.raises(ModelError, match="does not match the anchor"):
        replace(Euclidean("x y"), brackets={("xdot", "ydot"): "xdot"})


def test_units_of_the_columns_do_not_matter():
    # u_a = 1e-9 (∂_x + y ∂_y), u_b = 1e9 ∂_y: [u_a, u_b] = -∂_y = -1e-9 u_b
    frame = Frame("x y", "a b", [["1e-9", "0"], ["y*1e-9", "1e9"]])
    assert {k: float(e) for k, e in structure_functions(frame).items()} == {(0, 1, 1): pytest.approx(-1e-9, rel=1e-12)}


def test_singular_anchor_is_allowed_when_brackets_are_given():
    frame = Frame("g1 g2 g3", "w1 w2 w3", POISSON, TOP, relations=["g1**2 + g2**2 + g3**2 - 1"])
    assert abs(np.linalg.norm(frame.home) - 1) < 1e-12
    values = sample(frame, 3)
    assert abs(sum(values[f"g{i}"] ** 2 for i in (1, 2, 3)) - 1) < 1e-12
    assert np.linalg.matrix_rank(evaluate_matrix(frame.anchor, values), tol=1e-9) == 2
    with pytest.raises(ModelError, match="has no chart"):
        own_chart(frame)


def test_samples_keep_what_is_fixed_and_the_relations():
    frame = Frame("g1 g2 g3", "w1 w2 w3", POISSON, TOP, relations=["g1**2 + g2**2 + g3**2 - 1"])
    values = sample(frame, 1, at={"g2": 0.3, "m": 4.0})
    assert values["g2"] == 0.3 and values["m"] == 4.0
    assert abs(sum(values[f"g{i}"] ** 2 for i in (1, 2, 3)) - 1) < 1e-12
    given_all = {"g1": 5.0, "g2": 0.0, "g3": 0.0}
    assert sample(frame, 1, at=given_all) == given_all
    assert sample(frame, 1) != sample(frame, 2) and sample(frame, 1) == sample(frame, 1)


def test_samples_avoid_places_where_the_anchor_is_not_finite():
    frame = Frame("r phi", "a b", [["1", "0"], ["0", "1/sqrt(r)"]])
    assert all(sample(frame, k)["r"] > 0 for k in range(40))


def test_onto_finds_the_nearest_point_to_first_order():
    frame = Euclidean("x y")
    x, y = symbols(["x", "y"])
    point = onto(frame, [x**2 + y**2 - 1], np.array([1.01, 0.02]), {})
    # the least change is radial, to second order in the distance
    assert np.linalg.norm(point) == pytest.approx(1, abs=1e-14)
    assert point == pytest.approx(np.array([1.01, 0.02]) / np.hypot(1.01, 0.02), abs=1e-5)
