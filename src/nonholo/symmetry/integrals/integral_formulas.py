"""Write first integrals in their shortest form."""

from __future__ import annotations

import contextlib
from typing import Any

import symengine as se

from nonholo.algebra.calculus import expand, expanded_terms, larger_than, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.model.system import System
from nonholo.notation.write import to_text
from nonholo.program.hash_consing import is_deep

LONGEST, EXPANDED = 600, 5000
"""Expressions with more nodes than this, or more terms when they are multiplied out, are left as they are."""
TERMS = 120
"""Sums that have more terms when they are multiplied out are not collected."""


def written(system: System, expr: Expr) -> Expr:
    """The shortest text among equal forms: as found, multiplied out, collected by the velocities, factored."""
    if larger_than([expr], LONGEST) or is_deep([expr]):
        return expr
    forms = [expr, expand(expr)]
    if isinstance(forms[1], se.Add) and len(forms[1].args) > TERMS:
        return min(forms, key=lambda e: len(to_text(e)))
    forms.append(tidy(forms[1]))
    with contextlib.suppress(ValueError, TypeError, NotImplementedError, ArithmeticError):
        forms += _collected(system, forms[-1])
    return min(forms, key=lambda e: len(to_text(e)))


def gathered(expr: Expr) -> Expr:
    """The shortest text among forms that are equal, factors and all: as found, multiplied out, terms with one factor together."""
    if larger_than([expr], LONGEST) or is_deep([expr]) or expanded_terms(expr, EXPANDED) > EXPANDED:
        return expr
    flat = expand(expr)
    groups: dict[Expr, list[Expr]] = {}
    for term in flat.args if isinstance(flat, se.Add) else (flat,):
        still = [f for f in (term.args if isinstance(term, se.Mul) else (term,)) if f.is_Symbol or f.is_Number]
        factor = se.Mul(*still)
        groups.setdefault(factor, []).append(term / factor)
    together = se.Add(*(factor * se.Add(*rest) for factor, rest in groups.items()))
    return min([expr, flat, tidy(flat), together], key=lambda e: len(to_text(e)))


def _collected(system: System, expr: Expr) -> list[Expr]:
    import sympy

    known = dict.fromkeys((*system.velocities, *system.quasivelocities))
    names = [n for n in known if se.Symbol(n) in expr.free_symbols]
    if not names:
        return []
    v = [sympy.Symbol(n) for n in names]
    try:
        polynomial = sympy.Poly(sympy.sympify(expr), *v)
    except sympy.PolynomialError:  # a root of the velocities
        return []
    if len(polynomial.terms()) > 40:
        return []
    parts: dict[Any, Any] = {}
    for powers, coefficient in polynomial.terms():
        monomial = sympy.Mul(*(s**n for s, n in zip(v, powers)))
        plain = coefficient
        if len(str(coefficient)) < 400:
            plain = min([coefficient, sympy.factor(coefficient)], key=lambda e: len(str(e)))
        parts[monomial] = plain
    one = sympy.Add(*(c * m for m, c in parts.items()))
    # equal coefficients share a bracket: k (x1² + x2²)
    grouped: dict[Any, list[Any]] = {}
    for m, c in parts.items():
        grouped.setdefault(c, []).append(m)
    two = sympy.Add(*(c * sympy.Add(*ms) for c, ms in grouped.items()))
    return [se.sympify(one), se.sympify(two), *(se.sympify(e) for e in (_content(two),) if e is not None)]


def _content(expr: Any) -> Any:
    """The expression without a factor that is a number or parameter common to all its terms."""
    import sympy

    _, rest = sympy.Add(*expr.args).primitive() if isinstance(expr, sympy.Add) else (1, expr)
    return rest


__all__ = ["symbols", "written"]
