"""The command list."""

from __future__ import annotations

from nonholo.cli.command import command
from nonholo.cli.options import Json
from nonholo.cli.terminal import as_json, table


def show_list(json: bool) -> int:
    """The gallery: name, title, papers."""
    from nonholo.gallery import catalogue

    entries = catalogue()
    if json:
        as_json(entries)
        return 0
    ordered = sorted(entries.items(), key=lambda item: (item[1]["group"], item[0]))
    table(("name", "title", "group", "papers"), [(n, e["title"], e["group"], e["papers"]) for n, e in ordered])
    return 0


@command(place=10, example="nonholo list")
def list_(json: Json = False) -> int:
    """The systems of the gallery."""
    return show_list(json)
