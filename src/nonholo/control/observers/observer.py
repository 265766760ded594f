"""``nh.observer``: extended and unscented Kalman filters on the reduced equations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.compile.rates_jacobian import jacobian_table
from nonholo.errors import StateError, meant
from nonholo.integrate.model import Model, prepare
from nonholo.model.scalars import finite, number_array, positive, whole
from nonholo.model.system import System, check_system, named, without_laws
from nonholo.program.machine_code import Sheet


@dataclass(frozen=True)
class Slip:
    """A span of time in which measurements contradict the model: the wheel slips, or something else is not as said."""

    begin: float
    end: float
    measured: str
    """The measurement that departs most."""
    ratio: float
    """The largest mean of the normalised squared residuals over their expectation."""


@dataclass(frozen=True, eq=False)
class Estimate:
    """Estimates after each measurement."""

    names: tuple[str, ...]
    times: Numbers
    means: Numbers
    """(time, state variable)"""
    covariances: Numbers
    residuals: Numbers
    """Measured less expected, (time, measured)."""
    surprises: Numbers
    """``ν S⁻¹ ν``: the squared residual in units of its own expectation, χ² with as many degrees as there are measurements."""
    slips: tuple[Slip, ...]

    def __getitem__(self, name: str) -> Numbers:
        """The estimate of a state variable over time."""
        return np.asarray(self.means[:, self.names.index(name)])

    def deviation(self, name: str) -> Numbers:
        """Its standard deviation, as the filter believes."""
        k = self.names.index(name)
        return np.asarray(np.sqrt(self.covariances[:, k, k]))

    def nees(self, truth: Numbers) -> Numbers:
        """``e P⁻¹ e`` at each time: χ² with as many degrees of freedom as free state variables, if the belief is right."""
        gap = np.asarray(truth) - self.means
        inverse = np.linalg.pinv(self.covariances, rcond=1e-10, hermitian=True)
        return np.asarray(np.einsum("ti,tij,tj->t", gap, inverse, gap))

    def __str__(self) -> str:
        lines = [f"{len(self.times)} estimates of {', '.join(self.names)}"]
        lines += [
            f"  slip from t = {s.begin:.4g} to {s.end:.4g}: {s.measured} departs, residuals {s.ratio:.3g} times too large"
            for s in self.slips
        ]
        return "\n".join(lines if self.slips else [*lines, "  no slip: residuals are as large as expected"])


def slips_of(
    times: Numbers, surprises: Numbers, residuals: Numbers, spreads: Numbers, names: tuple[str, ...], window: int, rare: float
) -> tuple[Slip, ...]:
    """Spans in which the mean surprise over a window is larger than by chance once in ``1/rare`` windows.

    Inside the first and the last window of a span the change is where the cumulative sum above the limit is largest (Page 1954).
    """
    from scipy.stats import chi2

    count = residuals.shape[1]
    if len(times) < window:
        return ()
    means = np.convolve(surprises, np.ones(window) / window, mode="valid")
    limit = float(chi2.isf(rare, count * window)) / window
    over = means > limit
    found = []
    edges = np.flatnonzero(np.diff(np.concatenate([[False], over, [False]]).astype(int)))
    for first, last in edges.reshape(-1, 2):
        begin = first + int(np.argmax(np.cumsum((surprises - limit)[first : first + window][::-1])[::-1]))
        end = last + int(np.argmax(np.cumsum((surprises - limit)[last - 1 : last - 1 + window])))
        part = slice(begin, max(end, begin + 1))
        worst = int(np.argmax(np.mean((residuals[part] / spreads[part]) ** 2, axis=0)))
        ratio = float(np.max(means[first:last])) / count
        found.append(Slip(float(times[begin]), float(times[part.stop - 1]), names[worst], ratio))
    return tuple(found)


KINDS = ("ekf", "ukf")
SPREAD = 0.5
"""κ of the unscented filter is so many times n: all weights are positive."""
NOTHING = 1e-13
"""A covariance's eigenvalue below this part of the largest is zero: the direction is across a constraint."""
RARE = 1e-7
"""A slip is told where residuals would be so large by chance once in so many windows."""


@dataclass(frozen=True, eq=False)
class Belief:
    """A Gaussian of the state at a time."""

    time: float
    mean: Numbers
    covariance: Numbers


