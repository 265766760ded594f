"""Programs as numbers without machine code: for questions at a few places, which a compiler would take longer to answer."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbols
from nonholo.algebra.kinds import Expr
from nonholo.algebra.program import Program
from nonholo.algebra.translate import NoMachineCode, translate
from nonholo.errors import ModelError

Numbers = NDArray[np.float64]
Rule = Callable[..., Any]

BOTH: dict[str, Rule] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "negate": operator.neg, "oeq": operator.eq, "une": operator.ne, "ole": operator.le, "olt": operator.lt,
    "ogt": operator.gt,
}  # fmt: skip
"""Operations that are the same for a number and for a column of numbers."""
SCALAR: dict[str, Rule] = {
    "sin": math.sin, "cos": math.cos, "sqrt": math.sqrt, "choose": lambda test, yes, no: yes if test else no,
    "tgamma": math.gamma, "fabs": abs, "fmax": max, "fmin": min, "pow": math.pow,
    **{n: getattr(math, n) for n in (
        "exp", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "log", "lgamma",
        "erf", "erfc", "floor", "ceil", "trunc",
    )},
}  # fmt: skip
COLUMN: dict[str, Rule] = {"sqrt": np.sqrt, "choose": np.where, "fabs": np.abs, "fmax": np.fmax, "fmin": np.fmin}
"""Rounded alike for one number and for many; all other functions go number by number, so that they are too."""
BEYOND: dict[str, Rule] = {
    "exp": np.exp, "pow": np.power, "asin": np.arcsin, "acos": np.arccos, "sinh": np.sinh, "cosh": np.cosh,
    "acosh": np.arccosh, "atanh": np.arctanh, "log": np.log,
}  # fmt: skip
"""What a function is where Python's raises an error: infinite or not a number."""


def _column(name: str) -> Rule:
    """A function on columns of numbers."""
    if name in COLUMN:
        return COLUMN[name]
    one, beyond = SCALAR[name], BEYOND.get(name, lambda *x: math.nan)

    def each(*x: float) -> float:
        try:
            return float(one(*x))
        except (ValueError, OverflowError, ZeroDivisionError):
            return float(beyond(*x))

    return np.vectorize(each, otypes=[float])


class Formulas:
    """Expressions of named quantities, read once, as numbers at one place or at many.

    >>> import symengine as se
    >>> both = Formulas(["x", "y"], [se.sympify("x*y"), se.sympify("1/x")])
    >>> both.at({"x": 2.0, "y": 3.0}).tolist(), both.rows(np.array([[0.0, 1.0], [4.0, 0.5]])).tolist()
    ([6.0, 0.5], [[0.0, inf], [2.0, 0.25]])
    """

    def __init__(self, names: Sequence[str], exprs: Sequence[Expr]) -> None:
        self.names = tuple(names)
        program = Program(fixed=len(self.names))
        places = {s: i for i, s in enumerate(symbols(self.names))}
        try:
            self._outputs = translate(program, places, exprs)
        except NoMachineCode as problem:
            raise ModelError(
                f"'{problem}' has no value as a number; use the declared names and elementary functions alone."
            ) from None
        self._operations = tuple(
            (op.kind, str(op.detail) if op.kind in ("call", "compare") else op.kind, op.of, op.detail)
            for op in program.operations
        )
        self._steps = self._bound(SCALAR.__getitem__)

    def _bound(self, special: Callable[[str], Rule]) -> list[tuple[int, Any, int, int, int]]:
        """One step for each operation: how many operands, the rule (or a number, or a place), the operands."""
        steps: list[tuple[int, Any, int, int, int]] = []
        for kind, name, of, detail in self._operations:
            if kind == "number":
                steps.append((-1, float(detail), 0, 0, 0))
            elif kind == "input":
                steps.append((0, int(detail), 0, 0, 0))
            else:
                rule = BOTH[name] if name in BOTH else special(name)
                first, second, third = (*of, 0, 0)[:3]
                steps.append((len(of), rule, first, second, third))
        return steps

    def _run(self, steps: list[tuple[int, Any, int, int, int]], given: Sequence[Any]) -> list[Any]:
        values: list[Any] = []
        put = values.append
        for count, rule, a, b, c in steps:
            if count == 2:
                put(rule(values[a], values[b]))
            elif count == 1:
                put(rule(values[a]))
            elif count == 0:
                put(given[rule])
            elif count == -1:
                put(rule)
            else:
                put(rule(values[a], values[b], values[c]))
        return [values[i] for i in self._outputs]

    def at(self, values: Mapping[str, float]) -> Numbers:
        """All expressions at one place; what has no value is infinite or not a number."""
        return self.of([float(values[n]) for n in self.names])

    def of(self, given: Sequence[float]) -> Numbers:
        """All expressions at one place, given in the order of the names."""
        try:
            return np.array(self._run(self._steps, given), dtype=float)
        except (ZeroDivisionError, ValueError, OverflowError):
            return self.rows(np.array([given], dtype=float))[0]

    def rows(self, table: Numbers) -> Numbers:
        """All expressions at every row of a table."""
        result = np.empty((len(table), len(self._outputs)))
        with np.errstate(all="ignore"):
            columns = [np.ascontiguousarray(table[:, k], dtype=float) for k in range(table.shape[1])]
            for k, found in enumerate(self._run(self._bound(_column), columns)):
                result[:, k] = found
        return result

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        return _again, (self.names, self._operations, self._outputs)


def _again(names: tuple[str, ...], operations: Any, outputs: list[int]) -> Formulas:
    made = Formulas.__new__(Formulas)
    made.names, made._operations, made._outputs = names, operations, outputs
    made._steps = made._bound(SCALAR.__getitem__)
    return made
