"""State of one lab: folder, workbench, keys, pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from nonholo.lab.access_keys import Keys
from nonholo.lab.folder import Folder
from nonholo.lab.page_store import Shelf
from nonholo.lab.workbench import Bench

if TYPE_CHECKING:
    from asyncio import TimerHandle


def _silent(word: str) -> None:
    """Nobody is at the terminal."""


@dataclass
class Desk:
    """The parts that the server's answers share."""

    folder: Folder
    hosts: tuple[str, ...]
    first: str = ""
    """What to open at first: a path in the folder, or ``gallery:name``."""
    bench: Bench = field(default_factory=Bench)
    keys: Keys = field(default_factory=Keys)
    shelf: Shelf = field(default_factory=Shelf)
    kept: str = ""
    """The page's record of its open texts; it is stored without interpretation and returned to the next page."""
    invite: Callable[[str], None] = _silent
    """Told a new word when the last page was closed."""
    pages: int = 0
    closing: bool = False
    timer: TimerHandle | None = None
    """Waits for a page that was closed to come back."""

    def came(self) -> None:
        """A page was opened."""
        self.pages += 1

    def left(self) -> None:
        """A page was closed; reloading one opens it again at once, so the terminal waits a little."""
        self.pages -= 1
        if self.pages > 0 or self.closing:
            return
        import asyncio

        if self.timer is not None:
            self.timer.cancel()
        self.timer = asyncio.get_running_loop().call_later(WAIT, self._alone)

    def _alone(self) -> None:
        if self.pages <= 0 and not self.closing:
            self.invite(self.keys.word())


WAIT = 3.0
"""Seconds after which a page counts as closed."""
