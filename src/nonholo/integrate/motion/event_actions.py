"""What an event does to the state before the motion goes on."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from nonholo.errors import StateError, meant
from nonholo.integrate.motion.compiled_equations import Derived
from nonholo.model.declared_words import Formula

Array = np.ndarray[Any, np.dtype[np.float64]]
Whole = np.ndarray[Any, np.dtype[np.int64]]
Change = Formula | Callable[[dict[str, float]], float]
Action = Mapping[str, Change] | Callable[[dict[str, float]], Mapping[str, float]]
"""New values by name, as numbers, formulas or functions of the named state; or one function that gives them."""


def awaited(kind: str, found: Sequence[Whole], events: Sequence[tuple[Action | None, int]]) -> int | None:
    """The number of the event whose action the motion waits for, from the events found in its pieces; None where it shall end.

    ``events`` are actions and after how many times each ends the motion (0: never).
    """
    if kind != "event" or not len(found[-1]):
        return None
    k = int(found[-1][-1])
    if k >= len(events) or events[k][0] is None:
        return None
    return None if 0 < events[k][1] <= sum(int(np.sum(one == k)) for one in found) else k


def state_after(derived: Derived, here: Mapping[str, float], row: Array, action: Action | None, where: str) -> Array:
    """The state after an action, from the named state and the input vector before it."""
    names = derived.equations.state
    changed = np.array(row[1 : 1 + len(names)], dtype=float)
    given = action(dict(here)) if callable(action) else action
    if not isinstance(given, Mapping):
        raise StateError(f"{where}: {str(given)[:60]} where a dict of names and new values is needed.")
    for name, value in given.items():
        if name not in names:
            hint = meant(str(name), names, f"it has {', '.join(names)}.")
            raise StateError(f"{where}: {name!r} is not part of the state; {hint}")
        if callable(value):
            number = float(value(dict(here)))
        else:
            number = float(value) if isinstance(value, (int, float)) else float(derived.code([value], where)(row)[0])
        if not np.isfinite(number):
            raise StateError(f"{where}: {name} would be {number}; let it be a finite number.")
        changed[names.index(str(name))] = number
    return changed
