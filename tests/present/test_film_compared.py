"""Forces and a second motion in the film of a living page, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nonholo as nh
from nonholo.machines.machine_files import dump
from nonholo.present.report.report_file import report
from tests.present.test_browser import opened, solved
from tests.present.test_exercises_browser import SLEIGH
from tests.present.test_living_browser import needs_viewer, number

FORCES = """() => {
  const { film } = document.querySelector('.nhf');
  return film.forces.arrows.map(({ data }) => [data.name, data.vector[1], data.point[0]]);
}"""
PINNED = """() => {
  const { film } = document.querySelector('.nhf');
  film.pause();
  film.seek(film.start + 0.6 * (film.end - film.start));
  const place = (part) => part.object.position.toArray();
  return film.pinned && { now: film.bodies.map(place), then: film.pinned.bodies.map(place) };
}"""


FITS = "() => { const bar = document.querySelector('.nhf-bar'); return bar.scrollWidth <= bar.clientWidth; }"
STORY = """
[[story]]
at = 0.2
text = "It goes backwards."
speed = 4
[[story]]
when = "v"
text = "It stops."
speed = 4
forces = true
"""


@needs_viewer
def test_a_story_stops_the_film_at_its_instants(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "sleigh.toml").write_text(SLEIGH.replace("[[exercises]]", STORY + "[[exercises]]", 1))
    system = nh.load(tmp_path / "sleigh.toml")
    dump(system, tmp_path / "again.toml")
    assert nh.load(tmp_path / "again.toml").page == system.page
    page, wrong = opened(browser, report(tmp_path / "sleigh.toml", tmp_path / "sleigh.html"))
    try:
        solved(page)
        (turned,) = nh.simulate(system, events=["v"]).events["v"]
        told, there = page.locator(".nhf-story"), "() => document.querySelector('.nhf-story').dataset.there === 'yes'"
        page.get_by_role("button", name="Why?").click()
        page.wait_for_function(there)
        assert "It goes backwards." in told.inner_text() and "1 of 2" in told.inner_text()
        assert page.locator(".nhf").get_attribute("data-time") == "0.2000"
        told.get_by_role("button", name="Next").click()
        page.wait_for_function(there)
        assert "It stops." in told.inner_text()
        assert abs(float(page.locator(".nhf").get_attribute("data-time") or 0) - turned) < 1e-3
        assert page.locator(".nhf-forces").get_attribute("aria-pressed") == "true"
        told.get_by_role("button", name="End").click()
        assert not told.is_visible()
        number(page, "v", 0.5)  # this motion never stops: one instant is left
        assert (page.locator(".nhf-why").get_attribute("data-instants") or "").split()[1] == "NaN"
        printed = page.pdf(prefer_css_page_size=True)
        assert len(re.findall(rb"/Type\s*/Page\b", printed)) <= 2, "printed, it is a sheet of two pages"
        assert wrong == []
    finally:
        page.context.close()


@needs_viewer
def test_forces_are_shown_by_a_button_and_two_motions_run_by_one_clock(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "sleigh.toml").write_text(SLEIGH)
    page, wrong = opened(browser, report(tmp_path / "sleigh.toml", tmp_path / "sleigh.html"))
    try:
        solved(page)
        button = page.locator(".nhf-forces")
        assert button.get_attribute("aria-pressed") == "false" and "force" not in page.locator(".nhf-legend").inner_text()
        button.click()
        assert {"force", "momentum"} <= set(page.locator(".nhf-legend").inner_text().split("\n"))
        number(page, "v", -0.5)
        before = {name: (force, place) for name, force, place in page.evaluate(FORCES)}
        # the reaction at the start is m (v + a theta'') across the blade: -m v omega turned, less the swing of the mass
        number(page, "v", -1.0)
        after = {name: (force, place) for name, force, place in page.evaluate(FORCES)}
        assert abs(after["reaction"][0] / before["reaction"][0] - 2) < 1e-6, "at theta = 0 it is proportional to v omega"
        page.get_by_role("button", name="Pin", exact=True).click()
        number(page, "omega", 0.4)
        shown = page.evaluate(PINNED)
        assert shown is not None and max(abs(a - b) for a, b in zip(shown["now"][0], shown["then"][0])) > 0.1
        value = page.locator(".nhl-strip-value").inner_text()
        assert "pinned" in value
        number(page, "omega", 0.8)
        again = page.evaluate(PINNED)
        assert again["then"] == shown["then"] and again["now"] != shown["now"], "the pinned motion stays"
        # on a phone no button of the film is out of sight
        page.set_viewport_size({"width": 390, "height": 800})
        page.wait_for_function(FITS)
        page.get_by_role("button", name="Unpin").click()
        assert page.evaluate(PINNED) is None
        assert wrong == []
    finally:
        page.context.close()
