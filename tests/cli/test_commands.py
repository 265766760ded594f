"""Each command as a user runs it: its help, the example in its help, its answer and its exit code."""

from __future__ import annotations

import json
import resource
import shutil
import signal
import subprocess
import sys
import time
import tomllib
from math import atan, atanh, cosh, sqrt, tanh
from pathlib import Path

import pytest

import nonholo as nh
from nonholo.cli.application import application
from nonholo.cli.main import main
from nonholo.notation.parse import parse

COMMANDS = [command.name or command.callback.__name__ for command in application().registered_commands]


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
    "reduce": "p1dot = -a*p1*p2/(J + m*a**2)",
    "control": "small-time locally controllable at rest at almost every configuration",
    "linearise": "eigenvalues",
    "stability": "Chaplygin sleigh: partially asymptotically stable",
    "section": "200 crossings of gamma1 = 0 from 1 start",
    "lyapunov": "integral: energy",
    "verdict": "result   integrable by quadratures",
    "verify": "facts hold, 0 do not",
    "integrals": "s1dot*exp(b1**2*cos(r)**2/2 - b0*b1*sin(r)) is constant",
    "methods": "energy_exact4",
    "new": "wrote sleigh.toml",
    "simulate": "wrote chaplygin-sleigh-x-y.png",
    "sweep": "wrote g.zarr",
    "fit": "samples; the data scatter by",
}


@pytest.mark.parametrize("name", [c for c in COMMANDS if c != "lab"])  # serves until it is ended: tests/lab does both
def test_the_example_in_the_help_works(name: str, run, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "track.csv").write_text("t,v\n0,-1\n1,-0.36\n2,0.62\n3,\n4,1.41\n")  # what somebody has measured
    line = example(name, capsys)
    assert line.startswith("nonholo ") and len(line.splitlines()) == 1
    done = run(line)
    assert (done.returncode, done.stderr) == (0, "")
    assert EXAMPLES.get(name, "wrote") in done.stdout


def test_the_front_door_shows_every_command(run) -> None:
    done = run("nonholo")
    assert done.returncode == 0
    assert all(f"\n  {name} " in done.stdout for name in COMMANDS)
    assert run("python -m nonholo --version").stdout == f"nonholo {nh.__version__}\n"


def test_the_first_answers_are_quick(run) -> None:
    def seconds(line: str) -> float:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        assert run(line).returncode == 0
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    assert any(seconds("python -c 'import nonholo'") < 0.5 for _ in range(3))
    assert any(seconds("nonholo --help") < 1.0 for _ in range(3))
    assert any(seconds("nonholo list") < 1.0 for _ in range(3))
    # three seconds; where the machine is busy, in proportion to what its libraries take alone (1.2 s when it is not)
    alone = seconds("python -c 'import llvmlite.binding, xarray, scipy.linalg, typer'")
    assert any(seconds("nonholo simulate chaplygin-sleigh") < max(3.0, 2.5 * alone) for _ in range(3))


def test_a_motion_does_not_wait_for_what_it_does_not_need(run) -> None:
    heavy = ("dask", "sympy", "matplotlib", "plotly", "scipy.interpolate", "scipy.optimize", "zarr", "rich")
    code = "import sys, atexit; atexit.register(lambda: print(*(n for n, m in sys.modules.items() if m)));"
    code += " import nonholo.cli.main as m; sys.argv = ['nonholo', 'simulate', 'knife-edge']; m.run()"
    loaded = run(f'python -c "{code}"').stdout.splitlines()[-1].split()
    assert "nonholo.integrate.motion.simulate" in loaded and not set(heavy) & set(loaded)


