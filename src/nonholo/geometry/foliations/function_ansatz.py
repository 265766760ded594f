"""Integrals as combinations of simple functions by a rational null space."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.calculus import along, atoms, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.algebra.subspaces import rational_kernel
from nonholo.geometry.distributions.distribution import Distribution, span
from nonholo.geometry.foliations.integrating_factors import presentable
from nonholo.geometry.frames.frame import sample

Values = Mapping[str, float]
LIBRARY = 220


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
    turning = {f.args[0] for f in atoms(entries, se.sin, se.cos, se.tan)}
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
