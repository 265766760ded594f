"""The slope of every operation of a `Program`, written into the same program.

At a kink a slope is one-sided, and which side is a rule, never a mean: a Piecewise has the slope of the branch it takes
there; ``Abs`` at 0 that from the right, 1; ``Max`` and ``Min`` of equal arguments that of the argument which is not a
constant, or else of the first in the program; ``sign``, ``floor``, ``ceiling``, the unit step and conditions have slope 0.
Where a root, a power below 1 or ``atan2`` has no finite slope, at 0, it counts as 0: drag such as ``v sqrt(v² + w²)`` then has
the slope it has, 0 at rest. (Whether a slope is finite is asked where it matters: `nonholo.analyse.linear.linear_variables`.)
"""

from __future__ import annotations

import math
from collections.abc import Callable

from nonholo.program.program import Operation, Program

Slope = Callable[[Program, int, int], int]
"""(program, place of f(a), place of a) -> place of f'(a)."""


class NoDerivative(Exception):
    """A function that has no slope here."""


def partials(program: Program, i: int) -> list[tuple[int, int]]:
    """``(operand, ∂ value / ∂ operand)`` for each operand of operation ``i`` through which it varies."""
    p = program
    kind, of, detail = p.operations[i]
    if kind in ("number", "input", "compare"):
        return []
    one = p.number(1.0)
    if kind in ("add", "subtract"):
        first, second = of
        other = one if kind == "add" else p.number(-1.0)
        return [(first, p.number(1.0 + p.sure(other)))] if first == second else [(first, one), (second, other)]
    if kind == "negate":
        return [(of[0], p.number(-1.0))]
    if kind == "multiply":
        a, b = of
        return [(a, p.multiply(p.number(2.0), a))] if a == b else [(a, b), (b, a)]
    if kind == "divide":
        a, b = of
        inverse = p.divide(one, b)
        return [(a, inverse), (b, p.negate(p.multiply(i, inverse)))]
    if kind == "choose":
        return _chosen(p, *of)
    if kind == "call" and len(of) == 2:
        return _of_two(p, i, str(detail), *of)
    rule = SLOPES.get(str(detail) if kind == "call" else kind)
    if rule is None:
        raise NoDerivative(str(detail) if kind == "call" else kind)
    return [(of[0], rule(p, i, of[0]))]


def times(program: Program, a: int, b: int) -> int:
    """a · b, where a branch that is not taken stays zero: 0 · ∞ there is 0, not "not a number"."""
    p = program
    for x, y in ((a, b), (b, a)):
        kind, of, _ = p.operations[x]
        if kind == "choose":
            test, yes, no = of
            if p.value(no) == 0.0:
                return p.choose(test, times(p, yes, y), no)
            if p.value(yes) == 0.0:
                return p.choose(test, yes, times(p, no, y))
    return p.multiply(a, b)


def may_vanish(program: Program, i: int) -> bool:
    """Whether a value is the number zero in one of its branches."""
    kind, of, _ = program.operations[i]
    return kind == "choose" and 0.0 in (program.value(of[1]), program.value(of[2]))


def plus(program: Program, a: int, b: int) -> int:
    """a + b; two that vanish unless the same branch is taken are added in that branch."""
    p = program
    one, other = p.operations[a], p.operations[b]
    if one.kind == other.kind == "choose" and one.of[0] == other.of[0]:
        test, yes, no = one.of
        if p.value(no) == 0.0 == p.value(other.of[2]):
            return p.choose(test, plus(p, yes, other.of[1]), no)
        if p.value(yes) == 0.0 == p.value(other.of[1]):
            return p.choose(test, yes, plus(p, no, other.of[2]))
    return p.add(a, b)


def _chosen(p: Program, test: int, yes: int, no: int) -> list[tuple[int, int]]:
    one, zero = p.number(1.0), p.number(0.0)
    return [(yes, one)] if yes == no else [(yes, p.choose(test, one, zero)), (no, p.choose(test, zero, one))]


def _of_two(p: Program, i: int, name: str, a: int, b: int) -> list[tuple[int, int]]:
    one, zero = p.number(1.0), p.number(0.0)
    if name in ("fmax", "fmin"):
        # at a tie the constant loses, else the first wins
        strict = p.value(a) is not None
        detail = {("fmax", True): "ogt", ("fmax", False): "oge", ("fmin", True): "olt", ("fmin", False): "ole"}
        test = p.put("compare", a, b, detail=detail[name, strict])
        return [(a, p.choose(test, one, zero)), (b, p.choose(test, zero, one))]
    if name == "atan2":
        square = p.add(p.multiply(a, a), p.multiply(b, b))
        inverse = p.choose(p.put("compare", square, zero, detail="ogt"), p.divide(one, square), zero)
        return [(a, times(p, b, inverse)), (b, p.negate(times(p, a, inverse)))]
    if name == "pow":
        by_base = p.multiply(b, p.call("pow", a, p.subtract(b, one)))
        nothing = p.put("compare", a, zero, detail="oeq")  # 0^b stays 0 when b > 0 varies
        if p.value(b) is not None:
            return [(a, p.choose(nothing, zero, by_base) if p.sure(b) < 1.0 else by_base)]
        by_base = p.choose(nothing, p.choose(p.put("compare", b, one, detail="olt"), zero, by_base), by_base)
        return [(a, by_base), (b, p.choose(nothing, zero, p.multiply(i, p.call("log", a))))]
    raise NoDerivative(name)


