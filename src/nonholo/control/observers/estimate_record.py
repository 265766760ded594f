"""What a filter makes of measurements: estimates with their covariances, residuals, and slips seen in them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Slip:
    """A span of time in which measurements contradict the model: the wheel slips, or something else is not as said."""

    begin: float
    end: float
    measured: str
    """The measurement that departs most."""
    ratio: float
    """The largest mean of the normalised squared residuals over their expectation."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimates after each measurement."""

    names: tuple[str, ...]
    times: Array
    means: Array
    """(time, state variable)"""
    covariances: Array
    residuals: Array
    """Measured less expected, (time, measured)."""
    surprises: Array
    """``ν S⁻¹ ν``: the squared residual in units of its own expectation, χ² with as many degrees as there are measurements."""
    slips: tuple[Slip, ...]

    def __getitem__(self, name: str) -> Array:
        """The estimate of a state variable over time."""
        return np.asarray(self.means[:, self.names.index(name)])

    def deviation(self, name: str) -> Array:
        """Its standard deviation, as the filter believes."""
        k = self.names.index(name)
        return np.asarray(np.sqrt(self.covariances[:, k, k]))

    def nees(self, truth: Array) -> Array:
        """``e P⁻¹ e`` at each time: χ² with as many degrees of freedom as free state variables, if the belief is right."""
        gap = np.asarray(truth) - self.means
        inverse = np.linalg.pinv(self.covariances, rcond=1e-10, hermitian=True)
        return np.asarray(np.einsum("ti,tij,tj->t", gap, inverse, gap))

    def __str__(self) -> str:
        lines = [f"{len(self.times)} estimates of {', '.join(self.names)}"]
        lines += [
            f"  slip from t = {s.begin:.4g} to {s.end:.4g}: {s.measured} departs, residuals {s.ratio:.3g} times too large"
            for s in self.slips
        ]
        return "\n".join(lines if self.slips else [*lines, "  no slip: residuals are as large as expected"])


def slips_of(
    times: Array, surprises: Array, residuals: Array, spreads: Array, names: tuple[str, ...], window: int, rare: float
) -> tuple[Slip, ...]:
    """Spans in which the mean surprise over a window is larger than by chance once in ``1/rare`` windows."""
    from scipy.stats import chi2

    count = residuals.shape[1]
    if len(times) < window:
        return ()
    means = np.convolve(surprises, np.ones(window) / window, mode="valid")
    limit = float(chi2.isf(rare, count * window)) / window
    over = means > limit
    found = []
    edges = np.flatnonzero(np.diff(np.concatenate([[False], over, [False]]).astype(int)))
    for first, last in edges.reshape(-1, 2):
        part = slice(first, last + window - 1)
        worst = int(np.argmax(np.mean((residuals[part] / spreads[part]) ** 2, axis=0)))
        ratio = float(np.max(means[first:last])) / count
        found.append(Slip(float(times[first]), float(times[min(last + window - 2, len(times) - 1)]), names[worst], ratio))
    return tuple(found)
