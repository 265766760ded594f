"""Greatest common divisors of polynomials with whole coefficients.

Monomials are packed into whole numbers, one byte for the power of each letter, the first letter highest: their product is a sum,
and the larger number is the monomial that comes first. Before anything is divided, all letters but one are given numbers modulo a
prime, for each letter in turn: the degree of the common divisor there bounds that of the true one [Brown 1971], and most of the
polynomials that meet in mechanics are seen to have none. What is left is divided on trial, or goes through remainders.
"""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import gcd

Packed = dict[int, int]
"""Packed monomials and their coefficients, none of them zero."""
HIGHEST = 127
"""No power may be higher: the eighth bit shows where a quotient would have a negative one."""
LONGEST = 400
"""Remainders with more terms are given up."""
PRIME = 998244353
_NUMBERS = tuple(pow(31, 7 * k + 12345, PRIME) for k in range(1, 60))
"""What the letters are given, by their places."""
_INVERSE = tuple(pow(v, -1, PRIME) for v in _NUMBERS)
ONE: Packed = {0: 1}
HIGH = sum(128 << 8 * k for k in range(256))


class TooHard(Exception):
    """The remainders grow too long."""


def cofactors(one: Packed, two: Packed, letters: int) -> tuple[Packed, Packed, Packed]:
    """The greatest common divisor of two polynomials, its first coefficient positive, and what is left of both; none is zero.

    >>> x, y = 256, 1  # of two letters; x² - y² and 2 x + 2 y
    >>> cofactors({2 * x: 1, 2 * y: -1}, {x: 2, y: 2}, 2)
    ({256: 1, 1: 1}, {256: 1, 1: -1}, {0: 2})
    """
    places = [8 * k for k in range(letters - 1, -1, -1)]
    low_one, first = bare(one, places)
    low_two, second = bare(two, places)
    number = gcd(gcd(*one.values()), gcd(*two.values()))
    low = sum(min((low_one >> s) & 255, (low_two >> s) & 255) << s for s in places)
    found = common(first, second, places)
    if len(found) == 1:
        return {low: number}, _shifted(one, low, number), _shifted(two, low, number)
    if found[max(found)] < 0:
        found = {m: -c for m, c in found.items()}
    left, right = quotient(first, found, places), quotient(second, found, places)
    if left is None or right is None:  # it would be a mistake of ours
        raise TooHard
    times_one, times_two = gcd(*one.values()) // number, gcd(*two.values()) // number
    return (
        {m + low: number * c for m, c in found.items()},
        {m + low_one - low: times_one * c for m, c in left.items()},
        {m + low_two - low: times_two * c for m, c in right.items()},
    )


def quotient(above: Packed, below: Packed, places: Sequence[int]) -> Packed | None:
    """``above`` divided by ``below``; None where something remains."""
    guard = sum(128 << s for s in places)
    lead = max(below)
    first = below[lead]
    last, end = min(below), min(above)
    if ((end | guard) - last) & guard != guard or above[end] % below[last]:
        return None
    rest = [(m, c) for m, c in below.items() if m != lead]
    left = dict(above)
    heap = [-m for m in left]
    heapify(heap)
    found: Packed = {}
    while heap:
        top = -heappop(heap)
        value = left.pop(top, 0)
        if not value:
            continue
        times, over = divmod(value, first)
        if over or ((top | guard) - lead) & guard != guard:
            return None
        shift = top - lead
        found[shift] = times
        for m, c in rest:
            key = m + shift
            if key in left:
                left[key] -= times * c
            else:
                left[key] = -times * c
                heappush(heap, -key)
    return found


