"""Found and missed per kind, over many systems: ``python -m tests.engine.count --seed 1 --count 1000``.

Prints the tables of docs/verdicts.md in Markdown; failures go to standard error, and to ``build/fuzz`` as TOML files.
``--kept FILE`` adds the counts to those of runs before, so that ten thousand systems need not be tried in one go.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections import Counter
from pathlib import Path
from random import Random
from time import process_time

from tests.engine.trial import make, tried, written

KINDS = ("symmetry", "integral", "measure", "spectrum")
HEAD = "| kind | known | found | missed |\n|---|---|---|---|"


def counted(seed: int, first: int, count: int, folder: Path) -> Counter[str]:
    """The counts of some cases."""
    total: Counter[str] = Counter()
    for number in range(first, first + count):
        case = make(Random(f"systems {seed} {number}"))
        begun = process_time()
        result = tried(case)
        total["systems"] += 1
        total["milliseconds"] += int(1000 * (process_time() - begun))
        total += result.counts
        if result.wrong:
            total["systems with a fault"] += 1
            words = "\n".join(map(str, result.wrong))
            print(f"{number} {json.dumps(case)}\n    {words}", file=sys.stderr, flush=True)
            written(case, seed, number, words, folder)
    return total


def table(total: Counter[str]) -> str:
    """The counts as a table of a page."""
    lines = [HEAD]
    for kind in KINDS:
        known, found = total[f"{kind} known"], total[f"{kind} found"]
        lines.append(f"| {kind} | {known} | {found} | {known - found} |")
    asked = ", ".join(f"{n} {k.removesuffix(' asked')}" for k, n in sorted(total.items()) if k.endswith(" asked"))
    seconds = total["milliseconds"] / 1000
    lines += ["", f"{total['systems']} systems, {total['systems with a fault']} with a fault; asked: {asked}; {seconds:.0f} s."]
    return "\n".join(lines)


def main() -> int:
    words = argparse.ArgumentParser("count", description="Found and missed per kind over many systems of the engine.")
    words.add_argument("--seed", type=int, default=1)
    words.add_argument("--first", type=int, default=0)
    words.add_argument("--count", type=int, default=1000)
    words.add_argument("--folder", type=Path, default=Path("build/fuzz"))
    words.add_argument("--kept", type=Path, help="a JSON file with the counts so far")
    asked = words.parse_args()
    warnings.simplefilter("ignore")
    total = Counter(json.loads(asked.kept.read_text())) if asked.kept is not None and asked.kept.exists() else Counter()
    for first in range(asked.first, asked.first + asked.count, 50):
        total += counted(asked.seed, first, min(50, asked.first + asked.count - first), asked.folder)
        if asked.kept is not None:
            asked.kept.write_text(json.dumps(total, sort_keys=True))
    print(table(total))
    return 1 if total["systems with a fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
