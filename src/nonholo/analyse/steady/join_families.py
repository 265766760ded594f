"""Join steady motions into families by continuation along the zeros."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.analyse.steady.steady_equations import FLAT, Steady

SAME = 1e-5
"""States nearer than this are one."""
WALK = 0.5
"""Longest step on the way from one member of a family to another nearby."""
FARTHER = 0.1
"""Longest step from far away, as a part of the distance: families that extend to infinity are followed too."""
STRAIGHT = 0.02
"""A longer step is accepted when it ends this near, in parts of its length, to where its tangent points."""
ASTRAY, TURNED = 0.5, 0.85
"""A step was too long that ends farther than this, in parts of its length, from where its tangent points, or where the cosine
between the tangents is below the second number; it is tried again with half the length."""
SHORTEST = WALK / 64
LONGER = 3.0
"""Who goes straight on may go so many times farther in the next step."""
WALKS, ROUNDS, IDLE = 40, 12, 2
"""So many steps on a walk, rounds of walks, and rounds one after the other that join nothing are enough."""
NEIGHBOURS, TRIES = 4, 3
"""In a round a group looks for so many of its neighbours, from so many of its members each."""
PACE = 1 - 1 / WALKS
"""Who comes no nearer than this in a step would not arrive in a whole walk at his pace, and gives up."""


def families(steady: Steady, found: Numbers, period: Numbers) -> list[list[int]]:
    """The zeros in groups, each one family: two are joined when one can walk to the other along its family.

    In rounds every group tries its nearest neighbours among the others, from the members that are nearest to theirs and did
    not try yet: members of one family are not compared again.
    """
    n = steady.flow.size
    slopes = steady.slope(found)
    sizes = kernel_bases(steady, slopes)[1]
    group = np.arange(len(found))
    far = np.linalg.norm(gap(found[None, :, :n], found[:, None, :n], period) / steady.size[:n], axis=2)
    far[(sizes[:, None] != sizes) | (sizes == 0)] = np.inf
    idle = 0
    for _ in range(ROUNDS):
        pairs = _nearest(far, group)
        if not pairs or idle == IDLE:
            break
        first, second = np.array(pairs).T
        far[first, second] = np.inf  # tried
        alone = len(set(group.tolist())) == len(group)  # most are joined by the first walks: the others are gone in two ways
        same = walk_families(steady, found[first], found[second, :n], period, slopes[first], twice=not alone)
        idle = 0 if np.any(same) else idle + 1
        for i, j in np.array(pairs)[same]:
            group[group == group[j]] = group[i]
    return [np.flatnonzero(group == k).tolist() for k in dict.fromkeys(group.tolist())]


def _nearest(far: Numbers, group: NDArray[np.intp]) -> list[tuple[int, int]]:
    """For every group the pairs of members, its own first, that lead to its nearest neighbours among the others."""
    pairs: dict[tuple[int, int], None] = {}
    alone = len(set(group.tolist())) == len(group)
    for own in dict.fromkeys(group.tolist()):
        inside, outside = np.flatnonzero(group == own), np.flatnonzero(group != own)
        block = far[np.ix_(inside, outside)]
        met: dict[int, list[int]] = {}
        often, most = -(-TRIES // len(inside)), NEIGHBOURS // 2 if alone else NEIGHBOURS
        for place in np.argsort(block, axis=None, kind="stable"):
            i, j = int(inside[place // len(outside)]), int(outside[place % len(outside)])
            other = int(group[j])
            if not np.isfinite(far[i, j]):
                break
            known = met.get(other, [])
            if (not known and len(met) >= most) or known.count(i) >= often or len(known) >= TRIES:
                continue
            met.setdefault(other, []).append(i)
            if not alone or (j, i) not in pairs:
                pairs[i, j] = None
    return list(pairs)


def walk_families(
    steady: Steady, starts: Numbers, goals: Numbers, period: Numbers, slopes: Numbers | None = None, twice: bool = True
) -> NDArray[np.bool_]:
    """Which starts reach their goals by steps along the tangents of the family; ``slopes`` are those at the starts, if known.

    Every walk is gone ``twice``: as near to the goal as each step can come, which ends in valleys of curved families; and so
    that the variables by which the family can be told go straight to their values at the goal. At first the whole way is tried at
    once: where it does not end where the tangent points, short steps follow. Where families cross (a folded trailer and a
    straight one meet at rest) there are more tangents: a walk goes straight on, and nobody may change to the other family,
    whose tangents are others.
    """
    n, size, pairs = steady.flow.size, steady.size[: steady.flow.size], len(starts)
    slopes = steady.slope(starts) if slopes is None else slopes
    times = 2 if twice else 1
    at, goals = np.vstack([starts] * times), np.vstack([goals] * times)
    bases, widths = (np.concatenate([e] * times) for e in kernel_bases(steady, slopes))
    own = widths.copy()
    count, told = times * pairs, np.arange(times * pairs) >= pairs
    chosen = np.array([_telling(b[:, :w]) if t else np.ones(n, dtype=np.bool_) for b, w, t in zip(bases, widths, told)])
    before = np.zeros((count, n))
    same, waiting = np.zeros(count, dtype=np.bool_), np.ones(count, dtype=np.bool_)
    last, reach = np.full(count, np.inf), np.full(count, np.inf)
    for _ in range(WALKS):
        ahead = gap(goals, at[:, :n], period) / size
        far, left = np.linalg.norm(ahead, axis=1), np.linalg.norm(ahead * chosen, axis=1)
        same |= waiting & (far < SAME)
        arrived = np.any(same.reshape(times, pairs), axis=0)
        waiting &= ~np.tile(arrived, times) & (left >= SAME / 2) & (left < last * PACE)
        rows = np.flatnonzero(waiting)
        if not len(rows):
            break
        steps = _steps(bases[rows], ahead[rows], chosen[rows], told[rows])
        crossed = widths[rows] > own[rows]
        steps[crossed] = projection(before[rows[crossed], :, None], ahead[rows[crossed]])
        length = np.maximum(np.linalg.norm(steps, axis=1), 1e-300)
        short = np.maximum(WALK, FARTHER * far[rows])
        taken = np.minimum(length, np.where(reach[rows] < short, reach[rows], np.maximum(short, reach[rows])))
        guesses = at[rows, :n] + steps * (taken / length)[:, None] * size
        found = steady.approximate_zeros(steady.starts(guesses))
        good = np.isfinite(found.length)
        off = np.linalg.norm((found.at[:, :n] - guesses) / size, axis=1)
        there, wide = kernel_bases(steady, found.slope)
        good &= (wide > own[rows]) | similar_spans(bases[rows], there, np.minimum(own[rows], wide)) & (off <= ASTRAY * taken)
        straight = good & (off <= STRAIGHT * taken)
        again = ~good & (taken > SHORTEST) | ~straight & (taken > short)
        last[rows] = np.where(again, np.inf, left[rows])
        reach[rows] = np.where(straight, LONGER * taken, np.minimum(short, np.where(again, taken / 2, 2 * taken)))
        waiting[rows[~good & ~again]] = False
        moved = good & ~again
        here = rows[moved]
        at[here], widths[here], before[here] = found.at[moved], wide[moved], (steps / length[:, None])[moved]
        plain = moved & (wide <= own[rows])
        bases[rows[plain]] = there[plain]
    return np.asarray(np.any(same.reshape(times, pairs), axis=0))


def similar_spans(one: Numbers, two: Numbers, wide: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which bases span spaces that are nowhere turned far from each other."""
    cosines = np.linalg.svd(np.swapaxes(one, 1, 2) @ two, compute_uv=False)
    return np.asarray(cosines[np.arange(len(one)), np.maximum(wide, 1) - 1] > TURNED)


