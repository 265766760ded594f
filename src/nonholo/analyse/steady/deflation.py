"""Deflation: find further zeros by repelling the search from known ones.

With ``η_i(u)`` the squared distance from a known zero, measured mostly across the directions in which its family goes on,

    G(u) = Π_i (1 + 1/η_i(u)) F(u)

has the zeros of F but for the known ones [Farrell, Birkisson, Funke 2015, for isolated zeros].
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.steady.many_zeros import settled
from nonholo.analyse.steady.search_region import wrapped
from nonholo.analyse.steady.steady_equations import Steady
from nonholo.analyse.steady.steady_families import tangents

Numbers = NDArray[np.float64]
ALONG = 0.02
"""Distances along a family count by this part: nearby members are deflated with the known one."""
KNOWN = 40
"""So many known zeros are deflated at most."""
NEW = 1e-4
"""What is nearer than this to a known zero is no other."""


class Deflated:
    """The deflated equations of steady motions; coordinates that turn are compared within a turn."""

    def __init__(self, steady: Steady, known: Numbers, period: Numbers) -> None:
        n = steady.flow.size
        self.steady, self.known, self.period = steady, known[:KNOWN], period
        self.size = steady.size[:n]
        self.metrics = np.array([self._metric(t.whole) for t in tangents(steady, self.known)]).reshape(-1, n, n)

    def _metric(self, ways: Numbers) -> Numbers:
        """Of differences in sizes: 1 across the family, little along it."""
        basis = np.linalg.qr(ways / self.size[:, None])[0] if ways.size else np.zeros((len(self.size), 0))
        along = basis @ basis.T
        return np.asarray(np.eye(len(self.size)) - (1 - ALONG) * along)

    def factors(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        """``Π (1 + 1/η_i)`` and the slope of its logarithm."""
        n = len(self.size)
        gap = wrapped(unknowns[:, None, :n] - self.known[None, :, :n], self.period) / self.size
        pulled = np.einsum("iab,kib->kia", self.metrics, gap)
        eta = np.maximum(np.einsum("kia,kia->ki", pulled, gap), 1e-24)
        slope = np.zeros_like(unknowns)
        slope[:, :n] = -2 * np.einsum("ki,kia->ka", 1 / (eta * (1 + eta)), pulled) / self.size
        return np.exp(np.minimum(np.sum(np.log1p(1 / eta), axis=1), 200.0)), slope

    def both(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        """G, a row for each start, and ∂G/∂u."""
        factor, slope = self.factors(unknowns)
        value, own = self.steady.both(unknowns)
        return factor[:, None] * value, factor[:, None, None] * (own + value[:, :, None] * slope[:, None, :])


def further(steady: Steady, known: Numbers, starts: Numbers, period: Numbers, steps: int = 60) -> Numbers:
    """Zeros that are not among the known ones nor on their families' tangents, from some starts (unknowns, a row each)."""
    if not len(known):
        return starts[:0]
    deflated = Deflated(steady, known, period)
    size = steady.size
    if steady.still:
        size[len(steady.flow.kernel.equations.coordinates) :] = 0.0
    with np.errstate(all="ignore"):
        found = settled(deflated.both, starts, size, 1e-5, steps)
    found = found[np.all(np.isfinite(found), axis=1)]
    found = steady.settled(found, 20) if len(found) else found
    found = found[np.all(np.isfinite(found), axis=1)]
    return found[deflated.factors(found)[0] < 1 / NEW**2] if len(found) else found
