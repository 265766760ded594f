"""Write expressions as quotients of polynomials in their symbols, sines and roots."""

from __future__ import annotations

from typing import Any

import symengine as se

from nonholo.algebra.budget import TooLongError
from nonholo.algebra.expression_types import Expr, Poly
from nonholo.notation.shortening.collect import GROWN, Writer, lowered, with_square
from nonholo.notation.shortening.rotation_identities import shortest

Quotient = tuple[Poly, Poly]
"""Numerator and denominator, not always cancelled."""


def letters_of(expr: Expr) -> list[Expr]:
    """What the expression is a rational function of.

    >>> x, y = se.symbols("x y")
    >>> letters_of((x + se.sin(y))**2 / (1 + x))
    [sin(y), x]
    """
    found: dict[Expr, None] = {}
    stack, seen = [expr], set()
    while stack:
        part = stack.pop()
        if part in seen:
            continue
        seen.add(part)
        if isinstance(part, (se.Add, se.Mul)) or _integer_power(part):
            stack.extend(part.args)
        elif (root := _root(part)) is not None:
            found[root[0]] = None
            stack.extend(root[0].args[:1] if root[0].args[1] == se.Rational(1, 2) else ())
        elif not isinstance(part, (se.Integer, se.Rational)):
            found[part] = None
    return sorted(found, key=str)


def _integer_power(expr: Expr) -> bool:
    return isinstance(expr, se.Pow) and isinstance(expr.args[1], se.Integer)


def _root(expr: Expr) -> tuple[Expr, int] | None:
    """``b**(1/q)`` and p for a power ``b**(p/q)``; ``exp(x)`` and p for ``exp(p x)``."""
    if not isinstance(expr, se.Pow):
        return None
    base, exponent = expr.args
    if isinstance(exponent, se.Rational):
        return base ** (se.Integer(1) / exponent.q), int(exponent.p)
    if base == se.E and isinstance(exponent, se.Mul) and isinstance(exponent.args[0], se.Integer):
        number = int(exponent.args[0])
        return base ** (exponent / number), number
    return None


def quotient(expr: Expr, memory: dict[Expr, Quotient], ring: Any, writer: Writer) -> Quotient:
    """The expression from its letters, which are in the ``memory``; squares of sines are replaced on the way."""

    def reduced(polynomial: Poly) -> Poly:
        for sine, cosine in writer.pairs:
            polynomial = lowered(polynomial, sine, cosine)
        for place, inside in writer.roots:
            polynomial = with_square(polynomial, place, inside)
        if len(polynomial) > 30:
            polynomial = shortest(polynomial, writer.rotations, GROWN)
        if len(polynomial) > GROWN:
            raise TooLongError
        return polynomial

    def product(one: Quotient, two: Quotient) -> Quotient:
        (a, b), (c, d) = one, two
        if len(d) > 1:
            a, d = a.cancel(d)
        if len(b) > 1:
            c, b = c.cancel(b)
        if max(len(a) * len(c), len(b) * len(d)) > 20 * GROWN:
            raise TooLongError
        return reduced(a * c), reduced(b * d)

    def total(one: Quotient, two: Quotient) -> Quotient:
        (a, b), (c, d) = one, two
        if b == d:
            return a + c, b
        if max(len(a) * len(d), len(c) * len(b), len(b) * len(d)) > 20 * GROWN:
            raise TooLongError
        _, left, right = b.cofactors(d)
        return reduced(a * right + c * left), reduced(b * right)

    def value(part: Expr) -> Quotient:
        if part not in memory:
            memory[part] = compute(part)
        return memory[part]

    def compute(part: Expr) -> Quotient:
        if isinstance(part, (se.Integer, se.Rational)):
            above, below = (int(part.p), int(part.q)) if hasattr(part, "q") else (int(part), 1)
            return ring(above) / below, ring.one
        if isinstance(part, se.Pow):
            root = _root(part)
            base, power = (value(part.args[0]), int(part.args[1])) if root is None else (value(root[0]), root[1])
            if power < 0:
                base = base[1], base[0]
                if not base[1]:
                    raise ZeroDivisionError
            result = base
            for _ in range(abs(power) - 1):
                result = product(result, base)
            return result
        pieces = [value(piece) for piece in part.args]
        result = pieces[0]
        for piece in pieces[1:]:
            result = total(result, piece) if isinstance(part, se.Add) else product(result, piece)
        return result

    return value(expr)
