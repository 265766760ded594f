"""The words of every page, for excerpts below the results of a search."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

from book.links import APART

LONGEST = 40_000
"""Characters of a page that are kept."""
APART_FROM = ("small", "br")
"""Elements that do not run on from the word before them."""
BESIDE = ("script", "style", "math", "svg", "nav", "aside", "head", "button")


class _Words(HTMLParser):
    """The text of a page's article."""

    def __init__(self) -> None:
        super().__init__()
        self.inside, self.beside, self.sign = 0, 0, False
        self.parts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside += tag == "article"
        self.beside += tag in BESIDE
        self.sign = tag == "a" and "headerlink" in (dict(attrs).get("class") or "")
        if tag in APART_FROM:
            self.parts.append(" ")

    def handle_endtag(self, tag: str) -> None:
        self.inside -= tag == "article"
        self.beside -= tag in BESIDE
        self.sign = False

    def handle_data(self, data: str) -> None:
        if self.inside and not self.beside and not self.sign:
            self.parts.append(data)


def page_words(html: str) -> str:
    """What a reader sees of an article, without formulas and code of the page.

    >>> page_words('<nav>a</nav><article><h1>Title<a class="headerlink" href="#">¶</a></h1><script>b</script> text</article>')
    'Title text'
    >>> page_words("<article><b>Sleigh</b><small>sleigh</small></article>")
    'Sleigh sleigh'
    """
    reader = _Words()
    reader.feed(html)
    return " ".join("".join(reader.parts).split())[:LONGEST]


def write_texts(site: Path) -> None:
    """``texts.js`` of a built site: page -> its words."""
    found = {}
    for path in sorted(site.rglob("*.html")):
        where = path.relative_to(site)
        if where.parts[0] != APART and (words := page_words(path.read_text("utf-8"))):
            found[where.with_suffix("").as_posix()] = words
    (site / "texts.js").write_text(f"window.NONHOLO_TEXTS = {json.dumps(found, ensure_ascii=False)};\n", "utf-8")
