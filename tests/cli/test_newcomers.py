"""Files as people write them: slips are one line that says where, what was found and what to do; habits of editors do no harm."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.main import main

SKATE = """\
coordinates = "x y theta"
lagrangian = "m/2*(xdot**2 + ydot**2) + J/2*thetadot**2"
constraints = ["ydot*cos(theta) - xdot*sin(theta)"]

[parameters]
m = 1
J = 1

[start]
x = 1
thetadot = 1
"""

SLIPS = {
    ("m/2*(xdot**2", "2m*(xdot**2"): "lagrangian: 'm' directly after the number 2; write * for a product (at line 2, column 16)",
    ("J/2*thetadot", "J/2 thetadot"): "'thetadot' directly after a value; an operator such as * is missing",
    ("xdot**2 + ydot**2", "xdot^2 + ydot^2"): "unexpected '^': a power is written with **, as in x**2 (at line 2, column 24)",
    ("thetadot**2", "theta'**2"): "the rate of x is written xdot",
    ("xdot**2", r"\\dot{x}**2"): "LaTeX is not read; the rate of x is written xdot",
    ("xdot**2", r"\dot{x}**2"): "LaTeX is not read, the rate of x is written xdot",
    ("xdot**2", "ẋ**2"): "unknown name 'ẋ'; did you mean 'xdot'?",
    ("xdot**2", "dx**2"): "unknown name 'dx'; did you mean 'xdot'?",
    ("xdot**2", "x_dot**2"): "unknown name 'x_dot'; did you mean 'xdot'?",
    ("xdot**2", "xddot**2"): "unknown name 'xddot'; only coordinates and their first rates may appear",
    ("xdot**2", "pow(xdot, 2)"): "unknown function 'pow'; a power is written x**2",
    ("cos(theta)", "cos(teta)"): "constraint 1: unknown name 'teta'; did you mean 'theta'? (at line 3, column 26)",
    ("cos(theta)", "cos theta"): "'theta' directly after cos; write cos(theta)",
    (" - xdot", " == xdot"): "an equation is written as left - (right)",
    (" - xdot", " − xdot"): "use the minus sign of the keyboard",
    ("ydot*cos(theta) - xdot*sin(theta)", "x**2 + y**2 - 1"): "holds no velocity; a relation between the coordinates alone",
    ("J = 1\n", ""): "unknown name 'J'; known names: x, y, theta, xdot, ydot, thetadot, m, t; if 'J' is a parameter, give it",
    ("x = 1\n", "ydot = 2\n"): "*sin(theta) = 0) by 2; change or leave out ydot (at line 10, column 1).",
    ('"ydot*cos(theta) - xdot*sin(theta)"', '"ydot", "xdot", "thetadot", "xdot - 1"'): "4 constraints on 3 velocities; at most 3",
    ("x = 1\n", "J = 1\n"): "start gives 'J', which is no state variable; use x, y, theta, xdot, ydot, thetadot, t",
    ("m = 1\n", 'm = "1 kg"\n'): "parameters.m: '1 kg' is not a number; write 0.5 or \"pi/6\", in SI units and radians (at",
    ("x = 1\n", 'theta = "30°"\n'): "start.theta: '30°' is not a number; write \"30*pi/180\", for angles are in radians",
    ("x = 1\n", "theta = 30°\n"): 'in SI units and radians; an angle in degrees is written "30*pi/180"',
    ("m = 1\n", "m = 1.5 kg\n"): "numbers stand without units, in SI units and radians (at line 6, column 9)",
    ("xdot**2", "diff(x, t)**2"): "unknown function 'diff'; the rate of x is written xdot",
    ('"x y theta"', '"x y theta'): 'skate.toml is not TOML: the quotes are not closed; end the text with " (at line 1',
    ("[start]\n", '[quasivelocities]\nu = "2*thetadot"\n\n[start]\nu = 3\n'):
        "thetadot = 1 at the start, but thetadot follows from u and would be 1.5; leave out one of them (at line 15, column 1).",
    ("m = 1\n", "m = 1,5\n"): "decimals are written with a point (at line 6, column 6)",
    ("J = 1\n", "m = 2\n"): "m is given twice, keep one",
    ('"x y theta"', "x y theta"): 'text stands in quotes: coordinates = "x y theta"',
    ("[start]", "[units]\nx = 1\n[start]"): "units.x: found a number where text was needed (at line 10, column 5).",
    ("[parameters]", 'until = "soon"\n[parameters]'): "until: 'soon' is not a number; write 0.5",
    ("[start]", 'holonomic = ["x - y"]\n[start]'): "'holonomic' stands below [parameters]; move it above",
    ("theta", "θ"): "a name with such letters stands in quotes: \"θdot\" = …",
    ("lagrangian", "Lagrangian"): "unknown keyword 'Lagrangian'; did you mean 'lagrangian'?",
}  # fmt: skip


@pytest.mark.parametrize(("right", "wrong"), SLIPS)
def test_a_slip_says_what_to_do_and_shows_its_line(right: str, wrong: str, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = SKATE.replace(right, wrong, -1 if right == "theta" else 1)
    assert text != SKATE
    Path("skate.toml").write_text(text, "utf-8")
    assert main(["simulate", "skate.toml", "--until", "1"]) == 2
    said = capsys.readouterr()
    first, *place = said.err.splitlines()
    assert said.out == "" and first.startswith("nonholo: skate") and SLIPS[(right, wrong)] in first
    if found := re.search(r"\(at line (\d+), column (\d+)\)", first):
        line, caret = place
        assert caret.strip() == "^" and line.strip(" …") in text.splitlines()[int(found[1]) - 1].expandtabs(1)


QUASI = '[quasivelocities]\nv = "xdot*cos(theta)"\nomega = "thetadot"\nw = "2*thetadot - xdot*cos(theta)"\n[parameters]'
HINTS = {
    ("J = 1\n", "J = 1\nc = 3\n"): ("the parameter c occurs in no formula", "c", "c = 3"),
    ("[start]", '[inputs]\ntau = "sin(t)"\n\n[start]'): (
        "the input tau occurs in no formula? It changes nothing; remove it, or use it in the forces", "tau", "tau = "),
    ("[parameters]", QUASI): ("quasi-velocity w depends on the others? It follows from v, omega", "w", "w = "),
    ("x = 1\n", "theta = 45\n"): ('It is 7.16 turns; if degrees are meant, write theta = "45*pi/180"', "45", "theta = 45"),
    ("J = 1\n", "J = -2\n"): ("the mass matrix is not positive at the start (its smallest eigenvalue is -2)", "-2", "J = "),
    ("ydot*cos(theta) - xdot*sin(theta)\"", 'ydot", "xdot", "thetadot"'): (
        "3 constraints on 3 velocities leave nothing free to move", '"thetadot"]', "constraints"),
    ("[start]\nx = 1\nthetadot = 1\n", ""): ("No start is given ([start] in a file) and no force acts; give one of", "", ""),
}  # fmt: skip
"""Slips that do not stop a motion: what is said, what the caret stands under, how that line begins."""


@pytest.mark.parametrize(("right", "wrong"), HINTS)
def test_a_hint_shows_its_line_and_is_the_same_in_python(right: str, wrong: str, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = SKATE.replace("thetadot = 1\n", "") if "thetadot" in wrong and "[" not in wrong else SKATE
    assert right in text
    file = Path("skate.toml")
    file.write_text(text.replace(right, wrong), "utf-8")
    said, mark, begin = HINTS[(right, wrong)]
    (hint,) = nh.simulate(nh.load(file), until=1.0).hints
    assert said in hint
    assert main(["simulate", "skate.toml", "--until", "1"]) == 0
    out = capsys.readouterr().out.splitlines()
    (k,) = (k for k, line in enumerate(out) if line.startswith("hint: "))
    assert out[k].startswith(f"hint: skate.toml: {hint.removesuffix('.')}")
    if not mark:
        assert out[k + 1 :] == [] and "(at line" not in out[k]
        return
    line, caret = out[k + 1], out[k + 2]
    assert line[caret.index("^") :].startswith(mark) and line.strip().startswith(begin)
    place = re.search(r"\(at line (\d+), column (\d+)\)\.?$", out[k])
    assert place and file.read_text("utf-8").splitlines()[int(place[1]) - 1][int(place[2]) - 1 :].startswith(mark)


def test_numbers_of_options_are_not_looked_for_in_the_file(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("skate.toml").write_text(SKATE, "utf-8")
    assert main(["simulate", "skate.toml", "--until", "1", "--set", "J=-2"]) == 0
    assert capsys.readouterr().out.splitlines()[-1].endswith("is J = -2 meant?")


@pytest.mark.parametrize("command", ["simulate", "check", "verdict"])
def test_errors_after_reading_show_their_line_too(command: str, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    rows = 'constraints = [\n  "ydot", "xdot - ydot",\n  "thetadot", "xdot + thetadot",\n]'
    Path("skate.toml").write_text(re.sub("constraints.*", rows, SKATE), "utf-8")
    assert main([command, "skate.toml"]) == 2
    first, line, caret = capsys.readouterr().err.splitlines()
    assert first.startswith("nonholo: skate.toml: skate: 4 constraints on 3 velocities") and "(at line 5, column 15)" in first
    assert line[caret.index("^") :] == '"xdot + thetadot",'


@pytest.mark.parametrize("command", ["check", "verdict"])
def test_checks_and_verdicts_show_the_lines_of_their_hints(command: str, tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("skate.toml").write_text(SKATE.replace("J = 1\n", "J = 1\nc = 3\n"), "utf-8")
    assert main([command, "skate.toml"]) == 0
    out = capsys.readouterr().out
    assert "the parameter c occurs in no formula" in out and "skate.toml, line 8, column 1:\n    c = 3\n    ^\n" in out


HABITS = {
    "a mark at the start": ("﻿" + SKATE).encode(),
    "line ends of Windows": SKATE.replace("\n", "\r\n").encode(),
    "line ends of old Macs": SKATE.replace("\n", "\r").encode(),
    "tabs": SKATE.replace("m = 1", "\tm\t=\t1").replace("+ J", "+\tJ").encode(),
    "Greek letters": SKATE.replace("theta", "θ").replace("θdot = 1", '"θdot" = 1').encode(),
    "numbers as text": SKATE.replace("x = 1", 'x = "cos(0)"').encode(),
    "a constraint without a list": SKATE.replace("[", "", 1).replace('"]', '"', 1).encode(),
}


@pytest.mark.parametrize("habit", HABITS)
def test_habits_of_editors_and_people_do_no_harm(habit: str, tmp_path: Path) -> None:
    """The skate of m = J = 1 turns evenly and keeps its place, as its blade has no speed."""
    file = tmp_path / "my skate θ.toml"
    file.write_bytes(HABITS[habit])
    run = nh.simulate(nh.load(file), until=1.0)
    turned = run.final.get("theta", run.final.get("θ"))
    assert turned == pytest.approx(1.0) and run.final["x"] == pytest.approx(1.0)


def test_a_system_comes_from_standard_input_too(run) -> None:
    done = run(f"printf '%s' '{SKATE}' | nonholo simulate - --until 1 --json")
    assert done.returncode == 0 and '"theta": 1.0' in done.stdout


def test_what_is_missing_in_a_nonlinear_start_is_zero_where_it_can_be() -> None:
    """Appell's constraint ``ż² = k² (ẋ² + ẏ²)`` holds with ẏ = 0; a root found by steps would be off by the root of rounding."""
    system = nh.System(
        coordinates="x y z",
        lagrangian="(xdot**2 + ydot**2 + zdot**2)/2",
        constraints=["zdot**2 - (xdot**2 + ydot**2)/4"],
    )
    assert nh.complete_state(system, {"xdot": 1, "zdot": 0.5})["ydot"] == 0
    assert nh.complete_state(system, {"xdot": 1, "ydot": 2})["zdot"] ** 2 == pytest.approx(5 / 4)


def test_an_input_is_a_number_or_a_law_on_the_command_line(tmp_path: Path, capsys, monkeypatch) -> None:
    """``ẍ = u``: with u = 3 from rest x = 3/2 at t = 1; with u = −4 x from x = 1 it is cos 2t."""
    import json
    from math import cos

    monkeypatch.chdir(tmp_path)
    Path("cart.toml").write_text('coordinates = "x"\ninputs = "u"\nlagrangian = "xdot**2/2"\n[forces]\nx = "u"\n')
    assert main(["simulate", "cart.toml", "--until", "1", "--input", "u=3", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["final"]["x"] == pytest.approx(1.5)
    assert main(["simulate", "cart.toml", "--until", "1", "--start", "x=1", "--input", "u=-4*x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["final"]["x"] == pytest.approx(cos(2))
