"""SymEngine expressions -> operations of a `Program`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from zlib import crc32

import symengine as se

from nonholo.program.expression_type import Expr
from nonholo.program.hash_consing import PLACE, READABLE, WORDS, address, is_deep
from nonholo.program.partials import may_vanish, times
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


LAST = 1 << 40
"""In a sum varying terms follow constant ones."""


FEW_SYMBOLS = 24
"""In graphs of so many symbols that are not deep, comparing equal copies does not take long."""
INTERNAL = 1 << 20
"""Symbols of computed values follow every input in the order of sums and products."""


class NoMachineCode(Exception):
    """An expression that has no real machine code."""


def translate(
    program: Program, places: Mapping[Expr, int], expressions: Sequence[Expr], values: Mapping[Expr, int] | None = None
) -> list[int]:
    """Write expressions of the symbols at ``places`` into the program; returns where their values are.

    Symbols in ``values`` are values that the program has computed already, so that nothing is substituted for them.

    Sums and products have no order of their own in SymEngine (it may differ from process to process, and with it the
    rounding). Here they get one that depends on their structure alone, so that the same equations give the same bits
    everywhere.
    """
    computed = {s: i for s, i in (values or {}).items() if s not in places}
    whole = [se.sympify(e) for e in expressions]
    order = Order({**places, **{s: INTERNAL + k for k, s in enumerate(computed)}}, is_deep(whole))
    wanted = [order.read(e) for e in whole]
    known = [*(program.put("input", detail=place) for place in places.values()), *computed.values()]
    writer = Writer(program, order, dict(enumerate(known)))
    return [writer.write(i) for i in wanted]


def in_order(expressions: Iterable[Expr]) -> list[Expr]:
    """Expressions in an order that is the same in every process: short ones by their text, then deep ones by their structure.

    The text of a deep expression, with shared parts repeated, may exceed the memory.

    >>> x, y = se.symbols("x y")
    >>> in_order({se.sin(y), se.cos(x), x})
    [cos(x), sin(y), x]
    """
    whole = list(expressions)
    if not is_deep(whole):
        return sorted(whole, key=str)
    order = Order({}, deep=True)

    def key(e: Expr) -> tuple[bool, str, int]:
        return (True, "", order.digest[order.read(e)]) if is_deep([e]) else (False, str(e), 0)

    return sorted(whole, key=key)


class Order:
    """All subexpressions by number: a digest that does not depend on names, parts, how many products and sums use them.

    A chain of N links has sums of some N² terms: every term is looked up once and then identified by a number.
    """

    def __init__(self, places: Mapping[Expr, int], deep: bool = False) -> None:
        self.expressions: list[Expr] = list(places)
        self.leaves: dict[Expr, int] = {s: i for i, s in enumerate(places)}
        self.digest: list[int] = [hash((1, i)) for i in places.values()]
        self.parts: list[tuple[int, ...]] = [()] * len(self.leaves)
        self.uses: list[int] = [0] * len(self.leaves)
        """In how many products."""
        self.terms: list[int] = [0] * len(self.leaves)
        """In how many sums."""
        self.kinds: dict[type, tuple[int, bool, bool]] = {}
        self.structures: dict[tuple[object, ...], int] = {}
        """Kind and parts -> number."""
        self.seen: dict[int, tuple[int, Expr]] = {}
        """Address -> number, and the wrapper, which must live as long as its address is known."""
        self.equal: dict[Expr, int] = dict(self.leaves)
        """The same by value: quicker where expressions are of few symbols, and where addresses are not to be had."""
        self.by_address = READABLE and (deep or len(self.leaves) > FEW_SYMBOLS)

    def read(self, e: Expr) -> int:
        """The number of an expression; its key has whole numbers, whose hash is the same in every process."""
        if self.by_address:
            place = address(e)
            known = self.seen.get(place)
            if known is not None:
                return known[0]
            found = self._new(e)
            self.seen[place] = found, e
            return found
        number = self.equal.get(e)
        if number is None:
            number = self.equal[e] = self._new(e)
        return number

    def _new(self, e: Expr) -> int:
        """The number of a new expression; equal ones have the same kind and parts."""
        given = e.args
        if not given:
            found = self.leaves.get(e)
            if found is None:
                found = self.leaves[e] = self._numbered(e, hash((2, crc32(str(e).encode()))), ())
            return found
        kind = type(e)
        if kind not in self.kinds:
            self.kinds[kind] = crc32(kind.__name__.encode()), e.is_Add or e.is_Mul, e.is_Mul
        word, loose, product = self.kinds[kind]
        if self.by_address:
            seen = [self.seen.get(WORDS[(id(part) + PLACE) >> 3]) for part in given]
            below = [self.read(part) if known is None else known[0] for known, part in zip(seen, given)]
        else:
            below = [self.read(part) if i is None else i for i, part in zip(map(self.equal.get, given), given)]
        name = str(e) if kind is se.FunctionSymbol else ""
        key = (kind, name, *(sorted(below) if loose else below))
        found = self.structures.get(key)
        if found is not None:
            return found
        if loose:
            below.sort(key=self.digest.__getitem__)
            uses = self.uses if product else self.terms
            for i in below:
                uses[i] += 1
        parts = tuple(below)
        found = self.structures[key] = self._numbered(e, hash((3, word, *map(self.digest.__getitem__, parts))), parts)
        return found

    def _numbered(self, e: Expr, digest: int, parts: tuple[int, ...]) -> int:
        self.expressions.append(e)
        self.digest.append(digest)
        self.parts.append(parts)
        self.uses.append(0)
        self.terms.append(0)
        return len(self.expressions) - 1


class Writer:
    """Writes numbered expressions into a program, each once."""

    def __init__(self, program: Program, order: Order, memo: dict[int, int]) -> None:
        self.program, self.order, self.memo = program, order, memo
        self.sums: dict[tuple[int, int], int] = {}
        self.products: dict[tuple[int, int], int] = {}

    def write(self, i: int) -> int:
        """Where the value of an expression is."""
        found = self.memo.get(i)
        if found is None:
            found = self.memo[i] = self._rule(self.order.expressions[i], i)
        return found

    def _rule(self, e: Any, i: int) -> int:
        if e.is_Add:
            return self._sum(i)
        if e.is_Mul:
            return self._product(i)
        if e.is_Pow:
            return self._power(i)
        if e.is_Symbol:
            raise NoMachineCode(str(e))
        if isinstance(e, se.Number) or not self.order.parts[i]:
            return self._constant(e)
        return self._function(e, i)

    def _constant(self, e: Any) -> int:
        kind = type(e).__name__
        if kind in ("BooleanTrue", "BooleanFalse"):
            return self.program.number(float(kind == "BooleanTrue"))
        try:
            return self.program.number(float(e))
        except (TypeError, RuntimeError, ValueError):
            raise NoMachineCode(str(e)) from None

    def _sum(self, i: int) -> int:
        """Steady terms together, they are computed once; then those that many sums share, so that equal beginnings are too."""
        program, uses, memo, known = self.program, self.order.terms, self.memo, self.sums
        parts = self.order.parts[i]
        values = [self.write(part) if value is None else value for part, value in zip(parts, map(memo.get, parts))]
        steady, operations = program.steady, program.operations
        standing = [
            (0 if steady[v] else LAST) - 2 * uses[part] + (operations[v].kind == "negate") for v, part in zip(values, parts)
        ]
        terms = [values[k] for k in sorted(range(len(values)), key=standing.__getitem__)]
        total = terms[0]
        for term in terms[1:]:
            found = known.get((total, term))
            if found is None:
                found = known[total, term] = program.add(total, term)
            total = found
        return total

    def _product(self, i: int) -> int:
        """Steady factors first, then those that many products share: equal beginnings are computed once.

        Pieces that may be zero come last: the zero of a piece stays, whatever the other factors do there (`times`).
        """
        program, order = self.program, self.order
        above: list[tuple[bool, int, int]] = []
        one = program.number(1.0)
        pieces: list[int] = []
        below, number = one, 1.0
        for factor in order.parts[i]:
            if order.uses[factor] == 1 and factor not in self.memo and order.expressions[factor].is_Pow:
                base, exponent = order.parts[factor]
                power = order.expressions[exponent]
                if isinstance(power, se.Integer) and int(power) < 0:
                    below = program.multiply(below, program.power(self.write(base), -int(power)))
                    continue
            value = self.write(factor)
            constant = program.value(value)
            if constant is not None:
                number *= constant
            elif may_vanish(program, value):
                pieces.append(value)
            else:
                above.append((not program.steady[value], -order.uses[factor], value))
        if number == 0.0:
            return program.number(0.0)
        above.sort()
        total, known = one, self.products
        for _, _, value in above:
            found = known.get((total, value))
            if found is None:
                found = known[total, value] = program.multiply(total, value)
            total = found
        if number != 1.0:
            total = program.multiply(total, program.number(number))
        if below != one:
            total = program.divide(total, below)
        for value in pieces:
            total = times(program, total, value)
        return total

    def _power(self, i: int) -> int:
        program = self.program
        under, over = self.order.parts[i]
        base, exponent = self.order.expressions[under], self.order.expressions[over]
        if base == se.E:
            return program.call("exp", self.write(over))
        if isinstance(exponent, se.Integer) and abs(int(exponent)) <= 64:
            return program.power(self.write(under), int(exponent))
        if isinstance(exponent, se.Rational) and abs(int(2 * exponent)) <= 32 and isinstance(2 * exponent, se.Integer):
            return program.half_power(self.write(under), int(2 * exponent))
        return program.call("pow", self.write(under), self.write(over))

    def _function(self, e: Any, i: int) -> int:
        program = self.program
        kind = type(e).__name__
        name = kind.lower()
        if kind == "Piecewise":
            return self._piecewise(e, i)
        of = [self.write(a) for a in self.order.parts[i]]
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

    def _piecewise(self, e: Any, i: int) -> int:
        program = self.program
        branches = list(zip(self.order.parts[i][::2], self.order.parts[i][1::2]))
        if str(self.order.expressions[branches[-1][1]]) != "True":
            raise NoMachineCode(str(e))
        result = self.write(branches[-1][0])
        zero = program.number(0.0)
        for value, condition in reversed(branches[:-1]):
            chosen = program.put("compare", self.write(condition), zero, detail="une")
            result = program.choose(chosen, self.write(value), result)
        return result
