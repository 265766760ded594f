"""The lab in a real browser: a mistake at its place, mended; equations, a slider, a file; several texts, keys, a closed page."""

from __future__ import annotations

import re
import time
from pathlib import Path
from typing import Any

import pytest

from nonholo.lab.server import SCRIPT
from nonholo.model.files.toml_files import load, loads
from tests.browser import PATIENCE
from tests.lab.conftest import Client

PENDULUM = """name = "swing"
coordinates = "th"
lagrangian = "m*l**2*thdot**2/2 + m*g*l*cos(tth)"
until = 2
[parameters]
m = 1.3
l = 0.7
g = 9.81
[start]
th = 0.5
"""
EDITOR = "((content) => (content.cmTile ?? content.cmView).view)(document.querySelector('.cm-content'))"
SOLVED = "html[data-solved][data-current=true]"
BODY_AT = """({ film }, label) => {
  const { clientWidth, clientHeight } = film.panel.canvas;
  for (let y = 2; y < clientHeight; y += 3)
    for (let x = 2; x < clientWidth; x += 3) if (film.bodyAt(x, y) === label) return [x, y];
  return null;
}"""
pytestmark = pytest.mark.skipif(not SCRIPT.is_file(), reason="the lab's page has not been built (`make run` builds it)")


def opened(browser: Any, lab: Client, **wishes: Any) -> tuple[Any, list[str]]:
    """The lab's page, and a list that gathers whatever goes wrong in it."""
    size = {"width": 900, "height": 480}
    context = browser.new_context(
        **{"viewport": size, "device_scale_factor": 0.5, "reduced_motion": "reduce", **wishes}
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("console", lambda m: wrong.append(m.text) if m.type == "error" else None)
    page.on("pageerror", lambda e: wrong.append(str(e)))
    own = (f"http://127.0.0.1:{lab.port}/", "data:", "blob:")
    page.on("request", lambda r: None if r.url.startswith(own) else wrong.append(f"request: {r.url[:100]}"))
    page.goto(lab.address)
    page.wait_for_function("() => document.documentElement.dataset.ready")
    return page, wrong


def written(page: Any, text: str) -> None:
    """Type a text in place of what is there."""
    page.locator(".cm-content").focus()
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    page.keyboard.insert_text(text)
    page.wait_for_function(f"(text) => {EDITOR}.state.doc.toString() === text", arg=text)


def read(page: Any, found: str) -> None:
    """Wait until the present text has been read, and found right or wrong."""
    page.wait_for_selector(f"#problem[data-text={found}]", state="attached")


def chosen(page: Any, title: str) -> None:
    """Wait until the text with this title is the one in the editor."""
    page.locator("#texts [aria-selected=true]", has_text=title).wait_for()


def state(page: Any, part: str, wanted: str = "done", side: str = "first") -> None:
    page.wait_for_selector(f"#{side}-tab-{part}[data-state={wanted}]", state="attached")


def settled(page: Any, side: str = "first") -> Any:
    """The living page of a motion, once the page that it replaces is gone."""
    alone = "panel => { const f = document.querySelectorAll(`${panel} iframe`); return f.length === 1 && !f[0].className; }"
    page.wait_for_function(alone, arg=f"#{side}-motion")
    return page.frame_locator(f"#{side}-motion iframe")


def test_a_mistake_is_shown_at_its_place_mended_seen_moving_and_saved(browser: Any, lab: Client) -> None:
    page, wrong = opened(browser, lab)
    try:
        written(page, PENDULUM)
        read(page, "wrong")
        assert page.locator(".cm-lintRange-error").inner_text() == "tth"
        said = page.locator("#problem").inner_text()
        assert said.startswith("Line 3: ") and "unknown name 'tth'; did you mean 'th'?" in said
        # from the sentence to the place, and mended with the keyboard
        page.locator("#problem button").press("Enter")
        page.keyboard.press("Delete")
        read(page, "right")
        state(page, "equations")
        assert page.locator(".cm-lintRange-error").count() == 0
        assert page.locator("#problem").inner_text() == ""
        page.locator("#first-tab-motion").focus()
        page.keyboard.press("ArrowRight")
        assert page.locator("#first-equations math").count() >= 3
        page.keyboard.press("ArrowLeft")
        state(page, "motion")
        living = settled(page)
        slider = living.locator("input[type=range][data-name=th]")
        living.locator(SOLVED).wait_for(state="attached")
        command = living.locator("[data-live=command]")
        assert "th=" not in command.inner_text()
        slider.press("ArrowRight")
        living.locator("[data-live=command]", has_text="th=").wait_for(state="attached")
        # the numbers of the sliders become those of the text, and back again
        page.locator(".take:visible").press("Enter")
        page.locator(".cm-line", has_text=re.compile("^th = 0.5$")).wait_for(state="detached")
        taken = loads(page.locator(".cm-content").inner_text())
        assert 0.5 < taken.start["th"] < 0.6 and taken.parameters == loads(PENDULUM.replace("tth", "th")).parameters
        page.locator(".cm-content").focus()
        page.keyboard.press("Control+z")
        # saved by keys: the file is the text in the editor
        page.locator(".cm-content").focus()
        page.keyboard.press("Control+s")
        page.locator("dialog input").fill("swing")
        page.keyboard.press("Enter")
        page.wait_for_function("() => document.documentElement.dataset.saved === 'swing.toml'")
        assert (lab.folder / "swing.toml").read_text() == PENDULUM.replace("tth", "th")
        assert load(lab.folder / "swing.toml").parameters["l"] == 0.7
        assert [p.name for p in lab.folder.iterdir()] == ["swing.toml"]
        assert page.locator(".unsaved").count() == 0
        assert wrong == []
    finally:
        page.context.close()


@pytest.mark.slow
def test_gallery_open_compare_download_and_a_page_that_comes_back(browser: Any, lab: Client, tmp_path: Path) -> None:
    (lab.folder / "own.toml").write_text(PENDULUM.replace("tth", "th"))
    page, wrong = opened(browser, lab)
    said: list[str] = []
    lab.desk.invite = said.append
    try:
        page.click("#open")
        page.locator("dialog .list button", has_text="own.toml").click()
        chosen(page, "own.toml")
        state(page, "motion")
        page.click("#gallery")
        page.locator("dialog input").fill("chaplygin sleigh")
        page.locator("dialog input").press("Enter")
        chosen(page, "chaplygin-sleigh")
        state(page, "motion")
        page.select_option("#compare", label="own.toml")
        state(page, "motion", side="second")
        settled(page, "second").locator("input[type=range][data-name=th]").wait_for()
        settled(page).locator("input[type=range][data-name=v]").wait_for()
        assert page.locator("#writing").is_visible()
        page.select_option("#compare", label="nothing")
        for part in ("checks", "symmetry", "verdict"):
            state(page, part)
        page.click("#first-tab-verdict")
        assert "quadratures" in page.locator("#first-verdict").inner_text()
        with page.expect_download() as waiting:
            page.click("#download")
        waiting.value.save_as(tmp_path / "got.html")
        got = (tmp_path / "got.html").read_text()
        assert waiting.value.suggested_filename == "chaplygin-sleigh.html"
        assert "Content-Security-Policy" in got and "nonholo-living" in got
        # a file that another program changed is not overwritten without a question
        page.locator("#texts [role=tab]", has_text="own.toml").click()
        chosen(page, "own.toml")
        (lab.folder / "own.toml").write_text("# changed elsewhere\n")
        written(page, PENDULUM.replace("tth", "th").replace("0.7", "0.9"))
        page.keyboard.press("Control+s")
        page.locator("dialog", has_text="changed by another program").wait_for()
        page.keyboard.press("Escape")
        assert (lab.folder / "own.toml").read_text() == "# changed elsewhere\n"
        # reloading keeps the texts, saved or not
        page.wait_for_selector("html[data-kept=true]", state="attached")
        page.on("dialog", lambda d: d.accept())
        page.reload()
        page.wait_for_function("() => document.documentElement.dataset.ready")
        assert page.locator("#texts [role=tab]").count() == 3
        assert "0.9" in page.locator(".cm-content").inner_text()
        page.wait_for_selector("html[data-kept=true]", state="attached")
        said.clear()  # a slow reload may have been taken for a closed page
        assert [w for w in wrong if "409" not in w] == []
    finally:
        page.context.close()
    # closing the page ends its studies; the terminal is told a new word, which opens the same texts
    deadline = time.monotonic() + PATIENCE / 1000
    while (lab.desk.bench.jobs or not said) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert lab.desk.bench.jobs == [] and len(said) == 1
    again = browser.new_context().new_page()
    again.set_default_timeout(PATIENCE)
    again.goto(f"http://127.0.0.1:{lab.port}/#{said[0]}")
    again.wait_for_function("() => document.documentElement.dataset.ready")
    assert again.locator("#texts [role=tab]").count() == 3
    stranger = again.context.browser.new_context().new_page()
    stranger.set_default_timeout(PATIENCE)
    stranger.goto(f"http://127.0.0.1:{lab.port}/#{said[0]}")
    stranger.locator(".closed", has_text="used already").wait_for()
    stranger.context.close()
    again.context.close()


@pytest.mark.slow
def test_a_page_elsewhere_gets_nothing_through_a_real_browser(browser: Any, lab: Client, tmp_path: Path) -> None:
    """A hostile page in another tab, at a file and on another port of this machine: nothing is read, framed or saved."""
    (lab.folder / "mine.toml").write_text(PENDULUM)
    hostile = f"""<!DOCTYPE html><title>hostile</title><iframe src="http://127.0.0.1:{lab.port}/"></iframe>
    <form id=f method=post enctype=text/plain action="http://127.0.0.1:{lab.port}/api/save" target=x>
    <input name='{{"path":"x.toml","text":"' value='"}}'></form>
    <iframe name=x></iframe>"""
    attack = """async (port) => {
      document.getElementById("f").submit();
      const tries = [["/api/files", {method: "POST", body: "{}"}], ["/assets/lab.js", {}], ["/", {}],
        ["/api/enter", {method: "POST", headers: {"content-type": "application/json"}, body: '{"word": "x"}'}]];
      const found = [];
      for (const host of ["127.0.0.1", "localhost"])
        for (const [path, wish] of tries)
          for (const mode of ["cors", "no-cors"])
            found.push(await fetch(`http://${host}:${port}${path}`, {...wish, mode})
              .then(async a => (await a.text()) || "opaque", () => "refused"));
      return found;
    }"""
    (tmp_path / "hostile.html").write_text(hostile)
    page = browser.new_context().new_page()
    try:
        page.goto((tmp_path / "hostile.html").as_uri())
        found = page.evaluate(attack, lab.port)
        assert set(found) <= {"refused", "opaque"}
        assert sorted(p.name for p in lab.folder.iterdir()) in (["hostile.html", "mine.toml"], ["mine.toml"])
        inside = (
            page.frames[1].evaluate("() => document.documentElement.textContent").lower()
            if len(page.frames) > 1
            else ""
        )
        assert "gallery" not in inside
    finally:
        page.context.close()
    lab.goes_on()


@pytest.mark.slow
def test_three_texts_are_compared_in_a_dark_lab_and_a_field_is_shown(browser: Any, lab: Client) -> None:
    page, wrong = opened(browser, lab, color_scheme="dark")
    try:
        good = PENDULUM.replace("tth", "th")
        written(page, good)
        state(page, "motion")
        for length in ("1.1", "1.9"):
            page.locator("#new").click()
            chosen(page, f"system-{2 if length == '1.1' else 3}.toml")
            written(page, good.replace("l = 0.7", f"l = {length}"))
            state(page, "motion")
        page.locator("#compare").select_option(label="system.toml and system-2.toml")
        found = []
        for side in ("first", "second", "third"):
            state(page, "motion", side=side)
            inside = settled(page, side)
            found.append(inside.locator(".nhl input[type=number][data-name=l]").input_value())
            inside.locator(SOLVED).wait_for(state="attached")
            # light words on dark ground, also inside the living page
            colours = "e => [getComputedStyle(e).backgroundColor, getComputedStyle(e).color]"
            ground, ink = inside.locator("body").evaluate(colours)
            assert brightness(ground) < 60 < 180 < brightness(ink)
        assert found == ["1.9", "0.7", "1.1"]
        assert brightness(page.evaluate("() => getComputedStyle(document.body).backgroundColor")) < 60
        page.locator("#compare").select_option("0")
        assert page.locator("#second-tab-motion").is_hidden() and page.locator("#third-tab-motion").is_hidden()
        page.locator("#gallery").click()
        page.locator("dialog input").fill("inextensible")
        page.locator("dialog .list button").first.click()
        inside = page.frame_locator("dialog iframe")
        inside.locator(".plot").first.scroll_into_view_if_needed()  # drawn when it comes near
        inside.locator("svg.main-svg").first.wait_for()
        assert "string" in inside.locator("h1").inner_text().lower()
        page.locator("dialog button", has_text="Close").click()
        assert wrong == []
    finally:
        page.context.close()


def brightness(colour: str) -> float:
    """The mean of red, green and blue."""
    return sum(map(float, re.findall(r"[\d.]+", colour)[:3])) / 3


MEND = f"""(() => {{
  const view = {EDITOR};
  const at = view.state.doc.toString().indexOf('tth');
  view.dispatch({{ changes: {{ from: at, to: at + 1 }} }});
  return true;
}})()"""


@pytest.mark.slow
def test_the_lab_works_in_firefox(lab: Client, tmp_path: Path) -> None:
    from tests.present.firefox import firefox, installed_firefox
    from tests.present.test_firefox import CHANGE

    path = installed_firefox()
    if path is None:
        pytest.skip("no Firefox here (apt-get install firefox-esr)")
    folder = tmp_path / "fox"
    folder.mkdir()
    (lab.folder / "swing.toml").write_text(PENDULUM)
    lab.desk.first = "swing.toml"
    with firefox(path, folder) as fox:
        fox.open(lab.address)
        fox.wait("document.documentElement.dataset.ready === 'true'")
        fox.wait("document.querySelector('#problem').textContent.includes(\"did you mean 'th'\")")
        # mended in the editor, by its own command
        fox.evaluate(MEND)
        for part in ("equations", "motion"):
            fox.wait(f"document.querySelector('#first-tab-{part}').dataset.state === 'done'")
        assert fox.evaluate("document.querySelectorAll('#first-equations math').length") >= 3
        # the living page inside solves, also what is changed, and tells the lab its numbers
        inside = fox.frame()
        fox.wait("Number(document.documentElement?.dataset.solved || 0) >= 1", context=inside)
        assert fox.evaluate("document.querySelector('.take').hidden")
        fox.evaluate(CHANGE.format("l", 0.9), inside)
        fox.wait("Number(document.documentElement.dataset.solved || 0) >= 2", context=inside)
        fox.wait("!document.querySelector('.take').hidden")
        assert fox.errors == []


@pytest.mark.slow
def test_a_body_that_is_clicked_in_the_picture_has_its_lines_selected(browser: Any, lab: Client) -> None:
    trailer = '{name = "trailer", mass = 2.0, inertia = 0.3}'
    text = f'world = "plane"\nbodies = [{{name = "tractor", mass = 3.0, inertia = 0.4}},\n  {trailer}]\n'
    text += 'joints = [{name = "beta", parent = "tractor", child = "trailer", at = [-0.3, 0], in_child = [0.9, 0]}]\n'
    text += 'wheels = [{body = "tractor"}, {body = "trailer"}]\nstart = {beta = 0.4, xdot = 1.0}\nuntil = 3.0\n'
    page, wrong = opened(browser, lab)
    try:
        written(page, text)
        read(page, "right")
        page.locator("#first-tab-motion").click()
        state(page, "motion")
        frame = settled(page)
        frame.locator(SOLVED).wait_for(state="attached")
        place = frame.locator(".nhf").evaluate(BODY_AT, "trailer")
        assert place is not None
        frame.locator(".nhf-stage canvas").first.click(position={"x": place[0], "y": place[1]})
        page.wait_for_function(f"(wanted) => {{ const s = {EDITOR}.state; const r = s.selection.main; "
                               "return s.doc.sliceString(r.from, r.to) === wanted; }", arg=trailer)  # fmt: skip
        assert wrong == []
    finally:
        page.context.close()
