"""Hostile, broken and heavy text: one clear error, in time, that names the place."""

from __future__ import annotations

import pytest

from nonholo.errors import ParseError
from nonholo.notation.parse import parse
from tests.algebra.test_parse import NAMES, TABLE

HOSTILE = [
    "__import__('os')",
    "x.__class__",
    "x.real",
    "().__class__.__bases__[0].__subclasses__()",
    "getattr(x, 'y')",
    "eval('1')",
    "open('/etc/passwd')",
    "exec",
    "9**9**9**9",
    "10**(10**8)",
    "(2**1000)**1000",
    "((2**100)**100)**100",
    "(2*x)**(10**8)",
    "(sqrt(2)*x)**1000000",
    "2**y*2**(10**12 - y)",
    "((2**(y + 9999))**9999)**9999",
    "x**(10**30)",
    "2.0**100000",
    "9" * 5000,
    "*".join(["10**300"] * 2000),
    "*".join(["(10**90*x)"] * 2000),
    "*".join(["10**300"] * 14000),
    "+".join(f"1/(10**300 - {k})" for k in range(1, 4500)),
    "1/0",
    "x/(y - y)",
    "x/0.0",
    "0**-1",
    "0.0**-2",
    "1/sin(pi)",
    "log(0)",
    "log(-1)",
    "sqrt(-1)",
    "asin(2)",
    "acosh(0.5)",
    "atanh(1)",
    "tan(pi/2)",
    "(-8)**(1/3)",
    "(-8.0)**0.5",
    "(-1/2)**0.5",
    "atan2(0, 0)",
    "log(x, 1)",
    "log(x, 1.0)",
    "log(x, 0)",
    "log(x, -2)",
    "exp(1000)",
    "1e400",
    "1e-400",
    "1e200*1e200",
    "x*1e200*y*1e200",
    "sin(x/1e-200/1e-200)",
    "1e308*x + 1e308*x",
    "x + 1e308 + 1e308",
    "x*(1e308 + 1e308)",
    "nan",
    "inf",
    "oo",
    "3j",
    "1J",
    "(" * 500_000 + "x" + ")" * 500_000,
    "(" * 1000 + "x" + ")" * 1000,
    "(" * 49_000,
    ")" * 49_000,
    "-" * 1_000_000 + "x",
    "-" * 90_000 + "x",
    "not " * 20_000 + "x",
    "~" * 90_000 + "x",
    "x**" * 30_000 + "x",
    "x*" * 49_000 + "x",
    "x+" * 600_000,
    "x<" * 40_000 + "x",
    "x(" * 200,
    "sin(" * 100,
    "lambda: 1",
    "lambda x: x",
    "[x for x in y]",
    "(x for x in y)",
    "{x}",
    "[x]",
    "x[0]",
    "'text'",
    '"text"',
    "f'{x}'",
    "b'x'",
    "(x := 1)",
    "sin(x=1)",
    "sin(*x)",
    "sin(**x)",
    "*x",
    "x if y else 1",
    "yield x",
    "await x",
    "import os",
    "x; y",
    "x = 1",
    "x == 1",
    "x < 1",
    "x and y",
    "not x",
    "True",
    "None",
    "...",
    "x\0",
    "\0",
    "x\x1b[31m",
    "x # y",
    "x \\\n y",
    "x ^ 2",
    "x % 2",
    "x // 2",
    "x << 2",
    "x >> 2",
    "x @ y",
    "x & y",
    "x -> y",
    "x !",
    "",
    "   \n\t ",
    "x +",
    "x *",
    "* x",
    "x y",
    "2x",
    "2(x)",
    "x(y)",
    "(x)(y)",
    "pi(x)",
    "sin(x)(y)",
    "sin",
    "sin()",
    "sin(x, y)",
    "atan2(x)",
    "Max()",
    "log(x, 2, 3)",
    "sin(,)",
    "sin(x,,y)",
    "(x, y)",
    "x,",
    "()",
    "(x",
    "x)",
    "((x)",
    "012",
    "0x10",
    "1__0",
    "1..2",
    "1.2.3",
    "x²",
    "½",
    "٣",
    "−x",
    "q",
    "sinn(x)",
    "__x__",
    "Piecewise()",
    "Piecewise(x)",
    "Piecewise((x, x < 0))",
    "Piecewise((x, x < 0), (y, y < 0))",
    "Piecewise((x, y), (x, True))",
    "Piecewise((x, 1), (x, True))",
    "Piecewise((x, x + 1), (x, True))",
    "Piecewise((x, sin(x)), (x, True))",
    "Piecewise((x, x < 0, 3), (x, True))",
    "Piecewise((x < 0, x), (x, True))",
    "Piecewise((x, x < 0) if y else 0)",
    "Piecewise((1, x in y), (x, True))",
    "Piecewise((1, x is y), (x, True))",
    "Eq(x, y)",
    "And(x < 1, y < 1)",
    "x\ud800",
]


@pytest.mark.parametrize("text", HOSTILE, ids=lambda t: ascii(t[:30]))
def test_hostile_or_broken_text_is_one_clear_error(text: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text, ["x", "y"], "force on x")
    message = str(caught.value)
    assert message.startswith("force on x: ")
    assert "column" in message
    assert len(message) < 500
    assert caught.value.__cause__ is None or isinstance(caught.value.__cause__, ValueError)


