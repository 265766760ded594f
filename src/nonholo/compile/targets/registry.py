"""What a target is, and which there are: every module beside this one that registers itself."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module

from nonholo.compile.portable_program import Portable
from nonholo.errors import ModelError, meant

Files = dict[str, str | bytes]
"""File name -> its text or bytes."""


@dataclass(frozen=True)
class Target:
    """A language: what it writes (files by name) and what a Python program gets when it names no file."""

    name: str
    title: str
    suffix: str
    files: Callable[[Portable, str], Files]
    """(program, stem) -> files; the first is the main one."""
    live: Callable[[Portable], object]
    """What ``nh.export`` returns without a path."""


_known: dict[str, Target] = {}


def register(made: Target) -> Target:
    """Make a target known."""
    _known[made.name] = made
    return made


def targets() -> dict[str, Target]:
    """All targets by name, those of optional packages too: these are imported when they are used."""
    package = import_module("nonholo.compile.targets")
    for module in sorted(m.name for m in pkgutil.iter_modules(package.__path__)):
        import_module(f"nonholo.compile.targets.{module}")
    return dict(sorted(_known.items()))


def target(name: str) -> Target:
    """A target by name.

    >>> target("c").suffix
    '.c'
    """
    every = targets()
    if name not in every:
        hint = meant(name, every, f"there are {', '.join(every)}.")
        raise ModelError(f"export: no target is called {name!r}; {hint}")
    return every[name]


def missing(package: str, extra: str) -> ModelError:
    """The error for a package that is not installed."""
    return ModelError(f"export: the target {extra} needs the package {package}; install it with: pip install 'nonholo[{extra}]'")


def inexpressible(where: str, language: str, function: str) -> ModelError:
    """The error for a function that a language has no word for."""
    return ModelError(
        f"{where}: {language} has no function for {function!r}; rewrite the equations without it or choose another target."
    )
