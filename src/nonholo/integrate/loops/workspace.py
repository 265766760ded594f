"""Fill the flat arrays of `layout` for one integration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
from nonholo.compile.step import NO_STEP, StepCode
from nonholo.errors import StateError
from nonholo.integrate.loops import layout as at
from nonholo.integrate.loops.signals import Signal
from nonholo.integrate.methods.base import Method
from nonholo.program.machine_code import NOTHING, MachineCode

Floats = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
ENDLESS = 2**62


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
    state: int
    """Where the state stands in ``real``."""
    parameters: int
    """Where the parameters stand in ``real``."""
    hits: int
    """Room that the events of one part of a step may need."""
    owners: tuple[Kernel, Watched]
    """Who keep the machine code alive whose addresses are in ``spec``."""


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
    coordinates, speeds, inputs = len(equations.coordinates), len(equations.speeds), len(equations.inputs)
    n, size, parameters = coordinates + speeds, len(equations.mass), len(equations.parameters)
    events, invariants, conditions = len(watched.direction), len(kernel.invariants), kernel.conditions.outputs
    width = kernel.rates_code.outputs
    hits = events * (3 * method.samples + 1)
    step = _step(kernel, method)
    parts = _parts(step, method)
    spec = [0] * at.SPEC
    for place, code in (
        (at.RATES, kernel.rates_code),
        (at.CONSTANTS, kernel.constants),
        (at.RESIDUALS, kernel.residuals),
        (at.EVENTS, watched.code),
        (at.CONDITIONS, kernel.conditions),
        (at.NEWTON, step.newton),
        (at.STEP_CONSTANTS, step.constants),
        (at.GUESS, step.guess),
        (at.CHANGE, step.change),
    ):
        spec[place], spec[place + 1] = code.address, code.data
    spec[at.STATE], spec[at.COORDINATES], spec[at.SPEEDS] = n, coordinates, speeds
    spec[at.SYSTEM], spec[at.INPUTS], spec[at.PARAMETERS] = size, inputs, parameters
    spec[at.SYMMETRIC], spec[at.POSITIONS], spec[at.INVARIANTS] = int(kernel.symmetric), kernel.positions, invariants
    spec[at.EVENT_COUNT], spec[at.CONDITION_COUNT] = events, conditions
    spec[at.WIDTH], spec[at.HITS], spec[at.RECORDING] = width, hits, int(recording)
    unknowns, row = step.unknowns, step.width + step.constants.outputs + 1 if step.unknowns else 0
    largest = max(size, invariants, unknowns)
    spec[at.UNKNOWNS], spec[at.STEP_WIDTH], spec[at.STEP_TIMES] = unknowns, step.width, len(step.times)
    spec[at.SUBSTEPS] = (len(parts) - len(step.times)) // 2
    spec[at.COMPENSATED] = int(getattr(method, "compensated", False))
    spec[at.PROJECTING] = int(not (step.quadratic and all(tau == 0.5 for _, tau in substeps(method))))
    spec[at.MAX_STEPS] = min(getattr(method, "max_steps", ENDLESS), ENDLESS)
    length = at.REALS
    for place, room in (
        (at.AT_Y, n),
        (at.AT_NEW, n),
        (at.AT_STAGES, method.stages * width),
        (at.AT_GIVEN, 1 + n + inputs + parameters + size),
        (at.AT_CONSTANTS, kernel.constants.outputs),  # right behind the input vector
        (at.AT_DENSE, method.dense_rows * n),
        (at.AT_MATRIX, largest**2),
        (at.AT_VECTOR, largest),
        (at.AT_SOLUTION, max(size, unknowns)),
        (at.AT_RESIDUAL, invariants * (1 + n)),
        (at.AT_POINT, max(n, conditions)),
        (at.AT_VALUES, (method.samples + 3) * events),
        (at.AT_HIT_PLACE, hits),
        (at.AT_ROW, row),
        (at.AT_ANSWER, unknowns * (unknowns + 4) + n if unknowns else 0),
        (at.AT_PARTS, len(parts)),
        (at.AT_BETWEEN, 2 * n if unknowns else 0),
        (at.AT_CARRY, 2 * n + 1 if unknowns else 0),
    ):
        spec[place] = length
        length += room
    real = np.zeros(length)
    real[at.START], real[at.END] = t0, t1
    real[at.RTOL], real[at.ATOL] = getattr(method, "rtol", 0.0), getattr(method, "atol", 1.0)
    real[spec[at.AT_PARTS] : spec[at.AT_PARTS] + len(parts)] = parts
    real[at.MAX_STEP] = getattr(method, "max_step", np.inf)
    real[at.FIRST_STEP] = getattr(method, "first_step" if method.adaptive else "step", None) or 0.0
    count = at.WHOLES
    for place, room in (
        (at.AT_COUNT, 2 * events),
        (at.AT_SIGN, 2 * events),
        (at.AT_HIT_EVENT, hits),
        (at.AT_HIT_SIGN, hits),
    ):
        spec[place] = count
        count += room
    data = _tables(spec, signals, watched, t0, t1, [pivot_threshold, *condition_thresholds])
    places = spec[at.AT_Y], spec[at.AT_GIVEN] + 1 + n + inputs
    return Workspace(np.array(spec), data, real, np.zeros(count, dtype=np.int64), *places, hits, (kernel, watched))


def substeps(method: Method) -> tuple[tuple[float, float], ...]:
    """Of which parts a step is made, and the place ``τ`` in each."""
    return getattr(method, "composition", ((1.0, getattr(method, "tau", 0.5)),)) if method.principle else ()


def _step(kernel: Kernel, method: Method) -> StepCode:
    """The machine code of the method's implicit step, if it has one."""
    if method.principle and kernel.step.scheme != method.principle:
        raise StateError(
            f"{kernel.equations.name}: method {method.name} needs the system itself, not equations derived before; give it "
            "a System."
        )
    return kernel.step if method.principle else NO_STEP


def _parts(step: StepCode, method: Method) -> list[float]:
    times = [-1.0 if place == "tau" else float(place) for place in step.times]
    return [*(number for part in substeps(method) for number in part), *times]


def _tables(
    spec: list[int], signals: Sequence[Signal], watched: Watched, t0: float, t1: float, thresholds: Sequence[float]
) -> Floats:
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
