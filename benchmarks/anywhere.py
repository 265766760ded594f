"""Single steps and rates at random states: medians and worst, and what the right-hand sides of the worst step take.

Each state is first given by its coordinates and velocities, as a user writes it, then as the step before gave it. A step of 10 ms
along a fast motion needs many right-hand sides: the time of its compiled loop is its lower bound. Times are processor time, the
best of some blocks of calls.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise
from statistics import median
from time import process_time
from typing import Any

import numpy as np

import nonholo as nh
from nonholo.derive.laws.check import random_states
from nonholo.integrate.loops.arguments import array_layout as at

SYSTEMS = (
    "chaplygin-sleigh", "rattleback", "rolling-disk", "whipple-bicycle", "snakeboard", "roller-racer", "n-trailer",
    "sleigh-chain", "chaplygin-sphere", "tippe-top", "suslov", "bicycle", "segway", "skateboard", "balancing-ballbot",
    "ball-on-ball", "car-with-trailers", "trikke", "unicycle-with-rider", "bumpy-tricycle",
)  # fmt: skip
COUNT, STEP, CALLS, BLOCKS = 30, 0.01, 10, 4


def block(work: Callable[[], Any]) -> float:
    """Microseconds of one call."""
    found = []
    for _ in range(BLOCKS):
        began = process_time()
        for _ in range(CALLS):
            work()
        found.append((process_time() - began) / CALLS)
    return 1e6 * min(found)


def snake(links: int) -> nh.System:
    """A chain of links with a wheel each, from its bodies."""
    names = [f"link {k}" for k in range(links)]
    return nh.assemble(
        nh.Machine(
            world="plane",
            bodies=[nh.Body(name, mass="m", inertia="J", center=["-c", 0]) for name in names],
            joints=[nh.Joint(name=f"b{k}", parent=a, child=b, at=["-l", 0]) for k, (a, b) in enumerate(pairwise(names), 1)],
            wheels=[nh.Wheel(name, at=["-b", 0]) for name in names],
            parameters={"m": 1.1, "J": 0.2, "l": 0.6, "b": 0.35, "c": 0.25},
        )
    )


def states(system: nh.System, parameters: Any) -> list[dict[str, float]]:
    """Random admissible states by coordinates and velocities; of chains too long for `random_states`, random bends."""
    names = (*system.coordinates, *system.velocities)
    if len(system.coordinates) < 40:
        return [{n: s.values[n] for n in names} for s in random_states(system, parameters, COUNT, 5)]
    random = np.random.default_rng(5)
    bends = [dict(zip(system.coordinates, random.uniform(-1, 1, len(system.coordinates)).tolist())) for _ in range(COUNT)]
    whole = [nh.complete_state(system, {**b, system.velocities[0]: 0.7}, parameters) for b in bends]
    return [{n: state[n] for n in names} for state in whole]


def inside(model: nh.Model, state: dict[str, float]) -> tuple[int, float]:
    """How many right-hand sides a step takes, and the microseconds of its compiled loop alone."""
    stepper = model._steppers._idle[0]._steppers[0]
    launcher, (time, numbers, driving) = stepper._launcher, stepper._start(state, {})
    spent = block(lambda: launcher.moved(time, time + STEP, numbers, driving))
    return int(launcher._memory[len(launcher._space.real) :].view(np.int64)[at.CALLS]), spent


def measured(name: str, system: nh.System, parameters: Any) -> dict[str, Any]:
    """One line of the table."""
    model = nh.prepare(system, parameters)
    told, again, rates, vector, refused = [], [], [], [], []
    calls, loop = 0, 0.0
    for state in states(system, parameters):
        began = process_time()
        try:
            after = model.step(state, STEP)
        except nh.StateError:
            refused.append(process_time() - began)
            continue
        told.append(block(partial(model.step, state, STEP)))
        again.append(block(partial(model.step, after, STEP)))
        if again[-1] == max(again):
            calls, loop = inside(model, after)
        rates.append(block(partial(model.rates, after)))
        if all(n in after for n in model.names):
            x = [after[n] for n in model.names]
            vector.append(block(partial(model.vector, x)))
    line: dict[str, Any] = {"system": name}
    for title, found in (("step, state as told", told), ("step", again), ("rates", rates), ("vector", vector)):
        line |= {f"{title}, median [µs]": round(median(found), 1), f"{title}, worst": round(max(found), 1)}
    line |= {"right-hand sides of the worst": calls, "in its compiled loop [µs]": round(loop, 1)}
    longest = f"{len(refused)}, {max(refused):.2g} s" if refused else ""
    return line | {"refused, longest": longest, "all below 60": max(*told, *again, *rates, *vector) < 60}


def table() -> list[dict[str, Any]]:
    """Every system."""
    found = [(name, nh.gallery.get(name)) for name in SYSTEMS]
    lines = [measured(name, exhibit.system, exhibit.parameters) for name, exhibit in found]
    return [*lines, measured("snake of 50 links", snake(50), None)]
