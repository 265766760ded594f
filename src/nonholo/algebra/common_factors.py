"""Cancel factors that all terms of an equation share."""

from __future__ import annotations

from collections.abc import Sequence
from math import gcd, lcm
from typing import Any

import symengine as se

from nonholo.algebra.expression_types import Expr


def without_common_factors(row: Sequence[Expr]) -> list[Expr]:
    """The coefficients and the right side of one equation, divided by the factors that all of them share.

    A factor of a whole row of an invertible matrix is nowhere zero, so nothing is lost. The first coefficient does not
    begin with a minus sign if none of the others is added.

    >>> m, a, w = se.symbols("m a w")
    >>> without_common_factors([m, 0, m * a * w**2])
    [1, 0, a*w**2]
    """
    row = [se.sympify(e) for e in row]
    present = [_factors(e) for e in row if e != 0]
    if not any(e != 0 for e in row[:-1]):
        return row
    common = dict(present[0][1])
    for _, powers in present[1:]:
        common = {b: _nearer_zero(p, powers.get(b, 0)) for b, p in common.items()}
    common = {b: p for b, p in common.items() if p}
    number = _common_number([n for n, _ in present])
    if all(n < 0 for e, (n, _) in zip((e for e in row if e != 0), present) if e is not row[-1]):
        number = -number
    if number == 1 and not common:
        return row
    return [_divided(e, number, common) if e != 0 else e for e in row]


def _nearer_zero(one: int, two: int) -> int:
    """The power that both have: the smaller of two positive or of two negative ones."""
    return 0 if one * two <= 0 else min(one, two, key=abs)


def _factors(expr: Expr) -> tuple[Any, dict[Expr, int]]:
    """The rational number in front, and whole powers of the other factors."""
    number: Any = se.Integer(1)
    powers: dict[Expr, int] = {}
    for factor in expr.args if isinstance(expr, se.Mul) else (expr,):
        if isinstance(factor, (se.Integer, se.Rational)):
            number = number * factor
        elif isinstance(factor, se.Pow) and isinstance(factor.args[1], se.Integer):
            powers[factor.args[0]] = int(factor.args[1])
        elif isinstance(factor, se.Pow) and factor.args[0] == se.E and isinstance(factor.args[1], se.Mul):
            times = factor.args[1].args[0] if isinstance(factor.args[1].args[0], se.Integer) else se.Integer(1)
            powers[se.E ** (factor.args[1] / times)] = int(times)
        elif not isinstance(factor, se.Number):
            powers[factor] = 1
    return number, powers


def _common_number(numbers: Sequence[Any]) -> Any:
    """The greatest rational number of which all are whole multiples."""
    tops = [abs(int(n.p if hasattr(n, "p") else n)) for n in numbers]
    bottoms = [int(n.q) if hasattr(n, "q") else 1 for n in numbers]
    return se.Rational(gcd(*tops), lcm(*bottoms))


def _divided(expr: Expr, number: Any, common: dict[Expr, int]) -> Expr:
    own, powers = _factors(expr)
    rest = [b ** (p - common.get(b, 0)) for b, p in powers.items()]
    others = [f for f in (expr.args if isinstance(expr, se.Mul) else (expr,)) if isinstance(f, se.RealDouble)]
    return se.Mul(own / number, *others, *rest)
