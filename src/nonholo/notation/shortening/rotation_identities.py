"""Polynomials in the entries of a rotation matrix, made shorter by what makes it one: orthonormal columns, rows, cofactors."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import product
from typing import Any

from nonholo.algebra.budget import TooLongError
from nonholo.algebra.expression_types import Poly
from nonholo.algebra.polynomials import multiplied

Nine = tuple[int, ...]
"""The places among the letters of R11, R12, …, R33."""
_NEXT = {0: (1, 2), 1: (2, 0), 2: (0, 1)}
_RULES = """
11 11 =  + 22 22 + 23 23 + 32 32 + 33 33 - 1 ; 11 12 = - 21 22 - 31 32         ; 12 12 = + 1 - 22 22 - 32 32
11 13 =  - 21 23 - 31 33                     ; 12 13 = - 22 23 - 32 33         ; 13 13 = + 1 - 23 23 - 33 33
11 21 =  - 12 22 - 13 23                     ; 12 21 = + 11 22 - 33            ; 13 21 = + 11 23 + 32
21 21 =  + 1 - 22 22 - 23 23                 ; 13 22 = + 12 23 - 31            ; 11 31 = - 12 32 - 13 33
12 31 =  + 11 32 + 23                        ; 13 31 = + 11 33 - 22            ; 21 31 = - 22 32 - 23 33
22 31 =  + 21 32 - 13                        ; 23 31 = + 21 33 + 12            ; 31 31 = + 1 - 32 32 - 33 33
13 32 =  + 12 33 + 21                        ; 23 32 = + 22 33 - 11
"""
"""A Gröbner basis of the relations RᵀR = R Rᵀ = 1, det R = 1 in the graded reverse order R11 > R12 > … > R33."""


def _read(rules: str) -> dict[tuple[int, int], tuple[tuple[int, tuple[int, ...]], ...]]:
    """Pairs of entries (numbered from 0) and the signed products that replace them."""
    table = {}
    for rule in rules.replace("\n", ";").split(";"):
        left, _, right = rule.partition("=")
        if not left.strip():
            continue
        terms: list[tuple[int, tuple[int, ...]]] = []
        for word in right.split():
            if word in "+-":
                terms.append((1 if word == "+" else -1, ()))
            elif word != "1":
                terms[-1] = (terms[-1][0], (*terms[-1][1], _place(word)))
        one, two = map(_place, left.split())
        table[one, two] = tuple(terms)
    return table


def _place(word: str) -> int:
    return 3 * (int(word[0]) - 1) + int(word[1]) - 1


_TABLE = _read(_RULES)


def shortest(polynomial: Poly, rotations: Sequence[Nine], most: int) -> Poly:
    """An equal polynomial with fewer terms, if one is found; what has more than ``most`` terms on the way is not tried."""
    for nine in rotations:
        polynomial = _shortest(polynomial, nine, most)
    return polynomial


def spherical_forms(polynomial: Poly, rotations: Sequence[Nine], most: int) -> list[Poly]:
    """Other ways to write the polynomial by R31² + R32² + R33² = 1: without one of the squares, or all terms of one degree."""
    found = []
    for nine in rotations:
        last = nine[6:]
        if any(m[i] > 1 for m in polynomial.itermonoms() for i in last):
            forms = _other_squares(polynomial, nine, most)
            found += [*forms, *(_levelled(f, last, most) for f in forms[:1])]
    return [f for f in found if f is not None]


def _levelled(polynomial: Poly, last: Sequence[int], most: int) -> Poly | None:
    """Each term times as many R31² + R32² + R33² = 1 as make its degree that of the others."""
    ring = polynomial.ring
    degrees = [sum(m[i] for i in last) for m in polynomial.itermonoms()]
    if len({d % 2 for d in degrees}) > 1 or len(set(degrees)) == 1 or max(degrees) > 4:
        return None
    one = sum(ring.gens[i] ** 2 for i in last)
    top = max(degrees)
    raised = [(m, c, (top - sum(m[i] for i in last)) // 2) for m, c in polynomial.terms()]
    try:
        return multiplied(raised, one, most)
    except TooLongError:
        return None


def _shortest(polynomial: Poly, nine: Nine, most: int) -> Poly:
    if len(polynomial) < 2 or not any(m[i] for m in polynomial.itermonoms() for i in nine):
        return polynomial
    tried = [polynomial]
    normal = normal_form(polynomial, nine, most)
    if normal is not None:
        tried += [normal, *_other_squares(normal, nine, most)]
    tried += _other_squares(polynomial, nine, most)
    best = min(tried, key=lambda p: _size(p, nine))
    while len(best) > 1:
        found = min((_by_cofactor(best, nine, i, j) for i, j in product(range(3), repeat=2)), key=len)
        if len(found) >= len(best):
            return best
        best = found
    return best


def _size(polynomial: Poly, nine: Nine) -> tuple[int, int]:
    """How many terms, and how many entries outside of the last row, which is what a vertical sees of a rotation."""
    return len(polynomial), sum(1 for i in nine[:6] if any(m[i] for m in polynomial.itermonoms()))


def normal_form(polynomial: Poly, nine: Nine, most: int) -> Poly | None:
    """The remainder by the Gröbner basis: the same for all polynomials that are equal on rotations; None when it grows long."""
    ring = polynomial.ring
    done: dict[Any, Any] = {}
    left = dict(polynomial.terms())
    while left:
        following: dict[Any, Any] = {}
        for monomial, coefficient in left.items():
            present = [k for k in range(9) for _ in range(min(2, monomial[nine[k]]))]
            pair = next((p for p in _pairs(present) if p in _TABLE), None)
            if pair is None:
                _put(done, monomial, coefficient)
                continue
            base = list(monomial)
            for k in pair:
                base[nine[k]] -= 1
            for sign, entries in _TABLE[pair]:
                raised = list(base)
                for k in entries:
                    raised[nine[k]] += 1
                _put(following, tuple(raised), sign * coefficient)
        left = following
        if len(left) + len(done) > most:
            return None
    return ring(done)


def _pairs(entries: Sequence[int]) -> Sequence[tuple[int, int]]:
    return [(a, b) for i, a in enumerate(entries) for b in entries[i + 1 :]]


def _put(terms: dict[Any, Any], monomial: Any, coefficient: Any) -> None:
    total = terms.get(monomial, 0) + coefficient
    if total:
        terms[monomial] = total
    else:
        terms.pop(monomial, None)


def _other_squares(polynomial: Poly, nine: Nine, most: int) -> list[Poly]:
    """The polynomial with a square of an entry of the last row replaced by 1 less the other two."""
    ring = polynomial.ring
    tried = []
    for k in range(3):
        letter = nine[6 + k]
        if all(m[letter] < 2 for m in polynomial.itermonoms()):
            continue
        rest = 1 - sum(ring.gens[nine[6 + n]] ** 2 for n in _NEXT[k])
        low = [((*m[:letter], m[letter] % 2, *m[letter + 1 :]), c, m[letter] // 2) for m, c in polynomial.terms()]
        with suppress(TooLongError):
            tried.append(multiplied(low, rest, most))
    return tried


def _by_cofactor(polynomial: Poly, nine: Nine, i: int, j: int) -> Poly:
    """``R_kl R_mn`` replaced by ``R_ij + R_kn R_ml``: every entry is its own cofactor."""
    (k, m), (n, o) = _NEXT[i], _NEXT[j]
    one, two = nine[3 * k + n], nine[3 * m + o]
    three, four = nine[3 * k + o], nine[3 * m + n]
    terms: dict[Any, Any] = {}
    for monomial, coefficient in polynomial.terms():
        if monomial[one] and monomial[two]:
            base = list(monomial)
            base[one] -= 1
            base[two] -= 1
            single, both = list(base), list(base)
            single[nine[3 * i + j]] += 1
            both[three] += 1
            both[four] += 1
            _put(terms, tuple(single), coefficient)
            _put(terms, tuple(both), coefficient)
        else:
            _put(terms, monomial, coefficient)
    return polynomial.ring(terms)
