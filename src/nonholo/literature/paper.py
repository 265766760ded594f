"""The papers themselves: where they appeared, and how their notation stands beside ours."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Paper:
    """A paper: the name a user types, its title, the file of its text (not shipped), its notation beside ours."""

    key: str
    title: str
    short: str
    text: str
    notation: tuple[tuple[str, str, str], ...] = ()
    """Rows (the paper's symbol, ours, a remark on sign and index conventions)."""
