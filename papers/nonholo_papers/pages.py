"""``python -m nonholo_papers.pages docs``: a page for each paper, and the errata, from the claims and their checks.

Numbers in the pages are those of wrong forms, to two digits, and bounds for right ones, so that the pages are the same
on every machine.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from nonholo.gallery.published import FILE, REMEDIES, Erratum
from nonholo.writing import write_text
from nonholo_papers import claims, formulas, names, paper_of, rests
from nonholo_papers.claim import KINDS, TOLERANCE, Evidence
from nonholo_papers.errata import errata, of_claim
from nonholo_papers.mutation import COUNTS
from nonholo_papers.note import SOURCE, TITLES, WORDS, markdown, note
from nonholo_papers.published import text as published_text
from nonholo_papers.runner import Result, run, summary

SIGNS = {
    "confirmed": "✓",
    "error": "✗ error",
    "condition": "under a condition",
    "convention": "✓ in the paper's convention",
    "slip": "slip",
    "reading": "reading",
    "not checkable": "–",
}


def page(key: str, results: Sequence[Result]) -> str:
    """One paper: what was counted, its notation beside ours, every claim with its verdict, and the rest."""
    paper = paper_of(key)
    index = formulas(key)
    numbered = sum(bool(row[1]) for row in index)
    tally = summary(claims(key))
    claimed = {_whole(d) for c in claims(key) for d in c.displays}
    told_of = {_whole(d) for r in rests(key) for d in r.displays} - claimed
    unread = len(index) - len(claimed) - len(told_of)
    stated = sum(len(c.statements) for c in claims(key)) + sum(len(r.statements) for r in rests(key))
    lines = [
        f"# {paper.title}",
        "",
        f"Made by `make docs`; `nonholo verify {key}` runs every check. {len(index)} displays, {numbered} of them numbered, "
        f"and {stated} theorems, definitions, figures and the like with a number. Of the displays "
        f"{len(claimed)} are claims, {len(told_of)} are definitions, notation and the like (listed below)"
        f"{f', {unread} are not read yet' if unread else ''}. "
        f"{len(claims(key))} claims: {tally}.",
    ]
    if not claims(key):
        lines[-1] = (
            f"{len(index)} displays, {numbered} of them numbered; they are not claims with checks yet. Misprints: ../errata.md."
        )
    if paper.notation:
        lines += ["", "## Notation", "", f"| {paper.short} | nonholo | |", "|---|---|---|"]
        lines += [f"| {theirs} | {ours} | {remark} |" for theirs, ours, remark in paper.notation]
    section = ""
    for result in results:
        c = result.claim
        if c.section != section:
            section = c.section
            lines += ["", f"## {section}", ""]
        lines.append(f"- **{c.label}** {SIGNS[c.kind or c.verdict]}. {c.statement}")
        if c.kind is not None:
            lines += _wrong(of_claim(c, told(result.evidence)))
        elif c.reason:
            lines.append(f"  - {c.reason}")
    lines += ["", "## Without a claim", ""]
    for rest in rests(key):
        places = [
            f"display {d}" + (f" ({index[int(d) - 1][1]})" if index[int(d) - 1][1] else "") for d in rest.displays
        ]
        lines.append(f"- {rest.reason}: {', '.join([*places, *rest.statements])}")
    return "\n".join(lines) + "\n"


def errata_page(results: Sequence[Result]) -> str:
    """All that does not hold as printed, by kind: errors first, each with a derivation or a counterexample."""
    evidence = {(r.claim.paper, r.claim.label): told(r.evidence) for r in results}
    entries = errata()
    lines = [
        "# Errata of the papers",
        "",
        "Made by `make docs` from the claims of `nonholo_papers`; `nonholo verify` tests each entry: the printed form fails "
        "by at least 10⁶ times the residual of the right one.",
        "",
        f"{SOURCE} **The printed page decides.**",
        "",
        f"| | {' | '.join(TITLES.values())} | all |",
        f"|---|{'---|' * (len(KINDS) + 1)}",
    ]
    for key in (*names(), ""):
        own = [e for e in entries if key in ("", e.paper)]
        tally = [sum(e.kind == kind for e in own) for kind in KINDS]
        lines.append(f"| {paper_of(key).short if key else 'all'} | {' | '.join(map(str, tally))} | {len(own)} |")
    for kind in KINDS:
        lines += ["", f"## {TITLES[kind]}", "", WORDS[kind], ""]
        for e in entries:
            if e.kind == kind:
                lines.append(f"- **{paper_of(e.paper).short}, {e.label}**")
                lines += _wrong(replace(e, evidence=evidence.get((e.paper, e.label)) or e.evidence))
    return "\n".join(lines) + "\n"


EDITS = (
    "`nonholo verify --mutate` edits the formulas of the checks one place at a time: a sign, a factor, an index, a sine. "
    "*Seen*: a check no longer agrees. *Same formula*: both forms have the same value wherever they are evaluated, or the "
    "equations are the same up to constant factors. *Identity*: the equation holds identically in the value that is changed, "
    "such as a path or a metric, for which the display has a letter: it is changed at random, and the residual, analytic in it, "
    "still vanishes. *Wrong form*: the place belongs to a form that is wrong on purpose. What is none of these survives."
)
BY_FUNCTIONS = (
    "Theorems, propositions, lemmas and corollaries that are tested through the public functions (`nh.hamel`, `nh.reduce`, "
    "`nh.measure`, `nh.integrals`, …), most on systems whose coefficients are drawn (`nonholo_papers.drawn`), the others on "
    "freshly written ones or on the paper's own example; the other side is solved from the texts of the Lagrangian and the "
    "constraints alone, or by the multiplier form."
)
PROVED = ("Theorem", "Proposition", "Lemma", "Corollary")
OTHERWISE = {
    "Lemma 9.2.2": "every rotation has Euler angles: no function of the package states it; tested on matrices",
    "Lemma 9.4.1": "brackets of γ and κ, tested as fields; they enter Proposition 9.5.1",
    "Lemma 9.5.1": "rates of the arm and the height, tested as functions of θ; they enter Proposition 9.5.1",
    "Corollary 9.5.2": "Corollary 9.5.1 in other variables, tested as a formula",
    "Lemma 10.4.1": "brackets of γ and κ, tested as fields; they enter Proposition 10.5.1",
    "Corollary 10.5.2": "Corollary 10.5.1 in other variables, tested as a formula",
    "Lemma 13.4.1": "brackets of γ and κ, tested as fields; they enter Proposition 13.4.1",
}
"""Statements of MacDonnell 1997 that no public function states, with what tests them."""
KINDS_OF_STATEMENTS = ("Theorem", "Proposition", "Lemma", "Corollary", "Remark", "Example", "Figure", "Definition")


def counted(key: str) -> dict[str, tuple[int, int]]:
    """How many statements of each kind a paper has, and how many of them have a check; in words are those without a number.

    >>> counted("bmz")["Theorem"]
    (10, 10)
    """
    found = {kind: [0, 0] for kind in (*KINDS_OF_STATEMENTS, "in words")}
    for c in claims(key):
        numbered = [s.split()[0] for s in c.statements]
        for kind in numbered or (["in words"] if not c.displays and not c.by_functions else []):
            found[kind][0] += 1
            found[kind][1] += c.check is not None
    for rest in rests(key):
        for s in rest.statements:
            found[s.split()[0]][0] += 1
    shown = {_whole(d) for c in claims(key) if c.check is not None for d in c.displays}
    found["display"] = [len(formulas(key)), len(shown)]
    return {kind: (total, tested) for kind, (total, tested) in found.items()}


def proved_statements(key: str) -> list[str]:
    """The theorems, propositions, lemmas and corollaries of a paper, in the order of their claims.

    >>> proved_statements("notices")
    ['Theorem 3', 'Corollary 4', 'Theorem 5', 'Theorem 6', 'Theorem 7', 'Theorem 8']
    """
    found = [*(s for c in claims(key) for s in c.statements), *(s for r in rests(key) for s in r.statements)]
    return [s for s in found if s.split()[0] in PROVED]


def counts_page() -> str:
    """What was counted of each paper and how much of it is tested; what is not, with the reason."""
    tables = {key: counted(key) for key in names()}
    lines = [
        "# What of the papers is tested",
        "",
        "Made by `make docs`. Statements with a number, statements in words that say something that could be wrong, and "
        "displays: how many there are, and of how many a check is run (with edits of its formulas, `nonholo verify --mutate`). "
        "Displays without a check are definitions and notation, listed on the page of the paper.",
        "",
        f"| | {' | '.join(paper_of(key).short for key in names())} |",
        f"|---|{'---|' * len(names())}",
    ]
    for kind in (*KINDS_OF_STATEMENTS, "in words", "display"):
        cells = [f"{tested} of {total}" if total else "–" for total, tested in (tables[key][kind] for key in names())]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    lines += ["", "## Through the public functions", "", BY_FUNCTIONS, ""]
    for key in names():
        proved = proved_statements(key)
        tested = {s: c.label for c in claims(key) for s in c.by_functions}
        lines.append(f"- {paper_of(key).short}: {sum(s in tested for s in proved)} of {len(proved)}")
        lines += [f"  - {s}: {OTHERWISE[s]}" for s in proved if s not in tested]
    lines += ["", "## Edits of the checks", "", EDITS, ""]
    lines += ["| | claims with a check | edits | seen | same formula | identity | wrong form | survive |", f"|---|{'---|' * 7}"]
    table = json.loads(COUNTS.read_text("utf-8"))
    for key in names():
        lines.append(f"| {paper_of(key).short} | {' | '.join(str(n) for n in table[key].values())} |")
    totals = [sum(table[key][column] for key in names()) for column in table[names()[0]]]
    lines.append(f"| all | {' | '.join(map(str, totals))} |")
    lines += ["", "## Not tested, and why", ""]
    for key in names():
        for c in claims(key):
            if c.check is None:
                lines.append(f"- {paper_of(key).short}, {c.label}: {c.reason}")
        others = [(s, rest.reason) for rest in rests(key) for s in rest.statements if not s.startswith("Definition")]
        lines += [f"- {paper_of(key).short}, {s}: {reason}" for s, reason in others]
    return "\n".join(lines) + "\n"


def told(evidence: Evidence | None) -> str:
    """What a check found, in words that do not depend on the machine's rounding."""
    if evidence is None:
        return ""
    parts = [evidence.words, f"as printed off by {evidence.printed:.2g} of the largest term"]
    if evidence.right is not None:
        parts.append(f"as corrected below {TOLERANCE:g}")
    return "; ".join(p for p in parts if p)


