"""Kinematic reductions of mechanical control systems: decoupling fields and kinematic controllability. [Bullo and Lynch 2001]

A field ``Y`` in the span of the input fields is decoupling when ``∇_Y Y`` is in that span, too. At rest the bracket
``[g_a, [f, g_b]]`` lifts the symmetric product ``⟨Y_a : Y_b⟩ = ∇_a Y_b + ∇_b Y_a``, and ``[g_a, f]`` projects to ``Y_a``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from nonholo.algebra.calculus import symbol
from nonholo.algebra.prime.power_series import Coefficients, NumericPlace, Series, series_ring
from nonholo.algebra.prime.random_points import Unsupported
from nonholo.control.reachability.control_affine import ControlAffine
from nonholo.control.reachability.decoupling_weights import (
    NoRoot,
    Weights,
    at_rest,
    common_zeros,
    family_dimension,
    form_table,
    no_zeros,
    quadratic_forms,
    real_zeros,
    vanish,
    varying_weights,
    whole_weights,
)
from nonholo.control.reachability.field_jets import FieldJets, random_place
from nonholo.control.reachability.sussmann import linear_part
from nonholo.geometry.distributions.lie_words import Growth, LieWords, Span, generic_growth

SEEDS = (32, 33, 34, 35, 36, 37)
"""Other random configurations, where a discriminant is no square at the first."""
TRIED = 12
"""Random configurations at which weights with a square root are looked at in numbers."""
SUBSETS = 32
"""Sets of three inputs or more that are looked at."""
Combination = tuple[tuple[int, ...], tuple[Coefficients, ...]]
"""Inputs, numbered from 1, and their weights as series."""


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
    """A combination of inputs that is decoupling."""

    inputs: tuple[int, ...]
    """Numbered from 1."""
    weights: tuple[int, ...] | None
    """None where they are no small fractions, or vary with the configuration."""
    varies: bool
    real: tuple[int, int] | None = None
    """At how many of how many configurations they are real, where this was looked at in numbers."""
    family: int = 0
    """The dimension of a family of such combinations, as directions."""


@dataclass(frozen=True)
class Reductions:
    """Which inputs are decoupling, whether all products are in the span, and the growth of the decoupling fields' brackets."""

    decoupling: tuple[bool, ...]
    maximal: bool
    growth: Growth | None
    mixtures: tuple[Mixture, ...] = ()
    """Sums of inputs that are decoupling, too, where not every sum is."""
    decided: bool = True
    """Whether these are all: proved, not only sought."""
    measured: bool = False
    """Whether the growth is that of floating numbers."""


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
    if maximal:
        found, rest, decided = list[tuple[Mixture, Weights]](), list[Mixture](), True
    else:
        words, found, open_ = _pairs(control, values, words)
        rest, decided = _sought(control, values, words, open_)
    degree = words.longest - (2 if all(w.constant for _, w in found) else 3)
    ring = series_ring(words.jets.ring.variables, degree, words.p)
    one = ring.constant(1)
    chosen: list[Combination] = [((a,), (one,)) for a, fits in zip(inputs, single) if fits]
    chosen += [(m.inputs, (w.first, w.second)) for m, w in found if m.real is None or m.real[0] == m.real[1]]
    chosen += [(m.inputs, tuple(ring.constant(e) for e in m.weights)) for m in rest if m.weights is not None]
    mixtures = (*(m for m, _ in found), *rest)
    growth = generic_growth(LieWords(_configuration(words, chosen, coordinates, ring)), dimension) if chosen else None
    if (growth is None or growth.rank < dimension) and any(m.real is not None and all(m.real) for m in rest):
        other = _numeric_growth(control, values, words.longest, dimension)
        if other is not None and other.rank > (growth.rank if growth is not None else 0):
            return Reductions(single, maximal, other, mixtures, decided, measured=True)
    return Reductions(single, maximal, growth, mixtures, decided)


def _pairs(
    control: ControlAffine, values: Mapping[str, float], words: LieWords
) -> tuple[LieWords, list[tuple[Mixture, Weights]], list[tuple[int, ...]]]:
    """Combinations of two inputs at a place where most have their square roots modulo the prime, and pairs that have none."""
    pairs = list(combinations(range(1, words.count), 2))
    best: tuple[int, list[tuple[int, ...]]] | None = None
    for seed in (0, *SEEDS):  # the constant terms say whether there are roots
        short = LieWords(FieldJets(control, random_place(control, values, True, seed), 2)) if seed else words
        rootless = [pair for pair in pairs if not _rooted(short, pair, control)]
        if best is None or len(rootless) < len(best[1]):
            best = seed, list(rootless)
        if not rootless:
            break
    seed, without = best or (0, [])
    at = LieWords(FieldJets(control, random_place(control, values, True, seed), words.longest - 1)) if seed else words
    zeros: list[tuple[tuple[int, int], Weights]] = []
    for pair in pairs:
        try:
            zeros += [(pair, w) for w in _pair(at, pair, control, words.longest - 3) if pair not in without]
        except NoRoot:
            without = [*(e for e in without if e != pair), pair]
    return at, [(_mixture(control, values, pair, w, at), w) for pair, w in zeros], without


def _rooted(words: LieWords, pair: tuple[int, int], control: ControlAffine) -> bool:
    try:
        _pair(words, pair, control, 0)
    except NoRoot:
        return False
    return True