@dataclass(frozen=True, eq=False)
class Observer:
    """A filter; made by `observer`. Beliefs go in and come out, nothing is kept.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2")
    >>> nh.observer(cart, {"x": 0.1}, noise={"xdot": 0.2}, every=0.1).measurement.round(3).tolist()
    [[0.01]]
    """

    model: Model
    measured: FrozenMap[str, float]
    """Text -> standard deviation of its measurement."""
    noise: FrozenMap[str, float]
    """State variable -> its process noise: standard deviation that grows with the root of time."""
    every: float
    kind: str
    steps: int
    window: int

    def __str__(self) -> str:
        kind = {"ekf": "extended", "ukf": "unscented"}[self.kind]
        seen = ", ".join(f"{text} (±{size:g})" for text, size in self.measured.items())
        head = f"{self.model.system.name}: {kind} Kalman filter every {self.every:g} s"
        return f"{head} of {', '.join(self.model.names)}, measured {seen}"

    @cached_property
    def _seen(self) -> Sheet:
        kernel = self.model.kernel
        exprs = [kernel.expression(t, f"{self.model.system.name}: measured {t}") for t in self.measured]
        columns = kernel.symbols[1 : 1 + len(self.model.names)]
        return jacobian_table(kernel.symbols, exprs, columns, f"{self.model.system.name}: measured")

    @cached_property
    def process(self) -> Numbers:
        """The covariance that a step adds."""
        rates = np.array([self.noise.get(n, 0.0) for n in self.model.names])
        return np.diag(rates**2 * self.every)

    @property
    def measurement(self) -> Numbers:
        """The covariance of a measurement."""
        return np.diag(np.array(list(self.measured.values())) ** 2)

    def begin(
        self, start: Mapping[str, Any] | None = None, spread: Mapping[str, float] | float = 0.1, time: float = 0.0
    ) -> Belief:
        """A belief about the start: its state and standard deviations, by name or one for all state variables."""
        names = self.model.names
        full = _start(self.model, start)
        where = f"{self.model.system.name}: observer: spread"
        sizes = np.array([finite(spread.get(n, 0.0) if isinstance(spread, Mapping) else spread, where) for n in names])
        return self._kept(Belief(time, np.array([full[n] for n in names]), np.diag(sizes**2)), np.zeros(len(self.model.inputs)))

    def predict(self, belief: Belief, inputs: Sequence[float] | Numbers = ()) -> Belief:
        """The belief one sampling interval later under held inputs."""
        u = self._inputs(inputs)
        belief = self._believed(belief)
        if self.kind == "ekf":
            mean, push = self._flow_with_slopes(belief.mean, u, belief.time)
            spread = push @ belief.covariance @ push.T
        else:
            points, weights = _sigma_points(belief)
            moved = self._flow(points, u, belief.time)
            mean = weights @ moved
            spread = (moved - mean).T * weights @ (moved - mean)
        later = Belief(belief.time + self.every, mean, _symmetric(spread + self.process))
        return self._kept(later, u)

    def correct(self, belief: Belief, measurement: Sequence[float] | Numbers, inputs: Sequence[float] | Numbers = ()) -> Belief:
        """The belief after a measurement."""
        seen = number_array(measurement, f"{self.model.system.name}: observer: measurement").ravel()
        if len(seen) != len(self.measured):
            mismatch = f"{len(seen)} measurements where {len(self.measured)} ({', '.join(self.measured)}) are needed"
            raise StateError(f"{self.model.system.name}: observer: {mismatch}.")
        return self._corrected(self._believed(belief), seen, self._inputs(inputs))[0]

    def estimate(
        self, times: Sequence[float] | Numbers, measurements: Any, inputs: Any = (), begin: Belief | None = None
    ) -> Estimate:
        """Filter a record: measurements (time, measured) at equally spaced ``times``, inputs (time, input) held after each."""
        where = f"{self.model.system.name}: observer"
        grid, table = number_array(times, f"{where}: times"), number_array(measurements, f"{where}: measurements")
        wanted = (grid.size, len(self.measured))
        if grid.ndim != 1 or not len(grid) or table.shape != wanted:
            raise StateError(f"{where}: {grid.size} times and measurements of shape {table.shape} where {wanted} is needed.")
        if len(grid) > 1 and np.max(np.abs(np.diff(grid) - self.every)) > 1e-6 * self.every:
            raise StateError(f"{self.model.system.name}: observer: times must be {self.every:g} apart, as every says.")
        driving = np.asarray(inputs, dtype=float)
        driving = driving if driving.ndim == 2 else np.broadcast_to(self._inputs(driving), (len(grid), len(self.model.inputs)))
        belief = begin if begin is not None else self.begin(time=float(grid[0]))
        means, spreads, residuals, surprises, sizes = [], [], [], [], []
        for k, row in enumerate(table):
            if k:
                belief = self.predict(belief, driving[k - 1])
            belief, gap, expected = self._corrected(belief, row, driving[k])
            means.append(belief.mean)
            spreads.append(belief.covariance)
            residuals.append(gap)
            surprises.append(float(gap @ np.linalg.solve(expected, gap)))
            sizes.append(np.sqrt(np.diag(expected)))
        found = np.array(surprises), np.array(residuals), np.array(sizes)
        slips = slips_of(grid, *found, tuple(self.measured), self.window, RARE)
        return Estimate(self.model.names, grid, np.array(means), np.array(spreads), found[1], found[0], slips)

    def _inputs(self, given: Any) -> Numbers:
        values = number_array(given, f"{self.model.system.name}: observer: inputs").ravel()
        count = len(self.model.inputs)
        if len(values) not in (0, count):
            names = ", ".join(self.model.inputs) or "none"
            raise StateError(f"{self.model.system.name}: observer: {len(values)} inputs where {count} ({names}) are needed.")
        return values if len(values) else np.zeros(count)

    def _believed(self, belief: Any) -> Belief:
        if not isinstance(belief, Belief):
            found = type(belief).__name__
            raise StateError(f"{self.model.system.name}: observer: {found} where a belief is needed; begin with .begin(start).")
        return belief

    def _row(self, mean: Numbers, u: Numbers, time: float) -> Numbers:
        return np.array([time, *mean, *u, *(self.model.parameters[n] for n in self.model.kernel.parameters)])

    def _flow(self, states: Numbers, u: Numbers, time: float) -> Numbers:
        """States after a sampling interval, by classical Runge–Kutta steps of all at once."""
        h, y, t = self.every / self.steps, states, time
        for _ in range(self.steps):
            a = self.model.vector(y, u, t)
            b = self.model.vector(y + h / 2 * a, u, t + h / 2)
            c = self.model.vector(y + h / 2 * b, u, t + h / 2)
            d = self.model.vector(y + h * c, u, t + h)
            y, t = y + h / 6 * (a + 2 * b + 2 * c + d), t + h
        return np.asarray(y)

    def _flow_with_slopes(self, mean: Numbers, u: Numbers, time: float) -> tuple[Numbers, Numbers]:
        """The mean after a sampling interval and the exact derivative of the Runge–Kutta map."""
        h, y, t, push = self.every / self.steps, mean, time, np.eye(len(mean))
        for _ in range(self.steps):
            stages: list[tuple[Numbers, Numbers]] = []
            for part in (0.0, 0.5, 0.5, 1.0):
                before = stages[-1] if stages else (np.zeros_like(y), np.zeros_like(push))
                at = y + part * h * before[0]
                slope = self.model.jacobian(at, u, t + part * h) @ (push + part * h * before[1])
                stages.append((self.model.vector(at, u, t + part * h), slope))
            (a, da), (b, db), (c, dc), (d, dd) = stages
            y, push, t = y + h / 6 * (a + 2 * b + 2 * c + d), push + h / 6 * (da + 2 * db + 2 * dc + dd), t + h
        return y, push

    def _corrected(self, belief: Belief, measurement: Numbers, u: Numbers) -> tuple[Belief, Numbers, Numbers]:
        count, n = len(self.measured), len(belief.mean)
        if self.kind == "ekf":
            found = self._seen(self._row(belief.mean, u, belief.time)[None])[0]
            expected, slopes = found[:count], found[count:].reshape(count, n)
            cross = belief.covariance @ slopes.T
            spread = slopes @ cross + self.measurement
        else:
            points, weights = _sigma_points(belief)
            rows = np.array([self._row(p, u, belief.time) for p in points])
            values = self._seen(rows)[:, :count]
            expected = weights @ values
            cross = (points - belief.mean).T * weights @ (values - expected)
            spread = (values - expected).T * weights @ (values - expected) + self.measurement
        gain = np.linalg.solve(spread, cross.T).T
        gap = measurement - expected
        mean = belief.mean + gain @ gap
        if self.kind == "ekf":  # Joseph's form stays positive
            left = np.eye(n) - gain @ slopes
            covariance = left @ belief.covariance @ left.T + gain @ self.measurement @ gain.T
        else:
            covariance = belief.covariance - gain @ spread @ gain.T
        return self._kept(Belief(belief.time, mean, _symmetric(covariance)), u), gap, _symmetric(spread)

    def _kept(self, belief: Belief, u: Numbers) -> Belief:
        """The belief on the holonomic constraints: the mean projected, the covariance without directions across them."""
        kernel = self.model.kernel
        count, n = len(kernel.invariants), len(belief.mean)
        if not count:
            return belief
        mean, slopes = belief.mean.copy(), np.zeros((count, n))
        for _ in range(2):
            found = np.asarray(kernel.residuals(self._row(mean, u, belief.time)))
            slopes = found[count:].reshape(count, n)
            mean = mean - np.linalg.lstsq(slopes, found[:count], rcond=None)[0]
        flat = np.eye(n) - np.linalg.pinv(slopes) @ slopes
        return Belief(belief.time, mean, _symmetric(flat @ belief.covariance @ flat))


