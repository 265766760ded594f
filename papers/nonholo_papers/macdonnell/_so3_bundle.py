"""Shapes times SO(3) with a basis aligned with the symmetry, κ, γ, χ, ς as functions of the shape, and K given in it.

`Bundle` says everything by texts: the fields in the basis (∂/∂r, body fields) and the matrix of K in the aligned basis, in which
H, S, N, R are orthogonal where their definitions ask for it (H to S, S to N, R to all). All quantities are then computed in
plain coordinates (r, Euler angles), by complex steps; accelerations are those of the multiplier witness.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from types import SimpleNamespace
from typing import Any

import numpy as np
import symengine as se

from nonholo.model.declared_words import Formula
from nonholo_papers.evidence import Moving, moving_system
from nonholo_papers.macdonnell import _euler as euler
from nonholo_papers.macdonnell._fields import along, brackets, lie, table, values

Array = Any
Texts = tuple[Formula, ...]


@dataclass(frozen=True)
class Bundle:
    """Rows of ``fields``: components along ∂/∂r and the body fields; ``gram``: K in the aligned basis; counts of κ, γ, χ, ς."""

    shape: tuple[str, ...]
    fields: tuple[Texts, ...]
    gram: tuple[Texts, ...]
    counts: tuple[int, int, int, int]
    potential: str = "0"

    @property
    def coordinates(self) -> tuple[str, ...]:
        """r and the angles."""
        return (*self.shape, *euler.ANGLES)

    @cached_property
    def _tables(self) -> tuple[Any, Any, Any]:
        return (
            table(self.fields, self.shape),
            table(self.gram, self.shape),
            table([[self.potential]], self.shape),
        )

    def indices(self, part: str) -> range:
        """The places of κ (H), γ (S), χ (N), ς (R) in the basis."""
        k = "HSNR".index(part)
        begun = sum(self.counts[:k])
        return range(begun, begun + self.counts[k])

    def rows(self, q: Array) -> Array:
        """The basis at a place, in coordinates, one field in a row."""
        m = len(self.shape)
        plain = self._tables[0](q[:m])
        turned = np.linalg.inv(euler.rates(q[m:]))
        return np.hstack([plain[:, :m], plain[:, m:] @ turned.T])

    def field(self, i: int) -> Any:
        """One field of the basis."""
        return lambda q: self.rows(q)[i]

    def part(self, part: str) -> list[Any]:
        """The fields of H, S, N or R."""
        return [self.field(i) for i in self.indices(part)]

    def metric(self, q: Array) -> Array:
        """K in coordinates."""
        back = np.linalg.inv(self.rows(q))
        return back @ self._tables[1](q[: len(self.shape)]) @ back.T

    def height(self, q: Array) -> Any:
        """U."""
        return self._tables[2](q[: len(self.shape)])[0, 0]

    def system(self) -> Any:
        """For the witness: L = ½K − U in plain coordinates, with the rates along χ and ς as constraints."""
        from nonholo.model.system import System

        rates = self._rates()
        gram = [[se.sympify(str(e)) for e in row] for row in self.gram]
        kinetic = sum(gram[i][j] * a * b for i, a in enumerate(rates) for j, b in enumerate(rates)) / 2
        held = rates[self.counts[0] + self.counts[1] :]
        return System(
            name="bundle",
            coordinates=" ".join(self.coordinates),
            lagrangian=kinetic - se.sympify(str(self.potential)),
            constraints=held,
        )

    def _rates(self) -> list[Any]:
        """The rates along the basis as expressions, by the inverse of the basis in blocks."""
        m = len(self.shape)
        rows = [[se.sympify(str(e)) for e in row] for row in self.fields]
        upright = [i for part in "SN" for i in self.indices(part)]
        leaning = [i for part in "HR" for i in self.indices(part)]
        speeds = [se.Symbol(f"{n}dot") for n in self.shape]
        first = _solved([[rows[i][j] for i in leaning] for j in range(m)], speeds)
        body = [se.sympify(e) for e in euler.BODY]
        rest = [body[k] - sum(f * rows[i][m + k] for f, i in zip(first, leaning)) for k in range(3)]
        second = _solved([[rows[i][m + k] for i in upright] for k in range(3)], rest)
        found = dict(zip(leaning, first)) | dict(zip(upright, second))
        return [found[i] for i in range(len(rows))]

    @cached_property
    def motions(self) -> tuple[Moving, ...]:
        """States with their rates."""
        return tuple(moving_system(self.system(), {}, 3, 3))


def _solved(matrix: Sequence[Sequence[Any]], right: Sequence[Any]) -> list[Any]:
    """The solution of a system of at most three equations, by Cramer's rule."""
    whole = _determinant(matrix)
    found = []
    for k in range(len(right)):
        swapped = [[right[i] if j == k else e for j, e in enumerate(row)] for i, row in enumerate(matrix)]
        found.append(_determinant(swapped) / whole)
    return found


