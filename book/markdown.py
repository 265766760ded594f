"""Small pieces of Markdown."""

from __future__ import annotations

import re

_MEANT = re.compile(r"([\\*_<>\[\]$|`#])")


def escaped(text: object) -> str:
    """Text that Markdown shows as it is.

    >>> print(escaped("m*a < [b]"))
    m\\*a \\< \\[b\\]
    """
    return _MEANT.sub(r"\\\1", re.sub(r"\s+", " ", str(text)))


def fenced(kind: str, text: str) -> str:
    """A block of code."""
    fence = "````" if "```" in text else "```"
    return f"{fence}{kind}\n{text.strip(chr(10))}\n{fence}"


def raw(html: str) -> str:
    """HTML as it is."""
    return fenced("{raw} html", html)
