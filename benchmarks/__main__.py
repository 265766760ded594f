"""``python -m benchmarks [name …]``: every table, or the named ones; figures that fall short are printed as they are."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

TABLES = (
    "door", "anywhere", "derive", "derive_chain", "first", "rhs", "derivatives", "linearise", "sensitivity", "growth",
    "integrate", "steps", "stiff", "peers", "many", "cluster", "fields", "living", "behaviour", "report", "walk", "machines",
    "control", "contacts",
)  # fmt: skip


def show(value: Any) -> str:
    """A number for a person."""
    if isinstance(value, bool):
        return "met" if value else "MISSED"
    return f"{value:.3g}" if isinstance(value, float) else str(value)


def main(names: list[str]) -> None:
    """Print the tables."""
    from rich.console import Console
    from rich.table import Table

    console = Console(width=150)
    for name in names or TABLES:
        try:
            rows = import_module(f"benchmarks.{name}").table()
        except ImportError as problem:
            console.print(f"[bold]{name}[/bold]: not available here ({problem})")
            continue
        columns = list(dict.fromkeys(key for row in rows for key in row))
        table = Table(title=name, show_lines=False)
        for column in columns:
            table.add_column(column, overflow="fold")
        for row in rows:
            table.add_row(*(show(row[c]) if c in row else "" for c in columns))
        console.print(table)


if __name__ == "__main__":
    main(sys.argv[1:])
