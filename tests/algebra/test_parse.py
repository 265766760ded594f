"""Text to expressions: right values, and one clear error for everything else."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
import pytest
import symengine as se

from nonholo.errors import ParseError
from nonholo.notation.parse import parse

NAMES = ("x", "y", "theta")
POINT = {"x": 0.37, "y": -1.62, "theta": 2.11}
x, y, theta = POINT["x"], POINT["y"], POINT["theta"]

# Text, and what Python's own arithmetic says it is at POINT, written out by hand.
TABLE = [
    ("x + y*theta - 3", x + y * theta - 3),
    ("x - y - theta", x - y - theta),
    ("x - (y - theta)", x - (y - theta)),
    ("x/y/theta", x / y / theta),
    ("x/y*theta", x / y * theta),
    ("2**3**x", 2 ** (3**x)),
    ("-theta**2", -(theta**2)),
    ("(-theta)**2", theta**2),
    ("theta**-2", 1 / theta**2),
    ("+x - -y", x + y),
    ("2*x**3 - x/4 + 1.5e-1", 2 * x**3 - x / 4 + 0.15),
    ("sin(x)*cos(y) + tan(theta)", math.sin(x) * math.cos(y) + math.tan(theta)),
    ("cot(x)", math.cos(x) / math.sin(x)),
    ("sec(x)", 1 / math.cos(x)),
    ("csc(x)", 1 / math.sin(x)),
    ("asin(x)", math.asin(x)),
    ("acos(x)", math.acos(x)),
    ("atan(y)", math.atan(y)),
    ("atan2(y, x)", math.atan2(y, x)),
    ("atan2(x, y)", math.atan2(x, y)),
    ("atan2(y, y)", math.atan2(y, y)),
    ("atan2(0, y)", math.atan2(0, y)),
    ("atan2(x, 0)", math.atan2(x, 0)),
    ("sinh(x)", math.sinh(x)),
    ("cosh(y)", math.cosh(y)),
    ("tanh(theta)", math.tanh(theta)),
    ("coth(x)", math.cosh(x) / math.sinh(x)),
    ("sech(x)", 1 / math.cosh(x)),
    ("csch(x)", 1 / math.sinh(x)),
    ("asinh(y)", math.asinh(y)),
    ("acosh(theta)", math.acosh(theta)),
    ("atanh(x)", math.atanh(x)),
    ("exp(y)", math.exp(y)),
    ("log(theta)", math.log(theta)),
    ("ln(theta)", math.log(theta)),
    ("log(theta, 10)", math.log10(theta)),
    ("sqrt(theta)", math.sqrt(theta)),
    ("Abs(y) + abs(x)", abs(y) + abs(x)),
    ("sign(y)", -1.0),
    ("floor(y) + 10*ceiling(y)", -2 - 10),
    ("Max(x, y, 1/4)", max(x, y, 0.25)),
    ("min(x, y, -3)", -3.0),
    ("Heaviside(x) + 10*Heaviside(y) + 100*Heaviside(x - x)", 51.0),
    ("pi*E", math.pi * math.e),
    ("Piecewise((x, x < y), (theta, True))", theta),
    ("atan2(1, -2)", math.atan2(1, -2)),
    ("atan2(-1, -2) + atan2(-sqrt(2), 2.5)", math.atan2(-1, -2) + math.atan2(-math.sqrt(2), 2.5)),
    ("atan2(pi, 0) + 3*atan2(-pi, 0)", -math.pi),
    ("cos(atan2(3, -4))", -0.8),
    ("sign(-pi)*3 + sign(sqrt(2) - 1)", -2.0),
    ("Piecewise((1, x < 0 or y < 0), (2, True))", 1.0),
    ("Piecewise((1, (x < 0) | (y < 0)), (2, True))", 1.0),
    ("Piecewise((1, Or(x < 0, y < 0)), (2, True))", 1.0),
    ("Piecewise((1, x > 0 and y > 0), (2, True))", 2.0),
    ("Piecewise((1, x > 1), (2, 0 < x <= 1), (3, True))", 2.0),
    ("Piecewise((1, x < 0 or y >= 0), (2, not (x == y) and x != 1), (3, True))", 2.0),
    ("Piecewise((1, (x < 0) | (y >= 0)), (2, ~Eq(x, y) & Ne(x, 1)), (3, True))", 2.0),
    ("Piecewise((1, And(x > 0, y > 0)), (2, Or(x > 9, Not(y > 0))), (3, True))", 2.0),
    ("x\n  + y\n\t* theta", x + y * theta),
]


@pytest.mark.parametrize("text, value", TABLE, ids=[t for t, _ in TABLE])
def test_value_is_that_of_pythons_arithmetic(text: str, value: float) -> None:
    expr = parse(text, NAMES)
    compiled = se.Lambdify([se.Symbol(n) for n in NAMES], [expr], backend="llvm")
    found = float(np.ravel(compiled([POINT[n] for n in NAMES]))[0])
    assert found == pytest.approx(value, rel=4e-15, abs=4e-15)


@pytest.mark.parametrize("at_zero, value", [(-1e-300, 0.0), (0.0, 0.5), (1e-300, 1.0)])
def test_heaviside_steps_at_zero(at_zero: float, value: float) -> None:
    compiled = se.Lambdify([se.Symbol("x")], [parse("Heaviside(x)", ["x"])], backend="llvm")
    assert float(np.ravel(compiled([at_zero]))[0]) == value


@pytest.mark.parametrize(
    "text, value",
    [
        ("1/3 + 1/6", Fraction(1, 2)),
        ("2**-3*7", Fraction(7, 8)),
        ("(3/4)**2", Fraction(9, 16)),
        ("123456789012345678901234567890*2", Fraction(246913578024691357802469135780)),
        ("1_000/3", Fraction(1000, 3)),
    ],
)
def test_integers_stay_exact(text: str, value: Fraction) -> None:
    assert parse(text, ()) == se.Integer(value.numerator) / se.Integer(value.denominator)


@pytest.mark.parametrize("text", ["0.1", "1e-7", ".5", "5.", "1.7976931348623157e308", "5e-324", "0.30000000000000004"])
def test_decimals_are_doubles_to_the_last_bit(text: str) -> None:
    found = parse(text, ())
    assert isinstance(found, se.RealDouble)
    assert float(found) == float(text)


def test_negative_double_to_a_whole_double_power_is_real() -> None:
    assert float(parse("(-2.0)**2.0", ())) == 4.0
    assert float(parse("(-2)**3.0", ())) == -8.0


def test_long_sums_and_products_are_read() -> None:
    terms = [f"{(-1) ** k * (k + 1)}*x" for k in range(5000)]
    assert parse(" + ".join(terms), ["x"]) == -2500 * se.Symbol("x")
    assert parse("sin(" + "+".join(["x*y"] * 5000) + ")**2", ["x", "y"]) == parse("sin(5000*x*y)**2", ["x", "y"])
    assert parse("x*" * 1500 + "x", ["x"]) == se.Symbol("x") ** 1501


def test_long_sums_inside_long_sums_keep_their_signs() -> None:
    inner = "(" + " - ".join(f"x{k}" for k in range(100)) + ")"
    text = " - ".join([f"{k}*{inner}" for k in range(1, 101)])
    names = [f"x{k}" for k in range(100)]
    point = {name: 1.0 / (k + 2) for k, name in enumerate(names)}
    inside = point["x0"] - sum(point[f"x{k}"] for k in range(1, 100))
    expected = inside * (1 - sum(range(2, 101)))
    found = parse(text, names)
    assert float(found.subs({se.Symbol(k): v for k, v in point.items()})) == pytest.approx(expected, rel=1e-13)


def test_greek_letters_and_their_variants_are_names() -> None:
    assert parse("θ*ϕ", ["θ", "φ"]) == se.Symbol("θ") * se.Symbol("φ")


def test_a_declared_name_comes_before_a_constant() -> None:
    assert parse("E*2", ["E"]) == 2 * se.Symbol("E")


LONG = " + ".join(f"x**{k}*(1 + y*x)" for k in range(90))
REPEATING = (
    "(x + y*sin(x))**2 + (x + y*sin(x))*cos(x + y*sin(x)) - 1/(x + y*sin(x))",
    "((x*y + 3)/7)/((x*y + 3)/7 + x) - ((x*y + 3)/7)**(x*y + 3)",
    "Piecewise((sin(x*y)**2, sin(x*y) < (x + y + 1)), (sin(x*y) + (x + y + 1), True))",
    "Max(sin(x*y), cos(x*y)) + atan2(sin(x*y), (x + y)*(x + y)) + Min(sin(x*y), (x + y))",
    "((x + 0.1/0.3)/0.7)*((x + 0.1/0.3)/0.7) + (1e5*x)*(1e5*x)",
    "(((x + y)*(x + y)) + ((x + y)*(x + y)))**(-1)",
    f"({LONG})*(1 + y*x) + ({LONG})",
)


@pytest.mark.parametrize("text", REPEATING)
def test_what_stands_there_twice_is_read_once_and_means_the_same(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from nonholo.notation import parse as module

    short = parse(text, ["x", "y"])
    monkeypatch.setattr(module, "_repeats", lambda *_: {})
    whole = parse(text, ["x", "y"])
    assert short == whole and str(short) == str(whole)


def test_repeated_brackets_are_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    from nonholo.notation import parse as module

    called: list[str] = []
    applied = module.applied
    monkeypatch.setattr(module, "applied", lambda name, v: called.append(name) or applied(name, v))
    assert parse("sin(x + y) * sin(x + y) + 2 * (sin(x + y) - y) + (sin(x + y) - y)**2", ["x", "y"]) != 0
    assert called == ["sin"]


@pytest.mark.parametrize(
    "text", ["(x + teta)*(x + teta)", "sin(x*y, 2) + sin(x*y, 2)", "Not((x + y)) + (x + y)", "(x*y*x)*(x*y*x)/(x - x)"]
)
def test_a_mistake_that_is_repeated_is_told_as_if_it_stood_there_once(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from nonholo.notation import parse as module

    with pytest.raises(ParseError) as short:
        parse(text, ["x", "y", "theta"], "lagrangian")
    monkeypatch.setattr(module, "_repeats", lambda *_: {})
    with pytest.raises(ParseError) as whole:
        parse(text, ["x", "y", "theta"], "lagrangian")
    assert str(short.value) == str(whole.value) and "__" not in str(short.value)
