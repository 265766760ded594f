"""Processor seconds of every question about every system: ``python -m benchmarks.questions [NAME …]``.

The systems are those of the gallery, machines and contacts among them, and the plain ones of the tests; names may be parts of
names, and ``--share 2/5`` takes the second fifth. Each question is asked in a process of its own, forked after the imports, as
a user's first question. A process that takes more than ``--limit`` processor seconds (40) is ended and counts as a miss;
``--ask QUESTION`` asks one question only. The last lines name every question that took longer than the aim, 10 s; then the
exit status is 1.
"""

from __future__ import annotations

import argparse
import faulthandler
import hashlib
import os
import resource
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import nonholo as nh
from nonholo.derive.forms import forms
from nonholo.errors import NonholoError
from tests.symmetry.answers import subjects

AIM = 10.0
LIMIT = 40


def _report(system: nh.System) -> object:
    with TemporaryDirectory() as folder:
        return nh.report(system, Path(folder) / "page.html").stat().st_size > 0


def _stability(system: nh.System) -> object:
    found = nh.equilibria(system) or nh.relative_equilibria(system)
    return nh.stability(system, found[0]) if found else "no equilibrium"


def _boundaries(system: nh.System) -> object:
    found = nh.relative_equilibria(system)
    return nh.boundaries(system, found[0]) if found else "no steady motion"


QUESTIONS: dict[str, Callable[[Any], object]] = {
    **forms(),
    "check": nh.check, "classify": nh.classify, "integrals": nh.integrals, "reduce": nh.reduce, "measure": nh.measure,
    "verdict": nh.verdict, "equilibria": nh.equilibria, "relative_equilibria": nh.relative_equilibria, "stability": _stability,
    "boundaries": _boundaries, "controllability": nh.controllability, "report": _report,
}  # fmt: skip


def asked(system: nh.System, question: str, limit: int) -> tuple[float, str]:
    """Processor seconds of one question in a forked process, and the digest of its answer or how it ended."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        faulthandler.register(signal.SIGXCPU, file=sys.stderr, chain=True)
        resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + limit, int(time.process_time()) + limit + 5))
        began = time.process_time()
        try:
            text = str(QUESTIONS[question](system))
            told = hashlib.sha256(text.encode()).hexdigest()[:12]
        except NonholoError as trouble:
            told = f"refused: {str(trouble)[:150]}"
        except BaseException as trouble:  # a traceback is a defect, and is counted as one
            told = f"FAILED {type(trouble).__name__}: {str(trouble)[:150]}"
        os.write(write, f"{time.process_time() - began:.3f}\t{told}".encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, encoding="utf-8") as told_by:
        answer = told_by.read()
    os.waitpid(child, 0)
    if not answer:
        return float(limit), "ENDED"
    seconds, _, told = answer.partition("\t")
    return float(seconds), told


def systems(names: list[str], share: str = "1/1") -> Iterator[tuple[str, nh.System]]:
    """The systems with coordinates whose names hold one of these words, all without any; of them a share."""
    part, of = map(int, share.split("/"))
    every = [(name, lambda name=name: nh.gallery.get(name).system) for name in nh.gallery.names()]
    every += [(name, make) for name, make in subjects() if not name.startswith("gallery: ")]
    chosen = [one for one in every if one[0] in names] if set(names) <= {name for name, _ in every} else every
    for name, make in [(n, make) for n, make in chosen if not names or any(word in n for word in names)][part - 1 :: of]:
        try:
            system = make()
        except NonholoError:  # a field has no coordinates
            continue
        if isinstance(system, nh.System):
            yield name, system


def main() -> int:
    """Ask, and print one line for each question."""
    reader = argparse.ArgumentParser(description=__doc__)
    reader.add_argument("names", nargs="*")
    reader.add_argument("--ask", action="append", choices=list(QUESTIONS))
    reader.add_argument("--limit", type=int, default=LIMIT)
    reader.add_argument("--share", default="1/1")
    given = reader.parse_args()
    warm = nh.gallery.get("knife-edge").system
    for question in given.ask or QUESTIONS:  # what is loaded once is nobody's time
        try:
            QUESTIONS[question](warm)
        except NonholoError:
            continue
    asked_so_far, misses = 0, []
    for name, system in systems(given.names, given.share):
        for question in given.ask or QUESTIONS:
            seconds, told = asked(system, question, given.limit)
            line = f"{seconds:8.2f}  {name:30s} {question:20s} {told}"
            asked_so_far += 1
            misses += [line] if seconds > AIM else []
            print(line, flush=True)
    print(f"{asked_so_far} questions, {len(misses)} over {AIM:g} s", *misses, sep="\n")
    return int(bool(misses))


if __name__ == "__main__":
    sys.exit(main())
