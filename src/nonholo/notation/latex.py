"""Write expressions as LaTeX."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import ModelError
from nonholo.notation.names import Notation, notation
from nonholo.notation.term_order import coefficient_and_factors, is_negative, ordered_factors, ordered_terms

_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4
_Words = tuple[str, int]
"""LaTeX and how tightly it binds."""
WIDE = 45
"""A sum with more letters is not written above a fraction's line but beside the fraction."""
SHORT = 10
"""The same above a line with nothing but a number below: ½ (a + b + …)."""

_NAMED = {
    "sin": r"\sin", "cos": r"\cos", "tan": r"\tan", "cot": r"\cot", "sec": r"\sec", "csc": r"\csc",
    "asin": r"\arcsin", "acos": r"\arccos", "atan": r"\arctan",
    "sinh": r"\sinh", "cosh": r"\cosh", "tanh": r"\tanh", "coth": r"\coth",
    "sech": r"\operatorname{sech}", "csch": r"\operatorname{csch}",
    "asinh": r"\operatorname{arsinh}", "acosh": r"\operatorname{arcosh}", "atanh": r"\operatorname{artanh}",
    "log": r"\ln", "sign": r"\operatorname{sgn}",
}  # fmt: skip
_LISTED = {"atan2": r"\mathrm{atan2}", "Max": r"\max", "Min": r"\min"}
_FENCED = {
    "Abs": (r"\left|", r"\right|"),
    "floor": (r"\left\lfloor", r"\right\rfloor"),
    "ceiling": (r"\left\lceil", r"\right\rceil"),
}
_RELATIONS = {"LessThan": r"\leq", "StrictLessThan": "<", "Equality": "=", "Unequality": r"\neq"}


def to_latex(
    expr: Expr,
    names: Mapping[str, str] | None = None,
    rates: Collection[str] = (),
    spelling: Notation | None = None,
) -> str:
    """LaTeX in the given notation, or with dots for the names in ``rates``; ``names`` gives single names another spelling.

    >>> print(to_latex(se.Symbol("omega1") * se.Symbol("xdot") / 2, rates=["xdot"]))
    \\frac{1}{2} \\omega_{1} \\dot{x}
    >>> theta, x, l = se.symbols("theta x l")
    >>> print(to_latex(-x * se.sin(theta)**2 / (1 + l)))
    - \\frac{x \\sin^{2} \\theta}{1 + l}
    """
    chosen = notation(rates=rates) if spelling is None else spelling
    if names:
        chosen = replace(chosen, names=FrozenMap({**chosen.names, **names}))
    return _words(se.sympify(expr), chosen, {})[0]


def _words(expr: Expr, spelling: Notation, memory: dict[Expr, _Words]) -> _Words:
    known = memory.get(expr)
    if known is None:
        known = memory[expr] = _write(expr, spelling, memory)
    return known


def _write(expr: Expr, spelling: Notation, memory: dict[Expr, _Words]) -> _Words:
    kind = type(expr).__name__
    if isinstance(expr, se.Symbol):
        return spelling.name(str(expr.name)), _ATOM
    if isinstance(expr, se.Number):
        return _number(expr)
    if isinstance(expr, se.Add):
        return _sum(expr, spelling, memory), _SUM
    if isinstance(expr, (se.Mul, se.Pow)):
        negative, text, level = _product(expr, spelling, memory)
        return (f"- {text}", _SUM) if negative else (text, level)
    if expr == se.pi or expr == se.E:
        return (r"\pi" if expr == se.pi else r"\mathrm{e}"), _ATOM
    if isinstance(expr, se.Piecewise):
        return _pieces(expr, spelling, memory), _SUM
    if kind in _FENCED:
        opening, closing = _FENCED[kind]
        return f"{opening} {_words(expr.args[0], spelling, memory)[0]} {closing}", _ATOM
    if kind in _NAMED:
        return _applied(_NAMED[kind], expr.args[0], spelling, memory), _POWER
    if kind in _LISTED:
        inside = ", ".join(_words(a, spelling, memory)[0] for a in expr.args)
        return rf"{_LISTED[kind]} \left({inside}\right)", _POWER
    raise ModelError(f"cannot write {str(expr)[:60]} as LaTeX: {kind} is not part of the language of expressions")


def _number(number: Expr) -> _Words:
    if isinstance(number, (se.Integer, se.Rational)):
        top, _, bottom = str(-number if number.is_negative else number).partition("/")
        text = rf"\frac{{{top}}}{{{bottom}}}" if bottom else top
        return (f"- {text}", _SUM) if number.is_negative else (text, _PRODUCT if bottom else _ATOM)
    if isinstance(number, se.RealDouble) and math.isfinite(value := float(number)):
        digits, _, power = f"{abs(value):.12g}".partition("e")
        text = rf"{digits} \cdot 10^{{{int(power)}}}" if power else digits
        return (f"- {text}", _SUM) if math.copysign(1.0, value) < 0 else (text, _PRODUCT if power else _ATOM)
    raise ModelError(f"cannot write {number} as LaTeX: only finite real numbers are part of an expression")


