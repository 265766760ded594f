"""Expressions -> machine code: one C function ``void f(double *out, const double *in, void *data)``."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.numeric import private
from nonholo.derive.equations import Expr, Symbol
from nonholo.errors import ModelError


@dataclass(frozen=True)
class MachineCode:
    """A compiled vector function; ``address`` and ``data`` are what a compiled loop needs to call it.

    The record owns the machine code: the address is valid as long as the record lives.
    """

    address: int
    data: int
    inputs: int
    outputs: int
    owner: Any

    def __call__(self, values: Sequence[float] | np.ndarray) -> np.ndarray:
        """The outputs at one input vector, for tests and for single evaluations from Python."""
        given = np.ascontiguousarray(values, dtype=np.float64)
        if given.shape != (self.inputs,):
            raise ModelError(f"machine code: {given.shape} numbers given where ({self.inputs},) are needed.")
        result = np.empty(self.outputs)
        if self.outputs:
            _SIGNATURE(self.address)(result.ctypes.data, given.ctypes.data, self.data)
        return result


_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)

NOTHING = MachineCode(address=0, data=0, inputs=0, outputs=0, owner=None)
"""The code of no expressions at all; loops never call it."""


def machine_code(symbols: Sequence[Symbol], expressions: Sequence[Expr], where: str) -> MachineCode:
    """Compile ``expressions`` of ``symbols``, sharing common subexpressions.

    >>> x, y = se.symbols("x y")
    >>> machine_code([x, y], [x * y, x + y], "doctest")([2.0, 3.0]).tolist()
    [6.0, 5.0]
    """
    if not expressions:
        return NOTHING
    exprs = [se.sympify(e) for e in expressions]
    _check_symbols(symbols, exprs, where)
    try:
        hidden, renamed = private(symbols, exprs)
        compiled = se.Lambdify(hidden, renamed, backend="llvm", cse=True, opt_level=3)
    except RuntimeError as problem:
        raise ModelError(
            f"{where}: {_culprit(symbols, exprs, problem)} has no machine code. Machine code needs real elementary "
            f"functions (powers, trigonometric, exponential, logarithm, Abs, sign, Max, Min, Piecewise with a last "
            f"True branch); rewrite it with these, or substitute the undefined function."
        ) from problem
    function, data = compiled.as_ctypes()
    address = ctypes.cast(function, ctypes.c_void_p).value
    assert address is not None
    return MachineCode(address, data.value or 0, len(symbols), len(exprs), compiled)


def _check_symbols(symbols: Sequence[Symbol], exprs: Sequence[Expr], where: str) -> None:
    names = [str(s) for s in symbols]
    repeated = sorted({n for n in names if names.count(n) > 1})
    if repeated:
        raise ModelError(f"{where}: the name {', '.join(repeated)} stands for two things; every symbol needs its own.")
    known = set(symbols)
    missing = sorted({str(s) for e in exprs for s in e.free_symbols if s not in known})
    if missing:
        raise ModelError(
            f"{where}: found {', '.join(missing)}, which is neither time, state, input nor parameter "
            f"({', '.join(names)}). Declare it as a parameter or an input."
        )


def _culprit(symbols: Sequence[Symbol], exprs: Sequence[Expr], problem: RuntimeError) -> str:
    """The first expression the compiler refuses, cut to a line."""
    for e in exprs:
        try:
            se.Lambdify(list(symbols), [e], backend="llvm", cse=False, opt_level=0)
        except RuntimeError as found:
            text = str(e)
            return f"'{found}' in {text if len(text) < 200 else text[:200] + ' …'}"
    return f"'{problem}'"
