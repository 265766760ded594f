"""Findings are data with a kind; one writer makes their sentences."""

from __future__ import annotations

import ast
import json
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

import nonholo
import nonholo as nh
from nonholo.control.reachability.control_statements import Where
from nonholo.errors import StateError, give_parameter
from nonholo.finding import (
    Condition,
    Density,
    Finding,
    FindingData,
    FirstIntegral,
    Freedom,
    FurtherIntegrals,
    Involutive,
    Measured,
    MotionFills,
    Part,
    Proved,
    Reason,
    Searched,
)
from nonholo.finding.conclusions import General, Open, OpenByInputs
from nonholo.finding.sentences import sentence
from nonholo.integrate.loops.arguments import array_layout
from nonholo.integrate.outcome import outcome


def test_every_kind_of_statement_has_a_writer_and_a_sentence_for_each_verdict() -> None:
    kinds = FindingData.__subclasses__()
    assert len(kinds) > 10
    for kind in kinds:
        fields = {n: _example(t) for n, t in kind.__annotations__.items() if "ClassVar" not in t}
        for verdict in ("holds", "fails", "unknown"):
            assert sentence(kind(**fields), verdict).strip(), kind


def _example(kind: str) -> object:
    examples = {
        "str": "x", "int": 3, "int | None": 3, "float": 1.5, "float | None": 1.5, "bool": True,
        "tuple[tuple[str, float], ...]": (("x", 1.5),),
        "Condition": Condition(idle=True), "Density": Density.SMOOTH, "bool | None": True, "Where": Where.REST,
    }  # fmt: skip
    if kind == "tuple[Part, ...]":
        return (Part.FORCES,)
    return examples[kind] if kind in examples or not kind.startswith("tuple") else ("x", "y")


def test_a_text_is_a_plain_statement_proved_measured_or_left_open() -> None:
    assert isinstance(Finding("a", "holds", 1.0, "b").basis[0], Measured)
    assert isinstance(Finding("a", "unknown", None, "b").basis[0], Reason)
    assert isinstance(Finding("a", "fails", None, "b", proved=True).basis[0], Proved)
    assert Finding("a", "holds", proved=True).proved and not Finding("a", "holds").proved


def test_another_finding_is_made_by_replacing_its_data() -> None:
    found = Finding(FirstIntegral("x*ydot"), "holds", None, Proved("its rate is zero"), None, "by hand")
    other = replace(found, data=replace(found.data, when=Condition(steady=("u", "w"))), value=1e-12)  # type: ignore[call-arg]
    assert other.claim == "x*ydot is constant while u, w are constant"
    assert other.proved and other.method == "by hand" and other.evidence == "its rate is zero"
    assert found == replace(other, data=found.data, value=None) != other


@pytest.mark.parametrize("data", [Freedom(3, 2), MotionFills(2.0, 0.1, 5), FirstIntegral("k", when=Condition(zero=("u",)))])
def test_the_same_data_makes_json(data: FindingData) -> None:
    table = json.loads(json.dumps(Finding(data, "holds", 0.5, Measured("along a motion")).as_json()))
    assert table["kind"] in ("freedom", "motion_fills", "first_integral")
    rebuilt = {n: Condition(**{k: tuple(v) if isinstance(v, list) else v for k, v in e.items()}) if n == "when"
               else tuple(e) if isinstance(e, list) else e
               for n, e in table["data"].items()}  # fmt: skip
    assert type(data)(**rebuilt) == data
    assert table["basis"] == [{"kind": "measured", "words": "along a motion"}] and table["proved"] is False


def test_red_marks_failures_of_checks_alone() -> None:
    assert Finding("the mass matrix is positive", "fails").sign == "✗"
    nonholonomic = Finding(Involutive(), "fails", 0.3)
    assert nonholonomic.sign == "–" and nonholonomic.colour != Finding("x", "fails").colour
    assert nonholonomic.claim == "truly nonholonomic: small loops lead where no admissible velocity points"


def test_what_was_searched_in_vain_is_said_plainly() -> None:
    found = Finding(FurtherIntegrals(2), "unknown", None, Searched(bounds=("degree 1, x", "degree 2, x")))
    words = "searched for more conserved quantities (polynomials in the velocities up to degree 2): none found"
    assert found.claim == words and found.details == ("tried degree 1, x; degree 2, x",)


def test_what_was_not_searched_is_not_called_searched() -> None:
    assert Finding(FurtherIntegrals(), "unknown").claim == "not decided whether there are further conserved quantities"


def test_a_judgement_is_data_and_open_ones_are_false() -> None:
    free = nh.System(coordinates="x", lagrangian="xdot**2/2")
    told = json.loads(json.dumps(nh.verdict(free).as_json(), default=str))
    assert told["decided"] and told["decision"]["kind"] == "integrable_by_quadratures"
    assert Open(2).decided is False and OpenByInputs().decided is False and General(3, 3.0).decided is True


