"""Seconds of ``nonholo report``: five systems of the gallery and three of other people's, in fresh processes, the best of three.

``python -m benchmarks report`` prints clock and processor seconds of this code. ``python -m benchmarks.report --against FOLDER
[--write] [NAME …]`` makes each page by the code of another checkout too, in turn with this one, and with ``--write`` puts the
table into docs/benchmarks.md. The code before reports were asked to take half their time is that of commit 15b249e:

    git worktree add ../before 15b249e
    make -C ../before src/nonholo/present/assets/viewer.js
    python -m benchmarks.report --against ../before --write
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

HERE = Path(__file__).resolve().parents[1]
PAGE = HERE / "docs" / "benchmarks.md"
GALLERY = ("chaplygin-sleigh", "snakeboard", "chaplygin-sphere", "rattleback", "rolling-disk")
PLAIN = ("sleigh-turntable", "skate-sphere", "twistcar")
"""Written as users write them, in plain coordinates; the files are in ``benchmarks/data``."""
RUNS = 3
AIM = 0.5
"""Part of the time before."""
TOP = "| system | clock before [s] | now [s] | now/before | processor before [s] | now [s] | now/before | aim: half the clock |"
"""The first line of the table in the page."""


def seconds(tree: Path, name: str) -> tuple[float, float]:
    """Clock and processor seconds of one report by the code of a checkout, in a process of its own."""
    subject = str(HERE / "tests" / "plain" / f"{name}.toml") if name in PLAIN else name
    words = {n: e for n, e in os.environ.items() if n != "PYTHONDONTWRITEBYTECODE"}
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "nonholo", "report", subject, "-o", str(Path(folder) / "page.html")]
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), perf_counter()
        subprocess.run(
            command, check=True, capture_output=True, cwd=folder, env={**words, "PYTHONPATH": str(tree.resolve() / "src")}
        )
        clock, after = perf_counter() - began, resource.getrusage(resource.RUSAGE_CHILDREN)
    return clock, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def rows(names: Sequence[str] = (), against: Path | None = None) -> Iterator[dict[str, Any]]:
    """One row for each system as soon as it has been measured; checkouts take turns, the first run of each counts for nothing."""
    trees = [HERE] if against is None else [against, HERE]
    for name in names or (*GALLERY, *PLAIN):
        found = [[seconds(tree, name) for tree in trees] for _ in range(1 + RUNS)][1:]
        best = [tuple(min(run[k][i] for run in found) for i in range(2)) for k in range(len(trees))]
        clock, work = best[-1]
        row: dict[str, Any] = {"system": name, "clock [s]": clock, "processor [s]": work}
        if against is not None:
            old_clock, old_work = best[0]
            row |= {"clock before [s]": old_clock, "processor before [s]": old_work, "clock, now/before": clock / old_clock}
            row |= {"processor, now/before": work / old_work, "met": clock <= AIM * old_clock}
        yield row


def table() -> list[dict[str, Any]]:
    """This code alone, for ``python -m benchmarks report``."""
    return list(rows())


def lines(found: Sequence[dict[str, Any]]) -> list[str]:
    """The table of the page, of rows with both checkouts."""
    told = [TOP, "|---|" + "---|" * (TOP.count("|") - 2)]
    for row in found:
        numbers = [f"{row[n]:.1f}" for n in ("clock before [s]", "clock [s]")] + [f"{row['clock, now/before']:.2f}"]
        numbers += [f"{row[n]:.1f}" for n in ("processor before [s]", "processor [s]")] + [f"{row['processor, now/before']:.2f}"]
        told.append(f"| {row['system']} | {' | '.join(numbers)} | {'met' if row['met'] else '**missed**'} |")
    return told


def written(page: str, table: Sequence[str]) -> str:
    """The page with another table in place of the one that begins with the same line.

    >>> print(written(f"words\\n\\n{TOP}\\n|---|\\n| old |\\n\\nmore", [TOP, "| new |"]).replace(TOP, "TOP"))
    words
    <BLANKLINE>
    TOP
    | new |
    <BLANKLINE>
    more
    """
    before, _, rest = page.partition(TOP)
    after = rest.partition("\n\n")[2]
    return before + "\n".join(table) + "\n\n" + after


def main() -> None:
    """Measure, print and write."""
    reader = argparse.ArgumentParser(prog="python -m benchmarks.report", description=__doc__)
    reader.add_argument("names", nargs="*", help="systems; all of the table unless told")
    reader.add_argument("--against", type=Path, help="the folder of another checkout")
    reader.add_argument("--write", action="store_true", help="put the table into docs/benchmarks.md")
    wanted = reader.parse_args()
    if wanted.write and (wanted.against is None or wanted.names):
        reader.error("--write needs --against FOLDER and all systems.")
    found = []
    for row in rows(wanted.names, wanted.against):
        print("  ".join(f"{k} {v:.2f}" if isinstance(v, float) else f"{k} {v}" for k, v in row.items()), flush=True)
        found.append(row)
    if wanted.write:
        beside = PAGE.with_name(PAGE.name + ".new")
        beside.write_text(written(PAGE.read_text("utf-8"), lines(found)), "utf-8")
        beside.replace(PAGE)


if __name__ == "__main__":
    main()
