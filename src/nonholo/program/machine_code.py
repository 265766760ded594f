"""Expressions -> machine code: one C function ``void f(double *out, const double *in, void *data)``."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.errors import ModelError
from nonholo.program.expression_type import Expr, Symbol
from nonholo.program.llvm_jit import PART, WHOLE, listing, load
from nonholo.program.program import Program
from nonholo.program.register_machine import LANES, machine, wide_machine
from nonholo.program.sincos import INLINE
from nonholo.program.tape import Parts, parts_of, tape
from nonholo.program.translate import NoMachineCode, translate


@dataclass(frozen=True)
class MachineCode:
    """A compiled vector function; ``address`` and ``data`` are what a compiled loop needs to call it.

    The record owns the machine code: the address is valid as long as the record lives.
    """

    address: int
    data: int
    inputs: int
    outputs: int
    owner: object

    @property
    def well(self) -> MachineCode:
        """The same code, compiled with care."""
        return self

    def after(self, calls: int) -> MachineCode:
        """What to call from now on, after so many calls more."""
        return self

    def __call__(self, values: Sequence[float] | np.ndarray) -> np.ndarray:
        """The outputs at one input vector, for tests and for single evaluations from Python."""
        given = np.ascontiguousarray(values, dtype=np.float64)
        if given.shape != (self.inputs,):
            raise ModelError(f"machine code: {given.shape} numbers given where ({self.inputs},) are needed.")
        result = np.empty(self.outputs)
        if self.outputs:
            _SIGNATURE(self.address)(result.ctypes.data, given.ctypes.data, self.data)
        return result

    def rows(self, table: np.ndarray) -> np.ndarray:
        """The outputs at each row of a table, one call after another: for some rows, not for many thousands."""
        given = np.ascontiguousarray(table, dtype=np.float64)
        result = np.empty((len(given), self.outputs))
        if result.size:
            call, data = _SIGNATURE(self.address), self.data
            out, into = result.ctypes.data, given.ctypes.data
            step, stride = 8 * self.outputs, 8 * given.shape[1]
            for k in range(len(given)):
                call(out + k * step, into + k * stride, data)
        return result


@dataclass(frozen=True)
class Hurried(MachineCode):
    """Machine code made in a hurry from ``text``, and made again with care once it was called `OFTEN`: the same bits."""

    text: str = field(default="", repr=False)
    calls: list[int] = field(default_factory=lambda: [0], repr=False, compare=False)

    @cached_property
    def well(self) -> MachineCode:
        """The same code, compiled with care."""
        address, owner = load(self.text)
        return MachineCode(address, self.data, self.inputs, self.outputs, owner)

    def after(self, calls: int) -> MachineCode:
        """What to call from now on, after so many calls more."""
        self.calls[0] += calls
        return self.well if self.calls[0] >= OFTEN or "well" in self.__dict__ else self


@dataclass(frozen=True)
class Taped(MachineCode):
    """A program that `nonholo.program.register_machine` reads, compiled only when it was called `SELDOM`: the same bits."""

    source: tuple[Program, tuple[int, ...], Mapping[int, int]] = field(default=(Program(0), (), {}), repr=False, compare=False)
    calls: list[int] = field(default_factory=lambda: [0], repr=False, compare=False)
    numbers: NDArray[np.uint8] = field(default_factory=lambda: np.empty(0, dtype=np.uint8), repr=False, compare=False)
    """The tape."""

    @cached_property
    def well(self) -> MachineCode:
        """The same code, compiled."""
        program, outputs, ready = self.source
        address, owner = load(listing(program, outputs, ready), level=0)
        return MachineCode(address, 0, self.inputs, self.outputs, owner)

    def after(self, calls: int) -> MachineCode:
        """What to call from now on, after so many calls more."""
        self.calls[0] += calls
        return self.well if self.calls[0] >= SELDOM or "well" in self.__dict__ else self

    @cached_property
    def parts(self) -> Parts:
        """The tape's numbers, places and instructions."""
        return parts_of(self.numbers)

    def rows(self, table: np.ndarray) -> np.ndarray:
        """The outputs at each row of a table, `LANES` at once where there is much to compute."""
        given = np.ascontiguousarray(table, dtype=np.float64)
        if len(given) > 1 and len(self.parts.code) > LONG:
            _work[0] += len(given) * len(self.parts.code)
            if _work[0] > MUCH:
                return self._side_by_side(given)
        code = self.after(len(given))
        return code.rows(given) if code is not self else super().rows(given)

    def _side_by_side(self, given: np.ndarray) -> np.ndarray:
        """The same bits from the wide machine; lanes without a row of their own repeat the last row."""
        parts, start = self.parts, self.inputs + len(self.parts.constants)
        registers = np.empty((parts.registers, LANES))
        registers[self.inputs : start] = parts.constants[:, None]
        result = np.empty((len(given), self.outputs))
        result[:] = registers[parts.places, 0]  # the constants, which may be most
        moving = np.flatnonzero((parts.places < self.inputs) | (parts.places >= start))
        places, work = parts.places[moving], _WORK(wide_machine()[0])
        for k in range(0, len(given), LANES):
            rows = given[k : k + LANES]
            registers[: self.inputs, : len(rows)] = rows.T
            registers[: self.inputs, len(rows) :] = rows[-1:].T
            work(registers.ctypes.data, parts.code.ctypes.data)
            result[k : k + LANES, moving] = registers[places, : len(rows)].T
        return result


