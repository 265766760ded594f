"""Find when a motion returns, modulo the symmetry and whole turns."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.flow.state_action import Action
from nonholo.analyse.orbits.tangent_flow import Carrier, Lost
from nonholo.integrate.motion.formulation import InitialValue

Numbers = NDArray[np.float64]
POINTS = 400
"""States looked at in each horizon, and so many times the time unit is the first."""
FIRST, LAST, FACTOR = 16.0, 256.0, 4.0
CLOSE, FAR = 0.03, 0.35
"""A return nearer than the first part of the largest distance is taken at once; the nearest one counts if within the second."""
PATIENCE = 256.0
"""So long a better return is waited for."""
LOOK = 5
"""At every point of so many other places on the orbit of the symmetry are tried."""
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
    ranges = np.asarray(np.ptp(points, axis=0) / 2)
    result = ranges.copy()
    for part in (slice(0, coordinates), slice(coordinates, None)):
        kind = ranges[part]
        if kind.size:
            result[part] = np.maximum(kind, max(1e-2 * float(np.max(kind)), 1e-6))
    return np.asarray(result)


def time_unit(carrier: Carrier, initial: InitialValue) -> float:
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
    others = [angle * unit for unit in np.eye(k)[action.turning] for angle in (np.pi, np.pi / 2, -np.pi / 2)]
    for j, point in enumerate(points):
        gaps[j], amounts, image = drawn(action, image, amounts, point, spread, angles, 3)
        for jump in others if j % LOOK == LOOK - 1 else []:  # the nearest place may be on the other side
            trial = drawn(action, action.moved(jump, image), amounts + jump, point, spread, angles, 8)
            if trial[0] < 0.8 * gaps[j]:
                gaps[j], amounts, image = trial
        told[j] = amounts
    return gaps, told


def drawn(
    action: Action,
    image: Numbers,
    amounts: Numbers,
    point: Numbers,
    spread: Numbers,
    angles: NDArray[np.bool_],
    steps: int,
) -> tuple[float, Numbers, Numbers]:
    """An image of the start drawn nearer to a point along the symmetry: the distance, the amounts and the image."""
    off = wrapped_gap(point - image, angles) / spread
    for _ in range(steps if len(action) else 0):
        step = np.asarray(np.linalg.lstsq(action.fields(image) / spread[:, None], off, rcond=1e-9)[0], dtype=np.float64)
        image, amounts = action.moved(step, image), amounts + step
        off = wrapped_gap(point - image, angles) / spread
        if np.max(np.abs(step)) < 1e-6:
            break
    return float(np.linalg.norm(off)), amounts, image


def logarithm(action: Action, guess: Numbers, start: Numbers, end: Numbers, spread: Numbers) -> Numbers:
    """Amounts s with ``exp(s·ξ) start`` nearest to an end, from a guess by Gauss–Newton steps."""
    s = guess.copy()
    for _ in range(30 if len(action) else 0):
        _, slopes, there = action.slopes(s, start)
        step = np.linalg.lstsq(slopes / spread[:, None], (end - there) / spread, rcond=1e-9)[0]
        step *= min(1.0, 1.0 / max(float(np.linalg.norm(step)), 1e-300))
        s = s + step
        if np.max(np.abs(step)) < 1e-12:
            break
    return s


def seen_along(carrier: Carrier, start: InitialValue, times: Numbers) -> Numbers:
    """w at some times of a motion."""
    return np.vstack([carrier.seen_all(p.kernel, states) for p, states in carrier.along(start.kernel, start.state, times)])


def returned(
    action: Action, points: Numbers, amounts: Numbers, point: Numbers, spread: Numbers, angles: NDArray[np.bool_]
) -> tuple[Numbers, Numbers]:
    """Amounts of the group and whole turns that bring the first of some points next to another, from a guess of the amounts."""
    turns = np.where(angles, 2 * np.pi * np.round((point - action.moved(amounts, points[0])) / (2 * np.pi)), 0.0)
    return logarithm(action, amounts, points[0], point - turns, spread), turns


def recurrence(carrier: Carrier, start: InitialValue, action: Action, angles: NDArray[np.bool_]) -> Return | None:
    """The first time a motion comes back well, or the best return within a horizon; None where it never does.

    The horizon grows by counted steps of the shortest time of the linear motion at the start.
    """
    unit, horizon = time_unit(carrier, start), FIRST
    coordinates = len(carrier.flow.system.coordinates)
    best: tuple[float, Return] | None = None
    while horizon <= LAST:
        times = np.linspace(0.0, horizon * unit, 1 + POINTS * max(1, int(horizon / 128)))
        try:
            points = seen_along(carrier, start, times)
        except Lost:
            break
        spread = spread_of(points, coordinates)
        gaps, amounts = tracked_gaps(action, points, spread, angles)
        top = float(np.max(gaps))
        found = _minima(times, gaps)
        close = [m for m in found if m[0] <= CLOSE * top]
        good = close[:1] or sorted(m for m in found if m[0] <= FAR * top)[:1]
        for low, j, share in good:
            k = j + 1 if share > 0 else j - 1
            here = amounts[j] + abs(share) * (amounts[k] - amounts[j])
            point = points[j] + abs(share) * (points[k] - points[j])
            told, turns = returned(action, points, here, point, spread, angles)
            best = low / top, Return(times[j] + share * (times[1] - times[0]), told, turns, low)
        if close or (best is not None and horizon >= PATIENCE):
            break
        horizon *= FACTOR
    return None if best is None else best[1]


def _minima(times: Numbers, gaps: Numbers) -> list[tuple[float, int, float]]:
    """The minima of the distance after the motion has left: how low, at which point, and which part of a step beside it."""
    top = float(np.max(gaps))
    away = np.flatnonzero(gaps > LEFT * top)
    result = []
    for j in range(int(away[0]) if len(away) and top > 0 else len(gaps), len(gaps) - 1):
        if gaps[j] <= gaps[j - 1] and gaps[j] < gaps[j + 1]:
            a, b, c = gaps[j - 1] ** 2, gaps[j] ** 2, gaps[j + 1] ** 2
            bend = max(a - 2 * b + c, 1e-300)
            result.append((float(np.sqrt(max(0.0, b - 0.125 * (a - c) ** 2 / bend))), j, float(0.5 * (a - c) / bend)))
    return result
