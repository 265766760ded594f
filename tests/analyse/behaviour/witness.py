"""Evidence for verdicts on stability that shares nothing with them: motions by `simulate`, started beside the steady motion.

The distance is that of whole states ``(x, ẋ)`` from the steady motion, but for a motion of the symmetry. What is called unstable
must depart at the rate of its mode, what tends back must do so at the rate of the slowest, what is stable must stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.linalg import expm

import nonholo as nh
from nonholo.analyse.flow.state_action import Action, action_of, wrapped_gap
from nonholo.analyse.flow.state_flow import Flow, flow_of, onto_bound
from nonholo.analyse.orbits.tangent_flow import Carrier, carrier_of

STAYS, STEADY, LINEAR = 60.0, 1.5, 0.1
"""A stable motion may swell to the first times the push. Where it swells more it must be in proportion to the push, to the third
part, and at most the second times farther away later than in the first tenth of the time: the linear flow of a disk that hardly
leans turns a push of 1e-5 into a swing of 6e-4 that is as large for ever."""
TIMES = 60.0
"""Stable motions are watched for so many periods of their slowest mode."""
WORK = 400_000
"""A motion that would need more steps than this is watched for as many, and the evidence says for how long."""


@dataclass(frozen=True)
class Evidence:
    """What a motion beside a steady one did."""

    kind: str
    """``departs``, ``returns`` or ``stays``."""
    wanted: float
    found: float
    share: float = 1.0
    """Which part of the time that was meant was watched: less than 1 where that would have been too much work."""

    @property
    def off(self) -> float:
        """By which part the rate is missed; for what stays, by how much it swelled beyond what is allowed."""
        if self.kind == "stays":
            return max(0.0, self.found / self.wanted - 1)
        return abs(self.found / self.wanted - 1)


class Ended(Exception):
    """The motion beside a steady one ended early: no evidence for or against."""


class Beside:
    """Motions started beside a steady one."""

    def __init__(self, system: Any, found: Any, parameters: Mapping[str, float] | None) -> None:
        self.system, self.found, self.parameters = system, found, dict(found.parameters)
        first = {n: e for n, e in found.state.items() if n in {*system.coordinates, *system.velocities}}
        self.flow: Flow = flow_of(system, first, self.parameters)
        self.home = np.array([found.state[n] for n in self.flow.names])
        self.carrier: Carrier = carrier_of(self.flow, system, first, self.parameters)[0]
        self.action: Action = action_of(self.flow)
        self.velocity = np.array([found.velocity.get(n, 0.0) for n in self.action.names])

    def affordable(self, push: Any, until: float) -> float:
        """The part of a time that takes no more than `WORK` steps, by the pace of its first hundredth."""
        run = self._run(push, np.array([0.0, until / 100]))
        return min(1.0, WORK / (100.0 * max(run.steps, 1)))

    def _run(self, push: Any, times: Any) -> Any:
        start = onto_bound(self.flow, (self.home + push)[None])[0]
        given = dict(zip(self.flow.names, start.tolist()))
        run = nh.simulate(
            self.system, given, float(times[-1]), self.parameters, rtol=1e-12, atol=1e-14, t_eval=times,
            inputs=dict.fromkeys(self.flow.idle, 0.0), progress=False,
        )  # fmt: skip
        if not run.outcome.reached:
            raise Ended(str(run.outcome))
        return run

    def distance(self, push: Any, times: Any) -> Any:
        """How far a pushed motion is from the steady one, modulo the symmetry."""
        return np.linalg.norm(self.apart(push, times), axis=1)

    def size(self, mode: Any, length: float, times: Any) -> Any:
        """What grows with the rate of a mode: a distance, or the root of the area between two motions where it oscillates.

        A distance swings with the mode, and of a slow one too little may be seen to tell its growth from its swing; the area
        spanned by pushes along the mode's real and imaginary parts grows as ``e^(2λt)`` whatever its frequency is.
        """
        if not mode.frequency:
            return self.distance(length * self.along(mode), times)
        one, two = (self.apart(length * self.along(mode, turn), times) for turn in (1.0, -1j))
        squares, across = np.sum(one * one, axis=1) * np.sum(two * two, axis=1), np.sum(one * two, axis=1)
        return (squares - across**2) ** 0.25

    def apart(self, push: Any, times: Any) -> Any:
        """What lies between a pushed motion and the steady one, modulo the symmetry."""
        run = self._run(push, times)
        states = np.array([run[n] for n in self.flow.names]).T
        points = self.carrier.observed_rows(self.flow.kernel, states)
        first = self.carrier.observed_rows(self.flow.kernel, self.home[None])[0]
        still = np.zeros(len(first), dtype=bool)
        still[: len(self.system.coordinates)] = self._angles()
        gaps, amounts = [], np.zeros(len(self.action))
        for t, point in zip(times, points):
            image = self._moved(amounts, self._moved(self.velocity * t, first))
            gap, amounts = self._nearest(image, amounts, point, still)
            gaps.append(gap)
        return np.array(gaps)

    def _moved(self, amounts: Any, point: Any) -> Any:
        """Where the group moves a point, by SciPy's exponential: the amounts are hundreds of turns, where series take long."""
        if not len(self.action):
            return point
        return (expm(self.action.generator(amounts)) @ np.append(point, 1.0))[:-1]

    def _nearest(self, image: Any, amounts: Any, point: Any, angles: Any) -> tuple[Any, Any]:
        """What lies between a point and the orbit of the group, drawn nearer by Gauss–Newton steps."""
        off = wrapped_gap(point - image, angles)
        for _ in range(6 if len(self.action) else 0):
            step = np.linalg.lstsq(self.action.fields(image), off, rcond=1e-9)[0]
            image, amounts = self._moved(step, image), amounts + step
            off = wrapped_gap(point - image, angles)
            if np.max(np.abs(step)) < 1e-6:
                break
        return off, amounts

    def _angles(self) -> list[bool]:
        from nonholo.analyse.steady.steady_equations import periods

        return np.isfinite(periods(self.flow))[: len(self.system.coordinates)].tolist()

    def along(self, mode: Any, turn: complex = 1.0) -> Any:
        """A push of length 1 along a mode's real part, or along that of another phase of it."""
        vector = np.array([(turn * complex(mode.vector.get(n, 0.0))).real for n in self.flow.names])
        return vector / np.linalg.norm(vector)