def test_the_list_holds_what_the_gallery_holds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["list", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == nh.gallery.catalogue()


def test_a_terminal_gets_lines_and_a_pipe_plain_words(run) -> None:
    if shutil.which("script") is None:
        pytest.skip("needs util-linux's script to stand in for a terminal")
    assert "─" in run("script -qec 'nonholo list' /dev/null").stdout
    plain = run("nonholo list", PYTHONIOENCODING="ascii")
    assert plain.returncode == 0 and "─" not in plain.stdout and "\x1b" not in plain.stdout


BAD = {
    "list": ("--all", "No such option: --all"),
    "methods": ("--all", "No such option: --all"),
    "new": ("sleigh", "sleigh: give a name that ends in .toml, e.g. sleigh.toml."),
    "fit": ("chaplygin-sleigh missing.csv --unknown a=1", "missing.csv: cannot be read (No such file or directory)."),
    "figure": ("bmx", "figures: no paper 'bmx'; did you mean 'bmz'?"),
    "sweep": ("missing.toml", "missing.toml: there is no such file."),
}


@pytest.mark.parametrize("name", [*COMMANDS, "chek"])
def test_bad_input_is_one_line_and_exit_code_2(name: str, run) -> None:
    wrong, told = BAD.get(name, ("ratleback", "the gallery has no system 'ratleback'; did you mean 'rattleback'?"))
    done = run(f"nonholo {name} {wrong}")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("nonholo: ") and done.stderr.count("\n") == 1
    assert (told if name in COMMANDS else "No such command 'chek'") in done.stderr


def test_a_reader_who_leaves_early_is_no_trouble(run) -> None:
    done = run("bash -c 'set -o pipefail; nonholo list | true'")
    assert (done.returncode, done.stderr) == (141, "")


def test_ctrl_c_ends_quietly_with_130(tmp_path: Path) -> None:
    """Without a word, also without a progress bar, which a person would see by then.

    How long starting takes depends on the machine: a signal may come before the command runs, so it is sent later then."""
    command = [sys.executable, "-m", "nonholo", "simulate", "rattleback", "--until", "1e6"]
    ends = []
    for patience in (4.0, 8.0, 16.0, 32.0, 64.0):
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        time.sleep(patience)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
        ends.append((process.returncode, errors))
        if ends[-1] == (130, ""):
            break
    assert ends[-1] == (130, ""), ends


def test_the_sleighs_derivatives_by_command_are_those_of_its_closed_form(capsys) -> None:
    """``v = V tanh(κt + δ)`` as below, differentiated by its start: differences of the closed form."""
    words = "simulate chaplygin-sleigh --start omega=2 --start v=-0.5 --until 3 --sensitivity omega,v,a"
    assert main([*words.split(), "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)

    def end(omega: float, v: float, a: float) -> float:
        m, J = answer["parameters"]["m"], answer["parameters"]["J"]
        inertia = J + m * a**2
        top = sqrt(v**2 + inertia * omega**2 / m)
        return top * tanh(m * a * top / inertia * 3 + atanh(v / top))

    here, h = (2.0, -0.5, answer["parameters"]["a"]), 1e-5
    for k, name in enumerate(("omega", "v", "a")):
        up, down = ([e + (side * h if i == k else 0.0) for i, e in enumerate(here)] for side in (1, -1))
        assert answer["sensitivity"][name]["v"] == pytest.approx((end(*up) - end(*down)) / (2 * h), rel=1e-7)
    assert main(words.split()) == 0
    assert "derivatives of the end by" in capsys.readouterr().out
    assert main([*words.split()[:2], "--sensitivity", "nothing"]) == 2
    assert "no parameter or start value is called 'nothing'" in capsys.readouterr().err
    assert main(["simulate", "string", "--sensitivity", "length"]) == 2
    assert "takes no sensitivity" in capsys.readouterr().err


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
    for line in (
        '# [inputs]\n# tau = "0.4*sin(t)"',
        '# holonomic = ["x**2 + y**2 - 1"]',
        '# [magnetic]\n# "x y" = "B"',
    ):
        assert line in commented
        Path("whole.toml").write_text(
            commented.replace(line, line.replace("# ", "")).replace("c = 0.0", "c = 0.0\nB = 1")
        )
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


def test_a_film_is_a_page_that_holds_the_motion(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["simulate", "vertical-disk", "--until", "1", "--film", "disk.html", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["film"] == "disk.html"
    page = Path("disk.html").read_text(encoding="utf-8")
    assert page.startswith("<!DOCTYPE html>") and nh.gallery.get("vertical-disk").system.name in page
    assert [p.name for p in tmp_path.iterdir()] == ["disk.html"]


def test_a_file_without_a_drawing_is_filmed_too_or_refused(tmp_path: Path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["new", "mine.toml"]) == 0
    assert main(["simulate", "mine.toml", "--until", "1", "--film", "mine.html"]) == 0
    Path("spring.toml").write_text('coordinates = "q"\nlagrangian = "qdot**2/2 - q**2/2"\n[start]\nq = 1\n')
    capsys.readouterr()
    assert main(["simulate", "spring.toml", "--until", "1", "--film", "spring.html"]) == 2
    said = capsys.readouterr().err
    assert "nothing to film" in said and said.count("\n") == 1


def test_the_reduced_sleigh_by_command_is_the_textbooks(capsys) -> None:
    """``ṗ1 = −a p1 p2/(J + m a²)``, ``ṗ2 = m a p1²/(J + m a²)²`` with p1 = (J + m a²) ω, p2 = m v [BMZ 2009 §6.1]."""
    assert main(["reduce", "chaplygin-sleigh", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["generators"] == ["shift_x", "shift_y", "turn"] and answer["shape"] == {}
    numbers = {"m": 1.3, "J": 0.7, "a": 0.4, "p1": 1.9, "p2": -0.8}
    found = [float(parse(answer["momentum_equation"][p], list(numbers)).subs(numbers)) for p in ("p1", "p2")]
    omega, v = 1.9 / (0.7 + 1.3 * 0.16), -0.8 / 1.3
    assert found == pytest.approx([-1.3 * 0.4 * omega * v, 1.3 * 0.4 * omega**2])
    kinds = {(f["kind"], f["verdict"]) for f in answer["findings"] if f["kind"] in ("agreement", "invariance")}
    assert kinds == {("agreement", "holds"), ("invariance", "holds")}
    assert main(["reduce", "chaplygin-sleigh"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if "invariant under" in line]
    assert len(lines) == 1
    assert "kinetic energy, potential energy and constraints are invariant under shift_x, shift_y and turn" in lines[0]
    assert main(["reduce", "chaplygin-sleigh", "--latex"]) == 0
    assert r"\dot{p}_{1}" in capsys.readouterr().out


def test_the_integrals_by_command_are_constant_on_the_closed_form(capsys) -> None:
    """``v = V tanh κt``, ``ω = W sech κt``, ``θ = (2W/κ) arctan tanh(κt/2)`` with W = V sqrt(m/(J + m a²))."""
    values = {"m": 1.3, "J": 0.7, "a": 0.4}
    line = ["integrals", "chaplygin-sleigh", "--depends-on", "theta", "--json"]
    assert main([*line, *(f"--set={n}={e}" for n, e in values.items())]) == 0
    found = [e for e in json.loads(capsys.readouterr().out)["integrals"] if e["verdict"] == "holds" and e["expression"]]
    assert len(found) == 3 and "energy" in found[0]["claim"]
    inertia, top = 0.7 + 1.3 * 0.16, 1.7
    kappa, turn = 1.3 * 0.4 * top / inertia, top * sqrt(1.3 / inertia)
    for entry in found:
        formula = parse(entry["expression"], [*values, "theta", "omega", "v"])
        seen = []
        for t in (-0.9, 0.2, 1.4):
            state = {"v": top * tanh(kappa * t), "omega": turn / cosh(kappa * t)}
            state["theta"] = 2 * turn / kappa * atan(tanh(kappa * t / 2))
            seen.append(float(formula.subs({**values, **state})))
        assert seen == pytest.approx([seen[0]] * 3, rel=1e-10, abs=1e-10)


QUESTIONS = {
    "list": "list",
    "derive": "derive knife-edge",
    "check": "check knife-edge",
    "classify": "classify knife-edge",
    "control": "control knife-edge",
    "linearise": "linearise knife-edge",
    "reduce": "reduce knife-edge",
    "integrals": "integrals heisenberg --depends-on x",
    "simulate": "simulate knife-edge --until 1",
    "verify": "verify heisenberg",
}


@pytest.mark.parametrize("line", QUESTIONS.values())
def test_a_program_can_read_the_answer(line: str, capsys) -> None:
    assert main([*line.split(), "--json"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) and said.err == ""


def test_every_question_has_an_answer_for_programs(capsys) -> None:
    for name in COMMANDS:
        assert main([name, "--help"]) == 0
        assert ("--json" in capsys.readouterr().out) == (name not in ("new", "report", "export", "lab")), name


def test_the_shell_completes_commands_systems_and_values(run) -> None:
    def offered(words: str) -> list[str]:
        count = str(len(words.split(" ")) - 1)
        return run("nonholo", _NONHOLO_COMPLETE="complete_bash", COMP_WORDS=words, COMP_CWORD=count).stdout.split()

    assert offered("nonholo cl") == ["classify"]
    assert offered("nonholo derive chap") == ["chaplygin-sleigh", "chaplygin-sphere", "chaplygin-top"]
    assert offered("nonholo simulate chaplygin-sleigh --set ") == ["m=", "J=", "a="]
    script = run("nonholo", _NONHOLO_COMPLETE="source_bash").stdout
    assert "complete -o default -F _nonholo_completion nonholo" in script


def test_the_help_names_methods_and_defaults_that_are_true(capsys) -> None:
    import inspect

    from nonholo.cli.commands.simulate import METHODS
    from nonholo.integrate.methods import registered_methods
    from nonholo.integrate.motion.simulate import USUAL, simulate
    from nonholo.model.system import DURATION

    assert set(METHODS.split(", ")) <= set(registered_methods())
    assert main(["simulate", "--help"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"else {DURATION:g}." in shown and inspect.signature(simulate).parameters["until"].default is None
    assert USUAL[0] == 1e-9 and inspect.signature(simulate).parameters["rtol"].default is None and "1e-9 unless given" in shown
