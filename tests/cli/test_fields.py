"""Fields on the command line: list, simulate, report, verify; what has no meaning for them is one sentence."""

from __future__ import annotations

import json

import pytest

import nonholo as nh
from nonholo.cli.main import main

QUICK = ["--until", "0.2", "--set", "nodes=16"]


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_they_are_listed(capsys):
    assert main(["list", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert set(nh.gallery.field_names()) <= set(listed) and listed["string"]["papers"]
    assert main(["list"]) == 0 and "sleigh-string" in capsys.readouterr().out


def test_a_string_is_simulated_kept_drawn_and_filmed(capsys, tmp_path):
    line = ["simulate", "string", *QUICK, "--start", "theta=0.5*s**2", "--start", "omega=1", "--start", "center=1,2"]
    assert main([*line, "--out", "run.nc", "--plot", "x,y", "--plot-out", "run.png", "--film", "run.html"]) == 0
    told = capsys.readouterr().out
    assert "string (dop853" in told and "angular_momentum" in told and "wrote run.png" in told
    run = nh.open("run.nc")
    assert (
        run["theta"].shape == (201, 16)
        and run["theta"][0, -1] == pytest.approx(0.5)
        and run["center_x"][0] == pytest.approx(1)
    )
    page = (tmp_path / "run.html").read_text("utf-8")
    assert page.count('"frames"') or "addFrames" in page
    assert (tmp_path / "run.png").stat().st_size > 5000


def test_numbers_texts_and_methods_are_given_on_the_line(capsys):
    held = [
        "--set",
        "held=start",
        "--set",
        "gravity=9.81",
        "--start",
        "theta=-pi/2+0.2*sin(pi*s/2)**4",
        "--start",
        "omega=0",
    ]
    assert main(["simulate", "string", *QUICK, *held, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["parameters"]["held"] == ["start"] and answer["totals"]["energy"][2] < 1e-8
    assert main(["simulate", "string", *QUICK, "--method", "hamel", "--step", "0.01", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["method"] == "hamel"
    assert main(["simulate", "sleigh-string", "--until", "0.5", "--input", "tau=0.3*sin(t)", "--json"]) == 0
    capsys.readouterr()
    assert (
        main(["simulate", "ideal-fluid", "--set", "nodes=24", "--start", "vorticity=2*cos(x)*cos(y)", "--until", "0.1"])
        == 0
    )
    assert main(["simulate", "constrained-string", "--until", "0.3", "--method", "closed"]) == 0


def test_a_motion_that_ends_early_gives_1(capsys):
    line = [
        "simulate",
        "string",
        *QUICK,
        "--set",
        "held=start",
        "--set",
        "gravity=9.81",
        "--start",
        "theta=pi/2-0.1",
        "--start",
        "omega=0",
    ]
    assert main(line) == 1
    assert "slack at t = 0" in capsys.readouterr().out


@pytest.mark.parametrize("command", ["derive", "check", "classify", "control", "reduce", "integrals"])
def test_what_makes_no_sense_for_a_field_is_one_sentence(command, capsys):
    assert main([command, "string"]) == 2
    told = capsys.readouterr().err.strip()
    assert told.startswith("nonholo: string is a field, with infinitely many degrees of freedom") and "\n" not in told


@pytest.mark.parametrize(
    "line, words",
    [
        ("simulate string --set nodes=3", "fewer than 8 nodes cannot carry a curve"),
        ("simulate string --set length=-1", "where a number above 0 was needed"),
        ("simulate string --set lenght=1", "did you mean 'length'?"),
        ("simulate string --set nodes", "write it as name=value"),
        ("simulate string --start theta=q", "unknown name 'q'"),
        ("simulate string --start x=2*s", "not a curve of length 1"),
        ("simulate string --start center=1", "write a point as two numbers"),
        ("simulate string --input u=1", "string has no such input"),
        ("simulate string --method euler", "choose dop853 or hamel or galerkin"),
        ("simulate constrained-string --step 0.1", "takes no step"),
        ("simulate sleigh-string --start theta=0", "attached ahead of the sleigh"),
        ("simulate string --plot x,speed", "the motion has no quantity 'speed'"),
        ("simulate strin", "did you mean 'string'?"),
        ("report string --set nodes=3", "fewer than 8 nodes"),
        ("report string -o nowhere/there.html", "there is no directory"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_2(line, words, capsys):
    assert main([*line.split(), *(["--until", "0.1"] if "nowhere" not in line else [])]) == 2
    told = capsys.readouterr().err.strip()
    assert words in told and "\n" not in told and "Traceback" not in told


def test_verify_tests_the_facts_of_a_field(capsys):
    assert main(["verify", "constrained-string"]) == 0
    told = capsys.readouterr().out
    assert "z = φ(s + ξt)" in told and "5 facts hold, 0 do not" in told


def test_a_report_on_a_field(capsys, tmp_path):
    assert main(["report", "constrained-string", "--set", "nodes=24", "--until", "1"]) == 0
    page = (tmp_path / "constrained-string.html").read_text("utf-8")
    assert "String that cannot slip sideways" in page and "<math" in page and "Plotly.addFrames" in page
    assert "nonholo report constrained-string --set nodes=24 --until 1" in page
    assert page.count('class="plot"') >= 5 and "data:image/png;base64" in page


def test_reports_in_python_take_numbers_and_a_start(tmp_path):
    place = nh.report(
        "string", tmp_path / "s.html", parameters={"nodes": 24}, start={"theta": "0.2*s", "omega": "1"}, until=0.2
    )
    page = place.read_text("utf-8")
    assert "<mn>0.2</mn><mi>s</mi>" in page and "angular" in page
