"""What the commands say: long equations with names for shared parts, JSON, and one line for each mistake."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import symengine as se

import nonholo as nh
from nonholo.algebra.linear_equations import evaluate
from nonholo.cli.command_subject import offered, offered_methods, offered_names, offered_settings, offered_starts
from nonholo.cli.main import main
from nonholo.cli.terminal import as_json, equations_table
from nonholo.notation.parse import parse


def clashing() -> nh.System:
    """A system whose names are those that SymEngine and we would give to shared parts."""
    return nh.System(
        name="clash", coordinates="x0 x1 k1", parameters="x2 K1",
        lagrangian="(x2 + sin(x0)**2*cos(x1)**2)*x0dot**2 + exp(-k1**2)*x1dot**2 + (1 + sin(x0)**2*K1**2)*k1dot**2"
        " + x0dot*x1dot*sin(x0)*cos(x1)/9 - sqrt(1 + k1**2 + x0**2)",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("make", "form"), [(clashing, "hamel"), (lambda: nh.gallery.get("rattleback").system, "gibbs_appell")]
)
def test_abbreviations_stand_for_what_they_replace(make, form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("nonholo.derive.display.equation_text.LONG", 50)
    monkeypatch.setattr("nonholo.derive.display.equation_text.SMALL", 3)
    equations = getattr(nh, form)(make())
    table = json.loads(json.dumps(equations_table(equations)))
    assert len(table["shared"]) >= 3
    rng = np.random.default_rng(3)
    own = [n for key in ("coordinates", "speeds", "parameters", "inputs") for n in table[key]]
    values = dict(zip(own, rng.uniform(0.3, 0.9, len(own))))
    assert not set(own) & set(table["shared"])
    for name, text in table["shared"].items():
        (values[name],) = evaluate([parse(text, list(values))], values)
    texts = [*table["kinematics"], *(e for row in table["mass"] for e in row), *table["force"]]
    exprs = [*equations.kinematics, *(e for row in equations.mass for e in row), *equations.force]
    found = evaluate([parse(text, list(values)) for text in texts], values)
    assert found == pytest.approx(evaluate(exprs, values), rel=1e-9, abs=1e-12)


def test_the_forms_of_one_system(capsys: pytest.CaptureFixture[str]) -> None:
    for form in ("hamel", "multipliers", "gibbs_appell", "voronetz", "hamilton", "vakonomic"):
        assert main(["derive", "chaplygin-sleigh", "--form", form, "--json"]) == 0
        answer = json.loads(capsys.readouterr().out)
        assert answer["form"].startswith(form) and answer["coordinates"] == ["theta", "x", "y"]
    assert main(["derive", "chaplygin-sleigh", "--latex"]) == 0
    assert r"\dot{\omega}" in capsys.readouterr().out


def test_a_class_in_words_and_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    """A rolling blade: two admissible velocities of three, and their bracket gives the third."""
    assert main(["classify", "chaplygin-sleigh", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["kind"], answer["rank"], answer["dimension"], answer["growth"]) == ("nonholonomic", 2, 3, [2, 3])
    assert answer["words"] == "1 nonholonomic constraint, growth vector (2, 3)"


def test_json_has_no_nan_and_writes_records_as_text(capsys: pytest.CaptureFixture[str]) -> None:
    as_json({"a": [float("nan"), np.float64(2.5), np.array([1, 2])], 3: se.Symbol("x") + 1, "n": None, "b": True})
    assert json.loads(capsys.readouterr().out) == {"a": [None, 2.5, [1, 2]], "3": "1 + x", "n": None, "b": True}


def test_the_shell_is_offered_names_and_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("chair.toml").touch()
    assert {"chair.toml", "chaplygin-sleigh"} <= set(offered("cha"))
    assert "rattleback" not in offered("cha")


MISTAKES = {
    "derive chaplygin-slegh": "the gallery has no system 'chaplygin-slegh'; did you mean 'chaplygin-sleigh'?",
    "derive sleig.toml": "sleig.toml: there is no such file; did you mean 'sleigh.toml'?",
    "derive .": ". is a directory",
    "derive broken.toml": "broken.toml is not TOML",
    "derive wrong.toml": "wrong.toml: wrong: lagrangian: unknown name 'xd'",
    "derive sleigh.toml --form hammel": "no form 'hammel'; choose hamel, multipliers",
    "derive nonlinear.toml --form voronetz": "",
    "check sleigh.toml --set b=2": "--set b: sleigh has no such parameter",
    "check sleigh.toml --set mm=2": "--set mm: sleigh has no such parameter; did you mean 'm'?",
    "simulate sleigh.toml --set a": "--set a: write it as name=number",
    "simulate sleigh.toml --set a=x": "--set a: 'x' is not a number",
    "simulate sleigh.toml --set a=nan": "--set a",
    "simulate sleigh.toml --start ydot=3": "breaks constraint 1",
    "simulate sleigh.toml --start w=3": "'w'",
    "simulate sleigh.toml --until soon": "--until: 'soon' is not a number",
    "simulate sleigh.toml --until 1e999": "--until",
    "simulate sleigh.toml --rtol -1": "rtol = -1.0",
    "simulate sleigh.toml --method euler": "'euler' is not known; choose one of",
    "simulate sleigh.toml --method hamel": "method hamel needs a step, e.g. --step 0.01.\n",
    "simulate sleigh.toml --plot x": "--plot x: name what is across and what is up",
    "simulate sleigh.toml --until 1 --plot x,q": "the motion has no quantity 'q'",
    "simulate sleigh.toml --plot-out a.png": "--plot-out a.png: say what to draw",
    "simulate sleigh.toml --out nowhere/a.nc": "--out nowhere/a.nc: there is no directory nowhere",
    "simulate sleigh.toml --until 1 --plot x,y --plot-out a.qqq": "name must end in .png, .pdf or .svg, e.g. --plot-out a.png",
    "simulate sleigh.toml --film a.avi": "--film a.avi: the name must end in .html, .mp4 or .gif, e.g. --film a.html",
    "simulate sleigh.toml --film nowhere/a.gif": "--film nowhere/a.gif: there is no directory nowhere",
    "reduce steered-point": "no symmetry is declared, and no map that is affine",
    "integrals chaplygin-sleigh --depends-on z": "depends_on: unknown name 'z'",
    "integrals chaplygin-sleigh --depends-on ,": "--depends-on: name a coordinate or a sum of them",
    "reduce suslov-n": "there are no coordinates left to reduce",
    "reduce valueless.tml": "valueless.tml: there is no such file; did you mean 'valueless.toml'?",
    "verify heisenbrg": "the gallery has no system 'heisenbrg'; did you mean 'heisenberg'?",
    "report chaplygin-slegh": "did you mean 'chaplygin-sleigh'?",
    "report sleigh.toml --set q=1": "'q'",
    "report sleigh.toml --until -1": "until: found -1; a report needs a motion of some seconds",
    "report sleigh.toml -o nowhere/a.html": "nowhere/a.html: there is no directory nowhere; create it first",
    "report sleigh.toml --input tau=1": "--input tau: sleigh has no such input",
    "classify sleigh": "the gallery has no system 'sleigh'",
    "simulate valueless.toml": "the parameter 'm' has no value; give --set m=1.5 (at line 2, column 1).",
    "simulate pushed.toml --input tua=1": "--input tua: pushed has no such input; did you mean 'tau'?",
    "simulate pushed.toml --input tau": "--input tau: write it as name=number or name=law",
    "simulate pushed.toml --input tau=xdott": "pushed: input tau: unknown name 'xdott'; did you mean 'xdot'?",
    "simulate sleigh.toml --input tau=1": "--input tau: sleigh has no such input; it has none",
    "simulate sleigh.toml --out run.csv": "--out run.csv: the name must end in .nc, e.g. --out run.nc",
    "simulate sleigh.toml --out -": "--out -: the name must end in .nc, e.g. --out run.nc",
    "simulate sleigh.toml --until 1 --out folder.nc": "folder.nc",
    "sweep missing.toml": "missing.toml: there is no such file",
    "sweep broken.toml": "broken.toml is not TOML",
    "sweep sleigh.toml": "unknown keyword 'name'",
    "sweep sleigh.toml --out s.zarr": "unknown keyword 'name'",
    "new sleigh.toml": "sleigh.toml exists already and is left as it is",
    "new sleigh": "sleigh: give a name that ends in .toml, e.g. sleigh.toml",
    "new nowhere/a.toml": "nowhere/a.toml cannot be written: No such file or directory",
    "derive": "Missing argument 'SYSTEM'",
    "lst": "No such command 'lst'",
    "list --all": "No such option: --all",
}


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "sleigh.toml"]) == 0
    Path("broken.toml").write_text("a = = 1")
    Path("wrong.toml").write_text('coordinates = "x"\nlagrangian = "xd**2"')
    Path("nonlinear.toml").write_text('coordinates = "x y"\nlagrangian = "xdot**2"\nconstraints = ["xdot", "xdot*2"]')
    Path("folder.nc").mkdir()
    Path("pushed.toml").write_text('coordinates = "x"\ninputs = "tau"\nlagrangian = "xdot**2"\n[forces]\nx = "tau"\n')
    Path("valueless.toml").write_text('coordinates = "x"\nparameters = "m"\nlagrangian = "m*xdot**2"')
    return tmp_path


@pytest.mark.parametrize("line", MISTAKES)
def test_each_mistake_is_one_clear_line(line: str, desk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(line.split()) == 2
    said = capsys.readouterr()
    assert said.out == ""
    first, *rest = said.err.splitlines()
    assert first.startswith("nonholo: ") and len(rest) in ((2,) if "(at line" in first else (0,))
    assert MISTAKES[line] in said.err
    assert "Traceback" not in said.err and "unexpected" not in said.err


def test_values_are_offered_for_the_system_on_the_line() -> None:
    def line(**parts: object) -> object:
        return SimpleNamespace(**{"params": {}, "args": [], **parts})

    assert offered_settings(line(args=["chaplygin-sleigh"]), "") == ["m=", "J=", "a="]
    assert offered_settings(line(params={"system": "chaplygin-sleigh"}), "J") == ["J="]
    assert offered_starts(line(args=["chaplygin-sleigh"]), "o") == ["omega="]
    assert offered_settings(line(), "") == offered_settings(line(args=["no-such"]), "") == []
    assert "dop853" in offered_methods("dop") and offered_names("heis") == ["heisenberg"]


def test_the_unforeseen_is_one_line_too(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def trouble(name: str) -> None:
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr("nonholo.gallery.get", trouble)
    assert main(["derive", "rattleback"]) == 2
    assert capsys.readouterr().err == (
        "nonholo: unexpected ZeroDivisionError: division by zero (NONHOLO_TRACEBACK=1 shows where; please report it)\n"
    )
    monkeypatch.setenv("NONHOLO_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        main(["derive", "rattleback"])


@pytest.mark.parametrize("command", ["classify", "derive"])
def test_constraints_of_contacts_are_said_to_hold_while_none_slides(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A curling stone was called holonomic, without the word that it slides."""
    assert main([command, "curling-stone"]) == 0
    assert capsys.readouterr().out.startswith("while no contact slides:")
