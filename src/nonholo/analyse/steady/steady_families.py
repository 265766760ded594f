"""Families of steady motions: their tangents, members with simple numbers, and removal of symmetric duplicates."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.subspaces import kernels, outside, span, spans
from nonholo.analyse.flow.state_action import Action, action_of, nearer_image, velocities_of
from nonholo.analyse.flow.state_flow import Flow
from nonholo.analyse.linear.linear_variables import chart
from nonholo.analyse.steady.join_families import kernel_bases, similar_spans, walk_families
from nonholo.analyse.steady.steady_equations import FLAT, Region, Steady, wrapped

STEPS = 12
"""So many steps along the symmetry towards another zero."""
PAIRS = 40
"""So many pairs are compared at most."""
POOR = 0.002
"""States whose speeds have a poorer condition are discarded."""
STEP = 0.02
"""Step along a family by which its continuation is tested."""
LEAP = 1.5
"""Longest step on the way to a simple member nearby; from far away half of the way is one step."""
CROSSING = 1e-4
"""Slopes below this part of the largest indicate that another family is near."""
ASTRAY = 0.1
"""A member further than this part of a step from where the tangent points belongs to another family."""
HOMEWARD = 40
MIXTURES = ((1.0, 0.9, 1.1, 0.95, 1.05, 0.85), (1.0, -1.1, 0.9, -0.95, 1.05, -1.15))
"""Weights of the directions of a family in which it must go on too: where families cross it does not."""
MIXED = 0.07
"""A mixture leads on when zeros are at most this part of a step short of it."""


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

    def places_and_rates(self, states: Numbers) -> Numbers:
        """``(x, ẋ)`` of states."""
        return np.hstack([states[:, : self.width], self.steady.flow.rates(states)[:, : self.width]])

    def nearest_image(self, point: Numbers, goal: Numbers) -> Numbers:
        """The image of a point that is nearest to a goal, from several places on its orbit."""
        angles = np.zeros(len(point), dtype=np.bool_)
        angles[: self.width] = np.isfinite(self.period[: self.width])
        size, none = np.ones(len(point)), np.zeros(len(self.action))
        jumps = [none, *(a * unit for unit in np.eye(len(none))[self.action.turning] for a in (np.pi, np.pi / 2, -np.pi / 2))]
        tries = [nearer_image(self.action, self.action.image(jump, point), jump, goal, size, angles, STEPS) for jump in jumps]
        return min(tries, key=lambda t: t[0])[2]

    def read(self, point: Numbers) -> Numbers | None:
        """The state that belongs to ``(x, ẋ)``; None where the speeds degenerate or do not determine it."""
        flow, n, width = self.steady.flow, self.steady.flow.size, self.width
        state = np.concatenate([point[:width], np.zeros(n - width)])[None]
        slopes, rates = flow.frames(state)[0], flow.rates(state)[0, :width]
        if not np.all(np.isfinite(slopes)) or not np.all(np.isfinite(rates)) or flow.conditions(state)[0] < POOR:
            return None
        state[0, width:] = np.linalg.lstsq(slopes, point[width:] - rates, rcond=1e-9)[0]
        gap = flow.rates(state)[0, :width] - point[width:]
        return state[0] if np.max(np.abs(gap), initial=0.0) < 1e-6 * (1 + np.max(np.abs(point))) else None

    def same(self, points: Numbers, goals: Numbers) -> NDArray[np.bool_]:
        """Which whole states are, but for the symmetry, of the family of zeros (unknowns, a row each)."""
        n = self.steady.flow.size
        result = np.zeros(len(points), dtype=np.bool_)
        read = [self.read(self.nearest_image(p, g)) for p, g in zip(points, self.places_and_rates(goals[:, :n]))]
        places = [k for k, state in enumerate(read) if state is not None]
        if places:
            starts = self.steady.newton_zeros(self.steady.starts(np.array([s for s in read if s is not None])), 20)
            good = np.all(np.isfinite(starts), axis=1)
            chosen = np.array(places)[good]
            if len(chosen):
                there = walk_families(self.steady, starts[good], goals[chosen, :n], self.period)
                result[chosen] = there
                left = ~there
                if np.any(left):
                    back = walk_families(self.steady, goals[chosen[left]], starts[good][left, :n], self.period)
                    result[chosen[left]] = back
        return result


def images_of(steady: Steady, period: Numbers) -> SymmetricDuplicates | None:
    """Comparison of zeros modulo the symmetry; None where nothing rotates or the rates do not determine the state."""
    flow: Flow = steady.flow
    if not steady.moving or flow.given_system is None or velocities_of(flow.system):
        return None
    action = action_of(flow)
    return SymmetricDuplicates(steady, period, action) if action.turning else None


def merge_images(images: SymmetricDuplicates | None, found: Numbers, groups: list[list[int]]) -> list[list[int]]:
    """Groups of zeros, with those put together that are images of each other."""
    if images is None or len(groups) < 2:
        return groups
    n = images.steady.flow.size
    first = found[[g[0] for g in groups]]
    sizes = [(t.orbit.shape[1], t.across.shape[1]) for t in tangents(images.steady, first)]  # families end in others at rest
    pairs = [(i, j) for j in range(1, len(groups)) for i in range(j) if sizes[i] == sizes[j]][:PAIRS]
    if not pairs:
        return groups
    seen = images.places_and_rates(first[:, :n])
    same = images.same(seen[[j for _, j in pairs]], first[[i for i, _ in pairs]])
    owner = list(range(len(groups)))
    for (i, j), one in zip(pairs, same):
        if one and owner[j] == j:
            owner[j] = owner[i]
    return [[k for g, o in zip(groups, owner) if o == i for k in g] for i in dict.fromkeys(owner)]


@dataclass(frozen=True, eq=False)
class Direction:
    """A tangent direction of a family, by its free variable: slopes of all state variables by it."""

    name: str
    slopes: FrozenMap[str, float]
    symmetry: bool = False
    """Whether it only leads along the orbits of the symmetry."""

    @property
    def others(self) -> tuple[str, ...]:
        """What changes together with the free variable."""
        return tuple(n for n, e in self.slopes.items() if n != self.name and abs(e) > 1e-9)

    def __str__(self) -> str:
        parts = [f"{n} {self.slopes[n]:+.4g}" for n in self.others]
        return self.name + (f" (with {', '.join(parts)})" if parts else "")


@dataclass(frozen=True, eq=False)
class Tangents:
    """Tangent directions (columns) of the zeros at one of them: along orbits of the symmetry, and across."""

    orbit: Numbers
    across: Numbers
    crossing: Numbers = field(default_factory=lambda: np.zeros((0, 0)))
    """Tangent directions of other families that cross this one here."""

    @property
    def whole(self) -> Numbers:
        """Both."""
        return np.hstack([self.orbit, self.across])


def tangents(steady: Steady, unknowns: Numbers, limit: float = FLAT) -> list[Tangents]:
    """At each zero the kernel of the equations of steady motions, as states, split by the symmetry."""
    n = steady.flow.size
    fields = steady.flow.generator_fields(unknowns[:, :n])[0]
    result = []
    for free, orbit in zip(kernels(steady.slope(unknowns), limit), spans(np.swapaxes(fields, 1, 2))):
        found = span(free[:n], 1e-7)
        if not steady.moving:
            orbit = span(found @ (found.T @ orbit))
        result.append(Tangents(orbit, outside(found, orbit)))
    return result


def goes_on(steady: Steady, unknowns: Numbers, tangent: Tangents) -> Tangents:
    """The same without directions in which there are no zeros after all, tried by a step in each and in their mixtures.

    Where families cross each of their directions leads to zeros and a mixture does not: the largest family is chosen (the first
    of equal ones), and the others' directions are listed apart.
    """
    across = tangent.across
    if not across.shape[1] or _one_family(steady, unknowns, across):
        return tangent
    free = free_variables(steady, across)
    plain = across @ np.linalg.inv(across[free])
    plain = plain / np.linalg.norm(plain, axis=0)
    ways = plain[:, _zeros_continue(steady, unknowns, plain)]
    count = ways.shape[1]
    for size in range(count, 0, -1):
        for some in combinations(range(count), size):
            if _one_family(steady, unknowns, ways[:, some]):
                rest = [k for k in range(count) if k not in some]
                return Tangents(tangent.orbit, span(ways[:, some]), ways[:, rest])
    return Tangents(tangent.orbit, ways[:, :0])


def _one_family(steady: Steady, unknowns: Numbers, ways: Numbers) -> bool:
    """Whether zeros continue in every direction of the span of some columns: in each of them, and in combinations."""
    if not np.all(_zeros_continue(steady, unknowns, ways)):
        return False
    count = ways.shape[1]
    mixed = np.array(MIXTURES)[:, :count] @ ways.T if 1 < count <= len(MIXTURES[0]) else np.zeros((0, len(ways)))
    mixed = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
    return bool(np.all(_zeros_continue(steady, unknowns, mixed.T, MIXED))) if len(mixed) else True


def _zeros_continue(steady: Steady, unknowns: Numbers, ways: Numbers, limit: float = 0.5) -> NDArray[np.bool_]:
    """Whether zeros continue in each direction (a column), on one side at least."""
    n, count = steady.flow.size, ways.shape[1]
    both = np.hstack([ways, -ways]).T
    found = steady.newton_zeros(steady.starts(unknowns[:n] + STEP * both), 25)[:, :n]
    moved = np.einsum("ki,ki->k", found - unknowns[:n], both)
    good = np.isfinite(moved) & (np.abs(moved - STEP) < limit * STEP)
    return np.asarray(good[:count] | good[count:])


def brought_home(steady: Steady, unknowns: Numbers) -> Numbers:
    """The same zeros moved by the group as near as possible to the home of the system, configuration by configuration."""
    flow, n = steady.flow, steady.flow.size
    width = len(flow.kernel.equations.coordinates)
    if not len(flow.fields) or not len(unknowns):
        return unknowns
    at = _shifted(flow, unknowns[:, :n], width)
    for _ in range(HOMEWARD):
        fields = flow.generator_fields(at)[0]
        weights = _toward_home(flow, at, fields[:, :, :width])
        longest = np.linalg.norm(weights, axis=1, keepdims=True)
        if np.max(longest, initial=0.0) < 1e-10:
            break
        weights *= np.minimum(1.0, 0.5 / np.maximum(longest, 1e-300))

        def along(states: Numbers, by: Numbers = weights[:, None]) -> Numbers:
            return np.asarray((by @ flow.generator_fields(states)[0])[:, 0])

        one = (weights[:, None] @ fields)[:, 0]
        two = along(at + one / 2)
        three = along(at + two / 2)
        at = at + (one + 2 * two + 2 * three + along(at + three)) / 6
    found = steady.newton_zeros(steady.starts(at), 20)
    good = np.all(np.isfinite(found), axis=1)
    return np.where(good[:, None], found, unknowns)


def _shifted(flow: Flow, states: Numbers, width: int) -> Numbers:
    """The states moved home by those generators alone whose fields are everywhere the same: one step of any length."""
    fields, slopes = flow.generator_fields(states)
    plain = [a for a in range(len(flow.fields)) if not np.any(slopes[:, a]) and np.all(fields[:, a] == fields[0, a])]
    shifts = fields[:, plain]
    return np.asarray(states + (_toward_home(flow, states, shifts[:, :, :width])[:, None] @ shifts)[:, 0])


def _toward_home(flow: Flow, states: Numbers, fields: Numbers) -> Numbers:
    """The weights of generators (by their fields on the coordinates) that lead nearest to home, to first order."""
    inverse = np.linalg.pinv(np.swapaxes(np.nan_to_num(fields), 1, 2), rcond=1e-9)
    width = fields.shape[2]
    return np.asarray((inverse @ (flow.home[:width] - states[:, :width])[:, :, None])[:, :, 0])


def simple_member(steady: Steady, unknowns: Numbers, tangent: Tangents, region: Region, period: Numbers) -> Numbers:
    """A member of the family whose free variables are those of the home, or round numbers, where there is one in the region."""
    flow, n = steady.flow, steady.flow.size
    free = free_variables(steady, tangent.whole)
    here = unknowns[free]
    round_ones = np.round(here)
    lively = np.where(round_ones == 0, np.where(here < 0, -1.0, 1.0), round_ones)
    width = len(flow.kernel.equations.coordinates)
    moving = np.array([i >= width for i in free])
    ahead = np.where(moving, 1.0, flow.home[free])
    straight = np.where(np.cumsum(moving) == moving, ahead, flow.home[free])  # the first speed alone
    others = [ahead, np.where(moving, lively, round_ones), round_ones, lively, np.round(here, 1)]
    # a family that begins at rest is represented by a member that moves
    resting = steady.moving and np.any(moving) and not np.any(flow.home[free][moving])
    for wish in [straight, flow.home[free], *others] if resting else [flow.home[free], *others]:
        found = _stepped_member(steady, unknowns, wish, free)
        if found is None or not region.inside(flow, found[None, :n])[0]:
            continue
        # nor is it where another family crosses, or nearly so
        if tangents(steady, found[None], CROSSING)[0].whole.shape == tangent.whole.shape:
            return np.concatenate([wrapped(found[:n], period), found[n:]])
    return unknowns


def _stepped_member(steady: Steady, found: Numbers, wish: Numbers, free: list[int]) -> Numbers | None:
    """The member whose free variables have the wished values, by steps in the tangent; None when they do not lead there.

    A step that ends far from where its tangent points, or where tangents are others, has fallen on another family: a shorter
    one is tried.
    """
    n, size = steady.flow.size, steady.size[: steady.flow.size]
    basis, wide = kernel_bases(steady, steady.slope(found[None]))
    share = 1.0
    for _ in range(48):
        gap = (wish - found[free]) / size[free]
        if np.max(np.abs(gap * size[free]), initial=0.0) < 1e-12:
            found = steady.newton_zeros(found[None], 25)[0]
            return found if np.all(np.isfinite(found)) else None
        step = basis[0] @ np.linalg.lstsq(basis[0][free], gap, rcond=None)[0]
        length = float(np.linalg.norm(step))
        if not np.isfinite(length) or length > 100 * (1 + float(np.linalg.norm(gap))):
            return None
        step = step * share * min(1.0, max(LEAP, length / 2) / max(length, 1e-300))
        trial = steady.approximate_zeros(steady.starts((found[:n] + step * size)[None]), 25)
        there, broad = kernel_bases(steady, trial.slope)
        off = float(np.linalg.norm((trial.at[0, :n] - found[:n]) / size - step))
        near = np.isfinite(trial.length[0]) and off <= ASTRAY * float(np.linalg.norm(step)) + 1e-9
        if near and (broad[0] > wide[0] or similar_spans(basis, there, np.minimum(wide, broad))[0]):
            found, share = trial.at[0], min(1.0, 2 * share)
            basis = there if broad[0] <= wide[0] else basis
            continue
        share /= 2
        if share < 1 / 64:
            return None
    return None


def free_variables(steady: Steady, basis: Numbers) -> list[int]:
    """Variables that parametrise the family, as many as it has directions; earlier ones are preferred."""
    if not basis.shape[1]:
        return []
    gap = np.eye(len(basis)) - basis @ basis.T
    return chart(steady.flow.name, steady.flow.names, gap[None])[0]


def directions(steady: Steady, tangent: Tangents) -> tuple[Direction, ...]:
    """The directions by the variables that are free, those across the symmetry first."""
    result = []
    for basis, symmetry in ((tangent.across, False), (tangent.orbit if not steady.moving else tangent.orbit[:, :0], True)):
        free = free_variables(steady, basis)
        if not free:
            continue
        slopes = basis @ np.linalg.inv(basis[free])
        for k, i in enumerate(free):
            table = {n: float(e) for n, e in zip(steady.flow.names, slopes[:, k]) if abs(e) > 1e-9}
            result.append(Direction(steady.flow.names[i], FrozenMap(table), symmetry))
    return tuple(result)
