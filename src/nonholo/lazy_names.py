"""Public names of a package that are imported when they are first used."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

from nonholo.errors import meant


def full_name(package: str, module: str) -> str:
    """The module's name with its package, where it has none."""
    return module if module.startswith("nonholo.") else f"{package}.{module}"


def lazy_names(package: str, modules: Mapping[str, str]) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """``__all__``, ``__getattr__`` and ``__dir__`` of a package, from a table: module (of the package) -> its public names.

    A module of another package is given with its full name, ``nonholo.…``.

    >>> from nonholo.lazy_names import lazy_names
    >>> names, get, _ = lazy_names("nonholo", {"errors": "ModelError StateError"})
    >>> names, get("StateError").__name__
    (['ModelError', 'StateError'], 'StateError')
    """
    where = {name: full_name(package, module) for module, names in modules.items() for name in names.split()}

    def get(name: str) -> Any:
        if name in where:
            value = getattr(import_module(where[name]), name)
            setattr(sys.modules[package], name, value)
            return value
        hint = "" if name.startswith("_") else meant(name, list(where))
        raise AttributeError(f"{package} has no name {name!r}" + (f"; {hint}" if hint else ""))

    return list(where), get, lambda: sorted(where)