@pytest.mark.parametrize(
    "text",
    [
        "x+" * 49_999 + "x",
        "+".join(f"1/{k}" for k in range(10_007, 29_000, 2)),
        "Max(" + ",".join(f"x*{k}" for k in range(9_000)) + ")",
        "Piecewise((1," + " and ".join(f"x<{k}" for k in range(5_000)) + "),(0,True))",
        "sin(" * 100 + "+".join(["x*y"] * 20_000) + ")" * 100,
        "-" * 100 + "x",
        "(" * 150 + "x" + ")" * 150,
        "9" * 1000,
        "x**" * 200 + "x",
    ],
    ids=lambda t: t[:20],
)
def test_heavy_but_honest_text_is_read(text: str) -> None:
    assert parse(text, ["x", "y"]) is not None


@pytest.mark.parametrize(
    "text, column, words",
    [
        ("sin(teta)", 5, "did you mean 'theta'?"),
        ("x + Theta", 5, "did you mean 'theta'?"),
        ("x + y*sine(x)", 7, "did you mean 'sin'?"),
        ("x + peicewise((1, True))", 5, "did you mean 'Piecewise'?"),
        ("x + q", 5, "known names: x, y, theta"),
        ("x^2", 2, "**"),
        ("x + 1/(y - y)", 8, "division by zero"),
        ("x + 9**9**9", 8, "1000 digits"),
        ("x*(y + theta", 3, "never closed"),
        ("x*y) + theta", 4, "never opened"),
        ("x*y.z", 4, "unexpected '.'"),
        ("x + sqrt(-2)*y", 5, "sqrt(-2) is not a finite real number"),
        ("x + 1e400", 5, "too large"),
        ("x + 1e-400", 5, "too small"),
        ("x + y/0.0", 7, "division by zero"),
        ("0.0**-2 + x", 1, "division by zero"),
        ("x + __y", 5, "two underscores"),
        ("x + ((((((y)))))", 5, "never closed"),
        ("x = y", 3, "left - (right)"),
        ("x + 3 y", 7, "'y' directly after a value"),
        ("theta*lambda", 7, "lam"),
        ("x + y < 3", 1, "condition"),
        ("Piecewise((x, x < 0), (y, y < 0))", 27, "(value, True)"),
        ("θ + x", 1, "unknown name 'θ'"),
        ("x*(y) + sin(x, y)", 9, "sin takes 1 argument, found 2"),
    ],
)
def test_the_error_names_the_column_and_what_to_do(text: str, column: int, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text, NAMES, "lagrangian")
    message = str(caught.value)
    assert f"(at column {column})" in message
    assert words in message
    shown, caret = message.splitlines()[-2:]
    assert shown.strip() == text
    assert caret.index("^") - (len(shown) - len(shown.lstrip())) == column - 1


@pytest.mark.parametrize(
    "text, words",
    [
        ("(" * 151 + "x" + ")" * 151, "brackets nested more than 150 deep (at column 151)"),
        ("-" * 101 + "x", "more than 100 signs in a row (at column 101)"),
        ("x" + " + x" * 25_000, "100001 characters, more than the 100000"),
        ("+".join(f"1/(10**300 - {k})" for k in range(1, 4500)), "too long"),
    ],
    ids=lambda t: t[:20],
)
def test_each_limit_is_named(text: str, words: str) -> None:
    with pytest.raises(ParseError) as caught:
        parse(text, NAMES)
    assert words in str(caught.value)


def test_equal_sums_are_equal_expressions_whatever_road_led_to_them() -> None:
    assert parse("x + y + 0.0", NAMES) == parse("x + y", NAMES)
    assert parse("(pi + 1.0) + (x - 1.0) + y", NAMES) == parse("x + y + pi", NAMES)
    assert parse("cosh(x - (y + theta) - 3)", NAMES) == parse("cosh(3 + (y + theta) - x)", NAMES)
    assert parse("sqrt(7/x)", NAMES) == parse("sqrt(7)*sqrt(1/x)", NAMES)


def test_the_column_counts_letters_not_bytes() -> None:
    with pytest.raises(ParseError, match=r"unknown name 'q'.*\(at column 7\)"):
        parse("θ*θ + q", ["θ"])


def test_the_line_is_named_when_there_are_several() -> None:
    with pytest.raises(ParseError, match=r"\(at line 3, column 3\)"):
        parse("x\n+ y\n- q", NAMES)


@pytest.mark.parametrize("wrong", range(0, 5000, 617))
def test_a_wrong_name_deep_in_a_long_sum_is_found_where_it_stands(wrong: int) -> None:
    terms = ["x*2"] * 5000
    terms[wrong] = "z*2"
    column = wrong * len("x*2 - ") + 1
    with pytest.raises(ParseError, match=rf"unknown name 'z'.*\(at column {column}\)"):
        parse(" - ".join(terms), NAMES)


def test_a_wrong_name_in_a_sum_after_an_inner_long_sum_is_found_where_it_stands() -> None:
    text = "sin(" + " + ".join(["x"] * 300) + ") + zz"
    with pytest.raises(ParseError, match=rf"unknown name 'zz'.*\(at column {text.index('zz') + 1}\)"):
        parse(text, NAMES)


def test_nothing_is_ever_run(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbidden(*_: object, **__: object) -> None:
        raise AssertionError("user text was run")

    for name in ("eval", "exec"):
        monkeypatch.setattr(f"builtins.{name}", forbidden)
    for text, _ in TABLE:
        parse(text, NAMES)
    for text in HOSTILE:
        with pytest.raises(ParseError):
            parse(text, ["x", "y"])
