"""Involutive distributions and the functions that are constant along them."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from nonholo.geometry.distributions.distribution import (
    Distribution,
    annihilates,
    frobenius,
    growth_vector,
    with_time,
)
from nonholo.geometry.frames.frame import Euclidean
from nonholo.geometry.groups.matrix_groups import Quaternion
from tests.geometry.test_distribution import PLAIN


def test_contact_form_is_not_involutive_and_says_which_fields() -> None:
    finding = frobenius(PLAIN["contact form"][0])
    assert finding.verdict == "fails"
    assert "fields 1 and 2" in finding.evidence


@pytest.mark.parametrize(
    ("rows", "functions"),
    [
        ([["x", "y", "0"]], ("x**2 + y**2", "sqrt(x**2 + y**2 + 3)")),
        ([["y", "x", "-1"]], ("z - x*y",)),
        ([["1", "0", "0"], ["0", "0", "1"]], ("x + z", "x*z")),
    ],
)
def test_functions_constant_along_a_distribution(rows: list[list[str]], functions: tuple[str, ...]) -> None:
    distribution = Distribution(Euclidean("x y z"), rows=rows)
    for text in functions:
        assert annihilates(distribution, se.sympify(text)) < 1e-14
        assert annihilates(distribution, se.sympify(text) + se.Symbol("y") ** 3) > 1e-3


def test_relations_of_redundant_coordinates_are_no_integrals() -> None:
    distribution = Distribution(Quaternion("q"), rows=[[1, 0, 0]])
    assert annihilates(distribution, se.sympify("q0**2 + q1**2 + q2**2 + q3**2")) == np.inf


def test_affine_constraints_on_configurations_and_time() -> None:
    # xdot = t is holonomic (x − t²/2), zdot = y xdot + 1 is not
    frame = with_time(Euclidean("x y z"))
    assert growth_vector(Distribution(frame, rows=[[1, 0, 0, "-t"]])) == (3,)
    assert growth_vector(Distribution(frame, rows=[["-y", 0, 1, -1]])) == (3, 4)


def test_inputs_are_functions_of_time() -> None:
    # xdot = u(t) is holonomic for every u; zdot = u y only if y is a function of time alone, which it is not
    frame = with_time(Euclidean("y z"), ["u"])
    assert growth_vector(Distribution(frame, rows=[[1, 0, "-u"]])) == (2,)
    assert growth_vector(Distribution(frame, rows=[[0, 1, "-u*y"]])) == (2, 3)
