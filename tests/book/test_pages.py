"""The code of the book: every block is run, and what it prints is what the page shows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from book.blocks import ANY, RUN, blocks, commands, loose_commands, matches, run_page, with_outputs
from book.site import DOCS, ROOT, counted_page, pages

LONG = {
    "first-hour.md", "roboticist.md", "researcher.md", "teacher.md", "momentum.md", "measure.md", "fields.md", "living.md",
    "behaviour.md", "machines.md", "manual-bmz.md", "manual-macdonnell.md", "manual-notices.md",
}  # fmt: skip
"""Pages that take more than a second of processor time each (reports, reductions, fields, branches)."""
WITH_CODE = [p for p in pages() if any(b.kind in RUN for b in blocks(p.read_text("utf-8")))]


@pytest.mark.parametrize(
    "path",
    [pytest.param(p, marks=pytest.mark.slow) if p.name in LONG else p for p in WITH_CODE],
    ids=lambda p: p.stem,
)
def test_every_block_runs_and_prints_what_the_page_shows(path: Path, tmp_path: Path) -> None:
    results = run_page(path.read_text("utf-8"), tmp_path)
    wanted = [b for b in blocks(path.read_text("utf-8")) if b.kind in RUN and not b.excuse]
    assert [r.block for r in results] == wanted
    assert [f"line {r.block.first}: {r.trouble}\n{r.found}" for r in results if r.trouble] == []


def test_no_page_is_forgotten() -> None:
    names = {p.name for p in WITH_CODE}
    assert names > LONG and len(names) >= 16
    assert {p.name for p in (DOCS / "book").glob("*.md")} <= names


@pytest.mark.parametrize("path", pages(), ids=lambda p: p.stem)
def test_what_is_not_run_says_why_and_every_output_says_something(path: Path) -> None:
    text = path.read_text("utf-8")
    assert loose_commands(text) == [], "commands belong into blocks that are run"
    found = blocks(text)
    for before, block in zip([None, *found], found):
        if block.kind == "output":
            assert before is not None and before.kind == "python", f"line {block.first}: an output of no code"
        if block.kind in RUN and block.excuse:
            assert len(block.excuse.split()) > 3, block.excuse
        shown = [block.text] if block.kind == "output" else []
        shown += [s for _, s in commands(block.text)] if block.kind == "console" else []
        for output in shown:
            assert not output or any(c.isalnum() for c in output), f"line {block.first}: an output that anything matches"
        assert block.kind in (*RUN, "output", "text") or block.kind.startswith("{"), block.kind


def test_files_that_pages_name_exist() -> None:
    """Every `folder/file.py`, `file.ts`, `page.md` and `folder/` in quotes; those that begin with my are the reader's own."""
    inside = ("src", "papers", "tests", "benchmarks", "examples", "book", "viewer/src", "docs")
    known = {f"/{p.relative_to(ROOT).as_posix()}" for folder in inside for p in (ROOT / folder).rglob("*")}
    known |= {f"/{p.name}" for p in ROOT.iterdir()} | {"/viewer"}
    endings = {known_path[k:] for known_path in known for k, c in enumerate(known_path) if c == "/"}
    named = re.compile(r"`([\w./-]+(?:\.py|\.ts|\.md|/))`")
    missing = [
        f"{path.name}: {name}"
        for path in pages()
        for name in named.findall(path.read_text("utf-8"))
        if path.name != "CHANGELOG.md" and f"/{name.rstrip('/')}" not in endings and not Path(name).name.startswith("my")
    ]
    assert [m for m in missing if not m.endswith("PAPER/")] == []


OFTEN_RIGHT = {
    "solution", "run", "variation", "slopes", "defect", "fixed point", "periodic motion", "initial condition", "special point",
}  # fmt: skip
"""Words of the glossary's last column that mean other things too: solutions of exercises, slopes of roads."""


def test_pages_use_the_words_of_the_glossary() -> None:
    """Written pages name a concept by its word, not by what it is also called; code blocks and tables of papers apart."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]+) \|$", (DOCS / "glossary.md").read_text("utf-8"), re.M)[1:]
    also = {w.strip() for _, words in rows for w in words.split(",") if w.strip()} - OFTEN_RIGHT - {"---"}
    assert {"conserved quantity", "steady motion", "generalised speed"} <= also and len(also) > 12
    called = re.compile("|".join(rf"\b{re.escape(w.removesuffix('y'))}(?:y|ies|s)?\b" for w in sorted(also)), re.I)
    others = {"glossary.md", "errata.md", "theorems.md", "CHANGELOG.md", "notation.md"}
    wrong = []
    for path in [*pages(), ROOT / "README.md"]:
        text = re.sub(r"```.*?```|`[^`\n]+`|<!--.*?-->", " ", path.read_text("utf-8"), flags=re.S)
        wrong += [f"{path.name}: {w}" for w in called.findall(text) if path.name not in others]
    assert wrong == []


def test_the_book_says_what_it_does_not_run() -> None:
    page = counted_page()
    excused = [b.excuse for p in pages() for b in blocks(p.read_text("utf-8")) if b.excuse]
    assert 3 <= len(excused) < 10 and all(f": {e}" in page.replace("\\", "") for e in excused)


def test_a_wrong_output_an_error_and_a_silent_page_are_noticed(tmp_path: Path) -> None:
    def troubles(page: str) -> list[str]:
        return [r.trouble for r in run_page(page, tmp_path)]

    assert troubles("```python\nprint(1 + 1)\n```\n```output\n2\n```\n") == [""]
    assert troubles("```python\nprint(1 + 1)\n```\n```output\n3\n```\n") == ["prints something else"]
    assert "does not show" in troubles("```python\nprint(1 + 1)\n```\n")[0]
    assert "ZeroDivisionError" in troubles("```python\n1/0\n```\n")[0]
    assert troubles("```python raises\n1\n```\n") == ["raised nothing"]
    assert troubles("<!-- first:\nx = 5\n-->\n\n```python\nprint(x)\n```\n```output\n5\n```\n") == ["", ""]
    assert "something else" in troubles("```console\n$ nonholo derive euler-top\nnothing\n```\n")[0]
    assert "exit code 2" in troubles("```console\n$ nonholo derive slegh\n```\n")[0]
    assert troubles("```console\n$ nonholo derive slegh\nnonholo: the gallery has no system 'slegh'; …\n```\n") == [""]
    assert "only nonholo" in troubles("```console\n$ rm -rf x\n```\n")[0]
    assert "is no system" in troubles('```toml\ncoordinates = "x"\nlagrangian = "teta"\n```\n')[0]
    assert troubles("<!-- not run: because it must not be -->\n```python\n1/0\n```\n") == []


def test_outputs_are_filled_in_where_they_differ(tmp_path: Path) -> None:
    page = "```python\nprint('a', 1.5e-12)\n```\n```output\nb\n```\nend\n"
    made = with_outputs(page, run_page(page, tmp_path))
    assert made == page.replace("\nb\n", f"\na {ANY}\n")
    assert not any(r.trouble for r in run_page(made, tmp_path)) and matches(f"a {ANY}", "a 1.5e-12")
