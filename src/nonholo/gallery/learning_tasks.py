"""Ready tasks for learning, by name, from ``tasks.toml``."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from nonholo import gallery
from nonholo.algebra.frozen_map import FrozenMap
from nonholo.control.environments.environment import environment
from nonholo.control.environments.episode_simulator import Task
from nonholo.errors import ModelError, meant
from nonholo.model.files.toml_files import from_table
from nonholo.model.system import varied


def task(name: str, vector: int = 0) -> Any:
    """A ready environment: one of `task_names`; with ``vector=n`` a vector environment.

    >>> task_names()[:3]
    ('park-trailer', 'balance-bicycle', 'steer-bicycle')
    """
    return environment(ready_task(name), vector=vector)


def task_names() -> tuple[str, ...]:
    """The names of all ready tasks.

    >>> len(task_names())
    10
    """
    return tuple(_tables())


@cache
def _tables() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("tasks.toml").read_text("utf-8"))


def ready_task(name: str) -> Task:
    """A ready task as a record."""
    if name not in _tables():
        near = meant(name, task_names(), f"there are {', '.join(task_names())}.")
        raise ModelError(f"no task is called {name!r}; {near}")
    words = _tables()[name]
    words = {**_tables().get(words.get("like", ""), {}), **words}
    if "of" in words:
        exhibit = gallery.get(words["of"])
        system, numbers = exhibit.system, dict(exhibit.parameters)
        system = varied(system, **words["with"], page=None) if "with" in words else system
    else:
        system, numbers = from_table(words["system"], name), words["parameters"]
    ranges = FrozenMap({n: (-e, e) for n, e in words["act"].items()})
    start = FrozenMap({n: tuple(e) if isinstance(e, list) else e for n, e in words.get("start", {}).items()})
    observed, ends = tuple(words["observe"].split()), tuple(words["ends"])
    return Task(system, numbers, observed, ranges, words["reward"], words["every"], words["until"], ends, start)
