"""The table of capabilities: every call in it exists, and every row is whole."""

from __future__ import annotations

import re

import nonholo as nh
from book.site import DOCS

ROWS = [
    [cell.strip() for cell in line.strip("| ").split(" | ")]
    for line in (DOCS / "capabilities.md").read_text("utf-8").splitlines()
    if line.startswith("| ") and "| capability |" not in line
]


def test_every_name_of_every_call_exists() -> None:
    assert len(ROWS) >= 69
    for row in ROWS:
        assert "`" in row[-1], row
        for path in re.findall(r"\bnh((?:\.\w+)+)", row[-1]):
            found: object = nh
            for name in path.split(".")[1:]:
                assert hasattr(found, name), (row, path)
                found = getattr(found, name)


def test_no_row_is_in_part() -> None:
    assert not [row for row in ROWS if re.search(r"\b(partly|in part|not yet|only)\b", " ".join(row))]
