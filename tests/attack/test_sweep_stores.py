"""Stores of sweeps that are damaged, shared, filled up or out of time: the right store in the end, or one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo.integrate.many.sweep import open_sweep
from tests.integrate.test_sweep import digest, spec

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The digest of the store as it must come out."""
    place = tmp_path_factory.mktemp("whole") / "s.zarr"
    nh.sweep(spec(), store=place)
    return digest(place)


def files(store: Path, under: str = "") -> list[Path]:
    return sorted(p for p in (store / under).rglob("*") if p.is_file())


def flipped(place: Path, at: int = -9) -> None:
    content = bytearray(place.read_bytes())
    content[at % len(content)] ^= 0x10
    place.write_bytes(content)


DAMAGES = [
    ("final_theta", flipped), ("event_0", Path.unlink), ("path_x", lambda p: p.write_bytes(b"")), ("outcome", Path.unlink),
    ("end_time", lambda p: p.write_bytes(p.read_bytes()[:-3])), ("drift_energy", lambda p: p.write_bytes(p.read_bytes() + b"x")),
]  # fmt: skip


@pytest.mark.parametrize(("name", "damage"), DAMAGES)
def test_a_damaged_chunk_is_refused_and_then_computed_again(
    name: str, damage: Callable[[Path], object], whole: str, tmp_path: Path
) -> None:
    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    damage(files(store, f"{name}/c")[1])
    with pytest.raises(nh.FileError, match=r"1 of 4 chunks are damaged \(the first is chunk 1\)"):
        open_sweep(store)
    assert nh.sweep(spec(), store=store).attrs["damaged"] == 1
    assert digest(store) == whole
    assert "damaged" not in nh.sweep(spec(), store=store).attrs


def test_every_file_of_a_store_is_watched(whole: str, tmp_path: Path) -> None:
    """A bit of any file, or the file itself: noticed on opening, mended by the sweep."""
    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    for k, place in enumerate(files(store)):
        flipped(place, 7 * k) if k % 2 else place.unlink()
        with pytest.raises(nh.FileError, match="damaged"):
            open_sweep(store)
        if k % 5 == 0:
            nh.sweep(spec(), store=store)
            assert digest(store) == whole
    nh.sweep(spec(), store=store)
    assert digest(store) == whole


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"format": 2}',
                                     b'{"format": {"a": []}}', b'{"format": 2, "fingerprint": 5}'])  # fmt: skip
def test_a_damaged_description_is_one_sentence(content: bytes, tmp_path: Path) -> None:
    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    (tmp_path / "s.zarr.marks" / "sweep.json").write_bytes(content)
    for attempt in (lambda: open_sweep(store), lambda: nh.sweep(spec(), store=store)):
        with pytest.raises(nh.FileError, match=r"damaged|format"):
            attempt()


def test_a_description_that_points_elsewhere_is_refused(tmp_path: Path) -> None:
    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    about = tmp_path / "s.zarr.marks" / "sweep.json"
    words = json.loads(about.read_text())
    about.write_text(json.dumps({**words, "filled": {"../../etc": 1}}))
    with pytest.raises(nh.FileError, match="damaged"):
        open_sweep(store)


def test_marks_that_say_nothing_are_computed_again(whole: str, tmp_path: Path) -> None:
    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    marks = sorted((tmp_path / "s.zarr.marks").glob("done-*"))
    marks[0].write_bytes(b"")
    marks[1].write_bytes(b"\xff" * 64)
    marks[2].unlink()
    assert nh.sweep(spec(), store=store).attrs["damaged"] == 2
    assert digest(store) == whole


def test_the_library_notices_a_flipped_bit_by_itself(tmp_path: Path) -> None:
    """The arrays carry CRC-32C, so that other readers of Zarr see damage too."""
    import zarr

    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    flipped(files(store, "final_theta/c")[2])
    with pytest.raises((ValueError, RuntimeError)):
        zarr.open_group(str(store), mode="r")["final_theta"][:]


