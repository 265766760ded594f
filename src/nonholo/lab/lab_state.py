"""State of one lab: folder, workbench, keys, pages."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from hashlib import blake2b
from hmac import compare_digest
from typing import TYPE_CHECKING

from nonholo.lab.folder import Folder
from nonholo.lab.workbench import Bench

if TYPE_CHECKING:
    from asyncio import TimerHandle

MOST_KEYS = 16
"""Keys at a time; the oldest is forgotten first."""


class Keys:
    """A printed one-time key is exchanged for a session key that only the page knows.

    >>> keys = Keys()
    >>> word = keys.word()
    >>> key = keys.exchange(word)
    >>> keys.opens(key), keys.exchange(word), keys.opens("guess")
    (True, None, False)
    """

    def __init__(self) -> None:
        self._words: list[str] = []
        self._keys: list[str] = []

    def word(self) -> str:
        """A new word that opens once."""
        self._words = [*self._words, secrets.token_urlsafe(24)][-MOST_KEYS:]
        return self._words[-1]

    def exchange(self, word: str) -> str | None:
        """A key for a word that was not used yet; None for any other."""
        found = [w for w in self._words if compare_digest(w.encode(), word.encode("utf-8", "replace"))]
        if not found:
            return None
        self._words.remove(found[0])
        self._keys = [*self._keys, secrets.token_urlsafe(32)][-MOST_KEYS:]
        return self._keys[-1]

    def opens(self, key: str) -> bool:
        """Whether this key was issued."""
        given = key.encode("utf-8", "replace")
        return any(compare_digest(k.encode(), given) for k in self._keys)


MOST, WEIGHT = 40, 120_000_000
"""Pages, and bytes of them all."""


class PageStore:
    """The same page has the same name as long as the lab is open, so that what did not change is not shown anew.

    >>> pages = PageStore()
    >>> name = pages.put("<p>")
    >>> pages.get(name), pages.put("<p>") == name, pages.get("x")
    (b'<p>', True, None)
    """

    def __init__(self) -> None:
        self._secret = secrets.token_bytes(32)
        self._pages: OrderedDict[str, bytes] = OrderedDict()

    def put(self, page: str) -> str:
        """Store a page and return its name."""
        content = page.encode()
        name = blake2b(content, key=self._secret, digest_size=24).hexdigest()
        self._pages[name] = content
        self._pages.move_to_end(name)
        while len(self._pages) > 1 and (len(self._pages) > MOST or sum(map(len, self._pages.values())) > WEIGHT):
            self._pages.popitem(last=False)
        return name

    def get(self, name: str) -> bytes | None:
        """The page of a name."""
        return self._pages.get(name)


def _silent(word: str) -> None:
    """Nobody is at the terminal."""


@dataclass
class LabState:
    """The parts that the server's answers share."""

    folder: Folder
    hosts: tuple[str, ...]
    first: str = ""
    """What to open at first: a path in the folder, or ``gallery:name``."""
    bench: Bench = field(default_factory=Bench)
    keys: Keys = field(default_factory=Keys)
    shelf: PageStore = field(default_factory=PageStore)
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
