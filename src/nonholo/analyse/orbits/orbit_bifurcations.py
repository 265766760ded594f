"""Bifurcations of families of orbits: multipliers through 1, −1 or the unit circle."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.algebra.subspaces import span
from nonholo.analyse.continuation.bifurcations import fold, located_orbit
from nonholo.analyse.orbits.floquet import multipliers, parts_of, transversal_kernel, trivial
from nonholo.analyse.orbits.shooting import ENOUGH, Shooting
from nonholo.analyse.stability.spectrum import Spectrum, number
from nonholo.analyse.steady.equilibria import POOR
from nonholo.analyse.steady.equilibrium_record import without_rounding
from nonholo.analyse.steady.many_zeros import corrected

SHRUNK = 0.03
"""Orbits smaller than this (in sizes of the first) are about to become steady motions."""


@dataclass(frozen=True, eq=False)
class SpecialOrbit:
    """An orbit of a family where something changes."""

    kind: str
    """``fold``, ``branch point``, ``period doubling``, ``Neimark–Sacker point`` or ``collision``."""
    value: float
    """Of what is varied."""
    period: float
    state: FrozenMap[str, float]
    multiplier: complex
    """The one that passes 1, −1 or the unit circle."""
    along: str = ""

    def __str__(self) -> str:
        return f"{self.kind} at {self.along} = {self.value:.12g}, period {self.period:.10g}, multiplier {number(self.multiplier)}"


@dataclass(frozen=True, eq=False)
class OrbitCurve:
    """A family as `followed` sees it."""

    shooting: Shooting
    still: tuple[int, ...]
    """How many multipliers 1 belong to the family, then to the rest."""

    @property
    def along(self) -> str:
        """What is varied."""
        return self.shooting.along or ""

    @property
    def reach(self) -> float:
        """A typical size of what is varied."""
        return self.shooting.step

    @property
    def size(self) -> Numbers:
        """A typical size of every unknown."""
        return self.shooting.size

    def tangent(self, unknowns: Numbers, before: Numbers | None = None) -> Numbers | None:
        """The direction of the curve (in sizes), across flow and symmetry."""
        if not np.isfinite(self.shooting.gaps(unknowns[None])[0]):
            return None
        ways = transversal_kernel(self.shooting, unknowns)
        if not ways.shape[1]:
            return None
        way = ways[:, 0] if before is None else ways @ (ways.T @ before)
        length = float(np.linalg.norm(way))
        return np.asarray(way / length) if length > 1e-3 else None

    def corrected(self, guess: Numbers, way: Numbers) -> Numbers | None:
        """The orbit in the plane across ``way`` through a guess."""
        found = corrected(self.shooting.both, guess, way, self.size, ENOUGH, 1e-7)
        return None if found is None else self.shooting.tidy(found)

    def solved(self, unknowns: Numbers, steps: int = 30) -> Numbers:
        """Orbits at the given values of what is varied."""
        return self.shooting.solved(unknowns, steps, held=True)

    def sensible(self, unknowns: Numbers) -> bool:
        """Whether the speeds serve at every node and the period is one."""
        shooting = self.shooting
        carrier = shooting.at(unknowns)
        serve = [carrier.initial(c, unknowns[p]).condition > POOR for c, p in zip(shooting.charts, shooting.places)]
        return all(serve) and float(unknowns[shooting.period]) > 1e-3 * shooting.reach and self.extent(unknowns) > SHRUNK

    def extent(self, unknowns: Numbers) -> float:
        """How far an orbit goes beyond the motion of the symmetry, in typical sizes of the first one."""
        return float(np.linalg.norm(self.velocity(unknowns))) * float(unknowns[self.shooting.period])

    def velocity(self, unknowns: Numbers) -> Numbers:
        """The rate at the first node beyond the motion of the symmetry, in sizes."""
        columns = trivial(self.shooting, unknowns)
        rate = self.shooting.at(unknowns).rate(self.shooting.charts[0], unknowns[self.shooting.places[0]])
        orbit = span(columns[:, 1:])
        return np.asarray((rate - orbit @ (orbit.T @ rate)) / self.shooting.sizes[0])

    def linear_flows(self, points: Numbers) -> list[Spectrum]:
        """The linear return less 1 at each orbit."""
        return [parts_of(self.shooting, u, self.still) for u in points]


def special_orbits(
    curve: OrbitCurve, points: Numbers, parts: Sequence[Spectrum], values: Sequence[Any], unstable: NDArray[np.int64]
) -> tuple[SpecialOrbit, ...]:
    """Where something changes, in the order of the family."""
    result: list[tuple[float, SpecialOrbit]] = []
    for k in range(len(points) - 1):
        turned = k > 0 and (points[k + 1, -1] - points[k, -1]) * (points[k, -1] - points[k - 1, -1]) < 0
        if turned:
            result.append((k, _special(curve, fold(curve, points[k - 1], points[k], points[k + 1]), "fold")))
        for function, kind in _tests(parts[k], parts[k + 1], values[k], values[k + 1], int(unstable[k]), int(unstable[k + 1])):
            found = located_orbit(curve, points[k], points[k + 1], function)
            if found is not None:
                result.append((k + 0.5, _special(curve, found, kind)))
    folds = [place for place, one in result if one.kind == "fold"]
    kept = [r for r in result if r[1].kind != "branch point" or not any(abs(r[0] - f) < 1 for f in folds)]
    return tuple(one for _, one in sorted(kept, key=lambda item: item[0]))


def _tests(
    one: Spectrum, two: Spectrum, before: Any, after: Any, first: int, second: int
) -> list[tuple[Callable[[Spectrum], float], str]]:
    """Functions that change sign between two orbits, and what that means."""
    if not len(one.matrix):
        return []
    found: list[tuple[Callable[[Spectrum], float], str]] = []
    for function, kind in ((_test_at_one, "branch point"), (_test_at_minus_one, "period doubling")):
        if (function(one) < 0) != (function(two) < 0):
            found.append((function, kind))
    if not found and abs(second - first) >= 2:
        wild = after if first < second else before
        lead = wild[0]
        if abs(lead.imag) > 1e-6 * abs(lead):
            mirror = float(np.min(np.abs(wild - 1 / lead.conjugate())))
            found.append((_leaving, "collision") if mirror < 1e-5 else (_nearest_pair, "Neimark–Sacker point"))
    return found


def _test_at_one(parts: Spectrum) -> float:
    """Changes sign where a multiplier passes 1."""
    return float(np.linalg.det(parts.matrix / max(1.0, parts.scale)))


def _test_at_minus_one(parts: Spectrum) -> float:
    """Changes sign where a multiplier passes −1."""
    return float(np.linalg.det((parts.matrix + 2 * np.eye(len(parts.matrix))) / max(1.0, parts.scale)))


def _nearest_pair(parts: Spectrum) -> float:
    """The size less 1, nearest to zero, of a pair."""
    pairs = [v for v in multipliers(parts) if v.imag > 1e-9 * abs(v)]
    return float(min((abs(v) - 1 for v in pairs), key=abs)) if pairs else float("nan")


def _leaving(parts: Spectrum) -> float:
    """Positive where a pair has left the circle, by more than rounding makes of a double one."""
    return float(np.max(np.abs(multipliers(parts)))) - 1 - 1e-5 * max(1.0, parts.scale)


def _special(curve: OrbitCurve, point: Numbers, kind: str) -> SpecialOrbit:
    shooting = curve.shooting
    values = [complex(v) for v in multipliers(curve.linear_flows(point[None])[0])]
    goal = {"branch point": 1.0, "fold": 1.0, "period doubling": -1.0}.get(kind)
    if goal is not None:
        told_one = min(values, key=lambda v: abs(v - goal), default=1.0 + 0j)
    else:
        told_one = min((v for v in values if v.imag > 0), key=lambda v: abs(abs(v) - 1), default=1.0 + 0j)
    names = shooting.charts[0].equations.state
    state = dict(zip(names, without_rounding(point[shooting.places[0]]).tolist()))
    carrier = shooting.at(point)
    state |= shooting.charts[0].velocities(carrier.row(shooting.charts[0], point[shooting.places[0]]))
    return SpecialOrbit(kind, float(point[-1]), float(point[shooting.period]), FrozenMap(state), told_one, curve.along)
