"""A damaged cache of compiled loops is thrown away and made anew; one that others can write is not read."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

from nonholo.integrate.loops.object_cache import KEPT

MODULE = """
from nonholo.integrate.loops.loop_compiler import outer

@outer
def twice(x):
    return 2.0 * x
"""
QUESTION = "import fast; print(fast.twice(21.0), sum(fast.twice._cache_hits.values()))"


def answer(place: Path, **environment: str) -> list[str]:
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", QUESTION],
        cwd=place,
        env={**os.environ, "XDG_CACHE_HOME": str(place / "cache"), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return done.stdout.split()


def flip(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0x10]) + content[middle + 1 :]


DAMAGE = {
    "code empty": lambda content: b"",
    "code cut": lambda content: content[:-100],
    "code flipped": flip,
    "code of another kind": lambda content: pickle.dumps({"a": 1}),
}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (tmp_path / "fast.py").write_text(MODULE)
    return tmp_path


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_noticed_and_mended(damage: str, place: Path) -> None:
    assert answer(place) == ["42.0", "0"]
    (file,) = (place / "__pycache__").glob("*.nbc")
    file.write_bytes(DAMAGE[damage](file.read_bytes()))
    assert answer(place) == ["42.0", "0"]
    assert answer(place) == ["42.0", "1"]


def test_the_code_of_another_function_in_its_place_is_not_run(place: Path) -> None:
    """What two processes that number their files alike can do to each other."""
    answer(place)
    (place / "fast.py").write_text(MODULE.replace("2.0 * x", "3.0 * x"))
    (old,) = (place / "__pycache__").glob("*.nbc")
    content = old.read_bytes()
    assert answer(place) == ["63.0", "0"]
    for file in (place / "__pycache__").glob("*.nbc"):
        file.write_bytes(content)
    assert answer(place) == ["63.0", "0"]


class Trap:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch trapped",)


def test_a_pickle_that_somebody_put_there_is_not_opened(place: Path) -> None:
    answer(place)
    for file in (place / "__pycache__").glob("*.nb?"):
        file.write_bytes(pickle.dumps(Trap()))
    assert answer(place) == ["42.0", "0"]
    assert not (place / "trapped").exists()


def test_a_directory_that_others_can_write_is_left_alone(place: Path) -> None:
    (place / "__pycache__").mkdir()
    (place / "__pycache__").chmod(0o777)
    assert answer(place) == ["42.0", "0"]
    assert not list((place / "__pycache__").glob("*.nb?"))
    assert answer(place) == ["42.0", "1"]  # from the user's own directory
    assert (place / "cache" / "nonholo" / "compiled").stat().st_mode & 0o777 == 0o700


def test_what_was_used_longest_ago_gives_way_when_code_is_kept(place: Path) -> None:
    """Code of versions that are gone does not stay for ever; what is in use does."""
    assert answer(place) == ["42.0", "0"]
    (own,) = (place / "__pycache__").glob("*.nbc")
    for k in range(KEPT + 40):
        old = own.with_name(f"gone.{k:04}.nbc")
        old.write_bytes(b"old")
        os.utime(old, (1000.0 + k, 1000.0 + k))
    os.utime(own, (500.0, 500.0))  # the oldest of all, and read now
    assert answer(place) == ["42.0", "1"]
    (place / "fast.py").write_text(MODULE.replace("2.0", "3.0"))
    assert answer(place) == ["63.0", "0"]
    left = {p.name for p in own.parent.glob("*.nbc")}
    assert len(left) == KEPT and own.name in left
    assert "gone.0000.nbc" not in left and f"gone.{KEPT + 39:04}.nbc" in left
