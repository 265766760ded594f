"""The gallery: one module per system; ``names()`` lists them, ``get(name)`` gives the Exhibit."""

from __future__ import annotations

import difflib
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

from nonholo.errors import ModelError

if TYPE_CHECKING:
    from nonholo.gallery.exhibit import Exhibit

_NOT_EXHIBITS = {"exhibit", "draw"}


def _module_names() -> list[str]:
    return sorted(m.name for m in iter_modules(__path__) if m.name not in _NOT_EXHIBITS and not m.name.startswith("_"))


def names() -> tuple[str, ...]:
    """The names of all exhibits, as users type them.

    >>> "chaplygin-sleigh" in names()
    True
    """
    return tuple(n.replace("_", "-") for n in _module_names())


@lru_cache(maxsize=1)
def catalogue() -> dict[str, dict[str, str]]:
    """For each name its ``title``, ``group`` and ``papers``: quick, without building the systems."""
    result = {}
    for module_name in _module_names():
        module = import_module(f"nonholo.gallery.{module_name}")
        result[module_name.replace("_", "-")] = {"title": module.TITLE, "group": module.GROUP, "papers": module.PAPERS}
    return result


def get(name: str, **options: Any) -> Exhibit:
    """The exhibit of this name; some take options (``get("n-trailer", n=3)``).

    >>> get("chaplygin-sleigh").system.coordinates
    ('theta', 'x', 'y')
    """
    if not isinstance(name, str):
        raise ModelError(f"gallery: found {type(name).__name__} where a name was needed, e.g. 'rattleback'.")
    module_name = name.replace("-", "_")
    if module_name not in _module_names():
        near = difflib.get_close_matches(name, names(), 1)
        hint = f"did you mean {near[0]!r}?" if near else "`nonholo list` shows them all."
        raise ModelError(f"the gallery has no system {name!r}; {hint}")
    try:
        exhibit: Exhibit = import_module(f"nonholo.gallery.{module_name}").exhibit(**options)
    except TypeError as problem:
        if options:
            raise ModelError(f"gallery {name}: {problem}; leave the option out.") from None
        raise
    return exhibit


def __dir__() -> list[str]:
    return ["catalogue", "get", "names"]