def write(folder: Path) -> int:
    """All pages; the number of claims that disagree with their checks."""
    everything: list[Result] = []
    (folder / "literature").mkdir(parents=True, exist_ok=True)
    for key in names():
        results = run(claims(key))
        everything += results
        _replace(folder / "literature" / f"{key}.md", page(key, results))
        _replace(folder / "literature" / f"{key}_notes.md", markdown(note(key)))
    _replace(folder / "errata.md", errata_page(everything))
    _replace(folder / "literature" / "counts.md", counts_page())
    for result in everything:
        if not result.agrees:
            print(f"{result.claim}: {result.trouble}", file=sys.stderr)
    return sum(not r.agrees for r in everything)


def _wrong(e: Erratum) -> list[str]:
    shown = [("printed", _formula(e.printed)), (REMEDIES[e.kind], _formula(e.right)), ("because", _formula(e.because))]
    shown += [("for example", e.counterexample), ("in the paper", e.passage)]
    shown += [("evidence", e.evidence)]
    shown += [("it would break", e.breaks)] if e.kind != "reading" else []
    shown += [("exhibits", ", ".join(e.exhibits))]
    return [f"  - {what}: {text}" for what, text in shown if text]


def _formula(text: str) -> str:
    """LaTeX between dollars, words as they are."""
    return f"${text}$" if "\\" in text and "$" not in text else text


def _whole(display: str) -> str:
    return display.rstrip("abcdefghijklmnopqrstuvwxyz")


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(path.name + ".new")
    beside.write_text(text, "utf-8")
    beside.replace(path)


if __name__ == "__main__":
    write_text(FILE, published_text())
    sys.exit(1 if write(Path(sys.argv[1] if len(sys.argv) > 1 else "docs")) else 0)
