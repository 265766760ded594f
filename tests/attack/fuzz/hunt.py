"""The hunt: cases of a kind, one after another, each in bounded time and memory; and the watch over processes that hunt."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from tempfile import mkdtemp
from time import process_time
from typing import Any

from tests.attack.fuzz import commands, expressions, files, stores
from tests.engine import trial

ROOT = Path(__file__).parents[3]
FOUND = Path(__file__).with_name("found.json")
MEMORY = 1 << 20
"""Kilobytes beyond what the process had when it began."""


@dataclass(frozen=True)
class Kind:
    """What is hunted: how a case is made by chance, how it is tried, and how many seconds of processor time it may take."""

    make: Callable[[Random], Any]
    run: Callable[[Any, Path], None]
    seconds: float = 2.0


KINDS = {
    "expressions": Kind(expressions.make, expressions.run),
    "toml": Kind(files.make_toml, files.run_toml),
    "specs": Kind(files.make_spec, files.run_spec),
    "netcdf": Kind(stores.make, stores.run_netcdf),
    "zarr": Kind(stores.make, stores.run_zarr),
    "commands": Kind(commands.make, commands.run, 20.0),
    "systems": Kind(trial.make, trial.run, 60.0),
}


def case_of(kind: str, seed: int, number: int) -> Any:
    """The same case for the same seed and number, everywhere."""
    return KINDS[kind].make(Random(f"{kind} {seed} {number}"))


def tried(kind: str, case: Any, place: Path) -> str:
    """What is wrong with a case; empty when nothing is."""
    begun, memory = process_time(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    try:
        KINDS[kind].run(case, place)
    except Exception as trouble:
        if isinstance(trouble, AssertionError):
            return f"AssertionError: {trouble}"
        import traceback

        last = traceback.extract_tb(trouble.__traceback__)[-1]
        return f"{type(trouble).__name__}: {str(trouble)[:300]} ({Path(last.filename).name}:{last.lineno})"
    spent, grown = process_time() - begun, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - memory
    if spent > KINDS[kind].seconds:
        return f"{spent:.1f} s of processor time"
    return f"{grown >> 10} MB" if grown > MEMORY else ""


def warm(kind: str, place: Path) -> None:
    """Imports and machine code are no part of a case."""
    simple: dict[str, Any] = {"commands": ["simulate", "line.toml"], "specs": files.SPEC + " " * (5 - len(files.SPEC) % 5)}
    if kind in simple:
        tried(kind, simple[kind], place)
    else:
        tried(kind, case_of(kind, 0, 0), place)


def hunt(kind: str, seed: int, first: int, count: int, trace: Path | None = None) -> Iterator[tuple[int, Any, str]]:
    """The failures among ``count`` cases; ``trace`` always names the case that is being tried."""
    place = Path(mkdtemp(prefix="fuzz-"))
    try:
        warm(kind, place)
        for number in range(first, first + count):
            if trace is not None:
                trace.write_text(str(number))
            case = case_of(kind, seed, number)
            wrong = tried(kind, case, place)
            if wrong:
                yield number, case, wrong
    finally:
        shutil.rmtree(place, ignore_errors=True)


def batch(kind: str, seed: int, first: int, count: int) -> Iterator[tuple[int, Any, str]]:
    """The failures of a batch in a process of its own, which may die or hang."""
    trace = Path(mkdtemp(prefix="fuzz-")) / "number"
    words = [sys.executable, "-m", "tests.attack.fuzz", "--kind", kind, "--seed", str(seed), "--inside", str(trace)]
    last = first + count
    while first < last:
        command = [*words, "--first", str(first), "--count", str(last - first)]
        told = trace.with_name("told")
        with told.open("wb") as stdout, subprocess.Popen(command, stdout=stdout, stderr=subprocess.DEVNULL, cwd=ROOT) as process:
            ended = _watched(process, trace)
        for line in told.read_text("utf-8").splitlines():
            number, case, wrong = json.loads(line)
            yield number, case, wrong
        if ended == 0:
            break
        at = int((trace.read_text() if trace.exists() else "") or first)
        yield at, None, f"the process ended with {ended}"
        first = at + 1
    shutil.rmtree(trace.parent, ignore_errors=True)


def _watched(process: subprocess.Popen[bytes], trace: Path, patience: float = 90.0) -> int | str:
    """How the process ended; one that stays at the same case for long is killed."""
    seen = ""
    while True:
        try:
            return process.wait(patience)
        except subprocess.TimeoutExpired:
            now = trace.read_text() if trace.exists() else f"{seen} still compiling"[-200:]
            if now == seen:
                process.kill()
                process.wait()
                return "a kill: it hung"
            seen = now


def kept() -> list[tuple[str, Any, str]]:
    """Every failure ever found: kind, case, what was wrong."""
    return [tuple(entry) for entry in json.loads(FOUND.read_text("utf-8"))] if FOUND.exists() else []


def keep(kind: str, case: Any, wrong: str) -> None:
    """Add a failure to those that are tried for ever."""
    entries = [*kept(), (kind, case, wrong)]
    FOUND.write_text("[\n" + ",\n".join(json.dumps(e) for e in entries) + "\n]\n", "utf-8")
