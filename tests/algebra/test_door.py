"""The door: every kind of value a user may give, and the names of a model."""

from __future__ import annotations

import subprocess
import sys
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import symengine as se
import sympy
from sympy.physics.mechanics import ReferenceFrame, dynamicsymbols

from nonholo.errors import ModelError, ParseError
from nonholo.notation.parse import parse
from nonholo.notation.read import check_clashes, expression, names_of

NAMES = ("x", "y", "xdot", "ydot", "m", "theta")
t = dynamicsymbols._t
X, Y = dynamicsymbols("x y")
XD = dynamicsymbols("x", 1)
x, y, m = sympy.symbols("x y m")
positive = sympy.Symbol("x", positive=True)
sx, sy, sxdot, sm = (se.Symbol(n) for n in ("x", "y", "xdot", "m"))


@pytest.mark.parametrize(
    "value, text",
    [
        ("m*xdot**2/2", "m*xdot**2/2"),
        (m * XD**2 / 2, "m*xdot**2/2"),
        (m * X.diff(t) * Y.diff(t), "m*xdot*ydot"),
        (sympy.Derivative(sympy.sin(X) * Y, t), "cos(x)*xdot*y + sin(x)*ydot"),
        (positive**2 + sympy.Symbol("y", real=True), "x**2 + y"),
        (sympy.Dummy("x") + 1, "x + 1"),
        (X + x, "2*x"),
        (positive * x * sympy.Dummy("x") * X, "x**4"),
        (sympy.Abs(X) + sympy.sign(Y), "Abs(x) + sign(y)"),
        (sympy.atan2(Y, X), "atan2(y, x)"),
        (sympy.exp(-X) + sympy.log(Y), "exp(-x) + log(y)"),
        (sympy.Max(X, 2, Y), "Max(x, 2, y)"),
        (sympy.floor(X) * sympy.cot(Y), "floor(x)*cot(y)"),
        (sympy.Piecewise((X, X < 1), (XD, True)), "Piecewise((x, x < 1), (xdot, True))"),
        (sympy.Piecewise((1, (x < 1) & (y > 2)), (2, True)), "Piecewise((1, x < 1 and y > 2), (2, True))"),
        (sympy.Heaviside(X - 1) * XD, "xdot*Piecewise((0, x < 1), (1, x > 1), (1/2, True))"),
        (sympy.sqrt(2) * sympy.pi * x / 3, "sqrt(2)*pi*x/3"),
        (sympy.Rational(1, 3), "1/3"),
        (sympy.Float(0.1) * x, "0.1*x"),
        (sympy.Float("0.1", 40) * x, "0.1*x"),
        (sx * sm, "x*m"),
        (se.Dummy("x") * 2, "2*x"),
        (se.Function("x")(se.Symbol("t")), "x"),
        (se.Function("x")(se.Symbol("t")).diff(se.Symbol("t")) * sm, "m*xdot"),
        (3, "3"),
        (-0.1, "-0.1"),
        (Fraction(-2, 6), "-1/3"),
        (np.int64(7), "7"),
        (np.float64(0.1), "0.1"),
        (np.float32(0.5), "0.5"),
        (np.array(2.5), "2.5"),
    ],
    ids=str,
)
def test_every_kind_of_value_means_what_its_text_means(value: object, text: str) -> None:
    assert expression(value, NAMES, "lagrangian") == parse(text, NAMES)


A, B, C = dynamicsymbols("x y theta")
RICH = [
    sympy.sin(A) * sympy.cos(B - C) + sympy.tanh(A * B),
    sympy.sqrt(A**2 + B**2 + 1) / (C**2 + 1) - sympy.pi * A,
    sympy.Piecewise((A * B, sympy.And(A < B, C > 0)), (C**3, sympy.Or(A < 0, B < 0)), (sympy.exp(A), True)),
    sympy.Abs(A - B) ** sympy.Rational(3, 2) + sympy.Max(A, B, C) - sympy.Min(A, 1),
    sympy.Heaviside(A) + 2 * sympy.Heaviside(B - C) + sympy.sign(C) + sympy.floor(3 * A),
    sympy.atan2(A, B) + sympy.asinh(C) + sympy.acos(sympy.tanh(A)),
]


