"""Fill the flat arrays of `layout` for one integration."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.compile.kernel import Kernel
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
    coordinates, inputs, parameters = len(equations.coordinates), len(equations.inputs), len(equations.parameters)
    n, size = kernel.dimension, kernel.solved
    speeds = n - coordinates
    events, invariants, conditions = len(watched.direction), len(kernel.invariants), kernel.conditions.outputs
    width = kernel.rates_code.outputs
    hits = events * (3 * method.samples + 1)
    spec = [0] * at.SPEC
    for place, code in (
        (at.RATES, kernel.rates_code),
        (at.CONSTANTS, kernel.constants),
        (at.RESIDUALS, kernel.residuals),
        (at.EVENTS, watched.code),
        (at.CONDITIONS, kernel.conditions),
        (at.DISCRETE, kernel.discrete),
    ):
        spec[place], spec[place + 1] = code.address, code.data
    spec[at.STATE], spec[at.COORDINATES], spec[at.SPEEDS] = n, coordinates, speeds
    spec[at.SYSTEM], spec[at.INPUTS], spec[at.PARAMETERS] = size, inputs, parameters
    spec[at.SYMMETRIC], spec[at.POSITIONS], spec[at.INVARIANTS] = int(kernel.symmetric), kernel.positions, invariants
    spec[at.EVENT_COUNT], spec[at.CONDITION_COUNT] = events, conditions
    spec[at.WIDTH], spec[at.HITS], spec[at.RECORDING] = width, hits, int(recording)
    rank, paired = _covectors(kernel, method)
    spec[at.RANK], spec[at.PAIRED] = rank, int(paired)
    spec[at.MAX_STEPS] = min(getattr(method, "max_steps", ENDLESS), ENDLESS)
    length = at.REALS
    for place, room in (
        (at.AT_Y, n),
        (at.AT_NEW, n),
        (at.AT_STAGES, method.stages * width),
        (at.AT_GIVEN, 1 + n + inputs + parameters + size),
        (at.AT_CONSTANTS, kernel.constants.outputs),  # right behind the input vector
        (at.AT_DENSE, method.dense_rows * n),
        (at.AT_MATRIX, max(size, invariants) ** 2),
        (at.AT_VECTOR, max(size, invariants)),
        (at.AT_SOLUTION, size),
        (at.AT_RESIDUAL, invariants * (1 + n)),
        (at.AT_POINT, max(n, conditions)),
        (at.AT_VALUES, (method.samples + 3) * events),
        (at.AT_HIT_PLACE, hits),
        (at.AT_DISCRETE, _implicit_room(kernel, rank, speeds, size)),
        (at.AT_HALF, n if rank else 0),
    ):
        spec[place] = length
        length += room
    real = np.zeros(length)
    real[at.START], real[at.END] = t0, t1
    real[at.RTOL], real[at.ATOL] = getattr(method, "rtol", 0.0), getattr(method, "atol", 1.0)
    real[at.TAU] = getattr(method, "tau", 0.0)
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


def _covectors(kernel: Kernel, method: Method) -> tuple[int, bool]:
    """How many components the covectors have that the method needs, and whether a basis goes with them."""
    if not method.principle:
        return 0, False
    given = kernel.equations.covectors
    if given is None or given.principle != method.principle:
        raise StateError(
            f"{kernel.equations.name}: method {method.name} needs the system itself, not equations derived before; give it "
            "a System."
        )
    return len(given.momenta), bool(given.basis)


def _implicit_room(kernel: Kernel, rank: int, speeds: int, size: int) -> int:
    """Room for one evaluation, a mass with a right-hand side, the start's momenta and basis, covectors of both ends."""
    return kernel.discrete.outputs + size * (size + 1) + 3 * speeds + rank * speeds + 4 * rank if rank else 0


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
