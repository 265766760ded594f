"""Towers of dual numbers modulo a prime, for derivatives of fields of any order; nothing of nonholo is imported.

A number of level 0 is a residue, one of level k a pair ``a + b ε_k`` of numbers of level k - 1 with ``ε_k² = 0``. A residue
stands for itself at every level.
"""

from __future__ import annotations

from functools import reduce
from typing import Any

from tests.certificates.residues import Jets, inverse, need


def parts(a: Any) -> tuple[Any, Any]:
    return a if isinstance(a, tuple) else (a, 0)


def add(a: Any, b: Any, p: int) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return (a + b) % p
    (a, c), (b, d) = parts(a), parts(b)
    return add(a, b, p), add(c, d, p)


def times(a: Any, b: Any, p: int) -> Any:
    if isinstance(a, int) and isinstance(b, int):
        return a * b % p
    if a == 0 or b == 0:
        return 0
    (a, c), (b, d) = parts(a), parts(b)
    return times(a, b, p), add(times(a, d, p), times(c, b, p), p)


def less(a: Any, b: Any, p: int) -> Any:
    return add(a, times(p - 1, b, p), p)


def inverted(a: Any, p: int) -> Any:
    if isinstance(a, int):
        return inverse(a, p)
    below = inverted(a[0], p)
    return below, times(p - 1, times(times(below, below, p), a[1], p), p)


class Base:
    """Values at a state."""

    level = 0

    def __init__(self, state: dict[str, int], p: int) -> None:
        self.p, self.jets = p, Jets(state, {}, p)

    def of(self, e: Any) -> Any:
        return self.jets.of(e)[0]


class Tower:
    """Values at ``x + ε direction``, where ``below`` knows values at x."""

    def __init__(self, below: Any, direction: dict[str, Any]) -> None:
        self.below, self.direction, self.p, self.level = below, direction, below.p, below.level + 1
        self.known: dict[Any, Any] = {}

    def of(self, e: Any) -> Any:
        if e not in self.known:
            self.known[e] = self._of(e)
        return self.known[e]

    def _of(self, e: Any) -> Any:
        p = self.p
        moving = [s for s in e.free_symbols if self.direction.get(str(s), 0) != 0]
        if not moving:
            value = self.below.of(e)
            return value if isinstance(value, int) else (value, 0)
        if e.is_Symbol:
            return self.below.of(e), self.direction[str(e)]
        if e.is_Add:
            return reduce(lambda a, b: add(a, b, p), map(self.of, e.args))
        if e.is_Mul:
            return reduce(lambda a, b: times(a, b, p), map(self.of, e.args))
        if e.is_Pow and e.exp.is_Integer:
            base = self.of(e.base)
            return reduce(lambda a, b: times(a, b, p), [base if e.exp > 0 else inverted(base, p)] * abs(int(e.exp)))
        slopes = [times(self.below.of(e.diff(s)), self.direction[str(s)], p) for s in moving]
        return self.below.of(e), reduce(lambda a, b: add(a, b, p), slopes)


def solved(matrix: list[list[Any]], right: list[Any], back: list[list[int]], p: int) -> list[Any]:
    """``matrix⁻¹ right``, where ``back`` is the inverse at level 0."""
    if not any(isinstance(e, tuple) for row in matrix for e in row) and not any(isinstance(e, tuple) for e in right):
        return [reduce(lambda a, b: add(a, b, p), (times(c, e, p) for c, e in zip(row, right))) for row in back]
    still = [[parts(e)[0] for e in row] for row in matrix]
    first = solved(still, [parts(e)[0] for e in right], back, p)
    moved = []
    for row, e in zip(matrix, right):
        total = parts(e)[1]
        for m, x in zip(row, first):
            total = less(total, times(parts(m)[1], x, p), p)
        moved.append(total)
    return list(zip(first, solved(still, moved, back, p)))


def brackets(
    field: Any, state: dict[str, int], names: list[str], words: list[tuple[int, ...]], p: int
) -> list[list[int]]:
    """The values of ``[X_i, [X_j, … X_k]]`` for the words ``(i, j … k)``: ``field(k, place)`` has the entries by ``names``."""

    def value(word: tuple[int, ...], place: Any) -> list[Any]:
        if len(word) == 1:
            return list(field(word[0], place))
        one = value(word[:1], place)
        both = [parts(e) for e in value(word[1:], Tower(place, dict(zip(names, one))))]
        back = [parts(e)[1] for e in value(word[:1], Tower(place, dict(zip(names, (a for a, _ in both)))))]
        return [less(b, c, p) for (_, b), c in zip(both, back)]

    need(all(0 < len(word) <= 12 for word in words), "brackets of too many fields")
    return [value(word, Base(state, p)) for word in words]
