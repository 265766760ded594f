"""Zeros of functions of many unknowns, from many starts at once, where the zeros may fill lines and surfaces."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Function = Callable[[Numbers], Numbers]
ROUNDING = 1e-13
"""A residual below this is none."""


def settled(
    value: Function, slope: Function, starts: Numbers, size: Numbers, enough: float, steps: int = 60, keep: bool = False
) -> Numbers:
    """The zeros nearest to the starts (a row each); not a number where none is found, unless the nearest are to be kept.

    Levenberg and Marquardt with the damping proportional to the residual (Yamashita and Fukushima 2001), which goes to
    the nearest point of a line of zeros where Newton's method would slide along it. ``size`` has a typical size of every
    unknown; a row counts as zero when its length is below ``enough``.

    >>> circle = lambda p: (p**2).sum(axis=1, keepdims=True) - 1
    >>> settled(circle, lambda p: 2 * p[:, None, :], np.array([[3.0, 4.0]]), np.ones(2), 1e-9).round(6).tolist()
    [[0.6, 0.8]]
    """
    with np.errstate(over="ignore", invalid="ignore"):  # slopes beside a singular place are infinite
        return _settled(value, slope, starts, size, enough, steps, keep)


def _settled(
    value: Function, slope: Function, starts: Numbers, size: Numbers, enough: float, steps: int, keep: bool
) -> Numbers:
    at = starts.copy()
    damping = np.ones(len(at))
    here = value(at)
    length = np.linalg.norm(here, axis=1)
    for _ in range(steps):
        busy = np.isfinite(length) & (length > enough * 1e-3) & (damping < 1e12)
        if not np.any(busy):
            break
        now = at[busy]
        slopes = np.nan_to_num(slope(now)) * size
        square = np.einsum("kij,kil->kjl", slopes, slopes)
        lift = np.minimum(length[busy], 1.0) * damping[busy]
        lift = np.maximum(lift, 1e-15 * np.trace(square, axis1=1, axis2=2))  # less would be lost in rounding
        square += lift[:, None, None] * np.eye(len(size))
        down = np.einsum("kij,ki->kj", slopes, here[busy])
        trial = now - np.linalg.solve(square, down[..., None])[..., 0] * size
        found = value(trial)
        after = np.linalg.norm(found, axis=1)
        better = np.nan_to_num(after, nan=np.inf) < length[busy]
        places = np.flatnonzero(busy)
        at[places[better]], here[places[better]], length[places[better]] = trial[better], found[better], after[better]
        damping[places] = np.where(better, np.maximum(damping[places] * 0.3, 1.0), damping[places] * 5)
    if not keep:
        at[~(length < enough)] = np.nan
    return at


def polished(value: Function, slope: Function, at: Numbers, size: Numbers, steps: int = 8, tail: float = 1e-9) -> Numbers:
    """The same zeros to rounding: shortest Newton steps, taken while they help. Slopes below ``tail`` count as none."""
    best = at.copy()
    length = np.linalg.norm(value(best), axis=1)
    busy = length > ROUNDING
    for _ in range(steps):
        if not np.any(busy):
            break
        places = np.flatnonzero(busy)
        slopes = np.nan_to_num(slope(best[places])) * size
        off = np.nan_to_num(value(best[places]))
        trial = best[places] - np.einsum("kij,kj->ki", np.linalg.pinv(slopes, rcond=tail), off) * size
        after = np.nan_to_num(np.linalg.norm(value(trial), axis=1), nan=np.inf)
        better = after < length[places]
        best[places[better]], length[places[better]] = trial[better], after[better]
        busy[places[~better]] = False
        busy &= length > ROUNDING
    return best


def corrected(
    value: Function, slope: Function, guess: Numbers, way: Numbers, size: Numbers, enough: float, tail: float = 1e-9
) -> Numbers | None:
    """The zero in the plane across ``way`` (in sizes) through a guess, by shortest Newton steps; None where there is none."""
    at = guess.copy()
    for _ in range(12):
        off = np.append(value(at[None])[0], way @ ((at - guess) / size))
        if not np.all(np.isfinite(off)):
            return None
        if np.linalg.norm(off) < 1e-12:
            break
        slopes = np.vstack([slope(at[None])[0] * size, way])
        if not np.all(np.isfinite(slopes)):
            return None
        at = at - np.linalg.pinv(slopes, rcond=tail) @ off * size
    return at if np.linalg.norm(value(at[None])[0]) < enough else None
