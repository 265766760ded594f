"""Certificates are right by a checker that shares nothing with us, and wrong as soon as anything in them is changed."""

from __future__ import annotations

import ast
import contextlib
import copy
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import sympy

import nonholo as nh
from nonholo.cli.main import main
from nonholo.finding import LinearMomenta
from nonholo.geometry.frames.frame import rate
from nonholo.symmetry.certificate.certificate_record import THEOREMS
from nonholo.symmetry.certificate.certificates import certificates
from tests.certificates import checker
from tests.certificates.checker import check
from tests.certificates.residues import Wrong
from tests.engine.bodies import body
from tests.engine.known import MAKERS

HERE = Path(__file__).parent
PLAIN = sorted((HERE.parent / "plain").glob("*.toml"))


def certified(system: nh.System) -> list[dict[str, Any]]:
    found = nh.verdict(system)
    return [json.loads(json.dumps(e)) for e in certificates(found.system, found.findings)]


DRIVEN = nh.System(
    coordinates="x", parameters="c", lagrangian="xdot**2/2 - x**2/2 + x*cos(t)", forces={"x": "-c*xdot"}
)  # fmt: skip


@cache
def entries_of(name: str) -> str:
    """The certificates of a system, as text."""
    system = DRIVEN if name == "driven" else MAKERS[name]().system() if name in MAKERS else nh.gallery.get(name).system
    return json.dumps(certified(system))


def complete(system: nh.System | str) -> list[dict[str, Any]]:
    """The certificates of all that is called proved; the checker takes every one."""
    entries = json.loads(entries_of(system)) if isinstance(system, str) else certified(system)
    assert [e["claim"] for e in entries if e["states"] is None] == []
    for entry in entries:
        check(entry)
        assert entry["theorem"] == THEOREMS[entry["kind"]]
    return entries


@pytest.mark.parametrize("name", [pytest.param(n, marks=pytest.mark.slow) if k % 2 else n for k, n in enumerate(MAKERS)])
def test_everything_proved_of_a_system_is_certified(name: str) -> None:
    kinds = {e["kind"] for e in complete(name)}
    assert "freedom" in kinds and kinds & {"symmetries", "no_symmetries"}


CHOSEN = ("suslov", "suslov-n", "degenerate-sleigh", "steered-point", "unicycle", "sleigh-oscillator")
"""Rotations, a Lie algebra alone, no kinetic energy, a nonlinear constraint, inputs, brackets."""


@pytest.mark.parametrize("name", CHOSEN)
def test_everything_proved_of_an_exhibit_is_certified(name: str) -> None:
    complete(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in nh.gallery.system_names() if n not in CHOSEN])
def test_everything_proved_of_the_gallery_is_certified(name: str) -> None:
    complete(name)


@pytest.mark.slow
@pytest.mark.parametrize("file", PLAIN[::5], ids=lambda f: f.stem)
def test_everything_proved_of_a_plain_system_is_certified(file: Path) -> None:
    complete(nh.load(file))


def answers(system: nh.System) -> list[nh.Finding]:
    """What is found of a system by every question with findings, but for the judgement."""
    found = [*nh.integrals(system), *nh.check(system), *nh.classify(system).findings, nh.measure(system)]
    found += [nh.conserved(system, system.velocities[0]), nh.frames.unimodular(system.frame)]
    return found + reachable(system)


def reachable(system: nh.System) -> list[nh.Finding]:
    """What brackets, Noether's theorem and Suslov's criterion say, where they can be asked."""
    questions: list[Any] = [lambda k=k: nh.controllability(system, kinematic=k).findings for k in (True, None)]
    questions += [lambda c=c: nh.noether(system, c).findings for c in system.coordinates if rate(c) in system.velocities]
    questions.append(lambda: [nh.studies.suslov_criterion(system).holds])
    found: list[nh.Finding] = []
    for question in questions:
        with contextlib.suppress(nh.NonholoError):
            found += question()
    return found


OTHERS = ("sleigh", "two-sliders", "contact-oscillator", "skate-wind", "hoop-bead")


@pytest.mark.parametrize("name", ["skate", "damped spring", "suslov", *(pytest.param(n, marks=pytest.mark.slow) for n in OTHERS)])
def test_what_any_answer_calls_proved_is_certified(name: str) -> None:
    """Ranks of brackets, Noether's conditions, traces of algebras: what is exact without a certificate is not called proved."""
    if name in OTHERS:
        system = nh.load(HERE.parent / "plain" / f"{name}.toml")
    else:
        system = MAKERS[name]().system() if name in MAKERS else nh.gallery.get(name).system
    proved = [f for f in answers(system) if f.proved]
    assert proved
    for entry in certificates(system, proved):
        assert entry["states"] is not None, entry["claim"]
        check(json.loads(json.dumps(entry)))


COUNTED = {
    "contact": ("xdot**2 + ydot**2 + zdot**2", ["zdot - y*xdot"], {}),
    "magnetic": ("xdot**2 + ydot**2 + zdot**2", ["zdot - y*xdot/2 + x*ydot/2"], {("x", "y"): "B"}),
}
"""A particle with the third momentum ``x ẏ − asinh(y) ẋ √(1 + y²)`` [Rosenberg 1977]; one on Heisenberg's group in a field."""