def _fenced(text: str) -> str:
    return rf"\left({text}\right)"


def _within(words: _Words, level: int) -> str:
    return words[0] if words[1] >= level else _fenced(words[0])


def _applied(name: str, argument: Expr, spelling: Notation, memory: dict[Expr, _Words], power: str = "") -> str:
    """A function: no brackets around a letter, or a number times a letter."""
    text = _words(argument, spelling, memory)[0]
    number, factors = coefficient_and_factors(argument)
    plain = len(factors) == 1 and isinstance(factors[0], se.Symbol) and not is_negative(argument)
    simple = plain and isinstance(number, (se.Integer, se.Rational))
    return f"{name}{power} {text if simple else _fenced(text)}"


def _sum(expr: Expr, spelling: Notation, memory: dict[Expr, _Words]) -> str:
    parts = []
    for term in ordered_terms(expr.args, spelling):
        text, level = _words(term, spelling, memory)
        negative = is_negative(term)
        if negative:
            text = text.removeprefix("- ")
        elif level == _SUM:
            text = _fenced(text)
        parts.append(f" {'-' if negative else '+'} {text}")
    whole = "".join(parts)
    return whole[3:] if whole.startswith(" +") else whole[1:]


def _product(expr: Expr, spelling: Notation, memory: dict[Expr, _Words]) -> tuple[bool, str, int]:
    """Sign, LaTeX and binding of a product or power; negative powers go below the line."""
    number, factors = coefficient_and_factors(expr)
    negative = is_negative(number)
    number = -number if negative else number
    above: list[Expr] = []
    below: list[Expr] = []
    for factor in factors:
        turned = _turned(factor)
        (above if turned is None else below).append(factor if turned is None else turned)
    if number == 1 and len(above) == 1 and not below and isinstance(above[0], se.Add):
        text = _words(above[0], spelling, memory)[0]
        return (True, _fenced(text), _ATOM) if negative else (False, text, _SUM)
    top, bottom = number, se.Integer(1)
    if isinstance(number, (se.Integer, se.Rational)) and not isinstance(number, se.Integer):
        top, bottom = number.p, number.q
    above, below = ordered_factors(above, spelling), ordered_factors(below, spelling)
    if not below:
        if bottom == 1:
            text, level = _row(top, above, spelling, memory)
            return negative, text, level
        if len(above) == 1:
            inside = _words(above[0], spelling, memory)[0] if top == 1 else _row(top, above, spelling, memory)[0]
            if apparent_width(inside) <= (SHORT if isinstance(above[0], se.Add) else WIDE):
                return negative, rf"\frac{{{inside}}}{{{bottom}}}", _PRODUCT
        text = rf"\frac{{{top}}}{{{bottom}}} {_row(se.Integer(1), above, spelling, memory)[0]}"
        return negative, text, _PRODUCT
    under = _whole(bottom, below, spelling, memory)
    beside = [f for f in above if isinstance(f, se.Add) and apparent_width(_words(f, spelling, memory)[0]) > WIDE]
    if beside and apparent_width(under) < WIDE:
        over = _whole(top, [f for f in above if f not in beside], spelling, memory)
        return negative, rf"\frac{{{over}}}{{{under}}} {_row(se.Integer(1), beside, spelling, memory)[0]}", _PRODUCT
    return negative, rf"\frac{{{_whole(top, above, spelling, memory)}}}{{{under}}}", _PRODUCT


def _whole(number: Expr, factors: Sequence[Expr], spelling: Notation, memory: dict[Expr, _Words]) -> str:
    """A product alone above or below a line, where a sum needs no brackets."""
    if number == 1 and len(factors) == 1:
        return _words(factors[0], spelling, memory)[0]
    return _row(number, factors, spelling, memory)[0]


def _row(number: Expr, factors: Sequence[Expr], spelling: Notation, memory: dict[Expr, _Words]) -> _Words:
    """Factors one after the other, with a thin space beside words and a dot before digits."""
    if number == 1 and len(factors) == 1:
        words = _factor(factors[0], spelling, memory)
        return words if words[1] > _SUM else (_fenced(words[0]), _ATOM)
    parts = [] if number == 1 and factors else [_number(number)[0]]
    parts += [_within(_factor(f, spelling, memory), _POWER) for f in factors]
    text = parts[0]
    for before, after in pairwise(parts):
        if after[0].isdigit():
            text += rf" \cdot {after}"
        else:
            text += rf" \, {after}" if _ends_in_word(before) or _begins_with_word(after) else f" {after}"
    return text, _PRODUCT if len(parts) > 1 else _POWER


def _begins_with_word(text: str) -> bool:
    return not text.startswith(r"\mathrm{e}") and text.startswith((r"\mathrm{", r"\dot{\mathrm", r"\ddot{\mathrm"))


