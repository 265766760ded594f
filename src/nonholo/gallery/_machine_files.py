"""Exhibits that are files, of machines and of contacts: ``[exhibit]`` has title, group, papers, references, story, starts."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from nonholo.errors import ModelError
from nonholo.gallery.exhibit import Exhibit
from nonholo.machines.machine_files import from_table
from nonholo.model.files.toml_text import toml_table


def machine_exhibit(name: str, file: Path, options: Mapping[str, Any]) -> Exhibit:
    """The exhibit that a file describes; it takes no options."""
    if options:
        raise ModelError(f"gallery {name}: it takes no {next(iter(options))!r}; leave the option out.")
    return _read(name, file)


@lru_cache(maxsize=64)
def _read(name: str, file: Path) -> Exhibit:
    table = toml_table(file.read_text("utf-8"), file.name)
    told = table["exhibit"]
    return Exhibit(
        name=name,
        title=told["title"],
        group=told["group"],
        system=from_table({key: value for key, value in table.items() if key != "exhibit"}, file.name),
        references=tuple(told["references"]),
        starts=told.get("starts", {}),
        story=told["story"],
    )
