"""Compile or interpret expressions as functions of numeric vectors."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import substitute, symbols
from nonholo.algebra.expression_types import Expr, Numbers, Symbol
from nonholo.errors import ModelError
from nonholo.program.derivative import tangents
from nonholo.program.interpret import Interpreter
from nonholo.program.partials import NoDerivative
from nonholo.program.program import Program
from nonholo.program.translate import NoMachineCode, translate

KEPT = 256
"""Size of the cache; a function has its list of operations only."""


def private(arguments: Sequence[Any], exprs: Sequence[Expr]) -> tuple[list[Any], list[Expr]]:
    """Arguments renamed to names no user has, and the expressions with them.

    SymEngine's common-subexpression pass calls its temporaries ``x0, x1, …`` without looking whether the expressions
    use these names already, and then silently computes nonsense for a coordinate called ``x1``.
    """
    hidden = [se.Symbol(f"_argument_{i}_") for i in range(len(arguments))]
    return hidden, list(substitute(exprs, dict(zip(arguments, hidden))))


Rows: TypeAlias = Callable[[NDArray[np.float64]], NDArray[np.float64]]
"""A function of a vector, or of the rows of a table."""


def numeric_function(arguments: Sequence[Symbol], exprs: Sequence[Expr], backend: str = "llvm") -> Rows:
    """A function of a vector (or of the rows of a table) that gives all expressions, as our own program.

    ``backend="lambda"`` interprets the program: built many times faster, it runs some hundred times slower at a single
    vector, and is right for a few evaluations; ``backend="tape"`` is right for some hundred of a long program. What has no
    real value everywhere (an undefined function, complex numbers) goes through SymEngine.

    >>> import numpy as np
    >>> x1, x2 = se.symbols("x1 x2")
    >>> repeated = se.sin(x1) * x2 + se.sin(x1) ** 2
    >>> float(numeric_function([x1, x2], [repeated, se.sin(x1)])(np.array([0.0, 3.0]))[0])
    0.0
    """
    return _made(tuple(arguments), tuple(exprs), backend)


def table_function(arguments: Sequence[Symbol], exprs: Sequence[Expr], backend: str = "llvm") -> Rows:
    """The expressions at every row of a table, also where there are none: (rows, expressions); infinite or nan where undefined.

    >>> x = se.Symbol("x")
    >>> table_function([x], [1 / x, x**2])(np.array([[0.0], [2.0]])).tolist()
    [[inf, 0.0], [0.5, 4.0]]
    """
    function = numeric_function(arguments, [*exprs, se.Integer(1)], backend)

    def values(rows: Numbers) -> Numbers:
        with np.errstate(all="ignore"):
            return np.asarray(function(np.ascontiguousarray(rows)), dtype=float).reshape(len(rows), -1)[:, :-1]

    return values


@lru_cache(maxsize=KEPT)
def _made(arguments: tuple[Symbol, ...], exprs: tuple[Expr, ...], backend: str) -> Rows:
    """The cached function of these expressions."""
    program = Program(fixed=len(arguments))
    try:
        outputs = translate(program, {s: i for i, s in enumerate(arguments)}, exprs)
    except NoMachineCode:
        hidden, renamed = private(arguments, exprs)
        made: Rows = se.Lambdify(hidden, renamed, cse=True, backend="llvm" if backend == "llvm" else "lambda")
        return made
    if backend == "lambda":
        from nonholo.program.interpret import Interpreter

        return Interpreter(program, outputs)
    from nonholo.program.machine_code import Sheet, Table

    if backend == "tape":
        return Sheet(program, outputs, len(arguments))
    return Table(program, outputs, len(arguments))


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
