"""Lyapunov spectra on the manifold of states, with error bars."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import gamma, pi, sin
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.chaos.variational_qr import Growth, growth
from nonholo.analyse.chaos.zero_exponents import ZeroExponent, attribute_zeros, reasons_for_zeros
from nonholo.analyse.stability.conserved_expansions import integrals_of
from nonholo.derive.equations import Equations
from nonholo.errors import StateError
from nonholo.finding import Finding
from nonholo.integrate.contacts.mode_changes import refuse_switching
from nonholo.integrate.methods.method_record import Method
from nonholo.integrate.motion.formulation import InitialValue
from nonholo.integrate.motion.integration import Path
from nonholo.integrate.motion.motion_pieces import Problem, problem_of
from nonholo.integrate.motion.simulate import chosen_method, trajectory_of
from nonholo.integrate.motion.trajectory import Trajectory
from nonholo.integrate.outcome import Outcome
from nonholo.integrate.results.lazy_results import LazyResults
from nonholo.integrate.results.presenters import presenter
from nonholo.model.system import System, check_system, finite, with_inputs

LEAST = 16
"""With fewer blocks no error is given."""
LOWEST = 6
"""The mean power of so many of the lowest frequencies is what a mean over the whole time sees."""
MEMORY = 12, 40
"""The slope of the power towards low frequencies is taken from so many of them, the gentler of both; none if the signs differ."""
LONGEST, AGAINST = 0.35, -0.1
"""The largest exponent of memory that is accepted (at 1/2 there would be no mean at all), and the least: growth that is made up
for by what follows it, as in Lorenz's equations, has less power at low frequencies."""
STICKS = 0.25
"""The least memory of chaos that keeps volume: motions stick to islands for times t as often as t^(-3/2), correlations fall
as t^(-1/2) [Karney 1983; Chirikov, Shepelyansky 1984], whether a finite motion has met one or not."""
SURE = 3.0
"""A rate that is so many errors away from zero is none of regular motion."""
SMOOTH = 9
"""Swings shorter than so many blocks to either side do not add up: they count at both ends alone."""
BLOCKS = 200
"""The motion is cut into so many blocks."""
KEPT = 0.05
"""Volume counts as conserved where it shrinks by less than this part of the rate at which neighbours part."""


def mean_rates(edges: Numbers, logs: Numbers, origin: float, sticks: bool = False) -> tuple[Numbers, Numbers]:
    """Rates at which sums of ``logs`` (blocks, directions) grow with the time, and their standard errors.

    The square of an error is the sum of two parts:

    - what adds up: the power spectrum of the blocks at its lowest frequencies, over their number [Heidelberger, Welch 1981].
      Where it grows towards them as ``f^(−2d)`` (motions that stick to islands remember long), d from a fit of its logarithm
      [Geweke, Porter-Hudak 1983], it is continued to what the mean sees: ``Var = T^(2d−1) c κ(d)``, see `_continued`;
    - what does not: twice the variance of the sum about its moving mean, over the time squared. A tangent swings as it turns, and
      the two ends of the time catch it anywhere in its swing.

    Where the flow ``sticks`` (it keeps volume), rates that are not zero have at least the memory of sticky islands.

    Where the sum grows like the logarithm of the time since ``origin`` rather than like the time the error is at least the rate
    itself: tangents of regular motions grow like powers, and their exponent is zero.

    >>> edges = np.linspace(0.0, 100.0, 401)
    >>> walk = np.random.default_rng(0).normal(0.3, 0.5, (400, 1)) * 0.25
    >>> rate, error = mean_rates(edges, walk, 0.0)
    >>> round(float(rate[0]), 2), round(float(error[0]), 3)
    (0.28, 0.02)
    >>> power = np.diff(np.log(1.0 + edges))[:, None]
    >>> rate, error = mean_rates(edges, power, -1.0)
    >>> bool(rate[0] <= error[0])
    True
    """
    blocks, count = logs.shape
    if not blocks:
        return np.full(count, np.nan), np.full(count, np.nan)
    span = float(edges[-1] - edges[0])
    rates = logs.sum(axis=0) / span
    if blocks < LEAST:
        return rates, np.full(count, np.nan)
    passed = edges - edges[0]
    sums = np.vstack([np.zeros((1, count)), np.cumsum(logs, axis=0)])
    swings = 2 * _swings(sums)
    errors = np.sqrt(np.array([_added(logs[:, k]) for k in range(count)]) * blocks + swings) / abs(span)
    if sticks:
        longer = np.sqrt(np.array([_added(logs[:, k], STICKS) for k in range(count)]) * blocks + swings) / abs(span)
        errors = np.where(np.abs(rates) > SURE * errors, longer, errors)
    since = np.abs(edges - origin)
    later = since > 0
    straight = _misfit(passed[later], sums[later])
    curved = _misfit(np.log(since[later]), sums[later])
    return rates, np.where(curved < straight, np.maximum(errors, np.abs(rates)), errors)