@pytest.mark.parametrize("values", ["k", {"k": 2.0}], ids=["almost all", "given"])
def test_denied_momenta_are_certified_for_the_values_that_are_claimed(values: Any) -> None:
    words = {"coordinates": "x y z", "lagrangian": "(xdot**2 + ydot**2 + zdot**2)/2 - k*x**2*y**4"}
    system = nh.System(parameters=values, constraints=["zdot - y*xdot"], **words)
    found = [f for f in nh.integrals(system) if isinstance(f.data, LinearMomenta)]
    assert found and all(f.proved for f in found)
    for entry in json.loads(json.dumps(certificates(system, found))):
        check(entry)
        assert ("k" in entry["states"][0]) is isinstance(values, str)


@pytest.mark.parametrize("name", COUNTED)
def test_the_number_of_momenta_is_certified(name: str) -> None:
    energy, constraints, field = COUNTED[name]
    words = {"coordinates": "x y z", "parameters": "B", "lagrangian": f"({energy})/2", "constraints": constraints}
    system = nh.System(magnetic=field, **words)
    found = [f for f in nh.integrals(system, depends_on=["x", "y"]) if isinstance(f.data, LinearMomenta)]
    assert found and all(f.proved and f.data.count for f in found)
    for entry in json.loads(json.dumps(certificates(system, found))):
        check(entry)
        told = entry["formulas"]
        other = {n: (v + 1) % entry["prime"] for n, v in entry["states"][2].items()}
        for bad in (
            {"count": told["count"] - 1}, {"count": told["count"] + 1}, {"order": 1}, {"rates": told["rates"][::-1]},
            {"momenta": [told["momenta"][0]] * 2}, {"steps": told["steps"][::-1]},
            {"variables": ["x"], "steps": told["steps"][:1]}, {"components": told["components"][::-1]},
            {"velocity": told["velocity"][::-1]}, {"momenta": [f"({told['momenta'][0]})*cos(x)", *told["momenta"][1:]]},
        ):  # fmt: skip
            with pytest.raises(Wrong):
                check({**entry, "formulas": {**told, **bad}})
        first, second, *same = entry["states"]
        for states in (entry["states"][:5], [first, second, other, *same[1:]], [*same[:2], *same], [first, *same, second]):
            with pytest.raises(Wrong):
                check({**entry, "states": states})


SKATE = {"coordinates": "x y th", "constraints": ["ydot*cos(th) - xdot*sin(th)"],
         "quasivelocities": {"u": "xdot*cos(th) + ydot*sin(th)", "om": "thdot"}}  # fmt: skip
DENIED = {
    "one variable": ({"coordinates": "x y"}, "(xdot**2 + ydot**2)/2 - x**2*y - y**3", "x"),
    "two variables": (SKATE, "m*(xdot**2 + ydot**2)/2 + thdot**2/2 - x*y - th*x**2", ["x", "th"]),
    "affine": ({"coordinates": "x y"}, "(xdot**2 + ydot**2)/2 + x*ydot*y - x**2*y - y**3", ["x", "y"]),
}
"""Potentials without symmetry: no momentum has coefficients of these variables alone."""


@pytest.mark.parametrize("name", DENIED)
def test_that_there_are_no_such_momenta_is_certified(name: str) -> None:
    words, lagrangian, variables = DENIED[name]
    system = nh.System(lagrangian=lagrangian, parameters="m", **words)
    found = [f for f in nh.integrals(system, depends_on=variables, witness=False) if isinstance(f.data, LinearMomenta)]
    (denied,) = [f for f in found if f.data.variables == tuple(variables)]
    assert denied.verdict == "fails" and denied.proved
    (entry,) = json.loads(json.dumps(certificates(system, [denied])))
    check(entry)
    free = {**entry, "system": {**entry["system"], "lagrangian": str(sympy.sympify(lagrangian).subs({"x": 0, "y": 0, "th": 0}))}}
    told = entry["formulas"]
    for bad in (free, *({**entry, "formulas": {**told, **e}} for e in ({"count": 1}, {"momenta": told["rates"]}))):
        with pytest.raises(Wrong):
            check(bad)


def test_every_kind_of_certificate_has_a_check_and_a_line_on_the_page() -> None:
    assert set(THEOREMS) == set(checker.CHECKS)
    page = (HERE.parents[1] / "docs" / "verdicts.md").read_text()
    listed = {line.split("`")[1]: line for line in page.splitlines() if line.startswith("| `")}
    assert set(listed) == set(THEOREMS)
    for kind, theorem in THEOREMS.items():
        assert theorem in listed[kind]


