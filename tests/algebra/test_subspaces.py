"""Null spaces and the order of columns against SciPy's, and where rounding would decide."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import null_space, qr, subspace_angles

from nonholo.algebra.subspaces import column_order, complement, independent_rows, kernel, kernels, outside, span


@pytest.mark.parametrize("shape", [(3, 3), (3, 7), (7, 3), (1, 4), (4, 1)])
def test_columns_come_in_the_order_of_pivoted_qr(shape: tuple[int, int]) -> None:
    random = np.random.default_rng(5)
    for _ in range(40):
        matrix = random.standard_normal(shape)
        assert column_order(matrix) == qr(matrix, mode="economic", pivoting=True)[2].tolist()


def test_of_equal_columns_the_first_is_taken_whatever_rounding_says() -> None:
    assert column_order([[1.0, 1.0 + 1e-13], [0.0, 0.0]])[0] == 0
    assert column_order([[1.0, 1.0 + 1e-6], [0.0, 0.0]])[0] == 1
    turn = np.array([[np.cos(0.3), -np.sin(0.3)], [np.sin(0.3), np.cos(0.3)]])
    assert column_order(turn) == [0, 1]


def test_nothing_is_divided_by_zero_where_the_rank_ends() -> None:
    with np.errstate(all="raise"):
        assert column_order([[0.0, 2.0, 0.0], [0.0, 0.0, 0.0]])[0] == 1
        assert sorted(column_order(np.zeros((2, 3)))) == [0, 1, 2]


@pytest.mark.parametrize(("height", "width", "rank"), [(2, 5, 2), (5, 5, 3), (7, 4, 2), (3, 3, 3)])
def test_null_spaces_are_those_of_scipy(height: int, width: int, rank: int) -> None:
    random = np.random.default_rng(3)
    matrices = np.stack([random.standard_normal((height, rank)) @ random.standard_normal((rank, width)) for _ in range(4)])
    for matrix, found in zip(matrices, kernels(matrices)):
        wanted = null_space(matrix, rcond=1e-9)
        assert found.shape == wanted.shape == (width, width - rank)
        assert not wanted.size or np.max(subspace_angles(found, wanted)) < 1e-12
        rows = span(matrix.T)
        assert np.max(np.abs(rows.T @ found), initial=0.0) < 1e-12
        assert complement(rows).shape == found.shape
        assert outside(matrix.T, rows).shape[1] == 0


def test_a_limit_is_relative_bounded_below_or_absolute() -> None:
    faint = np.diag([1e-8, 1e-16])
    assert [kernel(faint, 1e-7).shape[1], kernel(faint, 1e-7, least=1.0).shape[1]] == [1, 2]
    large = np.diag([1e9, 1.0])
    assert [kernel(large, 1e-7).shape[1], kernel(large, 1e-7, absolute=True).shape[1]] == [1, 0]


def test_independent_rows_are_the_pivots_of_elimination() -> None:
    random = np.random.default_rng(8)
    table = random.standard_normal((7, 3)) @ random.standard_normal((3, 5))
    table[1] = 2 * table[0]
    assert independent_rows(table) == [0, 2, 3]
    assert independent_rows(table, most=2) == [0, 2]
