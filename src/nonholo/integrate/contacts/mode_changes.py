"""Changes of mode: which systems have them, and the table of those of a motion."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from nonholo.algebra.frozen_map import FrozenMap
from nonholo.errors import StateError
from nonholo.model.system import System

COLUMNS = ("time", "contact", "before", "after", "why")


@dataclass(frozen=True)
class Change:
    """One contact that changed its mode: when, from which to which, why, and the numbers that decided."""

    time: float
    contact: str
    before: str
    after: str
    why: str
    numbers: FrozenMap[str, float]

    def __str__(self) -> str:
        numbers = ", ".join(f"{n} = {e:.6g}" for n, e in self.numbers.items())
        what = f"t = {self.time:.10g}: {self.contact}: {self.before} → {self.after}, {self.why}"
        return f"{what} ({numbers})" if numbers else what


class Changes(Sequence[Change]):
    """Every change of mode in the order of time; columns ``time``, ``contact``, ``before``, ``after``, ``why``.

    >>> print(Changes([Change(0.5, "floor", "sliding", "rolling", "the slip dies", FrozenMap({"N": 2.0}))]))
    t = 0.5: floor: sliding → rolling, the slip dies (N = 2)
    """

    def __init__(self, changes: Sequence[Change] = ()) -> None:
        self._changes = tuple(changes)

    def __getitem__(self, key: Any) -> Any:
        return Changes(self._changes[key]) if isinstance(key, slice) else self._changes[key]

    def __len__(self) -> int:
        return len(self._changes)

    def __iter__(self) -> Iterator[Change]:
        return iter(self._changes)

    @property
    def time(self) -> np.ndarray[Any, np.dtype[np.float64]]:
        """When."""
        return np.array([one.time for one in self._changes])

    @property
    def contact(self) -> tuple[str, ...]:
        """Which contact."""
        return tuple(one.contact for one in self._changes)

    @property
    def before(self) -> tuple[str, ...]:
        """From which mode."""
        return tuple(one.before for one in self._changes)

    @property
    def after(self) -> tuple[str, ...]:
        """To which mode."""
        return tuple(one.after for one in self._changes)

    @property
    def why(self) -> tuple[str, ...]:
        """Why."""
        return tuple(one.why for one in self._changes)

    @property
    def numbers(self) -> tuple[Mapping[str, float], ...]:
        """The numbers that decided."""
        return tuple(one.numbers for one in self._changes)

    def __str__(self) -> str:
        return "\n".join(map(str, self._changes)) or "no change of mode"

    def __repr__(self) -> str:
        return f"<{len(self)} changes of mode; print them to read them>"

    def to_pandas(self) -> Any:
        """The table as a pandas DataFrame."""
        import pandas as pd

        rows = [{**{n: getattr(c, n) for n in COLUMNS}, **c.numbers} for c in self]
        return pd.DataFrame(rows, columns=None if rows else list(COLUMNS))


def rows_of_changes(changes: Changes) -> list[list[Any]]:
    """The table as plain data, for files."""
    return [[c.time, c.contact, c.before, c.after, c.why, dict(c.numbers)] for c in changes]


def changes_of(rows: Sequence[Sequence[Any]]) -> Changes:
    """The table that `rows_of_changes` wrote."""
    return Changes([Change(float(t), c, b, a, w, FrozenMap(n)) for t, c, b, a, w, n in rows])


def switching(system: System) -> bool:
    """Whether contacts of a system change their mode."""
    return any(law.slips or law.lifts or law.spin or law.rolling for law in system.contacts)


def refuse_switching(system: object, what: str) -> None:
    """Refuse questions that do not go through changes of contacts."""
    if isinstance(system, System) and switching(system):
        raise StateError(
            f"{system.name}: {what} does not go through changes of contacts; ask it of a system whose contacts stay as they are "
            "(slips = false, lifts = false), or simulate."
        )
