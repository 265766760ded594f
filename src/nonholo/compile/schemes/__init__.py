"""Schemes by name; a new one is one file in this folder that registers what it writes."""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules

from nonholo.compile.schemes.given_lagrangian import NAME, scheme_of
from nonholo.compile.schemes.scheme import Scheme, registered_schemes

__all__ = ["Scheme", "scheme_named"]


def scheme_named(name: str) -> Scheme:
    """The scheme of a name; a user's discrete Lagrangian has its own text in its name.

    >>> scheme_named("hamel").covectors
    'hamel'
    """
    if name.startswith(f"{NAME} "):
        return scheme_of(name)
    if name not in registered_schemes():
        for module in iter_modules(__path__):
            import_module(f"{__name__}.{module.name}")
    return registered_schemes()[name]
