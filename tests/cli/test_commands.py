"""Each command as a user runs it: its help, the example in its help, its answer and its exit code."""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from math import atanh, cosh, sqrt, tanh
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.app import app
from nonholo.cli.main import main

COMMANDS = [command.name or command.callback.__name__ for command in app.registered_commands]


def example(name: str, capsys: pytest.CaptureFixture[str]) -> str:
    assert main([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Usage: nonholo " + name in shown
    return shown.rpartition("Example: ")[2].strip()


EXAMPLES = {
    "list": "chaplygin-sleigh",
    "derive": "d/dt x = u*cos(theta)/2",
    "check": "Chaplygin sleigh: 10 hold, 0 fail, 0 unknown",
    "classify": "nonholonomic",
    "verify": "facts hold, 0 do not",
    "new": "wrote sleigh.toml",
    "simulate": "wrote chaplygin-sleigh-x-y.png",
    "sweep": "wrote g.zarr",
}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_example_in_the_help_works(name: str, run, capsys: pytest.CaptureFixture[str]) -> None:
    line = example(name, capsys)
    assert line.startswith("nonholo ") and len(line.splitlines()) == 1
    done = run(line)
    assert (done.returncode, done.stderr) == (0, "")
    assert EXAMPLES[name] in done.stdout


def test_the_front_door_shows_every_command(run) -> None:
    done = run("nonholo")
    assert done.returncode == 0
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    assert run("python -m nonholo --version").stdout == f"nonholo {nh.__version__}\n"


def test_help_and_list_are_quick(run) -> None:
    def seconds(line: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(line).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert any(seconds("nonholo --help") < 1.0 for _ in range(3))
    assert any(seconds("nonholo list") < 1.0 for _ in range(3))


def test_the_list_holds_what_the_gallery_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == nh.gallery.catalogue()


def test_a_terminal_gets_lines_and_a_pipe_plain_words(run) -> None:
    if shutil.which("script") is None:
        pytest.skip("needs util-linux's script to stand in for a terminal")
    assert "─" in run("script -qec 'nonholo list' /dev/null").stdout
    plain = run("nonholo list", PYTHONIOENCODING="ascii")
    assert plain.returncode == 0 and "─" not in plain.stdout and "\x1b" not in plain.stdout


@pytest.mark.parametrize("line", ["nonholo derive chaplygin-slegh", "nonholo chek x"])
def test_bad_input_is_one_line_and_exit_code_2(line: str, run) -> None:
    done = run(line)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("nonholo: ") and done.stderr.count("\n") == 1


def test_a_reader_who_leaves_early_is_no_trouble(run) -> None:
    done = run("bash -c 'set -o pipefail; nonholo list | true'")
    assert (done.returncode, done.stderr) == (141, "")


def test_ctrl_c_ends_quietly_with_130(tmp_path: Path) -> None:
    """How long starting takes depends on the machine: a signal may come before the command runs, so it is sent later then."""
    command = [sys.executable, "-m", "nonholo", "simulate", "chaplygin-sleigh", "--until", "1e12"]
    ends = []
    for patience in (4.0, 8.0, 16.0):
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(patience)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        ends.append((process.returncode, errors))
        if ends[-1] == (130, ""):
            break
    assert ends[-1] == (130, ""), ends


def test_the_sleigh_simulated_by_command_follows_its_closed_form(tmp_path: Path, capsys, monkeypatch) -> None:
    """``v = V tanh(κt + δ)``, ``ω = W sech(κt + δ)`` with κ = m a V/(J + m a²)."""
    monkeypatch.chdir(tmp_path)
    words = "simulate chaplygin-sleigh --set a=3/10 --start omega=2 --start v=-0.5 --until 3 --out run.nc --json"
    assert main(words.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    m, J, a = (answer["parameters"][n] for n in "mJa")
    assert a == 0.3
    inertia = J + m * a**2
    top = sqrt(0.25 + inertia * 4 / m)
    phase = m * a * top / inertia * 3 + atanh(-0.5 / top)
    assert answer["final"]["v"] == pytest.approx(top * tanh(phase), rel=1e-8)
    assert answer["final"]["omega"] == pytest.approx(top * sqrt(m / inertia) / cosh(phase), rel=1e-8)
    assert answer["outcome"] == "reached" and answer["time"] == 3.0 and answer["drift"]["energy"] < 1e-8
    kept = nh.open("run.nc")
    assert dict(kept.final) == pytest.approx(answer["final"])


def test_a_new_file_is_a_system_that_passes_its_checks(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "mine.toml"]) == 0
    system = nh.load("mine.toml")
    assert system.name == "mine"
    assert {f.name for f in system.__dataclass_fields__.values()} >= set(tomllib.loads(Path("mine.toml").read_text()))
    before = Path("mine.toml").read_bytes()
    assert main(["new", "mine.toml"]) == 2
    assert "exists already and is left as it is" in capsys.readouterr().err
    assert Path("mine.toml").read_bytes() == before
    assert main(["check", "mine.toml"]) == 0
    commented = Path("mine.toml").read_text()
    for line in ('# inputs = "tau"', '# holonomic = ["x**2 + y**2 - 1"]', '# [magnetic]\n# "x y" = "B"'):
        assert line in commented
        Path("whole.toml").write_text(commented.replace(line, line.replace("# ", "")).replace("c = 0.0", "c = 0.0\nB = 1"))
        nh.load("whole.toml")


def test_a_check_that_fails_is_exit_code_1(tmp_path: Path, capsys) -> None:
    file = tmp_path / "weightless.toml"
    file.write_text('coordinates = "x y"\nlagrangian = "xdot**2/2"\n')
    assert main(["check", str(file)]) == 1
    assert "✗" in capsys.readouterr().out
    assert main(["check", str(file), "--json"]) == 1
    assert "fails" in {finding["verdict"] for finding in json.loads(capsys.readouterr().out)}


def test_a_motion_that_ends_early_says_so_with_exit_code_1(tmp_path: Path, capsys) -> None:
    """ẋ = x² from x = 1 ends at t = 1: as the momentum-free motion of L = ẋ²/2 with the force 2x³ from ẋ = x²."""
    file = tmp_path / "blow.toml"
    file.write_text('coordinates = "x"\nlagrangian = "xdot**2/2"\n[forces]\nx = "2*x**3"\n[start]\nx = 1\nxdot = 1\n')
    assert main(["simulate", str(file), "--until", "2", "--json"]) == 1
    answer = json.loads(capsys.readouterr().out)
    assert answer["outcome"] != "reached" and answer["advice"]
    assert answer["time"] == pytest.approx(1.0, abs=1e-3)


def test_pictures_go_where_they_are_told(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["simulate", "chaplygin-sleigh", "--until", "1", "--plot"]
    assert main([*words, "t,omega,v", "--plot-out", "speeds.svg"]) == 0
    assert Path("speeds.svg").read_text().startswith("<?xml")
    assert "wrote speeds.svg" in capsys.readouterr().out


def test_a_sweep_reads_a_system_beside_it_and_goes_on_where_it_stopped(tmp_path: Path, capsys) -> None:
    (tmp_path / "fall.toml").write_text('coordinates = "z"\nlagrangian = "zdot**2/2 - g*z"\n[parameters]\ng = 2\n')
    spec = tmp_path / "drops.toml"
    spec.write_text('system = "fall.toml"\nuntil = 3\nstore = "drops.zarr"\n[grid]\nzdot = [0, 1, 4]\n[record]\nfinal = ["z"]\n')
    assert main(["sweep", str(spec), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["sizes"] == {"member": 3} and answer["store"] == str(tmp_path / "drops.zarr")
    from nonholo.integrate.sweep import open_sweep

    assert open_sweep(answer["store"])["final_z"].values == pytest.approx([-9.0, -6.0, 3.0], abs=1e-9)
    assert main(["sweep", str(spec)]) == 0
    assert main(["sweep", str(spec), "--no-resume"]) == 2
    assert "holds results already" in capsys.readouterr().err
    assert not os.path.exists("drops.zarr")
