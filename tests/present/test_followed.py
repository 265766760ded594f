"""Integrals along the motion of a report: curves, names, and what is left out when inputs act."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import nonholo as nh
from nonholo import gallery
from nonholo.dossier import POINTS
from nonholo.finding import Condition, Finding, FirstIntegral
from nonholo.present.report.integral_drift import driven, integral_drifts, letter_for, with_integrals
from nonholo.present.report.report_file import report, report_page
from nonholo.present.report.report_subject import case
from nonholo.symmetry.integrals.drift_test import measured, motions_to_test
from nonholo.symmetry.integrals.integrals import run_parameters

PLOT = re.compile(
    r'<figure class="plot"><script type="application/json">(.*?)</script><div></div><figcaption[^>]*>(.*?)</f'
)


def plots(page: str) -> dict[str, Any]:
    """The figures of a page by their captions."""
    return {caption: json.loads(data) for data, caption in PLOT.findall(page)}


def drift_plot(page: str) -> tuple[str, dict[str, np.ndarray]]:
    """Caption and curves, by name, of the plot of what should stay the same."""
    caption, figure = next((c, f) for c, f in plots(page).items() if c.startswith("What should stay"))
    assert figure["layout"]["yaxis"]["type"] == "log"
    return caption, {c["name"]: _numbers(c["y"]) for c in figure["data"]}


def _numbers(values: Any) -> np.ndarray:
    if isinstance(values, dict):  # plotly's way to keep single precision short
        from base64 import b64decode

        return np.frombuffer(b64decode(values["bdata"]), dtype=values["dtype"]).astype(float)
    return np.array([np.nan if v is None else v for v in values], dtype=float)


def test_drift_of_the_angular_momentum_is_drawn_as_found_by_hand() -> None:
    """The euler top: its momentum in space is R I w, here by matrices; each curve is its departure over the terms' size."""
    exhibit = gallery.get("euler-top")
    _, curves = drift_plot(report_page(case("euler-top", until=3.0)))
    run = nh.simulate(
        exhibit.system, exhibit.start, 3.0, exhibit.parameters, t_eval=np.linspace(0.0, 3.0, POINTS), progress=False
    )
    turn = np.array([[run[f"R{i}{j}"] for j in (1, 2, 3)] for i in (1, 2, 3)])
    body = np.array([exhibit.parameters[f"I{k}"] * run[f"w{k}"] for k in (1, 2, 3)])
    terms = turn * body[None]
    momentum = terms.sum(axis=1)
    sizes = np.abs(terms).sum(axis=1).max(axis=1)
    assert "energy" in curves
    drawn = [curves[f"<i>C</i><sub>{k}</sub>"] for k in (1, 2, 3)]
    for k in range(3):
        wanted = np.abs(momentum[k] - momentum[k, 0]) / sizes[k]
        shown = np.nan_to_num(drawn[k])
        assert len(shown) >= 1000 and wanted.max() > 1e-13
        assert np.max(shown) == pytest.approx(np.max(wanted), rel=0.1)
    assert len({float(np.nanmax(d)) for d in drawn}) == 3


@pytest.mark.slow
def test_the_second_process_hands_over_momenta_known_as_numbers(tmp_path: Path) -> None:
    page = report("basketball", tmp_path / "b.html", until=1.0, processes=2).read_text(encoding="utf-8")
    _, curves = drift_plot(page)
    names = [n for n in curves if n.startswith("<i>C")]
    assert len(names) == 2
    assert all(0 < np.nanmax(curves[n]) < 1e-7 for n in names)
    assert "along the motion below" in page


def test_what_does_not_change_at_all_is_named_in_the_caption() -> None:
    caption, curves = drift_plot(report_page(case("knife-edge", until=2.0)))
    assert "No change at all: <i>C</i><sub>1</sub>" in caption  # J ω, and ω̇ = 0
    assert "<i>C</i><sub>1</sub>" not in curves


