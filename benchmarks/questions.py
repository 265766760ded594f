"""Processor seconds of every question about every system of the gallery: ``python -m benchmarks.questions [NAME …]``.

Each question is asked in a process of its own, forked after the imports, as a user's first question. A process that takes more
than ``--limit`` processor seconds (40) is ended and counts as a miss; ``--ask QUESTION`` asks one question only. The exit
status is 1 when a question took longer than the aim, 10 s.
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

AIM = 10.0
LIMIT = 40


def _report(system: nh.System) -> object:
    with TemporaryDirectory() as folder:
        return nh.report(system, Path(folder) / "page.html").stat().st_size > 0


def _stability(system: nh.System) -> object:
    found = nh.equilibria(system) or nh.relative_equilibria(system)
    return nh.stability(system, found[0]) if found else "no equilibrium"


QUESTIONS: dict[str, Callable[[Any], object]] = {
    **forms(),
    "check": nh.check, "classify": nh.classify, "integrals": nh.integrals, "reduce": nh.reduce, "measure": nh.measure,
    "verdict": nh.verdict, "equilibria": nh.equilibria, "relative_equilibria": nh.relative_equilibria, "stability": _stability,
    "report": _report,
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


def systems(names: list[str]) -> Iterator[tuple[str, nh.System]]:
    """The gallery's systems with coordinates, or the named ones."""
    for name in names or nh.gallery.names():
        try:
            system = nh.gallery.get(name).system
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
    given = reader.parse_args()
    warm = nh.gallery.get("knife-edge").system
    for question in QUESTIONS:  # what is loaded once is nobody's time
        try:
            QUESTIONS[question](warm)
        except NonholoError:
            continue
    misses = 0
    for name, system in systems(given.names):
        for question in given.ask or QUESTIONS:
            seconds, told = asked(system, question, given.limit)
            misses += seconds > AIM
            print(f"{seconds:8.2f}  {name:24s} {question:20s} {told}", flush=True)
    return int(misses > 0)


if __name__ == "__main__":
    sys.exit(main())
