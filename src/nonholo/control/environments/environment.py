"""``nh.environment``: a system as an environment for reinforcement learning."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.control.environments.member_batch import MemberBatch, Start
from nonholo.errors import ModelError, StateError, meant
from nonholo.integrate.model import Model, prepare
from nonholo.model.system import System, check_system, finite, varied

Array = NDArray[np.float64]
Reward = str | Callable[[Array, Array], Array]


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
        free = varied(self.system, signals={}, page=None)
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

    def reset(self, seed: int | None = None, which: NDArray[np.bool_] | None = None) -> Array:
        """New episodes of all members or of some; observations of all."""
        if seed is not None:
            self.random = np.random.default_rng(seed)
        self.batch.reset(np.ones(self.members, dtype=bool) if which is None else which, self.random)
        return self._seen()[0]

    def step(self, actions: Any) -> tuple[Array, Array, NDArray[np.bool_], NDArray[np.bool_]]:
        """One step of all members under actions (member, input): observations, rewards, ended, out of time."""
        given = np.asarray(actions, dtype=float).reshape(self.members, len(self._acting))
        driving = np.zeros((self.members, len(self.low)))
        driving[:, self._acting] = np.clip(given[:, self._order], self.low[self._acting], self.high[self._acting])
        self.batch.advance(driving, self.task.every, self.task.steps)
        seen, ended, rewards = self._seen()
        if not isinstance(self.task.reward, str):
            rewards = np.asarray(self.task.reward(seen, given), dtype=float).reshape(self.members)
        ended |= self.batch.failed
        rewards = np.where(self.batch.failed, 0.0, rewards)
        late = self.batch.rows[:, 0] >= self.task.duration - self.task.every / 2
        return seen, rewards, ended, late & ~ended

    def _seen(self) -> tuple[Array, NDArray[np.bool_], Array]:
        found = self.batch.values(self._code)
        count, ends = len(self.task.observe), len(self.task.ends)
        reward = found[:, -1] if isinstance(self.task.reward, str) else np.zeros(len(found))
        return np.nan_to_num(found[:, :count]), np.any(found[:, count : count + ends] > 0.0, axis=1), reward


def environment(
    s: System | Task,
    observe: Sequence[str] = (),
    act: Mapping[str, Any] | None = None,
    reward: Reward = "0",
    every: float = 0.02,
    until: Any = 10.0,
    parameters: Mapping[str, Any] | None = None,
    start: Start | None = None,
    steps: int = 10,
    vector: int = 0,
) -> Any:
    """A Gymnasium environment of the system; with ``vector=n`` a vector environment of n members on the lanes of the processor.

    ``observe`` are texts in any names of the system; ``act`` gives the range of each input that is acted on; ``reward`` is a
    text, or a function of observations and actions as arrays. Inputs are held for ``every`` seconds, integrated in ``steps``
    classical Runge–Kutta steps of the reduced equations, so that wheels roll exactly. ``until`` is the duration of an episode,
    or a list of it and texts that end it where they become positive. ``start`` gives state variables numbers or ranges from
    which they are drawn, by the seed. Gymnasium is an optional package.

    >>> import nonholo as nh
    >>> cart = nh.System(coordinates="x", lagrangian="xdot**2/2", forces={"x": "u"}, inputs="u")
    >>> world = nh.environment(cart, ["x", "xdot"], {"u": (-1, 1)}, "-x**2", every=0.1, until=[2.0, "abs(x) - 3"])
    >>> world.reset(seed=1)[0].tolist()
    [0.0, 0.0]
    >>> world.step([1.0])[0].round(4).tolist()
    [0.005, 0.1]
    """
    task = s if isinstance(s, Task) else _task(s, observe, act, reward, every, until, parameters, start, steps)
    if not isinstance(vector, int) or vector < 0:
        raise StateError(f"{task.system.name}: environment: vector = {vector!r} where a number of members is needed.")
    try:
        from nonholo.control.environments.gymnasium_classes import SingleEnvironment, VectorEnvironment
    except ImportError:
        hint = "install it with: pip install 'nonholo[learning]'"
        raise ModelError(f"environment: the package gymnasium is needed; {hint}") from None
    return VectorEnvironment(task, vector) if vector else SingleEnvironment(task)


def _task(
    s: System, observe: Sequence[str], act: Any, reward: Reward, every: float, until: Any, parameters: Any, start: Any, steps: int
) -> Task:
    check_system(s)
    where = f"{s.name}: environment"
    if isinstance(observe, str) or not observe:
        raise StateError(f'{where}: observe: {observe!r} where a list of texts is needed, e.g. observe=["x", "theta"].')
    ranges = {}
    for name, given in dict(act or {}).items():
        if name not in s.inputs:
            near = meant(name, s.inputs, f"it has {', '.join(s.inputs) or 'none'}.")
            raise StateError(f"{where}: act: no input is called {name!r}; {near}")
        pair = given if isinstance(given, (tuple, list)) else (-abs(given), abs(given))
        low, high = (finite(e, f"{where}: act {name}") for e in pair)
        ranges[name] = (low, high)
    if not ranges:
        raise StateError(f'{where}: nothing can be acted on; give act={{"u": (-1, 1)}} for inputs of the system.')
    parts = list(until) if isinstance(until, (list, tuple)) else [until]
    ends = tuple(e for e in parts if isinstance(e, str))
    spans = [finite(e, f"{where}: until") for e in parts if not isinstance(e, str)]
    span = finite(every, f"{where}: every")
    if span <= 0 or steps < 1:
        raise StateError(f"{where}: every = {every!r} and steps = {steps!r}; a time > 0 and one step or more are needed.")
    return Task(
        s, dict(parameters or {}), tuple(observe), FrozenMap(ranges), reward, span, min(spans, default=10.0), ends,
        FrozenMap(dict(start or {})), steps,
    )  # fmt: skip