SELDOM = 20_000
"""After so many calls compiling has paid: it costs a millisecond, and 15 µs for an operation that saves 1 ns at each call."""
LONG, MUCH = 2000, 20_000_000
"""The wide machine is made in 50 ms, in which the other one reads so ``MUCH``; it pays for tapes that are so ``LONG``."""
_work = [0]
"""How much was read in tables so far."""
OFTEN = 250_000
"""After so many calls care has paid: it costs some 25 µs for an operation and saves a tenth of a nanosecond at each call."""
_SIGNATURE = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)
_ROWS = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64)
_WORK = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)

NOTHING = MachineCode(address=0, data=0, inputs=0, outputs=0, owner=None)
"""The code of no expressions at all; loops never call it."""


class Table:
    """Machine code of a program for one input vector (n) or for each row of a table (…, n)."""

    def __init__(self, program: Program, outputs: Sequence[int], inputs: int) -> None:
        text = listing(program, outputs, strides=(inputs, len(outputs)))
        self._address, self._owner = load(text, "rows")
        self.inputs, self.outputs = inputs, len(outputs)

    def __call__(self, values: Any) -> np.ndarray:
        """The outputs, in the last dimension."""
        given = np.ascontiguousarray(values, dtype=np.float64)
        if given.shape[-1:] != (self.inputs,):
            raise ModelError(f"machine code: {given.shape} numbers given where (…, {self.inputs}) are needed.")
        result = np.empty((*given.shape[:-1], self.outputs))
        count = given.size // self.inputs if self.inputs else 0
        _ROWS(self._address)(result.ctypes.data, given.ctypes.data, count)
        return result


class Sheet:
    """A program for one input vector (n) or for each row of a table (…, n), compiled only when it is called often.

    >>> p = Program(fixed=2)
    >>> x, y = (p.put("input", detail=i) for i in range(2))
    >>> Sheet(p, [p.multiply(x, y), p.add(x, y)], 2)([[2.0, 3.0], [1.0, 5.0]]).tolist()
    [[6.0, 5.0], [5.0, 6.0]]
    """

    def __init__(self, program: Program, outputs: Sequence[int], inputs: int) -> None:
        self._source = program, outputs, inputs
        self._code = taped(program, outputs, inputs)

    def __call__(self, values: Any) -> NDArray[np.float64]:
        """The outputs, in the last dimension."""
        given = np.asarray(values, dtype=np.float64)
        found = self._code.rows(given.reshape(-1, given.shape[-1]))
        return found.reshape(*given.shape[:-1], self._code.outputs)

    def __reduce__(self) -> tuple[type[Sheet], tuple[Program, Sequence[int], int]]:
        return Sheet, self._source  # made again where it lands


def machine_code(symbols: Sequence[Symbol], expressions: Sequence[Expr], where: str, level: int = 1) -> MachineCode:
    """Machine code of ``expressions`` of ``symbols``, sharing common subexpressions; ``level`` 0 for what is called seldom.

    >>> x, y = se.symbols("x y")
    >>> machine_code([x, y], [x * y, x + y], "doctest")([2.0, 3.0]).tolist()
    [6.0, 5.0]
    """
    if not expressions:
        return NOTHING
    exprs = checked(symbols, expressions, where)
    program = Program(fixed=len(symbols))
    try:
        outputs = translate(program, {s: i for i, s in enumerate(symbols)}, exprs)
    except NoMachineCode as problem:
        raise refusal(symbols, expressions, where) from problem
    return loaded(program, outputs, len(symbols)) if level else taped(program, outputs, len(symbols))


