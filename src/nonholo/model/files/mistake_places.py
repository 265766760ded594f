"""The place in a file of what an error found in one of its formulas or entries."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from contextlib import contextmanager

from nonholo.errors import VALUE, NonholoError, Passage
from nonholo.model.files.toml_map import characters, entries, entry_at, strings


@contextmanager
def placed_in(text: str) -> Iterator[None]:
    """Errors inside point at their place in the TOML text, where they know it.

    >>> from nonholo.errors import ModelError
    >>> with placed_in("[start]\\nomgea = 1"):
    ...     raise ModelError("no such name", key=("start", "omgea"))
    Traceback (most recent call last):
    ...
    nonholo.errors.ModelError: no such name (at line 2, column 1)
        omgea = 1
        ^
    """
    try:
        yield
    except NonholoError as trouble:
        passage = place_in(text, trouble)
        if passage is None:
            raise
        raise trouble.altered(trouble.message, passage) from None


def place_in(text: str, trouble: NonholoError) -> Passage | None:
    """The position of an error in a text: its own, that of its formula, or that of its entry."""
    found = trouble.passage
    if found is not None and found.text == text:
        return found
    if found is not None:
        for span in strings(text):
            content: str = tomllib.loads(f"s = {text[slice(*span)]}")["s"]
            start = content.find(found.text)
            places = characters(text, span)
            if start >= 0 and len(places) == len(content) + 1:
                return Passage(text, places[start + found.offset], file=True)
    if trouble.key:
        wanted = _numbered(text, trouble.key)
        path = tuple(f"#{name + 1}" if isinstance(name, int) else name for name in wanted if name != VALUE)
        known = entries(text)
        for size in range(len(path), 0, -1):  # the entry, or the nearest table above that stands in the text
            spans = entry_at(text, path[:size], known)
            if spans is not None:
                key, value = spans
                inside = path[size - 1].startswith("#") or (size == len(path) and trouble.key[-1] == VALUE)
                return Passage(text, value[0] if inside else key[0], file=True)
    return None


SPEAKING = ("name", "child", "body", "joint")
"""Keys by which a table in a list is known."""


def _numbered(text: str, key: tuple[str | int, ...]) -> tuple[str | int, ...]:
    """The key with the number of a table that it names in a list; where the list has none, that of the body of this name.

    >>> _numbered('bodies = [{name = "a"}, {name = "b", joint = {name = "q"}}]', ("joints", "q", "axis"))
    ('bodies', 1)
    """
    if len(key) < 2 or isinstance(key[1], int):
        return key
    try:
        whole = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return key
    chain = str(key[1]).rpartition(" ")[0]
    for part, rest in ((key[0], key[2:]), ("bodies", ())):
        tables = whole.get(str(part))
        for k, table in enumerate(tables if isinstance(tables, list) else ()):
            inner = table.get("joint") if isinstance(table, dict) else None
            told = [table.get(word) for word in SPEAKING] if isinstance(table, dict) else []
            told += [inner.get("name")] if isinstance(inner, dict) and part == "bodies" else []
            if key[1] in told or (chain and chain in told):
                return (part, k, *rest)
    return key
