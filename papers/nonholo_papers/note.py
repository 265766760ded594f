"""A note to the author of a paper, made from the records: errors first, then conditions, conventions, slips and readings.

Entries come in the order of the paper's text. Each has an identifier that does not change as long as its label does not,
and the command that tests it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from nonholo import __version__
from nonholo.gallery.published import REMEDIES, Erratum
from nonholo_papers import claims, paper_of
from nonholo_papers.claim import KINDS
from nonholo_papers.errata import of_claim
from nonholo_papers.paper import Paper

TITLES = {
    "error": "Errors",
    "condition": "Conditions that are needed",
    "convention": "Conventions",
    "slip": "Slips",
    "reading": "Readings",
}
WORDS = {
    "error": "Wrong as it stands: no other place of the paper has the right form, or the wrong one is repeated or used.",
    "condition": "True under a condition that is not stated.",
    "convention": "No error: right in the convention that the paper uses, which not every reader shares.",
    "slip": "An index, a sign or a word that the lines around it correct.",
    "reading": "A lost dot, bar or brace, or one glyph for another: probably the transcription's, not the printed page's.",
}
SOURCE = (
    "What was read is a text that a machine transcribed from the printed pages. Dots, bars and braces can be lost in "
    "it and glyphs mistaken (ψ for v, a root sign for χ, an equality sign for a minus). Where the passage itself, another "
    "equation of the paper or a known misreading gives the right form, the entry is a slip or a reading and no error of the "
    "author."
)


@dataclass(frozen=True)
class Note:
    """The entries of one paper, with the version and the day on which their checks were run."""

    paper: Paper
    entries: tuple[Erratum, ...]
    date: str = ""
    version: str = __version__

    def of_kind(self, kind: str) -> tuple[Erratum, ...]:
        """The entries of one kind, in the order of the text."""
        return tuple(e for e in self.entries if e.kind == kind)

    @property
    def tested_by(self) -> str:
        """Version, day and command."""
        return f"{self.stamp}: nonholo verify {self.paper.key} --note"

    @property
    def stamp(self) -> str:
        """Version and day."""
        return f"nonholo {self.version}{f', {self.date}' if self.date else ''}"


def note(key: str, date: str = "") -> Note:
    """The note on a paper.

    >>> [e.label for e in note("zenkov").of_kind("error")][-1]
    '(6.6)'
    """
    return Note(paper_of(key), tuple(of_claim(c) for c in claims(key) if c.kind is not None), date)


def identifier(entry: Erratum) -> str:
    """A name for an entry: the paper, the ASCII part of the label, and six digits of the label's digest.

    >>> identifier(note("zenkov").of_kind("error")[-1])
    'zenkov-6.6-97c7ca'
    """
    plain = unicodedata.normalize("NFKD", entry.label).encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9.]+", "-", plain.lower()).strip("-.")[:40].strip("-.")
    return f"{entry.paper}-{words}-{sha256(entry.label.encode()).hexdigest()[:6]}"


def command(entry: Erratum) -> str:
    """What tests the entry again."""
    return f'nonholo verify {entry.paper} --label "{entry.label}"'


def opening(of: Note) -> list[str]:
    """The first paragraphs of a note."""
    found = {kind: len(of.of_kind(kind)) for kind in KINDS}
    names = {kind: TITLES[kind].split()[0].lower() for kind in KINDS}
    counted = ", ".join(f"{n} {names[kind] if n > 1 else names[kind].removesuffix('s')}" for kind, n in found.items() if n)
    return [
        "Every display and numbered statement of this paper was compared by machine with something independent of it: Newton's "
        "laws, the equations of motion with multipliers, brackets of vector fields in coordinates, closed forms. Almost all of "
        f"them hold. These are the places where a reader may stumble: {counted}. They are offered with thanks for the paper.",
        f"{SOURCE} The printed page decides.",
    ]


def markdown(of: Note) -> str:
    """The note in Markdown."""
    lines = [f"# Notes on {of.paper.short}", "", of.paper.title, "", f"`{of.tested_by}`"]
    for paragraph in opening(of):
        lines += ["", paragraph]
    for kind in KINDS:
        if entries := of.of_kind(kind):
            lines += ["", f"## {TITLES[kind]}", "", WORDS[kind]]
        for e in entries:
            lines += ["", f"### {e.label}", ""] if kind == "error" else ["", f"**{e.label}**", ""]
            lines += [f"- {what}: {_formula(text)}" for what, text in rows(e)]
            lines += [f"- `{identifier(e)}`, tested by `{command(e)}` ({of.stamp})"]
    return "\n".join(lines) + "\n"


def rows(e: Erratum) -> list[tuple[str, str]]:
    """What is told of an entry, with a word before each; words as sentences."""
    found = [("printed", e.printed), (REMEDIES[e.kind], e.right)]
    if e.kind in ("error", "condition"):
        found += [("because", e.because), ("for example", e.counterexample), ("in the paper", e.passage)]
        found += [("as printed it would break", e.breaks)]
    elif not e.right:
        found += [("because", e.because)]
    return [(what, text if what in _FORMULAS else sentence(text)) for what, text in found if text]


_FORMULAS = ("printed", "should read", "reads probably")


def sentence(text: str) -> str:
    """Words with a capital at the beginning and a full stop; formulas as they are.

    >>> sentence("wrong motion"), sentence("|φ′| = 1"), sentence(r"\\text{a}")
    ('Wrong motion.', '|φ′| = 1.', '\\\\text{a}')
    """
    if "\\" in text:
        return text
    first = text.split()[0].rstrip(",:")
    capital = text[:1].upper() if first.isascii() and first.isalpha() and (len(first) > 2 or first in _SHORT) else text[:1]
    return capital + text[1:] + ("" if text.endswith((".", "?", "!", ".)")) else ".")


_SHORT = ("a", "an", "as", "at", "by", "if", "in", "is", "it", "no", "of", "on", "or", "so", "to", "we")


def _formula(text: str) -> str:
    """LaTeX between dollars, words as they are."""
    return f"${text}$" if "\\" in text and "$" not in text else text


def scripts(text: str) -> list[tuple[str, str]]:
    """Words cut at their indices: pairs of a mark, "", "_" or "^", and what stands there.

    An index is what is in braces, a run of small letters and digits, or one of capitals; before the same mark its last letter is
    the next one's base, as in v^jv^k.

    >>> scripts("c_ij^m v^jv^k, T_qQ")
    [('', 'c'), ('_', 'ij'), ('^', 'm'), ('', ' v'), ('^', 'j'), ('', 'v'), ('^', 'k'), ('', ', T'), ('_', 'q'), ('', 'Q')]
    """
    found: list[tuple[str, str]] = []
    plain, place = "", 0
    spread = unicodedata.normalize("NFD", text)
    while place < len(spread):
        mark = spread[place]
        hit = _INDEX.match(spread, place + 1) if mark in "_^" and (found or plain) and not plain.endswith(" ") else None
        if hit is None:
            plain, place = plain + mark, place + 1
            continue
        index, place = hit[0], hit.end()
        if len(letters := _LETTER.findall(index)) > 1 and spread[place : place + 1] == mark and index[0] != "{":
            index, place = "".join(letters[:-1]), place - len(letters[-1])
        found += [("", plain)] if plain else []
        found.append((mark, index.strip("{}")))
        plain = ""
    pairs = [*found, *([("", plain)] if plain else [])]
    return [(mark, unicodedata.normalize("NFC", part)) for mark, part in pairs]


_LETTER = re.compile("[^\u0300-\u036f][\u0300-\u036f]*")
_INDEX = re.compile("\\{[^{}]*\\}|(?:[a-zα-ωϖϰℓ0-9′][\u0300-\u036f]*)+|(?:[A-ZΑ-Ω][\u0300-\u036f]*)+|\\*|∥|⊥")


WIDE = 66
"""Signs of a formula that fit on a line."""


def broken(row: str) -> list[str]:
    """A row of LaTeX cut where it is too wide for a line: after a comma, or before a sign, outside all brackets.

    >>> broken("a = b"), len(broken(" + ".join(["f(x + y)"] * 20)))
    (['a = b'], 3)
    >>> [part.count("=") for part in broken(", ".join(["f(x, y) = g(x) + h(y) + k(x y)"] * 6))]
    [2, 2, 2]
    """
    if _width(row) <= WIDE or r"\begin" in row:
        return [row]
    found, start = [], 0
    places = _cuts(row)
    while _width(row[start:]) > WIDE:
        fitting = [(place, comma) for place, comma in places if place > start and _width(row[start:place]) <= WIDE]
        wide = [place for place, comma in fitting if comma and _width(row[start:place]) > WIDE / 3] or [
            place for place, _ in fitting if _width(row[start:place]) > WIDE / 3
        ]
        following = wide or [place for place, _ in places if _width(row[start:place]) > WIDE / 3]
        if not following:
            break
        cut = max(wide) if wide else min(following)
        found.append(row[start:cut])
        start = cut
    return [*found, row[start:]]


def _cuts(row: str) -> list[tuple[int, bool]]:
    """Where a row may be cut, outside all brackets: after commas and wide spaces (true), and before signs (false)."""
    found, depth = [], 0
    for hit in re.finditer(r"\\left|\\right|\\[{}]|,?\s*\\quad|\\[a-zA-Z]+|,|[][(){}=+-]", row):
        sign = hit[0]
        depth += (sign in ("(", "[", "{", r"\{")) - (sign in (")", "]", "}", r"\}"))
        if depth == 0 and (sign == "," or sign.endswith("quad")):
            found.append((hit.end(), True))
        elif depth == 0 and sign in "=+-" and hit.start():
            found.append((hit.start(), False))
    return found


def _width(row: str) -> int:
    """About how many signs a formula shows."""
    spoken = re.sub(r"\\(?:left|right|quad|overline|mathcal|mathrm|bar|dot|text|begin|end|frac|tfrac)\b|\\[,;]", "", row)
    return len(re.sub(r"[\\{}^_& ]", "", re.sub(r"\\[a-zA-Z]+", "x", spoken)))


def as_data(of: Note) -> dict[str, Any]:
    """The note as plain data."""
    return {
        "paper": of.paper.key,
        "title": of.paper.title,
        "version": of.version,
        "date": of.date,
        "source": f"{SOURCE} The printed page decides.",
        "counts": {kind: len(of.of_kind(kind)) for kind in KINDS},
        "entries": [
            {
                "id": identifier(e), "kind": e.kind, "label": e.label, "printed": e.printed, "right": e.right,
                "because": e.because, "counterexample": e.counterexample, "passage": e.passage, "breaks": e.breaks,
                "version": of.version, "date": of.date, "exhibits": list(e.exhibits), "command": command(e),
            }
            for kind in KINDS
            for e in of.of_kind(kind)
        ],
    }  # fmt: skip


def as_json_text(of: Note) -> str:
    """The note as JSON."""
    return json.dumps(as_data(of), ensure_ascii=False, indent=1) + "\n"


def bibtex(of: Note) -> str:
    """The paper's entry for BibTeX."""
    kind, fields = of.paper.reference
    inner = ",\n".join(f"  {name} = {{{value}}}" for name, value in fields)
    return f"@{kind}{{{of.paper.key},\n{inner}\n}}\n"
