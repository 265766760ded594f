"""The order of columns against LAPACK's, and where rounding would decide."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import qr

from nonholo.algebra.column_pivoting import column_order


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
