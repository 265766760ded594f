"""Write what happens in a vector environment into a Zarr store: observations, actions, rewards and ends over (step, member)."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.control.environments.episode_simulator import Simulator, Task
from nonholo.errors import FileError, StateError
from nonholo.model.scalars import whole

Array = NDArray[np.float64]
CHUNK = 256
"""Steps in a chunk of the store."""


def record(
    task: Task, policy: Callable[[Array], Any], steps: int, path: str | os.PathLike[str], *, members: int = 64, seed: int = 0
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
    said = {"system": task.system.name, "observations": list(task.observe), "actions": list(task.act)}
    group.attrs.update({**said, "every": task.every, "seed": seed})
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
            actions = np.asarray(policy(seen), dtype=float).reshape(members, len(task.act))
            after, rewards, ended, late = world.step(actions)
            for name, value in zip(shapes, (seen, actions, rewards, ended, late)):
                rows[name].append(value)
            done = ended | late
            seen = world.reset(None, done) if np.any(done) else after
        for name, values in rows.items():
            arrays[name][first : first + len(values)] = np.array(values)
    return target
