"""Processor seconds of `nh.verdict` for every system of the gallery and of the plain tests: ``python -m benchmarks.verdicts``.

With names (parts of them) only these are judged. ``--write`` puts the table of a run, read from standard input, into
docs/verdicts.md; lines of ``python -m tests.symmetry.answers``, which compares all texts besides, are read as well.
"""

from __future__ import annotations

import hashlib
import sys
import time
from pathlib import Path

import nonholo as nh
from tests.symmetry.answers import subjects
from tests.symmetry.plain_systems import CASES

PAGE = Path(__file__).parents[1] / "docs" / "verdicts.md"
LIMIT = 10.0


def judged(wanted: list[str]) -> int:
    """Print one line for each system; the number of those that take longer than the limit."""
    nh.verdict(CASES["nonholonomic particle"].system())  # what is loaded and compiled once is nobody's time
    over = 0
    for name, make in subjects():
        if wanted and not any(word in name for word in wanted):
            continue
        system = make()
        if not isinstance(system, nh.System):
            continue
        began = time.process_time()
        found = nh.verdict(system)
        spent = time.process_time() - began
        over += spent > LIMIT
        digest = hashlib.sha256(str(found).encode()).hexdigest()[:12]
        print(f"{spent:6.2f}  {digest}  {name:45s} {found.conclusion.partition(':')[0]}", flush=True)
    print(f"{over} above {LIMIT:g} s")
    return over


def table(lines: list[str]) -> str:
    """The page of a run."""
    rows = {}
    for line in lines:
        if line.count("\t") == 3:  # a line of tests.symmetry.answers
            spent, name, conclusion, _ = line.split("\t")
            rows[name] = (float(spent), conclusion)
        elif ":" in line and "above" not in line:
            seconds, _, rest = line.split(maxsplit=2)
            rows[rest[:45].strip()] = (float(seconds), rest[45:].strip())
    told = [f"| {name} | {spent:.2f} | {conclusion} |" for name, (spent, conclusion) in sorted(rows.items())]
    return "\n".join(["| system | s | so |", "|---|---|---|", *told, ""])


def main() -> int:
    """Judge, or write the page."""
    if sys.argv[1:] == ["--write"]:
        head = PAGE.read_text(encoding="utf-8").partition("| system |")[0]
        PAGE.write_text(head + table(sys.stdin.read().splitlines()), encoding="utf-8")
        return 0
    return int(judged(sys.argv[1:]) > 0)


if __name__ == "__main__":
    sys.exit(main())
