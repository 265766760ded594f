"""Approximate start values (``"~0.8"``) that select a solution of the holonomic constraints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

MARK = "~"


class Guess(float):
    """A coordinate that is to be found near this number; a velocity that is zero where the constraints leave it free.

    >>> guessed("~0.8", float), guessed(0.5, float)
    (~0.8, 0.5)
    """

    def __repr__(self) -> str:
        return f"{MARK}{float(self)!r}"

    def __reduce__(self) -> tuple[type[Guess], tuple[float]]:
        return Guess, (float(self),)


def guessed(value: Any, read: Callable[[Any], float]) -> float:
    """A number, or a guess where text begins with ``~``."""
    if isinstance(value, str) and value.startswith(MARK):
        return Guess(read(value[len(MARK) :]))
    return value if isinstance(value, Guess) else read(value)


def written_start(start: Mapping[str, float]) -> dict[str, Any]:
    """A start as it is written in files: guesses are text."""
    return {n: repr(e) if isinstance(e, Guess) else e for n, e in start.items()}
