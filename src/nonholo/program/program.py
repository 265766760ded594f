"""A straight-line program: numbered operations on doubles, each written once."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import NamedTuple


class Operation(NamedTuple):
    """``kind`` of ``of`` (numbers of earlier operations); ``detail`` is a number, a place or a name."""

    kind: str
    of: tuple[int, ...] = ()
    detail: float | int | str = 0


@dataclass
class Program:
    """Operations in order; the same operation on the same values is written only once.

    ``steady`` tells which values depend on nothing but the inputs from place ``fixed`` on, and before ``end``: the
    parameters, which keep their values during a motion.
    """

    fixed: int
    end: float = math.inf
    operations: list[Operation] = field(default_factory=list)
    steady: list[bool] = field(default_factory=list)
    known: dict[tuple[str, tuple[int, ...], float | int | str], int] = field(default_factory=dict)
    values: list[float | None] = field(default_factory=list)
    """The value of every constant, None for anything else."""

    def put(self, kind: str, *of: int, detail: float | int | str = 0) -> int:
        """The number of an operation, new or old."""
        found = self.known.get((kind, of, detail))  # an Operation is this tuple, which is sooner made
        if found is None:
            operation = Operation(kind, of, detail)
            found = self.known[operation] = len(self.operations)
            self.operations.append(operation)
            self.values.append(float(detail) if kind == "number" else None)
            steady = self.fixed <= int(detail) < self.end if kind == "input" else True
            for i in of:
                steady = steady and self.steady[i]
            self.steady.append(steady)
        return found

    def number(self, value: float) -> int:
        """A constant."""
        return self.put("number", detail=float(value))

    def value(self, i: int) -> float | None:
        """The value of a constant, None for anything else."""
        return self.values[i]

    def sure(self, i: int) -> float:
        """The value of a constant."""
        return float(self.operations[i].detail)

    def choose(self, test: int, yes: int, no: int) -> int:
        """One value when a comparison is true, another when it is not."""
        return yes if yes == no else self.put("choose", test, yes, no)

    def add(self, a: int, b: int) -> int:
        """a + b."""
        x, y = self.values[a], self.values[b]
        if x == 0.0:
            return b
        if y == 0.0:
            return a
        if x is not None and y is not None:
            return self.number(x + y)
        if self.operations[b].kind == "negate":
            return self.subtract(a, self.operations[b].of[0])
        if self.operations[a].kind == "negate":
            return self.subtract(b, self.operations[a].of[0])
        return self.put("add", a, b)

    def subtract(self, a: int, b: int) -> int:
        """a − b."""
        x, y = self.values[a], self.values[b]
        if y == 0.0:
            return a
        if x == 0.0:
            return self.negate(b)
        if x is not None and y is not None:
            return self.number(x - y)
        if self.operations[b].kind == "negate":
            return self.add(a, self.operations[b].of[0])
        return self.put("subtract", a, b)

    def negate(self, a: int) -> int:
        """−a."""
        x = self.values[a]
        if x is not None:
            return self.number(-x)
        if self.operations[a].kind == "negate":
            return self.operations[a].of[0]
        return self.put("negate", a)

    def multiply(self, a: int, b: int) -> int:
        """a · b."""
        x, y = self.values[a], self.values[b]
        if x is not None and y is not None:
            return self.number(x * y)
        if x is not None:
            a, b, x, y = b, a, y, x
        if y == 0.0:
            return self.number(0.0)
        if y == 1.0:
            return a
        if y == -1.0:
            return self.negate(a)
        if self.operations[a].kind == "negate":
            return self.negate(self.multiply(self.operations[a].of[0], b))
        if self.operations[b].kind == "negate":
            return self.negate(self.multiply(a, self.operations[b].of[0]))
        return self.put("multiply", a, b) if a <= b else self.put("multiply", b, a)

    def divide(self, a: int, b: int) -> int:
        """a / b; by a steady value, times its reciprocal, which is computed once and for all."""
        x, y = self.values[a], self.values[b]
        if y == 1.0:
            return a
        if x is not None and y is not None and y != 0.0:
            return self.number(x / y)
        if self.operations[a].kind == "negate":
            return self.negate(self.divide(self.operations[a].of[0], b))
        if x != 1.0 and (Operation("divide", (self.number(1.0), b)) in self.known or self.steady[b]):
            return self.multiply(a, self.put("divide", self.number(1.0), b))
        return self.put("divide", a, b)

    def power(self, base: int, exponent: int) -> int:
        """A whole power by squaring, a negative one by powers of the reciprocal, which others may share."""
        if exponent < 0:
            return self.power(self.divide(self.number(1.0), base), -exponent)
        if exponent == 0:
            return self.number(1.0)
        result, square = -1, base
        while exponent:
            if exponent & 1:
                result = square if result < 0 else self.multiply(result, square)
            exponent >>= 1
            if exponent:
                square = self.multiply(square, square)
        return result

    def half_power(self, base: int, twice: int) -> int:
        """``base ** (twice / 2)`` for an odd ``twice``, by one root (and one reciprocal of it)."""
        x = self.value(base)
        if x is not None and x > 0:
            return self.number(math.pow(x, twice / 2))
        root = self.put("sqrt", base)
        if twice > 0:
            return self.multiply(root, self.power(base, twice // 2))
        inverse = self.put("divide", self.number(1.0), root)
        return self.multiply(inverse, self.power(self.multiply(inverse, inverse), -twice // 2))

    def call(self, name: str, *of: int) -> int:
        """A function of the C library."""
        return self.put("call", *of, detail=name)
