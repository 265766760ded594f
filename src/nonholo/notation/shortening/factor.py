"""Factor polynomials that are of degree one in some symbol."""

from __future__ import annotations

from typing import Any

from nonholo.algebra.expression_types import Poly


def split(polynomial: Poly) -> tuple[Any, list[tuple[Poly, int]]]:
    """A number and the irreducible factors with their powers, for a polynomial that no single letter divides.

    >>> from nonholo.algebra.polynomials import ring_of
    >>> x, y, z = ring_of(["x", "y", "z"]).gens
    >>> split(2 * (x + y) * (x - z))
    (2, [(x + y, 1), (x - z, 1)])
    """
    ring = polynomial.ring
    degrees = polynomial.degrees()
    used = [i for i, degree in enumerate(degrees) if degree]
    if len(used) < ring.ngens:  # the time for a factor grows with every letter, used or not
        small = ring.clone(symbols=ring.symbols[: len(used)])  # whatever they are called: what is alike is factored once
        number, factors = split(small({tuple([m[i] for i in used]): c for m, c in polynomial.items()}))
        return number, [(_lifted(f, ring, used), times) for f, times in factors]
    if 1 in degrees:
        return _linear(polynomial, degrees.index(1))
    number, factors = polynomial.factor_list()
    return number, list(factors)


def _lifted(polynomial: Poly, ring: Any, used: list[int]) -> Poly:
    place = {i: k for k, i in enumerate(used)}
    places = [place.get(i, -1) for i in range(ring.ngens)]
    wide = (((*m, 0), c) for m, c in polynomial.items())
    return ring({tuple([m[k] for k in places]): c for m, c in wide})


def _linear(polynomial: Poly, letter: int) -> tuple[Any, list[tuple[Poly, int]]]:
    """``A x + B`` is irreducible up to the greatest common divisor of A and B."""
    ring = polynomial.ring
    above = {tuple(0 if i == letter else p for i, p in enumerate(m)): c for m, c in polynomial.terms() if m[letter]}
    below = {m: c for m, c in polynomial.terms() if not m[letter]}
    number, polynomial = polynomial.primitive()
    if polynomial.LC < 0:
        number, polynomial = -number, -polynomial
    if min(len(above), len(below)) > 1:
        common = ring(above).gcd(ring(below))
        if not common.is_ground:
            scale, factors = split(common)
            rest, factors_of_rest = split(polynomial.exquo(common))
            return number * scale * rest, _joined([*factors_of_rest, *factors])
    return number, [(polynomial, 1)]


def _joined(factors: list[tuple[Poly, int]]) -> list[tuple[Poly, int]]:
    powers: dict[Poly, int] = {}
    for factor, times in factors:
        powers[factor] = powers.get(factor, 0) + times
    return list(powers.items())
