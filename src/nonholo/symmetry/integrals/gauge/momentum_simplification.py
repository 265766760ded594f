"""Simplify momenta with a common power and a root of parameters."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.expression_types import Expr

UNITS = 2.0
"""Units of work after which a shorter form is given up."""


def by_root(momentum: Expr, square: Expr, moving: Iterable[Any]) -> Expr | None:
    """A momentum rational in ``κ = √D`` up to a constant factor, with κ in place of a parameter in which D is linear over linear.

    The parameter is expressed by κ, so that all relations between the two cancel; κ is then written out.

    >>> I, m, x, w, v = se.symbols("I m x w v")
    >>> root = se.sqrt(I / (I + m))
    >>> by_root(I * w - (I + m) * root * (w - x * v), I / (I + m), [x, w, v])
    -w + v*x + w*sqrt(I/(I + m))
    """
    return within(UNITS, lambda: _short(momentum, square, {str(s) for s in moving}))


def _short(momentum: Expr, square: Expr, moving: set[str]) -> Expr | None:
    import sympy

    D, kappa = sympy.sympify(square), sympy.Symbol("_kappa_", positive=True)
    root = se.Symbol("_root_")
    whole = sympy.sympify(momentum.xreplace({se.sqrt(square): root, 1 / se.sqrt(square): 1 / root}))
    whole = whole.xreplace({sympy.Symbol("_root_"): kappa})
    top, bottom = sympy.fraction(sympy.together(D))
    for parameter in sorted(D.free_symbols, key=str):
        relation = sympy.Poly(top - kappa**2 * bottom, parameter)
        if relation.degree() != 1:
            continue
        a, b = relation.all_coeffs()
        shown = sympy.factor(sympy.cancel(sympy.together(whole.subs(parameter, -b / a))))
        kept = [f for f in sympy.Mul.make_args(shown) if {str(s) for s in f.free_symbols} & moving]
        return se.sympify(sympy.Mul(*kept)).xreplace({se.Symbol("_kappa_"): se.sqrt(square)})
    return None
