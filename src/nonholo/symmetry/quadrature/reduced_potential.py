"""The reduced potential Ū(r) of one shape variable: its extrema and turning points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np

from nonholo.algebra.calculus import ZERO, gradient, symbols
from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.linear_equations import dot
from nonholo.algebra.numeric_functions import Rows
from nonholo.errors import StateError
from nonholo.symmetry.quadrature.vertical_velocity import Vertical, compiled, shape_state, vertical
from nonholo.symmetry.reduction.momentum.conserving_bases import adjoint_matrices
from nonholo.symmetry.reduction.reduction_record import ReductionRecord

GRID = 2001
"""How many shapes are looked at for changes of sign."""
LEVEL = 1e-11
"""Slopes smaller than this, relative to the potential there over its range, are rounding."""


@dataclass(frozen=True)
class Extremum:
    """A place where Ū' = 0: a relative equilibrium."""

    place: float
    value: float
    kind: Literal["minimum", "maximum", "flat"]
    rate: float
    """Angular frequency of small oscillations at a minimum, growth rate at a maximum: ``sqrt(|Ū''|/K̄)``."""


@dataclass(frozen=True, eq=False)
class ReducedPotential:
    """``Ū(r) = U + ½ K(Ω, Ω)`` for given momenta and parameters [MacDonnell 1997, Lemma 8.4.1].

    The shape moves as a point of mass ``K̄(r)`` in it: ``½ K̄ ṙ² + Ū = E``.
    """

    vertical: Vertical
    _numbers: Rows

    @property
    def reduction(self) -> ReductionRecord:
        """The reduction it belongs to."""
        return self.vertical.reduction

    @property
    def variable(self) -> str:
        """The name of the shape variable."""
        return self.vertical.variable

    @property
    def interval(self) -> tuple[float, float]:
        """Where Ū is known, up to singular points."""
        return self.vertical.interval

    def _at(self, r: Any, which: int) -> Any:
        found = self._numbers(self.vertical.rows(r))[:, which]
        return float(found[0]) if np.ndim(r) == 0 else found

    def __call__(self, r: Any) -> Any:
        """``Ū`` at a number or an array."""
        return self._at(r, 0)

    def derivative(self, r: Any) -> Any:
        """``dŪ/dr``, by the adjoint equation, not by differences."""
        return self._at(r, 1)

    def second(self, r: Any) -> Any:
        """``d²Ū/dr²``."""
        return self._at(r, 2)

    def mass(self, r: Any) -> Any:
        """``K̄``."""
        return self._at(r, 3)

    def starting(self, momenta: Sequence[float]) -> ReducedPotential:
        """The potential for other momenta at the same origin."""
        return ReducedPotential(self.vertical.starting(momenta), self._numbers)

    def window(self, low: float | None = None, high: float | None = None) -> tuple[float, float]:
        """The given part of the interval, checked."""
        a, b = self.interval
        edge = 1e-9 * (b - a)
        low, high = (a + edge if low is None else float(low)), (b - edge if high is None else float(high))
        if not (a - edge <= low < high <= b + edge):
            raise StateError(
                f"{self.reduction.system.name}: {self.variable} from {low:.6g} to {high:.6g} was asked for where the reduced "
                f"potential is known from {a:.6g} to {b:.6g}."
            )
        return max(low, a), min(high, b)

    def extrema(self, low: float | None = None, high: float | None = None) -> tuple[Extremum, ...]:
        """Minima and maxima in order: the relative equilibria, whose group motion is steady.

        Found by changes of sign of Ū' on a fine grid; two that are closer than the grid are not resolved.
        """
        from scipy.optimize import brentq

        points = self._grid(*self.window(low, high))
        slopes = self.derivative(points)
        # a level potential has no extrema, only rounding; measured where it is, for it may have a wall elsewhere
        level = LEVEL * np.abs(self(points)) / (points[-1] - points[0])
        slopes[np.abs(slopes) < level] = 0.0
        result = []
        for k in np.flatnonzero(slopes[:-1] * slopes[1:] < 0):
            place = float(brentq(self.derivative, points[k], points[k + 1], xtol=1e-14, rtol=1e-14))
            if abs(self.derivative(place)) < min(abs(slopes[k]), abs(slopes[k + 1])):  # else a pole
                result.append(self._extremum(place))
        alone = (slopes[1:-1] == 0) & (slopes[:-2] != 0) & (slopes[2:] != 0)
        result += [self._extremum(float(points[k + 1])) for k in np.flatnonzero(alone)]
        return tuple(sorted(result, key=lambda e: e.place))

    def _extremum(self, place: float) -> Extremum:
        bend, mass = self.second(place), self.mass(place)
        kind: Literal["minimum", "maximum", "flat"] = "minimum" if bend > 0 else "maximum" if bend < 0 else "flat"
        return Extremum(place, self(place), kind, float(np.sqrt(abs(bend) / mass)))

    def _grid(self, low: float, high: float) -> Numbers:
        """Dense near the ends, where singular points may be."""
        return np.asarray((low + high) / 2 - (high - low) / 2 * np.cos(np.linspace(0, np.pi, GRID)))

    def turning_points(self, energy: float, low: float | None = None, high: float | None = None) -> tuple[float, ...]:
        """Where ``Ū = E``, in order: one at most between neighbouring extrema."""
        from scipy.optimize import brentq

        a, b = self.window(low, high)
        points = self._grid(a, b)
        finite = points[np.isfinite(self(points))]
        if not len(finite):
            return ()
        knots = [float(finite[0]), *(e.place for e in self.extrema(a, b)), float(finite[-1])]
        heights = [self(k) - energy for k in knots]
        result = [k for k, height in zip(knots, heights) if height == 0]
        for k, (left, right) in enumerate(pairwise(heights)):
            if left * right < 0:
                root = brentq(lambda r: self(r) - energy, knots[k], knots[k + 1], xtol=1e-15, rtol=1e-15)
                root = self._polished(float(root), energy)
                if abs(self(root) - energy) < min(abs(left), abs(right)):  # else a pole
                    result.append(root)
        return tuple(sorted(result))

    def _polished(self, root: float, energy: float) -> float:
        slope = self.derivative(root)
        step = (self(root) - energy) / slope if slope else 0.0
        return root - step if abs(step) < 1e-9 * (1 + abs(root)) else root

    def energy(self, start: Mapping[str, Any]) -> float:
        """The energy of a start of the system: ``½ K̄ ṙ² + Ū``."""
        begin = shape_state(self.reduction, start, self.vertical.parameters)
        place, speed = begin[self.variable], begin[self.reduction.rates[0]]
        return float(self.mass(place) * speed**2 / 2 + self(place))

    def plot(self, **options: Any) -> Any:
        """A picture of Ū with its extrema (a matplotlib figure)."""
        from nonholo.integrate.results.presenters import presenter

        return presenter("potential")(self, **options)

    def __repr__(self) -> str:
        a, b = self.interval
        return f"ReducedPotential({self.reduction.system.name}, {self.variable} in [{a:.4g}, {b:.4g}])"


