"""Rational functions of parameters from their values modulo a prime."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

import numpy as np
import symengine as se

from nonholo.algebra.kinds import Expr
from nonholo.algebra.prime.field import P, Residues, draws, fraction_of, inverse, null_space, power

DEGREES = (1, 2, 3, 4)
"""Total degrees of numerator and denominator that are tried in turn."""
UNKNOWNS = 300
"""An ansatz with more coefficients than this is not tried."""


def monomials(count: int, degree: int) -> list[tuple[int, ...]]:
    """Exponents of all monomials up to a total degree, the lowest first."""
    every = [e for e in product(range(degree + 1), repeat=count) if sum(e) <= degree]
    return sorted(every, key=lambda e: (sum(e), tuple(-k for k in e)))


def needed(count: int, degree: int) -> int:
    """How many values decide a rational function of this degree."""
    return 2 * len(monomials(count, degree)) + 4


def _columns(values: Sequence[Residues], exponents: Sequence[tuple[int, ...]], p: int) -> Residues:
    size = len(values[0]) if values else 1
    result = []
    for powers in exponents:
        column = np.ones(size, dtype=np.int64)
        for value, n in zip(values, powers):
            if n:
                column = column * power(value, n, p) % p
        result.append(column)
    return np.column_stack(result)


def rational(names: Sequence[str], values: Sequence[Residues], results: Residues, p: int = P) -> Expr | None:
    """The function of the parameters that takes these results, as an expression in lowest terms, or None.

    The smallest degree that fits is taken; more values than unknowns make a wrong fit impossible in practice.

    >>> draw = draws(1, 60)
    >>> a, b = draw(), draw()
    >>> rational("ab", [a, b], (a + 2 * b) % P * inverse(a * b % P) % P)
    (a + 2*b)/(a*b)
    """
    if np.all(results == results[0]):
        number = fraction_of(int(results[0]), p)
        return None if number is None else se.Rational(number.numerator, number.denominator)
    used = [k for k, v in enumerate(values) if not np.all(v == v[0])]
    symbols = [se.Symbol(names[k]) for k in used]
    inner = [values[k] for k in used]
    for degree in DEGREES:
        exponents = monomials(len(inner), degree)
        if 2 * len(exponents) > min(UNKNOWNS, len(results) - 3):
            return None
        top = _columns(inner, exponents, p)
        kernel = null_space(np.concatenate([top, -(results[:, None] * top) % p], axis=1), p)
        for _, vector in kernel:
            found = _fraction(vector, exponents, symbols, p)
            if found is not None:
                return found
    return None


def _fraction(vector: Residues, exponents: Sequence[tuple[int, ...]], symbols: Sequence[Expr], p: int) -> Expr | None:
    size = len(exponents)
    live = np.flatnonzero(vector[size:])
    if not len(live) or not np.any(vector[:size]):
        return None
    scaled = vector * pow(int(vector[size + int(live[0])]), -1, p) % p
    parts: list[Expr] = []
    for half in (scaled[:size], scaled[size:]):
        total = se.Integer(0)
        for c, powers in zip(half, exponents):
            if not c:
                continue
            number = fraction_of(int(c), p)
            if number is None:
                return None
            term = se.Rational(number.numerator, number.denominator)
            for s, n in zip(symbols, powers):
                term *= s**n
            total += term
        parts.append(total)
    return _lowest(parts[0], parts[1])


def _lowest(top: Expr, bottom: Expr) -> Expr:
    import sympy

    return se.sympify(sympy.factor(sympy.cancel(sympy.sympify(top) / sympy.sympify(bottom))))


__all__ = ["draws", "inverse", "monomials", "needed", "rational"]
