"""``python -m tests.attack.fuzz``: hunt for as long as one likes."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path

from tests.attack.fuzz.hunt import KINDS, ROOT, batch, hunt
from tests.engine.trial import written

BATCH = 1000


def main() -> int:
    words = argparse.ArgumentParser("fuzz", description="Try cases by chance; 0 when nothing was found.")
    words.add_argument("--kind", action="append", choices=list(KINDS), help="what to try; all kinds unless given")
    words.add_argument("--seed", type=int, default=int(time.time()), help="the same seed tries the same cases")
    words.add_argument("--first", type=int, default=0)
    words.add_argument("--count", type=int, help="cases of each kind; for ever unless given")
    words.add_argument("--kept", type=Path, default=ROOT / "build" / "fuzz", help="where systems with false answers are written")
    words.add_argument("--inside", type=Path, help=argparse.SUPPRESS)
    asked = words.parse_args()
    if asked.inside is not None:
        for failure in hunt(asked.kind[0], asked.seed, asked.first, asked.count, asked.inside):
            print(json.dumps(failure), flush=True)
        return 0
    print(f"seed {asked.seed}", flush=True)
    total = dict.fromkeys(asked.kind or KINDS, 0)
    failed, begun = 0, time.monotonic()
    try:
        while asked.count is None or min(total.values()) < asked.count:
            for kind in total:
                size = min(BATCH, asked.count - total[kind]) if asked.count is not None else BATCH
                for number, case, wrong in batch(kind, asked.seed, asked.first + total[kind], size):
                    failed += 1
                    print(f"{kind} --first {number}: {wrong}\n    {json.dumps(case)[:400]}", flush=True)
                    if kind == "systems" and case is not None:
                        print(f"    {written(case, asked.seed, number, wrong, asked.kept)}", flush=True)
                total[kind] += size
            told = ", ".join(f"{n} {kind}" for kind, n in total.items())
            print(f"{time.monotonic() - begun:.0f} s: {told}; {failed} failures", flush=True)
    except KeyboardInterrupt:
        print(f"stopped: {total}; {failed} failures (seed {asked.seed})")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