def potential(
    reduction: ReductionRecord,
    momenta: Mapping[str, float] | Sequence[float],
    parameters: Mapping[str, float] | None = None,
    at: float | None = None,
    reach: tuple[float, float] | None = None,
) -> ReducedPotential:
    """The reduced potential of one shape variable for the momenta of a start, or for ``p_a`` at the shape ``at``.

    >>> from nonholo.model.system import System
    >>> from nonholo.model.symmetry_declaration import Symmetry
    >>> from nonholo.symmetry.reduction.reduce import reduce
    >>> point = System(coordinates="r phi", parameters="m k", lagrangian="m/2*(rdot**2 + r**2*phidot**2) + k/r",
    ...                symmetry=Symmetry({"turn": {"phi": "1"}}))
    >>> kepler = potential(reduce(point), {"r": 1.0, "phidot": 1.2}, {"m": 1.0, "k": 1.0}, reach=(0.1, 9.0))
    >>> [(e.kind, round(e.place, 10)) for e in kepler.extrema()]
    [('minimum', 1.44)]
    """
    turning = vertical(reduction, momenta, parameters=parameters, at=at, reach=reach)
    frame = reduction.frame
    p, r = symbols(reduction.momenta), symbols(reduction.shape.names)
    N = adjoint_matrices(reduction.frame)[0]
    rates = [dot(row, p) for row in N]

    def total(expr: Any) -> Any:
        return dot(gradient(expr, r), [row[0] for row in frame.data.slopes]) + (
            dot(gradient(expr, p), rates) if p else ZERO
        )

    hill = frame.data.potential + dot(p, [dot(row, p) for row in frame.inverse_inertia]) / 2
    once = total(hill)
    return ReducedPotential(turning, compiled(reduction, [hill, once, total(once), frame.data.metric[0][0]]))
