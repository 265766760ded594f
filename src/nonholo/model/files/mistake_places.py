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
    """Where in a text the error stands: the place it names already, the formula it was found in, or the entry it is about."""
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
        path = tuple(f"#{name + 1}" if isinstance(name, int) else name for name in trouble.key if name != VALUE)
        known = entries(text)
        for size in range(len(path), 0, -1):  # the entry, or the nearest table above that stands in the text
            spans = entry_at(text, path[:size], known)
            if spans is not None:
                key, value = spans
                inside = path[size - 1].startswith("#") or (size == len(path) and trouble.key[-1] == VALUE)
                return Passage(text, value[0] if inside else key[0], file=True)
    return None
