"""Compile or interpret expressions as functions of numeric vectors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import substitute
from nonholo.algebra.expression_types import Expr, Symbol
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
