"""Equilibria in closed form: values that a person would write, confirmed by exact substitution into the equations.

What is told was proved: with the values put in, every force of ``M ż = F`` and every rate of the coordinates is zero, for all
values of the parameters where these stay symbols.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.budget import within
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.flow.state_flow import Flow

Numbers = NDArray[np.float64]
NEAR = 1e-9
"""A number this near to a candidate is tried."""
LARGEST = 24
"""Denominators up to this are tried."""
UNITS = 3.0
"""Units of work for one equilibrium."""
LONG = 400
"""Formulas with more operations are left alone."""


def exact_values(flow: Flow, state: Numbers) -> FrozenMap[str, str]:
    """Every state variable of an equilibrium as a formula; empty where no closed form was confirmed."""
    import sympy  # noqa: F401  (before the work is counted)

    return FrozenMap(within(UNITS, lambda: _searched(flow, state)) or {})


def _searched(flow: Flow, state: Numbers) -> dict[str, str]:
    import sympy

    equations = flow.derived.equations
    rows = [se.sympify(e)._sympy_() for e in (*equations.kinematics, *equations.force, *equations.invariants.values())]
    if sum(int(sympy.count_ops(e)) for e in rows) > LONG:
        return {}
    symbols = {n: sympy.Symbol(n) for n in flow.names}
    known = {symbols[n]: recognised(float(e)) for n, e in zip(flow.names, state)}
    open_ones = [s for s, e in known.items() if e is None]
    if len(open_ones) > 1:
        return {}
    if not open_ones and all(_vanishes(e.subs(known)) for e in rows):
        return {str(s): str(e) for s, e in known.items()}
    # a formula in the parameters is worth more than a number that happens to be round
    for unknown in open_ones or [s for s, e in known.items() if e != 0]:
        value = float(state[flow.names.index(str(unknown))])
        left = [e.subs({s: v for s, v in known.items() if s != unknown}) for e in rows]
        for answer in dict.fromkeys(c for e in left for c in _solutions(e, unknown)):
            if _is(answer, value, flow) and all(_vanishes(e.subs(unknown, answer)) for e in left):
                return {str(s): str(e) for s, e in (known | {unknown: answer}).items()}
    numbers = {sympy.Symbol(n): sympy.Rational(repr(float(v))) for n, v in flow.parameters.items()}
    if not open_ones and all(_vanishes(e.subs(known).subs(numbers)) for e in rows):
        return {str(s): str(e) for s, e in known.items()}
    return {}


def recognised(value: float) -> Any:
    """A small fraction, a fraction of π or the root of a fraction; None where it is none.

    >>> [str(recognised(e)) for e in (0.75, -3.141592653589793, 1.4142135623730951, 0.123456)]
    ['3/4', '-pi', 'sqrt(2)', 'None']
    """
    import sympy

    for unit, symbol in ((1.0, sympy.Integer(1)), (float(np.pi), sympy.pi)):
        part = Fraction(value / unit).limit_denominator(LARGEST)
        if abs(float(part) - value / unit) < NEAR:
            return sympy.Rational(part.numerator, part.denominator) * symbol
    square = Fraction(value * value).limit_denominator(LARGEST)
    if abs(float(square) - value * value) < NEAR:
        return sympy.sqrt(sympy.Rational(square.numerator, square.denominator)) * (1 if value > 0 else -1)
    return None


def _solutions(expression: Any, unknown: Any) -> list[Any]:
    """Values of one unknown for which an expression vanishes: roots of polynomials in it, or in its cosine or sine."""
    import sympy

    if unknown not in expression.free_symbols:
        return []
    c, s = sympy.symbols("_c _s")
    inner = sympy.expand(sympy.together(expression).as_numer_denom()[0], trig=True)
    plain = inner.subs({sympy.cos(unknown): c, sympy.sin(unknown): s})
    result: list[Any] = []
    for factor, _ in sympy.factor_list(plain)[1]:
        names = factor.free_symbols & {c, s, unknown}
        if names == {unknown} and factor.is_polynomial(unknown) and sympy.degree(factor, unknown) <= 2:
            result += sympy.roots(factor, unknown)
        elif names == {c} and sympy.degree(factor, c) <= 2:
            result += [sign * sympy.acos(r) for r in sympy.roots(factor, c) for sign in (1, -1)]
        elif names == {s} and sympy.degree(factor, s) <= 2:
            result += [e for r in sympy.roots(factor, s) for e in (sympy.asin(r), sympy.pi - sympy.asin(r))]
        elif names == {c, s} and sympy.Poly(factor, c, s).total_degree() == 1 and factor.subs({c: 0, s: 0}) == 0:
            ratio = -sympy.diff(factor, c) / sympy.diff(factor, s)
            result += [sympy.atan(ratio), sympy.atan(ratio) + sympy.pi, sympy.atan(ratio) - sympy.pi]
    return result


def _is(candidate: Any, value: float, flow: Flow) -> bool:
    """Whether a formula has the value that was found."""
    number = complex(candidate.subs(dict(flow.parameters)).evalf())
    return abs(number - value) < NEAR * max(1.0, abs(value))


def _vanishes(expression: Any) -> bool:
    import sympy

    return bool(expression == 0 or sympy.simplify(expression) == 0)
