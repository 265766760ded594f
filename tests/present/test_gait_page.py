"""Loops drawn on a page lead where the system goes: by their area, and as the motion of Python."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.machines.machine_files import dump
from nonholo.present.report.report_gaits import gaits_section
from nonholo.present.report.report_page import page as page_of
from nonholo.present.report.report_subject import case
from tests.present.test_browser import opened
from tests.present.test_living_browser import needs_viewer

SNAKE = """
name = "three-link wheeled snake"
coordinates = "x y theta a1 a2"
lagrangian = "m/2*(xdot**2 + ydot**2) + J/2*(thetadot**2 + (thetadot + a1dot)**2 + (thetadot + a2dot)**2)"
constraints = [
  "-xdot*sin(theta) + ydot*cos(theta)",
  "-xdot*sin(theta + a1) + ydot*cos(theta + a1) + l/2*thetadot*cos(a1) + l/2*(thetadot + a1dot)",
  "-xdot*sin(theta + a2) + ydot*cos(theta + a2) - l/2*thetadot*cos(a2) - l/2*(thetadot + a2dot)",
]
parameters = {l = 1.0, m = 1.0, J = 0.1}
[start]
a1 = 0.9
a2 = 0.7
[page.gait]
over = {a1 = [0.5, 1.3], a2 = [0.3, 1.1]}
quantity = "x"
loop = {a1 = "0.9 + 0.3*cos(t)", a2 = "0.7 + 0.3*sin(t)"}
"""


@needs_viewer
def test_a_loop_drawn_on_the_page_leads_where_the_motion_leads(browser: Any, tmp_path: Path) -> None:
    (tmp_path / "snake.toml").write_text(SNAKE)
    system = nh.load(tmp_path / "snake.toml")
    dump(system, tmp_path / "again.toml")
    assert nh.load(tmp_path / "again.toml").page == system.page
    section = gaits_section(case(tmp_path / "snake.toml"))
    assert section is not None
    known = nh.gait(system, {"a1": "0.9 + 0.3*cos(t)", "a2": "0.7 + 0.3*sin(t)"}, displacement="x")
    assert f"{known.displacement:.4g}" in section.body and section.body.count("nonholoViewer.gait") == 1
    place = tmp_path / "page.html"
    place.write_text(page_of("snake", "", [section], films=True, plots=True))
    page, wrong = opened(browser, place)
    try:
        box = page.locator(".nonholo-gait")
        moved = json.loads(box.get_attribute("data-moved") or "{}")
        assert moved["x"] == pytest.approx(known.displacement, rel=0.01)  # a grid of 17 points between which it is bilinear
        box.locator("canvas").first.scroll_into_view_if_needed()
        area = box.locator("canvas").first.bounding_box()
        wide, tall = area["width"], area["height"]
        page.mouse.move(area["x"] + 0.7 * area["width"], area["y"] + 0.5 * area["height"])
        page.mouse.down()
        for k in range(1, 40):
            turn = 2 * math.pi * k / 40
            page.mouse.move(area["x"] + (0.5 + 0.2 * math.cos(turn)) * wide, area["y"] + (0.5 + 0.2 * math.sin(turn)) * tall)
        page.mouse.up()
        loop = np.array(json.loads(box.get_attribute("data-loop") or "[]"))
        assert len(loop) == 40 and np.ptp(loop[:, 0]) > 0.2
        told = json.loads(box.get_attribute("data-moved") or "{}")
        driven = nh.gait(system, {"a1": loop[:, 0], "a2": loop[:, 1]}, displacement="x")
        assert told["x"] == pytest.approx(driven.displacement, rel=0.03)
        assert told["x"] * moved["x"] < 0, "drawn downwards first, it turns the other way"
        assert wrong == []
    finally:
        page.context.close()


@needs_viewer
def test_a_loop_drawn_with_a_finger_pumps_momentum_into_the_snakeboard(browser: Any, tmp_path: Path) -> None:
    """Most of the way is by momentum, from rest: the same as in Python, for the loop of the page and for one drawn on a phone."""
    board = gallery.get("snakeboard")
    section = gaits_section(case("snakeboard"))
    assert section is not None
    place = tmp_path / "page.html"
    place.write_text(page_of("snakeboard", "", [section], films=True, plots=True))
    phone = browser.new_context(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    try:
        page = phone.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda problem: wrong.append(str(problem)))
        page.goto(place.as_uri())
        box = page.locator(".nonholo-gait")
        window = board.system.page.gait  # type: ignore[union-attr]
        known = nh.gait(board.system, dict(window.loop), displacement="x", parameters=board.parameters)  # type: ignore[union-attr]
        moved = json.loads(box.get_attribute("data-moved") or "{}")
        assert moved["x"] == pytest.approx(known.displacement, rel=0.01)
        assert known.geometric < 0.1 * known.displacement
        box.locator("canvas").first.scroll_into_view_if_needed()
        area = box.locator("canvas").first.bounding_box()
        turns = np.linspace(0.0, 2 * np.pi, 61)[:60]
        finger = phone.new_cdp_session(page)
        for k, turn in enumerate(turns):
            x, y = 0.55 + 0.2 * math.cos(turn) + 0.1 * math.sin(turn), 0.45 - 0.25 * math.sin(turn)
            at = {"x": area["x"] + x * area["width"], "y": area["y"] + y * area["height"]}
            finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if k else "touchStart", "touchPoints": [at]})
        finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        loop = np.array(json.loads(box.get_attribute("data-loop") or "[]"))
        assert len(loop) == 60
        told = json.loads(box.get_attribute("data-moved") or "{}")
        for name in ("x", "theta"):
            driven = nh.gait(board.system, {"psi": loop[:, 0], "phi": loop[:, 1]}, displacement=name, parameters=board.parameters)
            assert told[name] == pytest.approx(driven.displacement, rel=0.03)
        assert wrong == [] and page.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        phone.close()


@pytest.mark.slow
def test_the_loop_on_the_snakeboards_page_is_the_best_that_is_found() -> None:
    board = gallery.get("snakeboard")
    window = board.system.page.gait  # type: ignore[union-attr]
    assert window is not None
    shown = nh.gait(board.system, dict(window.loop), displacement="x", parameters=board.parameters)
    bounds = {"psi": 1.1025, "phi": 0.4010}
    best = nh.gait(board.system, ["psi", "phi"], displacement="x", parameters=board.parameters, bounds=bounds)
    assert shown.displacement == pytest.approx(best.displacement, rel=0.01)
