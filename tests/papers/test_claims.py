"""Every claim of the papers: its check agrees with its verdict, and no display or numbered statement was forgotten."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

import nonholo_papers
from nonholo import gallery
from nonholo_papers.claim import Claim, Evidence, disagreement
from nonholo_papers.evidence import identity
from nonholo_papers.pages import OTHERWISE, proved_statements
from nonholo_papers.runner import run_one
from nonholo_papers.seed import chapters, displays, statements

_BESIDE = [p / "shared" / "seeds" for p in Path(__file__).parents]
SEEDS = next((p for p in _BESIDE if p.exists()), _BESIDE[3])
"""The texts of the papers, ``../shared/seeds`` beside the project; they are not part of it."""
CLAIMS = [c for key in nonholo_papers.names() for c in nonholo_papers.claims(key)]
DONE = [key for key in nonholo_papers.names() if nonholo_papers.claims(key)]
"""Papers that have claims; a paper that has any must have all."""


def named(claims: list[Claim]) -> list:
    marks = {True: [pytest.mark.slow], False: []}
    return [pytest.param(c, id=f"{c.paper} {c.label}", marks=marks[c.slow]) for c in claims]


@pytest.mark.parametrize("claim", named(CLAIMS))
def test_the_check_bears_out_the_verdict(claim: Claim) -> None:
    result = run_one(claim)
    assert result.trouble == "", f"{claim}: {result.trouble}"


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda c: f"{c.paper} {c.label}")
def test_a_claim_says_everything(claim: Claim) -> None:
    assert claim.statement and claim.label
    assert set(claim.exhibits) <= set(gallery.system_names())
    if claim.verdict == "misprint":
        assert (
            claim.printed
            and claim.right
            and claim.printed != claim.right
            and claim.harm in range(1, 6)
            and claim.breaks
        )
    if claim.verdict in ("conditional", "refuted", "not checkable"):
        assert len(claim.reason) > 10
    if claim.verdict in ("conditional", "refuted"):
        assert claim.harm in range(1, 6) and claim.printed


@dataclass(frozen=True)
class Read:
    """The displays that must be accounted for, and, called, whether a numbered statement must be."""

    displays: list[int]
    chapters: frozenset[int] | None

    def __call__(self, statement: str) -> bool:
        return self.chapters is None or int(re.findall(r"\d+", statement)[0]) in self.chapters


def chapters_read(key: str, text: str) -> Read:
    """All of a paper; of one divided into chapters those that have a module, ``s8_…`` (a chapter begun is to be complete)."""
    parts = chapters(text)
    begun = frozenset(int(re.findall(r"\d+", name)[0]) for name in nonholo_papers.modules(key))
    if not parts or begun >= set(parts):
        return Read([d.ordinal for d in displays(text)], None)
    return Read([n for number in sorted(begun) for n in parts[number]], begun)


@pytest.mark.parametrize("key", DONE)
def test_every_theorem_is_tested_through_public_functions(key: str) -> None:
    proved = proved_statements(key)
    tested = [s for c in nonholo_papers.claims(key) for s in c.by_functions]
    others = {s for s in proved if s not in tested}
    assert set(tested) <= set(proved) and others == (set(OTHERWISE) if key == "macdonnell" else set())
    assert not any(s.startswith(("Theorem", "Proposition")) for s in others)


@pytest.mark.parametrize("key", DONE)
def test_labels_are_told_apart(key: str) -> None:
    repeated = [label for label, n in Counter(c.label for c in nonholo_papers.claims(key)).items() if n > 1]
    assert repeated == []


@pytest.mark.parametrize("key", DONE)
def test_every_display_and_numbered_statement_is_in_exactly_one_claim_or_in_the_rest(key: str) -> None:
    source = SEEDS / nonholo_papers.paper_of(key).text
    if not source.exists():
        pytest.skip(f"the paper's text is not here ({source})")
    text = source.read_text("utf-8")
    wanted = displays(text)
    index = nonholo_papers.formulas(key)
    assert [(d.digest, d.number) for d in wanted] == [row[:2] for row in index], "run python -m nonholo_papers.seed"
    records = [*nonholo_papers.claims(key), *nonholo_papers.rests(key)]
    places = Counter(place for r in records for place in r.displays)
    assert [p for p, n in places.items() if n > 1] == [], "in two places"
    wholes = Counter(re.sub(r"[a-z]+$", "", p) for p in places)
    mixed = [w for w in wholes if w in places and wholes[w] > 1]
    assert mixed == [], "whole and in parts"
    read = chapters_read(key, text)
    assert sorted(map(int, wholes)) == read.displays, "displays missing or not in the paper"
    for d in wanted:
        if places.get(str(d.ordinal)) and any(str(d.ordinal) in c.displays for c in nonholo_papers.claims(key)):
            assert index[d.ordinal - 1][2] == d.latex, f"display {d.ordinal}: run python -m nonholo_papers.seed"
    found = Counter(s for r in records for s in r.statements)
    assert [s for s, n in found.items() if n > 1] == [], "statements in two places"
    assert sorted(found) == sorted(s for s in statements(text) if read(s)), "statements missing or not in the paper"


def test_a_chapter_begun_is_demanded_whole_and_all_chapters_are_the_paper(monkeypatch) -> None:
    text = "Chapter 1\n$$a$$\nLemma 1.1. x\nChapter 2\n$$b$$ $$c$$\nLemma 2.1. y\n"
    monkeypatch.setattr(nonholo_papers, "modules", lambda key: ["s2_1_words", "s2_2_more"])
    part = chapters_read("macdonnell", text)
    assert part.displays == [2, 3] and [s for s in statements(text) if part(s)] == ["Lemma 2.1"]
    monkeypatch.setattr(nonholo_papers, "modules", lambda key: ["s1_words", "s2_1_words"])
    assert chapters_read("macdonnell", f"$$before$$\n{text}").displays == [1, 2, 3, 4]
    assert chapters_read("macdonnell", "$$a$$ no chapters $$b$$").displays == [1, 2]


@pytest.mark.parametrize(
    ("verdict", "evidence", "trouble"),
    [
        ("confirmed", Evidence(1e-15, mutant=0.3), ""),
        ("confirmed", Evidence(1e-15), "a mutant was not tried"),
        ("confirmed", Evidence(1e-15, mutant=1e-12), "a mutant is off by 1e-12 only"),
        ("confirmed", Evidence(float("nan"), mutant=0.3), "off by nan"),
        ("confirmed", Evidence(1e-15, mutant=float("nan")), "a mutant is off by nan only"),
        ("misprint", Evidence(0.5, 1e-15), ""),
        ("misprint", Evidence(float("inf"), 1e-15), ""),
        ("misprint", Evidence(float("nan"), 1e-15), "off by nan only"),
        ("misprint", Evidence(0.5), "the right form was not tested"),
        ("misprint", Evidence(1e-11, 1e-15), "off by 1e-11 only"),
        ("misprint", Evidence(0.5, 0.1), "the right form is off by 0.1"),
        ("conditional", Evidence(0.5, 1e-15), ""),
        ("refuted", Evidence(0.5), ""),
        ("refuted", Evidence(1e-13), "off by 1e-13 only"),
        ("not checkable", Evidence(0.0), "no check"),
    ],
)
def test_a_verdict_asks_for_evidence(verdict: str, evidence: Evidence, trouble: str) -> None:
    claim = Claim("bmz", "(0.0)", "a claim", verdict, lambda: evidence, reason="because")
    found = disagreement(claim, evidence)
    assert (found == "") == (trouble == "") and trouble in found


def test_a_number_that_is_none_is_not_overlooked() -> None:
    points = [1.0, float("nan"), 2.0]
    assert disagreement(claim_of("confirmed"), identity(points, lambda x: [x, -x])) != ""
    assert disagreement(claim_of("confirmed"), identity(points[::2], lambda x: [x, -x])) == ""


def test_a_term_that_vanishes_everywhere_is_an_error() -> None:
    with pytest.raises(ValueError, match="term 3 vanishes at every point"):
        identity([1.0, 2.0], lambda x: [x, -x, 0 * x])


def claim_of(verdict: str) -> Claim:
    return Claim("bmz", "(0.0)", "a claim", verdict, lambda: Evidence(0.0), reason="because")
