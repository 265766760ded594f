"""SymEngine expressions -> operations of a `Program`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any
from zlib import crc32

import symengine as se

from nonholo.program.kinds import Expr
from nonholo.program.program import Program

CALLS = {
    "tan": "tan", "asin": "asin", "acos": "acos", "atan": "atan", "atan2": "atan2", "sinh": "sinh", "cosh": "cosh",
    "tanh": "tanh", "asinh": "asinh", "acosh": "acosh", "atanh": "atanh", "log": "log", "gamma": "tgamma",
    "loggamma": "lgamma", "erf": "erf", "erfc": "erfc", "floor": "floor", "ceiling": "ceil", "truncate": "trunc",
    "abs": "fabs",
}  # fmt: skip
"""SymEngine's name -> the C library's."""

RECIPROCALS = {
    "sec": "cos", "csc": "sin", "cot": "tan", "sech": "cosh", "csch": "sinh", "coth": "tanh",
}  # fmt: skip
INVERSES = {
    "asec": "acos", "acsc": "asin", "acot": "atan", "asech": "acosh", "acsch": "asinh", "acoth": "atanh",
}  # fmt: skip
"""asec(x) = acos(1/x), and so on."""

COMPARISONS = {"Equality": "oeq", "Unequality": "une", "LessThan": "ole", "StrictLessThan": "olt"}


class NoMachineCode(Exception):
    """An expression that has no real machine code."""


def translate(program: Program, places: Mapping[Expr, int], expressions: Sequence[Expr]) -> list[int]:
    """Write expressions of the symbols at ``places`` into the program; returns where their values are.

    Sums and products have no order of their own in SymEngine (it may differ from process to process, and with it the
    rounding). Here they get one that depends on their structure alone, so that the same equations give the same bits
    everywhere.
    """
    order = Order(places)
    exprs = [se.sympify(e) for e in expressions]
    for e in exprs:
        order.read(e)
    memo: dict[Expr, int] = {s: program.put("input", detail=i) for s, i in places.items()}
    writer = Writer(program, memo, order)
    return [writer.write(e) for e in exprs]


class Order:
    """A digest of every subexpression that does not depend on names, and how many products use it as a factor, sums as a term."""

    def __init__(self, places: Mapping[Expr, int]) -> None:
        self.digest: dict[Expr, int] = {s: hash((1, i)) for s, i in places.items()}
        self.parts: dict[Expr, tuple[Expr, ...]] = dict.fromkeys(places, ())
        self.uses: dict[Expr, int] = {}
        self.terms: dict[Expr, int] = {}
        self.kinds: dict[type, tuple[int, bool, bool]] = {}

    def read(self, e: Expr) -> int:
        """The digest of an expression; whole numbers only, whose hash is the same in every process."""
        known = self.digest.get(e)
        if known is not None:
            return known
        parts = e.args
        if not parts:
            found = hash((2, crc32(str(e).encode())))
        else:
            kind = type(e)
            if kind not in self.kinds:
                self.kinds[kind] = crc32(kind.__name__.encode()), e.is_Add or e.is_Mul, e.is_Mul
            word, loose, product = self.kinds[kind]
            below = [self.read(part) for part in parts]
            if loose:
                pairs = sorted(zip(below, parts), key=_first)
                below, parts = [one for one, _ in pairs], tuple([part for _, part in pairs])
            if loose:
                uses = self.uses if product else self.terms
                for part in parts:
                    uses[part] = uses.get(part, 0) + 1
            found = hash((3, word, *below))
        self.parts[e] = parts
        self.digest[e] = found
        return found


def _first(pair: tuple[int, Expr]) -> int:
    return pair[0]


def _standing(term: tuple[bool, int, bool, int]) -> tuple[bool, int, bool]:
    return term[:3]


class Writer:
    """Writes expressions into a program, each subexpression once."""

    def __init__(self, program: Program, memo: dict[Expr, int], order: Order) -> None:
        self.program, self.memo, self.order = program, memo, order

    def write(self, e: Any) -> int:
        """Where the value of an expression is."""
        found = self.memo.get(e)
        if found is None:
            found = self.memo[e] = self._rule(e)(e)
        return found

    def _rule(self, e: Any) -> Callable[[Any], int]:
        if e.is_Add:
            return self._sum
        if e.is_Mul:
            return self._product
        if e.is_Pow:
            return self._power
        if e.is_Symbol:
            raise NoMachineCode(str(e))
        if isinstance(e, se.Number) or not self.order.parts[e]:
            return self._constant
        return self._function

    def _constant(self, e: Any) -> int:
        kind = type(e).__name__
        if kind in ("BooleanTrue", "BooleanFalse"):
            return self.program.number(float(kind == "BooleanTrue"))
        try:
            return self.program.number(float(e))
        except (TypeError, RuntimeError, ValueError):
            raise NoMachineCode(str(e)) from None

    def _sum(self, e: Any) -> int:
        """Steady terms together, they are computed once; then those that many sums share, so that equal beginnings are too."""
        program, uses = self.program, self.order.terms
        terms: list[tuple[bool, int, bool, int]] = []
        for part in self.order.parts[e]:
            value = self.write(part)
            terms.append((not program.steady[value], -uses[part], program.operations[value].kind == "negate", value))
        terms.sort(key=_standing)
        total = terms[0][-1]
        for *_, term in terms[1:]:
            total = program.add(total, term)
        return total

    def _product(self, e: Any) -> int:
        """Steady factors first, then those that many products share: equal beginnings are computed once."""
        program, uses = self.program, self.order.uses
        above: list[tuple[bool, int, int]] = []
        below, number = program.number(1.0), 1.0
        for factor in self.order.parts[e]:
            if factor.is_Pow and uses[factor] == 1 and factor not in self.memo:
                base, exponent = self.order.parts[factor]
                if isinstance(exponent, se.Integer) and int(exponent) < 0:
                    below = program.multiply(below, program.power(self.write(base), -int(exponent)))
                    continue
            value = self.write(factor)
            constant = program.value(value)
            if constant is not None:
                number *= constant
            else:
                above.append((not program.steady[value], -uses[factor], value))
        above.sort()
        total = program.number(1.0)
        for _, _, value in above:
            total = program.multiply(total, value)
        return program.divide(program.multiply(total, program.number(number)), below)

    def _power(self, e: Any) -> int:
        program = self.program
        base, exponent = self.order.parts[e]
        if base == se.E:
            return program.call("exp", self.write(exponent))
        if isinstance(exponent, se.Integer) and abs(int(exponent)) <= 64:
            return program.power(self.write(base), int(exponent))
        if isinstance(exponent, se.Rational) and abs(int(2 * exponent)) <= 32 and isinstance(2 * exponent, se.Integer):
            return program.half_power(self.write(base), int(2 * exponent))
        return program.call("pow", self.write(base), self.write(exponent))

    def _function(self, e: Any) -> int:
        program = self.program
        kind = type(e).__name__
        name = kind.lower()
        if kind == "Piecewise":
            return self._piecewise(e)
        of = [self.write(a) for a in self.order.parts[e]]
        one = program.number(1.0)
        if name in ("sin", "cos"):
            return program.put(name, *of)
        if name in CALLS:
            return program.call(CALLS[name], *of)
        if name in RECIPROCALS:
            inner = RECIPROCALS[name]
            below = program.put(inner, *of) if inner in ("sin", "cos") else program.call(inner, *of)
            return program.divide(one, below)
        if name in INVERSES:
            return program.call(INVERSES[name], program.divide(one, of[0]))
        if name in ("max", "min"):
            result = of[0]
            for other in of[1:]:
                result = program.call("fmax" if name == "max" else "fmin", result, other)
            return result
        if name == "sign":
            zero = program.number(0.0)
            same = program.choose(program.put("compare", of[0], zero, detail="oeq"), zero, of[0])  # not a number stays so
            below = program.choose(program.put("compare", of[0], zero, detail="olt"), program.number(-1.0), same)
            return program.choose(program.put("compare", of[0], zero, detail="ogt"), one, below)
        if kind in COMPARISONS:
            return program.put("choose", program.put("compare", *of, detail=COMPARISONS[kind]), one, program.number(0.0))
        if kind == "Not":
            return program.subtract(one, of[0])
        if kind in ("And", "Or"):
            result = of[0]
            for other in of[1:]:
                result = program.call("fmin" if kind == "And" else "fmax", result, other)
            return result
        raise NoMachineCode(str(e))

    def _piecewise(self, e: Any) -> int:
        program = self.program
        branches = list(zip(self.order.parts[e][::2], self.order.parts[e][1::2]))
        if str(branches[-1][1]) != "True":
            raise NoMachineCode(str(e))
        result = self.write(branches[-1][0])
        zero = program.number(0.0)
        for value, condition in reversed(branches[:-1]):
            chosen = program.put("compare", self.write(condition), zero, detail="une")
            result = program.put("choose", chosen, self.write(value), result)
        return result
