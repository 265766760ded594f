"""The dimensions of a flag by exact arithmetic modulo a prime, for fields too ill-conditioned for numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from nonholo.algebra.calculus import larger_than, symbol
from nonholo.algebra.kinds import Expr
from nonholo.algebra.prime.field import rank
from nonholo.algebra.prime.points import Points, Unsupported
from nonholo.geometry.flag import Field, lie_bracket
from nonholo.geometry.frame import Frame, structure_functions
from nonholo.geometry.variety import NoPoints, place_groups

LANES = 12
NODES = 6000
"""A bracket with more nodes than this is not taken."""
STEPS = 6


def exact_dimensions(
    frame: Frame, fields: Sequence[Field], parameters: Sequence[str], most: int
) -> tuple[int, ...] | None:
    """The growth vector at a random configuration with random parameters, up to ``most``; None where it cannot be told.

    >>> from nonholo.geometry.frame import Euclidean
    >>> from nonholo.algebra.calculus import symbols
    >>> x, y, z = symbols("xyz")
    >>> exact_dimensions(Euclidean("x y z"), [(x**0, 0 * x, y), (0 * x, x**0, 0 * x)], (), 3)
    (2, 3)
    """
    points = Points(LANES, 23)
    for name in parameters:
        points.set(symbol(name), np.full(LANES, int(points.random()[0]), dtype=np.int64))
    table = structure_functions(frame)
    try:
        place_groups(points, frame)
        rows = [points.values(f) for f in fields]
        dimensions = [_rank(points, rows)]
        last: list[Field] = [tuple(f) for f in fields]
        for _ in range(STEPS):
            if dimensions[-1] >= most:
                break
            new: list[Field] = []
            for own in fields:
                for two in last:
                    if own is two or dimensions[-1] + len(new) >= most:
                        continue
                    lead: Sequence[Expr] = lie_bracket(frame, tuple(own), two, table)
                    if larger_than(lead, NODES):
                        return None
                    before = _rank(points, rows)
                    rows.append(points.values(lead))
                    if _rank(points, rows) > before:
                        new.append(tuple(lead))
                    else:
                        rows.pop()
            if not new:
                break
            dimensions.append(dimensions[-1] + len(new))
            last = new
    except (NoPoints, Unsupported):
        return None
    return None if points.opaque else tuple(dimensions)


def _rank(points: Points, rows: Sequence[Sequence[np.ndarray]]) -> int:
    good = np.flatnonzero(points.good)
    if not len(good):
        raise Unsupported("no real roots at random places")
    whole = np.array([[np.asarray(e)[good[0]] for e in row] for row in rows], dtype=np.int64)
    return rank(whole)
