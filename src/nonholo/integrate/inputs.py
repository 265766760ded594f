"""Inputs of all kinds: numbers, tables, functions of time, feedback functions, sampled controllers."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, SupportsFloat, TypeAlias

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import StateError
from nonholo.integrate.controller_view import ControllerState
from nonholo.integrate.loops.arguments.piecewise_signals import Signal, constant, hold, signal
from nonholo.integrate.motion.system_kernel import SystemKernel, on_rows
from nonholo.model.declared_words import GivenInput
from nonholo.model.system import System
from nonholo.program.array_types import Array

ROUNDING = 1e-9
"""Part of a sampling interval by which a time may miss its beginning."""


@dataclass(frozen=True)
class Sampled:
    """A controller that looks at time and state every so often, and holds its answer until it looks again.

    With a ``delay`` a value takes effect that much after its call, and the input is ``initial`` before the first.
    """

    function: Callable[..., float]
    every: float
    delay: float = 0.0
    initial: float = 0.0

    def __post_init__(self) -> None:
        if not callable(self.function):
            raise StateError(f"sampled: {self.function!r} where a function of time, or of time and state, is needed.")
        if not (isinstance(self.every, (int, float)) and math.isfinite(self.every) and self.every > 0):
            raise StateError(f"sampled: every = {self.every!r} where a time > 0 is needed, e.g. every=0.01.")
        if not (isinstance(self.delay, (int, float)) and math.isfinite(self.delay) and self.delay >= 0):
            raise StateError(f"controller: delay = {self.delay!r} where a time >= 0 is needed, e.g. delay=0.005.")


@dataclass(frozen=True)
class Controller:
    """One function for all inputs, sampled or not, delayed, limited. Made by `controller`."""

    function: Callable[..., object]
    every: float | None = None
    delay: float = 0.0
    limits: FrozenMap[str, tuple[float, float]] | tuple[float, float] | None = None
    initial: float | FrozenMap[str, float] = 0.0

    def one(self, name: str, function: Callable[..., float]) -> Sampled | Callable[..., float]:
        """What the controller does to one input."""
        bounds = self.limits.get(name) if isinstance(self.limits, FrozenMap) else self.limits
        first = self.initial.get(name, 0.0) if isinstance(self.initial, FrozenMap) else self.initial
        limited = function if bounds is None else _limited(function, *bounds)
        return limited if self.every is None else Sampled(limited, self.every, self.delay, first)


def controller(
    function: Callable[..., Any],
    every: float | None = None,
    *,
    delay: float = 0.0,
    limits: Any = None,
    initial: float | Mapping[str, float] = 0.0,
) -> Controller:
    """All inputs by one function ``f(t, state)`` that returns a dict, or a vector in the order of the system's inputs.

    With ``every`` it is called at that interval and held between; a value takes effect ``delay`` later (``initial`` before).
    ``limits`` saturate: ``{"u": (-1, 1)}``, or a pair for all inputs.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> brake = nh.controller(lambda t, state: {"u": -3 * state["xdot"]}, every=0.5, delay=0.25, limits=(-1, 1))
    >>> nh.simulate(cart, {"xdot": 0.5}, 1.0, inputs=brake, t_eval=[0, 0.2, 0.3, 0.7, 0.8])["u"].round(9).tolist()
    [0.0, 0.0, -1.0, -1.0, -0.75]
    """
    if every is None and delay:
        raise StateError("controller: a delay needs a sampling interval; give every=…, too.")
    if every is not None or delay:
        Sampled(function, every if every is not None else 1.0, delay)
    if not callable(function):
        raise StateError(f"controller: {function!r} where a function of time, or of time and state, is needed.")
    table = None if limits is None else _limits(limits)
    start = FrozenMap({str(n): float(e) for n, e in initial.items()}) if isinstance(initial, Mapping) else float(initial)
    return Controller(function, None if every is None else float(every), float(delay), table, start)


def _limits(given: Any) -> FrozenMap[str, tuple[float, float]] | tuple[float, float]:
    def pair(bounds: Any, where: str) -> tuple[float, float]:
        try:
            low, high = (float(e) for e in bounds)
        except (TypeError, ValueError):
            low, high = 1.0, 0.0
        if not low <= high:
            raise StateError(f"controller: limits {where}{bounds!r} where a pair (low, high) is needed, e.g. (-1, 1).")
        return low, high

    if isinstance(given, Mapping):
        return FrozenMap({str(n): pair(e, f"of {n}: ") for n, e in given.items()})
    return pair(given, "")


def _limited(function: Callable[..., float], low: float, high: float) -> Callable[..., float]:
    """The function between two numbers, asking for as much as it does."""
    if sees_state(function):
        return lambda t, state: min(max(float(function(t, state)), low), high)
    return lambda t: min(max(float(function(t)), low), high)


def sampled(function: Callable[..., Any], every: float) -> Sampled:
    """An input by a function ``f(t)`` or ``f(t, state)`` that is called at equal intervals and held between (zero-order hold).

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> thermostat = nh.sampled(lambda t, state: -1.0 if state["x"] > 0 else 1.0, every=0.5)
    >>> run = nh.simulate(cart, {"x": 0.1}, 2.0, inputs={"u": thermostat}, t_eval=[0, 0.4, 0.5, 1.0, 1.5])
    >>> run["u"].tolist()
    [-1.0, -1.0, 1.0, 1.0, 1.0]
    """
    return Sampled(function, float(every) if isinstance(every, (int, float)) else every)


def sees_state(function: Any) -> bool:
    """Whether a function wants time and state, and not time alone."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return False
    plain = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return sum(p.kind in plain and p.default is inspect.Parameter.empty for p in parameters) >= 2


