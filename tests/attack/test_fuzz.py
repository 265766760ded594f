"""Two hundred cases of every fuzzer, and every failure that any of them ever found."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from tests.attack.fuzz import commands, expressions
from tests.attack.fuzz.hunt import KINDS, batch, case_of, hunt, kept, tried, warm

CASES = 200
SEED = 2026


@pytest.mark.parametrize("kind", [k for k in KINDS if k not in ("netcdf", "systems")])
@pytest.mark.filterwarnings("ignore")
def test_two_hundred_cases_by_chance(kind: str) -> None:
    assert list(hunt(kind, SEED, 0, CASES)) == []


def test_two_hundred_forged_files_in_a_process_of_their_own() -> None:
    """HDF5 is a library in C, which could take the tests down with it."""
    assert list(batch("netcdf", SEED, 0, CASES)) == []


@pytest.mark.parametrize(("kind", "case", "wrong"), kept(), ids=lambda v: str(v)[:40])
def test_what_was_found_stays_mended(kind: str, case: object, wrong: str, tmp_path: Path) -> None:
    warm(kind, tmp_path)
    assert tried(kind, case, tmp_path) == "", wrong


def test_cases_are_the_same_for_the_same_seed_and_can_be_kept() -> None:
    for kind in KINDS:
        cases = [case_of(kind, 3, n) for n in range(20)]
        assert cases == [case_of(kind, 3, n) for n in range(20)]
        assert json.loads(json.dumps(cases)) == cases
        assert len({json.dumps(c) for c in cases}) > 15


def test_a_fuzzer_sees_a_wrong_value_a_raw_error_and_a_silent_refusal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The hunters are hunted: each kind of failure is one."""
    assert "where mpmath finds" in tried("expressions", {"text": "x + y", "value": 0.6}, tmp_path)
    monkeypatch.setattr("nonholo.notation.parse.parse", lambda *words: 1 / 0)
    assert tried("expressions", {"text": "x", "value": None}, tmp_path).startswith("ZeroDivisionError")
    monkeypatch.setattr("nonholo.cli.main._command", lambda words: {}["nothing"])
    assert "unexpected KeyError" in tried("commands", ["list"], tmp_path)


def test_most_trees_have_a_value_that_is_compared() -> None:
    chance = Random(5)
    made = [expressions.make(chance) for _ in range(400)]
    assert sum(c["value"] is not None for c in made) > 60
    assert {w for c in range(300) for w in commands.make(Random(c))[:1]} >= set(commands.tree())
