"""Truncated power series in several variables, modulo a prime or in floating numbers."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.prime.modular_arithmetic import P

Coefficients = NDArray[Any]
"""Coefficients, or floating numbers where there is no prime."""


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
    from math import comb

    return comb(2 * variables + degree, degree)