def _symmetric(matrix: Numbers) -> Numbers:
    return np.asarray((matrix + matrix.T) / 2)


def _sigma_points(belief: Belief) -> tuple[Numbers, Numbers]:
    """2 n + 1 points with the mean and covariance of the belief, and their weights."""
    n = len(belief.mean)
    values, vectors = np.linalg.eigh(belief.covariance)
    kappa = SPREAD * n
    sizes = np.where(values > NOTHING * values[-1], values, 0.0)  # the root of rounding is none
    root = vectors * np.sqrt(sizes * (n + kappa)) @ vectors.T  # symmetric, so that it is unique
    points = np.vstack([belief.mean, belief.mean + root, belief.mean - root])
    weights = np.full(2 * n + 1, 1 / (2 * (n + kappa)))
    weights[0] = kappa / (n + kappa)
    return points, weights


def _start(model: Model, start: Mapping[str, Any] | None) -> Mapping[str, float]:
    if start is None:
        return model._full_start
    from nonholo.derive.states.consistent_state import complete_state

    if isinstance(model.system, System):
        return complete_state(model.system, start, dict(model.parameters))
    return {**dict.fromkeys(model.names, 0.0), **start}


def observer(
    s: System,
    measured: Mapping[str, float],
    noise: Mapping[str, float] | None = None,
    *,
    every: float = 0.02,
    kind: str = "ekf",
    parameters: Mapping[str, Any] | None = None,
    steps: int = 4,
    window: int = 25,
) -> Observer:
    """A Kalman filter of the system: extended (``"ekf"``) or unscented (``"ukf"``).

    ``measured`` gives texts in any names of the system with the standard deviation of their measurement; ``noise`` gives state
    variables (speeds, mostly) a process noise: a random walk whose standard deviation grows by so much in a second. The filter
    moves in the reduced state, in which velocity constraints hold exactly; holonomic ones are kept by projection. Slips are seen
    where the residuals over a ``window`` of samples are too large for chance. Without noise of places the filter hardly finds
    back after a slip, and reports it until the end of the data; with too much it explains the slip away.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> watch = nh.observer(cart, {"x": 0.1}, noise={"xdot": 0.2}, every=0.1)
    >>> belief = watch.predict(watch.begin({"xdot": 1.0}), [0.0])
    >>> watch.correct(belief, [0.1]).mean.round(3).tolist()
    [0.1, 1.0]
    """
    check_system(s)
    where = f"{s.name}: observer"
    if kind not in KINDS:
        raise StateError(f"{where}: kind = {kind!r}; choose from {', '.join(KINDS)}.")
    if not isinstance(measured, Mapping) or not measured:
        raise StateError(f'{where}: measured: give texts with their standard deviations, e.g. measured={{"x": 0.05}}.')
    model = prepare(without_laws(s), parameters)
    sizes = {str(n): finite(e, f"{where}: measured {n}") for n, e in measured.items()}
    rates = {str(n): finite(e, f"{where}: noise of {n}") for n, e in named(noise, f"{where}: noise", '{"v": 0.1}').items()}
    for name in rates:
        if name not in model.names:
            near = meant(name, model.names, f"it has {', '.join(model.names)}.")
            raise StateError(f"{where}: noise: no state variable is called {name!r}; {near}")
    if min(sizes.values()) <= 0:
        raise StateError(f"{where}: standard deviations of measurements must be positive.")
    span, count, wide = positive(every, f"{where}: every"), whole(steps, f"{where}: steps"), whole(window, f"{where}: window")
    made = Observer(model, FrozenMap(sizes), FrozenMap(rates), span, kind, count, wide)
    _ = made._seen
    return made