def _shifted(polynomial: Packed, low: int, number: int) -> Packed:
    return {m - low: c // number for m, c in polynomial.items()} if low or number != 1 else polynomial


def bare(polynomial: Packed, places: Sequence[int]) -> tuple[int, Packed]:
    """The monomial that divides the polynomial, and the rest without the number that divides it."""
    low = 0
    for s in places:
        low += min([(m >> s) & 255 for m in polynomial]) << s
    return low, _shifted(polynomial, low, gcd(*polynomial.values()))


def _degrees(polynomial: Packed, places: Sequence[int]) -> list[int]:
    return [max([(m >> s) & 255 for m in polynomial]) for s in places]


def common(one: Packed, two: Packed, places: Sequence[int]) -> Packed:
    """The common divisor of polynomials that no number and no letter divides."""
    if len(one) == 1 or len(two) == 1:
        return ONE
    high, tall = _degrees(one, places), _degrees(two, places)
    alone = [s for s, a, b in zip(places, high, tall) if bool(a) != bool(b)]
    shared = [s for s, a, b in zip(places, high, tall) if a and b]
    if alone:
        return _of_all([*_pieces(one, alone), *_pieces(two, alone)], shared)
    if not shared:
        return ONE
    high, tall = [a for a in high if a], [b for b in tall if b]
    most = _bounds(one, two, shared, high, tall)
    absent = [s for s, d in zip(shared, most) if not d]
    if absent:
        rest = [s for s, d in zip(shared, most) if d]
        return _of_all([*_pieces(one, absent), *_pieces(two, absent)], rest) if rest else ONE
    _, _, k = min((min(a, b) - d, min(a, b), k) for k, (a, b, d) in enumerate(zip(high, tall, most)))
    return _by_remainders(*((one, two) if tall[k] <= high[k] else (two, one)), shared[k], shared)


def _by_remainders(one: Packed, two: Packed, s: int, places: Sequence[int]) -> Packed:
    """Euclid's algorithm in one letter; what does not have the letter is taken out of every remainder."""
    content, one = apart(one, s, places)
    other, two = apart(two, s, places)
    content = common(content, other, [p for p in places if p != s])
    while quotient(one, two, places) is None:
        rest = _remainder(one, two, s)
        if not any((m >> s) & 255 for m in rest):
            return content
        one, two = two, apart(bare(rest, places)[1], s, places)[1]
    return product(content, two)


def apart(polynomial: Packed, s: int, places: Sequence[int]) -> tuple[Packed, Packed]:
    """What divides the polynomial and does not have the letter, and the rest."""
    content = _of_all(_pieces(polynomial, [s]), [p for p in places if p != s])
    if len(content) == 1:
        return ONE, polynomial
    rest = quotient(polynomial, content, places)
    if rest is None:
        raise TooHard
    return content, rest


def _of_all(pieces: list[Packed], places: Sequence[int]) -> Packed:
    """The common divisor of all, those with the fewest terms first."""
    pieces.sort(key=len)
    found = pieces[0]
    if len(found) == 1:
        return ONE
    found = bare(found, places)[1]
    for piece in pieces[1:]:
        piece = bare(piece, places)[1]
        if quotient(piece, found, places) is None:
            found = common(found, piece, places)
            if len(found) == 1:
                return ONE
    return found


def _pieces(polynomial: Packed, away: Sequence[int]) -> list[Packed]:
    """The coefficients of the powers of some letters."""
    mask = sum(255 << s for s in away)
    groups: dict[int, Packed] = {}
    for m, c in polynomial.items():
        own = m & mask
        groups.setdefault(own, {})[m - own] = c
    return list(groups.values())


def product(one: Packed, two: Packed) -> Packed:
    if one == ONE:
        return dict(two)
    found: Packed = {}
    for m, c in one.items():
        for n, d in two.items():
            found[m + n] = found.get(m + n, 0) + c * d
    return {m: c for m, c in found.items() if c}


def _remainder(one: Packed, two: Packed, s: int) -> Packed:
    """What is left of a multiple of the first when multiples of the second are taken away, of lower degree in the letter."""
    degree = max([(m >> s) & 255 for m in two])
    lead = {m - (degree << s): c for m, c in two.items() if (m >> s) & 255 == degree}
    while one:
        high = max([(m >> s) & 255 for m in one])
        if high < degree:
            break
        first = {m - (degree << s): -c for m, c in one.items() if (m >> s) & 255 == high}
        left, taken = product(lead, one), product(first, two)
        for m, c in taken.items():
            left[m] = left.get(m, 0) + c
        one = {m: c for m, c in left.items() if c}
        if len(one) > LONGEST or any(m & HIGH for m in one):
            raise TooHard
    return one


def _bounds(one: Packed, two: Packed, places: Sequence[int], high: Sequence[int], tall: Sequence[int]) -> list[int]:
    """The degree in each letter that a common divisor can have: that of one where the others are numbers modulo a prime."""
    powers = []
    for k, top in enumerate(map(max, high, tall)):
        value, row = _NUMBERS[k % len(_NUMBERS)], [1]
        for _ in range(top):
            row.append(row[-1] * value % PRIME)
        powers.append(row)
    images = []
    for polynomial, degrees in ((one, high), (two, tall)):
        rows = [[0] * (d + 1) for d in degrees]
        for m, c in polynomial.items():
            exponents = [(m >> s) & 255 for s in places]
            for row, power in zip(powers, exponents):
                c = c * row[power] % PRIME
            for row, power, back in zip(rows, exponents, _INVERSE):
                row[power] += c * pow(back, power, PRIME)
        images.append([[c % PRIME for c in row] for row in rows])
    found = []
    for a, b, d, e in zip(*images, high, tall):
        found.append(_common_degree(a, b) if a[-1] or b[-1] else min(d, e))
    return found


def _common_degree(one: list[int], two: list[int]) -> int:
    """The degree of the common divisor of two polynomials in one letter modulo the prime, coefficients in rising order."""
    while one and not one[-1]:
        one.pop()
    while two and not two[-1]:
        two.pop()
    while two:
        if len(two) == 1:
            return 0
        scale = pow(two[-1], -1, PRIME)
        while len(one) >= len(two):
            times, shift = one[-1] * scale % PRIME, len(one) - len(two)
            for k, c in enumerate(two):
                one[k + shift] = (one[k + shift] - times * c) % PRIME
            while one and not one[-1]:
                one.pop()
        one, two = two, one
    return len(one) - 1
