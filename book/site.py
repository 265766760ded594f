"""The pages together: ``docs`` as it is, what is generated beside it, and Sphinx over all of it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path

from book.blocks import RUN, blocks
from book.markdown import escaped
from book.notebooks import write_notebooks
from book.paper_figures import write_figures
from book.reference import write_reference
from book.search import write_texts
from book.systems import names, write_systems

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
OUT = ROOT / "build" / "book"
AROUND = {"CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changes.md", "SECURITY.md": "security.md"}
"""Files of the project that are pages of the book -> their names there."""


def pages() -> list[Path]:
    """The written pages whose code is run: those of ``docs`` and those around it."""
    return [*sorted(DOCS.glob("*.md")), *sorted((DOCS / "book").rglob("*.md")), *(ROOT / n for n in AROUND)]


def assemble(out: Path, systems: Iterable[str], notebooks: bool = True) -> None:
    """The sources of the site in ``out/source``, figures in ``out/extra``; links to systems left out lead to their index."""
    source, extra = out / "source", out / "extra"
    for folder in (source, extra):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(DOCS, source)
    extra.mkdir(parents=True)
    (extra / ".nojekyll").touch()
    for name, place in AROUND.items():
        text = (ROOT / name).read_text("utf-8").replace("](docs/", "](")
        (source / place).write_text(text, "utf-8")
    for path in source.rglob("*.md"):
        text = path.read_text("utf-8")
        for name, place in AROUND.items():
            text = text.replace(f"](../{name}", f"]({place}")
        text = text.replace("](literature)", "](literature/bmz.md)")
        for name in set(names()) - set(systems):
            text = text.replace(f"systems/{name}.md)", "systems/index.md)")
            text = re.sub(rf'<iframe class="living" src="[./]*living/{name}\.html".*</iframe>', "<!-- figure left out -->", text)
        path.write_text(_untagged(text), "utf-8")
    write_systems(source, extra, systems)
    write_reference(source)
    write_figures(source)
    if notebooks:
        write_notebooks(DOCS, source, extra, out / "notebooks")
    (source / "tested.md").write_text(counted_page(), "utf-8")


def _untagged(text: str) -> str:
    """Formulas without the numbers of their papers, which stand in the text anyway."""
    return re.sub(r"\s*\\tag\{[^}]*\}", "", text)


def counted_page() -> str:
    """What is run of the book, counted, and what is not, with the reason."""
    rows, excuses = [], []
    for path in pages():
        found = [b for b in blocks(path.read_text("utf-8")) if b.kind in RUN]
        if found:
            run = sum(not b.excuse for b in found)
            rows.append(f"| {path.relative_to(ROOT)} | {run} | {len(found) - run} |")
            excuses += [f"- {path.relative_to(ROOT)}, line {b.first}: {escaped(b.excuse)}" for b in found if b.excuse]
    return "\n".join(
        [
            "# What of this book is tested",
            "",
            "Every block of Python is run by the tests in the order of its page, every `nonholo …` as a command, every file "
            "is read, and printed outputs are compared (`tests/book`). Examples in docstrings are run by pytest; reports, "
            "motions and facts of every system of the gallery are tests of their own. Links, "
            "anchors and pictures of the built site are followed; addresses on the network are not.",
            "",
            "| page | blocks run | not run |",
            "|---|---|---|",
            *rows,
            "",
            "Not run, and why:",
            "",
            *excuses,
            "",
        ]
    )


def build(out: Path = OUT, systems: Iterable[str] | None = None, quiet: bool = True) -> Path:
    """Build the site and say where it is; a warning of Sphinx is an error. Notebooks belong to the whole book."""
    from sphinx.cmd.build import build_main

    assemble(out, names() if systems is None else tuple(systems), notebooks=systems is None)
    site = out / "site"
    for old in (site, out / "kept"):
        shutil.rmtree(old, ignore_errors=True)
    words = ["-b", "html", "-W", "--keep-going", "-c", str(Path(__file__).parent / "theme"), "-d", str(out / "kept")]
    words += ["-D", f"html_extra_path={out / 'extra'}"]
    code = build_main([*words, *(["-q"] if quiet else []), str(out / "source"), str(site)])
    if code:
        raise RuntimeError("Sphinx found something wrong; its lines above say where")
    write_texts(site)
    return site
