"""Values of a `Program` that one can calculate with: formulas are written as on paper, and land in the program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from nonholo.program.program import Program

Values = Any
"""A NumPy array of `Value` (object entries), which is added, multiplied and contracted like any other."""


class Value:
    """One value of a program; sums, products and quotients of values are values of the same program.

    >>> p = Program(fixed=2)
    >>> x, y = inputs(p, 0, 2)
    >>> (2 * x).place == p.multiply(p.number(2.0), x.place)
    True
    """

    __slots__ = ("place", "program")

    def __init__(self, program: Program, place: int) -> None:
        self.program, self.place = program, place

    def _with(self, kind: str, other: Any, turned: bool = False) -> Any:
        if isinstance(other, np.ndarray):
            return NotImplemented  # NumPy goes through the entries
        place = other.place if isinstance(other, Value) else self.program.number(float(other))
        pair = (place, self.place) if turned else (self.place, place)
        return Value(self.program, getattr(self.program, kind)(*pair))

    def __add__(self, other: Any) -> Any:
        return self._with("add", other)

    def __sub__(self, other: Any) -> Any:
        return self._with("subtract", other)

    def __rsub__(self, other: Any) -> Any:
        return self._with("subtract", other, turned=True)

    def __mul__(self, other: Any) -> Any:
        return self._with("multiply", other)

    def __truediv__(self, other: Any) -> Any:
        return self._with("divide", other)

    def __neg__(self) -> Value:
        return Value(self.program, self.program.negate(self.place))

    __radd__, __rmul__ = __add__, __mul__


def inputs(program: Program, first: int, count: int) -> Values:
    """So many entries of the input vector."""
    return values(program, [program.put("input", detail=first + k) for k in range(count)])


def values(program: Program, places: Sequence[int]) -> Values:
    """The values at some places of a program."""
    made = np.empty(len(places), dtype=object)
    for k, place in enumerate(places):
        made[k] = Value(program, place)
    return made


def inlined(source: Program, outputs: Sequence[int], arguments: Sequence[Value]) -> Values:
    """The outputs of one program within another, with values of the other as its input vector.

    >>> inner, outer = Program(fixed=2), Program(fixed=1)
    >>> product = inner.multiply(*(inner.put("input", detail=i) for i in range(2)))
    >>> (x,) = inputs(outer, 0, 1)
    >>> inlined(inner, [product], [x, x + 1])[0].place == (x * (x + 1)).place
    True
    """
    program = arguments[0].program
    needed: set[int] = set()
    work = list(outputs)
    while work:
        i = work.pop()
        if i not in needed:
            needed.add(i)
            work.extend(source.operations[i].of)
    place: dict[int, int] = {}
    for i in sorted(needed):
        kind, of, detail = source.operations[i]
        below = [place[j] for j in of]
        if kind == "input":
            place[i] = arguments[int(detail)].place
        elif kind == "number":
            place[i] = program.number(float(detail))
        elif kind in ("add", "subtract", "multiply", "divide", "negate", "choose"):
            place[i] = getattr(program, kind)(*below)
        else:
            place[i] = program.put(kind, *below, detail=detail)
    return values(program, [place[i] for i in outputs])
