"""Unsaved text stays in the browser, whatever happens to the lab; several tabs work; Ctrl+S works from the results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nonholo.lab.server import SCRIPT, ready
from tests.browser import PATIENCE
from tests.lab.conftest import serving
from tests.lab.test_browser import EDITOR, PENDULUM, chosen, opened, settled, state, written

BUILT = SCRIPT.is_file() and "nonholo-lab-texts" in SCRIPT.read_text("utf-8")
pytestmark = pytest.mark.skipif(not BUILT, reason="the lab's page has not been built from these sources (`make run` builds it)")
TEXT = PENDULUM.replace("tth", "th").replace('"swing"', '"mine alone"')


def content(page: Any) -> str:
    lines = page.evaluate("() => [...document.querySelectorAll('.cm-line')].map((line) => line.textContent)")
    return "\n".join(lines)


def test_text_outlives_a_lab_that_ends_and_starts_again_on_its_port(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as lab:
        page, _ = opened(browser, lab)
        written(page, TEXT)
        port = lab.port
    page.wait_for_selector("body.alone")
    assert content(page) == TEXT  # nothing is replaced by an advice
    with serving(tmp_path, port=port) as again:
        page.wait_for_function("() => document.getElementById('notice').textContent.includes('kept in this browser')")
        assert content(page) == TEXT
        page.goto("about:blank")
        page.goto(again.address)
        page.wait_for_function("() => document.documentElement.dataset.ready")
        assert content(page) == TEXT
    page.context.close()


def test_a_second_tab_opens_without_a_word(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as lab:
        page, wrong = opened(browser, lab)
        other = page.context.new_page()
        other.set_default_timeout(PATIENCE)
        other.goto(f"http://127.0.0.1:{lab.port}/")
        other.wait_for_function("() => document.documentElement.dataset.ready")
        written(other, TEXT)
        assert content(page) != TEXT
        other.reload()
        other.wait_for_function("() => document.documentElement.dataset.ready")
        assert content(other) == TEXT and wrong == []
        page.context.close()


def test_ctrl_s_saves_from_the_living_page(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "swing.toml").write_text(TEXT)
    with serving(tmp_path, first="swing.toml") as lab:
        page, _ = opened(browser, lab)
        state(page, "motion")
        written(page, TEXT.replace("m = 1.3", "m = 1.4"))
        page.wait_for_function("() => document.title.includes('•')")
        state(page, "motion")
        settled(page).locator("body").click(position={"x": 5, "y": 5})
        page.keyboard.press("Control+s")
        page.wait_for_function("() => document.documentElement.dataset.saved === 'swing.toml'")
        assert "m = 1.4" in (tmp_path / "swing.toml").read_text()
        page.context.close()


def test_comparing_leaves_the_editor(browser: Any, tmp_path: Path) -> None:
    with serving(tmp_path) as lab:
        page, _ = opened(browser, lab, viewport={"width": 1400, "height": 700})
        page.click("#new")
        page.select_option("#compare", index=1)
        page.wait_for_selector("body.comparing")
        assert page.locator("#writing").is_visible() and page.locator("#second-tab-motion").is_visible()
        page.set_viewport_size({"width": 900, "height": 700})
        assert page.locator("#writing").is_visible()
        page.context.close()


def test_a_shared_link_opens_in_another_lab_by_paste_by_command_and_by_address(browser: Any, tmp_path: Path) -> None:
    """The link holds the text itself: the second lab serves an empty folder, on another port."""
    for name in ("mine", "yours"):
        (tmp_path / name).mkdir()
    (tmp_path / "mine" / "swing.toml").write_text(TEXT)
    with serving(tmp_path / "mine", "swing.toml") as lab:
        page, wrong = opened(browser, lab)
        page.click("#share")
        link = page.locator("dialog input").input_value()
        assert page.locator("dialog a[download='swing.toml']").is_visible()
        page.context.close()
        assert wrong == []
    with serving(tmp_path / "yours") as lab:
        page, wrong = opened(browser, lab)
        page.click("#open")
        page.locator("dialog input").fill(link)
        page.keyboard.press("Enter")
        chosen(page, "swing.toml")
        assert page.evaluate(f"() => {EDITOR}.state.doc.toString()") == TEXT
        # a link in the address may come from anywhere: the lab asks
        page.evaluate("(link) => { location.hash = link; }", link[link.index("#") :])
        page.locator("dialog button", has_text="Open").click()
        chosen(page, "swing-2.toml")
        page.evaluate("() => { location.hash = '#text=AAAA'; }")
        page.locator("#notice[data-shown]", has_text="holds no text").wait_for()
        page.context.close()
        assert wrong == []
    with serving(tmp_path / "yours", ready(link)[1]) as lab:
        page, wrong = opened(browser, lab)
        chosen(page, "swing.toml")
        assert page.evaluate(f"() => {EDITOR}.state.doc.toString()") == TEXT
        page.context.close()
        assert wrong == []
