"""Refuse numbers that are not finite, not real or too long, before computing with them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

import symengine as se

from nonholo.algebra.calculus import atoms
from nonholo.algebra.expression_types import Expr

DIGIT_LIMIT = 1000
"""An exact number in user text may have this many digits; a larger one is never meant."""
EXPONENT_LIMIT = 10_000
"""A number in an exponent may be this large."""
_BIT_LIMIT = int(DIGIT_LIMIT * math.log2(10)) + 1
_SUM_BIT_LIMIT = 300_000
TOO_SMALL = "a number too small to be told from 0 (below 1e-308); choose units in which it is larger"


class Refusal(ValueError):
    """An operation that has no finite real value, or a too large one; ``culprit`` is the argument to blame."""

    def __init__(self, message: str, culprit: int | None = None) -> None:
        super().__init__(message)
        self.culprit = culprit


def _number_bits(number: Expr) -> int:
    if isinstance(number, se.Integer):
        magnitude = abs(int(number))
        return 0 if magnitude <= 1 else magnitude.bit_length()
    if isinstance(number, se.Rational):
        top, bottom = number.get_num_den()
        return max(abs(int(top)).bit_length(), 1) + int(bottom).bit_length()
    return 0


def _magnitude(exponent: Expr) -> float:
    """How large the numbers of an exponent are: ``10**8 - y`` is as dangerous as ``10**8``."""
    if isinstance(exponent, se.Integer):
        return abs(int(exponent))
    if isinstance(exponent, se.Number):
        value = abs(complex(exponent))
        return value if math.isfinite(value) else math.inf
    if isinstance(exponent, (se.Add, se.Mul)):
        return max((_magnitude(a) for a in exponent.args if isinstance(a, (se.Number, se.Mul))), default=0.0)
    return 0.0


def _bits(expr: Expr) -> float:
    """A bound on the bits of the exact coefficient that ``expr`` brings into a product or a power."""
    if isinstance(expr, se.Number):
        return _number_bits(expr)
    if isinstance(expr, se.Mul):
        return sum(_bits(a) for a in expr.args if isinstance(a, (se.Number, se.Pow)))
    if isinstance(expr, se.Pow):
        base, exponent = expr.args
        inner = _bits(base)
        return inner * max(_magnitude(exponent), 1.0) if inner else 0.0
    return 0.0


def is_zero(value: Expr) -> bool:
    """Whether a number is 0 or 0.0 (SymEngine holds the two for different)."""
    return bool(value == 0) or (isinstance(value, se.RealDouble) and float(value) == 0.0)


def is_real(value: Expr) -> bool:
    """Whether an expression without symbols has a finite real value; exact rationals always have."""
    if isinstance(value, (se.Integer, se.Rational)):
        return True
    # SymEngine makes 1.41 + 0*I of (-1/2)**0.5, wrongly: a number with an imaginary part is refused even if that is 0.
    if isinstance(value, se.Number) and not isinstance(value, (se.RealDouble, se.RealMPFR)):
        return False
    try:
        return math.isfinite(_float(value))
    except (RuntimeError, TypeError, ValueError):  # a Refusal, as of atan2(0, 0), is a ValueError
        return False


def _float(constant: Expr) -> float:
    """The value of a constant, NaN if it is not real."""
    simple = _without_atan2(constant)
    try:
        return float(simple.n(53, real=True))
    except RuntimeError:  # real arithmetic does not know sign; complex arithmetic leaves rounding in the imaginary part
        value = complex(simple.n(53))
        return value.real if abs(value.imag) <= 1e-13 * abs(value) else math.nan


def _without_atan2(constant: Expr) -> Expr:
    """A constant with every ``atan2`` written by arctangents, which SymEngine can evaluate."""
    if isinstance(constant, se.Number):
        return constant
    for node in sorted(atoms([constant], se.atan2), key=lambda n: len(str(n))):  # inner ones first
        constant = constant.xreplace({node: angle(*node.args)})
    return constant


def is_constant(expr: Expr) -> bool:
    """Whether an expression has no symbols."""
    return isinstance(expr, se.Number) or not (isinstance(expr, se.Symbol) or expr.free_symbols)


def check_length(terms: Iterable[Expr]) -> None:
    """Refuse a sum of fractions whose common denominator would grow without end."""
    if sum(_bits(t) for t in terms) > _SUM_BIT_LIMIT:
        raise Refusal("the exact numbers of this sum are too long; write them as decimals")


def total(terms: Sequence[Expr]) -> Expr:
    """The sum of many terms at once (term by term costs the square of their number)."""
    if len(terms) == 2:
        return terms[0] + terms[1]
    check_length(terms)
    number = se.Integer(0)
    others = []
    for term in terms:
        if isinstance(term, se.Number):
            number = number + term
        else:
            others.append(term)
    value = se.Add(*others, number)
    # SymEngine's sum of many may keep a hidden 0.0, so that equal sums compare unequal; a second sum drops it.
    return se.Add(*value.args) if isinstance(value, se.Add) else value


def minus(value: Expr) -> Expr:
    """``-value``, where 0.0 stays 0.0: SymEngine holds -0.0 for equal, but writes it differently."""
    return value if isinstance(value, se.RealDouble) and float(value) == 0.0 else -value


def product(factors: Sequence[Expr], inverted: Sequence[bool]) -> Expr:
    """The product of ``factors``, those ``inverted`` divided by; no division by zero, no number without end."""
    for index, (factor, below) in enumerate(zip(factors, inverted, strict=True)):
        if below and is_zero(factor):
            raise Refusal("division by zero", index)
    if sum(_bits(f) for f in factors) > _BIT_LIMIT:
        raise Refusal(f"an exact number of more than {DIGIT_LIMIT} digits; write it as a decimal such as 1e12")
    if len(factors) == 2:
        value = factors[0] / factors[1] if inverted[1] else factors[0] * factors[1]
    else:
        value = se.Mul(*(se.Pow(f, -1) if below else f for f, below in zip(factors, inverted, strict=True)))
    if is_zero(value) and not any(is_zero(f) for f in factors):
        raise Refusal(TOO_SMALL)
    return finite(value)


def power(base: Expr, exponent: Expr) -> Expr:
    """``base ** exponent``, unless that is a number with more than 1000 digits, infinite or not real.

    >>> power(se.Integer(2), se.Integer(10))
    1024
    """
    size = _magnitude(exponent)
    if size > EXPONENT_LIMIT or _bits(base) * size > _BIT_LIMIT:
        raise Refusal(
            f"a power too large to compute exactly (at most {DIGIT_LIMIT} digits, exponents up to {EXPONENT_LIMIT}); "
            "write the number as a decimal such as 1e12",
            1,
        )
    if is_zero(base) and not is_zero(exponent) and is_constant(exponent) and is_real(exponent):
        if _float(exponent) < 0.0:
            raise Refusal("division by zero (a negative power of 0)", 0)
        return base
    if isinstance(exponent, se.RealDouble) and isinstance(base, se.Number) and float(exponent).is_integer():
        value = se.Pow(base, int(float(exponent))) * se.RealDouble(1.0)  # complex noise for a negative base otherwise
    else:
        value = se.Pow(base, exponent)
        if isinstance(value, se.Mul):
            # (7/y)**(1/2) leaves sqrt(7)*sqrt(y**-1) where sqrt(y**-1) alone is y**(-1/2): settle each factor.
            value = se.Mul(*(se.Pow(*a.args) if isinstance(a, se.Pow) else a for a in value.args))
    if is_constant(base) and is_constant(exponent) and not is_real(value):
        raise Refusal("a power that is not a finite real number")
    if is_zero(value) and not is_zero(base):
        raise Refusal(TOO_SMALL)
    if isinstance(value, se.Pow) and _magnitude(value.args[1]) > EXPONENT_LIMIT:
        raise Refusal(f"powers of powers with an exponent beyond {EXPONENT_LIMIT}", 1)
    return value


def finite(value: Expr) -> Expr:
    """The value, unless it is an infinity or not a number; -0.0 becomes 0.0."""
    if isinstance(value, se.RealDouble) and float(value) == 0.0:
        return se.RealDouble(0.0)
    if isinstance(value, se.Number) and not isinstance(value, (se.Integer, se.Rational)) and not is_real(value):
        raise Refusal("a number that is infinite, undefined or not real")
    return value


def sign(x: Expr) -> Expr:
    """-1, 0 or 1; of a constant at once (SymEngine leaves ``sign(pi)`` in some places and not in others)."""
    if is_constant(x) and is_real(x):
        value = _float(x)
        if abs(value) > 1e-9:
            return se.Integer(1) if value > 0.0 else se.Integer(-1)
    if isinstance(x, se.Mul) and isinstance(x.args[0], se.Number):
        coefficient, rest = x.args[0], se.Mul(*x.args[1:])
        return -sign(rest) if coefficient.is_negative else sign(rest)
    if _endless(x):
        return se.Piecewise((se.Integer(-1), se.Lt(x, 0)), (se.Integer(1), se.Lt(0, x)), (se.Integer(0), True))
    return se.sign(x)


def _endless(x: Expr) -> bool:
    """Whether SymEngine (0.15) would look for the sign of ``x`` for ever, as of ``(-z)**y``."""
    while isinstance(x, se.Pow):
        x = x.args[0]
        if isinstance(x, se.Mul) and isinstance(x.args[0], se.Number) and x.args[0].is_negative:
            return True
    return False


def angle(y: Expr, x: Expr) -> Expr:
    """``atan2(y, x)``; where ``y/x`` is a constant by pieces, since SymEngine asks for a sign then.

    >>> angle(se.Integer(1), se.Integer(-1))
    (3/4)*pi
    """
    if is_zero(y) or is_zero(x):
        if not (is_constant(y) and is_constant(x)):
            return se.atan2(y, x)
    elif not is_constant(y / x):
        return se.atan2(y, x)
    if not (is_constant(y) and is_constant(x) and is_real(y) and is_real(x)):
        return se.atan(y / x) + se.Piecewise((se.Integer(0), se.Lt(0, x)), (se.pi, se.Le(0, y)), (-se.pi, True))
    above, beside = _float(y), _float(x)
    if above == beside == 0.0:
        raise Refusal("atan2(0, 0) has no value")
    if beside == 0.0:
        return se.pi / 2 if above > 0.0 else -se.pi / 2
    turn = se.Integer(0) if beside > 0.0 else se.pi if above >= 0.0 else -se.pi
    return se.atan(y / x) + turn
