"""What nonholo says of every system of the gallery and of the tests, as digests: ``python -m tests.symmetry.answers``.

One line for each system: the processor seconds of `nh.verdict` and digests of the texts of verdict, integrals, reduction,
symmetry and classification. Two runs with another ``PYTHONHASHSEED``, or under load, must give the same digests.
Arguments are names (parts of them), ``2/5`` for the second fifth of the systems, ``--whole`` for the texts themselves.
"""

from __future__ import annotations

import hashlib
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import nonholo as nh
from nonholo.symmetry.group.symmetry_group import group_of
from tests.symmetry.plain_systems import CASES

PLAIN = Path(__file__).parents[1] / "plain"
SHARED = Path(__file__).parents[3] / "shared" / "systems" / "whipple-bicycle.toml"


def subjects() -> Iterator[tuple[str, Callable[[], Any]]]:
    """Every system by name, made when it is asked for."""
    for name in nh.gallery.system_names():
        yield f"gallery: {name}", lambda name=name: nh.gallery.get(name).system  # type: ignore[misc]
    for file in sorted(PLAIN.glob("*.toml")):
        yield f"plain: {file.stem}", lambda file=file: nh.load(file)  # type: ignore[misc]
    for name, case in CASES.items():
        yield f"plain: {name}", case.system
    if SHARED.exists():
        yield "shared: whipple-bicycle", lambda: nh.load(SHARED)


def told(question: Callable[[], Any]) -> str:
    """The answer as text; a refusal is an answer too."""
    try:
        found = question()
    except nh.NonholoError as problem:
        return f"{type(problem).__name__}: {problem}"
    if isinstance(found, tuple):
        return "\n".join(map(str, found))
    return str(found)


def symmetry_text(system: nh.System) -> str:
    """The symmetry that would be taken, and its fields."""
    found = group_of(system).symmetry
    return "none" if found is None else f"{found}\n{dict(found.generators)}"


def others(system: nh.System) -> dict[str, str]:
    """The texts besides the verdict."""
    return {
        "integrals": told(lambda: nh.integrals(system)),
        "reduce": told(lambda: nh.reduce(system)),
        "symmetry": told(lambda: symmetry_text(system)),
        "classify": told(lambda: nh.classify(system)),
    }


def main(words: list[str]) -> int:
    """One line for each system."""
    whole = "--whole" in words
    share = next((w for w in words if "/" in w), "1/1")
    part, of = map(int, share.split("/"))
    names = [w for w in words if w not in ("--whole", share)]
    nh.verdict(CASES["nonholonomic particle"].system())  # what is loaded and compiled once is nobody's time
    for k, (name, make) in enumerate(subjects()):
        if k % of != part - 1 or (names and not any(w in name for w in names)):
            continue
        system = make()
        if not isinstance(system, nh.System):
            continue
        began = time.process_time()
        verdict = told(lambda: nh.verdict(system))  # noqa: B023 - asked at once
        spent = time.process_time() - began
        texts = {"verdict": verdict, **others(system)}
        digests = " ".join(f"{n}={hashlib.sha256(t.encode()).hexdigest()[:12]}" for n, t in texts.items())
        conclusion = verdict.rpartition("  result   ")[2].partition(":")[0]
        print(f"{spent:6.2f}\t{name}\t{conclusion}\t{digests}", flush=True)
        if whole:
            print("\n".join(f"--- {n}\n{t}" for n, t in texts.items()), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
