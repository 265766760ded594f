"""A report for every reader: on a telephone, with reduced motion, with keys alone, on paper."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import nonholo as nh
from tests.browser import PATIENCE
from tests.present.test_browser import solved
from tests.present.test_living_browser import needs_viewer

FILM = "document.querySelector('.nonholo-living').living.film"
HIDDEN = """() => ['.bar', '.copy', '.nhf-bar', '.nhl'].filter((s) => [...document.querySelectorAll(s)].some(
  (e) => e.offsetParent !== null && getComputedStyle(e).display !== 'none'))"""

pytestmark = [pytest.mark.slow, needs_viewer]


@pytest.fixture(scope="module")
def report(tmp_path_factory: Any) -> Path:
    return nh.report("balanced-sleigh", Path(tmp_path_factory.mktemp("readers")) / "sleigh.html")


def opened(browser: Any, file: Path, **words: Any) -> Any:
    page = browser.new_context(**words).new_page()
    page.set_default_timeout(PATIENCE)
    page.goto(file.as_uri())
    solved(page)
    return page


def test_it_is_no_larger_than_it_should_be(report: Path) -> None:
    assert report.stat().st_size < 4e6


def test_a_telephone_needs_no_scrolling_sideways(browser: Any, report: Path) -> None:
    page = opened(browser, report, viewport={"width": 390, "height": 844}, reduced_motion="reduce")
    assert page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth") <= 0
    page.context.close()


def test_reduced_motion_keeps_the_film_still_until_it_is_asked_for(browser: Any, report: Path) -> None:
    playing = {}
    for wish in ("reduce", "no-preference"):
        page = opened(browser, report, viewport={"width": 900, "height": 700}, reduced_motion=wish)
        page.wait_for_selector(".nhf[data-seen=true]")
        playing[wish] = page.evaluate(f"{FILM}.playing")
        page.context.close()
    assert playing == {"reduce": False, "no-preference": True}


def test_keys_alone_reach_a_slider_and_change_the_motion(browser: Any, report: Path) -> None:
    page = opened(browser, report, viewport={"width": 900, "height": 700}, reduced_motion="reduce")
    before = page.evaluate("() => Number(document.documentElement.dataset.solved)")
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement.matches('.nhl input[type=range]')"):
            break
    else:
        pytest.fail("no slider is reached by Tab")
    page.keyboard.press("ArrowRight")
    solved(page, before + 1)
    page.context.close()


def test_on_paper_there_are_words_formulas_and_pictures_but_no_controls(browser: Any, report: Path) -> None:
    page = opened(browser, report, viewport={"width": 1000, "height": 800}, reduced_motion="reduce")
    page.emulate_media(media="print")
    shown = page.evaluate(HIDDEN)
    seen = [page.locator(part).first.is_visible() for part in ("main h1", "#system math", ".nhf canvas", "#motion .plot")]
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    page.context.close()
    assert shown == [] and all(seen) and pages <= 2, "a sheet of two pages"


def test_a_page_of_long_formulas_fits_a_sheet_and_keeps_the_colours_of_its_legend(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, nh.report("rattleback", tmp_path / "stone.html"), viewport={"width": 1000, "height": 800})
    page.emulate_media(media="print")
    legend = page.evaluate("getComputedStyle(document.querySelector('.nhf-legend i')).printColorAdjust")
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    page.context.close()
    assert (legend, pages) == ("exact", 2)


def test_long_conserved_quantities_scroll_and_leave_their_numbers_whole(browser: Any, tmp_path: Path) -> None:
    page = opened(browser, nh.report("ball-on-surface", tmp_path / "bowl.html"), viewport={"width": 1280, "height": 800})
    over = page.evaluate("[...document.querySelectorAll('#symmetry > .scroll')].map((e) => e.scrollWidth - e.clientWidth)")
    page.context.close()
    assert over and max(over) <= 0


def test_a_flat_path_on_paper_fits_its_box(browser: Any, tmp_path: Path) -> None:
    """With the margins of the screen equal scales left no room, plotly threw, and what follows it for the paper was not done."""
    page = browser.new_context(viewport={"width": 1000, "height": 800}, reduced_motion="reduce").new_page()
    errors: list[str] = []
    page.on("console", lambda told: errors.append(told.text) if told.type == "error" else None)
    page.goto(nh.report("bowling-ball", tmp_path / "ball.html").as_uri())
    solved(page)
    pages = len(re.findall(rb"/Type\s*/Page\b", page.pdf(prefer_css_page_size=True)))
    page.context.close()
    assert errors == [] and pages <= 2
