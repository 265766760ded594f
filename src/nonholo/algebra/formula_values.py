"""Values of formulas by name, interpreted: for questions at a few states, where compiling would take longer."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.calculus import symbols
from nonholo.algebra.expression_types import Expr
from nonholo.errors import ModelError
from nonholo.program.derivative import tangents
from nonholo.program.interpret import Interpreter
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate

Numbers = NDArray[np.float64]
PLAIN: dict[Any, Any] = {
    np.add: operator.add, np.subtract: operator.sub, np.multiply: operator.mul, np.divide: operator.truediv,
    np.negative: operator.neg, np.sqrt: math.sqrt, np.fabs: abs, np.equal: operator.eq, np.not_equal: operator.ne,
    np.less_equal: operator.le, np.less: operator.lt, np.greater_equal: operator.ge, np.greater: operator.gt,
    np.where: lambda test, yes, no: yes if test else no,
}  # fmt: skip
"""Python's own operation on one number, ten times quicker than NumPy's and rounded alike."""


class Formulas:
    """Expressions of named quantities, at one place or at many.

    >>> import symengine as se
    >>> both = Formulas(["x", "y"], [se.sympify("x*y"), se.sympify("1/x")])
    >>> both.at({"x": 2.0, "y": 3.0}).tolist(), both.rows(np.array([[0.0, 1.0], [4.0, 0.5]])).tolist()
    ([6.0, 0.5], [[0.0, inf], [2.0, 0.25]])

    With ``flow``, the rate of some of the quantities (a name or a number), their rates along it follow the expressions:

    >>> Formulas(["x", "u"], [se.sympify("x**2")], {"x": "u"}).at({"x": 3.0, "u": 0.5}).tolist()
    [9.0, 3.0]
    """

    def __init__(self, names: Sequence[str], exprs: Sequence[Expr], flow: Mapping[str, str | float] | None = None) -> None:
        self.names = tuple(names)
        program = Program(fixed=len(self.names))
        try:
            outputs = translate(program, {s: i for i, s in enumerate(symbols(self.names))}, exprs)
            if flow:
                place = {n: program.put("input", detail=i) for i, n in enumerate(self.names)}
                direction = {place[n]: place[r] if isinstance(r, str) else program.number(r) for n, r in flow.items()}
                outputs = [*outputs, *tangents(program, outputs, direction)]
        except (NoMachineCode, NoDerivative) as problem:
            raise ModelError(
                f"'{problem}' has no value as a number; use the declared names and elementary functions alone."
            ) from None
        self._table = Interpreter(program, outputs)
        self._warns = any(rule not in PLAIN for rule, _, _ in self._table.steps)
        self._steps = [
            (len(of), PLAIN.get(rule) or _single(rule), slot, *(*of, 0, 0)[:3]) for rule, slot, of in self._table.steps
        ]

    def at(self, values: Mapping[str, float]) -> Numbers:
        """All expressions at one place; what has no value is infinite or not a number."""
        return self.of([float(values[n]) for n in self.names])

    def of(self, given: Sequence[float]) -> Numbers:
        """All expressions at one place, given in the order of the names."""
        table = self._table
        values: list[Any] = [0.0] * table.size + table.numbers
        for slot, place in table.inputs:
            values[slot] = given[place]
        try:
            with np.errstate(all="ignore") if self._warns else nullcontext():
                for count, rule, slot, a, b, c in self._steps:
                    if count == 2:
                        values[slot] = rule(values[a], values[b])
                    elif count == 1:
                        values[slot] = rule(values[a])
                    else:
                        values[slot] = rule(values[a], values[b], values[c])
            return np.array([values[slot] for slot in table.outputs], dtype=float)
        except (ZeroDivisionError, ValueError, OverflowError):
            return np.asarray(self.rows(np.array([given], dtype=float))[0])

    def rows(self, table: Numbers) -> Numbers:
        """All expressions at every row of a table."""
        return self._table(table) if len(table) else np.empty((0, len(self._table.outputs)))


def _single(rule: Any) -> Any:
    """NumPy's function on one number, so that one place and many have the same bits."""

    def one(*x: float) -> float:
        return float(rule(*x))

    return one
