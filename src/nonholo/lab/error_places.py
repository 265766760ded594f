"""Locate an error in a TOML text by the passage or the entry in its data."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass

from nonholo.errors import NonholoError
from nonholo.model.files.mistake_places import place_in
from nonholo.model.files.toml_map import Span, strings

_WORD = re.compile(r"\w+")
_HEAD = re.compile(r"\[\[?[\w. ]+\]\]?")
"""The head of a table."""


@dataclass(frozen=True)
class Place:
    """A piece of a text, by characters from its beginning, and as lines and columns are counted."""

    start: int
    stop: int
    line: int
    column: int

    def for_browser(self, text: str) -> dict[str, int]:
        """The same in a browser's count, where some characters are two."""
        first, last = (len(text[:k].encode("utf-16-le", "surrogatepass")) // 2 for k in (self.start, self.stop))
        return {"from": first, "to": last, "line": self.line, "column": self.column}


def error_place(text: str, trouble: NonholoError) -> Place:
    """Position of an error in the text: the passage or the entry that it names; the first line where it names none.

    >>> from nonholo.errors import ModelError
    >>> place = error_place('coordinates = "x"\\n[forces]\\ny = "1"', ModelError("no such force", key=("forces", "y")))
    >>> place.line, place.column
    (3, 1)
    """
    passage = place_in(text, trouble) if _readable(text) else trouble.passage
    if passage is None or passage.text != text:
        return _placed(text, (0, len(text.partition("\n")[0])))
    at = passage.offset
    for start, stop in strings(text) if text[at : at + 1] in ("'", '"') else ():
        if at in (start, stop - 1):  # a whole string, or what is missing at its end
            return _placed(text, (start, stop) if at == start else (at, at))
    head = _HEAD.match(text, at)
    word = head or _WORD.match(text, at)
    return _placed(text, (at, word.end() if word else at + 1))


def _readable(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return False
    return True


def _placed(text: str, span: Span) -> Place:
    """A piece that has something to underline, with its line and column."""
    start = max(0, min(span[0], len(text)))
    stop = max(start, min(span[1], len(text)))
    if not text[start:stop].strip() and start > 0 and text[start - 1] != "\n":  # the end of a line: its last character
        start, stop = start - 1, start
    elif start == stop:
        stop = min(stop + 1, len(text))
    before = text[: span[0]]
    return Place(start, stop, before.count("\n") + 1, len(before) - before.rfind("\n"))
