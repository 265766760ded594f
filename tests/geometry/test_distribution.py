"""Distributions against hand computations, published growth vectors, and second routes."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

from nonholo.algebra.calculus import expand
from nonholo.algebra.linear_equations import evaluate_matrix, multiply, transpose
from nonholo.algebra.prime.power_series import NumericPlace
from nonholo.errors import ModelError
from nonholo.geometry.distributions import flag as flag_module
from nonholo.geometry.distributions import lie_words, random_configurations
from nonholo.geometry.distributions.distribution import (
    Distribution,
    adapted_frame,
    annihilator,
    configurations,
    derived_flag,
    frobenius,
    growth_flag,
    growth_vector,
    rank,
    redundant,
    span,
)
from nonholo.geometry.distributions.flag import lie_bracket
from nonholo.geometry.distributions.lie_words import frame_series
from nonholo.geometry.frames.frame import (
    Euclidean,
    change_frame,
    frame_of_forms,
    jacobi_defect,
    sample,
)
from nonholo.geometry.frames.frame_checks import check_frame
from nonholo.geometry.groups.lie_algebra import LieAlgebra, heisenberg, so
from nonholo.geometry.groups.matrix_groups import SE2, SO3, Quaternion


def _ball(side: str) -> Distribution:
    frame = SO3("R", side=side) * Euclidean("x y")
    if side == "spatial":
        rows = [["0", "-r", "0", "1", "0"], ["r", "0", "0", "0", "1"]]
    else:  # the same rolling, ω_space = R ω_body
        rows = [["-r*R21", "-r*R22", "-r*R23", "1", "0"], ["r*R11", "r*R12", "r*R13", "0", "1"]]
    return Distribution(frame, rows=rows, parameters="r")


def _ball_by_quaternion() -> Distribution:
    from nonholo.geometry.groups.matrix_groups import rotation_matrix

    frame = Quaternion("q") * Euclidean("x y")
    turn = rotation_matrix(frame)
    r = se.Symbol("r")
    rows = [[*(-r * e for e in turn[1]), 1, 0], [*(r * e for e in turn[0]), 0, 1]]
    return Distribution(frame, rows=rows, parameters="r")


PLAIN = {
    # dz = y dx: [∂x + y∂z, ∂y] = −∂z
    "contact form": (Distribution(Euclidean("x y z"), rows=[["y", 0, -1]]), (2, 3)),
    "Engel": (Distribution(Euclidean("x y z w"), rows=[["y", 0, -1, 0], ["z", 0, 0, -1]]), (2, 3, 4)),
    "Chaplygin sleigh": (Distribution(Euclidean("th x y"), rows=[[0, "sin(th)", "-cos(th)"]]), (2, 3)),
    # ∂φ and ∂θ + R cos φ ∂x + R sin φ ∂y, whose iterated brackets with ∂φ turn by quarter turns
    "vertical disk": (
        Distribution(
            Euclidean("x y phi theta"), rows=[[1, 0, 0, "-R*cos(phi)"], [0, 1, 0, "-R*sin(phi)"]], parameters="R"
        ),
        (2, 3, 4),
    ),
    # the tilt ∂α is admissible and commutes with the rolling of the point of contact: one more than the vertical disk
    "falling disk, point of contact": (
        Distribution(
            Euclidean("x y alpha phi psi"),
            rows=[[1, 0, 0, 0, "-R*cos(phi)"], [0, 1, 0, 0, "-R*sin(phi)"]],
            parameters="R",
        ),
        (3, 4, 5),
    ),
    "rolling ball, spatial rates": (_ball("spatial"), (3, 5)),
    "rolling ball, body rates": (_ball("body"), (3, 5)),
    "rolling ball, quaternion": (_ball_by_quaternion(), (3, 5)),
    "Suslov by rotation matrix": (Distribution(SO3("R"), rows=[["a", "b", 1]], parameters="a b"), (2, 3)),
    "Suslov on the algebra": (Distribution(LieAlgebra(so(3)), rows=[["a", "b", 1]], parameters="a b"), (2, 3)),
    # [L_1i, L_1j] = ± L_ij
    "so(4) by turns of the first axis": (Distribution(LieAlgebra(so(4)), fields=np.eye(6)[:3].tolist()), (3, 6)),
    "Heisenberg": (Distribution(LieAlgebra(heisenberg(2)), rows=[[0, 0, 0, 0, 1]]), (4, 5)),
    # ∂φ_b, ∂φ_f and ∂ψ commute; each steering turns the one driving field another way
    "snakeboard": (
        Distribution(
            Euclidean("x y th psi pb pf"),
            rows=[
                ["-sin(th+pb)", "cos(th+pb)", "-l*cos(pb)", 0, 0, 0],
                ["-sin(th+pf)", "cos(th+pf)", "l*cos(pf)", 0, 0, 0],
            ],
            parameters="l",
        ),
        (4, 6),
    ),
    # Cartan's (2, 3, 5), in the coordinates of the free nilpotent algebra
    "Cartan": (
        Distribution(Euclidean("x1 x2 x3 x4 x5"), fields=[[1, 0, 0, 0, 0], [0, 1, "x1", "x1**2/2", "x1*x2"]]),
        (2, 3, 5),
    ),
    "car with trailer": (
        Distribution(
            Euclidean("x y phi t0 t1"),
            fields=[["cos(t0)", "sin(t0)", 0, "tan(phi)/l", "sin(t0-t1)/d"], [0, 0, 1, 0, 0]],
            parameters="l d",
        ),
        (2, 3, 4, 5),
    ),
    "involutive": (Distribution(Euclidean("x y z"), rows=[["x", "y", "z"]]), (2,)),
    "partly involutive": (Distribution(Euclidean("x y z w"), rows=[["y", 0, -1, 0], [0, 0, 0, 1]]), (2, 3)),
    "everything": (Distribution(Euclidean("x y"), rows=[]), (2,)),
    "nothing": (Distribution(Euclidean("x y"), rows=[[1, 0], [0, 1]]), (0,)),
}


@pytest.mark.parametrize("name", PLAIN)
def test_growth_vectors_computed_by_hand(name: str) -> None:
    distribution, expected = PLAIN[name]
    assert growth_vector(distribution) == expected
    assert rank(distribution) == expected[0]
    assert bool(frobenius(distribution)) == (len(expected) == 1)


@pytest.mark.parametrize("name", PLAIN)
def test_fields_and_rows_annihilate_each_other(name: str) -> None:
    distribution, expected = PLAIN[name]
    fields, rows = span(distribution), annihilator(distribution)
    assert (len(fields), len(rows)) == (expected[0], distribution.frame.size - expected[0])
    if fields and rows:
        for here in configurations(distribution, count=2):
            product = evaluate_matrix(rows, here) @ evaluate_matrix(fields, here).T
            assert np.max(np.abs(product)) < 1e-12


def _trailers() -> Distribution:
    """A car (angle t2) with two trailers (t1, t0), hooked at the axles, the last one at (x, y); unit lengths."""
    first = "cos(t2-t1)"
    last = f"{first}*cos(t1-t0)"
    drive = [f"{last}*cos(t0)", f"{last}*sin(t0)", f"{first}*sin(t1-t0)", "sin(t2-t1)", 0]
    return Distribution(Euclidean("x y t0 t1 t2"), fields=[drive, [0, 0, 0, 0, 1]])


@pytest.mark.parametrize(
    ("angles", "expected"),
    [((0.3, 0.5, 0.9), (2, 3, 4, 5)), ((0.3, 0.5, 0.5 + pi / 2), (2, 3, 4, 4, 5)), ((0.3, 0.3, 0.3), (2, 3, 4, 5))],
)
def test_car_with_two_trailers_is_singular_at_a_right_angle(angles: tuple[float, ...], expected: tuple[int, ...]) -> None:
    # F. Jean, The car with N trailers, ESAIM COCV 1 (1996): degree of nonholonomy N + 2 = 4, but the Fibonacci
    # number F(N + 3) = 5 where the first trailer stands at a right angle to the car
    at = dict(zip(("t0", "t1", "t2"), angles))
    assert growth_vector(_trailers(), {"x": 0.1, "y": -0.4, **at}) == expected


def test_growth_at_singular_configurations_of_higher_order() -> None:
    # X = ∂x + y^k ∂z, Y = ∂y: ad_Y^j X = k!/(k−j)! y^(k−j) ∂z first differs from zero at y = 0 for j = k
    for k in (2, 3, 4):
        flat = Distribution(Euclidean("x y z"), rows=[[f"y**{k}", 0, -1]])
        assert growth_vector(flat) == (2, 3)
        assert growth_vector(flat, {"x": 0.2, "y": 0.0, "z": 0.7}) == (*(2,) * k, 3)
        assert growth_vector(flat, {"x": 0.2, "y": 0.5, "z": 0.7}) == (2, 3)


def test_derived_flag_grows_faster_than_the_growth_vector() -> None:
    # nilpotent, of degrees 1 1 2 3 3 4 5; [z, a] = u has degree 5 but is a bracket of two fields of D_3
    brackets = {
        ("x", "y"): "z", ("x", "z"): "a", ("y", "z"): "b", ("x", "b"): "w", ("y", "a"): "w", ("x", "w"): "u",
        ("z", "a"): "u",
    }  # fmt: skip
    frame = LieAlgebra(brackets, rates="x y z a b w u")
    plane = Distribution(frame, fields=np.eye(7)[:2].tolist())
    assert growth_vector(plane) == (2, 3, 5, 6, 7)
    assert derived_flag(plane) == (2, 3, 5, 7)


def test_bracket_in_a_redundant_frame_is_that_of_the_vector_fields() -> None:
    frame = SO3("R") * Euclidean("x")
    known = (*frame.coordinates,)
    one = tuple(se.sympify(e) for e in ("R11", "x", "R23", "R31*x"))
    two = tuple(se.sympify(e) for e in ("x**2", "R22", "1", "R12"))
    x = [se.Symbol(c) for c in known]
    lead = multiply(frame.anchor, transpose([lie_bracket(frame, one, two)]))
    first, second = (multiply(frame.anchor, transpose([f])) for f in (one, two))
    here = sample(frame, 3)
    slopes = [[[e[0].diff(s) for s in x] for e in field] for field in (first, second)]
    a, b = (evaluate_matrix(f, here)[:, 0] for f in (first, second))
    expected = evaluate_matrix(slopes[1], here) @ a - evaluate_matrix(slopes[0], here) @ b
    assert np.max(np.abs(evaluate_matrix(lead, here)[:, 0] - expected)) < 1e-12


@pytest.mark.parametrize("name", ["Engel", "vertical disk", "rolling ball, body rates", "car with trailer", "Cartan"])
def test_brackets_by_numbers_agree_with_symbolic_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    distribution, expected = PLAIN[name]
    monkeypatch.setattr(flag_module, "NODES", 0)
    found = growth_flag(distribution)
    assert len(found.steps) == 1  # no symbolic bracket was made
    assert (found.dimensions, found.complete) == (expected, True)


def test_a_bracket_by_numbers_has_the_symbolic_one_s_components() -> None:
    frame = SO3("R") * Euclidean("x")
    one, two, three = (
        tuple(map(se.sympify, f))
        for f in (("R11", "x", "R23", "R31*x"), ("x**2", "R22", "1", "R12"), ("R13", "R21*x", "x", "1"))
    )
    here = sample(frame, 4)
    series = frame_series(frame, [one, two, three], NumericPlace({se.Symbol(n): e for n, e in here.items()}), 2)
    lead = series.bracket(series.fields[0], series.fields[1], 1)
    again = series.bracket(series.fields[2], lead, 0)
    symbolic = lie_bracket(frame, one, two)
    expected = evaluate_matrix([symbolic, lie_bracket(frame, three, symbolic)], here)
    assert np.max(np.abs(np.array([lead[:, 0], again[:, 0]]) - expected)) < 1e-12


def test_a_flag_that_is_not_followed_to_its_end_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flag_module, "NODES", 0)
    monkeypatch.setattr(lie_words, "PAIRS", 0)
    found = growth_flag(PLAIN["Engel"][0])
    assert (found.dimensions, found.complete) == ((2,), False)


@pytest.mark.parametrize("name", [n for n, (d, g) in PLAIN.items() if d.frame.coordinates and g[0] > 0])
def test_adapted_frame_starts_with_the_distribution_and_keeps_its_laws(name: str) -> None:
    distribution, expected = PLAIN[name]
    frame = adapted_frame(distribution)
    m = expected[0]
    rows = annihilator(distribution)
    assert frame.relative is not None
    for here in configurations(distribution, count=2):
        change = evaluate_matrix(frame.relative[1], here)
        assert np.linalg.cond(change) < 50
        if rows:
            assert np.max(np.abs(evaluate_matrix(rows, here) @ change[:, :m])) < 1e-12
    assert frame.velocities[m:] == tuple(f"slip{k + 1}" for k in range(frame.size - m))
    assert max((abs(v) for v in jacobi_defect(frame).values()), default=0.0) < 1e-9
    check_frame(frame)


def test_adapted_frame_chooses_its_pivot_where_it_is_asked_to() -> None:
    sleigh = PLAIN["Chaplygin sleigh"][0]
    assert adapted_frame(sleigh, {"th": 0.01}).velocities == ("thdot", "xdot", "slip1")
    assert adapted_frame(sleigh, {"th": pi / 2 - 0.01}).velocities == ("thdot", "ydot", "slip1")


def test_adapted_frame_of_fields_keeps_them_and_completes_them_well() -> None:
    field = ["1", "1000", "0"]
    frame = adapted_frame(Distribution(Euclidean("x y z"), fields=[field]))
    assert transpose(frame.anchor)[0] == (1, 1000, 0)
    assert transpose(frame.anchor)[1:] == ((1, 0, 0), (0, 0, 1))  # not ∂y, which is almost in the field's direction
    assert frame.velocities == ("z1", "slip1", "slip2")


def test_adapted_frame_avoids_names_in_use() -> None:
    frame = adapted_frame(Distribution(Euclidean("z1 slip1"), fields=[["1", "z1"]]))
    assert len({*frame.velocities, *frame.coordinates}) == 4


def test_rank_at_a_singular_configuration() -> None:
    circles = Distribution(Euclidean("x y"), rows=[["x", "y"]])
    assert (rank(circles), rank(circles, {"x": 0, "y": 0}), rank(circles, {"x": 0, "y": 1})) == (1, 2, 1)
    fields = Distribution(Euclidean("x y"), fields=[["x", "y"], ["-y", "x"]])
    assert (rank(fields), rank(fields, {"x": 0, "y": 0})) == (2, 0)


def test_span_where_the_rows_are_dependent_is_a_clear_error() -> None:
    pair = Distribution(Euclidean("x y z"), rows=[["1", "0", "0"], ["1", "x", "0"]])
    assert len(span(pair, {"x": 0.5, "y": 0, "z": 0})) == 1
    with pytest.raises(ModelError, match=r"singular here.*another configuration"):
        span(pair, {"x": 0.0, "y": 0, "z": 0})


def test_redundant_rows_are_named() -> None:
    rows = [["1", "0", "y"], ["x", "0", "x*y"], ["0", "1", "0"], ["cos(x)", "1", "cos(x)*y"]]
    assert redundant(Distribution(Euclidean("x y z"), rows=rows)) == (1, 3)


def test_dependence_that_only_an_identity_shows() -> None:
    rows = [["cos(x)**2 + sin(x)**2", "tan(y)"], ["cos(y)", "sin(y)"]]
    assert rank(Distribution(Euclidean("x y"), rows=rows)) == 1


def test_small_brackets_are_not_taken_for_zero() -> None:
    # a wheel of a tenth of a millimetre: brackets of size 1e-4, 1e-8 beside fields of size one
    rows = [[1, 0, 0, "-1/10000*cos(phi)"], [0, 1, 0, "-1/10000*sin(phi)"]]
    assert growth_vector(Distribution(Euclidean("x y phi theta"), rows=rows)) == (2, 3, 4)
    twice = [[1, 0, 0, "-cos(phi/10000)"], [0, 1, 0, "-sin(phi/10000)"]]
    assert growth_vector(Distribution(Euclidean("x y phi theta"), rows=twice)) == (2, 3, 4)


def test_rows_that_differ_little_are_not_taken_for_dependent() -> None:
    assert rank(Distribution(Euclidean("x y"), rows=[[1, 0], [1, "1/100000"]])) == 0


def test_rounding_errors_are_not_taken_for_brackets() -> None:
    # (x+y)^9 multiplied out: the difference of two large equal sums
    x, y = se.symbols("x y")
    zero = ((x + y) ** 9).expand() - (x + y) ** 9
    assert growth_vector(Distribution(Euclidean("x y z"), rows=[[zero + y, x, -1]])) == (2,)


ENTRIES = ["0", "1", "-1", "x", "y", "z", "cos(x)", "sin(y)", "x*z", "y**2"]


@settings(max_examples=25, deadline=None)
@given(
    rows=st.lists(st.lists(st.sampled_from(ENTRIES), min_size=4, max_size=4), min_size=1, max_size=2),
    mix=st.lists(st.sampled_from(["x", "y", "sin(z)", "w", "0"]), min_size=2, max_size=2),
    scale=st.sampled_from(["exp(x)", "1 + y**2", "-3", "2 + cos(w)"]),
    below=st.lists(st.sampled_from(["0", "x", "cos(y)", "z*w"]), min_size=6, max_size=6),
)
def test_growth_does_not_depend_on_the_rows_or_on_the_frame(
    rows: list[list[str]], mix: list[str], scale: str, below: list[str]
) -> None:
    plain = Euclidean("x y z w")
    first = Distribution(plain, rows=rows)
    table = [list(row) for row in first.rows]
    a, b, factor = (se.sympify(e) for e in (*mix, scale))
    table[0] = [factor * e for e in table[0]]
    if len(table) == 2:  # row operations with functions, of determinant one
        table[1] = [p + a * q for p, q in zip(table[1], table[0])]
        table[0] = [p + b * q for p, q in zip(table[0], table[1])]
    other = Distribution(plain, rows=table)
    assert rank(other) == rank(first)
    assert growth_vector(other) == growth_vector(first)
    matrix = [["1", *below[:3]], ["0", "1", *below[3:5]], ["0", "0", "1", below[5]], ["0", "0", "0", "1"]]
    bent = change_frame(plain, matrix, "p q r s")
    turned = Distribution(bent, rows=multiply(first.rows, bent.relative[1]))
    assert growth_vector(turned) == growth_vector(first)


def test_growth_does_not_depend_on_the_coordinates() -> None:
    # the vertical disk with its plane in polar coordinates, and by SE(2) body velocities
    polar = Distribution(
        Euclidean("rho al phi theta"),
        rows=[[1, 0, 0, "-R*cos(phi - al)"], [0, "rho", 0, "-R*sin(phi - al)"]],
        parameters="R",
    )
    body = Distribution(SE2() * Euclidean("psi"), rows=[[0, 1, 0, "-R"], [0, 0, 1, 0]], parameters="R")
    forms = {"w": "phidot", "u": "xdot*cos(phi) + ydot*sin(phi)", "s": "ydot*cos(phi) - xdot*sin(phi)"}
    frame = frame_of_forms("phi x y", forms) * Euclidean("psi")
    quasi = Distribution(frame, rows=[[0, 1, 0, "-R"], [0, 0, 1, 0]], parameters="R")
    assert growth_vector(polar) == growth_vector(body) == growth_vector(quasi) == (2, 3, 4)


@pytest.mark.parametrize(
    ("given_", "message"),
    [
        ({}, "one of the two"),
        ({"rows": [["1", "0"]], "fields": [["1", "0"]]}, "one of the two"),
        ({"rows": [["1", "0", "0"]]}, r"3 entries where the 2 velocities"),
        ({"rows": [["1", "q"]]}, "unknown name"),
    ],
)
def test_bad_distributions_are_refused(given_: dict[str, object], message: str) -> None:
    with pytest.raises((ModelError, ValueError), match=message):
        Distribution(Euclidean("x y"), **given_)


def test_a_distribution_that_is_nowhere_finite_is_refused() -> None:
    with pytest.raises(ModelError, match="not finite"):
        rank(Distribution(Euclidean("x y"), rows=[["log(-1 - x**2)", "1"]]))


def test_a_sample_near_a_singular_configuration_adds_no_dimension() -> None:
    """z + 2w is constant; at one of the random configurations the fields are parallel to 1e-5, their brackets again."""
    plain = Euclidean("x y z w")
    first = Distribution(plain, rows=[["z", "y", "0", "-1"], ["z", "y", "1", "1"]])
    matrix = [["1", "0", "x", "cos(y)"], ["0", "1", "x", "z*w"], ["0", "0", "1", "cos(y)"], ["0", "0", "0", "1"]]
    bent = change_frame(plain, matrix, "p q r s")
    assert growth_vector(Distribution(bent, rows=multiply(first.rows, bent.relative[1]))) == (2, 3)


def test_a_residual_is_expanded_once_for_all_its_symbols(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, z, w = se.symbols("x y z w")
    residuals = [x**3 + y * w + z**3 - 2, (x + z) ** 3 * w + (1 + z**2) * y - 3]
    expanded: list[se.Basic] = []
    monkeypatch.setattr(random_configurations, "expand", lambda e: expanded.append(e) or expand(e))
    found = [random_configurations._eliminated(residuals, [x, y, z, w]) for _ in range(2)]
    assert len(expanded) == 2 and found[0] == found[1]
    simpler, ((symbol, value),), left = found[0]
    assert symbol not in left and expand(residuals[1].xreplace({symbol: value})) == 0
    assert simpler == [residuals[0].xreplace({symbol: value})]
