"""Which steady motions are one family: two are when one can walk to the other along the zeros."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonholo.analyse.behaviour.steady import FLAT, Steady

Numbers = NDArray[np.float64]
SAME = 1e-5
"""States nearer than this are one."""
WALK = 0.5
"""Longest step on the way from one member of a family to another nearby."""
FARTHER = 0.1
"""From far away this part of the distance: what goes straight on for ever is walked along all the same."""
STRAIGHT = 0.02
"""A longer step is believed when it ends this near, in parts of its length, to where its tangent points."""
LONGER = 3.0
"""Who goes straight on may go so many times farther in the next step."""
WALKS, ROUNDS, NEIGHBOURS = 40, 4, 2
"""So many steps on a walk, rounds of walks, and neighbours tried in each are enough."""
PACE = 1 - 1 / WALKS
"""Who comes no nearer than this in a step would not arrive in a whole walk at his pace, and gives up."""


def families(steady: Steady, found: Numbers, period: Numbers) -> list[list[int]]:
    """The zeros in groups, each one family: two are joined when one can walk to the other along its family.

    In rounds every group tries its nearest neighbours among the others, each from the members that are nearest to each other
    and were not tried: what is one family already is not walked through again.
    """
    n = steady.flow.size
    slopes = steady.slope(found)
    sizes = _ways(steady, slopes)[1]
    group = np.arange(len(found))
    far = np.linalg.norm(gap(found[None, :, :n], found[:, None, :n], period) / steady.size[:n], axis=2)
    far[(sizes[:, None] != sizes) | (sizes == 0)] = np.inf
    for _ in range(ROUNDS):
        pairs = _nearest(far, group)
        if not pairs:
            break
        first, second = np.array(pairs).T
        far[first, second] = far[second, first] = np.inf  # tried
        same = walked(steady, found[first], found[second, :n], period, slopes[first])
        for i, j in np.array(pairs)[same]:
            group[group == group[j]] = group[i]
    return [np.flatnonzero(group == k).tolist() for k in dict.fromkeys(group.tolist())]


def _nearest(far: Numbers, group: NDArray[np.intp]) -> list[tuple[int, int]]:
    """For every group the pair of members that leads to each of its nearest neighbours among the others."""
    pairs: dict[tuple[int, int], None] = {}
    for own in dict.fromkeys(group.tolist()):
        inside, outside = np.flatnonzero(group == own), np.flatnonzero(group != own)
        block = far[np.ix_(inside, outside)]
        met: list[int] = []
        for place in np.argsort(block, axis=None, kind="stable"):
            i, j = int(inside[place // len(outside)]), int(outside[place % len(outside)])
            if not np.isfinite(far[i, j]) or len(met) >= NEIGHBOURS:
                break
            if int(group[j]) not in met:
                met.append(int(group[j]))
                if (j, i) not in pairs:
                    pairs[i, j] = None
    return list(pairs)


def walked(
    steady: Steady, starts: Numbers, goals: Numbers, period: Numbers, slopes: Numbers | None = None
) -> NDArray[np.bool_]:
    """Which starts reach their goals by steps along the tangents of the family; ``slopes`` are those at the starts, if known.

    At first the whole way is tried at once: where it does not end where the tangent points, short steps follow. Where families
    cross (a folded trailer and a straight one meet at rest) there are more tangents: a walk goes straight on.
    """
    n, size, count = steady.flow.size, steady.size[: steady.flow.size], len(starts)
    at, slopes = starts.copy(), steady.slope(starts) if slopes is None else slopes.copy()
    own = np.full(count, -1)
    before = np.zeros((count, n))
    same, waiting = np.zeros(count, dtype=np.bool_), np.ones(count, dtype=np.bool_)
    last, reach = np.full(count, np.inf), np.full(count, np.inf)
    for _ in range(WALKS):
        ahead = gap(goals, at[:, :n], period) / size
        far = np.linalg.norm(ahead, axis=1)
        same |= waiting & (far < SAME)
        waiting &= (far >= SAME) & (far < last * PACE)
        places = np.flatnonzero(waiting)
        if not len(places):
            break
        bases, widths = _ways(steady, slopes[places])
        own[places] = np.where(own[places] < 0, widths, own[places])
        steps = _along(bases, ahead[places])
        crossed = widths > own[places]
        steps[crossed] = _along(before[places[crossed], :, None], ahead[places[crossed]])
        length = np.maximum(np.linalg.norm(steps, axis=1), 1e-300)
        short = np.maximum(WALK, FARTHER * far[places])
        taken = np.minimum(length, np.maximum(short, reach[places]))
        guesses = at[places, :n] + steps * (taken / length)[:, None] * size
        found = steady.landed(steady.starts(guesses))
        good = np.isfinite(found.length)
        off = np.linalg.norm((found.at[:, :n] - guesses) / size, axis=1)
        straight = good & (off <= STRAIGHT * taken)
        bold = ~straight & (taken > short)
        last[places] = np.where(bold, np.inf, far[places])
        reach[places] = np.where(straight, LONGER * taken, 0.0)
        waiting[places[~good & ~bold]] = False
        moved = good & ~bold
        at[places[moved]], slopes[places[moved]] = found.at[moved], found.slope[moved]
        before[places[moved]] = (steps / length[:, None])[moved]
    return same


def _ways(steady: Steady, slopes: Numbers) -> tuple[Numbers, NDArray[np.intp]]:
    """At each zero a basis (columns, in sizes) of the directions in which the zeros go on, filled up with nothing, and its width."""
    n = steady.flow.size
    count, rows, wide = slopes.shape
    _, sizes, directions = np.linalg.svd(slopes, full_matrices=rows < wide)
    steep = np.sum(sizes > FLAT * np.maximum(sizes[:, :1], 1e-300), axis=1)
    free = np.where(np.arange(wide) >= steep[:, None], 1.0, 0.0)[:, :, None] * directions
    least = int(np.min(steep, initial=wide))
    bases, lengths, _ = np.linalg.svd(np.swapaxes(free[:, least:, :n], 1, 2) / steady.size[:n, None], full_matrices=False)
    kept = lengths > 1e-7 * np.maximum(1.0, lengths[:, :1]) if lengths.shape[1] else lengths > 0
    return bases * kept[:, None, :], np.sum(kept, axis=1)


def _along(bases: Numbers, ahead: Numbers) -> Numbers:
    """Of each vector what lies in the space of the columns of its basis."""
    return np.asarray((bases @ (np.swapaxes(bases, 1, 2) @ ahead[:, :, None]))[:, :, 0])


def gap(goal: Numbers, here: Numbers, period: Numbers) -> Numbers:
    """The difference of states, within half a turn where coordinates turn."""
    found = goal - here
    turning = np.isfinite(period)
    found[..., turning] = np.mod(found[..., turning] + np.pi, 2 * np.pi) - np.pi
    return found
