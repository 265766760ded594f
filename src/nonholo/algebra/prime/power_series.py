"""Truncated power series in several variables, modulo a prime or in floating numbers, and expressions as such series."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, reduce
from itertools import combinations_with_replacement
from typing import Any, Protocol

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr, Symbol
from nonholo.algebra.prime.modular_arithmetic import P
from nonholo.algebra.prime.random_points import Points, Unsupported

Coefficients = NDArray[Any]
"""Residues, or floating numbers where there is no prime."""
NEAR = 1e-12
"""The imaginary part of a number that is real up to rounding, relative."""
SINGULAR = 1e12
"""A larger number is a division by zero."""


class Series:
    """The ring of series in ``variables`` variables up to a degree; an element is an array whose last axis are the coefficients.

    ``p = 0`` stands for floating numbers. Monomials are sorted by degree: an element of a lower degree is the beginning of one
    of a higher degree.

    >>> ring = series_ring(2, 2)
    >>> x, y = ring.variable(0, 1), ring.variable(1, 0)
    >>> ring.product(x, y).tolist()          # (1 + x) y
    [0, 0, 1, 0, 1, 0]
    """

    def __init__(self, variables: int, degree: int, p: int = P) -> None:
        self.variables, self.degree, self.p = variables, degree, p
        self.monomials: list[tuple[int, ...]] = []
        self.counts: list[int] = []
        """How many monomials there are up to each degree."""
        for d in range(degree + 1):
            for some in combinations_with_replacement(range(variables), d):
                self.monomials.append(tuple(some.count(k) for k in range(variables)))
            self.counts.append(len(self.monomials))
        self._place = {m: k for k, m in enumerate(self.monomials)}

    @cached_property
    def _pairs(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], list[int]]:
        """Pairs of terms by the term they make, where each term's pairs begin, and how many pairs there are up to each degree."""
        exponents = np.array(self.monomials, dtype=np.int64).reshape(len(self.monomials), self.variables)
        sizes = exponents.sum(axis=1)
        code = _code(exponents, self.degree)
        order = np.argsort(code, kind="stable")
        left, right, made = [], [], []
        for k, size in enumerate(sizes):
            few = self.counts[self.degree - int(size)]
            left.append(np.full(few, k, dtype=np.int64))
            right.append(np.arange(few, dtype=np.int64))
            made.append(order[np.searchsorted(code[order], code[k] + code[:few])])
        a, b, c = (np.concatenate(part) for part in (left, right, made))
        rank = np.argsort(c, kind="stable")
        a, b, c = a[rank], b[rank], c[rank]
        starts = np.searchsorted(c, np.arange(len(self.monomials)))
        ends = [int(np.searchsorted(c, count)) for count in self.counts]
        return a, b, starts, ends

    def constant(self, value: Any) -> Coefficients:
        """A number as a series."""
        found = np.zeros(len(self.monomials), dtype=np.int64 if self.p else np.float64)
        found[0] = self.reduced(value)
        return found

    def reduced(self, values: Any) -> Any:
        """Modulo the prime, where there is one."""
        return values % self.p if self.p else values

    def inverse(self, value: Any) -> Any:
        """``1/value``."""
        if not self.p and not value:
            raise ZeroDivisionError("1/0")
        return pow(int(value), -1, self.p) if self.p else 1.0 / value

    def variable(self, k: int, value: Any) -> Coefficients:
        """``value + x_k``."""
        found = self.constant(value)
        if self.degree:
            found[1 + k] = 1
        return found

    def product(self, a: Coefficients, b: Coefficients, degree: int | None = None) -> Coefficients:
        """The product up to a degree (the ring's own unless given); leading axes are broadcast."""
        d = self.degree if degree is None else degree
        left, right, starts, ends = self._pairs
        end, count = ends[d], self.counts[d]
        terms = self.reduced(a[..., left[:end]] * b[..., right[:end]])
        return np.asarray(self.reduced(np.add.reduceat(terms, starts[:count], axis=-1)))

    def reciprocal(self, a: Coefficients) -> Coefficients:
        """``1/a``, where its first coefficient is not zero, by Newton's iteration."""
        found = self.constant(self.inverse(a[0]))
        two, reached = self.constant(2), 0
        while reached < self.degree:
            reached = 2 * reached + 1
            found = self.product(found, self.reduced(two - self.product(a, found)))
        return found

    def compose(self, taylor: Sequence[Any], a: Coefficients) -> Coefficients:
        """``Σ_k taylor_k (a − a_0)^k``, with as many coefficients as the degree wants."""
        inner = a.copy()
        inner[0] = 0
        total = self.constant(taylor[-1])
        for c in reversed(taylor[:-1]):
            total = self.product(total, inner)
            total[0] = self.reduced(total[0] + c)
        return total

    @cached_property
    def _shifts(self) -> list[tuple[NDArray[np.int64], NDArray[np.int64]]]:
        """For each variable the place of ``x_k`` times each monomial, and the factor that its derivative brings."""
        found = []
        for k in range(self.variables):
            below = self.monomials[: self.counts[self.degree - 1]] if self.degree else []
            raised = [self._place[tuple(e + (j == k) for j, e in enumerate(m))] for m in below]
            found.append((np.array(raised, dtype=np.int64), np.array([m[k] + 1 for m in below], dtype=np.int64)))
        return found

    def derivative(self, a: Coefficients, k: int, degree: int) -> Coefficients:
        """``∂a/∂x_k`` up to a degree below that of ``a``."""
        places, factors = self._shifts[k]
        count = self.counts[degree]
        return np.asarray(self.reduced(a[..., places[:count]] * factors[:count]))


