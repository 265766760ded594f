"""Dimensions of a flag by exact arithmetic modulo a prime."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.algebra.calculus import node_count, symbol, symbols
from nonholo.algebra.prime.dual_numbers import Duals, moved, times
from nonholo.algebra.prime.modular_arithmetic import Residues, rank
from nonholo.algebra.prime.random_points import Points, Unsupported
from nonholo.geometry.distributions.flag import Field
from nonholo.geometry.distributions.random_configurations import NoPoints, place_groups
from nonholo.geometry.frames.frame import Frame, structure_functions

LANES = 12
WORK = 1_500_000
"""A bracket of length ``k`` of fields with ``n`` nodes takes about ``6^k n`` operations; longer ones are not taken."""
STEPS = 6
Word = tuple[int, ...]
"""``(i, j, k)`` means ``[X_i, [X_j, X_k]]``."""


class _Brackets:
    """Iterated brackets of fields near random points; no bracket has an expression."""

    def __init__(self, frame: Frame, fields: Sequence[Field], points: Points) -> None:
        self.frame, self.fields, self.duals = frame, [tuple(f) for f in fields], Duals(points)
        self.table = structure_functions(frame)
        names = symbols(frame.coordinates)
        self.home: dict[Any, Residues] = {s: v[None, :] for s, v in zip(names, points.values(names))}
        anchor = [e for row in frame.anchor for e in row]
        self.nodes = node_count([*anchor, *self.table.values(), *(e for f in self.fields for e in f)])

    def value(self, word: Word, place: Mapping[Any, Residues]) -> list[Residues]:
        """``[X, Y]^m = X[Y^m] − Y[X^m] + c_ij^m (X^i Y^j − X^j Y^i)`` with ``X`` the first and ``Y`` the rest."""
        first, rest = word[:1], word[1:]
        own = self.duals.values(self.fields[first[0]], place)
        if not rest:
            return own
        p = self.duals.p
        other = self.value(rest, place)
        half = len(next(iter(place.values())))
        forth = self.value(rest, moved(place, self._step(own, place)))
        back = self.value(first, moved(place, self._step(other, place)))
        total = [(f[half:] - b[half:]) % p for f, b in zip(forth, back)]
        for (i, j, m), c in zip(self.table, self.duals.values(list(self.table.values()), place)):
            minor = times(own[i], other[j], p) - times(own[j], other[i], p)
            total[m] = (total[m] + times(c, minor % p, p)) % p
        return total

    def _step(self, field: Sequence[Residues], place: Mapping[Any, Residues]) -> dict[Any, Residues]:
        """The rates of the coordinates along a field."""
        p, width = self.duals.p, self.frame.size
        flat = self.duals.values([e for row in self.frame.anchor for e in row], place)
        rows = [flat[k * width : (k + 1) * width] for k in range(len(place))]
        return {s: np.asarray(sum(times(a, f, p) for a, f in zip(row, field)) % p) for s, row in zip(place, rows)}


def exact_dimensions(
    frame: Frame, fields: Sequence[Field], parameters: Sequence[str], most: int
) -> tuple[int, ...] | None:
    """The growth vector at a random configuration with random parameters, up to ``most``; None where it is undecided.

    >>> from nonholo.geometry.frames.frame import Euclidean
    >>> x, y, z = symbols("xyz")
    >>> exact_dimensions(Euclidean("x y z"), [(x**0, 0 * x, y), (0 * x, x**0, 0 * x)], (), 3)
    (2, 3)
    """
    if not frame.coordinates:
        return None
    points = Points(LANES, 23)
    if not fields:
        return (0,)
    for name in parameters:
        points.set(symbol(name), np.full(LANES, int(points.random()[0]), dtype=np.int64))
    try:
        place_groups(points, frame)
        brackets = _Brackets(frame, fields, points)
        last: list[Word] = [(k,) for k in range(len(fields))]
        rows = [brackets.value(word, brackets.home) for word in last]
        dimensions = [_rank(points, rows)]
        for _ in range(STEPS):
            if dimensions[-1] >= most:
                break
            new: list[Word] = []
            if brackets.nodes * 6 ** len(last[0]) > WORK:
                return None
            for own in range(len(fields)):
                for two in last:
                    if two == (own,) or dimensions[-1] + len(new) >= most:
                        continue
                    if len(two) == 1 and own > two[0]:
                        continue  # the other way round with the other sign
                    before = _rank(points, rows)
                    rows.append(brackets.value((own, *two), brackets.home))
                    if _rank(points, rows) > before:
                        new.append((own, *two))
                    else:
                        rows.pop()
            if not new:
                break
            dimensions.append(dimensions[-1] + len(new))
            last = new
    except (NoPoints, Unsupported):
        return None
    return None if points.opaque else tuple(dimensions)


def _rank(points: Points, rows: Sequence[Sequence[Residues]]) -> int:
    good = np.flatnonzero(points.good)
    if not len(good):
        raise Unsupported("no real roots at random places")
    whole = np.array([[e[0, good[0]] for e in row] for row in rows], dtype=np.int64)
    return rank(whole)

