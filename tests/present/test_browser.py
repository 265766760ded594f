"""Every report in a real browser: no error, no network, formulas drawn, film alive, plots drawn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nonholo import gallery
from nonholo.present.film.film_page import viewer_script
from nonholo.present.report.report_file import report
from tests.browser import PATIENCE

NO_MOTION = {"degenerate-sleigh"}
"""Systems without a kinetic energy along every admissible velocity do not move."""

FORMULAS = """() => {
  const shown = [...document.querySelectorAll("math")].filter(m => !m.closest("details:not([open])"));
  const boxes = shown.map(m => m.getBoundingClientRect());
  return {
    count: shown.length,
    flat: boxes.filter(b => b.width < 3 || b.height < 6).length,
    leftover: [...document.querySelectorAll("math")].map(m => m.textContent).filter(t => /[\\\\&$]/.test(t)).slice(0, 3),
    words: document.body.innerText.match(/\\\\(frac|left|dot|begin|mathrm|sqrt)/g),
    errors: document.querySelectorAll("merror, parsererror").length,
    tall: Math.max(...boxes.map(b => b.height)),
  };
}"""
DRAWN = """(plot) => {
  const drawn = [...plot.querySelectorAll(".scatterlayer path.js-line, .scatterlayer path.point")];
  return drawn.some(path => (path.getAttribute("d") || "").length > 6);
}"""
SOLVED = """(count) => {
  const { solved, current } = document.documentElement.dataset;
  return Number(solved || 0) >= count && current !== 'false';
}"""
PIXELS = """(box) => new Promise(answer => requestAnimationFrame(() => {
  const canvas = box.querySelector("canvas"), small = document.createElement("canvas");
  small.width = 96; small.height = 54;
  const paper = small.getContext("2d");
  paper.drawImage(canvas, 0, 0, 96, 54);
  answer(Array.from(paper.getImageData(0, 0, 96, 54).data));
}))"""
MOVED = f"""async (before) => {{
  const now = await ({PIXELS})(document.querySelector('.nonholo-film'));
  return now.filter((e, k) => e !== before[k]).length > 20;
}}"""


def opened(browser: Any, page_file: Path, fragment: str = "", script: str = "") -> tuple[Any, list[str]]:
    """The page, and a list that gathers whatever goes wrong in it; ``script`` runs before its own."""
    # few pixels, and a film that waits for its button: without a graphics card they are what costs time
    context = browser.new_context(
        viewport={"width": 520, "height": 420}, device_scale_factor=0.5, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("console", lambda m: wrong.append(f"console {m.type}: {m.text}") if m.type == "error" else None)
    page.on("pageerror", lambda e: wrong.append(f"page error: {e}"))
    page.on(
        "request",
        lambda r: None if r.url.startswith(("file:", "data:", "blob:")) else wrong.append(f"request: {r.url[:100]}"),
    )
    if script:
        page.add_init_script(script)
    page.goto(page_file.as_uri() + fragment, timeout=PATIENCE)
    return page, wrong


def solved(page: Any, count: int = 1) -> None:
    """Wait until so many motions have been shown, and the one asked for last is among them."""
    page.wait_for_function(SOLVED, arg=count)


def check_formulas(page: Any) -> None:
    found = page.evaluate(FORMULAS)
    assert found["count"] >= 3
    assert found["flat"] == 0
    assert found["leftover"] == []
    assert not found["words"]
    assert found["errors"] == 0
    assert found["tall"] > 15


def check_plots(page: Any) -> None:
    assert page.evaluate("() => window.Plotly === undefined"), "plotly is read before a plot is near"
    for plot in page.locator(".plot").all():  # drawn when they come near
        plot.scroll_into_view_if_needed()
        plot.locator("svg.main-svg").first.wait_for()
        page.wait_for_function(DRAWN, arg=plot.element_handle())
    assert page.locator(".plot").count() >= 2


def check_film(page: Any) -> None:
    box = page.locator(".nonholo-film").first
    box.locator("canvas").first.wait_for()
    before = box.evaluate(PIXELS)
    assert len(set(before)) > 8, "the film's canvas is blank"
    box.locator("button").first.click()
    page.wait_for_function(MOVED, arg=before)  # it moves when it is played


FEW = ("euler-top",)
"""The report opened in every test run; the others are slow."""


@pytest.mark.parametrize("name", [n if n in FEW else pytest.param(n, marks=pytest.mark.slow) for n in gallery.system_names()])
def test_report_in_a_browser(browser: Any, name: str, tmp_path: Path) -> None:
    path = report(name, tmp_path / f"{name}.html")
    assert path.stat().st_size <= 4e6
    page, wrong = opened(browser, path)
    try:
        check_formulas(page)
        if name not in NO_MOTION and viewer_script() is not None:
            solved(page)
            assert page.locator(".nhl-status.nhl-wrong").count() == 0
        if page.locator(".nonholo-film").count() and viewer_script() is not None:
            check_film(page)
        elif name not in NO_MOTION and viewer_script() is not None:
            raise AssertionError("no film")
        if name not in NO_MOTION:
            check_plots(page)
        assert wrong == []
    finally:
        page.context.close()
