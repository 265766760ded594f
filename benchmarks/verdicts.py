"""Processor seconds of `nh.verdict` for every system of the gallery and of the plain tests: ``python -m benchmarks.verdicts``.

With names (parts of them) only these are judged, and printed alone. Without, the table of docs/verdicts.md is written when all
are judged, and the worst is named. ``--write`` puts the table of an earlier run, read from standard input, there; lines of
``python -m tests.symmetry.answers``, which compares all texts besides, are read as well.
"""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path

import nonholo as nh
from nonholo.finding.answer import kind_name
from tests.symmetry.answers import subjects
from tests.symmetry.plain_systems import CASES

PAGE = Path(__file__).parents[1] / "docs" / "verdicts.md"
LIMIT = 10.0
WIDTH = 45
TOP = "| system | s | result |"
"""The first line of the table, the last one of the page."""


def judged(wanted: list[str]) -> list[str]:
    """One line for each system, printed as it comes: processor seconds, digest of the text, name, conclusion."""
    nh.verdict(CASES["nonholonomic particle"].system())  # what is loaded and compiled once is nobody's time
    lines = []
    for name, make in subjects():
        if wanted and not any(word in name for word in wanted):
            continue
        system = make()
        if not isinstance(system, nh.System):
            continue
        began = time.process_time()
        found = nh.verdict(system)
        spent = time.process_time() - began
        digest = hashlib.sha256(str(found).encode()).hexdigest()[:12]
        lines.append(f"{spent:6.2f}  {digest}  {name:{WIDTH}s} {kind_name(found.decision)}")
        print(lines[-1], flush=True)
    return lines


def worst(lines: list[str]) -> tuple[float, str]:
    """The seconds and the name of the system that took longest."""
    return max((float(line.split()[0]), line.split(maxsplit=2)[2][:WIDTH].strip()) for line in lines)


def table(lines: list[str]) -> str:
    """The page of a run."""
    rows = {}
    for line in lines:
        if line.count("\t") == 3:  # a line of tests.symmetry.answers
            spent, name, conclusion, _ = line.split("\t")
            rows[name] = (float(spent), conclusion)
        elif ":" in line and "above" not in line:
            seconds, _, rest = line.split(maxsplit=2)
            rows[rest[:WIDTH].strip()] = (float(seconds), rest[WIDTH:].strip())
    told = [f"| {name} | {spent:.2f} | {conclusion} |" for name, (spent, conclusion) in sorted(rows.items())]
    return "\n".join([TOP, "|---|---|---|", *told, ""])


def written(lines: list[str]) -> None:
    """The table of these lines on the page."""
    head = PAGE.read_text(encoding="utf-8").partition(TOP)[0]
    beside = PAGE.with_suffix(".tmp")
    beside.write_text(head + table(lines), encoding="utf-8")
    beside.replace(PAGE)


def main() -> int:
    """Judge and write the page; 1 when a system takes longer than the limit."""
    if sys.argv[1:] == ["--write"]:
        written(sys.stdin.read().splitlines())
        return 0
    lines = judged(sys.argv[1:])
    if not lines:
        print(f"no system is called {', '.join(sys.argv[1:])}")
        return 2
    if not sys.argv[1:]:
        written(lines)
    over = sum(float(line.split()[0]) > LIMIT for line in lines)
    seconds, name = worst(lines)
    print(f"{len(lines)} systems, {over} above {LIMIT:g} s, the worst {name} with {seconds:.2f} s")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
