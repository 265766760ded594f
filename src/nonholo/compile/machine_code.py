"""Expressions -> machine code: one C function ``void f(double *out, const double *in, void *data)``."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.kinds import Expr, Symbol
from nonholo.algebra.numeric import private
from nonholo.algebra.program import Program
from nonholo.algebra.translate import NoMachineCode, translate
from nonholo.compile.jit import listing, load
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
    hidden, renamed = checked(symbols, expressions, where)
    program = Program(fixed=len(symbols))
    try:
        outputs = translate(program, {s: i for i, s in enumerate(hidden)}, renamed)
    except NoMachineCode as problem:
        raise refusal(symbols, expressions, where) from problem
    return loaded(program, outputs, len(symbols))


def loaded(
    program: Program, outputs: Sequence[int], inputs: int, ready: Mapping[int, int] | None = None, together: int = 4
) -> MachineCode:
    """The machine code of a program (see `listing`)."""
    address, owner = load(listing(program, outputs, ready, together))
    return MachineCode(address, 0, inputs, len(outputs), owner)


def checked(symbols: Sequence[Symbol], expressions: Sequence[Expr], where: str) -> tuple[list[Symbol], list[Expr]]:
    """Symbols and expressions under names of our own, after a check that nothing else occurs in them."""
    exprs = [se.sympify(e) for e in expressions]
    _check_symbols(symbols, exprs, where)
    return private(symbols, exprs)


def refusal(symbols: Sequence[Symbol], expressions: Sequence[Expr], where: str) -> ModelError:
    """The error for expressions without machine code; names the first of them and what in it is the matter."""
    program = Program(fixed=len(symbols))
    found = "one of the expressions"
    for e in expressions:
        try:
            translate(program, {s: i for i, s in enumerate(symbols)}, [se.sympify(e)])
        except NoMachineCode as problem:
            text = str(e)
            found = f"'{problem}' in {text if len(text) < 200 else text[:200] + ' …'}"
            break
    return ModelError(
        f"{where}: {found} has no machine code. Machine code needs real elementary functions (powers, trigonometric, "
        f"exponential, logarithm, Abs, sign, Max, Min, Piecewise with a last True branch); rewrite it with these, or "
        f"substitute the undefined function."
    )


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
