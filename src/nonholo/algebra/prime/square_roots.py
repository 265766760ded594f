"""Square roots modulo a prime: a root is known up to its sign, which matters where radicands are squares of each other."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.prime.modular_arithmetic import Residues


class Radicand(NamedTuple):
    """The values of a radicand, where they are squares, and where the roots inside it exist."""

    values: Residues
    able: NDArray[np.bool_]
    before: NDArray[np.bool_]

    @property
    def constant(self) -> bool:
        """Whether it has the same value at all points: a number, or a function of parameters."""
        return not np.any(self.values != self.values[0])


def exact_number(node: Any) -> Fraction | None:
    """A whole number or a fraction."""
    if isinstance(node, (se.Integer, se.Rational)):
        return Fraction(str(node))
    return None


def decimal_number(node: Any) -> Fraction | None:
    """A whole number, a fraction, or a decimal number as it is written."""
    if isinstance(node, se.RealDouble) and math.isfinite(float(node)):
        return Fraction(repr(float(node)))
    return exact_number(node)


def halves_in(exponent: Any) -> int | None:
    """Twice the exponent where that is a small whole number."""
    number = decimal_number(exponent)
    if number is None or (2 * number).denominator != 1 or abs(number) > 40:
        return None
    return int(2 * number)


def split_power(exponent: Any) -> tuple[int, Any]:
    """``k − 1/2`` as −1 (halves) and ``k``, so that a power and its derivative know of each other."""
    if isinstance(exponent, se.Add):
        for a in exponent.args:
            halves = halves_in(a)
            if halves:
                return halves, exponent - a
    return 0, exponent


def exact_root(value: Fraction) -> Fraction | None:
    """The root of the square of a fraction.

    >>> exact_root(Fraction(25, 16)), exact_root(Fraction(2))
    (Fraction(5, 4), None)
    """
    if value < 0:
        return None
    above, below = math.isqrt(value.numerator), math.isqrt(value.denominator)
    return Fraction(above, below) if above * above == value.numerator and below * below == value.denominator else None


def dependent_numbers(numbers: Iterable[Fraction]) -> bool:
    """Whether a product of some of the numbers is the square of a fraction, as 2 · 3 · 6 is.

    >>> dependent_numbers([Fraction(2), Fraction(3)]), dependent_numbers([Fraction(2), Fraction(3), Fraction(6)])
    (False, True)
    """
    whole = sorted({n.numerator * n.denominator for n in numbers})
    base = _coprime([abs(n) for n in whole])
    odd = [b for b in base if math.isqrt(b) ** 2 != b]
    rows = [np.array([n < 0, *(_multiplicity(abs(n), b) % 2 for b in odd)], dtype=bool) for n in whole]
    return _independent_count(rows) < len(rows)


def _coprime(numbers: Sequence[int]) -> list[int]:
    """Numbers without common divisors of which all the given ones are products."""
    base: list[int] = []
    left = [n for n in numbers if n > 1]
    while left:
        n = left.pop()
        for k, b in enumerate(base):
            common = math.gcd(n, b)
            if common > 1:
                del base[k]
                left += [m for m in (common, n // common, b // common) if m > 1]
                break
        else:
            base.append(n)
    return sorted(set(base))


def _multiplicity(n: int, base: int) -> int:
    count = 0
    while n % base == 0:
        n, count = n // base, count + 1
    return count


def dependent(radicands: Iterable[Radicand]) -> bool:
    """Whether a product of radicands is a square times a number, as far as the points tell.

    Such a product is a residue at all points or at none, any other at half of them. What is written in two ways has one root.
    """
    different = list({one.values.tobytes(): one for one in radicands}.values())
    if not different:
        return False
    where = np.logical_and.reduce([one.before for one in different])
    rows = [np.ones(int(np.sum(where)), dtype=bool), *(one.able[where] for one in different)]
    return _independent_count(rows) < len(rows)


def _independent_count(rows: Sequence[NDArray[np.bool_]]) -> int:
    """The rank over the field of two elements."""
    left, count = list(rows), 0
    while left:
        first = left.pop()
        if np.any(first):
            pivot, count = int(np.argmax(first)), count + 1
            left = [row ^ first if row[pivot] else row for row in left]
    return count
