"""Factor and collect polynomials, using sin² + cos² = 1 where it shortens them."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import symengine as se

from nonholo.algebra.budget import TooLongError, charge
from nonholo.algebra.expression_types import Expr, Poly
from nonholo.algebra.polynomials import multiplied
from nonholo.notation.shortening.length import written_length
from nonholo.notation.shortening.rotation_identities import spherical_forms

Pair = tuple[int, int]
"""The places of a sine and its cosine among the letters."""
MOST_TERMS = 100
"""Polynomials with more terms are not written."""
GROWN = 1000
"""When a polynomial on the way has more terms, the work ends."""
FACTORED = 60
"""Polynomials with more terms are not factored."""
COLLECTED = 30
"""Polynomials with more terms are collected by one kind of letter only."""
CHARGE = 10
"""What writing a polynomial is charged, for each term."""
_TIMES = tuple(map(se.Integer, range(16)))
FORMS = 5
"""So many ways to write powers of sines and cosines are tried, those with the fewest terms."""


@dataclass(frozen=True)
class Writer:
    """What the letters of the polynomials stand for, which belong together, and a clock that raises `TooLongError`."""

    letters: tuple[Expr, ...]
    pairs: tuple[Pair, ...]
    kinds: tuple[tuple[int, ...], ...]
    """Groups of letters by which terms are collected: sines and cosines, speeds, parameters, …"""
    hurry: Callable[[], bool] = field(default=lambda: False)
    """Whether so much work is done that sums are left as they are, not collected."""
    rotations: tuple[tuple[int, ...], ...] = ()
    """The places of the nine entries of each rotation matrix."""
    roots: tuple[tuple[int, Poly], ...] = ()
    """The places of square roots, and what they are roots of."""
    memory: dict[Hashable, Expr] = field(default_factory=dict)


def arranged(polynomial: Poly, writer: Writer) -> Expr:
    """The shortest way found to write the polynomial."""
    key = ("arranged", _key(polynomial))
    if key not in writer.memory:
        writer.memory[key] = _shortest(polynomial, writer)
    return writer.memory[key]


def _shortest(polynomial: Poly, writer: Writer) -> Expr:
    if not polynomial:
        return se.Integer(0)
    circular = _circular_forms(polynomial, writer.pairs)
    circular += spherical_forms(polynomial, writer.rotations, GROWN)
    forms = sorted({_key(p): p for p in circular}.values(), key=len)
    return min((_factored(p, writer) for p in forms[:FORMS] if len(p) <= 2 * len(forms[0]) + 2), key=written_length)


def lowered(polynomial: Poly, first: int, second: int) -> Poly:
    """Squares of the first letter replaced by 1 - second²."""
    if max((powers[first] for powers in polynomial.itermonoms()), default=0) < 2:
        return polynomial
    return with_square(polynomial, first, 1 - polynomial.ring.gens[second] ** 2)


def with_square(polynomial: Poly, place: int, square: Poly) -> Poly:
    """Squares of a letter replaced by what its square is: of a root what it is the root of, of a sine 1 - cos²."""
    if max((powers[place] for powers in polynomial.itermonoms()), default=0) < 2:
        return polynomial
    low = [((*m[:place], m[place] % 2, *m[place + 1 :]), c, m[place] // 2) for m, c in polynomial.terms()]
    return multiplied(low, square, GROWN)


def _levelled(polynomial: Poly, first: int, second: int) -> Poly:
    """Each term times as many (first² + second²) = 1 as make its degree in the two that of the others."""
    degrees = [p[first] + p[second] for p in polynomial.itermonoms()]
    top = {parity: max((d for d in degrees if d % 2 == parity), default=0) for parity in (0, 1)}
    if max(top.values()) > 6 or all(d == top[d % 2] for d in degrees):
        return polynomial
    one = polynomial.ring.gens[first] ** 2 + polynomial.ring.gens[second] ** 2
    raised = [(m, c, (top[(m[first] + m[second]) % 2] - m[first] - m[second]) // 2) for m, c in polynomial.terms()]
    return multiplied(raised, one, GROWN)


def _circular_forms(polynomial: Poly, pairs: Sequence[Pair]) -> list[Poly]:
    """The polynomial with sines, cosines or neither reduced, for each pair, or for all alike when there are many."""
    used = [p for p in pairs if any(m[p[0]] or m[p[1]] for m in polynomial.itermonoms())]
    if not used:
        return [polynomial]
    choices = list(product(range(3), repeat=len(used))) if len(used) <= 2 else [(k,) * len(used) for k in range(3)]
    forms = [polynomial]
    for choice in choices:
        form = polynomial
        try:
            for (sine, cosine), how in zip(used, choice):
                form = lowered(form, *((cosine, sine) if how == 1 else (sine, cosine)))
                form = _levelled(form, sine, cosine) if how == 2 else form
        except TooLongError:
            continue
        forms.append(form)
    return forms


def _key(polynomial: Poly) -> Any:
    return frozenset(polynomial.items())


def _factored(polynomial: Poly, writer: Writer) -> Expr:
    """A product of collected polynomials that have no common factors left."""
    key = ("factored", _key(polynomial))
    if key not in writer.memory:
        writer.memory[key] = _factors(polynomial, writer)
    return writer.memory[key]


def _factors(polynomial: Poly, writer: Writer) -> Expr:
    charge(CHARGE * (1 + len(polynomial)))
    if not polynomial:
        return se.Integer(0)
    number, monomial, rest = _content(polynomial)
    if len(rest) == 1:
        return _signed(number * rest.LC, monomial, [], writer)
    scale, parts = split(rest) if len(rest) <= FACTORED else (1, [(rest, 1)])
    tried = [_signed(number * scale, monomial, parts, writer)]
    if len(parts) > 1 or parts[0][1] > 1:  # 1 - x² is shorter than (1 + x) (1 - x)
        tried.append(_signed(number, monomial, [(rest, 1)], writer))
    return min(tried, key=written_length)


def _signed(number: Any, monomial: Sequence[int], parts: Sequence[tuple[Poly, int]], writer: Writer) -> Expr:
    """The product, every sum the way round that has more terms added, or that spares a minus before the product."""
    kept = [_power(letter, p) for letter, p in zip(writer.letters, monomial) if p]
    sides: list[tuple[Expr, int, int]] = []
    for part, times in parts:
        side, taken = _collected(part, writer), _more_taken_than_added(part)
        if taken > 0 or (taken == 0 and times % 2 == 0 and _turned(part)):
            side, number, taken = negated(side), (-number if times % 2 else number), -taken
        sides.append((side, times, taken))
    even = [k for k, (_, times, taken) in enumerate(sides) if taken == 0 and times % 2]
    for k, (side, times, _) in enumerate(sides):
        turned = number < 0 and even[:1] == [k]
        kept.append(_power(negated(side) if turned else side, times))
        number = -number if turned else number
    return _product(number, kept)


def _more_taken_than_added(polynomial: Poly) -> int:
    return sum(1 if c < 0 else -1 for c in polynomial.itercoeffs())


def negated(expr: Expr) -> Expr:
    """The negative, a sum term by term."""
    return se.Add(*(-a for a in expr.args)) if isinstance(expr, se.Add) else -expr


def _power(base: Expr, times: int) -> Expr:
    return base if times == 1 else base ** (_TIMES[times] if times < len(_TIMES) else times)


def _turned(polynomial: Poly) -> bool:
    """Whether the shortest term is taken away, so that of ``(a - x y)²`` and ``(x y - a)²`` the other is meant."""
    monomial = min(polynomial.itermonoms(), key=lambda m: (sum(m), [-p for p in m]))
    return bool(polynomial[monomial] < 0)


def _product(number: Any, factors: Sequence[Expr]) -> Expr:
    """The product; a number is kept before a sum, not multiplied into it."""
    if number == 1 and factors:
        return se.Mul(*factors)
    scale = se.Integer(number.numerator) if number.denominator == 1 else se.Rational(number.numerator, number.denominator)
    return se.Mul(scale, *factors) if factors else scale


def _content(polynomial: Poly) -> tuple[Any, tuple[int, ...], Poly]:
    """Number, monomial and the rest of a polynomial."""
    number, rest = polynomial.primitive()
    low = tuple(map(min, zip(*rest.itermonoms())))
    if any(low):
        ring = polynomial.ring
        rest = ring({tuple(p - q for p, q in zip(m, low)): c for m, c in rest.terms()})
    return number, low, rest


def _collected(polynomial: Poly, writer: Writer) -> Expr:
    """A sum without common factors: as it is, or collected by one kind of letter, whichever is shortest."""
    key = ("collected", _key(polynomial))
    if key not in writer.memory:
        plain = se.Add(*(_term(m, c, writer) for m, c in polynomial.terms()))
        tried = [plain]
        if len(polynomial) > 2 and not writer.hurry():
            tried += [_by_kind(polynomial, kind, writer) for kind in _useful(polynomial, writer)]
        writer.memory[key] = min(tried, key=written_length)
    return writer.memory[key]


def _useful(polynomial: Poly, writer: Writer) -> list[tuple[int, ...]]:
    """The kinds of letters by which some terms, but not all, come together."""
    present = {i for m in polynomial.itermonoms() for i, p in enumerate(m) if p}
    kinds = dict.fromkeys(
        kind for kind in (*writer.kinds, *((i,) for i in present)) if present.intersection(kind) and present - set(kind)
    )
    found = []
    for kind in kinds:
        groups = {tuple(m[i] for i in kind) for m in polynomial.itermonoms()}
        if 1 < len(groups) < len(polynomial):
            found.append(kind)
    if len(polynomial) > COLLECTED:
        return [k for k in found if k in writer.kinds][:2]
    if len(polynomial) <= 8:
        return found
    count = {i: sum(1 for m in polynomial.itermonoms() if m[i]) for i in present}
    alone = sorted((k for k in found if k not in writer.kinds), key=lambda k: -count[k[0]])
    return [*(k for k in found if k in writer.kinds), *alone[: 3 if len(polynomial) <= 16 else 1]]


def _by_kind(polynomial: Poly, kind: tuple[int, ...], writer: Writer) -> Expr:
    ring = polynomial.ring
    groups: dict[tuple[int, ...], dict[Any, Any]] = {}
    for monomial, coefficient in polynomial.terms():
        rest = list(monomial)
        for i in kind:
            rest[i] = 0
        groups.setdefault(tuple([monomial[i] for i in kind]), {})[tuple(rest)] = coefficient
    terms = []
    for own, rest_terms in groups.items():
        rest = ring(rest_terms)
        side = (
            _factored(rest, writer)
            if len(rest) < len(polynomial)
            else se.Add(*(_term(m, c, writer) for m, c in rest.terms()))
        )
        terms.append(_merged(side, [_power(writer.letters[i], p) for i, p in zip(kind, own) if p]))
    return se.Add(*terms)


def _merged(side: Expr, letters: Sequence[Expr]) -> Expr:
    if isinstance(side, se.Mul):
        return se.Mul(*side.args, *letters)
    return se.Mul(side, *letters) if letters else side


def _term(monomial: Sequence[int], coefficient: Any, writer: Writer) -> Expr:
    return _product(coefficient, [_power(writer.letters[i], p) for i, p in enumerate(monomial) if p])


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
