"""The dimension that the states of one motion fill: by correlations, and by the rank of tangent spaces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from nonholo.integrate.motion.trajectory import Trajectory

POINTS = 1500
STEPS = 50_000
"""Steps of the long motion: one that needs more has run into a singularity."""
NEAR = 25
"""States closer in time than so many samples are not compared: they are neighbours on the same curve."""

PROBES, NEIGHBOURS = 200, 12
"""At so many states the tangent space is taken from so many neighbours."""


def correlation_dimension(states: NDArray[np.float64]) -> tuple[float, float]:
    """The slope of ``ln C(r)`` against ``ln r``, and how far the slopes of smaller and larger ``r`` are apart.

    ``C(r)`` is the share of pairs of states closer than ``r`` [Grassberger and Procaccia 1983].

    >>> t = np.linspace(0, 900, 1500)
    >>> torus = np.stack([np.cos(t), np.sin(t), np.cos(2**0.5 * t), np.sin(2**0.5 * t)], axis=1)
    >>> round(correlation_dimension(torus)[0])
    2
    """
    spread = np.std(states, axis=0)
    kept = states[:, spread > 1e-7 * (1e-300 + np.max(spread))]
    scaled = (kept - np.mean(kept, axis=0)) / np.std(kept, axis=0)
    count = len(scaled)
    first, second = np.triu_indices(count, NEAR)
    distance = np.sqrt(np.sum((scaled[first] - scaled[second]) ** 2, axis=1))
    distance = np.sort(distance[distance > 0])
    low, high = distance[max(60, len(distance) // 4000)], distance[len(distance) // 30]
    radii = np.exp(np.linspace(np.log(low), np.log(high), 16))
    share = np.log(np.searchsorted(distance, radii) / len(distance))
    size = np.log(radii)
    whole = float(np.polyfit(size, share, 1)[0])
    ends = [float(np.polyfit(size[part], share[part], 1)[0]) for part in (slice(0, 8), slice(8, 16))]
    return whole, abs(ends[0] - ends[1])


def beyond(states: NDArray[np.float64], dimension: int) -> float:
    """The share of the spread of near states that no plane of this dimension holds: near 0 on such a surface, else larger.

    The differences from a state to its nearest neighbours that are not near in time span the tangent space; the median over
    states of ``Σ_{i>k} s_i² / Σ s_i²`` with their singular values s. In m dimensions filled evenly it is ``(m − k)/m``.

    >>> t = np.linspace(0, 900, 1500)
    >>> torus = np.stack([np.cos(t), np.sin(t), np.cos(2**0.5 * t), np.sin(2**0.5 * t)], axis=1)
    >>> beyond(torus, 1) > 0.25, beyond(torus, 2) < 0.02, beyond(torus[:, :2], 1) < 0.02
    (True, True, True)
    """
    spread = np.std(states, axis=0)
    kept = states[:, spread > 1e-7 * (1e-300 + np.max(spread))]
    scaled = (kept - np.mean(kept, axis=0)) / np.std(kept, axis=0)
    shares = []
    for i in range(0, len(scaled), max(1, len(scaled) // PROBES)):
        far = np.sum((scaled - scaled[i]) ** 2, axis=1)
        far[max(0, i - NEAR) : i + NEAR + 1] = np.inf
        near = scaled[np.argsort(far, kind="stable")[:NEIGHBOURS]] - scaled[i]
        sizes = np.linalg.svd(near, compute_uv=False) ** 2
        shares.append(float(np.sum(sizes[dimension:]) / max(float(np.sum(sizes)), 1e-300)))
    return float(np.median(shares))


@dataclass(frozen=True)
class Filled:
    """A long motion, the dimension that it fills with its spread, or why that cannot be told."""

    words: str
    dimension: float | None = None
    spread: float = 0.0
    run: Trajectory | None = None
    states: NDArray[np.float64] | None = None
    """Of the motion, angles by cosine and sine, where it comes back."""


def filled(system: Any, start: Any, parameters: Any, names: Sequence[str], angles: Sequence[str]) -> Filled:
    """The dimension that a long motion fills in these quantities."""
    from nonholo.errors import NonholoError
    from nonholo.integrate.motion.simulate import simulate

    try:
        short = simulate(system, start, 1.0, parameters, t_eval=5, progress=False, max_steps=STEPS)
        pace = max(float(np.ptp(np.asarray(short[n]))) for n in names)
        if not pace > 1e-9:
            return Filled("the motion stands still")
        until = float(min(600.0, max(60.0, 120.0 / pace)))
        # multipliers never change their speeds on the way, which costs a compilation each time
        form = "multipliers" if system.frame.plain else "hamel"
        run = simulate(
            system, start, until, parameters, t_eval=POINTS, rtol=1e-8, atol=1e-10, progress=False, form=form, max_steps=STEPS
        )
    except NonholoError as problem:
        return Filled(str(problem))
    if len(run.times) < POINTS or not run.outcome.reached:
        return Filled("a long motion could not be computed")
    columns = []
    for n in names:
        values = np.asarray(run[n], dtype=float)
        columns += [np.cos(values), np.sin(values)] if n in angles else [values]
    states = np.stack(columns, axis=1)[POINTS // 10 :]
    half = len(states) // 2
    reach = np.ptp(states[:half], axis=0)
    if np.any(np.ptp(states, axis=0) > 1.6 * reach + 1e-6 * np.max(np.abs(states))):
        return Filled(f"in {until:.3g} s the motion does not come back", run=run)
    return Filled(f"correlation dimension of a motion of {until:.3g} s", *correlation_dimension(states), run, states)
