"""Means of correlated numbers with their errors: how far a finite motion can be from its limit."""

from __future__ import annotations

from math import gamma, pi, sin

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
LEAST = 16
"""With fewer blocks no error is given."""
LOWEST = 6
"""The mean power of so many of the lowest frequencies is what a mean over the whole time sees."""
MEMORY = 12, 40
"""The slope of the power towards low frequencies is taken from so many of them, the gentler of both; none if the signs differ."""
LONGEST, AGAINST = 0.35, -0.1
"""The largest exponent of memory that is believed (at 1/2 there would be no mean at all), and the least: growth that is made up
for by what follows it, as in Lorenz's equations, has less power at low frequencies."""
STICKS = 0.25
"""The least memory of chaos that keeps volume: motions stick to islands for times t as often as t^(-3/2), correlations fall
as t^(-1/2) [Karney 1983; Chirikov, Shepelyansky 1984], whether a finite motion has met one or not."""
SURE = 3.0
"""A rate that is so many errors away from zero is none of regular motion."""
SMOOTH = 9
"""Swings shorter than so many blocks to either side do not add up: they count at both ends alone."""


def mean_rates(edges: Numbers, logs: Numbers, origin: float, sticks: bool = False) -> tuple[Numbers, Numbers]:
    """Rates at which sums of ``logs`` (blocks, directions) grow with the time, and their standard errors.

    The square of an error is the sum of two parts:

    - what adds up: the power spectrum of the blocks at its lowest frequencies, over their number [Heidelberger, Welch 1981].
      Where it grows towards them as ``f^(−2d)`` (motions that stick to islands remember long), d from a fit of its logarithm
      [Geweke, Porter-Hudak 1983], it is continued to what the mean sees: ``Var = T^(2d−1) c κ(d)``, see `_continued`;
    - what does not: twice the variance of the sum about its moving mean, over the time squared. A tangent swings as it turns, and
      the two ends of the time catch it anywhere in its swing.

    Where the flow ``sticks`` (it keeps volume), rates that are not zero have at least the memory of sticky islands.

    Where the sum grows like the logarithm of the time since ``origin`` rather than like the time the error is at least the rate
    itself: tangents of regular motions grow like powers, and their exponent is zero.

    >>> edges = np.linspace(0.0, 100.0, 401)
    >>> walk = np.random.default_rng(0).normal(0.3, 0.5, (400, 1)) * 0.25
    >>> rate, error = mean_rates(edges, walk, 0.0)
    >>> round(float(rate[0]), 2), round(float(error[0]), 3)
    (0.28, 0.02)
    >>> power = np.diff(np.log(1.0 + edges))[:, None]
    >>> rate, error = mean_rates(edges, power, -1.0)
    >>> bool(rate[0] <= error[0])
    True
    """
    blocks, count = logs.shape
    if not blocks:
        return np.full(count, np.nan), np.full(count, np.nan)
    span = float(edges[-1] - edges[0])
    rates = logs.sum(axis=0) / span
    if blocks < LEAST:
        return rates, np.full(count, np.nan)
    passed = edges - edges[0]
    sums = np.vstack([np.zeros((1, count)), np.cumsum(logs, axis=0)])
    swings = 2 * _swings(sums)
    errors = np.sqrt(np.array([_added(logs[:, k]) for k in range(count)]) * blocks + swings) / abs(span)
    if sticks:
        longer = np.sqrt(np.array([_added(logs[:, k], STICKS) for k in range(count)]) * blocks + swings) / abs(span)
        errors = np.where(np.abs(rates) > SURE * errors, longer, errors)
    since = np.abs(edges - origin)
    later = since > 0
    straight = _misfit(passed[later], sums[later])
    curved = _misfit(np.log(since[later]), sums[later])
    return rates, np.where(curved < straight, np.maximum(errors, np.abs(rates)), errors)


def _added(values: Numbers, least: float = AGAINST) -> float:
    """The variance of a sum of numbers over how many they are, from their power at low frequencies, with at least a memory."""
    count = len(values)
    power = (np.abs(np.fft.rfft(values - values.mean())) ** 2 / count)[1:]
    if not np.any(power > 0):
        return 0.0
    low, high = sorted(_memory(power[: min(wide, count // 3)]) for wide in MEMORY)
    memory = min(LONGEST, max(least, low if low > 0 else min(high, 0.0)))
    lowest = power[:LOWEST]
    return float(np.mean(lowest * np.arange(1.0, len(lowest) + 1) ** (2 * memory))) * _continued(memory)


def _memory(power: Numbers) -> float:
    """The exponent d of a power ``f^(−2d)``, by least squares of the logarithms."""
    along = np.log(np.arange(1.0, len(power) + 1))
    along -= along.mean()
    return -float(np.sum(along * np.log(np.maximum(power, 1e-300))) / np.sum(along**2)) / 2


def _continued(memory: float) -> float:
    """``κ(d) = ∫ |u|^(−2d) (sin πu / πu)² du = 2 π^(2d−1) 2^(2d) Γ(−1−2d) sin πd``: 1 for d = 0.

    >>> round(_continued(0.0), 6), round(_continued(1e-5), 3), round(_continued(0.4), 2), round(_continued(-0.1), 2)
    (1.0, 1.0, 8.4, 0.78)
    """
    if abs(memory) < 1e-6:
        return 1.0
    return float(2 * pi ** (2 * memory - 1) * 4**memory * gamma(-1 - 2 * memory) * sin(pi * memory))


def _swings(sums: Numbers) -> Numbers:
    """The variance of sums about their moving means, for each column."""
    wide = min(SMOOTH, (len(sums) - 2) // 4)
    heap = np.vstack([np.zeros((1, sums.shape[1])), np.cumsum(sums, axis=0)])
    means = (heap[2 * wide + 1 :] - heap[: -2 * wide - 1]) / (2 * wide + 1)
    return np.asarray(np.var(sums[wide : len(sums) - wide] - means, axis=0))


def _misfit(by: Numbers, values: Numbers) -> Numbers:
    """The squares left by the best straight line over ``by``, for each column."""
    table = np.column_stack([np.ones(len(by)), by])
    left = values - table @ np.linalg.lstsq(table, values, rcond=None)[0]
    return np.asarray(np.sum(left**2, axis=0))
