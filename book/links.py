"""Every link of a built site, followed on disk: pages, anchors, pictures, scripts. Nothing may be loaded from elsewhere."""

from __future__ import annotations

from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {"img": "src", "script": "src", "iframe": "src", "link": "href", "source": "src", "video": "src"}
APART = "living"
"""The folder of living figures: each is a page of its own whose policy lets nothing in."""


class _Page(HTMLParser):
    """The links and anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[tuple[str, str]] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.anchors |= {given[key] or "" for key in ("id", "name") if key in given}
        key = LOADED.get(tag, "href" if tag == "a" else "")
        if key and given.get(key):
            self.links.append((tag, given[key] or ""))


@cache
def _read(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text("utf-8"))
    return page


def broken(site: Path) -> list[str]:
    """What is wrong with the links of the site, one line each; counted are all of them."""
    _read.cache_clear()
    troubles = []
    for path in sorted(site.rglob("*.html")):
        where = path.relative_to(site)
        if where.parts[0] == APART:
            continue
        for tag, link in _read(path).links:
            if trouble := _trouble(site, path, tag, link):
                troubles.append(f"{where}: {link}: {trouble}")
    return troubles


def count(site: Path) -> int:
    """How many links the pages have."""
    return sum(len(_read(p).links) for p in site.rglob("*.html") if p.relative_to(site).parts[0] != APART)


def _trouble(site: Path, page: Path, tag: str, link: str) -> str:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return ""
    if parts.scheme or parts.netloc:
        return "" if tag == "a" and parts.scheme in ("http", "https", "mailto") else "is loaded from elsewhere"
    if parts.path.startswith("/"):
        return "begins at the root of a host"
    target = (page.parent / unquote(parts.path)).resolve() if parts.path else page
    if not target.is_relative_to(site.resolve()):
        return "leads out of the site"
    if not target.is_file():
        return "there is no such file"
    fragment = unquote(parts.fragment)
    if fragment and target.suffix == ".html" and tag == "a" and fragment not in {*_read(target).anchors, ""}:
        return "there is no such anchor"
    return ""
