"""A task for learning, and many of its members in episodes, on plain arrays."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.expression_types import Numbers
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.control.environments.member_batch import MemberBatch, Start
from nonholo.errors import FileError, StateError
from nonholo.integrate.model import Model, prepare
from nonholo.model.scalars import number_array, whole
from nonholo.model.system import System, without_laws

CHUNK = 256
"""Steps in a chunk of the store."""


def record(
    task: Task, policy: Callable[[Numbers], Any], steps: int, path: str | os.PathLike[str], *, members: int = 64, seed: int = 0
) -> Path:
    """Run a policy (observations of all members -> their actions) and write what happens; a seed decides all of it."""
    import zarr

    if not isinstance(task, Task) or not callable(policy):
        found = type(task).__name__ if not isinstance(task, Task) else type(policy).__name__
        raise StateError(f"record: {found} where a task (nh.environment(…).task) and a policy of observations are needed.")
    steps, members = whole(steps, "record: steps"), whole(members, "record: members")
    target = Path(path)
    if target.exists():
        raise FileError(f"{target} is there already; choose another name or remove it.")
    world = Simulator(task, members)
    seen = world.reset(seed)
    group = zarr.open_group(str(target), mode="w")
    system = {"system": task.system.name, "observations": list(task.observe), "actions": list(task.act)}
    group.attrs.update({**system, "every": task.every, "seed": seed})
    shapes = {"observations": seen.shape[1:], "actions": (len(task.act),), "rewards": (), "ended": (), "late": ()}
    arrays = {
        name: group.create_array(
            name,
            shape=(steps, members, *rest),
            chunks=(min(CHUNK, steps), members, *rest),
            dtype="bool" if name in ("ended", "late") else "float64",
        )
        for name, rest in shapes.items()
    }
    for first in range(0, steps, CHUNK):
        rows: dict[str, list[Any]] = {name: [] for name in shapes}
        for _ in range(min(CHUNK, steps - first)):
            actions = np.asarray(policy(seen), dtype=float)
            if actions.size != members * len(task.act):
                needed = f"{members} members × {len(task.act)} actions"
                raise StateError(f"record: the policy gave an array of shape {actions.shape} where {needed} are needed.")
            actions = actions.reshape(members, len(task.act))
            after, rewards, ended, late = world.step(actions)
            for name, value in zip(shapes, (seen, actions, rewards, ended, late)):
                rows[name].append(value)
            done = ended | late
            seen = world.reset(None, done) if np.any(done) else after
        for name, values in rows.items():
            arrays[name][first : first + len(values)] = np.array(values)
    return target


Reward = str | Callable[[Numbers, Numbers], Numbers]


@dataclass(frozen=True)
class Task:
    """What an environment is made of: the system and the texts in its names."""

    system: System
    parameters: Mapping[str, float]
    observe: tuple[str, ...]
    act: FrozenMap[str, tuple[float, float]]
    reward: Reward
    every: float
    duration: float
    ends: tuple[str, ...] = ()
    """The episode ends where one of these becomes positive."""
    start: Start = field(default_factory=FrozenMap)
    steps: int = 10
    """Runge–Kutta steps in each step of the environment."""

    def model(self) -> Model:
        """The compiled system."""
        free = without_laws(self.system)
        return prepare(free, dict(self.parameters))


class Simulator:
    """A task on many members: reset and step on arrays; Gymnasium's classes are made of it, and so may others be."""

    def __init__(self, task: Task, members: int) -> None:
        self.task, self.members = task, members
        model = task.model()
        self.batch = MemberBatch(model, members, task.start)
        where = f"{task.system.name}: environment"
        texts = [*task.observe, *task.ends, *([task.reward] if isinstance(task.reward, str) else [])]
        self._code = self.batch.code(texts, where)
        self.low = np.array([task.act[n][0] if n in task.act else 0.0 for n in model.inputs])
        self.high = np.array([task.act[n][1] if n in task.act else 0.0 for n in model.inputs])
        self._acting = [k for k, n in enumerate(model.inputs) if n in task.act]
        self._order = [list(task.act).index(model.inputs[k]) for k in self._acting]
        self.random = np.random.default_rng(0)

    def reset(self, seed: int | None = None, which: NDArray[np.bool_] | None = None) -> Numbers:
        """New episodes of all members or of some; observations of all."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.batch.reset(np.ones(self.members, dtype=bool) if which is None else which, self.random)
        return self._seen()[0]

    def step(self, actions: Any) -> tuple[Numbers, Numbers, NDArray[np.bool_], NDArray[np.bool_]]:
        """One step of all members under actions (member, input): observations, rewards, ended, out of time (or of the frame)."""
        name, wanted = self.task.system.name, (self.members, len(self._acting))
        given = number_array(actions, f"{name}: environment: actions")
        if given.size != wanted[0] * wanted[1]:
            shape = f"{wanted[0]} by {wanted[1]} ({', '.join(self.task.act)})"
            raise StateError(f"{name}: environment: actions of shape {given.shape} where {shape} are needed.")
        given = given.reshape(wanted)
        driving = np.zeros((self.members, len(self.low)))
        driving[:, self._acting] = np.clip(given[:, self._order], self.low[self._acting], self.high[self._acting])
        self.batch.advance(driving, self.task.every, self.task.steps)
        seen, ended, rewards = self._seen()
        if not isinstance(self.task.reward, str):
            rewards = np.asarray(self.task.reward(seen, given), dtype=float).reshape(self.members)
        ended |= self.batch.failed
        rewards = np.where(self.batch.failed, 0.0, rewards)
        lost = self.batch.degenerate
        late = self.batch.rows[:, 0] >= self.task.duration - self.task.every / 2
        return seen, np.where(lost, 0.0, rewards), ended & ~lost, (late & ~ended) | lost

    def _seen(self) -> tuple[Numbers, NDArray[np.bool_], Numbers]:
        found = self.batch.values(self._code)
        count, ends = len(self.task.observe), len(self.task.ends)
        reward = found[:, -1] if isinstance(self.task.reward, str) else np.zeros(len(found))
        return np.nan_to_num(found[:, :count]), np.any(found[:, count : count + ends] > 0.0, axis=1), reward
