"""Expressions at many random points of a prime field: an identity that holds there holds everywhere."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import atoms, expand, from_below
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import (
    P,
    Radicand,
    Residues,
    decimal_number,
    dependent,
    dependent_numbers,
    draws,
    exact_number,
    exact_root,
    halves_in,
    inverse,
    power,
    residue,
    root,
    split_power,
)
from nonholo.program.hash_consing import shared

HYPERBOLIC = (se.sinh, se.cosh, se.tanh, se.coth, se.sech, se.csch)
SHARES = 12
"""Angles occur in sines as multiples of a twelfth, or of another fraction."""
ENOUGH = 24
"""So many points tell a square from what is none."""
LARGEST = 10_000
"""Larger multiples are no powers of the unit, but numbers of their own."""
RADIAN = se.Symbol("_radian_")
"""The unit of numbers in sines and exponentials: a constant, the same at all points."""
DIGITS = 15
"""Two numbers of so many digits that a double cannot tell apart are equal; what has more digits was rounded."""


class Unsupported(Exception):
    """An expression with branches: it has no meaning modulo a prime."""


class Points:
    """Random points: a value for every symbol, consistent sines and cosines, roots, and opaque functions.

    A symbol without a value is random. ``sin`` and ``cos`` of sums of symbols come from a random point of the circle for
    each symbol; a square root is one where there is one, and the points without it are marked bad. Any other function
    is a random number for each different argument: two such numbers may depend on each other in truth, so that a zero
    that is found is a zero, while one that needs the dependence is missed.

    >>> x = se.Symbol("x")
    >>> points = Points(5, seed=1)
    >>> points.value(se.sin(x)**2 + se.cos(x)**2 - 1).tolist()
    [0, 0, 0, 0, 0]
    >>> points.value(se.cosh(x)**2 - se.sinh(x)**2 - 1 + se.tanh(x) - se.sinh(x)/se.cosh(x)).tolist()
    [0, 0, 0, 0, 0]
    """

    def __init__(self, count: int, seed: int, p: int = P) -> None:
        self.count, self.p = count, p
        self._draw = draws(seed, count, p)
        self._known: dict[Any, Residues] = {}
        self._circles: dict[Any, tuple[Residues, Residues]] = {}
        self._units: dict[Any, set[int]] = {}
        self._same: set[Any] = {RADIAN}
        self._resting: set[Any] = set()
        self._radicands: dict[Any, Radicand] = {}
        self._numbers: set[Fraction] = set()
        self._exact: dict[Any, Any] = {}
        self._tied: set[Any] = set()
        self.good: NDArray[np.bool_] = np.ones(count, dtype=bool)
        self._opaque = self.by_norm = False

    @property
    def opaque(self) -> bool:
        """Whether what is not zero here may be zero in truth: unknown functions, roots of squares, products of decimals."""
        return self._opaque or self._related_roots()

    @opaque.setter
    def opaque(self, unknown: bool) -> None:
        self._opaque = unknown

    def _related_roots(self) -> bool:
        """Whether a product of radicands is a square times a number: ``√(a²)`` is ``a`` or ``−a``, and which is not known here.

        Where points are few or all alike, others are drawn, unless relations hold between the symbols.
        """
        if dependent_numbers(self._numbers):
            return True
        for still in (False, True):
            group = {r: one for r, one in self._radicands.items() if one.constant == still}
            if not dependent(group.values()):
                continue
            if any(r.free_symbols & self._tied for r in group) or not (still or self.count < ENOUGH):
                return True
            other = Points(4 * ENOUGH, 977, self.p)
            other.values([r**se.Rational(1, 2) for r in group])
            if dependent(other._radicands.values()):
                return True
        return False

    def random(self) -> Residues:
        """A new random array."""
        return np.asarray(self._draw())

    def set(self, symbol: Any, values: Residues) -> None:
        """The value of a symbol from now on."""
        symbol = se.sympify(symbol)
        self._known[symbol] = values % self.p
        self._exact.pop(symbol, None)
        if np.any(values != values[0]):
            self._tied.add(symbol)

    def fix(self, symbol: Any, value: Fraction) -> None:
        """A symbol at a rational number from now on: the signs of roots of squares are known there."""
        self.set(symbol, np.full(self.count, residue(value, self.p), dtype=np.int64))
        self._exact[se.sympify(symbol)] = se.Rational(value.numerator, value.denominator)

    def copy_with(self, values: Mapping[Any, Residues], circles: Mapping[Any, Any] | None = None) -> Points:
        """The same points with some symbols (or their cosines and sines) at other values; what follows is forgotten."""
        other = Points.__new__(Points)
        other.count, other.p, other._draw = self.count, self.p, self._draw
        moved = {se.sympify(k) for k in (*values, *(circles or ()))}
        kept = {k: v for k, v in self._known.items() if not k.args or (_opaque(k) and not k.free_symbols & moved)}
        other._known = kept | {se.sympify(k): v % self.p for k, v in values.items()}
        other._circles = {**self._circles, **{(k, "whole"): v for k, v in (circles or {}).items()}}
        other._units = {k: set(v) for k, v in self._units.items()}
        other._same, other._resting = set(self._same), self._resting - moved
        other.good = self.good.copy()
        other._opaque, other._radicands = self._opaque, dict(self._radicands)
        other._numbers, other._tied = set(self._numbers), self._tied | moved
        other._exact = {k: v for k, v in self._exact.items() if k not in moved}
        return other

    def circle(self, symbol: Any) -> tuple[Residues, Residues]:
        """``(cos, sin)`` of a twelfth of a symbol, or of its unit: a random point ``((1 − u²), 2u)/(1 + u²)``."""
        if symbol not in self._circles:
            u = self._drawn(symbol)
            below = inverse((1 + u * u) % self.p, self.p)
            self._circles[symbol] = ((1 - u * u) % self.p * below % self.p, 2 * u % self.p * below % self.p)
        return self._circles[symbol]

    def _drawn(self, unit: Any) -> Residues:
        """Random numbers for a unit, the same one at all points where its symbol is shared."""
        u, base = self.random(), unit[0] if isinstance(unit, tuple) else unit
        return np.full_like(u, u[0]) if base in self._same else u

    def set_circle(self, symbol: Any, cosine: Residues, sine: Residues) -> None:
        """The cosine and sine of a symbol that occurs whole (its parts are not used)."""
        self._circles[(symbol, "whole")] = (cosine % self.p, sine % self.p)

    def share(self, symbol: Any) -> None:
        """The same sines, cosines and exponentials of a symbol at all points."""
        symbol = se.sympify(symbol)
        self._same.add(symbol)
        c, s = self.circle(symbol)
        self._circles[symbol] = (np.full_like(c, c[0]), np.full_like(s, s[0]))
        unit = np.full_like(c, self.random()[0])
        self._circles[("growth", symbol)] = (unit, inverse(unit, self.p))

    def rest(self, symbol: Any, at: int = 0) -> None:
        """A symbol at a whole number from now on; at 0 with its sines, cosines and exponentials."""
        symbol = se.sympify(symbol)
        self.fix(symbol, Fraction(at))
        if at == 0:
            one, none = np.ones(self.count, dtype=np.int64), np.zeros(self.count, dtype=np.int64)
            self._circles[symbol] = (one, none)
            self._circles[("growth", symbol)] = (one, one)
            self._resting.add(symbol)

    def multiple(self, symbol: Any, value: Fraction, times: int, unit: Any) -> None:
        """A symbol at a rational number that is ``times`` a ``unit``: sines, cosines and exponentials are powers of the unit's.

        Those of one rational unit are algebraically independent [Lindemann–Weierstrass], so that random numbers represent them.
        """
        symbol, p = se.sympify(symbol), self.p
        self.fix(symbol, value)
        self._circles[symbol] = self._turned(self.circle(unit), times)
        for kind in ("circle", "growth"):
            self._units.setdefault((kind, symbol), set()).add(SHARES)
        if ("growth", unit) not in self._circles:
            base = self.random()
            self._circles[("growth", unit)] = (base, inverse(base, p))
        grow, fall = self._circles[("growth", unit)][:: 1 if times >= 0 else -1]
        self._circles[("growth", symbol)] = (power(grow, abs(times), p), power(fall, abs(times), p))

    def need(self, count: int) -> None:
        """`Unsupported` where fewer points are good: what holds at none of them would hold of anything."""
        if int(np.sum(self.good)) < count:
            raise Unsupported("too few points with real roots")

    def value(self, expr: Any) -> Residues:
        """The expression at every point."""
        return self.values([expr])[0]

    def values(self, exprs: Sequence[Any]) -> list[Residues]:
        """Several expressions, each node of their shared graph computed once."""
        whole = shared(se.sympify(e) for e in exprs)
        from_below(whole, self._known, self._computed, self._parts)
        return [self._known[e] for e in whole]

    def known(self, parts: Sequence[Any]) -> list[Residues]:
        """The values of the parts of an expression that was computed before."""
        return [self._known[e] if e in self._known else self.value(e) for e in parts]

    def _parts(self, node: Any) -> Sequence[Any]:
        if isinstance(node, (se.Add, se.Mul)):
            return tuple(node.args)
        if isinstance(node, se.Pow):
            if halves_in(node.args[1]) is not None:
                return (node.args[0],)
            halves, rest = split_power(node.args[1])
            return (node.args[0], node.args[0] ** rest) if halves and node.args[0] != se.E else ()
        return ()

    def _computed(self, node: Any, parts: Sequence[Any]) -> Residues:
        p = self.p
        if isinstance(node, se.Add):
            total = np.zeros(self.count, dtype=np.int64)
            for a in parts:  # residues of 31 bits: their sum needs no reduction before the end
                total += self._known[a]
            return total % p
        if isinstance(node, se.Mul):
            total = self._known[parts[0]]
            for a in parts[1:]:
                total = total * self._known[a] % p
            return total
        if isinstance(node, se.Pow) and halves_in(node.args[1]) is not None:
            return self._power(node.args[0], int(halves_in(node.args[1]) or 0))
        if isinstance(node, se.Pow) and node.args[0] == se.E:
            return self._exponential(node.args[1])
        if isinstance(node, se.Pow) and split_power(node.args[1])[0]:
            halves, rest = split_power(node.args[1])
            return self._power(node.args[0], halves) * self._known[node.args[0] ** rest] % p
        if isinstance(node, (se.sin, se.cos, se.tan)):
            c, s = self._angle(node.args[0])
            if isinstance(node, se.tan):
                self.good &= c != 0
                return s * inverse(c, p) % p
            return s if isinstance(node, se.sin) else c
        if isinstance(node, HYPERBOLIC):
            return self._hyperbolic(node)
        if isinstance(node, se.Piecewise) or atoms([node], se.Piecewise):
            raise Unsupported("a function by pieces")
        number = decimal_number(node)
        if number is not None:
            self._opaque |= isinstance(node, se.RealDouble) and rounded(float(node))
            return np.full(self.count, residue(number, p), dtype=np.int64)
        self._opaque |= bool(node.args) or node == se.E
        return self.random()

    def _exponential(self, exponent: Any) -> Residues:
        """``exp`` of a sum of multiples of symbols: powers of a random number for each, which represents a twelfth."""
        total = np.ones(self.count, dtype=np.int64)
        for factor, base in _terms(exponent):
            key, times = self._shared("growth", base, factor)
            if ("growth", key) not in self._circles:
                unit = self._drawn(key)
                self._circles[("growth", key)] = (unit, inverse(unit, self.p))
            unit = self._circles[("growth", key)][0 if times > 0 else 1]
            total = total * power(unit, abs(times), self.p) % self.p
        return total

    def _shared(self, kind: str, base: Any, factor: Fraction) -> tuple[Any, int]:
        """The unit of which ``factor * base`` is a whole multiple, and which: a twelfth of ``base``, or another fraction of it.

        Units of one symbol depend on each other in truth; where two are in use, nothing is known of that here.
        """
        if base in self._resting:
            return base, 1
        self._opaque |= any(_opaque(f) for f in atoms([base], se.Function))  # exp(log x) is x
        used = self._units.setdefault((kind, base), set())
        fitting = [part for part in sorted(used) if part % factor.denominator == 0]
        part = fitting[0] if fitting else math.lcm(SHARES, factor.denominator)
        used.add(part)
        self._opaque |= len(used) > 1 or abs(factor) > LARGEST
        if abs(factor) > LARGEST:
            return (base, factor), 1
        return (base if part == SHARES else (base, part)), int(part * factor)

    def _turned(self, unit: tuple[Residues, Residues], times: int) -> tuple[Residues, Residues]:
        """``(cos, sin)`` of a whole multiple of an angle."""
        (c, s), p = unit, self.p
        real, imaginary = np.ones_like(c), np.zeros_like(c)
        turn, left = (c, s if times >= 0 else -s % p), abs(times)
        while left:
            if left & 1:
                real, imaginary = (real * turn[0] - imaginary * turn[1]) % p, (imaginary * turn[0] + real * turn[1]) % p
            turn, left = ((turn[0] * turn[0] - turn[1] * turn[1]) % p, 2 * turn[0] * turn[1] % p), left >> 1
        return real, imaginary

    def _hyperbolic(self, node: Any) -> Residues:
        """By exponentials: ``cosh² − sinh² = 1`` holds."""
        p = self.p
        grow, fall = self._exponential(node.args[0]), self._exponential(-node.args[0])
        cosh, sinh = (grow + fall) % p, (grow - fall) % p  # twice each
        one = np.full(self.count, 2, dtype=np.int64)
        above, below = {
            se.cosh: (cosh, one), se.sinh: (sinh, one), se.tanh: (sinh, cosh), se.coth: (cosh, sinh), se.sech: (one, cosh),
            se.csch: (one, sinh),
        }[type(node)]  # fmt: skip
        self.good &= below != 0
        return np.asarray(above * inverse(below, p) % p)

    def _power(self, radicand: Any, halves: int) -> Residues:
        p, base = self.p, self._known[radicand]
        if halves % 2:
            number = self._rational(radicand)
            whole = None if number is None else exact_root(number)
            if number is not None and whole is not None:
                base = np.full(self.count, residue(whole, p), dtype=np.int64)
            else:
                base = self._root(radicand, number)
        else:
            halves //= 2
        if halves < 0:
            self.good &= base != 0
            base = inverse(base, p)
        return power(base, abs(halves), p)

    def _rational(self, expr: Any) -> Fraction | None:
        """The rational number that an expression is where its symbols are at rational numbers."""
        if not expr.free_symbols <= self._exact.keys():
            return None
        return exact_number(expr.xreplace(self._exact))

    def _root(self, radicand: Any, number: Fraction | None) -> Residues:
        """One of two roots; points without one are bad."""
        nested = any(halves_in(e.args[1]) is None or (halves_in(e.args[1]) or 0) % 2 for e in atoms([radicand], se.Pow))
        before = self.good.copy() if nested else np.ones(self.count, dtype=bool)
        values = self._known[radicand]
        found, able = root(values, self.p)
        if number is not None:
            self._numbers.add(number)
        elif radicand.free_symbols:
            self._radicands[radicand] = Radicand(values, able, before)
        self.good &= able
        return found

    def _angle(self, angle: Any) -> tuple[Residues, Residues]:
        """``(cos, sin)`` of a sum of multiples of symbols, by the addition theorems."""
        c, s = np.ones(self.count, dtype=np.int64), np.zeros(self.count, dtype=np.int64)
        for part in _terms(angle):
            more = self._multiple(*part)
            c, s = (c * more[0] - s * more[1]) % self.p, (s * more[0] + c * more[1]) % self.p
        return c, s

    def _multiple(self, factor: Fraction, base: Any) -> tuple[Residues, Residues]:
        self._opaque |= base == se.pi and base not in self._circles  # what is known of its fractions is not known here
        whole = self._circles.get((base, "whole"))
        if whole is not None and factor.denominator == 1:
            return self._turned(whole, factor.numerator)
        key, times = self._shared("circle", base, factor)
        return self._turned(self.circle(key), times)


def _opaque(node: Any) -> bool:
    return not isinstance(node, (se.Add, se.Mul, se.Pow, se.sin, se.cos, se.tan, *HYPERBOLIC))


def _terms(angle: Any) -> list[tuple[Fraction, Any]]:
    """A sum as multiples of what is no number."""
    result: list[tuple[Fraction, Any]] = []
    whole = expand(angle)
    for term in whole.args if isinstance(whole, se.Add) else (whole,):
        factor, rest = Fraction(1), term
        if isinstance(term, se.Mul):
            number = decimal_number(term.args[0])
            if number is not None:
                factor, rest = number, se.Mul(*term.args[1:])
        elif decimal_number(term) is not None:
            factor, rest = decimal_number(term) or Fraction(0), RADIAN
        if factor:
            result.append((factor, rest))
    return result


def rounded(value: float) -> bool:
    """Whether a double is no decimal of few digits: then arithmetic rounded it, and relations of exact numbers are lost.

    >>> rounded(0.35), rounded(0.35 * 0.35)
    (False, True)
    """
    return math.isfinite(value) and float(f"{value:.{DIGITS}g}") != value


def vanishes(exprs: Sequence[Expr], points: Points) -> bool:
    """Whether all expressions are zero at every good point; with none of these nothing is known, and it is not."""
    values = points.values(exprs)
    return bool(np.any(points.good)) and all(not np.any(v[points.good]) for v in values)
