"""Registry of commands: each is a file in `nonholo.cli.commands`, and only the one that runs is imported."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pkgutil import iter_modules
from typing import TypeVar

from nonholo.cli import commands as folder

Answer = Callable[..., int]
_Function = TypeVar("_Function", bound=Answer)


@dataclass(frozen=True)
class Command:
    """One word that follows ``nonholo``, called as its file."""

    name: str
    place: int
    """Where the help lists it."""
    example: str
    function: Answer
    """What it does, with its options; the exit code."""


_known: dict[str, Command] = {}


def command(place: int, example: str) -> Callable[[_Function], _Function]:
    """Make a function the command of its file."""

    def kept(function: _Function) -> _Function:
        name = function.__module__.rpartition(".")[2]
        _known[name] = Command(name, place, example, function)
        return function

    return kept


def names() -> list[str]:
    """All commands by name, nothing read in.

    >>> "simulate" in names()
    True
    """
    return sorted(m.name for m in iter_modules(folder.__path__) if not m.name.startswith("_"))


def commands(some: list[str] | None = None) -> list[Command]:
    """Those of some names, or all, in the order of the help."""
    wanted = names() if some is None else some
    for name in wanted:
        import_module(f"{folder.__name__}.{name}")
    return sorted((_known[name] for name in wanted), key=lambda one: one.place)