def slope(times: Any, sizes: Any, low: float, high: float) -> float:
    """The rate at which sizes grow or shrink exponentially, where they are between two bounds."""
    first = int(np.argmax(sizes > low)) if sizes[0] < sizes[-1] else 0
    beyond = np.flatnonzero((sizes > high) if sizes[0] < sizes[-1] else (sizes < low))
    last = int(beyond[beyond > first][0]) if len(beyond[beyond > first]) else len(sizes)
    return float(np.polyfit(times[first:last], np.log(sizes[first:last]), 1)[0])


def evidence(system: Any, found: Any, parameters: Mapping[str, float] | None = None, seed: int = 1) -> Evidence | None:
    """What motions say of a verdict; None where it claims nothing."""
    beside = Beside(system, found, parameters)
    if found.verdict == "unstable":
        mode = max(found.modes, key=lambda m: m.rate)
        until = np.log(1e5) / mode.rate
        share = beside.affordable(1e-8 * beside.along(mode), until)
        times = np.linspace(0.0, share * until, 600)
        push, low = (1e-8, 2e-7) if share == 1 else (1e-6, 0.0)  # of slow growth the beginning is watched, above rounding
        return Evidence("departs", mode.rate, slope(times, beside.size(mode, push, times), low, 1e-4))
    if found.verdict.endswith("asymptotically stable"):
        mode = max(found.modes, key=lambda m: m.rate)
        times = np.linspace(0.0, np.log(300) / -mode.rate, 600)
        return Evidence("returns", mode.rate, slope(times, beside.size(mode, 1e-5, times), 2e-8, 1e-4))
    if found.verdict in ("orbitally stable", "stable up to drift along its family") and found.modes:
        slowest = min(m.frequency for m in found.modes)
        push = np.random.default_rng(seed).normal(size=beside.flow.size)  # type: ignore[assignment]
        push *= 1e-5 / np.linalg.norm(push)  # type: ignore[assignment]
        until = TIMES * 2 * np.pi / slowest
        share = beside.affordable(push, until)
        gaps = beside.distance(push, np.linspace(0.0, share * until, 900))
        bound, largest = STAYS * max(gaps[0], 1e-6), float(np.max(gaps))
        if largest > bound:  # a long swing, or a departure: the former does not grow, and half the push gives half of it
            half = beside.distance(push / 2, np.linspace(0.0, share * until, 900))
            if abs(largest / (2 * float(np.max(half))) - 1) < LINEAR:
                bound = STEADY * float(np.max(gaps[: len(gaps) // 10]))
        return Evidence("stays", bound, largest, share)
    return None
