"""Certificates are right by a checker that shares nothing with us, and wrong as soon as anything in them is changed."""

from __future__ import annotations

import ast
import copy
import json
from pathlib import Path
from typing import Any

import pytest
import sympy

import nonholo as nh
from nonholo.cli.main import main
from nonholo.symmetry.certificate.certificates import certificates
from tests.certificates import checker
from tests.certificates.checker import Wrong, check
from tests.engine.bodies import body
from tests.engine.known import MAKERS

HERE = Path(__file__).parent


def certified(system: nh.System) -> list[dict[str, Any]]:
    found = nh.verdict(system)
    return [json.loads(json.dumps(e)) for e in certificates(found.system, found.findings)]


@pytest.mark.parametrize("name", MAKERS)
def test_the_certificates_of_a_system_are_right(name: str) -> None:
    entries = certified(MAKERS[name]().system())
    checked = [e for e in entries if e["states"] is not None]
    for entry in checked:
        check(entry)
    kinds = {e["kind"] for e in checked}
    assert "freedom" in kinds and kinds & {"symmetries", "no_symmetries"}
    assert all(e["theorem"] for e in checked)


def test_certificates_of_bodies_in_angles_and_matrices() -> None:
    top = nh.System(
        frame=nh.SO3("R", rates="w1 w2 w3"), parameters="A C k", lagrangian="A*(w1**2 + w2**2)/2 + C*w3**2/2 - k*R33",
    )  # fmt: skip
    for system in (body("symmetric top", "zxz").system(), body("Veselova", "yzx").system(), top):
        checked = [e for e in certified(system) if e["states"] is not None]
        for entry in checked:
            check(entry)
        assert sum(e["kind"] == "first_integral" for e in checked) >= 1


@pytest.fixture(scope="module")
def skate() -> dict[str, dict[str, Any]]:
    entries = certified(MAKERS["skate"]().system())
    return {e["kind"]: e for e in entries if e["states"] is not None}


def test_a_tampered_state_is_seen(skate: dict[str, dict[str, Any]]) -> None:
    """Numbers that are tied to others; a free one makes another state at which the identity holds as well."""
    entry = skate["first_integral"]
    for name in ("xdot", "ydot", "sin(th)", "cos(th)"):
        changed = copy.deepcopy(entry)
        changed["states"][1][name] = (changed["states"][1][name] + 1) % changed["prime"]
        with pytest.raises(Wrong):
            check(changed)


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("first_integral", lambda e: e["formulas"].update(integral="thdot*x")),
        ("first_integral", lambda e: e["formulas"].update(integral="7")),
        ("first_integral", lambda e: e["system"].update(lagrangian="(xdot**2 + ydot**2 + thdot**2)/2 - x - th")),
        ("first_integral", lambda e: e["system"].update(constraints=["ydot*cos(th) - xdot*sin(th) - xdot"])),
        ("first_integral", lambda e: e.update(prime=e["prime"] - 2)),
        ("first_integral", lambda e: e.update(states=[])),
        ("first_integral", lambda e: e.update(states=[e["states"][0]] * 4)),
        ("first_integral", lambda e: e.update(kind="a feeling")),
        ("symmetries", lambda e: e["formulas"]["fields"].append(["1", "0", "0"])),
        ("symmetries", lambda e: e["formulas"]["fields"].append(["0", "0", "0"])),
        ("measure", lambda e: e["formulas"].update(density="1 + cos(th)**2")),
        ("freedom", lambda e: e["formulas"].update(free=3)),
    ],
)
def test_a_tampered_certificate_is_refused(skate: dict[str, dict[str, Any]], kind: str, change: Any) -> None:
    entry = copy.deepcopy(skate[kind])
    check(entry)
    change(entry)
    with pytest.raises(Wrong):
        check(entry)


def test_a_denied_symmetry_cannot_be_certified() -> None:
    springs = next(e for e in certified(MAKERS["two springs"]().system()) if e["kind"] == "no_symmetries")
    check(springs)
    springs["system"]["lagrangian"] = "(xdot**2 + ydot**2)/2 - (x**2 + y**2)/2"  # now a turn is one
    with pytest.raises(Wrong):
        check(springs)


def test_the_checker_imports_nothing_of_ours() -> None:
    source = (HERE / "checker.py").read_text()
    names = {a.name for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Import) for a in n.names}
    names |= {str(n.module) for n in ast.walk(ast.parse(source)) if isinstance(n, ast.ImportFrom)}
    assert names == {"__future__", "json", "re", "sys", "typing", "sympy"}


def test_the_same_certificate_every_time() -> None:
    first, second = (certified(MAKERS["Heisenberg particle"]().system()) for _ in range(2))
    assert first == second


def test_the_command_writes_certificates_that_the_checker_reads(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "skate.toml"
    nh.dump(MAKERS["skate"]().system(), file)
    assert main(["verdict", str(file), "--certificate"]) == 0
    answer = tmp_path / "certificates.json"
    answer.write_text(capsys.readouterr().out)
    assert checker.main(str(answer)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("right:") for line in lines) >= 6
    broken = json.loads(answer.read_text())
    next(e for e in broken["certificates"] if e["kind"] == "first_integral")["formulas"]["integral"] = "x*thdot"
    answer.write_text(json.dumps(broken))
    assert checker.main(str(answer)) == 1


def test_a_judgement_as_latex(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "skate.toml"
    nh.dump(MAKERS["skate"]().system(), file)
    assert main(["verdict", str(file), "--latex"]) == 0
    text = capsys.readouterr().out
    assert text.startswith(r"\begin{description}") and text.rstrip().endswith(r"\end{description}")
    assert r"\partial_{x}" in text and "Schwartz" in text and r"\item[so] integrable" in text
    assert text.count("{") == text.count("}")
    assert not any(ord(c) > 0x2FF and c not in "ẋq̈" for c in text.replace("q̇", "").replace("q̈", "")), "letters that LaTeX lacks"


def test_the_writer_agrees_with_sympy_on_an_integral_by_hand() -> None:
    """The prime is one, and the identity of an oscillator vanishes for the energy alone."""
    spring = nh.System(coordinates="x", parameters="k", lagrangian="xdot**2/2 - k*x**2/2")
    entries = {e["kind"]: e for e in certified(spring)}
    assert sympy.isprime(entries["first_integral"]["prime"])
    state = entries["first_integral"]["states"][0]
    assert set(state) >= {"x", "xdot", "k"}
