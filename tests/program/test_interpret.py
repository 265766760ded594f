"""A program without machine code: one vector by Python's numbers, many by arrays, the same bits by both."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from nonholo.program import interpret
from nonholo.program.interpret import OPERATIONS, Interpreter
from nonholo.program.program import Program

UNARY = ["sqrt", "sin", "cos", "tan", "asin", "atan", "sinh", "tanh", "exp", "log", "fabs", "floor", "trunc"]


def long_program(seed):
    """Every kind of operation, on numbers that are met again; also what divides by zero and what has no real value."""
    random = np.random.default_rng(seed)
    p = Program(fixed=4)
    pool = [p.put("input", detail=i) for i in range(4)] + [p.number(x) for x in (0.3, -2.0)]
    for _ in range(160):
        a, b, c = (pool[i] for i in random.integers(len(pool), size=3))
        kind = random.integers(8)
        if kind < 4:
            pool.append((p.add, p.subtract, p.multiply, p.divide)[kind](a, b))
        elif kind == 4:
            name = UNARY[random.integers(len(UNARY))]
            pool.append(p.put(name, a) if name in ("sqrt", "sin", "cos") else p.put("call", a, detail=name))
        elif kind == 5:
            pool.append(p.put("choose", p.put("compare", a, b, detail=("olt", "oge", "une")[random.integers(3)]), b, c))
        else:
            pool.append(p.put("call", a, b, detail=("atan2", "fmax", "pow")[random.integers(3)]))
    return p, pool[6:]


@pytest.mark.parametrize("seed", range(6))
def test_one_vector_by_python_has_the_bits_of_arrays(seed, monkeypatch):
    program, outputs = long_program(seed)
    random = np.random.default_rng(seed + 50)
    rows = np.vstack([random.uniform(-2, 2, (20, 4)), [[0, 0, 0, 0]], [[1e300, -1e300, 1e-300, 0.0]], [[np.inf, 1, np.nan, 2]]])
    monkeypatch.setattr(interpret, "OFTEN", 10**9)
    true = [Interpreter(program, outputs)(row) for row in rows]
    monkeypatch.setattr(interpret, "OFTEN", 0)
    quick = Interpreter(program, outputs)
    for row, expected in zip(rows, true):
        assert quick(row).tobytes() == expected.tobytes() or np.array_equal(quick(row), expected, equal_nan=True)
        assert quick(row[None]).shape == (1, len(outputs))
    assert quick._written is not None
    back = pickle.loads(pickle.dumps(quick))
    assert np.array_equal(back(rows[0]), true[0], equal_nan=True)


def test_what_is_asked_once_is_not_written_down_and_every_sign_is_known():
    program, outputs = long_program(1)
    one = Interpreter(program, outputs)
    for k in range(interpret.OFTEN + 1):
        one(np.full(4, 0.1 * k))
        assert (one._written is None) == (k + 1 < interpret.OFTEN)
    assert set(interpret.SIGNS) <= {*OPERATIONS.values(), *interpret.COMPARISONS.values()}
