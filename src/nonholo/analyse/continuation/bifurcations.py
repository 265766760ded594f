"""Locate folds, branch points, Hopf points and collisions along a branch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.continuation.steady_curve import Curve, Followed
from nonholo.analyse.stability.spectrum import ZERO, Spectrum, number

EVEN = np.linspace(0.0, 1.0, 13)
"""Parts of the way that are tried first; inside of a bracket every third again, so that it shrinks to a quarter at least."""
CLOSE = np.array([0.0, *(s * 10.0**-k for k in (2, 4, 6, 8) for s in (-1, 1))])
"""So near the interpolated zero, in parts of the bracket, others are tried: it mostly shrinks by many digits."""
ROUNDS, RESOLVED = 40, 1e-13
DEGREE = 5
Complex = NDArray[np.complex128]
SAME = 1e-8
"""Points nearer than this (in sizes) are one."""
FEW = 5
"""So many eigenvalues are matched by trying all orders."""


def sign_change(function: Callable[[Numbers], Numbers], low: float = 0.0, high: float = 1.0) -> float | None:
    """A place between ``low`` and ``high`` where a continuous function, evaluated at many places at once, changes sign.

    The bracket is cut at even places and around the zero of the polynomial through the nearest known values, until it is as
    short as rounding. None where the ends have one sign or no value.

    >>> round(sign_change(lambda x: x**3 - 0.2), 12), sign_change(lambda x: x + 1)
    (0.584803547643, None)
    """
    places = low + (high - low) * EVEN
    values = np.asarray(function(places), dtype=np.float64)
    if not np.all(np.isfinite(values[[0, -1]])) or values[0] * values[-1] > 0:
        return None
    places, values = places[np.isfinite(values)], values[np.isfinite(values)]
    for _ in range(ROUNDS):
        k = _bracket(values)
        left, right = float(places[k]), float(places[k + 1])
        width = right - left
        if values[k] == 0.0 or values[k + 1] == 0.0 or width < RESOLVED * max(abs(low), abs(high)):
            break
        guess = _interpolated(places, values, k)
        trial = np.concatenate([left + width * EVEN[3:-1:3], guess + width * CLOSE])
        trial = np.unique(trial[(trial > left) & (trial < right)])
        if not len(trial):
            break
        found = np.asarray(function(trial), dtype=np.float64)
        good = np.isfinite(found)
        order = np.argsort(np.concatenate([places, trial[good]]), kind="stable")
        places = np.concatenate([places, trial[good]])[order]
        values = np.concatenate([values, found[good]])[order]
    k = _bracket(values)
    return float(places[k] if abs(values[k]) <= abs(values[k + 1]) else places[k + 1])


def _bracket(values: Numbers) -> int:
    """The first pair of neighbours between which the sign changes."""
    return int(np.flatnonzero(values[:-1] * values[1:] <= 0)[0])


def _interpolated(places: Numbers, values: Numbers, k: int) -> float:
    """The zero of the polynomial through the nearest known values inside a bracket, by halving it."""
    left, right = float(places[k]), float(places[k + 1])
    near = np.sort(np.argsort(np.abs(places - (left + right) / 2), kind="stable")[: DEGREE + 1])
    near = np.union1d(near, [k, k + 1])
    x = (places[near] - left) / (right - left)
    table = values[near].copy()
    for j in range(1, len(x)):  # Newton's divided differences
        table[j:] = (table[j:] - table[j - 1 : -1]) / (x[j:] - x[:-j])
    if not np.all(np.isfinite(table)):
        return (left + right) / 2

    def at(place: float) -> float:
        total = 0.0
        for coefficient, node in zip(table[::-1].tolist(), x[::-1].tolist()):
            total = total * (place - node) + coefficient
        return total

    low, high, sign = 0.0, 1.0, float(np.sign(values[k])) or -float(np.sign(values[k + 1]))
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if at(middle) * sign > 0 else (low, middle)
    return left + (right - left) * (low + high) / 2


@dataclass(frozen=True, eq=False)
class Special:
    """A point of a branch where something changes."""

    kind: str
    """``fold``, ``branch point``, ``Hopf point`` or ``collision``."""
    value: float
    """Of what is varied."""
    state: FrozenMap[str, float]
    eigenvalue: complex
    """The mode that passes zero or the imaginary axis."""
    along: str = ""
    unknowns: Numbers = field(default_factory=lambda: np.zeros(0), repr=False)
    """All unknowns of the curve there."""
    way: Numbers = field(default_factory=lambda: np.zeros(0), repr=False)
    """The direction of the branch there, in sizes."""

    def __str__(self) -> str:
        return f"{self.kind} at {self.along} = {self.value:.12g}, mode {number(self.eigenvalue)}"


def tracked(values: Sequence[Complex]) -> Complex:
    """Eigenvalues at successive points in columns, each followed to the nearest at the next point."""
    if not values:
        return np.zeros((0, 0), dtype=np.complex128)
    rows = [np.asarray(values[0])]
    for one in values[1:]:
        last = rows[-1] if len(rows) < 2 else 2 * rows[-1] - rows[-2]
        rows.append(one[_matched(np.abs(last[:, None] - one[None, :]))])
    return np.array(rows).reshape(len(rows), len(rows[0]))


def _matched(cost: Numbers) -> Any:
    """The assignment of columns to rows that costs least."""
    nearest = np.argmin(cost, axis=1) if cost.size else np.zeros(0, dtype=np.int64)
    if len(set(nearest.tolist())) == len(cost):
        return nearest
    if len(cost) <= FEW:
        orders = np.array(list(permutations(range(len(cost)))))
        return orders[int(np.argmin(np.sum(cost[np.arange(len(cost)), orders], axis=1)))]
    from scipy.optimize import linear_sum_assignment

    return linear_sum_assignment(cost)[1]


def specials(curve: Curve, points: Numbers, parts: Sequence[Spectrum], unstable: NDArray[np.int64]) -> tuple[Special, ...]:
    """All of them, in the order of the branch."""
    result: list[tuple[float, Special]] = []
    for k in range(len(points) - 1):
        if k and (points[k + 1, -1] - points[k, -1]) * (points[k, -1] - points[k - 1, -1]) < 0:
            around = points[k - 1], points[k], points[k + 1]
            result.append((k, _special(curve, fold(curve, *around), "fold", points[k + 1] - points[k - 1])))
        for function, kind in _tests(parts[k], parts[k + 1], int(unstable[k]), int(unstable[k + 1])):
            found = located(curve, points[k], points[k + 1], function)
            if found is not None:
                result.append((k + 0.5, _special(curve, found, kind, points[k + 1] - points[k])))
    folds = [place for place, one in result if one.kind == "fold"]
    kept = [
        (place, one)
        for place, one in result
        # a mode passes zero at every fold: another branch is there only where the equations vanish in a second direction
        if one.kind != "branch point" or not any(abs(place - f) < 1 for f in folds) or curve.kernel(one.unknowns).shape[1] > 1
    ]
    return _without_repetition(curve, [one for _, one in sorted(kept, key=lambda item: item[0])])


def _without_repetition(curve: Curve, found: Sequence[Special]) -> tuple[Special, ...]:
    """The same without what was found twice, at both sides of a point of the grid."""
    result: list[Special] = []
    for one in found:
        gap = np.inf
        if result and result[-1].kind == one.kind:
            gap = float(np.max(np.abs(one.unknowns - result[-1].unknowns) / curve.size))
        if gap > SAME:
            result.append(one)
    return tuple(result)


def _tests(one: Spectrum, two: Spectrum, before: int, after: int) -> list[tuple[Callable[[Spectrum], float], str]]:
    """Functions that change sign between two points, and what that means."""
    found: list[tuple[Callable[[Spectrum], float], str]] = []
    changes = bool(len(one.matrix)) and (_determinant(one) < 0) != (_determinant(two) < 0)
    crossing = changes and not (_has_zero_mode(one) and _has_zero_mode(two))
    if crossing:
        found.append((_determinant, "branch point"))
    rest = abs(after - before) - (1 if crossing else 0)
    if rest >= 2 or (rest == 1 and not crossing):
        wild = two if before < after else one
        lead = wild.values[int(np.argmax(wild.values.real))]
        if abs(lead.imag) <= 1e-9 * abs(lead):
            found.append((_smallest, "branch point"))  # several at once, as a symmetry has it
        else:
            mirror = float(np.min(np.abs(wild.values + lead.conjugate())))  # what leaves the axis in fours has a mirror image
            found.append((_lead, "collision") if mirror < 1e-6 * wild.scale else (_nearest_pair, "Hopf point"))
    return found


def _determinant(parts: Spectrum) -> float:
    """The product of the modes, in sizes: it changes sign where one passes zero."""
    return float(np.linalg.det(parts.matrix / parts.scale)) if len(parts.matrix) else 1.0


def _has_zero_mode(parts: Spectrum) -> bool:
    """Whether a mode is zero there; where it is so all along, the sign of the determinant is rounding's."""
    return float(np.linalg.svd(parts.matrix, compute_uv=False)[-1]) < ZERO * parts.scale


