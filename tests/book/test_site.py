"""The site: generated pages tell what the records hold, every link leads somewhere, and it works from disk."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import nonholo as nh
from book.blocks import run_page
from book.formulas import formula
from book.links import broken
from book.reference import ROOMS, groups, prose, write_reference
from book.site import build
from book.systems import names, system_page
from nonholo_papers.errata import errata
from tests.browser import PATIENCE

SMALL = ("chaplygin-sleigh", "rattleback")


def test_every_name_at_the_front_is_in_exactly_one_group() -> None:
    listed = [name for group in groups().values() for name in group]
    assert len(listed) == len(set(listed))
    assert set(listed) == {*nh.__all__, "open"} - {"__version__", *ROOMS}


def test_the_reference_holds_every_name_with_its_words(tmp_path: Path) -> None:
    write_reference(tmp_path)
    for title, members in groups().items():
        text = (tmp_path / "reference" / f"{title.replace(' ', '-')}.md").read_text("utf-8")
        for name in members:
            own = text.partition(f"## `{name}`\n")[2].partition("\n(nh-")[0]
            words = (getattr(nh, name).__doc__ or "").split()[:3]
            assert own and all(w.strip("`.,:") in own for w in words), name
    index = (tmp_path / "reference" / "index.md").read_text("utf-8")
    rows = [line for line in index.splitlines() if line.startswith("| [")]
    assert len(rows) == len({*nh.__all__, "open"} - {"__version__"}) + 1
    assert all(len(row.split(" | ", 1)[1]) > 10 for row in rows), "every name says in a line what it is"
    shown = (tmp_path / "reference" / "command-line.md").read_text("utf-8")
    from nonholo.cli.application import application

    assert all(f"## `nonholo {c.name or c.callback.__name__}`" in shown for c in application().registered_commands)


def test_a_docstring_keeps_its_formulas_and_examples() -> None:
    made = prose("One ``c_ij`` of *x*.\n\n    a = b*c\n    d = e\n\n>>> 1 + 1\n2")
    assert made == "One `c_ij` of \\*x\\*.\n\n```text\na = b*c\nd = e\n```\n\n```python\n>>> 1 + 1\n2\n```"


def test_a_systems_page_is_made_of_its_own_records(tmp_path: Path) -> None:
    exhibit = nh.gallery.get("chaplygin-sleigh")
    made = system_page("chaplygin-sleigh", tmp_path)
    page = made.replace("\\", "")
    assert exhibit.story in page and exhibit.title in page
    listed = page.partition("## Facts")[2].partition("</ul>")[0]
    assert listed.count("<li>") == len(exhibit.facts) > 0 and all(f.source in listed for f in exhibit.facts)
    assert "the momentum equation with the momentum across the edge" in listed
    assert all(f"- **{r}**: " in page for r in exhibit.references) and exhibit.references
    entry = f"@misc{{nonholo-chaplygin-sleigh,\n  title        = {{{exhibit.title}}}"
    assert "systems/chaplygin-sleigh.html" in page and entry in page
    assert "The reducing-multiplier theorem" in page
    found = [e for e in errata() if "chaplygin-sleigh" in e.exhibits]
    assert page.count("  - printed: ") == len(found) > 0
    simple = made.replace("$ nonholo report chaplygin-sleigh\n", "").replace("$ nonholo verify chaplygin-sleigh", "")
    assert [r.trouble for r in run_page(simple, tmp_path)] == ["", ""]  # the motion and the file
    assert (tmp_path / "chaplygin-sleigh.html").stat().st_size > 400_000 and "../living/chaplygin-sleigh.html" in page


def test_what_does_not_move_says_why(tmp_path: Path) -> None:
    page = system_page("degenerate-sleigh", tmp_path)
    assert "There is no motion to show" in page and "iframe" not in page and not list(tmp_path.iterdir())


def test_formulas_become_mathml() -> None:
    assert formula(r"\frac{a}{b}", True).startswith('<div class="formula"><math display="block">')
    assert formula(r"\begin{aligned}a &= b\\ c &= d\end{aligned}", True).count("<math") == 2


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "b.html").write_text('<h1 id="top">b</h1><a href="../a.html#here">a</a>')
    (tmp_path / "a.html").write_text(
        '<p id="here"><a href="sub/b.html#top">b</a><a href="https://example.org">far</a><img src="data:,"></p>'
    )
    assert broken(tmp_path) == []
    (tmp_path / "a.html").write_text(
        '<a href="sub/b.html#low">1</a><a href="c.html">2</a><img src="https://example.org/x.png">'
        '<a href="/sub/b.html">3</a><a href="../../x.html">4</a><script src="gone.js"></script>'
    )
    told = [line.rpartition(": ")[2] for line in broken(tmp_path)]
    assert told == [
        "there is no such anchor", "there is no such file", "is loaded from elsewhere", "begins at the root of a host",
        "leads out of the site", "there is no such file", "there is no such anchor",
    ]  # fmt: skip


@pytest.fixture(scope="session")
def small(tmp_path_factory: Any) -> Path:
    """A book with two systems."""
    return build(tmp_path_factory.mktemp("book"), SMALL)


@pytest.mark.slow
def test_a_small_book_builds_without_a_warning_and_all_its_links_lead_somewhere(small: Path) -> None:
    assert broken(small) == []
    assert {p.stem for p in (small / "systems").glob("*.html")} == {*SMALL, "index"}
    assert {p.stem for p in (small / "living").glob("*.html")} == set(SMALL)
    assert set(names()) == set(nh.gallery.names())


@pytest.mark.slow
@pytest.mark.parametrize("width", [1300, 390])
def test_it_works_from_disk(browser: Any, small: Path, width: int) -> None:
    """Opened without a server: search finds, figures live, nothing is asked of the network, no page is wider than its window."""
    page = browser.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce").new_page()
    page.set_default_timeout(PATIENCE)
    troubles: list[str] = []
    page.on("console", lambda m: troubles.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: troubles.append(str(e)))
    page.on("request", lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else troubles.append(r.url))
    page.goto(f"{(small / 'search.html').as_uri()}?q=rattleback")
    page.wait_for_function("document.querySelector('.search-summary')?.innerText.includes('finished')")
    found = page.evaluate("[...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'))")
    own = [k for k, link in enumerate(found) if link.startswith(("systems/", "book/"))]
    cited = [k for k, link in enumerate(found) if link.startswith(("literature/", "errata", "changes"))]
    assert "systems/rattleback.html" in found[0] and cited and max(own) < min(cited)
    excerpts = page.locator("#search-results li p.context").all_inner_texts()
    assert len(excerpts) == len(found) and sum("rattleback" in e.lower() for e in excerpts) > len(found) / 2
    for name in ("index", "book/first-hour", "book/frames", "errata", "systems/index", "reference/motion", "accuracy"):
        page.goto((small / f"{name}.html").as_uri())
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0, f"{name} is {wide} px too wide"
    page.goto((small / "systems" / "chaplygin-sleigh.html").as_uri())
    page.locator("iframe.living").scroll_into_view_if_needed()
    frame = page.frame_locator("iframe.living")
    box = frame.locator(".nhl input[type=number][data-name='omega']")
    frame.locator("html[data-solved][data-current=true]").wait_for(state="attached")
    before = int(frame.locator("html").get_attribute("data-solved") or 0)
    box.fill("0.9")
    box.press("Enter")
    frame.locator(f'html[data-solved="{before + 1}"]').wait_for(state="attached")
    assert troubles == []
    page.context.close()
