"""Findings are data with a kind; one writer makes their sentences."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from nonholo.finding import (
    Condition,
    Density,
    Finding,
    FindingData,
    FirstIntegral,
    Freedom,
    Measured,
    MotionFills,
    Part,
    Proved,
    Reason,
)
from nonholo.finding.sentences import sentence


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
        "Condition": Condition(idle=True), "Density": Density.SMOOTH,
    }  # fmt: skip
    if kind == "tuple[Part, ...]":
        return (Part.FORCES,)
    return ("x", "y") if kind.startswith("tuple") else examples[kind]


def test_a_text_is_a_plain_statement_proved_measured_or_left_open() -> None:
    assert isinstance(Finding("a", "holds", 1.0, "b").basis[0], Measured)
    assert isinstance(Finding("a", "unknown", None, "b").basis[0], Reason)
    assert isinstance(Finding("a", "fails", None, "b", proved=True).basis[0], Proved)
    assert Finding("a", "holds", proved=True).proved and not Finding("a", "holds").proved


def test_another_finding_is_made_by_replacing_its_data() -> None:
    found = Finding(FirstIntegral("x*ydot"), "holds", None, Proved("its rate is zero"), None, "by hand")
    other = replace(found, data=replace(found.data, when=Condition(steady=("u", "w"))), value=1e-12)
    assert other.claim == "x*ydot is constant while u, w are constant"
    assert other.proved and other.method == "by hand" and other.evidence == "its rate is zero"
    assert found == replace(other, data=found.data, value=None) != other


@pytest.mark.parametrize("data", [Freedom(3, 2), MotionFills(2.0, 0.1, 5), FirstIntegral("k", when=Condition(zero=("u",)))])
def test_the_same_data_makes_json(data: FindingData) -> None:
    table = json.loads(json.dumps(Finding(data, "holds", 0.5, Measured("along a motion")).as_json()))
    assert table["kind"] in ("freedom", "motion_fills", "first_integral")
    rebuilt = {n: Condition(**{k: tuple(v) if isinstance(v, list) else v for k, v in e.items()}) if n == "when" else e
               for n, e in table["data"].items()}  # fmt: skip
    assert type(data)(**rebuilt) == data
    assert table["basis"] == [{"kind": "measured", "words": "along a motion"}] and table["proved"] is False