def _reciprocal(p: Program, a: int) -> int:
    return p.divide(p.number(1.0), a)


def _one_minus_square(p: Program, a: int) -> int:
    one = p.number(1.0)
    return p.multiply(p.subtract(one, a), p.add(one, a))


def _bell(p: Program, a: int, sign: float) -> int:
    """±2/√π exp(−a²)."""
    return p.multiply(p.number(sign * 2 / math.sqrt(math.pi)), p.call("exp", p.negate(p.multiply(a, a))))


def _right_of_zero(p: Program, i: int, a: int) -> int:
    return p.choose(p.put("compare", a, p.number(0.0), detail="oge"), p.number(1.0), p.number(-1.0))


BERNOULLI = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
"""B_2k / 2k for k = 1, 2, …"""
SHIFTS = 10


def digamma(p: Program, a: int) -> int:
    """``ψ(a) = Γ'(a)/Γ(a)``: reflected to the right half, shifted by ten, then Stirling's series. [DLMF 5.5.2, 5.5.4, 5.11.2]

    Right to some units in the last place; in operations of the program, so that it has derivatives itself.
    """
    one, zero = p.number(1.0), p.number(0.0)
    left = p.put("compare", a, p.number(0.5), detail="olt")
    y = p.choose(left, p.subtract(one, a), a)
    total = zero
    for k in range(SHIFTS):
        total = p.add(total, _reciprocal(p, p.add(y, p.number(float(k)))))
    far = p.add(y, p.number(float(SHIFTS)))
    inverse = _reciprocal(p, far)
    square = p.multiply(inverse, inverse)
    series = zero
    for b in reversed(BERNOULLI):
        series = p.add(p.number(b), p.multiply(series, square))
    tail = p.add(p.multiply(p.number(0.5), inverse), p.multiply(series, square))
    right = p.subtract(p.subtract(p.call("log", far), tail), total)
    turn = p.multiply(p.number(math.pi), a)
    mirrored = p.subtract(right, p.multiply(p.number(math.pi), p.divide(p.put("cos", turn), p.put("sin", turn))))
    return p.choose(left, mirrored, right)


def _above_zero(p: Program, value: int, slope: int) -> int:
    return p.choose(p.put("compare", value, p.number(0.0), detail="oeq"), p.number(0.0), slope)


def _flat(p: Program, i: int, a: int) -> int:
    return p.number(0.0)


SLOPES: dict[str, Slope] = {
    "sin": lambda p, i, a: p.put("cos", a),
    "cos": lambda p, i, a: p.negate(p.put("sin", a)),
    "sqrt": lambda p, i, a: _above_zero(p, i, p.multiply(p.number(0.5), _reciprocal(p, i))),
    "exp": lambda p, i, a: i,
    "log": lambda p, i, a: _reciprocal(p, a),
    "tan": lambda p, i, a: p.add(p.number(1.0), p.multiply(i, i)),
    "asin": lambda p, i, a: _reciprocal(p, p.put("sqrt", _one_minus_square(p, a))),
    "acos": lambda p, i, a: p.negate(_reciprocal(p, p.put("sqrt", _one_minus_square(p, a)))),
    "atan": lambda p, i, a: _reciprocal(p, p.add(p.number(1.0), p.multiply(a, a))),
    "sinh": lambda p, i, a: p.call("cosh", a),
    "cosh": lambda p, i, a: p.call("sinh", a),
    "tanh": lambda p, i, a: _one_minus_square(p, i),
    "asinh": lambda p, i, a: _reciprocal(p, p.put("sqrt", p.add(p.number(1.0), p.multiply(a, a)))),
    "acosh": lambda p, i, a: _reciprocal(
        p, p.multiply(p.put("sqrt", p.subtract(a, p.number(1.0))), p.put("sqrt", p.add(a, p.number(1.0))))
    ),
    "atanh": lambda p, i, a: _reciprocal(p, _one_minus_square(p, a)),
    "erf": lambda p, i, a: _bell(p, a, 1.0),
    "erfc": lambda p, i, a: _bell(p, a, -1.0),
    "tgamma": lambda p, i, a: p.multiply(i, digamma(p, a)),
    "lgamma": lambda p, i, a: digamma(p, a),
    "fabs": _right_of_zero,
    "floor": _flat,
    "ceil": _flat,
    "trunc": _flat,
}
"""Functions of one argument."""

__all__ = ["SLOPES", "NoDerivative", "Operation", "digamma", "may_vanish", "partials", "plus", "times"]
