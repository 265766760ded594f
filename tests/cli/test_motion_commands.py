"""Sweeps, fits, events and linearisations by command."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.main import main


def test_a_sweep_reads_a_system_beside_it_and_goes_on_where_it_stopped(tmp_path: Path, capsys) -> None:
    (tmp_path / "fall.toml").write_text('coordinates = "z"\nlagrangian = "zdot**2/2 - g*z"\n[parameters]\ng = 2\n')
    spec = tmp_path / "drops.toml"
    spec.write_text(
        'system = "fall.toml"\nuntil = 3\nstore = "drops.zarr"\n[grid]\nzdot = [0, 1, 4]\n[record]\nfinal = ["z"]\n'
    )
    assert main(["sweep", str(spec), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["sizes"] == {"member": 3} and answer["store"] == str(tmp_path / "drops.zarr")
    from nonholo.integrate.many.sweep import open_sweep

    assert open_sweep(answer["store"])["final_z"].values == pytest.approx([-9.0, -6.0, 3.0], abs=1e-9)
    assert main(["sweep", str(spec)]) == 0
    assert main(["sweep", str(spec), "--no-resume"]) == 2
    assert "holds results already; --resume goes on" in capsys.readouterr().err
    assert not os.path.exists("drops.zarr")


def test_a_sweep_with_a_slip_leaves_no_store_in_the_way_of_the_right_one(tmp_path: Path, capsys) -> None:
    (tmp_path / "fall.toml").write_text('coordinates = "z"\nlagrangian = "zdot**2/2 - 2*z"\n')
    spec, words = tmp_path / "s.toml", 'system = "fall.toml"\nuntil = 1\nstore = "s.zarr"\n[grid]\n'
    spec.write_text(words + "zdott = [0, 1]\n")
    assert main(["sweep", str(spec)]) == 2
    assert "no state variable is called 'zdott'; did you mean 'zdot'?" in capsys.readouterr().err
    spec.write_text(words + "zdot = [0, 1]\n")
    assert main(["sweep", str(spec)]) == 0
    spec.write_text(words + "zdot = [0, 2]\n")
    assert main(["sweep", str(spec)]) == 2
    assert "holds another sweep" in capsys.readouterr().err

def test_a_fit_by_command_tells_values_with_errors_or_why_not(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    sleigh = nh.gallery.get("chaplygin-sleigh")
    seen = nh.simulate(sleigh.system, sleigh.start, 3.0, sleigh.parameters, t_eval=25)
    rows = [f"{t},{x + 0.001 * (-1) ** k}" for k, (t, x) in enumerate(zip(seen.times, seen["x"]))]
    Path("track.csv").write_text("\n".join(["t,x", *rows]))
    words = "fit chaplygin-sleigh track.csv --unknown a=0.3 --unknown omega=1 --sigma 0.001 --json"
    assert main(words.split()) == 0
    answer = json.loads(capsys.readouterr().out)
    assert abs(answer["values"]["a"] - sleigh.parameters["a"]) < 4 * answer["errors"]["a"] < 0.1
    assert answer["samples"] == 25
    for wrong, told in (
        ("", "nothing is unknown"),
        ("--unknown q=1", "no parameter or start value is called 'q'"),
        ("--unknown J=1 --unknown m=1", "do not tell 'J' and 'm' apart"),
    ):
        assert main(["fit", "chaplygin-sleigh", "track.csv", *wrong.split()]) == 2
        error = capsys.readouterr().err
        assert told in error and error.count("\n") == 1


def test_events_of_a_motion_are_told_and_can_end_it(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = ["--set", "m=1", "--set", "J=0.7", "--set", "a=0.4", "--start", "omega=1", "--start", "v=-1"]
    line = ["simulate", "chaplygin-sleigh", *numbers, "--until", "9"]
    assert main([*line, "--event", "v:up", "--event", "v:down", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)["events"]
    assert [len(ts) for ts in told.values()] == [1, 0]
    assert main([*line, "--event", "v:up:stop"]) == 1
    assert "event v: t = " in capsys.readouterr().out
    assert main([*line, "--event", "v:sideways"]) == 2
    assert "write a formula, perhaps with :up" in capsys.readouterr().err


def test_linearise_shows_the_matrices_of_the_python_answer(capsys: pytest.CaptureFixture[str]) -> None:
    import nonholo as nh

    assert main(["linearise", "two-wheel-robot", "--output", "theta", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    exhibit = nh.gallery.get("two-wheel-robot")
    lin = nh.linearise(exhibit.system, exhibit.start, outputs=["theta"], parameters=exhibit.parameters)
    assert told["A"] == lin.A.tolist()
    assert told["B"] == lin.B.tolist()
    assert (tuple(told["names"]), told["outputs"]) == (lin.names, ["theta"])
