"""Derivatives along directions modulo a prime: expressions of values with nilpotent parts, ``ε_i² = 0``.

A value is an array of ``2^k`` residues for each lane: entry ``S`` belongs to the product of the ``ε_i`` with ``i`` in the bits of
``S``. What is evaluated at ``x + ε u`` has the derivative along ``u`` in its upper half, whatever ``x`` holds already, so
that derivatives of derivatives need no expressions of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import symengine as se

from nonholo.algebra.calculus import from_below
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.prime.modular_arithmetic import Residues, inverse
from nonholo.algebra.prime.random_points import Points, Unsupported


def times(a: Residues, b: Residues, p: int) -> Residues:
    """The product of two values.

    >>> times(np.array([[2], [1]]), np.array([[3], [5]]), 101).tolist()
    [[6], [13]]
    """
    if len(a) == 1:
        return np.asarray(a * b % p)
    left, right, ends = _subsets(len(a))
    return np.asarray(np.add.reduceat(a[left] * b[right] % p, ends, axis=0) % p)


@cache
def _subsets(size: int) -> tuple[Residues, Residues, Residues]:
    """All pairs of disjoint sets, sorted by their union: the two sets, and where each union begins."""
    pairs = [(part, whole ^ part) for whole in range(size) for part in range(size) if part & whole == part]
    counts = [1 << whole.bit_count() for whole in range(size)]
    left, right = np.array(pairs, dtype=np.int64).T
    return left, right, np.concatenate([[0], np.cumsum(counts)[:-1]])


def reciprocal(a: Residues, p: int) -> Residues:
    """``1/a``, where the first entry has one."""
    if len(a) == 1:
        return inverse(a, p)
    half = len(a) // 2
    low = reciprocal(a[:half], p)
    return np.concatenate([low, -times(times(low, low, p), a[half:], p) % p])


def moved(place: Mapping[Any, Residues], step: Mapping[Any, Residues]) -> dict[Any, Residues]:
    """``x + ε u`` with one more ``ε``."""
    return {s: np.concatenate([v, step[s]]) for s, v in place.items()}


class Duals:
    """Expressions at places near random points, whose own values the points know."""

    def __init__(self, points: Points) -> None:
        self.points, self.p = points, points.p
        self._slopes: dict[tuple[Expr, int], Expr] = {}

    def constant(self, expr: Expr, size: int) -> Residues:
        """What is the same wherever one moves."""
        result = np.zeros((size, self.points.count), dtype=np.int64)
        result[0] = self.points.value(expr)
        return result

    def values(self, exprs: Sequence[Expr], place: Mapping[Any, Residues]) -> list[Residues]:
        """The expressions, where coordinates have the values of ``place``.

        >>> x = se.Symbol("x")
        >>> points = Points(1, seed=1)
        >>> place = {x: np.array([points.value(x), [1]])}
        >>> (square,) = Duals(points).values([x**2], place)
        >>> bool(square[1] == 2 * points.value(x) % points.p)
        True
        """
        size = len(next(iter(place.values()))) if place else 1
        known: dict[Any, Residues] = dict(place)
        whole = [se.sympify(e) for e in exprs]

        def computed(node: Expr, parts: Sequence[Expr]) -> Residues:
            return self._computed(node, known, size) if parts else self.constant(node, size)

        from_below(whole, known, computed, lambda node: self._parts(node) if node.args else ())
        return [known[e] for e in whole]

    def _parts(self, node: Expr) -> tuple[Expr, ...]:
        if isinstance(node, (se.Add, se.Mul)):
            return tuple(node.args)
        if isinstance(node, se.Pow):
            return (node.args[1],) if node.args[0] == se.E else (node.args[0],)
        if len(node.args) == 1:
            return tuple(node.args)
        raise Unsupported(f"{node} has no derivative here")

    def _computed(self, node: Expr, known: Mapping[Any, Residues], size: int) -> Residues:
        p = self.p
        if isinstance(node, se.Add):
            return np.asarray(sum(known[a] for a in node.args) % p)
        if isinstance(node, se.Mul):
            total = known[node.args[0]]
            for a in node.args[1:]:
                total = times(total, known[a], p)
            return total
        (inner,) = self._parts(node)
        if isinstance(node, se.Pow) and node.args[1].is_Integer:
            return self._whole(known[inner], int(node.args[1]))
        if isinstance(node, se.Pow) and node.args[0] != se.E and any(s in known for s in node.args[1].free_symbols):
            raise Unsupported(f"{node} has no derivative here")
        return self._function(lambda order: self._slope(node, inner, order), known[inner], 0)

    def _whole(self, base: Residues, exponent: int) -> Residues:
        base = reciprocal(base, self.p) if exponent < 0 else base
        total = base
        for _ in range(abs(exponent) - 1):
            total = times(total, base, self.p)
        return total

    def _slope(self, node: Expr, inner: Expr, order: int) -> Expr:
        """A derivative of the outer function of a node by its argument, at the argument."""
        if (node, order) not in self._slopes:
            bare = se.Dummy()
            outer = se.E**bare if isinstance(node, se.Pow) and node.args[0] == se.E else None
            if outer is None:
                outer = bare ** node.args[1] if isinstance(node, se.Pow) else node.func(bare)
            for _ in range(order):
                outer = outer.diff(bare)
            self._slopes[node, order] = outer.xreplace({bare: inner})
        return self._slopes[node, order]

    def _function(self, slope: Callable[[int], Expr], value: Residues, order: int) -> Residues:
        """``f(a + ε b) = f(a) + ε f'(a) b``, all the way down."""
        if len(value) == 1:
            return np.asarray(self.points.value(slope(order)))[None, :]
        half = len(value) // 2
        low = self._function(slope, value[:half], order)
        upper = times(self._function(slope, value[:half], order + 1), value[half:], self.p)
        return np.concatenate([low, upper])
