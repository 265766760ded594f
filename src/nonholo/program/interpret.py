"""A program as numbers without machine code: right for a few evaluations, and for many at once."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.program.array_types import Array
from nonholo.program.llvm_jit import ordered
from nonholo.program.program import Program

BLOCK = 256
"""So many rows are computed at a time, which bounds the memory."""
ALONE = 4
"""So many rows are computed one by one: an operation on arrays takes longer than on four numbers."""

OPERATIONS: dict[str, Callable[..., Any]] = {
    "add": np.add, "subtract": np.subtract, "multiply": np.multiply, "divide": np.divide, "negate": np.negative,
    "sqrt": np.sqrt, "sin": np.sin, "cos": np.cos, "choose": np.where,
    "tan": np.tan, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2, "sinh": np.sinh,
    "cosh": np.cosh, "tanh": np.tanh, "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "log": np.log,
    "exp": np.exp, "pow": np.power, "floor": np.floor, "ceil": np.ceil, "trunc": np.trunc, "fabs": np.fabs,
    "fmax": np.fmax, "fmin": np.fmin,
}  # fmt: skip
COMPARISONS: dict[str, Callable[..., Any]] = {
    "oeq": np.equal, "une": np.not_equal, "ole": np.less_equal, "olt": np.less, "oge": np.greater_equal,
    "ogt": np.greater,
}  # fmt: skip
PLAIN: dict[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul, "divide": operator.truediv,
    "negate": operator.neg, "sqrt": math.sqrt, "oeq": operator.eq, "une": operator.ne, "ole": operator.le, "olt": operator.lt,
    "oge": operator.ge, "ogt": operator.gt,
}  # fmt: skip
"""The same on Python's numbers, bit by bit; functions that are not exact to the last bit everywhere are NumPy's there too."""

OFTEN, LONGEST = 24, 6000
"""Programs called this often for single rows, and no longer than that, are compiled to a Python function."""
SIGNS = {
    "add": "{} + {}", "subtract": "{} - {}", "multiply": "{} * {}", "divide": "{} / {}", "negate": "-{}", "oeq": "{} == {}",
    "une": "{} != {}", "ole": "{} <= {}", "olt": "{} < {}", "oge": "{} >= {}", "ogt": "{} > {}", "choose": "{1} if {0} else {2}",
}  # fmt: skip
"""How these operations are written there; all others are called."""


def _plain(kind: str, detail: Any) -> Callable[..., Any]:
    name = detail if kind in ("call", "compare") else kind
    if name in PLAIN:
        return PLAIN[name]
    function = _function(kind, detail)
    return lambda *given: float(function(*given))


def _function(kind: str, detail: Any) -> Callable[..., Any]:
    if kind == "compare":
        return COMPARISONS[detail]
    name = detail if kind == "call" else kind
    if name in OPERATIONS:
        return OPERATIONS[name]
    from scipy import special

    return {"tgamma": special.gamma, "lgamma": special.gammaln, "erf": special.erf, "erfc": special.erfc}[name]


class Interpreter:
    """``outputs`` of a program as a function of its input vector, or of many at once.

    >>> p = Program(fixed=2)
    >>> x, y = (p.put("input", detail=i) for i in range(2))
    >>> Interpreter(p, [p.multiply(x, y), p.add(x, y)])([[2.0, 3.0], [1.0, 5.0]]).tolist()
    [[6.0, 5.0], [5.0, 6.0]]
    """

    def __init__(self, program: Program, outputs: Sequence[int]) -> None:
        order = ordered(program, outputs, {})
        slot = {i: k for k, i in enumerate(order)}
        numbers: list[float] = []
        for i in outputs:
            _place_number(program, i, slot, numbers, len(order))
        for i in order:
            for j in program.operations[i].of:
                _place_number(program, j, slot, numbers, len(order))
        self.numbers = numbers
        self.inputs: list[tuple[int, int]] = []
        self.steps: list[tuple[Callable[..., Any], int, tuple[int, ...]]] = []
        self._kinds: list[tuple[str, Any]] = []
        for i in order:
            kind, of, detail = program.operations[i]
            if kind == "input":
                self.inputs.append((slot[i], int(detail)))
            else:
                self.steps.append((_function(kind, detail), slot[i], tuple(slot[j] for j in of)))
                self._kinds.append((kind, detail))
        self.size = len(order)
        self.outputs = [slot[i] for i in outputs]
        self._asked = 0

    def __call__(self, values: Any) -> Array:
        """The outputs at one input vector (n) or at each row of a table (…, n)."""
        given = np.asarray(values, dtype=np.float64)
        rows = given.reshape(-1, given.shape[-1]).T
        result = np.empty((rows.shape[1], len(self.outputs)))
        for start in range(0, rows.shape[1], BLOCK):
            self._block(rows[:, start : start + BLOCK], result[start : start + BLOCK])
        return result.reshape(*given.shape[:-1], len(self.outputs))

    @cached_property
    def _alone(self) -> list[tuple[Callable[..., Any], int, int, int, tuple[int, ...]]]:
        """The steps on Python's numbers: the function, where its value goes, its first two arguments and all of them."""
        made: dict[tuple[str, Any], Callable[..., Any]] = {}
        result = []
        for (_, slot, of), kind in zip(self.steps, self._kinds):
            function = made.get(kind) or made.setdefault(kind, _plain(*kind))
            result.append((function, slot, of[0] if of else 0, of[1] if len(of) == 2 else -1, of))
        return result

    def __getstate__(self) -> dict[str, Any]:
        own = {name: value for name, value in self.__dict__.items() if name not in ("_alone", "_written")}
        return {**own, "_asked": 0}  # the rest is made anew where it lands

    @cached_property
    def _written(self) -> Callable[[list[float]], tuple[float, ...]]:
        """The same steps as one function of Python: numbered names and signs alone, nothing that a user wrote."""
        known: dict[str, Any] = {f"v{self.size + k}": number for k, number in enumerate(self.numbers)}
        lines = [f" v{slot} = x[{place}]" for slot, place in self.inputs]
        for k, ((function, slot, _, _, of), (kind, detail)) in enumerate(zip(self._alone, self._kinds)):
            sign, names = SIGNS.get(detail if kind == "compare" else kind), [f"v{i}" for i in of]
            if sign is None:
                known[f"f{k}"], sign = function, f"f{k}({', '.join(['{}'] * len(of))})"
            lines.append(f" v{slot} = {sign.format(*names)}")
        found = "".join(f"v{slot}, " for slot in self.outputs)
        text = "\n".join(["def program(x):", *lines, f" return ({found})"])
        exec(compile(text, "<program>", "exec"), known)
        made: Callable[[list[float]], tuple[float, ...]] = known["program"]
        return made

    def _one(self, row: Array, result: Array) -> bool:
        """One row by Python's numbers, several times faster than arrays of length one; not where these have no answer."""
        self._asked += 1
        if self._asked > OFTEN and len(self.steps) <= LONGEST:
            try:
                with np.errstate(all="ignore"):
                    result[:] = self._written(row.tolist())
            except (ZeroDivisionError, ValueError, OverflowError):
                return False
            return True
        values: list[Any] = [None] * self.size + self.numbers
        for slot, place in self.inputs:
            values[slot] = float(row[place])
        try:
            with np.errstate(all="ignore"):
                for function, slot, first, second, of in self._alone:
                    if second >= 0:
                        values[slot] = function(values[first], values[second])
                    elif len(of) == 1:
                        values[slot] = function(values[first])
                    else:
                        values[slot] = function(*[values[k] for k in of])
        except (ZeroDivisionError, ValueError, OverflowError):  # NumPy has infinities and no numbers there
            return False
        result[:] = [values[slot] for slot in self.outputs]
        return True

    def _block(self, rows: Array, result: Array) -> None:
        if rows.shape[1] <= ALONE and all(self._one(rows[:, k], result[k]) for k in range(rows.shape[1])):
            return
        values: list[Any] = [None] * self.size + self.numbers
        for slot, place in self.inputs:
            values[slot] = rows[place]
        with np.errstate(all="ignore"):
            for function, slot, of in self.steps:
                values[slot] = function(*[values[k] for k in of])
        for k, slot in enumerate(self.outputs):
            result[:, k] = values[slot]


def _place_number(program: Program, i: int, slot: dict[int, int], numbers: list[float], start: int) -> None:
    value = program.value(i)
    if value is not None and i not in slot:
        slot[i] = start + len(numbers)
        numbers.append(value)
