"""Rational functions of parameters from their values modulo a prime."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, SupportsFloat

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import atoms
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import P, Residues, draws, fraction_of, inverse, null_space, power

HIGH = 7
"""Numerator and denominator of a higher degree along a line are not read."""
ENOUGH = 2 * HIGH + 4
LINE = ENOUGH + 6
"""Values on a line that decide such degrees and confirm them, and how many are asked for, some of which may not exist."""
UNKNOWNS = 300
"""An ansatz with more coefficients than this is not tried."""
MORE = 6
"""Values beyond the number of unknowns."""
Many = Callable[[Mapping[str, Residues]], tuple[Residues, NDArray[np.bool_]]]
"""All functions for many sets of parameters at once, one row for each set, and for which sets they were found."""


def decimal_fraction(value: SupportsFloat) -> Expr:
    """The fraction that a decimal number is as it is written: 3/10 for 0.3."""
    return se.Rational(*Fraction(repr(float(value))).as_integer_ratio())


def decimal_fractions(exprs: Iterable[Expr]) -> dict[Expr, Expr]:
    """The decimal numbers in expressions, with the fractions that they are."""
    return {n: decimal_fraction(n) for n in atoms(exprs, se.RealDouble) if n.is_Number}


@dataclass(frozen=True)
class Degrees:
    """Of numerator or denominator: in each parameter, and altogether."""

    each: tuple[int, ...]
    total: int

    def monomials(self) -> list[tuple[int, ...]]:
        """The exponents that such a polynomial may have, the lowest first; those beyond `UNKNOWNS` are left out."""
        found: list[tuple[int, ...]] = [()]
        for most in self.each:
            found = [(*e, k) for e in found for k in range(min(most, self.total - sum(e)) + 1)]
            if len(found) > 8 * UNKNOWNS:
                break
        return sorted(found, key=lambda e: (sum(e), tuple(-k for k in e)))


def lines(names: Sequence[str], base: Mapping[str, int], seed: int, p: int = P, line: int = LINE) -> dict[str, Residues]:
    """Values of the parameters on lines through one point: along each of them alone, and along all at once."""
    draw = draws(seed, line, p)
    steps = [draw() for _ in range(len(names) + 1)]
    slopes = {n: int(s) for n, s in zip(names, draws(seed + 1, max(1, len(names)), p)())}
    result = {}
    for n in names:
        still = np.full(line, base[n], dtype=np.int64)
        parts = [(still + step) % p if m == n else still for m, step in zip(names, steps)]
        result[n] = np.concatenate([*parts, (still + steps[-1] * slopes[n]) % p])
    return result


def degrees_on(
    count: int, results: Residues, good: Any, seed: int, p: int = P, line: int = LINE
) -> tuple[Degrees, Degrees] | None:
    """The degrees of numerator and denominator from the good results on the `lines`; None where they are too high."""
    draw = draws(seed, line, p)
    found = []
    for k in range(count + 1):
        here = good[k * line : (k + 1) * line]
        one = _degrees(draw()[here], results[k * line : (k + 1) * line][here], p)
        if one is None:
            return None
        found.append(one)
    *each, (top, bottom) = found
    return Degrees(tuple(t for t, _ in each), top), Degrees(tuple(b for _, b in each), bottom)


def _degrees(place: Residues, results: Residues, p: int) -> tuple[int, int] | None:
    """Of numerator and denominator of a function of one variable: the first relation between powers, as they grow."""
    if len(place) < ENOUGH:
        return None
    powers = [power(place, d, p) for d in range(HIGH + 1)]
    kernel = null_space(np.column_stack([c for one in powers for c in (one, -(results * one) % p)]), p)
    if not kernel:
        return None
    vector = kernel[0][1]
    return int(np.max(np.flatnonzero(vector[::2]), initial=0)), int(np.max(np.flatnonzero(vector[1::2]), initial=0))


def needed(bounds: Sequence[Degrees]) -> int:
    """How many values decide a rational function of these degrees."""
    return sum(len(b.monomials()) for b in bounds) + MORE


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


def rational(
    names: Sequence[str], bounds: Sequence[Degrees], values: Sequence[Residues], results: Residues, p: int = P
) -> Expr | None:
    """The function of the parameters that takes these results, as an expression in lowest terms, or None.

    More values than unknowns make a wrong fit impossible in practice.

    >>> draw = draws(1, 60)
    >>> a, b = draw(), draw()
    >>> bounds = Degrees((1, 1), 1), Degrees((1, 1), 2)
    >>> rational("ab", bounds, [a, b], (a + 2 * b) % P * inverse(a * b % P) % P)
    (a + 2*b)/(a*b)
    """
    if np.all(results == results[0]):
        number = fraction_of(int(results[0]), p)
        return None if number is None else se.Rational(number.numerator, number.denominator)
    symbols = [se.Symbol(n) for n in names]
    above, below = (b.monomials() for b in bounds)
    top, bottom = _columns(values, above, p), _columns(values, below, p)
    kernel = null_space(np.concatenate([top, -(results[:, None] * bottom) % p], axis=1), p)
    found = [_fraction(vector, above, below, symbols, p) for _, vector in kernel]
    return next((e for e in found if e is not None), None)


def _fraction(
    vector: Residues,
    above: Sequence[tuple[int, ...]],
    below: Sequence[tuple[int, ...]],
    symbols: Sequence[Expr],
    p: int,
) -> Expr | None:
    size = len(above)
    live = np.flatnonzero(vector[size:])
    if not len(live) or not np.any(vector[:size]):
        return None
    scaled = vector * pow(int(vector[size + int(live[0])]), -1, p) % p
    parts: list[Expr] = []
    for half, exponents in ((scaled[:size], above), (scaled[size:], below)):
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


__all__ = ["Degrees", "degrees_on", "draws", "inverse", "lines", "needed", "rational"]


def plain_number(value: int) -> Expr | None:
    """The small fraction that a residue stands for, as an expression."""
    found = fraction_of(value)
    return None if found is None else se.Rational(found.numerator, found.denominator)


def rational_functions(names: Sequence[str], values: Many, seed: int, most: int = UNKNOWNS) -> list[Expr] | None:
    """Functions of parameters from their values; None where they are not simple enough, or need more than ``most`` sets.

    Parameters that change nothing are left out; the degrees are read along lines, then all coefficients from random sets.
    """
    draw = draws(seed, 1)
    base = {n: int(draw()[0]) for n in names}
    trial = {n: np.array([base[n], *(int(draw()[0]) if m == n else base[n] for m in names)]) for n in names}
    seen, good = values(trial)
    if not np.all(good):
        return None
    relevant = [n for k, n in enumerate(names) if np.any(seen[k + 1] != seen[0])]
    if not relevant:
        return _complete([plain_number(int(c)) for c in seen[0]])

    def beside(sets: Mapping[str, Residues]) -> dict[str, Residues]:
        count = len(sets[relevant[0]])
        return {n: sets[n] if n in sets else np.full(count, base[n], dtype=np.int64) for n in names}

    on_lines = lines(relevant, base, seed + 110)
    if len(on_lines[relevant[0]]) > most:
        return None
    results, good = values(beside(on_lines))
    results *= good[:, None]
    bounds = {row.tobytes(): degrees_on(len(relevant), row, good, seed + 110) for row in results.T}
    sizes = [most + 1 if pair is None else needed(pair) for pair in bounds.values()]
    if max(sizes) > most:
        return None
    fresh = draws(seed + 122, max(sizes) + MORE)
    sets = {n: fresh() for n in relevant}
    found, good = values(beside(sets))
    if int(np.sum(good)) < max(sizes):
        return None
    read: dict[bytes, Expr | None] = {}
    for row, column in zip(results.T, found.T):
        if row.tobytes() not in read:
            given = [sets[n][good] for n in relevant]
            read[row.tobytes()] = rational(relevant, bounds[row.tobytes()] or (), given, column[good])
    return _complete([read[row.tobytes()] for row in results.T])


def _complete(parts: Sequence[Expr | None]) -> list[Expr] | None:
    """The list, where nothing is missing in it."""
    found = [e for e in parts if e is not None]
    return found if len(found) == len(parts) else None