class FunctionInput:
    """An input by a Python function of time and state during one motion; a sampled one remembers its answers."""

    def __init__(
        self, name: str, function: Callable[..., Any], every: float | None, t0: float, t1: float, delay: float = 0.0,
        initial: float = 0.0, system: System | None = None,
    ) -> None:  # fmt: skip
        self.name, self.function, self.every, self.delay, self.initial = name, function, every, delay, initial
        self.t0, self.t1, self.system = t0, t1, system
        self._both = sees_state(function)
        self._held: dict[int, tuple[float, float]] = {}

    @property
    def table(self) -> Signal:
        """The signal that represents it in the loops: zero, with breaks at the sampling times."""
        if self.every is None:
            return constant(0.0)
        count = math.ceil(abs(self.t1 - self.t0) / self.every - ROUNDING)
        step = math.copysign(self.every, self.t1 - self.t0)
        times = self.t0 + step * np.arange(1, count)
        if self.delay:
            late = self.t0 + math.copysign(self.delay, step) + step * np.arange(count)
            times = np.union1d(times, late[np.abs(late - self.t0) < abs(self.t1 - self.t0)])
        return Signal(np.array([0.0, 1.0]), np.array([[0.0]]), np.sort(times))

    def held(self, low: float, high: float, before: bool = False) -> float:
        """The sampled input in a step between two breaks, or just ``before`` it; sample n acts from ``t0 + n every + delay``."""
        place = (self._elapsed(low, high) - self.delay) / (self.every or 1.0)
        n = math.ceil(place - ROUNDING) - 1 if before else math.floor(place + ROUNDING)
        return self._held[n][1] if n in self._held else self.initial

    def due(self, low: float, high: float) -> int | None:
        """The number of the sample that is to be taken in a step between two breaks."""
        k = math.floor(self._elapsed(low, high) / (self.every or 1.0) + ROUNDING)
        return None if self.every is None or k in self._held else k

    def _elapsed(self, low: float, high: float) -> float:
        return (low - self.t0) if self.t1 >= self.t0 else (self.t0 - high)

    def take(self, k: int, kernel: SystemKernel, row: Array, before: Array) -> None:
        """Ask for sample ``k`` at the state of an input vector; ``before`` has the inputs held until then."""
        self._held[k] = (float(row[0]), self.value(kernel, row, before))

    def along(self, kernel: SystemKernel, rows: Array) -> Array:
        """The input on every row of a path that was computed with it."""
        found = sorted(self._held.values())
        if self.every is None or not found:
            return np.array([self.value(kernel, row, None if self.every is None else row) for row in rows])
        if self.delay:
            late = math.copysign(self.delay, self.t1 - self.t0)
            found = sorted([(self.t0, self.initial), *((t + late, value) for t, value in found)])
        if len(found) == 1:
            return np.full(len(rows), found[0][1])
        times, values = (list(part) for part in zip(*found))
        if self.t1 < self.t0:  # held backwards: each answer counts before its time
            times, values = [-t for t in times[::-1]], values[::-1]
            return hold(times, values).values(-rows[:, 0])
        return hold(times, values).values(rows[:, 0])

    def value(self, kernel: SystemKernel, row: Array, before: Array | None = None) -> float:
        """What the function answers at the time and state of an input vector."""
        time = float(row[0])
        given = (time, ControllerState(kernel, row.copy(), before, self.system)) if self._both else (time,)
        return number_of(self.function, given, f"{kernel.equations.name}: input {self.name}", time)


def fill_inputs(kernel: SystemKernel, live: Sequence[tuple[int, FunctionInput]], row: Array, low: float, high: float) -> None:
    """Write inputs by functions into an input vector, in a step between two breaks; ``live`` has their places.

    All samples that are due are taken under the inputs held before any of them.
    """
    due = [(one, k) for _, one in live if (k := one.due(low, high)) is not None]
    for place, one in live:
        row[place] = one.value(kernel, row) if one.every is None else one.held(low, high, before=bool(due))
    if due:
        before = row.copy()
        for one, k in due:
            one.take(k, kernel, row, before)
        for place, one in live:
            if one.every is not None:
                row[place] = one.held(low, high)