def test_advice_is_in_the_words_of_its_place() -> None:
    ended = outcome(array_layout.TOO_MANY, 1.0)
    assert "max_steps" in ended.advice and "--method rodas" in ended.said("shell")
    for place in ("shell", "page"):
        assert "max_steps" not in ended.said(place) and "method=" not in ended.said(place)
    trouble = StateError("sled: the parameter 'm' has no value;", remedy=give_parameter("m"))
    assert str(trouble) == "sled: the parameter 'm' has no value; give parameters={\"m\": …}."
    assert trouble.said("shell").endswith("give --set m=1.5.") and "parameters=" not in trouble.said("page")
    again = pickle.loads(pickle.dumps(trouble))
    assert again.said("shell") == trouble.said("shell") and str(again) == str(trouble)


def test_an_energy_with_a_minimum_is_called_so() -> None:
    spring = nh.System(coordinates="x", lagrangian="xdot**2/2 - x**2/2")
    found = nh.stability(spring, {"x": 0.0})
    assert found.evidence == "the energy has a minimum here" and "second variation" in found.details


GUARDED = {"claim", "evidence", "conclusion", "advice"}
"""Attributes that are sentences."""
READING = {
    "split", "rsplit", "splitlines", "partition", "rpartition", "startswith", "endswith", "find", "rfind", "index", "rindex",
    "replace", "removeprefix", "removesuffix", "count", "lower", "upper", "strip", "lstrip", "rstrip",
}  # fmt: skip
RECORDS = {"finding", "judgement", "judged", "outcome"}
"""Names whose text is a sentence too."""
REPOSITORY = Path(nonholo.__file__).parents[2]
SOURCES = [
    path
    for folder in ("src", "papers", "benchmarks", "book", "examples")
    for path in sorted((REPOSITORY / folder).rglob("*.py"))
    if path.name != "sentences.py"
]


class _Reader(ast.NodeVisitor):
    """Operations that read a sentence: searching, splitting, comparing, cutting, also through a name given to it."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.found: list[int] = []

    def is_sentence(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str" and len(node.args) == 1:
            inner = node.args[0]
            return self.is_sentence(inner) or getattr(inner, "id", getattr(inner, "attr", "")) in RECORDS
        named = isinstance(node, ast.Name) and node.id in self.names
        return named or (isinstance(node, ast.Attribute) and node.attr in GUARDED)

    def are_sentences(self, node: ast.AST) -> bool:
        return isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)) and self.is_sentence(node.elt)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        before, self.names = self.names, set()
        self.generic_visit(node)
        self.names = before

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        for target in node.targets:
            pairs = [(target, node.value)]
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                pairs = list(zip(target.elts, node.value.elts))
            for name, value in pairs:
                if isinstance(name, ast.Name):
                    (self.names.add if self.is_sentence(value) else self.names.discard)(name.id)

    def visit_For(self, node: ast.For) -> None:
        if self.are_sentences(node.iter) and isinstance(node.target, ast.Name):
            self.names.add(node.target.id)
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        called = node.func
        if isinstance(called, ast.Attribute):
            reads = called.attr in READING and self.is_sentence(called.value)
            matched = isinstance(called.value, ast.Name) and called.value.id == "re" and any(map(self.is_sentence, node.args))
            self.found += [node.lineno] if reads or matched else []
        self.generic_visit(node)

    def visit_Compare(self, node: ast.Compare) -> None:
        compared = [node.left, *node.comparators]
        kinds = (ast.In, ast.NotIn, ast.Eq, ast.NotEq)
        if any(isinstance(op, kinds) for op in node.ops) and any(self.is_sentence(e) or self.are_sentences(e) for e in compared):
            self.found.append(node.lineno)
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        self.found += [node.lineno] if self.is_sentence(node.value) else []
        self.generic_visit(node)


def readings(source: str) -> list[int]:
    """Lines that read a sentence back."""
    reader = _Reader()
    reader.visit(ast.parse(source))
    return reader.found


def test_nobody_reads_a_sentence_back() -> None:
    assert {str(p.relative_to(REPOSITORY)): found for p in SOURCES if (found := readings(p.read_text()))} == {}


@pytest.mark.parametrize(
    "line",
    [
        'fills = float(shown.claim.split("fills ")[1])',
        'open = "open" not in self.conclusion.partition(":")[0]',
        'energy = finding.claim.startswith("the energy")',
        'good = any("unique" in f.claim for f in failing)',
        "place = finding.evidence[3:]",
        'said = re.match("At t = (.*)", self.advice)',
        'lost = run.outcome.advice == "x"',
        'def f(found):\n    text = found.conclusion\n    return text.endswith("curves")',
        'def f(found):\n    one, two = found.claim, 3\n    return "open" in one',
        'first = str(finding).split(" ", 1)',
        'for c in [f.claim for f in found]:\n    c.find("x")',
        'x = "energy" in [f.claim for f in found]',
    ],
)
def test_the_rule_sees_every_way_of_reading(line: str) -> None:
    assert readings(line)


def test_the_rule_lets_sentences_be_shown() -> None:
    shown = 'rows = [(f.sign, escape(f.claim), f"{f.evidence}.") for f in found]\nwords = "; ".join(f.claim for f in found)'
    assert readings(f"{shown}\nlong = len(finding.claim)\nrule = data.kind == 'x' and word.startswith('y')") == []
