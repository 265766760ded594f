"""The papers themselves: where they appeared, and how their notation stands beside ours."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

Rows = tuple[tuple[str, str, str], ...]


@dataclass(frozen=True)
class Paper:
    """A paper: the name a user types, its title, the file of its text (not shipped), its notation beside ours."""

    key: str
    title: str
    short: str
    text: str
    reference: tuple[str, tuple[tuple[str, str], ...]]
    """Kind and fields of its entry for BibTeX."""
    notation: Rows = ()
    """Rows (the paper's symbol, ours, a remark on sign and index conventions)."""


def notation(key: str) -> Rows:
    """The rows of a paper whose notation is divided among modules ``_notation_….py``, in the order of their names.

    >>> len(notation("macdonnell")) > 3
    True
    """
    found = sorted(m.name for m in iter_modules([str(Path(__file__).parent / key)]) if m.name.startswith("_notation"))
    return tuple(row for name in found for row in import_module(f"nonholo_papers.{key}.{name}").ROWS)
