"""What is measured of a loop in shape space: displacement with its slopes, effort, geometric phase, curvature integral."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from nonholo.control.gaits.driven_system import Loop, coefficient_names
from nonholo.control.gaits.horizontal_lift import HorizontalLift
from nonholo.errors import StateError
from nonholo.integrate.motion.motion_pieces import problem_of
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.system import System
from nonholo.notation.read import expression

Array = NDArray[np.float64]
SAMPLES = 256
"""Times of a period at which texts are read and curvature is summed."""
STEP = 1e-6
"""Of the coefficients, for the slopes of the start, which is cheap and smooth."""


ROUGH = 1e-2
"""Two rules for the curvature's integral that differ by more of its size have met singular shapes: it has no value."""


@dataclass(frozen=True, eq=False)
class Measure:
    """What is measured of loops."""

    system: System
    driven: System
    lift: HorizontalLift
    quantity: str
    numbers: Mapping[str, float]
    cycles: int
    settle: int
    per: str
    start: Mapping[str, float]
    held: tuple[str, ...] = ()
    """What a best loop shall not move."""

    def start_of(self, loop: Loop) -> dict[str, float]:
        """Shape and horizontal velocity at the beginning: no momentum but what the start says."""
        values, rates = loop.values(np.zeros(1))[0], loop.rates(np.zeros(1))[0]
        names = self.lift.coordinates
        begin = {c: float(self.start.get(c, e)) for c, e in zip(names, self.lift.identity.tolist())}
        begin |= dict(zip(loop.shape, values.tolist()))
        velocity = self.lift.at(np.array([begin[c] for c in names])) @ rates
        if not np.all(np.isfinite(velocity)):
            place = ", ".join(f"{c} = {begin[c]:.6g}" for c in loop.shape)
            raise StateError(f"{self.system.name}: gait: at {place} the constraints depend on each other; no shape can change.")
        if any(n not in names for n in self.start):
            return {**begin, **{n: e for n, e in self.start.items() if n not in loop.shape}}
        whole = {**begin, **{f"{c}dot": float(v) for c, v in zip(names, velocity)}}
        posed = problem_of(self.driven, whole, {**self.numbers, **loop.named()}, "hamel", {}).initial
        speeds = set(map(str, posed.equations.speeds))
        return {**begin, **{n: v for n, v in zip(posed.equations.state, posed.state.tolist()) if n in speeds}}

    def start_slopes(self, loop: Loop) -> tuple[list[str], Array]:
        """What of the start changes with the loop, and how, (name, coefficient)."""
        names = [n for n in self.start_of(loop) if n in loop.shape or (n not in self.lift.coordinates and n not in self.start)]
        slopes = np.empty((len(names), loop.coefficients.size))
        for k in range(loop.coefficients.size):
            ends = []
            for sign in (1.0, -1.0):
                table = loop.coefficients.copy()
                table.ravel()[k] += sign * STEP
                begin = self.start_of(replace(loop, coefficients=table))
                ends.append(np.array([begin[n] for n in names]))
            slopes[:, k] = (ends[0] - ends[1]) / (2 * STEP)
        return names, slopes

    def moved(self, loop: Loop, slopes: Sequence[str] = ()) -> tuple[Trajectory, Array, Array]:
        """The run, its displacement and those of what is held, and their derivatives, (displacement, coefficient)."""
        extra, changes = self.start_slopes(loop) if slopes else ([], np.zeros((0, 0)))
        span = loop.period * (self.settle + self.cycles)
        first = loop.period * self.settle
        grid = np.unique(np.concatenate([np.linspace(0.0, span, 64 * (self.settle + self.cycles) + 1), [first]]))
        watched = {f"displaced{k}": f"({e}) + 0" for k, e in enumerate((self.quantity, *self.held))}
        run = simulate(
            self.driven, self.start_of(loop), span, {**self.numbers, **loop.named()}, t_eval=grid, progress=False,
            rtol=1e-10, atol=1e-12, watch=watched, sensitivity=[*slopes, *extra] or None,
        )  # fmt: skip
        tilts = np.zeros((len(watched), len(slopes)))
        if not run.outcome.reached:
            return run, np.full(len(watched), math.nan), tilts
        k = int(np.argmin(np.abs(grid - first)))
        for row, name in enumerate(watched if slopes else ()):
            table = run.sensitivity.sel(quantity=name).values
            tilts[row] = (table[-1] - table[k])[: len(slopes)] + (table[-1] - table[k])[len(slopes) :] @ changes
        return run, np.array([float(run[n][-1] - run[n][k]) for n in watched]), tilts

    def effort(self, loop: Loop) -> float:
        """``∫ |ṙ|² dt`` over all cycles."""
        w = 2 * math.pi / loop.period
        orders = np.repeat(np.arange(1, loop.harmonics + 1), 2)
        return float(np.sum((loop.coefficients[:, 1:] * orders * w) ** 2)) * loop.period / 2 * self.cycles

    def score(self, loop: Loop, displacement: float) -> float:
        """What is compared."""
        if self.per == "effort":
            return displacement / max(self.effort(loop), 1e-12)
        return displacement / (self.cycles * (loop.period if self.per == "time" else 1.0))

    def geometric(self, loop: Loop) -> float:
        """The displacement of the horizontal lift of the loop: by the connection alone, which shares no code with the motion."""
        from scipy.integrate import solve_ivp

        names = self.lift.coordinates
        places = [names.index(c) for c in loop.shape]

        def flow(t: float, q: Array) -> Array:
            moved = q.copy()
            moved[places] = loop.values(np.array([t]))[0]
            return self.lift.at(moved) @ loop.rates(np.array([t]))[0]

        begin = self.start_of(loop)
        q = np.array([begin[c] for c in names])
        times = np.array([self.settle, self.settle + self.cycles]) * loop.period
        found = solve_ivp(flow, (0.0, float(times[1])), q, method="DOP853", rtol=1e-10, atol=1e-12, t_eval=times)
        read = expression(self.quantity, (*names, *self.system.parameters), f"{self.system.name}: displacement")
        if found.y.shape[1] < 2:
            return math.nan
        ends = [float(read.subs({**self.numbers, **dict(zip(names, y))})) for y in found.y.T.tolist()]
        return ends[1] - ends[0]

    def area(self, loop: Loop) -> float | None:
        """The curvature's integral over the inside of a plane loop, by triangles about the mean shape; None where infinite."""
        if len(loop.shape) != 2 or self.quantity not in self.lift.others:
            return None
        times = np.linspace(0.0, loop.period, SAMPLES + 1)
        curve = loop.values(times)
        centre = loop.coefficients[:, 0]
        nodes, weights = np.polynomial.legendre.leggauss(8)
        nodes, weights = (nodes + 1) / 2, weights / 2
        powers = np.vander(nodes[1:-1], increasing=True)
        fewer = np.concatenate([[0.0], np.linalg.solve(powers.T, 1 / np.arange(1, len(nodes) - 1)), [0.0]])
        total, coarse, size, k = 0.0, 0.0, 0.0, self.lift.coordinates.index(self.quantity)
        places = [self.lift.coordinates.index(c) for c in loop.shape]
        for a, b in pairwise(curve):
            p, d = (a + b) / 2 - centre, b - a
            twice = p[0] * d[1] - p[1] * d[0]
            for u, w, v in zip(nodes, weights, fewer):
                q = self.lift.identity.copy()
                q[places] = centre + u * p
                felt = u * twice * float(self.lift.curvature(q)[0, 1, k])
                total, coarse, size = total + w * felt, coarse + v * felt, size + w * abs(felt)
        return total * self.cycles if abs(total - coarse) <= ROUGH * size else None


def loop_names(names: Sequence[str], harmonics: int) -> list[str]:
    """All coefficients by name, in the order of the table."""
    return [n for row in coefficient_names(names, harmonics) for n in row]
