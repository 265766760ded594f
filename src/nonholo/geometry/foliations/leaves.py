"""First integrals of a distribution, which make a constraint holonomic."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from nonholo.algebra.budget import Purse
from nonholo.algebra.calculus import ZERO, expand, gradient, node_count, substitute, symbol, symbols
from nonholo.algebra.expression_types import Expr
from nonholo.algebra.high_precision import evaluate_matrix_precisely, evaluate_precisely
from nonholo.algebra.linear_equations import DependentRows, Matrix, multiply, solve, solve_rows, transpose
from nonholo.algebra.subspaces import rational_kernel
from nonholo.errors import ModelError
from nonholo.geometry.distributions.distribution import Distribution, annihilates, span
from nonholo.geometry.distributions.numeric_rank import independent, numeric_rank
from nonholo.geometry.foliations.function_ansatz import simple_integrals
from nonholo.geometry.foliations.integrating_factors import potential
from nonholo.geometry.frames.frame_constructions import identity
from nonholo.notation.write import to_text

Values = Mapping[str, float]
CONSTANT = 1e-9
"""The largest rate, beside the gradient, of a function that counts as constant along the distribution."""
WORK = 2.0
"""Units of computer algebra for all closed forms of one question; simple ones take a small part of it."""


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
    """Whether the function can be said in the language of expressions; SymPy knows more functions than it does."""
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


def _choices(forms: Matrix, samples: Sequence[Values]) -> list[tuple[Expr, ...]]:
    """The forms themselves, then their combinations solved for some of the differentials."""
    found: dict[tuple[Expr, ...], None] = dict.fromkeys(forms)
    if len(forms) > 1:
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
            for row in sorted(solved, key=lambda r: node_count(r)):
                found[tuple(_zero_if_vanishing(e, samples) for e in row)] = None
    return list(found)


def _zero_if_vanishing(entry: Expr, samples: Sequence[Values]) -> Expr:
    if entry.is_Number or any(not abs(evaluate_precisely([entry], s)[0]) < 1e-30 for s in samples):
        return entry
    return ZERO


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
        left = tuple(_zero_if_vanishing(e, there) for e in substitute(reduced, {x: value}))
        if not there or all(e == 0 for e in left):
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
    free, solution = solve_rows(chosen, [[ZERO]] * len(chosen), samples, lambda e: bool(e.is_Number))
    weights = transpose([row[: len(free)] for row in solution]) if free else ()
    return multiply(weights, rows)
