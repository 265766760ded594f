"""Answers on a terminal (tables with lines) or in a pipe (plain text), and as JSON."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from typing import Any


class ReaderLeft(Exception):
    """Nobody reads our output any more, as in ``nonholo list | head -1``."""


def say(text: str) -> None:
    """One piece of text on standard output."""
    try:
        print(text)
    except BrokenPipeError:
        raise ReaderLeft from None


def table(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Rows under headings; aligned words without lines in a pipe."""
    rows = [list(row) for row in rows]
    if sys.stdout.isatty():
        from rich import box
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text

        drawn = Table(*columns, box=box.SIMPLE_HEAD, pad_edge=False)
        for row in rows:
            drawn.add_row(*map(Text, row))
        Console().print(drawn)
        return
    widths = [max(len(row[k]) for row in [list(columns), *rows]) for k in range(len(columns))]
    for row in [list(columns), *rows]:
        say("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())


@contextmanager
def working(command: str) -> Iterator[Callable[[str], None]]:
    """A line with a spinner on a terminal while the work inside lasts, told each step by calling; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console

    with Console(stderr=True).status(f"nonholo {command} …", spinner="dots") as status:
        yield lambda step: status.update(f"nonholo {command}: {step} …")


def as_json(value: Any) -> None:
    """Plain JSON: tables and lists as they are, expressions and other records as text, no NaN."""
    say(json.dumps(_plain(value), indent=2, ensure_ascii=False, allow_nan=False))


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
