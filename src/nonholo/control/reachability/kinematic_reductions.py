"""Kinematic reductions of mechanical control systems: decoupling fields and kinematic controllability. [Bullo and Lynch 2001]

A field ``Y`` in the span of the input fields is decoupling when ``∇_Y Y`` is in that span, too. At rest the bracket
``[g_a, [f, g_b]]`` lifts the symmetric product ``⟨Y_a : Y_b⟩ = ∇_a Y_b + ∇_b Y_a``, and ``[g_a, f]`` projects to ``Y_a``.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from nonholo.control.reachability.lie_words import Growth, LieWords, Span, generic_growth
from nonholo.control.reachability.power_series import Coefficients, Series
from nonholo.control.reachability.sussmann import linear_part


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
    chosen = [a for a, fits in zip(inputs, single) if fits]
    if not chosen:
        return Reductions(single, maximal, None)
    growth = generic_growth(LieWords(_configuration(words, chosen, coordinates)), dimension)
    return Reductions(single, maximal, growth)


def _configuration(words: LieWords, chosen: list[int], coordinates: int) -> ConfigurationJets:
    """The fields ``Y_a`` on configurations: the coordinates' part of ``[g_a, f]`` where all speeds are zero."""
    jets = words.jets
    ring, degree = jets.ring, words.longest - 2
    count = ring.counts[degree]
    moving = [k for k, j in enumerate(jets.variables) if j >= coordinates]
    still = np.array([not any(m[k] for k in moving) for m in ring.monomials[:count]])
    fields = np.zeros((1 + len(chosen), words.dimension, count), dtype=words.fields.dtype)
    for row, a in enumerate(chosen, 1):
        found = words.jet((a, 0))
        if found is not None:
            fields[row, :coordinates] = np.where(still, found[:coordinates, :count], 0)
    return ConfigurationJets(fields, ring, jets.variables, degree, words.p)
