"""First integrals of a distribution, which make a constraint holonomic."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np
import symengine as se
from numpy.typing import NDArray

from nonholo.algebra.budget import Purse
from nonholo.algebra.calculus import ZERO, along, atoms, expand, gradient, node_count, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely
from nonholo.algebra.linear_equations import (
    DependentRows,
    Matrix,
    dot,
    identity,
    multiply,
    solve,
    transpose,
)
from nonholo.algebra.numeric_functions import numeric_function
from nonholo.algebra.subspaces import independent, null_space, numeric_rank, rational_kernel
from nonholo.errors import ModelError
from nonholo.geometry.distributions.distribution import Distribution, annihilates, span
from nonholo.geometry.foliations.integrating_factors import potential, presentable
from nonholo.geometry.frames.frame import sample
from nonholo.notation.write import to_text

LIBRARY = 220
Values = Mapping[str, float]
CONSTANT = 1e-9
"""The largest rate, beside the gradient, of a function that counts as constant along the distribution."""
WORK = 2.0
"""Units of computer algebra for all closed forms of one question; simple ones take a small part of it."""


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


@dataclass(frozen=True)
class Leaf:
    """A function that is constant along a distribution, and how it was found."""

    function: Expr
    method: str


class _Search:
    """The functions found so far; each is verified, and independent of those before it and of the ``known`` ones."""

    def __init__(
        self, distribution: Distribution, known: Sequence[Expr], count: int, samples: Sequence[Values]
    ) -> None:
        self.count, self.samples = count, samples
        fields = span(distribution, samples=samples)
        self.distribution = Distribution(distribution.frame, fields=fields, parameters=distribution.parameters)
        self.known = list(known)
        self.found: list[Leaf] = []
        self.purse = Purse(WORK)

    @property
    def done(self) -> bool:
        return len(self.found) >= self.count

    def offer(self, function: Expr | None, method: str) -> bool:
        if function is None or self.done or not _writable(function):
            return False
        gap = annihilates(self.distribution, function, self.samples)
        if not gap <= CONSTANT or not self._new(function):
            return False
        self.found.append(Leaf(function, method))
        return True

    def _new(self, function: Expr) -> bool:
        frame = self.distribution.frame
        functions = [*self.known, *(leaf.function for leaf in self.found), function]
        slopes = [gradient(f, symbols(frame.coordinates)) for f in functions]
        ranks = []
        for here in self.samples:
            numbers = evaluate_matrix_precisely(slopes, here) @ evaluate_matrix_precisely(frame.anchor, here)
            if np.all(np.isfinite(numbers)):
                ranks.append(numeric_rank(numbers))
        return max(ranks, default=0) == len(functions)


def _writable(function: Expr) -> bool:
    """Whether the function can be written as an expression; SymPy has more functions."""
    try:
        to_text(function)
    except ModelError:
        return False
    return True


def leaf_functions(
    distribution: Distribution,
    forms: Matrix,
    count: int,
    samples: Sequence[Values],
    known: Sequence[Expr] = (),
) -> tuple[Leaf, ...]:
    """Up to ``count`` independent functions whose differentials are combinations of ``forms``, beside the ``known``.

    ``forms`` are rows along the frame's velocities that annihilate every bracket of the distribution's fields; none
    when they are not known, which leaves the search among simple functions.
    """
    search = _Search(distribution, known, count, samples)
    frame = distribution.frame
    if not frame.coordinates or count <= 0:
        return ()
    for function in simple_integrals(search.distribution, samples):
        search.offer(function, "combination of simple functions")
        if search.done:
            return tuple(search.found)
    plain = _coordinate_forms(distribution, forms, samples) if forms else None
    if plain is not None and node_count(e for row in plain for e in row) < 1500:
        for form in _choices(plain, samples):
            if search.done or not search.purse.left:
                break
            found = potential(form, symbols(frame.coordinates), samples, search.purse)
            search.offer(found, "potential of the form")
        _by_elimination(search, plain)
    return tuple(search.found)


def _coordinate_forms(distribution: Distribution, forms: Matrix, samples: Sequence[Values]) -> Matrix | None:
    """The forms by ``dx``, when the coordinates are not redundant."""
    frame = distribution.frame
    if frame.plain:
        return forms
    if len(frame.coordinates) != frame.size or frame.relations:
        return None
    try:
        inverse = solve(frame.anchor, identity(frame.size), samples)
    except DependentRows:
        return None
    return multiply(forms, inverse)


def _choices(forms: Matrix, samples: Sequence[Values]) -> Iterator[tuple[Expr, ...]]:
    """The forms themselves, then their combinations solved for some of the differentials, made when they are asked for."""
    yield from dict.fromkeys(forms)
    if len(forms) < 2:
        return
    seen = set(forms)
    numbers = evaluate_matrix_precisely(forms, samples[0])
    tried = 0
    for columns in combinations(range(len(forms[0])), len(forms)):
        block = numbers[:, columns]
        if not np.all(np.isfinite(block)) or np.linalg.cond(block) > 1e6 or tried >= 12:
            continue
        tried += 1
        square = [[row[j] for j in columns] for row in forms]
        try:
            solved = solve(square, forms, samples)
        except DependentRows:
            continue
        for row in _without_vanishing(sorted(solved, key=lambda r: node_count(r)), samples):
            if row not in seen:
                seen.add(row)
                yield row


def _without_vanishing(rows: Sequence[tuple[Expr, ...]], samples: Sequence[Values]) -> list[tuple[Expr, ...]]:
    """The rows with zeros in place of entries that vanish at all samples; parts that entries share are evaluated once."""
    zeros = np.all([np.abs(evaluate_matrix_precisely(rows, s)) < 1e-30 for s in samples], axis=0)
    return [tuple(ZERO if zero else e for e, zero in zip(row, places)) for row, places in zip(rows, zeros)]


def _by_elimination(search: _Search, forms: Matrix) -> None:
    """With ``f = const`` already known, solve it for a coordinate and integrate what remains with one variable less."""
    coordinates = symbols(search.distribution.frame.coordinates)
    progress = True
    while progress and not search.done and search.found and search.purse.left:
        progress = False
        for leaf in list(search.found):
            for form in forms:
                function = _on_level(leaf.function, form, coordinates, search.samples, search.purse)
                if search.offer(function, f"potential on the leaves of {leaf.function}"):
                    progress = True
            if search.done:
                return


def _on_level(
    integral: Expr,
    form: tuple[Expr, ...],
    coordinates: Sequence[Any],
    samples: Sequence[Values],
    purse: Purse,
) -> Expr | None:
    slopes = gradient(integral, coordinates)
    level = symbol("_level")
    for j, x in enumerate(coordinates):
        slope = slopes[j]
        if slope == 0 or x in slope.free_symbols:
            continue
        rest = substitute([integral], {x: ZERO})[0]
        value = (level - rest) / slope
        reduced = [e - form[j] / slope * s if k != j else ZERO for k, (e, s) in enumerate(zip(form, slopes))]
        there = [{**s, "_level": float(evaluate_precisely([integral], s)[0])} for s in samples]
        there = [s for s in there if np.isfinite(s["_level"])]
        if not there:
            continue
        (left,) = _without_vanishing([substitute(reduced, {x: value})], there)
        if all(e == 0 for e in left):
            continue
        others = [k for k in range(len(coordinates)) if k != j]
        found = potential(tuple(left[k] for k in others), [coordinates[k] for k in others], there, purse)
        if found is not None:
            return expand(substitute([found], {level: integral})[0])
    return None


def integrable_forms(rows: Matrix, brackets: Matrix, samples: Sequence[Values]) -> Matrix:
    """The combinations of rows that also annihilate the brackets; with constant coefficients where that is possible."""
    if not brackets:
        return rows
    pairing = multiply(rows, transpose(brackets))
    numbers = [evaluate_matrix_precisely(pairing, s) for s in samples]
    numbers = [n / max(1.0, float(np.max(np.abs(n)))) for n in numbers if np.all(np.isfinite(n))]
    count = len(rows) - max(numeric_rank(n.T) for n in numbers)
    steady = tuple(map(tuple, rational_kernel(np.hstack(numbers).T)))
    if len(steady) == count:
        return multiply(steady, rows)
    return _moving_kernel(rows, pairing, samples)


def _moving_kernel(rows: Matrix, pairing: Matrix, samples: Sequence[Values]) -> Matrix:
    columns = transpose(pairing)
    kept = independent(evaluate_matrix_precisely(columns, samples[0]))
    chosen = [columns[k] for k in kept]
    return multiply(null_space(chosen, len(rows), samples)[1], rows)
