"""Equations of steady motions, ``f(y) = Σ η_a ξ_a(y)`` on ``g(y) = 0``, and the region in which their zeros are sought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr, Numbers
from nonholo.algebra.subspaces import span
from nonholo.analyse.flow.state_flow import Flow, onto_bound
from nonholo.analyse.steady.many_zeros import NEAR, Iterates, approximate_zeros, polished_zeros
from nonholo.errors import ModelError, StateError
from nonholo.geometry.frames.frame import sample
from nonholo.model.system import finite

STARTS = 64
"""Default number of starts."""
REACH, SPEED = 1.5, 3.0
"""Default half range of a coordinate and of a speed."""
SLACK = 1e-6
NEARBY = 0.01
"""Damping next to an equilibrium, where Newton's steps are nearly right; families of steady motions cross and end in others, and
less damping leads from one to the next."""
PUSH = 0.7
"""A coordinate on which nothing depends is found by changing it so much."""
FLAT = 1e-7
"""Slopes below this part of the largest count as zero: families extend in such directions."""


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
    """``{"v": (0, 10), "theta": 0.3}``: pairs are ranges, numbers are fixed."""
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
        size = 1 + np.max(np.abs(rates[good]), initial=0.0)
        if not np.any(good) or np.max(gap[good]) >= 1e-8 * size:
            continue
        pushed = states[good] + PUSH * (np.arange(flow.size) == i)
        if not np.max(np.abs(flow.rates(pushed) - rates[good])) < 1e-10 * size:
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
    for i in _group_coordinates(flow):
        if not any(flow.names[i] == r[0] for r in region.ranges) and not any(flow.names[i] == r[0] for r in region.fixed):
            states[:, i] = flow.home[i]
    if flow.given_system is not None and flow.given_system.frame.relations:
        tied = flow.given_system.frame.redundant
        for k in range(count // 3, count):
            try:
                place = sample(flow.given_system.frame, 300 + k)
            except ModelError:
                continue
            for c in tied:
                states[k, flow.names.index(c)] = place[c]
    told = [i for i, n in enumerate(flow.names) if i >= width and not any(n == r[0] for r in (*region.ranges, *region.fixed))]
    scale = np.array([0.02, 0.2, 1.0])[np.arange(count - 2) % 3] if moving else np.full(count - 2, 0.02)
    states[2:, told] *= scale[:, None]  # slow ones too; in an equilibrium nothing moves unless constraints drive it
    return onto_bound(flow, states)


def _group_coordinates(flow: Flow) -> list[int]:
    """Coordinates whose shift is a combination of generators at home."""
    if not len(flow.fields):
        return []
    basis = span(flow.generator_fields(flow.home[None])[0][0].T)
    units = np.eye(flow.size)
    rest = np.linalg.norm(units - basis @ (basis.T @ units), axis=0)
    return [i for i in range(len(flow.kernel.equations.coordinates)) if rest[i] < 1e-9]


@dataclass(frozen=True, eq=False)
class Steady:
    """The equations of steady motions; unknowns are the state and then the velocity ``η`` of the group, if it may move."""

    flow: Flow
    rate: Numbers
    """A typical rate of each state variable."""
    moving: bool = False
    """Whether the group may move; otherwise η = 0 and the zeros are equilibria."""
    still: bool = False
    """Whether the speeds are to stay zero, as in equilibria of most systems: the search leaves them alone."""
    fixed: tuple[Expr, ...] = ()
    """Further expressions of the state that must vanish."""
    targets: Numbers = field(default_factory=lambda: np.zeros(0))
    """The values that these must have."""
    own: tuple[int, ...] | None = None
    """The variables that must be at rest; all of them by default."""

    @property
    def group(self) -> int:
        """How many components η has."""
        return len(self.flow.fields) if self.moving else 0

    @property
    def size(self) -> Numbers:
        """A typical size of every unknown."""
        speed = max(1.0, float(np.max(np.abs(self.flow.home[len(self.flow.kernel.equations.coordinates) :]), initial=0.0)))
        width = len(self.flow.kernel.equations.coordinates)
        return np.concatenate([np.ones(width), np.full(self.flow.size - width + self.group, speed)])

    def value(self, unknowns: Numbers) -> Numbers:
        """What must vanish, a row for each start."""
        n = self.flow.size
        states = unknowns[:, :n]
        plain = rates = self.flow.rates(states)
        if self.moving:
            rates = rates - np.einsum("ka,kai->ki", unknowns[:, n:], self.flow.generator_fields(states)[0])
        tied = self.flow.valued(self.fixed, states)[0] - self.targets if self.fixed else np.zeros((len(states), 0))
        whole = self._full_accelerations(states, rates, plain) if self._charted else np.zeros((len(states), 0))
        return np.hstack([self._free_part(rates / self.rate), self.flow.bound(states)[0], tied, whole])

    @property
    def _charted(self) -> bool:
        """Whether the chosen speeds fail somewhere: a pendulum that is level has no speed xdot, and its rate vanishes there."""
        return bool(self.flow.kernel.guard) and self.own is None

    def _full_accelerations(self, states: Numbers, rates: Numbers, plain: Numbers) -> Numbers:
        """The rates of the speeds as accelerations of all coordinates, ``ẋ(x, z + δz) − ẋ(x, z)``, in any speeds the same.

        ``plain`` are the rates at the states, whether the group moves or not.
        """
        width = len(self.flow.kernel.equations.coordinates)
        pushed = states.copy()
        pushed[:, width:] += rates[:, width:]
        gap = self.flow.rates(pushed)[:, :width] - plain[:, :width]
        return np.asarray(gap / np.max(self.rate[width:], initial=1e-6))

    def _whole_both(
        self, states: Numbers, rates: Numbers, plain: Numbers, own: Numbers, slopes: Numbers
    ) -> tuple[Numbers, Numbers]:
        """With its derivatives: ``own`` those of the rates that must vanish by all unknowns, ``slopes`` those of the flow."""
        n, width = self.flow.size, len(self.flow.kernel.equations.coordinates)
        pushed = states.copy()
        pushed[:, width:] += rates[:, width:]
        gone, steep = self.flow.kinematics(pushed)
        found = steep[:, :, width:] @ own[:, width:n]
        found[:, :, :n] += steep - slopes[:, :width]
        scale = np.max(self.rate[width:], initial=1e-6)
        return (gone - plain[:, :width]) / scale, found / scale

    def _free_part(self, rows: Numbers) -> Numbers:
        """Of something for every variable (the second dimension) what belongs to those that must not move."""
        return rows if self.own is None else rows[:, list(self.own)]

    def slope(self, unknowns: Numbers) -> Numbers:
        """Its derivatives by the unknowns, (starts, equations, unknowns)."""
        return self.both(unknowns)[1]

    def both(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        """What must vanish and its derivatives, from one evaluation of the flow."""
        with np.errstate(invalid="ignore"):  # slopes may be infinite
            return self._both(unknowns)

    def _both(self, unknowns: Numbers) -> tuple[Numbers, Numbers]:
        n, flow = self.flow.size, self.flow
        states, velocity = unknowns[:, :n], unknowns[:, n:]
        plain, inner = flow.resting(states) if self.still else flow.rates_and_slopes(states)
        own = np.empty((len(unknowns), n, unknowns.shape[1]))
        own[:, :, :n] = inner
        rates = plain
        if self.moving:
            fields, turned = flow.generator_fields(states)
            rates = plain - (velocity[:, None] @ fields)[:, 0]
            own[:, :, :n] -= (velocity[:, None] @ turned.reshape(len(states), self.group, n * n)).reshape(-1, n, n)
            own[:, :, n:] = -np.swapaxes(fields, 1, 2)
        parts = [(self._free_part(rates / self.rate), self._free_part(own / self.rate[:, None])), flow.bound(states)]
        if self.fixed:
            tied, slopes = flow.valued(self.fixed, states)
            parts.append((tied - self.targets, slopes))
        if self._charted:
            parts.append(self._whole_both(states, rates, plain, own, inner))
        value = np.concatenate([v for v, _ in parts], axis=1)
        slope = np.zeros((*value.shape, unknowns.shape[1]))
        row = 0
        for _, part in parts:
            slope[:, row : row + part.shape[1], : part.shape[2]] = part
            row += part.shape[1]
        return value, slope

    def slope_by(self, unknowns: Numbers, place: int) -> Numbers:
        """Its derivatives by the input or parameter at a place of ``flow.rest``, (starts, equations)."""
        n, flow = self.flow.size, self.flow
        states = unknowns[:, :n]
        plain, bound = flow.slopes_by(states, place)
        rates = plain
        if self.moving:
            fields = flow.valued_by([e for field in flow.fields.fields for e in field], states, place)
            rates = rates - np.einsum("ka,kai->ki", unknowns[:, n:], fields.reshape(len(states), self.group, n))
        whole = self._whole_by(unknowns, place, rates, plain) if self._charted else np.zeros((len(states), 0))
        return np.hstack([self._free_part(rates / self.rate), bound, flow.valued_by(self.fixed, states, place), whole])

    def _whole_by(self, unknowns: Numbers, place: int, own: Numbers, plain: Numbers) -> Numbers:
        """Derivatives of `_full_accelerations` by an input or parameter; ``own`` of what must vanish, ``plain`` of the rates."""
        n, width = self.flow.size, len(self.flow.kernel.equations.coordinates)
        pushed = unknowns[:, :n].copy()
        gap = self.flow.rates(pushed)
        if self.moving:
            gap = gap - np.einsum("ka,kai->ki", unknowns[:, n:], self.flow.generator_fields(pushed)[0])
        pushed[:, width:] += gap[:, width:]
        found = self.flow.slopes_by(pushed, place)[0][:, :width] - plain[:, :width]
        found = found + np.einsum("kij,kj->ki", self.flow.frames(pushed), own[:, width:])
        return np.asarray(found / np.max(self.rate[width:], initial=1e-6))

    def starts(self, states: Numbers) -> Numbers:
        """Unknowns for states: the velocity of the group by least squares."""
        if not self.moving:
            return states.copy()
        rates, fields = self.flow.rates(states), self.flow.generator_fields(states)[0]
        good = np.all(np.isfinite(rates), axis=1) & np.all(np.isfinite(fields), axis=(1, 2))
        velocity = np.zeros((len(states), self.group))
        if np.any(good) and self.group:
            inverse = np.linalg.pinv(np.swapaxes(fields[good], 1, 2), rcond=1e-9)
            velocity[good] = np.einsum("kai,ki->ka", inverse, rates[good])
        return np.hstack([states, velocity])

    def newton_zeros(self, unknowns: Numbers, steps: int = 60) -> Numbers:
        """The zeros nearest to the starts, to rounding; not a number where none is found."""
        return polished_zeros(self.both, unknowns, self.freedom, steps, tail=FLAT)

    def approximate_zeros(self, unknowns: Numbers, steps: int = 20) -> Iterates:
        """Roughly the zeros next to the starts, with the slopes there; infinite lengths where none is found."""
        found = approximate_zeros(self.both, unknowns, self.freedom, NEAR, steps, NEARBY if self.still else 1.0)
        found.length[~(found.length < NEAR)] = np.inf
        return found

    @property
    def freedom(self) -> Numbers:
        """The size of every unknown that the search may change; zero for the others."""
        size = self.size
        if self.still:
            size[len(self.flow.kernel.equations.coordinates) :] = 0.0
        return size


def rest_means_zero_speeds(flow: Flow, states: Numbers) -> bool:
    """Whether nothing moves exactly when all speeds vanish, as measured: no affine constraints, no speeds without rates."""
    states = states[:6].copy()
    states[:, flow.width :] = 0.0
    rates, slopes = flow.rates(states)[:, : flow.width], flow.frames(states)
    good = np.all(np.isfinite(rates), axis=1) & np.all(np.isfinite(slopes), axis=(1, 2))
    if not np.any(good) or not flow.size - flow.width:
        return False
    full = all(np.linalg.matrix_rank(one, tol=1e-9) == flow.size - flow.width for one in slopes[good])
    return full and bool(np.max(np.abs(rates[good]), initial=0.0) == 0.0)


def typical_rates(flow: Flow, states: Numbers) -> Numbers:
    """A typical size of each rate over some states; at least a thousandth of the largest."""
    rates = np.abs(flow.rates(states))
    rates = rates[np.all(np.isfinite(rates), axis=1)]
    middle = np.median(rates, axis=0) if len(rates) else np.ones(flow.size)
    return np.asarray(np.maximum(middle, max(1e-3 * float(np.max(middle, initial=0.0)), 1e-6)))
