<<<<<<< HEAD
"""A program without machine code: one vector by Python's numbers, many by arrays, the same bits by both."""
=======
"""The interpreter: a row alone has the bits that it has in company, also where there is no finite answer."""
>>>>>>> main

from __future__ import annotations

import pickle

import numpy as np
import pytest
<<<<<<< HEAD

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
=======
import symengine as se

from nonholo.algebra.door import expression
from nonholo.program.interpret import ALONE, Interpreter
from nonholo.program.program import Program
from nonholo.program.translate import translate

TEXTS = (
    "x*y - z/(x + 3)", "sin(x)*cos(y)*tan(z)", "exp(x)**y", "sqrt(x**2 + y**2)", "log(x**2 + 1)*atan2(y, x)", "x**3 - y**(-2)",
    "Piecewise((x*y, x < y), (x - y, True))", "Max(x, y) + Min(y, z) + Abs(z)", "asin(x/9)*sinh(y/4)*cosh(z/5)", "-x",
)  # fmt: skip


def interpreter(*texts: str) -> Interpreter:
    x, y, z = se.symbols("x y z")
    program = Program(fixed=3)
    found = [expression(t, ("x", "y", "z"), "test") for t in texts]
    return Interpreter(program, translate(program, {x: 0, y: 1, z: 2}, found))


def test_a_row_alone_has_the_bits_it_has_in_company() -> None:
    code = interpreter(*TEXTS)
    rows = np.random.default_rng(2).normal(0.0, 2.0, (40, 3))
    together = code(rows)
    assert np.all(np.isfinite(together))
    assert np.array_equal(together, [code(row) for row in rows])
    assert np.array_equal(together[:ALONE], code(rows[:ALONE])) and np.array_equal(together[: ALONE + 1], code(rows[: ALONE + 1]))
    assert np.array_equal(pickle.loads(pickle.dumps(code))(rows[0]), together[0])


@pytest.mark.parametrize(
    ("text", "row"),
    [("1/x + y", [0.0, 1.0, 1.0]), ("sqrt(x)", [-1.0, 0.0, 0.0]), ("exp(x)*y", [1000.0, 1.0, 0.0]), ("x/y", [0.0, 0.0, 0.0])],
)
def test_what_has_no_finite_value_is_what_numpy_says(text: str, row: list[float]) -> None:
    code = interpreter(text, "x + y")
    alone, many = code(row), code([row] * (ALONE + 1))[0]
    assert not np.isfinite(alone[0]) and np.isfinite(alone[1])
    assert alone.tobytes() == many.tobytes() or (np.isnan(alone[0]) and np.isnan(many[0]) and alone[1] == many[1])
>>>>>>> main
