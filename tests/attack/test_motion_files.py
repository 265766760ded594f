"""Files of motions, damaged, forged and on full disks: one FileError, or the very same motion."""

from __future__ import annotations

import random
import subprocess
import sys
from pathlib import Path

import h5py
import numpy as np
import pytest

import nonholo as nh
from nonholo.fields.field_trajectory import _ENDINGS
from nonholo.integrate.outcome import KINDS
from nonholo.integrate.results.trajectory_files import seal
from tests import systems

P = {"m": 1.3, "J": 0.7, "a": 0.4}
CASES = 300


@pytest.fixture(scope="module")
def run() -> nh.Trajectory:
    return nh.simulate(systems.unbalanced_sleigh(), {"omega": 1.5, "v": -1.0}, 2.0, P, events=["v"], t_eval=41)


@pytest.fixture(scope="module")
def content(run: nh.Trajectory, tmp_path_factory: pytest.TempPathFactory) -> bytes:
    file = tmp_path_factory.mktemp("motions") / "run.nc"
    run.save(file)
    return file.read_bytes()


@pytest.fixture
def saved(content: bytes, tmp_path: Path) -> Path:
    (tmp_path / "run.nc").write_bytes(content)
    return tmp_path / "run.nc"


def same(one: nh.Trajectory, two: nh.Trajectory) -> bool:
    return (
        one.data.equals(two.data)
        and dict(one.final) == dict(two.final)
        and one.outcome == two.outcome
        and (one.steps, one.calls, one.frames) == (two.steps, two.calls, two.frames)
        and dict(one.first) == dict(two.first)
        and one.system == two.system
    )


def forged(file: Path, change) -> None:
    """Change a file with h5py and seal it again: the seal finds damage, the rest must find lies."""
    with h5py.File(file, "r+") as inside:
        change(inside)
    content = file.read_bytes()
    file.write_bytes(content + seal(content))


def test_a_file_read_and_written_again_is_the_same_motion(run: nh.Trajectory, saved: Path) -> None:
    again = nh.open(saved)
    assert same(again, run)
    again.save(saved)
    assert same(nh.open(saved), run)


@pytest.mark.parametrize("kind", ["flip", "cut", "zero", "swap"])
def test_damage_is_always_noticed(run: nh.Trajectory, saved: Path, kind: str) -> None:
    chance, whole = random.Random(f"damage {kind}"), saved.read_bytes()
    for _ in range(CASES // 4):
        content = bytearray(whole)
        at = chance.randrange(len(content))
        if kind == "flip":
            content[at] ^= 1 << chance.randrange(8)
        elif kind == "cut":
            del content[at:]
        elif kind == "zero":
            content[at : at + 64] = bytes(len(content[at : at + 64]))
        else:
            other = chance.randrange(len(content))
            content[at], content[other] = content[other], content[at]
        saved.write_bytes(content)
        if bytes(content) == whole:
            assert same(nh.open(saved), run)
            continue
        with pytest.raises(nh.FileError, match=r"damaged|not a NetCDF|cut or changed"):
            nh.open(saved)


WORDS = {
    "final": ["{", "[1]", '{"x": "text"}', '{"x": null}', '{"x": true}', "[" * 100_000, "1"],
    "outcome": [
        '["victory", 1.0, ""]',
        '["reached"]',
        '["reached", "1", ""]',
        '["reached", NaN, ""]',
        '[["reached"], 1, ""]',
        "{}",
    ],
    "events": ['{"v": 1}', '{"v": ["a"]}', "null", '"v"'],
    "cost": ["[1, 2]", "[1, 2, -3]", "[1, 2, 3.5]", '["1", 2, 3]', "[true, 2, 3]"],
    "first": ['{"x": {}}', "[]"],
    "drifts": ['{"energy": [1]}', "7"],
    "variables": ["{}", '{"x": "t"}', "[]"],
}


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in WORDS.items() for t in [None, *texts]])
def test_attributes_that_hold_something_else_are_refused(saved: Path, name: str, text: str | None) -> None:
    def change(file: h5py.File) -> None:
        del file.attrs[f"nonholo_{name}"]
        if text is not None:
            file.attrs[f"nonholo_{name}"] = text[:60_000]

    forged(saved, change)
    with pytest.raises(nh.FileError, match=f"nonholo_{name} is missing or does not hold|variables are not those"):
        nh.open(saved)


@pytest.mark.parametrize("found", [1, 3, "2", 2.5, -1])
def test_other_formats_are_refused(saved: Path, found: object) -> None:
    forged(saved, lambda file: file.attrs.__setitem__("nonholo_format", found))
    with pytest.raises(nh.FileError, match=r"written in format .*, this version reads 2"):
        nh.open(saved)


