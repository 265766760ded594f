"""``python -m nonholo_papers.pages docs``: a page for each paper, and the errata, from the claims and their checks.

Numbers in the pages are those of wrong forms, to two digits, and bounds for right ones, so that the pages are the same
on every machine.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from nonholo.gallery.published import FILE, Erratum
from nonholo.writing import write_text
from nonholo_papers import claims, formulas, names, paper_of, rests
from nonholo_papers.claim import TOLERANCE, Evidence
from nonholo_papers.errata import WRONG, errata, of_claim
from nonholo_papers.published import text as published_text
from nonholo_papers.runner import Result, counts, run

SIGNS = {
    "confirmed": "✓",
    "misprint": "✗ misprint",
    "conditional": "under a condition",
    "refuted": "✗ refuted",
    "not checkable": "–",
}


def page(key: str, results: Sequence[Result]) -> str:
    """One paper: what was counted, its notation beside ours, every claim with its verdict, and the rest."""
    paper = paper_of(key)
    index = formulas(key)
    numbered = sum(bool(row[1]) for row in index)
    tally = ", ".join(f"{n} {verdict}" for verdict, n in counts(claims(key)).items() if n)
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
        lines.append(f"- **{c.label}** {SIGNS[c.verdict]}. {c.statement}")
        if c.verdict in WRONG:
            lines += _wrong(of_claim(c, told(result.evidence)), c.verdict)
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
    """All that is wrong as printed, by the harm it does to someone who trusts it."""
    evidence = {(r.claim.paper, r.claim.label): told(r.evidence) for r in results}
    harms = {
        5: "Wrong motion, in general",
        4: "Wrong motion, in an example",
        3: "A wrong quantity",
        2: "A wrong step, hypothesis or statement",
        1: "Slips that a reader sees",
    }
    lines = [
        "# Misprints of the papers",
        "",
        "Made by `make docs` from the claims of `nonholo_papers`; `nonholo verify` tests them: each printed form fails by "
        "at least 10⁶ times the residual of the right one. Ordered by the harm they do.",
    ]
    for harm, title in harms.items():
        entries = [e for e in errata() if e.harm == harm]
        if entries:
            lines += ["", f"## {title}", ""]
        for e in entries:
            words = evidence.get((e.paper, e.label)) or e.evidence
            lines.append(f"- **{paper_of(e.paper).short}, {e.label}**")
            lines += _wrong(Erratum(e.paper, e.label, e.printed, e.right, words, e.exhibits, e.harm, e.breaks), "")
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
    _replace(folder / "errata.md", errata_page(everything))
    for result in everything:
        if not result.agrees:
            print(f"{result.claim}: {result.trouble}", file=sys.stderr)
    return sum(not r.agrees for r in everything)


def _wrong(e: Erratum, verdict: str) -> list[str]:
    shown = [
        ("printed", _formula(e.printed)),
        ("holds when" if verdict == "conditional" else "right", _formula(e.right)),
    ]
    shown += [("evidence", e.evidence), ("it would break", e.breaks), ("exhibits", ", ".join(e.exhibits))]
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
