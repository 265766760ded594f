"""Growth vectors by exact arithmetic: against brackets written out, and vectors of the literature."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.calculus import symbol
from nonholo.algebra.prime.power_series import ExactPlace
from nonholo.algebra.prime.random_points import Points
from nonholo.geometry.distributions.flag import lie_bracket
from nonholo.geometry.distributions.lie_words import flag_dimensions, frame_series
from nonholo.geometry.distributions.norm_roots import repeated
from nonholo.geometry.distributions.random_configurations import place_groups, put_on
from nonholo.geometry.frames.frame import Euclidean


def test_a_bracket_of_three_is_the_one_written_out_on_a_frame_that_does_not_commute() -> None:
    frame = nh.SO3("R") * nh.Euclidean("x y")
    x, y, r = se.symbols("x y R31")
    fields = [
        (x, 1 + y**2, r, se.Integer(1), se.sin(x)),
        (se.Integer(1), r * x, se.cos(y), x * y, r),
        (y, se.Integer(0), 1 / (2 + x), r**2, se.sqrt(1 + y**2)),
    ]
    points = Points(12, 3)
    place_groups(points, frame)
    place = ExactPlace(points)
    inner = lie_bracket(frame, fields[1], fields[2])
    expected = lie_bracket(frame, fields[0], inner)
    place.prepare([*inner, *expected, *(e for f in fields for e in f)])
    series = frame_series(frame, fields, place, 2)
    one, two, three = series.fields
    second = series.bracket(two, three, 1)
    third = series.bracket(one, second, 0)
    assert [int(e) for e in second[:, 0]] == [place.value(e) for e in inner]
    assert [int(e) for e in third[:, 0]] == [place.value(e) for e in expected]
    assert np.any(third)


@pytest.mark.parametrize(
    "names, fields, most, growth",
    [
        ("x y th ph", [("cos(th)", "sin(th)", "tan(ph)/2", "0"), ("0", "0", "0", "1")], 4, (2, 3, 4)),  # a car
        ("x y z w", [("1", "0", "0", "0"), ("0", "1", "x", "x**2/2")], 4, (2, 3, 4)),  # Engel
        ("x y z", [("1", "0", "0"), ("0", "1", "0")], 3, (2,)),
        ("x y z u v", [("1", "0", "0", "0", "0"), ("0", "1", "x", "x**2/2", "x*y")], 5, (2, 3, 5)),  # Cartan
    ],
)
def test_growth_vectors_of_the_literature(names: str, fields: list, most: int, growth: tuple[int, ...]) -> None:
    table = [tuple(se.sympify(e) for e in f) for f in fields]
    assert flag_dimensions(Euclidean(names), table, most) == (growth, True)


def test_no_residual_is_solved_for_a_symbol_that_cancels() -> None:
    x, z, r, w, k = map(symbol, ("x", "z", "r", "w", "k"))
    residuals = [z + k * x + se.sin(r) - se.sin(w), z + k * x - se.sin(r) + se.sin(w)]
    points = Points(40, 7)
    put_on(points, residuals, [x, z, r, w])
    assert points.good.sum() > 8  # half of the points have a root
    for value in points.values([*residuals, z + k * x, se.sin(r) - se.sin(w)]):
        assert not value[points.good].any()


@pytest.mark.parametrize("text", ["x**2*y + sqrt(x**2 + y)*k", "x*cos(y + t) + k*exp(x)*sin(2*y)", "besselj(1, k)*x + sin(y)/x"])
def test_points_several_times_over_are_the_same_points_with_other_numbers(text: str) -> None:
    x, y = se.symbols("x y")
    whole = se.sympify(text)
    points = Points(7, 11)
    points.value(whole)
    many = repeated(points, {x: np.repeat([0, 3, -2], 7)}, {})
    found = many.value(whole).reshape(3, 7), many.good.reshape(3, 7)
    for k, number in enumerate((0, 3, -2)):
        alone = points.copy_with({x: np.full(7, number)})
        assert np.array_equal(found[0][k], alone.value(whole)) and np.array_equal(found[1][k], alone.good)
    turned = repeated(points, {}, {y: (np.repeat([0, 3], 7), np.repeat([1, 7], 7))})
    circles = turned.value(whole).reshape(2, 7)
    for k, pair in enumerate(((0, 1), (3, 7))):
        alone = points.copy_with({}, {y: tuple(np.full(7, e) for e in pair)})
        assert np.array_equal(circles[k], alone.value(whole))
