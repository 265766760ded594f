"""The same bytes on every run: what is said of a system does not depend on the order of a process's sets."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
SHARES = 8
SEEDS = ("2", "3")


def digests(seed: str, *words: str) -> dict[str, str]:
    """For each system the digests of its texts, from a process of its own."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-m", "tests.symmetry.answers", *words]
    done = subprocess.run(command, cwd=HOME, env=environment, capture_output=True, text=True, check=True)
    lines = [line.split("\t") for line in done.stdout.splitlines() if line.count("\t") == 3]
    return {name: texts for _, name, _, texts in lines}


def test_two_processes_say_the_same() -> None:
    names = ("plain: particle-well",)
    first, second = (digests(seed, *names) for seed in SEEDS)
    assert first == second and set(first) == set(names)
    assert all(len(set(texts.split())) == 5 for texts in first.values())


@pytest.mark.slow
@pytest.mark.parametrize("share", range(1, SHARES + 1))
def test_two_processes_say_the_same_of_every_system(share: int) -> None:
    """Verdict, integrals, reduction, symmetry and classification of the gallery and of all systems of the tests."""
    first, second = (digests(seed, f"{share}/{SHARES}") for seed in SEEDS)
    assert first == second and len(first) > 10
