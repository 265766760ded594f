"""Order of factors and terms in written formulas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.notation.names import COORDINATE, PARAMETER, SPEED, Notation

Key = tuple[Any, ...]
_NUMBER, _FUNCTION, _CIRCULAR = -1, 20, 21
_SINES = {"sin": 0, "cos": 1}


def is_number(expr: Expr) -> bool:
    """Whether it has no symbols: 2, π, √3."""
    return isinstance(expr, se.Number) or not expr.free_symbols


def coefficient_and_factors(term: Expr) -> tuple[Expr, list[Expr]]:
    """The number in front of a term, and its other factors: no sum among them has only terms that are taken away.

    >>> x, y, m = se.symbols("x y m")
    >>> coefficient_and_factors(2 * m * (-x - y))
    (-2, [m, x + y])
    """
    if isinstance(term, se.Number):
        return term, []
    factors = list(term.args) if isinstance(term, se.Mul) else [term]
    number = factors.pop(0) if isinstance(factors[0], se.Number) else se.Integer(1)
    for place, factor in enumerate(factors):
        base, exponent = _split(factor)
        odd = isinstance(exponent, se.Integer) and int(exponent) % 2 == 1
        if len(factors) + (number != 1) > 1 and odd and isinstance(base, se.Add) and all(map(is_negative, base.args)):
            factors[place] = se.Add(*(-t for t in base.args)) ** exponent
            number = -number
    return number, factors


def ordered_factors(factors: Sequence[Expr], notation: Notation) -> list[Expr]:
    """Numbers, parameters as they are declared, coordinates, speeds, inputs, brackets after what they hold, functions last."""
    return sorted(factors, key=lambda f: _factor_key(f, notation))


def ordered_terms(terms: Sequence[Expr], notation: Notation) -> list[Expr]:
    """High powers of speeds before low ones, single letters before products, cosines before sines; one added comes first."""
    found = sorted(terms, key=lambda t: _term_key(t, notation))
    if found and is_negative(found[0]):
        first = next((t for t in found if not is_negative(t)), None)
        if first is not None:
            found.remove(first)
            found.insert(0, first)
    return found


def is_negative(term: Expr) -> bool:
    """Whether a term is written with a minus sign."""
    number = coefficient_and_factors(term)[0]
    return bool(number.is_negative) or str(number).startswith("-")


def _split(factor: Expr) -> tuple[Expr, Expr]:
    """Base and exponent."""
    if isinstance(factor, se.Pow) and factor.args[0] != se.E:
        return factor.args[0], factor.args[1]
    return factor, se.Integer(1)


def _role(expr: Expr, notation: Notation) -> int:
    return max((notation.place(str(s))[0] for s in expr.free_symbols), default=PARAMETER)


def _factor_key(factor: Expr, notation: Notation) -> Key:
    base, exponent = _split(factor)
    if is_number(base) and is_number(exponent):
        return (_NUMBER, (), str(factor))
    if isinstance(base, se.Symbol):
        place = notation.place(str(base))
        return (3 * place[0], place[1:], str(exponent))
    kind = type(base).__name__
    if isinstance(base, (se.Add, se.Mul, se.Pow)) and (exponent == 1 or isinstance(exponent, se.Integer)):
        return (3 * _role(base, notation) + 1, _argument_key(base, notation), str(exponent))
    named = kind not in ("Add", "Mul", "Pow", "Abs", "Piecewise", "floor", "ceiling") and base.args
    arguments = tuple(_argument_key(a, notation) for a in base.args) if named else ()
    return (_CIRCULAR if named else _FUNCTION, arguments, _SINES.get(kind, 2), str(factor))


def _argument_key(expr: Expr, notation: Notation) -> Key:
    """Single angles before sums of angles, as declared."""
    places = sorted(notation.place(str(s)) for s in expr.free_symbols) if hasattr(expr, "free_symbols") else []
    return (len(places), tuple(places), not isinstance(expr, se.Symbol), str(expr))


def _term_key(term: Expr, notation: Notation) -> Key:
    _, factors = coefficient_and_factors(term)
    parameters: list[Any] = []
    coordinates: list[Any] = []
    speeds: list[Any] = []
    brackets: list[Any] = []
    degree = 0
    for factor in factors:
        base, exponent = _split(factor)
        times = int(exponent) if isinstance(exponent, se.Integer) else 1
        if isinstance(base, se.Symbol):
            place = notation.place(str(base))
            kept = {PARAMETER: parameters, SPEED: speeds}.get(place[0], coordinates)
            kept += [(0, place, 0)] * max(1, times)
            degree += times if place[0] == SPEED else 0
        else:
            inner = speed_degree(base, notation)
            degree += times * inner
            cosine = 0 if isinstance(base, se.cos) else 1
            if not is_number(base):
                kept = brackets if inner else coordinates if _role(base, notation) >= COORDINATE else parameters
                inside = base if isinstance(base, (se.Add, se.Mul)) or not base.args else base.args[0]
                kept += [(1, _argument_key(inside, notation), cosine)] * max(1, times)
                if inner:
                    places = (notation.place(str(s)) for s in base.free_symbols)
                    speeds += [(0, min(p for p in places if p[0] == SPEED), 0)] * max(1, times * inner)
    bare = len(factors) == 1 and isinstance(factors[0], se.Symbol)
    return (
        -degree,
        not bare and bool(factors),
        tuple(sorted(speeds)),
        tuple(sorted(coordinates)),
        tuple(sorted(brackets)),
        len(parameters),
        tuple(sorted(parameters)),
        str(term),
    )


def speed_degree(expr: Expr, notation: Notation) -> int:
    """The degree in the speeds of a polynomial, as it is written."""
    if isinstance(expr, se.Symbol):
        return int(notation.place(str(expr))[0] == SPEED)
    if isinstance(expr, se.Add):
        return max(speed_degree(a, notation) for a in expr.args)
    if isinstance(expr, se.Mul):
        return sum(speed_degree(a, notation) for a in expr.args)
    if isinstance(expr, se.Pow) and isinstance(expr.args[1], se.Integer):
        return int(expr.args[1]) * speed_degree(expr.args[0], notation)
    return 0
