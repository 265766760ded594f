"""Kinematic reductions of mechanical control systems: decoupling fields and kinematic controllability. [Bullo and Lynch 2001]

A field ``Y`` in the span of the input fields is decoupling when ``∇_Y Y`` is in that span, too. At rest the bracket
``[g_a, [f, g_b]]`` lifts the symmetric product ``⟨Y_a : Y_b⟩ = ∇_a Y_b + ∇_b Y_a``, and ``[g_a, f]`` projects to ``Y_a``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import gcd

import numpy as np

from nonholo.control.reachability.lie_words import Growth, LieWords, Span, generic_growth
from nonholo.control.reachability.power_series import Coefficients, Series
from nonholo.control.reachability.sussmann import linear_part

LARGEST = 3
WEIGHTS = [(a, b) for a in range(1, LARGEST + 1) for b in range(-LARGEST, LARGEST + 1) if b and gcd(a, b) == 1]
"""Weights of two inputs that are tried."""


@dataclass(frozen=True, eq=False)
class ConfigurationJets:
    """Series of fields on configurations, in the shape that `LieWords` takes."""

    fields: Coefficients
    ring: Series
    variables: list[int]
    degree: int
    p: int


@dataclass(frozen=True)
class Reductions:
    """Which inputs are decoupling, whether all products are in the span, and the growth of the decoupling fields' brackets."""

    decoupling: tuple[bool, ...]
    maximal: bool
    growth: Growth | None
    mixtures: tuple[tuple[int, ...], ...] = ()
    """Weights of the inputs in sums that are decoupling, too, where not every sum is."""


def kinematic_reductions(words: LieWords, coordinates: int, dimension: int) -> Reductions | None:
    """At rest at a generic configuration; None where the forces do not vanish at rest or do not only grow as v²."""
    size = words.dimension
    drift, slope = words.fields[0][:, 0], linear_part(words)
    if np.any(drift) or np.any(slope[coordinates:, coordinates:]) or words.longest < 4:
        return None
    inputs = range(1, words.count)
    span = Span(size, words.p)
    span.add([words.value((a,)) for a in inputs])
    single = tuple(words.value((a, 0, a)) in span for a in inputs)
    maximal = all(single) and all(words.value((a, 0, b)) in span for a in inputs for b in inputs if a < b)
    mixtures = () if maximal else tuple(_mixtures(words, span, single))
    units = [tuple(int(a == b) for b in inputs) for a, fits in zip(inputs, single) if fits]
    chosen = [*units, *mixtures]
    if not chosen:
        return Reductions(single, maximal, None)
    growth = generic_growth(LieWords(_configuration(words, chosen, coordinates)), dimension)
    return Reductions(single, maximal, growth, mixtures)


def _mixtures(words: LieWords, span: Span, single: tuple[bool, ...]) -> Iterator[tuple[int, ...]]:
    """Sums of two inputs with small weights whose product ``a²⟨i:i⟩ + 2ab⟨i:j⟩ + b²⟨j:j⟩`` is in the span.

    The condition is quadratic in the weights at each configuration; only constant weights up to `LARGEST` are tried.
    """
    count = len(single)
    for i, j in combinations(range(count), 2):
        own, both, other = (words.value(pair) for pair in ((i + 1, 0, i + 1), (i + 1, 0, j + 1), (j + 1, 0, j + 1)))
        if both in span and single[i] and single[j]:
            continue
        for a, b in WEIGHTS:
            total = a * a * own + 2 * a * b * both + b * b * other
            if (total % words.p if words.p else total) in span:
                yield tuple(a if k == i else b if k == j else 0 for k in range(count))


def _configuration(words: LieWords, chosen: list[tuple[int, ...]], coordinates: int) -> ConfigurationJets:
    """Sums of the fields ``Y_a`` on configurations: the coordinates' part of ``[g_a, f]`` where all speeds are zero."""
    jets = words.jets
    ring, degree = jets.ring, words.longest - 2
    count = ring.counts[degree]
    moving = [k for k, j in enumerate(jets.variables) if j >= coordinates]
    still = np.array([not any(m[k] for k in moving) for m in ring.monomials[:count]])
    fields = np.zeros((1 + len(chosen), words.dimension, count), dtype=words.fields.dtype)
    for row, weights in enumerate(chosen, 1):
        for a, weight in enumerate(weights, 1):
            found = words.jet((a, 0)) if weight else None
            if found is not None:
                fields[row, :coordinates] += weight * np.where(still, found[:coordinates, :count], 0)
    if words.p:
        fields %= words.p
    return ConfigurationJets(fields, ring, jets.variables, degree, words.p)