def _sought(
    control: ControlAffine, values: Mapping[str, float], words: LieWords, pairs: Sequence[tuple[int, ...]]
) -> tuple[list[Mixture], bool]:
    """Combinations of given pairs and of three inputs or more, none of their weights zero; and whether there are no others."""
    coordinates, degree = len(control.coordinates), words.longest - 3
    ring = series_ring(words.jets.ring.variables, degree, words.p)
    found: list[Mixture] = []
    decided = True
    wide = [some for size in range(3, words.count) for some in combinations(range(1, words.count), size)]
    for some in (*pairs, *wide[:SUBSETS]):
        forms = form_table(words, some, coordinates, degree)
        if not len(forms) or no_zeros(list(forms[..., 0]), words.p):
            continue
        tables = [form_table(at, some, coordinates, 0)[..., 0] for at in _numeric_words(control, values, 2)]
        if not tables:
            decided = False
            continue
        first = real_zeros(tables[0], 0)
        family = max((family_dimension(tables[0], h) for h in first), default=0)
        fixed = {w for h in first if not family and (w := whole_weights(h)) is not None and vanish(forms, w, ring)}
        found += [Mixture(some, w, False) for w in sorted(fixed)]
        if len(fixed) == 2 ** (len(some) - 1) and not family:
            continue  # all of Bézout's number
        units = [np.array(w) / np.linalg.norm(w) * np.sign(w[0]) for w in fixed]
        zeros = [first, *(real_zeros(heads, k, len(fixed) + 1) for k, heads in enumerate(tables[1:], 1))]
        others = [[h for h in here if all(np.linalg.norm(h - w) > 1e-6 for w in units)] for here in zeros]
        count = sum(map(bool, others))
        decided = decided and not count
        if count or not fixed:
            away = [float(np.max(np.abs(np.einsum("rab,a,b->r", tables[-1], h, h)))) for h in others[0]]
            found.append(Mixture(some, None, max(away, default=0.0) > 1e-6, (count, len(zeros)), family))
    return found, decided and len(wide) <= SUBSETS


def _numeric_growth(control: ControlAffine, values: Mapping[str, float], longest: int, dimension: int) -> Growth | None:
    """Brackets of all decoupling fields that are found at a random configuration, in floating numbers."""
    words = next(_numeric_words(control, values, longest - 1), None)
    if words is None:
        return None
    coordinates = len(control.coordinates)
    ring = series_ring(words.jets.ring.variables, longest - 3, 0)
    chosen: list[Combination] = []
    subsets = [some for size in range(1, words.count) for some in combinations(range(1, words.count), size)]
    for some in subsets[:SUBSETS]:
        forms = form_table(words, some, coordinates, longest - 3)
        if not len(forms):
            chosen += [((a,), (ring.constant(1.0),)) for a in some]
            continue
        for zero in real_zeros(forms[..., 0], 0)[: len(some) + 2] if len(some) > 1 else ():
            weights = varying_weights(forms, zero, ring)
            if weights is not None:
                chosen.append((some, tuple(weights)))
    if not chosen:
        return None
    return generic_growth(LieWords(_configuration(words, chosen, coordinates, ring)), dimension)


def _numeric_words(control: ControlAffine, values: Mapping[str, float], degree: int) -> Iterator[LieWords]:
    """Brackets in floating numbers at rest at random configurations."""
    random = np.random.default_rng(31)
    free = [n for n in control.system.parameters if n not in values]
    for _ in range(TRIED if not control.relations else 0):
        numbers = {**values, **dict(zip(free, random.uniform(0.5, 1.5, len(free))))}
        numbers |= dict(zip(map(str, control.coordinates), random.normal(size=len(control.coordinates))))
        numbers |= dict.fromkeys(map(str, control.speeds), 0.0)
        try:
            yield LieWords(FieldJets(control, NumericPlace({symbol(n): e for n, e in numbers.items()}), degree))
        except Unsupported:
            continue


def _pair(words: LieWords, pair: tuple[int, int], control: ControlAffine, degree: int) -> list[Weights]:
    """The weights of two inputs that are decoupling, both of them not zero."""
    forms = quadratic_forms(words, *pair, len(control.coordinates), degree)
    zeros = common_zeros(forms, series_ring(words.jets.ring.variables, degree, words.p))
    return [w for w in zeros or () if np.any(w.first) and np.any(w.second)]


def _mixture(
    control: ControlAffine, values: Mapping[str, float], pair: tuple[int, int], weights: Weights, words: LieWords
) -> Mixture:
    whole = weights.whole(words.p)
    real = _real(control, values, pair) if weights.radical and whole is None else None
    return Mixture(pair, whole, not weights.constant, real)


def _real(control: ControlAffine, values: Mapping[str, float], pair: tuple[int, int]) -> tuple[int, int]:
    """At how many random configurations the discriminant of the inputs' form is positive, in numbers."""
    positive = tried = 0
    for words in _numeric_words(control, values, 2):
        forms = quadratic_forms(words, *pair, len(control.coordinates), 0)
        if not forms:
            continue
        a, b, c = max((tuple(float(e[0]) for e in form) for form in forms), key=lambda f: sum(map(abs, f)))
        tried += 1
        positive += b * b > 4 * a * c
    return positive, tried


def _configuration(
    words: LieWords, chosen: Sequence[Combination], coordinates: int, ring: Series
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
