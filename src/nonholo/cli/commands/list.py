"""The command list."""

from __future__ import annotations

import shutil
import sys
from itertools import groupby
from operator import itemgetter

from nonholo.cli.command import command
from nonholo.cli.options import Json
from nonholo.cli.terminal import as_json, say, table


@command(place=10, example="nonholo list")
def list_(json: Json = False) -> int:
    """List the systems of the gallery."""
    from nonholo.gallery import catalogue

    entries = catalogue()
    if json:
        as_json(entries)
        return 0
    ordered = sorted(entries.items(), key=lambda item: (item[1]["group"], item[0]))
    columns = ("name", "title", "group", "papers")
    rows = [(n, e["title"], e["group"], e["papers"]) for n, e in ordered]
    wide = [max(map(len, column)) for column in zip(columns, *rows)]
    if not sys.stdout.isatty() or sum(wide) + 6 <= shutil.get_terminal_size().columns:
        table(columns, rows)
        return 0
    for group, members in groupby(rows, itemgetter(2)):
        say(f"── {group}")
        for name, title, *_ in members:
            say(f"{name:<{wide[0]}}  {title}")
    say("Papers: nonholo list --json")
    return 0
