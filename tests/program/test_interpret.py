"""The interpreter: a row alone has the bits that it has in company, also where there is no finite answer."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import symengine as se

from nonholo.notation.read import expression
from nonholo.program import interpret
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


def test_what_is_asked_often_is_written_down_and_keeps_its_bits(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [*np.random.default_rng(3).normal(0.0, 2.0, (30, 3)), np.zeros(3), np.array([-1.0, 0.0, 1e300]), np.full(3, np.inf)]
    code = interpreter(*TEXTS, "1/x", "sqrt(y)", "exp(500*x)")
    monkeypatch.setattr(interpret, "OFTEN", 10**9)
    true = [code(row) for row in rows]
    assert "_written" not in code.__dict__
    monkeypatch.setattr(interpret, "OFTEN", 0)
    for row, expected in zip(rows, true):
        assert np.array_equal(code(row), expected, equal_nan=True)
    assert "_written" in code.__dict__
    assert np.array_equal(pickle.loads(pickle.dumps(code))(rows[0]), true[0], equal_nan=True)
    monkeypatch.setattr(interpret, "LONGEST", 3)
    assert np.array_equal(interpreter(*TEXTS)(rows[0]), true[0][: len(TEXTS)], equal_nan=True)