def _added(values: Numbers, least: float = AGAINST) -> float:
    """The variance of a sum of numbers over how many they are, from their power at low frequencies, with at least a memory."""
    count = len(values)
    power = (np.abs(np.fft.rfft(values - values.mean())) ** 2 / count)[1:]
    if not np.any(power > 0):
        return 0.0
    low, high = sorted(_memory(power[: min(wide, count // 3)]) for wide in MEMORY)
    memory = min(LONGEST, max(least, low if low > 0 else min(high, 0.0)))
    lowest = power[:LOWEST]
    return float(np.mean(lowest * np.arange(1.0, len(lowest) + 1) ** (2 * memory))) * _continued(memory)


def _memory(power: Numbers) -> float:
    """The exponent d of a power ``f^(−2d)``, by least squares of the logarithms."""
    along = np.log(np.arange(1.0, len(power) + 1))
    along -= along.mean()
    return -float(np.sum(along * np.log(np.maximum(power, 1e-300))) / np.sum(along**2)) / 2


def _continued(memory: float) -> float:
    """``κ(d) = ∫ |u|^(−2d) (sin πu / πu)² du = 2 π^(2d−1) 2^(2d) Γ(−1−2d) sin πd``: 1 for d = 0.

    >>> round(_continued(0.0), 6), round(_continued(1e-5), 3), round(_continued(0.4), 2), round(_continued(-0.1), 2)
    (1.0, 1.0, 8.4, 0.78)
    """
    if abs(memory) < 1e-6:
        return 1.0
    return float(2 * pi ** (2 * memory - 1) * 4**memory * gamma(-1 - 2 * memory) * sin(pi * memory))


def _swings(sums: Numbers) -> Numbers:
    """The variance of sums about their moving means, for each column."""
    wide = min(SMOOTH, (len(sums) - 2) // 4)
    heap = np.vstack([np.zeros((1, sums.shape[1])), np.cumsum(sums, axis=0)])
    means = (heap[2 * wide + 1 :] - heap[: -2 * wide - 1]) / (2 * wide + 1)
    return np.asarray(np.var(sums[wide : len(sums) - wide] - means, axis=0))


def _misfit(by: Numbers, values: Numbers) -> Numbers:
    """The squares left by the best straight line over ``by``, for each column."""
    table = np.column_stack([np.ones(len(by)), by])
    left = values - table @ np.linalg.lstsq(table, values, rcond=None)[0]
    return np.asarray(np.sum(left**2, axis=0))


@dataclass(frozen=True, eq=False)
class Lyapunov:
    """The exponents of one motion, largest first. Made by `lyapunov`.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2")
    >>> found = nh.lyapunov(swing, {"q": 1}, until=50)
    >>> [zero.kind for zero in found.zeros], found.chaotic, bool(abs(found.exponents[0]) < 0.01)
    (['flow', 'integral'], False, True)
    """

    name: str
    exponents: Numbers
    errors: Numbers
    """Standard errors of the exponents."""
    zeros: tuple[ZeroExponent, ...]
    """Exponents that must be zero and why, and others that are zero within their errors."""
    sum: float
    """The sum of all exponents; NaN where only some were requested."""
    divergence: float
    """The mean divergence of the flow on the manifold along the same motion, by quadrature: what the sum must be."""
    outcome: Outcome
    """How the motion ended; what was computed until then is what is here."""
    transient: float
    """The time that was left out at the beginning."""
    times: Numbers = field(repr=False)
    logs: Numbers = field(repr=False)
    """(times, exponents): logarithms of the growth since the end of the transient."""
    run: Trajectory = field(repr=False)
    """The motion itself."""
    parameters: FrozenMap[str, float] = field(repr=False)

    @property
    def chaotic(self) -> bool:
        """Whether the largest exponent is positive by more than three errors, as on an unstable steady motion too."""
        return bool(len(self.exponents) and self.exponents[0] > SURE * self.errors[0])

    @property
    def dimension(self) -> float:
        """Kaplan's and Yorke's dimension on the level of the integrals modulo the symmetry: without the zeros of both."""
        drop = sum(z.kind in ("symmetry", "integral") for z in self.zeros)
        order = np.argsort(np.abs(self.exponents), kind="stable")
        left = np.sort(np.delete(self.exponents, order[:drop]))[::-1]
        sums = np.cumsum(left)
        inside = np.flatnonzero(sums >= -1e-12)
        k = int(inside[-1]) + 1 if len(inside) else 0
        return float(k if k == len(left) else k + (sums[k - 1] if k else 0.0) / abs(left[k]))

    @cached_property
    def data(self) -> Any:
        """The running means as an xarray Dataset over (t, exponent)."""
        import xarray as xr

        with np.errstate(invalid="ignore", divide="ignore"):
            running = self.logs / (self.times - self.times[0])[:, None]
        table: dict[str, Any] = {"running": (("t", "exponent"), running)}
        table |= {"value": (("exponent",), self.exponents), "error": (("exponent",), self.errors)}
        return xr.Dataset(table, coords={"t": self.times}, attrs={"system": self.name, "outcome": str(self.outcome)})

    def plot(self, **options: Any) -> Any:
        """The running means against the time, with the errors at the end: axes of a figure."""
        return presenter("plot")(self, **options)

    def __str__(self) -> str:
        span = f"t = {self.times[0]:g} … {self.times[-1]:g}"
        end = "" if self.outcome.reached else f"; {self.outcome}"
        if not len(self.times) > 1:
            return f"{self.name}: no exponents, the motion ended in its transient{end}"
        word = "neighbours part exponentially" if self.chaotic else "no exponential growth within the errors"
        lines = [f"{self.name}: {word}, {span}{end}"]
        lines.append("  exponents " + ", ".join(f"{v:.5g} ± {e:.2g}" for v, e in zip(self.exponents, self.errors)))
        if np.isfinite(self.sum):
            lines.append(f"  sum {self.sum:.6g}, mean divergence {self.divergence:.6g}")
        lines += [f"  zero: {zero}" for zero in self.zeros]
        return "\n".join(lines)


def lyapunov(
    system: System | Equations,
    start: Mapping[str, Any] | None = None,
    until: float = 1000.0,
    parameters: Mapping[str, Any] | None = None,
    *,
    transient: float | None = None,
    count: int | None = None,
    method: str | Method = "dop853",
    rtol: float = 1e-9,
    atol: float = 1e-12,
    inputs: Mapping[str, Any] | None = None,
    integrals: Sequence[Finding] | None = None,
    **options: Any,
) -> Lyapunov:
    """The Lyapunov exponents of the motion from ``start``, as many as its states have dimensions (or the ``count`` largest).

    Tangents of the manifold of states (redundant coordinates, holonomic and nonlinear constraints leave only these) move by the
    exact variational equations and are made orthonormal again and again [Benettin et al. 1980; Shimada, Nagashima 1979]. The
    first ``transient`` (a tenth unless given) is left out. Errors estimate how far the mean over a finite time may be from its
    limit. ``integrals`` are those to explain zeros by (searched for when not given;
    ``()`` for none). A motion that ends early gives the exponents until there; ``outcome`` says why. Equations by
    hand, or those of a `Reduction`, are taken too; their zeros are not explained.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - q**2/2", forces={"q": "-qdot/5"})
    >>> found = nh.lyapunov(swing, {"q": 1}, until=100)
    >>> [round(float(e), 2) for e in found.exponents], round(found.sum, 9), round(found.divergence, 9)
    ([-0.1, -0.1], -0.2, -0.2)
    """
    if not isinstance(system, Equations):
        check_system(system)
    chosen = chosen_method(method, rtol, atol, options)
    refuse_switching(system, "lyapunov")
    problem = problem_of(system, start, parameters, "hamel", dict(inputs or {}))
    end = finite(until, "until")
    skip = abs(end - problem.time) / 10 if transient is None else finite(transient, "transient")
    if end == problem.time or not 0 <= skip < abs(end - problem.time):
        raise StateError(
            f"{problem.name}: exponents from t = {problem.time:g} to {end:g} after a transient of {skip:g}; give a later end."
        )
    found = growth(problem, chosen, end, BLOCKS, count, divergence=count is None)
    first = int(np.ceil(BLOCKS * skip / abs(end - problem.time) - 1e-9))
    edges, logs, volumes = found.edges[first:], found.logs[first:], found.volumes[first:]
    if len(edges) < 2:
        edges, logs, volumes = found.edges[-1:], found.logs[:0], found.volumes[:0]
    rates, errors = mean_rates(edges, logs, problem.time)
    if len(logs) and found.compression < KEPT * np.max(np.abs(rates)):
        rates, errors = mean_rates(edges, logs, problem.time, sticks=True)
    span = abs(float(edges[-1] - edges[0])) or np.nan
    rates, errors = rates * np.sign(end - problem.time), np.maximum(errors, found.steps * rtol / span)
    order = np.argsort(-rates, kind="stable") if len(logs) else np.arange(logs.shape[1])
    rates, errors = rates[order], errors[order]
    run = _trajectory(problem, chosen, found, end)
    zeros: tuple[ZeroExponent, ...] = ()
    if count is None and len(logs) and isinstance(system, System):
        few = _trajectory(problem, chosen, replace(found, pieces=_late(found.pieces)), end)
        zeros = _zeros(with_inputs(system, dict(inputs or {})), problem, few, rates, errors, integrals)
    return Lyapunov(
        problem.name,
        rates,
        errors,
        zeros,
        float(np.sum(rates)) if count is None else float("nan"),
        float(np.sum(volumes) / span) if count is None else float("nan"),
        found.outcome,
        skip,
        edges,
        np.vstack([np.zeros((1, logs.shape[1])), np.cumsum(logs, axis=0)])[:, order],
        run,
        FrozenMap(dict(problem.parameters)),
    )


def _zeros(
    system: System,
    problem: Problem,
    run: Trajectory,
    rates: Numbers,
    errors: Numbers,
    integrals: Sequence[Finding] | None,
) -> tuple[ZeroExponent, ...]:
    names = [n for n in run.names if run[n].dtype.kind == "f"]
    columns = {n: run[n] for n in names}
    states = [{n: float(columns[n][k]) for n in names} for k in range(len(run.times))]
    known = integrals_of(system, problem.parameters) if integrals is None else tuple(integrals)
    return attribute_zeros(reasons_for_zeros(system, dict(problem.start), problem.parameters, states, known), rates, errors)


def _late(pieces: Sequence[tuple[InitialValue, Path]]) -> tuple[tuple[InitialValue, Path], ...]:
    """Some states of the last fifth: directions that become dependent in the long run are dependent there."""
    lengths = [len(path.times) for _, path in pieces]
    first = np.concatenate([[0], np.cumsum(lengths)])
    chosen = np.unique(np.linspace(first[-1] * 4 // 5, first[-1] - 1, 200).astype(int))
    result = []
    for (initial, path), low, high in zip(pieces, first[:-1], first[1:]):
        kept = chosen[(low <= chosen) & (chosen < high)] - low
        if len(kept):
            result.append((initial, replace(path, times=path.times[kept], states=path.states[kept])))
    return tuple(result)


def _trajectory(problem: Problem, method: Method, found: Growth, until: float) -> Trajectory:
    """The motion along which the exponents were measured, at the times it was looked at."""
    times = np.concatenate([path.times for _, path in found.pieces])
    results = LazyResults(problem, found.pieces, times, found.sources, {}, {}, method, until)
    return trajectory_of(results, found.outcome, found.steps)
