"""TOML as people and their editors leave it: its text, and what to say where it cannot be read."""

from __future__ import annotations

import os
import re
import stat
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from nonholo.errors import FileError, Passage

LARGEST = 20_000_000
"""Bytes; no system is written in so many."""
WIDTH = 96
"""Longer expressions are broken before their outer plus and minus signs."""
HUGE = "a whole number of more than 300 digits is not a number to compute with; write a decimal such as 1e300."


def file_bytes(path: str | os.PathLike[str], what: str = "the TOML file of a system", largest: int = LARGEST) -> bytes:
    """What a file holds, if it is a file that can be meant: what never ends or is too large is refused; OSError as it comes.

    >>> file_bytes("/dev/null")
    Traceback (most recent call last):
    ...
    nonholo.errors.FileError: /dev/null is a device or a pipe, not a file; give the TOML file of a system.
    """
    if not isinstance(path, (str, os.PathLike)):
        raise FileError(f"{type(path).__name__} where the name of a file is needed; give {what}.")
    try:
        found = os.stat(path)
    except ValueError:
        raise FileError(f"{str(path)[:60]!r} cannot be read: no file has such a name; give {what}.") from None
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        raise FileError(f"{path} is a device or a pipe, not a file; give {what}.")
    if found.st_size > largest and stat.S_ISREG(found.st_mode):
        raise FileError(f"{path} has {found.st_size} bytes, more than any system; give {what}.")
    return Path(path).read_bytes()


def plain_text(content: bytes) -> str:
    """The text of a file, as editors on any machine leave it: with or without a mark at its start, any line ends.

    >>> plain_text("\\ufeffa = 1\\r\\nb = 2\\r".encode())
    'a = 1\\nb = 2\\n'
    """
    return content.decode("utf-8-sig").replace("\r\n", "\n").replace("\r", "\n")


def toml_table(text: str, where: str) -> dict[str, Any]:
    """The table a text writes, or one FileError: no TOML, nested too deeply, or whole numbers that no machine computes with.

    >>> toml_table("a = [1, 2]", "here")
    {'a': [1, 2]}
    """
    deep = f"{where} is nested too deeply; a system has tables and lists two levels deep."
    if re.search(r"^[\s\[]*(?:[^\s.=#]{1,80}\s*\.\s*){30}", text, re.M):  # the reader takes quadratic time for such a key
        raise FileError(deep)
    try:
        table = tomllib.loads(text)
        waiting: list[Any] = [table]
        for part in waiting:
            if isinstance(part, (dict, list)):
                waiting += part.values() if isinstance(part, dict) else part
            elif isinstance(part, int) and part.bit_length() > 1024:
                raise FileError(f"{where}: {HUGE}")
    except tomllib.TOMLDecodeError as trouble:
        words, passage = parse_error(trouble, text)
        raise FileError(f"{where} is not TOML: {words}", passage=passage) from None
    except RecursionError:
        raise FileError(deep) from None
    except ValueError:  # Python reads no whole number of more than 4300 digits
        raise FileError(f"{where}: {HUGE}") from None
    return table


def parse_error(trouble: tomllib.TOMLDecodeError, text: str) -> tuple[str, Passage | None]:
    """The message of TOML's reader with advice, and its position.

    >>> try: tomllib.loads("[start]\\nθ = 1")
    ... except tomllib.TOMLDecodeError as trouble: words, where = parse_error(trouble, "[start]\\nθ = 1")
    >>> words, where.line_and_column()
    ('Invalid statement; a name with such letters stands in quotes: "θ" = …', (2, 1))
    """
    said = str(trouble)
    place = re.search(r" \(at line (\d+), column (\d+)\)", said)
    lines = text.splitlines()
    if place is None or not 0 < int(place[1]) <= len(lines):
        return f"{said}.", None
    reason = said.replace(place[0], "")
    passage = Passage(text, sum(len(line) + 1 for line in lines[: int(place[1]) - 1]) + int(place[2]) - 1, file=True)
    line = lines[int(place[1]) - 1].strip()
    name, _, value = (part.strip() for part in line.partition("="))
    advice = ""
    if any(mark in line for mark in "“”„‘’«»"):
        advice = '; quotes are written with the " of the keyboard'
    elif "Illegal character" in reason and line.count('"') % 2:
        return 'the quotes are not closed; end the text with "', passage
    elif "\\\\" in reason or "Unescaped" in reason:
        advice = "; LaTeX is not read, the rate of x is written xdot"
    elif "overwrite" in reason or "twice" in reason:
        advice = f"; {name.strip('[]') or 'the name'} is given twice, keep one"
    elif re.fullmatch(r"[-+]?\d+,\d+", value):
        advice = "; decimals are written with a point"
    elif unit := re.fullmatch(r"[-+]?[\d._]+(?:e[-+]?\d+)?\s*([^\W\d_][^#=]*|°)(?:#.*)?", value):
        turned = "; an angle in degrees is written \"30*pi/180\"" if unit[1][0] == "°" or unit[1].startswith("deg") else ""
        advice = f"; numbers stand without units, in SI units and radians{turned}"
    elif name and not name.isascii() and not name.startswith(('"', "'", "[", "#")):
        advice = f'; a name with such letters stands in quotes: "{name}" = …'
    elif value and "value" in reason and value[0].isalpha():
        advice = f'; text stands in quotes: {name} = "{value}"'
    return f"{reason}{advice}", passage


def toml_of(table: Mapping[str, Any]) -> str:
    """Plain data as TOML text, long expressions over several lines."""
    import tomli_w

    return tomli_w.dumps(_folded(table), multiline_strings=True)


def _folded(value: Any, key: str = "") -> Any:
    """Long expressions over several lines; white space means nothing in an expression."""
    if isinstance(value, Mapping):
        return {k: _folded(item, k) for k, item in value.items()}
    if isinstance(value, list):
        return [_folded(item, key) for item in value]
    return _lines(value) if isinstance(value, str) and key != "name" and len(value) > WIDTH else value


def _lines(text: str) -> str:
    """A sum with one or more outer terms on each line."""
    depth, start = 0, 0
    terms: list[str] = []
    for i, letter in enumerate(text):
        depth += (letter in "([{") - (letter in ")]}")
        if depth == 0 and text.startswith((" + ", " - "), i):
            terms.append(text[start:i])
            start = i + 1
    terms.append(text[start:])
    lines = [terms[0]]
    for term in terms[1:]:
        if len(lines[-1]) + 1 + len(term) <= WIDTH:
            lines[-1] += f" {term}"
        else:
            lines.append(term)
    return "\n".join(lines)
