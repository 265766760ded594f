"""Locate an error in a TOML text by the line, keyword or name in its data."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from nonholo.lab.toml_map import Entry, Span, characters, elements, entries

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


def place_of(text: str, words: str) -> Place:
    """Where the error that says ``words`` stands in the text; its first line when nothing of it is found again.

    >>> place = place_of('coordinates = "x"\\nlagrangian = "ydot**2"', "lagrangian: unknown name 'ydot' (at column 1)")
    >>> place.line, place.column
    (2, 15)
    """
    first = words.partition("\n")[0]
    at = _AT.search(first)
    if "is not TOML" in first:
        return _placed(text, _line_and_column(text, at))
    try:
        known = entries(text)
    except (IndexError, RecursionError):
        known = []
    return _placed(text, _found(text, first, at, known))


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
            if spans := _entry(text, tuple(path), known):
                yield spans


def _entry(text: str, path: tuple[str, ...], known: list[Entry]) -> tuple[Span, Span] | None:
    """The entry of a path; where the last name is not found, the table it would stand in."""
    number = int(path[-1][1:]) if path and path[-1].startswith("#") else 0
    names = path[:-1] if number else path
    same = [e for e in known if e.path == names]
    if number and len(same) == 1 and same[0].key != same[0].value:
        parts = elements(text, same[0].value)
        return (same[0].key, parts[min(number, len(parts)) - 1] if parts else same[0].value)
    if number and same:  # an array of tables
        one = same[min(number, len(same)) - 1]
        return (one.key, one.value)
    if same:
        below = [e for e in known if e.path[: len(names)] == names]
        whole = (same[0].value[0], below[-1].value[1]) if below[-1] is not same[0] else same[0].value
        return (same[0].key, whole)
    inner = [e for e in known if len(names) > 0 and e.path[: len(names)] == names]
    if inner:
        return (inner[0].key, (inner[0].key[0], inner[-1].value[1]))
    return None


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


def _line_and_column(text: str, at: re.Match[str] | None) -> Span:
    if at is None:  # at the end of the document
        return (len(text.rstrip()), len(text.rstrip()))
    lines = text.splitlines(keepends=True)
    start = sum(map(len, lines[: int(at[1] or 1) - 1]))
    place = min(start + int(at[2]) - 1, len(text))
    word = _WORD.match(text, place)
    return (place, word.end() if word else place + 1)


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