def _code(exponents: NDArray[np.int64], degree: int) -> NDArray[np.object_]:
    """A whole number for each monomial; that of a product is the sum."""
    weights = np.array([(degree + 1) ** k for k in range(exponents.shape[1])], dtype=object)
    found: NDArray[np.object_] = exponents.astype(object) @ weights if len(weights) else np.zeros(len(exponents), dtype=object)
    return found


@lru_cache(maxsize=16)
def series_ring(variables: int, degree: int, p: int = P) -> Series:
    """The ring, made once."""
    return Series(variables, degree, p)


def pair_count(variables: int, degree: int) -> int:
    """How many pairs of terms a product has: ``C(2n + d, d)``.

    >>> pair_count(3, 4), len(series_ring(3, 4)._pairs[0])
    (210, 210)
    """
    return math.comb(2 * variables + degree, degree)


class Place(Protocol):
    """Where expressions have numbers."""

    @property
    def p(self) -> int: ...
    @property
    def opaque(self) -> bool: ...
    @property
    def shifts(self) -> Mapping[Symbol, Expr]: ...
    def prepare(self, exprs: Sequence[Expr]) -> None: ...
    def value(self, expr: Expr) -> Any: ...


@dataclass(frozen=True, eq=False)
class ExactPlace:
    """A state modulo a prime."""

    points: Points
    shifts: Mapping[Symbol, Expr] = field(default_factory=dict)
    """Variables at multiples of π, written as that multiple plus a variable at zero."""

    @property
    def p(self) -> int:
        return self.points.p

    @property
    def opaque(self) -> bool:
        """Whether random numbers stand for functions of which nothing is known here."""
        return self.points.opaque

    def prepare(self, exprs: Sequence[Expr]) -> None:
        """Evaluate the expressions on all lanes, so that all lanes without real roots are known."""
        self.points.values(exprs)
        if any(isinstance(key, tuple) and key[0] == se.pi for key in self.points._circles):
            raise Unsupported("a fraction of π")

    def value(self, expr: Expr) -> int:
        """An expression at the first lane where all roots exist."""
        found = self.points.value(expr)
        lane = int(np.argmax(self.points.good))
        if not self.points.good[lane]:
            raise Unsupported("no real roots there")
        return int(found[lane])


