"""Write first integrals in their shortest form, and in one line of text."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import atoms, expand, expanded_terms, larger_than, nodes, symbol, symbols, tidy
from nonholo.algebra.expression_types import Expr
from nonholo.model.rotation_axes import axes_of, system_notation
from nonholo.model.system import System
from nonholo.notation.shortening.shorten import shortened
from nonholo.notation.write import to_text
from nonholo.program.hash_consing import is_deep

ROUNDS = 6
SHORTER = 0.3
"""Units of work for making an integral shorter by what makes a matrix a rotation."""


def text_of(system: System, expression: Any, kind: str = "a momentum", limit: int = 320) -> str:
    """An integral in a line, with names for its constants, or a description of it when it is longer."""
    if hasattr(expression, "many"):
        return str(getattr(expression, "noun", expression))
    if larger_than([expression], 2 * limit):  # its text is longer still
        return kind
    short, constants = with_constants(se.sympify(expression), system.coordinates)
    shown = to_text(short)
    if short.free_symbols & {symbol(n) for axis in axes_of(system) for n in axis.entries}:
        (by_rotations,), _ = shortened([short], SHORTER, system_notation(system))  # R Rᵀ = 1
        shown = min(shown, to_text(by_rotations), key=len)
    if len(shown) > limit:
        return kind
    where = ", ".join(f"{name}**2 = {to_text(square)}" for name, square in constants)
    return f"{shown} (with {where})" if where else shown


def angles_joined(expression: Expr) -> Expr:
    """``(cos α + 1)(cos α − 1) = −sin² α`` and the like, which factors of polynomials do not know.

    >>> al, x = symbols(["al", "x"])
    >>> angles_joined(x * se.sin(al) ** 2 / ((se.cos(al) + 1) * (se.cos(al) - 1)) + 3)
    3 - x
    """
    for _ in range(ROUNDS):
        table: dict[Expr, Expr] = {}
        for product in atoms([expression], se.Mul):
            powers = dict(p.args if isinstance(p, se.Pow) else (p, se.Integer(1)) for p in product.args)
            for f in {f for base in powers if base.is_Add for f in base.args if isinstance(f, (se.sin, se.cos))}:
                above, below = powers.get(f + 1), powers.get(f - 1)
                if above is not None and above == below:
                    other = se.cos(f.args[0]) if isinstance(f, se.sin) else se.sin(f.args[0])
                    table[product] = product / ((f + 1) * (f - 1)) ** above * (-(other**2)) ** above
        if not table:
            break
        expression = expression.xreplace(table)
    return expression


def with_constants(expression: Expr, coordinates: Sequence[str]) -> tuple[Expr, list[tuple[str, Expr]]]:
    """The expression with ``k`` for the roots of parameters that multiply a coordinate in sines and exponents.

    >>> a, t, m, J = se.symbols("a theta m J")
    >>> with_constants(se.cos(a * t * se.sqrt(m / J)) * m, ["theta"])[1]
    [('k', a**2*m/J)]
    """
    moving = set(symbols(coordinates))
    every = nodes([expression])
    inside = [f.args[0] for f in every if isinstance(f, (se.sin, se.cos))]
    inside += [f.args[1] for f in every if isinstance(f, se.Pow) and not f.args[1].is_Number]
    names = iter([n for n in ("k", "kappa", "k_1", "k_2") if symbol(n) not in expression.free_symbols])
    found: dict[Expr, str] = {}
    table: dict[Expr, Expr] = {}
    for inner in sorted(set(inside), key=str):
        parts = list(inner.args) if isinstance(inner, se.Mul) else [inner]
        still = se.Mul(*(f for f in parts if not f.free_symbols & moving and not f.is_Number))
        rest = se.Mul(*(f for f in parts if f.free_symbols & moving or f.is_Number))
        if not any(_is_root(f) for f in (still.args if isinstance(still, se.Mul) else [still])):
            continue
        if still not in found:
            name = next(names, None)
            if name is None:
                break
            found[still] = name
        table[inner] = symbol(found[still]) * rest
    constants = [(name, factor**2) for factor, name in found.items()]
    for factor, name in found.items():
        whole = factor.args if isinstance(factor, se.Mul) else (factor,)
        (root, *_), rest = [f for f in whole if _is_root(f)], [f for f in whole if not _is_root(f)]
        if len(whole) - len(rest) == 1:
            table |= {root: symbol(name) / se.Mul(*rest), 1 / root: se.Mul(*rest) / symbol(name)}
    return expression.xreplace(table), constants


def _is_root(factor: Expr) -> bool:
    return isinstance(factor, se.Pow) and factor.args[1].is_Number and not factor.args[1].is_Integer


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
