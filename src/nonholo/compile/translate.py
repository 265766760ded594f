"""SymEngine expressions -> operations of a `Program`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import symengine as se

from nonholo.compile.program import Program
from nonholo.derive.equations import Expr

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

    The symbols must not be called ``x0, x1, …``, which are the names of shared subexpressions.
    """
    shared, reduced = se.cse(list(expressions))
    memo: dict[Expr, int] = {s: program.put("input", detail=i) for s, i in places.items()}
    for name, e in shared:
        memo[name] = _write(program, memo, e)
    return [_write(program, memo, e) for e in reduced]


def _write(program: Program, memo: dict[Expr, int], e: Any) -> int:
    if e not in memo:
        memo[e] = _rule(e)(program, memo, e)
    return memo[e]


def _rule(e: Any) -> Callable[[Program, dict[Expr, int], Any], int]:
    if getattr(e, "is_Add", False):
        return _sum
    if getattr(e, "is_Mul", False):
        return _product
    if getattr(e, "is_Pow", False):
        return _power
    if getattr(e, "is_Symbol", False):
        raise NoMachineCode(str(e))
    if isinstance(e, se.Number) or not e.args:
        return _constant
    return _function


def _constant(program: Program, memo: dict[Expr, int], e: Any) -> int:
    kind = type(e).__name__
    if kind in ("BooleanTrue", "BooleanFalse"):
        return program.number(float(kind == "BooleanTrue"))
    try:
        return program.number(float(e))
    except (TypeError, RuntimeError, ValueError):
        raise NoMachineCode(str(e)) from None


def _sum(program: Program, memo: dict[Expr, int], e: Any) -> int:
    plus: int | None = None
    minus: list[int] = []
    for term in e.args:
        value = _write(program, memo, term)
        operation = program.operations[value]
        if plus is None and operation.kind == "negate":
            minus.append(operation.of[0])
        elif plus is None:
            plus = value
        else:
            plus = program.add(plus, value)
    if plus is None:
        total = minus[0]
        for value in minus[1:]:
            total = program.add(total, value)
        return program.negate(total)
    for value in minus:
        plus = program.subtract(plus, value)
    return plus


def _product(program: Program, memo: dict[Expr, int], e: Any) -> int:
    above, below = program.number(1.0), program.number(1.0)
    for factor in e.args:
        if getattr(factor, "is_Pow", False) and factor not in memo:
            base, exponent = factor.args
            if isinstance(exponent, se.Integer) and int(exponent) < 0:
                below = program.multiply(below, program.power(_write(program, memo, base), -int(exponent)))
                continue
        above = program.multiply(above, _write(program, memo, factor))
    return program.divide(above, below)


def _power(program: Program, memo: dict[Expr, int], e: Any) -> int:
    base, exponent = e.args
    if base == se.E:
        return program.call("exp", _write(program, memo, exponent))
    if isinstance(exponent, se.Integer) and abs(int(exponent)) <= 64:
        return program.power(_write(program, memo, base), int(exponent))
    if isinstance(exponent, se.Rational) and abs(int(2 * exponent)) <= 32 and isinstance(2 * exponent, se.Integer):
        return program.half_power(_write(program, memo, base), int(2 * exponent))
    return program.call("pow", _write(program, memo, base), _write(program, memo, exponent))


def _function(program: Program, memo: dict[Expr, int], e: Any) -> int:
    kind = type(e).__name__
    name = kind.lower()
    if kind == "Piecewise":
        return _piecewise(program, memo, e)
    of = [_write(program, memo, a) for a in e.args]
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
        below = program.put("choose", program.put("compare", of[0], zero, detail="olt"), program.number(-1.0), of[0])
        return program.put("choose", program.put("compare", of[0], zero, detail="ogt"), one, below)
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


def _piecewise(program: Program, memo: dict[Expr, int], e: Any) -> int:
    branches = list(zip(e.args[::2], e.args[1::2]))
    if str(branches[-1][1]) != "True":
        raise NoMachineCode(str(e))
    result = _write(program, memo, branches[-1][0])
    zero = program.number(0.0)
    for value, condition in reversed(branches[:-1]):
        chosen = program.put("compare", _write(program, memo, condition), zero, detail="une")
        result = program.put("choose", chosen, _write(program, memo, value), result)
    return result
