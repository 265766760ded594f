"""Polynomials against SymPy's: sums, products, quotients, common divisors, factors and their order."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy

from nonholo.algebra.budget import TooLongError
from nonholo.algebra.polynomials import Polynomial, ring_of

LETTERS = "abcdef"
OURS, THEIRS = ring_of(LETTERS), sympy.ring(list(LETTERS), sympy.QQ)[0]


def drawn(random: Random, terms: int, letters: int, power: int, below: int = 1) -> Polynomial:
    places = random.sample(range(6), letters)
    found: dict[tuple[int, ...], Any] = {}
    for _ in range(terms):
        powers = [random.randint(0, power) if i in places and random.random() < 0.6 else 0 for i in range(6)]
        found[tuple(powers)] = Fraction(random.randint(-5, 5), random.randint(1, below))
    return OURS({m: c.numerator if c.denominator == 1 else c for m, c in found.items()})


def theirs(ours: Polynomial) -> Any:
    return THEIRS({m: sympy.QQ(c.numerator, c.denominator) for m, c in ours.items()})


def test_sums_products_quotients_and_common_divisors_are_those_of_sympy() -> None:
    random = Random(5)
    shared = 0
    for _ in range(400):
        one, two, both = (drawn(random, random.randint(1, 5), random.randint(1, 4), 2, random.choice((1, 3))) for _ in "123")
        if random.random() < 0.7:
            one, two = one * both, two * both * both
        if not one or not two:
            continue
        a, b = theirs(one), theirs(two)
        assert [theirs(p) for p in one.cofactors(two)] == list(a.cofactors(b))
        assert [theirs(p) for p in one.cancel(two)] == list(a.cancel(b))
        shared += len(one.gcd(two)) > 1
        assert theirs(one * two + one) == a * b + a and theirs(one - two) == a - b and theirs(1 - one**3) == 1 - a**3
        number, rest = one.primitive()
        assert theirs(rest) * sympy.QQ(number.numerator, number.denominator) == a and rest.LC == a.primitive()[1].LC
        assert theirs((one * two).exquo(two)) == a and bool(one.div(two)[1]) == bool(a.div(b)[1])
    assert shared > 150


@pytest.mark.parametrize("squared", [False, True], ids=["letters", "squares of letters"])
def test_factors_and_their_order_are_those_of_sympy(squared: bool) -> None:
    random = Random(7)
    several = 0
    for _ in range(300):
        whole = OURS.one
        for _ in range(random.randint(1, 3)):
            whole = whole * drawn(random, random.randint(1, 4), random.randint(1, 3), 2, random.choice((1, 3)))
        if squared:
            whole = OURS({tuple(2 * p for p in m): c for m, c in whole.items()})
        if not whole:
            continue
        number, factors = whole.factor_list()
        expected, parts = theirs(whole).factor_list()
        assert sympy.QQ(number.numerator, number.denominator) == expected
        assert [(theirs(f), times) for f, times in factors] == parts
        several += len(parts) > 1
    assert several > 150


def test_what_has_too_many_letters_and_powers_is_not_tried() -> None:
    a, b, *_ = OURS.gens
    assert (a**130 - b**130).cofactors(a - b)[0] == a - b
    every = OURS({(12,) * 6: 1}) + 1
    with pytest.raises(TooLongError):
        (every * a).cofactors(every * b)
    assert (every * every).factor_list() == (1, [(every * every, 1)])


def test_a_divisor_is_told_with_its_number() -> None:
    a, *_ = OURS.gens
    assert (6 * a + 9).cancel(4 * a + 6) == (3 * OURS.one, 2 * OURS.one)
    with pytest.raises(ArithmeticError, match="does not divide"):
        (a**2 + 1).exquo(a + 1)
