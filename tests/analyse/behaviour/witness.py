"""Evidence for verdicts on stability that shares nothing with them: motions by `simulate`, started beside the steady motion.

The distance is that of whole states ``(x, ẋ)`` from the steady motion, but for a motion of the symmetry. What is called unstable
must depart at the rate of its mode, what tends back must do so at the rate of the slowest, what is stable must stay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

import nonholo as nh
from nonholo.analyse.behaviour.action import Action, action_of
from nonholo.analyse.behaviour.carrier import Carrier, carrier_of
from nonholo.analyse.behaviour.flow import Flow, flow_of, onto_bound
from nonholo.analyse.behaviour.recurrence import drawn

STAYS = 60.0
"""A stable motion may swell to this times the push."""
TIMES = 60.0
"""Stable motions are watched for so many periods of their slowest mode."""


@dataclass(frozen=True)
class Evidence:
    """What a motion beside a steady one did."""

    kind: str
    """``departs``, ``returns`` or ``stays``."""
    wanted: float
    found: float

    @property
    def off(self) -> float:
        """By which part the rate is missed; for what stays, by how much it swelled beyond what is allowed."""
        if self.kind == "stays":
            return max(0.0, self.found / self.wanted - 1)
        return abs(self.found / self.wanted - 1)


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

    def distance(self, push: Any, times: Any) -> Any:
        """How far a pushed motion is from the steady one, modulo the symmetry."""
        start = onto_bound(self.flow, (self.home + push)[None])[0]
        given = dict(zip(self.flow.names, start.tolist()))
        run = nh.simulate(
            self.system, given, float(times[-1]), self.parameters, rtol=1e-12, atol=1e-14, t_eval=times,
            inputs=dict.fromkeys(self.flow.idle, 0.0),
        )  # fmt: skip
        assert str(run.outcome).startswith("reached"), run.outcome
        states = np.array([run[n] for n in self.flow.names]).T
        points = self.carrier.seen_all(self.flow.derived, states)
        first = self.carrier.seen_all(self.flow.derived, self.home[None])[0]
        still = np.zeros(len(first), dtype=bool)
        still[: len(self.system.coordinates)] = self._angles()
        gaps, amounts = [], np.zeros(len(self.action))
        for t, point in zip(times, points):
            image = self.action.moved(self.velocity * t, first)
            image = self.action.moved(amounts, image)
            gap, amounts, _ = drawn(self.action, image, amounts, point, np.ones(len(first)), still, 6)
            gaps.append(gap)
        return np.array(gaps)

    def _angles(self) -> list[bool]:
        from nonholo.analyse.behaviour.region import periods

        return np.isfinite(periods(self.flow))[: len(self.system.coordinates)].tolist()

    def along(self, mode: Any) -> Any:
        """A push of length 1 along a mode."""
        vector = np.array([complex(mode.vector.get(n, 0.0)).real for n in self.flow.names])
        return vector / np.linalg.norm(vector)


def fitted(times: Any, gaps: Any, frequency: float, low: float, high: float) -> float:
    """The rate of an exponential with an oscillation of twice the frequency, where its size is between two bounds."""
    first = int(np.argmax(gaps > low)) if gaps[0] < gaps[-1] else 0
    beyond = np.flatnonzero((gaps > high) if gaps[0] < gaps[-1] else (gaps < low))
    last = int(beyond[beyond > first][0]) if len(beyond[beyond > first]) else len(gaps)
    t, y = times[first:last], np.log(gaps[first:last])
    columns = [np.ones_like(t), t]
    for k in (2, 4) if frequency else ():
        columns += [np.cos(k * frequency * t), np.sin(k * frequency * t)]
    return float(np.linalg.lstsq(np.array(columns).T, y, rcond=None)[0][1])


def evidence(system: Any, found: Any, parameters: Mapping[str, float] | None = None, seed: int = 1) -> Evidence | None:
    """What motions say of a verdict; None where it claims nothing."""
    beside = Beside(system, found, parameters)
    if found.verdict == "unstable":
        mode = max(found.modes, key=lambda m: m.rate)
        times = np.linspace(0.0, np.log(1e5) / mode.rate, 600)
        gaps = beside.distance(1e-8 * beside.along(mode), times)
        return Evidence("departs", mode.rate, fitted(times, gaps, mode.frequency, 2e-7, 1e-4))
    if found.verdict.endswith("asymptotically stable"):
        mode = max(found.modes, key=lambda m: m.rate)
        times = np.linspace(0.0, np.log(300) / -mode.rate, 600)
        gaps = beside.distance(1e-5 * beside.along(mode), times)
        return Evidence("returns", mode.rate, fitted(times, gaps, mode.frequency, 2e-8, 1e-4))
    if found.verdict in ("orbitally stable", "stable up to drift along its family") and found.modes:
        slowest = min(m.frequency for m in found.modes)
        times = np.linspace(0.0, TIMES * 2 * np.pi / slowest, 900)
        push = np.random.default_rng(seed).normal(size=beside.flow.size)
        push *= 1e-5 / np.linalg.norm(push)
        gaps = beside.distance(push, times)
        return Evidence("stays", STAYS * max(gaps[0], 1e-6), float(np.max(gaps)))
    return None
