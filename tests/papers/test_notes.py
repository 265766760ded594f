"""Notes on the papers: every entry once, errors with their reasons, in Markdown, LaTeX, JSON and BibTeX."""

from __future__ import annotations

import json
import re
import subprocess
from shutil import which

import pytest

import nonholo_papers
from nonholo.cli.main import main
from nonholo_papers import printed_note
from nonholo_papers.claim import KINDS, Counterexample
from nonholo_papers.errata import errata
from nonholo_papers.latex_note import latex, math, prose
from nonholo_papers.note import as_data, bibtex, identifier, markdown, note, rows
from nonholo_papers.passages import PASSAGES
from nonholo_papers.printed_note import BROWSERS, ENGINES, html


@pytest.mark.parametrize("key", nonholo_papers.names())
def test_a_note_has_every_entry_once_errors_first(key: str) -> None:
    data = as_data(note(key, "2026-01-02"))
    labels = [e["label"] for e in data["entries"]]
    assert sorted(labels) == sorted(e.label for e in errata() if e.paper == key) and len(set(labels)) == len(labels)
    assert [e["kind"] for e in data["entries"]] == sorted((e["kind"] for e in data["entries"]), key=KINDS.index)
    text = markdown(note(key))
    assert [label for label in labels if label not in text] == []


def test_identifiers_are_told_apart_and_depend_on_paper_and_label_alone() -> None:
    names = [identifier(e) for e in errata()]
    assert len(set(names)) == len(names) and all(re.fullmatch(r"[a-z0-9.-]+", n) for n in names)
    assert "bmz-4.7-" in " ".join(names)


def test_an_error_is_told_with_what_should_stand_there_or_why() -> None:
    for e in errata():
        told = dict(rows(e))
        assert "printed" in told and len(told) > 1, e.label
        if e.kind == "error":
            assert "because" in told and "as printed it would break" in told, e.label
        if e.kind in ("condition", "convention", "reading"):
            assert "should read" not in told, e.label


@pytest.mark.parametrize("key", nonholo_papers.names())
def test_latex_is_ascii_and_balanced(key: str) -> None:
    text = latex(note(key, "2026-01-02"))
    assert text.isascii()
    bare = re.sub(r"\\\\|\\[{}$%#&_]", "", text)
    assert bare.count("{") == bare.count("}") and bare.count("$") % 2 == 0
    begun, ended = (re.findall(rf"\\{word}{{(\w+)}}", text) for word in ("begin", "end"))
    assert sorted(begun) == sorted(ended) and text.count(r"\[ ") == text.count(r" \]")


def test_rows_of_a_display_are_gathered_and_scripts_are_read() -> None:
    assert math(r"a = b \\\\ c = d \\tag{3}").startswith(r"\begin{gathered}")
    assert math(r"\begin{aligned} a \\\\ b \end{aligned}").startswith(r"\begin{aligned}")
    assert prose("A_ij") == r"\ensuremath{A_{ij}}" and prose("5 % of x") == r"5 \% of x"


def test_signs_that_text_fonts_lack_are_formulas_and_wide_displays_are_fitted() -> None:
    assert prose("a > 0, |φ′| < 1") == (
        r"a \ensuremath{>} 0, \ensuremath{|}\ensuremath{\phi }\ensuremath{'}\ensuremath{|} \ensuremath{<} 1"
    )
    text = latex(note("macdonnell"))
    assert text.count(r"\[ \fit{") == text.count(r"\[ ") > 100


