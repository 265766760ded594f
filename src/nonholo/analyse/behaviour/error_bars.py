"""Means of correlated numbers with their errors: how far a finite motion can be from its limit."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
LEAST = 16
"""Batches are joined in pairs as long as so many are left; with fewer blocks no error is given."""
MOST_ALIKE = 0.8
"""The correlation of neighbouring batches is taken into account up to this."""
BRIDGE = float(np.sqrt(np.pi / 2))
"""The mean range of a Brownian bridge over a unit of time."""


def mean_rates(edges: Numbers, logs: Numbers, origin: float) -> tuple[Numbers, Numbers]:
    """Rates at which sums of ``logs`` (blocks, directions) grow with the time, and their standard errors.

    Each error is the largest of

    - batch means: blocks joined in pairs as long as 16 batches are left, so that what is correlated stands in one batch; where
      neighbouring batches are still alike, by ``ρ > 0``, times ``√((1 + ρ)/(1 − ρ))``;
    - the range of the sum about its straight line over ``√(π/2)`` of the time: for independent blocks this has the same mean (the
      range of a Brownian bridge), for correlated ones it is larger, and for a sum that stays bounded it is what bounds the rate;
    - the rate itself, where the sum grows like the logarithm of the time since ``origin`` rather than like the time: tangents
      of regular motions grow like powers, and their exponent is zero.

    >>> edges = np.linspace(0.0, 100.0, 401)
    >>> walk = np.random.default_rng(0).normal(0.3, 0.5, (400, 1)) * 0.25
    >>> rate, error = mean_rates(edges, walk, 0.0)
    >>> round(float(rate[0]), 2), round(float(error[0]), 3)
    (0.28, 0.029)
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
    batches = logs * (blocks / span)
    while len(batches) >= 2 * LEAST:
        even = len(batches) // 2 * 2
        batches = (batches[0:even:2] + batches[1:even:2]) / 2
    errors = np.std(batches, axis=0, ddof=1) / np.sqrt(len(batches))
    off = batches - batches.mean(axis=0)
    spread = np.sum(off**2, axis=0)
    along = np.clip(np.sum(off[1:] * off[:-1], axis=0) / np.where(spread > 0, spread, 1.0), 0.0, MOST_ALIKE)
    errors = errors * np.sqrt((1 + along) / (1 - along))
    passed = edges - edges[0]
    sums = np.vstack([np.zeros((1, count)), np.cumsum(logs, axis=0)])
    bridge = sums - np.outer(passed, rates)
    errors = np.maximum(errors, np.ptp(bridge, axis=0) / (BRIDGE * abs(span)))
    since = np.abs(edges - origin)
    later = since > 0
    straight = _misfit(passed[later], sums[later])
    curved = _misfit(np.log(since[later]), sums[later])
    return rates, np.where(curved < straight, np.maximum(errors, np.abs(rates)), errors)


def _misfit(by: Numbers, values: Numbers) -> Numbers:
    """The squares left by the best straight line over ``by``, for each column."""
    table = np.column_stack([np.ones(len(by)), by])
    left = values - table @ np.linalg.lstsq(table, values, rcond=None)[0]
    return np.asarray(np.sum(left**2, axis=0))
