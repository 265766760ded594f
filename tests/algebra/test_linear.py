"""Linear equations over expressions: solved as numbers would be, with honest pivots."""

from __future__ import annotations

import numpy as np
import pytest
import symengine as se

from nonholo.algebra.linear_equations import DependentRows, evaluate_matrix, solve, solve_rows

X = {"x": 0.7, "y": -0.4}
x, y = se.symbols("x y")


def steady(entry):
    return not entry.free_symbols


def test_a_solved_system_agrees_with_numpy_at_every_size():
    random = np.random.default_rng(2)
    for size in (1, 2, 3, 4, 5, 7):
        matrix = [
            [
                se.Rational(int(random.integers(1, 9)), 3) * se.sin(x + i * y + j) + (3 if i == j else 0)
                for j in range(size)
            ]
            for i in range(size)
        ]
        sides = [[se.cos(i * x)] for i in range(size)]
        found = evaluate_matrix(solve(matrix, sides, [X]), {"x": 1.1, "y": 0.3})
        numbers = evaluate_matrix(matrix, {"x": 1.1, "y": 0.3})
        assert np.allclose(found, np.linalg.solve(numbers, evaluate_matrix(sides, {"x": 1.1, "y": 0.3})), rtol=1e-11)


def test_steady_pivots_come_first_so_that_the_choice_holds_everywhere():
    rows = [[se.Integer(1), se.Integer(0), 5 * se.cos(x)], [se.Integer(0), se.Integer(1), 5 * se.sin(x)]]
    free, solution = solve_rows(rows, [[], []], [X], steady)
    assert free == [2] and solution[0] == (-5 * se.cos(x),)


def test_a_floating_zero_is_never_a_pivot():
    free, solution = solve_rows([[se.RealDouble(0.0), se.Integer(2)]], [[]], [X], steady)
    assert free == [0] and float(solution[1][0]) == 0.0


@pytest.mark.parametrize("unit", [1, 1e-14, 1e12])
def test_small_units_are_not_taken_for_zeros_and_dependence_is_seen_at_any_scale(unit):
    unit = se.RealDouble(unit)
    rows = [[unit * se.cos(x), unit * se.sin(x), se.Integer(0)], [se.Integer(0), unit * x, unit]]
    free, solution = solve_rows(rows, [[], []], [X, {"x": 0.2, "y": 0.0}], steady)
    numbers = evaluate_matrix(rows, X) @ evaluate_matrix(solution, X)
    assert len(free) == 1 and np.max(np.abs(numbers)) < 1e-12 * float(unit)
    with pytest.raises(DependentRows):
        solve_rows([rows[0], [3 * e for e in rows[0]]], [[], []], [X, {"x": 0.2, "y": 0.0}], steady)


def test_hidden_zeros_are_seen():
    """The second row is the first times (sin² + cos²)."""
    one = se.sin(y) ** 2 + se.cos(y) ** 2
    rows = [[se.Integer(2), x, y], [2 * one, x * one, y * one]]
    with pytest.raises(DependentRows) as found:
        solve_rows(rows, [[], []], [X, {"x": 0.2, "y": 1.0}], steady)
    assert found.value.row == 1


def test_a_regular_block_is_solved_where_entries_of_it_vanish():
    """Turned axes beside two scales: elimination would divide by cos x, the determinant holds both scales and no angle."""
    c, s, o = se.cos(x), se.sin(x), se.Integer(0)
    matrix = [
        [o, s, -c, y, o],
        [y * c, y * s, y**2, o, y],
        [-y * c, -y * s, 2 + y, o, o],
        [y * c, y * s, y**2, o, o],
        [-s, c, o, o, o],
    ]
    unit = [[se.Integer(int(i == j)) for j in range(5)] for i in range(5)]
    found = solve(matrix, unit, [X])
    for place in (0.3, np.pi / 2 - 1e-9, np.pi / 2, np.pi):
        numbers = evaluate_matrix(matrix, {"x": place, "y": 0.8})
        assert np.max(np.abs(numbers @ evaluate_matrix(found, {"x": place, "y": 0.8}) - np.eye(5))) < 1e-14