@pytest.mark.slow
@pytest.mark.skipif(which("pdflatex") is None, reason="LaTeX is not installed")
@pytest.mark.parametrize("key", nonholo_papers.names())
def test_latex_sets_the_note_within_its_margins(key: str, tmp_path) -> None:
    (tmp_path / "note.tex").write_text(latex(note(key, "2026-01-02")), "utf-8")
    line = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "note.tex"]
    run = subprocess.run(line, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert run.returncode == 0 and (tmp_path / "note.pdf").exists(), run.stdout[-500:]
    assert "Overfull" not in run.stdout and "Undefined" not in run.stdout


def test_bibtex_names_the_paper() -> None:
    assert bibtex(note("notices")).startswith("@article{notices,") and "Notices of the American" in bibtex(
        note("notices")
    )


def test_the_command_writes_a_note(tmp_path, capsys) -> None:
    assert main(["verify", "notices", "--note"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("# Notes on BMZ 2005") and "The printed page decides" in told
    assert re.search(r"nonholo \S+, \d{4}-\d\d-\d\d: nonholo verify notices --note", told)
    assert main(["verify", "notices", "--note", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["counts"]["error"] == 0
    for ending, begins in (
        (".tex", r"\documentclass"),
        (".bib", "@article"),
        (".json", "{"),
        (".md", "# Notes"),
        (".html", "<!DOCTYPE html>"),
    ):
        assert main(["verify", "notices", "--note", "-o", str(tmp_path / f"note{ending}")]) == 0
        assert (tmp_path / f"note{ending}").read_text("utf-8").startswith(begins)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("verify --note", "--note: a paper is needed, one of"),
        ("verify bmzz --note", "did you mean 'bmz'?"),
        ("verify notices --note -o note.doc", "the note's ending is .doc; give one of .md"),
    ],
)
def test_bad_input_is_one_line(line: str, words: str, capsys) -> None:
    assert main(line.split()) == 2
    told = capsys.readouterr()
    assert told.out == "" and words in told.err and told.err.count("\n") == 1


CASES = [
    pytest.param(c, id=f"{key} {label}")
    for key in nonholo_papers.names()
    for label, c in nonholo_papers.counterexamples(key).items()
]


@pytest.mark.parametrize("case", CASES)
def test_the_numbers_of_a_counterexample_are_computed_once_more(case: Counterexample) -> None:
    assert case.trouble() == ""


def test_every_error_and_condition_has_a_counterexample_and_was_read_in_its_place() -> None:
    for key in nonholo_papers.names():
        wanted = {c.label for c in nonholo_papers.claims(key) if c.kind in ("error", "condition")}
        assert set(nonholo_papers.counterexamples(key)) == wanted
        assert set(PASSAGES[key]) == wanted and all(len(text) > 20 for text in PASSAGES[key].values())
    for e in errata():
        told = dict(rows(e))
        if e.kind == "error":
            assert {"because", "for example", "in the paper", "as printed it would break"} <= set(told), e.label
        if e.kind == "condition":
            assert {"holds when", "because", "for example", "in the paper"} <= set(told), e.label
    told = dict(rows(next(e for e in errata() if e.label == "(4.7)")))
    assert told["for example"].startswith(
        "The sleigh (m = 1.5, J = 0.7, a = 0.4, ω = 2, v = 3): ṗ₁ is 0 as printed and −3.6 in truth"
    )


def test_a_counterexample_whose_numbers_are_wrong_is_found_out() -> None:
    given = {"case": "a point", "values": (("x", 2.0),), "quantity": "y", "found": lambda v: v["x"] ** 2}
    assert Counterexample(printed="x", right="x**2", **given).trouble() == ""
    assert "is 4, not 8" in Counterexample(printed="x", right="x**3", **given).trouble()
    assert "gives 4 too" in Counterexample(printed="2*x", right="x**2", **given).trouble()


@pytest.mark.skipif(not any(map(which, (*ENGINES, *BROWSERS))), reason="neither LaTeX nor a browser")
def test_the_command_writes_pdf(tmp_path, capsys) -> None:
    path = tmp_path / "note.pdf"
    assert main(["verify", "notices", "--note", "-o", str(path)]) == 0
    assert path.read_bytes().startswith(b"%PDF") and "set by" in capsys.readouterr().out


def test_without_an_engine_pdf_is_refused_in_one_line(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(printed_note, "which", lambda name: None)
    assert main(["verify", "notices", "--note", "-o", str(tmp_path / "note.pdf")]) == 2
    told = capsys.readouterr().err
    assert "PDF needs LaTeX" in told and "-o note.tex writes the source" in told


@pytest.mark.parametrize("key", nonholo_papers.names())
def test_the_page_shows_every_entry_and_few_formulas_as_text(key: str) -> None:
    of = note(key)
    text = html(of)
    assert [e.label for e in of.entries if f'id="{identifier(e)}"' not in text] == []
    drawn, left = text.count("<math"), len(re.findall(r'<span class="display"><code>', text))
    assert left <= 0.05 * drawn, f"{left} of {drawn}"