def _steps(bases: Numbers, ahead: Numbers, chosen: NDArray[np.bool_], told: NDArray[np.bool_]) -> Numbers:
    """The steps in the spaces of bases that come nearest, or in which the chosen variables change as they must."""
    steps = projection(bases, ahead)
    inverse = np.linalg.pinv(bases[told] * chosen[told, :, None], rcond=1e-6)
    steps[told] = (bases[told] @ (inverse @ (ahead[told] * chosen[told])[:, :, None]))[:, :, 0]
    return steps


def _telling(basis: Numbers) -> NDArray[np.bool_]:
    """As many variables as there are directions, which parametrise them: those that change most, in order."""
    rest, chosen = basis.copy(), np.zeros(len(basis), dtype=np.bool_)
    for _ in range(basis.shape[1]):
        pick = int(np.argmax(np.sum(rest**2, axis=1) * ~chosen))
        unit = rest[pick] / max(float(np.linalg.norm(rest[pick])), 1e-300)
        chosen[pick] = True
        rest = rest - np.outer(rest @ unit, unit)
    return chosen


def kernel_bases(steady: Steady, slopes: Numbers) -> tuple[Numbers, NDArray[np.intp]]:
    """At each zero a basis (columns, in sizes) of the directions in which zeros go on, filled up with nothing, and its width."""
    n = steady.flow.size
    count, rows, wide = slopes.shape
    _, sizes, directions = np.linalg.svd(np.nan_to_num(slopes), full_matrices=rows < wide)
    steep = np.sum(sizes > FLAT * np.maximum(sizes[:, :1], 1e-300), axis=1)
    free = np.where(np.arange(wide) >= steep[:, None], 1.0, 0.0)[:, :, None] * directions
    least = int(np.min(steep, initial=wide))
    bases, lengths, _ = np.linalg.svd(np.swapaxes(free[:, least:, :n], 1, 2) / steady.size[:n, None], full_matrices=False)
    kept = lengths > 1e-7 * np.maximum(1.0, lengths[:, :1]) if lengths.shape[1] else lengths > 0
    found = np.zeros((count, n, n))
    found[:, :, : bases.shape[2]] = bases * kept[:, None, :]
    return found, np.sum(kept, axis=1)


def projection(bases: Numbers, ahead: Numbers) -> Numbers:
    """Projection of each vector on the span of the columns of its basis."""
    return np.asarray((bases @ (np.swapaxes(bases, 1, 2) @ ahead[:, :, None]))[:, :, 0])


def gap(goal: Numbers, here: Numbers, period: Numbers) -> Numbers:
    """The difference of states, within half a turn where coordinates turn."""
    found = goal - here
    turning = np.isfinite(period)
    found[..., turning] = np.mod(found[..., turning] + np.pi, 2 * np.pi) - np.pi
    return found
