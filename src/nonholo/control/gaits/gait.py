"""``nh.gait``: where a periodic change of shape leads, what of it is geometry and what momentum, and the best such loop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.control.gaits.driven_system import Loop, coefficient_names, driven_system, fourier_loop
from nonholo.control.gaits.horizontal_lift import HorizontalLift, horizontal_lift
from nonholo.errors import StateError
from nonholo.integrate.motion.motion_pieces import problem_of
from nonholo.integrate.motion.simulate import simulate
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.model.system import System, check_system, finite, parameter_values
from nonholo.notation.read import expression

Array = NDArray[np.float64]
SAMPLES = 256
"""Times of a period at which bounds are kept and texts are read."""
PER = ("cycle", "time", "effort")
HARMONICS = 4
"""Harmonics of a loop that is given, unless told."""
STEP = 1e-6
"""Of the coefficients, for the slopes of the start, which is cheap and smooth."""


@dataclass(frozen=True, eq=False)
class Gait:
    """A loop in shape space and the displacement in its cycles.

    >>> [name for name in Gait.__dataclass_fields__ if name in ("displacement", "geometric", "dynamic")]
    ['displacement', 'geometric', 'dynamic']
    """

    system: System
    loop: Loop
    displacement: float
    """Of the named quantity, in all cycles, from the start or after those that settle."""
    geometric: float
    """The part of it that the connection makes: the motion with the momentum held at zero."""
    dynamic: float
    """The rest, made by momentum."""
    run: Trajectory
    cycles: int
    quantity: str
    effort: float
    """``∫ |ṙ|² dt`` over all cycles."""
    score: float
    """What was made as large as possible: displacement per cycle, time or effort."""
    area: float | None = None
    """The integral of the curvature over the inside of a plane loop, times the cycles: geometric to leading order."""
    better: FrozenMap[str, float] = field(default_factory=FrozenMap)
    """The score of the loop from which the search began, and of the best one."""

    def __str__(self) -> str:
        lines = [
            f"{self.system.name}: {self.quantity} moves by {self.displacement:.6g} in {self.cycles} cycle"
            f"{'s' * (self.cycles > 1)} of {self.loop.period:.4g} s",
            f"  geometric {self.geometric:.6g}, dynamic {self.dynamic:.6g}"
            + (f", curvature integral {self.area:.6g}" if self.area is not None else ""),
        ]
        for c, row in zip(self.loop.shape, self.loop.coefficients):
            words = ["", *(f" {f} {k}wt" for k in range(1, self.loop.harmonics + 1) for f in ("cos", "sin"))]
            series = [f"{e:+.4g}{word}" for e, word in zip(row, words) if e]
            lines.append(f"  {c} = {' '.join(series) or '0'}   (w = {2 * math.pi / self.loop.period:.4g}/s)")
        return "\n".join(lines)

    def __repr__(self) -> str:
        return f"<Gait of {self.system.name} in {', '.join(self.loop.shape)}: {self.quantity} {self.displacement:.6g}>"


def gait(
    s: System,
    shape: Mapping[str, Any] | Sequence[str],
    displacement: str = "x",
    parameters: Mapping[str, Any] | None = None,
    period: float = 2 * math.pi,
    cycles: int = 1,
    settle: int = 0,
    bounds: Mapping[str, float] | None = None,
    per: str = "cycle",
    harmonics: int | None = None,
    start: Mapping[str, Any] | None = None,
) -> Gait:
    """The displacement by a loop in shape space; the best loop where the shape variables are only named.

    ``shape`` gives a text in t (or a function, or values at equally spaced times of the period) for each shape variable, or just
    their names: then the Fourier series of the loop are chosen, within ``bounds`` on each variable's size, so that
    ``displacement`` (a name or text in the coordinates) per ``"cycle"``, ``"time"`` or ``"effort"`` is largest. Motions
    begin with zero momentum unless ``start`` gives other velocities, and are measured over ``cycles`` after ``settle`` more.

    >>> import nonholo as nh
    >>> board = nh.gallery.get("snakeboard")
    >>> drive = nh.gait(board.system, {"psi": "1.1*sin(t)", "phi": "0.4*sin(t)"}, "x", board.parameters)
    >>> round(drive.displacement, 4), round(drive.geometric, 12), drive.dynamic == drive.displacement - drive.geometric
    (0.3943, 0.0, True)
    """
    check_system(s)
    if per not in PER:
        raise StateError(f"{s.name}: gait: per = {per!r}; choose from {', '.join(PER)}.")
    period = finite(period, f"{s.name}: period")
    if period <= 0 or cycles < 1 or settle < 0:
        raise StateError(f"{s.name}: gait: a period > 0, one cycle or more and no negative settling are needed.")
    numbers = parameter_values(s, parameters)
    names = tuple(map(str, shape))
    given = dict(shape) if isinstance(shape, Mapping) else None
    count = harmonics or (1 if given is None else HARMONICS)
    lift = horizontal_lift(s, names, numbers)
    asked = _Measure(s, driven_system(s, names, count), lift, displacement, numbers, cycles, settle, per, dict(start or {}))
    if given is not None:
        return asked.answer(fourier_loop(_sampled(s, given, period), period, count), {})
    from nonholo.control.gaits.gait_search import best_loop

    limits = {n: abs(finite(e, f"{s.name}: bounds of {n}")) for n, e in (bounds or {}).items()}
    if set(limits) != set(names):
        example = f"bounds={{{names[0]!r}: 0.7}}"
        raise StateError(f"{s.name}: gait: bounds for every shape variable are needed to find the best loop, e.g. {example}.")
    loop, scores = best_loop(asked, names, count, period, limits)
    return asked.answer(loop, scores)


def _sampled(s: System, shape: dict[str, Any], period: float) -> dict[str, Any]:
    """Texts and functions at equally spaced times."""
    times = np.arange(SAMPLES) * period / SAMPLES
    result: dict[str, Any] = {}
    for name, e in shape.items():
        if callable(e):
            result[name] = [float(e(t)) for t in times.tolist()]
        elif isinstance(e, (list, tuple, np.ndarray)):
            result[name] = np.asarray(e, dtype=float)
        else:
            read = expression(e, ("t",), f"{s.name}: gait {name}")
            result[name] = [float(read.subs({"t": t})) for t in times.tolist()]
    return result


@dataclass(frozen=True, eq=False)
class _Measure:
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

    def start_of(self, loop: Loop) -> dict[str, Any]:
        """Shape and horizontal velocity at the beginning: no momentum but what the start says."""
        values, rates = loop.values(np.zeros(1))[0], loop.rates(np.zeros(1))[0]
        names = self.lift.coordinates
        begin = {c: float(self.start.get(c, 0.0)) for c in names}
        begin |= dict(zip(loop.shape, values.tolist()))
        velocity = self.lift.at(np.array([begin[c] for c in names])) @ rates
        if any(n not in names for n in self.start):
            return {**begin, **{n: e for n, e in self.start.items() if n not in loop.shape}}
        whole = {**begin, **{f"{c}dot": float(v) for c, v in zip(names, velocity)}}
        posed = problem_of(self.driven, whole, {**self.numbers, **loop.named()}, "hamel", {}).prepared
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

    def moved(self, loop: Loop, slopes: Sequence[str] = ()) -> tuple[Trajectory, float, Array]:
        """The run, its displacement and the displacement's derivatives."""
        extra, changes = self.start_slopes(loop) if slopes else ([], np.zeros((0, 0)))
        span = loop.period * (self.settle + self.cycles)
        first = loop.period * self.settle
        grid = np.unique(np.concatenate([np.linspace(0.0, span, 64 * (self.settle + self.cycles) + 1), [first]]))
        run = simulate(
            self.driven, self.start_of(loop), span, {**self.numbers, **loop.named()}, t_eval=grid, progress=False,
            rtol=1e-10, atol=1e-12, watch={"displaced": f"({self.quantity}) + 0"}, sensitivity=[*slopes, *extra] or None,
        )  # fmt: skip
        if not run.outcome.reached:
            return run, math.nan, np.zeros(len(slopes))
        values = np.asarray(run["displaced"])
        k = int(np.argmin(np.abs(grid - first)))
        tilt = np.zeros(len(slopes))
        if slopes:
            table = run.sensitivity.sel(quantity="displaced").values
            tilt = (table[-1] - table[k])[: len(slopes)] + (table[-1] - table[k])[len(slopes) :] @ changes
        return run, float(values[-1] - values[k]), tilt

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

    def answer(self, loop: Loop, scores: Mapping[str, float]) -> Gait:
        """Everything about one loop."""
        run, total, _ = self.moved(loop)
        if not run.outcome.reached:
            raise StateError(f"{self.system.name}: gait: the motion under this loop ended early: {run.outcome}")
        geometric = self.geometric(loop)
        return Gait(
            self.system, loop, total, geometric, total - geometric, run, self.cycles, self.quantity, self.effort(loop),
            self.score(loop, total), self.area(loop), FrozenMap(dict(scores)),
        )  # fmt: skip

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
        ends = [float(read.subs({**self.numbers, **dict(zip(names, y))})) for y in found.y.T.tolist()]
        return ends[1] - ends[0]

    def area(self, loop: Loop) -> float | None:
        """The curvature's integral over the inside of a plane loop: Green's theorem by triangles about the mean shape."""
        if len(loop.shape) != 2 or self.quantity not in self.lift.others:
            return None
        times = np.linspace(0.0, loop.period, SAMPLES + 1)
        curve = loop.values(times)
        centre = loop.coefficients[:, 0]
        nodes, weights = np.polynomial.legendre.leggauss(8)
        nodes, weights = (nodes + 1) / 2, weights / 2
        total, k = 0.0, self.lift.coordinates.index(self.quantity)
        places = [self.lift.coordinates.index(c) for c in loop.shape]
        for a, b in pairwise(curve):
            p, d = (a + b) / 2 - centre, b - a
            twice = p[0] * d[1] - p[1] * d[0]
            for u, w in zip(nodes, weights):
                q = np.zeros(len(self.lift.coordinates))
                q[places] = centre + u * p
                total += w * u * twice * float(self.lift.curvature(q)[0, 1, k])
        return total * self.cycles


def loop_names(names: Sequence[str], harmonics: int) -> list[str]:
    """All coefficients by name, in the order of the table."""
    return [n for row in coefficient_names(names, harmonics) for n in row]
