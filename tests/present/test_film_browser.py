"""A film in a real browser: keys, a wheel that scrolls the page around it, a body that is followed, no WebGL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.present.film.film_page import film_fragment, film_page, viewer_script
from nonholo.present.film.scene import scene
from tests.browser import PATIENCE

TIME = "() => Number(document.querySelector('.nhf').dataset.time)"
AWAY = """() => {
  const world = document.querySelector('.nhf').film.world;
  return world.camera.position.distanceTo(world.mouse.target);
}"""
SEEN = """() => {
  const { film } = document.querySelector('.nhf');
  return film.world.mouse.target.distanceTo(film.target);
}"""
STILL = """(beyond) => new Promise((answer) => {
  const before = window.scrollY;
  const frames = (left) => {
    if (left) requestAnimationFrame(() => frames(left - 1));
    else answer(window.scrollY === before && before > beyond);
  };
  frames(10);
})"""
"""Whether the page has been scrolled beyond a place and stands still."""


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    if viewer_script() is None:
        pytest.skip("the viewer has not been built (needs Node; `make run` builds it)")
    exhibit = gallery.get("chaplygin-sleigh")
    found = scene(nh.simulate(exhibit.system, exhibit.start, 10.0, exhibit.parameters, t_eval=101))
    assert found is not None and found["travels"]
    return found


def opened(browser: Any, place: Path, text: str, script: str = "") -> tuple[Any, list[str]]:
    place.write_text(text, encoding="utf-8")
    context = browser.new_context(
        viewport={"width": 400, "height": 320}, device_scale_factor=0.5, reduced_motion="reduce"
    )
    page = context.new_page()
    page.set_default_timeout(PATIENCE)
    wrong: list[str] = []
    page.on("pageerror", lambda e: wrong.append(str(e)))
    if script:
        page.add_init_script(script)
    page.goto(place.as_uri(), timeout=PATIENCE)
    page.wait_for_selector(".nhf")
    return page, wrong


def shown(page: Any) -> None:
    """Wait until the film has been drawn and knows that it is in sight, which is when it begins to play by itself."""
    page.wait_for_selector(".nhf[data-seen=true][data-time]")


def test_keys_move_the_film_and_a_calm_page_does_not_start_it(
    browser: Any, made: dict[str, Any], tmp_path: Path
) -> None:
    page, wrong = opened(browser, tmp_path / "film.html", film_page(made))
    try:
        shown(page)
        assert page.locator(".nhf").get_attribute("data-playing") == "false"
        assert page.evaluate(TIME) == 0.0, "who asks for less motion is not shown any"
        page.locator(".nhf").focus()
        for key, wanted in (
            ("ArrowRight", 0.1),
            ("Shift+ArrowRight", 1.1),
            ("ArrowLeft", 1.0),
            ("End", 10.0),
            ("Home", 0.0),
        ):
            page.keyboard.press(key)
            assert page.evaluate(TIME) == pytest.approx(wanted, abs=1e-3), key
        page.keyboard.press(" ")
        page.wait_for_function("() => Number(document.querySelector('.nhf').dataset.time) > 0.05")
        page.keyboard.press(" ")
        assert page.evaluate("() => document.querySelector('.nhf').dataset.playing") == "false"
        page.keyboard.press("End")
        assert page.evaluate(SEEN) < 1e-6, "the camera follows the sleigh"
        page.keyboard.press("f")
        assert page.evaluate(SEEN) > 1.0 and page.evaluate(AWAY) > 10.0, "and shows the whole motion when asked"
        legend = page.locator(".nhf-legend").inner_text().splitlines()
        assert legend == ["edge", "centre of mass"]
        assert wrong == []
    finally:
        page.context.close()


def test_inside_a_page_the_wheel_scrolls_until_the_film_is_chosen(
    browser: Any, made: dict[str, Any], tmp_path: Path
) -> None:
    text = (
        f"<!DOCTYPE html><html><body><script>{viewer_script()}</script>{film_fragment(made, 240)}"
        "<div style='height:3000px'></div></body></html>"
    )
    page, wrong = opened(browser, tmp_path / "page.html", text)
    try:
        shown(page)
        away = page.evaluate(AWAY)
        page.mouse.move(200, 100)
        page.mouse.wheel(0, 60)
        page.wait_for_function(STILL, arg=30)
        assert page.evaluate(AWAY) == away
        assert page.evaluate("() => document.querySelector('.nhf canvas').style.touchAction") == "pan-y"
        page.evaluate("() => window.scrollTo(0, 0)")
        page.wait_for_function(STILL, arg=-1)
        assert page.evaluate("() => window.scrollY") == 0
        page.mouse.click(200, 100)
        page.mouse.wheel(0, 60)
        page.wait_for_function(
            "(away) => { const { world } = document.querySelector('.nhf').film;"
            " return world.camera.position.distanceTo(world.mouse.target) > 1.001 * away; }",
            arg=away,
        )
        assert page.evaluate("() => window.scrollY") == 0
        assert wrong == []
    finally:
        page.context.close()


def test_without_webgl_a_sentence_says_so(browser: Any, made: dict[str, Any], tmp_path: Path) -> None:
    page, wrong = opened(
        browser, tmp_path / "none.html", film_page(made), "HTMLCanvasElement.prototype.getContext = () => null"
    )
    try:
        assert "WebGL" in page.locator(".nhf-note").inner_text() and page.locator("button").count() == 0
        assert wrong == []
    finally:
        page.context.close()


BODY_AT = """(label) => {
  const { film } = document.querySelector('.nhf');
  const { clientWidth, clientHeight } = film.panel.canvas;
  for (let y = 2; y < clientHeight; y += 3)
    for (let x = 2; x < clientWidth; x += 3) if (film.bodyAt(x, y) === label) return [x, y];
  return null;
}"""
"""A place of the picture, in pixels from its corner, where the body with this label is in front."""


def test_a_body_that_is_clicked_shows_its_lines(browser: Any, made: dict[str, Any], tmp_path: Path) -> None:
    """A tractor in the plane by its wheels, a ball by itself; a click beside them hides the lines."""
    words = 'name = "tractor", mass = 3.0, inertia = 0.4'
    (tmp_path / "tractor.toml").write_text(
        f'world = "plane"\nbodies = [{{{words}}}, {{name = "trailer", mass = 2.0, inertia = 0.3}}]\n'
        'joints = [{name = "beta", parent = "tractor", child = "trailer", at = [-0.3, 0], in_child = [0.9, 0]}]\n'
        'wheels = [{body = "tractor"}, {body = "trailer"}]\nstart = {beta = 0.4, xdot = 1.0}\nuntil = 3.0\n'
    )
    run = nh.simulate(nh.load(tmp_path / "tractor.toml"), until=3.0, t_eval=31)
    page, wrong = opened(browser, tmp_path / "film.html", film_page(scene(run)))
    try:
        shown(page)
        page.locator(".nhf").focus()
        for label, told in (("tractor", f"{{ {words} }}"), ("trailer", 'parent = "tractor"')):
            place = page.evaluate(BODY_AT, label)
            assert place is not None, f"{label} is in the picture"
            page.locator(".nhf canvas").click(position={"x": place[0], "y": place[1]})
            lines = page.locator(".nhf-lines").inner_text()
            assert told in lines and f'{{ body = "{label}" }}' in lines
        page.locator(".nhf canvas").click(position=dict(zip("xy", page.evaluate(BODY_AT, ""))))
        assert page.locator(".nhf-lines").is_hidden() and wrong == []
    finally:
        page.context.close()
