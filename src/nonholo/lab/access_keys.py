"""One-time access keys and session keys."""

from __future__ import annotations

import secrets
from hmac import compare_digest

MOST = 16
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
        self._words = [*self._words, secrets.token_urlsafe(24)][-MOST:]
        return self._words[-1]

    def exchange(self, word: str) -> str | None:
        """A key for a word that was not used yet; None for any other."""
        found = [w for w in self._words if compare_digest(w.encode(), word.encode("utf-8", "replace"))]
        if not found:
            return None
        self._words.remove(found[0])
        self._keys = [*self._keys, secrets.token_urlsafe(32)][-MOST:]
        return self._keys[-1]

    def opens(self, key: str) -> bool:
        """Whether this key was issued."""
        given = key.encode("utf-8", "replace")
        return any(compare_digest(k.encode(), given) for k in self._keys)
