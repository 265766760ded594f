"""Search region for equilibria: ranges, starts and periodic coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr
from nonholo.algebra.subspaces import span
from nonholo.analyse.flow.state_flow import Flow, onto_bound
from nonholo.errors import ModelError, StateError
from nonholo.geometry.frames.frame import sample
from nonholo.model.system import finite

Numbers = NDArray[np.float64]
STARTS = 64
"""So many starts unless told."""
REACH, SPEED = 1.5, 3.0
"""Half the range of a coordinate and of a speed of which nothing is said."""
SLACK = 1e-6


@dataclass(frozen=True, eq=False)
class Region:
    """Ranges of expressions, and expressions with a value."""

    ranges: tuple[tuple[str, Expr, float, float], ...] = ()
    fixed: tuple[tuple[str, Expr, float], ...] = ()

    def inside(self, flow: Flow, states: Numbers) -> NDArray[np.bool_]:
        """Which states lie in every range."""
        if not self.ranges:
            return np.ones(len(states), dtype=np.bool_)
        found, _ = flow.valued([e for _, e, _, _ in self.ranges], states)
        low, high = (np.array([r[k] for r in self.ranges]) for k in (2, 3))
        room = SLACK * np.maximum(1.0, high - low)
        return np.asarray(np.all((found >= low - room) & (found <= high + room), axis=1))

    def turned_into(self, flow: Flow, states: Numbers, period: Numbers) -> Numbers:
        """States with whole turns added where a periodic coordinate has a range and lies outside it."""
        found = states.copy()
        for name, _, low, high in self.ranges:
            if name in flow.names and np.isfinite(period[flow.names.index(name)]):
                part, room = found[:, flow.names.index(name)], SLACK * max(1.0, high - low)
                outside = (part < low - room) | (part > high + room)
                part[outside] = low - room + np.mod(part[outside] - low + room, 2 * np.pi)
        return found


def region_of(flow: Flow, where: Mapping[str, Any] | None) -> Region:
    """``{"v": (0, 10), "theta": 0.3}``: pairs are ranges, numbers are kept."""
    if where is not None and not isinstance(where, Mapping):
        raise StateError(f'{flow.name}: where={where!r} where a table is needed, e.g. {{"v": (0, 10), "theta": 0.3}}.')
    ranges, fixed = [], []
    for name, told in dict(where or {}).items():
        (expression,) = flow.expressions([name], "where,")
        pair = list(told) if isinstance(told, (list, tuple, np.ndarray)) else None
        label = f"{flow.name}: where, {name}"
        if pair is None:
            fixed.append((str(name), expression, finite(told, label)))
        elif len(pair) != 2 or not finite(pair[0], label) <= finite(pair[1], label):
            raise StateError(f"{label}: {told!r} where a pair low, high is needed, e.g. (0, 10).")
        else:
            ranges.append((str(name), expression, float(pair[0]), float(pair[1])))
    return Region(tuple(ranges), tuple(fixed))


def periods(flow: Flow) -> Numbers:
    """2π for coordinates whose whole turn changes nothing, as measured at a few states; infinity for others."""
    result = np.full(flow.size, np.inf)
    states = onto_bound(flow, flow.home + np.random.default_rng(11).uniform(-0.5, 0.5, (3, flow.size)))
    rates = flow.rates(states)
    for i in range(len(flow.kernel.equations.coordinates)):
        turned = states.copy()
        turned[:, i] += 2 * np.pi
        if flow.kernel.invariants and np.max(np.abs(flow.bound(turned)[0] - flow.bound(states)[0])) > 1e-9:
            continue
        gap = np.abs(flow.rates(turned) - rates)
        good = np.all(np.isfinite(gap), axis=1)
        straight = np.max(np.abs(flow.slopes(states[good])[:, :, i]), initial=0.0) < 1e-10
        if np.any(good) and not straight and np.max(gap[good]) < 1e-8 * (1 + np.max(np.abs(rates[good]))):
            result[i] = 2 * np.pi
    return result


def wrapped(states: Numbers, period: Numbers) -> Numbers:
    """Periodic coordinates brought to (−π, π]."""
    turning = np.isfinite(period)
    found = states.copy()
    part = states[..., turning]
    # a hair beyond −π is π: both ends of the range are one place
    found[..., turning] = np.mod(part + np.pi - 1e-9, 2 * np.pi) - np.pi + 1e-9
    return found


def starts_in(flow: Flow, region: Region, moving: bool, period: Numbers, count: int = STARTS) -> Numbers:
    """States to start from: home first, then around it and all over the region; the same every time.

    Coordinates along which the symmetry moves the home stay there: nothing depends on them.
    """
    random = np.random.default_rng(20_000)
    size, width = flow.size, len(flow.kernel.equations.coordinates)
    low, high = flow.home - REACH, flow.home + REACH
    speed = max(SPEED, 1.5 * float(np.max(np.abs(flow.home[width:]), initial=0.0)))
    low[width:], high[width:] = -speed, speed
    turning = np.isfinite(period)
    low[turning], high[turning] = -np.pi, np.pi
    for name, _, least, most in region.ranges:
        if name in flow.names:
            low[flow.names.index(name)], high[flow.names.index(name)] = least, most
    states = random.uniform(low, high, (count, size))
    states[1 : count // 3] = flow.home + random.normal(0.0, 0.3, (count // 3 - 1, size)) * np.minimum(high - low, 3.0) / 3
    states[0] = flow.home
    states[1] = np.where(np.arange(size) < width, flow.home, 0.0)
    for name, _, value in region.fixed:
        if name in flow.names:
            states[:, flow.names.index(name)] = value
    for i in _still(flow):
        if not any(flow.names[i] == r[0] for r in region.ranges) and not any(flow.names[i] == r[0] for r in region.fixed):
            states[:, i] = flow.home[i]
    if flow.said is not None and flow.said.frame.relations:
        tied = {str(s) for e in flow.said.frame.relations for s in e.free_symbols}
        for k in range(count // 3, count):
            try:
                place = sample(flow.said.frame, 300 + k)
            except ModelError:
                continue
            for c in tied:
                states[k, flow.names.index(c)] = place[c]
    told = [i for i, n in enumerate(flow.names) if i >= width and not any(n == r[0] for r in (*region.ranges, *region.fixed))]
    scale = np.array([0.02, 0.2, 1.0])[np.arange(count - 2) % 3] if moving else np.full(count - 2, 0.02)
    states[2:, told] *= scale[:, None]  # slow ones too; in an equilibrium nothing moves unless constraints drive it
    return onto_bound(flow, states)


def _still(flow: Flow) -> list[int]:
    """Coordinates whose shift is a combination of generators at home."""
    if not len(flow.fields):
        return []
    basis = span(flow.moved(flow.home[None])[0][0].T)
    units = np.eye(flow.size)
    rest = np.linalg.norm(units - basis @ (basis.T @ units), axis=0)
    return [i for i in range(len(flow.kernel.equations.coordinates)) if rest[i] < 1e-9]
