"""Measure the written length of an expression."""

from __future__ import annotations

import symengine as se

from nonholo.algebra.expression_types import Expr
from nonholo.notation.names import GREEK

SIGN, BRACKETS, POWER, LINE, NESTED = 1.5, 0.9, 0.6, 1.0, 1.5
"""Widths in letters of a sign between terms, of brackets, an exponent, a fraction's line; and what brackets in brackets cost."""
_ONE, _MINUS = se.Integer(1), se.Integer(-1)
MOST_KEPT = 30_000
_LENGTHS: dict[tuple[Expr, int], float] = {}
"""Lengths of parts that were measured before, by how many brackets stand around them: candidates share most of theirs."""


def written_nodes(expr: Expr, limit: int) -> int:
    """How many nodes the expression has when written out without sharing; stops counting above ``limit``.

    >>> x, y = se.symbols("x y")
    >>> written_nodes(se.sin(x + y) * (x + y), 100), written_nodes(se.sin(x + y) * (x + y), 4)
    (8, 5)
    """
    known: dict[Expr, int] = {}
    expr = se.sympify(expr)
    stack = [expr]
    while stack:
        node = stack[-1]
        parts = node.args
        waiting = [a for a in parts if a not in known] if parts else parts
        if waiting:
            stack += waiting
            if len(known) + len(waiting) > limit:  # equal parts counted once are too many
                return limit + 1
            continue
        known[node] = 1 + sum([known[a] for a in parts])
        if known[node] > limit:
            return limit + 1
        stack.pop()
    return known[expr]


def written_length(expr: Expr) -> float:
    """About how many letters wide the expression is on paper; brackets inside brackets count more.

    >>> x, y, z = se.symbols("x y z")
    >>> written_length(x * (y + z)) < written_length(x * y + x * z)
    True
    """
    if len(_LENGTHS) > MOST_KEPT:
        _LENGTHS.clear()
    return _length(se.sympify(expr), 0)


def _length(expr: Expr, depth: int) -> float:
    key = (expr, depth)
    known = _LENGTHS.get(key)
    if known is None:
        known = _LENGTHS[key] = _measured(expr, depth)
    return known


def _measured(expr: Expr, depth: int) -> float:
    if isinstance(expr, se.Symbol):
        return 1.0 if len(str(expr)) == 1 or str(expr) in GREEK else 1.5
    if isinstance(expr, se.Number):
        text = str(expr)
        return float(len(text.replace("/", "").removeprefix("-"))) + (LINE if "/" in text else 0.0)
    if isinstance(expr, se.Add):
        minus = 0.0 if any(not _negative(a) for a in expr.args) else 1.0
        return sum(_length(a, depth) for a in expr.args) + SIGN * (len(expr.args) - 1) + minus
    if isinstance(expr, se.Mul):
        parts = list(expr.args)
        if parts[0] == _MINUS:
            parts = parts[1:]
        below = [p for p in parts if isinstance(p, se.Pow) and _negative(p.args[1])]
        if not below:
            return sum(_factor(p, depth) for p in parts)
        above = [p for p in parts if p not in below]
        return _alone(above, depth) + LINE + _alone(below, depth)
    if isinstance(expr, se.Pow):
        return _factor(expr, depth) + (LINE if _negative(expr.args[1]) else 0.0)
    inside = sum(_length(a, depth + 1) for a in expr.args)
    return 2.0 + inside + (0.0 if len(expr.args) == 1 and isinstance(expr.args[0], se.Symbol) else BRACKETS)


def _alone(parts: list[Expr], depth: int) -> float:
    """What stands above or below a line, where one sum needs no brackets."""
    if len(parts) == 1 and isinstance(parts[0], se.Add):
        return _length(parts[0], depth)
    if len(parts) == 1 and isinstance(parts[0], se.Pow) and parts[0].args[1] == _MINUS:
        return _length(parts[0].args[0], depth)
    return sum(_factor(p, depth) for p in parts)


def _factor(expr: Expr, depth: int) -> float:
    base, power = expr.args if isinstance(expr, se.Pow) else (expr, _ONE)
    fence = BRACKETS + NESTED * depth if isinstance(base, se.Add) else 0.0
    raised = 0.0 if power is _ONE or power in (_ONE, _MINUS) else POWER
    return _length(base, depth + (1 if fence else 0)) + fence + raised


def _negative(expr: Expr) -> bool:
    number = expr.args[0] if isinstance(expr, se.Mul) else expr
    return isinstance(number, se.Number) and bool(number.is_negative)
