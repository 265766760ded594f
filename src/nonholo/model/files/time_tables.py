"""Tables of times and values from a file, as a logger or a spreadsheet writes them."""

from __future__ import annotations

import csv
import os
from pathlib import Path

from nonholo.errors import FileError
from nonholo.model.files.toml_text import file_bytes, plain_text

LARGEST = 1_000_000_000
"""Bytes of a table."""
ENDINGS = (".csv", ".tsv", ".txt")
UNSEEN = ("", "na", "null", "none")
"""What a logger writes where it saw nothing."""


def read_table(path: str | os.PathLike[str], name: str = "") -> tuple[list[float], list[float]]:
    """Times and values of a file with two columns, or of the first column and the one headed ``name``.

    Columns are parted by commas, semicolons, tabs or blanks; lines that begin with ``#`` are skipped.
    """
    place = Path(path)
    rows = _rows(place)
    column = 1
    if rows and any(not _is_number(cell) for cell in rows[0][1]):
        heads = [cell.strip().strip('"') for cell in rows.pop(0)[1]]
        if len(heads) > 2 and name not in heads[1:]:
            raise FileError(f"{place}: no column is headed {name!r}; found {', '.join(heads[1:])}.")
        column = heads.index(name) if name in heads[1:] else 1
    times: list[float] = []
    values: list[float] = []
    for k, cells in rows:
        if len(cells) <= column or not (_is_number(cells[0]) and _is_number(cells[column])):
            raise FileError(f"{place}, line {k}: {' '.join(cells)!r} where a time and a value are needed.")
        times.append(float(cells[0]))
        values.append(float(cells[column]))
    if len(times) < 2:
        raise FileError(f"{place}: {len(times)} lines with a time and a value; at least two are needed.")
    return times, values


def read_columns(path: str | os.PathLike[str]) -> dict[str, list[float]]:
    """All columns of a file by the names in its head; an empty cell (or ``nan``, ``na``) is not a number."""
    place = Path(path)
    if place.suffix.lower() not in ENDINGS:
        raise FileError(f"{place}: data are read from {', '.join(ENDINGS)}; give other formats as xarray or pandas.")
    rows = _rows(place)
    if len(rows) < 2 or any(_is_number(cell) for cell in rows[0][1]):
        raise FileError(f"{place}: a first line with the names of the columns and at least one line of numbers are needed.")
    heads = [cell.strip().strip('"') for cell in rows[0][1]]
    if len(set(heads)) < len(heads):
        raise FileError(f"{place}: a name stands twice in its head ({', '.join(heads)}).")
    table: list[list[float]] = []
    for k, cells in rows[1:]:
        found = [cell if cell.lower() not in UNSEEN else "nan" for cell in cells]
        if len(found) != len(heads) or not all(map(_is_number, found)):
            raise FileError(f"{place}, line {k}: {' '.join(cells)!r} where {len(heads)} numbers are needed ({', '.join(heads)}).")
        table.append(list(map(float, found)))
    return {name: [row[j] for row in table] for j, name in enumerate(heads)}


def _rows(place: Path) -> list[tuple[int, list[str]]]:
    """The cells of every line that is neither empty nor a remark, with its number."""
    try:
        lines = plain_text(file_bytes(place, "a table of times and values", LARGEST)).split("\n")
    except FileError:
        raise
    except (OSError, UnicodeDecodeError) as trouble:
        raise FileError(f"{place}: cannot be read ({getattr(trouble, 'strerror', None) or trouble}).") from None
    return [(k, _cells(line)) for k, line in enumerate(lines, 1) if line.strip() and not line.lstrip().startswith("#")]


def _cells(line: str) -> list[str]:
    for mark in (";", "\t", ","):
        if mark in line:
            try:
                return [cell.strip() for cell in next(csv.reader([line], delimiter=mark))]
            except csv.Error:  # a line longer than any row of numbers
                return [line[:60]]
    return line.split()


def _is_number(cell: str) -> bool:
    try:
        float(cell)
    except ValueError:
        return False
    return True
