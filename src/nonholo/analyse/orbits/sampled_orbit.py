"""Periodic motions of a sampled loop: fixed points of the map over several sampling intervals, with their multipliers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import floor
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.analyse.stability.sampled_loop import STABLE, judged, law_of, undecided, verdict_finding
from nonholo.derive.states.consistent_state import complete_state
from nonholo.errors import ModelError, StateError
from nonholo.finding import Finding
from nonholo.integrate.inputs import Controller
from nonholo.integrate.model import Model, prepare
from nonholo.model.scalars import finite, whole
from nonholo.model.system import System, check_system, without_laws

STEP, CLOSED, ROUNDS = 1e-6, 1e-9, 30


@dataclass(frozen=True, eq=False)
class SampledOrbit:
    """A motion of a sampled loop that repeats after ``samples`` intervals. Made by `sampled_orbit`."""

    name: str
    state: FrozenMap[str, float]
    """At the first sample."""
    pending: Numbers
    """Answers that are on their way there, the latest first, (answer, input)."""
    samples: int
    every: float
    gap: float
    """How far the state after the period is from the first."""
    matrix: Numbers = field(repr=False)
    """The derivative of the return map."""

    @property
    def period(self) -> float:
        return self.samples * self.every

    @property
    def multipliers(self) -> NDArray[np.complex128]:
        """Eigenvalues of the return map, the largest first."""
        found = np.asarray(np.linalg.eigvals(self.matrix), dtype=np.complex128)
        return found[np.argsort(-np.abs(found), kind="stable")]

    @property
    def verdict(self) -> str:
        """``asymptotically stable``, ``unstable`` or ``not decided``."""
        return judged(self.multipliers)

    @property
    def stable(self) -> bool:
        return self.verdict == STABLE

    @property
    def finding(self) -> Finding:
        """The verdict in the words of `nonholo.orbit`."""
        words = f"multipliers of the return after {self.samples} samples{undecided(self.multipliers)}"
        return verdict_finding(self.verdict, self.multipliers, words, orbit=True)

    def __str__(self) -> str:
        return f"{self.name}: period {self.period:.6g} s ({self.samples} samples), {self.verdict}"


def sampled_orbit(
    system: System,
    guess: Mapping[str, Any],
    controller: Controller,
    samples: int,
    *,
    parameters: Mapping[str, Any] | None = None,
) -> SampledOrbit:
    """The motion near a guess that repeats after so many samples: under a periodic reference, or a locked limit cycle.

    The map from sample to sample is that of the true motion under the held, delayed and limited answers; Newton's method with
    differences finds its fixed point. The controller may depend on time with the period ``samples·every``.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> law = lambda t, s: {"u": 4 * (np.sin(2 * np.pi * t) - s["x"]) - 3 * s["xdot"]}
    >>> found = nh.control.sampled_orbit(cart, {}, nh.controller(law, every=0.1), samples=10)
    >>> found.stable, found.gap < 1e-8
    (True, True)
    """
    check_system(system)
    if not isinstance(controller, Controller) or controller.every is None:
        raise ModelError(f"{system.name}: a sampled orbit needs nh.controller(f, every=…); found {type(controller).__name__}.")
    free = without_laws(system)
    model = prepare(free, parameters)
    loop = _Loop(free, model, controller, whole(samples, f"{system.name}: samples"))
    full = complete_state(free, guess, dict(model.parameters))
    z = np.concatenate([[full[n] for n in model.names], np.zeros(loop.count * len(model.inputs))])
    for _ in range(ROUNDS):
        after = loop.returned(z)
        gap = after - z
        matrix = loop.slopes(z)
        if not (np.all(np.isfinite(gap)) and np.all(np.isfinite(matrix))):
            break
        if np.max(np.abs(gap)) <= CLOSED * (1.0 + np.max(np.abs(z))):
            n = len(model.names)
            state = FrozenMap(dict(zip(model.names, z[:n].tolist())))
            pending = z[n:].reshape(loop.count, len(model.inputs))
            return SampledOrbit(system.name, state, pending, loop.samples, loop.every, float(np.max(np.abs(gap))), matrix)
        step = np.linalg.lstsq(matrix - np.eye(len(z)), -gap, rcond=None)[0]
        z = z + step
    found = f"{system.name}: no motion near the guess repeats after {samples} samples"
    raise StateError(f"{found}; begin at the end of a long motion.")


def samples_of(system: System, controller: Controller, period: float | None) -> int:
    """How many samples make a period."""
    if controller.every is None or period is None:
        needed = "period=…, a multiple of its sampling interval" if period is None else "nh.controller(f, every=…)"
        raise StateError(f"{system.name}: the orbit of a controlled system needs {needed}.")
    wanted = finite(period, f"{system.name}: period")
    count = round(wanted / controller.every)
    if count < 1 or abs(count * controller.every - wanted) > 1e-9 * wanted:
        near, every = max(1, count) * controller.every, controller.every
        raise StateError(f"{system.name}: period {wanted:g} is no multiple of the sampling interval {every:g}; {near:g} is near.")
    return count


@dataclass(frozen=True, eq=False)
class _Loop:
    """The map of state and pending answers over a period."""

    system: System
    model: Model
    controller: Controller
    samples: int

    @property
    def every(self) -> float:
        return float(self.controller.every or 0.0)

    @property
    def late(self) -> tuple[int, float]:
        """The delay: whole intervals and the remainder."""
        intervals = floor(self.controller.delay / self.every + 1e-9)
        return intervals, max(0.0, self.controller.delay - intervals * self.every)

    @property
    def count(self) -> int:
        """Answers on their way at a sample."""
        intervals, part = self.late
        return intervals + (1 if part > 1e-12 * self.every else 0)

    def returned(self, z: Numbers) -> Numbers:
        """State and pending answers one period later."""
        names, inputs = self.model.names, self.model.inputs
        n, m = len(names), len(inputs)
        law = law_of(self.system, inputs, self.controller, dict(self.model.parameters))
        y, pending = z[:n], list(z[n:].reshape(self.count, m))
        intervals, part = self.late
        for k in range(self.samples):
            time = k * self.every
            pending.insert(0, law(time, dict(zip(names, y.tolist()))))
            pieces = [(part, pending[intervals + 1])] if self.count > intervals else []
            for span, u in (*pieces, (self.every - (part if pieces else 0.0), pending[intervals])):
                y = self.model.step_many(y[None], span, u[None], time)[0]
                time += span
            del pending[self.count :]
        return np.concatenate([y, *pending]) if pending else y

    def slopes(self, z: Numbers) -> Numbers:
        """The derivative of the map, by central differences."""
        columns = []
        for j in range(len(z)):
            width = STEP * max(1.0, abs(z[j]))
            ends = [self.returned(z + sign * width * np.eye(len(z))[j]) for sign in (1.0, -1.0)]
            columns.append((ends[0] - ends[1]) / (2 * width))
        return np.column_stack(columns)
