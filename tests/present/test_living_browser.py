"""Living pages in a real browser: sliders, keys, undo, links, texts that follow, policy, and what happens without WebAssembly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.machines.machine_files import dump
from nonholo.model.system import numbered, varied
from nonholo.present.film.film_page import viewer_script
from nonholo.present.report.report_file import report
from nonholo.present.report.report_motion import film, living_data, motion, motion_section
from nonholo.present.report.report_page import page as page_of
from nonholo.present.report.report_sections import reproduce_section
from nonholo.present.report.report_subject import case
from nonholo.present.report.report_symmetry import SymmetryResults
from tests.present.living_cases import OWN, apart, own, python_final, subject
from tests.present.test_browser import opened, solved
from tests.present.test_living import NO_MOTION, SHORT

LIVING = "document.querySelector('.nonholo-living').living"
FINAL = f"() => ({{ final: Array.from({LIVING}.motion.final), kind: {LIVING}.motion.outcome.kind }})"
PLOTTED = "() => document.querySelector('.plot > div').dataset.motion === document.documentElement.dataset.solved"
CURVE = """() => {
  const { data } = document.querySelector('.plot > div');
  return Array.from(data.find((curve) => !curve.meta || !curve.meta.ghost).y).slice(-40);
}"""

INTRUDER = """async () => {
  const script = document.createElement("script");
  script.textContent = "window.intruder = 1";
  document.head.append(script);
  const loaded = await fetch("data:,hello").then(() => "loaded", () => "refused");
  return [window.intruder ?? null, loaded];
}"""

needs_viewer = pytest.mark.skipif(
    viewer_script() is None, reason="the viewer has not been built (needs Node; `make run` builds it)"
)


def number(page: Any, name: str, value: float) -> None:
    """Type a number, and wait until its motion is shown."""
    before = int(page.evaluate("() => document.documentElement.dataset.solved"))
    box = page.locator(f".nhl input[type=number][data-name='{name}']")
    box.fill(repr(value))
    box.press("Enter")
    solved(page, before + 1)


def agrees(page: Any, system: Any) -> float:
    """How far the page's final state is from Python's."""
    found = page.evaluate(FINAL)
    plan = {n: page.evaluate(f"() => {LIVING}.data.plan.{n}") for n in ("coordinates", "speeds")}
    run = python_final(system)
    assert found["kind"] == run.outcome.kind
    return apart(plan, found["final"], run.final)


def plotted(page: Any) -> Any:
    """The end of the first plot's curve, once it shows the present motion: out of sight it waits."""
    page.locator(".plot").first.scroll_into_view_if_needed()
    page.wait_for_function(PLOTTED)
    return page.evaluate(CURVE)


def check_living(page: Any, name: str, system: Any) -> None:
    """The numbers are Python's; a key on a slider changes motion, film, plots and texts; undo brings them back."""
    solved(page)
    if name in SHORT:
        number(page, "until", SHORT[name])
        system = numbered(system, until=SHORT[name])
        # sooner, the next change would belong to this one and leave no ghost
        page.wait_for_function(f"() => performance.now() - {LIVING}.last > 950")
    assert agrees(page, system) < 1e-9
    first = page.evaluate(FINAL)["final"]
    picture = page.locator(".nhf")
    shown = int(picture.get_attribute("data-motion") or 0) if picture.count() else 0
    curve = plotted(page)
    command = page.locator("[data-live=command]").inner_text()
    ranges = page.locator(".nhl input[type=range]:not([data-name=until])")
    moved = False
    for k in range(ranges.count()):  # some starts, as a place on a plane, change nothing that is plotted
        before = int(page.evaluate("() => document.documentElement.dataset.solved"))
        ranges.nth(k).focus()
        page.keyboard.press("ArrowRight")
        solved(page, before + 1)
        if page.evaluate(FINAL)["final"] != first and plotted(page) != curve:
            moved = True
            break
    assert moved, "no slider changes the motion and its plots"
    assert page.locator("[data-live=command]").inner_text() != command
    if picture.count():
        assert int(picture.get_attribute("data-motion")) > shown, "the film still shows the old motion"
        assert page.evaluate("() => document.querySelector('.nhf').film.ghost !== null"), "no ghost of the motion before"
    before = int(page.evaluate("() => document.documentElement.dataset.solved"))
    page.locator(".nhl button", has_text="Reset").click()
    solved(page, before + 1)
    if name not in SHORT:
        assert page.evaluate(FINAL)["final"] == first