@dataclass(frozen=True, eq=False)
class NumericPlace:
    """A state in floating numbers."""

    numbers: Mapping[Symbol, float]
    shifts: Mapping[Symbol, Expr] = field(default_factory=dict)
    p: int = 0
    opaque: bool = True

    def prepare(self, exprs: Sequence[Expr]) -> None:
        """Nothing to prepare: numbers have no lanes."""

    def value(self, expr: Expr) -> float:
        found = complex(se.sympify(expr).xreplace(self.numbers).n(53, real=False))
        if not abs(found) < SINGULAR or abs(found.imag) > NEAR * max(1.0, abs(found)):
            raise Unsupported("an expression without a finite real value")
        return found.real


class Expansion:
    """Expressions as power series in some variables about a place.

    >>> x = se.Symbol("x")
    >>> ring = series_ring(1, 3, 0)
    >>> Expansion(ring, NumericPlace({x: 0.0}), [x]).series([se.exp(2 * x)])[0].tolist()
    [1.0, 2.0, 2.0, 1.3333333333333333]
    """

    def __init__(self, ring: Series, place: Place, variables: Sequence[Symbol]) -> None:
        self.ring, self.place, self.variables = ring, place, variables
        self._slopes: dict[Any, list[Any]] = {}
        self._known: dict[Any, Coefficients] = {}

    def series(self, exprs: Sequence[Expr]) -> list[Coefficients]:
        """The expressions as series; shared parts are expanded once."""
        self.place.prepare(exprs)
        known = self._known = {s: self.ring.variable(k, self.place.value(s)) for k, s in enumerate(self.variables)}
        stack = list(exprs)[::-1]
        while stack:
            node = stack[-1]
            if node in known:
                stack.pop()
                continue
            if not node.args:
                known[node] = self.ring.constant(self.place.value(node))
                continue
            parts = _parts(node)
            waiting = [a for a in parts if a not in known]
            if waiting:
                stack += waiting
                continue
            known[node] = self._computed(node, parts)
            stack.pop()
        return [known[e] for e in exprs]

    def _computed(self, node: Any, parts: Sequence[Any]) -> Coefficients:
        known, ring = self._known, self.ring
        if isinstance(node, se.Add):
            return np.asarray(ring.reduced(sum(known[a] for a in parts)))
        if isinstance(node, se.Mul):
            return reduce(self._times, (known[a] for a in parts))
        inner = known[parts[0]]
        if not np.any(inner[1:]):
            return ring.constant(self.place.value(node))
        if isinstance(node, se.Pow) and node.args[1].is_Integer:
            exponent = int(node.args[1])
            base = ring.reciprocal(inner) if exponent < 0 else inner
            return reduce(ring.product, [base] * abs(exponent))
        return ring.compose(self._taylor(node, parts[0]), inner)

    def _times(self, a: Coefficients, b: Coefficients) -> Coefficients:
        """A product, in which constants are common."""
        if not np.any(a[1:]):
            return np.asarray(self.ring.reduced(a[0] * b))
        return np.asarray(self.ring.reduced(b[0] * a)) if not np.any(b[1:]) else self.ring.product(a, b)

    def _taylor(self, node: Any, inner: Any) -> list[Any]:
        """The Taylor coefficients of the outer function of a node at its argument."""
        if node not in self._slopes:
            bare = se.Dummy()
            if isinstance(node, se.Pow):
                outer = se.E**bare if node.args[0] == se.E else bare ** node.args[1]
            else:
                outer = node.func(bare)
            found: list[Any] = []
            ring = self.ring
            for k in range(ring.degree + 1):
                value = self.place.value(outer.xreplace({bare: inner}))
                found.append(ring.reduced(value * ring.inverse(math.factorial(k))))
                outer = outer.diff(bare)
            self._slopes[node] = found
        return self._slopes[node]


def _parts(node: Any) -> tuple[Any, ...]:
    if isinstance(node, (se.Add, se.Mul)):
        return tuple(node.args)
    if isinstance(node, se.Pow):
        if node.args[0] == se.E:
            return (node.args[1],)
        if node.args[1].free_symbols:
            raise Unsupported("a power with a variable exponent")
        return (node.args[0],)
    if len(node.args) == 1 and not isinstance(node, se.Abs):
        return tuple(node.args)
    raise Unsupported(f"the function {type(node).__name__}")
