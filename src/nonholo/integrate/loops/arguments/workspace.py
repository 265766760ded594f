"""Fill the flat arrays of `layout` for one integration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from nonholo.algebra.cache import Cache, WeakCache
from nonholo.compile.kernel import Kernel
from nonholo.integrate.loops.arguments import array_layout as at
from nonholo.integrate.loops.arguments.integration_plan import IntegrationPlan, Watched, Whole, filled
from nonholo.integrate.loops.arguments.piecewise_signals import Signal
from nonholo.integrate.methods.method_record import Method
from nonholo.program.array_types import Array


@dataclass(frozen=True, eq=False)
class Workspace:
    """The arrays of an integration; ``real`` and ``whole`` are templates, to be copied for each motion."""

    spec: Whole
    data: Array
    real: Array
    whole: Whole
    state: int
    """Offset of the state in ``real``."""
    parameters: int
    """Offset of the parameters in ``real``."""
    hits: int
    """Room that the events of one part of a step may need."""
    watched: Watched
    owners: tuple[object, ...]
    """Who keep the machine code alive whose addresses are in ``spec``."""


Template = tuple[list[int], Array, Whole, int, object]
_TEMPLATES: WeakCache[Cache[Template]] = WeakCache(64)
"""Arrays of a kernel by method and events: what is left of them for a motion are its times, inputs and state."""


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
    hurried: bool = False,
) -> Workspace:
    """Arrays for motions of one kernel from t0 to t1; state and parameters are left open."""
    plan = IntegrationPlan(kernel, method, t0, t1, watched, recording, hurried)
    key = (method, watched, recording, plan.rates_code.address, plan.conditions.address)

    def made() -> Template:
        return *filled(plan, at.spec, at.real, at.whole), plan.state + plan.inputs, plan.slopes

    numbers, reals, wholes, width, slopes = _TEMPLATES.get(kernel, lambda: Cache(16)).get(key, made)
    spec, real, whole = numbers.copy(), reals.copy(), wholes.copy()
    real[at.START], real[at.END] = t0, t1
    data = _tables(spec, signals, watched, t0, t1, [pivot_threshold, *condition_thresholds])
    places = spec[at.AT_Y], spec[at.AT_GIVEN] + 1 + width
    return Workspace(np.array(spec), data, real, whole, *places, spec[at.HITS], watched, (kernel, slopes))


def _tables(
    spec: list[int], signals: Sequence[Signal], watched: Watched, t0: float, t1: float, thresholds: Sequence[float]
) -> Array:
    """Append the tables of inputs and events to spec; gather thresholds, breaks, knots and coefficients."""
    breaks = np.empty(0)
    if signals:
        low, high = min(t0, t1), max(t0, t1)
        breaks = np.unique(np.concatenate([s.breaks for s in signals]))
        breaks = breaks[(breaks > low) & (breaks < high)]
        breaks = breaks if t1 > t0 else breaks[::-1]
    parts = [np.array([*thresholds, 0.0]), breaks]
    start = len(thresholds) + 1 + len(breaks)
    spec[at.AT_THRESHOLD], spec[at.AT_BREAKS], spec[at.BREAKS] = 0, len(thresholds) + 1, len(breaks)
    spec[at.AT_TABLES] = len(spec)
    for s in signals:
        spec += [start, len(s.knots) - 1, s.coefficients.shape[1] - 1, start + len(s.knots)]
        parts += [s.knots, s.coefficients.ravel()]
        start += len(s.knots) + s.coefficients.size
    spec[at.AT_WATCH] = len(spec)
    for direction, terminal in zip(watched.direction, watched.terminal):
        spec += [direction, terminal]
    return np.concatenate(parts) if signals else parts[0]
