"""The facts of the gallery hold; without the package of the papers `nonholo` says so in one line and works."""

from __future__ import annotations

import json
import sys
from html import escape

import pytest

from nonholo import gallery, verification
from nonholo.cli.main import main
from nonholo.gallery.published import FILE, facts_on
from nonholo.present.report.report_sections import checks_section
from nonholo.present.report.report_subject import case
from nonholo_papers.published import published


@pytest.mark.parametrize("name", gallery.system_names())
def test_facts_hold(name):
    exhibit = gallery.get(name)
    assert exhibit.facts, "an exhibit without facts proves nothing"
    findings = [(fact.claim, fact(exhibit)) for fact in exhibit.facts]
    assert not [f"{claim}: {f}" for claim, f in findings if f.verdict != "holds"]


@pytest.mark.parametrize(
    "name, k", [(name, k) for name in gallery.field_names() for k in range(len(gallery.get(name).facts))]
)
def test_facts_of_fields_hold(name, k):
    exhibit = gallery.get(name)
    finding = exhibit.facts[k](exhibit)
    assert finding, str(finding)


def test_the_data_of_reports_is_that_of_the_claims_and_facts():
    assert json.loads(FILE.read_text("utf-8")) == json.loads(json.dumps(published())), "run python -m nonholo_papers.published"


@pytest.fixture
def without_papers(monkeypatch):
    monkeypatch.setitem(sys.modules, verification.PACKAGE, None)
    verification.available.cache_clear()
    yield
    verification.available.cache_clear()


def test_without_the_papers_verify_says_what_to_install(without_papers, capsys):
    assert main(["verify", "bmz"]) == 2
    told = capsys.readouterr()
    assert told.out == "" and "pip install ./papers" in told.err and told.err.count("\n") == 1


@pytest.mark.parametrize("name", ["suslov", "string"])
def test_without_the_papers_an_exhibit_has_no_facts(without_papers, name):
    assert gallery.get(name).facts == ()


def test_without_the_papers_a_report_names_the_same_facts_and_misprints(without_papers):
    body = checks_section(case("gauge-momentum")).body
    facts = facts_on("gauge-momentum")
    assert len(facts) == 4 and all(f"— {escape(source)}</small>" in body for _, source in facts)
    assert "is constant" in body and "moves in the potential" in body
    assert "Errata of the papers" in body