def _smallest(parts: Spectrum) -> float:
    """Negative before the smallest mode passes zero, positive behind: itself, or its square where it has a mirror image."""
    values = parts.values
    mode = complex(values[int(np.argmin(np.abs(values)))])
    others = np.delete(values, int(np.argmin(np.abs(values))))
    mirrored = float(np.min(np.abs(others + mode), initial=np.inf)) < 1e-6 * parts.scale
    return (mode**2).real if mirrored else mode.real


def _nearest_pair(parts: Spectrum) -> float:
    """The real part, nearest to zero, of a pair with a frequency."""
    pairs = [v for v in parts.values if v.imag > 1e-9 * abs(v)]
    return float(min((v.real for v in pairs), key=abs)) if pairs else float("nan")


def _lead(parts: Spectrum) -> float:
    """Positive where a mode has left the imaginary axis, negative before: by half of what rounding makes of a double root."""
    return float(np.max(parts.values.real)) - 1e-6 * parts.scale


def located(curve: Curve, one: Numbers, two: Numbers, function: Callable[[Spectrum], float]) -> Numbers | None:
    """The point between two neighbours where a function of the linear flow vanishes."""

    def at(shares: Numbers) -> Numbers:
        return np.array([function(parts) for parts in curve.linear_flows(_points_between(curve, one, two, shares))])

    share = sign_change(at)
    return None if share is None else _points_between(curve, one, two, np.array([share]))[0]