Source: TypeAlias = Signal | FunctionInput | float
"""What gives the values of an input along a motion."""


def number_of(function: Callable[..., Any], given: Sequence[Any], where: str, time: float) -> float:
    """What an input function answers, as a number, or one clear error."""
    try:
        answer = function(*given)
    except StateError:
        raise
    except Exception as problem:
        raise StateError(
            f"{where}: the function raised {type(problem).__name__} at t = {time:g} ({problem}); let it return a number there."
        ) from problem
    try:
        value = float(answer) if not isinstance(answer, (str, bytes)) else math.nan
    except (TypeError, ValueError):
        value = math.nan
    if not math.isfinite(value):
        raise StateError(
            f"{where}: the function gave {answer!r} at t = {time:g} where a finite number is needed; let it return one."
        )
    return value


def source(
    name: str, given: Any, t0: float, t1: float, times: Any, where: str, system: System | None = None
) -> Signal | FunctionInput:
    """The source of an input as given by a user, for a motion from t0 to t1 with output at ``times``.

    Functions see readings of the sensors of ``system``.
    """
    if isinstance(given, Sampled):
        return FunctionInput(name, given.function, given.every, t0, t1, given.delay, given.initial, system)
    if callable(given) and not isinstance(given, Signal):
        if sees_state(given):
            return FunctionInput(name, given, None, t0, t1, system=system)
        return signal(lambda t: number_of(given, (t,), f"{where}: input {name}", t), t0, t1)
    if isinstance(given, (np.ndarray, list)) and np.ndim(given) == 1 and not isinstance(given, str):
        values = np.asarray(given)
        asked = None if isinstance(times, str) or times is None else np.asarray(times, dtype=float)
        if asked is None or len(asked) != len(values):
            found = "none" if asked is None else str(len(asked))
            raise StateError(
                f"{where}: input {name} is an array of {len(values)} numbers on t_eval, which has {found}; give one number for "
                "each time, or a pair (times, values)."
            )
        given = (asked, values)
    try:
        return signal(given, t0, t1)
    except StateError as problem:
        raise StateError(f"{where}: input {name}: {str(problem).removeprefix('input: ')}") from None


def beginning(given: Any, time: float) -> float | None:
    """An input at the start, before there is a state; None where it must see one."""
    if isinstance(given, Sampled) or (callable(given) and not isinstance(given, Signal) and sees_state(given)):
        return None
    if isinstance(given, Signal):
        return given(time)
    if callable(given):
        return number_of(given, (time,), "input", time)
    try:
        if np.ndim(given) == 0:
            return float(given)
        if isinstance(given, (tuple, list)) and len(given) == 2 and np.ndim(given[0]) == 1:
            return float(np.interp(time, np.asarray(given[0], dtype=float), np.asarray(given[1], dtype=float)))
        return float(np.asarray(given, dtype=float)[0])
    except (TypeError, ValueError, IndexError):
        return None  # `source` will say what is wrong with it


def expandable(name: str, given: GivenInput, where: str) -> float:
    """An input for a method that expands motions in time: a number; formulas are part of the equations by now."""
    if callable(given) or np.ndim(given) != 0 or not isinstance(given, SupportsFloat):  # type: ignore[arg-type]
        raise StateError(
            f"{where}: input {name} is a table or a function, which method taylor cannot expand in "
            'time; give a number, a formula in t as text ("sin(3*t)"), or choose method="dop853".'
        )
    return float(given)


def rows_with_inputs(
    kernel: SystemKernel, sources: Sequence[Source], times: Array, states: Array, parameters: Mapping[str, float]
) -> Array:
    """The input vectors ``[t, x…, z…, inputs…, parameters…]`` along a path, one row for each time."""
    fixed = [parameters[n] for n in kernel.parameters]
    first = 1 + states.shape[1]
    rows = np.zeros((len(times), first + len(sources) + len(fixed)))
    rows[:, 0], rows[:, 1:first] = times, states
    if fixed:
        rows[:, first + len(sources) :] = fixed
    for k, s in enumerate(sources):
        if not isinstance(s, FunctionInput):
            rows[:, first + k] = s.values(times) if isinstance(s, Signal) else float(s)
    for k, s in enumerate(sources):
        if isinstance(s, FunctionInput):
            rows[:, first + k] = s.along(kernel, rows)
    return rows


__all__ = ["Controller", "FunctionInput", "Sampled", "controller", "on_rows", "sampled", "source"]
