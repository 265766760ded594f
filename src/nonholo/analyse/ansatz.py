"""Integrals as combinations of simple functions: a null space, made rational."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import along, symbols
from nonholo.algebra.linear import dot
from nonholo.algebra.numeric import numeric_function
from nonholo.analyse.potential import presentable
from nonholo.geometry.distribution import Distribution, span
from nonholo.geometry.frame import sample

Expr = Any
Values = Mapping[str, float]
LIBRARY = 220
VANISHING = 1e-9


def simple_integrals(distribution: Distribution, samples: Sequence[Values]) -> Iterator[Expr]:
    """Candidates ``f = Σ c_k b_k`` with ``X[f] = 0`` for the distribution's fields ``X``, simplest first.

    The ``b_k`` are coordinates, sines and cosines of angles, their products in pairs, and all of these times a
    parameter; the ``c_k`` rational numbers.
    """
    fields = span(distribution, samples=samples)
    if not fields:
        yield from symbols(distribution.frame.coordinates)
        return
    points: list[NDArray[np.float64]] = []
    for library in _libraries(distribution, fields):
        while len(points) < len(library) // len(fields) + 12:
            points.append(_point(distribution, len(points)))
        matrix = _rates(distribution, fields, library, points[: len(library) // len(fields) + 12])
        if matrix is None:
            return
        for weights in rational_kernel(matrix):
            yield presentable(se.Add(*(w * b for w, b in zip(weights, library) if w != 0)))


def _libraries(distribution: Distribution, fields: Sequence[Sequence[Expr]]) -> Iterator[list[Expr]]:
    frame = distribution.frame
    x = symbols(frame.coordinates)
    entries = [e for field in fields for e in field] + [e for row in frame.anchor for e in row]
    turning = {f.args[0] for e in entries for f in e.atoms(se.sin, se.cos, se.tan)}
    waves = [f(a) for a in sorted(turning, key=str) for f in (se.sin, se.cos)]
    used = {str(s) for e in entries for s in e.free_symbols}
    constants = [se.Symbol(p) for p in (*frame.parameters, *distribution.parameters) if p in used]
    simple = [*x, *waves]
    yield _cut(simple)
    scaled = [p * b for p in constants for b in simple]
    if scaled:
        yield _cut([*simple, *scaled])
    pairs = [a * b for a, b in combinations_with_replacement(simple, 2)]
    yield _cut([*simple, *pairs])
    yield _cut([*simple, *scaled, *pairs, *(p * b for p in constants for b in pairs)])


def _cut(library: Sequence[Expr]) -> list[Expr]:
    return list(dict.fromkeys(b for b in library if b.free_symbols))[:LIBRARY]


def _rates(
    distribution: Distribution,
    fields: Sequence[Sequence[Expr]],
    library: Sequence[Expr],
    points: Sequence[NDArray[np.float64]],
) -> NDArray[np.float64] | None:
    """``X_i[b_k]`` at enough generic configurations: one row for each field and configuration."""
    frame = distribution.frame
    x = symbols(frame.coordinates)
    constants = symbols((*frame.parameters, *distribution.parameters))
    flat = []
    for field in fields:
        motion = {s: dot(row, field) for s, row in zip(x, frame.anchor)}
        flat += list(along(library, motion))
    function = numeric_function([*x, *constants], flat)
    rows = []
    for point in points:
        with np.errstate(all="ignore"):
            numbers = np.asarray(function(point), dtype=float).reshape(len(fields), len(library))
        rows += [row for row in numbers if np.all(np.isfinite(row))]
    return np.array(rows) if rows else None


def _point(distribution: Distribution, seed: int) -> NDArray[np.float64]:
    frame = distribution.frame
    random = np.random.default_rng(9000 + seed)
    constants = random.uniform(0.6, 1.6, len(frame.parameters) + len(distribution.parameters))
    if frame.relations:
        values = sample(frame, seed)
        return np.array([*(values[c] for c in frame.coordinates), *constants])
    return np.array([*(np.array(frame.home) + random.uniform(-1.3, 1.3, len(frame.coordinates))), *constants])


def rational_kernel(matrix: NDArray[np.float64]) -> list[list[Expr]]:
    """Vectors with rational entries that the matrix takes to zero, in echelon form from the right, shortest first.

    Vectors whose entries are not rational with small denominators are left out.

    >>> rational_kernel(np.array([[2.0, -1.0, 0.0]]))
    [[0, 0, 1], [1, 2, 0]]
    """
    width = matrix.shape[1]
    scale = np.linalg.norm(matrix, axis=1, keepdims=True)
    unit = matrix / np.where(scale == 0, 1.0, scale)
    padded = np.vstack([unit, np.zeros((max(0, width - len(unit)), width))])
    _, sizes, right = np.linalg.svd(padded, full_matrices=False)
    rank = int(np.sum(sizes > VANISHING * max(1.0, float(sizes[0]) if len(sizes) else 1.0)))
    basis = right[rank:][:, ::-1].copy()
    row = 0
    for column in range(width):
        if row == len(basis):
            break
        best = row + int(np.argmax(np.abs(basis[row:, column])))
        if abs(basis[best, column]) < 1e-7:
            continue
        basis[[row, best]] = basis[[best, row]]
        basis[row] /= basis[row, column]
        for other in range(len(basis)):
            if other != row:
                basis[other] -= basis[other, column] * basis[row]
        row += 1
    found = []
    for vector in basis[:, ::-1]:
        exact = [Fraction(float(c)).limit_denominator(60) for c in vector]
        if max(abs(float(e) - c) for e, c in zip(exact, vector)) < 1e-6:
            found.append(_whole(exact))
    return sorted(found, key=lambda v: (sum(c != 0 for c in v), [c == 0 for c in v]))


def _whole(vector: Sequence[Fraction]) -> list[Expr]:
    under = int(np.lcm.reduce([c.denominator for c in vector]))
    return [se.Integer(int(c * under)) for c in vector]
