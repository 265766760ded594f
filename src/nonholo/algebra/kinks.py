"""Functions with kinks and steps: Abs, sign, Max, Min, floor and ceiling, written as pieces where they are differentiated."""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

from nonholo.algebra.cache import Cache
from nonholo.algebra.calculus import ONE, ZERO, atoms, from_below, nodes
from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError

MOST = 200_000
"""Parts of an expression whose kinks are written as pieces."""
STEPS = (se.floor, se.ceiling)
KINKS = (se.Abs, se.sign, se.Max, se.Min, *STEPS)
_ROUGH: Cache[tuple[Expr, ...]] = Cache(256)


def _rough(expr: Expr) -> tuple[Expr, ...]:
    """The kinks and steps in an expression, cached."""
    return _ROUGH.get(expr, lambda: tuple(n for n in nodes([expr]) if isinstance(n, KINKS)))


def differentiable(expr: Expr) -> Expr:
    """The same function with Abs, sign, Max and Min written as Piecewise, which SymEngine can differentiate.

    >>> from symengine import Abs, Symbol
    >>> differentiable(Abs(Symbol("x"))).diff(Symbol("x"))
    Piecewise((1, 0 <= x), (-1, True))
    """
    expr = se.sympify(expr)
    found = {node for node in _rough(expr) if not isinstance(node, STEPS)}
    if not found:
        return expr
    if _written_out(expr) > MOST:
        raise ModelError(
            f"Abs, sign, Max and Min inside each other: written out as pieces they have more than {MOST} terms; use fewer of "
            "them, or smooth functions such as sqrt(x**2 + 1e-6)."
        )
    rewrite = {node: _piecewise(node) for node in found}
    for inner in sorted(rewrite, key=lambda node: len(str(node))):  # inner ones first, so that nested ones are met too
        expr = expr.xreplace({inner: rewrite[inner]})
    return expr if not atoms([expr], se.Abs, se.sign, se.Max, se.Min) else differentiable(expr)


def _piecewise(node: Expr) -> Expr:
    first, *rest = node.args
    if isinstance(node, se.Abs):
        return se.Piecewise((first, first >= 0), (-first, True))
    if isinstance(node, se.sign):
        return se.Piecewise((ONE, first > 0), (-ONE, first < 0), (ZERO, True))
    least = isinstance(node, se.Min)
    pieces = []
    for k, one in enumerate(node.args[:-1]):  # side by side, not inside each other, where every one would double all before it
        beats = [one <= other if least else one >= other for other in node.args[k + 1 :]]
        pieces.append((one, beats[0] if len(beats) == 1 else se.And(*beats)))
    return se.Piecewise(*pieces, (rest[-1] if rest else first, True))


def _written_out(expr: Expr) -> int:
    """How many parts an expression has when Abs, sign, Max and Min are written as pieces, which repeat what is inside."""
    sizes: dict[Expr, int] = {}

    def size(node: Expr, parts: Sequence[Expr]) -> int:
        times = len(parts) if isinstance(node, (se.Max, se.Min)) else 3 if isinstance(node, (se.Abs, se.sign)) else 1
        return 1 + times * sum(sizes[part] for part in parts)

    from_below([expr], sizes, size)
    return sizes[expr]


def smooth(expr: Expr, where: str) -> Expr:
    """The expression in differentiable form, or a ModelError when a part of it has no derivative."""
    expr = differentiable(expr)
    steps = [node for node in _rough(expr) if isinstance(node, STEPS)]
    if steps:
        raise ModelError(
            f"{where}: {min(map(str, steps))} has no derivative; write it with smooth functions or Piecewise."
        )
    return expr


def without_equal_pieces(expr: Expr) -> Expr:
    """The expression with every Piecewise whose pieces are all equal replaced by that piece, as derivatives make them.

    >>> x = se.Symbol("x")
    >>> without_equal_pieces(2 * x + x * se.Piecewise((ZERO, x < 1), (ZERO, True)))
    2*x
    """
    while True:
        pieces = (node for node in nodes([expr]) if isinstance(node, se.Piecewise))
        found = {node: node.args[0] for node in pieces if len(set(node.args[::2])) == 1}
        if not found:
            return expr
        expr = expr.xreplace(found)


def written_kinks(expr: Expr) -> Expr:
    """The expression as a reader knows it: Abs, Max and Min in place of their pieces, equal pieces as one.

    >>> x, y = se.symbols("x y")
    >>> [written_kinks(differentiable(e)) for e in (se.Max(x, 0), se.Min(x, 2 * y), se.Abs(x - y))]
    [max(0, x), min(x, 2*y), abs(x - y)]
    >>> written_kinks(y * differentiable(se.Max(x, 0)).diff(y))
    0
    """
    expr = without_equal_pieces(expr)
    found = {node: kink for node in nodes([expr]) if (kink := _kink(node)) is not None}
    return written_kinks(expr.xreplace(found)) if found else expr


def _kink(node: Expr) -> Expr | None:
    """What two pieces are that are compared with each other; None for others."""
    if not isinstance(node, se.Piecewise) or len(node.args) != 4:
        return None
    one, condition, other, _ = node.args
    if not isinstance(condition, (se.LessThan, se.StrictLessThan)):
        return None
    low, high = condition.args
    if ZERO in (low, high) and one == high - low and other in (-one, low - high):
        return se.Abs(one)
    if {low, high} != {one, other}:
        return None
    return se.Max(one, other) if one == high else se.Min(one, other)