def moving_part(given: Any) -> str:
    chosen = case(given)
    found, group = motion(chosen), SymmetryResults()
    head = f'<div class="title"><div class="stage">{film(chosen, found) or ""}{living_data(chosen, found, group)}</div></div>'
    sections = [motion_section(chosen, found, group), reproduce_section(chosen, "dop853")]
    return page_of(chosen.title, head, sections, films=True, plots=True)


@needs_viewer
def test_a_page_from_a_users_own_file_lives(browser: Any, tmp_path: Path) -> None:
    system = own("pushed")
    dump(system, tmp_path / "pushed.toml")
    place = report(tmp_path / "pushed.toml", tmp_path / "pushed.html")
    assert place.stat().st_size < 4_000_000
    page, wrong = opened(browser, place)
    try:
        check_living(page, "pushed", system)
        # a law's own number, and a preset of the file
        law = page.evaluate(f"() => {LIVING}.data.controls.find(c => c.kind === 'law' && c.value === 1.2).name")
        number(page, law, 0.7)
        changed = nh.load(tmp_path / "pushed.toml")
        assert agrees(page, numbered_law(changed, "4*(0.7 - xdot*cos(th) - ydot*sin(th))")) < 1e-9
        assert "0.7" in page.locator("[data-live=command]").inner_text().splitlines()[0]
        # the text of the system, as seen, is the system that is seen
        (tmp_path / "seen.toml").write_text(page.locator("[data-live=toml]").inner_text())
        assert agrees(page, nh.load(tmp_path / "seen.toml")) < 1e-9
        for wide in (1280, 390):
            page.set_viewport_size({"width": wide, "height": 844})
            row = page.locator(".nhl-top > *").evaluate_all("all => all.map(e => [e.offsetTop, e.scrollWidth <= e.clientWidth])")
            assert len(row) == 6 and len({top for top, _ in row}) == 1 and all(fits for _, fits in row), (wide, row)
        number(page, "m", -30)
        assert page.locator(".nhl-hint").inner_text().startswith("Is m = −30 meant?")
        number(page, "m", 3.1)
        assert page.locator(".nhl-hint").count() == 0
        before = int(page.evaluate("() => document.documentElement.dataset.solved"))
        page.locator(".nhl select[aria-label=Presets]").select_option(label="heavy")
        solved(page, before + 1)
        assert agrees(page, numbered(changed, {**changed.parameters, "m": 5.5}, {"th": 0.1})) < 1e-9
        # the address holds the experiment: another page opened with it shows the same
        page.wait_for_function("() => location.hash.startsWith('#live') && location.hash.includes('m=5.5')")
        address = page.evaluate("() => location.hash")
        final = page.evaluate(FINAL)["final"]
        again, more = opened(browser, place, address)
        solved(again)
        assert again.evaluate(FINAL)["final"] == final
        again.context.close()
        assert wrong == [] and more == []
        # nothing that is not in the file runs in it, and it connects to nothing
        assert page.evaluate(INTRUDER) == [None, "refused"]
        assert any("Content Security Policy" in line for line in wrong)
    finally:
        page.context.close()


def numbered_law(system: Any, law: str) -> Any:
    return varied(system, inputs={"u": law})


