"""Our polynomials against SymPy's: sums, products, quotients, common divisors, factors and their order."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest
import sympy

from nonholo.algebra import polynomials
from nonholo.algebra.budget import TooLongError
from nonholo.algebra.divisors import TooHard, cofactors
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
def test_factors_and_their_order_are_those_of_sympy(squared: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Polynomial] = []
    by_sympy = polynomials._by_sympy
    monkeypatch.setattr(polynomials, "_by_sympy", lambda p: asked.append(p) or by_sympy(p))
    random = Random(7)
    several = own = 0
    for _ in range(300):
        whole = OURS.one
        for _ in range(random.randint(1, 3)):
            whole = whole * drawn(random, random.randint(1, 4), random.randint(1, 3), 2)
        if squared:
            whole = OURS({tuple(2 * p for p in m): c for m, c in whole.items()})
        if not whole:
            continue
        before = len(asked)
        number, factors = whole.factor_list()
        expected, parts = theirs(whole).factor_list()
        assert number == expected and [(theirs(f), times) for f, times in factors] == parts
        own += len(asked) == before
        several += len(asked) == before and len(parts) > 1
    assert own > 100 and several > 40


A, B, *_ = OURS.gens


@pytest.mark.parametrize("whole, count", [
    (A**4 + A**2 * B**2 + B**4, 2), (A**4 + B**4, 1), (4 * A**4 + B**4, 2), (A**6 - 3 * A**4 + 3 * A**2 - 1, 2),
    (A**2 * B**2 - A**2 - B**2 + 1, 4), (A**2 - 2 * B**2, 1), (A**6 + A**4 * B**2 - A**2 * B**4 - B**6, 3),
], ids=str)  # fmt: skip
def test_even_polynomials_need_no_sympy(whole: Polynomial, count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = theirs(whole).factor_list()[1]
    monkeypatch.setattr(polynomials, "_by_sympy", None)
    polynomials._FACTORS._kept.clear()
    _, factors = whole.factor_list()
    assert [(theirs(f), times) for f, times in factors] == expected and len(factors) == count


def test_what_is_too_hard_for_us_is_left_to_sympy(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, c, *_ = OURS.gens
    one, two = (a**2 + b * c + 3) * (a**3 - b), (a**2 + b * c + 3) * (b**3 + a - 2)
    expected = [theirs(p) for p in one.cofactors(two)]

    def refused(*words: Any) -> Any:
        raise TooHard

    monkeypatch.setattr(polynomials, "cofactors", refused)
    assert [theirs(p) for p in one.cofactors(two)] == expected


def test_powers_too_high_to_be_packed_are_refused() -> None:
    a, b, *_ = OURS.gens
    with pytest.raises(TooLongError):
        (a**130 - b).cofactors(a - b)
    with pytest.raises(TooLongError):
        (a**300 - b).div(a - b)


def test_a_divisor_is_told_with_its_number() -> None:
    assert cofactors({1: 6, 0: 9}, {1: 4, 0: 6}, 1) == ({1: 2, 0: 3}, {0: 3}, {0: 2})
