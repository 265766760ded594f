"""Derivatives and substitution keep the graph shared."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.calculus import along, node_count, substitute, symbols
from nonholo.algebra.linear_equations import evaluate
from nonholo.algebra.numeric_functions import private

X, Y, Z, A, B = symbols("xyzab")
VALUES = {"x": 0.7, "y": 1.3, "z": 0.4, "a": -0.6, "b": 1.9}

MANY_KINDS = [
    X * Y**2 - 3 * Z,
    se.sin(X * Y) / (1 + Z**2),
    se.exp(X) ** Y,
    X ** (Y * Z),
    se.sqrt(X + Y) * se.log(Z + X),
    se.atan2(X + Z, Y),
    se.tan(X) * se.tanh(Y) + se.acos(Z) - se.asinh(X),
    se.Piecewise((X**2 * Y, X > Z), (se.cos(Y), True)),
    se.Piecewise((X**2 * Y, X < Z), (se.cos(Y) * X, True)),
    se.Piecewise((X, se.And(X > Z, Y > X)), (Y, True)),
    se.Integer(5),
    B,
]


@pytest.mark.parametrize("expr", MANY_KINDS, ids=str)
def test_derivative_along_a_direction_is_the_sum_of_partial_derivatives_times_components(expr):
    direction = {X: A * B, Y: se.Integer(2), Z: se.sin(B)}
    (found,) = along([expr], direction)
    exact = sum((expr.diff(s) * d for s, d in direction.items()), se.Integer(0))
    assert evaluate([found], VALUES)[0] == pytest.approx(evaluate([exact], VALUES)[0], rel=1e-13, abs=1e-14)


def test_derivative_along_a_direction_is_the_slope_of_the_shifted_expression():
    step = 1e-20
    direction = {"x": 0.3, "y": -1.1, "z": 0.8}
    smooth = MANY_KINDS[:7]
    found = evaluate(along(smooth, {symbol: direction[str(symbol)] for symbol in (X, Y, Z)}), VALUES)
    from sympy import lambdify, sympify

    for expr, slope in zip(smooth, found):
        function = lambdify(["x", "y", "z"], sympify(expr), "numpy")
        shifted = [np.complex128(VALUES[n] + 1j * step * direction[n]) for n in "xyz"]
        if "atan2" in str(expr):
            continue  # NumPy has no complex atan2
        assert slope == pytest.approx(function(*shifted).imag / step, rel=1e-13)


def nested(depth: int) -> list[se.Expr]:
    """Each expression uses the one before it twice: small as a graph, 2^depth as a tree."""
    result = [X]
    for _ in range(depth):
        result.append(se.sin(result[-1]) * Y + se.cos(result[-1]))
    return result


def test_derivatives_and_substitution_of_deep_shared_graphs_grow_like_their_nodes():
    """As trees these would have 2^200 nodes: whoever walks the tree does not come back."""
    deep = nested(200)
    rates = along(deep, {X: A, Y: B})
    moved = substitute([*deep, *rates], {X: X + Z, A: Z})
    _, hidden = private([X, Y, Z, A, B], moved)
    assert node_count(hidden) < 30 * 200


def test_substitution_is_simultaneous_and_keeps_order_and_repeats():
    assert substitute([X, Y, X, se.Integer(2), X * Y], {X: Y, Y: X}) == (Y, X, Y, se.Integer(2), X * Y)
    assert substitute([], {X: Y}) == ()
