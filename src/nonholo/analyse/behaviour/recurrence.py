"""When a motion comes back to where it began, but for a motion of the symmetry and whole turns of angles."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.behaviour.action import Action
from nonholo.analyse.behaviour.carrier import Carrier, Lost
from nonholo.integrate.one.prepare import Prepared

Numbers = NDArray[np.float64]
POINTS = 400
"""States looked at in each horizon, and so many times the time unit is the first."""
FIRST, LAST, FACTOR = 16.0, 4096.0, 4.0
CLOSE, FAR = 0.03, 0.35
"""A return nearer than the first part of the largest distance is taken at once; the nearest one counts if within the second."""
LEFT = 0.2
"""A motion has left its start when it was this part of the largest distance away."""


@dataclass(frozen=True, eq=False)
class Return:
    """A motion that comes back: after which time, by which amounts of the group and whole turns, and how near."""

    period: float
    amounts: Numbers
    turns: Numbers
    """As shifts of w."""
    gap: float
    """The distance in typical sizes."""


def spread_of(points: Numbers, coordinates: int) -> Numbers:
    """A typical size of each entry of w along a motion; at least a hundredth of the largest of its kind."""
    ranges = np.ptp(points, axis=0) / 2
    result = ranges.copy()
    for part in (slice(0, coordinates), slice(coordinates, None)):
        kind = ranges[part]
        if kind.size:
            result[part] = np.maximum(kind, max(1e-2 * float(np.max(kind)), 1e-6))
    return result


def time_unit(carrier: Carrier, prepared: Prepared) -> float:
    """The shortest time in which something happens: one over the largest slope or rate."""
    flow = carrier.flow
    slopes = flow.slopes(flow.home[None])[0]
    rate = float(np.max(np.abs(np.linalg.eigvals(np.nan_to_num(slopes))), initial=0.0))
    return 1.0 / rate if rate > 1e-6 else 1.0


def wrapped_gap(gap: Numbers, angles: NDArray[np.bool_]) -> Numbers:
    """A difference of w with angles brought to (−π, π]."""
    result = gap.copy()
    result[angles] = np.mod(gap[angles] + np.pi, 2 * np.pi) - np.pi
    return result


def tracked_gaps(action: Action, points: Numbers, spread: Numbers, angles: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """How far each point is from the orbit of the first one under the symmetry, and by which amounts the nearest was moved.

    The group follows the motion from point to point by shortest steps; where it commutes the amounts are exact.
    """
    k = len(action)
    amounts, image = np.zeros(k), points[0].copy()
    gaps, told = np.zeros(len(points)), np.zeros((len(points), k))
    for j, point in enumerate(points):
        off = wrapped_gap(point - image, angles) / spread
        for _ in range(3 if k else 0):
            step = np.linalg.lstsq(action.fields(image) / spread[:, None], off, rcond=1e-9)[0]
            image, amounts = action.swept(step, image), amounts + step
            off = wrapped_gap(point - image, angles) / spread
            if np.max(np.abs(step)) < 1e-6:
                break
        gaps[j] = float(np.linalg.norm(off))
        told[j] = amounts
    return gaps, told


def logarithm(action: Action, guess: Numbers, start: Numbers, end: Numbers, spread: Numbers) -> Numbers:
    """Amounts s with ``exp(s·ξ) start`` nearest to an end, from a guess by Gauss–Newton steps."""
    s = guess.copy()
    for _ in range(30 if len(action) else 0):
        off = (end - action.moved(s, start)) / spread
        step = np.linalg.lstsq(action.slopes(s, start)[1] / spread[:, None], off, rcond=1e-9)[0]
        step *= min(1.0, 1.0 / max(float(np.linalg.norm(step)), 1e-300))
        s = s + step
        if np.max(np.abs(step)) < 1e-12:
            break
    return s


def seen_along(carrier: Carrier, start: Prepared, times: Numbers) -> Numbers:
    """w at some times of a motion."""
    return np.vstack([carrier.seen_all(p.derived, states) for p, states in carrier.along(start.derived, start.state, times)])


def recurrence(carrier: Carrier, start: Prepared, action: Action, angles: NDArray[np.bool_]) -> Return | None:
    """The first time a motion comes back well, or the best return within a horizon; None where it never does.

    The horizon grows by counted steps of the shortest time of the linear motion at the start.
    """
    unit, horizon = time_unit(carrier, start), FIRST
    coordinates = len(carrier.flow.system.coordinates)
    best: Return | None = None
    while horizon <= LAST:
        times = np.linspace(0.0, horizon * unit, 1 + POINTS * max(1, int(horizon / 64)))
        try:
            points = seen_along(carrier, start, times)
        except Lost:
            return best
        spread = spread_of(points, coordinates)
        gaps, amounts = tracked_gaps(action, points, spread, angles)
        found = _returns(times, gaps, points, amounts, action, spread, angles)
        if found and found[0].gap <= CLOSE * float(np.max(gaps)):
            return found[0]
        good = [r for r in found if r.gap <= FAR * float(np.max(gaps))]
        best = min(good, key=lambda r: r.gap) if good else best
        if best is not None and horizon >= 256:
            return best
        horizon *= FACTOR
    return best


def _returns(
    times: Numbers,
    gaps: Numbers,
    points: Numbers,
    amounts: Numbers,
    action: Action,
    spread: Numbers,
    angles: NDArray[np.bool_],
) -> list[Return]:
    """The minima of the distance after the motion has left; those that are close at first come in their order."""
    top = float(np.max(gaps))
    away = np.flatnonzero(gaps > LEFT * top)
    result = []
    for j in range(int(away[0]) if len(away) and top > 0 else len(gaps), len(gaps) - 1):
        if gaps[j] <= gaps[j - 1] and gaps[j] < gaps[j + 1]:
            a, b, c = gaps[j - 1] ** 2, gaps[j] ** 2, gaps[j + 1] ** 2
            share = 0.5 * (a - c) / max(a - 2 * b + c, 1e-300)
            period = times[j] + share * (times[1] - times[0])
            low = np.sqrt(max(0.0, b - 0.125 * (a - c) ** 2 / max(a - 2 * b + c, 1e-300)))
            k = j + 1 if share > 0 else j - 1
            here = amounts[j] + abs(share) * (amounts[k] - amounts[j])
            point = points[j] + abs(share) * (points[k] - points[j])
            moved = action.moved(here, points[0])
            turns = np.where(angles, 2 * np.pi * np.round((point - moved) / (2 * np.pi)), 0.0)
            result.append(Return(float(period), logarithm(action, here, points[0], point - turns, spread), turns, float(low)))
    close = [r for r in result if r.gap <= CLOSE * top]
    return close + sorted((r for r in result if r.gap > CLOSE * top), key=lambda r: r.gap)
