"""First guess of an orbit: period, nodes and scales."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.flow.state_action import Action
from nonholo.analyse.flow.state_flow import Flow, onto_bound
from nonholo.analyse.orbits.recurrence import (
    Return,
    recurrence,
    returned,
    seen_along,
    spread_of,
    time_unit,
    tracked_gaps,
)
from nonholo.analyse.orbits.shooting import ENOUGH, Condition, Shooting, scale_of
from nonholo.analyse.orbits.tangent_flow import METHOD, Carrier
from nonholo.analyse.steady.search_region import periods
from nonholo.errors import StateError
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.model.system import finite

Numbers = NDArray[np.float64]
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
"""Whether an orbit goes round several times is looked for up to this."""


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
    fields = flow.moved(start.state[None])[0][0]
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
    initial, states = carrier.along(start.kernel, start.state, late)[-1]
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
        points = seen_along(carrier, start, np.linspace(0.0, STROKES * stroke, 60 * STROKES + 1))
        gaps, _ = tracked_gaps(action, points, spread_of(points, len(carrier.flow.system.coordinates)), angles)
        good = [n for n in range(1, STROKES + 1) if gaps[60 * n] < 0.03 * float(np.max(gaps))]
        count = good[0] if good else 1
        if good or attempt:
            break
        initial, states = carrier.along(start.kernel, start.state, np.array([0.0, SETTLED * stroke]))[-1]
        late = states[-1].copy()
        late[phase] = start.state[phase]
        start = carrier.initial(initial.kernel, late)
    return start, return_at(carrier, start, action, angles, count * stroke)


def return_at(carrier: Carrier, start: InitialValue, action: Action, angles: NDArray[np.bool_], period: float) -> Return:
    """How the motion stands after a time that the user gave."""
    points = seen_along(carrier, start, np.linspace(0.0, period, 201))
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
    fine = seen_along(carrier, start, np.linspace(0.0, back.period, 201))
    spread = spread_of(fine, coordinates)
    if timed:  # nothing but the drive may move: sizes of rates are then those of the rates themselves
        spread[coordinates:] = np.maximum(spread[coordinates:], 1e-3 * float(np.max(np.abs(fine[:, coordinates:]), initial=1e-3)))
    times = np.arange(count + 1) * back.period / count
    nodes = [(p, y) for p, states in carrier.along(start.kernel, start.state, times, METHOD) for y in states]
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
    slopes = carrier.seen(place.kernel, state)[1] / spread[:, None]
    return np.asarray(1.0 / np.maximum(np.linalg.norm(slopes, axis=0), 1e-9))


def _segments(carrier: Carrier, start: InitialValue, period: float) -> int:
    """So many that tangents do not grow much in each."""
    end = carrier.moved(start.kernel, start.state, period)
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
    points = seen_along(carrier, place, np.linspace(0.0, whole, steps + 1))
    gaps, amounts = tracked_gaps(action, points, shooting.spread, angles)
    for part in range(PARTS, 1, -1):
        j = steps // part
        if gaps[j] < 1e-6 * float(np.max(gaps)):
            told_amounts, turns = returned(action, points, amounts[j], points[j], shooting.spread, angles)
            return Return(whole / part, told_amounts, turns, float(gaps[j]))
    return None