def _ends_in_word(text: str) -> bool:
    return re.search(r"\\mathrm\{[^{}]{2,}\}\}?(_\{[^{}]*\})?(\^\{[^{}]*\})?$", text) is not None


def _turned(factor: Expr) -> Expr | None:
    """The power ``b**e`` for a factor ``b**(-e)`` that is written below the line, else None."""
    if not isinstance(factor, se.Pow):
        return None
    base, exponent = factor.args
    if base == se.E or not isinstance(exponent, (se.Integer, se.Rational)) or not exponent.is_negative:
        return None
    if isinstance(base, se.Number) and base.is_negative:
        return None
    return base ** (-exponent)


def _factor(expr: Expr, spelling: Notation, memory: dict[Expr, _Words]) -> _Words:
    """A factor that is no product and has no number in front, or a power of one."""
    if not isinstance(expr, se.Pow):
        return _words(expr, spelling, memory)
    base, exponent = expr.args
    if base == se.E:
        return f"\\mathrm{{e}}^{{{_words(exponent, spelling, memory)[0]}}}", _POWER
    if isinstance(exponent, se.Rational) and not isinstance(exponent, se.Integer) and exponent.p == 1:
        index = "" if exponent.q == 2 else f"[{exponent.q}]"
        return rf"\sqrt{index}{{{_words(base, spelling, memory)[0]}}}", _ATOM
    power = (
        f"^{{{exponent!s}}}"
        if isinstance(exponent, (se.Integer, se.Rational))
        else f"^{{{_words(exponent, spelling, memory)[0]}}}"
    )
    kind = type(base).__name__
    if kind in _NAMED and isinstance(exponent, se.Integer) and int(exponent) > 1:
        return _applied(_NAMED[kind], base.args[0], spelling, memory, power), _POWER
    words = _words(base, spelling, memory)
    return _within(words, _ATOM) + power, _POWER


def _pieces(expr: Expr, spelling: Notation, memory: dict[Expr, _Words]) -> str:
    rows = []
    for value, condition in zip(expr.args[::2], expr.args[1::2], strict=True):
        when = (
            r"\text{otherwise}" if condition == se.true else rf"\text{{for }} {_condition(condition, spelling, memory)}"
        )
        rows.append(f"{_words(value, spelling, memory)[0]} & {when}")
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"


def _condition(condition: Expr, spelling: Notation, memory: dict[Expr, _Words]) -> str:
    kind = type(condition).__name__
    if condition == se.true or condition == se.false:
        return rf"\text{{{'always' if condition == se.true else 'never'}}}"
    if kind in _RELATIONS:
        left, right = (_words(a, spelling, memory)[0] for a in condition.args)
        return f"{left} {_RELATIONS[kind]} {right}"
    if isinstance(condition, (se.And, se.Or)):
        joint = r" \text{ and } " if isinstance(condition, se.And) else r" \text{ or } "
        parts = sorted(_condition(a, spelling, memory) for a in condition.args)
        return joint.join(_fenced(p) if r"\text" in p else p for p in parts)
    if isinstance(condition, se.Not):
        return rf"\text{{not }} {_fenced(_condition(condition.args[0], spelling, memory))}"
    raise ModelError(f"cannot write the condition {str(condition)[:60]} as LaTeX: {kind} is not part of the language")


_TOKEN = re.compile(r"\\[A-Za-z]+|\\.|[^\s\\]")
_NOTHING = frozenset({r"\left", r"\right", r"\dot", r"\ddot", r"\sqrt", r"\mathrm", r"\operatorname", r"\hat", r"\text"})
_SIGNS = frozenset("+-=")
_FUNCTIONS = frozenset(_NAMED.values())


def apparent_width(latex: str) -> float:
    """About how many letters wide the formula is on paper.

    Of a fraction the wider part counts, small letters count half, a sign with its spaces two, sin and cos three.

    >>> apparent_width(r"\\frac{a + b}{2} x_{1}"), apparent_width(r"\\sin \\theta")
    (5.5, 4)
    """
    return max(1, _width(iter(_TOKEN.findall(latex))))


def _width(tokens: Iterator[str]) -> float:
    """Of all tokens up to the end of the group."""
    found: float = 0
    for token in tokens:
        if token == "}":
            break
        if token == "{":
            found += _width(tokens)
        elif token == r"\frac":
            found += max(_argument(tokens), _argument(tokens))
        elif token in ("_", "^"):
            found += _argument(tokens) / 2
        elif token in _SIGNS:
            found += 2
        elif token not in _NOTHING and len(token) != 2:  # of two characters: spaces such as "\,"
            found += 3 if token in _FUNCTIONS else 1
    return found


def _argument(tokens: Iterator[str]) -> float:
    token = next(tokens, "")
    return _width(tokens) if token == "{" else _width(iter([token]))
