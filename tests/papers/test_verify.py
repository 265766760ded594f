"""`nonholo verify` on papers, the checks that can fail, and the pages that are made of them."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

import nonholo as nh
import nonholo_papers
from nonholo.cli.main import main
from nonholo_papers import pages, runner, verify_answers
from nonholo_papers.claim import KINDS, Evidence
from nonholo_papers.errata import errata
from nonholo_papers.note import TITLES
from nonholo_papers.section import Section

DOCS = Path(__file__).parents[2] / "docs"


def test_one_label_of_a_paper_as_json(capsys) -> None:
    assert main(["verify", "bmz", "--label", "6.18", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == {"claims", "facts", "counts"} and told["facts"] == []
    (claim,) = told["claims"]
    needed = {
        "paper",
        "label",
        "statement",
        "printed",
        "right",
        "verdict",
        "residual_printed",
        "residual_right",
        "evidence",
    }
    assert needed <= set(claim)
    assert claim["verdict"] == "misprint" and claim["residual_printed"] > 1e6 * claim["residual_right"]
    assert r"\frac{d\eta^1}{d\theta}" in claim["printed"] and claim["printed"] != claim["right"]
    assert told["counts"]["misprint"] == 1 and told["counts"]["disagree"] == 0


@pytest.mark.parametrize("label", ["(4.10)", "4.10", "Proposition 4.3", "theorem 2.3"])
def test_labels_as_people_write_them(label: str, capsys) -> None:
    assert main(["verify", "bmz", "--label", label]) == 0
    assert "0 disagree" in capsys.readouterr().out


def test_an_exhibit_shows_its_claims_and_its_facts(capsys) -> None:
    assert main(["verify", "gauge-momentum"]) == 0
    told = capsys.readouterr().out
    assert "bmz" in told and "error" in told and "4 facts hold, 0 do not" in told


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("verify bmzz", "did you mean 'bmz'?"),
        ("verify bmz --label 9.9", "--label 9.9: no claim has this label"),
        ("verify ratleback", "did you mean 'rattleback'?"),
    ],
)
def test_bad_input_is_one_line(line: str, words: str, capsys) -> None:
    assert main(line.split()) == 2
    told = capsys.readouterr()
    assert told.out == "" and words in told.err and told.err.count("\n") == 1


def test_a_wrong_verdict_is_seen(monkeypatch, capsys) -> None:
    """The misprint (6.16), recorded as confirmed: exit code 1, and the reason."""
    wrong = next(replace(c, verdict="confirmed") for c in nonholo_papers.claims("bmz") if "(6.16)" in c.label)
    monkeypatch.setattr(verify_answers, "claims", lambda key: (wrong,) if key == "bmz" else ())
    assert main(["verify", "bmz"]) == 1
    assert "recorded as confirmed, but the printed form is off by" in capsys.readouterr().out


def test_an_error_in_a_check_is_a_disagreement() -> None:
    section = Section("bmz", "nowhere")

    @section.confirmed("(0.0)")
    def broken() -> Evidence:
        """A claim whose check divides by zero."""
        return Evidence(1 / 0)

    assert "ZeroDivisionError" in runner.run_one(section.claims[0]).trouble


def test_a_claim_needs_words() -> None:
    with pytest.raises(ValueError, match="says in words"):
        Section("bmz", "nowhere").confirmed("(0.0)")(lambda: Evidence(0.0))


def test_the_pages_name_every_claim_and_every_misprint() -> None:
    for key in nonholo_papers.names():
        results = [runner.Result(c, None, "") for c in nonholo_papers.claims(key)]
        page = pages.page(key, results)
        assert all(f"**{c.label}**" in page for c in nonholo_papers.claims(key))
    page = pages.errata_page([])
    assert all(e.label in page for e in errata())
    assert all(e.harm in range(1, 6) for e in errata())


def test_every_entry_of_the_errata_has_a_kind_and_every_error_an_explanation() -> None:
    everything = [c for key in nonholo_papers.names() for c in nonholo_papers.claims(key)]
    wrong = [c for c in everything if c.verdict in ("misprint", "conditional", "refuted")]
    assert [str(c) for c in wrong if c.kind is None] == []
    assert [str(c) for c in everything if c.kind is not None and c.verdict == "confirmed"] == []
    assert [str(c) for c in everything if c.kind == "error" and c.check is None] == [], "an error is tested"
    assert {e.kind for e in errata()} == set(KINDS)
    assert [e.label for e in errata() if e.kind == "error" and not (e.because and e.breaks)] == []
    assert [e.label for e in errata() if not (e.right or e.because)] == []


def test_conditions_and_conventions_are_not_printed_as_errors() -> None:
    page = pages.errata_page([])
    parts = dict(zip(TITLES, re.split(r"^## .*$", page, flags=re.MULTILINE)[1:]))
    assert "should read" in parts["error"] and "should read" in parts["slip"]
    assert all("should read" not in parts[kind] for kind in ("condition", "convention", "reading"))
    assert parts["condition"].count("- holds when:") == parts["condition"].count("- **") == runner.kinds(
        c for key in nonholo_papers.names() for c in nonholo_papers.claims(key)
    )["condition"]
    assert "The printed page decides" in page


def test_the_written_pages_know_every_claim() -> None:
    for key in nonholo_papers.names():
        written = (DOCS / "literature" / f"{key}.md").read_text("utf-8")
        assert [c.label for c in nonholo_papers.claims(key) if f"**{c.label}**" not in written] == [], "run make docs"
    written = (DOCS / "errata.md").read_text("utf-8")
    assert [e.label for e in errata() if e.label not in written] == [], "run make docs"


def test_the_counts_are_those_of_the_records() -> None:
    assert (DOCS / "literature" / "counts.md").read_text("utf-8") == pages.counts_page(), "run make docs"
    for key in nonholo_papers.names():
        table = pages.counted(key)
        assert all(table[kind][0] == table[kind][1] for kind in ("Theorem", "Proposition", "Lemma", "Corollary"))
        assert table["display"][1] <= table["display"][0] == len(nonholo_papers.formulas(key))


def test_reports_draw_every_misprint() -> None:
    from nonholo.present.report.report_sections import _formula

    for e in errata():
        assert "\\" not in _formula(e.printed) + _formula(e.right), f"{e.paper} {e.label}"


@pytest.mark.slow
def test_the_written_pages_are_those_of_the_checks(tmp_path) -> None:
    assert pages.write(tmp_path) == 0
    for name in ("errata.md", "literature/counts.md", *(f"literature/{key}.md" for key in nonholo_papers.names())):
        assert (tmp_path / name).read_text("utf-8") == (DOCS / name).read_text("utf-8"), f"{name}: run make docs"


def test_the_errata_of_an_exhibit_are_found_without_reading_all_papers():
    from nonholo.gallery.published import errata_on

    everything = errata()
    found = {name: errata_on(name) for name in nh.gallery.system_names()}
    told = "run python -m nonholo_papers.published"
    assert found == {name: tuple(e for e in everything if name in e.exhibits) for name in found}, told
    assert sum(map(len, found.values())) > 50
