"""`nonholo stability` along a branch: words, figure, JSON, and bad input in one line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.main import main

SLEIGH = ["stability", "chaplygin-sleigh", "--along"]


def test_a_branch_is_told_with_its_special_points_and_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    figure = tmp_path / "v.png"
    assert main([*SLEIGH, "v=-2:2", "--figure", str(figure)]) == 0
    told = capsys.readouterr().out
    assert "Chaplygin sleigh: v from -2 to 2, 121 points: reached" in told and "branch point at v = " in told
    assert "no mode grows for v from " in told and " to 2" in told and f"wrote {figure}" in told
    assert figure.read_bytes()[:8] == b"\x89PNG\r\n\x1a\n" and figure.stat().st_size > 5000


def test_a_branch_as_json_has_the_eigenvalues_of_stability(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*SLEIGH, "v=1:3", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    assert table["outcome"] == "reached" and table["along"] == "v" and table["special"] == []
    exhibit = nh.gallery.get("chaplygin-sleigh")
    last = nh.stability(exhibit.system, {"v": 3.0}, parameters=exhibit.parameters)
    assert table["values"][-1] == 3.0 and table["eigenvalues"][-1][0] == pytest.approx([last.modes[0].rate], rel=1e-12)


def test_a_branch_along_a_parameter_and_with_settings(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stability", "chaplygin-sleigh", "--start", "v=2", "--along", "a=0.5:-0.5", "--set", "m=2"]) == 0
    told = capsys.readouterr().out
    assert "a from 0.5 to -0.5" in told and "branch point at a = " in told


def test_other_branches_are_told_drawn_and_given_as_json(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, figure = tmp_path / "hoop.toml", tmp_path / "q.png"
    file.write_text(
        'name = "hoop"\ncoordinates = "q"\nlagrangian = "qdot**2/2 + W**2*sin(q)**2/2 + cos(q)"\n[parameters]\nW = 0.5\n'
    )
    asked = ["stability", str(file), "--along", "W=0.5:2", "--switch"]
    assert main([*asked, "--draw", "q", "--figure", str(figure)]) == 0
    told = capsys.readouterr().out
    assert told.count("another branch from W = 1.0") == 2 and figure.stat().st_size > 5000
    assert main([*asked, "--json"]) == 0
    table = json.loads(capsys.readouterr().out)
    ends = sorted(one["states"]["q"][-1] for one in table["others"])
    assert ends == pytest.approx([-1.318116071652818, 1.318116071652818], abs=1e-9)  # cos q = 1/W²
    assert main([*SLEIGH, "v=2:-2", "--switch"]) == 0
    assert "no other branch was found" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (["--along", "v"], "write it as name=from:to"),
        (["--along", "v=0:x"], "--along v"),
        (["--along", "w=0:1"], "w"),
        (["--figure", "v.png"], "give --along too"),
        (["--along", "v=0:1", "--figure", "no/such/place.png"], "place.png"),
        (["--along", "v=0:1", "--figure", "v.doc"], "v.doc"),
        (["--switch"], "give --along too"),
        (["--along", "v=0:1", "--draw", "theta"], "say into which file"),
    ],
)
def test_bad_input_is_one_line_and_two(words: list[str], wanted: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stability", "chaplygin-sleigh", *words]) == 2
    caught = capsys.readouterr()
    assert wanted in caught.err and "Traceback" not in caught.err and len(caught.err.strip().splitlines()) == 1


def test_a_section_of_a_file_of_one_s_own_finds_where_to_cut(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = tmp_path / "swing.toml"
    place.write_text('coordinates = "q"\nlagrangian = "qdot**2/2 + cos(q)"\nuntil = 30\n[start]\nq = 1.0\n')
    assert main(["section", str(place), "--crossings", "5"]) == 0
    assert "5 crossings of q = 0 from 1 start" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("mass", "code", "said"), [(0.0, 2, "no kinetic energy along xdot"), (1.5, 0, "no equilibrium and no relative equilibrium")]
)
def test_a_system_without_mass_is_not_one_without_equilibria(
    mass: float, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = f'name = "stone"\ncoordinates = "x"\nlagrangian = "m*xdot**2/2 - 9.81*x"\n[parameters]\nm = {mass}\n'
    (tmp_path / "stone.toml").write_text(text, encoding="utf-8")
    assert main(["stability", str(tmp_path / "stone.toml")]) == code
    told = capsys.readouterr()
    first, *place = (told.out + told.err).strip().splitlines()
    assert said in first and [line.strip() for line in place] == (['lagrangian = "m*xdot**2/2 - 9.81*x"', "^"] if code else [])
