"""Store of finished pages, under unguessable names."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from hashlib import blake2b

MOST, WEIGHT = 40, 120_000_000
"""Pages, and bytes of them all."""


class Shelf:
    """The same page has the same name as long as the lab is open, so that what did not change is not shown anew.

    >>> shelf = Shelf()
    >>> name = shelf.put("<p>")
    >>> shelf.get(name), shelf.put("<p>") == name, shelf.get("x")
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
