"""Locate an error in a TOML text by the line, keyword or name in its data."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

from nonholo.errors import NonholoError
from nonholo.model.files.mistake_places import place_in
from nonholo.model.files.toml_map import Entry, Span, characters, entries, entry_at, strings

_AT = re.compile(r"\(at (?:line (\d+), )?column (\d+)\)")
_QUOTED = re.compile(r"'([^'\s]{1,80})'")
_WORD = re.compile(r"\w+")
_TOPICS = (
    (r"unknown keyword '([^']+)'", ("{1}",)),
    (r"the start breaks", ("start",)),
    (r"the Lagrangian", ("lagrangian",)),
    (r"the parameter '(\w+)' has no value", ("parameters", "{1}")),
    (r"'(\w+)' stands below \[([\w.]+)\]", ("{2}", "{1}")),
    (r"holonomic constraint (\d+)", ("holonomic", "#{1}")),
    (r"holonomic (\d+)", ("holonomic", "#{1}")),
    (r"constraints? (\d+)", ("constraints", "#{1}")),
    (r"quasi-velocity (\w+)", ("quasivelocities", "{1}")),
    (r"generator '([^']+)' moves '([^']+)'", ("symmetry", "{1}", "{2}")),
    (r"force on '([^']+)'", ("forces", "{1}")),
    (r"forces?(?: on)? (\w+)", ("forces", "{1}")),
    (r"input '?(\w+)", ("inputs", "{1}")),
    (r"start gives '([^']+)'", ("start", "{1}")),
    (r"drawing, shape (\d+)", ("drawing", "shapes", "#{1}")),
    (r"page: preset '([^']+)'", ("page", "presets", "{1}")),
    (r"page: (\w+)", ("page", "{1}")),
    (
        r"\b(name|coordinates|parameters|inputs|lagrangian|constraints|holonomic|frame|quasivelocities|parametric|forces|magnetic|"
        r"symmetry|values|start|signals|until|units|drawing|page)\b((?:\.\w+)*)",
        ("{1}", "{2}"),
    ),
)
"""What errors call a part of a system -> its path in a file; ``#n`` is the n-th of a list."""


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
    """Where an error stands in the text: the place it knows, or what its words are about."""
    passage = place_in(text, trouble) if _readable(text) else trouble.passage
    if passage is None or passage.text != text:
        return place_of(text, str(trouble))
    at = passage.offset
    for start, stop in strings(text) if text[at : at + 1] in ("'", '"') else ():
        if at in (start, stop - 1):  # a whole string, or what is missing at its end
            return _placed(text, (start, stop) if at == start else (at, at))
    word = _WORD.match(text, at)
    return _placed(text, (at, word.end() if word else at + 1))


def place_of(text: str, words: str) -> Place:
    """Where the error that says ``words`` stands in the text; its first line when nothing of it is found again.

    >>> place = place_of('coordinates = "x"\\nlagrangian = "ydot**2"', "lagrangian: unknown name 'ydot' (at column 1)")
    >>> place.line, place.column
    (2, 15)
    """
    first = words.partition("\n")[0]
    try:
        known = entries(text)
    except (IndexError, RecursionError):
        known = []
    return _placed(text, _found(text, first, _AT.search(first), known))


def _readable(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError):
        return False
    return True


def _found(text: str, words: str, at: re.Match[str] | None, known: list[Entry]) -> Span:
    for spans in _topics(text, words, known):
        key, value = spans
        if at is not None and text.startswith(("'", '"'), value[0]):
            return _inside(text, value, at)
        for name in _QUOTED.findall(words):
            if (inner := _word(text, name, value)) or (inner := _word(text, name, key)):
                return inner
        return key if "\n" in text[slice(*value)] or value[1] - value[0] > 200 else value
    for name in _QUOTED.findall(words):
        if inner := _word(text, name, (0, len(text))):
            return inner
    return (0, len(text.partition("\n")[0]))


def _topics(text: str, words: str, known: list[Entry]) -> Iterator[tuple[Span, Span]]:
    """Key and value of what the words are about, the most telling pattern first."""
    for pattern, parts in _TOPICS:
        for match in re.finditer(pattern, words):
            path: list[str] = []
            for part in parts:
                filled = re.sub(r"\{(\d)\}", lambda m, match=match: match[int(m[1])] or "", part)  # type: ignore[misc]
                path += [word for word in filled.split(".") if word]
            if spans := entry_at(text, tuple(path), known):
                yield spans


def _inside(text: str, value: Span, at: re.Match[str]) -> Span:
    """The word at a line and column of a string."""
    content = characters(text, value)
    letters = [text[k] for k in content[:-1]]
    line, column = int(at[1] or 1), int(at[2])
    ends = [k for k, letter in enumerate(letters) if letter == "\n"]
    start = ends[line - 2] + 1 if 1 < line <= len(ends) + 1 else 0
    index = min(start + column - 1, len(letters))
    stop = index
    while stop < len(letters) and _WORD.fullmatch(letters[stop]):
        stop += 1
    stop = max(stop, min(index + 1, len(letters)))
    return (content[index], content[stop] if stop > index else content[index])


def _word(text: str, name: str, span: Span) -> Span | None:
    found = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)").search(text, *span)
    return found.span() if found else None


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
