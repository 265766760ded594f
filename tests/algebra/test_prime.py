"""Exact arithmetic modulo a prime against fractions, SymPy and identities."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.prime.modular_arithmetic import (
    OTHER,
    PANEL,
    P,
    draws,
    echelon,
    fraction_of,
    inverse,
    null_space,
    product,
    rank,
    residue,
    root,
    solve,
)
from nonholo.algebra.prime.power_series import ExactPlace, Expansion, series_ring
from nonholo.algebra.prime.random_points import Points, Unsupported, vanishes
from nonholo.algebra.prime.rational_reconstruction import Degrees, degrees_on, lines, needed, rational

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


def _row_by_row(matrix: Any, p: int) -> tuple[list[list[int]], list[int]]:
    """The reduced echelon form by whole numbers of Python, one row after the other."""
    rows, pivots = [[int(e) % p for e in row] for row in matrix], []
    for column in range(matrix.shape[1]):
        live = [k for k in range(len(pivots), len(rows)) if rows[k][column]]
        if not live:
            continue
        top = len(pivots)
        rows[top], rows[live[0]] = rows[live[0]], rows[top]
        scale = pow(rows[top][column], -1, p)
        rows[top] = [e * scale % p for e in rows[top]]
        for k in range(len(rows)):
            if k != top and rows[k][column]:
                factor = rows[k][column]
                rows[k] = [(a - factor * b) % p for a, b in zip(rows[k], rows[top])]
        pivots.append(column)
    return rows[: len(pivots)], pivots


@pytest.mark.parametrize("shape", [(9, 5), (70, 64), (60, 110), (112, 100)])
@pytest.mark.parametrize("p", [P, OTHER])
def test_elimination_by_panels_is_elimination_row_by_row(shape: tuple[int, int], p: int) -> None:
    """Dependent columns inside a panel and across panels, empty rows and columns, entries as large as they can be."""
    random = np.random.default_rng(shape[1])
    rows, width = shape
    matrix = random.integers(p - 50, p, shape)
    matrix[:, width // 3] = 5 * matrix[:, 1] % p
    matrix[:, width - 2] = (matrix[:, 0] * 7 + matrix[:, width // 2] * (p - 2)) % p
    matrix[:, 2] = 0
    matrix[rows // 2] = 0
    matrix[rows - 1] = matrix[0]
    matrix[: rows // 4, : width // 2] = 0  # so that rows change places
    found, pivots = echelon(matrix, p)
    expected, chosen = _row_by_row(matrix, p)
    assert pivots == chosen and found.tolist() == expected
    assert rank(matrix, p) == len(chosen) < min(shape)


def test_products_over_a_panel_are_exact() -> None:
    left, right = np.full((3, PANEL), P - 1), np.full((PANEL, 2), P - 1)
    left[1], right[:, 1] = P - 2, P // 2
    expected = (left.astype(object) @ right.astype(object)) % P
    assert np.all(product(left, right) == expected)


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
    bounds = Degrees((1, 1, 2), 3), Degrees((1, 0, 1), 2)
    found = rational(["m", "J", "a"], bounds, [m, J, a], top * inverse(bottom) % P)
    expected = (se.Symbol("J") + se.Symbol("m") * se.Symbol("a") ** 2) / (3 * se.Symbol("m") * se.Symbol("a"))
    assert (found - expected).expand() == 0
    assert rational(["m", "J", "a"], bounds, [m, J, a], draw()) is None


def test_degrees_are_read_on_lines_and_leave_few_unknowns() -> None:
    """``s²(m r² + I)/(r²(M s² + N))`` has degree 5 in six parameters: 924 unknowns without knowing each degree."""
    names = ["m", "I", "r", "M", "N", "s"]
    values = lines(names, dict(zip(names, (3, 5, 7, 11, 13, 17))), 5)
    m, inner, r, other, more, s = (values[n] for n in names)
    top = s * s % P * ((m * r % P * r + inner) % P) % P
    bottom = r * r % P * ((other * s % P * s + more) % P) % P
    good = np.ones(len(m), dtype=bool)
    good[3] = False  # a place where no value is known
    found = degrees_on(6, top * inverse(bottom) % P, good, 5)
    assert found == (Degrees((1, 1, 2, 0, 0, 2), 5), Degrees((0, 0, 2, 1, 1, 2), 5))
    assert needed(found) < 80
    assert degrees_on(6, draws(3, len(m))(), good, 5) is None


def test_derivatives_of_derivatives_modulo_a_prime_are_those_of_expressions() -> None:
    """Along ``u = (y, sin x)``: the first and second derivative of a function with roots, sines and quotients."""
    f = se.sqrt(1 + x**2) * se.sin(x + y) / (2 + se.cos(y)) + k * x**-3 + se.exp(2 * y)
    u = {x: y, y: se.sin(x)}

    def along(e: Any) -> Any:
        return sum(e.diff(s) * step for s, step in u.items())

    points = Points(24, 5)
    place, ring = ExactPlace(points), series_ring(2, 2)
    expected = [f, along(f), along(along(f))]
    place.prepare(expected)
    whole, *rates = Expansion(ring, place, [x, y]).series([f, *u.values()])
    found = [whole]
    for degree in (1, 0):
        count = ring.counts[degree]
        steps = [ring.product(r[:count], ring.derivative(found[-1], k, degree), degree) for k, r in enumerate(rates)]
        found.append(sum(steps) % points.p)
    assert [int(e[0]) for e in found] == [place.value(e) for e in expected]


@pytest.mark.parametrize("factor", ["3/5", "7/10", "0.35", "11", "5/7"])
def test_multiples_of_any_fraction_know_of_each_other(factor: str) -> None:
    """Not only twelfths: exp(3x/5) exp(−3x/5) = 1, cos(6x/5) = 2 cos²(3x/5) − 1."""
    x, k = se.Symbol("x"), se.sympify(factor)
    points = Points(4, 3)
    zero = [
        se.exp(k * x) * se.exp(-k * x + k * x * 2) - se.exp(2 * k * x),
        se.cosh(k * x) ** 2 - se.sinh(k * x) ** 2 - 1,
        se.cos(2 * k * x) - 2 * se.cos(k * x) ** 2 + 1,
        se.sin(-k * x) + se.sin(k * x),
    ]
    assert all(not np.any(v) for v in points.values(zero)) and not points.opaque
    assert np.any(points.value(se.cos(2 * k * x) - se.cos(k * x)))


def test_different_fractions_of_a_symbol_are_said_to_be_unknown() -> None:
    x = se.Symbol("x")
    points = Points(4, 3)
    points.values([se.exp(x), se.cos(x)])
    assert not points.opaque
    points.value(se.exp(x * se.Rational(1, 5)))
    assert points.opaque
    still, part = Points(4, 5), x * se.Rational(3, 5)
    still.rest(x)
    assert not np.any(still.value(se.cos(part) - 1)) and not np.any(still.value(se.exp(part) - 1))


def test_a_radicand_written_in_two_ways_has_one_root() -> None:
    """It counted as two radicands that are squares of each other, so that nothing was decided."""
    x, y = se.symbols("x y")
    points = Points(40, 3)
    one, other = se.sqrt((x + y) ** 2 + 1), se.sqrt(x**2 + 2 * x * y + y**2 + 1)
    assert one != other and not np.any(points.value(one - other)[points.good])
    assert np.any(points.value(one + other)[points.good]) and not points.opaque
    points.value(se.sqrt(x**2))
    assert points.opaque


def test_at_rational_numbers_the_sign_of_a_rational_root_is_known() -> None:
    c = se.Symbol("c")
    points = Points(40, 3)
    points.fix(c, Fraction(3, 4))
    assert not np.any(points.value(se.sqrt(1 + c**2) - se.Rational(5, 4))) and not np.any(points.value(se.sqrt(c**2) - c))
    assert not points.opaque
    points.values([se.sqrt(1 + c), se.sqrt(7)])  # √(7/4) = √7/2, and the signs of the two are not known to agree
    assert points.opaque


def test_roots_on_a_curve_are_not_taken_for_those_of_free_symbols() -> None:
    """On the circle √(1 − x²) is y or −y: at few points nothing else is drawn."""
    x, y = se.symbols("x y")
    points = Points(4, 3)
    u = points.random()
    below = inverse((1 + u * u) % P)
    points.set(x, (1 - u * u) % P * below % P)
    points.set(y, 2 * u % P * below % P)
    points.value(se.sqrt(1 - x**2) - y)
    assert points.opaque
    free = Points(4, 3)
    free.value(se.sqrt(1 - x**2) - y)
    assert not free.opaque


def test_numbers_whose_product_is_a_square() -> None:
    points = Points(4, 3)
    points.values([se.sqrt(2), se.sqrt(3)])
    assert not points.opaque
    points.value(se.sqrt(6))
    assert points.opaque
