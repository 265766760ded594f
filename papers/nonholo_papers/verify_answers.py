"""Answers of the command ``nonholo verify``: verdicts of claims and facts, edits that no check sees, the note on a paper."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from nonholo import gallery
from nonholo.cli.interrupts import interrupts
from nonholo.cli.terminal import as_json, say, table, working
from nonholo.errors import ModelError, NonholoError, meant
from nonholo.writing import write_text
from nonholo_papers import claims, formulas, names, paper_of
from nonholo_papers.latex_note import latex
from nonholo_papers.mutation import FATES, processors, survey
from nonholo_papers.note import as_json_text, bibtex, markdown, note
from nonholo_papers.printed_note import html, write_pdf
from nonholo_papers.runner import counts, kinds, row, run, summary

SIGNS = {"holds": "✓", "fails": "✗", "unknown": "?"}


def show_verdicts(name: str | None, label: str | None, json: bool) -> int:
    """The claims of a paper, or the claims and facts of an exhibit, or all; 1 when a check disagrees with its record."""
    about = _claims_about(name, label)
    facts: list[dict[str, Any]] = []
    with interrupts() as seen, working("verify") as progress:
        results = run(about, progress)
        if label is None and name not in names():
            facts = _facts((*gallery.system_names(), *gallery.field_names()) if name is None else (name,), seen, progress)
    failed = [r for r in results if not r.agrees]
    broken = sum(fact["verdict"] != "holds" for fact in facts)
    if json:
        tally: dict[str, Any] = {"claims": len(results), "disagree": len(failed), **counts(about), "kinds": kinds(about)}
        tally |= {"facts": len(facts), "facts_fail": broken}
        as_json({"claims": [row(r) for r in results], "facts": facts, "counts": tally})
        return 1 if failed or broken else 0
    if results:
        rows = [
            ("✓" if r.agrees else "✗", r.claim.paper, r.claim.label, r.claim.kind or r.claim.verdict, r.claim.statement)
            for r in results
        ]
        table(("", "paper", "label", "kind", "claim"), rows)
    for r in failed:
        say(f"✗ {r.claim.paper} {r.claim.label}: recorded as {r.claim.verdict}, but {r.trouble}")
    if facts:
        table(
            ("", "exhibit", "claim", "source"),
            [(SIGNS[f["verdict"]], f["exhibit"], f["claim"], f["source"]) for f in facts],
        )
    if results:
        say(f"{len(results)} claims: {summary(about)}; {len(failed)} disagree with their checks")
    if facts:
        say(f"{len(facts) - broken} facts hold, {broken} do not")
    return 1 if failed or broken else 0


def _claims_about(name: str | None, label: str | None) -> list[Any]:
    """The claims of a paper, of an exhibit, or all; of one label where it is given."""
    papers = (name,) if name in names() else names()
    about = [c for key in papers for c in claims(key)]
    if name is not None and name not in names():
        if meant(name, names()) and name not in gallery.names():
            paper_of(name)
        gallery.get(name)
        about = [c for c in about if name in c.exhibits]
    if label is not None:
        about = _labelled(label, about)
        if not about:
            raise ModelError(f"--label {label}: no claim has this label; leave it out to see them all.")
    return about


def show_survivors(name: str | None, label: str | None, json: bool) -> int:
    """Edits of the checks that no check sees; 1 when there are any."""
    about = _claims_about(name, label)
    with interrupts(), working("verify --mutate") as progress:
        found = survey(about, progress, processors())
    counted = {fate: len(found.of(fate)) for fate in FATES}
    survivors = found.of("survives")
    if json:
        as_json(
            {
                "claims": len(about),
                "tried": len(found.mutants),
                "counts": counted,
                "survivors": [m.row() for m in survivors],
                "blunt": [f"{paper} {claim}" for paper, claim in found.blunt],
                "excused": [m.row() for m in found.mutants if m.fate not in ("seen", "survives")],
            }
        )
    else:
        for line in map(str, survivors):
            say(line)
        for paper, claim in found.blunt:
            say(f"{paper} {claim}: the check sees no edit inside its terms")
        shares = ", ".join(f"{n} {FATES[fate]}" for fate, n in counted.items() if n)
        say(f"{len(found.mutants)} edits of the checks of {len(about)} claims: {shares}")
    return 1 if survivors or found.blunt else 0


def write_note(name: str | None, out: Path | None, json: bool) -> int:
    """The note on a paper, printed or written; its entries are tested first, and 1 is returned when one disagrees."""
    if name is None:
        raise ModelError(f"--note: a paper is needed, one of {', '.join(names())}.")
    paper_of(name)
    made = {".md": markdown, ".html": html, ".tex": latex, ".pdf": None, ".bib": bibtex, ".json": as_json_text}
    ending = ".json" if json and out is None else ".md" if out is None else out.suffix
    if ending not in made:
        raise ModelError(f"-o {out}: the note's ending is {ending or 'missing'}; give one of {', '.join(made)}.")
    with working("verify") as progress:
        failed = [r for r in run([c for c in claims(name) if c.kind is not None], progress) if not r.agrees]
    written, writer = note(name, datetime.now(UTC).date().isoformat()), made[ending]
    for r in failed:
        print(f"✗ {r.claim.paper} {r.claim.label}: recorded as {r.claim.verdict}, but {r.trouble}", file=sys.stderr)
    if out is None:
        say((writer or markdown)(written).rstrip("\n"))
    elif writer is None:
        say(f"wrote {out}, set by {write_pdf(written, out)}")
    else:
        write_text(out, writer(written))
        say(f"wrote {out}")
    return 1 if failed else 0


def _labelled(label: str, claims: list[Any]) -> list[Any]:
    """The claims a user means: by equation number, label or numbered statement; else those whose label mentions it."""
    wanted = label.strip().strip("()").lower()

    def numbers(claim: Any) -> set[str]:
        index = formulas(claim.paper)
        places = [int(d.rstrip("abcdefghijklmnopqrstuvwxyz")) - 1 for d in claim.displays]
        return {index[k][1] for k in places if k < len(index)}

    exact = [
        c
        for c in claims
        if wanted in numbers(c) or wanted in (c.label.strip("()").lower(), *(s.lower() for s in c.statements))
    ]
    marks = str.maketrans("(),;:–", "      ")
    return exact or [
        c for c in claims if wanted in c.label.lower().translate(marks).split() or wanted in c.label.lower()
    ]


def _facts(names: Any, seen: list[int], progress: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for exhibit in map(gallery.get, names):
        for fact in exhibit.facts:
            progress(f"{exhibit.name}: {fact.claim}")
            try:
                finding = fact(exhibit)
                verdict, value = finding.verdict, finding.value
            except NonholoError as problem:
                verdict, value = "fails", str(problem)
            if seen:  # the fact was tested on a motion that ended too early
                raise KeyboardInterrupt
            rows.append({"exhibit": exhibit.name, "claim": fact.claim, "source": fact.source})
            rows[-1] |= {"verdict": verdict, "value": value}
    return rows
