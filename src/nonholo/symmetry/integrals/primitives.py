"""Primitives of closed forms by integrals over one coordinate after the other: ``dF = c`` and ``dN = M``."""

from __future__ import annotations

from collections.abc import Sequence

import symengine as se

from nonholo.algebra.budget import within
from nonholo.algebra.calculus import ZERO, symbols
from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.model.system import System, force_covector, varied

WORK = 4.0
"""Units of work for a vector potential."""


def integral(expr: Expr, variable: Symbol) -> Expr:
    """An antiderivative by SymPy; a ValueError where it knows none in closed form."""
    import sympy

    if expr == 0:
        return ZERO
    found = sympy.integrate(sympy.sympify(expr), sympy.Symbol(str(variable)))
    if found.has(sympy.Integral, sympy.Piecewise):
        raise ValueError("no closed form")
    return se.sympify(found)


def closed_form_primitive(form: Sequence[Expr], variables: Sequence[Symbol]) -> Expr:
    """F with ``∂F/∂x_k = c_k`` for a closed form; a ValueError where the form is not closed or F is not found.

    >>> x, y = symbols(["x", "y"])
    >>> closed_form_primitive([2*x*y, x**2], (x, y))
    x**2*y
    """
    import sympy

    total: Expr = ZERO
    for k, (variable, wanted) in enumerate(zip(variables, form)):
        left = se.sympify(sympy.simplify(sympy.sympify(wanted - total.diff(variable))))
        if left.free_symbols & set(variables[:k]):
            raise ValueError("not closed")
        total = total + integral(left, variable)
    return total


def vector_potential(system: System) -> dict[str, Expr]:
    """``N_j`` with ``M_ij = ∂_i N_j − ∂_j N_i`` for the system's magnetic form in plain coordinates; empty where none is found.

    Along the first coordinate ``N_1 = 0`` and ``N_j = ∫ M_1j dx_1``; what is left of a closed form is one of the other
    coordinates alone, and so on.

    >>> charged = System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", magnetic={("x", "y"): "3*x"})
    >>> vector_potential(charged)
    {'y': (3/2)*x**2}
    """
    if not system.frame.plain or not system.magnetic:
        return {}
    x, v = symbols(system.coordinates), symbols(system.velocities)
    covector = force_covector(varied(system, forces={}))
    form = [[e.diff(s) for s in v] for e in covector]
    found = within(WORK, lambda: _potential(form, x))
    return {} if found is None else {str(s): e for s, e in zip(x, found) if e != 0}


def _potential(form: Sequence[Sequence[Expr]], x: Sequence[Symbol]) -> list[Expr]:
    import sympy

    size = len(x)
    result: list[Expr] = [ZERO] * size
    for i in range(size):
        for j in range(i + 1, size):
            left = form[i][j] - result[j].diff(x[i]) + result[i].diff(x[j])
            left = se.sympify(sympy.simplify(sympy.sympify(left)))
            if left.free_symbols & set(x[:i]):
                raise ValueError("not closed")
            result[j] = result[j] + integral(left, x[i])
    return result
