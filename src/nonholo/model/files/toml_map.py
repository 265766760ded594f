"""Positions in a TOML text: keys, values, the elements of lists, and each character of a string.

The text is known to be TOML (`tomllib` has read it), so the map follows brackets and quotes and need not judge them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

Span = tuple[int, int]
_STRING = re.compile(r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'', re.S)
_KEY = re.compile(r"""\s*("(?:\\.|[^"\\])*"|'[^']*'|[^\s.=\]"']+)\s*""")
_ESCAPES = {"u": 6, "U": 10, "x": 4}


@dataclass(frozen=True)
class Entry:
    """One ``key = value`` with its table; ``path`` holds the names from the outermost table on."""

    path: tuple[str, ...]
    key: Span
    value: Span


def entries(text: str) -> list[Entry]:
    """Every header and every ``key = value`` of a text, in its order; the value of a header is the header.

    >>> [(e.path, "a = 1\\n[b]\\nc = 'x'"[slice(*e.value)]) for e in entries("a = 1\\n[b]\\nc = 'x'")]
    [(('a',), '1'), (('b',), '[b]'), (('b', 'c'), "'x'")]
    """
    found: list[Entry] = []
    table: tuple[str, ...] = ()
    place = 0
    while place < len(text):
        place = _skipped(text, place)
        if place >= len(text):
            break
        if text[place] == "[":
            inner = place + (2 if text.startswith("[[", place) else 1)
            table, stop = _key_path(text, inner)
            end = text.find("]", stop)
            end = len(text) if end < 0 else end + (inner - place)
            found.append(Entry(table, (place, end), (place, end)))
        else:
            path, stop = _key_path(text, place)
            start = _skipped(text, stop + 1)
            end = _value_end(text, start)
            found.append(Entry((*table, *path), (place, len(text[:stop].rstrip())), (start, end)))
        place = max(end, place + 1)
    return found


def elements(text: str, value: Span) -> list[Span]:
    """The elements of a list, or the value itself when it is none.

    >>> text = 'c = ["a, b", [1, 2]]'
    >>> [text[slice(*s)] for s in elements(text, (4, len(text)))]
    ['"a, b"', '[1, 2]']
    """
    if not text.startswith("[", value[0]):
        return [value]
    found: list[Span] = []
    place = value[0] + 1
    while True:
        place = _skipped(text, place, ",")
        if place >= value[1] - 1:
            return found
        stop = max(_value_end(text, place), place + 1)
        found.append((place, stop))
        place = stop


def entry_at(text: str, path: tuple[str, ...], known: list[Entry]) -> tuple[Span, Span] | None:
    """Key and value at a path, ``#2`` for the second of a list; where the last name is not found, the table it belongs to.

    >>> text = 'a = 1\\n[start]\\nx = 2'
    >>> text[slice(*entry_at(text, ("start", "x"), entries(text))[0])]
    'x'
    """
    for place, name in enumerate(path[:-1]):
        if name.startswith("#"):  # below one table of an array
            heads = [k for k, e in enumerate(known) if e.path == path[:place] and e.key == e.value]
            begin, *end = [*heads, len(known)][int(name[1:]) - 1 :] or [len(known)]
            return entry_at(text, path[:place] + path[place + 1 :], known[begin : end[0]]) if end else None
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


def characters(text: str, value: Span) -> list[int]:
    """For each character of a string's content its position in the text, and the end of the string last.

    >>> characters('a = "x\\\\ty"', (4, 10))
    [5, 6, 8, 9]
    """
    raw = text[value[0] : value[1]]
    mark = next((m for m in ('"""', "'''", '"', "'") if raw.startswith(m)), "")
    place, stop = value[0] + len(mark), value[1] - len(mark)
    if len(mark) == 3 and text.startswith("\n", place):
        place += 1
    found = []
    while place < stop:
        if mark.startswith('"') and text[place] == "\\":
            if blank := re.compile(r"\\[ \t]*\n\s*").match(text, place):  # the line goes on
                place = blank.end()
                continue
            found.append(place)
            place += _ESCAPES.get(text[place + 1 : place + 2], 2)
            continue
        found.append(place)
        place += 1
    return [*found, max(stop, value[0])]


def strings(text: str) -> Iterator[Span]:
    """Every string of a text, quotes included, in its order."""
    for token, start, stop in _tokens(text, 0):
        if token == "string":
            yield start, stop


def _skipped(text: str, place: int, also: str = "") -> int:
    """The next character that is neither blank nor comment."""
    while place < len(text) and (text[place].isspace() or text[place] in also or text[place] == "#"):
        if text[place] == "#":
            end = text.find("\n", place)
            place = len(text) if end < 0 else end
        else:
            place += 1
    return place


def _key_path(text: str, place: int) -> tuple[tuple[str, ...], int]:
    names = []
    while match := _KEY.match(text, place):
        names.append(match[1].strip("\"'"))
        place = match.end()
        if not text.startswith(".", place):
            break
        place += 1
    return tuple(names), place


def _value_end(text: str, place: int) -> int:
    """Where a value ends: a string at its quotes, a list or table at its bracket, anything else at the end of its line."""
    depth = 0
    for token, _, stop in _tokens(text, place):
        if token in "[{":
            depth += 1
        elif token in "]}":
            depth -= 1
            if depth < 0:
                return stop - 1
        if depth == 0 and token in ("string", "]", "}"):
            return stop
        if depth == 0 and token in (",", "\n"):
            return len(text[: stop - 1].rstrip())
    return len(text.rstrip())


def _tokens(text: str, place: int) -> Iterator[tuple[str, int, int]]:
    while place < len(text):
        if match := _STRING.match(text, place):
            place = match.end()
            yield "string", match.start(), place
        elif text[place] == "#":
            end = text.find("\n", place)
            place = len(text) if end < 0 else end
        else:
            place += 1
            if text[place - 1] in "[]{},\n":
                yield text[place - 1], place - 1, place
