"""Numerical analysis of fundamental frequencies (NAFF) [Laskar 1990, 1993]: lines of a motion, and the torus they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.errors import ModelError, StateError
from nonholo.finding import Finding, WindingTorus

Signal = NDArray[np.complex128]
FEWEST = 256
"""So many samples are needed."""
FAINT = 1e-7
"""Lines below this part of the largest are left out."""
LEFT = 1e-3
"""A signal of which more than this part is left beside its lines is not called quasi-periodic."""
REACH = {1: 60, 2: 24, 3: 9, 4: 5}
"""Largest integers of a combination, by the number of frequencies."""
STEADY = 1e-4
"""Frequencies of the two halves of a regular motion agree better than this, relative to the largest."""

WANDERS = 3e-4
"""The strongest frequency of a motion that is not quasi-periodic differs by more between the halves."""


@dataclass(frozen=True)
class Line:
    """One line: ``amplitude · cos(frequency t + phase)``, or ``exp`` for a complex signal; ``error`` is that of the frequency."""

    frequency: float
    amplitude: float
    phase: float
    error: float
    combination: tuple[int, ...] = ()
    """Integers with ``frequency = Σ k_j basis_j``."""


@dataclass(frozen=True, repr=False)
class Frequencies:
    """The lines of a motion, the strongest first, and a basis of their frequencies in rad/s.

    >>> t = np.linspace(0.0, 200.0, 4001)
    >>> found = analysed(t, np.cos(t) + 0.3 * np.cos(2**0.5 * t + 1) + 0.1 * np.cos((1 + 2**0.5) * t), ("x",))
    >>> [round(w, 9) for w in found.basis], bool(found.quasi_periodic)
    ([1.0, 1.414213562], True)
    """

    names: tuple[str, ...]
    lines: tuple[Line, ...]
    basis: tuple[float, ...]
    errors: tuple[float, ...]
    """Error bars of the basis, from the two halves of the motion."""
    left: float
    """What part of the signal is beside its lines."""
    span: float

    @property
    def rotation_numbers(self) -> tuple[tuple[float, float], ...]:
        """``ω_j/ω_1`` with error bars."""
        first, own = (self.basis[0], self.errors[0]) if self.basis else (1.0, 0.0)
        pairs = zip(self.basis[1:], self.errors[1:])
        return tuple((w / first, abs(w / first) * (e / abs(w) + own / abs(first))) for w, e in pairs)

    def contains(self, frequency: float) -> tuple[tuple[int, ...], float]:
        """The integers whose combination of the basis is nearest to a frequency, and how far it is."""
        return _combination(self.basis, frequency)

    @property
    def quasi_periodic(self) -> Finding:
        """Whether the motion is quasi-periodic as far as its time span can show: few frequencies, the same in both halves."""
        data = WindingTorus(len(self.basis), tuple((f"w{k + 1}", w) for k, w in enumerate(self.basis)))
        unsteady = max((e / abs(w) for w, e in zip(self.basis, self.errors)), default=0.0)
        words = f"{len(self.lines)} lines leave {self.left:.1e} of the signal; frequencies of the halves agree to {unsteady:.1e}"
        if self.left > LEFT or unsteady > STEADY:
            # many close lines are left unresolved too; that the strongest frequency wanders is what chaos does
            wanders = self.errors[0] / abs(self.basis[0]) if self.basis else 0.0
            sure = self.left > 0.1 and wanders > WANDERS
            return Finding(data, "fails" if sure else "unknown", None, words, method="NAFF [Laskar 1990]")
        return Finding(data, "holds", None, words, method="NAFF [Laskar 1990]")

    def __repr__(self) -> str:
        return str(self)

    def __str__(self) -> str:
        rows = [f"  {w:.10g} ± {e:.1e} rad/s" for w, e in zip(self.basis, self.errors)]
        lines = [f"  {l.frequency:.8g}  {l.amplitude:.4g}  {' '.join(map(str, l.combination))}" for l in self.lines[:12]]
        return "\n".join([f"frequencies of {', '.join(self.names)}:", *rows, "lines (frequency, amplitude, integers):", *lines])


def frequencies(run: Any, *names: str, count: int = 16) -> Frequencies:
    """The frequencies of one quantity of a run, or of two as ``x + i y``, by NAFF; the times must be evenly spaced.

    >>> import nonholo as nh
    >>> swing = nh.System(coordinates="q", lagrangian="qdot**2/2 - 2*q**2")
    >>> run = nh.simulate(swing, {"q": 1.0}, 100.0, t_eval=2001, rtol=1e-10, atol=1e-12)
    >>> round(frequencies(run, "q").basis[0], 8)
    2.0
    """
    if not hasattr(run, "times"):
        raise ModelError(f"found {type(run).__name__} where a run was needed; give nh.simulate(…).")
    if len(names) not in (1, 2):
        raise ModelError("frequencies: give one quantity, or two that turn about each other, e.g. frequencies(run, 'x', 'y').")
    parts = [np.asarray(run[n], dtype=float) for n in names]
    signal: Any = parts[0] if len(parts) == 1 else parts[0] + 1j * parts[1]
    return analysed(np.asarray(run.times, dtype=float), signal, names, count)


def analysed(times: Numbers, signal: Numbers | Signal, names: Sequence[str], count: int = 16) -> Frequencies:
    """The analysis of a signal at evenly spaced times."""
    steps = np.diff(times)
    if len(times) < FEWEST or np.ptp(steps) > 1e-6 * abs(steps[0]):
        raise StateError(
            f"frequencies: {len(times)} times" + (", not evenly spaced" if len(times) >= FEWEST else "")
            + f"; simulate with t_eval=4001, so that there are at least {FEWEST} evenly spaced ones."
        )  # fmt: skip
    real = not np.iscomplexobj(signal)
    found = _lines(times, signal, count, real)
    half = len(times) // 2
    refined = [_refined(times[part], signal[part], found, real) for part in (slice(0, half), slice(half, None))]
    errors = [abs(a - b) / 2 + 1e-13 * (1 + abs(w)) for w, a, b in zip(found, *refined)]
    weights, rest = _fit(times, signal, found, real)
    size = float(np.sqrt(np.mean(np.abs(signal - np.mean(signal)) ** 2))) or 1.0
    order = sorted(range(len(found)), key=lambda k: -abs(weights[k]))
    noise = float(np.sqrt(np.mean(np.abs(rest) ** 2)))
    basis: list[float] = []
    spread: list[float] = []
    for k in order:
        w, e = found[k], errors[k]
        if abs(w) < 2 * np.pi / (times[-1] - times[0]) or len(basis) == 4:
            continue
        # what is left beside the lines moves a faint line by a part of the resolution
        moved = 2 * np.pi / (times[-1] - times[0]) * min(1.0, noise / max(abs(weights[k]), 1e-300))
        tolerance = max(20 * e, 20 * max(spread, default=0.0), 1e-9 * abs(w), moved)
        if not basis or _combination(basis, w)[1] > tolerance:
            basis.append(w)
            spread.append(e)
    lines = tuple(
        Line(found[k], float(abs(weights[k])), float(np.angle(weights[k])), errors[k], _combination(basis, found[k])[0])
        for k in order
    )
    left = float(np.sqrt(np.mean(np.abs(rest) ** 2))) / size
    return Frequencies(tuple(names), lines, tuple(basis), tuple(spread), left, float(times[-1] - times[0]))


def _window(times: Numbers) -> Numbers:
    """``(1 + cos)²`` over the span, with mean one."""
    middle, half = (times[0] + times[-1]) / 2, (times[-1] - times[0]) / 2
    return np.asarray(2 / 3 * (1 + np.cos(np.pi * (times - middle) / half)) ** 2)


def _lines(times: Numbers, signal: Any, count: int, real: bool) -> list[float]:
    """Frequencies one after the other: the largest peak of what the lines before leave."""
    found: list[float] = []
    rest, first = np.asarray(signal), 0.0
    for _ in range(count):
        peak, size = _peak(times, rest, real)
        first = max(first, size)
        if size < FAINT * first or any(abs(peak - w) < 1e-9 * (1 + abs(w)) for w in found):
            break
        found.append(peak)
        rest = _fit(times, signal, found, real)[1]
    return _refined(times, signal, found, real)


def _peak(times: Numbers, signal: Any, real: bool) -> tuple[float, float]:
    step, size = times[1] - times[0], len(times)
    weighted = signal * _window(times)
    spectrum = np.abs(np.fft.fft(weighted, 4 * size)) / size
    grid = 2 * np.pi * np.fft.fftfreq(4 * size, step)
    if real:
        spectrum = np.where(grid >= 0, spectrum, 0.0)
    best = int(np.argmax(spectrum))
    return _maximum(times, weighted, float(grid[best]), np.pi / (times[-1] - times[0]))


def _maximum(times: Numbers, weighted: Any, near: float, reach: float) -> tuple[float, float]:
    """The maximum of the windowed transform near a frequency, by golden sections and a parabola."""
    from scipy.optimize import minimize_scalar

    shifted = times - (times[0] + times[-1]) / 2

    def value(w: float) -> float:
        return -float(abs(np.mean(weighted * np.exp(-1j * w * shifted))))

    span = (near - reach, near + reach)
    found = minimize_scalar(value, bounds=span, method="bounded", options={"xatol": 1e-14, "maxiter": 200})
    return float(found.x), -float(found.fun)


def _refined(times: Numbers, signal: Any, found: Sequence[float], real: bool) -> list[float]:
    """The frequencies again, each with the other lines taken away: their wings move its maximum."""
    if not found:
        return []
    weights, rest = _fit(times, signal, found, real)
    window, reach = _window(times), np.pi / (times[-1] - times[0])
    result = []
    for w, weight in zip(found, weights):
        own = weight * np.exp(1j * w * times)
        whole = rest + (own.real if real and w != 0 else own)
        result.append(w if abs(w) < reach else _maximum(times, whole * window, w, reach)[0])
    return result


def _fit(times: Numbers, signal: Any, found: Sequence[float], real: bool) -> tuple[Signal, Any]:
    """Complex amplitudes of lines by weighted least squares, and the residual signal."""
    weight = np.sqrt(_window(times)) + 1e-6
    if real:
        columns = [f(w * times) for w in found for f in (np.cos, np.sin)]
        table = np.stack(columns, axis=1)
        parts = np.linalg.lstsq(table * weight[:, None], signal * weight, rcond=None)[0]
        return parts[0::2] - 1j * parts[1::2], signal - table @ parts
    table = np.exp(1j * np.outer(times, found))
    weights = np.linalg.lstsq(table * weight[:, None], signal * weight, rcond=None)[0]
    return weights, signal - table @ weights


def _combination(basis: Sequence[float], frequency: float) -> tuple[tuple[int, ...], float]:
    """Small integers whose combination of the basis is nearest; among equally near ones the smallest."""
    if not basis:
        return (), abs(frequency)
    reach = REACH[min(len(basis), 4)]
    grid = np.stack(np.meshgrid(*[np.arange(-reach, reach + 1)] * len(basis), indexing="ij"), axis=-1).reshape(-1, len(basis))
    gaps = np.abs(grid @ np.array(basis) - frequency)
    near = np.flatnonzero(gaps <= np.min(gaps) + 1e-12 * (1 + abs(frequency)))
    best = min(near.tolist(), key=lambda k: int(np.sum(np.abs(grid[k]))))
    return tuple(int(e) for e in grid[best]), float(gaps[best])
