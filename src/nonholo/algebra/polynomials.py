"""SymPy's sparse polynomials, with their work counted: every polynomial made is charged by its terms.

Greatest common divisors and factors of polynomials of many letters and high degree are not tried: SymPy's heuristic puts whole
numbers for the letters, of about as many digits as a polynomial of these degrees can have terms.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

import sympy
from sympy.polys.rings import PolyElement, PolyRing

from nonholo.algebra.budget import Repeated, TooLongError, charge

DENSE = 2_000_000
"""Polynomials whose degrees allow more terms than this have no common divisors or factors looked for."""

FACTORED = 40
"""What looking for factors is charged, for each term."""
_FACTORS: Repeated[tuple[Any, list[tuple[Any, int]]]] = Repeated(4000)
"""The same sums are met again and again: of 900 in a report on the rattleback 40 are different."""


class CountedElement(PolyElement):  # type: ignore[misc]
    """A polynomial that is charged for when it is made."""

    def __init__(self, ring: Any, init: Any) -> None:
        super().__init__(ring, init)
        charge(1 + len(self))

    def cofactors(self, other: Any) -> Any:
        """Greatest common divisor, and what is left of both."""
        _refuse_dense(self, other)
        return super().cofactors(other)

    def gcd(self, other: Any) -> Any:
        """The greatest common divisor."""
        _refuse_dense(self, other)
        return super().gcd(other)

    def factor_list(self) -> Any:
        """A number, and factors with their powers."""
        try:
            _refuse_dense(self, self)
        except TooLongError:
            return self.ring.domain.one, [(self, 1)]
        charge(FACTORED * (10 + len(self)))
        number, factors = _FACTORS.get((self.ring, frozenset(self.items())), super().factor_list)
        return number, list(factors)


class CountedRing(PolyRing):  # type: ignore[misc]
    """The ring of such polynomials; rings with fewer letters or another ground are of its kind again."""

    def __new__(cls, symbols: Any, domain: Any, order: Any = sympy.polys.orderings.lex) -> CountedRing:
        ring: CountedRing = super().__new__(cls, symbols, domain, order)
        ring.dtype = CountedElement(ring, ()).new
        ring.gens = ring._gens()
        ring._gens_set = set(ring.gens)
        return ring


def ring_of(letters: Sequence[str]) -> CountedRing:
    """Polynomials with rational coefficients in these letters.

    >>> x, y = ring_of(["x", "y"]).gens
    >>> (x**2 - y**2).cancel(x - y)
    (x + y, 1)
    """
    return CountedRing(list(letters), sympy.QQ)


def _refuse_dense(one: Any, two: Any) -> None:
    charge(len(one) * len(two) // 4)
    if one and two and prod(max(a, b) + 1 for a, b in zip(one.degrees(), two.degrees())) > DENSE:
        raise TooLongError
