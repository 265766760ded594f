"""Problems on which integrators are compared, one file each: ``names()`` lists them, ``get(name)`` gives the Problem.

Reversible and integrable problems flatter every method [Modin and Verdier, Numerische Mathematik 145 (2020) 405]; here are
others beside them.
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from nonholo.errors import ModelError, meant
from nonholo.gallery.problems._record import Problem

__all__ = ["Problem", "get", "names"]


def names() -> tuple[str, ...]:
    """The names of all problems.

    >>> "contact-oscillator" in names()
    True
    """
    return tuple(sorted(m.name.replace("_", "-") for m in iter_modules(__path__) if not m.name.startswith("_")))


def get(name: str) -> Problem:
    """The problem of a name.

    >>> get("contact-oscillator").system.coordinates
    ('x', 'y', 'z')
    """
    if name not in names():
        listed = f"choose one of {', '.join(names())}."
        raise ModelError(f"problem: {name!r} is not known; {meant(name, names(), listed)}")
    found: Problem = import_module(f"{__name__}.{name.replace('-', '_')}").problem()
    return found