def test_attributes_of_another_kind_are_refused(saved: Path) -> None:
    forged(saved, lambda file: file.attrs.__setitem__("nonholo_final", np.arange(3)))
    with pytest.raises(nh.FileError, match="nonholo_final"):
        nh.open(saved)


def test_a_system_that_is_no_text_is_refused(saved: Path) -> None:
    forged(saved, lambda file: file.attrs.__setitem__("system_text", 7))
    with pytest.raises(nh.FileError, match="system_text"):
        nh.open(saved)


@pytest.mark.parametrize("name", ["x", "energy"])
def test_missing_variables_are_refused(saved: Path, name: str) -> None:
    forged(saved, lambda file: file.__delitem__(name))
    with pytest.raises(nh.FileError, match=name):
        nh.open(saved)


def test_time_must_be_there(saved: Path) -> None:
    forged(saved, lambda file: file.move("t", "s"))
    with pytest.raises(nh.FileError):
        nh.open(saved)


def test_text_in_the_place_of_numbers_is_refused(saved: Path) -> None:
    def change(file: h5py.File) -> None:
        del file["x"]
        file.create_dataset("x", data=["a"] * 41)
        file["x"].dims[0].attach_scale(file["t"])

    forged(saved, change)
    with pytest.raises(nh.FileError, match="'x' holds no numbers"):
        nh.open(saved)


def test_numbers_from_another_file_are_refused(saved: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_bytes(b"12345678" * 41)

    def change(file: h5py.File) -> None:
        del file["x"]
        file.create_dataset("x", (41,), "f8", external=[(str(secret), 0, 8 * 41)])
        file["x"].dims[0].attach_scale(file["t"])

    forged(saved, change)
    with pytest.raises(nh.FileError, match="'x' takes its numbers from another file"):
        nh.open(saved)


@pytest.mark.parametrize("link", [h5py.ExternalLink("other.nc", "/x"), h5py.SoftLink("/y")])
def test_links_are_refused(saved: Path, link: object) -> None:
    def change(file: h5py.File) -> None:
        del file["x"]
        file["x"] = link

    forged(saved, change)
    with pytest.raises(nh.FileError, match="'x' is a link to another place"):
        nh.open(saved)


def test_virtual_arrays_are_refused(saved: Path) -> None:
    def change(file: h5py.File) -> None:
        del file["x"]
        layout = h5py.VirtualLayout((41,), "f8")
        layout[:] = h5py.VirtualSource("other.nc", "x", (41,))
        file.create_virtual_dataset("x", layout)

    forged(saved, change)
    with pytest.raises(nh.FileError, match="'x' takes its numbers from another file"):
        nh.open(saved)


@pytest.mark.parametrize("chunks", [None, (2**16,)])
def test_a_file_that_claims_more_than_it_holds_is_refused_at_once(saved: Path, chunks: object) -> None:
    forged(
        saved,
        lambda file: file.create_dataset("big", (2**31,), "f8", chunks=chunks, compression="gzip" if chunks else None),
    )
    assert saved.stat().st_size < 100_000
    with pytest.raises(nh.FileError, match="'big' claims more numbers than the file can hold"):
        nh.open(saved)


def test_groups_are_refused(saved: Path) -> None:
    forged(saved, lambda file: file.create_group("more"))
    with pytest.raises(nh.FileError, match="'more' is not an array"):
        nh.open(saved)


@pytest.mark.parametrize("place", ["/dev/zero", "/", "/dev/null"])
def test_what_is_no_file_is_refused(place: str) -> None:
    with pytest.raises(nh.FileError, match="not a file"):
        nh.open(place)


def test_units_in_seconds_stay_numbers(tmp_path: Path) -> None:
    run = nh.simulate(
        systems.unbalanced_sleigh(), {"omega": 1.5}, 0.1, P, units={"x": "seconds", "y": "days since 2000-01-01"}
    )
    run.save(tmp_path / "run.nc")
    assert nh.open(tmp_path / "run.nc").data.equals(run.data)


def test_every_outcome_can_be_read_back() -> None:
    assert {kind for kind, _ in _ENDINGS.values()} <= KINDS


FULL = """
import resource, signal, sys
import nonholo as nh
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (3000, 3000))
from nonholo.cli.main import main
sys.exit(main())
"""


def test_a_disk_that_is_full_is_one_line(tmp_path: Path) -> None:
    """A file may not grow beyond 3 kB: what a full disk does, and what HDF5 answered with a crash."""
    words = ["simulate", "chaplygin-sleigh", "--until", "1", "--out", str(tmp_path / "run.nc")]
    done = subprocess.run([sys.executable, "-c", FULL, *words], capture_output=True, text=True, timeout=120)
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and "cannot write" in done.stderr
    assert len(done.stderr.strip().splitlines()) <= 2
    assert list(tmp_path.iterdir()) == []