@pytest.mark.slow
def test_under_inputs_neither_energy_nor_integrals_are_expected_to_stay() -> None:
    page = report_page(case("snakeboard", until=2.0))
    caption, curves = drift_plot(page)
    assert not any(name.startswith(("energy", "<i>C", "<i>K")) for name in curves) and "No change" not in caption
    assert "Energy, which is not conserved here" in plots(page)
    assert "The energy went from" in page and "only while they are zero" in page
    assert not driven({"tau": 0.0}) and driven({"tau": lambda t: 0.0})


def test_an_energy_that_friction_takes_is_drawn_by_itself() -> None:
    skate = nh.System(
        "skate", coordinates="x y", lagrangian="(xdot**2 + 2*ydot**2)/2", forces={"x": "-0.3*xdot"}, start={"xdot": 1.0}
    )
    page = report_page(case(skate, until=2.0))
    assert "Energy, which is not conserved here" in plots(page)
    lost = f"{0.5 * np.exp(-1.2):.3g}"  # E = exp(-2 c t)/2
    told = re.search(r"The energy went from (.*?) to (.*?)\.</p>", page)
    assert told and "0.5" in told[1] and lost in told[2]


def test_integrals_have_a_letter_of_their_own() -> None:
    assert letter_for(gallery.get("euler-top").system) == "C"
    assert letter_for(gallery.get("routh-sphere").system) == "K"  # it has a moment of inertia C
    full = nh.System("full", coordinates="C K2 F Z", lagrangian="(Cdot**2 + K2dot**2 + Fdot**2 + Zdot**2)/2")
    assert letter_for(full) == "const"


def test_only_what_is_claimed_constant_becomes_a_column() -> None:
    system = nh.System("free", coordinates="x y", lagrangian="(xdot**2 + ydot**2)/2", symmetry=nh.translation("x", "y"))
    run = nh.simulate(system, {"xdot": 1.0, "ydot": 0.5}, 1.0, progress=False)
    given = [
        Finding(FirstIntegral(energy=True), "holds", expression=nh.energy(system)),
        Finding(FirstIntegral("xdot"), "holds", expression=system.lagrangian.diff("xdot")),
        Finding(FirstIntegral("ydot"), "fails", expression=system.lagrangian.diff("ydot")),
        Finding("the frame is flat", "holds", expression=system.lagrangian),
    ]
    found = integral_drifts(system, given, run)
    assert [one and one.name for one in found] == ["the energy", "C1", None, None]
    longer = with_integrals(run, [one for one in found if one])
    assert np.all(longer["C1"] == 1.0) and "C1" not in run.data
    assert longer.data["C1"].attrs["kind"] == "watched"


def test_a_system_at_rest_proves_nothing() -> None:
    """At rest everything is constant: the drift is measured along a generic motion too."""
    spring = nh.System("spring", coordinates="x", lagrangian="xdot**2/2 - x**2/2", start={"x": 0.0, "xdot": 0.0})
    false = Finding("xdot is constant", "holds", expression=spring.lagrangian.diff("xdot"))
    runs = motions_to_test(spring, run_parameters(spring, None), None, 2.0, idle=True)
    (found,) = measured([false], runs)
    assert found.verdict == "fails" and found.value > 0.1
    assert "two motions of 2 s, one of them generic" in found.evidence


def test_what_is_constant_while_an_input_rests_is_not_followed() -> None:
    fall = nh.System(coordinates="z", lagrangian="zdot**2/2", inputs="u", constraints=[], forces={"z": "u"})
    run = nh.simulate(fall, {"zdot": 1.0}, 1.0, inputs={"u": 0.5}, t_eval=5)
    zdot = nh.algebra.calculus.symbol("zdot")
    told = Finding(FirstIntegral("zdot - u", when=Condition(steady=("u",))), "holds", expression=zdot)
    always = Finding(FirstIntegral("zdot"), "holds", expression=told.expression)
    first, second = integral_drifts(fall, [told, always], run)
    assert first is None and second is not None
