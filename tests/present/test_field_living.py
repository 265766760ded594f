"""Pages on fields: a finite system solved again in the browser where there is one, and why not elsewhere; names as signs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import nonholo as nh
from nonholo.fields.strings.chains import chain_start
from nonholo.model.system import numbered
from nonholo.present.fields import field_living
from nonholo.present.fields.field_living import LINKS, finite_system, living_section
from nonholo.present.fields.field_report import _field, _name
from nonholo.present.report.report_page import page as page_of
from nonholo.present.style.labels import html_name
from tests.present.test_browser import opened
from tests.present.test_living_browser import FINAL, agrees, needs_viewer, number, solved


def system_of(name: str) -> Any:
    found = finite_system(nh.gallery.get(name))
    assert found is not None
    return found[0]


def test_the_sleigh_with_a_heavier_blade_moves_as_the_field() -> None:
    exhibit, system = nh.gallery.get("sleigh-string"), system_of("sleigh-string")
    field = exhibit.simulate(until=3.0)
    run = nh.simulate(system, until=3.0, rtol=1e-12)
    assert run.final["v"] == pytest.approx(float(field["v"][-1]), rel=1e-9)
    assert run.final["heading"] == pytest.approx(float(field["heading"][-1]), rel=1e-9)


def test_the_chain_is_drawn_link_by_link_about_its_centre_of_mass() -> None:
    """Ends of neighbouring rods meet, and the mean of the middles stands still, whatever the angles."""
    system = system_of("string")
    angles = {f"theta{k + 1}": 0.3 * k**1.5 - 1 for k in range(LINKS)}
    values = {**angles, **{f"{n}dot": 0.0 for n in angles}, **system.parameters}
    places = np.array([[eval_text(text, values) for text in body.position[:2]] for body in system.drawing.bodies])
    rods = 1.0 / LINKS * np.array([[np.cos(a), np.sin(a)] for a in angles.values()])
    assert np.allclose(places[1:] - rods[1:] / 2, places[:-1] + rods[:-1] / 2, atol=1e-14)
    assert np.allclose(places.mean(axis=0), 0.0, atol=1e-14)


def eval_text(text: str, values: dict[str, float]) -> float:
    from nonholo.notation.parse import parse

    return float(parse(text, tuple(values), "place").subs(values))


def test_the_chain_tends_to_the_string_with_the_square_of_the_rods_length(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the rods in the middle half; at the free ends, where the pull vanishes, it comes nearer too, at a lower order."""
    exhibit = nh.gallery.get("string")
    field = exhibit.simulate(until=0.5)
    string = CubicSpline(field["s"], field["theta"][-1])
    middle, worst = {}, {}
    for links in (LINKS, 2 * LINKS):
        monkeypatch.setattr(field_living, "LINKS", links)
        start = chain_start(links, exhibit.field.length, exhibit.start["theta"], exhibit.start["omega"])
        run = nh.simulate(numbered(system_of("string"), start=start), until=0.5, rtol=1e-10)
        errors = np.array([run.final[f"theta{k + 1}"] - float(string((k + 0.5) / links)) for k in range(links)])
        middle[links] = float(np.sqrt(np.mean(errors[links // 4 : 3 * links // 4] ** 2)))
        worst[links] = float(np.abs(errors).max())
    assert 3.6 < middle[LINKS] / middle[2 * LINKS] < 4.4  # 2² up to the next order: 3.97
    assert worst[2 * LINKS] < 0.7 * worst[LINKS]


@pytest.mark.parametrize(("name", "why"), [("ideal-fluid", "Fourier transforms"), ("constrained-string", "its front end")])
def test_a_field_without_a_finite_system_says_why_its_page_does_not_live(name: str, why: str) -> None:
    body = living_section(nh.gallery.get(name)).body
    assert why in body and f"nonholo report {name} --set" in body and "nonholo-living" not in body


def test_names_of_fields_are_words_and_signs() -> None:
    assert html_name("angular_momentum") == "angular momentum" and html_name("tau_psi") == "<i>τ</i><sub><i>ψ</i></sub>"
    assert _name("momentum_x") == "momentum<sub>x</sub>"
    body = _field(nh.gallery.get("string")).body
    assert "<code>" not in body and "cos" in re.sub("<[^>]+>", "", body) and "angular_momentum" not in body


@pytest.mark.parametrize(
    "name, units",
    [
        ("string", {"length": "m", "density": "kg/m", "gravity": "m/s²", "nodes": "", "velocity": "m/s"}),
        ("sleigh-string", {"mass": "kg", "inertia": "kg m²", "offset": "m", "v": "m/s"}),
    ],
)
def test_numbers_of_fields_have_units(name: str, units: dict[str, str]) -> None:
    rows = re.findall("<tr><td>(.*?)</td><td>.*?</td><td>(.*?)</td></tr>", _field(nh.gallery.get(name)).body)
    assert units.items() <= {re.sub("<[^>]+>", "", name): unit for name, unit in rows}.items()


@needs_viewer
@pytest.mark.parametrize(("name", "slider", "value"), [("string", "theta3", 0.9), ("sleigh-string", "mu", 1.1)])
def test_the_page_solves_the_finite_system_again(name: str, slider: str, value: float, browser: Any, tmp_path: Path) -> None:
    """Eight rods are a long program: it keeps numbers on a stack."""
    system = system_of(name)
    place = tmp_path / "page.html"
    place.write_text(page_of(name, "", [living_section(nh.gallery.get(name))], films=True, plots=False))
    page, wrong = opened(browser, place)
    try:
        solved(page)
        assert agrees(page, system) < 1e-9
        before = page.evaluate(FINAL)["final"]
        number(page, slider, value)
        start, values = dict(system.start), dict(system.parameters)
        (values if slider in values else start)[slider] = value
        assert agrees(page, numbered(system, values, start)) < 1e-9
        assert page.evaluate(FINAL)["final"] != before and wrong == []
    finally:
        page.context.close()
