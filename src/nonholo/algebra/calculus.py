"""Derivatives and substitution on shared expression graphs (SymEngine inside)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import symengine as se

from nonholo.errors import ModelError

Expr = Any
Symbol = Any

ZERO = se.Integer(0)
ONE = se.Integer(1)

_STEP = se.Symbol("_step")


def symbol(name: str) -> Symbol:
    """The symbol of this name."""
    return se.Symbol(name)


def symbols(names: Iterable[str]) -> tuple[Symbol, ...]:
    """One symbol for each name."""
    return tuple(se.Symbol(name) for name in names)


def differentiable(expr: Expr) -> Expr:
    """The same function with Abs, sign, Max and Min written as Piecewise, which SymEngine can differentiate.

    >>> from symengine import Abs, Symbol
    >>> differentiable(Abs(Symbol("x"))).diff(Symbol("x"))
    Piecewise((1, 0 <= x), (-1, True))
    """
    expr = se.sympify(expr)
    rewrite = {node: _piecewise(node) for node in expr.atoms(se.Abs, se.sign, se.Max, se.Min)}
    if not rewrite:
        return expr
    for inner in sorted(rewrite, key=lambda node: len(str(node))):  # inner ones first, so that nested ones are met too
        expr = expr.xreplace({inner: rewrite[inner]})
    return expr if not expr.atoms(se.Abs, se.sign, se.Max, se.Min) else differentiable(expr)


def _piecewise(node: Expr) -> Expr:
    first, *rest = node.args
    if isinstance(node, se.Abs):
        return se.Piecewise((first, first >= 0), (-first, True))
    if isinstance(node, se.sign):
        return se.Piecewise((ONE, first > 0), (-ONE, first < 0), (ZERO, True))
    for other in rest:
        first = se.Piecewise((first, first >= other if isinstance(node, se.Max) else first <= other), (other, True))
    return first


def smooth(expr: Expr, where: str) -> Expr:
    """The expression in differentiable form, or a ModelError when a part of it has no derivative."""
    expr = differentiable(expr)
    steps = expr.atoms(se.floor, se.ceiling)
    if steps:
        raise ModelError(
            f"{where}: {next(iter(steps))} has no derivative; write it with smooth functions or Piecewise."
        )
    return expr


def gradient(expr: Expr, variables: Sequence[Symbol]) -> tuple[Expr, ...]:
    """All partial derivatives of one expression."""
    expr = se.sympify(expr)
    present = expr.free_symbols
    return tuple(expr.diff(v) if v in present else ZERO for v in variables)


def jacobian(exprs: Sequence[Expr], variables: Sequence[Symbol]) -> tuple[tuple[Expr, ...], ...]:
    """The matrix ``∂exprs_i/∂variables_j``."""
    return tuple(gradient(expr, variables) for expr in exprs)


def along(exprs: Sequence[Expr], direction: Mapping[Symbol, Expr]) -> tuple[Expr, ...]:
    """Directional derivative ``Σ (∂expr/∂s) direction[s]`` of every expression.

    One pass for each expression, whatever the number of directions: ``d/dε f(s + ε d)`` at ``ε = 0``. The
    directions are stood in for by symbols, so the graph stays shared.

    >>> x, y = symbols("xy")
    >>> along([x * y], {x: y, y: 1})
    (y**2 + x,)
    """
    moving = {s: d for s, d in direction.items() if d != 0}
    if not moving:
        return tuple(ZERO for _ in exprs)
    stand_in = {s: se.Symbol(f"_along_{s}") for s in moving}
    shift = {s: s + _STEP * stand_in[s] for s in moving}
    back: dict[Symbol, Expr] = {stand_in[s]: d for s, d in moving.items()}
    result = []
    for expr in exprs:
        expr = se.sympify(expr)
        if not expr.free_symbols & moving.keys():
            result.append(ZERO)
            continue
        rate = expr.xreplace(shift).diff(_STEP).xreplace({_STEP: ZERO})
        result.append(rate.xreplace(back))
    return tuple(result)


def substitute(exprs: Sequence[Expr], replacement: Mapping[Symbol, Expr]) -> tuple[Expr, ...]:
    """Every expression with all replacements made at once."""
    table = {s: se.sympify(e) for s, e in replacement.items() if s != e}
    if not table:
        return tuple(se.sympify(e) for e in exprs)
    return tuple(se.sympify(e).xreplace(table) for e in exprs)


def node_count(exprs: Iterable[Expr]) -> int:
    """How many different nodes the shared graph of the expressions has."""
    seen: set[Expr] = set()
    stack = [se.sympify(e) for e in exprs]
    while stack:
        node = stack.pop()
        if node not in seen:
            seen.add(node)
            stack.extend(node.args)
    return len(seen)


def tidy(expr: Expr, limit: int = 400) -> Expr:
    """A shorter equal expression by ``sin² + cos² = 1``, or the expression itself; cheap, and only for small ones.

    >>> t = symbol("t")
    >>> tidy(se.cos(t)**2 + se.sin(t)**2)
    1
    """
    expr = se.sympify(expr)
    if not expr.args or node_count([expr]) > limit:
        return expr
    polynomial = expr.expand()
    for sine in polynomial.atoms(se.sin):
        cosine = se.cos(sine.args[0])
        powers = {p: p.args[1] for p in polynomial.atoms(se.Pow) if p.args[0] == sine and p.args[1].is_Integer}
        table = {p: (1 - cosine**2) ** (int(n) // 2) * sine ** (int(n) % 2) for p, n in powers.items() if int(n) > 1}
        if table:
            polynomial = polynomial.xreplace(table).expand()
    return polynomial if node_count([polynomial]) < node_count([expr]) else expr
