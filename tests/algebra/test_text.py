"""Expressions to text and back, exactly; and LaTeX as a person writes it."""

from __future__ import annotations

import pytest
import symengine as se
from hypothesis import given, settings
from hypothesis import strategies as st

from nonholo.errors import ModelError, ParseError
from nonholo.notation.functions import FUNCTIONS
from nonholo.notation.latex import to_latex
from nonholo.notation.names import latex_name, notation
from nonholo.notation.parse import parse
from nonholo.notation.write import to_text

NAMES = ("x", "y", "z", "theta")
SYMBOLS = [se.Symbol(n) for n in NAMES]
x, y, z, theta = SYMBOLS

ONE = [name for name, (_, fewest, most) in FUNCTIONS.items() if fewest == most == 1]
EXPONENTS = ["2", "3", "-1", "-2", "(1/2)", "(-1/2)", "(-2/3)", "0.5", "-1.5", "-1.0"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


def leaf(draw: st.DrawFn) -> str:
    kind = draw(st.integers(0, 5))
    if kind <= 1:
        return draw(st.sampled_from(NAMES))
    if kind == 2:
        return draw(st.sampled_from(["pi", "E"]))
    if kind == 3:
        return f"({draw(st.integers(-50, 50))})"
    if kind == 4:
        return f"({draw(st.integers(-30, 30))}/{draw(st.integers(1, 30))})"
    return f"({draw(st.floats(-1e6, 1e6, allow_subnormal=False))!r})"


def tree(draw: st.DrawFn, depth: int) -> str:
    def part() -> str:
        return tree(draw, depth - 1)

    def condition() -> str:
        return f"({part()}) {draw(st.sampled_from(COMPARISONS))} ({part()})"

    if depth == 0:
        return leaf(draw)
    kind = draw(st.integers(0, 8))
    if kind == 0:
        return leaf(draw)
    if kind == 1:
        return f"({part()}) {draw(st.sampled_from('+-*/'))} ({part()})"
    if kind == 2:
        return f"({part()}){draw(st.sampled_from('+-*/'))}({part()}){draw(st.sampled_from('+-*/'))}({part()})"
    if kind == 3:
        return f"({part()})**{draw(st.sampled_from(EXPONENTS))}"
    if kind == 4:
        return f"({part()})**({part()})"
    if kind == 5:
        return f"{draw(st.sampled_from(ONE))}({part()})"
    if kind == 6:
        return f"{draw(st.sampled_from(['atan2', 'Max', 'Min']))}({part()}, {part()})"
    if kind == 7:
        joined = f"({condition()}) {draw(st.sampled_from(['and', 'or']))} not ({condition()})"
        return f"Piecewise(({part()}, {joined}), ({part()}, True))"
    return f"-({part()})"


@st.composite
def texts(draw: st.DrawFn) -> str:
    return tree(draw, draw(st.integers(0, 3)))


@settings(max_examples=300, deadline=None)
@given(texts())
def test_text_of_an_expression_is_read_back_equal(text: str) -> None:
    try:
        expr = parse(text, NAMES)
    except ParseError:  # 1/0, log(-1) and their like: refused before there is anything to write
        return
    written = to_text(expr)
    again = parse(written, NAMES)
    assert again == expr
    assert to_text(again) == written


@settings(max_examples=300, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_doubles_survive_to_the_last_bit(value: float) -> None:
    found = parse(to_text(se.RealDouble(value)), ())
    assert float(found) == value
    if value:
        inside = parse(to_text(se.RealDouble(value) * x + 1), NAMES)
        assert inside == se.RealDouble(value) * x + 1


@pytest.mark.parametrize(
    "expr, text",
    [
        (x - y, "x - y"),
        (-x, "-x"),
        (1 - x, "1 - x"),
        (x / y, "x/y"),
        (2 * x / (3 * y * z), "2*x/(3*y*z)"),
        (1 / x, "1/x"),
        (x**-2, "1/x**2"),
        (x / (y + z), "x/(y + z)"),
        (se.sqrt(x) / 2, "sqrt(x)/2"),
        (1 / se.sqrt(x), "1/sqrt(x)"),
        (x ** se.Rational(2, 3), "x**(2/3)"),
        ((x + y) ** 2 * theta / 2, "theta*(x + y)**2/2"),
        (se.exp(-x), "exp(-x)"),
        (se.Integer(-2) ** x, "(-2)**x"),
        ((x**y) ** z, "(x**y)**z"),
        (x ** (y**z), "x**(y**z)"),
        (se.Abs(x), "Abs(x)"),
        (se.Max(x, y), "Max(x, y)"),
        (se.RealDouble(0.1) + se.RealDouble(0.2), "0.30000000000000004"),
        (se.Piecewise((x, se.Lt(x, y)), (y, True)), "Piecewise((x, x < y), (y, True))"),
        (se.Piecewise((x, se.And(x < y, x < 0)), (y, True)), "Piecewise((x, (x < 0) and (x < y)), (y, True))"),
        (3, "3"),
        (0.5, "0.5"),
    ],
)
def test_text_is_what_a_person_would_write(expr: object, text: str) -> None:
    assert to_text(expr) == text


def test_a_sum_is_written_the_same_whatever_its_order() -> None:
    terms = [x * y, -z / 3, se.sin(theta), se.Integer(2), -(x**2)]
    written = {to_text(sum(terms[k:] + terms[:k], se.Integer(0))) for k in range(5)}
    assert written == {"sin(theta) + x*y + 2 - x**2 - z/3"}


@settings(max_examples=100, deadline=None)
@given(texts())
def test_text_in_the_order_of_a_notation_is_read_back_equal(text: str) -> None:
    try:
        expr = parse(text, NAMES)
    except ParseError:
        return
    assert parse(to_text(expr, notation(("y",), ("theta",), ("x",))), NAMES) == expr


def test_a_notation_orders_factors_and_terms() -> None:
    spelling = notation(("m", "J", "a"), ("theta",), ("omega", "v"))
    expr = parse("-a*m*omega*v*cos(theta) + (a**2*m + J)*omega**2", ["a", "m", "J", "omega", "v", "theta"])
    assert to_text(expr, spelling) == "(J + m*a**2)*omega**2 - m*a*omega*v*cos(theta)"


def test_five_thousand_terms_there_and_back() -> None:
    names = [f"x{k}" for k in range(5000)]
    expr = se.Add(*(se.Symbol(n) * (k + 1) / 7 for k, n in enumerate(names)))
    assert parse(to_text(expr), names) == expr


@pytest.mark.parametrize("expr", [se.oo, se.nan, se.I, se.Function("f")(x), se.Abs(x).diff(x), se.gamma(x), x < y])
def test_what_the_language_lacks_is_refused(expr: object) -> None:
    with pytest.raises(ModelError, match="cannot write"):
        to_text(expr)


@pytest.mark.parametrize(
    "name, latex",
    [
        ("x", "x"),
        ("theta", r"\theta"),
        ("Omega", r"\Omega"),
        ("thetadot", r"\dot{\theta}"),
        ("xddot", r"\ddot{x}"),
        ("x1dot", r"\dot{x}_{1}"),
        ("omega1", r"\omega_{1}"),
        ("lambda1", r"\lambda_{1}"),
        ("lam", r"\lambda"),
        ("R11", "R_{11}"),
        ("I_xx", "I_{xx}"),
        ("p_theta", r"p_{\theta}"),
        ("m_1_c", "m_{1,c}"),
        ("polkadot", r"\mathrm{polkadot}"),
        ("mass", r"\mathrm{mass}"),
        ("θ", r"\theta"),
        ("λ2", r"\lambda_{2}"),
        ("Δ", r"\Delta"),
        ("ddot", r"\dot{d}"),
    ],
)
def test_names_in_latex(name: str, latex: str) -> None:
    assert latex_name(name, rates=["thetadot", "xddot", "x1dot", "ddot"]) == latex


def test_a_name_that_only_looks_like_a_rate_is_left_alone() -> None:
    assert to_latex(se.Symbol("xdot")) == r"\mathrm{xdot}"
    assert to_latex(se.Symbol("xdot"), rates=["xdot"]) == r"\dot{x}"
    assert to_latex(se.Symbol("xdot"), {"xdot": "u"}, rates=["xdot"]) == "u"


def test_latex_of_a_kinetic_energy() -> None:
    expr = parse("m/2*thetadot**2", ["m", "thetadot"])
    assert to_latex(expr, rates=["thetadot"]) == r"\frac{1}{2} m \dot{\theta}^{2}"
