"""Expressions to callables, safe against SymEngine's own names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import symengine as se

from nonholo.algebra.calculus import substitute
from nonholo.algebra.kinds import Expr


def private(arguments: Sequence[Any], exprs: Sequence[Expr]) -> tuple[list[Any], list[Expr]]:
    """Arguments renamed to names no user has, and the expressions with them.

    SymEngine's common-subexpression pass calls its temporaries ``x0, x1, …`` without looking whether the expressions
    use these names already, and then silently computes nonsense for a coordinate called ``x1``.
    """
    hidden = [se.Symbol(f"_argument_{i}_") for i in range(len(arguments))]
    return hidden, list(substitute(exprs, dict(zip(arguments, hidden))))


def numeric_function(arguments: Sequence[Any], exprs: Sequence[Expr], backend: str = "llvm") -> Any:
    """A quick-to-build function of a vector that gives all expressions (motion goes through machine code instead).

    ``backend="lambda"`` is built many times faster and runs some hundred times slower: right for a few evaluations.

    >>> import numpy as np
    >>> x1, x2 = se.symbols("x1 x2")
    >>> repeated = se.sin(x1) * x2 + se.sin(x1) ** 2
    >>> float(numeric_function([x1, x2], [repeated, se.sin(x1)])(np.array([0.0, 3.0]))[0])
    0.0
    """
    hidden, renamed = private(arguments, exprs)
    return se.Lambdify(hidden, renamed, cse=True, backend=backend)
