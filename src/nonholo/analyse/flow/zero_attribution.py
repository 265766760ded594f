"""Attribute zero eigenvalues, trivial multipliers and zero exponents to flow, symmetry, families and integrals.

The flow's own direction, generators of the symmetry and tangents of a family are transported by the flow, and ``dF(δ)`` is
constant for every integral F. So ``rank(directions) + rank dF − rank dF(directions)`` zeros are explained; others are degenerate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.stability.spectrum import number

INDEPENDENT = 1e-6
"""Singular values of unit vectors below this count as zero."""
DEGENERATE = "not explained by a known family, integral or symmetry; the linearised equations do not decide"


@dataclass(frozen=True)
class Zero:
    """An eigenvalue, multiplier or exponent that belongs to no mode, or ±iη along a symmetry that turns."""

    kind: str
    """``flow``, ``symmetry``, ``family``, ``integral`` or ``degenerate``."""
    what: str
    value: complex = 0.0

    def __str__(self) -> str:
        return f"{number(self.value)} {self.kind}: {self.what}" if self.value else f"{self.kind}: {self.what}"


def unit_rows(tables: Numbers) -> Numbers:
    """Rows of unit length at every state; a row that vanishes beside itself at other states, or beside others, stays small."""
    size = np.linalg.norm(tables, axis=2, keepdims=True)
    usual = np.max(size, axis=0 if len(tables) > 1 else None, initial=1e-300, keepdims=True)
    return np.asarray(tables / np.maximum(size, 1e-9 * usual))


def largest_rank(tables: Numbers) -> int:
    """The largest rank of these rows at any of the states."""
    if not tables.shape[1] or not tables.shape[2]:
        return 0
    return int(np.max(np.sum(np.linalg.svd(tables, compute_uv=False) > INDEPENDENT, axis=1)))


def independent_rows(vectors: Numbers) -> list[int]:
    """Those of the fields (states, fields, size) that are independent of the ones before at some state."""
    unit, kept = unit_rows(vectors), list[int]()
    for k in range(vectors.shape[1]):
        if largest_rank(unit[:, [*kept, k]]) > len(kept):
            kept.append(k)
    return kept


def explaining(slopes: Numbers, directions: Numbers) -> list[int]:
    """Integrals whose zeros are not those of the directions: independent, and blind to every direction not yet seen.

    A slope that sees a direction already counted belongs to the same zero.

    >>> explaining(np.eye(3)[None, [0, 1, 1]], np.array([[[2.0, 0.0, 0.0]]]))
    [1]
    """
    slopes = unit_rows(slopes)
    seen = slopes @ unit_rows(directions).swapaxes(1, 2)
    ranks = [(largest_rank(slopes[:, :a]), largest_rank(seen[:, :a])) for a in range(slopes.shape[1] + 1)]
    return [a for a in range(slopes.shape[1]) if ranks[a + 1][0] > ranks[a][0] and ranks[a + 1][1] == ranks[a][1]]


def explained(
    known: Sequence[Zero], left: int, integrals: Sequence[tuple[str, Numbers]], tangent: Numbers, family: Numbers, value: complex
) -> tuple[Zero, ...]:
    """The known zeros, as many of the ``left`` ones as integrals explain, and degenerate ones.

    ``integrals`` are names and slopes, ``tangent`` spans the manifold modulo the orbit, ``family`` the family's directions, both
    by columns.
    """
    count = 0
    if left > 0 and integrals:
        slopes = np.array([slope for _, slope in integrals]) @ tangent
        count = min(left, len(explaining(slopes[None], (tangent.T @ family).T[None])))
    names = ", ".join(name for name, _ in integrals)
    return (*known, *[Zero("integral", names, value)] * count, *[Zero("degenerate", DEGENERATE, value)] * max(0, left - count))
