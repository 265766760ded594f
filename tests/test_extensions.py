"""Every kind of extension in CONTRIBUTING.md is one file: each is put into a copy of the package, and nothing else is changed."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import nonholo

ROOT = Path(nonholo.__file__).parent
FILES = {
    "integrate/methods/kutta_three.py": '''
from nonholo.integrate.methods.tableau import Tableau, explicit

Kutta3 = explicit(Tableau(
    "kutta3", order=3, nodes=(0.0, 0.5, 1.0), coupling=((0.5,), (-1.0, 2.0)), weights=(1 / 6, 2 / 3, 1 / 6), about="[Kutta 1901]",
))
''',
    "derive/doubled_form.py": '''
from dataclasses import replace

from nonholo.derive.equations import Equations
from nonholo.derive.forms import form
from nonholo.derive.hamel import hamel
from nonholo.model.system import System


@form("doubled", title="Doubled", about="Mass and force, both doubled.", place=90)
def doubled(system: System, *, at=None) -> Equations:
    found = hamel(system, at=at)
    mass = tuple(tuple(2 * e for e in row) for row in found.mass)
    return replace(found, mass=mass, force=tuple(2 * e for e in found.force))
''',
    "compile/targets/count_target.py": '''
from nonholo.compile.targets.registry import Target, register


def _count(portable):
    return len(portable.state)


register(Target("count", "the number of states", ".txt", lambda portable, stem: {f"{stem}.txt": str(_count(portable))}, _count))
''',
    "gallery/bead_on_line.py": '''
from nonholo.gallery.exhibit import Exhibit
from nonholo.model.system import System

TITLE, GROUP, PAPERS = "Bead on a line", "Particles", ""


def exhibit() -> Exhibit:
    system = System(name="bead", coordinates="x", parameters="m", lagrangian="m*xdot**2/2")
    return Exhibit(
        name="bead-on-line", title=TITLE, group=GROUP, system=system, parameters={"m": 1.5}, start={"xdot": 0.3}, until=1.0,
        references=(), story="It goes on.",
    )
''',
    "cli/commands/states.py": '''
from nonholo.cli.command import command
from nonholo.cli.command_subject import subject
from nonholo.cli.options import System
from nonholo.cli.terminal import say


@command(place=900, example="nonholo states heisenberg")
def states(system: System) -> int:
    """The coordinates of a system."""
    say(" ".join(subject(system).system.coordinates))
    return 0
''',
    "symmetry/integrals/searches/quotient_search.py": '''
from nonholo.algebra.calculus import symbols
from nonholo.finding import Finding
from nonholo.symmetry.integrals.gauge.momentum_candidates import Candidate
from nonholo.symmetry.integrals.searches.integral_question import Question
from nonholo.symmetry.integrals.searches.integral_question import search


@search("quotients of velocities", cost=95)
def quotients(question: Question) -> list[Finding]:
    v = symbols(question.system.velocities)
    tried = [a / b**k for a in v for b in v for k in (1, 2) if a != b]
    return [question.finding(Candidate(e, "quotient")) for e in tried if question.new(e)]
''',
    "analyse/stability/proofs/by_decree.py": '''
from nonholo.analyse.stability.proofs.proof_registry import STABLE, Proof, Situation, proof


@proof("by decree", place=1)
def by_decree(situation: Situation) -> Proof | None:
    return Proof(STABLE, "stable by decree")
''',
}
QUESTIONS = '''
import json, sys
import nonholo as nh
from pathlib import Path
from nonholo.cli.main import main
from nonholo.integrate.loops.compilation import native

native.SOURCES = tuple(map(Path, SOURCES))  # compiled loops are those of the checkout: the new method has no loop of its own
answers = {}
line = nh.System(coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", forces={"x": "-xdot", "y": "-2*ydot"})
swing = nh.System(coordinates="q", lagrangian="qdot**2/2 + cos(q)")
errors = []
for step in (0.1, 0.05):
    run = nh.simulate(line, {"xdot": 1.0, "ydot": 1.0}, until=1.0, method="kutta3", step=step)
    errors.append(abs(float(run["xdot"][-1]) - 2.718281828459045**-1))
answers["ratio"] = errors[0] / errors[1]
answers["form"] = [bool(f) for f in nh.check(swing) if getattr(f.data, "one", "") == "doubled"]
answers["target"] = nh.export(line, "count")
answers["system"] = nh.gallery.get("bead-on-line").parameters["m"], "bead-on-line" in nh.gallery.names()
answers["command"] = main(["states", "heisenberg"])
answers["integrals"] = [f.method for f in nh.integrals(line) if f and f.proved]
answers["proof"] = [str(nh.stability(swing, {"q": 0.0}).verdict), str(nh.stability(swing, {"q": 0.0}))]
Path(sys.argv[1]).write_text(json.dumps(answers))
'''


def linked(tree: Path) -> Path:
    """A tree of the package's own files, as links."""
    for folder, _, names in os.walk(ROOT):
        if "__pycache__" in folder:
            continue
        place = tree / "nonholo" / Path(folder).relative_to(ROOT)
        place.mkdir(parents=True)
        for name in names:
            (place / name).symlink_to(Path(folder) / name)
    return tree


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the package with the new files says, asked in a process of its own."""
    tree = linked(tmp_path_factory.mktemp("package"))
    for name, text in FILES.items():
        (tree / "nonholo" / name).write_text(f'"""An extension."""\n\nfrom __future__ import annotations\n{text}')
    sources = [str(ROOT / "integrate" / folder) for folder in ("loops", "methods")]
    code = QUESTIONS.replace("(Path, SOURCES)", f"(Path, {sources!r})")
    words = {**os.environ, "PYTHONPATH": str(tree)}
    found = subprocess.run(
        [sys.executable, "-c", code, str(tree / "answers.json")], capture_output=True, text=True, check=False, env=words
    )
    assert found.returncode == 0, found.stderr
    assert "x y z" in found.stdout
    return dict(json.loads((tree / "answers.json").read_text()))


def test_a_runge_kutta_method_is_one_file(answers: dict[str, Any]) -> None:
    assert 7 < answers["ratio"] < 9  # halving the step: 2³ for order 3


def test_a_form_is_one_file_and_check_compares_it_with_the_witness(answers: dict[str, Any]) -> None:
    assert answers["form"] and all(answers["form"])


def test_a_target_is_one_file(answers: dict[str, Any]) -> None:
    assert answers["target"] == 4


def test_a_system_is_one_file(answers: dict[str, Any]) -> None:
    assert answers["system"] == [1.5, True]


def test_a_command_is_one_file(answers: dict[str, Any]) -> None:
    assert answers["command"] == 0


def test_a_search_for_integrals_is_one_file(answers: dict[str, Any]) -> None:
    """ẏ/ẋ² under friction −ẋ, −2ẏ: no other search has quotients."""
    assert "quotient" in answers["integrals"]


def test_a_proof_of_stability_is_one_file(answers: dict[str, Any]) -> None:
    assert "by decree" in answers["proof"][1]


def test_contributing_names_the_folder_of_each_extension() -> None:
    text = (Path(__file__).parents[1] / "CONTRIBUTING.md").read_text("utf-8")
    listed = set(re.findall(r"`src/nonholo/([\w/]+)/my_\w+\.py`", text))
    assert {str(Path(name).parent) for name in FILES} <= listed
