"""Functions whose differential is a given form, up to a factor: integrating factors and potentials in closed form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.budget import Purse
from nonholo.algebra.calculus import ZERO, atoms, expand, gradient, node_count
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely

Form = tuple[Expr, ...]
Values = Mapping[str, float]
READABLE = 250
"""Forms with more nodes than this are not integrated: the result would be unreadable."""
EXACT = 1e-10
WORK = 2.0
"""Units of computer algebra for one form, see `nonholo.algebra.budget`."""


def potential(
    form: Form, variables: Sequence[Any], samples: Sequence[Values], purse: Purse | None = None
) -> Expr | None:
    """A function ``f`` with ``df = μ form`` for some factor ``μ``, or None when none is found in closed form.

    Factors are sought among products of powers of the form's factors, exponentials of coordinates, and functions
    of one coordinate; then the form in two variables is left to SymPy as a differential equation.

    >>> x, y = se.symbols("x y")
    >>> potential((y, -x), (x, y), [{"x": 0.3, "y": 0.7}, {"x": 1.1, "y": 0.4}])
    x/y
    """
    purse = purse or Purse(WORK)
    form = without_factor(form, purse)
    if node_count(form) > READABLE or not integrable(form, variables, samples):
        return None
    for factor in _factors(form, variables, samples, purse):
        exact = tuple(factor * e for e in form)
        found = purse.within(lambda: _antiderivative(exact, variables, samples))  # noqa: B023 - used at once
        if found is not None:
            return found
    moving = [k for k, e in enumerate(form) if e != 0]
    if len(moving) == 2:
        return purse.within(lambda: _by_differential_equation(form, variables, moving[0], moving[1], samples))
    return None


def without_factor(form: Form, purse: Purse) -> Form:
    """The form with common denominators and common factors taken out, by SymPy and as far as the purse goes."""
    if all(e.is_Number or e.is_Symbol for e in form):
        return form

    def work() -> Form:
        import sympy

        parts = [sympy.together(sympy.sympify(e)) for e in form]
        under = sympy.Integer(1)
        for part in parts:
            under = sympy.lcm(under, sympy.fraction(part)[1])
        above = [sympy.cancel(part * under) for part in parts]
        common = sympy.Integer(0)
        for part in above:
            common = sympy.gcd(common, part)
        return tuple(se.sympify(sympy.factor_terms(sympy.cancel(part / common))) for part in above)

    return (purse.within(work) if node_count(form) <= READABLE else None) or form


def _curl(form: Form, variables: Sequence[Any], samples: Sequence[Values]) -> tuple[NDArray[Any], NDArray[Any]]:
    """The form and ``∂_i a_j`` at the samples."""
    slopes = [gradient(e, variables) for e in form]
    values = np.array([evaluate_precisely(form, s) for s in samples])
    turns = np.array([evaluate_matrix_precisely(slopes, s).T for s in samples])
    return values, turns


def integrable(form: Form, variables: Sequence[Any], samples: Sequence[Values]) -> bool:
    """Whether ``θ ∧ dθ = 0`` at the samples, without which a form has no integrating factor."""
    moving = [k for k, e in enumerate(form) if e != 0 or any(variables[k] in f.free_symbols for f in form)]
    values, turns = _curl(form, variables, samples)
    curl = turns - np.transpose(turns, (0, 2, 1))
    scale = float(np.max(np.abs(values), initial=0.0)) * float(np.max(np.abs(turns), initial=0.0))
    for i, j, k in combinations(moving, 3):
        total = values[:, i] * curl[:, j, k] + values[:, j] * curl[:, k, i] + values[:, k] * curl[:, i, j]
        if not np.max(np.abs(total)) <= EXACT * scale:
            return False
    return True


def _wedge(one: NDArray[Any], two: NDArray[Any]) -> NDArray[Any]:
    """``one_i two_j − one_j two_i`` for i < j, all samples in one vector."""
    size = one.shape[-1]
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    return np.array([one[:, i] * two[:, j] - one[:, j] * two[:, i] for i, j in pairs]).reshape(-1)


def _factors(form: Form, variables: Sequence[Any], samples: Sequence[Values], purse: Purse) -> Iterator[Expr]:
    """Functions ``μ`` with ``d(μ form) = 0``, simplest first, until the purse is empty.

    For ``μ = Π g_k^{p_k}`` this is ``dθ + Σ p_k (d log g_k) ∧ θ = 0``, linear in the exponents.
    """
    values, turns = _curl(form, variables, samples)
    size = len(variables)
    pairs = [(i, j) for i in range(size) for j in range(i + 1, size)]
    curl = np.array([turns[:, i, j] - turns[:, j, i] for i, j in pairs]).reshape(-1)
    if not pairs or not np.all(np.isfinite(curl)):
        if not pairs:
            yield se.Integer(1)
        return
    scale = float(np.max(np.abs(turns), initial=0.0)) + float(np.max(np.abs(values)))
    if np.max(np.abs(curl)) <= EXACT * scale:
        yield se.Integer(1)
        return
    bases, columns = [], []
    for base in _bases(form, variables):
        slope = np.array([evaluate_precisely([e / base for e in gradient(base, variables)], s) for s in samples])
        column = _wedge(slope, values)
        if np.all(np.isfinite(column)) and np.max(np.abs(column)) > EXACT * scale:
            bases.append(base)
            columns.append(column)
    for count in (1, 2, 3):
        for chosen in combinations(range(len(bases)), count):
            matrix = np.array([columns[k] for k in chosen]).T
            powers, *_ = np.linalg.lstsq(matrix, -curl, rcond=None)
            exact = [Fraction(float(p)).limit_denominator(12) for p in powers]
            gap = matrix @ np.array([float(p) for p in exact]) + curl
            if all(p != 0 for p in exact) and np.max(np.abs(gap)) <= EXACT * scale:
                yield se.Mul(*(bases[k] ** se.Rational(p.numerator, p.denominator) for k, p in zip(chosen, exact)))
    yield from _one_variable_factors(form, variables, samples, purse)


def _bases(form: Form, variables: Sequence[Any]) -> list[Expr]:
    """Candidate factors of an integrating factor."""
    found: dict[Expr, None] = {}
    inside = set(variables)
    for entry in form:
        for factor in entry.args if isinstance(entry, se.Mul) else (entry,):
            base = factor.args[0] if isinstance(factor, se.Pow) and factor.args[1].is_Number else factor
            found[base] = None
    used = [x for x, e in zip(variables, form) if e != 0 or any(x in other.free_symbols for other in form)]
    turning = {f.args[0] for f in atoms(form, se.sin, se.cos, se.tan)}
    sums = [se.Add(*(x * e for x, e in zip(variables, form))), se.Add(*(x**2 for x in used))]
    for base in (*used, *(f(a) for a in sorted(turning, key=str) for f in (se.cos, se.sin)), *sums, *map(se.exp, used)):
        found[base] = None
    return [b for b in found if b.free_symbols & inside][:24]


def _one_variable_factors(
    form: Form, variables: Sequence[Any], samples: Sequence[Values], purse: Purse
) -> Iterator[Expr]:
    """``μ = exp ∫ h(x_j) dx_j``, where ``h = −(∂_j a_k − ∂_k a_j)/a_k`` depends on one variable alone."""
    import sympy

    for j, x in enumerate(variables):
        k = next((k for k, e in enumerate(form) if k != j and e != 0), None)
        if k is None:
            continue
        rate = -(gradient(form[k], variables)[j] - gradient(form[j], variables)[k]) / form[k]
        others = [v for v in variables if v != x]
        if any(np.max(np.abs(evaluate_precisely(gradient(rate, others), s))) > EXACT for s in samples):
            continue
        still = dict.fromkeys(others, se.Rational(1, 2))
        inner = rate.xreplace(still)
        whole = purse.within(lambda: sympy.integrate(sympy.sympify(inner), sympy.Symbol(str(x))))  # noqa: B023
        if whole is not None and not whole.has(sympy.Integral):
            yield se.exp(se.sympify(whole))


def _antiderivative(form: Form, variables: Sequence[Any], samples: Sequence[Values]) -> Expr | None:
    """``f`` with ``df = form`` for a closed form, one variable after the other."""
    import sympy

    total = sympy.Integer(0)
    done: list[Any] = []
    for x, entry in zip(variables, form):
        here = sympy.Symbol(str(x))
        rest = sympy.expand(sympy.cancel(sympy.sympify(entry) - sympy.diff(total, here)))
        if rest.free_symbols & set(done):
            rest = sympy.simplify(rest)
        if rest.free_symbols & set(done):
            return None
        part = sympy.integrate(rest, here)
        if part.has(sympy.Integral):
            return None
        total += part
        done.append(here)
    found = presentable(real_logarithms(se.sympify(total), samples))
    return found if found.free_symbols & set(variables) else None


def _by_differential_equation(
    form: Form, variables: Sequence[Any], one: int, two: int, samples: Sequence[Values]
) -> Expr | None:
    """The constant of integration of ``dy/dx = −a/b``, by SymPy."""
    import sympy

    x, y = (sympy.Symbol(str(variables[k])) for k in (one, two))
    function = sympy.Function("_y")
    a, b = (sympy.sympify(form[k]) for k in (one, two))
    slope = (-a / b).subs(y, function(x))
    solutions = sympy.dsolve(sympy.Derivative(function(x), x) - slope, function(x))
    for solution in solutions if isinstance(solutions, list) else [solutions]:
        constant = sympy.Symbol("C1")
        for value in sympy.solve(solution.subs(function(x), y), constant):
            if value.free_symbols & {x, y} and not value.has(sympy.Integral, sympy.I):
                return presentable(real_logarithms(se.sympify(value), samples))
    return None


def real_logarithms(function: Expr, samples: Sequence[Values]) -> Expr:
    """The function with logarithms of what is positive at the samples: their slopes do not depend on the sign.

    >>> x = se.Symbol("x")
    >>> real_logarithms(se.log(se.cos(x) - 1), [{"x": 0.3}, {"x": 1.1}])
    log(1 - cos(x))
    """
    table = {}
    for part in atoms([function], se.log):
        values = np.array([float(evaluate_precisely([part.args[0]], s)[0]) for s in samples])
        if np.all(values < 0):
            table[part] = se.log(expand(-part.args[0]))
        elif np.any(values < 0):
            table[part] = se.log(part.args[0] ** 2) / 2
    return function.xreplace(table)


def presentable(function: Expr) -> Expr:
    """The function without a constant term, with whole numbers as coefficients and a first one that is positive.

    >>> x, y = se.symbols("x y")
    >>> presentable(3 - x**2 / 2 - y**2 / 2)
    x**2 + y**2
    """
    if isinstance(function, se.log) or (isinstance(function, se.Pow) and function.args[1].is_Number):
        return presentable(function.args[0])  # constant where its argument is
    terms = [t for t in (function.args if isinstance(function, se.Add) else (function,)) if t.free_symbols]
    terms.sort(key=lambda t: (not _stripped(t).is_Symbol, str(_stripped(t))))
    if terms and all(isinstance(_stripped(t), se.log) for t in terms):
        numbers = [_leading(t) for t in terms]
        if all(isinstance(n, (se.Integer, se.Rational)) for n in numbers):
            scale = _scale(numbers)
            return se.Mul(*(_stripped(t).args[0] ** (n * scale) for t, n in zip(terms, numbers)))
    numbers = [_leading(t) for t in terms]
    if not all(isinstance(n, (se.Integer, se.Rational)) for n in numbers):
        return se.Add(*terms) if terms else ZERO
    scale = _scale(numbers)
    return se.Add(*(t * scale for t in terms)) if terms else ZERO


def _leading(term: Expr) -> Expr:
    """The number in front of a term."""
    if isinstance(term, se.Mul) and term.args[0].is_Number:
        return term.args[0]
    return term if term.is_Number else se.Integer(1)


def _stripped(term: Expr) -> Expr:
    return term / _leading(term)


def _scale(numbers: Sequence[Expr]) -> Expr:
    """The factor that makes rational numbers whole, without common divisor, most of them (or the first) positive."""
    exact = [Fraction(str(n)) for n in numbers]
    under = int(np.lcm.reduce([f.denominator for f in exact]))
    over = int(np.gcd.reduce([int(f * under) for f in exact]))
    below = sum(f < 0 for f in exact)
    sign = -1 if 2 * below > len(exact) or (2 * below == len(exact) and exact[0] < 0) else 1
    return se.Rational(sign * under, over)