def test_times_of_files_and_of_the_clock_do_not_matter(whole: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The clock is set back by years while a sweep goes on; files come from the future."""
    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    for k, mark in enumerate(sorted((tmp_path / "s.zarr.marks").glob("done-*"))):
        if k % 2:
            mark.unlink()
    for place in (*files(store), *files(tmp_path / "s.zarr.marks")):
        os.utime(place, (4e9, 4e9))
    now = [1e9]

    def back() -> float:
        now[0] -= 3600.0
        return now[0]

    monkeypatch.setattr(time, "time", back)
    nh.sweep(spec(), store=store)
    assert digest(store) == whole


SCRIPT = (
    "import sys, time\nsys.path.insert(0, {root!r})\nfrom tests.integrate.test_sweep import spec\nimport nonholo as nh\n"
    "print('ready', flush=True)\nsys.stdin.readline()\n"
    "nh.sweep(spec(**{changes}), store={store!r})\n"
)


def started(store: Path, changes: str = "{}") -> subprocess.Popen:
    script = SCRIPT.format(root=str(ROOT), store=str(store), changes=changes)
    return subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_two_sweeps_started_at_once_on_a_fresh_store_both_end_with_the_right_store(whole: str, tmp_path: Path) -> None:
    store = tmp_path / "s.zarr"
    both = [started(store, "{'chunk': 3}") for _ in range(2)]
    for process in both:
        process.stdout.readline()
    for process in both:
        process.stdin.write(b"\n")
        process.stdin.flush()
    said = [process.communicate(timeout=120)[1].decode() for process in both]
    assert [process.returncode for process in both] == [0, 0], said
    assert digest(store) == whole


def test_another_sweep_on_a_store_in_use_is_refused(tmp_path: Path) -> None:
    from nonholo.integrate.many.sweep_spec import read_spec
    from nonholo.integrate.many.sweep_store import opened

    store = tmp_path / "s.zarr"
    with opened(read_spec(spec()), store, True), pytest.raises(nh.FileError, match="holds another sweep"):
        nh.sweep(spec(until=7.0), store=store)
    nh.sweep(spec(until=7.0), store=store)  # of the first nothing was computed


def test_a_disk_that_fills_up_in_the_middle(whole: str, tmp_path: Path) -> None:
    """A file system of one megabyte that something else fills; room is made, the sweep goes on."""
    place = tmp_path / "small"
    place.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(place)], capture_output=True)
    if mounted.returncode:
        pytest.skip("no right to mount a small file system here")
    try:
        ballast, store = place / "ballast", place / "s.zarr"
        plan = spec(record={**spec()["record"], "trajectory": ["x", "y", "theta"], "points": 4001}, chunk=1)
        with pytest.raises(nh.FileError, match="No space left on device"):
            nh.sweep(plan, store=store)
        done = len(list((place / "s.zarr.marks").glob("done-*")))
        assert 0 < done < 10
        ballast.unlink(missing_ok=True)
        subprocess.run(["mount", "-o", "remount,size=8m", str(place)], check=True)
        nh.sweep(plan, store=store)
        quiet = tmp_path / "quiet.zarr"
        nh.sweep(plan, store=quiet)
        assert digest(store) == digest(quiet)
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_that_loses_both_workers_at_once_gives_the_same_store(tmp_path: Path, monkeypatch: Any) -> None:
    import signal
    import threading

    from distributed import Client, LocalCluster

    # the sweep waits until a worker is there again, however busy the machine is
    monkeypatch.setattr(import_module("nonholo.integrate.many.sweep"), "PATIENCE", None)
    table = spec(grid={"omega": {"from": 0.5, "to": 2.0, "count": 30}, "a": [0.2, 0.4]}, chunk=1)
    nh.sweep(table, store=tmp_path / "here.zarr")
    marks = tmp_path / "there.zarr.marks"
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster,
        Client(cluster) as client,
    ):
        victims = list(client.run(os.getpid).values())
        killed: list[int] = []
        over = threading.Event()

        def kill() -> None:
            while not over.wait(0.005) and not list(marks.glob("done-*")):
                pass
            for victim in victims:
                os.kill(victim, signal.SIGKILL)
                killed.append(len(list(marks.glob("done-*"))))

        watcher = threading.Thread(target=kill)
        watcher.start()
        try:
            nh.sweep(table, scheduler=client, store=tmp_path / "there.zarr")
        finally:
            over.set()
            watcher.join()
    assert len(killed) == 2 and killed[-1] < 60
    assert digest(tmp_path / "here.zarr") == digest(tmp_path / "there.zarr")


def test_a_store_half_of_whose_members_are_missing_opens_with_what_it_has(tmp_path: Path) -> None:
    store = tmp_path / "s.zarr"
    nh.sweep(spec(), store=store)
    sorted((tmp_path / "s.zarr.marks").glob("done-*"))[-1].unlink()
    for name in ("final_theta", "outcome"):
        files(store, f"{name}/c")[-1].unlink()
    data = open_sweep(store)
    assert np.isnan(data["final_theta"].values[-1]) and np.isfinite(data["final_theta"].values[:9]).all()


@pytest.mark.parametrize("place", [".", "/", ""])
def test_a_store_needs_a_name_of_its_own(place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(nh.NonholoError, match=r"give the name of a (store|folder)"):
        nh.sweep(spec(), store=place)
    assert list(tmp_path.iterdir()) == []
