"""First guess of an orbit: period, nodes and scales."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.flow.state_action import Action, nearer_image
from nonholo.analyse.flow.state_flow import Flow, onto_bound
from nonholo.analyse.orbits.shooting import ENOUGH, Condition, Shooting, scale_of
from nonholo.analyse.orbits.tangent_flow import METHOD, Carrier, Lost
from nonholo.analyse.steady.steady_equations import periods
from nonholo.errors import StateError
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.model.system import finite

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
STEADY = 1e-6
"""A motion whose extent modulo the symmetry is below this part of what it covers is steady."""
GROWTH = 30.0
"""Tangents may grow by this in a segment, unless there would be more than the next."""
SEGMENTS = 24
LATE = 400.0
"""After so many times the shortest time of the linear motion an attractor is taken to be reached."""
STROKES, SETTLED = 6, 100
"""A driven motion is looked at after so many strokes, and again after so many more."""
PARTS = 6
"""Orbits that close after several turns are sought up to this number."""


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


def tracked_gaps(action: Action, points: Numbers, spread: Numbers, angles: NDArray[np.bool_]) -> tuple[Numbers, Numbers]:
    """How far each point is from the orbit of the first one under the symmetry, and by which amounts the nearest was moved.

    The group follows the motion from point to point by shortest steps; where it commutes the amounts are exact.
    """
    k = len(action)
    amounts, image = np.zeros(k), points[0].copy()
    gaps, told = np.zeros(len(points)), np.zeros((len(points), k))
    others = [angle * unit for unit in np.eye(k)[action.turning] for angle in (np.pi, np.pi / 2, -np.pi / 2)]
    for j, point in enumerate(points):
        gaps[j], amounts, image = nearer_image(action, image, amounts, point, spread, angles, 3)
        for jump in others if j % LOOK == LOOK - 1 else []:  # the nearest place may be on the other side
            trial = nearer_image(action, action.image(jump, image), amounts + jump, point, spread, angles, 8)
            if trial[0] < 0.8 * gaps[j]:
                gaps[j], amounts, image = trial
        told[j] = amounts
    return gaps, told


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


def observed_along(carrier: Carrier, start: InitialValue, times: Numbers) -> Numbers:
    """w at some times of a motion."""
    pieces = carrier.states_at(start.kernel, start.state, times)
    return np.vstack([carrier.observed_rows(p.kernel, states) for p, states in pieces])


def returned(
    action: Action, points: Numbers, amounts: Numbers, point: Numbers, spread: Numbers, angles: NDArray[np.bool_]
) -> tuple[Numbers, Numbers]:
    """Amounts of the group and whole turns that bring the first of some points next to another, from a guess of the amounts."""
    turns = np.where(angles, 2 * np.pi * np.round((point - action.image(amounts, points[0])) / (2 * np.pi)), 0.0)
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
            points = observed_along(carrier, start, times)
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


def angles_of(flow: Flow, carrier: Carrier) -> NDArray[np.bool_]:
    result = np.zeros(carrier.width, dtype=np.bool_)
    count = len(flow.system.coordinates)
    result[:count] = np.isfinite(periods(flow)[:count])
    return result


def repeats(flow: Flow, place: int) -> bool:
    """Whether a whole turn of the drive's phase changes no rate, at some states and phases."""
    random = np.random.default_rng(13)
    states = flow.home + random.uniform(-0.4, 0.4, (12, flow.size))
    states[:, place] = random.uniform(0.0, 2 * np.pi, len(states))
    turned = states.copy()
    turned[:, place] += 2 * np.pi
    one, two = flow.rates(onto_bound(flow, states)), flow.rates(onto_bound(flow, turned))
    good = np.all(np.isfinite(one), axis=1)
    return bool(np.any(good) and np.max(np.abs(two - one)[good]) < 1e-8 * (1 + np.max(np.abs(one[good]))))


def steady_there(carrier: Carrier, start: InitialValue) -> bool:
    """Whether a state only moves along the symmetry."""
    flow = carrier.flow
    rate = carrier.rate(start.kernel, start.state)
    fields = flow.generator_fields(start.state[None])[0][0]
    left = rate - fields.T @ np.linalg.lstsq(fields.T, rate, rcond=1e-9)[0] if len(fields) else rate
    return bool(np.linalg.norm(left) <= STEADY * max(float(np.linalg.norm(rate)), 1e-3))


def found_return(
    carrier: Carrier, start: InitialValue, action: Action, angles: NDArray[np.bool_]
) -> tuple[InitialValue, Return | None, str]:
    """A return of the motion; where it does not come back, of what it tends to: the same from a late state. Or words."""
    back = recurrence(carrier, start, action, angles)
    if back is not None:
        return start, back, ""
    late = np.array([0.0, LATE * time_unit(carrier, start)])
    initial, states = carrier.states_at(start.kernel, start.state, late)[-1]
    other = carrier.initial(initial.kernel, states[-1])
    if steady_there(carrier, other):
        return start, None, "the motion of the guess tends to a steady one"
    back = recurrence(carrier, other, action, angles)
    return (start, None, "the motion of the guess does not come back; give period=…") if back is None else (other, back, "")


