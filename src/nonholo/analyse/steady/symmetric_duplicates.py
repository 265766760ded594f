"""Remove symmetric duplicates of equilibria."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.flow.state_action import Action, action_of, velocities_of
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.orbits.recurrence import drawn
from nonholo.analyse.steady.join_families import walked
from nonholo.analyse.steady.steady_equations import Steady
from nonholo.analyse.steady.steady_families import tangents

Numbers = NDArray[np.float64]
STEPS = 12
"""So many steps along the symmetry towards another zero."""
PAIRS = 40
"""So many pairs are compared at most."""
POOR = 0.002
"""Speeds whose condition is poorer than this are not believed."""


@dataclass(frozen=True, eq=False)
class SymmetricDuplicates:
    """Moves whole states ``(x, ẋ)`` by the symmetry and reads them in the speeds of one flow."""

    steady: Steady
    period: Numbers
    action: Action

    @property
    def width(self) -> int:
        """How many coordinates there are."""
        return len(self.steady.flow.kernel.equations.coordinates)

    def seen(self, states: Numbers) -> Numbers:
        """``(x, ẋ)`` of states."""
        return np.hstack([states[:, : self.width], self.steady.flow.rates(states)[:, : self.width]])

    def drawn(self, point: Numbers, goal: Numbers) -> Numbers:
        """The image of a point that is nearest to a goal, from several places on its orbit."""
        angles = np.zeros(len(point), dtype=np.bool_)
        angles[: self.width] = np.isfinite(self.period[: self.width])
        size, none = np.ones(len(point)), np.zeros(len(self.action))
        jumps = [none, *(a * unit for unit in np.eye(len(none))[self.action.turning] for a in (np.pi, np.pi / 2, -np.pi / 2))]
        tries = [drawn(self.action, self.action.moved(jump, point), jump, goal, size, angles, STEPS) for jump in jumps]
        return min(tries, key=lambda t: t[0])[2]

    def read(self, point: Numbers) -> Numbers | None:
        """The state of a whole state; None where the speeds fail there or cannot say it."""
        flow, n, width = self.steady.flow, self.steady.flow.size, self.width
        state = np.concatenate([point[:width], np.zeros(n - width)])[None]
        slopes, rates = flow.slopes(state)[0, :width, width:], flow.rates(state)[0, :width]
        if not np.all(np.isfinite(slopes)) or not np.all(np.isfinite(rates)) or flow.conditions(state)[0] < POOR:
            return None
        state[0, width:] = np.linalg.lstsq(slopes, point[width:] - rates, rcond=1e-9)[0]
        gap = flow.rates(state)[0, :width] - point[width:]
        return state[0] if np.max(np.abs(gap), initial=0.0) < 1e-6 * (1 + np.max(np.abs(point))) else None

    def same(self, points: Numbers, goals: Numbers) -> NDArray[np.bool_]:
        """Which whole states are, but for the symmetry, of the family of zeros (unknowns, a row each)."""
        n = self.steady.flow.size
        result = np.zeros(len(points), dtype=np.bool_)
        read = [self.read(self.drawn(p, g)) for p, g in zip(points, self.seen(goals[:, :n]))]
        places = [k for k, state in enumerate(read) if state is not None]
        if places:
            starts = self.steady.settled(self.steady.starts(np.array([s for s in read if s is not None])), 20)
            good = np.all(np.isfinite(starts), axis=1)
            chosen = np.array(places)[good]
            if len(chosen):
                there = walked(self.steady, starts[good], goals[chosen, :n], self.period)
                result[chosen] = there
                left = ~there
                if np.any(left):
                    back = walked(self.steady, goals[chosen[left]], starts[good][left, :n], self.period)
                    result[chosen[left]] = back
        return result


def images_of(steady: Steady, period: Numbers) -> SymmetricDuplicates | None:
    """What compares zeros modulo the symmetry; None where nothing turns or the rates do not say all."""
    flow: Flow = steady.flow
    if not steady.moving or flow.said is None or velocities_of(flow.system):
        return None
    action = action_of(flow)
    return SymmetricDuplicates(steady, period, action) if action.turning else None


def joined(images: SymmetricDuplicates | None, found: Numbers, groups: list[list[int]]) -> list[list[int]]:
    """Groups of zeros, with those put together that are images of each other."""
    if images is None or len(groups) < 2:
        return groups
    n = images.steady.flow.size
    first = found[[g[0] for g in groups]]
    sizes = [(t.orbit.shape[1], t.across.shape[1]) for t in tangents(images.steady, first)]  # families end in others at rest
    pairs = [(i, j) for j in range(1, len(groups)) for i in range(j) if sizes[i] == sizes[j]][:PAIRS]
    if not pairs:
        return groups
    seen = images.seen(first[:, :n])
    same = images.same(seen[[j for _, j in pairs]], first[[i for i, _ in pairs]])
    owner = list(range(len(groups)))
    for (i, j), one in zip(pairs, same):
        if one and owner[j] == j:
            owner[j] = owner[i]
    return [[k for g, o in zip(groups, owner) if o == i for k in g] for i in dict.fromkeys(owner)]
