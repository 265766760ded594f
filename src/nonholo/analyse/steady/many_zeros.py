"""Zeros of functions of many unknowns from many starts, where zeros may fill curves and surfaces."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers

Both = Callable[[Numbers], tuple[Numbers, Numbers]]
"""What must vanish at each place (a row), and its derivatives there: most of the work is the same for both."""
ROUNDING = 1e-13
"""A residual below this is none."""
NEAR, ENOUGH = 1e-6, 1e-9
"""A row that came so near is refined, and then it must be so near to count as a zero."""


@dataclass(frozen=True, eq=False)
class Iterates:
    """Where a search from some starts is, with what is known there: nothing is computed twice at one place."""

    at: Numbers
    value: Numbers
    slope: Numbers
    length: Numbers
    """Of the value, row by row."""

    def put(self, places: NDArray[np.intp], at: Numbers, value: Numbers, slope: Numbers, length: Numbers) -> None:
        """Go on to other places."""
        self.at[places], self.value[places], self.slope[places], self.length[places] = at, value, slope, length


def evaluated(both: Both, at: Numbers) -> Iterates:
    """The places themselves."""
    value, slope = both(at)
    return Iterates(at.copy(), value, slope, np.linalg.norm(value, axis=1))


def newton_zeros(both: Both, starts: Numbers, size: Numbers, enough: float, steps: int = 60, keep: bool = False) -> Numbers:
    """The zeros nearest to the starts (a row each); NaN where none is found, unless ``keep`` returns the nearest points.

    Levenberg and Marquardt with the damping proportional to the residual (Yamashita and Fukushima 2001), which goes to
    the nearest point of a line of zeros where Newton's method would slide along it. ``size`` has a typical size of every
    unknown; a row counts as zero when its length is below ``enough``.

    >>> circle = lambda p: ((p**2).sum(axis=1, keepdims=True) - 1, 2 * p[:, None, :])
    >>> newton_zeros(circle, np.array([[3.0, 4.0]]), np.ones(2), 1e-9).round(6).tolist()
    [[0.6, 0.8]]
    """
    found = approximate_zeros(both, starts, size, enough, steps)
    if not keep:
        found.at[~(found.length < enough)] = np.nan
    return found.at


def approximate_zeros(
    both: Both, starts: Numbers, size: Numbers, enough: float, steps: int = 60, damping: float = 1.0
) -> Iterates:
    """The same with what is known there; where no zero was found its length is not below ``enough``.

    Starts next to a zero need less ``damping``: the residual is damped by no less than this times its length.
    """
    with np.errstate(over="ignore", invalid="ignore"):  # slopes beside a singular place are infinite
        return _damped_newton(both, starts, size, enough, steps, damping)


def _damped_newton(both: Both, starts: Numbers, size: Numbers, enough: float, steps: int, least: float) -> Iterates:
    here = evaluated(both, starts)
    damping = np.full(len(starts), least)
    units = np.eye(len(size))
    for _ in range(steps):
        places = np.flatnonzero(np.isfinite(here.length) & (here.length > enough * 1e-3) & (damping < 1e12))
        if not len(places):
            break
        length = here.length[places]
        slopes = np.nan_to_num(here.slope[places]) * size
        turned = np.swapaxes(slopes, 1, 2)
        square = turned @ slopes
        lift = np.minimum(length, 1.0) * damping[places]
        lift = np.maximum(lift, 1e-15 * np.trace(square, axis1=1, axis2=2))  # less would be lost in rounding
        square += lift[:, None, None] * units
        down = turned @ here.value[places, :, None]
        trial = here.at[places] - np.linalg.solve(square, down)[..., 0] * size
        value, slope = both(trial)
        after = np.linalg.norm(value, axis=1)
        better = np.nan_to_num(after, nan=np.inf) < length
        here.put(places[better], trial[better], value[better], slope[better], after[better])
        damping[places] = np.where(better, np.maximum(damping[places] * 0.3, least), damping[places] * 5)
    return here


def polished(both: Both, at: Numbers, size: Numbers, steps: int = 8, tail: float = 1e-9) -> Numbers:
    """The same zeros to rounding: shortest Newton steps, taken while they help. Slopes below ``tail`` count as none."""
    return _polished(both, evaluated(both, at), np.ones(len(at), dtype=np.bool_), size, steps, tail).at


def _polished(both: Both, here: Iterates, busy: NDArray[np.bool_], size: Numbers, steps: int, tail: float) -> Iterates:
    for _ in range(steps):
        places = np.flatnonzero(busy & (here.length > ROUNDING))
        if not len(places):
            break
        inverse = np.linalg.pinv(np.nan_to_num(here.slope[places]) * size, rcond=tail)
        trial = here.at[places] - (inverse @ np.nan_to_num(here.value[places])[..., None])[..., 0] * size
        value, slope = both(trial)
        after = np.nan_to_num(np.linalg.norm(value, axis=1), nan=np.inf)
        better = after < here.length[places]
        here.put(places[better], trial[better], value[better], slope[better], after[better])
        busy[places[~better]] = False
    return here


def polished_zeros(both: Both, starts: Numbers, size: Numbers, steps: int = 60, tail: float = 1e-9) -> Numbers:
    """The zeros nearest to the starts to rounding, settled and then polished; not a number where none is found."""
    found = approximate_zeros(both, starts, size, NEAR, steps)
    found = _polished(both, found, found.length < NEAR, size, 8, tail)
    found.at[~(found.length < ENOUGH)] = np.nan
    return found.at


def corrected(
    both: Both, guess: Numbers, way: Numbers, size: Numbers, enough: float, tail: float = 1e-9
) -> Numbers | None:
    """The zero in the plane across ``way`` (in sizes) through a guess, by shortest Newton steps; None where there is none."""
    at = guess.copy()
    for _ in range(12):
        value, slope = (e[0] for e in both(at[None]))
        off = np.append(value, way @ ((at - guess) / size))
        if not np.all(np.isfinite(off)):
            return None
        if np.linalg.norm(off) < 1e-12:
            return at
        slopes = np.vstack([slope * size, way])
        if not np.all(np.isfinite(slopes)):
            return None
        at = at - np.linalg.pinv(slopes, rcond=tail) @ off * size
    return at if np.linalg.norm(both(at[None])[0]) < enough else None
