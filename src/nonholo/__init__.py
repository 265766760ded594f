"""nonholo: mechanics with velocity constraints, from a few lines of text to motion."""

from __future__ import annotations

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_WHERE: dict[str, str] = {
    "NonholoError": "nonholo.errors",
    "ParseError": "nonholo.errors",
    "ModelError": "nonholo.errors",
    "StateError": "nonholo.errors",
    "FileError": "nonholo.errors",
    "Equations": "nonholo.derive.equations",
}
"""Public name -> module; loaded when first used, so that ``import nonholo`` stays quick."""

__all__ = [*_WHERE, "__version__"]


def __getattr__(name: str) -> Any:
    if name in _WHERE:
        value = getattr(import_module(_WHERE[name]), name)
        globals()[name] = value
        return value
    raise AttributeError(f"nonholo has no name {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
