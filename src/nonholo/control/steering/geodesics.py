"""Normal sub-Riemannian geodesics of the constraint distribution with the kinetic energy as metric, and their conjugate points.

``H(q, p) = max (p·v − v·G v/2)`` over admissible v, which solves ``[[G, Aᵀ], [A, 0]] (v, λ) = (p, 0)``; then ``q̇ = v`` and
``ṗ = v·∂G v/2 + λ·∂A v``. Its motions are the vakonomic ones of the free particle, with the multipliers λ [Montgomery 2002].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.control.gaits.horizontal_lift import HorizontalLift, horizontal_lift
from nonholo.errors import StateError, meant
from nonholo.model.system import System, check_system, finite

Array = NDArray[np.float64]
STEP = 1e-4
"""Part of the covector by which it is varied for conjugate points."""
SAMPLES = 400


@dataclass(frozen=True, eq=False)
class Geodesic:
    """A normal geodesic from a start with an initial covector."""

    names: tuple[str, ...]
    times: Array
    points: Array
    """(time, coordinate)"""
    covectors: Array
    speed: float
    """``sqrt(2 H)``, constant along it."""
    multipliers: Array
    """λ at the start: those of the vakonomic form."""
    velocity: Array
    """q̇ at the start."""
    conjugate: float | None
    """The first time at which neighbouring geodesics from the start meet to first order; None before ``until``."""

    def __str__(self) -> str:
        meets = f"first conjugate time {self.conjugate:.6g}" if self.conjugate is not None else "no conjugate time on it"
        return f"normal geodesic in {', '.join(self.names)}: length {self.length:.6g} at speed {self.speed:.6g}; {meets}"

    @property
    def length(self) -> float:
        """The length of the whole curve; minimal up to the first conjugate time at most."""
        return self.speed * float(self.times[-1] - self.times[0])

    def __getitem__(self, name: str) -> Array:
        """A coordinate along the curve."""
        return np.asarray(self.points[:, self.names.index(name)])


def geodesic(
    s: System, start: Mapping[str, Any], covector: Mapping[str, Any], until: float, *, parameters: Mapping[str, Any] | None = None
) -> Geodesic:
    """The normal geodesic with this initial covector (by coordinate, 0 where none is given), and its first conjugate time.

    >>> import nonholo as nh
    >>> plane = nh.System(coordinates="x y z", lagrangian="(xdot**2 + ydot**2)/2", constraints=["zdot - x*ydot + y*xdot"])
    >>> curve = nh.control.geodesic(plane, {}, {"x": 1.0, "z": 2.0}, 2.0)
    >>> round(curve.length, 9), round(curve.conjugate, 6)  # a circle is closed after pi/p_z
    (2.0, 1.570796)
    """
    from scipy.integrate import solve_ivp
    from scipy.optimize import brentq

    check_system(s)
    lift = horizontal_lift(s, (), parameters)
    names, n = lift.coordinates, len(lift.coordinates)
    for name in (*start, *covector):
        if name not in names:
            near = meant(name, names, f"it has {', '.join(names)}.")
            raise StateError(f"{s.name}: geodesic: no coordinate is called {name!r}; {near}")
    q = np.array([finite(start.get(c, 0.0), f"{s.name}: start of {c}") for c in names])
    p = np.array([finite(covector.get(c, 0.0), f"{s.name}: covector of {c}") for c in names])
    end = finite(until, f"{s.name}: until")
    first, size = _solved(lift, q, p), STEP * (1.0 + float(np.max(np.abs(p))))
    speed = float(np.sqrt(max(0.0, float(p @ first[:n]))))
    if speed == 0.0 or end <= 0:
        raise StateError(f"{s.name}: geodesic: the covector moves nothing, or until is not positive; give others.")

    def flow(_: float, y: Array) -> Array:
        rates = [_rates(lift, part[:n], part[n:]) for part in y.reshape(-1, 2 * n)]
        return np.concatenate(rates)

    varied = [p, *(p + sign * size * e for e in np.eye(n) for sign in (1, -1))]
    begun = np.concatenate([np.concatenate([q, one]) for one in varied])
    times = np.linspace(0.0, end, SAMPLES + 1)
    found = solve_ivp(flow, (0.0, end), begun, method="DOP853", rtol=1e-10, atol=1e-12, t_eval=times, dense_output=True)

    def determinant(t: float) -> float:
        ends = found.sol(t).reshape(-1, 2 * n)[1:, :n]
        slopes = (ends[0::2] - ends[1::2]) / (2 * size)
        return float(np.linalg.det(slopes)) / t**n

    heights = [determinant(float(t)) for t in times[1:]]
    largest = max(map(abs, heights))
    settled = next((k for k, h in enumerate(heights) if abs(h) > 1e-6 * largest), 0)  # near the start it vanishes for all
    crossing = next((k for k in range(settled, len(heights) - 1) if heights[k] * heights[k + 1] <= 0), None)
    conjugate = float(brentq(determinant, times[crossing + 1], times[crossing + 2], xtol=1e-10)) if crossing is not None else None
    path = found.y[: 2 * n].T
    return Geodesic(names, times, path[:, :n], path[:, n:], speed, first[n:], first[:n], conjugate)


def _solved(lift: HorizontalLift, q: Array, p: Array) -> Array:
    """``(v, λ)`` at a point of the cotangent bundle."""
    matrix, _ = lift.bordered(q)
    right = np.zeros(len(matrix))
    right[: len(p)] = p
    return np.asarray(np.linalg.solve(matrix, right))


def _rates(lift: HorizontalLift, q: Array, p: Array) -> Array:
    matrix, slopes = lift.bordered(q)
    right = np.zeros(len(matrix))
    right[: len(p)] = p
    y = np.linalg.solve(matrix, right)
    return np.concatenate([y[: len(p)], np.einsum("i,kij,j->k", y, slopes, y) / 2])
