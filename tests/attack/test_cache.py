"""The cache of compiled loops: damaged files are thrown away and made anew; what others can write is not read."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

from nonholo.integrate.loops.compilation import native, object_cache
from nonholo.integrate.loops.compilation.object_cache import KEPT, directory, keep, kept

NAME = "trial.0123.loop"
CODE = bytes(range(256)) * 8


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    keep(NAME, CODE)
    return tmp_path / "nonholo" / "compiled"


def flip(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 0x10]) + content[middle + 1 :]


class Trap:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, ("touch trapped",)


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda content: b"",
    "cut": lambda content: content[:-100],
    "flipped": flip,
    "without its digest": lambda content: CODE,
    "a pickle that somebody put there": lambda content: pickle.dumps(Trap()),
}


def test_what_is_kept_is_found_again_by_its_name_alone(place: Path) -> None:
    assert kept(NAME) == CODE
    assert kept("other.loop") is None
    assert place.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("damage", DAMAGE)
def test_damage_is_noticed_and_mended(damage: str, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(place)
    (place / NAME).write_bytes(DAMAGE[damage]((place / NAME).read_bytes()))
    assert kept(NAME) is None
    assert not (place / NAME).exists() and not (place / "trapped").exists()
    keep(NAME, CODE)
    assert kept(NAME) == CODE


def test_a_loop_is_made_again_when_its_file_is_damaged(place: Path) -> None:
    first = native._machine_code("rows")
    (file,) = (p for p in place.glob("rows.*.loop") if "bitcode" not in p.name)
    whole = file.read_bytes()
    file.write_bytes(flip(whole))
    assert native._machine_code("rows") == first
    assert file.read_bytes() == whole


def test_the_code_of_another_loop_in_its_place_is_not_run(place: Path) -> None:
    keep("another.loop", CODE[::-1])
    (place / NAME).write_bytes((place / "another.loop").read_bytes())
    assert kept(NAME) is None


@pytest.mark.parametrize("mode", [0o777, 0o770])
def test_a_directory_that_others_can_write_is_left_alone(mode: int, place: Path) -> None:
    place.chmod(mode)
    assert directory() is None and kept(NAME) is None
    keep("more.loop", CODE)
    assert not (place / "more.loop").exists()


def test_what_was_used_longest_ago_gives_way(place: Path) -> None:
    """Code of versions that are gone does not stay for ever; what is in use does."""
    for k in range(KEPT + 40):
        old = place / f"gone.{k:04}.loop"
        old.write_bytes(b"old")
        os.utime(old, (1000.0 + k, 1000.0 + k))
    os.utime(place / NAME, (500.0, 500.0))  # the oldest of all, and read now
    assert kept(NAME) == CODE
    keep("new.loop", CODE)
    left = {p.name for p in place.glob("*.loop")}
    assert len(left) == KEPT and {NAME, "new.loop"} <= left
    assert "gone.0000.loop" not in left and f"gone.{KEPT + 39:04}.loop" in left


@pytest.mark.parametrize("told", ["", "relative/place", "~"])
def test_without_a_home_nothing_is_written_here(told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", told)
    monkeypatch.setattr("os.path.expanduser", lambda path: path)  # as Python does for a user whom nobody knows
    monkeypatch.chdir(tmp_path)
    assert directory() is None
    keep(NAME, CODE)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("trouble", [PermissionError(13, "denied"), OSError(30, "Read-only file system"), OSError(28, "full")])
def test_where_nothing_can_be_kept_loops_are_still_made(trouble: OSError, place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, content: bytes) -> int:
        raise trouble

    made, code = native._machine_code("rows"), native.bitcode("rows")
    for path in place.glob("rows*"):
        path.unlink()
    monkeypatch.setattr(native, "bitcode", lambda unit: code)
    monkeypatch.setattr(Path, "write_bytes", refuse)
    assert native._machine_code("rows") == made
    assert not [p for p in place.iterdir() if p.name.startswith("rows.") and "bitcode" not in p.name]


def test_code_is_kept_for_one_processor(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The name has a digest of the processor and its features: a copy on a machine without AVX-512 is not taken."""
    asked: list[str] = []
    monkeypatch.setattr(object_cache, "kept", lambda name: asked.append(name) or b"code")
    monkeypatch.setattr(native, "bitcode", lambda unit: b"bitcode")
    for processor in ("a +avx512f", "b -avx512f"):
        monkeypatch.setattr(native, "processor", lambda told=processor: told)
        native._machine_code("rows")
    assert len(set(asked)) == 2
    monkeypatch.undo()
    from llvmlite import binding

    words = native.processor()
    assert binding.get_host_cpu_name() in words and ("+" in words or "avx" in words or "neon" in words)