def _determinant(m: Sequence[Sequence[Any]]) -> Any:
    if len(m) == 1:
        return m[0][0]
    minors = [[[e for j, e in enumerate(row) if j != k] for row in m[1:]] for k in range(len(m))]
    return sum((-1) ** k * m[0][k] * _determinant(minors[k]) for k in range(len(m)))


@lru_cache
def places(bundle: Bundle) -> tuple[SimpleNamespace, ...]:
    """States with q, q̇, q̈, the rates along the basis, K, brackets and Lie derivatives of K in the basis."""
    found = []
    for s in bundle.motions:
        q = np.array([getattr(s, n) for n in bundle.coordinates])
        v = np.array([getattr(s, f"{n}dot") for n in bundle.coordinates])
        a = np.array([s.rate(f"{n}dot") for n in bundle.coordinates])
        found.append(at(bundle, q, v, a))
    return tuple(found)


def at(bundle: Bundle, q: Array, v: Array, a: Array) -> SimpleNamespace:
    """The same at any state."""
    fields = [bundle.field(i) for i in range(len(bundle.fields))]
    rows, metric = bundle.rows(q), bundle.metric(q)
    found = brackets(fields, fields, q)
    s = SimpleNamespace(bundle=bundle, q=q, v=v, a=a, rows=rows, metric=metric, brackets=found)
    s.rates = np.linalg.solve(rows.T, v)
    s.gram = rows @ metric @ rows.T
    s.KB = np.einsum("ijn,nm,km->ijk", found, metric, rows)  # K([i, j], k)
    s.components = np.einsum("ijn,nk->ijk", found, np.linalg.inv(rows))  # [i, j] in the basis
    s.lie = np.stack([rows @ lie(bundle.metric, f, q) @ rows.T for f in fields])  # (L_i K)(j, k)
    s.gram_slopes = np.stack([along(lambda z: gram(bundle, z), q, w) for w in rows])  # i{K(j, k)}
    s.rise = np.array([float(along(bundle.height, q, w)) for w in rows])  # i{U}
    s.momentum_rate = rate(lambda z, w: bundle.rows(z) @ bundle.metric(z) @ w, s)  # {K(i, q̇)}'
    for name, part in zip("hsnr", "HSNR"):
        setattr(s, name, np.array(list(bundle.indices(part)), dtype=int))
    return s


def gram(bundle: Bundle, q: Array) -> Array:
    """K(i, j) at a place, from the coordinates."""
    rows = bundle.rows(q)
    return rows @ bundle.metric(q) @ rows.T


def rate(function: Any, s: SimpleNamespace) -> Array:
    """``d/dt f(q, q̇)`` along the motion."""
    step = 1e-30
    return np.imag(function(s.q + 1j * step * s.v, s.v + 1j * step * s.a)) / step


def cut(array: Array, *indices: Array) -> Array:
    """A block of an array: ``cut(KB, s, h, h)`` is K([γ_i, κ_j], κ_k)."""
    return array[np.ix_(*indices)]


def combined(bundle: Bundle, part: str, coefficients: Any) -> list[Any]:
    """Other fields of H or S: ``κ̄_i = a_i^j(r) κ_j`` with a table of functions of the shape."""
    m, inside = len(bundle.shape), list(bundle.indices(part))

    def field(i: int) -> Any:
        return lambda q: coefficients(q[:m])[i] @ bundle.rows(q)[inside]

    return [field(i) for i in range(len(inside))]


__all__ = ["Bundle", "along", "at", "combined", "cut", "gram", "places", "rate", "values"]