@needs_viewer
def test_a_film_lives_too_and_without_webassembly_says_that_it_is_recorded(browser: Any, tmp_path: Path) -> None:
    system = numbered(subject("chaplygin-sleigh"), until=3.0)
    place = tmp_path / "film.html"
    nh.simulate(system, progress=False).film(place)
    page, wrong = opened(browser, place)
    try:
        solved(page)
        assert agrees(page, system) < 1e-9
        number(page, "v", 0.5)
        assert agrees(page, numbered(system, start={**system.start, "v": 0.5})) < 1e-9
        assert int(page.locator(".nhf").get_attribute("data-motion")) >= 1
        before = int(page.evaluate("() => document.documentElement.dataset.solved"))
        page.locator(".nhl button", has_text="Kick now").click()
        solved(page, before + 1)
        assert page.locator(".nhl-chip").count() == 1
        assert page.evaluate("() => getComputedStyle(document.querySelector('.nhl-row')).display") == "grid"
        page.wait_for_function("() => location.hash.includes('kick=')")
        # what could not be copied is not said to have been: it is offered, marked
        for clipboard in ("{ writeText: () => Promise.reject(new Error('refused')) }", "undefined"):
            page.evaluate(f"() => Object.defineProperty(navigator, 'clipboard', {{ value: {clipboard}, configurable: true }})")
            page.locator("select[aria-label='Save or share']").select_option("link")
            offered = page.locator(".nhl-offer")
            address = page.evaluate("() => location.href")
            assert offered.input_value() == address
            assert page.evaluate("() => document.activeElement.selectionEnd") == len(address)
            assert "copied." not in page.locator(".nhl-status").inner_text()
            page.evaluate("() => document.querySelector('.nhl-status').replaceChildren()")
        assert wrong == []
    finally:
        page.context.close()
    bare, wrong = opened(browser, place, script="delete window.WebAssembly")
    try:
        bare.wait_for_selector(".nhl-none")
        assert "recorded" in bare.locator(".nhl-none").inner_text()
        assert bare.locator(".nhf canvas").count() == 1 and wrong == []
    finally:
        bare.context.close()


@needs_viewer
@pytest.mark.slow
@pytest.mark.parametrize("name", [n for n in gallery.system_names() if n not in NO_MOTION] + list(OWN))
def test_film_plots_and_texts_of_every_system_live(browser: Any, name: str, tmp_path: Path) -> None:
    """Reports without the sections that need no motion; `test_browser` opens the whole ones."""
    system = subject(name)
    (tmp_path / "page.html").write_text(moving_part(name if name not in OWN else system), encoding="utf-8")
    page, wrong = opened(browser, tmp_path / "page.html")
    try:
        check_living(page, name, system)
        assert wrong == []
    finally:
        page.context.close()


@needs_viewer
def test_constants_follow_what_is_changed_and_their_drift_is_in_units_of_their_terms(browser: Any, tmp_path: Path) -> None:
    """A coin on a slope: the energy is that of the new start; a constant that begins near zero does not look bad for that."""
    coin = nh.System(
        name="coin on a slope",
        coordinates="x y phi psi",
        lagrangian="m/2*(xdot**2 + ydot**2) + J/2*phidot**2 + I/2*psidot**2 - m*g*sin(b)*y",
        constraints=["xdot - r*psidot*cos(phi)", "ydot - r*psidot*sin(phi)"],
        parameters={"m": 0.2, "J": 0.01, "I": 0.017, "r": 0.35, "b": 0.2, "g": 9.81},
        start={"phidot": 1.3, "psidot": 2.0},
        until=5.0,
    )
    page, wrong = opened(browser, report(coin, tmp_path / "coin.html"))
    try:
        solved(page)
        number(page, "psidot", 3.0)
        run = nh.simulate(coin, {"phidot": 1.3, "psidot": 3.0})
        cell = page.locator("[data-live='value:the energy']")
        assert float(cell.inner_text()) == pytest.approx(run["energy"][0], rel=5e-3)
        drifts = page.evaluate(
            "() => [...document.querySelectorAll('[data-live^=\"drift:\"]')].map((e) => e.textContent.replace(/\\s×\\s10/, 'e'))"
        )
        small = "".maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")
        assert len(drifts) > 4 and all(float(d.translate(small)) < 1e-8 for d in drifts)
        assert not wrong
    finally:
        page.context.close()
