"""Fill the flat arrays of `layout` for one integration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.compile.machine_code import NOTHING, MachineCode
from nonholo.integrate import layout as at
from nonholo.integrate.methods.base import Method
from nonholo.integrate.signals import Signal

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]


@dataclass(frozen=True, eq=False)
class Watched:
    """Compiled events: machine code, wanted direction (-1, 0, 1) and terminal count (0: never) of each."""

    code: MachineCode = NOTHING
    direction: tuple[int, ...] = ()
    terminal: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Workspace:
    """The arrays of an integration; ``real`` and ``whole`` are templates, to be copied for each motion."""

    spec: Whole
    data: Floats
    real: Floats
    whole: Whole
    parameters: int
    """Where the parameters stand in ``real``."""


def workspace(
    kernel: Kernel,
    method: Method,
    t0: float,
    t1: float,
    signals: Sequence[Signal],
    watched: Watched,
    recording: bool,
    pivot_threshold: float,
    condition_thresholds: Sequence[float],
) -> Workspace:
    """Arrays for motions of one kernel from t0 to t1; state and parameters are left open."""
    equations = kernel.equations
    n, size = kernel.dimension, len(equations.mass)
    events, invariants, conditions = len(watched.direction), len(kernel.invariants), kernel.conditions.outputs
    width = max(kernel.rhs.outputs, n)
    hits = events * (2 * method.samples + 2)
    given = 1 + n + len(equations.inputs) + len(equations.parameters) + size
    spec = np.zeros(at.SPEC, dtype=np.int64)
    for place, code in (
        (at.RHS, kernel.rhs),
        (at.RESIDUALS, kernel.residuals),
        (at.EVENTS, watched.code),
        (at.CONDITIONS, kernel.conditions),
        (at.MONITORS, kernel.monitors),
    ):
        spec[place], spec[place + 1] = code.address, code.data
    spec[at.STATE], spec[at.COORDINATES], spec[at.SPEEDS] = n, len(equations.coordinates), len(equations.speeds)
    spec[at.SYSTEM], spec[at.INPUTS], spec[at.PARAMETERS] = size, len(equations.inputs), len(equations.parameters)
    spec[at.SYMMETRIC], spec[at.POSITIONS], spec[at.INVARIANTS] = kernel.symmetric, kernel.positions, invariants
    spec[at.EVENT_COUNT], spec[at.CONDITION_COUNT], spec[at.MONITOR_COUNT] = events, conditions, kernel.monitors.outputs
    spec[at.WIDTH], spec[at.HITS], spec[at.RECORDING] = width, hits, recording
    spec[at.MAX_STEPS] = getattr(method, "max_steps", np.iinfo(np.int64).max)
    length = _places(
        spec,
        at.REALS,
        {
            at.AT_Y: n,
            at.AT_NEW: n,
            at.AT_STAGES: method.stages * width,
            at.AT_GIVEN: given,
            at.AT_DENSE: method.dense_rows * n,
            at.AT_MATRIX: max(size, invariants) ** 2,
            at.AT_VECTOR: max(size, invariants),
            at.AT_SOLUTION: size,
            at.AT_RESIDUAL: invariants * (1 + n),
            at.AT_POINT: max(n, conditions),
            at.AT_VALUES: (method.samples + 2) * events,
            at.AT_HIT_PLACE: hits,
        },
    )
    real = np.zeros(length)
    real[at.START], real[at.END] = t0, t1
    real[at.RTOL], real[at.ATOL] = getattr(method, "rtol", 0.0), getattr(method, "atol", 1.0)
    real[at.MAX_STEP] = getattr(method, "max_step", np.inf)
    real[at.FIRST_STEP] = getattr(method, "first_step" if method.adaptive else "step", None) or 0.0
    places = {at.AT_COUNT: events, at.AT_SIGN: events, at.AT_HIT_EVENT: hits, at.AT_HIT_SIGN: hits}
    whole = np.zeros(_places(spec, at.WHOLES, places), dtype=np.int64)
    spec, data = _tables(spec, signals, watched, t0, t1, [pivot_threshold, *condition_thresholds])
    parameters = int(spec[at.AT_GIVEN]) + 1 + n + len(equations.inputs)
    return Workspace(spec, data, real, whole, parameters)


def _places(spec: Whole, start: int, lengths: dict[int, int]) -> int:
    for place, length in lengths.items():
        spec[place] = start
        start += length
    return start


def _tables(
    spec: Whole, signals: Sequence[Signal], watched: Watched, t0: float, t1: float, thresholds: Sequence[float]
) -> tuple[Whole, Floats]:
    """Append the tables of inputs and events to spec; gather thresholds, breaks, knots and coefficients."""
    low, high = min(t0, t1), max(t0, t1)
    breaks = np.unique(np.concatenate([np.empty(0), *(s.breaks for s in signals)]))
    breaks = breaks[(breaks > low) & (breaks < high)]
    breaks = breaks if t1 > t0 else breaks[::-1]
    parts = [np.asarray(thresholds, dtype=float), breaks]
    spec[at.AT_THRESHOLD], spec[at.AT_BREAKS], spec[at.BREAKS] = 0, len(thresholds), len(breaks)
    start = len(thresholds) + len(breaks)
    rows: list[int] = []
    for s in signals:
        degree = s.coefficients.shape[1] - 1
        rows += [start, len(s.knots) - 1, degree, start + len(s.knots)]
        parts += [s.knots, s.coefficients.ravel()]
        start += len(s.knots) + s.coefficients.size
    spec[at.AT_TABLES], spec[at.AT_WATCH] = len(spec), len(spec) + len(rows)
    for direction, terminal in zip(watched.direction, watched.terminal):
        rows += [direction, terminal]
    return np.concatenate([spec, np.array(rows, dtype=np.int64)]), np.concatenate([*parts, np.zeros(1)])
