"""Kinematic reductions of mechanical control systems: decoupling fields and kinematic controllability. [Bullo and Lynch 2001]

A field ``Y`` in the span of the input fields is decoupling when ``∇_Y Y`` is in that span, too. At rest the bracket
``[g_a, [f, g_b]]`` lifts the symmetric product ``⟨Y_a : Y_b⟩ = ∇_a Y_b + ∇_b Y_a``, and ``[g_a, f]`` projects to ``Y_a``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.decoupling_weights import NoRoot, Weights, at_rest, common_zeros, quadratic_forms
from nonholo.control.reachability.field_jets import FieldJets, NumericPlace, random_place
from nonholo.control.reachability.lie_words import Growth, LieWords, Span, generic_growth
from nonholo.control.reachability.power_series import Coefficients, Series, series_ring
from nonholo.control.reachability.sussmann import linear_part

SEEDS = (32, 33, 34, 35, 36, 37)
"""Other random configurations, where a discriminant is no square at the first."""
TRIED = 12
"""Random configurations at which weights with a square root are looked at in numbers."""


@dataclass(frozen=True, eq=False)
class ConfigurationJets:
    """Series of fields on configurations, in the shape that `LieWords` takes."""

    fields: Coefficients
    ring: Series
    variables: list[int]
    degree: int
    p: int


@dataclass(frozen=True)
class Mixture:
    """A combination of two inputs that is decoupling."""

    inputs: tuple[int, int]
    """Numbered from 1."""
    weights: tuple[int, int] | None
    """None where they are no small fractions, or vary with the configuration."""
    varies: bool
    real: tuple[int, int] | None = None
    """At how many of how many configurations they are real, where a square root is in them that does not simplify."""


@dataclass(frozen=True)
class Reductions:
    """Which inputs are decoupling, whether all products are in the span, and the growth of the decoupling fields' brackets."""

    decoupling: tuple[bool, ...]
    maximal: bool
    growth: Growth | None
    mixtures: tuple[Mixture, ...] = ()
    """Sums of two inputs that are decoupling, too, where not every sum is."""


def kinematic_reductions(
    control: ControlAffine, values: Mapping[str, float], words: LieWords, dimension: int
) -> Reductions | None:
    """At rest at a generic configuration; None where the forces do not vanish at rest or do not only grow as v²."""
    size, coordinates = words.dimension, len(control.coordinates)
    drift, slope = words.fields[0][:, 0], linear_part(words)
    if np.any(drift) or np.any(slope[coordinates:, coordinates:]) or words.longest < 4:
        return None
    inputs = range(1, words.count)
    span = Span(size, words.p)
    span.add([words.value((a,)) for a in inputs])
    single = tuple(words.value((a, 0, a)) in span for a in inputs)
    maximal = all(single) and all(words.value((a, 0, b)) in span for a in inputs for b in inputs if a < b)
    found: list[tuple[Mixture, Weights]] = []
    for seed in () if maximal else (0, *SEEDS):
        try:
            if seed:
                words = LieWords(FieldJets(control, random_place(control, values, True, seed), words.longest - 1))
            zeros = [(pair, w) for pair in combinations(inputs, 2) for w in _pair(words, pair, control)]
            found = [(_told(control, values, pair, w, words), w) for pair, w in zeros]
            break
        except NoRoot:
            continue
    else:
        counts = {} if maximal else {pair: _real(control, values, pair) for pair in combinations(inputs, 2)}
        if any(positive or not tried for positive, tried in counts.values()):
            return None  # no discriminant has a root at any of these places, and some are positive
        if counts:
            return Reductions(single, maximal, None, tuple(Mixture(pair, None, False, real) for pair, real in counts.items()))
    degree = words.longest - (2 if all(w.constant for _, w in found) else 3)
    ring = series_ring(words.jets.ring.variables, degree, words.p)
    one = ring.constant(1)
    chosen = [((a, a), (one, 0 * one)) for a, fits in zip(inputs, single) if fits]
    chosen += [(m.inputs, (w.first, w.second)) for m, w in found if m.real is None or m.real[0] == m.real[1]]
    if not chosen:
        return Reductions(single, maximal, None, tuple(m for m, _ in found))
    jets = _configuration(words, chosen, coordinates, ring)
    return Reductions(single, maximal, generic_growth(LieWords(jets), dimension), tuple(m for m, _ in found))


def _pair(words: LieWords, pair: tuple[int, int], control: ControlAffine) -> list[Weights]:
    """The weights of two inputs that are decoupling, both of them not zero."""
    degree = words.longest - 3
    forms = quadratic_forms(words, *pair, len(control.coordinates), degree)
    zeros = common_zeros(forms, series_ring(words.jets.ring.variables, degree, words.p))
    return [w for w in zeros or () if np.any(w.first) and np.any(w.second)]


def _told(
    control: ControlAffine, values: Mapping[str, float], pair: tuple[int, int], weights: Weights, words: LieWords
) -> Mixture:
    whole = weights.whole(words.p)
    real = _real(control, values, pair) if weights.radical and whole is None else None
    return Mixture(pair, whole, not weights.constant, real)


def _real(control: ControlAffine, values: Mapping[str, float], pair: tuple[int, int]) -> tuple[int, int]:
    """At how many random configurations the discriminant of the inputs' form is positive, in numbers."""
    random = np.random.default_rng(31)
    free = [n for n in control.system.parameters if n not in values]
    positive = tried = 0
    for _ in range(TRIED if not control.relations else 0):
        numbers = {**values, **dict(zip(free, random.uniform(0.5, 1.5, len(free))))}
        numbers |= dict(zip(map(str, control.coordinates), random.normal(size=len(control.coordinates))))
        numbers |= dict.fromkeys(map(str, control.speeds), 0.0)
        try:
            words = LieWords(FieldJets(control, NumericPlace({symbol(n): e for n, e in numbers.items()}), 2))
        except Unsupported:
            continue
        forms = quadratic_forms(words, *pair, len(control.coordinates), 0)
        if not forms:
            continue
        a, b, c = max((tuple(float(e[0]) for e in form) for form in forms), key=lambda f: sum(map(abs, f)))
        tried += 1
        positive += b * b > 4 * a * c
    return positive, tried


def _configuration(
    words: LieWords, chosen: list[tuple[tuple[int, int], tuple[Coefficients, Coefficients]]], coordinates: int, ring: Series
) -> ConfigurationJets:
    """Sums of the fields ``Y_a`` on configurations: the coordinates' part of ``[g_a, f]`` where all speeds are zero."""
    jets, degree = words.jets, ring.degree
    count = ring.counts[degree]
    still = at_rest(words, coordinates, degree)
    fields = np.zeros((1 + len(chosen), words.dimension, count), dtype=words.fields.dtype)
    for row, (inputs, weights) in enumerate(chosen, 1):
        for a, weight in zip(inputs, weights):
            found = words.jet((a, 0)) if np.any(weight) else None
            if found is not None:
                whole = np.zeros(count, dtype=fields.dtype)
                whole[: len(weight)] = weight[:count]
                part = np.where(still, found[:coordinates, :count], 0)
                fields[row, :coordinates] = ring.reduced(fields[row, :coordinates] + ring.product(part, whole[None]))
    return ConfigurationJets(fields, ring, jets.variables, degree, words.p)
