"""Exercises, the strip below the film and kicks on it, in a real browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nonholo as nh
from nonholo.present.report.report_file import report
from tests.present.test_browser import opened, solved
from tests.present.test_living_browser import needs_viewer, number

FAR = "(size) => Number(document.querySelectorAll('.nhl-exercise')[1].dataset.distance) > size"
NEAR = "(size) => Number(document.querySelectorAll('.nhl-exercise')[1].dataset.distance) < size"
SLEIGH = """
name = "sleigh"
coordinates = "theta x y"
lagrangian = "m/2*((xdot - a*thetadot*sin(theta))**2 + (ydot + a*thetadot*cos(theta))**2) + J/2*thetadot**2"
constraints = ["ydot*cos(theta) - xdot*sin(theta)"]
until = 12
[quasivelocities]
omega = "thetadot"
v = "xdot*cos(theta) + ydot*sin(theta)"
[parameters]
m = 1.3
J = 0.7
a = 0.4
[start]
omega = 1.5
v = -1
[[exercises]]
question = "What does it do in the end?"
choices = ["It stops.", "It goes straight."]
answer = 2
because = "The turning dies out."
[[exercises]]
question = "Let it end up heading along y."
goal = "theta - pi/2"
within = 0.02
set = {v = 0.2}
change = ["omega"]
"""


@needs_viewer
def test_exercises_mark_themselves_and_the_strip_follows_the_film(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "sleigh.toml").write_text(SLEIGH)
    page, wrong = opened(browser, report(tmp_path / "sleigh.toml", tmp_path / "sleigh.html"))
    try:
        solved(page)
        first, second = page.locator(".nhl-exercise").all()
        first.get_by_role("button", name="It stops.").click()
        assert "try again" in first.inner_text()
        first.get_by_role("button", name="It goes straight.").click()
        assert "The turning dies out." in first.inner_text()
        assert "nhl-done" in (first.get_attribute("class") or "")

        second.get_by_role("button", name="Begin").click()
        solved(page)
        page.wait_for_function(FAR, arg=1.3)
        system = nh.load(tmp_path / "sleigh.toml")

        def off(omega: float) -> float:
            final = nh.simulate(system, {"omega": omega, "v": 0.2}, 12.0).final["theta"]
            return abs(final - 1.5707963267948966)

        assert abs(float(second.get_attribute("data-distance") or "nan") - off(1.5)) < 1e-8
        low, high = 0.05, 1.5
        while high - low > 1e-3:
            middle = (low + high) / 2
            final = nh.simulate(system, {"omega": middle, "v": 0.2}, 12.0).final["theta"]
            low, high = (middle, high) if final < 1.5707963267948966 else (low, middle)
        number(page, "omega", low)
        page.wait_for_function(NEAR, arg=0.02)
        assert abs(float(second.get_attribute("data-distance") or "nan") - off(low)) < 1e-8
        assert "nhl-done" in (second.get_attribute("class") or "")
        assert page.locator(".nhl-row.nhl-asked input[type=range]").get_attribute("data-name") == "omega"

        # the strip shows the chosen quantity at the film's time
        page.locator(".nhl-strip select").select_option("v")
        canvas = page.locator(".nhl-strip canvas")
        canvas.click(position={"x": canvas.bounding_box()["width"] / 4, "y": 40})
        time = float(page.locator(".nhf").get_attribute("data-time"))
        assert abs(time - 3.0) < 0.1
        expected = nh.simulate(system, {"omega": low, "v": 0.2}, time).final["v"]
        assert abs(float(canvas.get_attribute("data-value") or "nan") - expected) < 2e-3

        # the address holds the exercise: who opens it sees how near this attempt comes
        page.wait_for_function("() => /exercise=2/.test(location.hash) && /omega=/.test(location.hash)")
        address = page.url
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_function(NEAR, arg=0.02)
        assert "Reached, off by" in page.locator(".nhl-exercise").nth(1).inner_text()
        assert page.locator(".nhl-row.nhl-asked input[type=range]").get_attribute("data-name") == "omega"
        assert wrong == []
    finally:
        page.context.close()


@needs_viewer
def test_sliders_of_indifferent_coordinates_are_folded(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "sleigh.toml").write_text(SLEIGH)
    page, _ = opened(browser, report(tmp_path / "sleigh.toml", tmp_path / "sleigh.html"))
    try:
        solved(page)
        folded = page.locator(".nhl-more input[type=range]").evaluate_all("(all) => all.map((e) => e.dataset.name)")
        assert folded == ["x", "y"]
        assert page.locator(".nhl-row input[type=range][data-name=omega]").is_visible()
        assert not page.locator(".nhl-row input[type=range][data-name=x]").is_visible()
        page.set_viewport_size({"width": 1280, "height": 800})
        page.wait_for_function("() => document.querySelector('.nonholo-film').clientHeight > 400")
        # film, strip and toolbar are in sight at once on a desk
        tall = page.evaluate("() => document.querySelector('.nhl-strip').getBoundingClientRect().bottom / innerHeight")
        assert tall <= 1.0
    finally:
        page.context.close()


ESCAPE = """
name = "a point that runs away on a bent wire"
until = 4.0
coordinates = "x z"
lagrangian = "(xdot**2 + zdot**2)/2 + x**3"
holonomic = ["z - x"]
[start]
x = 1.0
[drawing]
shapes = [{shape = "sphere", label = "point", at = ["x", "0", "z"], radius = "0.1"}]
"""


@needs_viewer
def test_a_film_says_how_long_its_motion_is_and_what_follows_is_folded(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "escape.toml").write_text(ESCAPE)
    page, _ = opened(browser, report(tmp_path / "escape.toml", tmp_path / "escape.html"))
    try:
        solved(page)
        ended = page.evaluate("() => document.querySelector('.nonholo-living').living.motion.outcome.time")
        assert ended < 3.0
        assert page.locator("[data-live=until]").inner_text() == f"{ended:.3g}"
        folded = page.locator(".nhl-more input[type=range]").evaluate_all("(all) => all.map((e) => e.dataset.name)")
        assert folded == ["z"] and "follows from the constraints" in page.locator(".nhl-more summary").inner_text()
    finally:
        page.context.close()