@pytest.mark.slow
def test_certificates_of_bodies_in_angles_and_matrices() -> None:
    top = nh.System(
        frame=nh.SO3("R", rates="w1 w2 w3"), parameters="A C k", lagrangian="A*(w1**2 + w2**2)/2 + C*w3**2/2 - k*R33",
    )  # fmt: skip
    for system in (body("symmetric top", "zxz").system(), body("Veselova", "yzx").system(), top):
        assert sum(e["kind"] == "first_integral" for e in complete(system)) >= 1


def test_a_reduced_space_has_the_coordinates_that_the_group_acts_with() -> None:
    """The turns of a tilted Suslov body in Cardan angles move b and c by functions of a, which the accelerations do not hold."""
    w = ["adot*cos(b)*cos(c) + bdot*sin(c)", "bdot*cos(c) - adot*cos(b)*sin(c)", "adot*sin(b) + cdot"]
    lagrangian = f"({w[0]})**2/2 + 13*({w[1]})**2/20 + 19*({w[2]})**2/20"
    system = nh.System(coordinates="a b c", lagrangian=lagrangian, constraints=[f"{w[2]} + ({w[0]})/2"])
    (curve,) = [e for e in complete(system) if e["kind"] == "motion_fills_curve"]
    assert curve["formulas"]["coordinates"] == ["a", "b", "c"] and curve["formulas"]["dimension"] == 2


@pytest.fixture(scope="module")
def skate() -> dict[str, dict[str, Any]]:
    entries = json.loads(entries_of("skate"))
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
        ("symmetries", lambda e: [e["formulas"][n].append(["1", "0", "0"]) for n in ("fields", "components")]),
        ("symmetries", lambda e: [e["formulas"][n].append(["0", "0", "0"]) for n in ("fields", "components")]),
        ("motion_fills_curve", lambda e: e["formulas"]["integrals"].pop()),
        ("motion_fills_curve", lambda e: e["formulas"].update(dimension=6)),
        ("motion_fills_curve", lambda e: e["formulas"]["coordinates"].pop()),
        ("motion_fills_curve", lambda e: e["formulas"]["integrals"].append("x")),
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


@pytest.mark.parametrize(
    ("name", "kind", "change"),
    [
        ("suslov", "freedom", lambda e: e["system"]["brackets"][0].__setitem__(3, "2")),
        ("suslov", "freedom", lambda e: e["system"]["anchor"][0].__setitem__(1, "R12")),
        ("suslov", "no_measure_trace", lambda e: e["formulas"].update(family=["w1"])),
        ("suslov", "no_measure_trace", lambda e: e["formulas"].update(fields=[["1"] + ["0"] * 8], components=[["1", "0", "0"]])),
        ("suslov-n", "no_measure_homogeneous", lambda e: e["system"].update(lagrangian=e["system"]["lagrangian"] + " + v1")),
        ("sleigh", "no_measure_brackets", lambda e: e["formulas"]["words"].pop()),
        ("sleigh", "no_measure_brackets", lambda e: e["formulas"]["values"].__setitem__(0, "1")),
        ("sleigh", "no_measure_brackets", lambda e: e["formulas"].update(mass="1 + x**2")),
        ("driven", "contraction", lambda e: e["formulas"].update(rate="2*c")),
        ("driven", "contraction", lambda e: e["formulas"].update(density="1 + x**2")),
        ("driven", "contraction", lambda e: e["system"].update(lagrangian="xdot**2/2 - x**2/2 + x*t")),
        ("unicycle", "not_first_integral", lambda e: e["formulas"].update(quantity="1")),
    ],
)
def test_every_kind_is_refused_when_it_is_changed(name: str, kind: str, change: Any) -> None:
    entry = next(e for e in json.loads(entries_of(name)) if e["kind"] == kind)
    check(entry)
    change(entry)
    with pytest.raises(Wrong):
        check(entry)


def test_a_denied_symmetry_cannot_be_certified() -> None:
    springs = next(e for e in json.loads(entries_of("two springs")) if e["kind"] == "no_symmetries")
    check(springs)
    springs["system"]["lagrangian"] = "(xdot**2 + ydot**2)/2 - (x**2 + y**2)/2"  # now a turn is one
    with pytest.raises(Wrong):
        check(springs)


def test_the_checker_imports_nothing_of_ours() -> None:
    names: set[str] = set()
    files = ("algebras", "checker", "equations", "kinds", "prolongation", "reachability", "residues", "towers")
    for name in files:
        tree = ast.parse((HERE / f"{name}.py").read_text())
        names |= {a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
        names |= {str(n.module) for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)}
    own = {"tests.certificates", *(f"tests.certificates.{name}" for name in files)}
    standard = {"__future__", "collections.abc", "functools", "itertools", "json", "math", "re", "sys", "typing"}
    assert names - own == {*standard, "sympy"}


def test_the_same_certificate_every_time() -> None:
    name = "Heisenberg particle"
    assert json.dumps(certified(MAKERS[name]().system())) == entries_of(name)


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
    capsys.readouterr()
    assert main(["integrals", str(file), "--certificate"]) == 0
    answer.write_text(capsys.readouterr().out)
    assert checker.main(str(answer)) == 0
    assert all(line.startswith("right:") for line in capsys.readouterr().out.splitlines())


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
