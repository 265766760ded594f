"""Expressions to text that ``parse`` reads back exactly, and to LaTeX for a person's eyes."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Collection, Mapping
from typing import Any

import symengine as se

from nonholo.algebra.functions import FUNCTIONS
from nonholo.errors import ModelError

Expr = Any

_SUM, _PRODUCT, _POWER, _ATOM = 1, 2, 3, 4
_Words = tuple[str, int]
"""A text and how tightly it binds."""

_RELATIONS = {"LessThan": "<=", "StrictLessThan": "<", "Equality": "==", "Unequality": "!="}


def to_text(expr: Expr) -> str:
    """Text that ``parse`` reads back to an equal expression, doubles included to the last bit.

    >>> x, y = se.symbols("x y")
    >>> to_text(x / (2 * y) - se.RealDouble(0.1) * se.sqrt(x))
    'x/(2*y) - 0.1*sqrt(x)'
    """
    return _words(se.sympify(expr), {})[0]


def _words(expr: Expr, memory: dict[Expr, _Words]) -> _Words:
    known = memory.get(expr)
    if known is None:
        known = memory[expr] = _write(expr, memory)
    return known


def _write(expr: Expr, memory: dict[Expr, _Words]) -> _Words:
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


def _sum(expr: Expr, memory: dict[Expr, _Words]) -> str:
    """What is added, then what is taken away, each in alphabetical order: the same sum is always the same text."""
    terms: list[tuple[bool, bool, str]] = []
    for term in expr.args:
        if isinstance(term, se.Mul):
            negative, text, _ = _signed_product(term, memory)
        else:
            text = _within(_words(term, memory), _PRODUCT if not isinstance(term, se.Number) else _SUM)
            negative = text.startswith("-")
            text = text.removeprefix("-")
        terms.append((negative, isinstance(term, se.Number), text))
    terms.sort()
    words = "".join(f" {'-' if negative else '+'} {text}" for negative, _, text in terms)
    return words[3:] if words.startswith(" +") else f"-{words[3:]}"


def _signed_product(expr: Expr, memory: dict[Expr, _Words]) -> tuple[bool, str, int]:
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
    for factor in factors:
        turned = _turned(factor)
        words = _words(factor if turned is None else turned, memory)
        text = _within(words, _POWER)
        (upper if turned is None else lower).append((bool(factor.free_symbols), "(" in text, text))
    above += [text for _, _, text in sorted(upper)]
    below += [text for _, _, text in sorted(lower)]
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


def _power(expr: Expr, memory: dict[Expr, _Words]) -> _Words:
    base, exponent = expr.args
    if base == se.E:
        return f"exp({_words(exponent, memory)[0]})", _ATOM
    if exponent == se.Rational(1, 2):
        return f"sqrt({_words(base, memory)[0]})", _ATOM
    turned = _turned(expr)
    if turned is not None:
        return f"1/{_within(_words(turned, memory), _POWER)}", _PRODUCT
    return f"{_within(_words(base, memory), _ATOM)}**{_within(_words(exponent, memory), _ATOM)}", _POWER


def _condition(condition: Expr, memory: dict[Expr, _Words]) -> str:
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


_GREEK = frozenset({
    "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi",
    "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    "Gamma", "Delta", "Theta", "Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega",
})  # fmt: skip
_SPELLINGS = {"lam": "lambda", "vartheta": "vartheta", "varphi": "varphi", "eps": "epsilon", "ell": "ell"}


def latex_name(name: str, rates: Collection[str] = ()) -> str:
    """A name as a person writes it; ``…dot`` and ``…ddot`` become dots only for the names in ``rates``.

    >>> print(latex_name("theta"), latex_name("thetadot", ["thetadot"]), latex_name("R11"), latex_name("polkadot"))
    \\theta \\dot{\\theta} R_{11} \\mathrm{polkadot}
    """
    accent = ""
    if name in rates:
        dots = re.fullmatch(r"(.+?)(d?dot)", name)
        name, accent = (dots[1], dots[2]) if dots else (name, "")
    head, _, index = name.strip("_").partition("_")
    digits = re.fullmatch(r"(.*?)(\d+)", head)
    if digits and digits[1]:
        head, index = digits[1], digits[2] + (f",{index}" if index else "")
    indices = ",".join(_letters(part, False) for part in re.split("[_,]+", index) if part)
    letters = _letters(head, True) if head else r"\_"
    letters = f"\\{accent}{{{letters}}}" if accent else letters
    return letters + (f"_{{{indices}}}" if indices else "")


def _letters(word: str, alone: bool) -> str:
    if len(word) == 1 and not word.isascii():
        case, _, letter = unicodedata.name(word, "").removeprefix("GREEK ").partition(" LETTER ")
        word = {"SMALL": letter.lower(), "CAPITAL": letter.capitalize()}.get(case, word)
        word = {"lamda": "lambda", "Lamda": "Lambda"}.get(word, word)
    word = _SPELLINGS.get(word, word)
    if word in _GREEK or word in _SPELLINGS.values():
        return f"\\{word}"
    return f"\\mathrm{{{word}}}" if alone and len(word) > 1 else word


def to_latex(expr: Expr, names: Mapping[str, str] | None = None, rates: Collection[str] = ()) -> str:
    """LaTeX by SymPy's printer, with Greek letters, indices and, for the names in ``rates``, dots.

    >>> print(to_latex(se.Symbol("omega1") * se.Symbol("xdot"), rates=["xdot"]))
    \\omega_{1} \\dot{x}
    """
    import sympy

    value = sympy.sympify(se.sympify(expr))
    given = names or {}
    spelt = {s: given.get(s.name, latex_name(s.name, rates)) for s in value.atoms(sympy.Symbol)}
    return str(sympy.latex(value, symbol_names=spelt))
