"""The command among machines: full disks, interrupts, pipes, other shells, and nothing left behind."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace

import pytest

from nonholo.cli.interrupts import interrupts
from nonholo.cli.main import main


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of its own with 4 kB left."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", disk], capture_output=True, text=True)
    if mounted.returncode:
        pytest.skip(f"a small disk cannot be mounted here: {mounted.stderr.strip()}")
    (disk / "rest").write_bytes(bytes(12 * 1024))
    try:
        yield disk
    finally:
        subprocess.run(["umount", disk], check=True)


SLEIGH = ["simulate", "chaplygin-sleigh", "--until", "1"]


@pytest.mark.parametrize(
    "words",
    [
        ["new", "a.toml"],
        [*SLEIGH, "--out", "a.nc"],
        *([*SLEIGH, "--plot", "x,y", "--plot-out", f"a.{kind}"] for kind in ("png", "pdf", "svg")),
        *([*SLEIGH, "--film", f"a.{kind}"] for kind in ("html", "gif", "mp4")),
    ],
    ids=lambda words: words[-1] if words[0] != "new" else "new",
)
def test_a_full_disk_is_one_line_and_leaves_nothing(words: list[str], small_disk: Path, capfd) -> None:
    (small_disk / "more").write_bytes(bytes(3 * 1024))
    place = str(small_disk / words[-1])
    assert main([*words[:-1], place]) == 2
    said = capfd.readouterr()
    assert said.err.count("\n") == 1 and place in said.err and "No space left on device" in said.err, said.err
    assert sorted(p.name for p in small_disk.iterdir()) == ["more", "rest"]


def test_files_have_the_permissions_that_the_user_wants(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--out", "a b.nc", "--plot", "x,y", "--plot-out", "ä.pdf", "--film", "a.mp4"]
    before = os.umask(0o027)
    try:
        assert main([*SLEIGH, *words]) == 0
        assert main([*SLEIGH, *words[:-2]]) == 0, "what is there already is written anew"
    finally:
        os.umask(before)
    for name in ("a b.nc", "ä.pdf", "a.mp4"):
        assert (tmp_path / name).stat().st_mode & 0o777 == 0o640, name
    assert len(list(tmp_path.iterdir())) == 3


def test_ctrl_c_in_a_sweep_ends_it_and_counts_no_half_chunk(tmp_path: Path) -> None:
    (tmp_path / "s.toml").write_text(
        'system = "rattleback"\nuntil = 100000\n[grid]\na = {from = 0.19, to = 0.21, count = 200}\n[record]\nfinal = ["w3"]\n'
    )
    words = [sys.executable, "-m", "nonholo", "sweep", "s.toml", "--out", "s.zarr"]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    marks = tmp_path / "s.zarr.marks"
    wanted = {"begun", "preparing", "running", "sweep.json"}  # two of them are locks
    while process.poll() is None and not all((marks / name).exists() for name in wanted):
        time.sleep(0.05)
    said = errors = None
    try:
        for _ in range(4):  # on a busy machine the first may come while the handler is being set
            process.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                said, errors = process.communicate(timeout=60)
                break
    finally:
        process.kill()
    assert (process.returncode, said, errors) == (130, "", "")
    assert {p.name for p in marks.iterdir()} == wanted


@pytest.mark.parametrize("broken", [True, False], ids=["an error", "a verdict"])
def test_ctrl_c_in_a_fact_stops_the_list_of_facts(broken: bool, capsys, monkeypatch) -> None:
    """A motion that is interrupted returns what it has: the fact that is tested on it must not be told as failed."""
    tested = []

    def fact(exhibit: object) -> SimpleNamespace:
        tested.append(exhibit)
        try:
            os.kill(os.getpid(), signal.SIGINT)
            time.sleep(1)
        except KeyboardInterrupt:
            if broken:
                raise ValueError("no points of time") from None
        return SimpleNamespace(verdict="fails", value=None)

    fact.claim = fact.source = ""

    exhibit = SimpleNamespace(name="e", facts=[fact, fact])
    monkeypatch.setattr("nonholo.gallery.get", lambda name: exhibit)
    assert main(["verify", "e"]) == 130
    said = capsys.readouterr()
    assert (said.out, said.err, len(tested)) == ("", "", 1)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_ignored_interrupt_stays_ignored() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with interrupts() as seen:
            os.kill(os.getpid(), signal.SIGINT)
            assert not seen and signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_ctrl_c_while_a_film_is_painted_leaves_nothing(tmp_path: Path, monkeypatch, capfd) -> None:
    monkeypatch.chdir(tmp_path)

    def paint(painter: object, frame: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("nonholo.present.film.movie.Painter.paint", paint)
    for name in ("a.mp4", "a.gif"):
        assert main([*SLEIGH, "--film", name]) == 130
    assert capfd.readouterr().err == "" and list(tmp_path.iterdir()) == []


SHELLS = {
    "bash": """
        eval "$(nonholo --show-completion)"
        t() { COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _nonholo_completion nonholo; echo "${COMPREPLY[@]}"; }
        t nonholo cl; t nonholo derive chap; t nonholo simulate chaplygin-sleigh --set ""
    """,
    "zsh": """
        autoload -Uz compinit; compinit -u -d ./dump
        eval "$(nonholo --show-completion)"
        [[ ${_comps[nonholo]} == _nonholo_completion ]] || echo unknown
        _arguments() { print -- ${*#*:*:} | tr -d '"()' | tr '\\n' ' ' | sed 's/:What[^a-z]*//; s/ *$//'; echo; }
        t() { words=("$@"); CURRENT=$#; _nonholo_completion; }
        t nonholo cl; t nonholo derive chap; t nonholo simulate chaplygin-sleigh --set ""
    """,
    "fish": """
        nonholo --show-completion | source
        for line in "nonholo cl" "nonholo derive chap" "nonholo simulate chaplygin-sleigh --set "
            echo (complete -C $line)
        end
    """,
}


@pytest.mark.parametrize("shell", SHELLS)
def test_a_real_shell_completes_commands_systems_and_values(shell: str, run, tmp_path: Path) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (tmp_path / "script").write_text(SHELLS[shell])
    done = run(f"{shell} script", HOME=str(tmp_path))
    command, names, values = done.stdout.splitlines()
    assert command.startswith("classify") and set(names.split()) == {"chaplygin-sleigh", "chaplygin-sphere", "chaplygin-top"}
    assert set(values.split()) == {"m=", "J=", "a="}
