"""Constraints that are linear in the velocities in disguise: divided by velocities, or inside a strictly monotone function.

``a f(g) + b = 0`` with ``a``, ``b`` free of velocities and ``f`` strictly monotone has the zeros of ``g − f⁻¹(−b/a)``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import symengine as se

from nonholo.algebra.calculus import atoms, expand, larger_than
from nonholo.algebra.expression_types import Expr

DIVIDED = 300
"""Residuals with more nodes than this keep their denominators."""
INVERSES: dict[Any, Callable[[Expr], Expr]] = {
    se.log: se.exp,
    se.sinh: se.asinh,
    se.asinh: se.sinh,
    se.tanh: se.atanh,
    se.atanh: se.tanh,
    se.atan: se.tan,
    se.asin: se.sin,
    se.acos: se.cos,
}
"""Strictly monotone functions by class, with their inverses."""


def cleared(residual: Expr, velocities: Iterable[Any]) -> Expr:
    """A residual that was divided by velocities, ``ẏ/ẋ − tan θ``, without its denominators; else as it is."""
    inner = set(velocities)
    below = [e.args[0] for e in atoms([residual], se.Pow) if e.args[1].is_Integer and e.args[1].is_negative]
    if not any(e.free_symbols & inner for e in below) or larger_than([residual], DIVIDED):
        return residual
    import sympy

    return expand(se.sympify(sympy.numer(sympy.together(sympy.sympify(residual)))))


def without_monotone(residual: Expr, velocities: Iterable[Any]) -> Expr:
    """A residual with the same zeros where the velocities occur inside one strictly monotone function; else unchanged.

    >>> x, y, v, w = se.symbols("x y v w")
    >>> without_monotone(3 * se.exp(v - y * w) - 3, (v, w)) == v - y * w
    True
    >>> without_monotone(se.exp(v) + 1, (v, w)) == se.exp(v) + 1
    True
    """
    inner = set(velocities)
    found = _inside(se.sympify(residual), inner)
    if found is None:
        return residual
    node, value = found
    if isinstance(node, se.Pow) and node.args[0] == se.E:
        if value.is_Number and not value.is_positive:
            return residual
        return without_monotone(node.args[1] - se.log(value), inner)
    inverse = INVERSES.get(type(node))
    if inverse is None:
        return residual
    return without_monotone(node.args[0] - inverse(value), inner)


def along_angle(residual: Expr, velocities: Iterable[Any]) -> Expr:
    """``u cos c − w sin c`` for ``atan2(u, w) = c``: the zeros of the residual are one half of its zeros; else as it is."""
    found = half_line(residual, velocities)
    return residual if found is None else found[0]


def half_line(residual: Expr, velocities: Iterable[Any]) -> tuple[Expr, Expr] | None:
    """For ``atan2(u, w) = c``: ``u cos c − w sin c``, which vanishes, and ``u sin c + w cos c``, which is not negative.

    >>> th, u, w = se.symbols("th u w")
    >>> half_line(se.atan2(u, w) - th, (u, w)) == (u * se.cos(th) - w * se.sin(th), u * se.sin(th) + w * se.cos(th))
    True
    """
    found = _inside(se.sympify(residual), set(velocities))
    if found is None or not isinstance(found[0], se.atan2):
        return None
    (above, beside), angle = found[0].args, found[1]
    return above * se.cos(angle) - beside * se.sin(angle), above * se.sin(angle) + beside * se.cos(angle)


def _inside(residual: Expr, velocities: set[Any]) -> tuple[Expr, Expr] | None:
    """The one function that holds all velocities, and the value that it must have; None where there is none."""
    moving = [e for e in _terms(residual) if e.free_symbols & velocities]
    if len(moving) != 1:
        return None
    factors = moving[0].args if isinstance(moving[0], se.Mul) else (moving[0],)
    nodes = [f for f in factors if f.free_symbols & velocities]
    if len(nodes) != 1 or nodes[0].is_Symbol:
        return None
    weight = se.Mul(*(f for f in factors if f != nodes[0]))
    return nodes[0], -se.Add(*(e for e in _terms(residual) if e != moving[0])) / weight


def _terms(expr: Expr) -> tuple[Expr, ...]:
    return tuple(expr.args) if isinstance(expr, se.Add) else (expr,)