def taped(program: Program, outputs: Sequence[int], inputs: int, ready: Mapping[int, int] | None = None) -> MachineCode:
    """A program to be called a few times: no machine code is made for it before it was called often."""
    found = dict(ready or {})
    numbers = np.frombuffer(tape(program, outputs, inputs, found), dtype=np.uint8)
    address, owner = machine()
    source = program, tuple(outputs), found
    return Taped(address, numbers.ctypes.data, inputs, len(outputs), owner, source, numbers=numbers)


def loaded(
    program: Program,
    outputs: Sequence[int],
    inputs: int,
    ready: Mapping[int, int] | None = None,
    together: int = 4,
    whole: int = WHOLE,
    part: int = PART,
    hurried: bool = False,
) -> MachineCode:
    """The machine code of a program (see `listing` and `load`); ``hurried``: with care only when it has been called often."""
    text = listing(program, outputs, ready, together, whole, part=part)
    if hurried:
        address, owner = load(text.replace(INLINE, ""), level=0)  # one sine for all angles: a tenth of the time
        return Hurried(address, 0, inputs, len(outputs), owner, text)
    address, owner = load(text)
    return MachineCode(address, 0, inputs, len(outputs), owner)


@dataclass(frozen=True)
class Ready:
    """Machine code, and a second function for what depends on parameters alone: computed once for a motion.

    ``code`` takes the input vector, then ``gap`` numbers, then what ``constants`` makes of the input vector.
    """

    code: MachineCode
    constants: MachineCode
    gap: int

    def __call__(self, values: Sequence[float] | np.ndarray, between: Sequence[float] | np.ndarray = ()) -> np.ndarray:
        """The outputs at one input vector, from Python; ``between`` fills the gap."""
        given = np.asarray(values, dtype=float)
        fixed = self.constants(given) if self.constants.outputs else np.empty(0)
        filled = np.zeros(self.gap)
        filled[: len(between)] = between
        return self.code(np.concatenate([given, filled, fixed]))


def prepared(
    program: Program,
    outputs: Sequence[int],
    inputs: int,
    gap: int,
    together: int = 4,
    whole: int = WHOLE,
    part: int = PART,
    hurried: bool = False,
) -> Ready:
    """The machine code of a program of ``inputs + gap`` numbers whose steady values are computed apart."""
    steady = steady_values(program, outputs)
    start = inputs + gap
    ready = {value: start + k for k, value in enumerate(steady)}
    code = loaded(program, outputs, start + len(steady), ready, together, whole, part=part, hurried=hurried)
    return Ready(code, taped(program, steady, inputs) if steady else NOTHING, gap)


def steady_values(program: Program, outputs: Sequence[int]) -> list[int]:
    """The values that depend on parameters alone and are used by others (or are outputs): computed once."""
    found: dict[int, None] = {}
    seen: set[int] = set()
    work = list(outputs)
    while work:
        i = work.pop()
        if i in seen:
            continue
        seen.add(i)
        if program.steady[i] and program.operations[i].kind not in ("number", "input", "compare"):
            found[i] = None
        else:
            work.extend(program.operations[i].of)
    return sorted(found)


def checked(symbols: Sequence[Symbol], expressions: Sequence[Expr], where: str) -> list[Expr]:
    """The expressions, after a check that every symbol has a name of its own."""
    names = [str(s) for s in symbols]
    repeated = sorted({n for n in names if names.count(n) > 1})
    if repeated:
        raise ModelError(f"{where}: the name {', '.join(repeated)} stands for two things; every symbol needs its own.")
    return [se.sympify(e) for e in expressions]


def refusal(symbols: Sequence[Symbol], expressions: Sequence[Expr], where: str) -> ModelError:
    """The error for expressions without machine code; names the first of them and what in it is the matter."""
    _check_symbols(symbols, [se.sympify(e) for e in expressions], where)
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


def undifferentiable(problem: Exception, where: str) -> ModelError:
    """The error for a function that has a value but no slope we know."""
    return ModelError(f"{where}: the function {problem} has no derivative here; rewrite it with functions that have one.")


def _check_symbols(symbols: Sequence[Symbol], exprs: Sequence[Expr], where: str) -> None:
    names = [str(s) for s in symbols]
    known = set(symbols)
    missing = sorted({str(s) for e in exprs for s in e.free_symbols if s not in known})
    if missing:
        raise ModelError(
            f"{where}: found {', '.join(missing)}, which is neither time, state, input nor parameter "
            f"({', '.join(names)}). Declare it as a parameter or an input."
        )
