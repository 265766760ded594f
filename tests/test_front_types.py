"""What a user's type checker sees of the package: right scripts pass, wrong ones are found, by mypy and by pyright."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

import nonholo
from nonholo.integrate.methods import registered_methods
from nonholo.integrate.methods.method_record import MethodOptions
from tests.front import stubs

GOOD = """
from collections.abc import Mapping

import nonholo as nh

skate = nh.System(name="skate", coordinates="theta x y", lagrangian="(xdot**2 + ydot**2 + thetadot**2)/2",
    constraints=["ydot*cos(theta) - xdot*sin(theta)"])
run: nh.Trajectory = nh.simulate(skate, {"thetadot": 1.0}, until=2.0, method="rk4", step=0.01)
final: Mapping[str, float] = run.final
drift: float = run.drift("energy")
words: list[str] = [finding.claim for finding in nh.check(skate)]
state: tuple[str, ...] = nh.hamel(skate).state
model: nh.Model = nh.prepare(skate)
names: tuple[str, ...] = nh.gallery.names()
sure: bool = bool(nh.verdict(skate))
frame: nh.Frame = nh.frames.SO3("R")
string: nh.fields.String = nh.fields.String(length=2.0)
machine = nh.load("robot.toml").machine
if machine is not None:
    parts: list[str] = [part.name for part in (*machine.bodies, *machine.wheels)]
if isinstance(machine, nh.Machine):
    shape: object = machine.bodies[0].shape
    trail: float | str | object = machine.casters[0].trail
"""
BAD = {
    'x: int = nh.System("no")': "assign",
    'nh.System("no", nonsense=3)': "nonsense",
    "nh.simulate()": "system",
    'nh.simulate(nh.System(), untill=2.0)': "untill",
    'nh.simulate(nh.System()).driftt("energy")': "driftt",
    "nh.sumulate": "sumulate",
    'nh.Machine().boddies': "boddies",
    "nh.frames.SO4": "SO4",
    "nh.fields.Strng": "Strng",
}
"""Lines with a mistake, each with a word of what a checker must say."""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("scripts")
    (folder / "good.py").write_text(GOOD)
    (folder / "bad.py").write_text("import nonholo as nh\n" + "\n".join(BAD) + "\n")
    return folder


def test_stubs_say_what_the_front_gives() -> None:
    """`python -m tests.front` writes them anew."""
    for place, text in stubs().items():
        assert place.read_text(encoding="utf-8") == text, place.name


def test_options_of_methods_have_types() -> None:
    own = {field.name for kind in registered_methods().values() for field in fields(kind)} - {"rtol", "atol"}
    assert own == set(MethodOptions.__annotations__)


def checked(command: list[str], folder: Path) -> str:
    source = str(Path(nonholo.__file__).parents[1])
    found = {**os.environ, "MYPYPATH": source, "PYTHONPATH": source}
    return subprocess.run(command, cwd=folder, env=found, capture_output=True, text=True, timeout=300).stdout


def test_mypy_passes_right_scripts_and_finds_every_mistake(scripts: Path) -> None:
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--follow-imports=silent", "good.py", "bad.py"]
    lines = checked(command, scripts).splitlines()
    assert [line for line in lines if line.startswith("good.py")] == []
    for number, (text, word) in enumerate(BAD.items(), 2):
        assert any(line.startswith(f"bad.py:{number}: error") and word in line for line in lines), (text, lines)


def test_pyright_passes_right_scripts_and_finds_every_mistake(scripts: Path) -> None:
    pytest.importorskip("basedpyright")
    (scripts / "pyrightconfig.json").write_text(json.dumps({"extraPaths": [str(Path(nonholo.__file__).parents[1])]}))
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--level", "error", "--pythonpath", sys.executable]
    found = json.loads(checked([*command, "good.py", "bad.py"], scripts))["generalDiagnostics"]
    said = [(Path(one["file"]).name, one["range"]["start"]["line"] + 1, one["message"]) for one in found]
    assert [one for one in said if one[0] == "good.py"] == []
    for number, (text, word) in enumerate(BAD.items(), 2):
        assert any(name == "bad.py" and line == number and word in message for name, line, message in said), (text, said)
