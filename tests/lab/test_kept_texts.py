"""Unsaved text stays in the browser, whatever happens to the lab; several tabs work; Ctrl+S works from the results."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from nonholo.lab.folder import Folder
from nonholo.lab.server import SCRIPT, read_folder
from tests.browser import PATIENCE
from tests.lab.conftest import serving
from tests.lab.test_browser import EDITOR, PENDULUM, chosen, opened, read, settled, state, written

BUILT = SCRIPT.is_file() and "nonholo-lab-texts" in SCRIPT.read_text("utf-8")
pytestmark = pytest.mark.skipif(not BUILT, reason="the lab's page has not been built from these sources (`make run` builds it)")
TEXT = PENDULUM.replace("tth", "th").replace('"swing"', '"mine alone"')
DRAFT = PENDULUM.replace('"swing"', '"mine alone"')
"""A text with a mistake: nothing of it is computed."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file to open first, of which nothing is computed."""
    (tmp_path / "first.toml").write_text("# nothing yet\n")
    return tmp_path


def content(page: Any) -> str:
    lines = page.evaluate("() => [...document.querySelectorAll('.cm-line')].map((line) => line.textContent)")
    return "\n".join(lines)


def another(page: Any, address: str) -> Any:
    """A further tab of the same browser."""
    other = page.context.new_page()
    other.set_default_timeout(PATIENCE)
    other.goto(address)
    other.wait_for_function("() => document.documentElement.dataset.ready")
    return other


def test_text_outlives_a_lab_that_ends_and_starts_again(browser: Any, folder: Path) -> None:
    with serving(folder, "first.toml") as lab:
        page, _ = opened(browser, lab)
        written(page, DRAFT)
    page.wait_for_selector("body.alone")
    assert content(page) == DRAFT  # nothing is replaced by an advice
    with serving(folder, "first.toml") as again:
        assert again.port == lab.port  # a browser keeps texts by port
        page.wait_for_function("() => document.getElementById('notice').textContent.includes('kept in this browser')")
        assert content(page) == DRAFT
        # the page goes on by itself when the new address was opened in another tab, which leaves its text alone
        other = another(page, again.address)
        assert content(other) != DRAFT
        page.wait_for_selector("body:not(.alone)")
        read(page, "wrong")
        page.goto("about:blank")
        page.goto(f"http://127.0.0.1:{again.port}/")
        page.wait_for_function("() => document.documentElement.dataset.ready")
        assert content(page) == DRAFT
        # closed without saving: the next tab has it, at once
        page.close(run_before_unload=False)
        assert content(another(other, f"http://127.0.0.1:{again.port}/")) == DRAFT
    other.context.close()


def test_a_lab_takes_another_port_beside_one_of_the_same_folder(tmp_path: Path) -> None:
    with serving(tmp_path) as one, serving(tmp_path) as two:
        assert one.port != two.port
        assert {one.port, two.port} < set(Folder(tmp_path.resolve()).ports)
        mark = one.post("save", {"path": "a.toml", "text": TEXT, "seen": ""})[1]["mark"]
        status, told = two.post("save", {"path": "a.toml", "text": "other", "seen": ""})
        assert (status, told["error"]) == (409, "a.toml exists already.")
        assert two.post("open", {"path": "a.toml"})[1] == {"text": TEXT, "mark": mark}


def test_a_second_tab_opens_without_a_word(browser: Any, folder: Path) -> None:
    with serving(folder, "first.toml") as lab:
        page, wrong = opened(browser, lab)
        other = another(page, f"http://127.0.0.1:{lab.port}/")
        written(other, DRAFT)
        assert content(page) != DRAFT
        other.reload()
        other.wait_for_function("() => document.documentElement.dataset.ready")
        assert content(other) == DRAFT and wrong == []
        page.context.close()


def test_ctrl_s_saves_from_every_tab_and_progress_moves_nothing(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "swing.toml").write_text(TEXT)
    with serving(tmp_path, first="swing.toml") as lab:
        page, wrong = opened(browser, lab, viewport={"width": 1400, "height": 480})
        page.evaluate(WATCH)
        for k, part in enumerate(("motion", "equations", "checks", "symmetry", "verdict")):
            changed = TEXT.replace("m = 1.3", f"m = 1.{k}7")
            written(page, changed)
            page.click(f"#first-tab-{part}")
            page.wait_for_function("() => document.title.includes('•')")
            if part == "motion":
                state(page, "motion")
                settled(page).locator("body").click(position={"x": 5, "y": 5})
            else:
                page.locator(f"#first-{part}").click(position={"x": 5, "y": 5})
            page.keyboard.press("Control+s")
            page.wait_for_function("() => !document.title.includes('•')")
            assert (tmp_path / "swing.toml").read_text() == changed
        page.wait_for_function("() => !document.querySelector('.working button')")
        told = page.evaluate("() => window.told")
        assert {words for words, _, _ in told} > {"", "Computing the motion …"}
        assert len({height for _, height, _ in told}) == 1 and {covered for _, _, covered in told} == {""}
        assert wrong == []
        page.context.close()


WATCH = """() => {
  const row = document.querySelector('#first-tab-motion').closest('.row');
  const covered = (tab) => {
    const { left, top, width, height } = tab.getBoundingClientRect();
    return !tab.contains(document.elementFromPoint(left + width - 3, top + height / 2));
  };
  window.told = [];
  const look = () => window.told.push([row.querySelector('.working span')?.textContent ?? '', row.offsetHeight,
    [...row.querySelectorAll('[role=tab]')].filter(covered).map((tab) => tab.id).join()]);
  new MutationObserver(look).observe(row.querySelector('.working'), { childList: true, characterData: true, subtree: true });
}"""
"""At every word of progress: the word, the height of the row of tabs, and the tabs that something covers."""


def test_comparing_leaves_the_editor(browser: Any, folder: Path) -> None:
    with serving(folder, "first.toml") as lab:
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
    (tmp_path / "mine" / "swing.toml").write_text(DRAFT)
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
        assert page.evaluate(f"() => {EDITOR}.state.doc.toString()") == DRAFT
        # a link in the address may come from anywhere: the lab asks
        page.evaluate("(link) => { location.hash = link; }", link[link.index("#") :])
        page.locator("dialog button", has_text="Open").click()
        chosen(page, "swing-2.toml")
        page.evaluate("() => { location.hash = '#text=AAAA'; }")
        page.locator("#notice[data-shown]", has_text="holds no text").wait_for()
        page.context.close()
        assert wrong == []
    with serving(tmp_path / "yours", read_folder(link)[1]) as lab:
        page, wrong = opened(browser, lab)
        chosen(page, "swing.toml")
        assert page.evaluate(f"() => {EDITOR}.state.doc.toString()") == DRAFT
        page.context.close()
        assert wrong == []
