"""Write expressions as text that the parser reads back exactly."""

from __future__ import annotations

import math

import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError
from nonholo.notation.functions import FUNCTIONS
from nonholo.notation.latex import to_latex as to_latex
from nonholo.notation.names import Notation
from nonholo.notation.names import latex_name as latex_name
from nonholo.notation.term_order import ordered_factors, ordered_terms

_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4
_Words = tuple[str, int]
"""A text and how tightly it binds."""

_RELATIONS = {"LessThan": "<=", "StrictLessThan": "<", "Equality": "==", "Unequality": "!="}


def to_text(expr: Expr, notation: Notation | None = None) -> str:
    """Text that ``parse`` reads back to an equal expression, doubles included to the last bit.

    Factors and terms are in the order of the notation, if there is one, else in alphabetical order.

    >>> x, y = se.symbols("x y")
    >>> to_text(x / (2 * y) - se.RealDouble(0.1) * se.sqrt(x))
    'x/(2*y) - 0.1*sqrt(x)'
    """
    return _words(se.sympify(expr), _Memory(notation))[0]


class _Memory(dict[Expr, _Words]):
    """The texts of parts that were written already, and the notation."""

    def __init__(self, notation: Notation | None) -> None:
        super().__init__()
        self.notation = notation


def _words(expr: Expr, memory: _Memory) -> _Words:
    known = memory.get(expr)
    if known is None:
        known = memory[expr] = _write(expr, memory)
    return known


def _write(expr: Expr, memory: _Memory) -> _Words:
    kind = type(expr).__name__
    if isinstance(expr, se.Symbol):
        return str(expr.name), _ATOM
    if isinstance(expr, se.Number):
        return _number(expr)
    if isinstance(expr, se.Add):
        return _sum(expr, memory), _SUM
    if isinstance(expr, se.Mul):
        negative, text, level = _signed_product(expr, memory)
        return (f"-{text}", _SUM) if negative else (text, level)
    if isinstance(expr, se.Pow):
        return _power(expr, memory)
    if expr == se.pi or expr == se.E:
        return str(expr), _ATOM
    if isinstance(expr, se.Piecewise):
        values, conditions = expr.args[::2], expr.args[1::2]
        pieces = (f"({_words(v, memory)[0]}, {_condition(c, memory)})" for v, c in zip(values, conditions, strict=True))
        return f"Piecewise({', '.join(pieces)})", _ATOM
    if kind in FUNCTIONS:
        return f"{kind}({', '.join(_words(a, memory)[0] for a in expr.args)})", _ATOM
    raise ModelError(f"cannot write {str(expr)[:60]} as text: {kind} is not part of the language of expressions")


def _number(number: Expr) -> _Words:
    if isinstance(number, se.Integer):
        return str(number), _ATOM if not number.is_negative else _SUM
    if isinstance(number, se.Rational):
        return str(number), _PRODUCT if not number.is_negative else _SUM
    if isinstance(number, se.RealDouble) and math.isfinite(value := float(number)):
        return repr(value), _ATOM if math.copysign(1.0, value) > 0 else _SUM
    raise ModelError(f"cannot write {number} as text: only finite real numbers are part of an expression")


def _within(words: _Words, level: int) -> str:
    return words[0] if words[1] >= level else f"({words[0]})"


def _sum(expr: Expr, memory: _Memory) -> str:
    """What is added, then what is taken away, each in alphabetical order: the same sum is always the same text."""
    terms: list[tuple[bool, bool, str]] = []
    for term in expr.args if memory.notation is None else ordered_terms(expr.args, memory.notation):
        if isinstance(term, se.Mul):
            negative, text, _ = _signed_product(term, memory)
        else:
            text = _within(_words(term, memory), _PRODUCT if not isinstance(term, se.Number) else _SUM)
            negative = text.startswith("-")
            text = text.removeprefix("-")
        terms.append((negative, isinstance(term, se.Number), text))
    if memory.notation is None:
        terms.sort()
    words = "".join(f" {'-' if negative else '+'} {text}" for negative, _, text in terms)
    return words[3:] if words.startswith(" +") else f"-{words[3:]}"


def _signed_product(expr: Expr, memory: _Memory) -> tuple[bool, str, int]:
    """Sign, text and binding of a product; negative powers go below the line."""
    above: list[str] = []
    below: list[str] = []
    negative = False
    factors = list(expr.args)
    if isinstance(factors[0], se.Number):
        coefficient = factors.pop(0)
        negative = bool(coefficient.is_negative)
        coefficient = -coefficient if negative else coefficient
        if isinstance(coefficient, (se.Integer, se.Rational)):
            top, _, bottom = str(coefficient).partition("/")
            above += [top] if top != "1" else []
            below += [bottom] if bottom else []
        else:
            above.append(_number(coefficient)[0])
    upper: list[tuple[bool, bool, str]] = []
    lower: list[tuple[bool, bool, str]] = []
    for factor in factors if memory.notation is None else ordered_factors(factors, memory.notation):
        turned = _turned(factor)
        words = _words(factor if turned is None else turned, memory)
        text = _within(words, _POWER)
        (upper if turned is None else lower).append((bool(factor.free_symbols), "(" in text, text))
    if memory.notation is None:
        upper.sort()
        lower.sort()
    above += [text for _, _, text in upper]
    below += [text for _, _, text in lower]
    text = "*".join(above) or "1"
    if len(below) == 1:
        text += f"/{below[0]}"
    elif below:
        text += f"/({'*'.join(below)})"
    return negative, text, _PRODUCT if len(above) + len(below) > 1 or below else _POWER


def _turned(factor: Expr) -> Expr | None:
    """The power ``b**e`` for a factor ``b**(-e)`` that reads better below the line, else None."""
    if not isinstance(factor, se.Pow):
        return None
    base, exponent = factor.args
    exact = isinstance(exponent, (se.Integer, se.Rational)) and -100 < float(exponent) < 0
    return base ** (-exponent) if exact and base != se.E and not isinstance(base, se.Number) else None


def _power(expr: Expr, memory: _Memory) -> _Words:
    base, exponent = expr.args
    if base == se.E:
        return f"exp({_words(exponent, memory)[0]})", _ATOM
    if exponent == se.Rational(1, 2):
        return f"sqrt({_words(base, memory)[0]})", _ATOM
    turned = _turned(expr)
    if turned is not None:
        return f"1/{_within(_words(turned, memory), _POWER)}", _PRODUCT
    return f"{_within(_words(base, memory), _ATOM)}**{_within(_words(exponent, memory), _ATOM)}", _POWER


def _condition(condition: Expr, memory: _Memory) -> str:
    kind = type(condition).__name__
    if condition == se.true or condition == se.false:
        return str(condition)
    if kind in _RELATIONS:
        left, right = (_words(a, memory)[0] for a in condition.args)
        return f"{left} {_RELATIONS[kind]} {right}"
    if isinstance(condition, (se.And, se.Or)):
        joint = " and " if isinstance(condition, se.And) else " or "
        return joint.join(f"({part})" for part in sorted(_condition(a, memory) for a in condition.args))
    if isinstance(condition, se.Not):
        return f"not ({_condition(condition.args[0], memory)})"
    raise ModelError(f"cannot write the condition {str(condition)[:60]} as text: {kind} is not part of the language")