def _points_between(curve: Followed, one: Numbers, two: Numbers, shares: Numbers) -> Numbers:
    """Points of the curve between two neighbours, at some parts of the way."""
    guesses = one + shares[:, None] * (two - one)
    found = np.full(guesses.shape, np.nan)
    if abs(two[-1] - one[-1]) > 1e-9 * curve.reach:
        found = curve.solved(guesses, 12)
    way = (two - one) / curve.size
    for k in np.flatnonzero(~np.all(np.isfinite(found), axis=1)):
        other = curve.corrected(guesses[k], way / np.linalg.norm(way))
        found[k] = guesses[k] if other is None else other
    return found


def located_orbit(curve: Followed, one: Numbers, two: Numbers, function: Callable[[Spectrum], float]) -> Numbers | None:
    """The same where every point costs a motion: one after another, as few as possible."""
    from scipy.optimize import brentq

    def point(share: float) -> Numbers:
        return np.asarray(_points_between(curve, one, two, np.array([share]))[0])

    def at(share: float) -> float:
        return function(curve.linear_flows(point(share)[None])[0])

    ends = at(0.0), at(1.0)
    if not np.all(np.isfinite(ends)):
        return None
    for share, end in zip((0.0, 1.0), ends):
        if abs(end) < 1e-13:
            return point(share)
    if ends[0] * ends[1] > 0:
        return None
    return point(float(brentq(at, 0.0, 1.0, xtol=1e-14, rtol=1e-14, maxiter=60)))


def fold(curve: Followed, one: Numbers, two: Numbers, three: Numbers) -> Numbers:
    """The point where what is varied turns back, by the vanishing of its part of the tangent."""
    from scipy.optimize import brentq

    size = curve.size

    def point(share: float) -> tuple[Numbers, Numbers]:
        start, end, part = (one, two, share) if share < 1 else (two, three, share - 1)
        way = (three - one) / size
        way = way / np.linalg.norm(way)
        found = curve.corrected(start + part * (end - start), way)
        return (start + part * (end - start) if found is None else found), way

    def slope(share: float) -> float:
        found, way = point(share)
        tangent = curve.tangent(found, way)
        return float(tangent[-1]) if tangent is not None else float("nan")

    ends = slope(0.0), slope(2.0)
    share = 1.0
    if np.all(np.isfinite(ends)) and ends[0] * ends[1] < 0:
        try:
            share = float(brentq(slope, 0.0, 2.0, xtol=1e-13))
        except ValueError:  # no tangent on the way: the middle of the three is all that is known
            share = 1.0
    return point(share)[0]


def _special(curve: Curve, point: Numbers, kind: str, step: Numbers) -> Special:
    flow = curve.at(point[-1]).flow
    values = curve.linear_flows(point[None])[0].values
    if kind in ("branch point", "fold"):
        mode = min(values, key=abs, default=0.0)
    else:
        pairs = [v for v in values if v.imag > 1e-9 * abs(v)]
        mode = min(pairs, key=lambda v: abs(v.real), default=0.0)
    way = step / curve.size
    state = FrozenMap(flow.full(point[: flow.size]))
    return Special(kind, float(point[-1]), state, complex(mode), curve.along, point, way / np.linalg.norm(way))