@pytest.mark.parametrize("original", RICH, ids=lambda e: str(e)[:30])
def test_numbers_at_random_points_are_sympys(original: Any) -> None:
    found = expression(original, ("x", "y", "theta"), "test")
    compiled = se.Lambdify([se.Symbol(n) for n in ("x", "y", "theta")], [found], backend="llvm")
    for values in np.random.default_rng(20).uniform(-3, 3, size=(12, 3)):
        point = {f: sympy.Float(float(v), 30) for f, v in zip((A, B, C), values, strict=True)}
        expected = float(original.subs(point).evalf(20))
        assert float(np.ravel(compiled(values))[0]) == pytest.approx(expected, rel=1e-13, abs=1e-13)


@pytest.mark.parametrize(
    "value, words",
    [
        (True, "True"),
        (np.bool_(False), "False"),
        (None, "None"),
        ([1, 2], "list"),
        ((1,), "tuple"),
        ({}, "dict"),
        (np.array([1.0, 2.0]), "ndarray"),
        (1j, "complex"),
        (np.complex128(1), "complex"),
        (float("nan"), "finite"),
        (float("-inf"), "finite"),
        (np.float64("inf"), "finite"),
        (Decimal("1.5"), "Decimal"),
        (object(), "object"),
        (lambda: 1, "function"),
        (dynamicsymbols("x", 2), "order 2"),
        (m * X.diff(t, 2), "order 2"),
        (sympy.Derivative(X, x), "not a derivative by time"),
        (sympy.Function("f")(x, Y), "function of time alone"),
        (sympy.Function("y")(2 * t), "function of time alone"),
        (X + sympy.Function("y")(sympy.Symbol("s")), "time needs one symbol"),
        (X + t, "unknown name 't'"),
        (sympy.Symbol("thet"), "did you mean 'theta'?"),
        (se.Symbol("thetta"), "did you mean 'theta'?"),
        (sympy.Symbol("x y"), "unknown name 'x y'"),
        (sympy.oo * x, "finite"),
        (sympy.nan, "finite"),
        (sympy.zoo, "finite"),
        (sympy.I * x, "finite real"),
        (sympy.sqrt(-2) * x, "finite real"),
        (sympy.asin(2) * x, "asin(2) is not a finite real number"),
        (se.log(-sx * 0 - 2), "finite real"),
        (se.atan2(0, 0) + sx, "finite real"),
        (se.oo, "finite"),
        (sympy.Eq(x, 1), "left - right"),
        (se.Eq(sx, sy), "left - right"),
        (x < 1, "x < 1"),
        (sx < 1, "x < 1"),
        (sympy.true, "True"),
        (sympy.Matrix([1]), "Matrix"),
        (sympy.MatrixSymbol("A", 2, 2), "A"),
        (sympy.MatrixSymbol("A", 2, 2)[0, 0], "A[0, 0]"),
        (ReferenceFrame("N").x, "Vector"),
        (sympy.besselj(1, x), "besselj"),
        (sympy.Mod(x, 2), "Mod"),
        (sympy.re(x), "re"),
        (sympy.Integral(x, (x, 0, y)), "Integral"),
        (sympy.GoldenRatio, "GoldenRatio"),
        (se.gamma(sx), "gamma"),
        (sympy.Piecewise((x, x < 1)), "(value, True)"),
        (se.Piecewise((sx, sx < 1)), "(value, True)"),
        (sympy.Function("x"), "UndefinedFunction"),
        ("x.__class__", "unexpected '.'"),
    ],
)
def test_what_is_not_an_expression_is_one_clear_error(value: object, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        expression(value, NAMES, "force on x")
    assert str(caught.value).startswith("force on x: ")
    assert words in str(caught.value)
    assert len(str(caught.value)) < 400


def test_functions_of_time_are_refused_where_symbols_are_meant() -> None:
    assert expression(x, NAMES, "profile", functions_of_time=False) == sx
    with pytest.raises(ParseError, match=r"found the function x\(t\)"):
        expression(X, NAMES, "profile", functions_of_time=False)


@pytest.mark.parametrize("value", ["sign(sqrt(-x))", "sign((-x)**y)", sympy.sign(sympy.sqrt(-x)), sympy.sign((-x) ** y)])
def test_signs_that_symengine_seeks_for_ever_are_written_by_pieces(value: object) -> None:
    found = expression(value, NAMES, "force")
    compiled = se.Lambdify([sx, sy], [found], backend="llvm")
    assert [float(np.ravel(compiled([v, 2.0]))[0]) for v in (-2.0, 0.0)] == [1.0, 0.0]


def test_text_and_numbers_do_not_load_sympy() -> None:
    program = (
        "import sys; from nonholo.notation.read import expression, names_of;"
        "expression('log(x, 10) + atan2(x, 2) + sign(x)', names_of('x y', 'names'), 'test'); expression(2.5, [], 'test');"
        "sys.exit('sympy' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


@pytest.mark.parametrize(
    "value, names",
    [
        ("theta x y", ("theta", "x", "y")),
        ("theta, x,y", ("theta", "x", "y")),
        ("  theta\n x", ("theta", "x")),
        ("", ()),
        (None, ()),
        ([], ()),
        (["theta", "x"], ("theta", "x")),
        ([X, Y], ("x", "y")),
        ([XD], ("xdot",)),
        (X, ("x",)),
        (positive, ("x",)),
        (sympy.symbols("q1:4"), ("q1", "q2", "q3")),
        (sympy.Matrix([X, Y]), ("x", "y")),
        ((sx, "y", se.Function("z")(se.Symbol("t"))), ("x", "y", "z")),
        ("θ ϕ", ("θ", "φ")),
        ("I S N beta", ("I", "S", "N", "beta")),
    ],
    ids=str,
)
def test_names_by_text_or_symbols(value: object, names: tuple[str, ...]) -> None:
    assert names_of(value, "coordinates") == names


@pytest.mark.parametrize(
    "value, words",
    [
        ("x y x", "'x' appears twice"),
        ([X, "x"], "'x' appears twice"),
        ("lambda", "lam"),
        ("x None", "word of Python"),
        ("2x", "not a name"),
        ("x-y", "not a name"),
        (["x y"], "not a name"),
        ("x.y", "not a name"),
        ("sin", "function or constant"),
        ("Piecewise", "function or constant"),
        ("pi", "function or constant"),
        ("E", "function or constant"),
        ("__x", "two underscores"),
        ([1], "found 1 (int)"),
        (3, "found 3 (int)"),
        ({"x": 1}, "dict"),
        ([x + y], "x + y"),
        ([""], "not a name"),
    ],
    ids=str,
)
def test_bad_names_are_one_clear_error(value: object, words: str) -> None:
    with pytest.raises(ModelError) as caught:
        names_of(value, "parameters")
    assert str(caught.value).startswith("parameters: ")
    assert words in str(caught.value)


@pytest.mark.parametrize(
    "groups, message",
    [
        (
            {"coordinates": ["x"], "parameters": ["xdot"]},
            "the parameter 'xdot' is also the rate of the coordinate 'x'; rename one",
        ),
        (
            {"coordinates": ["x"], "rates": ["xdot"], "quasi-velocities": ["xdot"]},
            "the quasi-velocity 'xdot' is also the rate of the coordinate 'x'; rename one",
        ),
        (
            {"coordinates": ["x", "xdot"]},
            "the coordinate 'xdot' is also the rate of the coordinate 'x'; rename one",
        ),
        ({"parameters": ["a"], "coordinates": ["a"]}, "the parameter 'a' is also a coordinate; rename one"),
        ({"parameters": ["a"], "inputs": ["b", "a"]}, "the input 'a' is also a parameter; rename one"),
        ({"time": ["t"], "parameters": ["t"]}, "the parameter 't' is also the time; rename one"),
        (
            {"coordinates": ["x", "x"]},
            "the coordinate 'x' appears twice among the coordinates; every name must be different",
        ),
    ],
)
def test_clashing_names_are_told_with_both_their_groups(groups: dict[str, list[str]], message: str) -> None:
    with pytest.raises(ModelError) as caught:
        check_clashes(groups)
    assert str(caught.value) == message


def test_names_that_do_not_clash_pass() -> None:
    check_clashes({"coordinates": ["x", "y"], "rates": ["xdot", "ydot"], "parameters": ["m"], "inputs": ["zdot"]})
