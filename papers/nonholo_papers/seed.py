"""The displays and numbered statements of a paper's text, counted: so that a test can say that none was forgotten.

    python -m nonholo_papers.seed list bmz ../shared/seeds     # every display with its ordinal and its number
    python -m nonholo_papers.seed ../shared/seeds              # write displays.json of every paper anew

The texts themselves are not part of the package: of each display it keeps a digest and its number, and the formula
where a claim is about it.
"""

from __future__ import annotations

import json
import re
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from nonholo_papers.section import STATEMENTS

_DISPLAY = re.compile(r"\$\$(.*?)\$\$", re.DOTALL)
_NUMBER = r"\((\d+(?:\.\d+)*[a-z]?)\)"
_WORDS = "|".join(w for w in STATEMENTS if w != "Figure")
_HEADING = re.compile(
    rf"^[\s*#>-]*({_WORDS})s?\s+(\d+(?:\.\d+)*)(?!\.?\d)(?=[.:*]|\s*\(|\s*$)", re.IGNORECASE | re.MULTILINE
)
_INLINE = re.compile(rf"(?:(?<=\*\*)|(?<=[.] ))({_WORDS}) (\d+(?:\.\d+)*)\.(?:\*\*)? +(?=[A-Z*$])")
_FIGURES = re.compile(r"\bFig(?:ures?|s?\.)\s*\d+(?:\.\d+)*(?:,? (?:and|to) (?:Fig\. )?\d+(?:\.\d+)*)?", re.IGNORECASE)
_RAISED = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁽⁾", "0123456789()")


@dataclass(frozen=True)
class Display:
    """One display: its place among all, a digest of it, its number in the paper (or ""), and the formula."""

    ordinal: int
    digest: str
    number: str
    latex: str


def displays(text: str) -> tuple[Display, ...]:
    """All displays of a text, with the numbers that stand in them, before them or after them.

    >>> [(d.ordinal, d.number) for d in displays("$$a = b, (2.1)$$ and $$c \\\\tag{7}$$ and\\n(3) \\n$$d$$ then $$e$$\\n(4)\\n")]
    [(1, '2.1'), (2, '7'), (3, '3'), (4, '4')]
    """
    found = []
    end = 0
    for ordinal, match in enumerate(_DISPLAY.finditer(text), 1):
        latex = " ".join(match.group(1).split())
        number = _number(latex, text[end : match.start()], text[match.end() : match.end() + 20])
        digest = sha256("".join(latex.split()).encode()).hexdigest()[:10]
        found.append(Display(ordinal, digest, number, latex))
        end = match.end()
    return tuple(found)


def _number(latex: str, before: str, after: str) -> str:
    tags = re.findall(r"\\tag\{([^}]*)\}", latex)
    if tags:
        return str(tags[-1])
    inside = _NUMBER.replace("*", "+")  # within a formula only numbers with a dot: (2) may be an argument
    for place, pattern in ((latex, inside + "$"), (latex, "^" + inside), (before, r"(?:^|\n)" + _NUMBER + r"\s*$")):
        hit = re.search(pattern, place)
        if hit:
            return hit.group(1)
    hit = re.match(r"\s*\n\s*" + _NUMBER + r"\s*\n", after.translate(_RAISED))
    return hit.group(1) if hit else ""


def statements(text: str) -> tuple[str, ...]:
    """Theorems, lemmas, definitions … with a number, in order, each once; remarks without one; all figures that are mentioned.

    A heading begins a line, stands in bold, or begins a sentence and is one by itself.

    >>> statements("Theorem 2.1. *Let …*\\n\\nas in\\nTheorem 2.1 and\\n**Figure 3**: a disk; see Figs. 4 and 5")
    ('Theorem 2.1', 'Figure 3', 'Figure 4', 'Figure 5')
    >>> statements("$$a \\\\tag{7}$$ We have **Lemma 2.** It is so. Lemma 3. So is this, by Lemma 9. Now\\nRemark. The first")
    ('Lemma 2', 'Lemma 3', 'Remark after (7)')
    """
    found = [(m.start(), f"{m.group(1).capitalize()} {m.group(2)}") for m in _HEADING.finditer(text)]
    found += [(m.start(), f"{m.group(1)} {m.group(2)}") for m in _INLINE.finditer(text)]
    for m in _FIGURES.finditer(text):
        found += [(m.start(), f"Figure {number}") for number in re.findall(r"\d+(?:\.\d+)*", m.group(0))]
    ends = [m.end() for m in _DISPLAY.finditer(text)]
    for m in re.finditer(r"^Remark\.", text, re.MULTILINE):
        numbers = [d.number for d, end in zip(displays(text), ends) if end < m.start() and d.number]
        found.append((m.start(), f"Remark after ({numbers[-1]})" if numbers else "Remark at the beginning"))
    return tuple(dict.fromkeys(name for _, name in sorted(found)))


def chapters(text: str) -> dict[int, tuple[int, ...]]:
    """The ordinals of the displays of each chapter, where lines ``Chapter 3 …`` divide the text; else empty.

    >>> chapters("Chapter 1\\n$$a$$\\nChapter 2 Names\\n$$b$$ and $$c$$")
    {1: (1,), 2: (2, 3)}
    """
    heads = list(re.finditer(r"^Chapter (\d+)\b", text, re.MULTILINE))
    places = [match.start() for match in _DISPLAY.finditer(text)]
    ends = [*(h.start() for h in heads[1:]), len(text)]
    return {
        int(h.group(1)): tuple(n for n, place in enumerate(places, 1) if h.start() < place < end)
        for h, end in zip(heads, ends)
    }


def write_index(folder: Path) -> None:
    """``displays.json`` for every paper whose text is in the folder."""
    from nonholo_papers import claims, folder_of, papers

    for paper in papers():
        source = folder / paper.text
        if not source.exists():
            continue
        claimed = {re.sub(r"[a-z]+$", "", d) for c in claims(paper.key) for d in c.displays}
        rows = [
            [d.digest, d.number, d.latex if str(d.ordinal) in claimed else ""]
            for d in displays(source.read_text("utf-8"))
        ]
        lines = ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        (folder_of(paper.key) / "displays.json").write_text(f"[\n{lines}\n]\n", "utf-8")


def _main(arguments: list[str]) -> None:
    from nonholo_papers import paper_of

    if arguments[:1] == ["list"]:
        source = Path(arguments[2] if len(arguments) > 2 else "../shared/seeds") / paper_of(arguments[1]).text
        text = source.read_text("utf-8")
        for d in displays(text):
            print(f"{d.ordinal:4} {d.number:7} {d.latex}")
        print(*statements(text), sep="\n")
        return
    write_index(Path(arguments[0] if arguments else "../shared/seeds"))


if __name__ == "__main__":
    _main(sys.argv[1:])
