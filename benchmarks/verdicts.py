"""Processor seconds of `nh.verdict` for every system of the gallery and of the plain tests: ``python -m benchmarks.verdicts``."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import nonholo as nh
from tests.symmetry.plain_systems import CASES

PLAIN = Path(__file__).parents[1] / "tests" / "symmetry" / "plain"
LIMIT = 10.0


def subjects() -> Iterator[tuple[str, Callable[[], nh.System]]]:
    """Every system by name."""
    for name in nh.gallery.names():
        yield f"gallery: {name}", lambda name=name: nh.gallery.get(name).system  # type: ignore[misc]
    for file in sorted(PLAIN.glob("*.toml")):
        yield f"plain: {file.stem}", lambda file=file: nh.load(file)  # type: ignore[misc]
    for name, case in CASES.items():
        yield f"plain: {name}", case.system


def main() -> int:
    """Print one line for each system; 1 when one takes longer than the limit."""
    nh.verdict(CASES["nonholonomic particle"].system())  # what is loaded and compiled once is nobody's time
    over = 0
    for name, make in subjects():
        system = make()
        if not isinstance(system, nh.System):
            continue
        began = time.process_time()
        found = nh.verdict(system)
        spent = time.process_time() - began
        over += spent > LIMIT
        print(f"{spent:6.2f}  {name:45s} {found.conclusion.partition(':')[0]}", flush=True)
    print(f"{over} above {LIMIT:g} s")
    return int(over > 0)


if __name__ == "__main__":
    sys.exit(main())