def found_strokes(
    carrier: Carrier, start: InitialValue, action: Action, angles: NDArray[np.bool_], stroke: float, phase: int
) -> tuple[InitialValue, Return]:
    """A return after some strokes of a drive; where there is none, of what the motion tends to, after one stroke at worst.

    ``phase`` is the place of the drive's phase in the state, which is brought back to its start.
    """
    count = STROKES
    for attempt in range(2):
        points = observed_along(carrier, start, np.linspace(0.0, STROKES * stroke, 60 * STROKES + 1))
        gaps, _ = tracked_gaps(action, points, spread_of(points, len(carrier.flow.system.coordinates)), angles)
        good = [n for n in range(1, STROKES + 1) if gaps[60 * n] < 0.03 * float(np.max(gaps))]
        count = good[0] if good else 1
        if good or attempt:
            break
        initial, states = carrier.states_at(start.kernel, start.state, np.array([0.0, SETTLED * stroke]))[-1]
        late = states[-1].copy()
        late[phase] = start.state[phase]
        start = carrier.initial(initial.kernel, late)
    return start, return_at(carrier, start, action, angles, count * stroke)


def return_at(carrier: Carrier, start: InitialValue, action: Action, angles: NDArray[np.bool_], period: float) -> Return:
    """The return of the motion after a time that the user gave."""
    points = observed_along(carrier, start, np.linspace(0.0, period, 201))
    spread = spread_of(points, len(carrier.flow.system.coordinates))
    gaps, amounts = tracked_gaps(action, points, spread, angles)
    told_amounts, turns = returned(action, points, amounts[-1], points[-1], spread, angles)
    return Return(period, told_amounts, turns, float(gaps[-1]))


def shooting_of(
    carrier: Carrier,
    start: InitialValue,
    action: Action,
    back: Return,
    hold: Mapping[str, Any],
    segments: int | None,
    timed: bool = False,
) -> tuple[Shooting, Numbers]:
    """The equations of an orbit and a guess of their unknowns."""
    coordinates = len(carrier.flow.system.coordinates)
    count = segments if segments is not None else _segments(carrier, start, back.period)
    if not isinstance(count, int) or count < 1:
        raise StateError(f"{carrier.problem.name}: segments={segments!r} where a whole number of at least 1 is needed.")
    fine = observed_along(carrier, start, np.linspace(0.0, back.period, 201))
    spread = spread_of(fine, coordinates)
    if timed:  # nothing but the drive may move: sizes of rates are then those of the rates themselves
        spread[coordinates:] = np.maximum(spread[coordinates:], 1e-3 * float(np.max(np.abs(fine[:, coordinates:]), initial=1e-3)))
    times = np.arange(count + 1) * back.period / count
    nodes = [(p, y) for p, states in carrier.states_at(start.kernel, start.state, times, METHOD) for y in states]
    nodes = [(start, start.state), *nodes[1:count]]
    sizes = tuple(_sizes(carrier, p, y, spread) for p, y in nodes)
    name = carrier.problem.name
    charts = tuple(p.kernel for p, _ in nodes)
    shooting = Shooting(carrier, charts, action, back.turns, spread, sizes, back.period, timed=timed)
    conditions = [
        Condition(what, scale_of(shooting, what, start.state), finite(e, f"{name}: hold, {what}")) for what, e in hold.items()
    ]
    shooting = replace(shooting, conditions=tuple(conditions))
    return shooting, np.concatenate([*(y for _, y in nodes), [back.period], back.amounts])


def _sizes(carrier: Carrier, place: InitialValue, state: Numbers, spread: Numbers) -> Numbers:
    """By how much each state variable changes w by a typical size."""
    slopes = carrier.observed(place.kernel, state)[1] / spread[:, None]
    return np.asarray(1.0 / np.maximum(np.linalg.norm(slopes, axis=0), 1e-9))


def _segments(carrier: Carrier, start: InitialValue, period: float) -> int:
    """So many that tangents do not grow much in each."""
    end = carrier.segment(start.kernel, start.state, period)
    grown = float(np.linalg.norm(end.slopes, 2))
    count = 1 + int(np.log(max(grown, 1.0)) / np.log(GROWTH)) if np.isfinite(grown) else SEGMENTS
    return min(max(count, 2), SEGMENTS)


def shorter_return(shooting: Shooting, unknowns: Numbers, angles: NDArray[np.bool_]) -> Return | None:
    """The part of its period after which an orbit is closed already, if there is one."""
    if not shooting.gaps(unknowns[None])[0] < ENOUGH:
        return None
    carrier, action = shooting.carrier, shooting.action
    place = carrier.initial(shooting.charts[0], shooting.tidy(unknowns)[shooting.places[0]])
    if steady_there(carrier, place):
        return None
    whole = float(unknowns[shooting.period])
    steps = 60 * 4  # 2, 3, 4, 5 and 6 are parts of it
    points = observed_along(carrier, place, np.linspace(0.0, whole, steps + 1))
    gaps, amounts = tracked_gaps(action, points, shooting.spread, angles)
    for part in range(PARTS, 1, -1):
        j = steps // part
        if gaps[j] < 1e-6 * float(np.max(gaps)):
            told_amounts, turns = returned(action, points, amounts[j], points[j], shooting.spread, angles)
            return Return(whole / part, told_amounts, turns, float(gaps[j]))
    return None
