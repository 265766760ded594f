"""Environment steps per second and core, ten Runge–Kutta steps each, and how long JAX's foreign functions take to be ready.

Processor time of one thread, the best of several rounds; observations, rewards, ends and new episodes are included.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np

import nonholo as nh
from nonholo.control.environments.episode_simulator import Simulator
from nonholo.gallery.learning_tasks import ready_task

MEMBERS, ROUNDS, STEPS = 4096, 5, 5
AIM = 200_000.0
"""Steps of the bicycle per second and core."""


def table() -> list[dict[str, Any]]:
    """One row for each ready task, then the export."""
    rows = [environment_row(name) for name in nh.task_names()]
    return [*rows, foreign_row("whipple-bicycle")]


def environment_row(name: str) -> dict[str, Any]:
    """Steps per second and core of one task under random actions."""
    task = ready_task(name)
    world = Simulator(task, MEMBERS)
    world.reset(seed=0)
    low, high = (np.array([pair[k] for pair in task.act.values()]) for k in (0, 1))
    actions = np.random.default_rng(0).uniform(low, high, (MEMBERS, len(task.act)))
    best = np.inf
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(STEPS):
            _, _, ended, late = world.step(actions)
            if np.any(ended | late):
                world.reset(None, ended | late)
        best = min(best, time.process_time() - begun)
    rate = MEMBERS * STEPS / best
    row: dict[str, Any] = {"what": name, "environment steps/s/core": rate}
    return {**row, "aim": AIM, "met": bool(rate >= AIM)} if name == "balance-bicycle" else row


def foreign_row(name: str) -> dict[str, Any]:
    """Seconds of processor time until rates, and then their derivatives, are compiled into JAX."""
    import jax

    ready = nh.gallery.get(name)
    full = nh.complete_state(ready.system, dict(ready.start), ready.parameters)
    begun = time.process_time()
    functions = nh.export(ready.system, "jax_ffi")
    x = np.array([full[n] for n in functions.state])
    p = np.array([ready.parameters[n] for n in functions.parameters])
    jax.jit(functions.rates)(0.0, x, (), p).block_until_ready()
    rates = time.process_time() - begun
    jax.jit(jax.jacrev(functions.rates, 1))(0.0, x, (), p).block_until_ready()
    both = time.process_time() - begun
    row = {"what": f"jax_ffi of {name}", "rates ready, s": rates, "derivatives too, s": both}
    return {**row, "aim": 1.0, "met": bool(both < 1.0)}
