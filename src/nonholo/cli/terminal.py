"""Answers on a terminal (tables with lines) or in a pipe (plain text), and as JSON."""

from __future__ import annotations

import json
import math
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from itertools import zip_longest
from pathlib import Path
from typing import Any

from nonholo.errors import FileError


class ReaderLeft(Exception):
    """Nobody reads our output any more, as in ``nonholo list | head -1``."""


def say(text: str) -> None:
    """One piece of text on standard output; on a terminal long lines are wrapped to its width."""
    _write(fitted(text, shutil.get_terminal_size().columns) if sys.stdout.isatty() else text)


def _write(text: str) -> None:
    try:
        print(text, flush=True)  # whoever reads a pipe waits for the lab's address
    except BrokenPipeError:
        raise ReaderLeft from None


def fitted(text: str, width: int) -> str:
    """The text with lines of at most this width, further ones indented below the first; no word is broken and nothing is cut.

    >>> print(fitted("  proved   m*xdot*cos(theta) + J*thetadot is constant", 32))
      proved   m*xdot*cos(theta) +
               J*thetadot is
               constant
    """
    lines: list[str] = []
    column = 0
    for line in text.split("\n"):
        head = re.match(r"\s*(?:\S+\s{2,})?", line)[0]  # type: ignore[index]
        if head.strip():
            column = len(head)
        elif re.fullmatch(r"\s*\S+ ", line[:column]):  # a word that fills the column of those above
            head = line[:column]
        if len(line) <= width:
            lines.append(line)
            continue
        hang = " " * (len(head) + 2 * (not head.strip()))
        if len(hang) > width // 2:
            head, hang = "", "  "
        first, *more = wrapped(line[len(head) :], width - len(hang))
        lines += [head + first, *(hang + part for part in more)]
    return "\n".join(lines)


COLOURS = {"✓": "32", "✗": "31", "?": "33"}
"""Colours of the marks on a terminal: green, red, yellow."""
NARROW = 12
"""A column of words is at least this wide."""


_PIECE = re.compile(r"(?:[^*/+,(–-]|\*\*|(?<=[A-Za-z])\()*(?:(?<!\*)\*(?!\*)|[/+,(–-])?")
"""What stays together in a long formula: all up to and with an operator, powers with exponents, functions with brackets."""


def wrapped(text: str, width: int) -> list[str]:
    """Lines of at most this width: broken at spaces, and in long formulas after operators; nothing is cut.

    >>> wrapped("constant: m*xdot*cos(theta) + J*thetadot", 18)
    ['constant:', 'm*xdot*cos(theta)', '+ J*thetadot']
    """
    lines = [""]
    for word in text.split():
        pieces = [word] if len(word) <= width or "://" in word else _PIECE.findall(word)
        for k, piece in enumerate(filter(None, pieces)):
            gap = " " if k == 0 and lines[-1] else ""
            if lines[-1] and len(lines[-1]) + len(gap) + len(piece) > width:
                lines.append("")
                gap = ""
            lines[-1] += gap + piece
    return lines


def widths_of(columns: Sequence[str], rows: Sequence[Sequence[str]], available: int) -> list[int]:
    """Column widths that fit: the first column keeps its own, the widest of the others give way."""
    natural = [max(len(row[k]) for row in [columns, *rows]) for k in range(len(columns))]
    if sum(natural) + 2 * (len(natural) - 1) <= available:
        return natural
    found = list(natural)
    while sum(found) + 2 * (len(found) - 1) > available:
        widest = max(range(1, len(found)), key=lambda k: found[k], default=0)
        if found[widest] <= NARROW:
            break
        found[widest] -= 1
    return found


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows under headings: aligned words in a pipe, wrapped to its width on a terminal."""
    rows = [list(row) for row in rows]
    if not sys.stdout.isatty():
        widths = [max(len(row[k]) for row in [list(columns), *rows]) for k in range(len(columns))]
        for row in [list(columns), *rows]:
            _write("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        return
    widths = widths_of(columns, rows, shutil.get_terminal_size().columns)
    coloured = "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
    for row in [list(columns), ["─" * width for width in widths], *rows]:
        cells = [wrapped(cell, width) for cell, width in zip(row, widths)]
        for line in zip_longest(*cells, fillvalue=""):
            shown = [cell.ljust(width) for cell, width in zip(line, widths)]
            if coloured and line[0] in COLOURS:
                shown[0] = f"\033[{COLOURS[line[0]]}m{shown[0]}\033[0m"
            _write("  ".join(shown).rstrip())


@contextmanager
def working(command: str) -> Iterator[Callable[[str], None]]:
    """A line with a spinner on a terminal during the work inside; calling it shows the step. Nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"nonholo {command} …", spinner="dots") as status:
        yield lambda step: status.update(f"nonholo {command}: {step} …")


def as_json(value: Any) -> None:
    """Plain JSON: tables and lists as they are, expressions and other records as text, no NaN."""
    _write(json.dumps(_plain(value), indent=2, ensure_ascii=False, allow_nan=False))


def _plain(value: Any) -> Any:
    if hasattr(value, "as_json"):
        return _plain(value.as_json())
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if hasattr(value, "tolist"):
        return _plain(value.tolist())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if is_dataclass(value):
        return {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
    return str(value)


def finding_row(finding: Any) -> tuple[str, str, str, str]:
    """A finding as sign, claim, number and evidence."""
    value = finding.value
    shown = "" if value is None else f"{value:.2g}" if isinstance(value, float) else str(value)
    return finding.sign, finding.claim, shown, finding.evidence


def short(number: float) -> str:
    """A number as a person reads it.

    >>> short(0.1 + 0.2), short(-0.0), short(1e-17)
    ('0.3', '0', '1e-17')
    """
    return f"{number + 0.0:.6g}"


def equations_table(equations: Any) -> dict[str, Any]:
    """Plain data: names and texts; ``shared`` holds what the texts of long equations abbreviate, in order."""
    from nonholo.derive.display.equation_text import shared_parts
    from nonholo.notation.write import to_text

    lists = ("coordinates", "speeds", "unknowns", "parameters", "inputs")
    names = {key: [str(s) for s in getattr(equations, key)] for key in lists}
    size, count = len(equations.force), len(equations.kinematics)
    flat = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    shared, flat = shared_parts(flat, [name for key in lists for name in names[key]])
    texts = [to_text(e) for e in flat]
    return {
        "name": equations.name,
        "form": equations.origin,
        **names,
        "kinematics": texts[:count],
        "mass": [texts[count + i * size : count + (i + 1) * size] for i in range(size)],
        "force": texts[count + size * size :],
        "shared": {str(name): to_text(side) for name, side in shared},
    }


FIGURES = (".png", ".pdf", ".svg")


def check_place(place: Path | None, option: str, endings: tuple[str, ...], stem: str) -> None:
    """Refuse a file to write whose name has another ending or whose directory is not there."""
    if place is None:
        return
    if place.suffix.lower() not in endings:
        wanted = " or ".join(", ".join(endings).rsplit(", ", 1))
        raise FileError(f"{option} {place}: the name must end in {wanted}, e.g. {option} {stem}{endings[0]}.")
    if not place.resolve().parent.is_dir():
        raise FileError(f"{option} {place}: there is no directory {place.parent}; create it first.")
