"""Expressions: trees with their values by mpmath, and texts that were damaged."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import mpmath as mp

POINT = {"x": 0.7, "y": -1.3, "xdot": 0.41, "ydot": 2.3, "m": 1.9, "theta": 0.27}
ONE: dict[str, Callable[[Any], Any]] = {

      "sin": mp.sin, "cos": mp.cos, "tan": mp.tan, "cot": mp.cot, "sec": mp.sec, "csc": mp.csc, "asin": mp.asin, "acos": mp.acos,
    "atan": mp.atan, "sinh": mp.sinh, "cosh": mp.cosh, "tanh": mp.tanh, "coth": mp.coth, "sech": mp.sech, "csch": mp.csch,
    "asinh": mp.asinh, "acosh": mp.acosh, "atanh": mp.atanh, "exp": mp.exp, "sqrt": mp.sqrt, "Abs": abs, "abs": abs,
    "sign": mp.sign, "floor": mp.floor, "ceiling": mp.ceil, "log": mp.log, "ln": mp.log,
    "Heaviside": lambda v: (mp.sign(v) + 1) / 2,
}  # fmt: skip
HOSTILE = [
    "**", "*", "/", "(", ")", "((((((", "))))", ",", "10**10**9", "9**9**9", "9" * 400, "1/0", "0/0", "0**0",
    "0**-1", "1e308",
    "1e-320", "1e999", "nan", "inf", "oo", "zoo", "I", "1j", "True", "False", "None", "and", "or", "not ",
    " if x else ", "lambda",
    "__import__('os')", "x.__class__", "eval", "exec", "print(", "x[0]", "{x}", "'a'", '"', "#", ";", "\n", "\t", "\\", "\0",
    "\u202e", "\ufeff", "\u2212", "²", "½", "٣", "ｘ", "x\u0307", "θ", "🙂", "\ud800", "0x10", "0b1", "1_000",
    "1__0", "00", "007",
    "1.", ".5", "..", "...", "Piecewise((x, x < 1), (y, True))", "Piecewise((x, x < 1))", "Piecewise()",
    "Max()", "Min(x)", "log(0)",
    "log(x, 1)", "sqrt(-1)", "asin(2)", "acosh(0)", "atanh(1)", "log(-1)", "sign(sin(sin(1)))", "floor(x**99)",
    "x < y", "x == y",
    "x ^ 2", "x = 2", "x := 2", "->", "@", "$", "%", "!", "?", "~", "&", "|", "<<", ">>", "//", "- - - -", "+" * 150, "sin x",
    "sin", "x x", "2x", "x2", "xddot", "lambda1", "e", "E**E**E", "pi**pi**pi**pi", "(-8)**(1/3)", "(-1)**0.5", "x**x**x**x",
    "(x+y)**60", "((x+y)**20+1)**20", "(1+x)**(1+x)**(1+x)", "exp(exp(exp(exp(9))))", "sin(1e300)", "tan(pi/2)", "cot(0)",
    "1e-200*1e-200", "1e200**2", "x**1e9", "x**-1e9", "x**100000000000", "2**100000", "2**-100000",
    "(1/3)**4000", "*x", "**x",
    "Abs(-x)", "Max(x, Max(y, m))", "sign(sign(x))", "Heaviside(0)", "Not(x<1)", "And(x<1, y<2)", "Eq(x, y)",
    "sum(x)", "range(9)",
]  # fmt: skip



def _real(value: Any) -> Any:
    """A value, unless it has left the real numbers."""
    if isinstance(value, mp.mpc) or mp.isnan(value):
        raise ValueError("not a real number")
    if value != 0 and not 1e-10 < abs(value) < 1e100:  # sin(pi) is 0, not small; doubles do not hold all
        raise ValueError("a very large or very small number")
    return value


def tree(chance: Random, depth: int) -> tuple[str, Callable[[], Any], int]:
    """A text, its value (or an exception, where there is none), and how tightly it binds."""
    if depth <= 0 or chance.random() < 0.15:
        return _leaf(chance)
    kind = chance.random()
    if kind < 0.3:
        return _binary(chance, depth, chance.choice("+-"), 1)
    if kind < 0.55:
        return _binary(chance, depth, chance.choice("**/"), 2)
    if kind < 0.65:
        base, value, binds = tree(chance, depth - 1)
        power = chance.choice([2, 3, -1, -2, 4, 0, 1])
        wrapped = base if binds >= 4 and chance.random() < 0.5 else f"({base})"
        return f"{wrapped}**{power}" if power >= 0 else f"{wrapped}**({power})", lambda: _real(value() ** power), 3
    if kind < 0.72:
        inner, value, binds = tree(chance, depth - 1)
        return f"-{inner}" if binds >= 2 else f"-({inner})", lambda: -value(), 1
    if kind < 0.76:
        (a, va, _), (b, vb, _) = tree(chance, depth - 1), tree(chance, depth - 1)
        name, pick = chance.choice([("Max", max), ("Min", min), ("max", max), ("atan2", mp.atan2)])
        return f"{name}({a}, {b})", lambda: pick(va(), vb()), 4
    if kind < 0.8:
        (a, va, _), (b, vb, _), (c, vc, _) = (tree(chance, depth - 2) for _ in range(3))
        return f"Piecewise(({a}, {b} < {c}), ({c}, True))", lambda: va() if vb() < vc() else vc(), 4
    name = chance.choice(sorted(ONE))
    inner, value, _ = tree(chance, depth - 1)
    return f"{name}({inner})", lambda: _real(ONE[name](value())), 4


def _leaf(chance: Random) -> tuple[str, Callable[[], Any], int]:
    kind = chance.random()
    if kind < 0.6:
        name = chance.choice(sorted(POINT))
        return name, lambda: mp.mpf(POINT[name]), 4
    if kind < 0.7:
        name, value = chance.choice([("pi", mp.pi), ("E", mp.e)])
        return name, lambda: +value, 4
    if kind < 0.85:
        whole = chance.randint(0, 12)
        return str(whole), lambda: mp.mpf(whole), 4
    text = chance.choice(["0.5", "1.25", "3e-2", ".75", "2.", "1e3", f"{chance.uniform(0, 9):.6g}"])
    return text, lambda: mp.mpf(float(text)), 4


def _binary(chance: Random, depth: int, sign: str, binds: int) -> tuple[str, Callable[[], Any], int]:
    (a, va, ba), (b, vb, bb) = tree(chance, depth - 1), tree(chance, depth - 1)
    left = a if ba >= binds else f"({a})"
    right = b if bb > binds else f"({b})"
    space = chance.choice(["", " "])

    def value() -> Any:
        one, two = va(), vb()
        return _real({"+": lambda: one + two, "-": lambda: one - two, "*": lambda: one * two, "/": lambda: one / two}[sign]())

    return f"{left}{space}{sign}{space}{right}", value, binds


def damaged(text: str, chance: Random, hostile: list[str]) -> str:
    """A few changes anywhere."""
    for _ in range(chance.randint(1, 4)):
        at = chance.randrange(len(text) + 1)
        to = min(len(text), at + chance.randint(0, 6))
        kind = chance.random()
        if kind < 0.45:
            text = text[:at] + chance.choice(hostile) + text[at if kind < 0.3 else to :]
        elif kind < 0.6:
            text = text[:at] + text[to:]
        elif kind < 0.75:
            text = text[:to] + text[at:to] * chance.randint(1, 30) + text[to:]
        elif kind < 0.85:
            text = text[:at] + chr(chance.randrange(chance.choice([128, 0x3000, 0x110000]))) + text[at:]
        else:
            other = chance.randrange(len(text) + 1)
            text = text[:at] + text[other : other + chance.randint(0, 12)] + text[at:]
    return text[:5000]


def make(chance: Random) -> dict[str, Any]:
    text, value, _ = tree(chance, chance.randint(1, 6))
    if chance.random() < 0.5:
        return {"text": damaged(text, chance, HOSTILE), "value": None}
    return {"text": text, "value": _known(value)}


def _known(value: Callable[[], Any]) -> float | None:
    """The value, where it is real, finite and not at the mercy of rounding: two precisions agree."""
    found = []
    for digits in (15, 40):
        with mp.workdps(digits):
            try:
                number = value()
            except (ArithmeticError, ValueError, TypeError, OverflowError):
                return None
            if isinstance(number, mp.mpc) or not mp.isfinite(number) or abs(number) > 1e100:
                return None
            found.append(float(number))
    close = abs(found[0] - found[1]) <= 1e-11 * abs(found[1])
    return found[1] if close else None


def run(case: dict[str, Any], place: Path) -> None:
    import numpy as np

    import nonholo as nh
    from nonholo.algebra.numeric_functions import numeric_function
    from nonholo.notation.parse import parse

    names = sorted(POINT)
    try:
        made = parse(case["text"], names)
    except nh.NonholoError:
        if "\n" not in case["text"] and len(case["text"]) % 7 == 0:
            _refused(case["text"])
        return
    symbols = [parse(n, names) for n in names]
    with np.errstate(all="ignore"):
        found = float(np.asarray(numeric_function(symbols, [made], "lambda")(np.array([POINT[n] for n in names]))).reshape(-1)[0])
    if case["value"] is not None and not math.isclose(found, case["value"], rel_tol=1e-7, abs_tol=1e-9):
        raise AssertionError(f"{found!r} where mpmath finds {case['value']!r}")
    if len(case["text"]) % 5 == 0 and len(case["text"]) < 300:
        try:
            text = f"xdot**2/2 + ydot**2/2 - ({case['text']})"
            system = nh.System(coordinates="x y", parameters="m theta", lagrangian=text)
            if len(text) % 3 == 0:
                nh.hamel(system)
        except nh.NonholoError:
            return


def _refused(text: str) -> None:
    """What the parser refuses a system refuses too, unless it is about time."""
    import nonholo as nh
    from nonholo.notation.parse import parse

    try:
        nh.System(coordinates="x y", parameters="m theta", lagrangian=text)
    except nh.NonholoError:
        return
    parse(text, [*POINT, "t"])
