"""Exact arithmetic modulo a prime against fractions, SymPy and identities."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.prime.field import OTHER, P, draws, fraction_of, inverse, null_space, rank, residue, root, solve
from nonholo.algebra.prime.points import Points, Unsupported, vanishes
from nonholo.algebra.prime.recover import rational

x, y, k = se.symbols("x y k")


@pytest.mark.parametrize("p", [P, OTHER])
def test_primes_leave_three_and_have_roots(p: int) -> None:
    import sympy

    assert sympy.isprime(p) and p % 4 == 3
    values = draws(1, 50, p)()
    found, able = root(values * values % p, p)
    assert np.all(able) and np.all((found - values) * (found + values) % p == 0)
    assert np.all(values * inverse(values, p) % p == 1)


@pytest.mark.parametrize("value", [Fraction(0), Fraction(-7, 3), Fraction(981, 100), Fraction(19999, 12345)])
def test_fractions_come_back(value: Fraction) -> None:
    assert fraction_of(residue(value)) == value


def test_most_numbers_are_no_small_fractions() -> None:
    """Some are by chance, so that what is read back must be proved afterwards."""
    assert np.mean([fraction_of(int(v)) is None for v in draws(3, 400)()]) > 0.6


def test_null_space_and_solutions_agree_with_fractions() -> None:
    random = np.random.default_rng(2)
    matrix = random.integers(-9, 9, (4, 6))
    kernel = null_space(matrix)
    assert len(kernel) == 6 - rank(matrix) == 6 - np.linalg.matrix_rank(matrix)
    for _, vector in kernel:
        assert not np.any((matrix * vector).sum(axis=1) % P)
    square = random.integers(-9, 9, (3, 4, 4))
    sides = random.integers(-9, 9, (3, 4))
    found, regular = solve(square, sides)
    assert np.all(regular)
    assert not np.any((np.einsum("kij,kj->ki", square.astype(object), found.astype(object)) - sides) % P)


@pytest.mark.parametrize(
    "identity",
    [
        se.sin(2 * x) - 2 * se.sin(x) * se.cos(x),
        se.cos(x + y) - se.cos(x) * se.cos(y) + se.sin(x) * se.sin(y),
        se.cos(x / 2) ** 2 - (1 + se.cos(x)) / 2,
        se.exp(2 * x) * se.exp(-x) - se.exp(x),
        se.sqrt(1 + x**2) ** 3 - (1 + x**2) * se.sqrt(1 + x**2),
        x**k / x - x ** (k - 1),
        se.tan(x) * se.cos(x) - se.sin(x),
    ],
)
def test_identities_hold_at_random_points_and_their_neighbours_do_not(identity: se.Expr) -> None:
    assert vanishes([identity], Points(40, 5))
    assert not vanishes([identity + x / 7], Points(40, 5))


def test_what_is_unknown_is_marked_and_pieces_are_refused() -> None:
    points = Points(4, 1)
    points.value(se.log(x) + se.sin(x))
    assert points.opaque and not Points(4, 1).opaque
    with pytest.raises(Unsupported, match="pieces"):
        points.value(se.Piecewise((x, x > 0), (0, True)))


def test_rational_functions_are_read_back_and_others_refused() -> None:
    draw = draws(7, 120)
    m, J, a = draw(), draw(), draw()
    top, bottom = (J + m * a % P * a) % P, 3 * m % P * a % P
    found = rational(["m", "J", "a"], [m, J, a], top * inverse(bottom) % P)
    expected = (se.Symbol("J") + se.Symbol("m") * se.Symbol("a") ** 2) / (3 * se.Symbol("m") * se.Symbol("a"))
    assert (found - expected).expand() == 0
    assert rational(["m", "J", "a"], [m, J, a], draw()) is None
