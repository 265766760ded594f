"""Irreducible factors of polynomials whose factors are at most quadratic in some letter, or in the square of one.

What is linear in a letter is irreducible when nothing divides its two coefficients. ``A x² + B x + C`` with coefficients that
nothing divides has factors if and only if B² - 4 A C is a square, by Gauss's lemma. Polynomials are packed as in
`nonholo.algebra.divisors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import Any

from nonholo.algebra.divisors import HIGH, Packed, TooHard, apart, bare, common, product, quotient

LONGEST = 600
"""Discriminants with more terms are not looked at."""


def irreducible_factors(polynomial: Packed, letters: int) -> list[tuple[Packed, int]]:
    """The irreducible factors with their powers, in SymPy's order; `TooHard` when another way is needed.

    Neither a number nor a letter may divide the polynomial.

    >>> x, y = 256, 1  # of two letters; x⁴ - 2 x² y² + y⁴
    >>> irreducible_factors({4 * x: 1, 2 * x + 2 * y: -2, 4 * y: 1}, 2)
    [({256: 1, 1: -1}, 2), ({256: 1, 1: 1}, 2)]
    """
    places = [8 * k for k in range(letters - 1, -1, -1)]
    found: list[tuple[Packed, int]] = []
    for part in _parts(polynomial, places):
        part = part if part[max(part)] > 0 else {m: -c for m, c in part.items()}
        for k, (known, times) in enumerate(found):
            if known == part:
                found[k] = (known, times + 1)
                break
        else:
            found.append((part, 1))
    if len(found) > 1:
        found.sort(key=lambda pair: (1 + _degree(pair[0], places[0]), pair[1], _dense(pair[0], places)))
    return found


def _degree(polynomial: Packed, s: int) -> int:
    return max([(m >> s) & 255 for m in polynomial])


def _dense(polynomial: Packed, places: Sequence[int]) -> Any:
    """Coefficients by falling powers of the first letter, each again so by the next: by these SymPy orders factors."""
    s, rest = places[0], places[1:]
    if not polynomial:
        return [_dense({}, rest)] if rest else []
    rows: list[Packed] = [{} for _ in range(_degree(polynomial, s) + 1)]
    for m, c in polynomial.items():
        power = (m >> s) & 255
        rows[-1 - power][m - (power << s)] = c
    return [_dense(row, rest) if rest else row.get(0, 0) for row in rows]


def _parts(polynomial: Packed, places: Sequence[int]) -> list[Packed]:
    """Irreducible factors, as often as they divide."""
    degrees = {s: d for s in places if (d := _degree(polynomial, s))}
    if not degrees:
        return []
    used = list(degrees)
    s = min(used, key=lambda p: (degrees[p], -p))
    if degrees[s] <= 2:
        content, rest = apart(polynomial, s, used)
        inner = _parts(content, used) if len(content) > 1 else []
        return [*inner, *(_roots(rest, s, used) if degrees[s] == 2 else [rest])]
    for even in used:
        if not any(m >> even & 1 for m in polynomial):
            return _by_square(polynomial, even, used)
    slope = {m - (1 << s): c * p for m, c in polynomial.items() if (p := (m >> s) & 255)}
    repeated = common(polynomial, bare(slope, used)[1], used)
    simple = quotient(polynomial, repeated, used)
    if len(repeated) == 1 or simple is None:
        raise TooHard
    return [*_parts(repeated, used), *_parts(simple, used)]


def _by_square(polynomial: Packed, s: int, places: Sequence[int]) -> list[Packed]:
    """Factors of a polynomial in the square of a letter: those in the square, factored again."""
    found: list[Packed] = []
    for part in _parts({m - (((m >> s) & 255) // 2 << s): c for m, c in polynomial.items()}, places):
        degree = _degree(part, s)
        if degree > 2:
            raise TooHard
        wide = {m + (m & (255 << s)): c for m, c in part.items()}
        found += [part] if not degree else _parts(wide, places) if degree == 1 else _mirrored(wide, s)
    return found


def _mirrored(polynomial: Packed, s: int) -> list[Packed]:
    """Factors of ``A x⁴ + B x² + C``, irreducible in x²: none, or ``a x² ± b x + c`` with a² = A, c² = C, 2 a c - b² = B."""
    for sign in (1, -1):
        one, two, three = (
            {m - (k << s): sign * n for m, n in polynomial.items() if (m >> s) & 255 == k} for k in (4, 2, 0)
        )
        a, c = square_root(one), square_root(three)
        if a is None or c is None:
            continue
        for turned in (1, -1):
            square = {m: 2 * turned * n for m, n in product(a, c).items()}
            for m, n in two.items():
                square[m] = square.get(m, 0) - n
            b = square_root({m: n for m, n in square.items() if n})
            if b is not None:
                ends = {m + (2 << s): n for m, n in a.items()} | {m: turned * n for m, n in c.items()}
                return [ends | {m + (1 << s): way * n for m, n in b.items()} for way in (1, -1)]
    return [polynomial]


def _roots(polynomial: Packed, s: int, places: Sequence[int]) -> list[Packed]:
    """Factors of ``A x² + B x + C``, which nothing without x divides."""
    a, b, c = ({m - (k << s): n for m, n in polynomial.items() if (m >> s) & 255 == k} for k in (2, 1, 0))
    discriminant = product(b, b) if b else {}
    for m, n in product(a, c).items():
        discriminant[m] = discriminant.get(m, 0) - 4 * n
    discriminant = {m: n for m, n in discriminant.items() if n}
    if len(discriminant) > LONGEST or any(m & HIGH for m in discriminant):
        raise TooHard
    root = square_root(discriminant)
    if root is None:
        return [polynomial]
    found = []
    for sign in (1, -1):
        factor = {m + (1 << s): 2 * n for m, n in a.items()}
        for m, n in (*b.items(), *((m, sign * n) for m, n in root.items())):
            factor[m] = factor.get(m, 0) + n
        found.append(apart(bare({m: n for m, n in factor.items() if n}, places)[1], s, places)[1])
    return found


def square_root(polynomial: Packed) -> Packed | None:
    """The polynomial whose square it is, with a positive first coefficient; None where it is no square."""
    if not polynomial:
        return {}
    lead, last = max(polynomial), min(polynomial)
    first = isqrt(abs(polynomial[lead]))
    if first * first != polynomial[lead] or isqrt(abs(polynomial[last])) ** 2 != polynomial[last] or (lead | last) & ODD:
        return None
    lead, last = lead >> 1, last >> 1
    found, left = {lead: first}, dict(polynomial)
    del left[2 * lead]
    while left:
        top = max(left)
        times, over = divmod(left[top], 2 * first)
        place = top - lead
        if over or place < last or ((top | HIGH) - lead) & HIGH != HIGH:
            return None
        for m, c in (*((m, 2 * c) for m, c in found.items()), (place, times)):
            total = left.get(m + place, 0) - c * times
            if total:
                left[m + place] = total
            else:
                left.pop(m + place, None)
        found[place] = times
    return found


ODD = sum(1 << 8 * k for k in range(256))
