"""Expressions as numbers: both ways to build the function give what Python's own arithmetic gives."""

from __future__ import annotations

import math

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.linear_equations import evaluate
from nonholo.algebra.numeric_functions import numeric_function

X0, X1 = se.symbols("x0 x1")
SHARED = se.sin(X1) * X0 + se.sin(X1) ** 2


@pytest.mark.parametrize("backend", ["lambda", "llvm"])
def test_names_like_symengine_temporaries_are_safe_in_both_backends(backend):
    found = numeric_function([X0, X1], [SHARED, se.sin(X1)], backend)(np.array([[0.4, 1.3], [2.0, -0.7]]))
    wanted = [[math.sin(b) * a + math.sin(b) ** 2, math.sin(b)] for a, b in ((0.4, 1.3), (2.0, -0.7))]
    np.testing.assert_allclose(found, wanted, rtol=1e-15)


def test_a_single_evaluation_does_not_pay_for_machine_code(monkeypatch):
    def refused(*args, **words):
        raise AssertionError("machine code was made")

    exprs = [se.cos(k * X0) * X1**k for k in range(1, 30)]
    monkeypatch.setattr("nonholo.program.machine_code.Table", refused)
    with pytest.raises(AssertionError, match="machine code was made"):
        numeric_function([X0, X1], exprs, "llvm")
    found = evaluate(exprs, {"x0": 0.3, "x1": 1.1})
    np.testing.assert_allclose(found, [math.cos(k * 0.3) * 1.1**k for k in range(1, 30)], rtol=1e-14)
