"""``nh.environment``: a system as an environment for reinforcement learning."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.control.environments.episode_simulator import Reward, Task
from nonholo.control.environments.member_batch import Start
from nonholo.errors import ModelError, StateError, meant
from nonholo.model.scalars import finite, positive, whole
from nonholo.model.system import System, check_system, named


def environment(
    s: System | Task,
    observe: Sequence[str] = (),
    *,
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
    >>> world = nh.environment(cart, ["x", "xdot"], act={"u": (-1, 1)}, reward="-x**2", every=0.1, until=[2.0, "abs(x) - 3"])
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
    if not isinstance(observe, Iterable) or isinstance(observe, str) or not (seen := tuple(observe)):
        raise StateError(f'{where}: observe: {observe!r} where a list of texts is needed, e.g. observe=["x", "theta"].')
    ranges = {}
    for name, given in named(act, f"{where}: act", '{"u": (-1, 1)}').items():
        if name not in s.inputs:
            near = meant(name, s.inputs, f"it has {', '.join(s.inputs) or 'none'}.")
            raise StateError(f"{where}: act: no input is called {name!r}; {near}")
        pair = [finite(e, f"{where}: act {name}") for e in (given if isinstance(given, (tuple, list)) else [given])]
        low, high = (-abs(pair[0]), abs(pair[0])) if len(pair) == 1 else (pair[0], pair[-1])
        if len(pair) > 2 or low >= high:
            raise StateError(f"{where}: act {name} = {given!r} where a range (low, high) is needed, e.g. (-1, 1).")
        ranges[name] = (low, high)
    if not ranges:
        raise StateError(f'{where}: nothing can be acted on; give act={{"u": (-1, 1)}} for inputs of the system.')
    parts = list(until) if isinstance(until, (list, tuple)) else [until]
    ends = tuple(e for e in parts if isinstance(e, str))
    spans = [positive(e, f"{where}: until") for e in parts if not isinstance(e, str)]
    span, count = positive(every, f"{where}: every"), whole(steps, f"{where}: steps")
    if not isinstance(reward, str) and not callable(reward):
        raise StateError(f"{where}: reward: {reward!r} where a text or a function of observations and actions is needed.")
    return Task(
        s, named(parameters, f"{where}: parameters", '{"m": 1.5}'), seen, FrozenMap(ranges), reward, span,
        min(spans, default=10.0), ends, FrozenMap(named(start, f"{where}: start", '{"x": (-1, 1)}')), count,
    )  # fmt: skip
