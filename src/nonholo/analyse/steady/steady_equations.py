"""Steady motions as zeros: ``f(y) = Σ η_a ξ_a(y)`` on ``g(y) = 0``, for one state or many at once."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Expr
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.steady.many_zeros import NEAR, Reached, landed, resolved

Numbers = NDArray[np.float64]
FLAT = 1e-7
"""Slopes below this part of the largest say nothing: zeros go on in such directions."""


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
    """The variables that must not move; all of them unless told."""

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
            rates = rates - np.einsum("ka,kai->ki", unknowns[:, n:], self.flow.moved(states)[0])
        tied = self.flow.valued(self.fixed, states)[0] - self.targets if self.fixed else np.zeros((len(states), 0))
        whole = self._whole(states, rates, plain) if self._charted else np.zeros((len(states), 0))
        return np.hstack([self._asked(rates / self.rate), self.flow.bound(states)[0], tied, whole])

    @property
    def _charted(self) -> bool:
        """Whether the chosen speeds fail somewhere: a pendulum that is level has no speed xdot, and its rate vanishes there."""
        return bool(self.flow.kernel.guard) and self.own is None

    def _whole(self, states: Numbers, rates: Numbers, plain: Numbers) -> Numbers:
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
        gone, steep = self.flow.rates_and_slopes(pushed)
        found = steep[:, :width, width:] @ own[:, width:n]
        found[:, :, :n] += steep[:, :width] - slopes[:, :width]
        scale = np.max(self.rate[width:], initial=1e-6)
        return (gone[:, :width] - plain[:, :width]) / scale, found / scale

    def _asked(self, rows: Numbers) -> Numbers:
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
        plain, inner = flow.rates_and_slopes(states)
        own = np.empty((len(unknowns), n, unknowns.shape[1]))
        own[:, :, :n] = inner
        rates = plain
        if self.moving:
            fields, turned = flow.moved(states)
            rates = plain - (velocity[:, None] @ fields)[:, 0]
            own[:, :, :n] -= (velocity[:, None] @ turned.reshape(len(states), self.group, n * n)).reshape(-1, n, n)
            own[:, :, n:] = -np.swapaxes(fields, 1, 2)
        parts = [(self._asked(rates / self.rate), self._asked(own / self.rate[:, None])), flow.bound(states)]
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
        return np.hstack([self._asked(rates / self.rate), bound, flow.valued_by(self.fixed, states, place), whole])

    def _whole_by(self, unknowns: Numbers, place: int, own: Numbers, plain: Numbers) -> Numbers:
        """The derivatives of `_whole` by an input or parameter; ``own`` those of what must vanish, ``plain`` of the rates."""
        n, width = self.flow.size, len(self.flow.kernel.equations.coordinates)
        pushed = unknowns[:, :n].copy()
        gap = self.flow.rates(pushed)
        if self.moving:
            gap = gap - np.einsum("ka,kai->ki", unknowns[:, n:], self.flow.moved(pushed)[0])
        pushed[:, width:] += gap[:, width:]
        found = self.flow.slopes_by(pushed, place)[0][:, :width] - plain[:, :width]
        found = found + np.einsum("kij,kj->ki", self.flow.slopes(pushed)[:, :width, width:], own[:, width:])
        return np.asarray(found / np.max(self.rate[width:], initial=1e-6))

    def starts(self, states: Numbers) -> Numbers:
        """Unknowns for states: the velocity of the group by least squares."""
        if not self.moving:
            return states.copy()
        rates, fields = self.flow.rates(states), self.flow.moved(states)[0]
        good = np.all(np.isfinite(rates), axis=1) & np.all(np.isfinite(fields), axis=(1, 2))
        velocity = np.zeros((len(states), self.group))
        if np.any(good) and self.group:
            inverse = np.linalg.pinv(np.swapaxes(fields[good], 1, 2), rcond=1e-9)
            velocity[good] = np.einsum("kai,ki->ka", inverse, rates[good])
        return np.hstack([states, velocity])

    def settled(self, unknowns: Numbers, steps: int = 60) -> Numbers:
        """The zeros nearest to the starts, to rounding; not a number where none is found."""
        return resolved(self.both, unknowns, self.freedom, steps, tail=FLAT)

    def landed(self, unknowns: Numbers, steps: int = 20) -> Reached:
        """Roughly the zeros nearest to the starts, with the slopes there; infinite lengths where none is found."""
        found = landed(self.both, unknowns, self.freedom, NEAR, steps)
        found.length[~(found.length < NEAR)] = np.inf
        return found

    @property
    def freedom(self) -> Numbers:
        """The size of every unknown that the search may change; zero for the others."""
        size = self.size
        if self.still:
            size[len(self.flow.kernel.equations.coordinates) :] = 0.0
        return size


def typical_rates(flow: Flow, states: Numbers) -> Numbers:
    """A typical size of each rate over some states; at least a thousandth of the largest."""
    rates = np.abs(flow.rates(states))
    rates = rates[np.all(np.isfinite(rates), axis=1)]
    middle = np.median(rates, axis=0) if len(rates) else np.ones(flow.size)
    return np.asarray(np.maximum(middle, max(1e-3 * float(np.max(middle, initial=0.0)), 1e-6)))
